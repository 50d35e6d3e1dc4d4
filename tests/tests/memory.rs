//! The server's memory does not grow with values and texts: readers that stall over rows of a megabyte, a list of
//! millions as one value, lists of texts of a megabyte, records of such texts. Bounds are a multiple of what was
//! measured, and a fraction of what it took before.

use std::time::Duration;

use rowhouse_tests::{Server, id_of, memory_bytes};
use serde_json::{Value, json};

/// Maximum memory of a server under all of this.
const MAX_MIB: u64 = 384;

async fn finished(server: &Server, workspace: &str, sql: &str) -> String {
    let query = server.run(workspace, sql).await;
    assert_eq!(query["status"], "FINISHED", "{query}");
    format!("/api/v1/query/{}/result?workspaceId={workspace}", id_of(&query))
}

/// Regression: the thirteenth reader made the kernel end a server with 3 GiB.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stalled_readers_of_large_rows_take_bounded_memory() {
    let server = Server::start();
    let workspace = server.demo().await;
    let sql = "SELECT n_nationkey * 20 + i AS id, rpad(n_name, 1000000, 'xyz') AS text \
               FROM tpch.tiny.nation CROSS JOIN UNNEST(sequence(1, 12)) AS t (i)";
    let result = finished(&server, &workspace, sql).await;
    let watch = server.watch_memory();
    let mut stalled = Vec::new();
    for (format, readers) in [("arrow", 24), ("json", 8), ("csv", 8), ("ndjson", 8)] {
        for _ in 0..readers {
            let reader =
                server.stalled(server.admin_token(), &format!("{result}&format={format}"), "identity");
            assert_eq!(reader.status(), 200, "{}", reader.beginning);
            stalled.push(reader);
        }
    }
    // Parquet encodes row groups in memory: as many are admitted as there is memory for.
    for _ in 0..12 {
        let reader = server.stalled(server.admin_token(), &format!("{result}&format=parquet"), "identity");
        assert!([200, 503].contains(&reader.status()), "{}", reader.beginning);
        stalled.push(reader);
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert!(watch.most_mib() < MAX_MIB, "{} MiB", watch.most_mib());
    // A reader that continues gets everything.
    let reader = stalled.swap_remove(0);
    let read = tokio::task::spawn_blocking(move || reader.read_on(300 * 1_000_000)).await.expect("read");
    assert!(read >= 300 * 1_000_000, "{read} bytes");
    // So does another reader at the same time.
    let one = server.get(&format!("{result}&limit=1&format=csv")).await;
    assert!(one.status == 200 && one.body.len() > 1_000_000, "{}", one.status);
    assert!(watch.most_mib() < MAX_MIB, "{} MiB", watch.most_mib());
}

/// Regression: a value of 168 MiB took as much memory for each of its readers, and three times as much for the first.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_value_of_a_list_of_millions_takes_bounded_memory() {
    let server = Server::start();
    let workspace = server.demo().await;
    let sql = "SELECT array_agg(l_comment) AS comments, array_agg(ROW(l_orderkey, l_comment)) AS pairs \
               FROM tpch.tiny.lineitem CROSS JOIN UNNEST(sequence(1, 6)) AS t (i)";
    let result = finished(&server, &workspace, sql).await;
    let watch = server.watch_memory();
    let formats = ["json", "csv", "ndjson", "arrow", "json", "csv"];
    let stalled: Vec<_> = formats
        .map(|format| server.stalled(server.admin_token(), &format!("{result}&format={format}"), "identity"))
        .into();
    assert!(stalled.iter().all(|reader| reader.status() == 200), "{stalled:?}");
    let csv = server.get(&format!("{result}&format=csv")).await;
    assert!(csv.body.len() > 24 << 20, "{} bytes", csv.body.len());
    let json = server.get(&format!("{result}&format=json")).await.ok();
    let row = json["result"][0].as_array().expect("a row");
    let lengths: Vec<usize> = row.iter().map(|value| value.as_array().expect("a list").len()).collect();
    // The 60,175 lines of the small sample, 6 times.
    assert_eq!(lengths, [361_050, 361_050]);
    assert!(row[0].as_array().is_some_and(|list| list.iter().all(Value::is_string)));
    assert!(watch.most_mib() < MAX_MIB, "{} MiB", watch.most_mib());
}

/// Regression: three hundred texts of a megabyte were a gigabyte for one request; a fifth of them shows it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lists_of_long_texts_are_complete_in_bounded_memory() {
    const TEXTS: usize = 60;
    let server = Server::builder().arguments(["--records-text-bytes", "1GiB"]).start();
    let workspace = server.demo().await;
    let text = |number: usize| format!("SELEC {number} /* {} */", "x\n".repeat(500_000));
    let watch = server.watch_memory();
    for number in 0..TEXTS {
        let body = json!({ "workspaceId": workspace, "title": format!("{number}"), "sql": text(number) });
        server.post("/api/v1/sql", body).await.ok();
        let failed = server.submit(&workspace, &text(number)).await;
        assert_eq!(failed["status"], "FAILED");
    }
    let (sqls, queries) = (
        format!("/api/v1/sqls?workspaceId={workspace}"),
        format!("/api/v1/queries?workspaceId={workspace}&limit=1000"),
    );
    let stalled: Vec<_> = [&sqls, &queries, &sqls, &queries]
        .map(|path| server.stalled(server.admin_token(), path, "identity"))
        .into();
    assert!(stalled.iter().all(|reader| reader.status() == 200), "{stalled:?}");
    let saved = server.get(&sqls).await.ok();
    let saved = saved.as_array().expect("an array");
    assert_eq!(saved.len(), TEXTS);
    assert!(saved.iter().enumerate().all(|(number, saved)| saved["sql"] == text(number)));
    let listed = server.get(&queries).await.ok();
    let records = listed["result"].as_array().expect("an array").iter();
    let records = records.filter(|record| record["status"] == "FAILED");
    let texts: Vec<&str> = records.map(|record| record["sql"].as_str().expect("a text")).collect();
    assert_eq!(texts.len(), TEXTS);
    assert!(texts.iter().rev().enumerate().all(|(number, found)| *found == text(number)));
    assert!(watch.most_mib() < MAX_MIB / 2, "{} MiB", watch.most_mib());
}

/// Regression: a client that submitted megabytes that failed at once filled the disk for 30 days.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_oldest_long_texts_are_deleted() {
    let server = Server::builder().arguments(["--records-text-bytes", "4MiB"]).start();
    let workspace = server.demo().await;
    let short = server.run(&workspace, "SELECT 1").await;
    let mut long = Vec::new();
    for number in 0..10 {
        // Valid and invalid statements: the result of a valid one stays.
        let text = format!(
            "{} {number} /*{}*/",
            if number % 2 == 0 { "SELECT" } else { "SELEC" },
            "x".repeat(1_000_000)
        );
        long.push((server.run(&workspace, &text).await, text));
    }
    let list = server.get(&format!("/api/v1/queries?workspaceId={workspace}&limit=11")).await.ok();
    let listed = list["result"].as_array().expect("records");
    for (number, (query, text)) in long.iter().enumerate() {
        let shown = server.get(&format!("/api/v1/query/{}?workspaceId={workspace}", id_of(query))).await.ok();
        let kept = if number < 6 { Value::Null } else { json!(text) };
        assert!(shown["sql"] == kept, "{number}: {}", shown["sql"].as_str().map_or(0, str::len));
        assert_eq!((&shown["status"], &shown["error"]), (&query["status"], &query["error"]));
        assert!(listed[9 - number] == shown, "{number}: as in the list");
        if number % 2 == 0 {
            assert_eq!(server.result(&workspace, &id_of(query)).await["result"], json!([[number]]));
        }
    }
    assert!(listed[10] == short, "what is short stays whole");
}

/// Regression: 120,000 columns were 16 MB in every answer with the record and in every list.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn more_columns_than_a_record_may_hold_are_refused() {
    let server = Server::start();
    let workspace = server.demo().await;
    let columns: Vec<String> = (0..17_000).map(|number| format!("1 c{number}")).collect();
    let query = server.run(&workspace, &format!("SELECT {}", columns.join(","))).await;
    assert_eq!((&query["status"], &query["error"]["errorName"]), (&json!("FAILED"), &json!("NOT_SUPPORTED")));
    let message = query["error"]["message"].as_str().expect("a message");
    assert!(message.contains("17000 columns"), "{message}");
    let fewer = server.run(&workspace, &format!("SELECT {}", columns[..2000].join(","))).await;
    assert_eq!(fewer["status"], "FINISHED", "{}", fewer["error"]);
}

/// No account gets more memory than remains free (D64): while one account holds its share, another still gets some.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_account_without_memory_left_is_refused_and_another_is_answered() {
    let server = Server::builder().arguments(["--limits-answer-memory", "2MiB"]).start();
    let workspace = server.demo().await;
    let stranger = server.new_member(&workspace, "stranger", "ANALYST").await;
    let sql = "SELECT rpad(n_name, 100000, 'xyz') AS text FROM tpch.tiny.nation CROSS JOIN UNNEST(sequence(1, 8)) AS t (i)";
    let result = finished(&server, &workspace, sql).await;
    let columns: Vec<String> = (0..200).map(|number| format!("{number} c{number}")).collect();
    let wide = finished(&server, &workspace, &format!("SELECT {}", columns.join(","))).await;
    let mut stalled = Vec::new();
    let refused = loop {
        let reader = server.stalled(server.admin_token(), &format!("{result}&format=csv"), "identity");
        match reader.status() {
            200 => stalled.push(reader),
            _ => break reader,
        }
        assert!(stalled.len() < 20, "nobody is refused");
    };
    assert!(!stalled.is_empty(), "nobody is answered");
    assert!(refused.beginning.starts_with("HTTP/1.1 503"), "{}", refused.beginning);
    assert!(refused.beginning.to_lowercase().contains("retry-after: 1"), "{}", refused.beginning);
    // Earlier answers hold less memory once their chunks are encoded, so a few more may be admitted before all memory
    // is held.
    let deadline = std::time::Instant::now() + Duration::from_secs(60);
    loop {
        let reader = server.stalled(server.admin_token(), &format!("{result}&format=csv"), "identity");
        if reader.status() == 200 {
            stalled.push(reader);
        } else {
            let answer = server.get(&format!("{result}&format=csv")).await;
            if answer.status == 503 {
                answer.error(503, "GENERIC_INSUFFICIENT_RESOURCES", ["try again"]);
                break;
            }
        }
        assert!(stalled.len() < 20 && std::time::Instant::now() < deadline, "the room has no end");
    }
    // The metrics show it, and requests that change something are still answered.
    let metrics = String::from_utf8(server.get("/metrics").await.body.to_vec()).expect("text");
    assert!(metrics.contains("rowhouse_answer_memory_limit_bytes 2097152"), "{metrics}");
    assert!(!metrics.contains("rowhouse_answer_memory_refused_total 0"), "{metrics}");
    let long = format!("SELECT 1 /*{}*/", "x".repeat(20_000));
    assert!(server.submit(&workspace, &long).await["sql"] == long);
    let theirs = server.get_as(&stranger, &format!("{result}&format=csv")).await;
    assert!(theirs.status == 200 && theirs.body.len() > 200 * 100_000, "{}", theirs.status);
    // An answer that can never fit is refused with the limit.
    let never = server.get_as(&stranger, &format!("{wide}&format=parquet")).await;
    never.error(400, "NOT_SUPPORTED", ["limits.answer_memory", "2097152"]);
    assert_eq!(never.header("retry-after"), None);
    drop((stalled, refused));
    // The server notices that the clients are gone when it writes.
    let deadline = std::time::Instant::now() + Duration::from_secs(30);
    while server.get(&format!("{result}&format=csv")).await.status == 503 {
        assert!(std::time::Instant::now() < deadline, "their memory is not given back");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Many megabytes of texts at once: those without room wait for it.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_concurrent_long_texts_wait_for_memory() {
    let server = Server::start();
    let workspace = server.demo().await;
    let watch = server.watch_memory();
    let text = format!("SELECT /*{}*/", "x".repeat(1_000_000));
    let body = json!({ "workspaceId": workspace, "title": "t", "sql": text });
    let server = std::sync::Arc::new(server);
    let posts: Vec<_> = (0..80)
        .map(|_| {
            let (server, body) = (std::sync::Arc::clone(&server), body.clone());
            tokio::spawn(async move { server.post("/api/v1/sql", body).await.status })
        })
        .collect();
    for post in posts {
        assert_eq!(post.await.expect("no panic"), 200);
    }
    assert!(watch.most_mib() < 2 * MAX_MIB, "{} MiB", watch.most_mib());
}

#[tokio::test]
async fn the_oom_killer_prefers_workers() {
    let server = Server::start();
    let workspace = server.demo().await;
    server.rows(&workspace, "SELECT 1").await;
    let score = |pid: u32| std::fs::read_to_string(format!("/proc/{pid}/oom_score_adj")).expect("a score");
    let workers = server.worker_pids();
    assert!(!workers.is_empty());
    for pid in workers {
        // A worker that was just started may not have set it yet.
        let deadline = std::time::Instant::now() + Duration::from_secs(30);
        while memory_bytes(pid, "VmRSS").is_some() && score(pid).trim() != "1000" {
            assert!(std::time::Instant::now() < deadline, "{}", score(pid));
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
    assert_ne!(score(server.pid()).trim(), "1000");
}
