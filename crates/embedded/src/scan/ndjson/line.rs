//! The keys and types of a line of JSON, by hash, and whether they are new.

use std::collections::hash_map::RandomState;
use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher;

use rowhouse_sql::types::MAX_STORED_LEVELS;

/// Maximum nesting of a line, which is an object of columns.
const MAX_DEPTH: usize = MAX_STORED_LEVELS + 1;

/// Why a line is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineFault {
    Invalid,
    HalfPair,
    TooDeep,
    TooManyKeys,
}

type Scanned<T> = Result<T, LineFault>;

/// What Polars distinguishes when it infers types.
#[derive(Clone, Copy)]
enum Kind {
    Null = 1,
    Boolean,
    Integer,
    LongInteger,
    LongerInteger,
    Float,
    Text,
    Array,
    Object,
}

/// Kinds in the order of their first appearance, which decides the type of an array's elements: four bits each.
#[derive(Clone, Copy, Default)]
struct Kinds(u64);

impl Kinds {
    fn has(self, kind: Kind) -> bool {
        let mut one = Self(self.0);
        !one.add(kind)
    }

    /// Whether the kind is new among them.
    fn add(&mut self, kind: Kind) -> bool {
        let kind = kind as u64;
        let mut rest = self.0;
        while rest != 0 {
            if rest & 15 == kind {
                return false;
            }
            rest >>= 4;
        }
        self.0 = self.0 << 4 | kind;
        true
    }
}

/// The keys and types of the lines so far. A line without new ones does not change the schema: types are merged key by
/// key, those of different lines one after the other, and those within an array together.
#[derive(Default)]
pub(super) struct Shapes {
    hasher: RandomState,
    known: HashSet<u64>,
    /// The kinds of each key within the outermost array.
    in_array: HashMap<u64, Kinds>,
    /// The work of merging the objects in arrays of the line that have other elements, too: each is merged with all before.
    merged_in_arrays: usize,
}

/// Marks of hashes: what a hash stands for beside its path.
#[derive(Clone, Copy, Hash)]
enum Mark {
    Key,
    Element,
    Alone,
    InOneArray,
    WithinOutermostArray,
}

impl Shapes {
    pub(super) fn keys(&self) -> usize {
        self.known.len()
    }

    /// The work of merging the last line with the others, in keys.
    pub(super) fn work_of_line(&self) -> usize {
        self.known.len() + self.merged_in_arrays
    }

    /// Adds a line; whether anything of it is new.
    pub(super) fn add(&mut self, line: &[u8]) -> Scanned<bool> {
        let before = self.known.len();
        self.merged_in_arrays = 0;
        let mut scanner = Scanner { shapes: self, rest: line.trim_ascii(), depth: 0, arrays: 0 };
        scanner.value(0)?;
        if !scanner.rest.is_empty() {
            return Err(LineFault::Invalid);
        }
        Ok(self.known.len() > before)
    }

    fn path(&self, parent: u64, mark: Mark, key: &[u8]) -> u64 {
        self.hasher.hash_one((parent, mark, key))
    }

    fn know(&mut self, path: u64, mark: Mark, kinds: u64) {
        self.known.insert(self.hasher.hash_one((path, mark, kinds)));
    }
}

struct Scanner<'a> {
    shapes: &'a mut Shapes,
    rest: &'a [u8],
    depth: usize,
    arrays: usize,
}

impl<'a> Scanner<'a> {
    fn value(&mut self, path: u64) -> Scanned<Kind> {
        self.skip_space();
        let kind = match self.rest.first() {
            Some(b'{') => self.nested(|scanner| scanner.object(path))?,
            Some(b'[') => {
                if self.arrays == 0 {
                    self.shapes.in_array.clear();
                }
                self.arrays += 1;
                let kind = self.nested(|scanner| scanner.array(path))?;
                self.arrays -= 1;
                kind
            }
            Some(b'"') => self.text().map(|_| Kind::Text)?,
            Some(_) => self.word()?,
            None => return Err(LineFault::Invalid),
        };
        self.shapes.know(path, Mark::Alone, kind as u64);
        if self.arrays > 0 {
            let kinds = self.shapes.in_array.entry(path).or_default();
            if kinds.add(kind) {
                let kinds = kinds.0;
                self.shapes.know(path, Mark::WithinOutermostArray, kinds);
            }
        }
        Ok(kind)
    }

    /// A value in brackets, after the opening one.
    fn nested(&mut self, inner: impl FnOnce(&mut Self) -> Scanned<Kind>) -> Scanned<Kind> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(LineFault::TooDeep);
        }
        self.rest = &self.rest[1..];
        let kind = inner(self)?;
        self.depth -= 1;
        Ok(kind)
    }

    fn object(&mut self, path: u64) -> Scanned<Kind> {
        if self.takes(b'}') {
            return Ok(Kind::Object);
        }
        loop {
            self.skip_space();
            let key = self.text()?;
            if !self.takes(b':') {
                return Err(LineFault::Invalid);
            }
            let path = self.shapes.path(path, Mark::Key, key);
            self.value(path)?;
            if self.takes(b'}') {
                return Ok(Kind::Object);
            }
            if !self.takes(b',') {
                return Err(LineFault::Invalid);
            }
        }
    }

    fn array(&mut self, path: u64) -> Scanned<Kind> {
        let path = self.shapes.path(path, Mark::Element, &[]);
        let (mut kinds, mut elements) = (Kinds::default(), 0);
        if !self.takes(b']') {
            loop {
                let kind = self.value(path)?;
                kinds.add(kind);
                elements += 1;
                if self.takes(b']') {
                    break;
                }
                if !self.takes(b',') {
                    return Err(LineFault::Invalid);
                }
            }
        }
        if kinds.has(Kind::Object) && kinds.0 != Kind::Object as u64 {
            self.shapes.merged_in_arrays += elements * self.shapes.in_array.len();
        }
        self.shapes.know(path, Mark::InOneArray, kinds.0);
        Ok(Kind::Array)
    }

    /// The text between quotes, as written.
    fn text(&mut self) -> Scanned<&'a [u8]> {
        let [b'"', text @ ..] = self.rest else { return Err(LineFault::Invalid) };
        let mut end = 0;
        loop {
            match text.get(end) {
                Some(b'"') => break,
                Some(b'\\') => end += 2,
                Some(_) => end += 1,
                None => return Err(LineFault::Invalid),
            }
        }
        self.rest = &text[end + 1..];
        Ok(&text[..end])
    }

    fn word(&mut self) -> Scanned<Kind> {
        let is_of_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
        let length = self.rest.iter().take_while(|byte| is_of_word(byte)).count();
        let (word, rest) = self.rest.split_at(length);
        self.rest = rest;
        match word {
            b"null" => Ok(Kind::Null),
            b"true" | b"false" => Ok(Kind::Boolean),
            [b'0'..=b'9' | b'-', ..] => {
                let text = str::from_utf8(word).map_err(|_| LineFault::Invalid)?;
                Ok(match (text.parse::<i64>(), text.parse::<u64>()) {
                    (Ok(_), _) => Kind::Integer,
                    (_, Ok(_)) => Kind::LongInteger,
                    _ if text.contains(['.', 'e', 'E']) => Kind::Float,
                    _ => Kind::LongerInteger,
                })
            }
            _ => Err(LineFault::Invalid),
        }
    }

    fn skip_space(&mut self) {
        self.rest = self.rest.trim_ascii_start();
    }

    /// Whether the next character after space is this one, which is skipped.
    fn takes(&mut self, character: u8) -> bool {
        self.skip_space();
        match self.rest.split_first() {
            Some((&first, rest)) if first == character => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }
}

/// Checks that escapes are characters: half of a surrogate pair is none, and Polars reads it as U+0000.
pub(super) fn check_escapes(line: &[u8]) -> Scanned<()> {
    let mut rest = line;
    while let Some(backslash) = memchr::memchr(b'\\', rest) {
        rest = &rest[backslash + 1..];
        let skipped = match code_unit(rest) {
            Some(0xD800..=0xDBFF) => {
                match rest.get(5..).and_then(|next| code_unit(next.strip_prefix(b"\\")?)) {
                    Some(0xDC00..=0xDFFF) => 11,
                    _ => return Err(LineFault::HalfPair),
                }
            }
            Some(0xDC00..=0xDFFF) => return Err(LineFault::HalfPair),
            _ => 1,
        };
        rest = rest.get(skipped..).unwrap_or_default();
    }
    Ok(())
}

/// The code unit of an escape `uXXXX`.
fn code_unit(escape: &[u8]) -> Option<u16> {
    let digits = escape.strip_prefix(b"u")?.first_chunk::<4>()?;
    u16::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()
}

/// Checks only the nesting of a line.
pub(super) fn check_depth(line: &[u8]) -> Scanned<()> {
    let (mut depth, mut is_text, mut is_escaped) = (0_usize, false, false);
    for byte in line {
        if is_text {
            match byte {
                _ if is_escaped => is_escaped = false,
                b'\\' => is_escaped = true,
                b'"' => is_text = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => is_text = true,
            b'[' | b'{' => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return Err(LineFault::TooDeep);
                }
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    Ok(())
}
