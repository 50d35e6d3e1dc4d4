//! Reads a type name in Trino's spelling, as records and view definitions carry it (D15).

use super::{RowField, Type};

/// The type of a name such as `decimal(15,2)` or `array(row(x bigint))`; none where it is not one.
/// A zoned timestamp is taken to be in UTC, for the name does not carry its zone.
pub fn parse_type(text: &str) -> Option<Type> {
    let mut reader = Reader { rest: text.trim(), depth: 0 };
    let parsed = reader.read_type()?;
    reader.rest.trim().is_empty().then_some(parsed)
}

/// Nesting of arrays and rows that is read.
const MAX_TYPE_DEPTH: usize = 50;

struct Reader<'a> {
    rest: &'a str,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn read_type(&mut self) -> Option<Type> {
        self.depth += 1;
        if self.depth > MAX_TYPE_DEPTH {
            return None;
        }
        let parsed = self.read_nested_type();
        self.depth -= 1;
        parsed
    }

    fn read_nested_type(&mut self) -> Option<Type> {
        let word = self.word()?.to_ascii_lowercase();
        Some(match word.as_str() {
            "unknown" => Type::Unknown,
            "boolean" => Type::Boolean,
            "tinyint" => Type::TinyInt,
            "smallint" => Type::SmallInt,
            "integer" | "int" => Type::Integer,
            "bigint" => Type::BigInt,
            "real" => Type::Real,
            "double" => Type::Double,
            "varbinary" => Type::Varbinary,
            "date" => Type::Date,
            "varchar" => {
                self.numbers()?;
                Type::Varchar
            }
            "decimal" => match self.numbers()?.as_slice() {
                [] => Type::decimal(38, 0),
                [precision] => Type::decimal(*precision, 0),
                [precision, scale] => Type::decimal(*precision, *scale),
                _ => return None,
            },
            "time" => Type::Time { precision: if self.precision(6)? > 6 { 9 } else { 6 } },
            "timestamp" => {
                let precision = match self.precision(3)? {
                    0..=3 => 3,
                    4..=6 => 6,
                    _ => 9,
                };
                if self.words(&["with", "time", "zone"]) {
                    Type::TimestampWithTimeZone { precision, zone: "UTC".to_owned() }
                } else {
                    Type::Timestamp { precision }
                }
            }
            "interval" if self.words(&["day", "to", "second"]) => Type::IntervalDayToSecond,
            "interval" if self.words(&["year", "to", "month"]) => Type::IntervalYearToMonth,
            "array" => {
                self.symbol('(')?;
                let element = self.read_type()?;
                self.symbol(')')?;
                Type::array(element)
            }
            "row" => {
                self.symbol('(')?;
                let mut fields = vec![self.read_field()?];
                while self.symbol(',').is_some() {
                    fields.push(self.read_field()?);
                }
                self.symbol(')')?;
                Type::Row(fields)
            }
            _ => return None,
        })
    }

    /// `name type`, or a type alone.
    fn read_field(&mut self) -> Option<RowField> {
        self.rest = self.rest.trim_start();
        if self.rest.starts_with('"') {
            let name = self.quoted_name()?;
            return Some(RowField { name: Some(name), data_type: self.read_type()? });
        }
        let before = self.rest;
        let name = self.word()?;
        let after_name = self.rest.trim_start();
        let is_name = after_name.starts_with(|c: char| c.is_ascii_alphabetic());
        let is_long_type = matches!(name.to_ascii_lowercase().as_str(), "interval" | "timestamp");
        if is_name && !is_long_type {
            return Some(RowField { name: Some(name.to_owned()), data_type: self.read_type()? });
        }
        self.rest = before;
        Some(RowField { name: None, data_type: self.read_type()? })
    }

    fn quoted_name(&mut self) -> Option<String> {
        let mut name = String::new();
        let mut characters = self.rest.char_indices().skip(1).peekable();
        while let Some((at, character)) = characters.next() {
            if character != '"' {
                name.push(character);
            } else if characters.next_if(|&(_, next)| next == '"').is_some() {
                name.push('"');
            } else {
                self.rest = &self.rest[at + 1..];
                return Some(name);
            }
        }
        None
    }

    fn word(&mut self) -> Option<&'a str> {
        self.rest = self.rest.trim_start();
        let end =
            self.rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }

    fn words(&mut self, wanted: &[&str]) -> bool {
        let before = self.rest;
        let all =
            wanted.iter().all(|wanted| self.word().is_some_and(|word| word.eq_ignore_ascii_case(wanted)));
        if !all {
            self.rest = before;
        }
        all
    }

    fn symbol(&mut self, symbol: char) -> Option<()> {
        self.rest = self.rest.trim_start().strip_prefix(symbol)?;
        Some(())
    }

    /// `(1, 2)`, or nothing; larger numbers than a u8 holds are cut to it.
    fn numbers(&mut self) -> Option<Vec<u8>> {
        let mut numbers = Vec::new();
        if self.symbol('(').is_none() {
            return Some(numbers);
        }
        loop {
            let number: u64 = self.word()?.parse().ok()?;
            numbers.push(u8::try_from(number).unwrap_or(u8::MAX));
            if self.symbol(')').is_some() {
                return Some(numbers);
            }
            self.symbol(',')?;
        }
    }

    fn precision(&mut self, default: u8) -> Option<u8> {
        Some(self.numbers()?.first().copied().unwrap_or(default))
    }
}
