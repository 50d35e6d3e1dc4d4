//! Correlated subqueries as joins. What a subquery says of its enclosing query's columns is pulled up out of it
//! and becomes the join's condition; an aggregation on the way groups by the correlation, a LIMIT counts within
//! it. Where that would change the meaning the subquery is refused.

use std::collections::{HashMap, HashSet};

use rowhouse_model::ErrorLocation;

use super::Analyzer;
use super::joining::{as_key, split_condition};
use super::query::Relation;
use super::relation::join_plan;
use super::subquery::{Pending, PendingKind};
use crate::sql::error::{Result, not_supported};
use crate::sql::expr::{ComparisonOperator, Expr, ExprKind, Value};
use crate::sql::functions::{AggregateFunction, RankingFunction, ScalarFunction, WindowFunction};
use crate::sql::plan::{
    Aggregate, AggregateCall, ColumnId, Field, Frame, FrameBound, FrameUnit, Join, JoinKind, MarkJoin, Plan,
    WindowCall,
};
use crate::sql::types::Type;

/// A subquery without its correlation.
struct Pulled {
    plan: Plan,
    /// Over the plan's columns and those of the enclosing query.
    conditions: Vec<Expr>,
}

type Free = HashSet<ColumnId>;

impl Analyzer<'_> {
    pub(super) fn attach_correlated(&mut self, plan: Plan, pending: Pending, free: &Free) -> Result<Plan> {
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

    /// The values of a correlated subquery's one row, beside each row of the plan.
    fn attach_scalar(
        &mut self,
        plan: Plan,
        right: Plan,
        fields: &[Field],
        outputs: Vec<Field>,
        free: &Free,
        place: Option<ErrorLocation>,
    ) -> Result<Plan> {
        // What stands above the part that is joined is computed after the join.
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
                    values = values.into_iter().map(|value| value.substituted(&definitions)).collect();
                    is_valid = is_valid.into_iter().map(|test| test.substituted(&definitions)).collect();
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
        let mut columns: Vec<(Field, Expr)> = joined
            .fields()
            .into_iter()
            .map(|field| {
                let expr = Expr::column(field.id, field.data_type.clone());
                (field, expr)
            })
            .collect();
        for (output, value) in outputs.into_iter().zip(values) {
            let value = only_if(is_valid.clone(), value);
            columns.push((output, value));
        }
        Ok(Plan::Project { input: Box::new(joined), columns })
    }

    /// An aggregation without GROUP BY: it has a row also where nothing matches.
    fn join_one_group(
        &mut self,
        plan: Plan,
        aggregate: Aggregate,
        values: Vec<Expr>,
        is_valid: &mut [Expr],
        free: &Free,
        place: Option<ErrorLocation>,
    ) -> Result<(Plan, Vec<Expr>)> {
        let Aggregate { input, keys: _, aggregates } = aggregate;
        check_free_of(&aggregates, free, place)?;
        let Pulled { plan: input, conditions } = self.pull(*input, free, place)?;
        let (keys, residual) = split_condition(Expr::and(conditions), &plan, &input);
        if residual.is_none() && keys.iter().all(|key| !key.null_equals_null) {
            // Group by the correlation, join, and give counts their 0 where there is no group.
            let mut columns = passing(&input);
            let mut group_keys = Vec::with_capacity(keys.len());
            let mut join_keys = Vec::with_capacity(keys.len());
            for key in keys {
                let field = self.new_field("", key.right.data_type.clone());
                columns.push((field.clone(), key.right.clone()));
                group_keys.push(field.id);
                let right = Expr::column(field.id, field.data_type);
                join_keys.push(crate::sql::plan::JoinKey { right, ..key });
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
            let joined = join_plan(JoinKind::Left, plan, grouped, join_keys, None);
            for test in is_valid.iter_mut() {
                *test = test.clone().substituted(&zeros);
            }
            return Ok((joined, values.into_iter().map(|value| value.substituted(&zeros)).collect()));
        }
        // Number the rows, join them with all that match, and aggregate by the number.
        let number = self.new_field("", Type::BigInt);
        let present = self.new_field("", Type::Boolean);
        let left_keys: Vec<ColumnId> =
            plan.column_ids().into_iter().chain(std::iter::once(number.id)).collect();
        let numbered = numbered(plan, number);
        let mut columns = passing(&input);
        columns.push((present.clone(), Expr::boolean(true)));
        let marked = Plan::Project { input: Box::new(input), columns };
        let joined = join_plan(JoinKind::Left, numbered, marked, keys, residual);
        let is_present = Expr::column(present.id, Type::Boolean);
        let aggregates = aggregates
            .into_iter()
            .map(|call| {
                let filter = Some(Expr::and(std::iter::once(is_present.clone()).chain(call.filter)));
                AggregateCall { filter, ..call }
            })
            .collect();
        let grouped = Plan::Aggregate(Aggregate { input: Box::new(joined), keys: left_keys, aggregates });
        Ok((grouped, values))
    }

    /// Rows that are not aggregated: more than one match is an error when it runs.
    fn join_rows(
        &mut self,
        plan: Plan,
        base: Plan,
        values: Vec<Expr>,
        free: &Free,
        place: Option<ErrorLocation>,
    ) -> Result<(Plan, Vec<Expr>)> {
        let Pulled { plan: right, conditions } = self.pull(base, free, place)?;
        let is_one_empty_row =
            matches!(&right, Plan::Values { fields, rows } if fields.is_empty() && rows.len() == 1);
        if is_one_empty_row && conditions.is_empty() {
            return Ok((plan, values));
        }
        let (keys, residual) = split_condition(Expr::and(conditions), &plan, &right);
        // Only the columns of a row that is there may be computed with.
        let present = self.new_field("", Type::Boolean);
        let mut columns = passing(&right);
        columns.push((present.clone(), Expr::boolean(true)));
        let right = Plan::Project { input: Box::new(right), columns };
        let joined = join_plan(JoinKind::Single, plan, right, keys, residual);
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

    /// Takes the conditions on the enclosing query's columns out of a plan. The plan then also gives the columns
    /// that they name.
    fn pull(&mut self, plan: Plan, free: &Free, place: Option<ErrorLocation>) -> Result<Pulled> {
        if plan.free_columns().is_disjoint(free) {
            return Ok(Pulled { plan, conditions: Vec::new() });
        }
        self.nested(place, |analyzer| analyzer.pull_here(plan, free, place))
    }

    fn pull_here(&mut self, plan: Plan, free: &Free, place: Option<ErrorLocation>) -> Result<Pulled> {
        match plan {
            Plan::Filter { input, predicate } => {
                let Pulled { plan, mut conditions } = self.pull(*input, free, place)?;
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
            Plan::Project { input, mut columns } => {
                let Pulled { plan, conditions } = self.pull(*input, free, place)?;
                if columns.iter().any(|(_, expr)| names_any(expr, free)) {
                    return Err(refused(place, "a select list that names columns of the enclosing query"));
                }
                // The conditions are above the projection now: what they name must pass it.
                let given: HashSet<ColumnId> = columns.iter().map(|(field, _)| field.id).collect();
                let wanted: HashSet<ColumnId> = conditions.iter().flat_map(Expr::columns).collect();
                for field in plan.fields() {
                    if wanted.contains(&field.id) && !given.contains(&field.id) {
                        let expr = Expr::column(field.id, field.data_type.clone());
                        columns.push((field, expr));
                    }
                }
                Ok(Pulled { plan: Plan::Project { input: Box::new(plan), columns }, conditions })
            }
            Plan::Join(Join { kind: JoinKind::Inner, left, right, keys, residual }) => {
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
                let plan = join_plan(JoinKind::Inner, left.plan, right.plan, own_keys, residual);
                Ok(Pulled { plan, conditions })
            }
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
                    return Err(refused(
                        place,
                        "a join whose other side names columns of the enclosing query",
                    ));
                }
                let Pulled { plan, conditions } = self.pull(*left, free, place)?;
                Ok(Pulled { plan: join_plan(kind, plan, *right, keys, residual), conditions })
            }
            Plan::MarkJoin(join) => {
                let MarkJoin { left, right, keys, residual, in_key, mark } = join;
                let condition_is_own = keys
                    .iter()
                    .chain(&in_key)
                    .all(|key| !names_any(&key.left, free) && !names_any(&key.right, free))
                    && residual.as_ref().is_none_or(|residual| !names_any(residual, free));
                if !condition_is_own || !right.free_columns().is_disjoint(free) {
                    return Err(refused(place, "a subquery that names columns of two queries around it"));
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
                    return Err(refused(place, "an aggregation without GROUP BY in it"));
                }
                check_free_of(&aggregates, free, place)?;
                let pulled = self.pull(*input, free, place)?;
                let (input, correlation, conditions) = self.correlation_columns(pulled, free, place)?;
                keys.extend(correlation.into_iter().filter(|id| !keys.contains(id)).collect::<Vec<_>>());
                Ok(Pulled {
                    plan: Plan::Aggregate(Aggregate { input: Box::new(input), keys, aggregates }),
                    conditions,
                })
            }
            Plan::Distinct { input, on: None } => {
                let pulled = self.pull(*input, free, place)?;
                let (input, _, conditions) = self.correlation_columns(pulled, free, place)?;
                Ok(Pulled { plan: Plan::Distinct { input: Box::new(input), on: None }, conditions })
            }
            Plan::Sort { input, keys: _ } => self.pull(*input, free, place),
            Plan::Window { input, mut functions } => {
                let pulled = self.pull(*input, free, place)?;
                let (input, correlation, conditions) = self.correlation_columns(pulled, free, place)?;
                let types: HashMap<ColumnId, Type> =
                    input.fields().into_iter().map(|field| (field.id, field.data_type)).collect();
                for call in &mut functions {
                    call.partition_by.extend(
                        correlation.iter().filter_map(|id| Some(Expr::column(*id, types.get(id)?.clone()))),
                    );
                }
                Ok(Pulled { plan: Plan::Window { input: Box::new(input), functions }, conditions })
            }
            Plan::Limit { input, offset, limit } => {
                let (input, order_by) = match *input {
                    Plan::Sort { input, keys } => (*input, keys),
                    other => (other, Vec::new()),
                };
                if order_by.iter().any(|key| names_any(&key.expr, free)) {
                    return Err(refused(place, "ORDER BY that names columns of the enclosing query"));
                }
                let pulled = self.pull(input, free, place)?;
                let (input, correlation, conditions) = self.correlation_columns(pulled, free, place)?;
                let types: HashMap<ColumnId, Type> =
                    input.fields().into_iter().map(|field| (field.id, field.data_type)).collect();
                let number = self.new_field("", Type::BigInt);
                let position = Expr::column(number.id, Type::BigInt);
                let partition_by = correlation
                    .iter()
                    .filter_map(|id| Some(Expr::column(*id, types.get(id)?.clone())))
                    .collect();
                let call = WindowCall {
                    output: number,
                    function: WindowFunction::Ranking(RankingFunction::RowNumber),
                    args: Vec::new(),
                    ignore_nulls: false,
                    filter: None,
                    partition_by,
                    order_by,
                    frame: whole_partition(),
                };
                let bigint = |value: u64| {
                    Expr::literal(Value::Integer(i64::try_from(value).unwrap_or(i64::MAX)), Type::BigInt)
                };
                let mut tests =
                    vec![Expr::comparison(ComparisonOperator::GreaterThan, position.clone(), bigint(offset))];
                if let Some(limit) = limit {
                    let last = bigint(offset.saturating_add(limit));
                    tests.push(Expr::comparison(ComparisonOperator::LessThanOrEqual, position, last));
                }
                let windowed = Plan::Window { input: Box::new(input), functions: vec![call] };
                let plan = Plan::Filter { input: Box::new(windowed), predicate: Expr::and(tests) };
                Ok(Pulled { plan, conditions })
            }
            Plan::SetOperation { .. } => Err(refused(place, "a set operation in it")),
            Plan::Unnest { .. } => Err(refused(place, "UNNEST in it")),
            _ => Err(refused(place, "this in it")),
        }
    }

    /// The correlation's own side as columns of the plan; only equalities have one value per group.
    fn correlation_columns(
        &mut self,
        pulled: Pulled,
        free: &Free,
        place: Option<ErrorLocation>,
    ) -> Result<(Plan, Vec<ColumnId>, Vec<Expr>)> {
        let Pulled { plan, conditions } = pulled;
        let own: HashSet<ColumnId> = plan.column_ids().into_iter().collect();
        let mut columns = passing(&plan);
        let mut ids = Vec::with_capacity(conditions.len());
        let mut rewritten = Vec::with_capacity(conditions.len());
        let mut needs_project = false;
        for condition in conditions {
            let Some(key) = as_key(&condition, free, &own) else {
                return Err(refused(
                    place,
                    "grouping, DISTINCT or LIMIT with a condition that is no equality",
                ));
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

fn refused(place: Option<ErrorLocation>, what: &str) -> rowhouse_model::QueryError {
    not_supported(place, format!("a correlated subquery with {what}"))
}

fn names_any(expr: &Expr, free: &Free) -> bool {
    expr.any(&|part| part.as_column().is_some_and(|id| free.contains(&id)))
}

fn check_free_of(aggregates: &[AggregateCall], free: &Free, place: Option<ErrorLocation>) -> Result<()> {
    let names_free = aggregates.iter().any(|call| {
        let parts = call.args.iter().chain(&call.filter).chain(call.order_by.iter().map(|key| &key.expr));
        parts.into_iter().any(|part| names_any(part, free))
    });
    if names_free {
        return Err(refused(place, "an aggregate of columns of the enclosing query"));
    }
    Ok(())
}

/// All columns of a plan, passed on.
fn passing(plan: &Plan) -> Vec<(Field, Expr)> {
    plan.fields()
        .into_iter()
        .map(|field| {
            let expr = Expr::column(field.id, field.data_type.clone());
            (field, expr)
        })
        .collect()
}

/// `value` where all tests are TRUE, else NULL.
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

/// Whether the plan is an aggregation to one row under projections, filters and the like.
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

/// For EXISTS the number of rows beyond the first does not matter.
fn without_limit(plan: Plan) -> Plan {
    match plan {
        Plan::Limit { input, offset: 0, limit } if limit != Some(0) => without_limit(*input),
        Plan::Sort { input, .. } => without_limit(*input),
        Plan::Distinct { input, on: None } => without_limit(*input),
        // The select list is not looked at, so it may name anything.
        Plan::Project { input, .. } => without_limit(*input),
        other => other,
    }
}

fn whole_partition() -> Frame {
    Frame {
        unit: FrameUnit::Rows,
        start: FrameBound::UnboundedPreceding,
        end: FrameBound::UnboundedFollowing,
    }
}

/// The rows with a number each.
fn numbered(plan: Plan, number: Field) -> Plan {
    let call = WindowCall {
        output: number,
        function: WindowFunction::Ranking(RankingFunction::RowNumber),
        args: Vec::new(),
        ignore_nulls: false,
        filter: None,
        partition_by: Vec::new(),
        order_by: Vec::new(),
        frame: whole_partition(),
    };
    Plan::Window { input: Box::new(plan), functions: vec![call] }
}
