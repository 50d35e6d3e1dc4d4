//! Conditions over files, whatever their columns' types and writers, hold for the same rows as over the same values
//! written as VALUES: neither the metadata of files nor pruning changes an answer. The first case was `WHERE c >= TIME
//! '12:00:00'`, for which a Parquet file returned no rows.
//!
//! The files are written by `tests/python/typed_files.py`. `ROWHOUSE_TEST_SEED` gives their rows other values.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use rowhouse_tests::{Server, SharedServer, id_of, python, run_script};
use serde::Deserialize;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::task::JoinSet;

// A workspace may fill half of the queue if another one uses it, too.
static SERVER: SharedServer = SharedServer::new(&["--limits-queued-statements", "4000"]);

/// Number of conditions on a column of one file; the next file gets others.
const CONDITIONS_OF_FILE: usize = 40;

/// Output of the script.
#[derive(Clone, Deserialize)]
struct Written {
    files: Vec<WrittenFile>,
    columns: BTreeMap<String, Column>,
}

#[derive(Clone, Deserialize)]
struct WrittenFile {
    name: String,
    path: String,
    format: String,
    columns: Vec<String>,
}

/// A column's type and values, as SQL.
#[derive(Clone, Deserialize)]
struct Column {
    #[serde(rename = "type")]
    data_type: String,
    values: Vec<Option<String>>,
    /// Some of the values, each once.
    present: Vec<String>,
    /// Further values to compare with.
    absent: Vec<String>,
    /// Those of both that a view can be filtered by, and how its filters write them.
    filters: BTreeMap<String, String>,
}

/// A column, its conditions, and the expected answers of its values as VALUES.
struct Asked {
    name: String,
    column: Column,
    conditions: Vec<String>,
    /// For each condition the rows for which it is TRUE.
    ids: Vec<BTreeSet<i64>>,
    /// The rows of the statement of [`Column::branches`].
    branches: BTreeSet<String>,
}

fn write_files() -> Option<(Written, TempDir)> {
    let interpreter = python(&["pyarrow"])?;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let seed = std::env::var("ROWHOUSE_TEST_SEED").unwrap_or_default();
    let path = folder.path().to_str().expect("a path in UTF-8");
    let printed = run_script(interpreter, "typed_files.py", &[path, &seed], "");
    Some((serde_json::from_str(&printed).expect("what was written"), folder))
}

fn quoted(name: &str) -> String {
    format!("\"{name}\"")
}

impl Column {
    /// The rows as VALUES, with the columns `id` and `name`.
    fn written_out(&self, name: &str) -> String {
        let mut rows = String::new();
        for (id, value) in self.values.iter().enumerate() {
            let value = value.as_deref().unwrap_or("NULL");
            let separator = if id == 0 { "" } else { ", " };
            // A literal is not cast to an interval.
            let _ = match self.is_interval() {
                true => write!(rows, "{separator}({id}, {value})"),
                false => write!(rows, "{separator}({id}, CAST({value} AS {}))", self.data_type),
            };
        }
        format!("(VALUES {rows}) t (id, {})", quoted(name))
    }

    fn is_interval(&self) -> bool {
        self.data_type.starts_with("interval")
    }

    /// Whether values of a column may have another zone than the same instants as VALUES.
    fn has_zone(&self) -> bool {
        self.data_type.ends_with("with time zone")
    }

    fn is_text(&self) -> bool {
        self.data_type == "varchar"
    }

    /// The values that the column is compared with.
    fn operands(&self) -> Vec<&str> {
        self.present.iter().chain(&self.absent).map(String::as_str).collect()
    }

    fn conditions(&self, name: &str) -> Vec<String> {
        let c = quoted(name);
        let operands = self.operands();
        let mut all = vec![
            format!("{c} IS NULL"),
            format!("{c} IS NOT NULL"),
            format!("{c} IS DISTINCT FROM NULL"),
            format!("{c} = NULL OR {c} IS NULL"),
            format!("NOT ({c} IS NULL OR id > 40)"),
        ];
        for (place, operand) in operands.iter().enumerate() {
            for operator in ["=", "<>", "<", "<=", ">", ">=", "IS DISTINCT FROM", "IS NOT DISTINCT FROM"] {
                all.push(format!("{c} {operator} {operand}"));
                all.push(format!("{operand} {operator} {c}"));
            }
            let at = |distance: usize| operands[(place + distance) % operands.len()];
            let [second, third, fourth, fifth] = [1, 2, 3, 5].map(at);
            all.extend([
                format!("NOT ({c} = {operand})"),
                format!("NOT ({c} < {operand})"),
                format!("{c} IN ({operand})"),
                format!("{c} IN ({operand}, {second})"),
                format!("{c} IN ({operand}, {second}, {third}, {fourth}, {fifth})"),
                format!("{c} IN ({operand}, NULL, {third}, {fourth}, {fifth})"),
                format!("{c} NOT IN ({operand}, {third})"),
                format!("{c} NOT IN ({operand}, {second}, {third}, {fourth}, {fifth})"),
                format!("{c} NOT IN ({operand}, NULL)"),
                format!("{c} BETWEEN {operand} AND {third}"),
                format!("{c} BETWEEN {third} AND {operand}"),
                format!("{c} NOT BETWEEN {operand} AND {fourth}"),
                format!("{c} = {operand} OR {c} IS NULL"),
                format!("{c} >= {operand} AND {c} <> {second} AND id <> 3"),
                format!("{c} < {operand} OR {c} > {third}"),
                format!("coalesce({c}, {operand}) = {operand}"),
                format!("nullif({c}, {operand}) IS NULL"),
                format!("CASE WHEN {c} = {operand} THEN true WHEN {c} > {second} THEN false END"),
                format!("CAST({c} AS varchar) = CAST({operand} AS varchar)"),
                format!("CAST({c} AS {}) <= {operand}", self.data_type),
                format!("greatest({c}, {operand}) = {c}"),
            ]);
            if self.data_type == "varbinary" || self.has_zone() {
                all.retain(|condition| !condition.contains("AS varchar"));
            }
            if self.is_interval() {
                all.retain(|condition| !condition.contains("AS interval"));
            }
            if ["integer", "bigint", "smallint", "tinyint", "double", "real"].contains(&&*self.data_type) {
                all.push(format!("CAST({c} AS double) + 0 >= {operand}"));
                all.push(format!("{c} > 1.5"));
            }
        }
        if self.data_type == "boolean" {
            all.extend([c.clone(), format!("NOT {c}"), format!("{c} IS TRUE"), format!("{c} IS NOT TRUE")]);
        }
        if self.is_text() {
            for pattern in
                ["a%", "abc%", "%c", "a_c%", "", "%", "ä%", "z%z", "abcdefghijklmno_", "B%", "zzzz%"]
            {
                all.extend([format!("{c} LIKE '{pattern}'"), format!("{c} NOT LIKE '{pattern}'")]);
            }
            all.push(format!("starts_with({c}, 'ab')"));
            all.push(format!("length({c}) > 2"));
        }
        if self.data_type.starts_with("timestamp") {
            all.push(format!("CAST({c} AS date) >= DATE '2020-01-01'"));
            all.push(format!("year({c}) = 2020"));
        }
        if self.data_type.starts_with("time(") {
            all.push(format!("hour({c}) >= 12"));
        }
        if self.data_type == "date" {
            all.push(format!("CAST({c} AS timestamp(3)) > TIMESTAMP '2024-01-01 00:00:00'"));
            all.push(format!("year({c}) = 2024"));
        }
        all
    }

    /// A statement over all rows: joins, whose small side becomes a dynamic filter of the large one, top-k and
    /// aggregates. Each row of the answer names its branch.
    fn branches(&self, name: &str, relation: &str) -> String {
        let c = quoted(name);
        let operands = self.operands();
        let few = |count: usize| {
            let taken: Vec<String> =
                operands.iter().cycle().take(count).map(|operand| format!("({operand})")).collect();
            format!("(VALUES {}) d (k)", taken.join(", "))
        };
        let text = match self.data_type.as_str() {
            "varbinary" => |value: String| format!("to_hex({value})"),
            _ if self.has_zone() => |value: String| format!("CAST({value} AT TIME ZONE 'UTC' AS varchar)"),
            _ => |value: String| format!("CAST({value} AS varchar)"),
        };
        let id = "CAST(id AS varchar)";
        let all = [
            format!("SELECT {id} FROM {relation} JOIN {} ON {c} = d.k", few(3)),
            format!(
                "SELECT {id} FROM {relation} JOIN (SELECT DISTINCT k FROM {}) e ON {c} = e.k AND id <> 5",
                few(4)
            ),
            format!("SELECT {id} FROM {relation} WHERE {c} IN (SELECT k FROM {})", few(3)),
            format!("SELECT {id} FROM {relation} WHERE {c} NOT IN (SELECT k FROM {})", few(3)),
            format!("SELECT {id} FROM {relation} WHERE EXISTS (SELECT 1 FROM {} WHERE d.k = {c})", few(2)),
            format!(
                "SELECT {id} FROM {relation} WHERE NOT EXISTS (SELECT 1 FROM {} WHERE d.k >= {c})",
                few(1)
            ),
            format!("SELECT {id} FROM {relation} LEFT JOIN {} ON {c} = d.k WHERE d.k IS NULL", few(2)),
            format!("SELECT {id} FROM {relation} WHERE {c} = (SELECT max(k) FROM {})", few(5)),
            format!(
                "SELECT {id} FROM {relation} WHERE {c} < (SELECT min({c}) FROM {relation} WHERE id > 30)"
            ),
            format!("SELECT {id} FROM (SELECT id FROM {relation} ORDER BY {c}, id LIMIT 7) x"),
            format!("SELECT {id} FROM (SELECT id FROM {relation} ORDER BY {c} DESC, id LIMIT 7) x"),
            format!(
                "SELECT {id} FROM (SELECT id FROM {relation} ORDER BY {c} NULLS FIRST, id DESC LIMIT 33) x"
            ),
            format!(
                "SELECT {id} FROM (SELECT id FROM {relation} ORDER BY {c} DESC NULLS FIRST, id OFFSET 20 LIMIT 5) x"
            ),
            format!("SELECT {} FROM (SELECT {c} FROM {relation} ORDER BY {c} LIMIT 4) x", text(c.clone())),
            format!(
                "SELECT {} FROM (SELECT {c} FROM {relation} ORDER BY {c} DESC LIMIT 4) x",
                text(c.clone())
            ),
            format!("SELECT {} FROM {relation}", text(format!("min({c})"))),
            format!("SELECT {} FROM {relation}", text(format!("max({c})"))),
            format!(
                "SELECT {} FROM {relation} WHERE {c} IS NOT NULL GROUP BY id / 10",
                text(format!("max({c})"))
            ),
            format!("SELECT CAST(count(*) + 100 * count({c}) AS varchar) FROM {relation}"),
            format!("SELECT CAST(count(DISTINCT {c}) AS varchar) FROM {relation}"),
            format!("SELECT CAST(count(*) AS varchar) FROM {relation} GROUP BY {c}"),
            format!("SELECT CAST(count(DISTINCT {c}) AS varchar) FROM {relation} GROUP BY id % 4"),
        ];
        let branches = all.iter().enumerate().map(|(number, branch)| {
            format!("SELECT {number} AS branch, count(*) AS copies, t FROM ({branch}) b (t) GROUP BY t")
        });
        branches.collect::<Vec<_>>().join(" UNION ALL ")
    }
}

/// Rows of `SELECT id, condition, …`: for each condition the rows for which it is TRUE.
fn true_ids(rows: &Value, conditions: usize) -> Vec<BTreeSet<i64>> {
    let mut ids = vec![BTreeSet::new(); conditions];
    for row in rows.as_array().expect("rows") {
        for (place, ids) in ids.iter_mut().enumerate() {
            if row[place + 1] == json!(true) {
                ids.insert(row[0].as_i64().expect("an id"));
            }
        }
    }
    ids
}

fn select_list(conditions: &[String], relation: &str) -> String {
    let columns: Vec<String> =
        conditions.iter().enumerate().map(|(place, condition)| format!("{condition} AS c{place}")).collect();
    format!("SELECT id, {} FROM {relation}", columns.join(", "))
}

fn lines(rows: &Value) -> BTreeSet<String> {
    rows.as_array().expect("rows").iter().map(ToString::to_string).collect()
}

/// The rows of a statement, or why it failed.
async fn rows(server: &Server, workspace: &str, sql: &str) -> Result<Value, String> {
    let query = server.run(workspace, sql).await;
    if query["status"] == "FINISHED" {
        return Ok(server.result(workspace, &id_of(&query)).await["result"].clone());
    }
    let start: String = sql.chars().take(300).collect();
    Err(format!("{}: {start}", query["error"]["message"]))
}

/// Computes the expected answers from VALUES.
async fn ask(server: &Server, workspace: &str, name: String, column: Column) -> Result<Asked, String> {
    let relation = column.written_out(&name);
    let conditions = column.conditions(&name);
    let mut ids = Vec::new();
    for some in conditions.chunks(100) {
        let rows = rows(server, workspace, &select_list(some, &relation)).await?;
        ids.extend(true_ids(&rows, some.len()));
    }
    let branches = lines(&rows(server, workspace, &column.branches(&name, &relation)).await?);
    Ok(Asked { name, column, conditions, ids, branches })
}

/// Computes the expected answers of all columns, and lists those that cannot be computed.
async fn ask_all(server: &Arc<Server>, workspace: &str, written: &Written) -> (Vec<Arc<Asked>>, Vec<String>) {
    let mut asking = JoinSet::new();
    for (name, column) in written.columns.clone() {
        let (server, workspace) = (Arc::clone(server), workspace.to_owned());
        asking.spawn(async move { ask(&server, &workspace, name, column).await });
    }
    let (mut asked, mut refusals) = (Vec::new(), Vec::new());
    for answer in asking.join_all().await {
        match answer {
            Ok(column) => asked.push(Arc::new(column)),
            Err(refusal) => refusals.push(refusal),
        }
    }
    (asked, refusals)
}

/// The differences between the answers of a column of a file and the expected ones.
async fn faults(
    server: &Server,
    workspace: &str,
    table: &str,
    number: usize,
    asked: &Asked,
) -> Result<Vec<String>, String> {
    let c = quoted(&asked.name);
    let mut faults = Vec::new();
    let values = format!(
        "SELECT f.id FROM {table} f JOIN {} ON f.id = t.id WHERE f.{c} IS DISTINCT FROM t.{c}",
        asked.column.written_out(&asked.name)
    );
    let differing = rows(server, workspace, &values).await?;
    if differing != json!([]) {
        faults.push(format!("{table}: {c} is not what was written in the rows {differing}"));
    }
    // Each file gets a part of the conditions, and other files get others.
    let step = asked.conditions.len().div_ceil(CONDITIONS_OF_FILE).max(1);
    let places: Vec<usize> = (number % step..asked.conditions.len()).step_by(step).collect();
    let wheres = places
        .iter()
        .map(|place| format!("SELECT {place} AS place, id FROM {table} WHERE {}", asked.conditions[*place]));
    let wheres = wheres.collect::<Vec<_>>().join(" UNION ALL ");
    let mut found: BTreeMap<usize, Vec<i64>> = BTreeMap::new();
    for row in rows(server, workspace, &wheres).await?.as_array().expect("rows") {
        let place = usize::try_from(row[0].as_u64().expect("a place")).expect("a place");
        found.entry(place).or_default().push(row[1].as_i64().expect("an id"));
    }
    let some: Vec<String> = places.iter().map(|place| asked.conditions[*place].clone()).collect();
    let selected = true_ids(&rows(server, workspace, &select_list(&some, table)).await?, some.len());
    for (place, selected) in places.into_iter().zip(selected) {
        let condition = &asked.conditions[place];
        let expected = &asked.ids[place];
        let mut found = found.remove(&place).unwrap_or_default();
        found.sort_unstable();
        if !found.iter().eq(expected) {
            faults.push(format!("{table}: WHERE {condition}\n    gives {found:?}\n    not   {expected:?}"));
        }
        if selected != *expected {
            faults.push(format!(
                "{table}: SELECT {condition}\n    holds for {selected:?}\n    not for   {expected:?}"
            ));
        }
    }
    let found = lines(&rows(server, workspace, &asked.column.branches(&asked.name, table)).await?);
    let differing: Vec<&String> = found.symmetric_difference(&asked.branches).collect();
    if !differing.is_empty() {
        faults.push(format!("{table}: {c}: the branches differ in {differing:?}"));
    }
    Ok(faults)
}

#[tokio::test(flavor = "multi_thread")]
async fn conditions_over_files_give_the_same_rows_as_over_values() {
    let Some((written, _folder)) = write_files() else { return };
    let server = SERVER.get();
    let workspace = server.new_workspace("typed_files").await;
    let (asked, mut all) = ask_all(&server, &workspace, &written).await;
    let mut checks = JoinSet::new();
    for (number, file) in written.files.iter().enumerate() {
        let table = server.new_table(&workspace, &file.name, Path::new(&file.path)).await;
        assert_eq!(table["format"], json!(file.format));
        let types = table["columns"].as_array().expect("columns").iter();
        let types: BTreeMap<&str, &Value> =
            types.map(|column| (column["name"].as_str().expect("a name"), &column["type"])).collect();
        for name in &file.columns {
            let Some(asked) = asked.iter().find(|asked| asked.name == *name) else { continue };
            if *types[name.as_str()] != asked.column.data_type {
                all.push(format!("{}: {name} is {}", file.name, types[name.as_str()]));
                continue;
            }
            let (server, workspace, table) = (Arc::clone(&server), workspace.clone(), file.name.clone());
            let asked = Arc::clone(asked);
            checks.spawn(async move { faults(&server, &workspace, &table, number, &asked).await });
        }
    }
    while let Some(faults) = checks.join_next().await {
        all.extend(faults.expect("a check that ends").unwrap_or_else(|refusal| vec![refusal]));
    }
    all.sort();
    assert!(all.is_empty(), "{} faults:\n{}", all.len(), all.join("\n"));
}

/// The ids of the rows that a read of a view returns, in their order.
async fn read_ids(server: &Server, path: &str, query: &str) -> Vec<i64> {
    let answer = server.get(&format!("{path}?columnNames=id&{query}")).await;
    assert_eq!(answer.status, 200, "{query}: {:?}", answer.body);
    let rows = answer.ok();
    rows.as_array().expect("rows").iter().map(|row| row["id"].as_i64().expect("an id")).collect()
}

/// Percent-encodes all but unreserved characters.
fn encode(text: &str) -> String {
    let encode_byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(encode_byte).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn filters_and_orders_of_views_match_sql() {
    let Some((written, _folder)) = write_files() else { return };
    let server = SERVER.get();
    let workspace = server.new_workspace("typed_views").await;
    let (asked, refusals) = ask_all(&server, &workspace, &written).await;
    assert_eq!(refusals, Vec::<String>::new());
    for file_name in ["plain", "ndjson", "by_hand_exact"] {
        let file = written.files.iter().find(|file| file.name == file_name).expect("a file");
        server.new_table(&workspace, file_name, Path::new(&file.path)).await;
        let view = format!("v_{file_name}");
        server.new_view(&workspace, &view, &format!("SELECT * FROM {file_name} ORDER BY id")).await;
        let path = format!("/v1/data/typed_views/materializedView/{view}");
        for name in &file.columns {
            let asked = asked.iter().find(|asked| asked.name == *name).expect("a column that was asked");
            check_view(&server, &workspace, &path, asked).await;
        }
    }
}

async fn check_view(server: &Server, workspace: &str, path: &str, asked: &Asked) {
    let (name, c) = (&asked.name, quoted(&asked.name));
    let expected = |condition: &str| -> Vec<i64> {
        let place = asked.conditions.iter().position(|known| known == condition);
        let place = place.unwrap_or_else(|| panic!("{condition} was not asked"));
        asked.ids[place].iter().copied().collect()
    };
    let is_ordered = asked.column.data_type != "boolean";
    for (operand, text) in &asked.column.filters {
        for (operator, symbol) in
            [("EQ", "="), ("NEQ", "<>"), ("LT", "<"), ("LTE", "<="), ("GT", ">"), ("GTE", ">=")]
        {
            if is_ordered || ["EQ", "NEQ"].contains(&operator) {
                let query = format!("filters={}", encode(&format!("{name}:{operator}:{text}")));
                let found = read_ids(server, path, &query).await;
                assert_eq!(
                    found,
                    expected(&format!("{c} {symbol} {operand}")),
                    "{path}: {name}:{operator}:{text}"
                );
            }
        }
    }
    for (test, condition) in [("IS:null", "IS NULL"), ("IS_NOT:null", "IS NOT NULL")] {
        let found = read_ids(server, path, &format!("filters={name}:{test}")).await;
        assert_eq!(found, expected(&format!("{c} {condition}")), "{path}: {name}:{test}");
    }
    if asked.column.data_type == "varbinary" {
        return;
    }
    let relation = asked.column.written_out(name);
    for (direction, sql) in [("asc", "ASC"), ("desc", "DESC")] {
        let rows = server.rows(workspace, &format!("SELECT id FROM {relation} ORDER BY {c} {sql}, id")).await;
        let expected: Vec<i64> =
            rows.as_array().expect("rows").iter().map(|row| row[0].as_i64().expect("an id")).collect();
        let found = read_ids(server, path, &format!("orderBy={name}:{direction}")).await;
        assert_eq!(found, expected, "{path}: orderBy={name}:{direction}");
        let found = read_ids(server, path, &format!("orderBy={name}:{direction}&offset=3&limit=9")).await;
        assert_eq!(found, expected[3..12], "{path}: orderBy={name}:{direction} in part");
    }
}
