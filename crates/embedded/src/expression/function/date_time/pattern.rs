//! Date and time patterns as sequences of items, compiled from Joda-Time's letters (`format_datetime`), MySQL's
//! (`date_format`) and Teradata's (`to_char`). Each item is formatted and parsed as by Joda-Time.

use std::sync::{Arc, Mutex, PoisonError};

use polars::prelude::PolarsResult;

use super::invalid;

/// A part of a date or time. The order is that in which values are set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Field {
    Era,
    CenturyOfEra,
    Year,
    YearOfEra,
    Weekyear,
    MonthOfYear,
    WeekOfWeekyear,
    DayOfYear,
    DayOfMonth,
    DayOfWeek,
    HalfdayOfDay,
    HourOfDay,
    /// From 1 to 24.
    ClockhourOfDay,
    /// From 0 to 11.
    HourOfHalfday,
    /// From 1 to 12.
    ClockhourOfHalfday,
    MinuteOfHour,
    SecondOfMinute,
    MillisOfSecond,
}

/// The notation of a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ZoneForm {
    ShortName,
    LongName,
    /// `+0100`.
    Offset,
    /// `+01:00`.
    OffsetWithColon,
    Id,
}

/// One part of a pattern, which is formatted or parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Item {
    Literal(String),
    /// A number with a minimum of digits and, for parsing, a maximum.
    Number {
        field: Field,
        least: usize,
        most: usize,
    },
    /// The year of a century. The pivot is the middle of the hundred years that two digits denote; `None` if it is not
    /// known.
    TwoDigitYear {
        field: Field,
        pivot: Option<i64>,
        is_lenient: bool,
    },
    /// A name; if short, its first three letters.
    Name {
        field: Field,
        is_short: bool,
    },
    Fraction {
        least: usize,
        most: usize,
    },
    Zone(ZoneForm),
}

/// The items of a pattern.
pub(super) type Pattern = Vec<Item>;

/// Compiles patterns in one notation and caches the last one.
pub(super) struct Patterns {
    compile: fn(&str) -> PolarsResult<Pattern>,
    last: Mutex<Option<(String, Arc<Pattern>)>>,
}

impl Patterns {
    pub(super) const fn new(compile: fn(&str) -> PolarsResult<Pattern>) -> Self {
        Self { compile, last: Mutex::new(None) }
    }

    pub(super) fn get(&self, text: &str) -> PolarsResult<Arc<Pattern>> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, pattern)) = last.as_ref()
            && known == text
        {
            return Ok(Arc::clone(pattern));
        }
        let pattern = Arc::new((self.compile)(text)?);
        *last = Some((text.to_owned(), Arc::clone(&pattern)));
        Ok(pattern)
    }
}

const fn number(field: Field, least: usize, most: usize) -> Item {
    Item::Number { field, least, most: if least > most { least } else { most } }
}

const fn name(field: Field, is_short: bool) -> Item {
    Item::Name { field, is_short }
}

fn literal(text: impl Into<String>) -> Item {
    Item::Literal(text.into())
}

/// Compiles Joda-Time's letters. The number of repetitions of a letter determines the format.
pub(super) fn joda(text: &str) -> PolarsResult<Pattern> {
    if text.is_empty() {
        return Err(invalid("Invalid pattern specification: Pattern is null or empty"));
    }
    let tokens = joda_tokens(text);
    let mut pattern = Vec::with_capacity(tokens.len());
    for (place, token) in tokens.iter().enumerate() {
        let (letter, count) = match token {
            JodaToken::Literal(text) => {
                pattern.push(literal(text));
                continue;
            }
            JodaToken::Letter(letter, count) => (*letter, *count),
        };
        let is_before_number = matches!(tokens.get(place + 1), Some(JodaToken::Letter(next, count)) if is_numeric(*next, *count));
        pattern.push(match letter {
            'G' => name(Field::Era, true),
            'C' => number(Field::CenturyOfEra, count, count),
            'x' | 'y' | 'Y' => {
                let field = match letter {
                    'x' => Field::Weekyear,
                    'y' => Field::Year,
                    _ => Field::YearOfEra,
                };
                if count == 2 {
                    let field = if letter == 'x' { field } else { Field::Year };
                    Item::TwoDigitYear { field, pivot: None, is_lenient: !is_before_number }
                } else {
                    number(field, count, if is_before_number { count } else { 9 })
                }
            }
            'M' if count >= 3 => name(Field::MonthOfYear, count == 3),
            'M' => number(Field::MonthOfYear, count, 2),
            'd' => number(Field::DayOfMonth, count, 2),
            'a' => name(Field::HalfdayOfDay, false),
            'h' => number(Field::ClockhourOfHalfday, count, 2),
            'H' => number(Field::HourOfDay, count, 2),
            'k' => number(Field::ClockhourOfDay, count, 2),
            'K' => number(Field::HourOfHalfday, count, 2),
            'm' => number(Field::MinuteOfHour, count, 2),
            's' => number(Field::SecondOfMinute, count, 2),
            'S' => Item::Fraction { least: count, most: count },
            'e' => number(Field::DayOfWeek, count, 1),
            'E' => name(Field::DayOfWeek, count < 4),
            'D' => number(Field::DayOfYear, count, 3),
            'w' => number(Field::WeekOfWeekyear, count, 2),
            'z' => Item::Zone(if count >= 4 { ZoneForm::LongName } else { ZoneForm::ShortName }),
            'Z' => Item::Zone(match count {
                1 => ZoneForm::Offset,
                2 => ZoneForm::OffsetWithColon,
                _ => ZoneForm::Id,
            }),
            _ => {
                let token = letter.to_string().repeat(count);
                return Err(invalid(format!("Illegal pattern component: {token}")));
            }
        });
    }
    Ok(pattern)
}

enum JodaToken {
    Letter(char, usize),
    Literal(String),
}

/// Splits a pattern: letters outside quotes are fields; two quotes are one literal quote.
fn joda_tokens(text: &str) -> Vec<JodaToken> {
    let characters: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < characters.len() {
        let first = characters[at];
        if first.is_ascii_alphabetic() {
            let count = characters[at..].iter().take_while(|next| **next == first).count();
            tokens.push(JodaToken::Letter(first, count));
            at += count;
            continue;
        }
        let (mut literal, mut is_quoted) = (String::new(), false);
        while let Some(&character) = characters.get(at) {
            match character {
                '\'' if characters.get(at + 1) == Some(&'\'') => {
                    literal.push('\'');
                    at += 1;
                }
                '\'' => is_quoted = !is_quoted,
                letter if !is_quoted && letter.is_ascii_alphabetic() => break,
                other => literal.push(other),
            }
            at += 1;
        }
        tokens.push(JodaToken::Literal(literal));
    }
    tokens
}

fn is_numeric(letter: char, count: usize) -> bool {
    match letter {
        'M' => count <= 2,
        letter => "cCxyYdhHmsSeDFwWkK".contains(letter),
    }
}

/// Compiles MySQL's letters after `%`; other characters are literals.
pub(super) fn mysql(text: &str) -> PolarsResult<Pattern> {
    let mut pattern = Vec::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character != '%' {
            pattern.push(literal(character));
            continue;
        }
        let Some(letter) = characters.next() else { break };
        match letter {
            'r' => pattern.extend(
                clock(Field::ClockhourOfHalfday)
                    .into_iter()
                    .chain([literal(' '), name(Field::HalfdayOfDay, false)]),
            ),
            'T' => pattern.extend(clock(Field::HourOfDay)),
            'D' | 'U' | 'u' | 'V' | 'w' | 'X' => {
                return Err(invalid(format!("%{letter} not supported in date format string")));
            }
            letter => pattern.push(match letter {
                'a' => name(Field::DayOfWeek, true),
                'b' => name(Field::MonthOfYear, true),
                'c' => number(Field::MonthOfYear, 1, 2),
                'd' => number(Field::DayOfMonth, 2, 2),
                'e' => number(Field::DayOfMonth, 1, 2),
                'f' => Item::Fraction { least: 6, most: 9 },
                'H' => number(Field::HourOfDay, 2, 2),
                'h' | 'I' => number(Field::ClockhourOfHalfday, 2, 2),
                'i' => number(Field::MinuteOfHour, 2, 2),
                'j' => number(Field::DayOfYear, 3, 3),
                'k' => number(Field::HourOfDay, 1, 2),
                'l' => number(Field::ClockhourOfHalfday, 1, 2),
                'M' => name(Field::MonthOfYear, false),
                'm' => number(Field::MonthOfYear, 2, 2),
                'p' => name(Field::HalfdayOfDay, false),
                'S' | 's' => number(Field::SecondOfMinute, 2, 2),
                'v' => number(Field::WeekOfWeekyear, 2, 2),
                'W' => name(Field::DayOfWeek, false),
                'x' => number(Field::Weekyear, 4, 4),
                'Y' => number(Field::Year, 4, 4),
                'y' => Item::TwoDigitYear { field: Field::Year, pivot: Some(2020), is_lenient: false },
                other => literal(other),
            }),
        }
    }
    not_empty(pattern)
}

fn clock(hour: Field) -> [Item; 5] {
    let two = |field| number(field, 2, 2);
    [two(hour), literal(':'), two(Field::MinuteOfHour), literal(':'), two(Field::SecondOfMinute)]
}

fn not_empty(pattern: Pattern) -> PolarsResult<Pattern> {
    if pattern.is_empty() {
        return Err(invalid("Both printing and parsing not supported"));
    }
    Ok(pattern)
}

/// Compiles Teradata's words, in lower case, and punctuation between them.
pub(super) fn teradata(text: &str) -> PolarsResult<Pattern> {
    let words = [
        ("hh24", number(Field::HourOfDay, 2, 2)),
        ("yyyy", number(Field::Year, 4, 4)),
        ("dd", number(Field::DayOfMonth, 2, 2)),
        ("hh", number(Field::HourOfHalfday, 2, 2)),
        ("mi", number(Field::MinuteOfHour, 2, 2)),
        ("mm", number(Field::MonthOfYear, 2, 2)),
        ("ss", number(Field::SecondOfMinute, 2, 2)),
        ("yy", Item::TwoDigitYear { field: Field::Year, pivot: Some(2050), is_lenient: false }),
    ];
    let mut pattern = Vec::new();
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let found = words.iter().find(|(word, _)| rest.starts_with(word));
        rest = match found {
            Some((word, item)) => {
                pattern.push(item.clone());
                &rest[word.len()..]
            }
            None if "-/,.;: \t\r\n".contains(character) => {
                pattern.push(literal(character));
                &rest[1..]
            }
            None => {
                let offset = text[..text.len() - rest.len()].chars().count();
                let what = format!("Failed to tokenize string [{character}] at offset [{offset}]");
                return Err(invalid(what));
            }
        };
    }
    not_empty(pattern)
}
