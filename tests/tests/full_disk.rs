//! A data directory on a full disk: which error is reported, what still works, and that everything works again once
//! there is space. A small file system in memory stands for the disk; only root can mount one.

use http::Method;
use rowhouse_tests::{Server, SmallDisk, id_of};
use serde_json::json;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_is_reported_and_tokens_can_be_revoked() {
    let Some(disk) = SmallDisk::mount("48m") else { return };
    let server = Server::builder().data_dir(disk.path().join("data")).start();
    let workspace = server.demo().await;
    let token = server.new_member(&workspace, "ann", "ANALYST").await;
    let tokens = server.get("/api/v1/tokens").await.ok();
    let stolen = tokens.as_array().expect("tokens").iter().find(|token| token["name"] == "test");
    let stolen = id_of(stolen.expect("the token of the account"));
    assert_eq!(server.rows(&workspace, "SELECT 1").await, json!([[1]]));
    assert_eq!(server.get("/readyz").await.status, 200);
    disk.fill();

    // The write-ahead log of the database may have some pages left: they are used up.
    let body =
        json!({ "workspaceId": workspace, "title": "t", "sql": format!("SELECT '{}'", "x".repeat(100_000)) });
    let refused = loop {
        let answer = server.post("/api/v1/sql", body.clone()).await;
        if answer.status != 200 {
            break answer;
        }
    };
    refused.error(503, "GENERIC_INSUFFICIENT_RESOURCES", ["disk", "is full"]);
    assert!(refused.header("retry-after").is_some());
    disk.fill();
    server.get("/readyz").await.error(503, "GENERIC_INSUFFICIENT_RESOURCES", ["disk"]);
    assert_eq!(server.get(&format!("/api/v1/queries?workspaceId={workspace}")).await.status, 200);

    let list = format!("/api/v1/queries?workspaceId={workspace}");
    assert_eq!(server.request(Method::GET, &list, Some(&token), None).await.status, 200);
    let path = format!("/api/v1/token/{stolen}");
    let revoked = server.request(Method::DELETE, &path, Some(server.admin_token()), None).await;
    assert_eq!(revoked.status, 200, "{}", String::from_utf8_lossy(&revoked.body));
    assert_eq!(server.request(Method::GET, &list, Some(&token), None).await.status, 401);

    disk.make_room();
    assert_eq!(server.get("/readyz").await.status, 200);
    assert_eq!(server.rows(&workspace, "SELECT 2").await, json!([[2]]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_result_without_disk_space_fails_and_a_deletion_frees_space() {
    let Some(disk) = SmallDisk::mount("48m") else { return };
    let server = Server::builder().data_dir(disk.path().join("data")).start();
    let workspace = server.demo().await;
    let large = "SELECT a.l_comment, b.n_comment FROM tpch.tiny.lineitem a CROSS JOIN tpch.tiny.nation b";
    let failed = server.run(&workspace, large).await;
    assert_eq!(failed["error"]["errorName"], "GENERIC_INSUFFICIENT_RESOURCES", "{failed}");
    assert_eq!(failed["error"]["errorType"], "INSUFFICIENT_RESOURCES", "{failed}");
    let usage = format!("/api/v1/workspace/{workspace}/usage");
    let before = server.get(&usage).await.ok()["diskBytes"].as_u64().expect("bytes");
    let kept = server.run(&workspace, "SELECT * FROM tpch.tiny.lineitem").await;
    let with_it = server.get(&usage).await.ok()["diskBytes"].as_u64().expect("bytes");
    assert!(with_it > before + 1_000_000, "{before} {with_it}");
    let path = format!("/api/v1/query/{}/result?workspaceId={workspace}", id_of(&kept));
    for _ in 0..2 {
        assert_eq!(server.request(Method::DELETE, &path, Some(server.admin_token()), None).await.status, 200);
    }
    server.get(&path).await.error(404, "RESULT_EXPIRED", ["deleted"]);
    assert_eq!(server.get(&usage).await.ok()["diskBytes"].as_u64(), Some(before));

    let limits = json!({ "resultBytes": 100_000 });
    server.put(&format!("/api/v1/workspace/{workspace}/limits"), limits).await.ok();
    let too_large = server.run(&workspace, "SELECT * FROM tpch.tiny.lineitem").await;
    assert_eq!(too_large["error"]["errorName"], "GENERIC_INSUFFICIENT_RESOURCES", "{too_large}");
    assert_eq!(server.rows(&workspace, "SELECT 1").await, json!([[1]]));
}
