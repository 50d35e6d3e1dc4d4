//! Decomposed aggregates: partial results per group, and their combination over the groups of fewer keys.

use super::infallible::MAX_SUMMED_PRECISION;
use super::planned_calls::PlannedCalls;
use crate::expr::{ArithmeticOperator, ComparisonOperator, Expr, ExprKind, Value};
use crate::functions::{AggregateFunction, ScalarFunction};
use crate::plan::{AggregateCall, ColumnId, Field};
use crate::types::{MAX_DECIMAL_PRECISION, Type};

/// Aggregate calls split into partial results, and how each call's result is computed from these.
#[derive(Debug)]
pub(super) struct Decomposed {
    /// The calls over the rows.
    partials: PlannedCalls,
    combined: Vec<(ColumnId, Combined)>,
}

#[derive(Debug)]
enum Combined {
    /// The combined partial result with this index.
    Of(usize),
    /// The combined count with this index, 0 over no groups.
    Count(usize),
    /// The quotient of a sum and a count.
    Average { sum: usize, count: usize, data_type: Type },
}

impl Decomposed {
    /// `None` if the result of a call cannot be computed from partial results.
    pub(super) fn of(calls: &[AggregateCall], next_column: &mut u32) -> Option<Self> {
        let mut decomposed = Self { partials: PlannedCalls::default(), combined: Vec::new() };
        for call in calls {
            let combined = decomposed.add(call, next_column)?;
            decomposed.combined.push((call.output.id, combined));
        }
        Some(decomposed)
    }

    fn add(&mut self, call: &AggregateCall, next_column: &mut u32) -> Option<Combined> {
        use AggregateFunction as F;
        let is_random = call.args.iter().chain(&call.filter).any(Expr::is_random);
        if call.is_distinct || !call.order_by.is_empty() || is_random {
            return None;
        }
        match (call.function, call.args.first().map(|argument| &argument.data_type)) {
            (F::Count | F::CountIf, _) => {
                Some(Combined::Count(self.partial(call, call.function, Type::BigInt, next_column)))
            }
            (F::Sum, Some(Type::BigInt | Type::Decimal { .. } | Type::Double))
            | (F::Min | F::Max | F::BoolAnd | F::BoolOr, Some(_)) => {
                let data_type = call.output.data_type.clone();
                Some(Combined::Of(self.partial(call, call.function, data_type, next_column)))
            }
            (F::Avg, Some(argument)) => {
                let sum_type = match argument {
                    Type::Double => Type::Double,
                    Type::Decimal { precision, scale } if *precision <= MAX_SUMMED_PRECISION => {
                        Type::decimal(MAX_DECIMAL_PRECISION, *scale)
                    }
                    _ => return None,
                };
                let sum = self.partial(call, F::Sum, sum_type, next_column);
                let count = self.partial(call, F::Count, Type::BigInt, next_column);
                Some(Combined::Average { sum, count, data_type: call.output.data_type.clone() })
            }
            _ => None,
        }
    }

    /// The index of a partial result, which is added if it is new.
    fn partial(
        &mut self,
        call: &AggregateCall,
        function: AggregateFunction,
        data_type: Type,
        next_column: &mut u32,
    ) -> usize {
        let output = || new_field(data_type, next_column);
        self.partials.place_of(function, call.args.clone(), call.filter.clone(), output)
    }

    /// The calls over the rows.
    pub(super) fn partials(&self) -> &[AggregateCall] {
        self.partials.as_slice()
    }

    /// The columns of a group's partial results.
    pub(super) fn results(&self) -> Vec<Field> {
        self.partials().iter().map(|call| call.output.clone()).collect()
    }

    /// The calls that combine partial results of several groups.
    pub(super) fn combining(&self, next_column: &mut u32) -> Vec<AggregateCall> {
        use AggregateFunction as F;
        let combining = self.partials().iter().map(|partial| {
            let Field { id, data_type, .. } = &partial.output;
            AggregateCall {
                output: new_field(data_type.clone(), next_column),
                function: match partial.function {
                    F::Count | F::CountIf => F::Sum,
                    other => other,
                },
                args: vec![Expr::column(*id, data_type.clone())],
                is_distinct: false,
                filter: None,
                order_by: Vec::new(),
            }
        });
        combining.collect()
    }

    /// The result of each call, computed from the columns of partial results. `is_of_all`: there is one group of all
    /// rows, which may be empty.
    pub(super) fn values(&self, results: &[Field], is_of_all: bool) -> Vec<(ColumnId, Expr)> {
        self.combined.iter().map(|(id, combined)| (*id, combined.value(results, is_of_all))).collect()
    }
}

impl Combined {
    fn value(&self, results: &[Field], is_of_all: bool) -> Expr {
        let column = |place: usize| Expr::column(results[place].id, results[place].data_type.clone());
        let integer = |value: i64| Expr::literal(Value::Integer(value), Type::BigInt);
        match self {
            Self::Of(place) => column(*place),
            // Groups have rows, except for the single group of all rows.
            Self::Count(place) if !is_of_all => column(*place),
            Self::Count(place) => {
                let args = vec![column(*place), integer(0)];
                Expr::new(ExprKind::Call { function: ScalarFunction::Coalesce, args }, Type::BigInt)
            }
            Self::Average { sum, count, data_type } => {
                let (sum, count) = (column(*sum), column(*count));
                let is_any = Expr::comparison(ComparisonOperator::GreaterThan, count.clone(), integer(0));
                let divisor = if sum.data_type == Type::Double { Type::Double } else { Type::decimal(19, 0) };
                let quotient_type = sum.data_type.clone();
                let quotient = ExprKind::Arithmetic {
                    operator: ArithmeticOperator::Divide,
                    left: Box::new(sum),
                    right: Box::new(count.cast_to(&divisor)),
                };
                let average = Expr::new(quotient, quotient_type).cast_to(data_type);
                let branches = vec![(is_any, average)];
                Expr::new(ExprKind::Case { branches, otherwise: None }, data_type.clone())
            }
        }
    }
}

pub(super) fn new_field(data_type: Type, next_column: &mut u32) -> Field {
    let id = ColumnId(*next_column);
    *next_column += 1;
    Field::new(id, "", data_type)
}
