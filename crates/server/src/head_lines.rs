//! Checks that the lines of a request's head in HTTP/1.1 end with CR and LF (RFC 9112, section 2.2). hyper accepts LF alone,
//! as a recipient may. A proxy in front may take a bare LF for a part of a value, and two readers that see different requests
//! in the same bytes can be exploited (request smuggling).

use memchr::memchr_iter;

/// Reads a head as it arrives.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct HeadLines {
    /// Whether the last byte was a CR.
    is_after_return: bool,
    /// Whether the line that is being read has anything but its end.
    is_line_begun: bool,
    /// Whether a line before it had: empty ones before the first are passed over.
    has_line: bool,
    has_ended: bool,
}

impl HeadLines {
    /// Takes the next bytes of a connection up to the end of the head; whether one of its lines ends without CR.
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
            // A CR of the line before that turns out to be no end belongs to the line, too.
            self.is_line_begun |= self.is_after_return || rest != b"\r";
            self.is_after_return = *last == b'\r';
        }
        has_bare_line_feed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// However it is cut into pieces.
    fn check(bytes: &str, expected: bool) {
        let bytes = bytes.as_bytes();
        for length in 1..=bytes.len() {
            let mut lines = HeadLines::default();
            let found = bytes.chunks(length).fold(false, |found, piece| lines.take(piece) | found);
            assert_eq!(found, expected, "{:?} by {length}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn lines_of_a_head_end_with_both() {
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
