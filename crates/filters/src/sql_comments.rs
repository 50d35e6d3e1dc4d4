//! Finds the `--` comments of SQL text, excluding those inside string literals, quoted names and block comments.
//!
//! SQL engines differ in what counts as such, so the text is lexed in two ways and the caller compares.

/// How a text is lexed. Both readings know `'…'` with `''`, `"…"` with `""`, `` `…` `` and `/* … */`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// Trino's grammar: block comments do not nest, a lone `\r` ends a line comment.
    Trino,
    /// Other engines and tools, such as sqlparser's generic dialect: block comments nest, a line comment runs through a
    /// lone `\r`, and there are the strings `$tag$…$tag$`, `E'…'` and `X'…'` with backslashes, `q'[…]'` and `R'''…'''`.
    /// In this reading an unterminated quote or block comment hides nothing, so that the readings differ where it
    /// matters.
    Generic,
}

/// A line comment, from its `--` to before the `\n` or `\r` that ends its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LineComment<'s> {
    /// Byte offset of its `--` in the text.
    pub(crate) offset: usize,
    pub(crate) text: &'s str,
}

/// The line comments of a text, in order.
pub(crate) fn line_comments(sql: &str, reading: Reading) -> impl Iterator<Item = LineComment<'_>> {
    Lexer { sql, reading, offset: 0, comment_end: 0, is_broken: false }
}

struct Lexer<'s> {
    sql: &'s str,
    reading: Reading,
    /// Always at a character boundary: the scanner searches for ASCII only.
    offset: usize,
    /// End of the line comment that contains `offset`, after a lone `\r` in the generic reading.
    comment_end: usize,
    /// Whether an unterminated construct was found in the generic reading: from there on only `--` is searched for.
    is_broken: bool,
}

impl<'s> Iterator for Lexer<'s> {
    type Item = LineComment<'s>;

    fn next(&mut self) -> Option<LineComment<'s>> {
        while let Some(byte) = self.byte(0) {
            match byte {
                // A person sees a line that begins here, whatever the engine sees: `--` at its beginning is a comment.
                _ if self.offset < self.comment_end => {
                    self.skip_while(|byte| byte.is_ascii_whitespace());
                    if self.rest().starts_with("--") {
                        return Some(self.line_comment());
                    }
                    self.offset = self.line_end(self.offset).min(self.comment_end);
                }
                b'-' if self.byte(1) == Some(b'-') => return Some(self.line_comment()),
                _ if self.is_broken => self.offset += 1,
                // The generic tokenizer's integer division: `a//*b` is no block comment.
                b'/' if self.byte(1) == Some(b'/') && self.reading == Reading::Generic => self.offset += 2,
                b'/' if self.byte(1) == Some(b'*') => self.skip_block_comment(),
                b'\'' => self.skip_quoted("'"),
                b'"' => self.skip_quoted("\""),
                b'`' => self.skip_quoted("`"),
                b'$' if self.reading == Reading::Generic => self.skip_dollar(),
                b'0'..=b'9' => self.skip_while(|byte| byte.is_ascii_digit()),
                _ if is_word(byte) => self.skip_word(),
                _ => self.offset += 1,
            }
        }
        None
    }
}

impl<'s> Lexer<'s> {
    fn rest(&self) -> &'s str {
        &self.sql[self.offset..]
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        self.sql.as_bytes().get(self.offset + ahead).copied()
    }

    fn skip_while(&mut self, wanted: impl Fn(u8) -> bool) {
        while self.byte(0).is_some_and(&wanted) {
            self.offset += 1;
        }
    }

    /// Skips a construct that begins with `opening` bytes and ends with the next `end`.
    fn skip_delimited(&mut self, opening: usize, end: &str) {
        let inside = self.sql.get(self.offset + opening..).unwrap_or_default();
        match inside.find(end) {
            Some(length) => self.offset += opening + length + end.len(),
            None => self.skip_unended(),
        }
    }

    fn skip_unended(&mut self) {
        match self.reading {
            Reading::Trino => self.offset = self.sql.len(),
            Reading::Generic => {
                self.is_broken = true;
                self.offset += 1;
            }
        }
    }

    fn line_end(&self, start: usize) -> usize {
        self.sql[start..].find(['\n', '\r']).map_or(self.sql.len(), |found| start + found)
    }

    fn line_comment(&mut self) -> LineComment<'s> {
        let offset = self.offset;
        self.offset = self.line_end(offset);
        // A later piece of a comment that a lone `\r` cuts ends where the comment does: one search is enough.
        if self.reading == Reading::Generic && self.comment_end <= offset {
            self.comment_end = self.sql[offset..].find('\n').map_or(self.sql.len(), |found| offset + found);
        }
        LineComment { offset, text: &self.sql[offset..self.offset] }
    }

    fn skip_block_comment(&mut self) {
        if self.reading == Reading::Trino {
            return self.skip_delimited("/*".len(), "*/");
        }
        let (mut end, mut depth) = (self.offset + "/*".len(), 1_usize);
        while depth > 0 {
            let rest = &self.sql[end..];
            let Some(found) = rest.find(['*', '/']) else { return self.skip_unended() };
            end += found;
            (end, depth) = match rest.as_bytes().get(found..found + 2) {
                Some(b"*/") => (end + 2, depth - 1),
                Some(b"/*") => (end + 2, depth + 1),
                _ => (end + 1, depth),
            };
        }
        self.offset = end;
    }

    /// A doubled quote needs no special case: it ends one literal and begins the next immediately.
    fn skip_quoted(&mut self, quote: &str) {
        self.skip_delimited(quote.len(), quote);
    }

    fn skip_word(&mut self) {
        let start = self.offset;
        self.skip_while(|byte| is_word(byte) || byte == b'$');
        if self.reading == Reading::Generic {
            match (&self.sql[start..self.offset], self.byte(0)) {
                ("e" | "E" | "x" | "X", Some(b'\'')) => self.skip_escaped_string(),
                ("q" | "Q" | "nq" | "nQ" | "Nq" | "NQ", Some(b'\'')) => self.skip_quote_delimited_string(),
                ("r" | "R", _) if self.rest().starts_with("'''") => self.skip_quoted("'''"),
                ("r" | "R", _) if self.rest().starts_with("\"\"\"") => self.skip_quoted("\"\"\""),
                _ => {}
            }
        }
    }

    fn skip_escaped_string(&mut self) {
        let mut characters = self.rest().char_indices().skip(1).peekable();
        while let Some((length, character)) = characters.next() {
            match character {
                '\\' => drop(characters.next()),
                '\'' if characters.next_if(|(_, next)| *next == '\'').is_none() => {
                    self.offset += length + 1;
                    return;
                }
                _ => {}
            }
        }
        self.skip_unended();
    }

    /// `q'[it's]'`: ends with the closing counterpart of the first character and a quote.
    fn skip_quote_delimited_string(&mut self) {
        let Some(opening) = self.rest().chars().nth(1) else { return self.skip_unended() };
        let closing = match opening {
            '[' => ']',
            '(' => ')',
            '{' => '}',
            '<' => '>',
            other => other,
        };
        self.skip_delimited(1 + opening.len_utf8(), &format!("{closing}'"));
    }

    /// `$tag$…$tag$`, or a placeholder such as `$1`.
    fn skip_dollar(&mut self) {
        let tag = &self.rest()[1..];
        let length = tag.find(|character: char| !character.is_alphanumeric() && character != '_');
        let length = length.unwrap_or(tag.len());
        if tag[length..].starts_with('$') {
            let delimiter = &self.rest()[..length + 2];
            self.skip_delimited(delimiter.len(), delimiter);
        } else {
            self.offset += 1 + length;
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

#[cfg(test)]
mod tests;
