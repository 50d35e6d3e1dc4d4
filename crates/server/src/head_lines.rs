//! Checks that the lines of a request's head in HTTP/1.1 end with CR and LF (RFC 9112, section 2.2). hyper accepts LF alone,
//! as a recipient may. A proxy in front may take a bare LF for a part of a value, and two readers that see different requests
//! in the same bytes can be exploited (request smuggling).

use memchr::memchr_iter;

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
}

impl HeadLines {
    /// Takes the next bytes of a connection, up to the end of the head; returns whether a line in them ends without CR.
    pub(crate) fn take(&mut self, bytes: &[u8]) -> bool {
        let mut start = 0;
        let mut has_bare_line_feed = false;
        for end in memchr_iter(b'\n', bytes) {
            if self.has_ended {
                return has_bare_line_feed;
            }
            let line = &bytes[start..end];
            let is_returned = if line.is_empty() { self.is_after_return } else { line.ends_with(b"\r") };
            has_bare_line_feed |= !is_returned;
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
        }
        has_bare_line_feed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks a head, split into pieces of every length.
    fn check(bytes: &str, expected: bool) {
        let bytes = bytes.as_bytes();
        for length in 1..=bytes.len() {
            let mut lines = HeadLines::default();
            let found = bytes.chunks(length).fold(false, |found, piece| lines.take(piece) | found);
            assert_eq!(found, expected, "{:?} by {length}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn head_lines_must_end_with_cr_and_lf() {
        check("GET / HTTP/1.1\r\nHost: a\r\n\r\n", false);
        check("\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", false);
        check("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\n\n", false);
        // Bytes behind the head do not belong to it.
        check("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\na\n\nb", false);
        check("GET / HTTP/1.1\nHost: a\r\n\r\n", true);
        check("GET / HTTP/1.1\r\nHost: a\n\r\n", true);
        check("GET / HTTP/1.1\r\nHost: a\r\n\n", true);
        check("GET / HTTP/1.1\r\nX: a\nTransfer-Encoding: chunked\r\n\r\n", true);
        check("\nGET / HTTP/1.1\r\n\r\n", true);
        check("GET / HTTP/1.1\r\nHost: a\r", false);
        check("GET / HTTP/1.1\r\nHost: a\r\r\n\r\n", false);
    }
}
