//! Every format, read back by independent readers, equals the JSON rows, for every type of D18.

use rowhouse_tests::{Server, SharedServer, data_file, id_of, python, run_script};
use serde_json::json;

static SERVER: SharedServer = SharedServer::new(&[]);

const READERS: &[&str] = &["duckdb", "polars", "pyarrow", "pytz"];

/// Runs the statements, and the readers on their results.
async fn check<const N: usize>(server: &Server, workspace: &str, statements: [&str; N]) {
    let Some(interpreter) = python(READERS) else { return };
    let mut results = Vec::new();
    for sql in statements {
        let query = server.run(workspace, sql).await;
        assert_eq!(query["status"], "FINISHED", "{sql}: {query}");
        let path = format!("/api/v1/query/{}/result?workspaceId={workspace}", id_of(&query));
        results.push(format!("{}{path}", server.url()));
    }
    let headers = json!({ "Authorization": format!("Token {}", server.admin_token()) });
    let task = json!({ "results": results, "headers": headers }).to_string();
    let read = tokio::task::spawn_blocking(move || run_script(interpreter, "read_formats.py", &[], &task));
    let printed = read.await.expect("the readers agree");
    for reader in
        ["python json", "pyarrow stream", "pyarrow parquet", "polars parquet", "python csv", "duckdb csv"]
    {
        assert_eq!(printed.matches(&format!("{reader}:")).count(), N, "{reader} of\n{printed}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn stored_types() {
    let server = SERVER.get();
    let workspace = server.new_workspace("formats_stored").await;
    server.new_table(&workspace, "types", &data_file("types.parquet")).await;
    server.new_table(&workspace, "people", &data_file("people.parquet")).await;
    check(
        &server,
        &workspace,
        ["SELECT * FROM types ORDER BY id", "SELECT * FROM people", "SELECT * FROM types WHERE id < 0"],
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn types_computed_by_sql() {
    let server = SERVER.get();
    let workspace = server.demo().await;
    check(
        &server,
        &workspace,
        [
            "SELECT INTERVAL '1' DAY AS d, INTERVAL '-3 04:05:06.789' DAY TO SECOND AS s, INTERVAL '14' MONTH AS m",
            "SELECT TIMESTAMP '2024-02-29 12:34:56.789123 Europe/Zurich' AS zoned, \
             TIMESTAMP '1900-01-01 00:00:00.5 America/New_York' AS old, \
             TIMESTAMP '2024-02-29 12:34:56.123456789' AS nanos, TIME '23:59:59.999999' AS t",
            "SELECT TIMESTAMP '2024-02-29 12:34:56' AS whole, TIMESTAMP '1969-12-31 23:59:59.12' AS hundredths, \
             TIMESTAMP '1969-12-31 23:59:59 UTC' AS zoned, TIME '01:02:03' AS t, CAST('abc' AS varchar(2)) AS cut",
            "SELECT CAST('-99999999999999999999999999999999999999' AS decimal(38,0)) AS least, \
             CAST('0.00000000000000000000000000000000000001' AS decimal(38,38)) AS small, CAST(-0.5 AS decimal(1,1)) AS half",
            "SELECT * FROM (VALUES (nan(), CAST(nan() AS real)), (infinity(), CAST(-infinity() AS real)), \
             (-0e0, CAST(3.4028235e38 AS real)), (4.9e-324, CAST(1e-45 AS real)), (NULL, NULL)) t (d, r)",
            "SELECT * FROM (VALUES ('plain'), (''), (NULL), ('a,b'), ('say \"it\"'), ('two\nlines'), ('return\rfeed\r\n'), \
             (' spaces '), ('ünï🏠'), (''''), ('\"')) t (v)",
            "SELECT * FROM (VALUES (X''), (X'00ff'), (NULL), (X'2c0d0a22')) t (b)",
            "SELECT ARRAY[ARRAY[1, NULL], ARRAY[], NULL] AS a, ROW(1, ROW('x,\"y', NULL)) AS r, \
             ARRAY[ROW(DATE '2024-02-29', 1.50), NULL] AS rows",
            "SELECT 1 AS a, 2 AS b, 'x' AS a, 3 AS a_1, NULL AS a",
            "SELECT NULL AS nothing, true AS yes",
            "SELECT n_name FROM tpch.tiny.nation WHERE false",
        ],
    )
    .await;
}

/// More rows than a batch, a chunk and a row group hold.
#[tokio::test(flavor = "multi_thread")]
async fn many_rows() {
    let server = SERVER.get();
    let workspace = server.demo().await;
    let sql = "SELECT l_orderkey, l_extendedprice, l_shipdate, l_comment FROM tpch.tiny.lineitem ORDER BY 1, l_linenumber";
    check(&server, &workspace, [sql]).await;
}

/// A text that a spreadsheet runs as a formula, in results, views and endpoints: unchanged, unless escaping is
/// requested.
#[tokio::test(flavor = "multi_thread")]
async fn csv_formulas_are_escaped_on_request() {
    let sql = "SELECT -1 AS n, '=1+1' AS t, '@a,b' AS u, 'a=1' AS v";
    let (kept, escaped) = ("n,t,u,v\r\n-1,=1+1,\"@a,b\",a=1\r\n", "n,t,u,v\r\n-1,'=1+1,\"'@a,b\",a=1\r\n");
    for (arguments, usual) in [(&[][..], kept), (&["--results-csv-formulas", "escape"][..], escaped)] {
        let builder = Server::builder();
        let builder = match arguments {
            [flag, value] => builder.arguments([*flag, *value]),
            _ => builder,
        };
        let server = builder.start();
        let workspace = server.new_workspace("formulas").await;
        let id = id_of(&server.run(&workspace, sql).await);
        server.new_view(&workspace, "made", sql).await;
        let body = json!({ "workspaceId": workspace, "title": "t", "sqlName": "called", "sql": sql });
        server.post("/api/v1/sql", body).await.ok();
        for path in [
            format!("/api/v1/query/{id}/result?workspaceId={workspace}&format=csv"),
            "/v1/data/formulas/materializedView/made?format=csv".to_owned(),
            "/v1/data/formulas/endpoint/called.csv?wait=60".to_owned(),
        ] {
            for (more, expected) in
                [("", usual), ("&csvFormulas=keep", kept), ("&csvFormulas=escape", escaped)]
            {
                let answer = server.get(&format!("{path}{more}")).await;
                assert_eq!(
                    (answer.status, String::from_utf8_lossy(&answer.body)),
                    (200, expected.into()),
                    "{path}{more}"
                );
            }
            server.get(&format!("{path}&csvFormulas=no")).await.error(
                400,
                "INVALID_ARGUMENTS",
                ["csvFormulas"],
            );
        }
        let json = server
            .get(&format!("/api/v1/query/{id}/result?workspaceId={workspace}&csvFormulas=escape"))
            .await;
        assert_eq!(json.ok()["result"], json!([[-1, "=1+1", "@a,b", "a=1"]]));
    }
}
