//! Which nested types can be stored and sent.

use std::collections::HashSet;

use super::{RowField, Type};

/// Maximum number of levels of arrays, maps and rows in the type of a column. Records, catalogs and the answers of workers
/// hold types as JSON, of which readers accept 128 levels, three for each of a type's; Arrow files hold them in tables, of
/// which readers accept 64, two for each map.
pub const MAX_STORED_LEVELS: usize = 20;

impl Type {
    /// Why a column cannot have the type (D163): it is nested too deep, or a row has two fields of one name.
    pub fn storage_fault(&self) -> Option<String> {
        if self.levels() > MAX_STORED_LEVELS {
            return Some(format!("a column of a type nested more than {MAX_STORED_LEVELS} levels deep"));
        }
        self.repeated_field()
    }

    /// The nesting depth of arrays, maps and rows, including the type itself.
    pub(crate) fn levels(&self) -> usize {
        match self {
            Self::Array(element) => 1 + element.levels(),
            Self::Map(key, value) => 1 + key.levels().max(value.levels()),
            Self::Row(fields) => 1 + fields.iter().map(|field| field.data_type.levels()).max().unwrap_or(0),
            _ => 0,
        }
    }

    /// What is wrong if a row has two fields of one name, which Polars has no type for.
    pub(crate) fn repeated_field(&self) -> Option<String> {
        match self {
            Self::Array(element) => element.repeated_field(),
            Self::Map(key, value) => key.repeated_field().or_else(|| value.repeated_field()),
            Self::Row(fields) => {
                let mut names = HashSet::with_capacity(fields.len());
                let stored = fields.iter().enumerate().map(|(index, field)| field.stored_name(index));
                let repeated = stored.into_iter().find(|name| !names.insert(name.clone()));
                let repeated = repeated.map(|name| format!("a row with two fields named '{name}'"));
                repeated.or_else(|| fields.iter().find_map(|field| field.data_type.repeated_field()))
            }
            _ => None,
        }
    }
}

impl RowField {
    /// The name under which the field is stored; an unnamed one gets Trino's `field0`, `field1`, ….
    pub fn stored_name(&self, index: usize) -> String {
        self.name.clone().unwrap_or_else(|| format!("field{index}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nested(levels: usize) -> Type {
        (0..levels).fold(Type::Integer, |inner, _| Type::array(inner))
    }

    fn row(names: &[Option<&str>]) -> Type {
        let field =
            |name: &Option<&str>| RowField { name: name.map(str::to_owned), data_type: Type::Integer };
        Type::Row(names.iter().map(field).collect())
    }

    #[test]
    fn deep_types_and_repeated_names_are_faults() {
        assert_eq!(nested(MAX_STORED_LEVELS).storage_fault(), None);
        assert!(nested(MAX_STORED_LEVELS + 1).storage_fault().is_some());
        assert!(Type::map(nested(MAX_STORED_LEVELS), Type::Integer).storage_fault().is_some());
        assert_eq!(row(&[Some("a"), None, None]).storage_fault(), None);
        let repeated = row(&[Some("a"), Some("a")]);
        assert_eq!(repeated.storage_fault().as_deref(), Some("a row with two fields named 'a'"));
        assert!(
            Type::array(row(&[Some("field1"), None])).storage_fault().is_some(),
            "unnamed fields have names"
        );
    }
}
