//! Aggregate functions computed from the array of a group's values.

use std::ops::RangeInclusive;

use super::functions;

/// The standard errors that `approx_distinct` takes, as in Trino, although its count is exact here.
pub const STANDARD_ERRORS: RangeInclusive<f64> = 0.004_062_5..=0.26;

functions! {
    /// An aggregate function that is planned as a function of `array_agg`; the values of a group must fit into memory.
    ArrayAggregate {
        /// A map of the most frequent values to their number of occurrences: buckets, value, capacity. All values are counted.
        ApproxMostFrequent = ["approx_most_frequent"]: ["(bigint, bigint, bigint) map(bigint,bigint)", "(bigint, varchar, bigint) map(varchar,bigint)"];
        /// A HyperLogLog sketch of the values, with a standard error of 1.6 %.
        ApproxSet = ["approx_set"]: ["(bigint) HyperLogLog", "(double) HyperLogLog", "(varchar) HyperLogLog"];
        /// A checksum of the values that does not depend on their order.
        Checksum = ["checksum"]: ["(T) varbinary"];
        /// A map of each distinct value to its number of occurrences.
        Histogram = ["histogram"]: ["(T) map(T,bigint)"];
        /// A map of keys to values; of a repeated key, its first value.
        MapAgg = ["map_agg"]: ["(T, U) map(T,U)"];
        /// The union of maps; of a repeated key, its first value.
        MapUnion = ["map_union"]: ["(map(T,U)) map(T,U)"];
        /// The union of several sketches.
        Merge = ["merge"]: ["(HyperLogLog) HyperLogLog", "(qdigest(T)) qdigest(T)", "(tdigest) tdigest"];
        /// A map of each key to the array of its values.
        MultimapAgg = ["multimap_agg"]: ["(T, U) map(T,[U])"];
        /// A map of the centers of at most n buckets to their weights; the third argument is a value's weight.
        NumericHistogram = ["numeric_histogram"]: ["(bigint, real, double?) map(real,real)", "(bigint, double, double?) map(double,double)"];
        /// A quantile digest of the values, with optional weights and accuracy (0 to 1, default 0.01).
        QdigestAgg = ["qdigest_agg"]: ["(bigint, bigint?, double?) qdigest(bigint)", "(real, bigint?, double?) qdigest(real)", "(double, bigint?, double?) qdigest(double)"];
        /// Folds the values that are not NULL: value, initial state, function of state and value, function that combines two states.
        ReduceAgg = ["reduce_agg"]: ["(T, U, function(U,T,U), function(U,U,U)) U"];
        /// A t-digest of the values, with optional weights of at least 1.
        TdigestAgg = ["tdigest_agg"]: ["(double, double?) tdigest"];
    }
}

/// Signatures of the forms that are missing in the registry's aggregates.
pub const AGGREGATE_FORMS: [(&str, &[&str]); 6] = [
    ("max", &["(T) T", "(T, bigint) [T]"]),
    ("min", &["(T) T", "(T, bigint) [T]"]),
    ("max_by", &["(T, U) T", "(T, U, bigint) [T]"]),
    ("min_by", &["(T, U) T", "(T, U, bigint) [T]"]),
    (
        "approx_percentile",
        &[
            "(T, double) T",
            "(T, [double]) [T]",
            "(T, double, double, double?) T",
            "(T, double, [double]) [T]",
        ],
    ),
    ("listagg", &["(varchar, varchar) varchar"]),
];
