//! Answers of up to megabytes that are written at once, by an encoder. Their memory is reserved before they wait to be
//! compressed or sent; that of values also while they are written.

use std::io;

use bytes::Bytes;
use rowhouse_engine::Progress;
use serde::Serialize;

use crate::answer_memory::{Counted, Portion, Reserved};
use crate::call::Call;
use crate::encoders::Share;
use crate::error::{Error, Result};
use crate::response::{Answer, JSON, whole};

/// What is reserved first.
const FIRST_BYTES: usize = 64 << 10;

/// Answers with a value as JSON; what it holds is free afterwards.
pub(super) async fn answer(call: &Call, value: impl Serialize + Send + 'static) -> Result<Answer> {
    written(call, move |portion| {
        let mut json = ReservedBytes { portion, bytes: Vec::new(), reserved: Vec::new(), refused: None };
        match serde_json::to_writer(&mut json, &value) {
            Ok(()) => Ok(json.covered()),
            Err(error) => {
                Err(json.refused.unwrap_or_else(|| Error::Internal(format!("writing an answer: {error}"))))
            }
        }
    })
    .await
}

/// Answers with the JSON that `make` returns; what it holds is free afterwards.
pub(super) async fn bytes(
    call: &Call,
    make: impl FnOnce() -> Result<Bytes> + Send + 'static,
) -> Result<Answer> {
    written(call, move |portion| {
        let json = make()?;
        let reserved = portion.reserve(json.len())?;
        Ok(reserved.cover(json))
    })
    .await
}

async fn written(
    call: &Call,
    write: impl FnOnce(&Portion) -> Result<Bytes> + Send + 'static,
) -> Result<Answer> {
    let share = Share::of(&call.note);
    let portion = call.app.answer_memory.portion(&share);
    let mut write = Some(write);
    let written = call.app.encoders.submit(share, 0, move |_| {
        let write = write.take().ok_or_else(|| Error::Internal("an answer was written twice".to_owned()))?;
        write(&portion).map(Progress::Done)
    });
    let mut answer = whole(JSON, written.await?);
    answer.extensions_mut().insert(Counted);
    Ok(answer)
}

/// Bytes that are reserved before they are allocated, each time as many as there are.
struct ReservedBytes<'p> {
    portion: &'p Portion,
    bytes: Vec<u8>,
    reserved: Vec<Reserved>,
    refused: Option<Error>,
}

impl ReservedBytes<'_> {
    fn grow(&mut self, bytes: usize) -> Result<()> {
        let more = bytes.max(self.bytes.capacity()).max(FIRST_BYTES);
        self.reserved.push(self.portion.reserve(more)?);
        self.bytes.reserve_exact(self.bytes.capacity() + more - self.bytes.len());
        Ok(())
    }

    /// The bytes, which give back their memory when the last of them has been sent.
    fn covered(self) -> Bytes {
        self.reserved.into_iter().fold(self.bytes.into(), |bytes, reserved| reserved.cover(bytes))
    }
}

impl io::Write for ReservedBytes<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes.capacity() - self.bytes.len() < bytes.len()
            && let Err(error) = self.grow(bytes.len())
        {
            self.refused = Some(error);
            return Err(io::Error::other("no memory for the answer"));
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::answer_memory::AnswerMemory;

    #[test]
    fn bytes_are_reserved_before_they_are_written() {
        let memory = AnswerMemory::new(1 << 20);
        let portion = memory.portion(&Share::Nobody);
        let mut written =
            ReservedBytes { portion: &portion, bytes: Vec::new(), reserved: Vec::new(), refused: None };
        for _ in 0..100 {
            written.write_all(&[b'x'; 1000]).expect("there is room");
            assert!(memory.used_bytes() >= written.bytes.capacity());
        }
        let bytes = written.covered();
        assert_eq!(bytes.len(), 100_000);
        assert!((100_000..=2 * 131_072).contains(&memory.used_bytes()), "{}", memory.used_bytes());
        drop(bytes);
        assert_eq!(memory.used_bytes(), 0);
        let mut written =
            ReservedBytes { portion: &portion, bytes: Vec::new(), reserved: Vec::new(), refused: None };
        let refused = (0..2000).find_map(|_| written.write_all(&[b'x'; 1000]).err());
        assert!(refused.is_some() && written.refused.is_some());
        assert!(memory.used_bytes() <= 1 << 20);
    }
}
