//! Character classes: `[…]` with ranges, nested classes and `&&`.

use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

use super::escape::ClassEscape;
use super::named_class::{named, negated_if};
use super::{Fault, MAX_DEPTH, Parser};

/// A member of a class.
enum Member {
    Letter(char),
    Class(ClassUnicode),
}

impl Parser<'_> {
    /// Parses a class after its `[`; the boolean is whether it is negated.
    pub(super) fn class(&mut self) -> Result<(ClassUnicode, bool), Fault> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(format!("the pattern is nested more than {MAX_DEPTH} levels deep"));
        }
        let is_negated = self.take('^');
        let mut common: Option<ClassUnicode> = None;
        let mut class = ClassUnicode::empty();
        // A `]` at the start is a letter if another one ends the class.
        let mut is_first = true;
        loop {
            let Some(character) = self.peek() else { return Err("premature end of char-class".to_owned()) };
            if character == ']' && is_first && !self.has_more(']') {
                return Err("empty char-class".to_owned());
            }
            if character == ']' && !is_first {
                self.at += 1;
                break;
            }
            is_first = false;
            if self.take_text("&&") {
                let side = std::mem::replace(&mut class, ClassUnicode::empty());
                common = Some(intersection(common, side));
                continue;
            }
            match self.member()? {
                Member::Class(member) => class.union(&member),
                Member::Letter(first) => {
                    let last = self.range_end()?.unwrap_or(first);
                    if last < first {
                        return Err("empty range in char class".to_owned());
                    }
                    class.push(ClassUnicodeRange::new(first, last));
                }
            }
        }
        self.depth -= 1;
        Ok((if common.is_some() { intersection(common, class) } else { class }, is_negated))
    }

    fn has_more(&self, wanted: char) -> bool {
        self.characters[self.at + 1..].contains(&wanted)
    }

    fn member(&mut self) -> Result<Member, Fault> {
        let Some(character) = self.peek() else { return Err("premature end of char-class".to_owned()) };
        self.at += 1;
        Ok(match character {
            '[' => match self.posix_bracket()? {
                Some(class) => Member::Class(class),
                None => {
                    let (class, is_negated) = self.class()?;
                    Member::Class(negated_if(class, is_negated))
                }
            },
            '\\' => match self.class_escape()? {
                ClassEscape::Letter(letter) => Member::Letter(letter),
                ClassEscape::Class(class) => Member::Class(class),
            },
            letter => Member::Letter(letter),
        })
    }

    /// Parses the last letter of a range; `None` if there is no `-` or it is a letter.
    fn range_end(&mut self) -> Result<Option<char>, Fault> {
        let is_range = self.peek() == Some('-')
            && self.characters.get(self.at + 1).is_some_and(|next| !matches!(next, ']' | '['))
            && self.characters.get(self.at + 1..self.at + 3) != Some(&['&', '&']);
        if !is_range {
            return Ok(None);
        }
        self.at += 1;
        match self.member()? {
            Member::Letter(last) => Ok(Some(last)),
            Member::Class(_) => Err("char-class value at end of range".to_owned()),
        }
    }

    /// Parses `[:alpha:]` inside a class, after its `[`; `None` if this is a nested class.
    fn posix_bracket(&mut self) -> Result<Option<ClassUnicode>, Fault> {
        let rest = &self.characters[self.at..];
        let Some(inside) = rest.strip_prefix(&[':']) else { return Ok(None) };
        let Some(end) = inside.windows(2).position(|pair| pair == [':', ']']) else { return Ok(None) };
        let name: String = inside[..end].iter().collect();
        let (name, is_negated) = name.strip_prefix('^').map_or((name.as_str(), false), |name| (name, true));
        const NAMES: [&str; 14] = [
            "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct",
            "space", "upper", "word", "xdigit",
        ];
        if !NAMES.contains(&name) {
            return Err("invalid POSIX bracket type".to_owned());
        }
        let class = negated_if(named(name)?, is_negated);
        self.at += end + 3;
        Ok(Some(class))
    }
}

fn intersection(common: Option<ClassUnicode>, side: ClassUnicode) -> ClassUnicode {
    match common {
        None => side,
        Some(mut common) => {
            common.intersect(&side);
            common
        }
    }
}
