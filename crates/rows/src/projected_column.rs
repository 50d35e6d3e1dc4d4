//! A column of an answer.

/// A column of the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectedColumn {
    /// Its name in the answer.
    pub name: String,
    /// Its position in the file.
    pub index: usize,
}

/// The names of columns.
pub(crate) fn names(columns: &[ProjectedColumn]) -> Vec<&str> {
    columns.iter().map(|column| column.name.as_str()).collect()
}

impl AsRef<str> for ProjectedColumn {
    /// Its name.
    fn as_ref(&self) -> &str {
        &self.name
    }
}
