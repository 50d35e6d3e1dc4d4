use std::sync::Arc;

use http_body_util::BodyExt as _;
use rowhouse_engine::{Clock, SystemClock};

use super::*;

/// Returns chunks of `size` bytes, each in its second turn, then ends, or fails if `fails`.
struct Counted {
    chunks: usize,
    size: usize,
    fails: bool,
    is_second_turn: bool,
}

impl ChunkSource for Counted {
    fn advance(&mut self, budget: &mut Budget) -> rowhouse_engine::RowsResult<Progress<Option<Bytes>>> {
        self.is_second_turn ^= true;
        if self.is_second_turn {
            budget.spend(budget.left());
            return Ok(Progress::Paused);
        }
        if self.chunks == 0 {
            return if self.fails {
                Err(rowhouse_engine::RowsError::internal("encoding", "planned fault"))
            } else {
                Ok(Progress::Done(None))
            };
        }
        self.chunks -= 1;
        Ok(Progress::Done(Some(Bytes::from(vec![b'x'; self.size]))))
    }
}

fn encoders() -> Encoders {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::new());
    Encoders::start(&clock).expect("threads")
}

fn answer(
    chunks: usize,
    size: usize,
    fails: bool,
    coding: Coding,
) -> Result<(Option<u64>, Option<String>, Vec<u8>)> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().expect("a runtime");
    runtime.block_on(async {
        let memory = AnswerMemory::new(16 << 20);
        let head = RowsHead { content_type: HeaderValue::from_static("text/csv"), coding, memory };
        let open = opened_once(move || -> Result<Source> {
            Ok(Box::new(Counted { chunks, size, fails, is_second_turn: false }))
        });
        let answer = rows(&encoders(), Share::Nobody, head, 0, open).await?;
        let coding =
            answer.headers().get(CONTENT_ENCODING).map(|name| name.to_str().expect("ascii").to_owned());
        let length = http_body::Body::size_hint(answer.body()).exact();
        let body = answer.into_body().collect().await?.to_bytes();
        Ok((length, coding, body.to_vec()))
    })
}

#[test]
fn small_answers_are_sent_whole_and_large_ones_streamed() {
    let (length, _, body) = answer(3, 100, false, Coding::Identity).expect("an answer");
    assert_eq!((length, body.len()), (Some(300), 300));
    let (length, _, body) = answer(0, 0, false, Coding::Identity).expect("an answer");
    assert_eq!((length, body.len()), (Some(0), 0));
    let (length, _, body) = answer(30, 10_000, false, Coding::Identity).expect("an answer");
    assert_eq!((length, body.len()), (None, 300_000));
}

#[test]
fn empty_chunks_do_not_end_an_answer() {
    let (_, _, body) = answer(5, 0, false, Coding::Identity).expect("an answer");
    assert!(body.is_empty());
}

#[test]
fn an_early_error_is_a_status_and_a_late_one_aborts_the_body() {
    for (chunks, size) in [(0, 1), (3, 100), (30, 10_000)] {
        assert!(answer(chunks, size, true, Coding::Identity).is_err(), "{chunks}");
        assert!(answer(chunks, size, true, Coding::Gzip).is_err(), "{chunks}");
    }
}

#[test]
fn both_codings_give_the_same_bytes() {
    for (chunks, size) in [(40, 100), (30, 10_000)] {
        let (_, _, plain) = answer(chunks, size, false, Coding::Identity).expect("an answer");
        let (_, coding, zstd) = answer(chunks, size, false, Coding::Zstd).expect("an answer");
        assert_eq!(coding.as_deref(), Some("zstd"));
        assert_eq!(zstd::decode_all(zstd.as_slice()).expect("zstd"), plain);
        let (_, coding, gzip) = answer(chunks, size, false, Coding::Gzip).expect("an answer");
        assert_eq!(coding.as_deref(), Some("gzip"));
        let mut unzipped = Vec::new();
        std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(gzip.as_slice()), &mut unzipped)
            .expect("gzip");
        assert_eq!(unzipped, plain);
    }
    let (_, coding, _) = answer(1, 100, false, Coding::Gzip).expect("an answer");
    assert_eq!(coding, None, "tiny answers are sent as they are");
}

/// Numbers from `next` to below `end`, of 4 bytes each, 1000 per chunk; parts have different lengths.
struct Numbers {
    next: u32,
    end: u32,
    is_part: bool,
}

impl ChunkSource for Numbers {
    fn advance(&mut self, _: &mut Budget) -> rowhouse_engine::RowsResult<Progress<Option<Bytes>>> {
        let end = self.end.min(self.next + 1000);
        let bytes: Vec<u8> = (self.next..end).flat_map(u32::to_be_bytes).collect();
        self.next = end;
        Ok(Progress::Done((!bytes.is_empty()).then(|| bytes.into())))
    }

    fn split(&mut self) -> Option<Source> {
        // Sometimes no part: then the source itself continues.
        if self.is_part || self.next == self.end || self.next.is_multiple_of(13) {
            return None;
        }
        let end = self.end.min(self.next + 1 + self.next % 4001);
        let part = Self { next: self.next, end, is_part: true };
        self.next = end;
        Some(Box::new(part))
    }
}

#[test]
fn all_parts_are_sent_in_order() {
    let counts = [0, 1, 999, 16_384, 16_385, 100_000, 1_000_003].into_iter();
    // With room for a single chunk at a time, and with all memory.
    for (count, memory_bytes) in counts.flat_map(|count| [(count, 150 << 10), (count, 16 << 20)]) {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().expect("a runtime");
        let body = runtime.block_on(async {
            let memory = AnswerMemory::new(memory_bytes);
            let coding = Coding::Identity;
            let head = RowsHead { content_type: HeaderValue::from_static("text/csv"), coding, memory };
            let open =
                move || -> Result<Source> { Ok(Box::new(Numbers { next: 0, end: count, is_part: false })) };
            let answer = rows(&encoders(), Share::Nobody, head, 0, opened_once(open)).await.expect("begun");
            let (mut body, mut received) = (answer.into_body(), Vec::new());
            // Received chunks are dropped, as they are when sent.
            while let Some(frame) = body.frame().await {
                received.extend_from_slice(&frame.expect("a chunk").into_data().expect("data"));
            }
            received
        });
        let expected: Vec<u8> = (0..count).flat_map(u32::to_be_bytes).collect();
        assert!(body == expected, "{count}: {} bytes of {}", body.len(), expected.len());
    }
}
