//! Results larger than a page: rows over many pages, and large rows.

use super::fake::FakeTrino;
use rowhouse_rows::ArrowFile;

/// Pages of an exchange with these rows, one array of rows per page.
fn pages(columns: &str, data: impl Iterator<Item = String>) -> Vec<String> {
    let mut pages: Vec<String> = data
        .enumerate()
        .map(|(token, data)| {
            format!(
                r#"{{"id":"20260101_000000_00001_fake0","nextUri":"{{BASE}}/v1/statement/executing/x/y/{}","columns":{columns},"data":{data},"stats":{{"state":"RUNNING"}}}}"#,
                token + 1
            )
        })
        .collect();
    pages.push(format!(
        r#"{{"id":"20260101_000000_00001_fake0","columns":{columns},"stats":{{"state":"FINISHED"}}}}"#
    ));
    pages
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_over_many_pages_keep_their_order_in_batches_of_one_size() {
    const ROWS: u64 = 50_000;
    let columns = r#"[{"name":"n","type":"bigint"},{"name":"t","type":"varchar"}]"#;
    let data = (0..ROWS).step_by(777).map(|start| {
        let rows = (start..ROWS.min(start + 777)).map(|row| format!("[{row},\"row {row}\"]"));
        format!("[{}]", rows.collect::<Vec<_>>().join(","))
    });
    let server = FakeTrino::replay(&pages(columns, data)).await;
    let outcome = server.run().await;
    assert_eq!(outcome.result.as_ref().unwrap().row_count, ROWS);
    let file = ArrowFile::open(&outcome.output).unwrap();
    assert_eq!((file.num_rows(), file.num_batches()), (ROWS, 7));
    let rows = outcome.rows();
    assert!(
        rows.iter().enumerate().all(|(row, values)| values[0] == row && values[1] == format!("row {row}"))
    );
}

/// Regression: JSON has no order. A page with `nextUri` last was taken for the last page, and the statement never
/// ended.
#[tokio::test(flavor = "multi_thread")]
async fn next_uri_may_follow_the_rows() {
    let columns = r#"[{"name":"n","type":"bigint"}]"#;
    let pages = pages(columns, (0..5).map(|row| format!("[[{row}]]")));
    let said_last = |page: String| {
        let Some((start, rest)) = page.split_once("\"nextUri\":") else { return page };
        let (place, rest) = rest.split_once(',').unwrap();
        format!("{start}{},\"nextUri\":{place}}}", rest.strip_suffix('}').unwrap())
    };
    let pages: Vec<String> = pages.into_iter().map(said_last).collect();
    assert!(pages[0].ends_with("/1\"}"), "{}", pages[0]);
    let server = FakeTrino::replay(&pages).await;
    let ended = tokio::time::timeout(std::time::Duration::from_secs(60), server.run()).await;
    assert_eq!(ended.expect("it ends").result.unwrap().row_count, 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn large_rows_give_small_batches() {
    const BYTES: usize = 3 << 20;
    let columns = r#"[{"name":"t","type":"varchar"}]"#;
    let data = (0..8_u8).map(|page| format!("[[\"{}\"]]", char::from(b'a' + page).to_string().repeat(BYTES)));
    let server = FakeTrino::replay(&pages(columns, data)).await;
    let outcome = server.run().await;
    assert_eq!(outcome.result.as_ref().unwrap().row_count, 8);
    let file = ArrowFile::open(&outcome.output).unwrap();
    assert!(file.num_batches() >= 2, "rows of 3 MiB gather no further than 8 MiB: {}", file.num_batches());
    let rows = outcome.rows();
    assert!((0..8).all(|row| rows[row][0].as_str().unwrap().len() == BYTES));
    assert_eq!(&rows[7][0].as_str().unwrap()[..2], "hh");
}

#[tokio::test(flavor = "multi_thread")]
async fn statements_without_rows_or_columns_have_a_file() {
    for columns in ["[]", r#"[{"name":"t","type":"varchar"}]"#] {
        let server = FakeTrino::replay(&pages(columns, std::iter::empty())).await;
        let outcome = server.run().await;
        assert_eq!(outcome.result.as_ref().unwrap().row_count, 0);
        assert_eq!(ArrowFile::open(&outcome.output).unwrap().num_rows(), 0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_before_their_columns_are_kept() {
    let mut pages = pages(r#"[{"name":"n","type":"bigint"}]"#, std::iter::empty());
    pages[0] = r#"{"data":[[1],[2]],"columns":[{"name":"n","type":"bigint"}],"id":"x"}"#.to_owned();
    let outcome = FakeTrino::replay(&pages).await.run().await;
    assert_eq!(outcome.result.as_ref().unwrap().row_count, 2);
}

/// Regression: texts of a cluster went into records as they were, and columns were built before they were counted.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_cluster_says_of_a_statement_is_limited() {
    let pages = |page: String| vec![page];
    let long = "é".repeat(1_000_000);
    let run = async |page: String| FakeTrino::replay(&pages(page)).await.run().await;

    let outcome = run(format!(r#"{{"id":"{long}","columns":[],"stats":{{}}}}"#)).await;
    super::faults::external(&outcome, "an id of 2000000 bytes");

    let stage = r#"{"stageId":"1","state":"RUNNING","subStages":[]}"#;
    let stages = [stage; 2_000].join(",");
    let stats = format!(
        r#"{{"state":"{long}","rootStage":{{"stageId":"{long}","state":"{long}","subStages":[{stages}]}}}}"#
    );
    let column = r#"[{"name":"n","type":"bigint"}]"#;
    let outcome = run(format!(r#"{{"id":"x","columns":{column},"data":[[1]],"stats":{stats}}}"#)).await;
    let execution = outcome.result.as_ref().unwrap();
    assert_eq!(execution.stats.state, "é".repeat(64));
    assert_eq!(execution.output_stage.sub_stages.len(), 499);
    assert!(serde_json::to_vec(&execution.output_stage).unwrap().len() < 100_000);

    let failure = format!(
        r#"{{"errorName":"{long}","errorCode":1,"failureInfo":{{"type":"{long}","message":"{long}"}}}}"#
    );
    let outcome = run(format!(r#"{{"id":"x","error":{failure},"stats":{{}}}}"#)).await;
    let error = outcome.result.as_ref().unwrap_err();
    let info = error.failure_info.as_ref().unwrap();
    assert_eq!((error.error_name.len(), info.kind.len()), (128, 128));
    assert!(info.message.as_ref().unwrap().len() <= 16 << 10 && error.message.len() < 1_000);

    for columns in [
        format!("[{}]", [r#"{"name":"","type":"x"}"#; 30_000].join(",")),
        format!(r#"[{{"name":"{long}{long}{long}","type":"bigint"}}]"#),
    ] {
        let outcome = run(format!(r#"{{"id":"x","columns":{columns},"stats":{{}}}}"#)).await;
        let error = outcome.result.as_ref().unwrap_err();
        assert_eq!(error.error_name, "NOT_SUPPORTED");
        assert!(error.message.contains("are the most: select fewer columns"), "{}", error.message);
    }
}

/// A statement of large pages has a turn until its end, and a page is fetched once the one before is decoded.
#[tokio::test(flavor = "multi_thread")]
async fn statements_of_large_pages_end() {
    let columns = r#"[{"name":"t","type":"varchar"}]"#;
    let text = "x".repeat(33 << 20);
    let pages = pages(columns, (0..3).map(|_| format!("[[\"{text}\"]]")));
    let server = FakeTrino::replay(&pages).await;
    let outcome = server.run().await;
    assert_eq!(outcome.result.as_ref().unwrap().row_count, 3);
    assert!(outcome.rows().iter().all(|row| row[0].as_str().unwrap().len() == text.len()));
}
