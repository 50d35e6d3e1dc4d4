//! `rowhouse backup`: a backup that is taken while the server works is a data directory that a server starts on and
//! reads everything from.

use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rowhouse_tests::{Server, binary, id_of};
use serde_json::{Value, json};

fn backup(data_dir: &Path, target: &Path, more: &[&str]) -> Output {
    let mut command = Command::new(binary());
    command.arg("backup").arg(target).arg("--data-dir").arg(data_dir).args(more);
    command.output().expect("it runs")
}

fn assert_succeeded(output: &Output) {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Everything that a backup must contain, as one answer each.
async fn everything(server: &Server, workspace: &str) -> Vec<(String, Value)> {
    let list = server.get(&format!("/api/v1/queries?workspaceId={workspace}&limit=1000")).await.ok();
    let mut seen = vec![("queries".to_owned(), list.clone())];
    for query in list["result"].as_array().expect("queries") {
        let id = id_of(query);
        if query["status"] == "FINISHED" {
            let rows = server.get(&format!("/api/v1/query/{id}/result?workspaceId={workspace}")).await;
            seen.push((id, rows.ok()));
        }
    }
    for path in ["sqls", "tables", "materializedViews"] {
        let list = server.get(&format!("/api/v1/{path}?workspaceId={workspace}")).await.ok();
        seen.push((path.to_owned(), list));
    }
    let view = "/v1/data/demo/materializedView/orders_by_customer?filters=o_custkey:EQ:370";
    seen.push((view.to_owned(), server.get(view).await.ok()));
    seen
}

#[tokio::test]
async fn a_restored_backup_gives_the_same_answers() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start();
    let workspace = server.demo().await;
    server.rows(&workspace, "SELECT * FROM tpch.tiny.nation").await;
    server.run(&workspace, "SELECT nothing FROM nowhere").await;
    let saved = json!({ "workspaceId": workspace, "sql": "SELECT 1", "title": "one" });
    server.post("/api/v1/sql", saved).await.ok();
    let cached = server.submit_cached(&workspace, "SELECT count(*) FROM tpch.tiny.region", 600, false).await;
    server.finish(&workspace, &id_of(&cached)).await;
    let small = server.run(&workspace, "SELECT 'small'").await;
    let before = everything(&server, &workspace).await;

    for (name, more) in [("linked", [].as_slice()), ("copied", ["--copy"].as_slice())] {
        let target = folder.path().join(name);
        assert_succeeded(&backup(server.data_dir(), &target, more));
        // The original changes further, which must not reach the backup.
        server.rows(&workspace, "SELECT 'after the backup'").await;
        let restored = Server::builder().data_dir(&target).start();
        assert_eq!(restored.admin_token(), server.admin_token());
        assert!(!target.join(small["location"].as_str().expect("a location")).exists());
        assert_eq!(restored.result(&workspace, &id_of(&small)).await["result"], json!([["small"]]));
        if name == "linked" {
            assert_eq!(everything(&restored, &workspace).await, before);
        }
        let hit =
            restored.submit_cached(&workspace, "SELECT count(*) FROM tpch.tiny.region", 600, false).await;
        assert_eq!(hit["fromCache"], true, "{hit}");
        restored.rows(&workspace, "SELECT 1").await;
        drop(restored);
    }
    // A backup without a running server, and one over another.
    let data_dir = folder.path().join("linked");
    let target = folder.path().join("of a backup");
    assert_succeeded(&backup(&data_dir, &target, &[]));
    for (target, text) in [
        (target.clone(), "it exists already"),
        (data_dir.join("inside"), "inside the data directory"),
        (folder.path().join("no/such/folder"), "is not there"),
    ] {
        let refused = backup(&data_dir, &target, &[]);
        let stderr = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(1), "{stderr}");
        assert!(stderr.contains(text), "{stderr}");
    }
    let none = backup(folder.path(), &folder.path().join("none"), &[]);
    assert!(String::from_utf8_lossy(&none.stderr).contains("there is no database"));
}

#[tokio::test]
async fn backups_under_load_are_complete() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Arc::new(Server::start());
    let workspace = server.demo().await;
    let views = server.get(&format!("/api/v1/materializedViews?workspaceId={workspace}")).await.ok();
    let view = id_of(&views[0]);
    let is_over = Arc::new(AtomicBool::new(false));
    // Statements, and refreshes that replace the view's files again and again.
    let load: Vec<_> = (0..3)
        .map(|worker| {
            let (server, is_over) = (Arc::clone(&server), Arc::clone(&is_over));
            let (workspace, view) = (workspace.clone(), view.clone());
            tokio::spawn(async move {
                let mut count = 0;
                while !is_over.load(Ordering::Relaxed) {
                    if worker == 0 {
                        let body = json!({ "workspaceId": workspace });
                        let path = format!("/api/v1/materializedView/{view}/refresh");
                        let refresh = server.post(&path, body).await.ok();
                        server.finish(&workspace, &id_of(&refresh)).await;
                    } else {
                        let sql = format!("SELECT {worker}, {count}, n_name FROM tpch.tiny.nation");
                        server.run(&workspace, &sql).await;
                    }
                    count += 1;
                }
                count
            })
        })
        .collect();
    let targets: Vec<_> = (0..6).map(|number| folder.path().join(number.to_string())).collect();
    for (number, target) in targets.iter().enumerate() {
        let (data_dir, target) = (server.data_dir().to_owned(), target.clone());
        let more: &[&str] = if number % 2 == 0 { &[] } else { &["--copy"] };
        let taken = tokio::task::spawn_blocking(move || backup(&data_dir, &target, more));
        assert_succeeded(&taken.await.expect("it ends"));
    }
    is_over.store(true, Ordering::Relaxed);
    for worker in load {
        assert!(worker.await.expect("it ends") > 0, "each has worked");
    }
    let left = std::fs::read_dir(server.data_dir()).expect("the data directory").flatten();
    let left: Vec<_> = left.map(|entry| entry.file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().contains("staging")), "{left:?}");

    for target in &targets {
        let restored = Server::builder().data_dir(target).start();
        for (what, seen) in everything(&restored, &workspace).await {
            if what == "queries" {
                let count = seen["result"].as_array().expect("queries").len() as u64;
                assert_eq!(seen["totalCount"], count, "{}", target.display());
            }
        }
        // The backup contains the served generations: no view needs a refresh.
        let views = restored.get(&format!("/api/v1/materializedViews?workspaceId={workspace}")).await.ok();
        assert_eq!(views[0]["lastError"], Value::Null, "{views}");
    }
}
