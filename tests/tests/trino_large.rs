//! A result of 6 million rows drained from Trino in bounded memory. Skipped with a message if Trino is unavailable.
//! `cargo xtask bench trino` measures the speed.

use rowhouse_tests::{Server, id_of, trino};

const LINEITEM_ROWS: u64 = 6_001_215;
const LINEITEM: &str = "SELECT * FROM tpch.sf1.lineitem";
const MAX_RESIDENT_BYTES: u64 = 200_000_000;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lineitem_is_drained_in_bounded_memory() {
    let Some(trino) = trino() else { return };
    let server =
        Server::builder().arguments(["--engine-kind", "trino", "--engine-trino-url", &trino.url()]).start();
    let workspace = server.demo().await;
    let query = server.run(&workspace, LINEITEM).await;
    assert_eq!(
        (&query["status"], query["rowCount"].as_u64()),
        (&"FINISHED".into(), Some(LINEITEM_ROWS)),
        "{query}"
    );
    let result = format!("/api/v1/query/{}/result?workspaceId={workspace}", id_of(&query));
    for offset in [0, 1_000_003, LINEITEM_ROWS - 2] {
        let page = server.get(&format!("{result}&limit=2&offset={offset}")).await.ok();
        let rows = page["result"].as_array().expect("rows");
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[0].as_array().map(Vec::len), Some(16));
    }
    let resident = server.memory_bytes("VmHWM");
    eprintln!("the server's memory rose to {} MiB", resident >> 20);
    assert!(resident < MAX_RESIDENT_BYTES, "the server's memory rose to {} MiB", resident >> 20);
}
