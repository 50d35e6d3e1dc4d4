//! Aliases of relations and their columns.

use rowhouse_model::{ErrorCode, ErrorLocation};
use sqlparser::ast::{TableAlias, TableAliasColumnDef};

use super::context::{refuse_if, shown_name, user_error};
use super::scope::equal_names;
use crate::error::{Result, location_of, syntax_error};
use crate::keywords::is_reserved;
use crate::plan::Field;

/// The qualifier and the columns that an alias defines.
pub(super) fn alias_parts(alias: &TableAlias, fields: Vec<Field>) -> Result<(Vec<String>, Vec<Field>)> {
    // AS is optional and has no meaning of its own.
    let TableAlias { explicit: _, name, columns, at } = alias;
    let place: Option<ErrorLocation> = location_of(name.span.start);
    refuse_if(at.is_some(), place, "AT in an alias")?;
    Ok((vec![shown_name(name)], rename(fields, columns, place)?))
}

/// Renames the columns of a named query by its list of columns, in which a name stands once.
pub(super) fn rename_named_query(
    fields: Vec<Field>,
    names: &[TableAliasColumnDef],
    place: Option<ErrorLocation>,
) -> Result<Vec<Field>> {
    let fields = rename(fields, names, place)?;
    for (index, TableAliasColumnDef { name, .. }) in names.iter().enumerate() {
        if names[..index].iter().any(|earlier| equal_names(&earlier.name.value, &name.value)) {
            let message = format!("Column name '{}' specified more than once", name.value);
            return Err(user_error(ErrorCode::DuplicateColumnName, location_of(name.span.start), message));
        }
    }
    Ok(fields)
}

/// Renames columns by an alias list, `t(a, b)`.
pub(super) fn rename(
    fields: Vec<Field>,
    names: &[TableAliasColumnDef],
    place: Option<ErrorLocation>,
) -> Result<Vec<Field>> {
    if names.is_empty() {
        return Ok(fields);
    }
    if names.len() != fields.len() {
        let message = format!(
            "Column alias list has {} entries but relation has {} columns",
            names.len(),
            fields.len()
        );
        return Err(user_error(ErrorCode::MismatchedColumnAliases, place, message));
    }
    let mut renamed = fields;
    for (field, alias) in renamed.iter_mut().zip(names) {
        let TableAliasColumnDef { name, data_type } = alias;
        let place = location_of(name.span.start);
        if name.quote_style.is_none() && is_reserved(&name.value.to_ascii_uppercase()) {
            return Err(syntax_error(place, format!("expected: a name, found: {}", name.value)));
        }
        refuse_if(data_type.is_some(), place, "a type in an alias list")?;
        field.name = shown_name(name);
        field.is_anonymous = false;
    }
    Ok(renamed)
}
