//! Aggregation by integers and texts with many groups, which is executed here and not by Polars: see
//! [`partitioned_aggregation`](crate::partitioned_aggregation). Which way is taken does not change the result.

use std::sync::Arc;

use polars::prelude::{DataFrame, Expr, IntoLazy, LazyFrame, PlSmallStr, col};
use rowhouse_model::QueryError;

use super::Lowering;
use super::aggregate_steps::Steps;
use super::ordered_aggregate::collected;
use crate::column::column_name;
use crate::failure;
use crate::numeric::{PackedColumn, PackedNumbers};
use crate::partial_aggregation::{MAX_CODES, Partial};
use crate::partitioned_aggregation::{Interner, Layout, PartitionedAggregation};
use rowhouse_sql::expr::Expr as SqlExpr;
use rowhouse_sql::plan::{Aggregate, Plan};
use rowhouse_sql::types::Type;

/// Minimum number of rows of the largest table below. The groups of fewer rows are in the caches anyway.
const MIN_ROWS: u64 = 1 << 17;
/// With fewer rows for each possible word, most places of direct addressing could be without a group.
const MIN_ROWS_PER_WORD: u64 = 2;

/// So few groups are aggregated per batch, so that threads do not wait for each other.
const MAX_FEW_WORDS: u64 = 4096;
/// Maximum memory of direct addressing, which is allocated for all possible words, of which a statement may use a few.
const MAX_DIRECT_BYTES: u64 = 1 << 28;
/// The memory of the state of an aggregate.
const PLACE_BYTES: u64 = 8;

/// Maximum number of texts whose numbers have as few bits as they need, so that more columns fit into a word: a table of 28 bytes
/// each, which a second-level cache holds. To look up each row of several columns in larger ones takes longer than Polars'
/// encoding of rows.
const MAX_FEW_TEXTS: u64 = 1 << 15;

/// A key, as a part of the packed word.
#[derive(Clone)]
struct Part {
    /// The numbers of its texts.
    interner: Option<Arc<Interner>>,
}

impl Part {
    fn of(column: &PackedColumn, rows: u64) -> Self {
        let is_text = column.data_type.is_varchar();
        // NULL has a number, too.
        let few = column.most_texts.filter(|most| *most <= MAX_FEW_TEXTS);
        let most = few.map_or(u64::MAX, |most| most + 1);
        let expected = most.min(rows / MIN_ROWS_PER_WORD);
        Self { interner: is_text.then(|| Interner::new(expected, most)) }
    }

    /// The column that is packed: of texts, their numbers.
    fn packed(&self, column: &PackedColumn) -> PackedColumn {
        match &self.interner {
            Some(interner) => {
                PackedColumn { data_type: Type::BigInt, range: Some((0, interner.greatest())), ..*column }
            }
            None => column.clone(),
        }
    }

    /// The number of a key's value.
    fn number(&self, key: Expr) -> Expr {
        match &self.interner {
            Some(interner) => interner.numbers(key),
            None => key,
        }
    }

    /// The value with a number.
    fn value(&self, number: Expr) -> Expr {
        match &self.interner {
            Some(interner) => interner.texts(number),
            None => number,
        }
    }
}

/// The keys of an aggregation, and how they are packed into a word.
struct Keys {
    names: Vec<PlSmallStr>,
    parts: Vec<Part>,
    numbers: PackedNumbers,
}

impl Keys {
    /// Columns with these names; `None` if they do not fit into a word.
    fn of(columns: &[PackedColumn], names: &[PlSmallStr], rows: u64) -> Option<Self> {
        let parts: Vec<Part> = columns.iter().map(|column| Part::of(column, rows)).collect();
        let packed: Vec<PackedColumn> =
            parts.iter().zip(columns).map(|(part, column)| part.packed(column)).collect();
        let numbers = PackedNumbers::laid_out(&packed)?;
        Some(Self { names: names.to_vec(), parts, numbers })
    }

    /// The word of a row.
    fn word(&self) -> Option<Expr> {
        let numbers = self.parts.iter().zip(&self.names).map(|(part, name)| part.number(col(name.clone())));
        self.numbers.pack(&numbers.collect::<Vec<Expr>>())
    }

    /// The key at an index, computed from a word.
    fn value(&self, word: &PlSmallStr, place: usize) -> Expr {
        let number = self.numbers.unpack(col(word.clone()), place);
        self.parts[place].value(number).alias(self.names[place].clone())
    }
}

/// The groups of an aggregation: a column of words, and the results of its partials.
pub(super) struct Groups {
    frame: DataFrame,
    word: PlSmallStr,
    keys: Keys,
}

impl Groups {
    /// Whether all keys but the last one have so few combinations that a batch's rows are worth to be aggregated first.
    pub(super) fn have_few_without_last(&self) -> bool {
        let Keys { parts, numbers, .. } = &self.keys;
        let of_key = |(place, part): (usize, &Part)| match &part.interner {
            Some(interner) => interner.count() + 1,
            None => numbers.values_at(place),
        };
        let others = parts.len().saturating_sub(1);
        parts.iter().enumerate().take(others).map(of_key).fold(1, u64::saturating_mul) <= MAX_CODES as u64
    }

    /// The keys of the groups, and the results.
    pub(super) fn with_keys(self) -> LazyFrame {
        let keys = (0..self.keys.names.len()).map(|place| self.keys.value(&self.word, place));
        let results = self.frame.get_column_names_owned().into_iter().filter(|name| *name != self.word);
        let columns: Vec<Expr> = keys.chain(results.map(col)).collect();
        self.frame.lazy().select(columns)
    }
}

impl Lowering<'_> {
    /// The groups of all rows, if there may be many and their keys are integers or texts.
    pub(super) fn partitioned_groups(
        &mut self,
        frame: &LazyFrame,
        node: &Aggregate,
        steps: &Steps,
    ) -> Result<Option<LazyFrame>, QueryError> {
        if !steps.are_partial() && !node.aggregates.is_empty() {
            return Ok(None);
        }
        let columns = self.packed_columns(node, None).unwrap_or_default();
        let names: Vec<PlSmallStr> = node.keys.iter().map(|key| column_name(*key)).collect();
        let frame = steps.before.iter().cloned().fold(frame.clone(), LazyFrame::with_column);
        let partials = steps.partials.clone();
        let groups = self.partitioned(frame, &node.input, (&columns, &names), partials)?;
        Ok(groups.map(|groups| groups.with_keys().with_columns(steps.after.clone())))
    }

    /// The groups of groups by all of their keys but the last one, over which the aggregates are.
    pub(super) fn groups_of_groups(
        &mut self,
        groups: &Groups,
        steps: &Steps,
    ) -> Result<Option<LazyFrame>, QueryError> {
        let Groups { frame, word, keys } = groups;
        let Some(last) = keys.names.len().checked_sub(1).filter(|_| steps.are_partial()) else {
            return Ok(None);
        };
        let Some((numbers, packed)) = keys.numbers.without_last(col(word.clone())) else { return Ok(None) };
        let rows = frame.height() as u64;
        let (names, parts) = (keys.names[..last].to_vec(), keys.parts[..last].to_vec());
        let frame = frame.clone().lazy().with_column(keys.value(word, last));
        let frame = steps.before.iter().cloned().fold(frame, LazyFrame::with_column);
        let groups =
            self.aggregated(frame, packed, Keys { names, parts, numbers }, rows, steps.partials.clone())?;
        Ok(groups.map(|groups| groups.with_keys().with_columns(steps.after.clone())))
    }

    /// The groups of a frame by columns of integers or texts with these names, and the results of `partials`; `None` if
    /// Polars is to compute them. `input` is the plan that the frame's rows are computed from.
    pub(super) fn partitioned(
        &mut self,
        frame: LazyFrame,
        input: &Plan,
        (columns, names): (&[PackedColumn], &[PlSmallStr]),
        partials: Vec<Partial>,
    ) -> Result<Option<Groups>, QueryError> {
        if self.spill.is_some() {
            return Ok(None);
        }
        // A shared plan whose rows are not known would be computed a second time.
        let rows = self.largest_input(input).filter(|rows| *rows >= MIN_ROWS);
        let Some(rows) = rows else { return Ok(None) };
        let Some(keys) = Keys::of(columns, names, rows) else { return Ok(None) };
        let Some(word) = keys.word() else { return Ok(None) };
        self.aggregated(frame, word, keys, rows, partials)
    }

    /// The groups of about `rows` rows with these words; `None` after a fault of Polars.
    fn aggregated(
        &mut self,
        frame: LazyFrame,
        packed: Expr,
        keys: Keys,
        rows: u64,
        partials: Vec<Partial>,
    ) -> Result<Option<Groups>, QueryError> {
        let word = self.temporary();
        let frame = frame.with_column(packed.alias(word.clone()));
        let layout = layout(&keys.numbers, rows, partials.len());
        let aggregation = PartitionedAggregation::new(layout, keys.numbers.is_wide(), partials);
        if collected(aggregation.adding(frame, word.clone(), self.temporary()))?.is_none() {
            return Ok(None);
        }
        let frame = aggregation.finish(&word).map_err(|error| failure::query_error(&error))?;
        Ok(Some(Groups { frame, word, keys }))
    }

    /// Whether the ranges of the keys permit few combinations.
    pub(super) fn has_few_words(&self, node: &Aggregate, argument: Option<&SqlExpr>) -> bool {
        let columns = self.packed_columns(node, argument).unwrap_or_default();
        let numbers = PackedNumbers::laid_out(&columns).filter(|_| !columns.is_empty());
        numbers.and_then(|numbers| numbers.bound()).is_some_and(|words| words <= MAX_FEW_WORDS)
    }

    /// The rows of the largest table or shared plan below; `None` if that is not known.
    fn largest_input(&self, plan: &Plan) -> Option<u64> {
        let mut largest = Some(0);
        plan.visit(&mut |node| {
            let rows = match node {
                Plan::Scan(_) | Plan::Shared { .. } => self.most_rows(node),
                _ => return,
            };
            largest = largest.zip(rows).map(|(largest, rows)| largest.max(rows));
        });
        largest
    }
}

fn layout(numbers: &PackedNumbers, rows: u64, partials: usize) -> Layout {
    let is_direct = |words: &u64| {
        let bytes = words.saturating_mul(PLACE_BYTES.saturating_mul(1 + partials as u64));
        words.saturating_mul(MIN_ROWS_PER_WORD) <= rows && bytes <= MAX_DIRECT_BYTES
    };
    match numbers.bound().filter(is_direct) {
        Some(words) => Layout::direct(words),
        None => Layout::hashed(rows / MIN_ROWS_PER_WORD),
    }
}
