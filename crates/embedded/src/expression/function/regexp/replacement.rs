//! Replacement texts: `$1` and `${name}` are groups, `\` escapes the next character.

use super::pattern::{Match, Pattern, Search};

/// A part of a replacement.
#[derive(Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Group(usize),
}

/// A parsed replacement.
#[derive(Debug)]
pub(super) struct Replacement(Vec<Part>);

impl Replacement {
    /// Parses a replacement for matches of a pattern. After `$` as many digits are consumed as form the number of a
    /// group.
    pub(super) fn new(text: &str, pattern: &Pattern) -> Result<Self, String> {
        let illegal = || format!("Illegal replacement sequence: {text}");
        let mut parts = Vec::new();
        let mut plain = String::new();
        let mut characters = text.chars().peekable();
        while let Some(character) = characters.next() {
            match character {
                '\\' => plain.push(characters.next().ok_or_else(illegal)?),
                '$' => {
                    let group = match characters.next().ok_or_else(illegal)? {
                        '{' => {
                            let name: String =
                                characters.by_ref().take_while(|&letter| letter != '}').collect();
                            let group = pattern.group_named(&name);
                            group.ok_or_else(|| {
                                format!("Illegal replacement sequence: unknown group {{ {name} }}")
                            })?
                        }
                        digit => {
                            let mut group = digit.to_digit(10).ok_or_else(illegal)? as usize;
                            if group > pattern.group_count() {
                                return Err(format!("Illegal replacement sequence: unknown group {group}"));
                            }
                            while let Some(digit) = characters.peek().and_then(|digit| digit.to_digit(10)) {
                                let longer = group * 10 + digit as usize;
                                if longer > pattern.group_count() {
                                    break;
                                }
                                group = longer;
                                characters.next();
                            }
                            group
                        }
                    };
                    if !plain.is_empty() {
                        parts.push(Part::Text(std::mem::take(&mut plain)));
                    }
                    parts.push(Part::Group(group));
                }
                other => plain.push(other),
            }
        }
        if !plain.is_empty() {
            parts.push(Part::Text(plain));
        }
        Ok(Self(parts))
    }

    /// Appends the replacement of a match.
    pub(super) fn write(&self, text: &str, search: &Search<'_>, whole: Match, made: &mut String) {
        for part in &self.0 {
            match part {
                Part::Text(plain) => made.push_str(plain),
                Part::Group(number) => {
                    if let Some(group) = search.group(*number, whole) {
                        made.push_str(&text[group.start..group.end]);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(replacement: &str, expected: Result<&str, &str>) {
        let pattern = Pattern::new("(?<x>a)(b)?").expect("a pattern");
        let mut search = pattern.search("ab").expect("a search");
        let whole = search.next().expect("few steps").expect("a match");
        let made = Replacement::new(replacement, &pattern).map(|replacement| {
            let mut made = String::new();
            replacement.write("ab", &search, whole, &mut made);
            made
        });
        assert_eq!(made.as_deref().map_err(String::as_str), expected, "{replacement}");
    }

    #[test]
    fn group_numbers_in_replacements_end_at_the_last_existing_group() {
        check("$1x", Ok("ax"));
        check("$12", Ok("a2"));
        check("$01", Ok("a"));
        check("${x}${", Err("Illegal replacement sequence: unknown group {  }"));
        check("\\$1\\\\\\n", Ok("$1\\n"));
        check("$3", Err("Illegal replacement sequence: unknown group 3"));
        check("$", Err("Illegal replacement sequence: $"));
        check("a\\", Err("Illegal replacement sequence: a\\"));
    }
}
