//! Removes correlation from a plan, node by node.

use std::collections::{HashMap, HashSet};

use rowhouse_model::ErrorLocation;

use super::{Free, PullError, Pulled, check_free_of, names_any, numbered_within};
use crate::analyze::context::Analyzer;
use crate::error::Result;
use crate::expr::{ComparisonOperator, Expr};
use crate::passes::with_common_conjuncts;
use crate::plan::{Aggregate, ColumnId, Field, Join, JoinKey, JoinKind, MarkJoin, Plan, WindowCall};
use crate::types::Type;

impl Analyzer<'_> {
    /// Removes the conditions on the enclosing query's columns from a plan. The plan then also outputs the columns that
    /// they name.
    pub(super) fn pull(
        &mut self,
        plan: Plan,
        free: &Free,
        place: Option<ErrorLocation>,
    ) -> Result<Pulled, PullError> {
        if plan.free_columns().is_disjoint(free) {
            return Ok(Pulled { plan, conditions: Vec::new() });
        }
        self.nested(place, |analyzer| analyzer.pull_here(plan, free, place))
    }

    fn pull_here(
        &mut self,
        plan: Plan,
        free: &Free,
        place: Option<ErrorLocation>,
    ) -> Result<Pulled, PullError> {
        match plan {
            Plan::Filter { input, predicate } => {
                let Pulled { plan, mut conditions } = self.pull(*input, free, place)?;
                // An equality that all branches of an OR have in common is the correlation; the branches no longer
                // contain it.
                let predicate = with_common_conjuncts(predicate);
                let (correlated, own): (Vec<Expr>, Vec<Expr>) =
                    predicate.into_conjuncts().into_iter().partition(|part| names_any(part, free));
                conditions.extend(correlated);
                let plan = if own.is_empty() {
                    plan
                } else {
                    Plan::Filter { input: Box::new(plan), predicate: Expr::and(own) }
                };
                Ok(Pulled { plan, conditions })
            }
            Plan::Project { input, columns } => self.pull_projection(*input, columns, free, place),
            Plan::Join(join) if join.kind == JoinKind::Inner => self.pull_inner_join(join, free, place),
            Plan::Join(join)
                if matches!(
                    join.kind,
                    JoinKind::Left | JoinKind::Single | JoinKind::Semi | JoinKind::Anti
                ) =>
            {
                let Join { kind, left, right, keys, residual } = join;
                let condition_is_own =
                    keys.iter().all(|key| !names_any(&key.left, free) && !names_any(&key.right, free))
                        && residual.as_ref().is_none_or(|residual| !names_any(residual, free));
                if !condition_is_own || !right.free_columns().is_disjoint(free) {
                    // The right side of the join names columns of the enclosing query.
                    return Err(PullError::Shape);
                }
                let Pulled { plan, conditions } = self.pull(*left, free, place)?;
                Ok(Pulled { plan: Plan::join(kind, plan, *right, keys, residual), conditions })
            }
            Plan::MarkJoin(join) => {
                let MarkJoin { left, right, keys, residual, in_key, mark } = join;
                let condition_is_own = keys
                    .iter()
                    .chain(&in_key)
                    .all(|key| !names_any(&key.left, free) && !names_any(&key.right, free))
                    && residual.as_ref().is_none_or(|residual| !names_any(residual, free));
                if !condition_is_own || !right.free_columns().is_disjoint(free) {
                    // The subquery names columns of two enclosing queries.
                    return Err(PullError::Shape);
                }
                let Pulled { plan, conditions } = self.pull(*left, free, place)?;
                let left = Box::new(plan);
                Ok(Pulled {
                    plan: Plan::MarkJoin(MarkJoin { left, right, keys, residual, in_key, mark }),
                    conditions,
                })
            }
            Plan::Aggregate(Aggregate { input, mut keys, aggregates }) => {
                if keys.is_empty() {
                    // A nested aggregation without GROUP BY.
                    return Err(PullError::Shape);
                }
                check_free_of(&aggregates, free)?;
                let pulled = self.pull(*input, free, place)?;
                let (input, correlation, conditions) = self.correlation_columns(pulled, free)?;
                keys.extend(correlation.into_iter().filter(|id| !keys.contains(id)).collect::<Vec<_>>());
                Ok(Pulled {
                    plan: Plan::Aggregate(Aggregate { input: Box::new(input), keys, aggregates }),
                    conditions,
                })
            }
            Plan::Distinct { input, on: None } => {
                let pulled = self.pull(*input, free, place)?;
                let (input, _, conditions) = self.correlation_columns(pulled, free)?;
                Ok(Pulled { plan: Plan::Distinct { input: Box::new(input), on: None }, conditions })
            }
            Plan::Sort { input, keys: _ } => self.pull(*input, free, place),
            Plan::Window { input, mut functions } => {
                if functions.iter().flat_map(WindowCall::expressions).any(|part| names_any(part, free)) {
                    return Err(PullError::Shape);
                }
                let pulled = self.pull(*input, free, place)?;
                let (input, correlation, conditions) = self.correlation_columns(pulled, free)?;
                let types: HashMap<ColumnId, Type> =
                    input.fields().into_iter().map(|field| (field.id, field.data_type)).collect();
                for call in &mut functions {
                    call.partition_by.extend(
                        correlation.iter().filter_map(|id| Some(Expr::column(*id, types.get(id)?.clone()))),
                    );
                }
                Ok(Pulled { plan: Plan::Window { input: Box::new(input), functions }, conditions })
            }
            Plan::Limit { input, offset, limit } => self.pull_limit(*input, offset, limit, free, place),
            Plan::SetOperation { .. } => Err(PullError::Shape),
            Plan::Unnest { .. } => Err(PullError::Shape),
            _ => Err(PullError::Shape),
        }
    }

    fn pull_projection(
        &mut self,
        input: Plan,
        mut columns: Vec<(Field, Expr)>,
        free: &Free,
        place: Option<ErrorLocation>,
    ) -> Result<Pulled, PullError> {
        let Pulled { plan, conditions } = self.pull(input, free, place)?;
        if columns.iter().any(|(_, expr)| names_any(expr, free)) {
            // The select list names columns of the enclosing query.
            return Err(PullError::Shape);
        }
        // The conditions are now above the projection, so it must pass on the columns that they name.
        let given: HashSet<ColumnId> = columns.iter().map(|(field, _)| field.id).collect();
        let wanted: HashSet<ColumnId> = conditions.iter().flat_map(Expr::columns).collect();
        for field in plan.fields() {
            if wanted.contains(&field.id) && !given.contains(&field.id) {
                columns.push(field.passed_on());
            }
        }
        Ok(Pulled { plan: Plan::Project { input: Box::new(plan), columns }, conditions })
    }

    fn pull_inner_join(
        &mut self,
        join: Join,
        free: &Free,
        place: Option<ErrorLocation>,
    ) -> Result<Pulled, PullError> {
        let Join { kind: _, left, right, keys, residual } = join;
        let left = self.pull(*left, free, place)?;
        let right = self.pull(*right, free, place)?;
        let mut conditions = left.conditions;
        conditions.extend(right.conditions);
        let mut own_keys = Vec::with_capacity(keys.len());
        for key in keys {
            if names_any(&key.left, free) || names_any(&key.right, free) {
                let operator = if key.null_equals_null {
                    ComparisonOperator::IsNotDistinctFrom
                } else {
                    ComparisonOperator::Equal
                };
                conditions.push(Expr::comparison(operator, key.left, key.right));
            } else {
                own_keys.push(key);
            }
        }
        let parts = residual.map(Expr::into_conjuncts).unwrap_or_default();
        let (correlated, own): (Vec<Expr>, Vec<Expr>) =
            parts.into_iter().partition(|part| names_any(part, free));
        conditions.extend(correlated);
        let residual = (!own.is_empty()).then(|| Expr::and(own));
        let plan = Plan::join(JoinKind::Inner, left.plan, right.plan, own_keys, residual);
        Ok(Pulled { plan, conditions })
    }

    /// A LIMIT applies to each value of the correlation columns.
    fn pull_limit(
        &mut self,
        input: Plan,
        offset: u64,
        limit: Option<u64>,
        free: &Free,
        place: Option<ErrorLocation>,
    ) -> Result<Pulled, PullError> {
        let (input, order_by) = match input {
            Plan::Sort { input, keys } => (*input, keys),
            other => (other, Vec::new()),
        };
        if order_by.iter().any(|key| names_any(&key.expr, free)) {
            // ORDER BY names columns of the enclosing query.
            return Err(PullError::Shape);
        }
        let pulled = self.pull(input, free, place)?;
        let (input, correlation, conditions) = self.correlation_columns(pulled, free)?;
        let types: HashMap<ColumnId, Type> =
            input.fields().into_iter().map(|field| (field.id, field.data_type)).collect();
        let number = self.new_field("", Type::BigInt);
        let partition_by =
            correlation.iter().filter_map(|id| Some(Expr::column(*id, types.get(id)?.clone()))).collect();
        let plan = numbered_within(input, number, partition_by, order_by, offset, limit);
        Ok(Pulled { plan, conditions })
    }

    /// The subquery's side of each correlating equality, as a column of the plan. Other conditions are refused, because
    /// only equalities have one value per group.
    fn correlation_columns(
        &mut self,
        pulled: Pulled,
        free: &Free,
    ) -> Result<(Plan, Vec<ColumnId>, Vec<Expr>), PullError> {
        let Pulled { plan, conditions } = pulled;
        let own: HashSet<ColumnId> = plan.column_ids().into_iter().collect();
        let mut columns = plan.passed_on();
        let mut ids = Vec::with_capacity(conditions.len());
        let mut rewritten = Vec::with_capacity(conditions.len());
        let mut needs_project = false;
        for condition in conditions {
            let Some(key) = JoinKey::from_condition(&condition, free, &own) else {
                // Grouping, DISTINCT or LIMIT with a condition that is not an equality.
                return Err(PullError::Shape);
            };
            let operator = if key.null_equals_null {
                ComparisonOperator::IsNotDistinctFrom
            } else {
                ComparisonOperator::Equal
            };
            let right = match key.right.as_column() {
                Some(id) => {
                    ids.push(id);
                    key.right
                }
                None => {
                    let field = self.new_field("", key.right.data_type.clone());
                    columns.push((field.clone(), key.right));
                    ids.push(field.id);
                    needs_project = true;
                    Expr::column(field.id, field.data_type)
                }
            };
            rewritten.push(Expr::comparison(operator, key.left, right));
        }
        ids.sort_unstable();
        ids.dedup();
        let plan = if needs_project { Plan::Project { input: Box::new(plan), columns } } else { plan };
        Ok((plan, ids, rewritten))
    }
}
