//! Aggregate functions.

use super::functions;

functions! {
    /// A function over the rows of a group. All but the counts return NULL over no rows. All but `array_agg` ignore
    /// NULL arguments.
    AggregateFunction {
        /// The number of rows, or of rows in which the argument is not NULL.
        Count = ["count"]: ["() bigint", "(T) bigint"];
        /// The number of rows in which the argument is TRUE.
        CountIf = ["count_if"]: ["(boolean) bigint"];
        /// The sum; an error if it overflows. Of decimals, a `decimal(38,s)`.
        Sum = ["sum"]: ["(bigint) bigint", "(decimal) decimal", "(real) real", "(double) double", "(interval day) interval day", "(interval year) interval year"];
        /// The arithmetic mean; of decimals in their own type, rounded half up; of integers a double.
        Avg = ["avg"]: ["(decimal) decimal", "(real) real", "(double) double", "(interval day) interval day", "(interval year) interval year"];
        /// The least value; with n, the n least values as an array. Numbers precede NaN.
        Min = ["min"]: ["(T) T"];
        /// The greatest value; with n, the n greatest values as an array. NaN only if all values are.
        Max = ["max"]: ["(T) T"];
        /// The first argument in the row where the second is least; with n, in the n such rows as an array.
        MinBy = ["min_by", "arg_min"]: ["(T, U) T"];
        /// The first argument in the row where the second is greatest; with n, in the n such rows as an array.
        MaxBy = ["max_by", "arg_max"]: ["(T, U) T"];
        /// An arbitrary value that is not NULL, if there is one.
        AnyValue = ["any_value", "arbitrary"]: ["(T) T"];
        /// All values as an array, NULLs included; NULL if there are no rows.
        ArrayAgg = ["array_agg"]: ["(T) [T]"];
        /// The values joined by a separator, which is a constant.
        ListAgg = ["listagg", "string_agg", "group_concat"]: ["(varchar, varchar?) varchar"];
        /// Whether all values are TRUE.
        BoolAnd = ["bool_and", "every"]: ["(boolean) boolean"];
        /// Whether any value is TRUE.
        BoolOr = ["bool_or"]: ["(boolean) boolean"];
        /// The number of distinct values; always exact here.
        ApproxDistinct = ["approx_distinct"]: ["(T) bigint", "(T, double) bigint"];
        /// The value at a percentile between 0 and 1, that of the last row if it is no constant; NaN and infinite values are an error.
        ApproxPercentile = ["approx_percentile"]: ["(bigint, double) bigint", "(real, double) real", "(double, double) double"];
        /// The sample standard deviation.
        Stddev = ["stddev", "stddev_samp"]: ["(double) double"];
        /// The population standard deviation.
        StddevPop = ["stddev_pop"]: ["(double) double"];
        /// The sample variance.
        Variance = ["variance", "var_samp"]: ["(double) double"];
        /// The population variance.
        VarPop = ["var_pop"]: ["(double) double"];
        /// Pearson's correlation coefficient; NULL if one of the two arguments does not vary.
        Corr = ["corr"]: ["(real, real) real", "(double, double) double"];
        /// The sample covariance.
        CovarSamp = ["covar_samp"]: ["(real, real) real", "(double, double) double"];
        /// The population covariance.
        CovarPop = ["covar_pop"]: ["(real, real) real", "(double, double) double"];
        /// The slope of the regression line of y (first argument) over x (second); NULL if x does not vary.
        RegrSlope = ["regr_slope"]: ["(real, real) real", "(double, double) double"];
        /// The intercept of the regression line of y (first argument) over x (second); NULL if x does not vary.
        RegrIntercept = ["regr_intercept"]: ["(real, real) real", "(double, double) double"];
        /// The geometric mean.
        GeometricMean = ["geometric_mean"]: ["(real) real", "(double) double"];
        /// The skewness of the population (Fisher's moment coefficient); NULL for fewer than three values.
        Skewness = ["skewness"]: ["(double) double"];
        /// The sample excess kurtosis; NULL for fewer than four values.
        Kurtosis = ["kurtosis"]: ["(double) double"];
        /// The bitwise AND of all values.
        BitwiseAndAgg = ["bitwise_and_agg"]: ["(bigint) bigint"];
        /// The bitwise OR of all values.
        BitwiseOrAgg = ["bitwise_or_agg"]: ["(bigint) bigint"];
        /// The bitwise XOR of all values.
        BitwiseXorAgg = ["bitwise_xor_agg"]: ["(bigint) bigint"];
    }
}

impl AggregateFunction {
    /// Whether its result depends on the order of its rows.
    pub(crate) const fn is_order_sensitive(self) -> bool {
        matches!(self, Self::ArrayAgg | Self::ListAgg | Self::AnyValue)
    }
}
