//! Functions of central moments: standard deviations, variances, skewness, kurtosis, and functions of pairs. Polars
//! merges the moments of its batches, so that large values that are close together stay accurate.

use polars::prelude::{DataType, Expr, NULL, lit, when};

use super::super::Lowering;
use super::super::aggregate_steps::Steps;
use super::Lowered;
use rowhouse_sql::functions::AggregateFunction;

impl Lowering<'_> {
    /// Adds a function of one variable, which is NULL below a minimum number of values.
    pub(super) fn spread(&mut self, function: AggregateFunction, values: Expr, steps: &mut Steps) -> Expr {
        use AggregateFunction as F;
        let values = values.cast(DataType::Float64);
        let n = self.add(values.clone().count(), steps).cast(DataType::Float64);
        let at_least =
            |least: f64, value: Expr| when(n.clone().gt_eq(lit(least))).then(value).otherwise(lit(NULL));
        let is_constant = self.is_constant(values.clone(), steps);
        let mut add = |aggregate: Expr| self.add(aggregate, steps);
        // The rounded mean of equal values may differ from them.
        let or_if_constant = |value: Expr, constant: f64| {
            let known = is_constant.clone().and(value.clone().is_not_nan());
            when(known).then(lit(constant)).otherwise(value)
        };
        match function {
            F::Stddev => at_least(2.0, or_if_constant(add(values.std(1)), 0.0)),
            F::StddevPop => at_least(1.0, or_if_constant(add(values.std(0)), 0.0)),
            F::Variance => at_least(2.0, or_if_constant(add(values.var(1)), 0.0)),
            F::VarPop => at_least(1.0, or_if_constant(add(values.var(0)), 0.0)),
            F::Skewness => at_least(3.0, or_if_constant(add(values.skew(true)), f64::NAN)),
            _ => {
                let standardized = add(values.kurtosis(false, true));
                let one = || lit(1.0);
                let excess = (n.clone() - one()) / ((n.clone() - lit(2.0)) * (n.clone() - lit(3.0)))
                    * ((n.clone() + one()) * standardized - lit(3.0) * (n.clone() - one()));
                at_least(4.0, or_if_constant(excess, f64::NAN))
            }
        }
    }

    /// Adds a function of pairs, over the pairs without a NULL.
    pub(super) fn of_pairs(&mut self, lowered: &Lowered<'_>, steps: &mut Steps) -> Expr {
        use AggregateFunction as F;
        let [y, x] = lowered.arguments.as_slice() else { return lit(NULL) };
        let both = y.clone().is_not_null().and(x.clone().is_not_null());
        let mut of_both = |value: &Expr| {
            let value = when(both.clone()).then(value.clone().cast(DataType::Float64)).otherwise(lit(NULL));
            self.before(value, steps)
        };
        let (y, x) = (of_both(y), of_both(x));
        let n = self.add(x.clone().count(), steps).cast(DataType::Float64);
        let is_x_constant = self.is_constant(x.clone(), steps);
        let is_y_constant = self.is_constant(y.clone(), steps);
        let covariance = self.add(polars::lazy::dsl::cov(x.clone(), y.clone(), 0), steps);
        let is_constant = is_x_constant.clone().or(is_y_constant.clone());
        let known = is_constant.and(covariance.clone().is_not_nan());
        let covariance = when(known).then(lit(0.0)).otherwise(covariance);
        let at_least =
            |least: f64, value: Expr| when(n.clone().gt_eq(lit(least))).then(value).otherwise(lit(NULL));
        let mut variance = |values: &Expr, is_constant: Expr| {
            let variance = self.add(values.clone().var(0), steps);
            when(is_constant).then(lit(0.0)).otherwise(variance)
        };
        let result = match lowered.call.function {
            F::CovarPop => return at_least(1.0, covariance),
            F::CovarSamp => return at_least(2.0, covariance * n.clone() / (n.clone() - lit(1.0))),
            F::Corr => {
                let (x, y) = (variance(&x, is_x_constant), variance(&y, is_y_constant));
                covariance / (x.sqrt() * y.sqrt())
            }
            F::RegrSlope => covariance / variance(&x, is_x_constant),
            _ => {
                let slope = covariance / variance(&x, is_x_constant);
                let (mean_x, mean_y) = (self.add(x.mean(), steps), self.add(y.mean(), steps));
                mean_y - slope * mean_x
            }
        };
        // The result is NULL for constant variables.
        when(result.clone().is_finite()).then(result).otherwise(lit(NULL))
    }

    /// Whether all numbers of a group are the same.
    fn is_constant(&mut self, values: Expr, steps: &mut Steps) -> Expr {
        let least = self.add(values.clone().min(), steps);
        least.eq(self.add(values.max(), steps))
    }
}
