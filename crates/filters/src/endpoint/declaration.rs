//! Parses what follows the label of a declaration.

use std::time::Duration;

use super::cursor::{Cursor, Fault};
use super::label::Label;
use super::{CacheDeclaration, DeclaredValue, LimitDeclaration, ParameterDeclaration};
use crate::error::{Location, Quoted};

/// Maximum length of a parameter's name: that of D41.
const MAX_NAME_BYTES: usize = 128;
/// Maximum length of a type's text.
const MAX_TYPE_BYTES: usize = 200;
/// Maximum length of a parameter's description.
const MAX_DESCRIPTION_CHARACTERS: usize = 1000;
/// Maximum time that can be declared, seconds: about 31 years.
const MAX_SECONDS: u64 = 1_000_000_000;
/// Maximum number of columns of an `Order by`.
const MAX_ORDER_COLUMNS: usize = 64;
/// Request parameters of every endpoint, besides `limit` and `offset`, which a statement may declare as its own.
const RESERVED: [&str; 6] = ["columnNames", "orderBy", "format", "shape", "count", "wait"];

/// A parsed declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Declaration {
    Parameter {
        name: String,
        /// Offset of the name in the comment.
        offset: usize,
        rest: ParameterRest,
    },
    Cache(CacheDeclaration),
    Limit(LimitDeclaration),
    /// Columns, each with its offset in the comment.
    OrderBy(Vec<(usize, String)>),
    Shared,
}

/// The rest of a parameter's declaration, after its name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ParameterRest {
    type_name: String,
    is_required: bool,
    allowed: Vec<DeclaredValue>,
    range: Option<(DeclaredValue, DeclaredValue)>,
    default: Option<DeclaredValue>,
    description: Option<String>,
}

impl ParameterRest {
    pub(super) fn declared(self, name: String, location: Location) -> ParameterDeclaration {
        let Self { type_name, is_required, allowed, range, default, description } = self;
        ParameterDeclaration { name, type_name, is_required, allowed, range, default, description, location }
    }
}

impl Declaration {
    /// Parses a comment from the end of its label.
    pub(super) fn parse(label: Label, comment: &str, start: usize) -> Result<Self, Fault> {
        let mut cursor = Cursor::new(comment, start);
        let declaration = match label {
            Label::Parameter => parameter(&mut cursor)?,
            Label::Cache => cache(&mut cursor)?,
            Label::Limit => limit(&mut cursor)?,
            Label::OrderBy => order_by(&mut cursor)?,
            Label::Shared => {
                if !cursor.takes("consumers") {
                    return Err(cursor.expected("`consumers`"));
                }
                Self::Shared
            }
        };
        if cursor.is_at_end() { Ok(declaration) } else { Err(cursor.expected("the end of the line")) }
    }
}

fn parameter(cursor: &mut Cursor<'_>) -> Result<Declaration, Fault> {
    let offset = cursor.offset();
    let name = cursor.word("a parameter's name")?;
    let is_name =
        name.len() <= MAX_NAME_BYTES && name.is_ascii() && !name.starts_with(|c: char| c.is_ascii_digit());
    if !is_name {
        let message = format!(
            "{} is no name of a parameter: a letter or `_` followed by letters, digits and `_`, at most {MAX_NAME_BYTES}",
            Quoted(name)
        );
        return Err(Fault::at(offset, message));
    }
    if let Some(reserved) = RESERVED.iter().find(|reserved| reserved.eq_ignore_ascii_case(name)) {
        let message = format!("a request has a parameter {reserved} of its own: give this one another name");
        return Err(Fault::at(offset, message));
    }
    let mut rest = ParameterRest { type_name: type_name(cursor)?, ..ParameterRest::default() };
    loop {
        let place = cursor.offset();
        let twice = |what: &str| Fault::at(place, format!("`{what}` stands twice"));
        if cursor.takes("required") {
            if std::mem::replace(&mut rest.is_required, true) {
                return Err(twice("required"));
            }
        } else if cursor.takes("in") {
            cursor.expect_symbol('(')?;
            let values = cursor.values(')', Cursor::scalar)?;
            if values.is_empty() || values.contains(&DeclaredValue::Null) {
                return Err(Fault::at(place, "`in` takes one value or more, and no null"));
            }
            if !std::mem::replace(&mut rest.allowed, values).is_empty() {
                return Err(twice("in"));
            }
        } else if cursor.takes("between") {
            let least = cursor.scalar()?;
            if !cursor.takes("and") {
                return Err(cursor.expected("`and`"));
            }
            if rest.range.replace((least, cursor.scalar()?)).is_some() {
                return Err(twice("between"));
            }
        } else if cursor.takes("default") {
            if rest.default.replace(cursor.value()?).is_some() {
                return Err(twice("default"));
            }
        } else if cursor.rest().starts_with('"') {
            let text = cursor.quoted('"')?;
            if text.chars().count() > MAX_DESCRIPTION_CHARACTERS {
                let message = format!("a description has at most {MAX_DESCRIPTION_CHARACTERS} characters");
                return Err(Fault::at(place, message));
            }
            if rest.description.replace(text).is_some() {
                return Err(Fault::at(place, "there are two descriptions"));
            }
        } else if cursor.is_at_end() {
            break;
        } else {
            return Err(
                cursor.expected("`required`, `in (…)`, `between … and …`, `default …` or a \"description\"")
            );
        }
    }
    if rest.is_required && rest.default.is_some() {
        return Err(Fault::at(offset, "a parameter that is required has no default"));
    }
    Ok(Declaration::Parameter { name: name.to_owned(), offset, rest })
}

/// The text of a type, up to the word that ends it: `decimal(10, 2)`, `timestamp(3) with time zone`.
fn type_name(cursor: &mut Cursor<'_>) -> Result<String, Fault> {
    let start = cursor.offset();
    let mut text = String::new();
    loop {
        let word = cursor.peek_word();
        let ends = ["required", "in", "between", "default"];
        if word.is_empty() || ends.iter().any(|end| end.eq_ignore_ascii_case(word)) {
            break;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(cursor.take(word.len()));
        if cursor.rest().starts_with('(') {
            let rest = cursor.rest();
            let mut depth = 0_usize;
            let end = rest.char_indices().find_map(|(index, c)| {
                match c {
                    '(' => depth += 1,
                    ')' => depth -= 1,
                    _ => {}
                }
                (depth == 0).then_some(index + 1)
            });
            let Some(end) = end else { return Err(cursor.expected("a type whose parentheses end")) };
            text.push_str(cursor.take(end));
        }
        if text.len() > MAX_TYPE_BYTES {
            return Err(Fault::at(start, format!("a type has at most {MAX_TYPE_BYTES} bytes")));
        }
    }
    if text.is_empty() { Err(cursor.expected("a type")) } else { Ok(text) }
}

fn cache(cursor: &mut Cursor<'_>) -> Result<Declaration, Fault> {
    let place = cursor.offset();
    let fresh = duration(cursor)?;
    if fresh.is_zero() {
        return Err(Fault::at(place, "a cache of 0 s keeps nothing: leave the declaration out"));
    }
    let stale = if cursor.takes("stale") { Some(duration(cursor)?) } else { None };
    let is_warm = cursor.takes("warm");
    Ok(Declaration::Cache(CacheDeclaration { fresh, stale, is_warm }))
}

fn limit(cursor: &mut Cursor<'_>) -> Result<Declaration, Fault> {
    let mut limit = LimitDeclaration { rows: None, time: None };
    loop {
        let place = cursor.offset();
        let word = cursor.peek_word();
        if word.is_empty() || !word.bytes().all(|byte| byte.is_ascii_digit()) {
            let time = duration(cursor)?;
            if limit.time.replace(time).is_some() || time.is_zero() {
                return Err(Fault::at(place, "expected one time, longer than 0"));
            }
        } else {
            let rows = word.parse().ok().filter(|rows: &u64| i64::try_from(*rows).is_ok());
            cursor.take(word.len());
            if !cursor.takes("rows") && !cursor.takes("row") {
                return Err(cursor.expected("`rows`, or a unit of time directly behind the number"));
            }
            let rows = rows.ok_or_else(|| Fault::at(place, "too many rows"))?;
            if limit.rows.replace(rows).is_some() || rows == 0 {
                return Err(Fault::at(place, "expected one number of rows, from 1 on"));
            }
        }
        cursor.takes_symbol(',');
        if cursor.is_at_end() {
            return Ok(Declaration::Limit(limit));
        }
    }
}

fn order_by(cursor: &mut Cursor<'_>) -> Result<Declaration, Fault> {
    let mut columns: Vec<(usize, String)> = Vec::new();
    loop {
        let offset = cursor.offset();
        let column = match cursor.rest().starts_with('"') {
            true => cursor.quoted('"')?,
            false => cursor.word("a column's name")?.to_owned(),
        };
        if columns.iter().any(|(_, known)| *known == column) {
            return Err(Fault::at(offset, format!("the column {} stands twice", Quoted(&column))));
        }
        if columns.len() == MAX_ORDER_COLUMNS {
            return Err(Fault::at(offset, format!("at most {MAX_ORDER_COLUMNS} columns")));
        }
        columns.push((offset, column));
        if !cursor.takes_symbol(',') {
            return Ok(Declaration::OrderBy(columns));
        }
    }
}

/// `60s`, `10m`, `2h`, `1d`.
fn duration(cursor: &mut Cursor<'_>) -> Result<Duration, Fault> {
    const EXPECTED: &str = "a time such as 60s, 10m, 2h or 1d";
    let word = cursor.peek_word();
    let digits = word.len() - word.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let unit = match &word[digits..] {
        "s" => 1,
        "m" => 60,
        "h" => 60 * 60,
        "d" => 24 * 60 * 60,
        _ => return Err(cursor.expected(EXPECTED)),
    };
    let seconds = word[..digits].parse::<u64>().ok().and_then(|number| number.checked_mul(unit));
    let seconds =
        seconds.filter(|seconds| *seconds <= MAX_SECONDS).ok_or_else(|| cursor.expected(EXPECTED))?;
    cursor.take(word.len());
    Ok(Duration::from_secs(seconds))
}
