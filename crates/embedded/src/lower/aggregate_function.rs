//! One aggregate function: its three steps. Counts and sums carry the number of values beside them, because
//! Polars' sum over nothing is 0 where SQL's is NULL.

use polars::prelude::{
    DataType, Expr, NULL, PlSmallStr, QuantileMethod, SortMultipleOptions, col, len, lit, when,
};
use rowhouse_model::QueryError;

use super::aggregate::Steps;
use super::partial_input::PartialInput;
use super::{Lowering, column_name};
use crate::data_type::storage;
use crate::expression::{constant_double, constant_text, lower_expression, not_supported};
use crate::numeric::{
    DecimalSums, checked_sum, decimal_average, high_halves, long_sum, none_large, sum_can_run_over,
};
use crate::partial_aggregation::{Partial, PartialKind};
use rowhouse_sql::expr::Expr as SqlExpr;
use rowhouse_sql::functions::AggregateFunction;
use rowhouse_sql::plan::{AggregateCall, Plan};
use rowhouse_sql::types::{MAX_DECIMAL_PRECISION, Type};

/// A call with its arguments as columns, and its filter.
pub(super) struct Lowered<'a> {
    pub(super) call: &'a AggregateCall,
    pub(super) arguments: Vec<Expr>,
    pub(super) filter: Option<Expr>,
    /// What partial aggregation makes of the first argument.
    pub(super) input: Option<PartialInput>,
    /// Whether no value of the first argument is NULL.
    pub(super) is_not_null: bool,
}

/// The values of a group, of which some may be passed over.
struct Values {
    /// Those that count.
    counted: Expr,
    input: Option<PartialInput>,
    /// Whether that is every row of the group.
    is_every_row: bool,
}

impl Lowering<'_> {
    pub(super) fn lower_aggregate(
        &mut self,
        call: &AggregateCall,
        input: &Plan,
        steps: &mut Steps,
    ) -> Result<(), QueryError> {
        let filter = match &call.filter {
            Some(filter) => {
                let filter = self.row_value(filter, steps)?;
                Some(self.before(filter, steps))
            }
            None => None,
        };
        let mut arguments = Vec::with_capacity(call.args.len());
        for argument in &call.args {
            let mut value = self.row_value(argument, steps)?;
            if let Some(filter) = &filter
                && passes_over_nulls(call.function)
            {
                value =
                    when(filter.clone()).then(value).otherwise(lit(NULL).cast(storage(&argument.data_type)));
            }
            arguments.push(match argument.as_column() {
                Some(_) if filter.is_none() => value,
                _ => self.before(value, steps),
            });
        }
        let first = call.args.first().zip(arguments.first());
        let is_not_null = filter.is_none() && first.is_some_and(|(first, _)| self.is_not_null(input, first));
        // A count computes what it counts: it may be an error.
        let is_sum = matches!(call.function, AggregateFunction::Sum | AggregateFunction::Avg);
        let computed = first.filter(|_| is_sum && filter.is_none());
        let computed = computed.and_then(|(first, _)| PartialInput::computed(first));
        let input = first.filter(|_| !call.is_distinct).and_then(|(first, column)| match column {
            Expr::Column(name) => computed.or_else(|| Some(PartialInput::column(name, &first.data_type))),
            _ => computed,
        });
        self.lower_function(&Lowered { call, arguments, filter, input, is_not_null }, steps)
    }

    /// Lowers an expression over the rows.
    fn row_value(&mut self, expr: &SqlExpr, steps: &mut Steps) -> Result<Expr, QueryError> {
        let mut staged = self.staged();
        let value = lower_expression(expr, &mut staged)?;
        steps.before.extend(staged.into_columns());
        Ok(value)
    }

    /// Adds a column of the rows.
    fn before(&mut self, value: Expr, steps: &mut Steps) -> Expr {
        let name = self.temporary();
        steps.before.push(value.alias(name.clone()));
        col(name)
    }

    /// Adds an aggregate under a name of its own.
    fn add(&mut self, aggregate: Expr, steps: &mut Steps) -> Expr {
        let name = self.temporary();
        steps.aggregates.push(aggregate.alias(name.clone()));
        col(name)
    }

    /// Adds an aggregate that is the sum of what batches give, if it is not there yet.
    fn add_partial(&mut self, aggregate: Expr, kind: Option<PartialKind>, steps: &mut Steps) -> Expr {
        let Some(kind) = kind else { return self.add(aggregate, steps) };
        if let Some(known) = steps.partials.iter().find(|partial| partial.kind == kind) {
            return col(known.output.clone());
        }
        let output = self.temporary();
        steps.aggregates.push(aggregate.alias(output.clone()));
        steps.partials.push(Partial { output: output.clone(), kind });
        col(output)
    }

    /// Adds the number of values that are not NULL.
    fn count(&mut self, values: &Values, steps: &mut Steps) -> Expr {
        if values.is_every_row {
            return self.rows(steps);
        }
        let kind = values.input.as_ref().map(PartialInput::count);
        self.add_partial(values.counted.clone().count(), kind, steps)
    }

    /// Adds the number of rows. Its type keeps Polars from counting the lines of text files.
    fn rows(&mut self, steps: &mut Steps) -> Expr {
        self.add_partial(len().cast(DataType::Int64), Some(PartialKind::Rows), steps)
    }

    /// Adds the sum of values.
    fn add_sum(&mut self, sum: Expr, input: Option<&PartialInput>, steps: &mut Steps) -> Expr {
        self.add_partial(sum, input.and_then(PartialInput::sum), steps)
    }

    pub(super) fn lower_function(
        &mut self,
        lowered: &Lowered<'_>,
        steps: &mut Steps,
    ) -> Result<(), QueryError> {
        use AggregateFunction as F;
        let call = lowered.call;
        let output: PlSmallStr = column_name(call.output.id);
        let wanted = storage(&call.output.data_type);
        let all = lowered.arguments.first().cloned();
        let Some(all) = all else {
            // count(*) is the only one without arguments.
            let count = match &lowered.filter {
                Some(filter) => self.add(filter.clone().sum(), steps),
                None => self.rows(steps),
            };
            steps.after.push(count.cast(DataType::Int64).alias(output));
            return Ok(());
        };
        let value = self.ordered(all.clone(), call, steps)?;
        let distinct = |value: Expr| if call.is_distinct { value.drop_nulls().unique() } else { value };
        let input = lowered.input.clone();
        let every = Values { counted: all.clone(), input, is_every_row: lowered.is_not_null };
        let result = match call.function {
            F::Count => {
                if call.is_distinct {
                    self.add(all.drop_nulls().n_unique(), steps)
                } else {
                    self.count(&every, steps)
                }
            }
            F::CountIf => self.add(all.sum(), steps).fill_null(lit(0)),
            F::Sum => self.sum(&call.args[0].data_type, distinct(all), &every, steps),
            F::Avg => {
                let is_every_row = every.is_every_row && !call.is_distinct;
                let counted = Values { counted: distinct(all.clone()), is_every_row, ..every };
                self.average(&call.args[0].data_type, distinct(all), &counted, steps)
            }
            F::Min => self.add(all.min(), steps),
            F::Max => self.add(all.max(), steps),
            F::MinBy => self.extreme_by(lowered, false, steps)?,
            F::MaxBy => self.extreme_by(lowered, true, steps)?,
            F::AnyValue => self.add(value.drop_nulls().first(), steps),
            F::ArrayAgg => self.array_agg(lowered, value, steps),
            F::ListAgg => {
                let separator = match call.args.get(1) {
                    Some(separator) => constant_text(separator)?,
                    None => String::new(),
                };
                let listed = self.add(distinct_in_order(value.drop_nulls(), call), steps);
                let joined = listed.clone().list().join(lit(separator), true);
                when(listed.list().len().gt(lit(0))).then(joined).otherwise(lit(NULL))
            }
            F::BoolAnd => self.add(all.min(), steps),
            F::BoolOr => self.add(all.max(), steps),
            F::ApproxDistinct => self.add(all.drop_nulls().n_unique(), steps),
            F::ApproxPercentile => {
                let fraction = constant_double(&call.args[1])?;
                self.add(all.drop_nulls().quantile(lit(fraction), QuantileMethod::Nearest), steps)
            }
            F::Stddev => self.spread(distinct(all), 2, Expr::std, 1, steps),
            F::StddevPop => self.spread(distinct(all), 1, Expr::std, 0, steps),
            F::Variance => self.spread(distinct(all), 2, Expr::var, 1, steps),
            F::VarPop => self.spread(distinct(all), 1, Expr::var, 0, steps),
            F::Corr | F::CovarSamp | F::CovarPop | F::RegrSlope | F::RegrIntercept => {
                self.bivariate(lowered, steps).cast(storage(&call.output.data_type))
            }
            F::GeometricMean => {
                let logarithms = all.cast(DataType::Float64).log(lit(std::f64::consts::E));
                self.add(logarithms.mean(), steps).exp().cast(storage(&call.output.data_type))
            }
            F::Skewness => self.moments(&all, steps, |n, m2, m3, _| {
                n.clone().sqrt() * m3 / m2.pow(lit(1.5))
                    * when(n.gt_eq(lit(3.0))).then(lit(1.0)).otherwise(lit(NULL))
            }),
            F::Kurtosis => self.moments(&all, steps, |n, m2, _, m4| {
                let one = || lit(1.0);
                let (n1, n2, n3) = (n.clone() - one(), n.clone() - lit(2.0), n.clone() - lit(3.0));
                let value = n.clone() * (n.clone() + one()) * n1.clone() * m4
                    / (n2.clone() * n3.clone() * m2.clone() * m2)
                    - lit(3.0) * n1.clone() * n1 / (n2 * n3);
                when(n.gt_eq(lit(4.0))).then(value).otherwise(lit(NULL))
            }),
            F::BitwiseAndAgg => self.if_any(all.bitwise_and(), &every, steps),
            F::BitwiseOrAgg => self.if_any(all.bitwise_or(), &every, steps),
            F::BitwiseXorAgg => self.if_any(all.bitwise_xor(), &every, steps),
        };
        steps.after.push(result.cast(wanted).alias(output));
        Ok(())
    }

    /// The values in the order that the call asks for.
    fn ordered(&mut self, value: Expr, call: &AggregateCall, steps: &mut Steps) -> Result<Expr, QueryError> {
        if call.order_by.is_empty() {
            return Ok(value);
        }
        let mut by = Vec::with_capacity(call.order_by.len());
        for key in &call.order_by {
            let key = self.row_value(&key.expr, steps)?;
            by.push(self.before(key, steps));
        }
        let options = SortMultipleOptions::default()
            .with_order_descending_multi(call.order_by.iter().map(|key| key.is_descending))
            .with_nulls_last_multi(call.order_by.iter().map(|key| !key.nulls_first))
            .with_maintain_order(true);
        Ok(value.sort_by(by, options))
    }

    /// An aggregate that is NULL where there is no value.
    fn if_any(&mut self, aggregate: Expr, values: &Values, steps: &mut Steps) -> Expr {
        let count = self.count(values, steps);
        let aggregate = self.add(aggregate, steps);
        when(count.gt(lit(0))).then(aggregate).otherwise(lit(NULL))
    }

    fn sum(&mut self, data_type: &Type, value: Expr, all: &Values, steps: &mut Steps) -> Expr {
        match data_type {
            // 64-bit integers are added up in 128 bits, and the sum must fit again.
            Type::BigInt => {
                let count = self.count(all, steps);
                let sum = self.add_sum(value.cast(DataType::Int128).sum(), all.input.as_ref(), steps);
                long_sum(when(count.gt(lit(0))).then(sum).otherwise(lit(NULL)))
            }
            Type::Decimal { precision, scale } => {
                let digits = (*precision, *scale);
                let most = Some(MAX_DECIMAL_PRECISION);
                let sum = self.decimal_sum(digits, value, all.input.as_ref(), most, steps);
                let count = self.count(all, steps);
                when(count.gt(lit(0))).then(sum).otherwise(lit(NULL))
            }
            Type::Double => {
                let count = self.count(all, steps);
                let sum = self.add_sum(value.sum(), all.input.as_ref(), steps);
                when(count.gt(lit(0))).then(sum).otherwise(lit(NULL))
            }
            _ => self.if_any(value.sum(), all, steps),
        }
    }

    /// A sum that fails where it has more than so many digits, or would need more than 128 bits.
    fn decimal_sum(
        &mut self,
        (precision, scale): (u8, u8),
        value: Expr,
        input: Option<&PartialInput>,
        max_precision: Option<u8>,
        steps: &mut Steps,
    ) -> Expr {
        if !sum_can_run_over(precision) {
            return self.add_sum(value.sum(), input, steps);
        }
        match self.sums {
            DecimalSums::Quick => self.add_sum(none_large(value, precision, scale).sum(), input, steps),
            DecimalSums::Careful => {
                let high = self.add(high_halves(value.clone()).sum(), steps);
                let sum = self.add(value.sum(), steps);
                checked_sum(sum, high, scale, max_precision)
            }
        }
    }

    fn average(&mut self, data_type: &Type, value: Expr, counted: &Values, steps: &mut Steps) -> Expr {
        match data_type {
            Type::Decimal { precision, scale } => {
                let digits = (*precision, *scale);
                let sum = self.decimal_sum(digits, value, counted.input.as_ref(), None, steps);
                let count = self.count(counted, steps);
                decimal_average(sum, count, *precision, *scale)
            }
            Type::Double => {
                let sum = self.add_sum(value.sum(), counted.input.as_ref(), steps);
                let count = self.count(counted, steps);
                when(count.clone().gt(lit(0))).then(sum / count).otherwise(lit(NULL))
            }
            Type::IntervalDayToSecond => {
                let mean = self.add(value.cast(DataType::Int64).mean(), steps);
                mean.round(0, polars::prelude::RoundMode::HalfAwayFromZero).cast(DataType::Int64)
            }
            Type::IntervalYearToMonth => {
                let mean = self.add(value.mean(), steps);
                mean.round(0, polars::prelude::RoundMode::HalfAwayFromZero)
            }
            _ => self.add(value.mean(), steps),
        }
    }

    /// Deviation or variance, NULL below a number of values.
    fn spread(
        &mut self,
        value: Expr,
        least_count: i64,
        function: fn(Expr, u8) -> Expr,
        degrees: u8,
        steps: &mut Steps,
    ) -> Expr {
        let count = self.add(value.clone().count(), steps);
        let spread = self.add(function(value, degrees), steps);
        when(count.gt_eq(lit(least_count))).then(spread).otherwise(lit(NULL))
    }

    fn extreme_by(
        &mut self,
        lowered: &Lowered<'_>,
        is_greatest: bool,
        steps: &mut Steps,
    ) -> Result<Expr, QueryError> {
        let [value, by] = lowered.arguments.as_slice() else {
            return Err(not_supported("min_by and max_by take two arguments here", None));
        };
        // NULL keys do not take part; the value at the extreme key counts even where it is NULL.
        let options = SortMultipleOptions::default()
            .with_order_descending(is_greatest)
            .with_nulls_last(true)
            .with_maintain_order(true);
        let first = value.clone().sort_by([by.clone()], options).first();
        let first = self.add(first, steps);
        let any = self.add(by.clone().count(), steps);
        Ok(when(any.gt(lit(0))).then(first).otherwise(lit(NULL)))
    }

    fn array_agg(&mut self, lowered: &Lowered<'_>, value: Expr, steps: &mut Steps) -> Expr {
        let call = lowered.call;
        let value = match &lowered.filter {
            Some(filter) if call.order_by.is_empty() => value.filter(filter.clone()),
            _ => value,
        };
        let listed = self.add(distinct_in_order(value, call), steps);
        when(listed.clone().list().len().gt(lit(0))).then(listed).otherwise(lit(NULL))
    }

    /// Functions of pairs, over those of which neither is NULL.
    fn bivariate(&mut self, lowered: &Lowered<'_>, steps: &mut Steps) -> Expr {
        use AggregateFunction as F;
        let [y, x] = lowered.arguments.as_slice() else { return lit(NULL) };
        let (y, x) = (y.clone().cast(DataType::Float64), x.clone().cast(DataType::Float64));
        let both = y.clone().is_not_null().and(x.clone().is_not_null());
        let y = self.before(when(both.clone()).then(y).otherwise(lit(NULL)), steps);
        let x = self.before(when(both).then(x).otherwise(lit(NULL)), steps);
        let n = self.add(x.clone().count(), steps).cast(DataType::Float64);
        let mean_x = self.add(x.clone().mean(), steps);
        let mean_y = self.add(y.clone().mean(), steps);
        let var_x = self.add(x.clone().var(0), steps);
        let var_y = self.add(y.clone().var(0), steps);
        let covariance = self.add(polars::lazy::dsl::cov(x, y, 0), steps);
        let at_least =
            |least: f64, value: Expr| when(n.clone().gt_eq(lit(least))).then(value).otherwise(lit(NULL));
        match lowered.call.function {
            F::CovarPop => at_least(1.0, covariance),
            F::CovarSamp => at_least(2.0, covariance * n.clone() / (n.clone() - lit(1.0))),
            F::Corr => at_least(1.0, covariance / (var_x.sqrt() * var_y.sqrt())),
            F::RegrSlope => at_least(1.0, covariance / var_x),
            _ => at_least(1.0, mean_y - covariance / var_x * mean_x),
        }
    }

    /// From the count and the central moments (sums of powers of the differences to the mean over n).
    fn moments(
        &mut self,
        value: &Expr,
        steps: &mut Steps,
        function: impl Fn(Expr, Expr, Expr, Expr) -> Expr,
    ) -> Expr {
        let n = self.add(value.clone().count(), steps).cast(DataType::Float64);
        let sum = |power: f64| value.clone().pow(lit(power)).sum();
        let (s1, s2) = (self.add(value.clone().sum(), steps), self.add(sum(2.0), steps));
        let (s3, s4) = (self.add(sum(3.0), steps), self.add(sum(4.0), steps));
        let mean = s1.clone() / n.clone();
        let mean2 = mean.clone() * mean.clone();
        let m2 = s2.clone() - mean2.clone() * n.clone();
        let m3 = s3.clone() - lit(3.0) * mean.clone() * s2.clone()
            + lit(2.0) * n.clone() * mean2.clone() * mean.clone();
        let m4 = s4 - lit(4.0) * mean.clone() * s3 + lit(6.0) * mean2.clone() * s2
            - lit(3.0) * n.clone() * mean2.clone() * mean2;
        function(n, m2, m3, m4)
    }
}

/// The values of a group as a list, each once if the call says DISTINCT.
fn distinct_in_order(value: Expr, call: &AggregateCall) -> Expr {
    if call.is_distinct { value.unique_stable().implode(true) } else { value.implode(true) }
}

/// Whether a NULL argument is as good as none, so that a filter can be a NULL.
const fn passes_over_nulls(function: AggregateFunction) -> bool {
    !matches!(function, AggregateFunction::ArrayAgg)
}
