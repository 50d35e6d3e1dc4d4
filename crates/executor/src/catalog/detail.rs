//! The parts of a catalog that a statement may read, found in its text. They may be large, so a snapshot contains no
//! others.

use std::collections::HashSet;

use super::METADATA_NAMES;

/// Maximum length of a table's name, bytes.
const MAX_NAME_BYTES: usize = 63;

/// The words of a statement's text, in lower case, that may be names of tables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedWords {
    words: HashSet<Box<str>>,
    /// Whether texts with escaped characters occur, which may be statements that name any table.
    has_escapes: bool,
}

impl NamedWords {
    /// The words of a text, and those of the defaults for names without a catalog and a schema.
    pub fn of<'t>(text: &str, defaults: impl IntoIterator<Item = &'t str>) -> Self {
        let mut named = Self::default();
        named.add(text);
        for default in defaults {
            named.add(default);
        }
        named
    }

    fn add(&mut self, text: &str) {
        let text = text.to_lowercase();
        self.has_escapes |= text.contains("u&");
        let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let is_name = |word: &&str| {
            word.len() <= MAX_NAME_BYTES && word.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
        };
        for word in words.filter(is_name) {
            if !self.words.contains(word) {
                self.words.insert(word.into());
            }
        }
    }

    /// Whether the text may name a table.
    pub fn contains(&self, name: &str) -> bool {
        self.has_escapes || self.words.contains(name)
    }

    /// Whether one of these words occurs.
    pub fn contains_any(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.contains(name))
    }
}

/// The parts of a snapshot that are not the same for all statements: a text is searched for words and is not parsed, as a
/// part that is included without need does no harm. A view that the text names has its columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CatalogDetail {
    /// The words of the text.
    pub words: NamedWords,
    /// The columns of all views.
    pub all_columns: bool,
    /// The [`ViewDefinition`](super::ViewDefinition)s of the views that the text names.
    pub definitions: bool,
    /// Those of all views.
    pub all_definitions: bool,
    /// [`CatalogSnapshot::queries`](super::CatalogSnapshot::queries).
    pub queries: bool,
    /// [`CatalogSnapshot::session_properties`](super::CatalogSnapshot::session_properties).
    pub session_properties: bool,
}

impl CatalogDetail {
    /// The parts that a statement may read, with the defaults of its session for names without a catalog and a schema.
    pub fn of<'t>(sql: &str, defaults: impl IntoIterator<Item = &'t str>) -> Self {
        let words = NamedWords::of(sql, defaults);
        let all_definitions = words.contains_any(&["materialized_views", "table_comments"]);
        Self {
            all_columns: words.contains("columns")
                && (words.contains_any(&METADATA_NAMES) || words.contains("jdbc")),
            definitions: all_definitions || words.contains("materialized"),
            all_definitions,
            queries: words.contains_any(&["queries", "tasks"]),
            session_properties: words.contains("session"),
            words,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_names_in_any_case_and_quoting() {
        let words =
            NamedWords::of("SELECT \"Orders\".x1, 'parts' FROM one.order_lines WHERE y = 12e5", ["Two"]);
        for name in ["orders", "x1", "parts", "one", "order_lines", "two"] {
            assert!(words.contains(name), "{name}");
        }
        for name in ["order", "lines", "12e5", "e5", ""] {
            assert!(!words.contains(name), "{name}");
        }
        assert!(NamedWords::of("EXECUTE IMMEDIATE U&'SELECT * FROM \\0077'", []).contains("w"));
    }

    #[test]
    fn a_statement_gets_the_parts_that_its_text_or_session_names() {
        let of = |sql: &str| CatalogDetail::of(sql, []);
        assert!(!of("SELECT columns FROM t").all_columns);
        assert!(!of("SHOW COLUMNS FROM t").all_columns);
        assert!(!of("SELECT * FROM information_schema.tables").all_columns);
        assert!(of("SELECT * FROM Information_Schema.Columns").all_columns);
        assert!(of("SELECT * FROM system.jdbc.columns").all_columns);
        assert!(CatalogDetail::of("SELECT * FROM columns", ["information_schema"]).all_columns);
        let shown = of("SHOW CREATE MATERIALIZED VIEW w");
        assert!(shown.definitions && !shown.all_definitions && shown.words.contains("w"));
        assert!(of("SELECT * FROM system.metadata.materialized_views").all_definitions);
        assert!(of("SELECT * FROM system.runtime.queries").queries);
        assert!(of("SHOW SESSION").session_properties);
        assert_eq!(
            of("SELECT 1"),
            CatalogDetail { words: NamedWords::of("SELECT 1", []), ..CatalogDetail::default() }
        );
    }
}
