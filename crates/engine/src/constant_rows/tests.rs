//! What is answered where it is read is what a run would have made of it: rows, types, columns, plan, sources.

use std::path::Path;

use super::*;
use rowhouse_rows::arrow_file::ArrowFile;

/// The file of a result, as its readers see it.
fn shown(file: &ArrowFile) -> String {
    let batches = (0..file.num_batches()).map(|batch| {
        let batch = file.batch(batch).expect("a batch").record_batch().expect("arrays");
        format!("{:?}", batch.columns())
    });
    format!("{:?} {}", file.schema(), batches.collect::<Vec<_>>().join(" "))
}

#[test]
fn rows_can_be_read() {
    let ConstantRows { execution, .. } = constant_rows("VALUES (1, 'a'), (NULL, 'b')").expect("constants");
    let file = execution.file.expect("a file");
    assert_eq!(execution.stats.peak_memory_bytes, file.len() as u64);
    let file = ArrowFile::of_bytes(Path::new("rows"), file.into()).expect("an Arrow file");
    assert_eq!((file.num_rows(), file.verify_all().expect("as written")), (2, true));
    let shown = shown(&file);
    assert!(shown.contains("Int32") && shown.contains("LargeUtf8") && shown.contains("\"b\""), "{shown}");
}

#[cfg(feature = "polars")]
#[tokio::test]
async fn a_run_would_have_made_the_same() {
    let many: Vec<String> = (0..30).map(|number| format!("({number})")).collect();
    let many = format!("VALUES {}", many.join(", "));
    for sql in [
        "SELECT 1",
        "SELECT 42 AS a, 'text' AS b, TRUE, -5000000000",
        "SELECT 1 AS a, 2 AS a, NULL",
        "SELECT 1.50, 1e3, -0.001, '', 'ä''ö'",
        "SELECT 2 * (3 + 4)",
        "VALUES (1, 'a'), (NULL, 'abc'), (5000000000, NULL)",
        "VALUES (TRUE, 1.5, 2e0), (NULL, NULL, NULL), (FALSE, 2.5, -1e-3)",
        "VALUES NULL, NULL",
        &many,
    ] {
        check(sql).await;
    }
}

#[cfg(feature = "polars")]
async fn check(sql: &str) {
    use rowhouse_executor::{CatalogSnapshot, Executor as _, Statement, StatementSession};
    use rowhouse_model::{EngineKind, StatementId, StatementParameters, Timestamp};

    let folder = tempfile::tempdir().expect("a folder");
    let statement = Statement {
        id: StatementId::new("20260101_000000_00000_aaaaa"),
        engine: EngineKind::Polars,
        sql: sql.to_owned(),
        parameters: StatementParameters::default(),
        catalog: CatalogSnapshot {
            default_catalog: "rowhouse".to_owned(),
            default_schema: "demo".to_owned(),
            own_schema: "demo".to_owned(),
            queries: Vec::new(),
            session_properties: Vec::new(),
            tables: Vec::new(),
            tpch_dir: None,
        },
        session: StatementSession::default(),
        user: "tester".to_owned(),
        now: Timestamp::from_millis(0),
        output: folder.path().join("rows.arrow"),
    };
    let output = statement.output.clone();
    let run = crate::InProcess::new(1).execute(statement, Box::new(|_| {})).await.expect(sql);
    let constant = constant_rows(sql).unwrap_or_else(|| panic!("{sql} is left to a worker")).execution;
    assert_eq!((&constant.columns, constant.row_count), (&run.columns, run.row_count), "{sql}");
    assert_eq!(constant.sources, run.sources, "{sql}");
    let mut stage = run.output_stage.clone();
    stage.output_bytes = constant.output_stage.output_bytes;
    assert_eq!(constant.output_stage, stage, "{sql}");
    let ours = ArrowFile::of_bytes(&output, constant.file.expect("a file").into()).expect("an Arrow file");
    let theirs = ArrowFile::open(&output).expect("an Arrow file");
    assert_eq!(shown(&ours), shown(&theirs), "{sql}");
}
