//! Preparation of a statement's text before it is sent to Trino: its fingerprint (D20), whether a workspace may run it,
//! and where it ends. Trino parses; this recognizes words and literals by Trino's lexical rules and nothing more.

use std::fmt::Write as _;

use rowhouse_model::{ErrorCode, ErrorLocation, QueryError, StatementParameters};
use sha2::{Digest, Sha256};

use rowhouse_sql::{Prepared, is_reserved};

#[cfg(test)]
mod tests;

/// Statements that may run in every workspace because they only read.
const QUERIES: &[&str] = &["SELECT", "WITH", "VALUES", "TABLE"];
/// Statements that read metadata.
const METADATA: &[&str] = &["SHOW", "DESCRIBE", "DESC"];
/// Statements that change only a session, which no statement shares with the next one.
const SESSION: &[&str] =
    &["SET", "RESET", "USE", "PREPARE", "EXECUTE", "DEALLOCATE", "START", "COMMIT", "ROLLBACK"];

/// Analyzes a statement.
///
/// # Errors
/// `NOT_SUPPORTED`: parameters, which are bound by the embedded engine's plans. `SYNTAX_ERROR` for an empty text, an
/// unterminated literal or comment and a second statement; `PERMISSION_DENIED` for changes of data in a read-only
/// workspace, `NOT_SUPPORTED` for changes of the session; all with a location.
pub fn prepare(
    text: &str,
    parameters: &StatementParameters,
    is_read_only: bool,
) -> Result<Prepared, QueryError> {
    if !parameters.is_empty() {
        let message =
            "parameters are for workspaces of the embedded engine; write the values into the statement";
        return Err(QueryError::new(ErrorCode::NotSupported, message));
    }
    let tokens = tokens(text)?;
    check(text, &tokens, is_read_only)?;
    if let Some((place, statement)) = executed_statement(text, &tokens) {
        check_executed(text, place, &statement, is_read_only)?;
    }
    Ok(Prepared { fingerprint: fingerprint(text, &tokens), properties: Vec::new(), text: None })
}

/// The text up to its last token: Trino accepts no `;`.
pub(super) fn body(text: &str) -> &str {
    let end = tokens(text).ok().and_then(|tokens| tokens.last().map(|token| token.end));
    &text[..end.unwrap_or(text.len())]
}

/// Whether the statement can be a relation in parentheses.
pub(super) fn is_query(text: &str) -> bool {
    let Ok(tokens) = tokens(text) else { return false };
    first_word(text, &tokens).is_some_and(|(_, word)| QUERIES.contains(&word.as_str()))
}

/// A token of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Token {
    start: usize,
    end: usize,
    is_word: bool,
}

/// The tokens without white space, comments and trailing `;`; at least one.
fn tokens(text: &str) -> Result<Vec<Token>, QueryError> {
    let bytes = text.as_bytes();
    let mut tokens: Vec<Token> = Vec::new();
    let mut semicolon = None;
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            b' ' | b'\t' | b'\r' | b'\n' => {
                at += 1;
                continue;
            }
            b'-' if bytes.get(at + 1) == Some(&b'-') => {
                at = memchr::memchr2(b'\n', b'\r', &bytes[at..]).map_or(bytes.len(), |length| at + length);
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                // Trino's comments do not nest.
                let end = memchr::memmem::find(&bytes[at + 2..], b"*/");
                at = at + 2 + end.ok_or_else(|| unfinished(text, at, "comment"))? + 2;
                continue;
            }
            b';' => {
                semicolon.get_or_insert(at);
                at += 1;
                continue;
            }
            quote @ (b'\'' | b'"' | b'`') => {
                // A doubled quote is two adjacent literals here, which gives the same tokens.
                let length = memchr::memchr(quote, &bytes[at + 1..]);
                at = at + 1 + length.ok_or_else(|| unfinished(text, at, "literal or quoted name"))? + 1;
            }
            byte if is_word_part(byte) => {
                at += bytes[at..].iter().take_while(|byte| is_word_part(**byte)).count();
            }
            _ => at += text[at..].chars().next().map_or(1, char::len_utf8),
        }
        if semicolon.is_some() {
            let message = "one statement is expected; another one begins here, after a ';'";
            return Err(syntax_error(text, start, message));
        }
        tokens.push(Token { start, end: at, is_word: is_word_part(bytes[start]) });
    }
    if tokens.is_empty() {
        return Err(syntax_error(text, 0, "the statement is empty"));
    }
    Ok(tokens)
}

/// A hash of the tokens, in hexadecimal digits. Only reserved words fold (D20).
fn fingerprint(text: &str, tokens: &[Token]) -> String {
    let mut hash = Sha256::new();
    // Fingerprints of the embedded engine's and of Trino's statements never coincide.
    hash.update(b"trino\0");
    let mut previous: Option<Token> = None;
    for token in tokens {
        let piece = &text[token.start..token.end];
        let upper = piece.to_ascii_uppercase();
        let is_joined = previous.is_some_and(|previous| {
            previous.end == token.start && joins(&text[previous.start..previous.end], piece)
        });
        let piece = if token.is_word && is_reserved(&upper) { upper.as_str() } else { piece };
        hash.update((piece.len() as u64).to_le_bytes());
        hash.update([u8::from(is_joined)]);
        hash.update(piece);
        previous = Some(*token);
    }
    hash.finalize().iter().fold(String::with_capacity(64), |mut text, byte| {
        // OK to ignore because writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Whether adjacency of two pieces is significant: `<=`, `1.5`, `X'00'`, a doubled quote.
fn joins(before: &str, piece: &str) -> bool {
    let is_quoted = |piece: &str| piece.starts_with(['\'', '"', '`']);
    let is_operator =
        |piece: &str| piece.starts_with(['<', '>', '=', '!', '|', '-', '+', '*', '/', '%', '&', '?']);
    let is_number = |piece: &str| piece.starts_with(|c: char| c.is_ascii_digit());
    match (before, piece) {
        ("." | "e" | "E", piece) if is_number(piece) => true,
        (before, ".") => is_number(before),
        ("x" | "X" | "&", piece) => is_quoted(piece),
        ("u" | "U", "&") => true,
        (before, "+" | "-") if is_number(before) => before.ends_with(['e', 'E']),
        _ => (is_quoted(before) && is_quoted(piece)) || (is_operator(before) && is_operator(piece)),
    }
}

fn check(text: &str, mut tokens: &[Token], is_read_only: bool) -> Result<(), QueryError> {
    let (place, word) = loop {
        let Some((index, word)) = first_word(text, tokens) else {
            // Trino reports the error.
            return Ok(());
        };
        if word != "EXPLAIN" {
            break (tokens[index].start, word);
        }
        // EXPLAIN ANALYZE runs the statement.
        let rest = &tokens[index + 1..];
        if rest.first().is_none_or(|token| upper(text, token) != "ANALYZE") {
            return Ok(());
        }
        let is_verbose = rest.get(1).is_some_and(|token| upper(text, token) == "VERBOSE");
        tokens = &rest[1 + usize::from(is_verbose)..];
    };
    let word = word.as_str();
    if QUERIES.contains(&word) || METADATA.contains(&word) {
        return Ok(());
    }
    if SESSION.contains(&word) && executed_statement(text, tokens).is_none() {
        let message = format!(
            "{word} changes a session, and each statement has a session of its own; session properties are set in \
             the cluster's configuration"
        );
        return Err(QueryError::at(ErrorCode::NotSupported, location(text, place), message));
    }
    if is_read_only && !SESSION.contains(&word) {
        let message = format!(
            "{word} may not run here: this workspace only reads its Trino cluster (queries, SHOW, DESCRIBE, EXPLAIN)"
        );
        return Err(QueryError::at(ErrorCode::PermissionDenied, location(text, place), message));
    }
    Ok(())
}

/// The text of `EXECUTE IMMEDIATE 'statement'`, also inside EXPLAIN ANALYZE, and the position of its literal.
fn executed_statement(text: &str, tokens: &[Token]) -> Option<(usize, String)> {
    let is_explain =
        |token: &&Token| matches!(upper(text, token).as_str(), "EXPLAIN" | "ANALYZE" | "VERBOSE" | "(");
    let before = tokens.iter().take_while(is_explain).count();
    let [execute, immediate, literal, rest @ ..] = &tokens[before..] else { return None };
    let is_immediate = upper(text, execute) == "EXECUTE" && upper(text, immediate) == "IMMEDIATE";
    if !is_immediate {
        return None;
    }
    literal_text(text, literal, rest)
}

/// The text of `DESCRIBE INPUT|OUTPUT IMMEDIATE 'statement'`, which of the two it is and the location of its literal.
pub(super) fn described_statement(text: &str) -> Option<(&'static str, ErrorLocation, String)> {
    let tokens = tokens(text).ok()?;
    let [describe, kind, immediate, literal, rest @ ..] = &tokens[..] else { return None };
    if upper(text, describe) != "DESCRIBE" || upper(text, immediate) != "IMMEDIATE" {
        return None;
    }
    let kind = match upper(text, kind).as_str() {
        "INPUT" => "INPUT",
        "OUTPUT" => "OUTPUT",
        _ => return None,
    };
    let (place, statement) = literal_text(text, literal, rest)?;
    Some((kind, location(text, place), statement))
}

/// The value of a literal, with its position, if a token is one.
fn literal_text(text: &str, literal: &Token, rest: &[Token]) -> Option<(usize, String)> {
    if !text[literal.start..].starts_with('\'') {
        return None;
    }
    // A doubled quote consists of two adjacent literals.
    let mut end = literal.end;
    for token in rest {
        if token.start != end || !text[token.start..].starts_with('\'') {
            break;
        }
        end = token.end;
    }
    Some((literal.start, text[literal.start + 1..end - 1].replace("''", "'")))
}

/// Whether the statement of EXECUTE IMMEDIATE may run: it is checked like a separate statement.
fn check_executed(text: &str, place: usize, statement: &str, is_read_only: bool) -> Result<(), QueryError> {
    let within = |error: QueryError| {
        let code = error.code().unwrap_or(ErrorCode::SyntaxError);
        let message = error.message.split_once(": ").map_or(error.message.as_str(), |(_, message)| message);
        QueryError::at(code, location(text, place), format!("in the statement that is executed: {message}"))
    };
    let tokens = tokens(statement).map_err(within)?;
    if executed_statement(statement, &tokens).is_some() {
        let message = "EXECUTE IMMEDIATE within another one is not supported";
        return Err(QueryError::at(ErrorCode::NotSupported, location(text, place), message));
    }
    check(statement, &tokens, is_read_only).map_err(within)
}

/// The first word in upper case, with its token's position; parentheses before it are skipped.
fn first_word(text: &str, tokens: &[Token]) -> Option<(usize, String)> {
    let index = tokens.iter().position(|token| &text[token.start..token.end] != "(")?;
    tokens[index].is_word.then(|| (index, upper(text, &tokens[index])))
}

fn upper(text: &str, token: &Token) -> String {
    text[token.start..token.end].to_ascii_uppercase()
}

const fn is_word_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn unfinished(text: &str, place: usize, what: &str) -> QueryError {
    syntax_error(text, place, &format!("a {what} begins here and does not end"))
}

fn syntax_error(text: &str, place: usize, message: &str) -> QueryError {
    QueryError::at(ErrorCode::SyntaxError, location(text, place), message)
}

/// Line and column of a byte.
fn location(text: &str, place: usize) -> ErrorLocation {
    let before = &text[..place];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
    let column = before[line_start..].chars().count() + 1;
    ErrorLocation {
        line_number: u32::try_from(line).unwrap_or(u32::MAX),
        column_number: u32::try_from(column).unwrap_or(u32::MAX),
    }
}
