//! Row pattern recognition as a node of the plan: MATCH_RECOGNIZE.

use std::collections::HashSet;

use super::{Field, Plan};
use crate::expr::{Expr, SortKey};
use crate::functions::AggregateFunction;
use crate::types::Type;

/// Most instructions of a pattern, its quantifiers written out: what is larger is refused before it is made.
pub const MAX_PATTERN_INSTRUCTIONS: u64 = 100_000;

/// Matches of a pattern in the rows of each partition. With one row a match it gives the columns of the partition and the
/// measures, else the input's columns and the measures.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchRecognize {
    /// Rows.
    pub input: Box<Plan>,
    /// Columns of the input; rows with equal values are one partition, NULLs being equal.
    pub partition_by: Vec<Expr>,
    /// Order within a partition.
    pub order_by: Vec<SortKey>,
    /// Names of the primary pattern variables, as CLASSIFIER() gives them.
    pub labels: Vec<String>,
    /// Of the labels.
    pub pattern: RowPattern,
    /// For each label what a row must fulfil; none: any row does.
    pub conditions: Vec<Option<PatternExpr>>,
    /// Columns of the result, computed of a match.
    pub measures: Vec<(Field, PatternExpr)>,
    /// What a match gives.
    pub rows_per_match: RowsPerMatch,
    /// Where the next match is looked for.
    pub skip_to: SkipTo,
}

/// A regular expression of labels, by their indexes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowPattern {
    /// One row.
    Label(usize),
    /// No row.
    Empty,
    /// `^`
    PartitionStart,
    /// `$`
    PartitionEnd,
    /// Rows that a match has and does not give.
    Exclusion(Box<Self>),
    /// The first that leads to a match is taken.
    Alternation(Vec<Self>),
    /// One after the other.
    Concatenation(Vec<Self>),
    /// In any order; an order of earlier ones first is taken before others.
    Permutation(Vec<Self>),
    /// Several times.
    Quantified {
        /// What.
        pattern: Box<Self>,
        /// At least so often.
        at_least: u32,
        /// At most so often.
        at_most: Option<u32>,
        /// As often as possible, or as seldom.
        is_greedy: bool,
    },
}

/// What a match gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowsPerMatch {
    /// ONE ROW PER MATCH.
    One,
    /// ALL ROWS PER MATCH [SHOW EMPTY MATCHES].
    ShowEmpty,
    /// ALL ROWS PER MATCH OMIT EMPTY MATCHES.
    OmitEmpty,
    /// ALL ROWS PER MATCH WITH UNMATCHED ROWS.
    WithUnmatched,
}

/// AFTER MATCH SKIP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SkipTo {
    /// The row behind the match.
    PastLastRow,
    /// The row behind the first one of the match.
    NextRow,
    /// The first row with one of these labels.
    First(Vec<usize>),
    /// The last row with one of these labels.
    Last(Vec<usize>),
}

/// An expression over the rows of a match.
#[derive(Clone, Debug, PartialEq)]
pub struct PatternExpr {
    /// A lambda expression, its parameters the inputs.
    pub value: Expr,
    /// What each parameter is.
    pub inputs: Vec<PatternInput>,
}

/// A value that an expression takes from a match.
#[derive(Clone, Debug, PartialEq)]
pub enum PatternInput {
    /// Of an expression over the input's columns, in a row.
    Value {
        /// The expression.
        value: Expr,
        /// The row; NULL where there is none.
        navigation: Navigation,
    },
    /// The label of a row; NULL where that is outside of the match.
    Classifier(Navigation),
    /// The number of the match in its partition, from 1.
    MatchNumber,
    /// An aggregate over rows of the match.
    Aggregate(PatternAggregate),
}

/// A row, seen from the current one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Navigation {
    /// Among the rows with these labels; none: among all.
    pub labels: Vec<usize>,
    /// From the last one back, or from the first one on.
    pub is_last: bool,
    /// Rows of the whole match count, not only those up to the current one.
    pub is_final: bool,
    /// So many such rows further.
    pub offset: u32,
    /// And from there so many rows on, or back, whatever their labels.
    pub rows: i64,
}

/// An aggregate over rows of a match.
#[derive(Clone, Debug, PartialEq)]
pub struct PatternAggregate {
    /// Which.
    pub function: AggregateFunction,
    /// The type of its value.
    pub output: Type,
    /// Over the rows with these labels; none: over all.
    pub labels: Vec<usize>,
    /// Rows of the whole match count, not only those up to the current one.
    pub is_final: bool,
    /// Arguments, each a lambda expression of the row's label and the number of the match, over the input's columns.
    pub args: Vec<Expr>,
}

impl MatchRecognize {
    /// The columns it gives.
    pub(super) fn fields(&self) -> Vec<Field> {
        let input = self.input.fields();
        let mut fields: Vec<Field> = if self.rows_per_match == RowsPerMatch::One {
            let ids: HashSet<_> = self.partition_by.iter().filter_map(Expr::as_column).collect();
            input.into_iter().filter(|field| ids.contains(&field.id)).collect()
        } else {
            input
        };
        fields.extend(self.measures.iter().map(|(field, _)| field.clone()));
        fields
    }

    /// Its own expressions.
    pub(super) fn expressions(&self) -> Vec<&Expr> {
        let of_matches = self.conditions.iter().flatten().chain(self.measures.iter().map(|(_, value)| value));
        let order = self.order_by.iter().map(|key| &key.expr);
        self.partition_by.iter().chain(order).chain(of_matches.flat_map(PatternExpr::expressions)).collect()
    }

    /// Its own expressions, to be changed in place.
    pub(super) fn expressions_mut(&mut self) -> Vec<&mut Expr> {
        let measures = self.measures.iter_mut().map(|(_, value)| value);
        let of_matches = self.conditions.iter_mut().flatten().chain(measures);
        let order = self.order_by.iter_mut().map(|key| &mut key.expr);
        let of_matches = of_matches.flat_map(PatternExpr::expressions_mut);
        self.partition_by.iter_mut().chain(order).chain(of_matches).collect()
    }
}

impl PatternExpr {
    fn expressions(&self) -> Vec<&Expr> {
        let inputs = self.inputs.iter().flat_map(|input| match input {
            PatternInput::Value { value, .. } => std::slice::from_ref(value),
            PatternInput::Aggregate(aggregate) => aggregate.args.as_slice(),
            PatternInput::Classifier(_) | PatternInput::MatchNumber => Default::default(),
        });
        std::iter::once(&self.value).chain(inputs).collect()
    }

    fn expressions_mut(&mut self) -> Vec<&mut Expr> {
        let inputs = self.inputs.iter_mut().flat_map(|input| match input {
            PatternInput::Value { value, .. } => std::slice::from_mut(value),
            PatternInput::Aggregate(aggregate) => aggregate.args.as_mut_slice(),
            PatternInput::Classifier(_) | PatternInput::MatchNumber => Default::default(),
        });
        std::iter::once(&mut self.value).chain(inputs).collect()
    }
}

impl Navigation {
    /// The current row.
    pub const CURRENT: Self = Self { labels: Vec::new(), is_last: true, is_final: false, offset: 0, rows: 0 };
}

impl RowPattern {
    /// Instructions of the program that it becomes, its quantifiers and permutations written out.
    pub fn instructions(&self) -> u64 {
        let all = |parts: &[Self]| parts.iter().map(Self::instructions).fold(0, u64::saturating_add);
        match self {
            Self::Empty => 0,
            Self::Label(_) | Self::PartitionStart | Self::PartitionEnd => 1,
            Self::Exclusion(pattern) => pattern.instructions().saturating_add(2),
            Self::Concatenation(parts) => all(parts),
            Self::Alternation(parts) => all(parts).saturating_add(2 * parts.len() as u64),
            Self::Permutation(parts) => {
                let orders = (1..=parts.len() as u64).fold(1, u64::saturating_mul);
                orders.saturating_mul(all(parts).saturating_add(2))
            }
            Self::Quantified { pattern, at_least, at_most, .. } => {
                let times = u64::from(at_most.unwrap_or((*at_least).max(1)));
                times.saturating_mul(pattern.instructions().saturating_add(1)).saturating_add(1)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_out_is_counted_before() {
        let times = |pattern: RowPattern, at_most: u32| RowPattern::Quantified {
            pattern: Box::new(pattern),
            at_least: 0,
            at_most: Some(at_most),
            is_greedy: true,
        };
        assert_eq!(times(RowPattern::Label(0), 3).instructions(), 7);
        let tower = (0..20).fold(RowPattern::Label(0), |inner, _| times(inner, u32::MAX));
        assert_eq!(tower.instructions(), u64::MAX);
        let labels: Vec<RowPattern> = (0..100).map(RowPattern::Label).collect();
        assert_eq!(RowPattern::Permutation(labels).instructions(), u64::MAX);
    }
}
