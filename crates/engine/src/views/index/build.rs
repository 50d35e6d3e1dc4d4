//! Builds the index of one column: one pass over the file (two for text), keys sorted in runs of bounded memory that
//! are merged from disk. The cost is that of reading the file and of n log n comparisons; memory is that of one run,
//! whatever n is.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use super::super::key::{KeyKind, TEXT_KEY_BYTES, for_each_key, text_key};
use super::super::sections::{ALIGNMENT_BYTES, Sections, sync_and_rename};
use super::sort::{SortKey, Sorter};
use super::{BLOCK_KEYS, MAGIC, TextFacts};
use crate::{Error, Result};
use rowhouse_rows::arrow_file::column::Values;
use rowhouse_rows::arrow_file::{ArrowFile, Batch, HugePageWriter};

pub(super) const WIDE: u64 = 1;
pub(super) const TEXT: u64 = 2;
pub(super) const HAS_NUL: u64 = 4;
pub(super) const FIT_KEYS: u64 = 8;

/// A longer common prefix is truncated; keys then begin inside it.
const MAX_PREFIX_BYTES: usize = 4096;

/// Writes the index of a column, unless there can be none: a column without order, or more rows than 32 bits can
/// number. Returns whether it did.
///
/// # Errors
/// `Internal`: the file is corrupt, or the disk is full.
pub(in super::super) fn build(file: &ArrowFile, column: usize, path: &Path) -> Result<bool> {
    let kind = KeyKind::of(file.schema().field(column).data_type());
    if u32::try_from(file.num_rows()).is_err() {
        return Ok(false);
    }
    match kind {
        KeyKind::Narrow => {
            build_keyed(file, column, path, &TextFacts::default(), 0, |key| key as i64)?;
        }
        KeyKind::Wide => build_keyed(file, column, path, &TextFacts::default(), WIDE, |key| key)?,
        KeyKind::Text => {
            let facts = text_facts(file, column)?;
            let has_nul = if facts.has_nul { HAS_NUL } else { 0 };
            let fit_keys = if facts.fit_keys { FIT_KEYS } else { 0 };
            build_keyed(file, column, path, &facts, WIDE | TEXT | has_nul | fit_keys, |key| key)?;
        }
        KeyKind::Opaque => return Ok(false),
    }
    Ok(true)
}

fn build_keyed<K: SortKey>(
    file: &ArrowFile,
    column: usize,
    path: &Path,
    facts: &TextFacts,
    flags: u64,
    to_key: impl Fn(i128) -> K,
) -> Result<()> {
    let disk = |error| Error::internal(format!("cannot build the index {}", path.display()), error);
    let mut sorter = Sorter::new(path);
    let mut null_rows: Vec<u32> = Vec::new();
    let mut failure = None;
    for_each_batch(file, |start, batch| {
        let values = batch.column(column);
        let row_number = |row: usize| (start + row as u64) as u32;
        null_rows.extend((0..batch.num_rows()).filter(|row| values.is_null(*row)).map(row_number));
        let rows = (0..batch.num_rows()).filter(|row| !values.is_null(*row));
        let key_of_text = |text: &[u8]| text_key(&text[facts.prefix.len()..]);
        for_each_key(&values.values, rows, key_of_text, |row, key| {
            if failure.is_none() {
                failure = sorter.push(to_key(key), row_number(row)).err();
            }
        });
    })?;
    if let Some(error) = failure {
        return Err(disk(error));
    }
    let key_count = sorter.len();
    sync_and_rename(path, |file| {
        let mut layout = Layout::new();
        let mut keys = layout.section(&file, K::BYTES * key_count)?;
        let mut fences = layout.section(&file, K::BYTES * key_count.div_ceil(BLOCK_KEYS))?;
        let mut rows = layout.section(&file, size_of::<u32>() * key_count)?;
        let mut count = 0;
        sorter.merge(|key, row| {
            if count % BLOCK_KEYS == 0 {
                key.write(&mut fences)?;
            }
            count += 1;
            key.write(&mut keys)?;
            rows.write_all(&row.to_le_bytes())
        })?;
        for section in [&mut keys, &mut fences, &mut rows] {
            section.flush()?;
        }
        let mut rest = layout.section(&file, 0)?;
        Sections::write_section(&mut rest, &null_rows, u32::to_le_bytes)?;
        Sections::write_section(&mut rest, &facts.prefix, |byte| [byte])?;
        rest.flush()?;
        let mut head = &file;
        head.seek(SeekFrom::Start(0))?;
        let numbers = [flags, key_count as u64, null_rows.len() as u64, facts.prefix.len() as u64];
        Sections::write_head(&mut head, MAGIC, numbers)?;
        // Padding at the end that was never written.
        let length = file.metadata()?.len();
        file.set_len(length.next_multiple_of(ALIGNMENT_BYTES as u64).max(layout.position))?;
        Ok(file)
    })
}

/// Offsets of consecutive sections.
struct Layout {
    position: u64,
}

impl Layout {
    fn new() -> Self {
        Self { position: ALIGNMENT_BYTES as u64 }
    }

    /// A writer for the next section. Each has an offset of its own in the file, so that several can be written
    /// concurrently.
    fn section(&mut self, file: &File, length: usize) -> std::io::Result<HugePageWriter<SectionWriter>> {
        let start = self.position;
        self.position += length.next_multiple_of(ALIGNMENT_BYTES) as u64;
        Ok(HugePageWriter::new(SectionWriter { file: file.try_clone()?, position: start }, start))
    }
}

/// Writes at its own offset: clones of a file share theirs.
struct SectionWriter {
    file: File,
    position: u64,
}

impl Write for SectionWriter {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = std::os::unix::fs::FileExt::write_at(&self.file, bytes, self.position)?;
        self.position += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn text_facts(file: &ArrowFile, column: usize) -> Result<TextFacts> {
    let mut prefix: Option<Vec<u8>> = None;
    let mut has_nul = false;
    let mut longest = 0;
    for_each_batch(file, |_, batch| {
        let values = batch.column(column);
        let Values::Text(text) = &values.values else { return };
        for row in (0..batch.num_rows()).filter(|row| !values.is_null(*row)) {
            let text = text.value(row);
            longest = longest.max(text.len());
            has_nul |= memchr::memchr(0, text).is_some();
            let prefix = prefix.get_or_insert_with(|| text[..text.len().min(MAX_PREFIX_BYTES)].to_vec());
            if !text.starts_with(prefix) {
                let common = prefix.iter().zip(text).take_while(|(left, right)| left == right).count();
                prefix.truncate(common);
            }
        }
    })?;
    let prefix = prefix.unwrap_or_default();
    let fit_keys = longest - prefix.len().min(longest) <= TEXT_KEY_BYTES;
    Ok(TextFacts { is_text: true, prefix, has_nul, fit_keys })
}

/// Decodes the batches one after the other and releases their memory.
fn for_each_batch(file: &ArrowFile, mut each: impl FnMut(u64, &Batch)) -> Result<()> {
    for index in 0..file.num_batches() {
        let batch = file.decode_batch(index)?;
        each(file.rows_of_batch(index).start, &batch);
        drop(batch);
        file.forget_batch(index);
    }
    Ok(())
}
