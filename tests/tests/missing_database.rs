//! A data directory whose database is missing. Regression: it was taken for a new one, all results and views were
//! removed, and the admin's token was replaced without a message. Now the server refuses to start and changes nothing;
//! it creates a new database only on request, sets aside the files that this database does not know, and restores them
//! with the database that knows them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use rowhouse_tests::{Server, binary, id_of, sample_dir};
use serde_json::{Value, json};

/// What a server knew and served before its database was lost.
struct Known {
    workspace: String,
    token: String,
    /// Paths of results and their answers.
    results: Vec<(String, Value)>,
    rows: Value,
    saved: Value,
}

const VIEW: &str = "/v1/data/demo/materializedView/nations";

impl Known {
    async fn make(server: &Server) -> Self {
        let workspace = server.demo().await;
        let mut results = Vec::new();
        for number in 0..4 {
            let query =
                server.run(&workspace, &format!("SELECT {number} AS n, n_name FROM tpch.tiny.nation")).await;
            let path = format!("/api/v1/query/{}/result?workspaceId={workspace}", id_of(&query));
            results.push((path.clone(), server.get(&path).await.ok()));
        }
        server.new_view(&workspace, "nations", "SELECT n_nationkey, n_name FROM tpch.tiny.nation").await;
        let rows = server.get(VIEW).await.ok();
        let body = json!({ "workspaceId": workspace, "title": "t", "sql": "SELECT 1" });
        server.post("/api/v1/sql", body).await.ok();
        let saved = server.get(&format!("/api/v1/sqls?workspaceId={workspace}")).await.ok();
        let token = server.admin_token().to_owned();
        Self { workspace, token, results, rows, saved }
    }

    /// Checks that everything is served again to the earlier token.
    async fn check(&self, server: &Server) {
        let Self { workspace, token, results, rows, saved } = self;
        for (path, expected) in results {
            assert_eq!(server.get_as(token, path).await.ok(), *expected, "{path}");
        }
        let answer = server.get_as(token, VIEW).await;
        assert_eq!(answer.ok(), *rows);
        let answer = server.get_as(token, &format!("/api/v1/sqls?workspaceId={workspace}")).await;
        assert_eq!(answer.ok(), *saved);
    }
}

/// Every file except the lock, with its content.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if !path.ends_with("server.lock") {
            found.insert(path.clone(), fs::read(&path).expect("a file"));
        }
    }
    found
}

fn command(data_dir: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(binary());
    command.args(arguments).args(["--listen", "127.0.0.1:0"]);
    command.arg("--sample-dir").arg(sample_dir()).arg("--data-dir").arg(data_dir);
    command
}

/// The message of a start that is refused.
fn refusal(data_dir: &Path) -> String {
    let output = command(data_dir, &["serve"]).output().expect("it runs");
    assert!(!output.status.success(), "it started");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn doctor(data_dir: &Path) -> (bool, String) {
    let output = command(data_dir, &["doctor", "--engine-concurrency", "1"]).output().expect("it runs");
    (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Moves the database with its write-ahead log.
fn move_database(from: &Path, to: &Path) {
    for name in ["rowhouse.db", "rowhouse.db-wal", "rowhouse.db-shm"] {
        let moved = fs::rename(from.join(name), to.join(name));
        assert!(moved.is_ok() || name != "rowhouse.db", "{moved:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_missing_database_prevents_the_start_and_its_return_restores_everything() {
    let folder = tempfile::tempdir().expect("a folder");
    let (data_dir, elsewhere) = (folder.path().join("data"), folder.path().join("elsewhere"));
    fs::create_dir(&elsewhere).expect("a folder");
    let mut server = Server::builder().data_dir(&data_dir).start();
    let known = Known::make(&server).await;
    assert_eq!(server.terminate(Duration::from_secs(30)), Some(0));

    move_database(&data_dir, &elsewhere);
    let before = files(&data_dir);
    let message = refusal(&data_dir);
    for text in
        ["rowhouse.db", "files of results", "files of views", "admin-token", "link-key", "--new-database"]
    {
        assert!(message.contains(text), "'{text}' is not in {message}");
    }
    // A failed copy may leave an empty file.
    fs::write(data_dir.join("rowhouse.db"), "").expect("written");
    assert!(refusal(&data_dir).contains("--new-database"));
    fs::remove_file(data_dir.join("rowhouse.db")).expect("removed");
    assert!(files(&data_dir) == before, "something was changed");
    let (is_sound, message) = doctor(&data_dir);
    assert!(!is_sound && message.contains("missing") && message.contains("--new-database"), "{message}");

    move_database(&elsewhere, &data_dir);
    let server = Server::builder().data_dir(&data_dir).start();
    known.check(&server).await;
    drop(server);
    assert!(!data_dir.join("set-aside").exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_database_quarantines_old_files_and_the_old_one_restores_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let (data_dir, elsewhere) = (folder.path().join("data"), folder.path().join("elsewhere"));
    fs::create_dir(&elsewhere).expect("a folder");
    let mut server = Server::builder().data_dir(&data_dir).start();
    let known = Known::make(&server).await;
    assert_eq!(server.terminate(Duration::from_secs(30)), Some(0));
    move_database(&data_dir, &elsewhere);

    let mut server = Server::builder().data_dir(&data_dir).arguments(["--new-database"]).start();
    assert_ne!(server.admin_token(), known.token);
    assert_eq!(server.get_as(&known.token, "/api/v1/workspaces").await.status, 401);
    let other = Known::make(&server).await;
    // Results are examined while the server serves.
    let aside = |ending: &str| {
        let set_aside = data_dir.join("set-aside");
        let found = if set_aside.exists() { files(&set_aside) } else { BTreeMap::new() };
        found.keys().filter(|path| path.to_string_lossy().ends_with(ending)).count()
    };
    let deadline = std::time::Instant::now() + Duration::from_secs(60);
    // The first refreshes of two views, and their two generations; small results are in the database.
    while aside(".arrow") < 4 {
        assert!(std::time::Instant::now() < deadline, "{} files are set aside", aside(".arrow"));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(aside("admin-token"), 1, "the old token is kept");
    assert_eq!(server.terminate(Duration::from_secs(30)), Some(0));
    let (is_sound, message) = doctor(&data_dir);
    assert!(is_sound && message.contains("set-aside"), "{message}");
    // The flag has no effect if there is a database.
    let mut server = Server::builder().data_dir(&data_dir).arguments(["--new-database"]).start();
    other.check(&server).await;
    assert_eq!(server.terminate(Duration::from_secs(30)), Some(0));

    for name in ["rowhouse.db", "rowhouse.db-wal", "rowhouse.db-shm"] {
        let _ = fs::remove_file(data_dir.join(name));
    }
    move_database(&elsewhere, &data_dir);
    let server = Server::builder().data_dir(&data_dir).start();
    known.check(&server).await;
}

/// Whatever files a killed first start leaves, the next start succeeds.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_first_start_can_be_repeated() {
    for delay_millis in (0..120).step_by(4) {
        let folder = tempfile::tempdir().expect("a folder");
        let data_dir = folder.path().join("data");
        let mut child = command(&data_dir, &["serve"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it runs");
        tokio::time::sleep(Duration::from_millis(delay_millis)).await;
        child.kill().expect("killed");
        child.wait().expect("ended");
        let server = Server::builder().data_dir(&data_dir).start();
        assert_eq!(server.get("/api/v1/workspaces").await.status, 200, "after {delay_millis} ms");
    }
}
