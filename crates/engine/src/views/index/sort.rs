//! External sort: runs are sorted in memory, written to unnamed files, and merged.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Memory of one run.
const RUN_BYTES: usize = 64 << 20;

/// A key that can be written and read.
pub(super) trait SortKey: Copy + Ord {
    /// Its size on disk.
    const BYTES: usize;

    fn write(self, out: &mut impl Write) -> io::Result<()>;

    /// The next key, none at the end.
    fn read(from: &mut impl Read) -> io::Result<Option<Self>>;
}

/// Pairs of key and row number to be sorted.
#[derive(Debug)]
pub(super) struct Sorter<K> {
    pairs: Vec<(K, u32)>,
    pairs_per_run: usize,
    runs: Vec<File>,
    spilled: usize,
    beside: PathBuf,
}

impl<K: SortKey> Sorter<K> {
    /// Runs are written beside the file that is being built.
    pub(super) fn new(beside: &Path) -> Self {
        Self::with_run(beside, RUN_BYTES / size_of::<(K, u32)>())
    }

    fn with_run(beside: &Path, pairs_per_run: usize) -> Self {
        Self { pairs: Vec::new(), pairs_per_run, runs: Vec::new(), spilled: 0, beside: beside.to_owned() }
    }

    /// Number of pairs so far.
    pub(super) fn len(&self) -> usize {
        self.spilled + self.pairs.len()
    }

    pub(super) fn push(&mut self, key: K, row: u32) -> io::Result<()> {
        if self.pairs.len() == self.pairs_per_run {
            self.spill()?;
        }
        self.pairs.push((key, row));
        Ok(())
    }

    /// Passes all pairs in the order of key, then row.
    pub(super) fn merge(mut self, mut each: impl FnMut(K, u32) -> io::Result<()>) -> io::Result<()> {
        self.pairs.sort_unstable();
        if self.runs.is_empty() {
            return self.pairs.into_iter().try_for_each(|(key, row)| each(key, row));
        }
        let mut sources = Vec::new();
        for mut run in std::mem::take(&mut self.runs) {
            run.seek(SeekFrom::Start(0))?;
            sources.push(BufReader::with_capacity(1 << 18, run));
        }
        let mut in_memory = self.pairs.into_iter();
        let last = sources.len();
        let mut next = |source: usize| -> io::Result<Option<(K, u32)>> {
            match sources.get_mut(source) {
                Some(run) => read_pair(run),
                None => Ok(in_memory.next()),
            }
        };
        let mut heap = BinaryHeap::new();
        for source in 0..=last {
            heap.extend(next(source)?.map(|pair| Reverse((pair, source))));
        }
        while let Some(Reverse(((key, row), source))) = heap.pop() {
            each(key, row)?;
            heap.extend(next(source)?.map(|pair| Reverse((pair, source))));
        }
        Ok(())
    }

    fn spill(&mut self) -> io::Result<()> {
        self.pairs.sort_unstable();
        let path = self.beside.with_added_extension(format!("run{}", self.runs.len()));
        let file = File::options().create(true).truncate(true).read(true).write(true).open(&path)?;
        // Without a name it is removed when it is closed, in any case.
        std::fs::remove_file(&path)?;
        let mut out = BufWriter::with_capacity(1 << 18, &file);
        for (key, row) in &self.pairs {
            key.write(&mut out)?;
            out.write_all(&row.to_le_bytes())?;
        }
        out.flush()?;
        drop(out);
        self.spilled += self.pairs.len();
        self.pairs.clear();
        self.runs.push(file);
        Ok(())
    }
}

fn read_pair<K: SortKey>(run: &mut impl Read) -> io::Result<Option<(K, u32)>> {
    let Some(key) = K::read(run)? else { return Ok(None) };
    let mut row = [0; 4];
    run.read_exact(&mut row)?;
    Ok(Some((key, u32::from_le_bytes(row))))
}

macro_rules! sort_key {
    ($key:ty) => {
        impl SortKey for $key {
            const BYTES: usize = size_of::<$key>();

            fn write(self, out: &mut impl Write) -> io::Result<()> {
                out.write_all(&self.to_le_bytes())
            }

            fn read(from: &mut impl Read) -> io::Result<Option<Self>> {
                let mut bytes = [0; size_of::<$key>()];
                match from.read_exact(&mut bytes) {
                    Ok(()) => Ok(Some(<$key>::from_le_bytes(bytes))),
                    Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(None),
                    Err(error) => Err(error),
                }
            }
        }
    };
}

sort_key!(i64);
sort_key!(i128);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorted_runs_on_disk_are_merged_in_order() {
        let folder = tempfile::tempdir().expect("a folder");
        for count in [0_u32, 1, 9, 10, 11, 95] {
            let mut sorter = Sorter::with_run(&folder.path().join("index"), 10);
            for row in 0..count {
                sorter.push(i64::from(row * 7919 % 13) - 6, row).expect("written");
            }
            assert_eq!(sorter.len(), count as usize);
            let mut merged = Vec::new();
            sorter
                .merge(|key, row| {
                    merged.push((key, row));
                    Ok(())
                })
                .expect("merged");
            assert_eq!(merged.len(), count as usize);
            assert!(merged.is_sorted());
        }
        assert_eq!(folder.path().read_dir().expect("listed").count(), 0);
    }
}
