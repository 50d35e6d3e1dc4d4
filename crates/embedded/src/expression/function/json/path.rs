//! JSON paths: `$`, `.name`, `[0]`, `[name]`, `["any name"]`.

use std::sync::LazyLock;

use regex::Regex;

/// A step of a path: to the member of this name or to the element at this index, depending on the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) name: String,
    /// The index from 0, if the name is a number.
    pub(super) index: Option<usize>,
}

impl Step {
    fn new(name: String) -> Self {
        let index = name.parse::<i32>().ok().and_then(|index| usize::try_from(index).ok());
        Self { name, index }
    }
}

/// The letters and digits of a name without quotes: those that Java has in 16 bits.
static UNQUOTED: LazyLock<Regex> = LazyLock::new(|| {
    // OK because the pattern is constant.
    Regex::new(r"^[[\p{L}\p{Nd}_]--[\x{10000}-\x{10FFFF}]]+").expect("a pattern")
});

/// As [`UNQUOTED`], with colons: a name after a point.
static BEHIND_POINT: LazyLock<Regex> = LazyLock::new(|| {
    // OK because the pattern is constant.
    Regex::new(r"^[[\p{L}\p{Nd}_:]--[\x{10000}-\x{10FFFF}]]+").expect("a pattern")
});

/// The steps of a path; `None` if the path is invalid.
pub(super) fn parse_path(text: &str) -> Option<Vec<Step>> {
    let mut rest = text.strip_prefix('$')?;
    let mut steps = Vec::new();
    while !rest.is_empty() {
        let name;
        (name, rest) = if let Some(after) = rest.strip_prefix('.') {
            unquoted(&BEHIND_POINT, after)?
        } else if let Some(after) = rest.strip_prefix("[\"") {
            let (name, after) = quoted(after)?;
            (name, after.strip_prefix(']')?)
        } else {
            let (name, after) = unquoted(&UNQUOTED, rest.strip_prefix('[')?)?;
            (name, after.strip_prefix(']')?)
        };
        steps.push(Step::new(name));
    }
    Some(steps)
}

fn unquoted<'t>(pattern: &Regex, text: &'t str) -> Option<(String, &'t str)> {
    let end = pattern.find(text)?.end();
    Some((text[..end].to_owned(), &text[end..]))
}

/// The name up to the closing quote, and the rest. A backslash may only precede a quote or a backslash.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut name = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Some((name, &text[at + 1..])),
            '\\' => {
                let (_, escaped) = characters.next()?;
                if !matches!(escaped, '"' | '\\') {
                    return None;
                }
                name.push(escaped);
            }
            character => name.push(character),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, expected: Option<&[&str]>) {
        let names = parse_path(path).map(|steps| steps.into_iter().map(|step| step.name).collect::<Vec<_>>());
        assert_eq!(
            names.as_deref(),
            expected.map(|names| names.iter().map(ToString::to_string).collect::<Vec<_>>()).as_deref(),
            "{path}"
        );
    }

    #[test]
    fn unquoted_path_names_have_letters_and_digits() {
        check("$", Some(&[]));
        check("$.a:b.é_1", Some(&["a:b", "é_1"]));
        check("$[x][0]", Some(&["x", "0"]));
        for path in [
            "", "a", "$a", "$.", "$..a", "$.*", "$.a-b", "$.a b", " $.a", "$[a:b]", "$[]", "$[-1]", "$['a']",
            "$[0", "$.😀",
        ] {
            check(path, None);
        }
    }

    #[test]
    fn quoted_path_names_may_contain_any_character() {
        check(r#"$["a b"]["\"\\"][""]"#, Some(&["a b", "\"\\", ""]));
        check(r#"$["a\n"]"#, None);
        check(r#"$["a"#, None);
    }

    #[test]
    fn path_indexes_have_32_bits() {
        let index = |path| parse_path(path).and_then(|steps| steps[0].index);
        assert_eq!(index("$.7"), Some(7));
        assert_eq!(index("$[99999999999]"), None);
        assert_eq!(index(r#"$["-1"]"#), None);
    }
}
