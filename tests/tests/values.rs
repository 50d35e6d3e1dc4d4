//! Values as JSON (D18): the exact text of each type, from files and from SQL, on both interfaces.

use std::sync::Arc;

use hyper::Method;
use rowhouse_tests::{Server, SharedServer, data_file, id_of};
use serde_json::json;

static SERVER: SharedServer = SharedServer::new(&[]);

/// The rows of the whole result as text, from after `"result":[` to its closing bracket.
async fn raw_result(server: &Server, workspace: &str, sql: &str) -> String {
    let query = server.run(workspace, sql).await;
    assert_eq!(query["status"], "FINISHED", "{sql}: {query}");
    let path =
        format!("/api/v1/query/{}/result?workspaceId={workspace}&format=ndjson&shape=arrays", id_of(&query));
    let answer = server.get(&path).await;
    assert_eq!(answer.status, 200, "{sql}: {:?}", answer.body);
    String::from_utf8(answer.body.to_vec()).expect("JSON is UTF-8").trim_end().to_owned()
}

/// The texts of one column over the five rows of `types.parquet`, on both interfaces.
struct Types {
    server: Arc<Server>,
    workspace: String,
    name: &'static str,
}

impl Types {
    async fn new(name: &'static str) -> Self {
        let server = SERVER.get();
        let workspace = server.new_workspace(name).await;
        server.new_table(&workspace, "types", &data_file("types.parquet")).await;
        server.new_view(&workspace, "all_types", "SELECT * FROM types ORDER BY id").await;
        Self { server, workspace, name }
    }

    async fn check(&self, column: &str, expected: [&str; 5]) {
        let sql = format!("SELECT {column} FROM types ORDER BY id");
        let query = self.server.run(&self.workspace, &sql).await;
        let path = format!("/api/v1/query/{}/result?workspaceId={}", id_of(&query), self.workspace);
        let body = self.server.get(&path).await.body;
        let body = String::from_utf8(body.to_vec()).expect("UTF-8");
        let rows: Vec<String> = expected.iter().map(|text| format!("[{text}]")).collect();
        let result = format!("\"result\":[{}]", rows.join(","));
        assert!(body.contains(&result), "{column}:\n{result}\nis not in\n{body}");
        let path = format!("/v1/data/{}/materializedView/all_types?columnNames={column}", self.name);
        let body = self.server.get(&path).await.body;
        let rows: Vec<String> = expected.iter().map(|text| format!("{{\"{column}\":{text}}}")).collect();
        assert_eq!(String::from_utf8_lossy(&body), format!("[{}]", rows.join(",")), "{column} of the view");
    }
}

#[tokio::test]
async fn numbers_keep_all_their_digits() {
    let types = Types::new("exact_numbers").await;
    types.check("c_boolean", ["true", "false", "true", "null", "null"]).await;
    types.check("c_tinyint", ["7", "-128", "127", "null", "null"]).await;
    types.check("c_smallint", ["-300", "-32768", "32767", "null", "null"]).await;
    types.check("c_integer", ["70000", "-2147483648", "2147483647", "null", "null"]).await;
    types
        .check("c_bigint", ["5000000000", "-9223372036854775808", "9223372036854775807", "null", "null"])
        .await;
    types.check("c_real", ["1.5", "\"-Infinity\"", "\"Infinity\"", "\"NaN\"", "null"]).await;
    types.check("c_double", ["0.1", "\"-Infinity\"", "\"Infinity\"", "\"NaN\"", "null"]).await;
    types
        .check("c_decimal", ["12.3400", "-99999999999999.9999", "99999999999999.9999", "null", "null"])
        .await;
    let (least, greatest) =
        ("-9999999999999999999999999999.9999999999", "9999999999999999999999999999.9999999999");
    types.check("c_big_decimal", ["1.0000000001", least, greatest, "null", "null"]).await;
}

#[tokio::test]
async fn times_are_iso_8601() {
    let types = Types::new("exact_times").await;
    types.check("c_date", ["\"2024-02-29\"", "\"0001-01-01\"", "\"9999-12-31\"", "null", "null"]).await;
    types
        .check(
            "c_time",
            ["\"12:34:56.789012\"", "\"00:00:00.000001\"", "\"23:59:59.999999\"", "null", "null"],
        )
        .await;
    types
        .check(
            "c_timestamp_3",
            [
                "\"2024-02-29T12:34:56.789\"",
                "\"1969-12-31T23:59:59.999\"",
                "\"9999-12-31T23:59:59.999\"",
                "null",
                "null",
            ],
        )
        .await;
    types
        .check(
            "c_timestamp_6",
            [
                "\"2024-02-29T12:34:56.789012\"",
                "\"0001-01-01T00:00:00.000001\"",
                "\"9999-12-31T23:59:59.999999\"",
                "null",
                "null",
            ],
        )
        .await;
    types
        .check(
            "c_timestamp_9",
            [
                "\"2024-02-29T12:34:56.789012345\"",
                "\"1969-12-31T23:59:59.999999999\"",
                "\"2262-04-11T23:47:16.854775807\"",
                "null",
                "null",
            ],
        )
        .await;
    types
        .check(
            "c_zoned_3",
            [
                "\"2024-02-29T12:34:56.789Z\"",
                "\"1969-12-31T23:59:59.999Z\"",
                "\"9999-12-31T23:59:59.999Z\"",
                "null",
                "null",
            ],
        )
        .await;
    types
        .check(
            "c_zoned_6",
            [
                "\"2024-02-29T12:34:56.789012Z\"",
                "\"0001-01-01T00:00:00.000001Z\"",
                "\"9999-12-31T23:59:59.999999Z\"",
                "null",
                "null",
            ],
        )
        .await;
}

#[tokio::test]
async fn nested_values_are_arrays_and_objects() {
    let types = Types::new("exact_nested").await;
    types.check("c_array", ["[1,null,3]", "[]", "[9223372036854775807]", "null", "null"]).await;
    types.check("c_texts", ["[\"a\",\"b\\n\"]", "[null]", "[\"\"]", "null", "null"]).await;
    types
        .check(
            "c_row",
            [
                "{\"x\":1,\"y\":\"z\"}",
                "{\"x\":null,\"y\":null}",
                "{\"x\":9223372036854775807,\"y\":\"\"}",
                "null",
                "null",
            ],
        )
        .await;
    types
        .check(
            "c_nested",
            ["[{\"k\":\"a\",\"v\":[0.5,null]},{\"k\":null,\"v\":[]},null]", "[]", "[null]", "null", "null"],
        )
        .await;
}

#[tokio::test]
async fn texts_and_bytes_round_trip() {
    let server = SERVER.get();
    let workspace = server.new_workspace("exact_texts").await;
    server.new_table(&workspace, "types", &data_file("types.parquet")).await;
    // JSON permits several escapes of a character: the parsed values are compared.
    let rows = server.rows(&workspace, "SELECT c_varchar, c_varbinary FROM types ORDER BY id").await;
    let all_bytes = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0+P0BBQkNERUZHSElKS0xNTk9QUVJTVFVWV1hZWltcXV5fYGFiY2RlZmdoaWprbG1ub3BxcnN0dXZ3eHl6e3x9fn+AgYKDhIWGh4iJiouMjY6PkJGSk5SVlpeYmZqbnJ2en6ChoqOkpaanqKmqq6ytrq+wsbKztLW2t7i5uru8vb6/wMHCw8TFxsfIycrLzM3Oz9DR0tPU1dbX2Nna29zd3t/g4eLj5OXm5+jp6uvs7e7v8PHy8/T19vf4+fr7/P3+/w==";
    let expected = json!([
        ["a \"quoted\"\ttext, ünïcode \u{1F3E0}\\", "AP8Q"],
        ["", ""],
        ["\u{0}\u{1f}\u{7f}\u{2028}</script>", all_bytes],
        [null, null],
        [null, null],
    ]);
    assert_eq!(rows, expected);
}

#[tokio::test]
async fn values_computed_by_sql_have_the_same_format() {
    let server = SERVER.get();
    let workspace = server.demo().await;
    for (expression, expected) in [
        ("1", "1"),
        ("-1", "-1"),
        ("9223372036854775807", "9223372036854775807"),
        ("CAST(127 AS tinyint)", "127"),
        ("CAST(1.5 AS real)", "1.5"),
        ("CAST(0.1 AS double)", "0.1"),
        ("1e0", "1.0"),
        ("1e100", "1e100"),
        ("CAST(1 AS double) / 3", "0.3333333333333333"),
        ("1.10", "1.10"),
        ("CAST(1.1 AS decimal(10,4))", "1.1000"),
        ("CAST(-0.05 AS decimal(5,2))", "-0.05"),
        ("CAST(123 AS decimal(5,0))", "123"),
        ("true", "true"),
        ("1 = 2", "false"),
        ("NULL", "null"),
        ("CAST(NULL AS varchar)", "null"),
        ("'a'", "\"a\""),
        ("'it''s'", "\"it's\""),
        ("''", "\"\""),
        ("DATE '2024-02-29'", "\"2024-02-29\""),
        ("TIMESTAMP '2024-02-29 12:34:56.789'", "\"2024-02-29T12:34:56.789\""),
        ("CAST('2024-02-29' AS date)", "\"2024-02-29\""),
        ("CAST(42 AS varchar)", "\"42\""),
        ("CAST('42' AS bigint)", "42"),
        ("CAST(true AS varchar)", "\"true\""),
        ("ARRAY[1, 2, NULL]", "[1,2,null]"),
        ("ARRAY['a']", "[\"a\"]"),
    ] {
        let rows = raw_result(&server, &workspace, &format!("SELECT {expression} AS v")).await;
        let alternatives = [format!("[{expected}]"), format!("{{\"v\":{expected}}}")];
        assert!(alternatives.contains(&rows), "{expression}: {rows}, expected {expected}");
    }
}

/// Types whose values are stored as texts: as JSON, and as types again if SQL reads a view of them.
#[tokio::test]
async fn types_stored_as_texts_are_restored_in_views() {
    let server = SERVER.get();
    let name = "text_types";
    let workspace = server.new_workspace(name).await;
    let sql = "SELECT UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59' u, IPADDRESS '10.0.0.9' a, CAST('x' AS char(3)) c, \
               TIME '10:00:00.5 +02:00' t, ARRAY[IPADDRESS '::1'] l, NULL n UNION ALL SELECT UUID \
               '02151fd2-7586-11e9-8f9e-2a86e4085a59', IPADDRESS '10.0.0.10', 'abc', TIME '09:00:00.0 +02:00', NULL, NULL";
    let expected =
        r#"["12151fd2-7586-11e9-8f9e-2a86e4085a59","10.0.0.9","x  ","10:00:00.5+02:00",["::1"],null]"#;
    let rows = raw_result(&server, &workspace, &format!("{sql} ORDER BY 1 DESC")).await;
    assert_eq!(rows.lines().next(), Some(expected));
    server.new_view(&workspace, "kept", sql).await;
    let sql = "SELECT typeof(u), typeof(a), typeof(c), typeof(t), typeof(l) FROM kept LIMIT 1";
    assert_eq!(
        raw_result(&server, &workspace, sql).await,
        r#"["uuid","ipaddress","char(3)","time(1) with time zone","array(ipaddress)"]"#
    );
    // Ordered by bytes, not by text; the offset is that of UTC.
    let sql = "SELECT max(u), max(a), min(c), min(t), count_if(c = 'x'), count_if(contains('10.0.0.8/31', a)) FROM kept";
    assert_eq!(
        raw_result(&server, &workspace, sql).await,
        r#"["12151fd2-7586-11e9-8f9e-2a86e4085a59","10.0.0.10","abc","07:00:00.0+00:00",1,1]"#
    );
    let path = format!("/v1/data/{name}/materializedView/kept?columnNames=c,t&filters=c:EQ:x");
    let body = server.get(&path).await.body;
    assert_eq!(String::from_utf8_lossy(&body), r#"[{"c":"x  ","t":"10:00:00.5+02:00"}]"#);
}

/// What Arrow's type does not say: months, and the offset of a column of zoned timestamps.
#[tokio::test]
async fn months_and_offsets_are_those_of_the_statement_also_in_views() {
    let server = SERVER.get();
    let name = "marked_types";
    let workspace = server.new_workspace(name).await;
    let sql = "SELECT INTERVAL '14' MONTH m, ARRAY[INTERVAL '-2' YEAR] l, MAP(ARRAY[1], ARRAY[INTERVAL '1' MONTH]) k, \
               CAST(ROW(INTERVAL '1-1' YEAR TO MONTH) AS row(x interval year to month)) r, \
               TIMESTAMP '2024-01-01 00:00:00.123 +05:30' z, TIMESTAMP '2024-07-01 12:00:00 Europe/Berlin' n";
    let expected = r#"["1-2",["-2-0"],{"1":"0-1"},{"x":"1-1"},"2024-01-01T00:00:00.123+05:30","2024-07-01T12:00:00+02:00"]"#;
    assert_eq!(raw_result(&server, &workspace, sql).await, expected);
    server.new_view(&workspace, "kept", sql).await;
    let path = format!("/v1/data/{name}/materializedView/kept?columnNames=m,z&filters=m:EQ:1-2");
    let body = server.get(&path).await.body;
    assert_eq!(String::from_utf8_lossy(&body), r#"[{"m":"1-2","z":"2024-01-01T00:00:00.123+05:30"}]"#);
    let sql = "SELECT m, typeof(m), m + INTERVAL '1' MONTH, z, hour(z), timezone_hour(z), n, typeof(n), hour(n) FROM kept";
    assert_eq!(
        raw_result(&server, &workspace, sql).await,
        r#"["1-2","interval year to month","1-3","2024-01-01T00:00:00.123+05:30",0,5,"2024-07-01T12:00:00+02:00","timestamp(0) with time zone",12]"#
    );
}

/// A view of such a type was in the catalog of every statement, which no worker could read.
#[tokio::test]
async fn a_type_that_is_nested_too_deep_is_refused_and_does_no_harm() {
    let server = SERVER.get();
    let workspace = server.new_workspace("deep_types").await;
    for levels in [21, 39, 60] {
        for (open, close) in [("ARRAY[", "]"), ("ROW(", ")"), ("MAP(ARRAY[1], ARRAY[", "])")] {
            let sql = format!("SELECT {}1{} AS v", open.repeat(levels), close.repeat(levels));
            let body = json!({ "workspaceId": workspace, "sqlName": format!("deep_{levels}_{}", open.len()), "sql": sql });
            let answer = server.post("/api/v1/materializedView", body).await;
            assert_eq!((answer.status, &answer.json()["code"]), (400, &json!("NOT_SUPPORTED")), "{sql}");
        }
    }
    let deepest = format!("SELECT {}1{} AS v", "ARRAY[".repeat(20), "]".repeat(20));
    server.new_view(&workspace, "deepest", &deepest).await;
    let rows = raw_result(&server, &workspace, "SELECT count(*) FROM deepest, tpch.tiny.region").await;
    assert_eq!(rows, "[5]");
}

#[tokio::test]
async fn other_formats_contain_the_same_rows() {
    let server = SERVER.get();
    let workspace = server.new_workspace("formats").await;
    server.new_table(&workspace, "people", &data_file("people.parquet")).await;
    let sql = "SELECT id, name, price, born, active FROM people WHERE id IN (1, 4, 7) ORDER BY id";
    let query = server.run(&workspace, sql).await;
    let path = format!("/api/v1/query/{}/result?workspaceId={workspace}", id_of(&query));
    let get = async |tail: &str| server.get(&format!("{path}{tail}")).await;
    let csv = get("&format=csv").await;
    assert_eq!(csv.header("content-type").map(|text| text.starts_with("text/csv")), Some(true));
    let text = String::from_utf8_lossy(&csv.body).replace("\r\n", "\n");
    assert_eq!(
        text,
        "id,name,price,born,active\n1,Ann,1.10,1999-12-31,true\n4,\"x,y\",99999999.99,,true\n7,,2.50,2024-01-01,\n"
    );
    let ndjson = get("&format=ndjson&shape=objects").await;
    let text = String::from_utf8_lossy(&ndjson.body).into_owned();
    assert_eq!(
        text.lines().next(),
        Some("{\"id\":1,\"name\":\"Ann\",\"price\":1.10,\"born\":\"1999-12-31\",\"active\":true}")
    );
    assert_eq!(text.lines().count(), 3);
    let ndjson = get("&format=ndjson&shape=arrays&limit=1").await;
    assert_eq!(String::from_utf8_lossy(&ndjson.body), "[1,\"Ann\",1.10,\"1999-12-31\",true]\n");
    let page = get("&format=csv&limit=1&offset=2").await;
    let text = String::from_utf8_lossy(&page.body).replace("\r\n", "\n");
    assert_eq!(text, "id,name,price,born,active\n7,,2.50,2024-01-01,\n");
    // An Arrow stream begins with its continuation mark, a Parquet file with its magic bytes.
    let arrow = get("&format=arrow").await;
    assert_eq!((arrow.status, &arrow.body[..4]), (200, &[0xff; 4][..]));
    let parquet = get("&format=parquet").await;
    assert_eq!(
        (parquet.status, parquet.header("content-type")),
        (200, Some("application/vnd.apache.parquet"))
    );
    assert_eq!((&parquet.body[..4], &parquet.body[parquet.body.len() - 4..]), (&b"PAR1"[..], &b"PAR1"[..]));
}

/// The format of a result by `Accept`, as for views; `format` takes precedence, and an unsupported `Accept` gets JSON
/// (D40).
#[tokio::test]
async fn the_format_is_negotiated_by_accept() {
    let server = SERVER.get();
    let workspace = server.demo().await;
    let query = server.run(&workspace, "SELECT 1 AS a").await;
    let path = format!("/api/v1/query/{}/result?workspaceId={workspace}", id_of(&query));
    let authorization = format!("Token {}", server.admin_token());
    for (accept, tail, expected) in [
        ("*/*", "", "application/json"),
        ("text/csv", "", "text/csv; charset=utf-8; header=present"),
        ("application/json;q=0.5, application/vnd.apache.parquet", "", "application/vnd.apache.parquet"),
        ("application/vnd.apache.arrow.stream", "", "application/vnd.apache.arrow.stream"),
        ("application/json;q=0, application/*;q=0.5", "", "application/x-ndjson"),
        ("image/png", "", "application/json"),
        ("text/csv", "&format=ndjson", "application/x-ndjson"),
    ] {
        let headers = [("authorization", authorization.as_str()), ("accept", accept)];
        let answer = server.request_with(Method::GET, &format!("{path}{tail}"), headers, None).await;
        assert_eq!((answer.status, answer.header("content-type")), (200, Some(expected)), "{accept}");
        assert!(answer.header("vary").is_some_and(|vary| vary.contains("Accept")), "{accept}");
    }
}
