//! Before: `Aggregate [k] sum(CASE WHEN p(c) THEN v END), sum(CASE WHEN q(c) THEN v ELSE 0 END), …`
//! After: `Aggregate [k] sum(CASE WHEN p(c) THEN s END), sum(CASE WHEN q(c) THEN s ELSE 0 END), …` over `Aggregate [k,
//! c] s=sum(v)` (Trino's PreAggregateCaseAggregations).
//! Why: a sum for each day of the week adds every sale once instead of seven times, and the inner aggregation has no
//! conditions, so that it can be pushed below the join with the days.

use super::cardinality::Estimate;
use super::decomposed::new_field;
use super::infallible::{can_be_added_up, cannot_fail};
use crate::expr::{Expr, ExprKind, Value};
use crate::functions::AggregateFunction;
use crate::plan::{Aggregate, AggregateCall, ColumnId, Plan};
use crate::types::Type;

/// Minimum number of calls over a CASE for which the rewrite is worthwhile.
const MIN_CASES: usize = 2;

/// An aggregation in two steps: an inner one by the keys and the columns of all conditions, and an outer one over its
/// groups.
pub(super) struct PreAggregated {
    /// The outer aggregation, whose input must be replaced by the groups of the inner one.
    pub(super) outer: Aggregate,
    pub(super) inner: Aggregate,
}

/// The two steps of an aggregation with at least [`MIN_CASES`] calls over a CASE.
pub(super) fn split(aggregate: &Aggregate, rows: &Estimate, next_column: &mut u32) -> Option<PreAggregated> {
    if aggregate.keys.is_empty() {
        return None;
    }
    let mut split = Split { rows, partials: Vec::new(), conditions: Vec::new(), cases: 0, next_column };
    let calls: Option<Vec<AggregateCall>> =
        aggregate.aggregates.iter().map(|call| split.combining(call)).collect();
    let outer_calls = calls?;
    let Split { partials, mut conditions, cases, .. } = split;
    conditions.retain(|column| !aggregate.keys.contains(column));
    conditions.sort_unstable();
    conditions.dedup();
    if cases < MIN_CASES || conditions.is_empty() {
        return None;
    }
    let keys = aggregate.keys.iter().chain(&conditions).copied().collect();
    let nothing = Plan::Values { fields: Vec::new(), rows: Vec::new() };
    Some(PreAggregated {
        outer: Aggregate { input: Box::new(nothing), keys: aggregate.keys.clone(), aggregates: outer_calls },
        inner: Aggregate { input: aggregate.input.clone(), keys, aggregates: partials },
    })
}

struct Split<'a> {
    rows: &'a Estimate,
    partials: Vec<AggregateCall>,
    /// The columns of the conditions.
    conditions: Vec<ColumnId>,
    cases: usize,
    next_column: &'a mut u32,
}

impl Split<'_> {
    /// The outer call, with its original output.
    fn combining(&mut self, call: &AggregateCall) -> Option<AggregateCall> {
        use AggregateFunction as F;
        if call.is_distinct || call.filter.is_some() || !call.order_by.is_empty() {
            return None;
        }
        let function = if call.function == F::Count { F::Sum } else { call.function };
        let value = match (call.function, call.args.as_slice()) {
            (F::Count, []) => self.partial(F::Count, None, Type::BigInt),
            (F::Count, [argument]) => self.partial(F::Count, Some(argument), Type::BigInt),
            (F::Sum | F::Min | F::Max, [argument]) => self.of_argument(call, argument)?,
            _ => return None,
        };
        Some(AggregateCall { function, args: vec![value], ..call.clone() })
    }

    /// Rewrites an argument to partial results.
    fn of_argument(&mut self, call: &AggregateCall, argument: &Expr) -> Option<Expr> {
        if argument.is_random() {
            return None;
        }
        let (case, data_type) = match &argument.kind {
            ExprKind::Cast { input, is_try: false } => (&**input, &argument.data_type),
            _ => (argument, &argument.data_type),
        };
        let ExprKind::Case { branches, otherwise } = &case.kind else {
            return self.of_value(call, argument);
        };
        self.cases += 1;
        let mut pre_aggregated = Vec::with_capacity(branches.len());
        for (condition, value) in branches {
            let columns = condition.typed_columns();
            if !columns.iter().all(|(_, data_type)| equal_values_are_identical(data_type)) {
                return None;
            }
            self.conditions.extend(columns.into_iter().map(|(id, _)| id));
            let value = self.of_value(call, &value.clone().cast_to(data_type))?;
            pre_aggregated.push((condition.clone(), value));
        }
        let otherwise = match otherwise {
            Some(value) => Some(Box::new(self.of_value(call, &(**value).clone().cast_to(data_type))?)),
            None => None,
        };
        let case = ExprKind::Case { branches: pre_aggregated, otherwise };
        Some(Expr::new(case, call.output.data_type.clone()))
    }

    /// The call over one branch value, for all rows of an inner group: a constant or a partial result.
    fn of_value(&mut self, call: &AggregateCall, value: &Expr) -> Option<Expr> {
        let is_sum = call.function == AggregateFunction::Sum;
        let wanted = &call.output.data_type;
        match constant(value) {
            Some(Value::Null) => return Some(Expr::literal(Value::Null, wanted.clone())),
            Some(Value::Integer(0) | Value::Decimal(0)) if is_sum => return zero(wanted),
            Some(Value::Integer(1)) if is_sum && *wanted == Type::BigInt => {
                return Some(self.partial(AggregateFunction::Count, None, Type::BigInt));
            }
            Some(_) if is_sum => return None,
            _ => {}
        }
        let has_sums = !is_sum || (value.data_type != Type::Double && can_be_added_up(value, self.rows));
        // The value is also computed and added up for rows that satisfy no condition.
        if !has_sums || !cannot_fail(value, self.rows) {
            return None;
        }
        Some(self.partial(call.function, Some(value), wanted.clone()))
    }

    /// The column of a partial result, which is added if it is new.
    fn partial(&mut self, function: AggregateFunction, argument: Option<&Expr>, data_type: Type) -> Expr {
        let is_known = |known: &&AggregateCall| {
            known.function == function
                && known.args.iter().eq(argument)
                && known.output.data_type == data_type
        };
        if let Some(known) = self.partials.iter().find(is_known) {
            return Expr::column(known.output.id, data_type);
        }
        let output = new_field(data_type.clone(), self.next_column);
        let column = Expr::column(output.id, data_type);
        let args = argument.cloned().into_iter().collect();
        let (filter, order_by) = (None, Vec::new());
        self.partials.push(AggregateCall { output, function, args, is_distinct: false, filter, order_by });
        column
    }
}

/// Whether equal values of a type are identical for all functions, so that the rows of a group satisfy the same
/// conditions. Doubles are not: 0.0 equals -0.0.
const fn equal_values_are_identical(data_type: &Type) -> bool {
    matches!(
        data_type,
        Type::Boolean
            | Type::TinyInt
            | Type::SmallInt
            | Type::Integer
            | Type::BigInt
            | Type::Decimal { .. }
            | Type::Varchar { .. }
            | Type::Date
    )
}

/// A constant, possibly below casts that preserve its value.
fn constant(value: &Expr) -> Option<&Value> {
    match &value.kind {
        ExprKind::Literal(value) => Some(value),
        ExprKind::Cast { input, is_try: false } => match constant(input)? {
            // The values 0 and NULL are the same in every type, and 1 in every integer type.
            found @ (Value::Null | Value::Integer(0 | 1) | Value::Decimal(0)) => Some(found),
            _ => None,
        },
        _ => None,
    }
}

fn zero(data_type: &Type) -> Option<Expr> {
    let value = match data_type {
        Type::BigInt => Value::Integer(0),
        Type::Decimal { .. } => Value::Decimal(0),
        _ => return None,
    };
    Some(Expr::literal(value, data_type.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::ComparisonOperator;
    use crate::passes::cardinality::Estimator;
    use crate::passes::cardinality::tests::{column, table};
    use crate::plan::Field;

    fn sum_where(output: u32, kind: i64, otherwise: Option<Value>) -> AggregateCall {
        let kind = Expr::literal(Value::Integer(kind), Type::BigInt);
        let condition = Expr::comparison(ComparisonOperator::Equal, column(1), kind);
        let value = Expr::literal(Value::Integer(1), Type::BigInt);
        let otherwise = otherwise.map(|value| Box::new(Expr::literal(value, Type::BigInt)));
        let case = Expr::new(ExprKind::Case { branches: vec![(condition, value)], otherwise }, Type::BigInt);
        let output = Field::new(ColumnId(output), "", Type::BigInt);
        let (filter, order_by) = (None, Vec::new());
        AggregateCall {
            output,
            function: AggregateFunction::Sum,
            args: vec![case],
            is_distinct: false,
            filter,
            order_by,
        }
    }

    #[test]
    fn case_conditions_become_keys_of_an_inner_aggregation() {
        let (rows, known) = table(0, 1000, 10);
        let aggregates = vec![sum_where(100, 1, None), sum_where(101, 2, Some(Value::Integer(0)))];
        let aggregate = Aggregate { input: Box::new(rows), keys: vec![ColumnId(0)], aggregates };
        let estimate = Estimator::new(&[known]).estimate(&aggregate.input);
        let PreAggregated { outer, inner } = split(&aggregate, &estimate, &mut 200).expect("two cases");
        let outer = Plan::Aggregate(Aggregate { input: Box::new(Plan::Aggregate(inner)), ..outer });
        let expected = "
Aggregate [c0] c100=sum(CASE WHEN (c1 = 1) THEN c200 END), c101=sum(CASE WHEN (c1 = 2) THEN c200 ELSE 0 END)
  Aggregate [c0, c1] c200=count()
    Scan table 0 [c0=key, c1=kind]
";
        assert_eq!(outer.to_string(), expected.trim_start());
    }

    #[test]
    fn a_single_case_is_unchanged() {
        let (rows, known) = table(0, 1000, 10);
        let aggregates = vec![sum_where(100, 1, None)];
        let aggregate = Aggregate { input: Box::new(rows), keys: vec![ColumnId(0)], aggregates };
        let estimate = Estimator::new(&[known]).estimate(&aggregate.input);
        assert!(split(&aggregate, &estimate, &mut 200).is_none());
    }
}
