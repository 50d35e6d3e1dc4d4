//! Before: `Aggregate [k] sum(x + 1), sum(x + 2), …` over integers that cannot overflow.
//! After: `s + 1 * n`, `s + 2 * n`, … above `Aggregate [k] s=sum(x), n=count(x)` (DataFusion's SimplifyExpressions).
//! Why: the rows are added up once, not once per constant.

use std::collections::HashMap;

use super::decomposed::new_field;
use super::planned_calls::PlannedCalls;
use super::rewrite;
use crate::expr::{ArithmeticOperator, Expr, ExprKind, Value};
use crate::functions::AggregateFunction;
use crate::plan::{Aggregate, AggregateCall, ColumnId, Field, Plan};
use crate::types::Type;

/// Maximum absolute value of a constant: with fewer than 2^31 rows, neither the sum of the values nor the constant
/// times their count overflows.
const MAX_CONSTANT: i64 = 1 << 20;

pub(super) fn run(plan: &mut Plan, next_column: &mut u32) {
    rewrite(plan, &mut |node| match node {
        Plan::Aggregate(aggregate) => simplified(aggregate, next_column),
        other => other,
    });
}

fn simplified(aggregate: Aggregate, next_column: &mut u32) -> Plan {
    let shifted: Vec<Option<Shifted>> = aggregate.aggregates.iter().map(Shifted::of).collect();
    let is_shared = are_shared(&shifted);
    let is_simplified = |(call, is_shared): (&Option<Shifted>, &bool)| {
        *is_shared && call.as_ref().is_some_and(|call| call.constant != 0)
    };
    if !shifted.iter().zip(&is_shared).any(is_simplified) {
        return Plan::Aggregate(aggregate);
    }
    let input_fields = aggregate.input.fields();
    let by_id: HashMap<ColumnId, &Field> = input_fields.iter().map(|field| (field.id, field)).collect();
    let key_field = |key: &ColumnId| by_id.get(key).copied();
    let Some(keys) = aggregate.keys.iter().map(key_field).collect::<Option<Vec<&Field>>>() else {
        return Plan::Aggregate(aggregate);
    };
    let mut columns: Vec<(Field, Expr)> = Vec::with_capacity(keys.len() + shifted.len());
    columns.extend(keys.into_iter().cloned().map(Field::passed_on));
    let mut calls = PlannedCalls::default();
    for ((call, shifted), is_shared) in aggregate.aggregates.iter().zip(&shifted).zip(is_shared) {
        let value = match shifted {
            Some(shifted) if is_shared => {
                let sum = shifted.aggregate_column(AggregateFunction::Sum, &mut calls, next_column);
                if shifted.constant == 0 {
                    sum
                } else {
                    let count = shifted.aggregate_column(AggregateFunction::Count, &mut calls, next_column);
                    let constant = Expr::literal(Value::Integer(shifted.constant), Type::BigInt);
                    arithmetic(
                        ArithmeticOperator::Add,
                        sum,
                        arithmetic(ArithmeticOperator::Multiply, constant, count),
                    )
                }
            }
            _ => {
                calls.add(call.clone());
                Expr::column(call.output.id, call.output.data_type.clone())
            }
        };
        columns.push((call.output.clone(), value));
    }
    let grouped = Plan::Aggregate(Aggregate { aggregates: calls.into_calls(), ..aggregate });
    Plan::Project { input: Box::new(grouped), columns }
}

/// For each call, whether another call sums the same value with the same filter.
fn are_shared(calls: &[Option<Shifted<'_>>]) -> Vec<bool> {
    let mut by_hash: HashMap<u64, Vec<(&Shifted<'_>, Vec<usize>)>> = HashMap::new();
    for (place, call) in calls.iter().enumerate() {
        let Some(call) = call else { continue };
        let hash = call.value.structural_hash() ^ call.filter.map_or(0, Expr::structural_hash).rotate_left(1);
        let known = by_hash.entry(hash).or_default();
        let is_same = |(other, _): &&mut (&Shifted<'_>, Vec<usize>)| {
            other.value == call.value && other.filter == call.filter
        };
        match known.iter_mut().find(is_same) {
            Some((_, places)) => places.push(place),
            None => known.push((call, vec![place])),
        }
    }
    let mut are_shared = vec![false; calls.len()];
    for (_, places) in by_hash.into_values().flatten().filter(|(_, places)| places.len() > 1) {
        places.into_iter().for_each(|place| are_shared[place] = true);
    }
    are_shared
}

fn arithmetic(operator: ArithmeticOperator, left: Expr, right: Expr) -> Expr {
    let (left, right) = (Box::new(left), Box::new(right));
    Expr::new(ExprKind::Arithmetic { operator, left, right }, Type::BigInt)
}

/// The sum of a value plus a constant.
struct Shifted<'a> {
    value: &'a Expr,
    constant: i64,
    filter: Option<&'a Expr>,
}

impl<'a> Shifted<'a> {
    fn of(call: &'a AggregateCall) -> Option<Self> {
        let [argument] = call.args.as_slice() else { return None };
        let is_plain = call.function == AggregateFunction::Sum
            && call.output.data_type == Type::BigInt
            && !call.is_distinct
            && call.order_by.is_empty()
            && !argument.is_random();
        if !is_plain {
            return None;
        }
        let (value, constant) = parts(widened(argument))?;
        let value = widened(value);
        let is_narrow = matches!(value.data_type, Type::TinyInt | Type::SmallInt | Type::Integer);
        let is_small = (-MAX_CONSTANT..=MAX_CONSTANT).contains(&constant);
        (is_narrow && is_small).then_some(Self { value, constant, filter: call.filter.as_ref() })
    }

    /// The column of an aggregate of the value, which is added if it is new.
    fn aggregate_column(
        &self,
        function: AggregateFunction,
        calls: &mut PlannedCalls,
        next_column: &mut u32,
    ) -> Expr {
        let args = vec![match function {
            AggregateFunction::Sum => self.value.clone().cast_to(&Type::BigInt),
            _ => self.value.clone(),
        }];
        let place =
            calls.place_of(function, args, self.filter.cloned(), || new_field(Type::BigInt, next_column));
        Expr::column(calls.as_slice()[place].output.id, Type::BigInt)
    }
}

/// The value and the constant that is added to it, 0 if there is none.
fn parts(argument: &Expr) -> Option<(&Expr, i64)> {
    let ExprKind::Arithmetic { operator, left, right } = &argument.kind else { return Some((argument, 0)) };
    if !Expr::cannot_overflow(*operator, left, right, &argument.data_type) {
        return None;
    }
    match (operator, constant(left), constant(right)) {
        (ArithmeticOperator::Add, None, Some(constant)) => Some((&**left, constant)),
        (ArithmeticOperator::Add, Some(constant), None) => Some((&**right, constant)),
        (ArithmeticOperator::Subtract, None, Some(constant)) => Some((&**left, constant.checked_neg()?)),
        _ => None,
    }
}

fn constant(expr: &Expr) -> Option<i64> {
    match widened(expr).as_literal() {
        Some(Value::Integer(value)) => Some(*value),
        _ => None,
    }
}

/// Removes a cast from an integer type to a wider one.
fn widened(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Cast { input, .. }
            if bit_width(&input.data_type)
                .zip(bit_width(&expr.data_type))
                .is_some_and(|(from, to)| from <= to) =>
        {
            widened(input)
        }
        _ => expr,
    }
}

/// The number of bits of an integer type.
const fn bit_width(data_type: &Type) -> Option<u8> {
    Some(match data_type {
        Type::TinyInt => 8,
        Type::SmallInt => 16,
        Type::Integer => 32,
        Type::BigInt => 64,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Scan;

    fn sum(output: u32, argument: Expr) -> AggregateCall {
        let output = Field::new(ColumnId(output), "", Type::BigInt);
        let args = vec![argument.cast_to(&Type::BigInt)];
        let (filter, order_by) = (None, Vec::new());
        AggregateCall { output, function: AggregateFunction::Sum, args, is_distinct: false, filter, order_by }
    }

    /// Returns the rewritten plan for the sum of a column and two sums with constants.
    fn sums(data_type: &Type, constant: i64) -> String {
        let field = Field::new(ColumnId(0), "x", data_type.clone());
        let scan = Scan { table: 0, columns: vec![(field, "x".to_owned())], row_count: None };
        let value = Expr::column(ColumnId(0), data_type.clone()).cast_to(&Type::Integer);
        let plus = |constant: i64| {
            let right = Box::new(Expr::literal(Value::Integer(constant), Type::Integer));
            let left = Box::new(value.clone());
            Expr::new(ExprKind::Arithmetic { operator: ArithmeticOperator::Add, left, right }, Type::Integer)
        };
        let aggregates = vec![sum(10, value.clone()), sum(11, plus(constant)), sum(12, plus(-7))];
        let input = Box::new(Plan::Scan(scan));
        let mut plan = Plan::Aggregate(Aggregate { input, keys: Vec::new(), aggregates });
        run(&mut plan, &mut 20);
        plan.to_string()
    }

    #[test]
    fn sums_that_differ_by_constants_become_one_sum() {
        let text = sums(&Type::SmallInt, 5);
        assert_eq!(text.matches("sum(").count(), 1, "{text}");
        assert_eq!(text.matches("count(").count(), 1, "{text}");
    }

    #[test]
    fn sums_that_could_overflow_are_unchanged() {
        assert_eq!(sums(&Type::Integer, 5).matches("sum(").count(), 3);
        assert_eq!(sums(&Type::SmallInt, MAX_CONSTANT + 1).matches("sum(").count(), 2);
    }
}
