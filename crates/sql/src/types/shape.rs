//! Which nested types can be stored and sent.

use std::collections::HashSet;

use super::{RowField, Type};

/// Maximum number of levels of arrays, maps and rows in each other. Records, catalogs and the answers of workers hold types
/// as JSON, of which readers accept 128 levels, three for each of a type's; Arrow files hold them in tables, of which
/// readers accept 64, two for each map.
pub(super) const MAX_TYPE_LEVELS: usize = 20;

impl Type {
    /// Why values of the type cannot be stored: it is nested too deep, or a row has two fields of one name.
    pub fn shape_fault(&self) -> Option<String> {
        self.fault_below(MAX_TYPE_LEVELS)
    }

    fn fault_below(&self, levels: usize) -> Option<String> {
        if !matches!(self, Self::Array(_) | Self::Map(..) | Self::Row(_)) {
            return None;
        }
        let Some(levels) = levels.checked_sub(1) else {
            return Some(format!("a type nested more than {MAX_TYPE_LEVELS} levels deep"));
        };
        match self {
            Self::Array(element) => element.fault_below(levels),
            Self::Map(key, value) => key.fault_below(levels).or_else(|| value.fault_below(levels)),
            Self::Row(fields) => {
                let mut names = HashSet::with_capacity(fields.len());
                let repeated = fields.iter().enumerate().map(|(index, field)| field.stored_name(index));
                let repeated = repeated.into_iter().find(|name| !names.insert(name.clone()));
                let repeated = repeated.map(|name| format!("a row with two fields named '{name}'"));
                repeated.or_else(|| fields.iter().find_map(|field| field.data_type.fault_below(levels)))
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
        assert_eq!(nested(MAX_TYPE_LEVELS).shape_fault(), None);
        assert!(nested(MAX_TYPE_LEVELS + 1).shape_fault().is_some());
        assert!(Type::map(nested(MAX_TYPE_LEVELS), Type::Integer).shape_fault().is_some());
        assert_eq!(row(&[Some("a"), None, None]).shape_fault(), None);
        assert_eq!(
            row(&[Some("a"), Some("a")]).shape_fault().as_deref(),
            Some("a row with two fields named 'a'")
        );
        assert!(
            Type::array(row(&[Some("field1"), None])).shape_fault().is_some(),
            "unnamed fields have names"
        );
    }
}
