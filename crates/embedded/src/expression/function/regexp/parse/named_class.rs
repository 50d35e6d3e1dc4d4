//! Named character classes: `.`, `\w` and similar ones, `\p{…}`.

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, HirKind};

use super::Fault;

/// The class of `.`: any character, with or without the newline.
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

/// The classes of `\w`, `\d` and `\s` and their complements, in ASCII.
pub(super) fn of_ascii(letter: char) -> Option<ClassUnicode> {
    let class = match letter.to_ascii_lowercase() {
        'w' => of_ranges(&[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')]),
        'd' => of_ranges(&[('0', '9')]),
        's' => of_ranges(&[('\t', '\r'), (' ', ' ')]),
        _ => return None,
    };
    Some(negated_if(class, letter.is_ascii_uppercase()))
}

/// The class of `\p{…}`.
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
        // Other names are those of Unicode.
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
