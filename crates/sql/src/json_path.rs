//! The path language of SQL/JSON: `lax $.a[0 to last] ? (@.b > 1).size()`. Chains of accessors, sums, products and
//! connectives are lists, so the depth of a tree is bounded by the parentheses and signs of its text, which are
//! limited.

use std::fmt;

use crate::expr::ComparisonOperator;

mod lex;
mod parse;

/// Maximum length of a path in bytes.
pub const MAX_PATH_BYTES: usize = 65_536;

/// Maximum nesting depth of brackets and signs.
pub const MAX_PATH_DEPTH: usize = 100;

/// A parsed path.
#[derive(Clone, Debug, PartialEq)]
pub struct JsonPath {
    /// `lax`: arrays are unwrapped automatically, and missing members are not errors; otherwise `strict`.
    pub is_lax: bool,
    /// The path's expression.
    pub root: Path,
}

/// The reason why a text is not a valid path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathFault {
    /// The byte offset of the error in the text.
    pub at: usize,
    /// The kind of the error.
    pub kind: PathFaultKind,
    /// A description of the error.
    pub message: String,
}

/// Kinds of path errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathFaultKind {
    /// A violation of the grammar.
    Syntax,
    /// A number that no type can hold.
    Literal,
    /// An operand that is never a number, for any input.
    Operand,
    /// A part of the grammar that Trino does not support either; or a path that is too long or too deeply nested.
    NotSupported,
}

/// A path expression, whose value is a sequence of items.
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
    /// A number in its spelling, with its minus.
    Number(String),
    /// A path and the accessors that are applied to its items in order.
    Accessors(Box<Path>, Vec<Accessor>),
    /// `-x` or `+x`.
    Sign {
        /// Whether it is `-x`.
        is_negative: bool,
        /// The operand.
        operand: Box<Path>,
    },
    /// `a + b - c`, or `a * b / c`, left-associative.
    Chain(Box<Path>, Vec<(PathOperator, Path)>),
}

/// Arithmetic operators of paths.
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

/// An operation on each item of a sequence.
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
    /// `.size()` and other methods.
    Method(PathMethod),
}

/// Methods of path items.
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

/// A three-valued condition.
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
    /// Parses a path in time linear in its length.
    ///
    /// # Errors
    /// If the text is not a valid path, with the place.
    pub fn parse(text: &str) -> Result<Self, PathFault> {
        parse::parse(text)
    }

    /// The names of the path's variables, without `$`, possibly repeated.
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
                // Without parentheses, `1.size()` would be parsed as `1.` and a name.
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

/// Writes an operand of a chain; a nested chain gets parentheses.
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
    /// The operator in path syntax.
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

/// The comparison operator in path syntax.
const fn symbol_of(comparison: ComparisonOperator) -> &'static str {
    match comparison {
        ComparisonOperator::Equal => "==",
        other => other.symbol(),
    }
}

#[cfg(test)]
mod tests;
