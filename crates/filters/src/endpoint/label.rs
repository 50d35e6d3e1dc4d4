//! The five labels of declarations.

/// The subject of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label {
    Parameter,
    Cache,
    Limit,
    OrderBy,
    Shared,
}

impl Label {
    pub(super) const ALL: [Self; 5] =
        [Self::Parameter, Self::Cache, Self::Limit, Self::OrderBy, Self::Shared];

    /// The label as the documentation spells it.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Parameter => "Parameter",
            Self::Cache => "Cache",
            Self::Limit => "Limit",
            Self::OrderBy => "Order by",
            Self::Shared => "Shared",
        }
    }

    /// Its letters in lower case, which identify it.
    pub(super) fn letters(self) -> String {
        letters(self.name())
    }
}

/// Its letters and digits in lower case.
pub(super) fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
