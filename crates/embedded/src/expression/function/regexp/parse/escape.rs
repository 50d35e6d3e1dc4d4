//! Escape sequences.

use regex_syntax::hir::ClassUnicode;

use super::named_class::{named, negated_if, of_ascii};
use super::{Fault, Parser};
use crate::expression::function::regexp::syntax::Assertion;

/// An escape outside of a class.
pub(super) enum Escape {
    Letter(char),
    Class(ClassUnicode),
    Assertion(Assertion),
    Backreference(usize),
    /// `\Q`.
    Quote,
}

/// An escape in a class.
pub(super) enum ClassEscape {
    Letter(char),
    Class(ClassUnicode),
}

/// The largest group number of a back reference with several digits.
const MAX_REFERENCE: usize = 255;

impl Parser<'_> {
    /// Parses an escape after its `\`.
    pub(super) fn escape(&mut self) -> Result<Escape, Fault> {
        let Some(character) = self.peek() else { return Err("end pattern at escape".to_owned()) };
        let assertion = match character {
            'A' => Some(Assertion::Start),
            'Z' => Some(Assertion::EndOrLastNewline),
            'z' => Some(Assertion::End),
            'b' => Some(Assertion::WordBoundary),
            'B' => Some(Assertion::NotWordBoundary),
            'G' => Some(Assertion::SearchStart),
            _ => None,
        };
        if let Some(assertion) = assertion {
            self.at += 1;
            return Ok(Escape::Assertion(assertion));
        }
        match character {
            'Q' => {
                self.at += 1;
                Ok(Escape::Quote)
            }
            'k' => {
                self.at += 1;
                self.named_reference()
            }
            '1'..='9' => {
                if let Some(group) = self.numbered_reference() {
                    return Ok(Escape::Backreference(group));
                }
                Ok(plain(self.class_escape()?))
            }
            _ => Ok(plain(self.class_escape()?)),
        }
    }

    /// Parses an escape that has the same meaning in a class and outside; `\b` is a backspace here.
    pub(super) fn class_escape(&mut self) -> Result<ClassEscape, Fault> {
        let Some(character) = self.peek() else { return Err("end pattern at escape".to_owned()) };
        self.at += 1;
        if let Some(class) = of_ascii(character) {
            return Ok(ClassEscape::Class(class));
        }
        Ok(match character {
            't' => ClassEscape::Letter('\t'),
            'n' => ClassEscape::Letter('\n'),
            'r' => ClassEscape::Letter('\r'),
            'f' => ClassEscape::Letter('\u{c}'),
            'v' => ClassEscape::Letter('\u{b}'),
            'a' => ClassEscape::Letter('\u{7}'),
            'e' => ClassEscape::Letter('\u{1b}'),
            'b' => ClassEscape::Letter('\u{8}'),
            'c' => ClassEscape::Letter(self.control()?),
            'p' | 'P' => {
                let class = named(&self.property_name()?)?;
                ClassEscape::Class(negated_if(class, character == 'P'))
            }
            'u' => match self.digits(16, 4) {
                Some(code) => of_code(code),
                None => ClassEscape::Letter('u'),
            },
            'x' if self.peek() == Some('{') => self.braced_code(),
            'x' => match self.digits(16, 2) {
                Some(byte) => self.of_bytes(byte),
                None => ClassEscape::Letter('x'),
            },
            '0' => {
                let byte = self.digits(8, 2).unwrap_or(0);
                self.of_bytes(byte)
            }
            '1'..='7' => {
                self.at -= 1;
                let byte = self.digits(8, 3).unwrap_or(0);
                self.of_bytes(byte)
            }
            other => ClassEscape::Letter(other),
        })
    }

    /// Parses up to `count` digits.
    fn digits(&mut self, radix: u32, count: usize) -> Option<u32> {
        let mut number = None;
        for _ in 0..count {
            let Some(digit) = self.peek().and_then(|digit| digit.to_digit(radix)) else { break };
            self.at += 1;
            number = Some(number.unwrap_or(0) * radix + digit);
        }
        number
    }

    /// Parses `\x{…}`; it is an `x` if there are no digits in the braces.
    fn braced_code(&mut self) -> ClassEscape {
        let start = self.at;
        self.at += 1;
        match self.digits(16, 8) {
            Some(code) if self.take('}') => of_code(code),
            _ => {
                self.at = start;
                ClassEscape::Letter('x')
            }
        }
    }

    /// Parses bytes above 127 as a character in UTF-8; invalid UTF-8 matches nothing.
    fn of_bytes(&mut self, first: u32) -> ClassEscape {
        let Ok(first) = u8::try_from(first) else { return nothing() };
        let length = match first {
            0..=0x7f => return ClassEscape::Letter(char::from(first)),
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf4 => 4,
            _ => return nothing(),
        };
        let start = self.at;
        let mut bytes = vec![first];
        while bytes.len() < length {
            let Some(byte) = self.next_byte() else { break };
            bytes.push(byte);
        }
        match std::str::from_utf8(&bytes).ok().and_then(|text| text.chars().next()) {
            Some(character) => ClassEscape::Letter(character),
            None => {
                self.at = start;
                nothing()
            }
        }
    }

    /// Parses the escape of another byte.
    fn next_byte(&mut self) -> Option<u8> {
        let start = self.at;
        let byte = if self.take_text("\\x") {
            self.digits(16, 2)
        } else if self.take('\\') && self.peek().is_some_and(|digit| digit.is_digit(8)) {
            self.digits(8, 3)
        } else {
            None
        };
        let byte = byte.and_then(|byte| u8::try_from(byte).ok());
        if byte.is_none() {
            self.at = start;
        }
        byte
    }

    /// Parses `\cA`.
    fn control(&mut self) -> Result<char, Fault> {
        let Some(letter) = self.peek() else { return Err("end pattern at control".to_owned()) };
        self.at += 1;
        let code = if letter == '?' { 0x7f } else { u32::from(letter) & 0x9f };
        char::from_u32(code).ok_or_else(|| "invalid control code".to_owned())
    }

    /// Parses the name of `\p{name}` or `\pL`.
    fn property_name(&mut self) -> Result<String, Fault> {
        let start = self.at;
        if !self.take('{') {
            let name = self.peek().ok_or("end pattern at escape")?;
            self.at += 1;
            return Ok(name.to_string());
        }
        while !self.take('}') {
            if self.at == self.characters.len() {
                return Err("unterminated character property name".to_owned());
            }
            self.at += 1;
        }
        Ok(self.characters[start + 1..self.at - 1].iter().collect())
    }

    /// Parses `\1`; `None` if the digits are a character's code.
    fn numbered_reference(&mut self) -> Option<usize> {
        let start = self.at;
        let mut group = 0_usize;
        while let Some(digit) = self.peek().and_then(|digit| digit.to_digit(10)) {
            self.at += 1;
            group = group.saturating_mul(10).saturating_add(digit as usize);
        }
        let is_reference = group <= 9 || (group <= MAX_REFERENCE && group <= self.groups);
        if !is_reference {
            self.at = start;
        }
        is_reference.then_some(group)
    }

    /// Parses `\k<name>` or `\k'name'`, also with a number, which may be relative.
    fn named_reference(&mut self) -> Result<Escape, Fault> {
        let end = match self.peek() {
            Some('<') => '>',
            Some('\'') => '\'',
            _ => return Ok(Escape::Letter('k')),
        };
        let start = self.at + 1;
        let Some(length) = self.characters[start..].iter().position(|character| *character == end) else {
            return Err("invalid group name <>".to_owned());
        };
        let name: String = self.characters[start..start + length].iter().collect();
        self.at = start + length + 1;
        if let Ok(number) = name.parse::<i64>() {
            let counted =
                if number < 0 { i64::try_from(self.groups).unwrap_or(0) + 1 + number } else { number };
            let group = usize::try_from(counted).ok().filter(|group| *group > 0);
            return group.map(Escape::Backreference).ok_or_else(|| "invalid backref number/name".to_owned());
        }
        let found = self.names.iter().find(|(known, _)| *known == name);
        found
            .map(|(_, group)| Escape::Backreference(*group))
            .ok_or_else(|| format!("undefined name <{name}> reference"))
    }
}

fn plain(escape: ClassEscape) -> Escape {
    match escape {
        ClassEscape::Letter(letter) => Escape::Letter(letter),
        ClassEscape::Class(class) => Escape::Class(class),
    }
}

fn of_code(code: u32) -> ClassEscape {
    char::from_u32(code).map_or_else(nothing, ClassEscape::Letter)
}

fn nothing() -> ClassEscape {
    ClassEscape::Class(ClassUnicode::empty())
}
