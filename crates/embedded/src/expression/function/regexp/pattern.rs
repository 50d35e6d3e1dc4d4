//! A compiled pattern and its successive matches in a text, as Trino finds them.

use std::sync::OnceLock;

use regex::{CaptureLocations, Regex};

use super::backtrack::{Machine, TooManySteps};
use super::linear;
use super::parse::parse;
use super::program::Program;
use super::syntax::Syntax;

/// A compiled pattern.
#[derive(Debug)]
pub(super) struct Pattern {
    text: String,
    syntax: Syntax,
    /// `None` if the pattern has features that the `regex` crate lacks.
    linear: Option<Regex>,
    /// Whether `linear` must not be used for a text that ends with a newline.
    is_of_last_newline: bool,
    program: OnceLock<Result<Program, String>>,
}

/// A match of the whole pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Match {
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Pattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    ///
    /// The message says why the pattern is invalid.
    pub(super) fn new(text: &str) -> Result<Self, String> {
        let syntax = parse(text)?;
        let linear = linear::compile(&syntax.node).transpose()?;
        let is_of_last_newline = linear::is_of_last_newline(&syntax.node);
        let pattern =
            Self { text: text.to_owned(), syntax, linear, is_of_last_newline, program: OnceLock::new() };
        if pattern.linear.is_none() {
            pattern.program()?;
        }
        Ok(pattern)
    }

    fn program(&self) -> Result<&Program, String> {
        let compile = || Program::compile(&self.syntax.node, self.syntax.group_count);
        self.program.get_or_init(compile).as_ref().map_err(Clone::clone)
    }

    /// The number of capturing groups.
    pub(super) fn group_count(&self) -> usize {
        self.syntax.group_count
    }

    /// The number of a named group.
    pub(super) fn group_named(&self, name: &str) -> Option<usize> {
        self.syntax.names.iter().find(|(known, _)| known == name).map(|(_, number)| *number)
    }

    /// Whether a text contains a match.
    pub(super) fn is_match(&self, text: &str) -> Result<bool, String> {
        match self.linear_for(text) {
            Some(regex) => Ok(regex.is_match(text)),
            None => Ok(self.search(text)?.next()?.is_some()),
        }
    }

    /// The matches in a text.
    pub(super) fn search<'p>(&'p self, text: &'p str) -> Result<Search<'p>, String> {
        let engine = match self.linear_for(text) {
            Some(regex) => Engine::Linear(regex, regex.capture_locations()),
            None => Engine::Backtracking(Box::new(Machine::new(self.program()?, text))),
        };
        Ok(Search { pattern: self, text, engine, next_start: 0 })
    }

    fn linear_for(&self, text: &str) -> Option<&Regex> {
        self.linear.as_ref().filter(|_| !(self.is_of_last_newline && text.ends_with('\n')))
    }
}

/// The matches of a pattern in a text.
pub(super) struct Search<'p> {
    pattern: &'p Pattern,
    text: &'p str,
    engine: Engine<'p>,
    /// The least offset of the next match.
    next_start: usize,
}

enum Engine<'p> {
    Linear(&'p Regex, CaptureLocations),
    Backtracking(Box<Machine<'p>>),
}

impl Search<'_> {
    /// Begins the search at an offset.
    pub(super) fn starting_at(mut self, place: usize) -> Self {
        self.next_start = place;
        self
    }

    /// The next match. It may be empty and begin at the end of the previous one; after an empty match, the next one
    /// begins at least one character later.
    pub(super) fn next(&mut self) -> Result<Option<Match>, String> {
        if self.next_start > self.text.len() {
            return Ok(None);
        }
        let found = match &mut self.engine {
            Engine::Linear(regex, groups) => {
                let found = regex.captures_read_at(groups, self.text, self.next_start);
                found.map(|found| Match { start: found.start(), end: found.end() })
            }
            Engine::Backtracking(machine) => match machine.find_at(self.next_start) {
                Ok(found) => found.map(|(start, end)| Match { start, end }),
                Err(TooManySteps) => {
                    return Err(format!(
                        "the pattern '{}' takes too many steps on a text of {} bytes: write it without look-around, \
                         back references and possessive repetitions, or with fewer ways to match",
                        self.pattern.text,
                        self.text.len()
                    ));
                }
            },
        };
        if let Some(found) = found {
            let step = if found.start == found.end {
                self.text[found.end..].chars().next().map_or(1, char::len_utf8)
            } else {
                0
            };
            self.next_start = found.end + step;
        }
        Ok(found)
    }

    /// The range that a group of the last match has matched; group 0 is the whole match.
    pub(super) fn group(&self, number: usize, whole: Match) -> Option<Match> {
        if number == 0 {
            return Some(whole);
        }
        let found = match &self.engine {
            Engine::Linear(_, groups) => groups.get(number),
            Engine::Backtracking(machine) => machine.group(number),
        };
        found.map(|(start, end)| Match { start, end })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refused(pattern: &str) -> String {
        Pattern::new(pattern).expect_err("a fault")
    }

    /// Regression: a part with thousands of repetitions is a tree of that height, and visiting it crashed the worker.
    #[test]
    fn pattern_depth_is_limited() {
        assert!(refused(&format!("a{}", "{2}".repeat(20_000))).contains("repetitions after it"));
        assert!(refused(&format!("a{}", "**".repeat(20_000))).contains("repetitions after it"));
        let nested = |levels| format!("{}a{}", "(".repeat(levels), "){1}{1}{1}{1}".repeat(levels));
        assert!(refused(&nested(190)).contains("nested"));
        assert!(refused(&nested(3000)).contains("nested"));
        assert!(refused(&"[a".repeat(10_000)).contains("nested"));
        assert_eq!(Pattern::new(&nested(20)).and_then(|pattern| pattern.is_match("a")), Ok(true));
    }

    #[test]
    fn expanded_pattern_size_is_limited() {
        assert!(refused("(?=a)(?:ab){60000}").contains("too large"));
        assert!(refused("(?=a)(?:\\p{L}\\p{L}){2000}").contains("too large"));
        assert!(refused("(?:\\p{L}{1000}){1000}").contains("too large"));
        assert!(refused(&"\\p{L}".repeat(500)).contains("ranges"));
        // The empty text, repeated ten thousand million times.
        assert_eq!(
            Pattern::new("(?=a)(?:(?:){100000}){100000}").and_then(|pattern| pattern.is_match("a")),
            Ok(true)
        );
    }

    #[test]
    fn backtracking_steps_are_limited() {
        let text = "a".repeat(20_000);
        for pattern in [
            "(a*)*+\\1b",
            "(?=(a+)+b)",
            "(?:(?:a|a)*)*+b",
            "(a*)\\1\\1b",
            "(?<=a{5000})b(?=c)",
            "(?>(?:a*)*)*b",
        ] {
            let outcome = Pattern::new(pattern).and_then(|pattern| pattern.is_match(&text));
            assert!(outcome == Ok(false) || outcome.is_err_and(|fault| fault.contains("too many steps")));
        }
        assert!(
            Pattern::new("(?=(a+)+b)").and_then(|pattern| pattern.is_match(&text)).is_err(),
            "as many ways as there are subsets"
        );
    }

    #[test]
    fn multi_letter_case_folding_is_limited() {
        let letters = |count| format!("(?i){}", "s".repeat(count));
        assert!(refused(&letters(60_000)).contains("ranges"));
        let found =
            |count, text: &str| Pattern::new(&letters(count)).and_then(|pattern| pattern.is_match(text));
        assert_eq!(found(4, "Sßs"), Ok(true));
        assert_eq!(found(1000, &"S".repeat(1000)), Ok(true));
    }
}
