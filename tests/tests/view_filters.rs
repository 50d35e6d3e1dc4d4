//! Reads of a view (D22, D23, D25): every operator on every class of column, how a filter's text is split, values that
//! do not match the type, columns, pages and their order.

use std::sync::Arc;

use rowhouse_tests::{Response, Server, SharedServer, data_file};
use serde_json::{Value, json};

static SERVER: SharedServer = SharedServer::new(&[]);

/// A filled view over `people.parquet`.
struct People {
    server: Arc<Server>,
    path: String,
}

impl People {
    async fn new(workspace_name: &str) -> Self {
        let server = SERVER.get();
        let workspace = server.new_workspace(workspace_name).await;
        server.new_table(&workspace, "people_file", &data_file("people.parquet")).await;
        server.new_view(&workspace, "people", "SELECT * FROM people_file").await;
        Self { server, path: format!("/v1/data/{workspace_name}/materializedView/people") }
    }

    async fn get(&self, query: &str) -> Response {
        self.server.get(&format!("{}?{query}", self.path)).await
    }

    /// The ids of the rows that a filter selects.
    async fn ids(&self, filter: &str) -> Vec<u64> {
        let answer = self.get(&format!("columnNames=id&filters={}", encode(filter))).await;
        assert_eq!(answer.status, 200, "{filter}: {:?}", answer.body);
        let rows = answer.ok();
        rows.as_array().expect("rows").iter().map(|row| row["id"].as_u64().expect("an id")).collect()
    }

    async fn check(&self, filter: &str, expected: &[u64]) {
        assert_eq!(self.ids(filter).await, expected, "{filter}");
    }
}

/// Percent-encodes all but unreserved characters.
fn encode(text: &str) -> String {
    let encode_byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(encode_byte).collect()
}

const ALL: [u64; 8] = [1, 2, 3, 4, 5, 6, 7, 8];

#[tokio::test]
async fn numbers_are_compared_as_numbers() {
    let people = People::new("numbers").await;
    for (filter, expected) in [
        ("id:EQ:3", &[3][..]),
        ("id:EQ:003", &[3]),
        ("id:EQ:-3", &[]),
        ("id:NEQ:3", &[1, 2, 4, 5, 6, 7, 8]),
        ("id:LT:3", &[1, 2]),
        ("id:LTE:3", &[1, 2, 3]),
        ("id:GT:6", &[7, 8]),
        ("id:GTE:6", &[6, 7, 8]),
        ("id:IN:1,3,99,3", &[1, 3]),
        ("id:BETWEEN:2,4", &[2, 3, 4]),
        ("id:BETWEEN:4,2", &[]),
        ("id:IS:null", &[]),
        ("id:IS_NOT:null", &ALL),
        ("id:LT:9223372036854775807", &ALL),
        ("small:EQ:-128", &[1]),
        ("small:GTE:4", &[2, 8]),
        ("small:IS:null", &[5]),
        ("small:NEQ:0", &[1, 2, 4, 6, 7, 8]),
        // NaN equals nothing and is not ordered; the infinities are ordered.
        ("score:EQ:NaN", &[]),
        ("score:GT:0", &[1, 4, 5, 7]),
        ("score:GTE:0", &[1, 4, 5, 7, 8]),
        ("score:LT:0", &[2]),
        ("score:LTE:1.5", &[1, 2, 5, 8]),
        ("score:EQ:Infinity", &[4]),
        ("score:LT:Infinity", &[1, 2, 5, 7, 8]),
        ("score:EQ:0.1", &[5]),
        ("score:EQ:1e-1", &[5]),
        ("score:EQ:3e10", &[7]),
        ("score:EQ:30000000000", &[7]),
        ("score:EQ:-0", &[8]),
        ("score:IN:1.5,0.1", &[1, 5]),
        ("score:BETWEEN:-2,0.1", &[2, 5, 8]),
        ("score:IS:null", &[6]),
        ("score:IS_NOT:null", &[1, 2, 3, 4, 5, 7, 8]),
        ("price:EQ:1.1", &[1, 2]),
        ("price:EQ:1.100", &[1, 2]),
        ("price:EQ:99999999.99", &[4]),
        ("price:LT:0", &[3]),
        ("price:GT:2.50", &[4, 8]),
        ("price:LTE:-0.05", &[3]),
        ("price:BETWEEN:2.5,2.51", &[7, 8]),
        ("price:IN:0,2.51", &[6, 8]),
        ("price:IS:null", &[5]),
    ] {
        people.check(filter, expected).await;
    }
}

#[tokio::test]
async fn texts_are_compared_exactly() {
    let people = People::new("texts").await;
    for (filter, expected) in [
        ("name:EQ:Ann", &[1][..]),
        ("name:EQ:ann", &[]),
        ("name:EQ:Ann ", &[]),
        ("name:EQ:", &[]),
        ("name:NEQ:Ann", &[2, 3, 4, 5, 6, 8]),
        // Only IS selects NULL.
        ("name:EQ:null", &[8]),
        ("name:IS:null", &[7]),
        ("name:IS_NOT:null", &[1, 2, 3, 4, 5, 6, 8]),
        ("name:EQ:a:b:c", &[3]),
        ("name:EQ:x,y", &[4]),
        ("name:EQ:Zoë 🏠", &[5]),
        ("name:EQ:100%", &[6]),
        ("name:GT:a", &[3, 4, 8]),
        ("name:LT:B", &[1, 6]),
        ("name:IN:Ann,Bob,Nobody", &[1, 2]),
        ("name:BETWEEN:Ann,Bob", &[1, 2]),
        ("name:LIKE:A%", &[1]),
        ("name:LIKE:%b%", &[2, 3]),
        ("name:LIKE:_nn", &[1]),
        ("name:LIKE:Zoë _", &[5]),
        ("name:LIKE:100\\%", &[6]),
        ("name:LIKE:%\\%", &[6]),
        ("name:LIKE:%", &[1, 2, 3, 4, 5, 6, 8]),
        ("name:LIKE:", &[]),
        ("name:LIKE:a%", &[3]),
    ] {
        people.check(filter, expected).await;
    }
}

#[tokio::test]
async fn dates_and_times_are_compared_by_time() {
    let people = People::new("times").await;
    for (filter, expected) in [
        ("born:EQ:2000-02-29", &[3][..]),
        ("born:LT:1970-01-01", &[6]),
        ("born:LTE:1970-01-01", &[5, 6]),
        ("born:GT:2024-01-01", &[8]),
        ("born:GTE:2024-01-01", &[7, 8]),
        ("born:BETWEEN:1999-12-31,2000-01-01", &[1, 2]),
        ("born:IN:1815-12-10,2024-01-02", &[6, 8]),
        ("born:IS:null", &[4]),
        ("born:NEQ:2000-01-01", &[1, 3, 5, 6, 7, 8]),
        ("seen:EQ:2024-01-01T00:00:00", &[2]),
        ("seen:EQ:2024-01-01T00:00:00.000001", &[1]),
        ("seen:EQ:2024-01-01 00:00:00", &[2]),
        ("seen:LT:2024-01-01T00:00:00", &[3, 7]),
        ("seen:GT:2024-06-01T12:30:00", &[6, 8]),
        ("seen:GTE:2024-06-01T12:30:00", &[5, 6, 8]),
        ("seen:BETWEEN:2023-12-31T23:59:59.999999,2024-01-01T00:00:00", &[2, 3]),
        ("seen:IS:null", &[4]),
        ("wakes:EQ:06:30:00", &[1]),
        ("wakes:GT:06:30:00", &[2, 3, 6, 7, 8]),
        ("wakes:LTE:06:30:00.000001", &[1, 2, 5]),
        ("wakes:EQ:23:59:59.999999", &[3]),
    ] {
        people.check(filter, expected).await;
    }
}

/// The column's type determines how many digits of a second are printed; filters and order use the value, and SQL over
/// the view sees the types of its definition.
#[tokio::test]
async fn views_preserve_lengths_and_precisions() {
    let server = SERVER.get();
    let workspace = server.new_workspace("precisions").await;
    let sql = "SELECT * FROM (VALUES \
        (1, 'abc', TIMESTAMP '2024-01-01 00:00:01', TIMESTAMP '2024-01-01 00:00:00.1', TIME '01:02:03.1234567'), \
        (2, 'b', TIMESTAMP '2024-01-01 00:00:00', TIMESTAMP '2024-01-01 00:00:00.12', TIME '01:02:03.1234568') \
        ) t (id, name, whole, tenths, clock)";
    server.new_view(&workspace, "precise", sql).await;
    let path = "/v1/data/precisions/materializedView/precise";
    let first = json!({
        "id": 1, "name": "abc", "whole": "2024-01-01T00:00:01", "tenths": "2024-01-01T00:00:00.100",
        "clock": "01:02:03.123456700",
    });
    for (query, ids) in [
        ("filters=whole:EQ:2024-01-01T00:00:01", &[1][..]),
        ("filters=whole:GT:2024-01-01T00:00:00.5", &[1]),
        ("filters=tenths:EQ:2024-01-01T00:00:00.1", &[1]),
        ("filters=tenths:EQ:2024-01-01T00:00:00.12", &[2]),
        ("filters=tenths:LTE:2024-01-01T00:00:00.1234", &[1, 2]),
        ("filters=clock:GT:01:02:03.1234567", &[2]),
        ("filters=name:EQ:abcdef", &[]),
        ("orderBy=whole:asc", &[2, 1]),
        ("orderBy=tenths:desc", &[2, 1]),
        ("orderBy=clock:asc", &[1, 2]),
    ] {
        let rows = server.get(&format!("{path}?{query}")).await.ok();
        let rows = rows.as_array().expect("rows");
        let found: Vec<u64> = rows.iter().map(|row| row["id"].as_u64().expect("an id")).collect();
        assert_eq!(found, ids, "{query}");
        assert!(rows.iter().all(|row| row["id"] != 1 || *row == first), "{query}: {rows:?}");
    }
    let query = server
        .run(&workspace, "SELECT * FROM precise WHERE whole = TIMESTAMP '2024-01-01 00:00:01.000'")
        .await;
    let types: Vec<&Value> =
        query["columns"].as_array().expect("columns").iter().map(|column| &column["type"]).collect();
    assert_eq!(json!(types), json!(["integer", "varchar(3)", "timestamp(0)", "timestamp(2)", "time(7)"]));
    let result = server.result(&workspace, &rowhouse_tests::id_of(&query)).await;
    assert_eq!(
        result["result"],
        json!([[1, "abc", "2024-01-01T00:00:01", "2024-01-01T00:00:00.100", "01:02:03.123456700"]])
    );
}

#[tokio::test]
async fn booleans_and_nested_columns_support_few_operators() {
    let people = People::new("few").await;
    for (filter, expected) in [
        ("active:EQ:true", &[1, 4, 6][..]),
        ("active:EQ:false", &[2, 5, 8]),
        ("active:NEQ:true", &[2, 5, 8]),
        ("active:IS:true", &[1, 4, 6]),
        ("active:IS:false", &[2, 5, 8]),
        // SQL's meaning of IS NOT TRUE: it selects NULL, too.
        ("active:IS_NOT:true", &[2, 3, 5, 7, 8]),
        ("active:IS_NOT:false", &[1, 3, 4, 6, 7]),
        ("active:IS:null", &[3, 7]),
        ("active:IS_NOT:null", &[1, 2, 4, 5, 6, 8]),
        ("raw:IS:null", &[3]),
        ("raw:IS_NOT:null", &[1, 2, 4, 5, 6, 7, 8]),
        ("tags:IS:null", &[3]),
        ("place:IS:null", &[3]),
        ("place:IS_NOT:null", &[1, 2, 4, 5, 6, 7, 8]),
    ] {
        people.check(filter, expected).await;
    }
    for filter in [
        "active:GT:false",
        "active:LT:true",
        "active:IN:true",
        "active:BETWEEN:false,true",
        "active:LIKE:t%",
        "raw:EQ:a",
        "raw:LT:a",
        "tags:EQ:a",
        "tags:IN:a,b",
        "place:EQ:1",
        "place:GT:1",
        "raw:IS:true",
        "name:IS:true",
        "id:IS:5",
        "id:IS:NULLS",
        "id:LIKE:1%",
        "born:LIKE:2%",
        "tags:IS_NOT:false",
    ] {
        let column = filter.split(':').next().expect("a column");
        let answer = people.get(&format!("filters={}", encode(filter))).await;
        assert_eq!(answer.status, 400, "{filter}");
        answer.error(400, "INVALID_ARGUMENTS", [column]);
    }
}

#[tokio::test]
async fn operators_ignore_case_and_filters_split_at_the_first_colons() {
    let people = People::new("splitting").await;
    for (filter, expected) in [
        ("id:eq:1", &[1][..]),
        ("id:Eq:1", &[1]),
        ("id:lt:2", &[1]),
        ("id:lte:2", &[1, 2]),
        ("id:gt:7", &[8]),
        ("id:gte:7", &[7, 8]),
        ("name:is:null", &[7]),
        ("name:is_not:null", &[1, 2, 3, 4, 5, 6, 8]),
        ("name:IN_NOT:null", &[1, 2, 3, 4, 5, 6, 8]),
        ("name:in_not:null", &[1, 2, 3, 4, 5, 6, 8]),
        ("id:neq:1", &[2, 3, 4, 5, 6, 7, 8]),
        ("id:in:1,2", &[1, 2]),
        ("id:between:1,2", &[1, 2]),
        ("name:like:A%", &[1]),
        // A column whose name contains a colon, and a column whose name is the part before it.
        ("a:b:EQ:x:y", &[8]),
        ("a:b:EQ:one", &[1]),
        ("a:b:IS:null", &[]),
        ("a:EQ:b", &[1]),
        ("a:EQ:EQ", &[2]),
        ("a:EQ:b:EQ:x", &[6]),
        // Names match exactly first, then in any case if that is unique.
        ("Mixed:EQ:12", &[2]),
        ("mixed:EQ:12", &[2]),
        ("MIXED:EQ:12", &[2]),
        ("twin:EQ:21", &[1]),
        ("TWIN:EQ:31", &[1]),
        ("twin:EQ:31", &[]),
        ("NAME:EQ:Ann", &[1]),
    ] {
        people.check(filter, expected).await;
    }
    // A name that two columns match in another letter case selects neither.
    for query in ["filters=Twin:EQ:21", "columnNames=Twin"] {
        let answer = people.get(query).await;
        let message = answer.json()["message"].as_str().unwrap_or_default().to_owned();
        assert!(answer.status == 400 && message.contains("Twin"), "{query}: {message}");
    }
    for filter in ["nope:EQ:1", "id :EQ:1", "nope:IS:null"] {
        let column = filter.split(':').next().expect("a column");
        people.get(&format!("filters={}", encode(filter))).await.error(400, "COLUMN_NOT_FOUND", [column]);
    }
    for filter in [
        "id",
        "id:",
        "id:EQ",
        ":EQ:1",
        "id::1",
        "id:EQUALS:1",
        "id:=:1",
        ":",
        "::",
        "id:EQ 1",
        "id:BETWEEN:1",
        "id:NOT:null",
    ] {
        let answer = people.get(&format!("filters={}", encode(filter))).await;
        assert_eq!(answer.status, 400, "{filter}");
        assert_eq!(answer.json()["code"], "INVALID_ARGUMENTS", "{filter}: {}", answer.json());
    }
}

#[tokio::test]
async fn the_error_of_an_invalid_value_names_column_and_type() {
    let people = People::new("casts").await;
    for (filter, column, type_name) in [
        ("id:EQ:x", "id", "bigint"),
        ("id:EQ:", "id", "bigint"),
        ("id:EQ:1.5", "id", "bigint"),
        ("id:EQ:9223372036854775808", "id", "bigint"),
        ("id:GT:null", "id", "bigint"),
        ("id:IN:1,x", "id", "bigint"),
        ("id:IN:1,,2", "id", "bigint"),
        ("id:BETWEEN:1,x", "id", "bigint"),
        ("small:EQ:128", "small", "tinyint"),
        ("Mixed:LT:2147483648", "Mixed", "integer"),
        ("score:LT:abc", "score", "double"),
        ("price:EQ:abc", "price", "decimal(10,2)"),
        ("born:EQ:yesterday", "born", "date"),
        ("born:EQ:2023-02-29", "born", "date"),
        ("born:EQ:2023-13-01", "born", "date"),
        ("seen:EQ:25", "seen", "timestamp(6)"),
        ("seen:EQ:2024-01-01T25:00:00", "seen", "timestamp(6)"),
        ("wakes:EQ:24:00:01", "wakes", "time(6)"),
        ("active:EQ:maybe", "active", "boolean"),
    ] {
        let answer = people.get(&format!("filters={}", encode(filter))).await;
        assert_eq!(answer.status, 400, "{filter}");
        answer.error(400, "INVALID_CAST_ARGUMENT", [column, type_name]);
    }
}

#[tokio::test]
async fn several_filters_must_all_hold() {
    let people = People::new("several").await;
    for (filters, expected) in [
        (&["id:GT:2", "id:LT:5"][..], &[3, 4][..]),
        (&["id:EQ:1", "id:EQ:2"], &[]),
        (&["active:EQ:true", "score:GT:0", "name:NEQ:Ann"], &[4]),
        (&["id:IS_NOT:null", "name:IS:null"], &[7]),
    ] {
        let query: Vec<String> = filters.iter().map(|filter| format!("filters={}", encode(filter))).collect();
        let rows = people.get(&format!("columnNames=id&{}", query.join("&"))).await.ok();
        let ids: Vec<u64> =
            rows.as_array().expect("rows").iter().filter_map(|row| row["id"].as_u64()).collect();
        assert_eq!(ids, expected, "{filters:?}");
    }
}

#[tokio::test]
async fn rows_have_the_requested_columns() {
    let people = People::new("projecting").await;
    let first = async |query: &str| people.get(&format!("limit=1&{query}")).await.ok()[0].clone();
    assert_eq!(first("columnNames=name").await, json!({ "name": "Ann" }));
    assert_eq!(first("columnNames=born,id").await, json!({ "id": 1, "born": "1999-12-31" }));
    assert_eq!(first("columnNames=a:b,MIXED").await, json!({ "a:b": "one", "Mixed": 11 }));
    assert_eq!(first("columnNames=TWIN").await, json!({ "TWIN": 31 }));
    assert_eq!(first("columnNames=name&filters=id:GT:1").await, json!({ "name": "Bob" }));
    let whole = json!({
        "id": 1, "name": "Ann", "score": 1.5, "price": 1.10, "born": "1999-12-31", "seen": "2024-01-01T00:00:00.000001",
        "wakes": "06:30:00.000000", "active": true, "raw": "YQ==", "tags": ["a"], "place": { "x": 1 }, "small": -128,
        "a:b": "one", "a": "b", "Mixed": 11, "twin": 21, "TWIN": 31,
    });
    assert_eq!(first("x=1").await, whole);
    for names in ["nope", "id,nope"] {
        let last = names.split(',').next_back().expect("a name");
        people.get(&format!("columnNames={names}")).await.error(400, "COLUMN_NOT_FOUND", [last]);
    }
    for names in ["id,", ",", "id,,name"] {
        assert_eq!(people.get(&format!("columnNames={names}")).await.status, 400, "{names}");
    }
}

#[tokio::test]
async fn pages_keep_the_order_of_the_materialization() {
    let server = SERVER.get();
    let workspace = server.new_workspace("ordered").await;
    let sql = "SELECT n_name, n_nationkey FROM tpch.tiny.nation ORDER BY n_name DESC";
    server.new_view(&workspace, "ordered", sql).await;
    let path = "/v1/data/ordered/materializedView/ordered";
    let all = server.get(path).await.ok();
    let all = all.as_array().expect("rows");
    let names: Vec<&str> = all.iter().filter_map(|row| row["n_name"].as_str()).collect();
    assert!(names.len() == 25 && names.is_sorted_by(|a, b| a > b), "{names:?}");
    for (limit, offset) in [(3, 0), (3, 3), (10, 20), (1, 24), (5, 25), (0, 0), (1000, 24)] {
        let page = server.get(&format!("{path}?limit={limit}&offset={offset}")).await.ok();
        let expected: Vec<Value> = all.iter().skip(offset).take(limit).cloned().collect();
        assert_eq!(page, json!(expected), "limit {limit}, offset {offset}");
    }
    // A page of the rows that a filter selects.
    let kept: Vec<&Value> = all.iter().filter(|row| row["n_nationkey"].as_u64() > Some(9)).collect();
    assert_eq!(server.get(&format!("{path}?filters=n_nationkey:GT:9")).await.ok(), json!(kept));
    for (limit, offset) in [(4, 0), (4, 4), (4, 13), (4, 15)] {
        let query = format!("{path}?filters=n_nationkey:GT:9&limit={limit}&offset={offset}");
        let expected: Vec<&&Value> = kept.iter().skip(offset).take(limit).collect();
        assert_eq!(server.get(&query).await.ok(), json!(expected), "limit {limit}, offset {offset}");
    }
    assert_eq!(server.get(&format!("{path}?offset=20")).await.ok(), json!(all[20..]));
}
