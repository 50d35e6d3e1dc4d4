//! Sets of characters: `[…]` with ranges, sets in sets and `&&`, and sets by name.

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, HirKind};

use super::escape::ClassEscape;
use super::{Fault, MAX_DEPTH, Parser};

/// `.`: any character but a newline.
pub(super) fn any(with_newline: bool) -> ClassUnicode {
    let newline = ClassUnicode::new([ClassUnicodeRange::new('\n', '\n')]);
    let mut all = all();
    if !with_newline {
        all.difference(&newline);
    }
    all
}

fn all() -> ClassUnicode {
    ClassUnicode::new([ClassUnicodeRange::new('\0', char::MAX)])
}

pub(super) fn of_ranges(ranges: &[(char, char)]) -> ClassUnicode {
    ClassUnicode::new(ranges.iter().map(|(first, last)| ClassUnicodeRange::new(*first, *last)))
}

pub(super) fn negated_if(class: ClassUnicode, is_negated: bool) -> ClassUnicode {
    if !is_negated {
        return class;
    }
    let mut negated = all();
    negated.difference(&class);
    negated
}

/// `\w`, `\d` and `\s` and their opposites: of ASCII.
pub(super) fn of_ascii(letter: char) -> Option<ClassUnicode> {
    let class = match letter.to_ascii_lowercase() {
        'w' => of_ranges(&[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')]),
        'd' => of_ranges(&[('0', '9')]),
        's' => of_ranges(&[('\t', '\r'), (' ', ' ')]),
        _ => return None,
    };
    Some(negated_if(class, letter.is_ascii_uppercase()))
}

/// The set that `\p{…}` names.
pub(super) fn named(name: &str) -> Result<ClassUnicode, Fault> {
    let unknown = || format!("invalid character property name <{name}>");
    let lower = name.to_lowercase();
    let is_plain = !name.is_empty() && lower.chars().all(|letter| letter.is_ascii_alphanumeric());
    if !is_plain || lower.starts_with("is") || lower == "emoji" {
        return Err(unknown());
    }
    let set = match lower.as_str() {
        "alnum" => r"[\p{Alphabetic}\p{Nd}]",
        "alpha" | "javaalphabetic" => r"\p{Alphabetic}",
        "all" => r"\p{any}",
        "blank" => r"[\p{Zs}\t]",
        "cntrl" | "javaisocontrol" => r"\p{Cc}",
        "digit" | "javadigit" => r"\p{Nd}",
        "graph" => r"[^\p{Z}\p{Cc}\p{Cn}\p{Cs}]",
        "javaideographic" => r"\p{Ideographic}",
        "javaletter" => r"\p{L}",
        "javaletterordigit" | "ld" => r"[\p{L}\p{Nd}]",
        "javalowercase" | "lower" => r"\p{Lowercase}",
        "javaspacechar" => r"\p{Z}",
        "javatitlecase" => r"\p{Lt}",
        "javauppercase" | "upper" => r"\p{Uppercase}",
        "javawhitespace" => r"[[\p{Z}--[\u{a0}\u{2007}\u{202f}]]\t-\r\x1c-\x1f]",
        "l1" => r"[\x00-\u{ff}]",
        "print" => r"[^\p{Zl}\p{Zp}\p{Cc}\p{Cn}\p{Cs}]",
        "punct" => r"\p{P}",
        "space" => r"\p{White_Space}",
        "word" => r"[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}]",
        "xdigit" => "[0-9A-Fa-f]",
        // Others are Unicode's own.
        _ => &format!(r"\p{{{lower}}}"),
    };
    let parsed = regex_syntax::parse(set).map_err(|_| unknown())?;
    match parsed.into_kind() {
        HirKind::Class(Class::Unicode(class)) => Ok(class),
        HirKind::Class(Class::Bytes(class)) => class.to_unicode_class().ok_or_else(unknown),
        HirKind::Literal(literal) => {
            let only = std::str::from_utf8(&literal.0).ok().and_then(|text| text.chars().next());
            only.map(|only| of_ranges(&[(only, only)])).ok_or_else(unknown)
        }
        _ => Err(unknown()),
    }
}

/// What a set may hold next.
enum Member {
    Letter(char),
    Class(ClassUnicode),
}

impl Parser<'_> {
    /// The set after `[`, and whether it is one of what it does not hold.
    pub(super) fn class(&mut self) -> Result<(ClassUnicode, bool), Fault> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(format!("the pattern is nested more than {MAX_DEPTH} levels deep"));
        }
        let is_negated = self.take('^');
        let mut common: Option<ClassUnicode> = None;
        let mut class = ClassUnicode::empty();
        // A `]` at the start is a letter, if another one ends the set.
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

    /// The last letter of a range that has begun; none where `-` is a letter or not there.
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

    /// `[:alpha:]` inside of a set, its `[` taken; none where this is a set in a set.
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
