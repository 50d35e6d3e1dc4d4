//! Aggregate functions.

use super::functions;

functions! {
    /// A function over the rows of a group. All but the counts return NULL over no rows. All but `array_agg` ignore
    /// NULL arguments.
    AggregateFunction {
        /// Rows; with an argument, those where it is not NULL.
        Count = ["count"]: ["() bigint", "(T) bigint"];
        /// Rows where it is TRUE.
        CountIf = ["count_if"]: ["(boolean) bigint"];
        /// Overflow is an error; decimals give `decimal(38,s)`.
        Sum = ["sum"]: ["(bigint) bigint", "(decimal) decimal", "(real) real", "(double) double", "(interval day) interval day", "(interval year) interval year"];
        /// Decimals keep their type (rounded half up); integers give a double.
        Avg = ["avg"]: ["(decimal) decimal", "(real) real", "(double) double", "(interval day) interval day", "(interval year) interval year"];
        /// Least; of NaN and numbers a number.
        Min = ["min"]: ["(T) T"];
        /// Greatest; of NaN and numbers a number.
        Max = ["max"]: ["(T) T"];
        /// The first argument where the second is least.
        MinBy = ["min_by", "arg_min"]: ["(T, U) T"];
        /// The first argument where the second is greatest.
        MaxBy = ["max_by", "arg_max"]: ["(T, U) T"];
        /// Any value that is not NULL, where there is one.
        AnyValue = ["any_value", "arbitrary"]: ["(T) T"];
        /// All values, NULLs too; NULL over no rows.
        ArrayAgg = ["array_agg"]: ["(T) [T]"];
        /// The values with a separator between them (a constant).
        ListAgg = ["listagg", "string_agg", "group_concat"]: ["(varchar, varchar?) varchar"];
        /// All are TRUE.
        BoolAnd = ["bool_and", "every"]: ["(boolean) boolean"];
        /// One is TRUE.
        BoolOr = ["bool_or"]: ["(boolean) boolean"];
        /// Distinct values; exact where that is affordable.
        ApproxDistinct = ["approx_distinct"]: ["(T) bigint", "(T, double) bigint"];
        /// The value before which a fraction of the values lies (a constant in 0..1), none of them NaN or infinite.
        ApproxPercentile = ["approx_percentile"]: ["(bigint, double) bigint", "(real, double) real", "(double, double) double"];
        /// Of a sample.
        Stddev = ["stddev", "stddev_samp"]: ["(double) double"];
        /// Of a population.
        StddevPop = ["stddev_pop"]: ["(double) double"];
        /// Of a sample.
        Variance = ["variance", "var_samp"]: ["(double) double"];
        /// Of a population.
        VarPop = ["var_pop"]: ["(double) double"];
        /// Pearson's; NULL where one of the two does not vary.
        Corr = ["corr"]: ["(real, real) real", "(double, double) double"];
        /// Of a sample.
        CovarSamp = ["covar_samp"]: ["(real, real) real", "(double, double) double"];
        /// Of a population.
        CovarPop = ["covar_pop"]: ["(real, real) real", "(double, double) double"];
        /// Of the line y (first) over x (second); NULL where x does not vary.
        RegrSlope = ["regr_slope"]: ["(real, real) real", "(double, double) double"];
        /// Of the line y (first) over x (second); NULL where x does not vary.
        RegrIntercept = ["regr_intercept"]: ["(real, real) real", "(double, double) double"];
        /// The n-th root of the product.
        GeometricMean = ["geometric_mean"]: ["(real) real", "(double) double"];
        /// Fisher's moment coefficient of the population; NULL of fewer than three values.
        Skewness = ["skewness"]: ["(double) double"];
        /// Excess, of a sample; NULL of fewer than four values.
        Kurtosis = ["kurtosis"]: ["(double) double"];
        /// Bitwise AND.
        BitwiseAndAgg = ["bitwise_and_agg"]: ["(bigint) bigint"];
        /// Bitwise OR.
        BitwiseOrAgg = ["bitwise_or_agg"]: ["(bigint) bigint"];
        /// Bitwise XOR.
        BitwiseXorAgg = ["bitwise_xor_agg"]: ["(bigint) bigint"];
    }
}

impl AggregateFunction {
    /// Whether its result depends on the order of its rows.
    pub(crate) const fn sees_order(self) -> bool {
        matches!(self, Self::ArrayAgg | Self::ListAgg | Self::AnyValue)
    }
}
