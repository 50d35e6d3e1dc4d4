//! Writes a file so that the page cache holds it in huge pages. A file system with large folios caches the data of one
//! write in one piece if it can, and maps a piece of 2 MiB with one page table entry instead of 512: a random read of a
//! large file then waits only for the value, not for the page table entry. Elsewhere the file is the same and its pages
//! are small.

use std::io::{self, Write};

/// A huge page of x86-64, and of other architectures with pages of 4 KiB.
const HUGE_PAGE_BYTES: usize = 2 << 20;
/// Capacity of a buffer without room for a huge page.
const SMALL_BYTES: usize = 16 << 10;

/// Buffers bytes so that each write ends at a boundary of a huge page of the file. Unflushed bytes are lost: the caller
/// must flush and check the result.
#[derive(Debug)]
pub struct HugePageWriter<W> {
    inner: W,
    /// Offset of the buffer in the file.
    position: u64,
    buffer: Vec<u8>,
}

impl<W: Write> HugePageWriter<W> {
    /// Writes to `inner`, whose next byte is at `position` in the file.
    pub fn new(inner: W, position: u64) -> Self {
        Self { inner, position, buffer: Vec::new() }
    }

    /// The inner writer; unflushed bytes are lost.
    pub fn into_inner(self) -> W {
        self.inner
    }

    /// Bytes from the buffer's beginning to the end of the huge page.
    fn room(&self) -> usize {
        HUGE_PAGE_BYTES - (self.position % HUGE_PAGE_BYTES as u64) as usize
    }

    fn write_buffer(&mut self) -> io::Result<()> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        self.inner.write_all(&self.buffer)?;
        self.position += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }
}

impl<W: Write> Write for HugePageWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = self.room();
        // A small file needs no more; a larger one's buffer is allocated at full size at once, not by doubling.
        if self.buffer.len() + bytes.len() > SMALL_BYTES {
            self.buffer.reserve_exact(room - self.buffer.len());
        }
        let taken = bytes.len().min(room - self.buffer.len());
        self.buffer.extend_from_slice(&bytes[..taken]);
        if self.buffer.len() == room {
            self.write_buffer()?;
        }
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write_buffer()?;
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records each write.
    #[derive(Default)]
    struct Writes(Vec<Vec<u8>>);

    impl Write for Writes {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.push(bytes.to_vec());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Checks the lengths of the writes for pieces of a file from `position` on, and that all bytes are there.
    fn check(position: u64, pieces: &[usize], expected: &[usize]) {
        let length = pieces.iter().sum();
        let bytes: Vec<u8> = (0..length).map(|place: usize| (place % 251) as u8).collect();
        let mut writer = HugePageWriter::new(Writes::default(), position);
        let mut rest = &bytes[..];
        for piece in pieces {
            let (first, others) = rest.split_at(*piece);
            writer.write_all(first).expect("written");
            rest = others;
        }
        writer.flush().expect("flushed");
        let writes = writer.into_inner().0;
        assert!(writes.concat() == bytes);
        assert_eq!(writes.iter().map(Vec::len).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn writes_end_at_huge_page_boundaries() {
        check(0, &[HUGE_PAGE_BYTES], &[HUGE_PAGE_BYTES]);
        check(0, &[7, HUGE_PAGE_BYTES - 7, 1], &[HUGE_PAGE_BYTES, 1]);
        check(0, &[5 * HUGE_PAGE_BYTES / 2], &[HUGE_PAGE_BYTES, HUGE_PAGE_BYTES, HUGE_PAGE_BYTES / 2]);
        check(64, &[3, HUGE_PAGE_BYTES], &[HUGE_PAGE_BYTES - 64, 67]);
        check(3 * HUGE_PAGE_BYTES as u64 + 1, &[10, 20], &[30]);
    }

    #[test]
    fn a_flush_does_not_move_the_boundaries() {
        let mut writer = HugePageWriter::new(Writes::default(), 0);
        writer.write_all(&[1; 100]).expect("written");
        writer.flush().expect("flushed");
        writer.write_all(&[2; HUGE_PAGE_BYTES]).expect("written");
        writer.flush().expect("flushed");
        let lengths: Vec<usize> = writer.into_inner().0.iter().map(Vec::len).collect();
        assert_eq!(lengths, [100, HUGE_PAGE_BYTES - 100, 100]);
    }

    #[test]
    fn an_error_of_the_inner_writer_is_returned() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::StorageFull.into())
            }

            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut writer = HugePageWriter::new(Full, 0);
        writer.write_all(b"kept until then").expect("only collected");
        assert_eq!(writer.flush().expect_err("no room").kind(), io::ErrorKind::StorageFull);
    }
}
