//! SIGHUP: settings that can change while the server runs change, an invalid file changes nothing, other settings wait
//! for a restart.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rowhouse_tests::Server;
use serde_json::json;
use tempfile::TempDir;

/// Maximum time of a reload on a busy machine.
const RELOAD_TIMEOUT: Duration = Duration::from_secs(60);

struct House {
    server: Server,
    folder: TempDir,
}

impl House {
    fn start(config: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(config_file(folder.path()), config).expect("written");
        let server = Server::builder()
            .arguments(["--config", &config_file(folder.path()).to_string_lossy()])
            .log_file(folder.path().join("log"))
            .start();
        Self { server, folder }
    }

    /// Changes the file, sends the signal, and waits until the log has another line with this text.
    async fn reload(&self, config: &str, expected: &str) -> String {
        let log = || std::fs::read_to_string(self.folder.path().join("log")).expect("the log");
        let count = |log: &str| log.matches(expected).count();
        let before = count(&log());
        std::fs::write(config_file(self.folder.path()), config).expect("written");
        self.server.hang_up();
        let deadline = Instant::now() + RELOAD_TIMEOUT;
        while count(&log()) == before {
            assert!(Instant::now() < deadline, "{expected} is not in the log: {}", log());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        log()
    }

    async fn is_reload_good(&self) -> bool {
        let metrics = self.server.get("/metrics").await;
        String::from_utf8_lossy(&metrics.body).contains("\nrowhouse_config_last_reload_successful 1\n")
    }
}

fn config_file(folder: &Path) -> PathBuf {
    folder.join("rowhouse.toml")
}

const DONE: &str = "the configuration was read again";
const REFUSED: &str = "the configuration stays as it was";

#[tokio::test]
async fn a_reload_changes_limits_and_an_invalid_file_changes_nothing() {
    let house = House::start("");
    let workspace = house.server.demo().await;
    let sql = "SELECT 1 -- a comment that makes this text longer than forty bytes";
    let submit = async || {
        let body = json!({ "workspaceId": workspace, "sql": sql });
        house.server.post("/api/v1/query", body).await.status
    };
    assert_eq!(submit().await, 200);
    house.reload("[limits]\nsql_bytes = 40\n[results]\nmax_page_rows = 7", DONE).await;
    assert_eq!(submit().await, 400, "over the new limit of the engine");
    let id = {
        let query = house.server.run(&workspace, "SELECT 1").await;
        query["id"].as_str().expect("an id").to_owned()
    };
    let result = format!("/api/v1/query/{id}/result?workspaceId={workspace}&limit=8");
    house.server.get(&result).await.error(400, "INVALID_ARGUMENTS", ["at most 7 rows"]);

    // Invalid settings, including one that only a start reads.
    for mistake in
        ["[limits]\nsql_bytes = \"many\"", "[engine]\nconcurrency = 0", "[limit]\nx = 1", "nonsense"]
    {
        house.reload(mistake, REFUSED).await;
        assert_eq!(submit().await, 400, "{mistake}");
        assert!(!house.is_reload_good().await);
    }
    // A setting that is no longer in the file has its default again.
    house.reload("", DONE).await;
    assert!(house.is_reload_good().await);
    assert_eq!(submit().await, 200);
    house.server.get(&result).await.ok();
}

#[tokio::test]
async fn settings_that_need_a_restart_are_reported_and_deferred() {
    let house = House::start("");
    let workspace = house.server.demo().await;
    let log = house.reload("base_path = \"/sql\"\n[engine]\nconcurrency = 1\nmax_idle_time = 77", DONE).await;
    for key in ["base_path", "engine.concurrency"] {
        let is_logged = log.lines().any(|line| line.contains("with the next start") && line.contains(key));
        assert!(is_logged, "{key}: {log}");
    }
    assert_eq!(house.server.get("/sql/healthz").await.status, 404);
    // The settings of the same file that can change have changed.
    assert_eq!(house.server.get("/api/v1/service/SQL_ENGINE").await.ok()["maxIdleTime"], 77);
    house.server.rows(&workspace, "SELECT 1").await;
}

#[tokio::test]
async fn the_log_level_can_be_reloaded() {
    let house = House::start("[log]\nfilter = \"warn,rowhouse_server::reload=info\"");
    let workspace = house.server.demo().await;
    let refused = "a request was refused";
    house.server.get(&format!("/api/v1/query/none?workspaceId={workspace}")).await;
    let log = house.reload("[log]\nfilter = \"info,rowhouse_server=debug\"", DONE).await;
    assert!(!log.contains(refused), "{log}");
    house.server.get(&format!("/api/v1/query/none?workspaceId={workspace}")).await;
    let log = house.reload("[log]\nfilter = \"warn,rowhouse_server::reload=info\"", DONE).await;
    assert!(log.contains(refused), "{log}");
}
