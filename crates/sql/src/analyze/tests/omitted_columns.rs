//! Catalogs whose views have more columns or longer definitions than fit.

use super::*;

/// The error of a statement over a catalog with a view whose columns and definition were left out.
fn refused(sql: &str) -> Option<String> {
    let mut catalog = catalog();
    let source = TableSource::View { file: None, columns: None, definition: None };
    catalog.tables.push(TableEntry { name: "w".to_owned(), source, ..catalog.tables[0].clone() });
    let refused = run(sql, &catalog, &PassSet::default()).err()?;
    assert_eq!(refused.error_name, "NOT_SUPPORTED", "{}", refused.message);
    Some(refused.message)
}

#[test]
fn only_statements_that_need_what_was_left_out_are_refused() {
    for sql in
        ["SHOW TABLES", "SELECT * FROM t", "SELECT count(*) FROM information_schema.tables", "DESCRIBE t"]
    {
        assert_eq!(refused(sql), None, "{sql}");
    }
    for (sql, advice) in [
        ("SELECT * FROM information_schema.columns", "use SHOW COLUMNS FROM a view"),
        ("SELECT * FROM system.jdbc.columns", "use SHOW COLUMNS FROM a view"),
        ("SELECT * FROM system.metadata.materialized_views", "use SHOW CREATE MATERIALIZED VIEW"),
        ("SELECT * FROM system.metadata.table_comments", "use SHOW CREATE MATERIALIZED VIEW"),
    ] {
        let message = refused(sql).unwrap_or_default();
        assert!(message.contains(advice), "{sql}: {message}");
    }
}
