//! Rows for an answer to a model: a limited number of complete rows in a limited number of bytes.

use rowhouse_engine::{Budget, CHUNK_MEMORY_BYTES, ChunkSource, Progress};

use crate::call::Call;
use crate::encoders::Share;
use crate::error::{Error, Result};

/// Copies of the rows in an answer: the rows, the structured content, and the text content, in which each character may
/// become two.
const COPIES: usize = 5;

/// A source of rows, one per line.
pub(super) type Source = Box<dyn ChunkSource>;

/// Limits of the rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Caps {
    /// Maximum number of rows; the source returns one more if there is one.
    pub(super) rows: u64,
    /// Maximum bytes, as JSON.
    pub(super) bytes: usize,
}

/// A limited number of rows.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct CappedRows {
    /// A JSON array of the rows.
    pub(super) json: String,
    /// Number of its rows.
    pub(super) count: u64,
    /// Whether there are more.
    pub(super) is_cut: bool,
}

/// Takes rows from the source that `open` finds, on an encoder thread and in turns, within a memory limit.
pub(super) async fn capped_rows(
    call: &Call,
    caps: Caps,
    memory_bytes: usize,
    mut open: impl FnMut(&mut Budget) -> Result<Progress<Source>> + Send + 'static,
) -> Result<CappedRows> {
    let share = Share::of(&call.note);
    let bytes = caps.bytes.saturating_mul(COPIES).saturating_add(2 * CHUNK_MEMORY_BYTES);
    let _reserved = call.app.answer_memory.portion(&share).reserve(bytes)?;
    let mut source = None;
    let mut lines = Lines::new(caps);
    let taken = call.app.encoders.submit(share, memory_bytes.saturating_add(bytes), move |budget| {
        if source.is_none() {
            match open(budget)? {
                Progress::Done(opened) => source = Some(opened),
                Progress::Paused => return Ok(Progress::Paused),
            }
        }
        let Some(source) = &mut source else { return Ok(Progress::Paused) };
        lines.advance(&mut **source, budget)
    });
    taken.await
}

struct Lines {
    caps: Caps,
    bytes: Vec<u8>,
    count: u64,
    /// End of the last complete row within the limits.
    end: usize,
    seen: usize,
}

impl Lines {
    const fn new(caps: Caps) -> Self {
        Self { caps, bytes: Vec::new(), count: 0, end: 0, seen: 0 }
    }

    fn advance(&mut self, source: &mut dyn ChunkSource, budget: &mut Budget) -> Result<Progress<CappedRows>> {
        loop {
            // A row that is larger than an answer is not encoded.
            if source.next_chunk_bytes() > self.caps.bytes.saturating_add(CHUNK_MEMORY_BYTES) {
                return self.finished(true).map(Progress::Done);
            }
            match source.advance(budget)? {
                Progress::Paused => return Ok(Progress::Paused),
                Progress::Done(None) => return self.finished(false).map(Progress::Done),
                Progress::Done(Some(chunk)) => self.bytes.extend_from_slice(&chunk),
            }
            while let Some(length) = self.bytes[self.seen..].iter().position(|byte| *byte == b'\n') {
                let end = self.seen + length + 1;
                if self.count == self.caps.rows || end > self.caps.bytes {
                    return self.finished(true).map(Progress::Done);
                }
                (self.count, self.end, self.seen) = (self.count + 1, end, end);
            }
            if self.bytes.len() > self.caps.bytes {
                return self.finished(true).map(Progress::Done);
            }
        }
    }

    fn finished(&mut self, is_cut: bool) -> Result<CappedRows> {
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.truncate(self.end);
        // A line feed occurs in no JSON value.
        for byte in bytes.iter_mut().filter(|byte| **byte == b'\n') {
            *byte = b',';
        }
        bytes.pop();
        let rows =
            String::from_utf8(bytes).map_err(|error| Error::Internal(format!("rows as JSON: {error}")))?;
        Ok(CappedRows { json: format!("[{rows}]"), count: self.count, is_cut })
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;

    struct Chunks(Vec<&'static str>);

    impl ChunkSource for Chunks {
        fn advance(&mut self, _: &mut Budget) -> rowhouse_engine::RowsResult<Progress<Option<Bytes>>> {
            Ok(Progress::Done((!self.0.is_empty()).then(|| Bytes::from(self.0.remove(0)))))
        }
    }

    #[test]
    fn only_complete_rows_within_both_limits() {
        let check = |chunks: &[&'static str], rows, bytes, expected: (&str, u64, bool)| {
            let mut lines = Lines::new(Caps { rows, bytes });
            let taken = lines.advance(&mut Chunks(chunks.to_vec()), &mut Budget::unlimited()).expect("rows");
            let Progress::Done(taken) = taken else { panic!("paused") };
            let (json, count, is_cut) = expected;
            assert_eq!(
                taken,
                CappedRows { json: json.to_owned(), count, is_cut },
                "{chunks:?} {rows} {bytes}"
            );
        };
        check(&[], 9, 100, ("[]", 0, false));
        check(&["[1]\n[2]\n"], 9, 100, ("[[1],[2]]", 2, false));
        check(&["[1]\n[", "2]\n", "[3]\n"], 9, 100, ("[[1],[2],[3]]", 3, false));
        check(&["[1]\n[", "2]\n", "[3]\n"], 2, 100, ("[[1],[2]]", 2, true));
        check(&["[1]\n[2]\n"], 2, 100, ("[[1],[2]]", 2, false));
        check(&["[1]\n[2]\n[3]\n"], 9, 8, ("[[1],[2]]", 2, true));
        check(&["[1]\n[2]\n[3]\n"], 9, 11, ("[[1],[2]]", 2, true));
        check(&["[1,", "1111111111", "]\n"], 9, 8, ("[]", 0, true));
    }
}
