//! Row pattern recognition as a node of the plan: MATCH_RECOGNIZE.

use std::collections::HashSet;

use super::{Field, Plan};
use crate::expr::{Expr, SortKey};
use crate::functions::AggregateFunction;
use crate::types::Type;

/// Maximum number of instructions of a pattern after its quantifiers are expanded; larger patterns are refused before
/// expansion.
pub const MAX_PATTERN_INSTRUCTIONS: u64 = 100_000;

/// Matches of a pattern in the rows of each partition. With ONE ROW PER MATCH the output is the partition columns and
/// the measures, otherwise the input's columns and the measures.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchRecognize {
    /// The input.
    pub input: Box<Plan>,
    /// Columns of the input; rows with equal values are one partition; NULLs are equal.
    pub partition_by: Vec<Expr>,
    /// The order within a partition.
    pub order_by: Vec<SortKey>,
    /// The names of the primary pattern variables, as CLASSIFIER() returns them.
    pub labels: Vec<String>,
    /// The pattern, over the labels.
    pub pattern: RowPattern,
    /// The condition of each label; `None`: any row satisfies it.
    pub conditions: Vec<Option<PatternExpr>>,
    /// The measures: output columns that are computed from a match.
    pub measures: Vec<(Field, PatternExpr)>,
    /// The rows that a match returns.
    pub rows_per_match: RowsPerMatch,
    /// The place where the search for the next match starts.
    pub skip_to: SkipTo,
}

/// A regular expression of labels, by their indexes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowPattern {
    /// A row with this label.
    Label(usize),
    /// No row.
    Empty,
    /// `^`
    PartitionStart,
    /// `$`
    PartitionEnd,
    /// Rows that belong to a match but are not returned.
    Exclusion(Box<Self>),
    /// Alternatives; the first one that leads to a match is taken.
    Alternation(Vec<Self>),
    /// A sequence.
    Concatenation(Vec<Self>),
    /// The parts in any order; permutations are tried in lexicographic order.
    Permutation(Vec<Self>),
    /// A repetition.
    Quantified {
        /// The repeated pattern.
        pattern: Box<Self>,
        /// The minimum number of repetitions.
        at_least: u32,
        /// The maximum number of repetitions, if it is bounded.
        at_most: Option<u32>,
        /// Whether as many repetitions as possible are preferred, otherwise as few as possible.
        is_greedy: bool,
    },
}

/// The rows that a match returns.
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
    /// The row after the last row of the match.
    PastLastRow,
    /// The row after the first row of the match.
    NextRow,
    /// The first row with one of these labels.
    First(Vec<usize>),
    /// The last row with one of these labels.
    Last(Vec<usize>),
}

/// An expression over the rows of a match.
#[derive(Clone, Debug, PartialEq)]
pub struct PatternExpr {
    /// A lambda expression; its parameters are the inputs.
    pub value: Expr,
    /// The source of each parameter's value.
    pub inputs: Vec<PatternInput>,
}

/// A value of a match that is an input of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum PatternInput {
    /// The value of an expression over the input's columns, in one row.
    Value {
        /// The expression.
        value: Expr,
        /// The row; the value is NULL if there is none.
        navigation: Navigation,
    },
    /// The label of a row; NULL if the row is outside of the match.
    Classifier(Navigation),
    /// The number of the match in its partition, from 1.
    MatchNumber,
    /// An aggregate over rows of the match.
    Aggregate(PatternAggregate),
}

/// The position of a row relative to the current one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Navigation {
    /// Counts rows with these labels; if empty, all rows.
    pub labels: Vec<usize>,
    /// Counts backwards from the last row, otherwise forwards from the first row.
    pub is_last: bool,
    /// FINAL: uses the rows of the whole match, otherwise those up to the current row.
    pub is_final: bool,
    /// The number of such rows to skip.
    pub offset: u32,
    /// The physical offset from that row, regardless of labels: positive forwards, negative backwards.
    pub rows: i64,
}

/// An aggregate over rows of a match.
#[derive(Clone, Debug, PartialEq)]
pub struct PatternAggregate {
    /// The function.
    pub function: AggregateFunction,
    /// The type of its value.
    pub output: Type,
    /// Aggregates rows with these labels; if empty, all rows.
    pub labels: Vec<usize>,
    /// FINAL: uses the rows of the whole match, otherwise those up to the current row.
    pub is_final: bool,
    /// The arguments. Each is a lambda expression with the row's label and the match number as parameters, over the
    /// input's columns.
    pub args: Vec<Expr>,
}

impl MatchRecognize {
    /// The output columns.
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

    /// The node's own expressions.
    pub(super) fn expressions(&self) -> Vec<&Expr> {
        let of_matches = self.conditions.iter().flatten().chain(self.measures.iter().map(|(_, value)| value));
        let order = self.order_by.iter().map(|key| &key.expr);
        self.partition_by.iter().chain(order).chain(of_matches.flat_map(PatternExpr::expressions)).collect()
    }

    /// The node's own expressions, mutable.
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
    /// The number of instructions of the compiled pattern, with its quantifiers and permutations expanded.
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
    fn expanded_instructions_are_counted() {
        let times = |pattern: RowPattern, at_most: u32| RowPattern::Quantified {
            pattern: Box::new(pattern),
            at_least: 0,
            at_most: Some(at_most),
            is_greedy: true,
        };
        assert_eq!(times(RowPattern::Label(0), 3).instructions(), 7);
        let nested = (0..20).fold(RowPattern::Label(0), |inner, _| times(inner, u32::MAX));
        assert_eq!(nested.instructions(), u64::MAX);
        let labels: Vec<RowPattern> = (0..100).map(RowPattern::Label).collect();
        assert_eq!(RowPattern::Permutation(labels).instructions(), u64::MAX);
    }
}
