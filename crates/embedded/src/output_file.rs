//! The file of a result. A small file is not created: its bytes are returned in the reply.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use rowhouse_executor::OutputLimit;
use rowhouse_executor::protocol::SMALL_RESULT_BYTES;
use rowhouse_model::ErrorCode;

use super::failure;

/// Collects bytes in memory, and creates the file once they are too many for a reply. It accepts no more bytes than its
/// limit.
#[derive(Debug)]
pub(crate) struct OutputFile {
    path: PathBuf,
    limit: Option<OutputLimit>,
    content: Vec<u8>,
    file: Option<File>,
    /// Bytes of the file so far.
    bytes: u64,
}

impl OutputFile {
    pub(crate) const fn new(path: PathBuf, limit: Option<OutputLimit>) -> Self {
        Self { path, limit, content: Vec::new(), file: None, bytes: 0 }
    }

    /// Fails if `more` bytes exceed the limit.
    fn check(&self, more: usize) -> io::Result<()> {
        let bytes = self.bytes + more as u64;
        match &self.limit {
            Some(limit) if bytes > limit.bytes => Err(too_long(limit)),
            _ => Ok(()),
        }
    }

    /// The number of bytes, and the bytes themselves if no file was created.
    pub(crate) fn finish(self) -> io::Result<(u64, Option<Vec<u8>>)> {
        match self.file {
            Some(file) => Ok((file.metadata()?.len(), None)),
            None => Ok((self.content.len() as u64, Some(self.content))),
        }
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.check(bytes.len())?;
        let file = match &mut self.file {
            Some(file) => file,
            None if self.content.len() + bytes.len() <= SMALL_RESULT_BYTES => {
                self.content.extend_from_slice(bytes);
                self.bytes += bytes.len() as u64;
                return Ok(bytes.len());
            }
            None => {
                let mut file = create(&self.path)?;
                file.write_all(&std::mem::take(&mut self.content))?;
                self.file.insert(file)
            }
        };
        let written = file.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), File::flush)
    }
}

fn too_long(limit: &OutputLimit) -> io::Error {
    failure::raise(ErrorCode::GenericInsufficientResources, &limit.message).into()
}

/// Creates a new file with these bytes.
pub(crate) fn create_with(path: &Path, content: &[u8]) -> io::Result<()> {
    create(path)?.write_all(content)
}

fn create(path: &Path) -> io::Result<File> {
    File::options().write(true).create_new(true).open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes pieces of these lengths, and checks whether that creates a file.
    fn check(pieces: &[usize], is_file: bool) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("rows.arrow");
        let mut output = OutputFile::new(path.clone(), None);
        let length: usize = pieces.iter().sum();
        let bytes: Vec<u8> = (0..length).map(|place| (place % 251) as u8).collect();
        let mut rest = &bytes[..];
        for piece in pieces {
            let (first, others) = rest.split_at(*piece);
            output.write_all(first).expect("written");
            output.flush().expect("flushed");
            rest = others;
        }
        let (written, content) = output.finish().expect("the end");
        assert_eq!((written, content.is_none(), path.exists()), (length as u64, is_file, is_file));
        let content = content.unwrap_or_else(|| std::fs::read(&path).expect("the file"));
        assert!(content == bytes, "{pieces:?}");
    }

    #[test]
    fn large_output_creates_a_file_and_small_output_does_not() {
        check(&[], false);
        check(&[3, 5], false);
        check(&[SMALL_RESULT_BYTES - 1, 1], false);
        check(&[SMALL_RESULT_BYTES, 1], true);
        check(&[SMALL_RESULT_BYTES + 1, 7], true);
        check(&[10, 2 * SMALL_RESULT_BYTES, 3], true);
    }

    #[test]
    fn an_existing_file_is_not_overwritten() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("rows.arrow");
        create_with(&path, b"rows").expect("a new file");
        let mut output = OutputFile::new(path.clone(), None);
        let refused = output.write_all(&vec![0; SMALL_RESULT_BYTES + 1]).expect_err("another's");
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(std::fs::read(&path).expect("the file"), b"rows");
    }
}
