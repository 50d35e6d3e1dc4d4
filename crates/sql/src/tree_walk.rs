//! Walks over the parser's tree. Every type that implements `Visitor` makes the compiler copy the walk over all types of the
//! tree; this is the only one of the crate, and what a walk looks for is a closure.

use std::ops::ControlFlow;

use sqlparser::ast::{Expr, ObjectName, Query, Visit, Visitor};

/// What a walk meets, in the order of the text.
pub(crate) enum Node<'n> {
    /// A query, before its parts.
    Query(&'n Query),
    /// The same query, after its parts.
    EndOfQuery(&'n Query),
    /// The name of a table in FROM.
    Relation(&'n ObjectName),
    /// An expression, before its parts.
    Expr(&'n Expr),
}

/// Shows each node of a part of the tree, until the closure breaks.
pub(crate) fn walk<B>(part: &impl Visit, mut look: impl FnMut(Node<'_>) -> ControlFlow<B>) -> ControlFlow<B> {
    let mut reason = None;
    let mut keep_reason = |node: Node<'_>| {
        look(node).map_break(|found| {
            reason = Some(found);
        })
    };
    // OK to ignore the result: it breaks only with a reason.
    let _ = part.visit(&mut Walk { look: &mut keep_reason });
    reason.map_or(ControlFlow::Continue(()), ControlFlow::Break)
}

struct Walk<'f> {
    look: &'f mut dyn FnMut(Node<'_>) -> ControlFlow<()>,
}

impl Visitor for Walk<'_> {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        (self.look)(Node::Query(query))
    }

    fn post_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        (self.look)(Node::EndOfQuery(query))
    }

    fn pre_visit_relation(&mut self, relation: &ObjectName) -> ControlFlow<()> {
        (self.look)(Node::Relation(relation))
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        (self.look)(Node::Expr(expr))
    }
}
