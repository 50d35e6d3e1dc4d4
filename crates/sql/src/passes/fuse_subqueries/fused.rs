//! Fuses plans of the same shape into one plan. Its rows include those of all members; each member selects its rows by
//! a filter.

use std::collections::HashMap;

use super::Renamed;
use crate::expr::Expr;
use crate::passes::cardinality::Estimate;
use crate::passes::infallible::cannot_fail;
use crate::plan::{ColumnId, Field, Join, JoinKey, JoinKind, Plan, Scan};

/// Several plans fused into one.
pub(super) struct Fused {
    pub(super) plan: Plan,
    /// The members, in the order of the plans.
    pub(super) members: Vec<Member>,
}

/// A member's columns and rows in terms of the fused plan.
#[derive(Default)]
pub(super) struct Member {
    columns: Renamed,
    /// The conjuncts that select the member's rows.
    pub(super) filter: Vec<Expr>,
}

impl Member {
    /// Rewrites an expression of the member to the columns of the fused plan.
    pub(super) fn own(&self, expr: &Expr) -> Expr {
        expr.clone().substituted(&self.columns)
    }
}

/// The shape that plans must have in common to be fused: tables, projections and inner joins; `None` for other plans.
pub(super) fn shape(plan: &Plan) -> Option<String> {
    let mut text = String::new();
    add_shape(plan, &mut text)?;
    Some(text)
}

fn add_shape(plan: &Plan, text: &mut String) -> Option<()> {
    match plan {
        Plan::Filter { input, .. } => add_shape(input, text)?,
        Plan::Project { input, .. } => {
            text.push_str("project ");
            add_shape(input, text)?;
        }
        Plan::Scan(scan) => text.push_str(&format!("table {}", scan.table)),
        Plan::Shared { id, .. } => text.push_str(&format!("shared {}", id.0)),
        Plan::Join(Join { kind: JoinKind::Inner, left, right, keys, .. }) => {
            text.push_str(&format!("join {} (", keys.len()));
            add_shape(left, text)?;
            text.push_str(") (");
            add_shape(right, text)?;
            text.push(')');
        }
        _ => return None,
    }
    Some(())
}

/// Fuses plans of one shape.
pub(super) fn fused(plans: Vec<Plan>) -> Option<Fused> {
    let (mut inputs, mut predicates) = (Vec::with_capacity(plans.len()), Vec::with_capacity(plans.len()));
    for mut plan in plans {
        let mut own = Vec::new();
        while let Plan::Filter { input, predicate } = plan {
            // Those of a lower filter come first: they may exclude values for which the upper ones fail.
            own.splice(0..0, predicate.into_conjuncts());
            plan = *input;
        }
        inputs.push(plan);
        predicates.push(own);
    }
    let Fused { plan, mut members } = unfiltered(inputs)?;
    for (own, member) in predicates.iter_mut().zip(&members) {
        own.iter_mut().for_each(|predicate| *predicate = member.own(predicate));
    }
    let first = predicates.first()?.clone();
    let are_same = predicates.iter().all(|own| *own == first);
    // Conditions are also evaluated for rows of other members, where preceding conditions do not prevent errors, and
    // where random conditions would select other rows. Below a join with differently filtered inputs, rows of one
    // member are even paired with rows of another.
    let applies_to_own_rows = are_same && members.iter().all(|member| member.filter.is_empty());
    let is_safe = |part: &Expr| !part.is_random() && (applies_to_own_rows || is_safe_anywhere(part));
    if !predicates.iter().flatten().all(is_safe) {
        return None;
    }
    // Conjuncts that all members have in common are evaluated once, below.
    let (mut common, _): (Vec<Expr>, Vec<Expr>) =
        first.into_iter().partition(|part| predicates.iter().all(|own| own.contains(part)));
    let mut branches: Vec<Expr> = Vec::new();
    let mut is_whole = false;
    let relations = Relations::of(&plan);
    for (mut own, member) in predicates.into_iter().zip(&mut members) {
        own.retain(|part| !common.contains(part));
        if !own.iter().all(|part| relations.has_one(&part.columns())) {
            // A join condition of only one member would make the others' join a cross product.
            return None;
        }
        is_whole |= own.is_empty();
        let branch = Expr::and(own.clone());
        if !branches.contains(&branch) {
            branches.push(branch);
        }
        member.filter.extend(own);
    }
    if !is_whole {
        common.push(Expr::or(branches));
    }
    Some(Fused { plan: plan.filtered(common), members })
}

/// Whether an expression cannot fail for any row, whatever the columns' ranges.
fn is_safe_anywhere(expr: &Expr) -> bool {
    !expr.is_random() && cannot_fail(expr, &Estimate::default())
}

/// The joined relations from which a plan's columns come; computed once for all checks.
#[derive(Default)]
struct Relations {
    of_columns: HashMap<ColumnId, Origin>,
    count: usize,
}

/// The relations of one or several columns.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// Constants belong to no relation.
    None,
    One(usize),
    Several,
}

impl Origin {
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::None, origin) | (origin, Self::None) => origin,
            (one, other) if one == other => one,
            _ => Self::Several,
        }
    }
}

impl Relations {
    fn of(plan: &Plan) -> Self {
        let mut relations = Self::default();
        relations.add(plan);
        relations
    }

    fn add(&mut self, plan: &Plan) {
        match plan {
            Plan::Join(join) => {
                self.add(&join.left);
                self.add(&join.right);
            }
            Plan::Filter { input, .. } => self.add(input),
            Plan::Project { input, columns } => {
                self.add(input);
                let made: Vec<(ColumnId, Origin)> =
                    columns.iter().map(|(field, value)| (field.id, self.origin(&value.columns()))).collect();
                self.of_columns.extend(made);
            }
            relation => {
                let own = Origin::One(self.count);
                self.count += 1;
                self.of_columns.extend(relation.column_ids().into_iter().map(|id| (id, own)));
            }
        }
    }

    /// The relations of columns; an unknown column may belong to any.
    fn origin(&self, columns: &[ColumnId]) -> Origin {
        let origins = columns.iter().map(|id| self.of_columns.get(id).copied().unwrap_or(Origin::Several));
        origins.fold(Origin::None, Origin::and)
    }

    /// Whether all columns belong to one relation.
    fn has_one(&self, columns: &[ColumnId]) -> bool {
        self.count == 1 || self.origin(columns) != Origin::Several
    }
}

fn unfiltered(plans: Vec<Plan>) -> Option<Fused> {
    match plans.first()? {
        Plan::Scan(_) => {
            let scans =
                plans.into_iter().map(|plan| if let Plan::Scan(scan) = plan { Some(scan) } else { None });
            scans_as_one(scans.collect::<Option<Vec<Scan>>>()?)
        }
        Plan::Shared { .. } => shared_as_one(plans),
        Plan::Project { .. } => projections_as_one(plans),
        Plan::Join(_) => {
            let joins =
                plans.into_iter().map(|plan| if let Plan::Join(join) = plan { Some(join) } else { None });
            joins_as_one(joins.collect::<Option<Vec<Join>>>()?)
        }
        _ => None,
    }
}

/// Deduplicates columns by their source.
fn columns_as_one<S: PartialEq>(parts: Vec<Vec<(Field, S)>>) -> (Vec<(Field, S)>, Vec<Member>) {
    let mut columns: Vec<(Field, S)> = Vec::new();
    let mut members = Vec::with_capacity(parts.len());
    for part in parts {
        let mut renamed = Renamed::new();
        for (field, source) in part {
            let known =
                columns.iter().find(|(known, of)| *of == source && known.data_type == field.data_type);
            let own = known.map_or(field.id, |(known, _)| known.id);
            let is_new = known.is_none();
            renamed.insert(field.id, Expr::column(own, field.data_type.clone()));
            if is_new {
                columns.push((field, source));
            }
        }
        members.push(Member { columns: renamed, filter: Vec::new() });
    }
    (columns, members)
}

fn scans_as_one(scans: Vec<Scan>) -> Option<Fused> {
    let (table, row_count) = scans.first().map(|scan| (scan.table, scan.row_count))?;
    if scans.iter().any(|scan| scan.table != table) {
        return None;
    }
    let (columns, members) = columns_as_one(scans.into_iter().map(|scan| scan.columns).collect());
    Some(Fused { plan: Plan::Scan(Scan { table, columns, row_count }), members })
}

fn shared_as_one(plans: Vec<Plan>) -> Option<Fused> {
    let mut parts = Vec::with_capacity(plans.len());
    let mut of = None;
    for plan in plans {
        let Plan::Shared { id, columns, row_estimate } = plan else { return None };
        if of.is_some_and(|(known, _)| known != id) {
            return None;
        }
        of = Some((id, row_estimate));
        parts.push(columns);
    }
    let (id, row_estimate) = of?;
    let (columns, members) = columns_as_one(parts);
    Some(Fused { plan: Plan::Shared { id, columns, row_estimate }, members })
}

fn projections_as_one(plans: Vec<Plan>) -> Option<Fused> {
    let (mut inputs, mut parts) = (Vec::with_capacity(plans.len()), Vec::with_capacity(plans.len()));
    for plan in plans {
        let Plan::Project { input, columns } = plan else { return None };
        inputs.push(*input);
        parts.push(columns);
    }
    let Fused { plan, members: below } = fused(inputs)?;
    for (part, member) in parts.iter_mut().zip(&below) {
        part.iter_mut().for_each(|(_, expr)| *expr = member.own(expr));
    }
    // The expressions are also computed for rows of other members.
    if !parts.iter().flatten().all(|(_, expr)| is_safe_anywhere(expr)) {
        return None;
    }
    let (mut columns, mut members) = columns_as_one(parts);
    // The columns of the members' filters must be passed on.
    let fields = plan.fields();
    for (member, below) in members.iter_mut().zip(below) {
        for id in below.filter.iter().flat_map(Expr::columns) {
            let is_there = columns.iter().any(|(field, _)| field.id == id);
            if !is_there {
                let field = fields.iter().find(|field| field.id == id)?.clone();
                let column = Expr::column(id, field.data_type.clone());
                columns.push((field, column));
            }
        }
        member.filter = below.filter;
    }
    Some(Fused { plan: Plan::Project { input: Box::new(plan), columns }, members })
}

fn joins_as_one(joins: Vec<Join>) -> Option<Fused> {
    let (mut lefts, mut rights, mut conditions) = (Vec::new(), Vec::new(), Vec::new());
    for Join { kind, left, right, keys, residual } in joins {
        if kind != JoinKind::Inner {
            return None;
        }
        lefts.push(*left);
        rights.push(*right);
        conditions.push((keys, residual));
    }
    let (left, right) = (fused(lefts)?, fused(rights)?);
    let members: Vec<Member> = left
        .members
        .into_iter()
        .zip(right.members)
        .map(|(mut member, other)| {
            member.columns.extend(other.columns);
            member.filter.extend(other.filter);
            member
        })
        .collect();
    let mut same: Option<(Vec<JoinKey>, Option<Expr>)> = None;
    for ((keys, residual), member) in conditions.into_iter().zip(&members) {
        let keys = keys.into_iter().map(|JoinKey { left, right, null_equals_null }| JoinKey {
            left: member.own(&left),
            right: member.own(&right),
            null_equals_null,
        });
        let own = (keys.collect(), residual.map(|residual| member.own(&residual)));
        if same.as_ref().is_some_and(|known| *known != own) {
            return None;
        }
        same = Some(own);
    }
    let (keys, residual) = same?;
    // The conditions are also evaluated for pairs of rows of different members.
    let exprs = keys.iter().flat_map(|key| [&key.left, &key.right]).chain(&residual);
    if !exprs.into_iter().all(is_safe_anywhere) {
        return None;
    }
    Some(Fused { plan: Plan::join(JoinKind::Inner, left.plan, right.plan, keys, residual), members })
}
