//! Checksums of a file of rows, inside the file: CRC-32 of each piece of 64 KiB, after the Arrow file that they cover
//! and before a copy of its footer, so that the whole is an Arrow file again. Files of earlier versions have none.

use std::fs::File;
use std::io::{self, Write};
use std::ops::Range;
use std::os::unix::fs::FileExt as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crc32fast::Hasher;

/// Size of a piece.
const PIECE_BYTES: usize = 64 << 10;
/// The end of the block of checksums; its last digit is the version of the format.
const MAGIC: &[u8; 8] = b"RowSums1";
/// Covered bytes, the footer's checksum, the block's own checksum, and the magic word.
const BLOCK_TRAILER_BYTES: usize = 8 + 4 + 4 + MAGIC.len();
/// Length of the footer and the magic word of an Arrow file.
const ARROW_TRAILER_BYTES: usize = 10;
/// The alignment of the block.
const ALIGNMENT_BYTES: usize = 8;

/// Writes an Arrow file and, at its end, the checksums of everything written.
#[derive(Debug)]
pub struct ChecksumWriter<W> {
    inner: W,
    pieces: Vec<u32>,
    piece: Hasher,
    piece_bytes: usize,
    length: u64,
    is_ending: Arc<AtomicBool>,
    /// Bytes written since the footer began.
    end: Vec<u8>,
}

/// Notifies a [`ChecksumWriter`], wherever it has been moved, that its file's footer follows.
#[derive(Clone, Debug)]
pub struct FooterMark(Arc<AtomicBool>);

impl FooterMark {
    /// Everything written from now on is the footer.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl<W: Write> ChecksumWriter<W> {
    /// Writes a new file to `inner`.
    pub fn new(inner: W) -> (Self, FooterMark) {
        let is_ending = Arc::new(AtomicBool::new(false));
        let writer = Self {
            inner,
            pieces: Vec::new(),
            piece: Hasher::new(),
            piece_bytes: 0,
            length: 0,
            is_ending: Arc::clone(&is_ending),
            end: Vec::new(),
        };
        (writer, FooterMark(is_ending))
    }

    /// Adds the checksums to a finished Arrow file, whose footer was written after the mark was set; flushes.
    ///
    /// # Errors
    /// Those of the inner writer; `InvalidData`: the last bytes are not an Arrow footer.
    pub fn seal(mut self) -> io::Result<W> {
        let no_footer = || io::Error::new(io::ErrorKind::InvalidData, "no footer was written");
        let trailer = self.end.len().checked_sub(ARROW_TRAILER_BYTES).ok_or_else(no_footer)?;
        let length = self.end[trailer..].first_chunk().map(|length| i32::from_le_bytes(*length));
        let length = length.and_then(|length| usize::try_from(length).ok());
        let start = length.and_then(|length| trailer.checked_sub(length)).ok_or_else(no_footer)?;
        let footer = std::mem::take(&mut self.end).split_off(start);
        if self.piece_bytes > 0 {
            self.pieces.push(self.piece.clone().finalize());
        }
        let padding = self.length.next_multiple_of(ALIGNMENT_BYTES as u64) - self.length;
        let mut block = vec![0; padding as usize];
        for checksum in &self.pieces {
            block.extend(checksum.to_le_bytes());
        }
        block.extend(self.length.to_le_bytes());
        block.extend(crc32fast::hash(&footer).to_le_bytes());
        block.extend(crc32fast::hash(&block[padding as usize..]).to_le_bytes());
        block.extend(MAGIC);
        self.inner.write_all(&block)?;
        self.inner.write_all(&footer)?;
        self.inner.flush()?;
        Ok(self.inner)
    }
}

impl<W: Write> Write for ChecksumWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        let mut rest = &bytes[..written];
        if self.is_ending.load(Ordering::Relaxed) {
            self.end.extend(rest);
        }
        self.length += written as u64;
        while !rest.is_empty() {
            let (now, later) = rest.split_at(rest.len().min(PIECE_BYTES - self.piece_bytes));
            self.piece.update(now);
            self.piece_bytes += now.len();
            if self.piece_bytes == PIECE_BYTES {
                self.pieces.push(std::mem::take(&mut self.piece).finalize());
                self.piece_bytes = 0;
            }
            rest = later;
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// The checksums of a file being read.
#[derive(Debug)]
pub(super) struct Checksums {
    pieces: Vec<u32>,
    covered_bytes: u64,
    /// A bit for each verified piece.
    verified: Vec<AtomicU64>,
}

impl Checksums {
    /// The checksums of an Arrow file with its footer at `footer`; none in a file without.
    ///
    /// # Errors
    /// The checksums or the footer are damaged.
    pub(super) fn parse(file: &[u8], footer: Range<usize>) -> Result<Option<Self>, String> {
        let before = &file[..footer.start];
        if !before.ends_with(MAGIC) {
            return Ok(None);
        }
        let damaged = || "its checksums are damaged".to_owned();
        let trailer_start = before.len().checked_sub(BLOCK_TRAILER_BYTES).ok_or_else(damaged)?;
        let trailer = &before[trailer_start..];
        let word = |at: usize| trailer[at..].first_chunk().map_or(0, |word| u32::from_le_bytes(*word));
        let covered_bytes = trailer.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        let count = usize::try_from(covered_bytes.div_ceil(PIECE_BYTES as u64)).map_err(|_| damaged())?;
        let start = count.checked_mul(4).and_then(|bytes| trailer_start.checked_sub(bytes));
        let start = start
            .filter(|start| covered_bytes.next_multiple_of(ALIGNMENT_BYTES as u64) == *start as u64)
            .ok_or_else(damaged)?;
        if crc32fast::hash(&before[start..trailer_start + 12]) != word(12) {
            return Err(damaged());
        }
        if crc32fast::hash(&file[footer]) != word(8) {
            return Err("its footer is not what was written".to_owned());
        }
        let (pieces, _) = before[start..trailer_start].as_chunks();
        let pieces: Vec<u32> = pieces.iter().map(|piece| u32::from_le_bytes(*piece)).collect();
        let verified = (0..count.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        Ok(Some(Self { pieces, covered_bytes, verified }))
    }

    /// Verifies a whole file in memory.
    ///
    /// # Errors
    /// As [`verify`](Self::verify).
    pub(super) fn verify_bytes(&self, file: &[u8]) -> Result<(), String> {
        self.verify_read(0..file.len(), |buffer, start| {
            let start = usize::try_from(start).unwrap_or(usize::MAX);
            let bytes = file.get(start..).and_then(|rest| rest.get(..buffer.len()));
            buffer.copy_from_slice(bytes.ok_or(io::ErrorKind::UnexpectedEof)?);
            Ok(())
        })
    }

    /// Reads and verifies the pieces of a range that are not verified yet. They are read, not accessed through a
    /// mapping: a failing disk, or a truncated file, is an error here and would be a signal there.
    ///
    /// # Errors
    /// Which bytes are damaged, or cannot be read.
    pub(super) fn verify(&self, file: &File, range: Range<usize>) -> Result<(), String> {
        self.verify_read(range, |buffer, start| file.read_exact_at(buffer, start))
    }

    /// As [`verify`](Self::verify), with `read` returning a number of bytes from an offset on.
    fn verify_read(
        &self,
        range: Range<usize>,
        read: impl Fn(&mut [u8], u64) -> io::Result<()>,
    ) -> Result<(), String> {
        let covered = range.start..range.end.min(usize::try_from(self.covered_bytes).unwrap_or(usize::MAX));
        if covered.is_empty() {
            return Ok(());
        }
        let mut buffer = Vec::new();
        for piece in covered.start / PIECE_BYTES..=(covered.end - 1) / PIECE_BYTES {
            let (place, bit) = (&self.verified[piece / 64], 1 << (piece % 64));
            if place.load(Ordering::Relaxed) & bit != 0 {
                continue;
            }
            let start = piece as u64 * PIECE_BYTES as u64;
            let length = (self.covered_bytes - start).min(PIECE_BYTES as u64);
            buffer.resize(length as usize, 0);
            let bytes = || format!("bytes {start} to {}", start + length - 1);
            read(&mut buffer, start).map_err(|error| format!("{} cannot be read: {error}", bytes()))?;
            if crc32fast::hash(&buffer) != self.pieces[piece] {
                return Err(format!("{} are not what was written: their checksum is another", bytes()));
            }
            place.fetch_or(bit, Ordering::Relaxed);
        }
        Ok(())
    }
}
