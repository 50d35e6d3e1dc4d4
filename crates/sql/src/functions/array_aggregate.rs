//! Aggregate functions computed from the array of a group's values.

use super::functions;

functions! {
    /// An aggregate function that is planned as a function of `array_agg`; the values of a group must fit into memory.
    ArrayAggregate {
        /// The values that are there most often, and how often: buckets, value, capacity. All values are counted.
        ApproxMostFrequent = ["approx_most_frequent"]: ["(bigint, bigint, bigint) map(bigint,bigint)", "(bigint, varchar, bigint) map(varchar,bigint)"];
        /// The values' hashes as a sketch of how many are distinct, with a standard error of 1.6 %.
        ApproxSet = ["approx_set"]: ["(bigint) HyperLogLog", "(double) HyperLogLog", "(varchar) HyperLogLog"];
        /// A number of all values that does not depend on their order.
        Checksum = ["checksum"]: ["(T) varbinary"];
        /// How often each value is there.
        Histogram = ["histogram"]: ["(T) map(T,bigint)"];
        /// The first value of each key.
        MapAgg = ["map_agg"]: ["(T, U) map(T,U)"];
        /// The entries of all maps, of a key the first.
        MapUnion = ["map_union"]: ["(map(T,U)) map(T,U)"];
        /// Several sketches as one.
        Merge = ["merge"]: ["(HyperLogLog) HyperLogLog", "(qdigest(T)) qdigest(T)", "(tdigest) tdigest"];
        /// All values of each key.
        MultimapAgg = ["multimap_agg"]: ["(T, U) map(T,[U])"];
        /// So many centers of values and their weights; a third argument weighs the values.
        NumericHistogram = ["numeric_histogram"]: ["(bigint, real, double?) map(real,real)", "(bigint, double, double?) map(double,double)"];
        /// A sketch of the values' quantiles; weights, and an accuracy between 0 and 1 (0.01).
        QdigestAgg = ["qdigest_agg"]: ["(bigint, bigint?, double?) qdigest(bigint)", "(real, bigint?, double?) qdigest(real)", "(double, bigint?, double?) qdigest(double)"];
        /// A state, with every value that is not NULL: initial state, step, combination of states.
        ReduceAgg = ["reduce_agg"]: ["(T, U, function(U,T,U), function(U,U,U)) U"];
        /// A sketch of the values' quantiles, exact at both ends; weights of at least 1.
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
