//! The conjunction of all filters of a read, cheap ones first. Patterns on text are tested row by row and, in a long
//! text, piece by piece, so a row never takes longer than its turn.

use super::key::f64_key;
use super::predicate::{Predicate, Test};
use rowhouse_rows::arrow_file::Batch;
use rowhouse_rows::arrow_file::column::{ColumnValues, Values};
use rowhouse_rows::{Budget, TestPlace};

/// A text whose pattern needs more steps than this is matched in pieces of this many steps.
const PIECE_STEPS: u64 = 128 << 10;
/// Cost of accessing a text and inspecting its ends, in steps.
const TEXT_STEPS: u64 = 16;

/// A conjunction of tests.
#[derive(Clone, Debug)]
pub(super) struct Conjunction {
    /// Tests on values of bounded size, the cheapest first, which leaves the fewest rows to the expensive ones.
    pub(super) quick: Vec<Predicate>,
    /// Tests by pattern.
    pub(super) patterns: Vec<Predicate>,
    /// Cost of all quick tests per row, in steps.
    quick_steps: u64,
}

impl Conjunction {
    pub(super) fn new(predicates: Vec<Predicate>) -> Self {
        let (mut quick, patterns): (Vec<_>, Vec<_>) =
            predicates.into_iter().partition(|predicate| !matches!(predicate.test, Test::Like(_)));
        quick.sort_by_key(|predicate| predicate.test.steps());
        let quick_steps = quick.iter().map(|predicate| predicate.test.steps()).sum();
        Self { quick, patterns, quick_steps }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.quick.is_empty() && self.patterns.is_empty()
    }

    /// Whether a row passes; none if the budget is spent before the answer is known. A further call with the same place
    /// continues.
    pub(super) fn test(
        &self,
        batch: &Batch,
        row: usize,
        place: &mut TestPlace,
        budget: &mut Budget,
    ) -> Option<bool> {
        if *place == TestPlace::default() {
            budget.spend(self.quick_steps);
            if !self.quick.iter().all(|predicate| predicate.matches(batch, row)) {
                return Some(false);
            }
        }
        self.test_patterns(batch, row, place, budget, |_, _| {})
    }

    /// The same for patterns only. `note` is called with the index and the answer of each.
    #[inline]
    pub(super) fn test_patterns(
        &self,
        batch: &Batch,
        row: usize,
        place: &mut TestPlace,
        budget: &mut Budget,
        mut note: impl FnMut(usize, bool),
    ) -> Option<bool> {
        while let Some(predicate) = self.patterns.get(place.passed) {
            let passes =
                predicate.test.matches_pattern(batch.column(predicate.column), row, place, budget)?;
            note(place.passed, passes);
            if !passes {
                return Some(false);
            }
            *place = TestPlace { passed: place.passed + 1, ..TestPlace::default() };
        }
        Some(true)
    }
}

impl Predicate {
    /// Whether a row of a batch passes.
    pub(super) fn matches(&self, batch: &Batch, row: usize) -> bool {
        self.test.matches(batch.column(self.column), row)
    }
}

impl Test {
    /// Whether the value of a row passes.
    pub(super) fn matches(&self, column: &ColumnValues, row: usize) -> bool {
        let is_null = column.is_null(row);
        match self {
            Self::IsNull(wanted) => is_null == *wanted,
            Self::IsNotTruth(truth) => {
                is_null || !matches!(&column.values, Values::Boolean(values) if values.value(row) == *truth)
            }
            _ if is_null => false,
            Self::Narrow(ranges) => {
                narrow_key(&column.values, row).is_some_and(|key| Self::has_narrow(ranges, key))
            }
            Self::Wide(ranges) => match &column.values {
                Values::Decimal { values, .. } => Self::has_wide(ranges, values.get(row)),
                Values::UInt64(values) => Self::has_wide(ranges, values[row].into()),
                _ => false,
            },
            Self::Text(ranges) => match &column.values {
                Values::Text(text) => Self::has_text(ranges, text.value(row)),
                _ => false,
            },
            Self::Like(pattern) => match &column.values {
                Values::Text(text) => pattern.matches_utf8(text.value(row)),
                _ => false,
            },
        }
    }

    /// As [`Test::matches`] for a pattern, within a budget.
    fn matches_pattern(
        &self,
        column: &ColumnValues,
        row: usize,
        place: &mut TestPlace,
        budget: &mut Budget,
    ) -> Option<bool> {
        let (Self::Like(pattern), Values::Text(texts)) = (self, &column.values) else {
            return Some(self.matches(column, row));
        };
        if column.is_null(row) {
            budget.spend(1);
            return Some(false);
        }
        let text = texts.value(row);
        let steps = TEXT_STEPS + text.len() as u64 * pattern.steps_per_byte();
        if steps <= PIECE_STEPS {
            budget.spend(steps);
            return Some(pattern.matches_utf8(text));
        }
        let piece_bytes = (PIECE_STEPS / pattern.steps_per_byte()) as usize;
        loop {
            let before = place.like.looked_at();
            let is_match = pattern.advance(text, &mut place.like, piece_bytes);
            let looked_at = (place.like.looked_at() - before) as u64;
            budget.spend(TEXT_STEPS + looked_at * pattern.steps_per_byte());
            if is_match.is_some() || budget.is_spent() {
                return is_match;
            }
        }
    }

    /// Cost of testing one value, in steps; for a pattern, without its text.
    pub(super) fn steps(&self) -> u64 {
        let search_steps = |ranges: usize| u64::from(ranges.checked_ilog2().unwrap_or(0));
        match self {
            Self::IsNull(_) | Self::IsNotTruth(_) => 1,
            Self::Narrow(ranges) => 1 + search_steps(ranges.len()),
            Self::Wide(ranges) => 2 + search_steps(ranges.len()),
            Self::Text(ranges) => TEXT_STEPS * (1 + search_steps(ranges.len())),
            Self::Like(_) => TEXT_STEPS,
        }
    }

    /// Whether a core tests some thousand values in microseconds.
    pub(super) fn is_quick(&self) -> bool {
        !matches!(self, Self::Text(_) | Self::Like(_))
    }

    /// Cost of checking a batch's statistics, in steps.
    pub(super) fn look_steps(&self) -> u64 {
        /// The statistics of batches are not adjacent in memory.
        const APART: u64 = 16;
        APART
            + match self {
                Self::Narrow(ranges) => ranges.len() as u64,
                Self::Wide(ranges) => ranges.len() as u64,
                Self::Text(ranges) => ranges.len() as u64 * TEXT_STEPS,
                Self::IsNull(_) | Self::IsNotTruth(_) | Self::Like(_) => 1,
            }
    }
}

/// The key of a value of a column of `KeyKind::Narrow`.
fn narrow_key(values: &Values, row: usize) -> Option<i64> {
    Some(match values {
        Values::Boolean(values) => values.value(row).into(),
        Values::Int8(values) => values[row].into(),
        Values::Int16(values) => values[row].into(),
        Values::Int32(values)
        | Values::Date(values)
        | Values::Months(values)
        | Values::Time32 { values, .. } => values[row].into(),
        Values::Int64(values)
        | Values::Time64 { values, .. }
        | Values::Timestamp { values, .. }
        | Values::ZonedTimestamp { values, .. }
        | Values::Duration { values, .. } => values[row],
        Values::UInt8(values) => values[row].into(),
        Values::UInt16(values) => values[row].into(),
        Values::UInt32(values) => values[row].into(),
        Values::Float32(values) => f64_key(values[row].into()),
        Values::Float64(values) => f64_key(values[row]),
        _ => return None,
    })
}
