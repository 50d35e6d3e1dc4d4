//! The shape of WITH RECURSIVE: a union of a base and of a step that names the query in its FROM. References in other
//! places, and clauses around the union, are errors as in Trino.

use std::ops::ControlFlow;

use rowhouse_model::{ErrorCode, ErrorLocation};
use sqlparser::ast::{
    Ident, JoinOperator, LimitClause, ObjectNamePart, OrderByKind, Query, SetExpr, SetOperator,
    SetQuantifier, TableFactor, TableWithJoins, Visit,
};

use super::context::user_error;
use super::place::place_of;
use super::token_places::TokenPlaces;
use crate::error::{Result, location_of};
use crate::tree_walk::{Node, walk};

/// A common table expression that refers to itself: the base query, and the step that computes further rows from the
/// last ones.
#[derive(Debug)]
pub(super) struct Recursive<'q> {
    pub(super) query: &'q Query,
    pub(super) base: &'q SetExpr,
    pub(super) step: &'q SetExpr,
    pub(super) quantifier: SetQuantifier,
}

impl<'q> Recursive<'q> {
    /// The parts of a query in WITH RECURSIVE; `None` if it does not refer to itself.
    pub(super) fn of(query: &'q Query, name: &Ident, places: &TokenPlaces) -> Result<Option<Self>> {
        if let Some(place) = nested_recursive(query) {
            return Err(user_error(ErrorCode::NestedRecursive, place, "nested recursive WITH query"));
        }
        if let SetExpr::SetOperation { left, op: SetOperator::Union, set_quantifier, right } = &*query.body {
            let of_base = references(&**left, name);
            refuse(&of_base, 0, "WITH table name is referenced in the base relation of recursion")?;
            let of_step = references(&**right, name);
            if !of_step.is_empty() {
                check_step(right, name, &of_step, places)?;
                check_clauses(query, places)?;
                let quantifier = *set_quantifier;
                return Ok(Some(Self { query, base: left, step: right, quantifier }));
            }
        }
        refuse(&references(query, name), 0, "recursive reference not allowed in this context")?;
        Ok(None)
    }
}

/// The error if there are more than `count` references, at the first one of the others.
fn refuse(references: &[Option<ErrorLocation>], count: usize, message: &str) -> Result<()> {
    match references.get(count) {
        Some(place) => Err(user_error(ErrorCode::InvalidRecursiveReference, *place, message)),
        None => Ok(()),
    }
}

fn check_step(
    step: &SetExpr,
    name: &Ident,
    of_step: &[Option<ErrorLocation>],
    places: &TokenPlaces,
) -> Result<()> {
    let mut specification = step;
    while let SetExpr::Query(query) = specification {
        let is_limited = query.limit_clause.is_some() || query.fetch.is_some();
        if is_limited && !matches!(&*query.body, SetExpr::Select(_)) {
            let message = "FETCH FIRST / LIMIT clause in the step relation of recursion";
            return Err(user_error(ErrorCode::InvalidLimitClause, place_of_limit(query, places), message));
        }
        specification = &query.body;
    }
    let outside = "recursive reference outside of FROM clause of the step relation of recursion";
    let SetExpr::Select(select) = specification else { return refuse(of_step, 0, outside) };
    if references(&select.from, name).is_empty() {
        return refuse(of_step, 0, outside);
    }
    check_from(&select.from, name)
}

/// Refuses clauses around the union.
fn check_clauses(query: &Query, places: &TokenPlaces) -> Result<()> {
    let unsupported = |place: Option<ErrorLocation>, clause: &str| {
        let message = format!("immediate {clause} clause in recursive query");
        Err(user_error(ErrorCode::NotSupported, place, message))
    };
    if let Some(with) = &query.with {
        return unsupported(location_of(with.with_token.0.span.start), "WITH");
    }
    if let Some(order_by) = &query.order_by {
        let first = match &order_by.kind {
            OrderByKind::Expressions(keys) => keys.first().and_then(|key| place_of(&key.expr)),
            OrderByKind::All(_) => None,
        };
        return unsupported(places.clause_before(first), "ORDER BY");
    }
    if let Some(LimitClause::LimitOffset { offset: Some(offset), .. }) = &query.limit_clause {
        return unsupported(places.clause_before(place_of(&offset.value)), "OFFSET");
    }
    if query.limit_clause.is_some() || query.fetch.is_some() {
        let message = "immediate FETCH FIRST / LIMIT clause in recursive query";
        return Err(user_error(ErrorCode::InvalidLimitClause, place_of_limit(query, places), message));
    }
    Ok(())
}

fn place_of_limit(query: &Query, places: &TokenPlaces) -> Option<ErrorLocation> {
    let limit = match &query.limit_clause {
        Some(LimitClause::LimitOffset { limit, .. }) => limit.as_ref(),
        _ => None,
    };
    let fetched = query.fetch.as_ref().and_then(|fetch| fetch.quantity.as_ref());
    places.clause_before(limit.or(fetched).and_then(place_of))
}

/// The places where a query of this name is named. As in Trino, there are none if one of them is in a query whose WITH
/// defines the name anew.
fn references(part: &impl Visit, name: &Ident) -> Vec<Option<ErrorLocation>> {
    let name = name.value.to_lowercase();
    let defines = |query: &Query| {
        let mut defined = query.with.iter().flat_map(|with| &with.cte_tables);
        defined.any(|cte| cte.alias.name.value.to_lowercase() == name)
    };
    // The number of queries around the current place whose WITH defines the name.
    let mut shadows = 0_usize;
    let mut places = Vec::new();
    let has_shadowed = walk(part, |node| {
        match node {
            Node::Query(query) => shadows += usize::from(defines(query)),
            Node::EndOfQuery(query) => shadows -= usize::from(defines(query)),
            Node::Relation(relation) => {
                if let [ObjectNamePart::Identifier(ident)] = relation.0.as_slice()
                    && ident.value.to_lowercase() == name
                {
                    if shadows > 0 {
                        return ControlFlow::Break(());
                    }
                    places.push(location_of(ident.span.start));
                }
            }
            Node::Expr(_) => {}
        }
        ControlFlow::Continue(())
    });
    if has_shadowed.is_break() { Vec::new() } else { places }
}

/// The place of a WITH RECURSIVE.
fn nested_recursive(part: &impl Visit) -> Option<Option<ErrorLocation>> {
    let found = walk(part, |node| match node {
        Node::Query(Query { with: Some(with), .. }) if with.recursive => {
            ControlFlow::Break(location_of(with.with_token.0.span.start))
        }
        _ => ControlFlow::Continue(()),
    });
    found.break_value()
}

/// Refuses references where rows without a match, or without a counterpart, are added or counted.
fn check_from(from: &[TableWithJoins], name: &Ident) -> Result<()> {
    for item in from {
        let mut left = references(&item.relation, name);
        check_relation(&item.relation, &left, name)?;
        for join in &item.joins {
            let (word, adds_right, adds_left) = match &join.join_operator {
                JoinOperator::Left(_) | JoinOperator::LeftOuter(_) => ("LEFT", true, false),
                JoinOperator::Right(_) | JoinOperator::RightOuter(_) => ("RIGHT", false, true),
                JoinOperator::FullOuter(_) => ("FULL", true, true),
                _ => ("INNER", false, false),
            };
            if adds_left {
                refuse(&left, 0, &format!("recursive reference in left source of {word} join"))?;
            }
            let right = references(&join.relation, name);
            if adds_right {
                refuse(&right, 0, &format!("recursive reference in right source of {word} join"))?;
            }
            check_relation(&join.relation, &right, name)?;
            left.extend(right);
        }
    }
    Ok(())
}

/// Checks the queries and joins in a relation with these references.
fn check_relation(relation: &TableFactor, references: &[Option<ErrorLocation>], name: &Ident) -> Result<()> {
    match relation {
        _ if references.is_empty() => Ok(()),
        TableFactor::Derived { subquery, .. } => check_body(&subquery.body, name),
        TableFactor::NestedJoin { table_with_joins, .. } => {
            check_from(std::slice::from_ref(&**table_with_joins), name)
        }
        _ => Ok(()),
    }
}

fn check_body(body: &SetExpr, name: &Ident) -> Result<()> {
    let mut body = body;
    loop {
        let (left, op, quantifier, right) = match body {
            SetExpr::Select(select) => return check_from(&select.from, name),
            SetExpr::Query(query) => {
                body = &query.body;
                continue;
            }
            SetExpr::SetOperation { left, op, set_quantifier, right } => (left, op, set_quantifier, right),
            _ => return Ok(()),
        };
        let is_all = *quantifier == SetQuantifier::All;
        if *op == SetOperator::Intersect && is_all {
            refuse(&references(body, name), 0, "recursive reference in INTERSECT ALL")?;
        }
        let of_right = references(&**right, name);
        if *op == SetOperator::Except {
            let word = if is_all { "ALL" } else { "DISTINCT" };
            refuse(&of_right, 0, &format!("recursive reference in right relation of EXCEPT {word}"))?;
            if is_all {
                let message = "recursive reference in left relation of EXCEPT ALL";
                refuse(&references(&**left, name), 0, message)?;
            }
        }
        if !of_right.is_empty() {
            check_body(right, name)?;
        }
        body = left;
    }
}
