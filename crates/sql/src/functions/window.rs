//! Functions that are valid only over windows, and aggregates over them.

use super::{AggregateFunction, functions};

functions! {
    /// A function that requires OVER.
    RankingFunction {
        /// The number of the row in its partition, from 1.
        RowNumber = ["row_number"]: ["() bigint"];
        /// The rank of the row in its partition, with gaps after peers.
        Rank = ["rank"]: ["() bigint"];
        /// The rank of the row in its partition, without gaps after peers.
        DenseRank = ["dense_rank"]: ["() bigint"];
        /// (rank - 1) / (rows - 1); 0 in a partition of one row.
        PercentRank = ["percent_rank"]: ["() double"];
        /// The number of rows up to and including the row's peers, divided by the partition's rows.
        CumeDist = ["cume_dist"]: ["() double"];
        /// The number of the row's bucket, 1 to n; bucket sizes differ by at most one, the larger buckets first.
        Ntile = ["ntile"]: ["(bigint) bigint"];
        /// The value a number of rows before (default 1); outside of the partition the default, or NULL.
        Lag = ["lag"]: ["(T, bigint?, T?) T"];
        /// The value a number of rows after (default 1); outside of the partition the default, or NULL.
        Lead = ["lead"]: ["(T, bigint?, T?) T"];
        /// The value in the first row of the frame.
        FirstValue = ["first_value"]: ["(T) T"];
        /// The value in the last row of the frame.
        LastValue = ["last_value"]: ["(T) T"];
        /// The value in the n-th row of the frame, from 1; NULL if the frame has fewer rows.
        NthValue = ["nth_value"]: ["(T, bigint) T"];
    }
}

impl RankingFunction {
    /// Whether its result depends on the frame, so that a frame is allowed.
    pub const fn uses_frame(self) -> bool {
        matches!(self, Self::FirstValue | Self::LastValue | Self::NthValue)
    }

    /// Whether a window without an order is refused.
    pub const fn needs_order(self) -> bool {
        matches!(self, Self::Lag | Self::Lead)
    }
}

/// The function of a call with OVER.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WindowFunction {
    /// A function that is valid only over windows.
    Ranking(RankingFunction),
    /// An aggregate function over the frame.
    Aggregate(AggregateFunction),
}

impl WindowFunction {
    /// The displayed name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ranking(function) => function.name(),
            Self::Aggregate(function) => function.name(),
        }
    }
}
