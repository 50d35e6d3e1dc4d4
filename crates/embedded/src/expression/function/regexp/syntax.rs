//! The syntax tree of a regular expression.

use regex_syntax::hir::ClassUnicode;

/// What a pattern is made of. Letter case is folded already: a letter that is matched in both cases is a class.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    Empty,
    Literal(char),
    /// One character of a set; none where the set is empty.
    Class(ClassUnicode),
    Assertion(Assertion),
    Concat(Vec<Node>),
    /// The first that matches is taken.
    Alternation(Vec<Node>),
    Repeat {
        node: Box<Node>,
        min: u32,
        max: Option<u32>,
        greed: Greed,
    },
    /// A group that is remembered, by its number from 1.
    Group {
        number: usize,
        node: Box<Node>,
    },
    /// What it has matched is not given back.
    Atomic(Box<Node>),
    Look {
        is_behind: bool,
        is_negative: bool,
        node: Box<Node>,
    },
    /// The text that a group has matched.
    Backreference {
        group: usize,
        is_case_insensitive: bool,
    },
}

/// What is true of a place between two characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Assertion {
    /// `\A`, `^`.
    Start,
    /// `\z`.
    End,
    /// `\Z`, `$`: also before a newline that ends the text.
    EndOrLastNewline,
    /// `^` with `(?m)`: not after a newline that ends the text.
    LineStart,
    /// `$` with `(?m)`.
    LineEnd,
    WordBoundary,
    NotWordBoundary,
    /// `\G`: where the search began.
    SearchStart,
}

/// How much a repetition takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Greed {
    /// As much as it can.
    Greedy,
    /// As little as it can.
    Lazy,
    /// As much as it can, and gives nothing back.
    Possessive,
}

/// A pattern with its groups.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Syntax {
    pub(super) node: Node,
    /// Groups that are remembered, the whole match not counted.
    pub(super) group_count: usize,
    pub(super) names: Vec<(String, usize)>,
}

impl Node {
    /// The nodes directly in it.
    pub(super) fn children(&self) -> &[Node] {
        match self {
            Self::Concat(nodes) | Self::Alternation(nodes) => nodes,
            Self::Repeat { node, .. }
            | Self::Group { node, .. }
            | Self::Atomic(node)
            | Self::Look { node, .. } => std::slice::from_ref(node),
            Self::Empty
            | Self::Literal(_)
            | Self::Class(_)
            | Self::Assertion(_)
            | Self::Backreference { .. } => &[],
        }
    }

    /// Whether this or a node in it is such a one.
    pub(super) fn any(&self, is: &impl Fn(&Self) -> bool) -> bool {
        is(self) || self.children().iter().any(|child| child.any(is))
    }

    /// The characters that each of its matches has, if they are equally many.
    pub(super) fn length(&self) -> Option<u32> {
        match self {
            Self::Empty | Self::Assertion(_) | Self::Look { .. } => Some(0),
            Self::Literal(_) | Self::Class(_) => Some(1),
            Self::Concat(nodes) => nodes.iter().try_fold(0_u32, |sum, node| sum.checked_add(node.length()?)),
            Self::Alternation(nodes) => {
                let (first, rest) = nodes.split_first()?;
                let length = first.length()?;
                rest.iter().all(|node| node.length() == Some(length)).then_some(length)
            }
            Self::Repeat { node, min, max, .. } if *max == Some(*min) => node.length()?.checked_mul(*min),
            Self::Group { node, .. } | Self::Atomic(node) => node.length(),
            Self::Repeat { .. } | Self::Backreference { .. } => None,
        }
    }

    /// Whether it can match without taking a character.
    pub(super) fn can_be_empty(&self) -> bool {
        match self {
            Self::Literal(_) | Self::Class(_) => false,
            Self::Empty | Self::Assertion(_) | Self::Look { .. } | Self::Backreference { .. } => true,
            Self::Concat(nodes) => nodes.iter().all(Self::can_be_empty),
            Self::Alternation(nodes) => nodes.iter().any(Self::can_be_empty),
            Self::Repeat { node, min, .. } => *min == 0 || node.can_be_empty(),
            Self::Group { node, .. } | Self::Atomic(node) => node.can_be_empty(),
        }
    }
}
