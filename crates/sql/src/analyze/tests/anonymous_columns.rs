//! Columns without a name: the result names them `_col0` and so on, but clauses that match columns by name treat them
//! as unnamed. A statement may also give a column such a name.

use super::{PassSet, catalog, run};

#[test]
fn corresponding_matches_columns_with_explicit_names() {
    for sql in [
        "SELECT 1 AS _col0 UNION CORRESPONDING SELECT 2 AS _col0",
        "SELECT * FROM (SELECT 1) v (_col0) UNION CORRESPONDING SELECT 2 AS _col0",
        "WITH w (_col0) AS (VALUES 1) SELECT * FROM w UNION CORRESPONDING SELECT 2 AS _col0",
        "SELECT * FROM UNNEST(ARRAY[1]) u (_col0) UNION CORRESPONDING SELECT 2 AS _col0",
    ] {
        let analyzed = run(sql, &catalog(), &PassSet::default());
        let analyzed = analyzed.unwrap_or_else(|failure| panic!("{sql}: {}", failure.message));
        let names: Vec<&str> = analyzed.output.iter().map(|field| field.name.as_str()).collect();
        assert_eq!(names, ["_col0"], "{sql}");
    }
    for left in [
        "SELECT 1",
        "SELECT a + 1 FROM t",
        "VALUES 1",
        "SELECT * FROM (SELECT 1) v",
        "SELECT * FROM (VALUES 1)",
        "(SELECT 1 UNION SELECT 2 AS _col0)",
        "(SELECT 1 LIMIT 1)",
        "SELECT * FROM UNNEST(ARRAY[1])",
        "SELECT * FROM UNNEST(ARRAY[1]) WITH ORDINALITY",
    ] {
        let sql = format!("{left} UNION CORRESPONDING SELECT 2 AS _col0");
        let failure = run(&sql, &catalog(), &PassSet::default()).expect_err(&sql);
        let message = "Anonymous columns are not allowed in set operations with CORRESPONDING";
        assert!(failure.message.ends_with(message), "{sql}: {}", failure.message);
        assert_eq!(failure.error_name, "MISSING_COLUMN_NAME", "{sql}");
    }
}

/// The fields of a row from a subquery have the names of its columns.
#[test]
fn fields_of_a_subquery_have_its_column_names() {
    let type_of = |sql: &str| {
        let analyzed = run(sql, &catalog(), &PassSet::default());
        analyzed.unwrap_or_else(|failure| panic!("{sql}: {}", failure.message)).output[0]
            .data_type
            .to_string()
    };
    assert_eq!(type_of("SELECT (SELECT 1 AS _col0, 2)"), "row(_col0 integer, integer)");
}
