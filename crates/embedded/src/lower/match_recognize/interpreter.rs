//! Interprets simple conditions for one candidate without a frame. The lowered expression evaluates all other
//! conditions, and conditions that fail here.

use std::cmp::Ordering;

use crate::datum::{Datum, check_range, compare, equal};
use crate::expression::literal_datum;
use rowhouse_sql::expr::{ArithmeticOperator, ColumnId, ComparisonOperator, Expr, ExprKind, Value};
use rowhouse_sql::types::Type;

/// An expression over parameters.
pub(super) enum Interpreted {
    Parameter(usize),
    Constant(Datum<'static>),
    And(Vec<Self>),
    Or(Vec<Self>),
    Not(Box<Self>),
    IsNull(Box<Self>),
    Comparison(ComparisonOperator, Box<[Self; 2]>),
    /// Arithmetic of integers, with their type.
    Integers(ArithmeticOperator, Box<[Self; 2]>, Type),
    Doubles(ArithmeticOperator, Box<[Self; 2]>),
    /// A cast of an integer to another integer type.
    Integer(Box<Self>, Type),
    /// A cast of an integer to double.
    Double(Box<Self>),
}

/// The lowered expression must evaluate the condition.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unknown;

impl Interpreted {
    /// The interpreted form; `None` if parts are not supported here.
    pub(super) fn of(expr: &Expr, parameters: &[(ColumnId, Type)]) -> Option<Self> {
        let of = |expr: &Expr| Self::of(expr, parameters);
        let all = |parts: &[Expr]| parts.iter().map(of).collect::<Option<Vec<_>>>();
        let two = |left: &Expr, right: &Expr| Some(Box::new([of(left)?, of(right)?]));
        Some(match &expr.kind {
            ExprKind::Column(id) => Self::Parameter(parameters.iter().position(|(known, _)| known == id)?),
            ExprKind::Literal(value) if is_plain(&expr.data_type) => {
                Self::Constant(if *value == Value::Null { Datum::Null } else { literal_datum(value) })
            }
            ExprKind::And(parts) => Self::And(all(parts)?),
            ExprKind::Or(parts) => Self::Or(all(parts)?),
            ExprKind::Not(inner) => Self::Not(Box::new(of(inner)?)),
            ExprKind::IsNull(inner) => Self::IsNull(Box::new(of(inner)?)),
            ExprKind::Comparison { operator, left, right } if is_plain(&left.data_type) => {
                Self::Comparison(*operator, two(left, right)?)
            }
            ExprKind::Arithmetic { operator, left, right } if expr.data_type.is_integer() => {
                Self::Integers(*operator, two(left, right)?, expr.data_type.clone())
            }
            ExprKind::Arithmetic { operator, left, right }
                if expr.data_type == Type::Double && *operator != ArithmeticOperator::Modulus =>
            {
                Self::Doubles(*operator, two(left, right)?)
            }
            ExprKind::Cast { input, is_try: false } if input.data_type.is_integer() => {
                match &expr.data_type {
                    Type::Double => Self::Double(Box::new(of(input)?)),
                    wanted if wanted.is_integer() => Self::Integer(Box::new(of(input)?), wanted.clone()),
                    _ => return None,
                }
            }
            _ => return None,
        })
    }

    /// The value for these parameters.
    pub(super) fn value<'v>(&'v self, parameters: &'v [Datum<'v>]) -> Result<Datum<'v>, Unknown> {
        Ok(match self {
            Self::Parameter(at) => parameters[*at].clone(),
            Self::Constant(value) => value.clone(),
            Self::And(parts) => joined(parts, parameters, false)?,
            Self::Or(parts) => joined(parts, parameters, true)?,
            Self::Not(inner) => match inner.value(parameters)? {
                Datum::Boolean(value) => Datum::Boolean(!value),
                other => other,
            },
            Self::IsNull(inner) => Datum::Boolean(inner.value(parameters)?.is_null()),
            Self::Comparison(operator, sides) => {
                let [left, right] = &**sides;
                compared(*operator, &left.value(parameters)?, &right.value(parameters)?)
            }
            Self::Integers(operator, sides, data_type) => {
                let [left, right] = &**sides;
                let (Datum::Integer(left), Datum::Integer(right)) =
                    (left.value(parameters)?, right.value(parameters)?)
                else {
                    return Ok(Datum::Null);
                };
                let result = match operator {
                    ArithmeticOperator::Add => left.checked_add(right),
                    ArithmeticOperator::Subtract => left.checked_sub(right),
                    ArithmeticOperator::Multiply => left.checked_mul(right),
                    ArithmeticOperator::Divide => left.checked_div(right),
                    ArithmeticOperator::Modulus => left.checked_rem(right),
                };
                in_range(result.ok_or(Unknown)?, data_type)?
            }
            Self::Doubles(operator, sides) => {
                let [left, right] = &**sides;
                let (Datum::Double(left), Datum::Double(right)) =
                    (left.value(parameters)?, right.value(parameters)?)
                else {
                    return Ok(Datum::Null);
                };
                Datum::Double(match operator {
                    ArithmeticOperator::Add => left + right,
                    ArithmeticOperator::Subtract => left - right,
                    ArithmeticOperator::Multiply => left * right,
                    ArithmeticOperator::Divide => left / right,
                    ArithmeticOperator::Modulus => return Err(Unknown),
                })
            }
            Self::Integer(inner, data_type) => match inner.value(parameters)? {
                Datum::Integer(value) => in_range(value, data_type)?,
                other => other,
            },
            #[expect(clippy::cast_precision_loss, reason = "as CAST of an integer to a double")]
            Self::Double(inner) => match inner.value(parameters)? {
                Datum::Integer(value) => Datum::Double(value as f64),
                other => other,
            },
        })
    }
}

/// Types whose values are compared as [`Datum`]s.
fn is_plain(data_type: &Type) -> bool {
    data_type.is_integer()
        || matches!(
            data_type,
            Type::Boolean
                | Type::Double
                | Type::Decimal { .. }
                | Type::Varchar { .. }
                | Type::Date
                | Type::Timestamp { .. }
                | Type::IntervalDayToSecond
                | Type::IntervalYearToMonth
        )
}

fn in_range(value: i64, data_type: &Type) -> Result<Datum<'static>, Unknown> {
    let value = Datum::Integer(value);
    check_range(&value, data_type).map_err(|_| Unknown)?;
    Ok(value)
}

/// AND, or OR if `decides` is true. All parts are evaluated, so a part that fails leaves the result to the lowered
/// expression.
fn joined<'v>(
    parts: &'v [Interpreted],
    parameters: &'v [Datum<'v>],
    decides: bool,
) -> Result<Datum<'v>, Unknown> {
    let (mut is_decided, mut is_unknown) = (false, false);
    for part in parts {
        match part.value(parameters)? {
            Datum::Boolean(value) => is_decided |= value == decides,
            _ => is_unknown = true,
        }
    }
    Ok(match (is_decided, is_unknown) {
        (true, _) => Datum::Boolean(decides),
        (false, true) => Datum::Null,
        (false, false) => Datum::Boolean(!decides),
    })
}

fn compared(operator: ComparisonOperator, left: &Datum<'_>, right: &Datum<'_>) -> Datum<'static> {
    use ComparisonOperator as C;
    if let C::IsDistinctFrom | C::IsNotDistinctFrom = operator {
        // NaN equals NaN here.
        let is_same = left.is_null() == right.is_null() && compare(left, right).is_eq();
        return Datum::Boolean(is_same == (operator == C::IsNotDistinctFrom));
    }
    if left.is_null() || right.is_null() {
        return Datum::Null;
    }
    let order = match (left, right) {
        (Datum::Double(left), Datum::Double(right)) => left.partial_cmp(right),
        _ => Some(compare(left, right)),
    };
    Datum::Boolean(match operator {
        C::Equal => equal(left, right) == Some(true),
        C::NotEqual => equal(left, right) == Some(false),
        C::LessThan => order == Some(Ordering::Less),
        C::LessThanOrEqual => order.is_some_and(Ordering::is_le),
        C::GreaterThan => order == Some(Ordering::Greater),
        C::GreaterThanOrEqual => order.is_some_and(Ordering::is_ge),
        C::IsDistinctFrom | C::IsNotDistinctFrom => return Datum::Null,
    })
}

#[cfg(test)]
mod tests {
    use polars::prelude::Column;
    use proptest::prelude::*;

    use super::*;
    use crate::column::column_name;
    use crate::lower::match_recognize::aggregate::built;
    use crate::lower::match_recognize::body::Body;

    fn parameters() -> Vec<(ColumnId, Type)> {
        let types = [Type::Integer, Type::Integer, Type::BigInt, Type::Double, Type::VARCHAR, Type::Boolean];
        (0..).map(ColumnId).zip(types).collect()
    }

    fn operator(data_type: &Type) -> impl Strategy<Value = ArithmeticOperator> + use<> {
        use ArithmeticOperator as A;
        let mut known = vec![A::Add, A::Subtract, A::Multiply, A::Divide];
        known.extend((*data_type != Type::Double).then_some(A::Modulus));
        prop::sample::select(known)
    }

    fn number(data_type: Type) -> BoxedStrategy<Expr> {
        let columns: Vec<Expr> = parameters()
            .into_iter()
            .filter(|(_, known)| *known == data_type)
            .map(|(id, data_type)| Expr::column(id, data_type))
            .collect();
        let own = data_type.clone();
        let constant = (-3_i32..4).prop_map(move |number| {
            let value = match own {
                Type::Double => Value::Double(f64::from(number)),
                _ => Value::Integer(i64::from(number)),
            };
            Expr::literal(value, own.clone())
        });
        let own = data_type.clone();
        prop_oneof![prop::sample::select(columns), constant]
            .prop_recursive(2, 6, 2, move |inner| {
                let own = own.clone();
                (operator(&own), inner.clone(), inner).prop_map(move |(operator, left, right)| {
                    let kind =
                        ExprKind::Arithmetic { operator, left: Box::new(left), right: Box::new(right) };
                    Expr::new(kind, own.clone())
                })
            })
            .boxed()
    }

    fn comparison() -> impl Strategy<Value = ComparisonOperator> {
        use ComparisonOperator as C;
        prop::sample::select(vec![
            C::Equal,
            C::NotEqual,
            C::LessThan,
            C::LessThanOrEqual,
            C::GreaterThan,
            C::GreaterThanOrEqual,
            C::IsDistinctFrom,
            C::IsNotDistinctFrom,
        ])
    }

    fn condition() -> BoxedStrategy<Expr> {
        let cast = |wanted: Type| number(Type::Integer).prop_map(move |number| number.cast_to(&wanted));
        let text = prop_oneof![
            Just(Expr::column(ColumnId(4), Type::VARCHAR)),
            "[ab]{0,2}".prop_map(|text| Expr::literal(Value::Varchar(text), Type::VARCHAR)),
        ];
        let sides = prop_oneof![
            (number(Type::Integer), number(Type::Integer)),
            (number(Type::BigInt), cast(Type::BigInt)),
            (number(Type::Double), cast(Type::Double)),
            (text.clone(), text),
        ];
        let leaf = prop_oneof![
            8 => (comparison(), sides).prop_map(|(operator, (left, right))| {
                Expr::comparison(operator, left, right)
            }),
            1 => Just(Expr::column(ColumnId(5), Type::Boolean)),
            1 => Just(Expr::literal(Value::Null, Type::Boolean)),
        ];
        leaf.prop_recursive(2, 8, 3, |inner| {
            let parts = || prop::collection::vec(inner.clone(), 2..4);
            prop_oneof![
                parts().prop_map(|parts| Expr::new(ExprKind::And(parts), Type::Boolean)),
                parts().prop_map(|parts| Expr::new(ExprKind::Or(parts), Type::Boolean)),
                inner.clone().prop_map(|inner| Expr::new(ExprKind::Not(Box::new(inner)), Type::Boolean)),
                inner.clone().prop_map(|inner| Expr::new(ExprKind::IsNull(Box::new(inner)), Type::Boolean)),
            ]
        })
        .boxed()
    }

    fn values() -> impl Strategy<Value = Vec<Datum<'static>>> {
        let integer = || {
            prop_oneof![
                Just(Datum::Null),
                (-3_i64..4).prop_map(Datum::Integer),
                Just(Datum::Integer(i64::from(i32::MAX))),
            ]
        };
        let double = prop_oneof![
            Just(Datum::Null),
            (-3_i32..4).prop_map(|number| Datum::Double(f64::from(number))),
            Just(Datum::Double(f64::NAN)),
            Just(Datum::Double(f64::INFINITY)),
        ];
        let text = prop_oneof![Just(Datum::Null), "[ab]{0,2}".prop_map(Datum::from_text)];
        let boolean = prop_oneof![Just(Datum::Null), any::<bool>().prop_map(Datum::Boolean)];
        (integer(), integer(), integer(), double, text, boolean)
            .prop_map(|(a, b, c, d, e, f)| vec![a, b, c, d, e, f])
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1_000))]

        #[test]
        fn interpreted_conditions_match_lowered_expressions(condition in condition(), values in values()) {
            let parameters = parameters();
            let own = Interpreted::of(&condition, &parameters).expect("all parts are known");
            let Ok(found) = own.value(&values) else { return Ok(()) };
            let kind =
                ExprKind::Lambda { parameters: parameters.clone(), body: Box::new(condition.clone()) };
            let body = Body::lower(&Expr::new(kind, Type::Boolean)).expect("it is lowered");
            let columns = values.iter().zip(&parameters).map(|(value, (id, data_type))| {
                built(column_name(*id), vec![value.clone()], data_type).expect("a column")
            });
            let columns: Vec<Column> = columns.collect();
            let lowered = body.evaluate(columns, 1);
            let lowered = lowered.unwrap_or_else(|error| panic!("{condition}: {error}"));
            let lowered = lowered.bool().expect("a boolean").get(0);
            let found = match found {
                Datum::Boolean(found) => Some(found),
                _ => None,
            };
            prop_assert_eq!(found, lowered, "{} of {:?}", condition, values);
        }
    }
}
