//! The rows of matches and their measures, which are computed for many rows at once.

use polars::prelude::{Column, IdxSize, IntoColumn, NamedFrom, PolarsResult, Series};
use rowhouse_model::ErrorCode;

use super::aggregate::{Source, built};
use super::condition::{moved, taken};
use super::input::{Aggregate, Computed, Input};
use super::prepared::Prepared;
use crate::column::{as_index, column_name};
use crate::datum::Datum;
use crate::failure::raise;
use crate::row_pattern::Match;
use rowhouse_sql::plan::{Navigation, RowsPerMatch};

/// Maximum number of labels in the matches whose measures have not been computed yet.
const MAX_LABELS: usize = 1 << 18;

/// Maximum number of rows of a result beyond those of the input; a row is returned once for each match that contains it
/// (D146).
const MAX_REPEATED_ROWS: usize = if cfg!(test) { 100_000 } else { 100_000_000 };

/// A match and its position.
struct Found {
    found: Match,
    start: usize,
    partition: (usize, usize),
    number: i64,
}

/// The origin of a row of the result.
#[derive(Clone, Copy)]
enum Of {
    /// A row outside of all matches.
    Nothing,
    /// An empty match, with its number.
    Empty(i64),
    /// A match, and the row of it in which measures are evaluated.
    Match(usize, usize),
}

/// The rows of the result so far.
pub(super) struct Output<'o> {
    prepared: &'o Prepared,
    source: &'o Source<'o>,
    /// For each row of the result, the row of the input.
    pub(super) rows: Vec<IdxSize>,
    /// The values of each measure.
    pub(super) values: Vec<Series>,
    waiting: Vec<Of>,
    matches: Vec<Found>,
    labels: usize,
}

impl<'o> Output<'o> {
    pub(super) fn new(prepared: &'o Prepared, source: &'o Source<'o>) -> PolarsResult<Self> {
        let empty = |measure: &Computed| measure.body.evaluate(Vec::new(), 0);
        let values = prepared.measures.iter().map(empty).collect::<PolarsResult<_>>()?;
        let (rows, waiting, matches) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Self { prepared, source, rows, values, waiting, matches, labels: 0 })
    }

    /// Adds a row outside of all matches.
    pub(super) fn unmatched(&mut self, row: usize) {
        self.rows.push(as_index(row));
        self.waiting.push(Of::Nothing);
    }

    /// Adds an empty match before a row.
    pub(super) fn empty(&mut self, row: usize, number: i64) {
        self.rows.push(as_index(row));
        self.waiting.push(Of::Empty(number));
    }

    /// Adds a match that begins at a row.
    pub(super) fn matched(
        &mut self,
        found: Match,
        start: usize,
        partition: (usize, usize),
        number: i64,
    ) -> PolarsResult<()> {
        let (at, length) = (self.matches.len(), found.labels.len());
        if self.prepared.rows_per_match == RowsPerMatch::One {
            self.rows.push(as_index(start));
            self.waiting.push(Of::Match(at, length - 1));
        } else {
            if self.rows.len() + length > self.source.frame.height().saturating_add(MAX_REPEATED_ROWS) {
                let message = format!(
                    "MATCH_RECOGNIZE makes more than {MAX_REPEATED_ROWS} rows beyond those of its input: use AFTER MATCH SKIP PAST LAST ROW or ONE ROW PER MATCH"
                );
                return Err(raise(ErrorCode::ExceededFunctionMemoryLimit, message));
            }
            let mut excluded = found.exclusions.iter().copied().peekable();
            for row in 0..length {
                while excluded.next_if(|(_, end)| *end <= row).is_some() {}
                if excluded.peek().is_none_or(|(first, _)| row < *first) {
                    self.rows.push(as_index(start + row));
                    self.waiting.push(Of::Match(at, row));
                }
            }
        }
        self.labels += length;
        self.matches.push(Found { found, start, partition, number });
        if self.labels > MAX_LABELS { self.flush() } else { Ok(()) }
    }

    /// Computes the measures of the rows that were added since the last flush.
    pub(super) fn flush(&mut self) -> PolarsResult<()> {
        let of: Vec<Of> = self.waiting.iter().copied().filter(|of| !matches!(of, Of::Nothing)).collect();
        let mut next = 0;
        let places: Vec<Option<usize>> = self
            .waiting
            .iter()
            .map(|row| match row {
                Of::Nothing => None,
                _ => {
                    next += 1;
                    Some(next - 1)
                }
            })
            .collect();
        for (measure, values) in self.prepared.measures.iter().zip(&mut self.values) {
            let rows = Rows { source: self.source, matches: &self.matches, of: &of };
            let computed = rows.measure(measure)?;
            let computed =
                if next == places.len() { computed } else { taken(&computed, places.iter().copied())? };
            values.append(&computed)?;
        }
        self.waiting.clear();
        self.matches.clear();
        self.labels = 0;
        Ok(())
    }
}

/// Rows of matches whose measures are computed.
struct Rows<'r> {
    source: &'r Source<'r>,
    matches: &'r [Found],
    of: &'r [Of],
}

impl Rows<'_> {
    fn measure(&self, measure: &Computed) -> PolarsResult<Series> {
        let mut columns: Vec<Column> = Vec::with_capacity(measure.inputs.len());
        for (input, (id, _)) in measure.inputs.iter().zip(&measure.body.parameters) {
            let name = column_name(*id);
            columns.push(match input {
                Input::Value(column, navigation) => {
                    let mut found = Places::new(self.matches, navigation);
                    let rows = self.of.iter().map(|of| found.of(*of).map(|(row, _)| row));
                    taken(&self.source.series[*column], rows)?.with_name(name).into_column()
                }
                Input::Classifier(navigation) => {
                    let mut found = Places::new(self.matches, navigation);
                    let labels = self.of.iter().map(|of| found.of(*of).and_then(|(_, label)| label));
                    let labels: Vec<Option<&str>> =
                        labels.map(|label| label.map(|label| self.source.name(label))).collect();
                    Series::new(name, labels).into_column()
                }
                Input::Number => {
                    let numbers: Vec<i64> = self.of.iter().map(|of| self.number(*of)).collect();
                    Series::new(name, numbers).into_column()
                }
                Input::Aggregate(aggregate) => built(name, self.aggregated(aggregate)?, &aggregate.output)?,
            });
        }
        measure.body.evaluate(columns, self.of.len())
    }

    fn number(&self, of: Of) -> i64 {
        match of {
            Of::Nothing => 0,
            Of::Empty(number) => number,
            Of::Match(at, _) => self.matches[at].number,
        }
    }

    /// The result of an aggregate for each row.
    fn aggregated(&self, aggregate: &Aggregate) -> PolarsResult<Vec<Datum<'static>>> {
        let mut values = Vec::with_capacity(self.of.len());
        let mut first = 0;
        while first < self.of.len() {
            let Of::Match(at, _) = self.of[first] else {
                values.push(aggregate.start().value()?);
                first += 1;
                continue;
            };
            let is_same = |of: &&Of| matches!(of, Of::Match(other, _) if *other == at);
            let count = self.of[first..].iter().take_while(is_same).count();
            let wanted = self.of[first..first + count].iter().map(|of| match of {
                Of::Match(_, row) => *row,
                Of::Nothing | Of::Empty(_) => 0,
            });
            self.of_match(aggregate, &self.matches[at], &wanted.collect::<Vec<_>>(), &mut values)?;
            first += count;
        }
        Ok(values)
    }

    /// Adds the results for some rows of a match, in order.
    fn of_match(
        &self,
        aggregate: &Aggregate,
        of: &Found,
        wanted: &[usize],
        values: &mut Vec<Datum<'static>>,
    ) -> PolarsResult<()> {
        let labels = &of.found.labels;
        // Rows after the last wanted one are included only for FINAL.
        let end = match wanted.last() {
            Some(last) if !aggregate.is_final => last + 1,
            _ => labels.len(),
        };
        let taken: Vec<usize> = (0..end).filter(|row| aggregate.takes(labels[*row])).collect();
        let rows: Vec<(usize, u32)> = taken.iter().map(|row| (of.start + row, labels[*row])).collect();
        let mut so_far = aggregate.start();
        if aggregate.is_final {
            aggregate.add(self.source, &rows, of.number, &mut so_far, |_| Ok(()))?;
            let value = so_far.value()?;
            values.extend(wanted.iter().map(|_| value.clone()));
            return Ok(());
        }
        let mut wanted = wanted.iter().copied().peekable();
        let mut next = 0;
        while wanted.next_if(|row| taken.first().is_none_or(|first| row < first)).is_some() {
            values.push(so_far.value()?);
        }
        aggregate.add(self.source, &rows, of.number, &mut so_far, |so_far| {
            next += 1;
            while wanted.next_if(|row| taken.get(next).is_none_or(|following| row < following)).is_some() {
                values.push(so_far.value()?);
            }
            Ok(())
        })
    }
}

/// Evaluates a navigation in matches; the rows of the last match are cached.
struct Places<'p> {
    matches: &'p [Found],
    navigation: &'p Navigation,
    known: Option<usize>,
    /// The rows of the cached match that have the labels.
    rows: Vec<usize>,
}

impl<'p> Places<'p> {
    const fn new(matches: &'p [Found], navigation: &'p Navigation) -> Self {
        Self { matches, navigation, known: None, rows: Vec::new() }
    }

    /// The row, and its label if it is in the match.
    fn of(&mut self, of: Of) -> Option<(usize, Option<u32>)> {
        let Of::Match(at, row) = of else { return None };
        let Found { found, start, partition, .. } = &self.matches[at];
        let Navigation { labels, is_last, is_final, offset, rows } = self.navigation;
        if self.known != Some(at) && !labels.is_empty() {
            let takes = |row: &usize| labels.contains(&(found.labels[*row] as usize));
            self.rows = (0..found.labels.len()).filter(takes).collect();
            self.known = Some(at);
        }
        let offset = *offset as usize;
        // FIRST may refer to later rows even if it is RUNNING, as in Trino.
        let place = match (labels.is_empty(), is_last) {
            (true, true) if *is_final => (found.labels.len() - 1).checked_sub(offset)?,
            (true, true) => row.checked_sub(offset)?,
            (true, false) => Some(offset).filter(|place| *place < found.labels.len())?,
            (false, false) => *self.rows.get(offset)?,
            (false, true) => {
                let count = if *is_final {
                    self.rows.len()
                } else {
                    self.rows.partition_point(|known| *known <= row)
                };
                self.rows[count.checked_sub(offset + 1)?]
            }
        };
        let row = moved(start + place, *rows, *partition)?;
        let label = row.checked_sub(*start).and_then(|place| found.labels.get(place)).copied();
        Some((row, label))
    }
}
