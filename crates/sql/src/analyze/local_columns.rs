//! Local times of columns whose values may have several time zones (D159). Where such a column is computed, the zone of each value
//! is known: its local time is computed beside it, as a further column that is passed on to where it is asked for. Groups,
//! DISTINCT, INTERSECT and EXCEPT do not pass it on, because equal moments may have several local times.

use std::collections::{HashMap, HashSet};

use super::context::Analyzer;
use super::session_zone::SessionZone;
use super::work::STEPS_OF_COLUMN;
use super::zone_of_row::{is_printed_rounded, is_unit_of_dates, local_operand};
use crate::error::Result;
use crate::expr::{Expr, ExprKind};
use crate::functions::ScalarFunction;
use crate::plan::{ColumnId, Field, Join, JoinKind, MarkJoin, Plan, SetOperationKind};
use crate::statement::Analyzed;
use crate::types::{Type, Zones};

/// Name of the further columns, which no statement can refer to.
const NAME: &str = "local";

/// The work on one statement.
struct Locals<'p> {
    shared: &'p mut [Plan],
    /// The further column of each column that is no other one's under a new name, if it can have one.
    known: HashMap<ColumnId, Option<Field>>,
}

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
        let mut locals = Locals { shared: &mut analyzed.shared, known: HashMap::new() };
        for index in 0..locals.shared.len() {
            // A shared plan does not refer to itself.
            let mut own = locals.shared[index].take();
            self.add_in_whole(&mut own, &mut locals)?;
            locals.shared[index] = own;
        }
        self.add_in_whole(&mut analyzed.plan, &mut locals)
    }

    /// As [`add_in`](Self::add_in), with the output columns of before.
    fn add_in_whole(&mut self, plan: &mut Plan, locals: &mut Locals<'_>) -> Result<()> {
        let columns = plan.passed_on();
        if self.add_in(plan, locals)? {
            *plan = Plan::Project { input: Box::new(plan.take()), columns };
        }
        Ok(())
    }

    /// Adds the columns that a plan asks for; returns whether it has further output columns.
    fn add_in(&mut self, plan: &mut Plan, locals: &mut Locals<'_>) -> Result<bool> {
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
                self.add_in_whole(input, locals)?;
            } else {
                is_wider |= self.add_in(input, locals)?;
            }
        }
        is_wider |= self.use_in_node(plan, locals)?;
        Ok(is_wider && !matches!(plan, Plan::Project { .. } | Plan::Aggregate(_)))
    }

    /// Replaces the local times that a node asks for; returns whether there are any.
    fn use_in_node(&mut self, plan: &mut Plan, locals: &mut Locals<'_>) -> Result<bool> {
        let mut found = HashMap::new();
        let asked: HashSet<_> = asked_columns(plan, SessionZone::of(self.session)).into_iter().collect();
        let mut asked: Vec<_> = asked.into_iter().collect();
        // Sorted, so that the same statement always results in the same plan.
        asked.sort_unstable();
        for column in asked {
            for input in plan.inputs_mut() {
                if let Some(local) = self.local_column(input, column, locals)? {
                    found.insert(column, local);
                    break;
                }
            }
        }
        if found.is_empty() {
            return Ok(false);
        }
        for expr in plan.expressions_mut() {
            expr.transform(&mut |part| {
                if let Some((operand, is_of_date)) = operand_mut(part) {
                    localize(operand, &found, is_of_date);
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
        locals: &mut Locals<'_>,
    ) -> Result<Option<Field>> {
        self.spend(STEPS_OF_COLUMN, None)?;
        match plan {
            Plan::Project { input, columns } => self.local_in_project(input, columns, column, locals),
            Plan::Values { fields, rows } => {
                let Some(place) = fields.iter().position(|field| field.id == column) else {
                    return Ok(None);
                };
                if let Some(known) = locals.known.get(&column) {
                    return Ok(known.clone());
                }
                let found = self.locals_of_rows(rows, place, &fields[place].data_type)?;
                let local = found.map(|(values, data_type)| {
                    rows.iter_mut().zip(values).for_each(|(row, value)| row.push(value));
                    self.new_field(NAME, data_type)
                });
                fields.extend(local.clone());
                locals.known.insert(column, local.clone());
                Ok(local)
            }
            Plan::Shared { id, columns, .. } => {
                let Some((_, of_shared)) = columns.iter().find(|(field, _)| field.id == column) else {
                    return Ok(None);
                };
                if let Some(known) = locals.known.get(&column) {
                    return Ok(known.clone());
                }
                let (place, of_shared) = (id.0, *of_shared);
                let mut own = locals.shared[place].take();
                let found = self.local_column(&mut own, of_shared, locals);
                locals.shared[place] = own;
                let local = found?.map(|found| {
                    let local = self.new_field(NAME, found.data_type);
                    columns.push((local.clone(), found.id));
                    local
                });
                locals.known.insert(column, local.clone());
                Ok(local)
            }
            Plan::Filter { input, .. }
            | Plan::Sort { input, .. }
            | Plan::Limit { input, .. }
            | Plan::Window { input, .. }
            | Plan::Unnest { input, .. }
            | Plan::EnforceSingleRow { input }
            | Plan::MarkJoin(MarkJoin { left: input, .. })
            | Plan::Join(Join { kind: JoinKind::Semi | JoinKind::Anti, left: input, .. }) => {
                self.local_column(input, column, locals)
            }
            Plan::Join(Join { left, right, .. }) => match self.local_column(left, column, locals)? {
                None => self.local_column(right, column, locals),
                found => Ok(found),
            },
            Plan::SetOperation { kind: SetOperationKind::UnionAll, inputs, fields } => {
                self.local_in_union(inputs, fields, column, locals)
            }
            Plan::Scan(_)
            | Plan::Aggregate(_)
            | Plan::Distinct { .. }
            | Plan::PartialDistinct { .. }
            | Plan::SetOperation { .. }
            | Plan::MatchRecognize(_) => Ok(None),
        }
    }

    fn local_in_project(
        &mut self,
        input: &mut Plan,
        columns: &mut Vec<(Field, Expr)>,
        column: ColumnId,
        locals: &mut Locals<'_>,
    ) -> Result<Option<Field>> {
        self.spend(columns.len(), None)?;
        let Some((_, expr)) = columns.iter().find(|(field, _)| field.id == column) else { return Ok(None) };
        if let ExprKind::Column(id) = expr.kind
            && !self.is_certain(&expr.data_type)
        {
            // Another one, or the same, which is passed on as its local time is.
            let local = self.local_column(input, id, locals)?;
            if let Some(local) = &local
                && !columns.iter().any(|(field, _)| field.id == local.id)
            {
                columns.push(local.clone().passed_on());
            }
            return Ok(local);
        }
        if let Some(known) = locals.known.get(&column) {
            return Ok(known.clone());
        }
        let expr = self.copy(expr)?;
        let local = self.local_of_definition(&expr, input, locals)?.map(|local| {
            let field = self.new_field(NAME, local.data_type.clone());
            columns.push((field.clone(), local));
            field
        });
        locals.known.insert(column, local.clone());
        Ok(local)
    }

    fn local_in_union(
        &mut self,
        inputs: &mut [Plan],
        fields: &mut Vec<Field>,
        column: ColumnId,
        locals: &mut Locals<'_>,
    ) -> Result<Option<Field>> {
        let Some(place) = fields.iter().position(|field| field.id == column) else { return Ok(None) };
        if let Some(known) = locals.known.get(&column) {
            return Ok(known.clone());
        }
        self.spend(fields.len().saturating_mul(inputs.len()), None)?;
        let width = fields.len();
        let mut are_known = true;
        for input in inputs.iter_mut() {
            if !matches!(input, Plan::Project { columns, .. } if columns.len() == width) {
                let mut columns = input.passed_on();
                columns.truncate(width);
                *input = Plan::Project { input: Box::new(input.take()), columns };
            }
            let Plan::Project { input, columns } = input else { continue };
            let Some((of_input, _)) = columns.get(place) else { continue };
            let id = of_input.id;
            match self.local_in_project(input, columns, id, locals)? {
                // One that another column of the union has, too.
                Some(local) if columns.len() == width => {
                    let known = columns.iter().find(|(field, _)| field.id == local.id);
                    let Some((_, expr)) = known else { continue };
                    let expr = self.copy(expr)?;
                    columns.push((self.new_field(NAME, local.data_type), expr));
                }
                Some(_) => {}
                None => are_known = false,
            }
        }
        let precision = precision_of(&fields[place].data_type).filter(|_| are_known);
        if precision.is_none() {
            for input in inputs.iter_mut() {
                let Plan::Project { columns, .. } = input else { continue };
                for (dropped, _) in columns.drain(width..) {
                    // Nobody refers to it.
                    for known in locals.known.values_mut() {
                        known.take_if(|known| known.id == dropped.id);
                    }
                }
            }
        }
        let local = precision.map(|precision| self.new_field(NAME, Type::Timestamp { precision }));
        fields.extend(local.clone());
        locals.known.insert(column, local.clone());
        Ok(local)
    }

    /// The local times of a column of constant rows, and their type.
    fn locals_of_rows(
        &mut self,
        rows: &[Vec<Expr>],
        place: usize,
        zoned: &Type,
    ) -> Result<Option<(Vec<Expr>, Type)>> {
        let Some(precision) = precision_of(zoned) else { return Ok(None) };
        let mut values = Vec::with_capacity(rows.len());
        for row in rows {
            let value = &row[place];
            let local = if value.is_random() { None } else { self.local_of_part(value, precision, false)? };
            let Some(local) = local else { return Ok(None) };
            values.push(local);
        }
        Ok(Some((values, Type::Timestamp { precision })))
    }

    /// The local time of the expression that defines a column over `input`.
    fn local_of_definition(
        &mut self,
        expr: &Expr,
        input: &mut Plan,
        locals: &mut Locals<'_>,
    ) -> Result<Option<Expr>> {
        let Some(precision) = precision_of(&expr.data_type) else { return Ok(None) };
        let is_certain = self.is_certain(&expr.data_type);
        let local = match &expr.kind {
            ExprKind::Column(id) if !is_certain => {
                self.local_column(input, *id, locals)?.map(|local| local.passed_on().1)
            }
            ExprKind::Cast { input: value, is_try: _ } if !is_certain && keeps_moments(expr, value) => {
                self.local_of_definition(value, input, locals)?
            }
            _ if expr.is_random() => None,
            _ => self.local_of_part(expr, precision, false)?,
        };
        Ok(local.map(|local| local.cast_to(&Type::Timestamp { precision })))
    }

    fn is_certain(&self, data_type: &Type) -> bool {
        SessionZone::of(self.session).zones_of(data_type) == Zones::ONE
    }
}

/// Whether a cast from one zoned type to another one rounds no moment: a rounded one may be on the other side of a change of
/// the clock.
fn keeps_moments(cast: &Expr, input: &Expr) -> bool {
    match (precision_of(&input.data_type), precision_of(&cast.data_type)) {
        (Some(from), Some(to)) => from <= to,
        _ => false,
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
                ExprKind::Call { function, args } => {
                    known_operand(*function, args).map(|value| (value, function.is_of_date()))
                }
                ExprKind::Cast { input, is_try: _ } if is_local(&part.data_type) => {
                    Some((&**input, part.data_type == Type::Date))
                }
                _ => None,
            };
            asked.extend(operand.and_then(|(operand, is_of_date)| column_of(operand, session, is_of_date)));
        });
    }
    asked
}

/// Types without a zone, to which a cast of a zoned value takes its local time.
const fn is_local(data_type: &Type) -> bool {
    matches!(data_type, Type::Date | Type::Time { .. } | Type::Timestamp { .. })
}

/// The column of several zones that is an operand, or whose date one truncates where only the date is used.
fn column_of(operand: &Expr, session: SessionZone<'_>, is_of_date: bool) -> Option<ColumnId> {
    match &operand.kind {
        ExprKind::Column(id)
            if precision_of(&operand.data_type).is_some()
                && session.zones_of(&operand.data_type) != Zones::ONE =>
        {
            Some(*id)
        }
        ExprKind::Call { function: ScalarFunction::DateTrunc, args } if is_of_date => match args.as_slice() {
            [unit, value] if is_unit_of_dates(unit) => column_of(value, session, is_of_date),
            _ => None,
        },
        ExprKind::Cast { input, is_try: _ } if keeps_moments(operand, input) => {
            column_of(input, session, is_of_date)
        }
        _ => None,
    }
}

/// The operand of which a part uses the local time, and whether only its date.
/// The argument of which a function needs the local time, and not that of its rounded moment.
fn known_operand(function: ScalarFunction, args: &[Expr]) -> Option<&Expr> {
    local_operand(function, args).map(|(value, _)| value).filter(|value| !is_printed_rounded(function, value))
}

fn operand_mut(part: &mut Expr) -> Option<(&mut Expr, bool)> {
    match &mut part.kind {
        ExprKind::Call { function, args } => {
            known_operand(*function, args)?;
            let is_of_date = function.is_of_date();
            args.first_mut().map(|operand| (operand, is_of_date))
        }
        ExprKind::Cast { input, is_try: _ } if is_local(&part.data_type) => {
            Some((&mut **input, part.data_type == Type::Date))
        }
        _ => None,
    }
}

/// Replaces the column that [`column_of`] finds by the one with its local time; returns whether there is one.
fn localize(operand: &mut Expr, locals: &HashMap<ColumnId, Field>, is_of_date: bool) -> bool {
    let place = operand.location;
    let keeps_moments =
        matches!(&operand.kind, ExprKind::Cast { input, .. } if keeps_moments(operand, input));
    match &mut operand.kind {
        ExprKind::Column(id) => {
            let Some(local) = locals.get(id) else { return false };
            *operand = Expr::column(local.id, local.data_type.clone()).at(place);
            true
        }
        ExprKind::Call { function: ScalarFunction::DateTrunc, args } if is_of_date => {
            match args.as_mut_slice() {
                [unit, value] if is_unit_of_dates(unit) => {
                    let is_local = localize(value, locals, is_of_date);
                    if is_local {
                        operand.data_type = value.data_type.clone();
                    }
                    is_local
                }
                _ => false,
            }
        }
        ExprKind::Cast { input, is_try: _ } if keeps_moments => {
            let is_local = localize(input, locals, is_of_date);
            if let Some(precision) = precision_of(&operand.data_type).filter(|_| is_local) {
                operand.data_type = Type::Timestamp { precision };
            }
            is_local
        }
        _ => false,
    }
}
