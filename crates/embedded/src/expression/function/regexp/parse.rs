//! Parses patterns in Java's syntax as Joni, Trino's regular expression library, parses it. Joni's errors are
//! reproduced with its messages.

use regex_syntax::hir::ClassUnicode;

use super::fold::{folded_class, folded_run, folded_set};
use super::syntax::{Assertion, Greed, Node, Syntax};

mod class;
mod escape;
mod group;
mod named_class;

use escape::Escape;

/// Maximum depth of nested groups.
const MAX_DEPTH: usize = 200;

/// Maximum number of consecutive repetitions, as in `a{2}{3}`: each one is a level of nesting.
const MAX_REPETITIONS_OF_A_PART: usize = 10;

/// Maximum height of the tree: a group with branches and a repetition counts four.
const MAX_HEIGHT: usize = 500;

/// Maximum number of ranges in all character classes; `\p{L}` has about 660.
const MAX_RANGES: usize = 100_000;

/// Maximum number of characters in a pattern.
const MAX_CHARACTERS: usize = 1 << 16;

/// Maximum bound of a repetition.
const MAX_REPEAT: u32 = 100_000;

/// The message of an invalid pattern.
pub(super) type Fault = String;

/// Parses a pattern.
pub(super) fn parse(pattern: &str) -> Result<Syntax, Fault> {
    let characters: Vec<char> = pattern.chars().collect();
    if characters.len() > MAX_CHARACTERS {
        return Err(format!("the pattern has more than {MAX_CHARACTERS} characters"));
    }
    let mut parser = Parser {
        characters: &characters,
        at: 0,
        flags: Flags::default(),
        groups: 0,
        names: Vec::new(),
        depth: 0,
        is_quoting: false,
    };
    let node = parser.alternation()?;
    if parser.at < characters.len() {
        return Err("unmatched close parenthesis".to_owned());
    }
    let (groups, names) = (parser.groups, parser.names);
    check_size(&node)?;
    let is_unknown = |node: &Node| matches!(node, Node::Backreference { group, .. } if *group > groups);
    if node.any(&is_unknown) {
        return Err("invalid backref number/name".to_owned());
    }
    Ok(Syntax { node, group_count: groups, names })
}

/// Checks the size of a tree: its visitors recurse to its height, and character classes are copied and printed.
fn check_size(node: &Node) -> Result<(), Fault> {
    let (mut ranges, mut open) = (0, vec![(node, 1)]);
    while let Some((node, height)) = open.pop() {
        if height > MAX_HEIGHT {
            return Err(format!("the pattern is nested more than {MAX_HEIGHT} levels deep"));
        }
        if let Node::Class(class) = node {
            ranges += class.ranges().len();
        }
        if ranges > MAX_RANGES {
            return Err(format!("the pattern's sets have more than {MAX_RANGES} ranges of characters"));
        }
        open.extend(node.children().iter().map(|child| (child, height + 1)));
    }
    Ok(())
}

/// The flags `(?imsx)`.
#[derive(Clone, Copy, Debug, Default)]
struct Flags {
    is_case_insensitive: bool,
    is_multi_line: bool,
    dot_is_any: bool,
    is_extended: bool,
}

struct Parser<'p> {
    characters: &'p [char],
    at: usize,
    flags: Flags,
    groups: usize,
    names: Vec<(String, usize)>,
    depth: usize,
    /// Whether the parser is between `\Q` and `\E`.
    is_quoting: bool,
}

/// A part of a branch: adjacent letters are folded together.
enum Part {
    Letter(char),
    Node(Node),
}

impl Parser<'_> {
    fn peek(&self) -> Option<char> {
        self.characters.get(self.at).copied()
    }

    fn take(&mut self, wanted: char) -> bool {
        let is_there = self.peek() == Some(wanted);
        self.at += usize::from(is_there);
        is_there
    }

    fn take_text(&mut self, wanted: &str) -> bool {
        let is_there = wanted
            .chars()
            .enumerate()
            .all(|(index, character)| self.characters.get(self.at + index) == Some(&character));
        if is_there {
            self.at += wanted.chars().count();
        }
        is_there
    }

    /// Parses branches up to the end or a `)`, which is not consumed.
    fn alternation(&mut self) -> Result<Node, Fault> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(format!("the pattern is nested more than {MAX_DEPTH} levels deep"));
        }
        let mut branches = vec![self.branch()?];
        while self.take('|') {
            branches.push(self.branch()?);
        }
        self.depth -= 1;
        Ok(if branches.len() == 1 { branches.swap_remove(0) } else { Node::Alternation(branches) })
    }

    fn branch(&mut self) -> Result<Node, Fault> {
        let mut parts: Vec<Part> = Vec::new();
        loop {
            if self.is_quoting && self.take_text("\\E") {
                self.is_quoting = false;
            }
            if !self.is_quoting {
                self.skip_ignored()?;
            }
            let Some(character) = self.peek() else { break };
            let part = if self.is_quoting {
                self.at += 1;
                Some(Part::Letter(character))
            } else if matches!(character, '|' | ')') {
                break;
            } else {
                self.atom(character)?
            };
            if let Some(part) = part {
                parts.push(self.repeated(part)?);
            }
        }
        Ok(concat(parts, self.flags.is_case_insensitive))
    }

    /// Skips comments, and white space if `(?x)` is set.
    fn skip_ignored(&mut self) -> Result<(), Fault> {
        loop {
            if self.take_text("(?#") {
                while !self.take(')') {
                    if self.at == self.characters.len() {
                        return Err("end pattern in group".to_owned());
                    }
                    self.at += 1;
                }
                continue;
            }
            match self.peek() {
                Some('#') if self.flags.is_extended => {
                    while self.peek().is_some_and(|character| character != '\n') {
                        self.at += 1;
                    }
                }
                Some(' ' | '\t'..='\r') if self.flags.is_extended => self.at += 1,
                _ => return Ok(()),
            }
        }
    }

    /// Parses one part; `None` for a part that matches the empty text and cannot be repeated.
    fn atom(&mut self, character: char) -> Result<Option<Part>, Fault> {
        self.at += 1;
        let assertion = |assertion| Ok(Some(Part::Node(Node::Assertion(assertion))));
        match character {
            '(' => self.group(),
            '[' => {
                let (class, is_negated) = self.class()?;
                Ok(Some(Part::Node(self.bracketed(class, is_negated))))
            }
            '.' => Ok(Some(Part::Node(Node::Class(named_class::any(self.flags.dot_is_any))))),
            '^' if self.flags.is_multi_line => assertion(Assertion::LineStart),
            '^' => assertion(Assertion::Start),
            '$' if self.flags.is_multi_line => assertion(Assertion::LineEnd),
            '$' => assertion(Assertion::EndOrLastNewline),
            '*' | '+' | '?' => Err("target of repeat operator is not specified".to_owned()),
            '\\' => Ok(match self.escape()? {
                Escape::Letter(letter) => Some(Part::Letter(letter)),
                Escape::Class(class) => Some(Part::Node(Node::Class(class))),
                Escape::Assertion(assertion) => Some(Part::Node(Node::Assertion(assertion))),
                Escape::Backreference(group) => {
                    let is_case_insensitive = self.flags.is_case_insensitive;
                    Some(Part::Node(Node::Backreference { group, is_case_insensitive }))
                }
                Escape::Quote => {
                    self.is_quoting = true;
                    None
                }
            }),
            letter => Ok(Some(Part::Letter(letter))),
        }
    }

    fn bracketed(&self, class: ClassUnicode, is_negated: bool) -> Node {
        if !self.flags.is_case_insensitive {
            return Node::Class(named_class::negated_if(class, is_negated));
        }
        if is_negated {
            return Node::Class(named_class::negated_if(folded_class(&class), true));
        }
        folded_set(&class)
    }

    /// Parses the repetitions after a part.
    fn repeated(&mut self, part: Part) -> Result<Part, Fault> {
        let (mut part, mut count) = (part, 0);
        loop {
            if self.is_quoting {
                if !self.take_text("\\E") {
                    return Ok(part);
                }
                self.is_quoting = false;
            }
            self.skip_ignored()?;
            let Some((min, max)) = self.repetition()? else { return Ok(part) };
            count += 1;
            if count > MAX_REPETITIONS_OF_A_PART {
                return Err(format!("a part has more than {MAX_REPETITIONS_OF_A_PART} repetitions after it"));
            }
            let greed = if self.take('?') {
                Greed::Lazy
            } else if self.take('+') {
                Greed::Possessive
            } else {
                Greed::Greedy
            };
            let node = Box::new(node_of(part, self.flags.is_case_insensitive));
            part = Part::Node(Node::Repeat { node, min, max, greed });
        }
    }

    /// Parses `*`, `+`, `?` or `{n,m}`.
    fn repetition(&mut self) -> Result<Option<(u32, Option<u32>)>, Fault> {
        let found = match self.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => return self.interval(),
            _ => return Ok(None),
        };
        self.at += 1;
        Ok(Some(found))
    }

    /// Parses `{n}`, `{n,}` or `{n,m}`; anything else is literal text.
    fn interval(&mut self) -> Result<Option<(u32, Option<u32>)>, Fault> {
        let start = self.at;
        self.at += 1;
        let found = self.interval_inside()?;
        if found.is_none() {
            self.at = start;
        }
        Ok(found)
    }

    fn interval_inside(&mut self) -> Result<Option<(u32, Option<u32>)>, Fault> {
        let Some(min) = self.count()? else { return Ok(None) };
        let max = if self.take(',') { self.count()? } else { Some(min) };
        if !self.take('}') {
            return Ok(None);
        }
        if max.is_some_and(|max| max < min) {
            return Err("upper is smaller than lower in repeat range".to_owned());
        }
        Ok(Some((min, max)))
    }

    fn count(&mut self) -> Result<Option<u32>, Fault> {
        let mut count: Option<u32> = None;
        while let Some(digit) = self.peek().and_then(|digit| digit.to_digit(10)) {
            self.at += 1;
            let next = count.unwrap_or(0).saturating_mul(10).saturating_add(digit);
            if next > MAX_REPEAT {
                return Err("too big number for repeat range".to_owned());
            }
            count = Some(next);
        }
        Ok(count)
    }
}

fn node_of(part: Part, is_case_insensitive: bool) -> Node {
    match part {
        Part::Node(node) => node,
        // A single letter may fold to several, too.
        Part::Letter(letter) if is_case_insensitive => folded_run(&[letter]),
        Part::Letter(letter) => Node::Literal(letter),
    }
}

/// Concatenates parts; adjacent letters are folded together.
fn concat(parts: Vec<Part>, is_case_insensitive: bool) -> Node {
    let mut nodes = Vec::new();
    let mut run: Vec<char> = Vec::new();
    let flush = |run: &mut Vec<char>, nodes: &mut Vec<Node>| {
        if is_case_insensitive && !run.is_empty() {
            nodes.push(folded_run(run));
        } else {
            nodes.extend(run.iter().copied().map(Node::Literal));
        }
        run.clear();
    };
    for part in parts {
        match part {
            Part::Letter(letter) => run.push(letter),
            Part::Node(node) => {
                flush(&mut run, &mut nodes);
                nodes.push(node);
            }
        }
    }
    flush(&mut run, &mut nodes);
    match nodes.len() {
        0 => Node::Empty,
        1 => nodes.swap_remove(0),
        _ => Node::Concat(nodes),
    }
}

/// The class of one letter.
pub(super) fn class_of(letter: char) -> ClassUnicode {
    named_class::of_ranges(&[(letter, letter)])
}
