//! Stored rows that are not what was written: readers and `rowhouse doctor --verify` get an error that names them, and
//! a view is refreshed. The server continues.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use rowhouse_tests::{Server, binary, id_of, sample_dir};
use serde_json::json;

/// Changes one byte in the middle of a file.
fn damage(path: &Path) {
    let file = File::options().read(true).write(true).open(path).expect("a file");
    let place = file.metadata().expect("its length").len() / 3;
    let mut byte = [0];
    file.read_exact_at(&mut byte, place).expect("a byte");
    file.write_all_at(&[byte[0] ^ 4], place).expect("written");
}

fn verify(data_dir: &Path) -> (bool, String) {
    let mut command = Command::new(binary());
    command.args(["doctor", "--verify", "--listen", "127.0.0.1:0", "--engine-memory-limit", "1GiB"]);
    let output = command.arg("--sample-dir").arg(sample_dir()).arg("--data-dir").arg(data_dir).output();
    let output = output.expect("it runs");
    (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[tokio::test]
async fn damage_is_reported_by_name_and_a_damaged_view_is_refreshed() {
    let server = Server::start();
    let workspace = server.new_workspace("damage").await;
    let sql = "SELECT o_orderkey, o_comment FROM tpch.tiny.orders";
    let large = id_of(&server.run(&workspace, sql).await);
    let cut = id_of(&server.run(&workspace, &format!("{sql} WHERE o_orderkey > 0")).await);
    let small = id_of(&server.run(&workspace, "SELECT 7").await);
    let view = server.new_view(&workspace, "orders", sql).await;
    let (is_sound, printed) = verify(server.data_dir());
    assert!(is_sound && printed.contains("0 are damaged"), "{printed}");

    let result = |id: &str| -> PathBuf { server.data_dir().join(format!("results/{workspace}/{id}.arrow")) };
    damage(&result(&large));
    File::options().write(true).open(result(&cut)).and_then(|file| file.set_len(100_000)).expect("cut off");
    damage(&server.data_dir().join(format!("views/{view}/1.arrow")));
    let (is_sound, printed) = verify(server.data_dir());
    // The view's file and the result of its refresh are hard links to the same file.
    assert!(!is_sound && printed.contains("4 are damaged"), "{printed}");
    for name in [format!("{large}.arrow"), format!("{cut}.arrow"), "1.arrow".to_owned()] {
        assert!(
            printed.lines().any(|line| line.contains(name.as_str()) && line.contains("damaged")),
            "{printed}"
        );
    }

    for id in [&large, &cut] {
        let path = format!("/api/v1/query/{id}/result?workspaceId={workspace}");
        server.get(&path).await.error(500, "STORED_ROWS_DAMAGED", ["run the statement again"]);
    }
    assert_eq!(server.result(&workspace, &small).await["result"], json!([[7]]));
    let rows = "/v1/data/damage/materializedView/orders?limit=3";
    server.get(rows).await.error(500, "STORED_ROWS_DAMAGED", ["refreshed"]);
    wait_until_refreshed(&server, &workspace, &view, rows, 2).await;
}

/// Damage of a small result, which is stored in the database.
#[tokio::test]
async fn damage_of_a_small_result_is_reported_by_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let data_dir = folder.path().join("data");
    let mut server = Server::builder().data_dir(&data_dir).start();
    let workspace = server.demo().await;
    let run = server.run(&workspace, "SELECT n_name FROM tpch.tiny.nation").await;
    let location = run["location"].as_str().expect("a location");
    server.terminate(Duration::from_secs(20));
    let database = rusqlite::Connection::open(data_dir.join("rowhouse.db")).expect("the database");
    let sql = "SELECT file FROM kept_results WHERE location = ?1";
    let mut file: Vec<u8> = database.query_row(sql, [location], |row| row.get(0)).expect("its bytes");
    let place = file.windows(7).position(|text| text == b"ALGERIA").expect("a value");
    file[place] ^= 4;
    let sql = "UPDATE kept_results SET file = ?2 WHERE location = ?1";
    database.execute(sql, rusqlite::params![location, file]).expect("damaged");
    drop(database);
    let (is_sound, printed) = verify(&data_dir);
    assert!(
        !is_sound && printed.lines().any(|line| line.contains(location) && line.contains("damaged")),
        "{printed}"
    );
    let server = Server::builder().data_dir(&data_dir).start();
    let path = format!("/api/v1/query/{}/result?workspaceId={workspace}", id_of(&run));
    server.get(&path).await.error(500, "STORED_ROWS_DAMAGED", ["run the statement again"]);
}

/// Reads until the view has been refreshed: three rows of this generation.
async fn wait_until_refreshed(server: &Server, workspace: &str, view: &str, rows: &str, generation: u64) {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let read = server.get(rows).await;
        if read.status == 200 {
            assert_eq!(read.json().as_array().map(Vec::len), Some(3));
            break;
        }
        let body = String::from_utf8_lossy(&read.body).into_owned();
        assert!(["STORED_ROWS_DAMAGED", "VIEW_NOT_READY"].iter().any(|code| body.contains(code)), "{body}");
        assert!(Instant::now() < deadline, "{}", String::from_utf8_lossy(&read.body));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let shown = server.view(workspace, view).await;
    assert_eq!((&shown["generation"], &shown["lastError"]), (&json!(generation), &json!(null)), "{shown}");
}

fn cut_off(path: &Path) {
    File::options().write(true).open(path).and_then(|file| file.set_len(0)).expect("cut off");
}

/// Regression: a file that was read, was mapped, and was then truncated ended the server (SIGBUS) at the next read
/// beyond its new end.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn truncated_files_are_reported_and_the_server_continues() {
    let server = Server::start();
    let workspace = server.new_workspace("cut").await;
    let sql = "SELECT o_orderkey, o_custkey, o_comment FROM tpch.tiny.orders";
    let result = id_of(&server.run(&workspace, sql).await);
    let view = server
        .new_view(&workspace, "orders", &format!("-- Service API: required(\"o_custkey:gt\")\n{sql}"))
        .await;
    let folder = server.data_dir().join(format!("views/{view}"));
    let rows = "/v1/data/cut/materializedView/orders?limit=3&filters=o_custkey:GT:0";
    let by_index = "/v1/data/cut/materializedView/orders?limit=3&count=exact&filters=o_custkey:GT:1450";
    let result_path = format!("/api/v1/query/{result}/result?workspaceId={workspace}");

    for path in [rows, by_index, result_path.as_str()] {
        server.get(path).await.ok();
    }
    cut_off(&server.data_dir().join(format!("results/{workspace}/{result}.arrow")));
    for format in ["json", "csv", "arrow", "parquet"] {
        let read = server.get(&format!("{result_path}&format={format}")).await;
        read.error(500, "STORED_ROWS_DAMAGED", ["run the statement again"]);
    }

    // The rows, an index of them, and the statistics of their batches: each is of use with the others only.
    let index = std::fs::read_dir(&folder).expect("the folder").flatten().map(|entry| entry.path());
    let index = index.into_iter().find(|path| path.extension().is_some_and(|ending| ending == "index"));
    let index_name = index.expect("an index").file_name().expect("a name").to_string_lossy().into_owned();
    let of_column = index_name.strip_prefix("1.").expect("of the first generation").to_owned();
    for (place, ending) in ["arrow", of_column.as_str(), "stats"].iter().enumerate() {
        let generation = place as u64 + 1;
        for path in [rows, by_index] {
            server.get(path).await.ok();
        }
        cut_off(&folder.join(format!("{generation}.{ending}")));
        server.get(by_index).await.error(500, "STORED_ROWS_DAMAGED", ["refreshed"]);
        wait_until_refreshed(&server, &workspace, &view, rows, generation + 1).await;
    }
    assert_eq!(server.rows(&workspace, "SELECT 1").await, json!([[1]]));
}

/// The same in the middle of an answer: the reader must be able to tell that the answer is incomplete.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_ends_incomplete_if_its_file_is_truncated() {
    let server = Server::start();
    let workspace = server.new_workspace("stream").await;
    let sql = "SELECT l_comment, l_orderkey FROM tpch.sf1.lineitem LIMIT 1000000";
    let result = id_of(&server.run(&workspace, sql).await);
    let path = format!("/api/v1/query/{result}/result?workspaceId={workspace}&format=ndjson");
    let mut stream = server.connect();
    let token = server.admin_token();
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: a\r\nAuthorization: Token {token}\r\nConnection: close\r\n\r\n"
    );
    std::io::Write::write_all(&mut stream, request.as_bytes()).expect("sent");
    let mut answer = vec![0; 100_000];
    std::io::Read::read_exact(&mut stream, &mut answer).expect("the beginning");
    assert!(answer.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&answer[..200]));
    cut_off(&server.data_dir().join(format!("results/{workspace}/{result}.arrow")));
    let _ = std::io::Read::read_to_end(&mut stream, &mut answer);
    assert!(!answer.ends_with(b"0\r\n\r\n"), "the end of a whole answer, after {} bytes", answer.len());
    assert_eq!(server.get("/healthz").await.status, 200);
    server.get(&path).await.error(500, "STORED_ROWS_DAMAGED", []);
}
