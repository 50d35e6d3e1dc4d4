//! The syntax tree of a regular expression.

use regex_syntax::hir::ClassUnicode;

/// A node. Letter case is folded already: a letter that matches in both cases is a class.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    Empty,
    Literal(char),
    /// One character of a class; an empty class matches nothing.
    Class(ClassUnicode),
    Assertion(Assertion),
    Concat(Vec<Node>),
    /// The first branch that matches is taken.
    Alternation(Vec<Node>),
    Repeat {
        node: Box<Node>,
        min: u32,
        max: Option<u32>,
        greed: Greed,
    },
    /// A capturing group, by its number from 1.
    Group {
        number: usize,
        node: Box<Node>,
    },
    /// The match of the node is not backtracked into.
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

/// A condition on the offset between two characters.
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
    /// `\G`: the offset at which the search began.
    SearchStart,
}

/// The preference of a repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Greed {
    /// As many as possible.
    Greedy,
    /// As few as possible.
    Lazy,
    /// As many as possible, without backtracking.
    Possessive,
}

/// A parsed pattern and its groups.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Syntax {
    pub(super) node: Node,
    /// The number of capturing groups, without the whole match.
    pub(super) group_count: usize,
    pub(super) names: Vec<(String, usize)>,
}

impl Node {
    /// The direct children.
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

    /// Whether the predicate holds for this node or a descendant.
    pub(super) fn any(&self, is: &impl Fn(&Self) -> bool) -> bool {
        is(self) || self.children().iter().any(|child| child.any(is))
    }

    /// The number of characters of each match, if it is fixed.
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

    /// Whether the node can match the empty text.
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
