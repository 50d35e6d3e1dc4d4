//! The format of the small files beside a generation: a head of 64 bytes (magic word, four numbers), then arrays of
//! little-endian numbers, each aligned to 64 bytes, so that they are read from the mapping directly.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use arrow_buffer::{ArrowNativeType, Buffer, ScalarBuffer};

use crate::{Error, Result};
use rowhouse_rows::arrow_file::{Loss, Mapping};

/// Alignment of every section; also the size of the head.
pub(super) const ALIGNMENT_BYTES: usize = 64;
/// Numbers in the head.
pub(super) const NUMBERS: usize = 4;

#[cfg(not(target_endian = "little"))]
compile_error!("generation files are read as they lie in memory, which takes a little-endian machine");

/// A mapped file of sections.
#[derive(Debug)]
pub(super) struct Sections {
    path: PathBuf,
    buffer: Buffer,
    numbers: [u64; NUMBERS],
}

/// Reads one section after the other.
#[derive(Debug)]
pub(super) struct SectionReader<'s> {
    sections: &'s Sections,
    position: usize,
}

impl Sections {
    /// Maps a file that begins with the magic word. Its readers must check `loss` afterwards.
    ///
    /// # Errors
    /// `Damaged`: it is no such file, or cut short; `Internal`: it cannot be opened.
    pub(super) fn open(path: &Path, magic: [u8; 8], loss: Loss) -> Result<Self> {
        let mapping = Mapping::open(path, loss)
            .map_err(|error| Error::internal(format!("cannot open {}", path.display()), error))?;
        let buffer = mapping.buffer();
        let mut sections = Self { path: path.to_owned(), buffer, numbers: [0; NUMBERS] };
        if sections.buffer.len() < ALIGNMENT_BYTES || sections.buffer[..magic.len()] != magic {
            return Err(sections.corrupt("its head is of another kind of file"));
        }
        for (index, number) in sections.numbers.iter_mut().enumerate() {
            let start = magic.len() + index * 8;
            // OK because the head is longer than the magic word and the numbers.
            let bytes = sections.buffer[start..].first_chunk().expect("inside the head");
            *number = u64::from_le_bytes(*bytes);
        }
        Ok(sections)
    }

    /// The numbers of the head.
    pub(super) fn numbers(&self) -> [u64; NUMBERS] {
        self.numbers
    }

    /// A number of elements: a product of numbers of the head.
    pub(super) fn product(&self, left: usize, right: usize) -> Result<usize> {
        left.checked_mul(right).ok_or_else(|| self.corrupt("a section is too long"))
    }

    /// Reads sections from the first on.
    pub(super) fn reader(&self) -> SectionReader<'_> {
        SectionReader { sections: self, position: ALIGNMENT_BYTES }
    }

    /// An error about this file.
    pub(super) fn corrupt(&self, reason: &str) -> Error {
        Error::damaged(format!("{} is not usable: {reason}", self.path.display()))
    }

    /// Writes a head.
    pub(super) fn write_head(
        out: &mut impl Write,
        magic: [u8; 8],
        numbers: [u64; NUMBERS],
    ) -> io::Result<()> {
        let mut head = [0; ALIGNMENT_BYTES];
        head[..magic.len()].copy_from_slice(&magic);
        for (number, target) in numbers.iter().zip(head[magic.len()..].as_chunks_mut::<8>().0) {
            *target = number.to_le_bytes();
        }
        out.write_all(&head)
    }

    /// Writes a section and its padding.
    pub(super) fn write_section<T: Copy, const N: usize>(
        out: &mut impl Write,
        values: &[T],
        to_bytes: impl Fn(T) -> [u8; N],
    ) -> io::Result<()> {
        for value in values {
            out.write_all(&to_bytes(*value))?;
        }
        let length = values.len() * N;
        out.write_all(&[0; ALIGNMENT_BYTES][..length.next_multiple_of(ALIGNMENT_BYTES) - length])
    }
}

impl SectionReader<'_> {
    /// The next section, of this many elements.
    pub(super) fn take<T: ArrowNativeType>(&mut self, elements: usize) -> Result<ScalarBuffer<T>> {
        let length = elements.checked_mul(size_of::<T>());
        let padded = length.and_then(|length| length.checked_next_multiple_of(ALIGNMENT_BYTES));
        let end = padded.and_then(|padded| self.position.checked_add(padded));
        let (Some(length), Some(end)) = (length, end.filter(|end| *end <= self.sections.buffer.len())) else {
            return Err(self.sections.corrupt("it is cut short"));
        };
        let section = self.sections.buffer.slice_with_length(self.position, length);
        self.position = end;
        Ok(ScalarBuffer::new(section, 0, elements))
    }

    /// Checks that no bytes are left.
    pub(super) fn finish(self) -> Result<()> {
        if self.position == self.sections.buffer.len() {
            Ok(())
        } else {
            Err(self.sections.corrupt("it is longer than it says"))
        }
    }
}

/// Writes a file under a temporary name, syncs it and renames it: it exists completely or not at all.
pub(super) fn sync_and_rename(path: &Path, write: impl FnOnce(File) -> io::Result<File>) -> Result<()> {
    let partial = path.with_added_extension("partial");
    let written =
        File::options().create(true).truncate(true).read(true).write(true).open(&partial).and_then(|file| {
            write(file)?.sync_all()?;
            std::fs::rename(&partial, path)
        });
    written.map_err(|error| {
        // A partial file is useless; if it cannot be removed, it does no harm.
        let _ = std::fs::remove_file(&partial);
        Error::internal(format!("cannot write {}", path.display()), error)
    })
}
