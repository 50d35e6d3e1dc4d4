//! Aggregates over rows that are added one at a time: aggregates over windows, and aggregates over groups that Polars
//! lacks.

use std::collections::HashSet;

use polars::prelude::PolarsResult;
use rowhouse_model::ErrorCode;

use self::moments::{Moments, PairMoments};
use crate::datum::{Datum, NanPlace, compare_with};
use crate::failure::raise;
use crate::numeric::{WideSum, out_of_range, within};
use crate::order_key::key_of;
use rowhouse_sql::functions::AggregateFunction;
use rowhouse_sql::types::Type;

mod moments;
mod rows;

pub(super) use rows::{AggregateRows, Selection};

/// The state of one aggregate function.
#[derive(Clone)]
struct Accumulator {
    function: AggregateFunction,
    output: Type,
    state: State,
}

#[derive(Clone)]
enum State {
    /// The number of rows.
    Count(i64),
    /// The number of values and their sum, which is exact for integers and decimals. For the geometric mean it is the
    /// sum of logarithms.
    Exact {
        count: i64,
        sum: WideSum,
    },
    Double {
        count: i64,
        sum: f64,
    },
    Moments(Moments),
    Pairs(PairMoments),
    /// The value, and its key if the function has one.
    Best(Option<(Datum<'static>, Datum<'static>)>),
    Bits(Option<i64>),
    /// The values, and the function's second argument.
    Values {
        values: Vec<Datum<'static>>,
        parameter: Datum<'static>,
    },
    /// The keys of the distinct values.
    Distinct(HashSet<Vec<u8>>),
}

impl Accumulator {
    /// The state over no rows.
    fn new(function: AggregateFunction, argument_types: &[Type], output: &Type) -> Self {
        use AggregateFunction as F;
        let is_double = |data_type: &Type| matches!(data_type, Type::Real | Type::Double);
        let state = match function {
            F::Count | F::CountIf => State::Count(0),
            F::Sum | F::Avg if argument_types.first().is_some_and(is_double) => {
                State::Double { count: 0, sum: 0.0 }
            }
            F::Sum | F::Avg => State::Exact { count: 0, sum: WideSum::default() },
            F::GeometricMean => State::Double { count: 0, sum: 0.0 },
            F::Min | F::Max | F::MinBy | F::MaxBy | F::AnyValue | F::BoolAnd | F::BoolOr => State::Best(None),
            F::ArrayAgg | F::ListAgg | F::ApproxPercentile => {
                State::Values { values: Vec::new(), parameter: Datum::Null }
            }
            F::ApproxDistinct => State::Distinct(HashSet::new()),
            F::Stddev | F::StddevPop | F::Variance | F::VarPop | F::Skewness | F::Kurtosis => {
                State::Moments(Moments::default())
            }
            F::Corr | F::CovarSamp | F::CovarPop | F::RegrSlope | F::RegrIntercept => {
                State::Pairs(PairMoments::default())
            }
            F::BitwiseAndAgg | F::BitwiseOrAgg | F::BitwiseXorAgg => State::Bits(None),
        };
        Self { function, output: output.clone(), state }
    }

    /// Whether two states can be merged without their rows.
    const fn is_mergeable(&self) -> bool {
        !matches!(self.state, State::Values { .. } | State::Distinct(_))
    }

    /// Adds the rows of another state, which follow the rows of this one.
    fn merge(&mut self, later: &Self) -> PolarsResult<()> {
        match (&mut self.state, &later.state) {
            (State::Count(count), State::Count(more)) => *count += more,
            (State::Exact { count, sum }, State::Exact { count: more, sum: added }) => {
                *count += more;
                sum.merge(*added);
            }
            (State::Double { count, sum }, State::Double { count: more, sum: added }) => {
                *count += more;
                *sum += added;
            }
            (State::Moments(moments), State::Moments(more)) => moments.merge(more),
            (State::Pairs(pairs), State::Pairs(more)) => pairs.merge(more),
            (State::Bits(bits), State::Bits(Some(more))) => {
                *bits = Some(combined(self.function, *bits, *more))
            }
            (State::Best(_), State::Best(Some((value, key)))) => self.take_best(value, key),
            _ => {}
        }
        Ok(())
    }

    /// Adds the arguments of a row.
    fn add(&mut self, arguments: &[Datum<'_>]) -> PolarsResult<()> {
        use AggregateFunction as F;
        let Some(value) = arguments.first() else {
            if let State::Count(count) = &mut self.state {
                *count += 1;
            }
            return Ok(());
        };
        // The argument that must not be NULL.
        let deciding = if matches!(self.function, F::MinBy | F::MaxBy) { &arguments[1] } else { value };
        if deciding.is_null() && self.function != F::ArrayAgg {
            return Ok(());
        }
        match &mut self.state {
            State::Count(count) if self.function == F::CountIf => {
                *count += i64::from(*value == Datum::Boolean(true));
            }
            State::Count(count) => *count += 1,
            State::Exact { count, sum } => {
                let number = match value {
                    Datum::Decimal(number) => *number,
                    other => i128::from(other.integer()),
                };
                *count += 1;
                sum.add(number);
            }
            State::Double { count, sum } => {
                *count += 1;
                *sum += if self.function == F::GeometricMean { value.double().ln() } else { value.double() };
            }
            State::Moments(moments) => moments.add(value.double()),
            State::Pairs(pairs) => {
                if !arguments[1].is_null() {
                    pairs.add(arguments[1].double(), value.double());
                }
            }
            State::Best(_) => self.take_best(value, deciding),
            State::Bits(bits) => *bits = Some(combined(self.function, *bits, value.integer())),
            State::Values { values, parameter } => {
                values.push(value.clone().into_owned());
                if let Some(given) = arguments.get(1) {
                    *parameter = given.clone().into_owned();
                }
            }
            State::Distinct(seen) => {
                seen.insert(key_of([value], NanPlace::Last));
            }
        }
        Ok(())
    }

    /// Retains the better of two values; of equal keys the first one. NaN is least or greatest only if there is no
    /// other value.
    fn take_best(&mut self, value: &Datum<'_>, key: &Datum<'_>) {
        use AggregateFunction as F;
        let State::Best(best) = &mut self.state else { return };
        let is_better = match (&best, self.function) {
            (None, _) => true,
            (Some(_), F::AnyValue) => false,
            (Some((_, best)), F::Max | F::MaxBy | F::BoolOr) => {
                compare_with(key, best, NanPlace::First).is_gt()
            }
            (Some((_, best)), _) => compare_with(key, best, NanPlace::Last).is_lt(),
        };
        if is_better {
            *best = Some((value.clone().into_owned(), key.clone().into_owned()));
        }
    }

    /// The value over the rows so far.
    fn value(&self) -> PolarsResult<Datum<'static>> {
        use AggregateFunction as F;
        Ok(match &self.state {
            State::Count(count) => Datum::Integer(*count),
            State::Exact { count: 0, .. } | State::Double { count: 0, .. } => Datum::Null,
            State::Exact { sum, .. } if self.function == F::Sum => match &self.output {
                Type::Decimal { precision, .. } => Datum::Decimal(within(sum.exact(), *precision)?),
                _ => {
                    let sum = sum.exact().and_then(|sum| i64::try_from(sum).ok());
                    Datum::Integer(sum.ok_or_else(|| out_of_range("bigint addition overflow"))?)
                }
            },
            State::Exact { count, sum } => match &self.output {
                Type::Decimal { .. } => sum.average(*count).map_or(Datum::Null, Datum::Decimal),
                // Of an interval a half is rounded up, also below zero.
                _ => {
                    let sum = sum.exact().ok_or_else(|| out_of_range("sum is out of range"))?;
                    let average = (2 * sum + i128::from(*count)).div_euclid(2 * i128::from(*count));
                    i64::try_from(average).map_or(Datum::Null, Datum::Integer)
                }
            },
            State::Double { count, sum } => {
                #[expect(clippy::cast_precision_loss, reason = "a count of rows in memory")]
                let count = *count as f64;
                Datum::Double(match self.function {
                    F::Sum => *sum,
                    F::GeometricMean => (sum / count).exp(),
                    _ => sum / count,
                })
            }
            State::Moments(moments) => number(match self.function {
                F::Stddev => moments.variance(1).map(f64::sqrt),
                F::StddevPop => moments.variance(0).map(f64::sqrt),
                F::Variance => moments.variance(1),
                F::VarPop => moments.variance(0),
                F::Skewness => moments.skewness(),
                _ => moments.kurtosis(),
            }),
            State::Pairs(pairs) => number(match self.function {
                F::CovarPop => pairs.covariance(0),
                F::CovarSamp => pairs.covariance(1),
                F::Corr => pairs.correlation(),
                F::RegrSlope => pairs.slope(),
                _ => pairs.intercept(),
            }),
            State::Best(best) => best.as_ref().map_or(Datum::Null, |(value, _)| value.clone()),
            State::Bits(bits) => bits.map_or(Datum::Null, Datum::Integer),
            State::Values { values, .. } if values.is_empty() => Datum::Null,
            State::Values { values, parameter } => match self.function {
                F::ListAgg => {
                    let texts: Vec<&str> = values.iter().map(Datum::text).collect();
                    Datum::from_text(texts.join(parameter.text()))
                }
                F::ApproxPercentile => percentile(values, parameter.double())?,
                _ => Datum::Array(values.clone()),
            },
            State::Distinct(seen) => Datum::Integer(i64::try_from(seen.len()).unwrap_or(i64::MAX)),
        })
    }
}

fn number(value: Option<f64>) -> Datum<'static> {
    value.map_or(Datum::Null, Datum::Double)
}

fn combined(function: AggregateFunction, bits: Option<i64>, more: i64) -> i64 {
    match (function, bits) {
        (_, None) => more,
        (AggregateFunction::BitwiseAndAgg, Some(bits)) => bits & more,
        (AggregateFunction::BitwiseOrAgg, Some(bits)) => bits | more,
        (_, Some(bits)) => bits ^ more,
    }
}

/// The value at a fraction of the sorted values.
fn percentile(values: &[Datum<'static>], fraction: f64) -> PolarsResult<Datum<'static>> {
    let is_finite = |value: &&Datum<'_>| !matches!(value, Datum::Double(number) if !number.is_finite());
    if let Some(value) = values.iter().find(|value| !is_finite(value)) {
        return Err(not_finite(value.double()));
    }
    let mut sorted = values.to_vec();
    let place = percentile_place(sorted.len(), fraction);
    let (_, found, _) =
        sorted.select_nth_unstable_by(place, |left, right| compare_with(left, right, NanPlace::Last));
    Ok(found.clone())
}

/// The index of a percentile among `count` values; there is at least one.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a place among values in memory"
)]
pub(super) fn percentile_place(count: usize, fraction: f64) -> usize {
    ((count as f64 * fraction) as usize).min(count.saturating_sub(1))
}

/// Trino's error for a percentile of values that are not finite.
pub(super) fn not_finite(value: f64) -> polars::prelude::PolarsError {
    let shown = crate::conversion::number_text::double_to_text(value);
    raise(ErrorCode::InvalidFunctionArgument, format!("value must be finite; was {shown}"))
}
