//! The location of a parsed expression. The parser's own spans are computed from all parts of a node; only the first
//! part is followed here, so that long chains stay cheap.

use std::collections::HashSet;

use rowhouse_model::ErrorLocation;
use sqlparser::ast::{
    Expr, ObjectName, ObjectNamePart, OneOrManyWithParens, Query, SetExpr, Spanned, TableFactor,
};

use crate::error::location_of;
use crate::plan::{ColumnId, Plan};

/// The place where one of these columns is first named in expressions: the inner `None` if it is unknown, the outer one
/// if none is named.
pub(super) fn place_of_columns<'e>(
    exprs: impl Iterator<Item = &'e crate::expr::Expr>,
    columns: &HashSet<ColumnId>,
) -> Option<Option<ErrorLocation>> {
    let mut first: Option<Option<ErrorLocation>> = None;
    for expr in exprs {
        expr.visit(&mut |part| {
            if part.as_column().is_some_and(|id| columns.contains(&id)) {
                let places = first.flatten().into_iter().chain(part.location);
                first = Some(places.min_by_key(|place| (place.line_number, place.column_number)));
            }
        });
    }
    first
}

/// The place of an expression's first token, if the parser recorded it.
pub(super) fn place_of(expr: &Expr) -> Option<ErrorLocation> {
    let mut expr = expr;
    loop {
        expr = match expr {
            Expr::BinaryOp { left, .. } | Expr::AnyOp { left, .. } | Expr::AllOp { left, .. } => left,
            Expr::Nested(inner)
            | Expr::UnaryOp { expr: inner, .. }
            | Expr::IsNull(inner)
            | Expr::IsNotNull(inner)
            | Expr::IsTrue(inner)
            | Expr::IsNotTrue(inner)
            | Expr::IsFalse(inner)
            | Expr::IsNotFalse(inner)
            | Expr::IsUnknown(inner)
            | Expr::IsNotUnknown(inner)
            | Expr::IsDistinctFrom(inner, _)
            | Expr::IsNotDistinctFrom(inner, _)
            | Expr::InList { expr: inner, .. }
            | Expr::InSubquery { expr: inner, .. }
            | Expr::InUnnest { expr: inner, .. }
            | Expr::Between { expr: inner, .. }
            | Expr::Like { expr: inner, .. }
            | Expr::ILike { expr: inner, .. }
            | Expr::Cast { expr: inner, .. }
            | Expr::AtTimeZone { timestamp: inner, .. }
            | Expr::Extract { expr: inner, .. }
            | Expr::Ceil { expr: inner, .. }
            | Expr::Floor { expr: inner, .. }
            | Expr::Position { expr: inner, .. }
            | Expr::Substring { expr: inner, .. }
            | Expr::Trim { expr: inner, .. }
            | Expr::CompoundFieldAccess { root: inner, .. } => inner,
            Expr::Identifier(ident) => return location_of(ident.span.start),
            Expr::CompoundIdentifier(path) => {
                return path.first().and_then(|ident| location_of(ident.span.start));
            }
            Expr::Value(value) => return location_of(value.span.start),
            Expr::TypedString(typed) => return location_of(typed.value.span.start),
            Expr::Interval(interval) => &interval.value,
            Expr::Function(function) => return place_of_name(&function.name),
            Expr::Prefixed { prefix, .. } => return location_of(prefix.span.start),
            Expr::Case { case_token, .. } => return location_of(case_token.0.span.start),
            Expr::Subquery(query) | Expr::Exists { subquery: query, .. } => return place_of_query(query),
            Expr::Lambda(lambda) => {
                let parameter = match &lambda.params {
                    OneOrManyWithParens::One(parameter) => Some(parameter),
                    OneOrManyWithParens::Many(parameters) => parameters.first(),
                };
                return parameter.and_then(|parameter| location_of(parameter.name.span.start));
            }
            Expr::Tuple(parts) => parts.first()?,
            Expr::Array(array) => array.elem.first()?,
            other => return location_of(other.span().start),
        };
    }
}

/// The place of a name's first part.
pub(super) fn place_of_name(name: &ObjectName) -> Option<ErrorLocation> {
    match name.0.first()? {
        ObjectNamePart::Identifier(ident) => location_of(ident.span.start),
        ObjectNamePart::Function(_) => None,
    }
}

/// The place of an item of FROM: that of its name, its query or its first expression.
pub(super) fn place_of_factor(factor: &TableFactor) -> Option<ErrorLocation> {
    let mut factor = factor;
    loop {
        factor = match factor {
            TableFactor::Table { name, .. } | TableFactor::Function { name, .. } => {
                return place_of_name(name);
            }
            TableFactor::Derived { subquery, .. } => return place_of_query(subquery),
            TableFactor::UNNEST { array_exprs, .. } => return array_exprs.first().and_then(place_of),
            TableFactor::TableFunction { expr, .. } => return place_of(expr),
            TableFactor::NestedJoin { table_with_joins, .. } => &table_with_joins.relation,
            TableFactor::Pivot { table, .. }
            | TableFactor::Unpivot { table, .. }
            | TableFactor::MatchRecognize { table, .. } => table,
            other => return location_of(other.span().start),
        };
    }
}

/// The place of a query's first token.
pub(super) fn place_of_query(query: &Query) -> Option<ErrorLocation> {
    if let Some(with) = &query.with {
        return location_of(with.with_token.0.span.start);
    }
    place_of_body(&query.body)
}

/// The place of the first token of a query without its WITH.
pub(super) fn place_of_body(body: &SetExpr) -> Option<ErrorLocation> {
    let mut body = body;
    loop {
        body = match body {
            SetExpr::SetOperation { left, .. } => left,
            SetExpr::Select(select) => return location_of(select.select_token.0.span.start),
            SetExpr::Query(inner) => return place_of_query(inner),
            SetExpr::Values(values) => {
                return values.rows.first().and_then(|row| row.content.first()).and_then(place_of);
            }
            _ => return None,
        };
    }
}

/// The place where a plan first names one of these columns; `None` if it names none.
pub(super) fn place_of_any(plan: &Plan, columns: &HashSet<ColumnId>) -> Option<Option<ErrorLocation>> {
    if plan.free_columns().is_disjoint(columns) {
        return None;
    }
    let mut places = Vec::new();
    plan.visit(&mut |node| {
        places.extend(place_of_columns(node.expressions().into_iter(), columns).flatten())
    });
    Some(places.into_iter().min_by_key(|place| (place.line_number, place.column_number)))
}
