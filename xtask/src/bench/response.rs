//! Finds the end of an HTTP/1.1 response, parsing as little of it as possible.

use anyhow::{Context as _, Result, bail};
use memchr::memmem;

/// Reads one response that arrives in arbitrary pieces.
#[derive(Debug, Default)]
pub(super) struct ResponseReader {
    state: State,
    /// Bytes of an incomplete head, or of an incomplete line between chunks.
    partial: Vec<u8>,
    body_bytes: u64,
    /// The body, if it is wanted.
    body: Option<Vec<u8>>,
}

#[derive(Debug, Default)]
enum State {
    #[default]
    Head,
    Body {
        left: u64,
    },
    ChunkSize,
    /// The data includes the line end after the chunk.
    Chunk {
        left: u64,
    },
    /// The line end after the last chunk; no server here sends trailers.
    LastLine,
}

impl ResponseReader {
    /// A reader that keeps the body or discards it.
    pub(super) fn new(keeps_body: bool) -> Self {
        Self { body: keeps_body.then(Vec::new), ..Self::default() }
    }

    /// The body so far; empty if it is discarded.
    pub(super) fn body(&self) -> &[u8] {
        self.body.as_deref().unwrap_or_default()
    }

    /// Bytes of the body so far.
    pub(super) fn body_bytes(&self) -> u64 {
        self.body_bytes
    }

    /// Consumes the next bytes; true if the response is complete.
    pub(super) fn feed(&mut self, mut data: &[u8]) -> Result<bool> {
        loop {
            match &mut self.state {
                State::Head => {
                    let Some(state) = self.until(&mut data, b"\r\n\r\n", head)? else { return Ok(false) };
                    self.state = state;
                }
                State::Body { left } => {
                    let taken = (data.len() as u64).min(*left);
                    *left -= taken;
                    self.body_bytes += taken;
                    if let Some(body) = &mut self.body {
                        body.extend_from_slice(&data[..taken as usize]);
                    }
                    return Ok(*left == 0);
                }
                State::ChunkSize => {
                    let Some(size) = self.until(&mut data, b"\r\n", chunk_size)? else { return Ok(false) };
                    self.body_bytes += size;
                    self.state = if size == 0 { State::LastLine } else { State::Chunk { left: size + 2 } };
                }
                State::Chunk { left } => {
                    let taken = (data.len() as u64).min(*left);
                    if let Some(body) = &mut self.body {
                        // Without the line end.
                        body.extend_from_slice(&data[..taken.min(left.saturating_sub(2)) as usize]);
                    }
                    *left -= taken;
                    data = &data[taken as usize..];
                    if *left > 0 {
                        return Ok(false);
                    }
                    self.state = State::ChunkSize;
                }
                State::LastLine => return Ok(self.until(&mut data, b"\r\n", |_| Ok(()))?.is_some()),
            }
        }
    }

    /// Reads what precedes the next `end`, once all of it has arrived.
    fn until<T>(
        &mut self,
        data: &mut &[u8],
        end: &[u8],
        read: impl FnOnce(&[u8]) -> Result<T>,
    ) -> Result<Option<T>> {
        if self.partial.is_empty()
            && let Some(place) = memmem::find(data, end)
        {
            let line = &data[..place];
            *data = &data[place + end.len()..];
            return read(line).map(Some);
        }
        let kept = self.partial.len();
        self.partial.extend_from_slice(data);
        let Some(place) = memmem::find(&self.partial, end) else {
            *data = &[];
            return Ok(None);
        };
        *data = &data[place + end.len() - kept..];
        let partial = std::mem::take(&mut self.partial);
        read(&partial[..place]).map(Some)
    }
}

fn head(head: &[u8]) -> Result<State> {
    let shown = || String::from_utf8_lossy(head).into_owned();
    if head.get(9..12) != Some(b"200") {
        bail!("the answer is not 200: {}", shown());
    }
    if let Some(length) = header(head, b"\r\ncontent-length:") {
        let left = length.parse().with_context(shown)?;
        return Ok(State::Body { left });
    }
    match header(head, b"\r\ntransfer-encoding:") {
        Some("chunked") => Ok(State::ChunkSize),
        _ => bail!("the answer does not say how long it is: {}", shown()),
    }
}

/// The value of a header that servers write in lower case; of peers that do not, in any case.
fn header<'h>(head: &'h [u8], name: &[u8]) -> Option<&'h str> {
    let place = memmem::find(head, name)
        .or_else(|| head.windows(name.len()).position(|window| window.eq_ignore_ascii_case(name)))?;
    let rest = &head[place + name.len()..];
    let end = memchr::memchr(b'\r', rest).unwrap_or(rest.len());
    std::str::from_utf8(&rest[..end]).ok().map(str::trim)
}

fn chunk_size(line: &[u8]) -> Result<u64> {
    let text = String::from_utf8_lossy(line);
    u64::from_str_radix(&text, 16).with_context(|| format!("a chunk's size: {text:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(answer: &str, expected_body: &str) {
        for piece_bytes in [1, 2, 3, 7, answer.len()] {
            let mut reader = ResponseReader::new(true);
            let mut ends = Vec::new();
            for piece in answer.as_bytes().chunks(piece_bytes) {
                ends.push(reader.feed(piece).expect("a well-formed answer"));
            }
            let last = ends.pop();
            assert_eq!(last, Some(true), "{piece_bytes}");
            assert!(!ends.contains(&true), "{piece_bytes}");
            assert_eq!(reader.body(), expected_body.as_bytes());
            assert_eq!(reader.body_bytes(), expected_body.len() as u64);
        }
    }

    #[test]
    fn an_answer_ends_by_its_length_or_its_last_chunk() {
        check("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabcde", "abcde");
        check("HTTP/1.1 200 OK\r\ncontent-length: 0\r\nx: y\r\n\r\n", "");
        check(
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\na\r\n0123456789\r\n0\r\n\r\n",
            "abc0123456789",
        );
    }

    #[test]
    fn an_unsuccessful_answer_ends_the_run() {
        assert!(
            ResponseReader::default().feed(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n").is_err()
        );
    }
}
