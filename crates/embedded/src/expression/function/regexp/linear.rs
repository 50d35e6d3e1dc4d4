//! Patterns for the `regex` crate, which takes time linear in the text: patterns without look-around, back references,
//! atomic groups and possessive repetitions.

use regex::{Regex, RegexBuilder};
use regex_syntax::hir::{Capture, Class, Hir, Look, Repetition};

use super::syntax::{Assertion, Greed, Node};

/// Maximum size of a compiled pattern in bytes.
const MAX_COMPILED_BYTES: usize = 10 << 20;

/// The crate's limit of nested groups: those of the pattern, and those that its printed form adds.
const MAX_NESTING: u32 = 2000;

/// The compiled pattern; `None` if it has features that the crate lacks. `$`, and `^` of lines, are compiled as if the
/// text did not end with a newline.
pub(super) fn compile(node: &Node) -> Option<Result<Regex, String>> {
    let pattern = hir(node)?.to_string();
    let mut builder = RegexBuilder::new(&pattern);
    let builder = builder.size_limit(MAX_COMPILED_BYTES).nest_limit(MAX_NESTING);
    Some(builder.build().map_err(|_| "the pattern is too large when compiled".to_owned()))
}

/// Whether the pattern matches differently if the text ends with a newline.
pub(super) fn is_of_last_newline(node: &Node) -> bool {
    node.any(&|node| matches!(node, Node::Assertion(Assertion::EndOrLastNewline | Assertion::LineStart)))
}

fn hir(node: &Node) -> Option<Hir> {
    Some(match node {
        Node::Empty => Hir::empty(),
        Node::Literal(character) => Hir::literal(character.to_string().into_bytes()),
        Node::Class(class) if class.ranges().is_empty() => Hir::fail(),
        Node::Class(class) => Hir::class(Class::Unicode(class.clone())),
        Node::Assertion(assertion) => Hir::look(match assertion {
            Assertion::Start => Look::Start,
            Assertion::End | Assertion::EndOrLastNewline => Look::End,
            Assertion::LineStart => Look::StartLF,
            Assertion::LineEnd => Look::EndLF,
            Assertion::WordBoundary => Look::WordUnicode,
            Assertion::NotWordBoundary => Look::WordUnicodeNegate,
            Assertion::SearchStart => return None,
        }),
        Node::Concat(nodes) => Hir::concat(nodes.iter().map(hir).collect::<Option<_>>()?),
        Node::Alternation(nodes) => Hir::alternation(nodes.iter().map(hir).collect::<Option<_>>()?),
        Node::Repeat { greed: Greed::Possessive, .. } => return None,
        Node::Repeat { node, min, max, greed } => Hir::repetition(Repetition {
            min: *min,
            max: *max,
            greedy: *greed == Greed::Greedy,
            sub: Box::new(hir(node)?),
        }),
        Node::Group { number, node } => Hir::capture(Capture {
            index: u32::try_from(*number).ok()?,
            name: None,
            sub: Box::new(hir(node)?),
        }),
        Node::Atomic(_) | Node::Look { .. } | Node::Backreference { .. } => return None,
    })
}
