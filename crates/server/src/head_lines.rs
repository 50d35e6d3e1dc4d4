//! Checks the lines of a request's head in HTTP/1.1 before hyper does. hyper accepts lines that end with LF alone (RFC 9112,
//! section 2.2), removes a length beside chunks and the repetition of a length (section 6.3), as a recipient may. A proxy in front
//! may take a bare LF for a part of a value, or read another body, and two readers that see different requests in the same bytes
//! can be exploited (request smuggling).

use memchr::memchr_iter;

use crate::error::Error;

/// Why a head is ambiguous.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HeadFault {
    /// A line ends with LF alone.
    BareLineFeed,
    /// `Content-Length` is given several times.
    SeveralLengths,
    /// `Content-Length` stands beside `Transfer-Encoding`.
    LengthAndCoding,
}

impl HeadFault {
    /// The refusal.
    pub(crate) fn error(self) -> Error {
        Error::invalid(match self {
            Self::BareLineFeed => "a line of the request's head ends with LF alone, expected CR and LF",
            Self::SeveralLengths => "header Content-Length is given several times, expected once",
            Self::LengthAndCoding => {
                "header Content-Length stands beside Transfer-Encoding, expected one of them"
            }
        })
    }
}

/// Length of the longest name that counts, with its colon.
const NAME_BYTES: usize = b"transfer-encoding:".len();

/// Reads a head as it arrives.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct HeadLines {
    /// Whether the last byte was a CR.
    is_after_return: bool,
    /// Whether the line that is being read has any bytes before its end.
    is_line_begun: bool,
    /// Whether an earlier line had any: empty lines before the first one are ignored.
    has_line: bool,
    has_ended: bool,
    has_length: bool,
    has_coding: bool,
    /// The first bytes of the line that is being read, and how many they are.
    beginning: ([u8; NAME_BYTES], usize),
}

impl HeadLines {
    /// Takes the next bytes of a connection, up to the end of the head; returns the first fault that is found in them.
    pub(crate) fn take(&mut self, bytes: &[u8]) -> Option<HeadFault> {
        let mut start = 0;
        let mut fault = None;
        for end in memchr_iter(b'\n', bytes) {
            if self.has_ended {
                return fault;
            }
            let line = &bytes[start..end];
            let is_returned = if line.is_empty() { self.is_after_return } else { line.ends_with(b"\r") };
            let bare = (!is_returned).then_some(HeadFault::BareLineFeed);
            let counted = self.end_line(line);
            fault = fault.or(bare).or(counted);
            let is_empty = !self.is_line_begun && matches!(line, b"" | b"\r");
            self.has_ended = is_empty && self.has_line;
            self.has_line |= !is_empty;
            (self.is_line_begun, self.is_after_return) = (false, false);
            start = end + 1;
        }
        let rest = &bytes[start..];
        if let Some(last) = rest.last() {
            // A CR at the end of the previous piece that no LF follows belongs to the line, too.
            self.is_line_begun |= self.is_after_return || rest != b"\r";
            self.is_after_return = *last == b'\r';
            self.begin_line(rest);
        }
        fault
    }

    /// Takes the beginning of a line whose end has not arrived.
    fn begin_line(&mut self, part: &[u8]) {
        let (beginning, length) = &mut self.beginning;
        let more = part.len().min(NAME_BYTES - *length);
        beginning[*length..*length + more].copy_from_slice(&part[..more]);
        *length += more;
    }

    /// Takes the end of a line, and counts it if it says how long the body is.
    fn end_line(&mut self, part: &[u8]) -> Option<HeadFault> {
        if self.beginning.1 == 0 {
            return self.count(part);
        }
        self.begin_line(part);
        let (beginning, length) = std::mem::take(&mut self.beginning);
        self.count(&beginning[..length])
    }

    /// Counts a line that says how long the body is.
    fn count(&mut self, line: &[u8]) -> Option<HeadFault> {
        // Nearly no line begins like those two.
        if !matches!(line.first(), Some(b'c' | b'C' | b't' | b'T')) {
            return None;
        }
        let is = |name: &[u8]| line.get(..name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name));
        if is(b"content-length:") {
            if std::mem::replace(&mut self.has_length, true) {
                return Some(HeadFault::SeveralLengths);
            }
        } else if is(b"transfer-encoding:") {
            self.has_coding = true;
        } else {
            return None;
        }
        (self.has_length && self.has_coding).then_some(HeadFault::LengthAndCoding)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks a head, split into pieces of every length.
    fn check(bytes: &str, expected: impl Into<Option<HeadFault>>) {
        let expected = expected.into();
        let bytes = bytes.as_bytes();
        for length in 1..=bytes.len() {
            let mut lines = HeadLines::default();
            let found = bytes.chunks(length).fold(None, |found, piece| found.or(lines.take(piece)));
            assert_eq!(found, expected, "{:?} by {length}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn head_lines_must_end_with_cr_and_lf() {
        check("GET / HTTP/1.1\r\nHost: a\r\n\r\n", None);
        check("\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", None);
        check("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\n\n", None);
        // Bytes behind the head do not belong to it.
        check("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\na\n\nb", None);
        check("GET / HTTP/1.1\nHost: a\r\n\r\n", HeadFault::BareLineFeed);
        check("GET / HTTP/1.1\r\nHost: a\n\r\n", HeadFault::BareLineFeed);
        check("GET / HTTP/1.1\r\nHost: a\r\n\n", HeadFault::BareLineFeed);
        check("GET / HTTP/1.1\r\nX: a\nTransfer-Encoding: chunked\r\n\r\n", HeadFault::BareLineFeed);
        check("\nGET / HTTP/1.1\r\n\r\n", HeadFault::BareLineFeed);
        check("GET / HTTP/1.1\r\nHost: a\r", None);
        check("GET / HTTP/1.1\r\nHost: a\r\r\n\r\n", None);
    }

    #[test]
    fn a_head_must_give_the_length_of_its_body_once() {
        let post =
            |headers: &str| format!("POST / HTTP/1.1\r\nHost: a\r\n{headers}\r\nContent-Length: 1\r\n\r\n");
        check(&post("Content-Length: 4\r\n"), None);
        check(&post("Transfer-Encoding: chunked\r\nX-Content-Length: 4\r\nTE: a\r\n"), None);
        // Of the next request.
        check(&post("X: 1\r\n"), None);
        let several = HeadFault::SeveralLengths;
        check(&post("Content-Length: 4\r\nContent-Length: 4\r\n"), several);
        check(
            &post("content-length:4\r\nX: y\r\nCONTENT-LENGTH:  5\r\nTransfer-Encoding: chunked\r\n"),
            several,
        );
        let both = HeadFault::LengthAndCoding;
        check(&post("Content-Length: 4\r\nTransfer-Encoding: chunked\r\n"), both);
        check(&post("transfer-encoding: gzip\r\ncontent-length: 4\r\ncontent-length: 4\r\n"), both);
        check(&post("Content-Length: 4\nContent-Length: 4\r\n"), HeadFault::BareLineFeed);
    }
}
