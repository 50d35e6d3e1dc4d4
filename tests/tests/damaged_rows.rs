//! Stored rows that are not what was written: told by name to who reads them and by `rowhouse doctor --verify`, and a view's are
//! made again. The server goes on.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use rowhouse_tests::{Server, binary, id_of, sample_dir};
use serde_json::json;

/// Changes one byte in the middle.
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
async fn damage_is_told_by_name_and_a_view_is_made_again() {
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
    // The view's rows are those of its refresh, by a link.
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
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let read = server.get(rows).await;
        if read.status == 200 {
            assert_eq!(read.json().as_array().map(Vec::len), Some(3));
            break;
        }
        assert!(Instant::now() < deadline, "{}", String::from_utf8_lossy(&read.body));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let shown = server.view(&workspace, &view).await;
    assert_eq!((&shown["generation"], &shown["lastError"]), (&json!(2), &json!(null)), "{shown}");
}
