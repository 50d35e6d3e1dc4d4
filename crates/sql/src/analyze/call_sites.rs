//! Collects the calls in an expression from the parser's tree, so that the nesting of functions can be checked before
//! any of them is analyzed.

use std::ops::ControlFlow;

use rowhouse_model::{ErrorCode, ErrorLocation, QueryError};
use sqlparser::ast::{
    Expr as AstExpr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, ObjectName,
};

use super::pattern_scope::Mode;
use super::place::place_of_name;
use crate::error::{error, location_of};
use crate::functions::{AggregateFunction, ArrayAggregate};
use crate::tree_walk::{Node, walk};

/// A call somewhere in an expression, outside of its subqueries.
pub(super) struct CallSite {
    pub(super) name: String,
    pub(super) place: Option<ErrorLocation>,
    pub(super) is_over: bool,
    is_delimited: bool,
}

impl CallSite {
    pub(super) fn is_aggregate(&self) -> bool {
        is_aggregate(&self.name)
    }

    pub(super) fn is_navigation(&self) -> bool {
        !self.is_delimited && matches!(self.name.as_str(), "first" | "last" | "prev" | "next")
    }
}

pub(super) fn is_aggregate(name: &str) -> bool {
    AggregateFunction::by_name(name).is_some() || ArrayAggregate::by_name(name).is_some()
}

/// Calls in the order of the text, and the places of FINAL.
#[derive(Default)]
pub(super) struct Calls {
    pub(super) found: Vec<CallSite>,
    pub(super) finals: Vec<Option<ErrorLocation>>,
}

impl Calls {
    pub(super) fn of(expr: &AstExpr) -> Self {
        let mut calls = Self::default();
        let mut queries = 0;
        let _: ControlFlow<()> = walk(expr, |node| {
            match node {
                Node::Query(_) => queries += 1,
                Node::EndOfQuery(_) => queries -= 1,
                Node::Expr(part) if queries == 0 => calls.add(part),
                Node::Expr(_) | Node::Relation(_) => {}
            }
            ControlFlow::Continue(())
        });
        calls
    }

    fn add(&mut self, expr: &AstExpr) {
        match expr {
            AstExpr::Function(function) => {
                let only = match function.name.0.as_slice() {
                    [part] => part.as_ident(),
                    _ => None,
                };
                self.found.push(CallSite {
                    name: function.name.to_string().to_lowercase(),
                    place: place_of_name(&function.name),
                    is_over: function.over.is_some(),
                    is_delimited: only.is_none_or(|name| name.quote_style.is_some()),
                });
            }
            AstExpr::Prefixed { prefix, .. } if mode_of(prefix).is_final => {
                self.finals.push(location_of(prefix.span.start));
            }
            _ => {}
        }
    }
}

/// The label of `count(a.*)`.
pub(super) fn label_star(function: &Function) -> Option<(&ObjectName, usize)> {
    let FunctionArguments::List(list) = &function.args else { return None };
    list.args.iter().find_map(|arg| match arg {
        FunctionArg::Unnamed(FunctionArgExpr::QualifiedWildcard(name)) => Some((name, list.args.len())),
        _ => None,
    })
}

/// The error of `label.*` anywhere but as the argument of count in a row pattern.
pub(super) fn misplaced_star(name: &ObjectName) -> QueryError {
    let message = "label.* syntax is only supported as the only argument of row pattern count function";
    error(ErrorCode::InvalidFunctionArgument, place_of_name(name), message)
}

pub(super) fn mode_of(prefix: &Ident) -> Mode {
    Mode { is_final: prefix.value.eq_ignore_ascii_case("FINAL"), place: location_of(prefix.span.start) }
}
