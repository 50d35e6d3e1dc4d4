//! Local times of columns whose values may have several time zones (D159). Where such a column is computed, the zone of each value
//! is known: its local time is computed beside it, as a further column that is passed on to where it is asked for. Groups,
//! DISTINCT, INTERSECT and EXCEPT do not pass it on, because equal moments may have several local times.

use std::collections::HashMap;

use super::context::Analyzer;
use super::session_zone::SessionZone;
use super::work::STEPS_OF_COLUMN;
use super::zone_of_row::local_operand;
use crate::error::Result;
use crate::expr::{Expr, ExprKind};
use crate::functions::ScalarFunction;
use crate::plan::{ColumnId, Join, JoinKind, MarkJoin, Plan, SetOperationKind};
use crate::statement::Analyzed;
use crate::types::{Type, Zones};

impl Analyzer<'_> {
    /// Replaces local times of columns with several zones by further columns, where these can be passed on.
    ///
    /// # Errors
    ///
    /// `NOT_SUPPORTED`: the statement takes too much planning.
    pub(super) fn add_local_columns(&mut self, analyzed: &mut Analyzed) -> Result<()> {
        let session = SessionZone::of(self.session);
        let mut is_asked = false;
        for plan in analyzed.shared.iter().chain([&analyzed.plan]) {
            plan.visit(&mut |node| is_asked |= !asked_columns(node, session).is_empty());
        }
        if !is_asked {
            return Ok(());
        }
        let Analyzed { plan, shared, .. } = analyzed;
        for index in 0..shared.len() {
            // A shared plan does not refer to itself.
            let mut own = shared[index].take();
            self.add_in_whole(&mut own, shared)?;
            shared[index] = own;
        }
        self.add_in_whole(plan, shared)
    }

    /// As [`add_in`](Self::add_in), with the output columns of before.
    fn add_in_whole(&mut self, plan: &mut Plan, shared: &mut [Plan]) -> Result<()> {
        let columns = plan.passed_on();
        if self.add_in(plan, shared)? {
            *plan = Plan::Project { input: Box::new(plan.take()), columns };
        }
        Ok(())
    }

    /// Adds the columns that a plan asks for; returns whether it has further output columns.
    fn add_in(&mut self, plan: &mut Plan, shared: &mut [Plan]) -> Result<bool> {
        let compares_rows = matches!(
            plan,
            Plan::Distinct { .. }
                | Plan::PartialDistinct { .. }
                | Plan::SetOperation { .. }
                | Plan::MatchRecognize(_)
        );
        let mut is_wider = false;
        for input in plan.inputs_mut() {
            if compares_rows {
                self.add_in_whole(input, shared)?;
            } else {
                is_wider |= self.add_in(input, shared)?;
            }
        }
        is_wider |= self.use_in_node(plan, shared)?;
        Ok(is_wider && !matches!(plan, Plan::Project { .. } | Plan::Aggregate(_)))
    }

    /// Replaces the local times that a node asks for; returns whether there are any.
    fn use_in_node(&mut self, plan: &mut Plan, shared: &mut [Plan]) -> Result<bool> {
        let mut locals = HashMap::new();
        for column in asked_columns(plan, SessionZone::of(self.session)) {
            if locals.contains_key(&column) {
                continue;
            }
            for input in plan.inputs_mut() {
                if let Some(local) = self.local_column(input, column, shared)? {
                    locals.insert(column, local);
                    break;
                }
            }
        }
        if locals.is_empty() {
            return Ok(false);
        }
        for expr in plan.expressions_mut() {
            expr.transform(&mut |part| {
                if let Some(operand) = operand_mut(part) {
                    localize(operand, &locals);
                }
            });
        }
        Ok(true)
    }

    /// The column with the local time of one of a plan's columns, added to the plan; `None` if it cannot be.
    fn local_column(
        &mut self,
        plan: &mut Plan,
        column: ColumnId,
        shared: &mut [Plan],
    ) -> Result<Option<Expr>> {
        self.spend(STEPS_OF_COLUMN, None)?;
        match plan {
            Plan::Project { input, columns } => {
                let Some((_, expr)) = columns.iter().find(|(field, _)| field.id == column) else {
                    return Ok(None);
                };
                let expr = self.copy(expr)?;
                let Some(local) = self.local_of_definition(&expr, input, shared)? else { return Ok(None) };
                if let Some((known, _)) = columns.iter().find(|(_, expr)| *expr == local) {
                    return Ok(Some(Expr::column(known.id, known.data_type.clone())));
                }
                let (field, column) = self.new_field("local", local.data_type.clone()).passed_on();
                columns.push((field, local));
                Ok(Some(column))
            }
            Plan::Values { fields, rows } => {
                let Some(place) = fields.iter().position(|field| field.id == column) else {
                    return Ok(None);
                };
                let Some(precision) = precision_of(&fields[place].data_type) else { return Ok(None) };
                let mut locals = Vec::with_capacity(rows.len());
                for row in rows.iter() {
                    let local = if row[place].is_random() {
                        None
                    } else {
                        self.local_of_part(&row[place], precision)?
                    };
                    let Some(local) = local else { return Ok(None) };
                    locals.push(local);
                }
                rows.iter_mut().zip(locals).for_each(|(row, local)| row.push(local));
                let (field, column) = self.new_field("local", Type::Timestamp { precision }).passed_on();
                fields.push(field);
                Ok(Some(column))
            }
            Plan::Shared { id, columns, .. } => {
                let Some((_, of_shared)) = columns.iter().find(|(field, _)| field.id == column) else {
                    return Ok(None);
                };
                let (place, of_shared) = (id.0, *of_shared);
                let mut own = shared[place].take();
                let local = self.local_column(&mut own, of_shared, shared);
                shared[place] = own;
                let Some(Expr { kind: ExprKind::Column(local), data_type, .. }) = local? else {
                    return Ok(None);
                };
                let (field, column) = self.new_field("local", data_type).passed_on();
                columns.push((field, local));
                Ok(Some(column))
            }
            Plan::Filter { input, .. }
            | Plan::Sort { input, .. }
            | Plan::Limit { input, .. }
            | Plan::Window { input, .. }
            | Plan::Unnest { input, .. }
            | Plan::EnforceSingleRow { input }
            | Plan::MarkJoin(MarkJoin { left: input, .. })
            | Plan::Join(Join { kind: JoinKind::Semi | JoinKind::Anti, left: input, .. }) => {
                self.local_column(input, column, shared)
            }
            Plan::Join(Join { left, right, .. }) => match self.local_column(left, column, shared)? {
                None => self.local_column(right, column, shared),
                found => Ok(found),
            },
            Plan::SetOperation { kind: SetOperationKind::UnionAll, inputs, fields } => {
                let Some(place) = fields.iter().position(|field| field.id == column) else {
                    return Ok(None);
                };
                let mut whole = Vec::with_capacity(inputs.len());
                let mut are_known = true;
                for input in inputs.iter_mut() {
                    let mut columns = input.passed_on();
                    columns.truncate(fields.len());
                    let local = self.local_column(input, columns[place].0.id, shared)?;
                    are_known &= local.is_some();
                    columns
                        .extend(local.map(|local| (self.new_field("local", local.data_type.clone()), local)));
                    whole.push(columns);
                }
                for (input, mut columns) in inputs.iter_mut().zip(whole) {
                    columns.truncate(fields.len() + usize::from(are_known));
                    *input = Plan::Project { input: Box::new(input.take()), columns };
                }
                let Some(precision) = precision_of(&fields[place].data_type).filter(|_| are_known) else {
                    return Ok(None);
                };
                let (field, column) = self.new_field("local", Type::Timestamp { precision }).passed_on();
                fields.push(field);
                Ok(Some(column))
            }
            Plan::Scan(_)
            | Plan::Aggregate(_)
            | Plan::Distinct { .. }
            | Plan::PartialDistinct { .. }
            | Plan::SetOperation { .. }
            | Plan::MatchRecognize(_) => Ok(None),
        }
    }

    /// The local time of the expression that defines a column over `input`.
    fn local_of_definition(
        &mut self,
        expr: &Expr,
        input: &mut Plan,
        shared: &mut [Plan],
    ) -> Result<Option<Expr>> {
        let Some(precision) = precision_of(&expr.data_type) else { return Ok(None) };
        let is_certain = SessionZone::of(self.session).zones_of(&expr.data_type) == Zones::ONE;
        let local = match &expr.kind {
            ExprKind::Column(id) if !is_certain => self.local_column(input, *id, shared)?,
            ExprKind::Cast { input: value, is_try: _ }
                if !is_certain && precision_of(&value.data_type).is_some() =>
            {
                self.local_of_definition(value, input, shared)?
            }
            _ if expr.is_random() => None,
            _ => self.local_of_part(expr, precision)?,
        };
        Ok(local.map(|local| local.cast_to(&Type::Timestamp { precision })))
    }
}

const fn precision_of(zoned: &Type) -> Option<u8> {
    match zoned {
        Type::TimestampWithTimeZone { precision, .. } => Some(*precision),
        _ => None,
    }
}

/// The columns of several zones whose local time a node asks for.
fn asked_columns(node: &Plan, session: SessionZone<'_>) -> Vec<ColumnId> {
    // What is compared, aggregated or matched across rows is no expression over one row of the input.
    if matches!(node, Plan::MatchRecognize(_)) {
        return Vec::new();
    }
    let mut asked = Vec::new();
    for expr in node.expressions() {
        expr.visit(&mut |part| {
            let operand = match &part.kind {
                ExprKind::Call { function, args } => local_operand(*function, args).map(|(value, _)| value),
                ExprKind::Cast { input, is_try: _ } if is_local(&part.data_type) => Some(&**input),
                _ => None,
            };
            asked.extend(operand.and_then(|operand| column_of(operand, session)));
        });
    }
    asked
}

/// Types without a zone, to which a cast of a zoned value takes its local time.
const fn is_local(data_type: &Type) -> bool {
    matches!(data_type, Type::Date | Type::Time { .. } | Type::Timestamp { .. })
}

/// The column of several zones that is an operand, or that one truncates or rounds.
fn column_of(operand: &Expr, session: SessionZone<'_>) -> Option<ColumnId> {
    match &operand.kind {
        ExprKind::Column(id)
            if precision_of(&operand.data_type).is_some()
                && session.zones_of(&operand.data_type) != Zones::ONE =>
        {
            Some(*id)
        }
        ExprKind::Call { function: ScalarFunction::DateTrunc, args } => match args.as_slice() {
            [_, value] => column_of(value, session),
            _ => None,
        },
        ExprKind::Cast { input, is_try: _ } if precision_of(&operand.data_type).is_some() => {
            column_of(input, session)
        }
        _ => None,
    }
}

fn operand_mut(part: &mut Expr) -> Option<&mut Expr> {
    match &mut part.kind {
        ExprKind::Call { function, args } => {
            local_operand(*function, args)?;
            args.first_mut()
        }
        ExprKind::Cast { input, is_try: _ } if is_local(&part.data_type) => Some(&mut **input),
        _ => None,
    }
}

/// Replaces a column by the one with its local time, also where it is truncated or rounded; returns whether there is one.
fn localize(operand: &mut Expr, locals: &HashMap<ColumnId, Expr>) -> bool {
    let place = operand.location;
    match &mut operand.kind {
        ExprKind::Column(id) => {
            let Some(local) = locals.get(id) else { return false };
            *operand = local.clone().at(place);
            true
        }
        ExprKind::Call { function: ScalarFunction::DateTrunc, args } => match args.as_mut_slice() {
            [_, value] => {
                let is_local = localize(value, locals);
                if is_local {
                    operand.data_type = value.data_type.clone();
                }
                is_local
            }
            _ => false,
        },
        ExprKind::Cast { input, is_try: _ } => {
            let precision = precision_of(&operand.data_type);
            let is_local = precision.is_some() && localize(input, locals);
            if is_local && let Some(precision) = precision {
                operand.data_type = Type::Timestamp { precision };
            }
            is_local
        }
        _ => false,
    }
}
