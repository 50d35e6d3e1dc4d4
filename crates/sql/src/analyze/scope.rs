//! Scopes: the columns to which names can refer at a place of a statement, from the relations in FROM and from the
//! enclosing queries.

use std::cell::OnceCell;
use std::collections::HashMap;

use rowhouse_model::{ErrorCode, ErrorLocation, excerpt};
use sqlparser::ast::{Expr as AstExpr, Ident};

use crate::error::{Result, error, location_of, suggestion, type_mismatch};
use crate::expr::{Expr, ExprKind};
use crate::plan::Field;
use crate::types::Type;

/// The columns to which names can refer, of the innermost query first.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope<'a> {
    /// The columns of this query's FROM.
    pub(super) fields: Vec<ScopeField>,
    /// The scope of the enclosing query, for correlated subqueries.
    pub(super) parent: Option<&'a Scope<'a>>,
    /// Indexes into `fields` by name in lower case.
    by_name: OnceCell<HashMap<String, Vec<usize>>>,
}

/// A column to which names can refer.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ScopeField {
    /// Catalog, schema and name of its table, or its alias alone; empty for a column of no relation.
    pub(super) qualifier: Vec<String>,
    /// The column.
    pub(super) field: Field,
    /// A side of a USING column: it can only be named with a qualifier, and is not part of `*`.
    pub(super) is_hidden: bool,
    /// It can be named but is not part of `*`: a hidden column of a generated table.
    pub(super) is_unlisted: bool,
}

impl ScopeField {
    /// A column of the relation named `qualifier`.
    pub(super) fn new(qualifier: &[String], field: Field) -> Self {
        Self { qualifier: qualifier.to_vec(), field, is_hidden: false, is_unlisted: false }
    }

    /// The same column, but not part of `*`.
    #[must_use]
    pub(super) fn not_in_star(self) -> Self {
        Self { is_unlisted: true, ..self }
    }

    /// Whether the column is part of `*`.
    pub(super) const fn is_in_star(&self) -> bool {
        !self.is_hidden && !self.is_unlisted
    }

    /// Whether `path` can be this column's qualifier: `t`, `s.t` or `c.s.t` for the table `c.s.t`.
    pub(super) fn is_qualified_by(&self, path: &[Ident]) -> bool {
        path.len() <= self.qualifier.len()
            && path
                .iter()
                .rev()
                .zip(self.qualifier.iter().rev())
                .all(|(part, own)| equal_names(&part.value, own))
    }
}

/// Names are case-insensitive, whether delimited or not, as in Trino.
pub(super) fn equal_names(left: &str, right: &str) -> bool {
    left == right || left.to_lowercase() == right.to_lowercase()
}

impl<'a> Scope<'a> {
    pub(super) const fn new(fields: Vec<ScopeField>, parent: Option<&'a Self>) -> Self {
        Self { fields, parent, by_name: OnceCell::new() }
    }

    /// The column, or row field, to which a path of names resolves; `None` if there is none.
    pub(super) fn lookup(&self, path: &[Ident]) -> Result<Option<Expr>> {
        let place = path.first().and_then(|part| location_of(part.span.start));
        let mut scope = Some(self);
        while let Some(current) = scope {
            if let Some(found) = current.resolve_here(path, place)? {
                return Ok(Some(found.at(place)));
            }
            scope = current.parent;
        }
        Ok(None)
    }

    /// As [`lookup`](Self::lookup); the error suggests similar names.
    pub(super) fn resolve(&self, path: &[Ident]) -> Result<Expr> {
        if let Some(found) = self.lookup(path)? {
            return Ok(found);
        }
        let place = path.first().and_then(|part| location_of(part.span.start));
        // A part of the path may name a column, which is then no row, or has no such field.
        for length in (1..path.len()).rev() {
            if let Some(field) = self.find(&path[..length - 1], &path[length - 1], place)? {
                let column = Expr::column(field.id, field.data_type.clone());
                return fields_of_rows(column, path, length, place);
            }
        }
        let shown: Vec<&str> = path.iter().map(|part| part.value.as_str()).collect();
        let name = shown.last().copied().unwrap_or_default();
        let hint = suggestion(name, self.fields.iter().map(|known| known.field.name.as_str()));
        let message = format!("Column '{}' cannot be resolved{hint}", excerpt(&shown.join(".")));
        Err(error(ErrorCode::ColumnNotFound, place, message))
    }

    /// Resolves without the enclosing queries; `None` if nothing matches.
    pub(super) fn resolve_here(&self, path: &[Ident], place: Option<ErrorLocation>) -> Result<Option<Expr>> {
        // The longest prefix of the path that names a column wins; the rest names fields of rows.
        for length in (1..=path.len()).rev() {
            let (column_path, row_path) = path.split_at(length);
            let Some((name, qualifier)) = column_path.split_last() else { break };
            let Some(field) = self.find(qualifier, name, place)? else { continue };
            let column = Expr::column(field.id, field.data_type.clone());
            let inner = row_path.iter().try_fold(column, |row, part| field_of_row(row, &part.value));
            return Ok(inner);
        }
        Ok(None)
    }

    fn find(
        &self,
        qualifier: &[Ident],
        name: &Ident,
        place: Option<ErrorLocation>,
    ) -> Result<Option<&Field>> {
        let fits = |known: &&ScopeField| {
            if qualifier.is_empty() { !known.is_hidden } else { known.is_qualified_by(qualifier) }
        };
        let by_name = self.by_name.get_or_init(|| {
            let mut by_name: HashMap<String, Vec<usize>> = HashMap::with_capacity(self.fields.len());
            for (index, known) in self.fields.iter().enumerate() {
                by_name.entry(known.field.name.to_lowercase()).or_default().push(index);
            }
            by_name
        });
        let places = by_name.get(&name.value.to_lowercase()).map_or(&[][..], Vec::as_slice);
        let mut found: Vec<&Field> =
            places.iter().map(|index| &self.fields[*index]).filter(fits).map(|known| &known.field).collect();
        // A file may have columns that differ only in letter case.
        if found.len() > 1 && found.iter().filter(|field| field.name == name.value).count() == 1 {
            found.retain(|field| field.name == name.value);
        }
        match found.as_slice() {
            [] => Ok(None),
            [field] => Ok(Some(field)),
            [..] => {
                let message = format!("Column '{}' is ambiguous", name.value);
                Err(error(ErrorCode::AmbiguousName, place, message))
            }
        }
    }
}

/// The names of a column, also in parentheses.
pub(super) fn path_of(mut expr: &AstExpr) -> Option<Vec<Ident>> {
    while let AstExpr::Nested(inner) = expr {
        expr = inner;
    }
    match expr {
        AstExpr::Identifier(ident) => Some(vec![ident.clone()]),
        AstExpr::CompoundIdentifier(path) => Some(path.clone()),
        _ => None,
    }
}

/// The row field that a path names, whose first `length` parts name `value`.
pub(super) fn fields_of_rows(
    value: Expr,
    path: &[Ident],
    length: usize,
    place: Option<ErrorLocation>,
) -> Result<Expr> {
    let mut value = value.at(place);
    for index in length..path.len() {
        let is_row = matches!(value.data_type, Type::Row(_));
        if let Some(field) = field_of_row(value, &path[index].value) {
            value = field;
            continue;
        }
        let shown = |parts: &[Ident]| {
            let parts: Vec<&str> = parts.iter().map(|part| part.value.as_str()).collect();
            excerpt(&parts.join("."))
        };
        return Err(if is_row {
            let message = format!("Column reference '{}' is invalid", shown(&path[..=index]));
            error(ErrorCode::InvalidColumnReference, place, message)
        } else {
            type_mismatch(place, format!("Expression {} is not of type ROW", shown(&path[..index])))
        });
    }
    Ok(value)
}

/// The field of a row with this name.
pub(super) fn field_of_row(row: Expr, name: &str) -> Option<Expr> {
    let Type::Row(fields) = &row.data_type else { return None };
    let index =
        fields.iter().position(|field| field.name.as_deref().is_some_and(|own| equal_names(own, name)))?;
    let data_type = fields[index].data_type.clone();
    let location = row.location;
    Some(Expr::new(ExprKind::RowField { input: Box::new(row), index }, data_type).at(location))
}
