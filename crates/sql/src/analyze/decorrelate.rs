//! Decorrelation: correlated subqueries become joins. A subquery's predicates on columns of its enclosing query are
//! pulled up and become the join's condition. An aggregation on the way also groups by the correlation columns, and a
//! LIMIT applies to each of their groups. If that would change the meaning, the subquery is refused.

use std::collections::{HashMap, HashSet};

use rowhouse_model::{ErrorLocation, QueryError};

use super::context::{Analyzer, Pending, PendingKind, Relation};
use super::joining::split_condition;
use super::work::STEPS_OF_COPY;
use crate::error::{Result, not_supported};
use crate::expr::{ComparisonOperator, Expr, ExprKind, SortKey, Value};
use crate::functions::{AggregateFunction, RankingFunction, ScalarFunction};
use crate::plan::{Aggregate, AggregateCall, ColumnId, Field, JoinKind, MarkJoin, Plan, WindowCall};
use crate::types::Type;

/// A subquery after its correlation is removed.
struct Pulled {
    plan: Plan,
    /// Conditions over the plan's columns and those of the enclosing query.
    conditions: Vec<Expr>,
}

type Free = HashSet<ColumnId>;

/// The reason why the correlation of a subquery was not pulled up.
#[derive(Debug)]
pub(super) enum PullError {
    /// Pull-up does not support the plan's shape; a dependent join, over the values of the enclosing query, may.
    Shape,
    /// The statement is wrong or too large, however it is planned.
    Statement(QueryError),
}

impl From<QueryError> for PullError {
    fn from(error: QueryError) -> Self {
        Self::Statement(error)
    }
}

mod dependent;
mod pull;

impl Analyzer<'_> {
    /// Joins a subquery by the conditions that are pulled out of it.
    pub(super) fn attach_correlated(
        &mut self,
        plan: Plan,
        pending: Pending,
        free: &Free,
    ) -> Result<Plan, PullError> {
        let Pending { kind, relation, place } = pending;
        let Relation { plan: right, fields } = relation;
        match kind {
            PendingKind::Exists(mark) => {
                let Pulled { plan: right, conditions } = self.pull(without_limit(right), free, place)?;
                let (keys, residual) = split_condition(Expr::and(conditions), &plan, &right);
                let (left, right) = (Box::new(plan), Box::new(right));
                Ok(Plan::MarkJoin(MarkJoin { left, right, keys, residual, in_key: None, mark }))
            }
            PendingKind::In { mark, key } => {
                let Pulled { plan: right, conditions } = self.pull(right, free, place)?;
                let (keys, residual) = split_condition(Expr::and(conditions), &plan, &right);
                let (left, right) = (Box::new(plan), Box::new(right));
                Ok(Plan::MarkJoin(MarkJoin { left, right, keys, residual, in_key: Some(key), mark }))
            }
            PendingKind::Scalar(outputs) => self.attach_scalar(plan, right, &fields, outputs, free, place),
        }
    }

    /// Adds the values of a correlated subquery's single row to each row of the plan.
    fn attach_scalar(
        &mut self,
        plan: Plan,
        right: Plan,
        fields: &[Field],
        outputs: Vec<Field>,
        free: &Free,
        place: Option<ErrorLocation>,
    ) -> Result<Plan, PullError> {
        // Expressions above the joined part are computed after the join.
        let mut values: Vec<Expr> =
            fields.iter().map(|field| Expr::column(field.id, field.data_type.clone())).collect();
        let mut is_valid: Vec<Expr> = Vec::new();
        let mut base = right;
        let is_aggregated = is_over_one_group(&base);
        loop {
            base = match base {
                Plan::Project { input, columns } => {
                    let definitions: HashMap<ColumnId, Expr> =
                        columns.into_iter().map(|(field, expr)| (field.id, expr)).collect();
                    values = values
                        .into_iter()
                        .map(|value| self.substituted(value, &definitions))
                        .collect::<Result<_>>()?;
                    is_valid = is_valid
                        .into_iter()
                        .map(|test| self.substituted(test, &definitions))
                        .collect::<Result<_>>()?;
                    *input
                }
                Plan::Sort { input, .. } => *input,
                Plan::Limit { input, offset: 0, limit } if is_aggregated && limit != Some(0) => *input,
                Plan::Filter { input, predicate } if is_aggregated => {
                    is_valid.push(predicate);
                    *input
                }
                other => {
                    base = other;
                    break;
                }
            };
        }
        let (joined, values) = match base {
            Plan::Aggregate(aggregate) if aggregate.keys.is_empty() => {
                self.join_one_group(plan, aggregate, values, &mut is_valid, free, place)?
            }
            base => self.join_rows(plan, base, values, free, place)?,
        };
        let mut columns = joined.passed_on();
        for (output, value) in outputs.into_iter().zip(values) {
            for test in &is_valid {
                self.spend(test.node_count().saturating_mul(STEPS_OF_COPY), place)?;
            }
            let value = only_if(is_valid.clone(), value);
            columns.push((output, value));
        }
        Ok(Plan::Project { input: Box::new(joined), columns })
    }

    /// Joins an aggregation without GROUP BY, which has a row even if nothing matches.
    fn join_one_group(
        &mut self,
        plan: Plan,
        aggregate: Aggregate,
        values: Vec<Expr>,
        is_valid: &mut [Expr],
        free: &Free,
        place: Option<ErrorLocation>,
    ) -> Result<(Plan, Vec<Expr>), PullError> {
        let Aggregate { input, keys: _, aggregates } = aggregate;
        check_free_of(&aggregates, free)?;
        let Pulled { plan: input, conditions } = self.pull(*input, free, place)?;
        let (keys, residual) = split_condition(Expr::and(conditions), &plan, &input);
        if residual.is_none() && keys.iter().all(|key| !key.null_equals_null) {
            // Group by the correlation columns, join, and replace the counts of missing groups with 0.
            let mut columns = input.passed_on();
            let mut group_keys = Vec::with_capacity(keys.len());
            let mut join_keys = Vec::with_capacity(keys.len());
            for key in keys {
                let field = self.new_field("", key.right.data_type.clone());
                columns.push((field.clone(), key.right.clone()));
                group_keys.push(field.id);
                let right = Expr::column(field.id, field.data_type);
                join_keys.push(crate::plan::JoinKey { right, ..key });
            }
            let zeros: HashMap<ColumnId, Expr> = aggregates
                .iter()
                .filter(|call| is_count(call.function))
                .map(|call| {
                    let column = Expr::column(call.output.id, Type::BigInt);
                    let zero = Expr::literal(Value::Integer(0), Type::BigInt);
                    let kind =
                        ExprKind::Call { function: ScalarFunction::Coalesce, args: vec![column, zero] };
                    (call.output.id, Expr::new(kind, Type::BigInt))
                })
                .collect();
            let grouped = Plan::Aggregate(Aggregate {
                input: Box::new(Plan::Project { input: Box::new(input), columns }),
                keys: group_keys,
                aggregates,
            });
            let joined = Plan::join(JoinKind::Left, plan, grouped, join_keys, None);
            for test in is_valid.iter_mut() {
                *test = test.clone().substituted(&zeros);
            }
            return Ok((joined, values.into_iter().map(|value| value.substituted(&zeros)).collect()));
        }
        // Number the rows, join them with all matching rows, and aggregate by the number.
        let number = self.new_field("", Type::BigInt);
        let present = self.new_field("", Type::Boolean);
        // The number determines the other columns. Those whose equal values differ, as zeros do, are not keys: groups have
        // one of the forms.
        let (keys_of_rows, others): (Vec<Field>, Vec<Field>) =
            plan.fields().into_iter().partition(|field| field.data_type.has_one_form());
        let left_keys: Vec<ColumnId> =
            keys_of_rows.iter().map(|field| field.id).chain(std::iter::once(number.id)).collect();
        let numbered = numbered(plan, number);
        let mut columns = input.passed_on();
        columns.push((present.clone(), Expr::boolean(true)));
        let marked = Plan::Project { input: Box::new(input), columns };
        let joined = Plan::join(JoinKind::Left, numbered, marked, keys, residual);
        let is_present = Expr::column(present.id, Type::Boolean);
        let aggregates = aggregates
            .into_iter()
            .map(|call| {
                let filter = Some(Expr::and(std::iter::once(is_present.clone()).chain(call.filter)));
                AggregateCall { filter, ..call }
            })
            .chain(others.into_iter().map(any_value))
            .collect();
        let grouped = Plan::Aggregate(Aggregate { input: Box::new(joined), keys: left_keys, aggregates });
        Ok((grouped, values))
    }

    /// Joins rows that are not aggregated; more than one match is an error at run time.
    fn join_rows(
        &mut self,
        plan: Plan,
        base: Plan,
        values: Vec<Expr>,
        free: &Free,
        place: Option<ErrorLocation>,
    ) -> Result<(Plan, Vec<Expr>), PullError> {
        let Pulled { plan: right, conditions } = self.pull(base, free, place)?;
        let is_one_empty_row =
            matches!(&right, Plan::Values { fields, rows } if fields.is_empty() && rows.len() == 1);
        if is_one_empty_row && conditions.is_empty() {
            return Ok((plan, values));
        }
        let (keys, residual) = split_condition(Expr::and(conditions), &plan, &right);
        // Values are computed only for rows that have a match.
        let present = self.new_field("", Type::Boolean);
        let mut columns = right.passed_on();
        columns.push((present.clone(), Expr::boolean(true)));
        let right = Plan::Project { input: Box::new(right), columns };
        let joined = Plan::join(JoinKind::Single, plan, right, keys, residual);
        let is_present = Expr::column(present.id, Type::Boolean);
        let values = values
            .into_iter()
            .map(|value| {
                if value.as_column().is_some_and(|id| !free.contains(&id)) {
                    value
                } else {
                    only_if(vec![is_present.clone()], value)
                }
            })
            .collect();
        Ok((joined, values))
    }
}

fn refused(place: Option<ErrorLocation>, what: &str) -> QueryError {
    not_supported(place, format!("a correlated subquery with {what}"))
}

fn names_any(expr: &Expr, free: &Free) -> bool {
    expr.any(&|part| part.as_column().is_some_and(|id| free.contains(&id)))
}

fn check_free_of(aggregates: &[AggregateCall], free: &Free) -> Result<(), PullError> {
    let names_free = aggregates.iter().any(|call| {
        let parts = call.args.iter().chain(&call.filter).chain(call.order_by.iter().map(|key| &key.expr));
        parts.into_iter().any(|part| names_any(part, free))
    });
    if names_free {
        // An aggregate that names columns of the enclosing query.
        return Err(PullError::Shape);
    }
    Ok(())
}

/// The value of a column that is the same in all rows of a group, under the column's own id.
fn any_value(field: Field) -> AggregateCall {
    AggregateCall {
        function: AggregateFunction::AnyValue,
        args: vec![Expr::column(field.id, field.data_type.clone())],
        output: field,
        is_distinct: false,
        filter: None,
        order_by: Vec::new(),
    }
}

/// `value` if all tests are TRUE, otherwise NULL.
fn only_if(tests: Vec<Expr>, value: Expr) -> Expr {
    if tests.is_empty() {
        return value;
    }
    let data_type = value.data_type.clone();
    Expr::new(ExprKind::Case { branches: vec![(Expr::and(tests), value)], otherwise: None }, data_type)
}

const fn is_count(function: AggregateFunction) -> bool {
    matches!(
        function,
        AggregateFunction::Count | AggregateFunction::CountIf | AggregateFunction::ApproxDistinct
    )
}

/// Whether the plan is an aggregation to one row, below projections, filters and the like.
fn is_over_one_group(plan: &Plan) -> bool {
    match plan {
        Plan::Aggregate(aggregate) => aggregate.keys.is_empty(),
        Plan::Project { input, .. }
        | Plan::Sort { input, .. }
        | Plan::Filter { input, .. }
        | Plan::Limit { input, offset: 0, .. } => is_over_one_group(input),
        _ => false,
    }
}

/// Removes LIMIT and the like: for EXISTS the number of rows beyond the first does not matter.
fn without_limit(plan: Plan) -> Plan {
    match plan {
        Plan::Limit { input, offset: 0, limit } if limit != Some(0) => without_limit(*input),
        Plan::Sort { input, .. } => without_limit(*input),
        Plan::Distinct { input, on: None } => without_limit(*input),
        // EXISTS does not evaluate the select list, so it may name anything.
        Plan::Project { input, .. } => without_limit(*input),
        other => other,
    }
}

/// Applies OFFSET and LIMIT within each group of equal values of `partition_by`: numbers the rows of each group, and
/// filters by the number.
fn numbered_within(
    plan: Plan,
    number: Field,
    partition_by: Vec<Expr>,
    order_by: Vec<SortKey>,
    offset: u64,
    limit: Option<u64>,
) -> Plan {
    let position = Expr::column(number.id, Type::BigInt);
    let call =
        WindowCall { partition_by, order_by, ..WindowCall::ranking(number, RankingFunction::RowNumber) };
    let bigint =
        |value: u64| Expr::literal(Value::Integer(i64::try_from(value).unwrap_or(i64::MAX)), Type::BigInt);
    let mut tests = vec![Expr::comparison(ComparisonOperator::GreaterThan, position.clone(), bigint(offset))];
    if let Some(limit) = limit {
        let last = bigint(offset.saturating_add(limit));
        tests.push(Expr::comparison(ComparisonOperator::LessThanOrEqual, position, last));
    }
    let windowed = Plan::Window { input: Box::new(plan), functions: vec![call] };
    Plan::Filter { input: Box::new(windowed), predicate: Expr::and(tests) }
}

/// Adds a row number to each row.
fn numbered(plan: Plan, number: Field) -> Plan {
    let call = WindowCall::ranking(number, RankingFunction::RowNumber);
    Plan::Window { input: Box::new(plan), functions: vec![call] }
}
