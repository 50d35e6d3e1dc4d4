//! What is evaluated over the groups of an aggregation: expressions and subqueries, which may name keys only.

use std::collections::{HashMap, HashSet};

use rowhouse_model::{ErrorCode, ErrorLocation};

use super::context::{Analyzer, Pending, PendingKind, Relation, user_error};
use super::same_subqueries::remove_same;
use super::scope::Scope;
use crate::error::Result;
use crate::expr::{Expr, ExprKind};
use crate::plan::{ColumnId, Field, Plan};

/// What is evaluated over the groups.
pub(super) struct OverGroups<'e> {
    pub(super) exprs: Vec<&'e mut Expr>,
    pub(super) subqueries: &'e mut Vec<Pending>,
}

/// The keys of an aggregation for what is evaluated above it.
pub(super) struct Keys<'k> {
    pub(super) keys: &'k [Expr],
    /// The column of each key in the groups.
    pub(super) fields: &'k [Field],
    /// Outputs of subqueries above the aggregation that are the same as those of a key's subquery.
    pub(super) same: HashMap<ColumnId, ColumnId>,
    /// The columns of the groups.
    pub(super) allowed: HashSet<ColumnId>,
}

impl Keys<'_> {
    /// Replaces every subexpression that is a key with the key's column.
    fn replace_in(&self, expr: &mut Expr) {
        if self.same.is_empty() {
            return self.replace(expr, None);
        }
        let mut with_same = expr.clone();
        with_same.rename(&self.same);
        self.replace(expr, Some(&with_same));
    }

    /// `with_same` is the expression with the outputs of the keys' subqueries.
    fn replace(&self, expr: &mut Expr, with_same: Option<&Expr>) {
        let sought = with_same.unwrap_or(expr);
        if let Some(index) = self.keys.iter().position(|key| key == sought) {
            let (place, field) = (expr.location, &self.fields[index]);
            *expr = Expr::column(field.id, field.data_type.clone()).at(place);
            return;
        }
        let mut sought = with_same.map(Expr::children).unwrap_or_default().into_iter();
        for child in expr.children_mut() {
            self.replace(child, sought.next());
        }
    }
}

impl Analyzer<'_> {
    /// Replaces keys with the columns of the groups, and checks that nothing but these is named.
    pub(super) fn rewrite_over_groups(
        &mut self,
        over_groups: OverGroups<'_>,
        keys: &Keys<'_>,
        scope: &Scope<'_>,
    ) -> Result<()> {
        let OverGroups { mut exprs, subqueries } = over_groups;
        let sought = subqueries.iter_mut().filter_map(|pending| match &mut pending.kind {
            PendingKind::In { key, .. } => Some(&mut key.left),
            PendingKind::Scalar(_) | PendingKind::Exists(_) => None,
        });
        for expr in exprs.iter_mut().map(|expr| &mut **expr).chain(sought) {
            self.spend(expr.node_count().saturating_mul(1 + keys.keys.len()), expr.location)?;
            keys.replace_in(expr);
        }
        remove_same(subqueries, &keys.same, exprs.iter().flat_map(|expr| expr.columns()));
        for expr in &exprs {
            check_grouped(expr, &keys.allowed, scope)?;
        }
        for pending in subqueries.iter() {
            if let PendingKind::In { key, .. } = &pending.kind {
                check_grouped(&key.left, &keys.allowed, scope)?;
            }
        }
        let columns = keys.keys.iter().zip(keys.fields);
        let columns = columns.filter_map(|(key, field)| Some((key.as_column()?, field.id))).collect();
        self.above_groups(subqueries, &columns, scope)
    }

    /// Prepares the subqueries above an aggregation: outer columns that are keys become those of the groups, `keys`.
    fn above_groups(
        &mut self,
        pending: &mut [Pending],
        keys: &HashMap<ColumnId, ColumnId>,
        scope: &Scope<'_>,
    ) -> Result<()> {
        for Pending { relation: Relation { plan, .. }, place, .. } in pending {
            self.spend_on_plan(plan, *place)?;
            let free = plan.free_columns();
            let is_ungrouped = |id: &ColumnId| free.contains(id) && !keys.contains_key(id);
            if let Some(used) = scope.fields.iter().find(|known| is_ungrouped(&known.field.id)) {
                let name = &used.field.name;
                let message = format!("Subquery uses '{name}' which must appear in GROUP BY clause");
                let place = place_of_column(plan, used.field.id).or(*place);
                return Err(user_error(ErrorCode::ExpressionNotAggregate, place, message));
            }
            plan.rename(keys);
        }
        Ok(())
    }
}

/// Refuses columns of the source that are neither keys nor inside an aggregate.
fn check_grouped(expr: &Expr, allowed: &HashSet<ColumnId>, scope: &Scope<'_>) -> Result<()> {
    if let ExprKind::Column(id) = expr.kind
        && !allowed.contains(&id)
        && let Some(field) = scope.fields.iter().find(|known| known.field.id == id)
    {
        let message =
            format!("'{}' must be an aggregate expression or appear in GROUP BY clause", field.field.name);
        return Err(user_error(ErrorCode::ExpressionNotAggregate, expr.location, message));
    }
    expr.children().into_iter().try_for_each(|child| check_grouped(child, allowed, scope))
}

/// The first place where a plan names a column.
fn place_of_column(plan: &Plan, column: ColumnId) -> Option<ErrorLocation> {
    let mut places = Vec::new();
    plan.visit(&mut |node| {
        for expr in node.expressions() {
            expr.visit(&mut |part| {
                if part.as_column() == Some(column) {
                    places.extend(part.location);
                }
            });
        }
    });
    places.into_iter().min_by_key(|place| (place.line_number, place.column_number))
}
