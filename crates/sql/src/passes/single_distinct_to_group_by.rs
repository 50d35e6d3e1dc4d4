//! Before: `Aggregate [k] sum(x), count(DISTINCT y)`: DISTINCT calls of one value beside other aggregates.
//! After: `Aggregate [k] sum(s), count(y)` over `Aggregate [k, y] s=sum(x)` (DataFusion's SingleDistinctToGroupBy,
//! Trino's OptimizeMixedDistinctAggregations).
//! Why: Polars' streaming engine has no sets of values per group, and would pass the whole aggregation to the in-memory
//! engine.

use std::collections::HashMap;

use super::cardinality::Estimator;
use super::decomposed::{Decomposed, new_field};
use super::infallible::can_be_added_up;
use super::rewrite;
use crate::expr::Expr;
use crate::functions::AggregateFunction;
use crate::plan::{Aggregate, AggregateCall, ColumnId, Field, Plan};
use crate::types::Type;

pub(super) fn run(plan: &mut Plan, estimator: &Estimator<'_>, next_column: &mut u32) {
    rewrite(plan, &mut |node| match node {
        Plan::Aggregate(aggregate) => match in_two_steps(&aggregate, estimator, next_column) {
            Some(rewritten) => rewritten,
            None => Plan::Aggregate(aggregate),
        },
        other => other,
    });
}

fn in_two_steps(aggregate: &Aggregate, estimator: &Estimator<'_>, next_column: &mut u32) -> Option<Plan> {
    let (distinct, others): (Vec<AggregateCall>, Vec<AggregateCall>) =
        aggregate.aggregates.iter().cloned().partition(|call| call.is_distinct);
    let value = &distinct.first()?.args.first()?.clone();
    if others.is_empty() || !distinct.iter().all(|call| is_over(call, value)) {
        return None;
    }
    let rows = estimator.estimate(&aggregate.input);
    let is_out_of_range = |call: &AggregateCall| {
        call.function == AggregateFunction::Sum && !call.args.iter().all(|arg| can_be_added_up(arg, &rows))
    };
    if others.iter().any(is_out_of_range) {
        // A partial sum could overflow although the total does not.
        return None;
    }
    let fields = aggregate.input.fields();
    let key_field = |key: &ColumnId| fields.iter().find(|field| field.id == *key).cloned();
    let key_fields: Vec<Field> = aggregate.keys.iter().map(key_field).collect::<Option<_>>()?;
    let decomposed = Decomposed::of(&others, next_column)?;
    let (input, id) = match value.as_column() {
        Some(id) if aggregate.keys.contains(&id) => return None,
        Some(id) => ((*aggregate.input).clone(), id),
        None => with_column(&aggregate.input, fields, value, next_column),
    };
    let keys: Vec<ColumnId> = aggregate.keys.iter().copied().chain([id]).collect();
    let aggregates = decomposed.partials().to_vec();
    let groups = Plan::Aggregate(Aggregate { input: Box::new(input), keys, aggregates });
    let mut calls = decomposed.combining(next_column);
    let results: Vec<Field> = calls.iter().map(|call| call.output.clone()).collect();
    let mut values: HashMap<ColumnId, Expr> =
        decomposed.values(&results, aggregate.keys.is_empty()).into_iter().collect();
    for call in distinct {
        let Field { id: output, data_type, .. } = call.output.clone();
        values.insert(output, Expr::column(output, data_type));
        let args = vec![Expr::column(id, value.data_type.clone())];
        calls.push(AggregateCall { is_distinct: false, args, ..call });
    }
    let (input, keys) = (Box::new(groups), aggregate.keys.clone());
    let grouped = Plan::Aggregate(Aggregate { input, keys, aggregates: calls });
    let mut columns: Vec<(Field, Expr)> = Vec::with_capacity(key_fields.len() + values.len());
    columns.extend(key_fields.into_iter().map(Field::passed_on));
    for call in &aggregate.aggregates {
        columns.push((call.output.clone(), values.remove(&call.output.id)?));
    }
    Some(Plan::Project { input: Box::new(grouped), columns })
}

/// Whether a call is a plain DISTINCT aggregate of an expression whose equality is that of grouping.
fn is_over(call: &AggregateCall, value: &Expr) -> bool {
    use AggregateFunction as F;
    let is_plain = call.filter.is_none() && call.order_by.is_empty() && !value.is_random();
    let has_groups = match &value.data_type {
        Type::Boolean | Type::Date | Type::Varchar { .. } | Type::Decimal { .. } => true,
        data_type => data_type.is_integer(),
    };
    let is_simple = matches!(call.function, F::Count | F::Sum | F::Avg | F::Min | F::Max);
    is_plain && has_groups && is_simple && call.args.as_slice() == std::slice::from_ref(value)
}

/// Adds the value as a column.
fn with_column(input: &Plan, fields: Vec<Field>, value: &Expr, next_column: &mut u32) -> (Plan, ColumnId) {
    let own = new_field(value.data_type.clone(), next_column);
    let id = own.id;
    let passed = fields.into_iter().map(Field::passed_on);
    let columns = passed.chain([(own, value.clone())]).collect();
    (Plan::Project { input: Box::new(input.clone()), columns }, id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::cardinality::tests::{column, table};

    fn call(output: u32, function: AggregateFunction, argument: u32, is_distinct: bool) -> AggregateCall {
        let output = Field::new(ColumnId(output), "", Type::BigInt);
        let (args, filter, order_by) = (vec![column(argument)], None, Vec::new());
        AggregateCall { output, function, args, is_distinct, filter, order_by }
    }

    fn rewritten(aggregates: Vec<AggregateCall>) -> String {
        let (rows, known) = table(0, 1000, 10);
        let mut plan = Plan::Aggregate(Aggregate { input: Box::new(rows), keys: Vec::new(), aggregates });
        run(&mut plan, &Estimator::new(&[known]), &mut 200);
        plan.to_string()
    }

    #[test]
    fn distinct_values_become_groups() {
        use AggregateFunction::{Count, Sum};
        let text = rewritten(vec![call(100, Sum, 0, false), call(101, Count, 1, true)]);
        let expected = "
Project [c100=c201, c101]
  Aggregate [] c201=sum(c200), c101=count(c1)
    Aggregate [c1] c200=sum(c0)
      Scan table 0 [c0=key, c1=kind]
";
        assert_eq!(text, expected.trim_start());
    }

    #[test]
    fn distinct_aggregates_of_several_values_are_unchanged() {
        use AggregateFunction::{Count, Sum};
        let calls = vec![call(100, Sum, 0, false), call(101, Count, 0, true), call(102, Count, 1, true)];
        assert_eq!(rewritten(calls).matches("Aggregate").count(), 1);
    }

    #[test]
    fn sums_with_partial_sums_out_of_range_are_unchanged() {
        use AggregateFunction::{Count, Sum};
        // Nothing is known about the values of column 1.
        let calls = vec![call(100, Sum, 1, false), call(101, Count, 0, true)];
        assert_eq!(rewritten(calls).matches("Aggregate").count(), 1);
    }
}
