//! Content codings: the coding of an answer, and encoders around a source of chunks.

use std::io::Write;

use bytes::Bytes;
use flate2::write::GzEncoder;
use http::HeaderMap;
use http::header::ACCEPT_ENCODING;
use rowhouse_engine::{Budget, ChunkSource, Progress};

use crate::accept::qualities;
use crate::error::{Error, Result};

/// Smaller answers are not compressed.
pub(crate) const MIN_COMPRESSED_BYTES: usize = 1024;
/// Minimum size of an encoder's output chunks.
const CHUNK_BYTES: usize = 32 << 10;
/// Rows are repetitive, so the fast levels already save most.
const GZIP_LEVEL: u32 = 3;
const ZSTD_LEVEL: i32 = 1;

/// Approximate memory of an encoder: windows, tables and pending output.
const GZIP_BYTES: usize = 512 << 10;
const ZSTD_BYTES: usize = 2 << 20;
/// A whole body is compressed in pieces of this size.
const PIECE_BYTES: usize = 16 << 10;

/// A content coding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Coding {
    Identity,
    Gzip,
    Zstd,
}

impl Coding {
    /// Value of `Content-Encoding`; none for an uncompressed body.
    pub(crate) const fn name(self) -> Option<&'static str> {
        match self {
            Self::Identity => None,
            Self::Gzip => Some("gzip"),
            Self::Zstd => Some("zstd"),
        }
    }

    /// Whether a request accepts this coding, whether it prefers it or not.
    pub(crate) fn is_accepted(self, headers: &HeaderMap) -> bool {
        let accepted = qualities(headers, &ACCEPT_ENCODING);
        let Some(own) = self.name() else { return true };
        let named = accepted.iter().find(|(name, _)| name.eq_ignore_ascii_case(own));
        named
            .or_else(|| accepted.iter().find(|(name, _)| name == "*"))
            .is_some_and(|&(_, quality)| quality > 0)
    }

    /// The coding that a request prefers, by its q-values; among equals the cheapest. An uncompressed body is always
    /// allowed: refusing would help nobody.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        if !headers.contains_key(ACCEPT_ENCODING) {
            return Self::Identity;
        }
        let accepted = qualities(headers, &ACCEPT_ENCODING);
        let quality = |coding: &str| {
            let named = accepted.iter().find(|(name, _)| name.eq_ignore_ascii_case(coding));
            named.or_else(|| accepted.iter().find(|(name, _)| name == "*")).map_or(0, |&(_, quality)| quality)
        };
        let (zstd, gzip) = (quality("zstd"), quality("gzip").max(quality("x-gzip")));
        let identity = accepted
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case("identity"))
            .map_or(0, |found| found.1);
        if zstd.max(gzip) <= identity.saturating_sub(1) || zstd.max(gzip) == 0 {
            Self::Identity
        } else if zstd >= gzip {
            Self::Zstd
        } else {
            Self::Gzip
        }
    }
}

/// A whole body being compressed, unless it is too small.
pub(crate) struct WholeBody {
    /// None for an uncompressed body.
    encoder: Option<Encoder>,
    coding: Coding,
    /// The part that is not compressed yet.
    rest: Bytes,
}

impl WholeBody {
    pub(crate) fn new(bytes: Bytes, coding: Coding) -> Result<Self> {
        let encoder = if bytes.len() < MIN_COMPRESSED_BYTES { None } else { Encoder::new(coding)? };
        let coding = if encoder.is_some() { coding } else { Coding::Identity };
        Ok(Self { encoder, coding, rest: bytes })
    }

    /// The body and its coding, once it is compressed.
    pub(crate) fn advance(&mut self, budget: &mut Budget) -> Result<Progress<(Bytes, Coding)>> {
        let Some(encoder) = &mut self.encoder else {
            return Ok(Progress::Done((std::mem::take(&mut self.rest), self.coding)));
        };
        while !self.rest.is_empty() {
            if budget.is_spent() {
                return Ok(Progress::Paused);
            }
            let piece = self.rest.split_to(self.rest.len().min(PIECE_BYTES));
            budget.spend(piece.len() as u64 * encoder.steps_per_byte());
            encoder.write(&piece).map_err(broken)?;
        }
        encoder.finish().map_err(broken)?;
        Ok(Progress::Done((encoder.take(), self.coding)))
    }
}

fn broken(error: std::io::Error) -> rowhouse_engine::RowsError {
    rowhouse_engine::RowsError::internal("compressing an answer", error)
}

enum Encoder {
    Gzip(GzEncoder<Vec<u8>>),
    Zstd(zstd::stream::write::Encoder<'static, Vec<u8>>),
}

impl Encoder {
    fn new(coding: Coding) -> Result<Option<Self>> {
        Ok(match coding {
            Coding::Identity => None,
            Coding::Gzip => {
                Some(Self::Gzip(GzEncoder::new(Vec::new(), flate2::Compression::new(GZIP_LEVEL))))
            }
            Coding::Zstd => Some(Self::Zstd(
                zstd::stream::write::Encoder::new(Vec::new(), ZSTD_LEVEL)
                    .map_err(|error| Error::from(broken(error)))?,
            )),
        })
    }

    fn write(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        match self {
            Self::Gzip(encoder) => encoder.write_all(bytes),
            Self::Zstd(encoder) => encoder.write_all(bytes),
        }
    }

    fn finish(&mut self) -> std::io::Result<()> {
        match self {
            Self::Gzip(encoder) => encoder.try_finish(),
            Self::Zstd(encoder) => encoder.do_finish(),
        }
    }

    /// Cost of a byte, in steps of a budget.
    const fn steps_per_byte(&self) -> u64 {
        match self {
            Self::Gzip(_) => 8,
            Self::Zstd(_) => 3,
        }
    }

    fn output(&mut self) -> &mut Vec<u8> {
        match self {
            Self::Gzip(encoder) => encoder.get_mut(),
            Self::Zstd(encoder) => encoder.get_mut(),
        }
    }

    fn take(&mut self) -> Bytes {
        Bytes::from(std::mem::take(self.output()))
    }
}

/// An encoder that waits for its source.
pub(crate) struct CompressedSource<S = ()> {
    encoder: Encoder,
    source: S,
    is_finished: bool,
}

impl CompressedSource {
    /// None for an uncompressed body.
    pub(crate) fn new(coding: Coding) -> Result<Option<Self>> {
        Ok(Encoder::new(coding)?.map(|encoder| Self { encoder, source: (), is_finished: false }))
    }

    /// Compresses this source.
    pub(crate) fn of(self, source: Box<dyn ChunkSource>) -> CompressedSource<Box<dyn ChunkSource>> {
        CompressedSource { encoder: self.encoder, source, is_finished: false }
    }
}

impl ChunkSource for CompressedSource<Box<dyn ChunkSource>> {
    fn advance(&mut self, budget: &mut Budget) -> rowhouse_engine::RowsResult<Progress<Option<Bytes>>> {
        while !self.is_finished && self.encoder.output().len() < CHUNK_BYTES {
            if budget.is_spent() {
                return Ok(Progress::Paused);
            }
            match self.source.advance(budget)? {
                Progress::Paused => return Ok(Progress::Paused),
                // The next chunk takes more memory than announced: it must be reserved first.
                Progress::Done(Some(chunk)) if chunk.is_empty() => return Ok(Progress::Done(Some(chunk))),
                Progress::Done(Some(chunk)) => {
                    budget.spend(chunk.len() as u64 * self.encoder.steps_per_byte());
                    self.encoder.write(&chunk).map_err(broken)?;
                }
                Progress::Done(None) => {
                    self.encoder.finish().map_err(broken)?;
                    self.is_finished = true;
                }
            }
        }
        let chunk = self.encoder.take();
        Ok(Progress::Done((!chunk.is_empty()).then_some(chunk)))
    }

    fn next_chunk_bytes(&self) -> usize {
        self.source.next_chunk_bytes()
    }

    fn held_bytes(&self) -> usize {
        let encoder = match self.encoder {
            Encoder::Gzip(_) => GZIP_BYTES,
            Encoder::Zstd(_) => ZSTD_BYTES,
        };
        encoder + self.source.held_bytes()
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn the_preferred_content_coding_is_chosen() {
        let check = |accept: Option<&str>, expected| {
            let mut headers = HeaderMap::new();
            if let Some(accept) = accept {
                headers.insert(ACCEPT_ENCODING, HeaderValue::from_str(accept).expect(accept));
            }
            assert_eq!(Coding::of(&headers), expected, "{accept:?}");
        };
        check(None, Coding::Identity);
        check(Some(""), Coding::Identity);
        check(Some("gzip"), Coding::Gzip);
        check(Some("gzip, deflate, br, zstd"), Coding::Zstd);
        check(Some("GZIP;q=1, zstd;q=0.5"), Coding::Gzip);
        check(Some("zstd;q=0, gzip;q=0.001"), Coding::Gzip);
        check(Some("gzip;q=0"), Coding::Identity);
        check(Some("*"), Coding::Zstd);
        check(Some("*;q=0"), Coding::Identity);
        check(Some("gzip;q=0, *"), Coding::Zstd);
        check(Some("identity, gzip;q=0.5"), Coding::Identity);
        check(Some("identity, gzip"), Coding::Gzip);
        check(Some("br"), Coding::Identity);
        check(Some("gzip;q=banana"), Coding::Identity);
    }

    #[test]
    fn acceptable_content_codings() {
        let check = |accept: &str, expected| {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_ENCODING, HeaderValue::from_str(accept).expect(accept));
            assert_eq!(Coding::Gzip.is_accepted(&headers), expected, "{accept}");
        };
        check("gzip, deflate, br, zstd", true);
        check("zstd, GZIP;q=0.1", true);
        check("*", true);
        check("*, gzip;q=0", false);
        check("zstd", false);
        assert!(!Coding::Gzip.is_accepted(&HeaderMap::new()));
    }
}
