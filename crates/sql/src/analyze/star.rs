//! All columns as items of a select list: `*`, `t.*`, `row.*`, and their aliases.

use rowhouse_model::{ErrorCode, ErrorLocation};
use sqlparser::ast::{
    ExcludeSelectItem, Expr as AstExpr, Ident, ObjectName, ObjectNamePart, SelectItemQualifiedWildcardKind,
    WildcardAdditionalOptions,
};

use super::canonical_name::canonical;
use super::context::{Analyzer, Context, Item, refuse_if, user_error};
use super::place::place_of_name;
use super::scope::{ScopeField, equal_names, path_of};
use crate::error::{Result, location_of, not_supported, type_mismatch};
use crate::expr::Expr;
use crate::spelling::{INNER_QUOTE, STAR_ALIASES};
use crate::types::Type;

impl Analyzer<'_> {
    /// `t.*` of a relation, or the fields of a row: `t.column.*`, `expression.*`.
    pub(super) fn items_of_star(
        &mut self,
        kind: &SelectItemQualifiedWildcardKind,
        select_place: Option<ErrorLocation>,
        context: &mut Context<'_>,
        items: &mut Vec<Item>,
    ) -> Result<()> {
        let path = match kind {
            SelectItemQualifiedWildcardKind::Expr(expr) => path_of(expr),
            SelectItemQualifiedWildcardKind::ObjectName(name) => Some(identifiers(name)?),
        };
        let row = match (kind, path) {
            (SelectItemQualifiedWildcardKind::Expr(expr), None) => self.expression(expr, context)?,
            (_, path) => match self.row_named(path.unwrap_or_default(), context, items)? {
                Some(row) => row,
                None => return Ok(()),
            },
        };
        let Type::Row(fields) = row.data_type.clone() else {
            // The place of the whole SELECT, as in Trino.
            return Err(type_mismatch(select_place, "expected expression of type Row"));
        };
        let values = self.row_fields(&row)?;
        for (field, expr) in fields.into_iter().zip(values) {
            items.push(Item {
                is_named: field.name.is_some(),
                is_anonymous: field.name.is_none(),
                expr,
                name: field.name.unwrap_or_else(|| format!("_col{}", items.len())),
            });
        }
        Ok(())
    }

    /// The column of type row that a path names with its relation. If the path names a relation, its columns are appended
    /// to the items instead. Both may be those of an enclosing query.
    fn row_named(
        &mut self,
        path: Vec<Ident>,
        context: &mut Context<'_>,
        items: &mut Vec<Item>,
    ) -> Result<Option<Expr>> {
        let place = path.first().and_then(|first| location_of(first.span.start));
        let before = items.len();
        let is_column = |field: &ScopeField| {
            (1..path.len()).any(|count| {
                field.is_qualified_by(&path[..count]) && equal_names(&field.field.name, &path[count].value)
            })
        };
        let shown: Vec<String> = path.iter().map(ToString::to_string).collect();
        let message = format!("Unable to resolve reference {}", shown.join("."));
        let unresolved = user_error(ErrorCode::TableNotFound, place, message);
        let mut sought = Some(context.scope);
        loop {
            let Some(scope) = sought else { return Err(unresolved) };
            // The columns of USING belong to none of the joined relations.
            let matching =
                scope.fields.iter().filter(|field| field.is_in_star() && field.is_qualified_by(&path));
            items.extend(matching.map(|field| column_item(field, place)));
            if items.len() > before {
                return Ok(None);
            }
            if scope.fields.iter().any(is_column) {
                break;
            }
            sought = scope.parent;
        }
        match self.expression(&AstExpr::CompoundIdentifier(path), context) {
            Ok(row) if matches!(row.data_type, Type::Row(_)) => Ok(Some(row)),
            _ => Err(unresolved),
        }
    }
}

/// Names the items of a star.
pub(super) fn name_items(items: &mut [Item], aliases: &[Ident]) -> Result<()> {
    if items.len() != aliases.len() {
        let place = aliases.first().and_then(|first| location_of(first.span.start));
        let (given, columns) = (aliases.len(), items.len());
        let message = format!("Column alias list has {given} entries but relation has {columns} columns");
        return Err(user_error(ErrorCode::MismatchedColumnAliases, place, message));
    }
    for (item, alias) in items.iter_mut().zip(aliases) {
        item.name = canonical(alias);
        item.is_named = true;
        item.is_anonymous = false;
    }
    Ok(())
}

fn identifiers(name: &ObjectName) -> Result<Vec<Ident>> {
    let identifier = |part: &ObjectNamePart| match part {
        ObjectNamePart::Identifier(ident) => Ok(ident.clone()),
        ObjectNamePart::Function(_) => Err(not_supported(place_of_name(name), "a function in a name")),
    };
    name.0.iter().map(identifier).collect()
}

pub(super) fn column_item(field: &ScopeField, place: Option<rowhouse_model::ErrorLocation>) -> Item {
    Item {
        name: field.field.name.clone(),
        is_named: true,
        is_anonymous: field.field.is_anonymous,
        expr: Expr::column(field.field.id, field.field.data_type.clone()).at(place),
    }
}

/// The aliases of `t.* AS (a, b)`.
pub(super) fn star_aliases(options: &WildcardAdditionalOptions) -> Result<Option<Vec<Ident>>> {
    let WildcardAdditionalOptions { opt_exclude, .. } = options;
    let Some(ExcludeSelectItem::Multiple(names)) = opt_exclude else {
        place_of_star(options)?;
        return Ok(None);
    };
    let names = names.iter().map(identifiers).collect::<Result<Vec<_>>>()?;
    let mut names = names.into_iter().map(|mut path| path.pop().filter(|_| path.is_empty()));
    let is_mark = |mark: &Ident| mark.quote_style == Some(INNER_QUOTE) && mark.value == STAR_ALIASES;
    let has_mark = names.next().flatten().as_ref().is_some_and(is_mark);
    let place = place_of_star(&WildcardAdditionalOptions { opt_exclude: None, ..options.clone() })?;
    match names.collect::<Option<Vec<Ident>>>() {
        Some(names) if has_mark => Ok(Some(names)),
        _ => Err(not_supported(place, "an option of '*'")),
    }
}

/// The place of a `*` without options.
pub(super) fn place_of_star(options: &WildcardAdditionalOptions) -> Result<Option<ErrorLocation>> {
    let WildcardAdditionalOptions {
        wildcard_token,
        opt_ilike,
        opt_exclude,
        opt_except,
        opt_replace,
        opt_rename,
        opt_alias,
    } = options;
    let place = location_of(wildcard_token.0.span.start);
    let is_plain = opt_ilike.is_none()
        && opt_exclude.is_none()
        && opt_except.is_none()
        && opt_replace.is_none()
        && opt_rename.is_none()
        && opt_alias.is_none();
    refuse_if(!is_plain, place, "an option of '*'")?;
    Ok(place)
}
