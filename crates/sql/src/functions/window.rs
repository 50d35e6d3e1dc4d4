//! Functions that are valid only over windows, and aggregates over them.

use super::{AggregateFunction, functions};

functions! {
    /// A function that requires OVER.
    RankingFunction {
        /// 1, 2, …
        RowNumber = ["row_number"]: ["() bigint"];
        /// With gaps.
        Rank = ["rank"]: ["() bigint"];
        /// Without gaps.
        DenseRank = ["dense_rank"]: ["() bigint"];
        /// (rank - 1) / (rows - 1), 0 for one row.
        PercentRank = ["percent_rank"]: ["() double"];
        /// Rows up to and with the peers / rows.
        CumeDist = ["cume_dist"]: ["() double"];
        /// The bucket, 1 to n, of nearly equal sizes, the larger ones first.
        Ntile = ["ntile"]: ["(bigint) bigint"];
        /// The value so many rows before (default 1), else the default or NULL.
        Lag = ["lag"]: ["(T, bigint?, T?) T"];
        /// The value so many rows after (default 1), else the default or NULL.
        Lead = ["lead"]: ["(T, bigint?, T?) T"];
        /// Of the frame.
        FirstValue = ["first_value"]: ["(T) T"];
        /// Of the frame.
        LastValue = ["last_value"]: ["(T) T"];
        /// Of the frame, from 1; NULL where the frame is shorter.
        NthValue = ["nth_value"]: ["(T, bigint) T"];
    }
}

impl RankingFunction {
    /// Whether its result depends on the frame, so that a frame is allowed.
    pub const fn sees_frame(self) -> bool {
        matches!(self, Self::FirstValue | Self::LastValue | Self::NthValue)
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
