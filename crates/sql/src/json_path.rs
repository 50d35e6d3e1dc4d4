//! The path language of SQL/JSON: `lax $.a[0 to last] ? (@.b > 1).size()`. Chains of accessors, sums, products and
//! connectives are lists, so a tree is no deeper than the parentheses and signs of its text, which are limited.

use std::fmt;

use crate::expr::ComparisonOperator;

mod lex;
mod parse;

/// Bytes of a path.
pub const MAX_PATH_BYTES: usize = 65_536;

/// Brackets and signs in each other.
pub const MAX_PATH_DEPTH: usize = 100;

/// A path.
#[derive(Clone, Debug, PartialEq)]
pub struct JsonPath {
    /// `lax`: arrays are unwrapped where no array is wanted, and what is missing is no error; else `strict`.
    pub is_lax: bool,
    /// What it leads to.
    pub root: Path,
}

/// Why a text is no path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathFault {
    /// Bytes of the text before the place that is wrong.
    pub at: usize,
    /// What is wrong.
    pub kind: PathFaultKind,
    /// Said of it.
    pub message: String,
}

/// Kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathFaultKind {
    /// No path by its grammar.
    Syntax,
    /// A number that no type holds.
    Literal,
    /// An operand that is no number, whatever the input.
    Operand,
    /// Part of the grammar that nothing here computes, as in Trino; or too long, or too deep.
    NotSupported,
}

/// An expression of a path: a sequence of items.
#[derive(Clone, Debug, PartialEq)]
pub enum Path {
    /// `$`
    Context,
    /// `@`, in a filter.
    CurrentItem,
    /// `last`, in a subscript.
    Last,
    /// `$name`
    Variable(String),
    /// `null`
    Null,
    /// `true`, `false`
    Boolean(bool),
    /// `"text"`
    Text(String),
    /// A number as it is written, with its minus.
    Number(String),
    /// A path and what is done to its items, one after the other.
    Accessors(Box<Path>, Vec<Accessor>),
    /// `-x`, or `+x`.
    Sign {
        /// `-`
        is_negative: bool,
        /// x
        operand: Box<Path>,
    },
    /// `a + b - c`, or `a * b / c`, from the left.
    Chain(Box<Path>, Vec<(PathOperator, Path)>),
}

/// `+ - * / %`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathOperator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Modulus,
}

/// What is done to each item of a sequence.
#[derive(Clone, Debug, PartialEq)]
pub enum Accessor {
    /// `.name`
    Member(String),
    /// `.*`
    AnyMember,
    /// `..name`
    Descendants(String),
    /// `[1, 3 to last]`
    Elements(Vec<(Path, Option<Path>)>),
    /// `[*]`
    AnyElement,
    /// `? (…)`
    Filter(Box<Predicate>),
    /// `.size()` and its like.
    Method(PathMethod),
}

/// Methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathMethod {
    /// `abs`
    Abs,
    /// `ceiling`
    Ceiling,
    /// `double`
    Double,
    /// `floor`
    Floor,
    /// `keyvalue`
    KeyValue,
    /// `size`
    Size,
    /// `type`
    Type,
}

/// A condition of three values.
#[derive(Clone, Debug, PartialEq)]
pub enum Predicate {
    /// `a == b`
    Comparison(Box<Path>, ComparisonOperator, Box<Path>),
    /// `exists(a)`
    Exists(Box<Path>),
    /// `!(p)`
    Not(Box<Predicate>),
    /// `(p) is unknown`
    IsUnknown(Box<Predicate>),
    /// `a starts with b`
    StartsWith(Box<Path>, Box<Path>),
    /// `p && q`
    And(Vec<Predicate>),
    /// `p || q`
    Or(Vec<Predicate>),
}

impl JsonPath {
    /// Reads a path, in time that is linear in its text.
    ///
    /// # Errors
    /// Where the text is no path, with the place.
    pub fn parse(text: &str) -> Result<Self, PathFault> {
        parse::parse(text)
    }

    /// The names of its variables, without `$`; may repeat.
    pub fn variables(&self) -> Vec<&str> {
        let mut names = Vec::new();
        self.root.add_variables(&mut names);
        names
    }
}

impl Path {
    fn add_variables<'p>(&'p self, names: &mut Vec<&'p str>) {
        match self {
            Self::Variable(name) => names.push(name),
            Self::Accessors(base, accessors) => {
                base.add_variables(names);
                for accessor in accessors {
                    match accessor {
                        Accessor::Elements(subscripts) => {
                            for (from, to) in subscripts {
                                from.add_variables(names);
                                to.iter().for_each(|to| to.add_variables(names));
                            }
                        }
                        Accessor::Filter(predicate) => predicate.add_variables(names),
                        _ => {}
                    }
                }
            }
            Self::Sign { operand, .. } => operand.add_variables(names),
            Self::Chain(first, rest) => {
                first.add_variables(names);
                rest.iter().for_each(|(_, operand)| operand.add_variables(names));
            }
            _ => {}
        }
    }
}

impl Predicate {
    fn add_variables<'p>(&'p self, names: &mut Vec<&'p str>) {
        match self {
            Self::Comparison(left, _, right) | Self::StartsWith(left, right) => {
                left.add_variables(names);
                right.add_variables(names);
            }
            Self::Exists(path) => path.add_variables(names),
            Self::Not(inner) | Self::IsUnknown(inner) => inner.add_variables(names),
            Self::And(parts) | Self::Or(parts) => parts.iter().for_each(|part| part.add_variables(names)),
        }
    }
}

impl PathMethod {
    pub(super) const ALL: [(&'static str, Self); 7] = [
        ("abs", Self::Abs),
        ("ceiling", Self::Ceiling),
        ("double", Self::Double),
        ("floor", Self::Floor),
        ("keyvalue", Self::KeyValue),
        ("size", Self::Size),
        ("type", Self::Type),
    ];
}

impl fmt::Display for JsonPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", if self.is_lax { "lax" } else { "strict" }, self.root)
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Context => f.write_str("$"),
            Self::CurrentItem => f.write_str("@"),
            Self::Last => f.write_str("last"),
            Self::Variable(name) => write!(f, "${name}"),
            Self::Null => f.write_str("null"),
            Self::Boolean(value) => write!(f, "{value}"),
            Self::Text(text) => write_text(f, text),
            Self::Number(digits) => f.write_str(digits),
            Self::Accessors(base, accessors) => {
                // `1.size()` is `1.` and a name.
                match **base {
                    Self::Number(_) | Self::Sign { .. } | Self::Chain(..) => write!(f, "({base})")?,
                    _ => write!(f, "{base}")?,
                }
                accessors.iter().try_for_each(|accessor| write!(f, "{accessor}"))
            }
            Self::Sign { is_negative, operand } => {
                let sign = if *is_negative { '-' } else { '+' };
                match **operand {
                    Self::Chain(..) => write!(f, "{sign}({operand})"),
                    _ => write!(f, "{sign}{operand}"),
                }
            }
            Self::Chain(first, rest) => {
                write_operand(f, first)?;
                rest.iter().try_for_each(|(operator, operand)| {
                    write!(f, " {} ", operator.symbol())?;
                    write_operand(f, operand)
                })
            }
        }
    }
}

/// An operand of a chain: a chain in brackets.
fn write_operand(f: &mut fmt::Formatter<'_>, operand: &Path) -> fmt::Result {
    match operand {
        Path::Chain(..) => write!(f, "({operand})"),
        _ => write!(f, "{operand}"),
    }
}

fn write_text(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    write!(f, "\"{}\"", text.replace('"', "\"\""))
}

impl fmt::Display for Accessor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Member(name) => {
                f.write_str(".")?;
                write_text(f, name)
            }
            Self::AnyMember => f.write_str(".*"),
            Self::Descendants(name) => {
                f.write_str("..")?;
                write_text(f, name)
            }
            Self::AnyElement => f.write_str("[*]"),
            Self::Elements(subscripts) => {
                for (place, (from, to)) in subscripts.iter().enumerate() {
                    write!(f, "{}{from}", if place == 0 { "[" } else { ", " })?;
                    if let Some(to) = to {
                        write!(f, " to {to}")?;
                    }
                }
                f.write_str("]")
            }
            Self::Filter(predicate) => write!(f, " ? ({predicate})"),
            Self::Method(method) => {
                let name = PathMethod::ALL.iter().find(|(_, known)| known == method);
                write!(f, ".{}()", name.map_or("", |(name, _)| name))
            }
        }
    }
}

impl fmt::Display for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Comparison(left, operator, right) => write!(f, "{left} {} {right}", symbol_of(*operator)),
            Self::Exists(path) => write!(f, "exists({path})"),
            Self::Not(inner) => match **inner {
                Self::Exists(_) => write!(f, "!{inner}"),
                _ => write!(f, "!({inner})"),
            },
            Self::IsUnknown(inner) => write!(f, "({inner}) is unknown"),
            Self::StartsWith(left, right) => write!(f, "{left} starts with {right}"),
            Self::And(parts) => write_parts(f, parts, " && "),
            Self::Or(parts) => write_parts(f, parts, " || "),
        }
    }
}

fn write_parts(f: &mut fmt::Formatter<'_>, parts: &[Predicate], separator: &str) -> fmt::Result {
    for (place, part) in parts.iter().enumerate() {
        if place > 0 {
            f.write_str(separator)?;
        }
        match part {
            Predicate::And(_) | Predicate::Or(_) => write!(f, "({part})")?,
            _ => write!(f, "{part}")?,
        }
    }
    Ok(())
}

impl PathOperator {
    /// As a path writes it.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Modulus => "%",
        }
    }
}

/// A comparison as a path writes it.
const fn symbol_of(comparison: ComparisonOperator) -> &'static str {
    match comparison {
        ComparisonOperator::Equal => "==",
        other => other.symbol(),
    }
}

#[cfg(test)]
mod tests;
