//! Numbers for texts, so that a text can be a part of a packed key: equal texts of all batches have equal numbers.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use polars::prelude::{
    Column, DataType, Expr, Int64Chunked, IntoColumn, IntoSeries, PolarsError, PolarsResult, StringChunked,
};
use polars_arrow::array::{Array, Utf8ViewArray, View};
use polars_arrow::datatypes::ArrowDataType;

use super::Layout;
use super::partition::Scattered;
use super::table::{folded, slot_of};
use crate::numeric::{kernel, single};
use crate::partial_aggregation::Attempts;

/// Maximum number of bits of a number.
const MAX_NUMBER_BITS: u32 = u32::BITS;

const MIN_SLOTS: usize = 1 << 10;

const NONE: u32 = u32::MAX;

/// The texts of a column so far, in partitions by hash.
#[derive(Debug)]
pub(crate) struct Interner {
    layout: Layout,
    seed: u64,
    /// The bits of a number.
    bits: u32,
    /// Those of them that are its partition.
    partition_bits: u32,
    partitions: Vec<Mutex<Texts>>,
    /// The partition where the next batch begins.
    next_start: AtomicUsize,
    attempts: Attempts,
    complete: OnceLock<Complete>,
}

/// The texts when all have numbers.
#[derive(Debug)]
struct Complete {
    /// Of each partition.
    views: Arc<[Vec<View>]>,
    /// An array without rows, whose buffers are those of the partitions.
    bytes: Utf8ViewArray,
}

impl Interner {
    /// About `expected` different texts are expected; more than `most` are an error. Fewer make shorter numbers.
    pub(crate) fn new(expected: u64, most: u64) -> Arc<Self> {
        let layout = Layout::hashed(expected);
        let count = layout.partitions();
        let partitions = (0..count).map(|_| Mutex::new(Texts::default())).collect();
        let (next_start, attempts) = (AtomicUsize::new(0), Attempts::default());
        let partition_bits = count.ilog2();
        // All texts may be in one partition.
        let place_bits = u64::BITS - most.saturating_sub(1).leading_zeros();
        let bits = (partition_bits + place_bits).min(MAX_NUMBER_BITS);
        let (seed, complete) = (layout.seed(), OnceLock::new());
        Arc::new(Self { layout, seed, bits, partition_bits, partitions, next_start, attempts, complete })
    }

    /// The greatest number.
    pub(crate) fn greatest(&self) -> i64 {
        (1 << self.bits) - 1
    }

    /// The number of texts so far; none is counted any more when [`texts`](Self::texts) has been called.
    pub(crate) fn count(&self) -> u64 {
        let counts =
            self.partitions.iter().map(|one| one.lock().unwrap_or_else(PoisonError::into_inner).views.len());
        counts.sum::<usize>() as u64
    }

    /// The number of the text of each row, an integer of 64 bits.
    pub(crate) fn numbers(self: &Arc<Self>, texts: Expr) -> Expr {
        let own = Arc::clone(self);
        kernel(texts, &[], DataType::Int64, move |columns| own.numbers_of(&columns[0]))
    }

    /// The texts with these numbers. When it has been called, no further texts have numbers.
    pub(crate) fn texts(self: &Arc<Self>, numbers: Expr) -> Expr {
        let Complete { views, bytes } = self.complete.get_or_init(|| {
            let taken = self.partitions.iter().map(|one| {
                let mut texts = one.lock().unwrap_or_else(PoisonError::into_inner);
                (std::mem::take(&mut texts.views), std::mem::take(&mut texts.bytes).into())
            });
            let (views, buffers): (Vec<Vec<View>>, Vec<_>) = taken.unzip();
            // OK because an array without rows refers to no bytes.
            let bytes =
                Utf8ViewArray::try_new(ArrowDataType::Utf8View, Vec::new().into(), buffers.into(), None);
            Complete { views: views.into(), bytes: bytes.expect("no rows") }
        });
        let (views, buffers) = (Arc::clone(views), bytes.data_buffers().clone());
        let partition_bits = self.partition_bits;
        kernel(numbers, &[], DataType::String, move |columns| {
            let numbers = single(columns[0].as_materialized_series().i64()?);
            let view = |(number, is_valid): (&i64, bool)| {
                if !is_valid {
                    return Ok(View::default());
                }
                let (partition, place) = place_of(*number, partition_bits);
                let view = views.get(partition).and_then(|views| views.get(place));
                view.copied().ok_or_else(|| PolarsError::ComputeError("a number without a text".into()))
            };
            let rows = numbers.values().iter().enumerate();
            let rows = rows.map(|(row, number)| view((number, numbers.is_valid(row))));
            let rows = rows.collect::<PolarsResult<Vec<View>>>()?;
            let validity = numbers.validity().cloned();
            let array =
                Utf8ViewArray::try_new(ArrowDataType::Utf8View, rows.into(), buffers.clone(), validity)?;
            let texts = StringChunked::with_chunk(columns[0].name().clone(), array);
            Ok(texts.into_series().into_column())
        })
    }

    /// Texts that a batch repeats are looked up once.
    fn numbers_of(&self, column: &Column) -> PolarsResult<Column> {
        let Some(codes) = self.attempts.codes(&[column])? else { return self.looked_up(column) };
        self.looked_up(&column.take(&codes.first_rows())?)?.take(&codes.into_places())
    }

    fn looked_up(&self, column: &Column) -> PolarsResult<Column> {
        let texts = column.as_materialized_series().str()?.rechunk();
        let texts: &Utf8ViewArray = texts.downcast_as_array();
        let rows = Rows(texts);
        let hashes: Vec<u64> = (0..texts.len()).map(|row| rows.hash(row, self.seed)).collect();
        let scattered = Scattered::of(hashes.iter().copied(), self.layout, self.partitions.len());
        let mut numbers = vec![0_i64; texts.len()];
        let count = self.partitions.len();
        let start = self.next_start.fetch_add(count / 2 + 1, Ordering::Relaxed);
        for turn in 0..count {
            let partition = start.wrapping_add(turn) % count;
            let (hashes, own_rows) = scattered.of_partition(partition);
            if hashes.is_empty() {
                continue;
            }
            let mut texts = self.partitions[partition].lock().unwrap_or_else(PoisonError::into_inner);
            for (hash, row) in hashes.iter().zip(own_rows) {
                let row = *row as usize;
                let place = texts.place(*hash, rows.view(row), rows.long_bytes(row), partition)?;
                numbers[row] = self.number(partition, place)?;
            }
        }
        let numbers =
            Int64Chunked::from_vec_validity(column.name().clone(), numbers, texts.validity().cloned());
        Ok(numbers.into_series().into_column())
    }

    fn number(&self, partition: usize, place: u32) -> PolarsResult<i64> {
        if u64::from(place) >> (self.bits - self.partition_bits) != 0 {
            return Err(too_many());
        }
        let partition = i64::try_from(partition).unwrap_or_default();
        Ok(i64::from(place) << self.partition_bits | partition)
    }
}

/// The partition and the place in it of a number.
#[expect(clippy::cast_possible_truncation, reason = "numbers have 32 bits")]
fn place_of(number: i64, partition_bits: u32) -> (usize, usize) {
    let number = number.cast_unsigned() as usize;
    (number & ((1 << partition_bits) - 1), number >> partition_bits)
}

/// An error after which the statement is executed without numbers for texts.
fn too_many() -> PolarsError {
    PolarsError::ComputeError("too many different texts for their numbers".into())
}

/// The texts of a batch. A NULL is like an empty text here.
struct Rows<'a>(&'a Utf8ViewArray);

impl Rows<'_> {
    fn view(&self, row: usize) -> View {
        if self.0.is_valid(row) { self.0.views()[row] } else { View::default() }
    }

    /// The bytes of a text, if its view does not contain them.
    fn long_bytes(&self, row: usize) -> &[u8] {
        let view = self.view(row);
        if view.length <= View::MAX_INLINE_SIZE {
            return &[];
        }
        let first = view.offset as usize;
        &self.0.data_buffers()[view.buffer_idx as usize][first..first + view.length as usize]
    }

    #[expect(clippy::cast_possible_truncation, reason = "its two halves")]
    fn hash(&self, row: usize, seed: u64) -> u64 {
        let view = self.view(row);
        if view.length <= View::MAX_INLINE_SIZE {
            let bits = view.as_u128();
            return folded(folded(bits as u64 ^ seed) ^ (bits >> u64::BITS) as u64);
        }
        let (words, rest) = self.long_bytes(row).as_chunks::<8>();
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        let words = words.iter().chain([&last]).map(|word| u64::from_le_bytes(*word));
        words.fold(seed ^ u64::from(view.length), |hash, word| folded(hash ^ word))
    }
}

/// The different texts of one partition.
#[derive(Debug, Default)]
struct Texts {
    slots: Vec<u32>,
    hashes: Vec<u64>,
    /// Of a text that its view does not contain: its position in `bytes`.
    views: Vec<View>,
    bytes: Vec<u8>,
}

impl Texts {
    /// The place of a text, which is added if it is new. `bytes` are those of a text that its view does not contain.
    fn place(&mut self, hash: u64, view: View, bytes: &[u8], partition: usize) -> PolarsResult<u32> {
        if 2 * self.views.len() >= self.slots.len() {
            self.grow();
        }
        let mut slot = slot_of(hash, self.slots.len());
        while self.slots[slot] != NONE {
            let place = self.slots[slot];
            if self.hashes[place as usize] == hash && self.is_at(place as usize, view, bytes) {
                return Ok(place);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        let place = u32::try_from(self.views.len()).map_err(|_| too_many())?;
        self.slots[slot] = place;
        self.hashes.push(hash);
        self.views.push(if view.length <= View::MAX_INLINE_SIZE {
            view
        } else {
            let offset = u32::try_from(self.bytes.len()).map_err(|_| too_many())?;
            self.bytes.extend_from_slice(bytes);
            View { buffer_idx: u32::try_from(partition).map_err(|_| too_many())?, offset, ..view }
        });
        Ok(place)
    }

    fn is_at(&self, place: usize, view: View, bytes: &[u8]) -> bool {
        let known = self.views[place];
        if view.length <= View::MAX_INLINE_SIZE {
            return known.as_u128() == view.as_u128();
        }
        let first = known.offset as usize;
        known.length == view.length && self.bytes[first..first + bytes.len()] == *bytes
    }

    fn grow(&mut self) {
        self.slots = vec![NONE; (2 * self.slots.len()).max(MIN_SLOTS)];
        for (place, hash) in (0..).zip(&self.hashes) {
            let mut slot = slot_of(*hash, self.slots.len());
            while self.slots[slot] != NONE {
                slot = (slot + 1) & (self.slots.len() - 1);
            }
            self.slots[slot] = place;
        }
    }
}

#[cfg(test)]
mod tests {
    use polars::prelude::{DataFrame, IntoLazy, col};
    use proptest::prelude::*;

    use super::*;

    /// Texts that a view contains, and longer ones with common beginnings.
    fn text() -> impl Strategy<Value = Option<String>> {
        prop_oneof![
            1 => Just(None),
            1 => Just(Some(String::new())),
            4 => "[ab\0]{0,3}".prop_map(Some),
            4 => "[abß]{10,14}".prop_map(Some),
            4 => ("[ab]{0,2}", "[ab]{0,2}").prop_map(|(first, last)| Some(format!("{first} in the middle {last}"))),
        ]
    }

    fn numbers(interner: &Arc<Interner>, texts: &[Option<String>]) -> DataFrame {
        let texts = Column::new("text".into(), texts);
        let frame = DataFrame::new(texts.len(), vec![texts]).expect("a frame");
        let numbers = interner.numbers(col("text")).alias("number");
        frame.lazy().with_column(numbers).collect().expect("numbers")
    }

    proptest! {
        #[test]
        fn equal_texts_of_all_batches_have_equal_numbers(
            batches in proptest::collection::vec(proptest::collection::vec(text(), 0..200), 0..5),
            expected in prop_oneof![Just(1_u64), Just(u64::MAX)],
            most in prop_oneof![Just(1000_u64), Just(u64::MAX)],
        ) {
            let interner = Interner::new(expected, most);
            let batches: Vec<DataFrame> = batches.iter().map(|texts| numbers(&interner, texts)).collect();
            let mut known = std::collections::HashMap::new();
            let mut texts_of = std::collections::HashMap::new();
            for batch in &batches {
                let series = |name: &str| batch.column(name).expect("a column").as_materialized_series().clone();
                let (texts, numbers) = (series("text"), series("number"));
                for (text, number) in texts.str().expect("texts").iter().zip(numbers.i64().expect("numbers").iter()) {
                    prop_assert_eq!(text.is_none(), number.is_none());
                    let Some((text, number)) = text.zip(number) else { continue };
                    prop_assert!((0..=interner.greatest()).contains(&number));
                    prop_assert_eq!(*known.entry(text.to_owned()).or_insert(number), number);
                    prop_assert_eq!(texts_of.entry(number).or_insert_with(|| text.to_owned()), text);
                }
            }
            // Also when they are asked for again.
            let _first = interner.texts(col("number"));
            let found = interner.texts(col("number")).alias("found");
            for batch in batches {
                let found = batch.lazy().with_column(found.clone()).collect().expect("texts");
                let series = |name: &str| found.column(name).expect("a column").as_materialized_series().clone();
                prop_assert!(series("text").equals_missing(&series("found").with_name("text".into())));
            }
        }
    }

    #[test]
    fn many_texts_have_numbers() {
        let texts: Vec<Option<String>> =
            (0..60_000).map(|row| Some(format!("the text of row {}", row % 30_000))).collect();
        let interner = Interner::new(1, u64::MAX);
        let batch = numbers(&interner, &texts);
        let count =
            batch.column("number").expect("numbers").as_materialized_series().n_unique().expect("a count");
        assert_eq!(count, 30_000);
    }

    #[test]
    fn more_texts_than_announced_are_an_error() {
        let texts =
            |count: usize| -> Vec<Option<String>> { (0..count).map(|row| Some(row.to_string())).collect() };
        for most in [1, 2, 7, 64] {
            let interner = Interner::new(1, most);
            assert!(interner.greatest() < 32 * i64::try_from(most).expect("few"), "{most}");
            let few = numbers(&interner, &texts(usize::try_from(most).expect("few")));
            let column =
                few.column("number").expect("numbers").as_materialized_series().i64().expect("numbers");
            assert!(column.iter().all(|number| number.is_some_and(|number| number <= interner.greatest())));
            let many = Column::new("text".into(), texts(4096));
            let frame = DataFrame::new(4096, vec![many]).expect("a frame").lazy();
            let error = frame.with_column(interner.numbers(col("text"))).collect().expect_err("too many");
            assert!(error.to_string().contains("too many different texts"), "{error}");
        }
    }
}
