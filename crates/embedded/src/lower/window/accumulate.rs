//! Aggregates over a frame, a row at a time.

use polars::prelude::PolarsResult;
use rowhouse_model::ErrorCode;

use crate::datum::Datum;
use crate::expression::compare;
use crate::failure::raise;
use crate::numeric::{out_of_range, rounded_division, within};
use rowhouse_sql::functions::AggregateFunction;
use rowhouse_sql::types::Type;

/// The state of one aggregate.
#[derive(Clone)]
pub(super) struct Accumulator {
    function: AggregateFunction,
    output: Type,
    count: i64,
    exact: i128,
    /// Count, mean and sum of squared differences, by Welford's method.
    mean: f64,
    squares: f64,
    sum: f64,
    /// The value, and for the `_by` functions its key.
    best: Option<(Datum<'static>, Datum<'static>)>,
    values: Vec<Datum<'static>>,
}

impl Accumulator {
    /// Over no rows yet.
    pub(super) fn new(function: AggregateFunction, _: &[Type], output: &Type) -> PolarsResult<Self> {
        use AggregateFunction as F;
        let is_known = matches!(
            function,
            F::Count
                | F::CountIf
                | F::Sum
                | F::Avg
                | F::Min
                | F::Max
                | F::MinBy
                | F::MaxBy
                | F::AnyValue
                | F::ArrayAgg
                | F::BoolAnd
                | F::BoolOr
                | F::ApproxDistinct
                | F::Stddev
                | F::StddevPop
                | F::Variance
                | F::VarPop
        );
        if !is_known {
            let what = format!("{} is not supported over a window", function.name());
            return Err(raise(ErrorCode::NotSupported, what));
        }
        Ok(Self {
            function,
            output: output.clone(),
            count: 0,
            exact: 0,
            mean: 0.0,
            squares: 0.0,
            sum: 0.0,
            best: None,
            values: Vec::new(),
        })
    }

    /// Whether two parts can be put together without looking at their rows again.
    pub(super) const fn is_mergeable(&self) -> bool {
        !matches!(self.function, AggregateFunction::ArrayAgg | AggregateFunction::ApproxDistinct)
    }

    /// Adds the rows of another, which come after this one's.
    pub(super) fn merge(&mut self, later: &Self) -> PolarsResult<()> {
        if later.count > 0 {
            #[expect(clippy::cast_precision_loss, reason = "counts of rows in memory")]
            let (own, others) = (self.count as f64, later.count as f64);
            let difference = later.mean - self.mean;
            self.squares += later.squares + difference * difference * own * others / (own + others);
            self.mean =
                if self.count == 0 { later.mean } else { self.mean + difference * others / (own + others) };
            self.sum = if self.count == 0 { later.sum } else { self.sum + later.sum };
            self.count += later.count;
            self.exact = self.exact.checked_add(later.exact).ok_or_else(sum_overflow)?;
        }
        match &later.best {
            None => {}
            Some((value, _)) if self.function == AggregateFunction::AnyValue => {
                self.best.get_or_insert_with(|| (value.clone(), Datum::Null));
            }
            Some((value, key)) => {
                use AggregateFunction::{BoolOr, Max, MaxBy};
                self.take_best(value, key, matches!(self.function, Max | BoolOr | MaxBy));
            }
        }
        Ok(())
    }

    /// Adds a row's arguments.
    pub(super) fn add(&mut self, arguments: &[Datum<'_>]) -> PolarsResult<()> {
        use AggregateFunction as F;
        let Some(value) = arguments.first() else {
            self.count += 1;
            return Ok(());
        };
        if self.function == F::ArrayAgg {
            self.values.push(value.clone().into_owned());
            return Ok(());
        }
        if matches!(self.function, F::MinBy | F::MaxBy) {
            let key = &arguments[1];
            if !key.is_null() {
                self.take_best(value, key, self.function == F::MaxBy);
            }
            return Ok(());
        }
        if value.is_null() {
            return Ok(());
        }
        match self.function {
            F::CountIf => self.count += i64::from(*value == Datum::Boolean(true)),
            F::Min | F::BoolAnd => self.take_best(value, value, false),
            F::Max | F::BoolOr => self.take_best(value, value, true),
            F::AnyValue => {
                if self.best.is_none() {
                    self.best = Some((value.clone().into_owned(), Datum::Null));
                }
            }
            F::ApproxDistinct => {
                if !self.values.contains(value) {
                    self.values.push(value.clone().into_owned());
                }
            }
            _ => {
                self.count += 1;
                self.add_number(value)?;
            }
        }
        Ok(())
    }

    fn add_number(&mut self, value: &Datum<'_>) -> PolarsResult<()> {
        match value {
            Datum::Integer(number) => {
                self.exact = self.exact.checked_add(i128::from(*number)).ok_or_else(sum_overflow)?;
            }
            Datum::Decimal(number) => {
                self.exact = self.exact.checked_add(*number).ok_or_else(sum_overflow)?
            }
            Datum::Double(number) => {
                self.sum += number;
                #[expect(clippy::cast_precision_loss, reason = "a count of rows in memory")]
                let count = self.count as f64;
                let difference = number - self.mean;
                self.mean += difference / count;
                self.squares += difference * (number - self.mean);
            }
            _ => {}
        }
        Ok(())
    }

    fn take_best(&mut self, value: &Datum<'_>, key: &Datum<'_>, is_greatest: bool) {
        let is_better = match &self.best {
            None => true,
            Some((_, best)) => {
                let order = compare(key, best);
                if is_greatest { order.is_gt() } else { order.is_lt() }
            }
        };
        if is_better {
            self.best = Some((value.clone().into_owned(), key.clone().into_owned()));
        }
    }

    /// The value over the rows so far.
    pub(super) fn value(&self) -> PolarsResult<Datum<'static>> {
        use AggregateFunction as F;
        #[expect(clippy::cast_precision_loss, reason = "a count of rows in memory")]
        let count = self.count as f64;
        let spread = |least: i64, divisor: f64| (self.count >= least).then(|| self.squares / divisor);
        Ok(match self.function {
            F::Count | F::CountIf => Datum::Integer(self.count),
            F::ApproxDistinct => Datum::Integer(i64::try_from(self.values.len()).unwrap_or(i64::MAX)),
            F::ArrayAgg if self.values.is_empty() => Datum::Null,
            F::ArrayAgg => Datum::Array(self.values.clone()),
            F::Sum if self.count == 0 => Datum::Null,
            F::Sum => match &self.output {
                Type::Real | Type::Double => Datum::Double(self.sum),
                Type::Decimal { precision, .. } => Datum::Decimal(within(Some(self.exact), *precision)?),
                _ => Datum::Integer(
                    i64::try_from(self.exact).map_err(|_| out_of_range("bigint addition overflow"))?,
                ),
            },
            F::Avg if self.count == 0 => Datum::Null,
            F::Avg => match &self.output {
                Type::Real | Type::Double => Datum::Double(self.sum / count),
                Type::Decimal { .. } => {
                    rounded_division(self.exact, i128::from(self.count)).map_or(Datum::Null, Datum::Decimal)
                }
                _ => {
                    let average = rounded_division(self.exact, i128::from(self.count));
                    average
                        .and_then(|average| i64::try_from(average).ok())
                        .map_or(Datum::Null, Datum::Integer)
                }
            },
            F::Stddev => spread(2, count - 1.0).map_or(Datum::Null, |value| Datum::Double(value.sqrt())),
            F::StddevPop => spread(1, count).map_or(Datum::Null, |value| Datum::Double(value.sqrt())),
            F::Variance => spread(2, count - 1.0).map_or(Datum::Null, Datum::Double),
            F::VarPop => spread(1, count).map_or(Datum::Null, Datum::Double),
            _ => self.best.as_ref().map_or(Datum::Null, |(value, _)| value.clone()),
        })
    }
}

fn sum_overflow() -> polars::prelude::PolarsError {
    out_of_range("sum over a window is out of range")
}
