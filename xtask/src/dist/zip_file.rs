//! A zip file as a wheel needs it: deflated members with Unix modes, a fixed time, below 4 GiB.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use anyhow::{Context as _, Result};
use flate2::Compression;
use flate2::write::DeflateEncoder;

/// 1980-01-01, the first day of the format: the same members always give the same file.
const DATE: u16 = 0x21;
/// UTF-8 names; method 8 is deflate.
const FLAGS: u16 = 0x800;
const DEFLATE: u16 = 8;
/// PKZIP 2.0; the upper byte says Unix, whose modes the members have.
const NEEDED: u16 = 20;
const MADE_BY: u16 = 3 << 8 | NEEDED;

/// A file in progress.
pub(super) struct ZipFile {
    file: BufWriter<File>,
    offset: u32,
    directory: Vec<u8>,
    count: u16,
}

impl ZipFile {
    pub(super) fn create(path: &Path) -> Result<Self> {
        let file = File::create(path).with_context(|| path.display().to_string())?;
        Ok(Self { file: BufWriter::new(file), offset: 0, directory: Vec::new(), count: 0 })
    }

    /// Adds a member with this Unix mode.
    pub(super) fn add(&mut self, name: &str, mode: u16, bytes: &[u8]) -> Result<()> {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(9));
        encoder.write_all(bytes)?;
        let packed = encoder.finish()?;
        let mut checksum = flate2::Crc::new();
        checksum.update(bytes);
        // The fields that the member's head and its entry of the directory share.
        let mut shared = Vec::new();
        for number in [NEEDED, FLAGS, DEFLATE, 0, DATE] {
            shared.extend(number.to_le_bytes());
        }
        for number in [checksum.sum(), length(packed.len())?, length(bytes.len())?] {
            shared.extend(number.to_le_bytes());
        }
        shared.extend(u16::try_from(name.len())?.to_le_bytes());
        // No extra field.
        shared.extend([0, 0]);

        let head = [b"PK\x03\x04".as_slice(), &shared, name.as_bytes()].concat();
        self.directory.extend(b"PK\x01\x02");
        self.directory.extend(MADE_BY.to_le_bytes());
        self.directory.extend(shared);
        // No comment, the first disk, no internal attributes; a regular file of that mode.
        self.directory.extend([0; 6]);
        self.directory.extend((u32::from(0o100_000 | mode) << 16).to_le_bytes());
        self.directory.extend(self.offset.to_le_bytes());
        self.directory.extend(name.as_bytes());
        self.count += 1;
        self.offset =
            self.offset.checked_add(length(head.len() + packed.len())?).context("more than 4 GiB")?;
        self.file.write_all(&head)?;
        Ok(self.file.write_all(&packed)?)
    }

    /// Writes the directory.
    pub(super) fn finish(mut self) -> Result<()> {
        self.file.write_all(&self.directory)?;
        let mut end = b"PK\x05\x06\0\0\0\0".to_vec();
        end.extend(self.count.to_le_bytes());
        end.extend(self.count.to_le_bytes());
        end.extend(length(self.directory.len())?.to_le_bytes());
        end.extend(self.offset.to_le_bytes());
        end.extend([0, 0]);
        self.file.write_all(&end)?;
        Ok(self.file.flush()?)
    }
}

fn length(bytes: usize) -> Result<u32> {
    u32::try_from(bytes).context("a member of more than 4 GiB")
}
