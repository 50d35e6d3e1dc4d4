//! Tables over files: each format, a file, a glob and a folder, files that change, locations that are refused, and
//! dropped tables.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use rowhouse_tests::{Server, SharedServer, data_file, id_of};
use serde_json::{Value, json};
use tempfile::TempDir;

static SERVER: SharedServer = SharedServer::new(&[]);

async fn workspace(name: &str) -> (Arc<Server>, String, TempDir) {
    let server = SERVER.get();
    let workspace = server.new_workspace(name).await;
    (server, workspace, tempfile::tempdir().expect("a temporary folder"))
}

fn write(path: &Path, text: &str) {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).expect("a folder");
    }
    std::fs::write(path, text).expect("a file");
}

#[track_caller]
fn types(table: &Value) -> Vec<(&str, &str)> {
    let columns = table["columns"].as_array().unwrap_or_else(|| panic!("no columns in {table}"));
    columns.iter().filter_map(|column| Some((column["name"].as_str()?, column["type"].as_str()?))).collect()
}

#[tokio::test]
async fn csv_is_read_with_its_header_and_types() {
    let (server, workspace, folder) = workspace("csv").await;
    let file = folder.path().join("cities.csv");
    write(
        &file,
        "city,inhabitants,area,founded,capital\nBern,137000,51.6,1191-01-01,true\n\"Zug, \"\"ZG\"\"\",31000,21.6,,false\n\"two\nlines\",,,,\nGenève,203000,15.9,2000-02-29,false\n",
    );
    let table = server.new_table(&workspace, "cities", &file).await;
    assert_eq!((&table["name"], &table["format"]), (&json!("cities"), &json!("csv")), "{table}");
    assert_eq!(table["location"].as_str(), file.to_str());
    let expected = [
        ("city", "varchar"),
        ("inhabitants", "bigint"),
        ("area", "double"),
        ("founded", "date"),
        ("capital", "boolean"),
    ];
    assert_eq!(types(&table), expected);
    let rows = server.rows(&workspace, "SELECT * FROM cities").await;
    let expected = json!([
        ["Bern", 137_000, 51.6, "1191-01-01", true],
        ["Zug, \"ZG\"", 31_000, 21.6, null, false],
        ["two\nlines", null, null, null, null],
        ["Genève", 203_000, 15.9, "2000-02-29", false],
    ]);
    assert_eq!(rows, expected);
    let listed = server.get(&format!("/api/v1/tables?workspaceId={workspace}")).await.ok();
    let listed = listed.as_array().expect("tables").iter().find(|table| table["name"] == "cities").cloned();
    let listed = listed.expect("the table is listed");
    for field in ["name", "location", "format", "columns"] {
        assert_eq!(listed[field], table[field], "{field}");
    }
    let joined = "SELECT c.city, n.n_name FROM cities c JOIN tpch.tiny.nation n ON n.n_nationkey = 18 WHERE c.inhabitants > 200000";
    assert_eq!(server.rows(&workspace, joined).await, json!([["Genève", "CHINA"]]));
}

#[tokio::test]
async fn ndjson_is_read_with_nested_values() {
    let (server, workspace, folder) = workspace("ndjson").await;
    for name in ["events.ndjson", "events.jsonl"] {
        let file = folder.path().join(name);
        write(
            &file,
            "{\"id\":1,\"name\":\"a\",\"tags\":[\"x\",\"y\"],\"at\":{\"x\":1.5,\"y\":null}}\n{\"id\":2,\"name\":null,\"tags\":[],\"at\":null}\n{\"id\":3,\"name\":\"\\u00fc\\n\",\"tags\":null,\"at\":{\"x\":null,\"y\":\"t\"}}\n",
        );
        let table = name.replace('.', "_");
        server.new_table(&workspace, &table, &file).await;
        let rows =
            server.rows(&workspace, &format!("SELECT id, name, tags, at FROM {table} ORDER BY id")).await;
        let expected = json!([
            [1, "a", ["x", "y"], { "x": 1.5, "y": null }],
            [2, null, [], null],
            [3, "ü\n", null, { "x": null, "y": "t" }],
        ]);
        assert_eq!(rows, expected, "{name}");
    }
}

#[tokio::test]
async fn parquet_and_arrow_files_give_the_same_rows() {
    let (server, workspace, _folder) = workspace("binary_files").await;
    let parquet = server.new_table(&workspace, "p", &data_file("types.parquet")).await;
    let arrow = server.new_table(&workspace, "a", &data_file("types.arrow")).await;
    assert_eq!((&parquet["format"], &arrow["format"]), (&json!("parquet"), &json!("arrow")));
    assert_eq!(types(&parquet), types(&arrow));
    let expected = [
        ("id", "bigint"),
        ("c_boolean", "boolean"),
        ("c_tinyint", "tinyint"),
        ("c_smallint", "smallint"),
        ("c_integer", "integer"),
        ("c_bigint", "bigint"),
        ("c_real", "real"),
        ("c_double", "double"),
        ("c_decimal", "decimal(18,4)"),
        ("c_big_decimal", "decimal(38,10)"),
        ("c_varchar", "varchar"),
        ("c_varbinary", "varbinary"),
        ("c_date", "date"),
        ("c_time", "time(6)"),
        ("c_timestamp_3", "timestamp(3)"),
        ("c_timestamp_6", "timestamp(6)"),
        ("c_timestamp_9", "timestamp(9)"),
        ("c_zoned_3", "timestamp(3) with time zone"),
        ("c_zoned_6", "timestamp(6) with time zone"),
        ("c_array", "array(bigint)"),
        ("c_texts", "array(varchar)"),
        ("c_row", "row(x bigint, y varchar)"),
        ("c_nested", "array(row(k varchar, v array(double)))"),
    ];
    assert_eq!(types(&parquet), expected);
    assert_eq!(parquet["rowCount"], 5, "{parquet}");
    let one = server.rows(&workspace, "SELECT * FROM p ORDER BY id").await;
    let other = server.rows(&workspace, "SELECT * FROM a ORDER BY id").await;
    assert_eq!(one, other);
    assert_eq!(one.as_array().map(Vec::len), Some(5));
}

#[tokio::test]
async fn a_location_is_a_file_a_glob_or_a_folder() {
    let (server, workspace, folder) = workspace("locations").await;
    let root = folder.path();
    for (name, number) in [("a.csv", 1), ("b.csv", 2), ("c.csv", 4)] {
        write(&root.join("parts").join(name), &format!("n\n{number}\n"));
    }
    write(&root.join("parts/notes.txt"), "no table\n");
    write(&root.join("mixed/a.csv"), "n\n8\n");
    let sum = async |name: &str| {
        server.rows(&workspace, &format!("SELECT sum(n), count(*) FROM {name}")).await[0].clone()
    };
    server.new_table(&workspace, "glob", &root.join("parts/*.csv")).await;
    assert_eq!(sum("glob").await, json!([7, 3]));
    server.new_table(&workspace, "some", &root.join("parts/[ab].csv")).await;
    assert_eq!(sum("some").await, json!([3, 2]));
    server.new_table(&workspace, "folder", &root.join("mixed")).await;
    assert_eq!(sum("folder").await, json!([8, 1]));
    let body = json!({ "workspaceId": workspace, "name": "named", "location": root.join("parts/*.csv"), "format": "csv" });
    server.post("/api/v1/table", body).await.ok();
    assert_eq!(sum("named").await, json!([7, 3]));
    // Regression: a file counted once for each way in which the pattern matches it.
    write(&root.join("q/a/a/a/one.csv"), "n\n32\n");
    for (name, pattern) in [("twice", "q/**/a/**/one.csv"), ("often", "q/**/*/**/*.csv")] {
        server.new_table(&workspace, name, &root.join(pattern)).await;
        assert_eq!(sum(name).await, json!([32, 1]));
    }
    // A new file is seen by the next statement, a removed one no longer.
    write(&root.join("parts/d.csv"), "n\n8\n");
    assert_eq!(sum("glob").await, json!([15, 4]));
    std::fs::remove_file(root.join("parts/a.csv")).expect("it was there");
    assert_eq!(sum("glob").await, json!([14, 3]));
    // The file extension does not matter if the format is given.
    write(&root.join("data.bin"), "n\n16\n");
    let body = json!({ "workspaceId": workspace, "name": "told", "location": root.join("data.bin"), "format": "csv" });
    server.post("/api/v1/table", body).await.ok();
    assert_eq!(sum("told").await, json!([16, 1]));
}

#[tokio::test]
async fn a_replaced_file_is_seen_by_the_next_statement() {
    let (server, workspace, folder) = workspace("replacing").await;
    let file = folder.path().join("t.csv");
    write(&file, "n\n1\n");
    server.new_table(&workspace, "t", &file).await;
    assert_eq!(server.rows(&workspace, "SELECT * FROM t").await, json!([[1]]));
    // Files are appended to, replaced by others, and get other columns and types.
    let mut open = std::fs::OpenOptions::new().append(true).open(&file).expect("the file");
    writeln!(open, "2").expect("a line");
    drop(open);
    assert_eq!(server.rows(&workspace, "SELECT * FROM t").await, json!([[1], [2]]));
    let next = folder.path().join("next.csv");
    write(&next, "m,n\nx,y\n");
    std::fs::rename(&next, &file).expect("a rename");
    let query = server.run(&workspace, "SELECT * FROM t").await;
    assert_eq!(server.result(&workspace, &id_of(&query)).await["result"], json!([["x", "y"]]));
    let names: Vec<&Value> =
        query["columns"].as_array().expect("columns").iter().map(|column| &column["name"]).collect();
    assert_eq!(names, ["m", "n"]);
    std::fs::remove_file(&file).expect("it was there");
    let query = server.run(&workspace, "SELECT * FROM t").await;
    assert_eq!(query["status"], "FAILED", "{query}");
    write(&file, "n\n5\n");
    assert_eq!(server.rows(&workspace, "SELECT n FROM t").await, json!([[5]]));
    // A file that is not of its format fails the statement, not the server.
    let broken = folder.path().join("broken.parquet");
    std::fs::copy(data_file("people.parquet"), &broken).expect("a copy");
    server.new_table(&workspace, "broken", &broken).await;
    let bytes = std::fs::read(&broken).expect("the copy");
    std::fs::write(&broken, &bytes[..bytes.len() / 2]).expect("half of it");
    let query = server.run(&workspace, "SELECT count(*), max(name) FROM broken").await;
    assert_eq!(query["status"], "FAILED", "{query}");
    assert_eq!(server.rows(&workspace, "SELECT n FROM t").await, json!([[5]]));
}

/// Regression: every statement over such a file was an internal error.
#[tokio::test]
async fn faults_of_a_csv_file_are_the_files() {
    let (server, workspace, folder) = workspace("faulty").await;
    let file = folder.path().join("t.csv");
    let quote = "a field in quotes has no end, or a quote in it is not doubled";
    for (number, (bytes, fault)) in
        [(&b"k,v\n1,ok\n2,\xff\xfe\n"[..], "invalid UTF-8 in a field"), (b"k,v\n1,\"ok\n2,x\n", quote)]
            .into_iter()
            .enumerate()
    {
        std::fs::write(&file, bytes).expect("a file");
        let name = format!("t{number}");
        server.new_table(&workspace, &name, &file).await;
        for sql in ["SELECT * FROM t", "SELECT count(*), count(v) FROM t", "SELECT 1 FROM t WHERE v = 'ok'"] {
            let query = server.run(&workspace, &sql.replace(" t", &format!(" {name}"))).await;
            let error = &query["error"];
            assert_eq!(
                (&error["errorName"], &error["errorType"]),
                (&json!("GENERIC_EXTERNAL"), &json!("EXTERNAL"))
            );
            let expected = format!("cannot read CSV file {}: {fault}", file.display());
            assert_eq!((&error["message"], &error["failureInfo"]), (&json!(expected), &Value::Null), "{sql}");
        }
    }
}

/// Regression: likewise for a page of Parquet that cannot be decoded.
#[tokio::test]
async fn faults_of_a_parquet_file_are_the_files() {
    let (server, workspace, folder) = workspace("damaged").await;
    let query = server.run(&workspace, "SELECT n_nationkey, n_name, n_comment FROM tpch.tiny.nation").await;
    let path = format!("/api/v1/query/{}/result?workspaceId={workspace}&format=parquet", id_of(&query));
    let mut bytes = server.get(&path).await.body.to_vec();
    bytes[300..360].fill(0xff);
    let file = folder.path().join("t.parquet");
    std::fs::write(&file, bytes).expect("a file");
    server.new_table(&workspace, "t", &file).await;
    for sql in ["SELECT * FROM t", "SELECT n_name, count(*) FROM t WHERE n_comment <> 'x' GROUP BY n_name"] {
        let query = server.run(&workspace, sql).await;
        let error = &query["error"];
        assert_eq!(
            (&error["errorName"], &error["failureInfo"]),
            (&json!("GENERIC_EXTERNAL"), &Value::Null),
            "{query}"
        );
        let message = error["message"].as_str().expect("a message");
        assert!(message.starts_with(&format!("cannot read Parquet file {}: ", file.display())), "{message}");
    }
}

#[tokio::test]
async fn an_invalid_table_location_is_refused() {
    let (server, workspace, folder) = workspace("refusing").await;
    let root = folder.path();
    write(&root.join("a.csv"), "n\n1\n");
    write(&root.join("no.table"), "n\n1\n");
    write(&root.join("broken.parquet"), "this is no Parquet file");
    std::fs::create_dir(root.join("empty")).expect("a folder");
    // Regression: such files ended their worker, or its answer did not fit.
    let brackets = "[".repeat(1_000_000);
    write(&root.join("text/deep.ndjson"), &format!("{{\"a\":1}}\n{{\"a\":{brackets}}}\n"));
    let names: Vec<String> = (0..200_000).map(|name| name.to_string()).collect();
    write(&root.join("text/wide.csv"), &names.join(","));
    for (location, texts) in [
        (root.join("missing.csv"), "missing.csv"),
        (root.join("*.ndjson"), "*.ndjson"),
        (root.join("empty"), "location"),
        (root.join("no.table"), "format"),
        (root.join("broken.parquet"), "broken.parquet"),
        (
            root.join("text/deep.ndjson"),
            "line 2 of 'deep.ndjson' has a column nested more than 20 levels deep",
        ),
        (root.join("text/wide.csv"), "its 200000 columns take"),
    ] {
        let body = json!({ "workspaceId": workspace, "name": "t", "location": location });
        let answer = server.post("/api/v1/table", body).await;
        assert_eq!(answer.status, 400, "{location:?}");
        let message = answer.json()["message"].as_str().expect("a message").to_owned();
        assert!(message.contains(texts), "{location:?}: {message}");
    }
    let body =
        json!({ "workspaceId": workspace, "name": "t", "location": root.join("a.csv"), "format": "xlsx" });
    server.post("/api/v1/table", body).await.error(400, "INVALID_ARGUMENTS", ["format"]);
    assert_eq!(server.get(&format!("/api/v1/tables?workspaceId={workspace}")).await.ok(), json!([]));
}

#[tokio::test]
async fn dropping_a_table_keeps_its_file() {
    let (server, workspace, folder) = workspace("dropping").await;
    let file = folder.path().join("t.csv");
    write(&file, "n\n1\n");
    server.new_table(&workspace, "t", &file).await;
    let body = json!({ "workspaceId": workspace, "name": "t", "location": file });
    server.post("/api/v1/table", body).await.error(409, "ALREADY_EXISTS", ["t"]);
    let query = server.run(&workspace, "SELECT * FROM t").await;
    server.delete(&format!("/api/v1/table/t?workspaceId={workspace}")).await.ok();
    assert!(file.exists());
    server.delete(&format!("/api/v1/table/t?workspaceId={workspace}")).await.error(404, "NOT_FOUND", []);
    let failed = server.run(&workspace, "SELECT * FROM t").await;
    assert_eq!(failed["error"]["errorName"], "TABLE_NOT_FOUND", "{failed}");
    // Computed results stay readable.
    assert_eq!(server.result(&workspace, &id_of(&query)).await["result"], json!([[1]]));
    server.new_table(&workspace, "t", &file).await;
    assert_eq!(server.rows(&workspace, "SELECT * FROM t").await, json!([[1]]));
    // Another workspace does not see it.
    let other = server.new_workspace("dropping_other").await;
    assert_eq!(server.run(&other, "SELECT * FROM t").await["error"]["errorName"], "TABLE_NOT_FOUND");
}

#[tokio::test]
async fn tables_survive_a_restart() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (data_dir, file) = (folder.path().join("data"), folder.path().join("t.csv"));
    write(&file, "n\n1\n");
    let mut server = Server::builder().data_dir(&data_dir).start();
    let workspace = server.demo().await;
    let table = server.new_table(&workspace, "t", &file).await;
    server.kill();
    let server = Server::builder().data_dir(&data_dir).start();
    assert_eq!(server.rows(&workspace, "SELECT * FROM t").await, json!([[1]]));
    let listed = server.get(&format!("/api/v1/tables?workspaceId={workspace}")).await.ok();
    let listed = listed.as_array().expect("tables").iter().find(|listed| listed["name"] == "t").cloned();
    assert_eq!(listed.expect("it is listed")["location"], table["location"]);
}

#[tokio::test]
async fn table_locations_can_be_confined() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path().canonicalize().expect("a folder");
    let (inside, outside) = (root.join("inside"), root.join("outside"));
    write(&inside.join("a.csv"), "n\n1\n");
    write(&outside.join("b.csv"), "n\n2\n");
    write(&root.join("inside_not/c.csv"), "n\n3\n");
    std::os::unix::fs::symlink(&outside, inside.join("link")).expect("a link");
    std::os::unix::fs::symlink(outside.join("b.csv"), inside.join("link.csv")).expect("a link");
    let roots = inside.to_str().expect("a path").to_owned();
    let server = Server::builder().arguments(["--table-roots", &roots]).start();
    let workspace = server.demo().await;
    server.new_table(&workspace, "a", &inside.join("a.csv")).await;
    assert_eq!(server.rows(&workspace, "SELECT n FROM a").await, json!([[1]]));
    for location in [
        outside.join("b.csv"),
        inside.join("../outside/b.csv"),
        inside.join("link/b.csv"),
        inside.join("link.csv"),
        root.join("inside_not/c.csv"),
        "/etc/passwd".into(),
        "/etc/*".into(),
    ] {
        let body = json!({ "workspaceId": workspace, "name": "t", "location": location, "format": "csv" });
        let answer = server.post("/api/v1/table", body).await;
        assert!(answer.status == 400 || answer.status == 401, "{location:?}: {}", answer.status);
    }
    // A file that was replaced by a link after its registration gives no further access than before.
    std::fs::remove_file(inside.join("a.csv")).expect("it was there");
    std::os::unix::fs::symlink(outside.join("b.csv"), inside.join("a.csv")).expect("a link");
    let query = server.run(&workspace, "SELECT n FROM a").await;
    assert_eq!(query["status"], "FAILED", "{query}");
}
