//! Rows that are encoded before they are read. A page of rows that have been read as often as encoding all rows around
//! them costs is copied instead of encoded: a tenth of the instructions. Rows are encoded in sections of a few batches,
//! each when it has been paid for, so at most twice the minimum work is done, whatever reads follow.

use std::fs::File;
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, Weak};

use arrow_buffer::{Buffer, ScalarBuffer};

use crate::arrow_file::{ArrowFile, HugePageWriter, Loss, Mapping};
use crate::json::plan::Plan;
use crate::json::values::put_values;
use crate::output::Output;
use crate::run::RunRows;
use crate::trino_values::Form;
use crate::{CHUNK_BYTES, Error, Result};

/// Batches of a section: about 65 thousand rows.
const SECTION_BATCHES: usize = 8;
/// Maximum bytes of a row: copying saves little for longer ones, and a chunk ends with a whole row.
const MAX_ROW_BYTES: usize = 4 << 10;
/// Rows that are fetched together: usually a page.
const FETCHED_ROWS: usize = 128;
/// Two cache lines, which processors fetch together.
const FETCHED_BYTES: usize = 128;
/// `due` if no section is.
const NONE: usize = usize::MAX;

/// The rows of a file as JSON objects with all columns, as far as they are encoded. The bytes of a section are in an
/// unlinked file, of which the kernel keeps in memory what is read.
#[derive(Debug)]
pub(super) struct EncodedRows {
    /// Whose rows they are.
    file: Weak<ArrowFile>,
    sections: Box<[Section]>,
    /// The section to encode next.
    due: AtomicUsize,
}

#[derive(Debug, Default)]
struct Section {
    /// Rows that reads have encoded because the section was not.
    demanded_rows: AtomicU64,
    /// None inside if its rows are too long.
    rows: OnceLock<Option<SectionRows>>,
}

/// The rows of a section: the text before the first value and the values of each, but not its end.
#[derive(Debug)]
pub(super) struct SectionRows {
    mapping: Mapping,
    texts: Buffer,
    /// Where each row's text begins, then where the last one ends.
    bounds: ScalarBuffer<u32>,
    _space: Space,
}

/// The disk space for encoded rows of all files.
#[derive(Debug)]
pub struct EncodedRowsBudget {
    max_bytes: AtomicU64,
    used_bytes: AtomicU64,
    /// One section at a time: reads come first.
    is_encoding: AtomicBool,
}

/// Space that is taken, until it is dropped.
#[derive(Debug)]
struct Space {
    budget: Arc<EncodedRowsBudget>,
    bytes: u64,
}

/// A section to encode. No other one is due until it is dropped.
#[derive(Debug)]
pub struct DueSection {
    section: usize,
    budget: Arc<EncodedRowsBudget>,
}

impl EncodedRowsBudget {
    /// At most this many bytes of disk; 0: no rows are encoded before they are read.
    pub fn new(max_bytes: u64) -> Arc<Self> {
        Arc::new(Self {
            max_bytes: AtomicU64::new(max_bytes),
            used_bytes: AtomicU64::new(0),
            is_encoding: AtomicBool::new(false),
        })
    }

    /// Changes the maximum. What is encoded remains.
    pub fn set_max_bytes(&self, max_bytes: u64) {
        self.max_bytes.store(max_bytes, Ordering::Relaxed);
    }

    /// The maximum.
    pub fn max_bytes(&self) -> u64 {
        self.max_bytes.load(Ordering::Relaxed)
    }

    /// Bytes of encoded rows.
    pub fn used_bytes(&self) -> u64 {
        self.used_bytes.load(Ordering::Relaxed)
    }

    fn has_room(&self, bytes: u64) -> bool {
        self.used_bytes().saturating_add(bytes) <= self.max_bytes()
    }

    fn take(self: &Arc<Self>, bytes: u64) -> Option<Space> {
        let max_bytes = self.max_bytes();
        let with = |used: u64| used.checked_add(bytes).filter(|sum| *sum <= max_bytes);
        self.used_bytes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, with).ok()?;
        Some(Space { budget: Arc::clone(self), bytes })
    }
}

impl Drop for Space {
    fn drop(&mut self) {
        self.budget.used_bytes.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

impl Drop for DueSection {
    fn drop(&mut self) {
        self.budget.is_encoding.store(false, Ordering::Release);
    }
}

impl EncodedRows {
    /// For the rows of a file, none of which is encoded yet.
    pub(super) fn new(file: &Arc<ArrowFile>) -> Self {
        let section_count = file.num_batches().div_ceil(SECTION_BATCHES);
        Self {
            file: Arc::downgrade(file),
            sections: (0..section_count).map(|_| Section::default()).collect(),
            due: AtomicUsize::new(NONE),
        }
    }

    /// Whether these are rows of this file.
    pub(super) fn is_of(&self, file: &Arc<ArrowFile>) -> bool {
        std::ptr::eq(self.file.as_ptr(), Arc::as_ptr(file))
    }

    /// The encoded rows of the section of a batch, and the position of the batch's first row among them.
    pub(super) fn section_of(&self, file: &ArrowFile, batch: usize) -> Option<(&SectionRows, usize)> {
        let rows = self.sections.get(batch / SECTION_BATCHES)?.rows.get()?.as_ref()?;
        if rows.mapping.is_lost() {
            return None;
        }
        let first = file.rows_of_batch(batch - batch % SECTION_BATCHES).start;
        Some((rows, (file.rows_of_batch(batch).start - first) as usize))
    }

    /// Records that rows of a batch were encoded for a read.
    pub(super) fn note(&self, file: &ArrowFile, batch: usize, rows: usize) {
        let index = batch / SECTION_BATCHES;
        let Some(section) = self.sections.get(index).filter(|section| section.rows.get().is_none()) else {
            return;
        };
        let demanded = section.demanded_rows.fetch_add(rows as u64, Ordering::Relaxed) + rows as u64;
        let rows = row_range(file, &batches_of(file, index));
        if demanded >= rows.end - rows.start {
            // OK to ignore: another section is due, this one will be when it is read again.
            let _ = self.due.compare_exchange(NONE, index, Ordering::Relaxed, Ordering::Relaxed);
        }
    }

    /// See [`Projection::take_due_section`](crate::Projection::take_due_section).
    pub(super) fn take_due(&self, budget: &Arc<EncodedRowsBudget>) -> Option<DueSection> {
        if self.due.load(Ordering::Relaxed) == NONE || budget.is_encoding.load(Ordering::Relaxed) {
            return None;
        }
        let section = self.due.swap(NONE, Ordering::Relaxed);
        let place = self.sections.get(section).filter(|place| place.rows.get().is_none())?;
        // Far from due again, if it does not get done.
        place.demanded_rows.store(0, Ordering::Relaxed);
        let file = self.file.upgrade()?;
        // Text is hardly ever shorter than the values in the file.
        let bytes: usize = batches_of(&file, section).map(|batch| file.bytes_of_batch(batch)).sum();
        if !budget.has_room(bytes as u64) || budget.is_encoding.swap(true, Ordering::Acquire) {
            return None;
        }
        Some(DueSection { section, budget: Arc::clone(budget) })
    }

    /// See [`Projection::encode_section`](crate::Projection::encode_section).
    pub(super) fn encode(&self, due: &DueSection, plan: &Plan, folder: &Path) -> Result<()> {
        let (Some(file), Some(section)) = (self.file.upgrade(), self.sections.get(due.section)) else {
            return Ok(());
        };
        let unlinked = tempfile::tempfile_in(folder).map_err(|error| cannot_write(folder, error))?;
        let batches = batches_of(&file, due.section);
        let written = file.guarded(|| write_rows(&file, plan, batches, &unlinked, folder))?;
        let rows = match written {
            None => None,
            Some(written) => match SectionRows::map(&unlinked, &written, &due.budget) {
                Ok(None) => return Ok(()),
                mapped => mapped.map_err(|error| cannot_write(folder, error))?,
            },
        };
        // OK to ignore: nobody else encodes it meanwhile.
        let _ = section.rows.set(rows);
        Ok(())
    }
}

impl SectionRows {
    /// None if there is no space for them.
    fn map(file: &File, written: &Written, budget: &Arc<EncodedRowsBudget>) -> io::Result<Option<Self>> {
        let mapping = Mapping::of(file, Loss::default())?;
        let Some(space) = budget.take(mapping.length_bytes() as u64) else { return Ok(None) };
        mapping.prefer_huge_pages();
        let content = mapping.buffer();
        let texts = content.slice_with_length(0, written.text_bytes);
        let bounds =
            ScalarBuffer::new(content, written.bounds_at() / size_of::<u32>(), written.row_count + 1);
        Ok(Some(Self { mapping, texts, bounds, _space: space }))
    }

    /// Appends rows of a batch from `position` on, until the chunk is full or they are done; returns the position after
    /// them. `base` is the batch's place in the section. None, and nothing appended, if they cannot be read.
    pub(super) fn put(
        &self,
        out: &mut Output,
        plan: &Plan,
        base: usize,
        rows: &RunRows,
        position: usize,
        is_first: bool,
    ) -> Option<usize> {
        if position >= rows.len() {
            return Some(position);
        }
        let before = out.len();
        // The first row of all has another text before its first value.
        let skipped = if is_first { plan.row_lead_bytes() } else { 0 };
        if is_first {
            out.put(&plan.first_row);
        }
        let count = match rows {
            RunRows::Range(range) => {
                self.put_range(out, base + range.start + position..base + range.end, skipped)
            }
            RunRows::List(rows) => self.put_list(out, base, &rows[position..], skipped),
        };
        let count = count.filter(|_| !self.mapping.is_lost());
        if count.is_none() {
            out.truncate(before);
        }
        count.map(|count| position + count)
    }

    /// Appends rows that are next to each other, without the first `skipped` bytes; returns their number.
    fn put_range(&self, out: &mut Output, rows: Range<usize>, skipped: usize) -> Option<usize> {
        let bounds = self.bounds.get(rows.start..=rows.end)?;
        let (start, ends) = bounds.split_first()?;
        let room = CHUNK_BYTES.saturating_sub(out.len());
        let fitting = ends.partition_point(|end| (end.saturating_sub(*start) as usize) < room);
        let count = (fitting + 1).min(ends.len());
        out.put(self.texts.get(*start as usize + skipped..ends[count - 1] as usize)?);
        Some(count)
    }

    /// Appends scattered rows, without the first `skipped` bytes; returns their number.
    fn put_list(&self, out: &mut Output, base: usize, rows: &[u32], mut skipped: usize) -> Option<usize> {
        let (texts, bounds): (&[u8], &[u32]) = (&self.texts, &self.bounds);
        let mut count = 0;
        for rows in rows.chunks(FETCHED_ROWS) {
            let mut places = [(0, 0); FETCHED_ROWS];
            for (place, row) in places.iter_mut().zip(rows) {
                let [start, end] = *bounds.get(base + *row as usize..)?.first_chunk()?;
                *place = (start as usize, end as usize);
            }
            let places = &places[..rows.len()];
            // Each row is somewhere else: the processor fetches those of a page together.
            let touched = places.iter().flat_map(|(start, end)| (*start..*end).step_by(FETCHED_BYTES));
            let bytes = touched.filter_map(|place| texts.get(place));
            std::hint::black_box(bytes.fold(0, |seen, byte| seen ^ byte));
            for (start, end) in places {
                if out.len() >= CHUNK_BYTES {
                    return Some(count);
                }
                out.put(texts.get(start + skipped..*end)?);
                skipped = 0;
                count += 1;
            }
        }
        Some(count)
    }
}

/// What was written of a section.
struct Written {
    row_count: usize,
    text_bytes: usize,
}

impl Written {
    /// Where the bounds of the rows are in the file, after the texts.
    fn bounds_at(&self) -> usize {
        self.text_bytes.next_multiple_of(size_of::<u32>())
    }
}

/// None if a row is too long.
fn write_rows(
    file: &ArrowFile,
    plan: &Plan,
    batches: Range<usize>,
    unlinked: &File,
    folder: &Path,
) -> Result<Option<Written>> {
    let rows = row_range(file, &batches);
    let mut bounds: Vec<u32> = Vec::with_capacity((rows.end - rows.start) as usize + 1);
    bounds.push(0);
    let mut writer = HugePageWriter::new(unlinked, 0);
    let mut out = Output::new(CHUNK_BYTES);
    let mut written = 0;
    for index in batches {
        let batch = file.batch(index)?;
        let columns = plan.flat_columns(&batch, |_| Form::Own);
        for row in 0..batch.num_rows() {
            let start = out.len();
            let is_long = put_values(&mut out, &columns, 0, row, |_| Form::Own).is_some();
            if is_long || out.len() - start > MAX_ROW_BYTES {
                return Ok(None);
            }
            let Ok(end) = u32::try_from(written + out.len()) else { return Ok(None) };
            bounds.push(end);
            if out.len() >= CHUNK_BYTES {
                writer.write_all(out.filled()).map_err(|error| cannot_write(folder, error))?;
                written += out.len();
                out.clear();
            }
        }
    }
    let section = Written { row_count: bounds.len() - 1, text_bytes: written + out.len() };
    out.put(&[0; size_of::<u32>()][..section.bounds_at() - section.text_bytes]);
    let numbers: Vec<u8> = bounds.iter().flat_map(|bound| bound.to_ne_bytes()).collect();
    let rest = writer.write_all(out.filled()).and_then(|()| writer.write_all(&numbers));
    rest.and_then(|()| writer.flush()).map_err(|error| cannot_write(folder, error))?;
    Ok(Some(section))
}

fn batches_of(file: &ArrowFile, section: usize) -> Range<usize> {
    let first = section * SECTION_BATCHES;
    first..(first + SECTION_BATCHES).min(file.num_batches())
}

fn row_range(file: &ArrowFile, batches: &Range<usize>) -> Range<u64> {
    file.rows_of_batch(batches.start).start..file.rows_of_batch(batches.end).start
}

fn cannot_write(folder: &Path, error: io::Error) -> Error {
    Error::internal(format!("cannot write encoded rows in {}", folder.display()), error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_are_cut_off_are_not_copied() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("rows");
        let text = "},{\"n\":1".repeat(4000);
        let bounds: Vec<u8> = (0..=4000_u32).flat_map(|row| (8 * row).to_ne_bytes()).collect();
        std::fs::write(&path, [text.as_bytes(), &bounds].concat()).expect("written");
        let file = File::options().read(true).write(true).open(&path).expect("opened");
        let written = Written { row_count: 4000, text_bytes: text.len() };
        let rows = SectionRows::map(&file, &written, &EncodedRowsBudget::new(1 << 20));
        let rows = rows.expect("mapped").expect("with room");
        let column = crate::ProjectedColumn { name: "n".to_owned(), index: 0 };
        let plan = Plan::new(&[column], crate::RowShape::Objects, crate::json::plan::Layout::Array);
        let mut out = Output::new(0);
        out.put(b"before");
        let last = RunRows::List(vec![3998, 3999]);
        assert_eq!(rows.put(&mut out, &plan, 0, &last, 0, true), Some(2));
        assert_eq!(out.filled(), br#"before[{"n":1},{"n":1"#);
        file.set_len(4096).expect("cut off");
        for selected in [last, RunRows::Range(0..4000)] {
            assert_eq!(rows.put(&mut out, &plan, 0, &selected, 0, false), None);
            assert_eq!(out.filled(), br#"before[{"n":1},{"n":1"#);
        }
    }
}
