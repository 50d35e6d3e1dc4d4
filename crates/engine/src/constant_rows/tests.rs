//! Statements that the server answers itself have the result that a run would have: rows, types, columns, plan,
//! sources.

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
fn the_file_of_constant_rows_can_be_read() {
    let ConstantRows { execution, .. } = constant_rows("VALUES (1, 'a'), (NULL, 'b')").expect("constants");
    let file = execution.file.expect("a file");
    assert_eq!(execution.stats.peak_memory_bytes, file.len() as u64);
    let file = ArrowFile::of_bytes(Path::new("rows"), file.into()).expect("an Arrow file");
    assert_eq!((file.num_rows(), file.verify_all().expect("as written")), (2, true));
    let shown = shown(&file);
    assert!(shown.contains("Int32") && shown.contains("LargeUtf8") && shown.contains("\"b\""), "{shown}");
}

#[cfg(feature = "polars")]
mod beside_a_run {
    use std::path::PathBuf;
    use std::sync::LazyLock;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use proptest::prelude::*;
    use rowhouse_executor::{CatalogSnapshot, Executor as _, Statement, StatementSession};
    use rowhouse_model::{EngineKind, StatementId, StatementParameters, Timestamp};
    use tokio::runtime::Runtime;

    use super::*;

    static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().expect("a runtime"));
    static RUN: LazyLock<crate::InProcess> = LazyLock::new(|| crate::InProcess::new(1));

    fn statement(sql: &str, output: PathBuf) -> Statement {
        Statement {
            id: StatementId::new("20260101_000000_00000_aaaaa"),
            engine: EngineKind::Polars,
            sql: sql.to_owned(),
            parameters: StatementParameters::default(),
            catalog: CatalogSnapshot {
                default_catalog: "rowhouse".to_owned(),
                default_schema: "demo".to_owned(),
                own_schema: "demo".to_owned(),
                other_schemas: Vec::new(),
                queries: Vec::new(),
                session_properties: Vec::new(),
                tables: Vec::new(),
                tpch_dir: None,
            },
            session: StatementSession::default(),
            user: "tester".to_owned(),
            now: Timestamp::from_millis(0),
            output,
            output_limit: None,
        }
    }

    /// Whether the server answers the statement itself; if so, checks that a run gives the same.
    fn is_same_if_answered(sql: &str) -> bool {
        let folder = tempfile::tempdir().expect("a folder");
        let output = folder.path().join("rows.arrow");
        let run = RUNTIME.block_on(RUN.execute(statement(sql, output.clone()), Box::new(|_| {})));
        let Some(ConstantRows { fingerprint, execution: constant }) = constant_rows(sql) else {
            return false;
        };
        let run = run.unwrap_or_else(|error| panic!("{sql} is refused by a run: {error:?}"));
        assert_eq!((&constant.columns, constant.row_count), (&run.columns, run.row_count), "{sql}");
        assert_eq!(constant.sources, run.sources, "{sql}");
        let mut stage = run.output_stage.clone();
        stage.output_bytes = constant.output_stage.output_bytes;
        assert_eq!(constant.output_stage, stage, "{sql}");
        let prepared = rowhouse_sql::prepare(sql, &StatementParameters::default()).expect(sql);
        assert_eq!(fingerprint, prepared.fingerprint, "{sql}");
        let ours =
            ArrowFile::of_bytes(&output, constant.file.expect("a file").into()).expect("an Arrow file");
        let theirs = match run.file {
            Some(file) => ArrowFile::of_bytes(&output, file.into()),
            None => ArrowFile::open(&output),
        };
        assert_eq!(shown(&ours), shown(&theirs.expect("an Arrow file")), "{sql}");
        true
    }

    #[test]
    fn constant_rows_equal_those_of_a_run() {
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
            assert!(is_same_if_answered(sql), "{sql} is left to a worker");
        }
    }

    /// A constant, possibly an invalid one.
    fn constant() -> impl Strategy<Value = String> {
        let words = ["TRUE", "FALSE", "NULL", "0", "1", "007", "1_000", "0x1F", "2147483647", "2147483648"];
        let large = ["9223372036854775807", "9223372036854775808", "99999999999999999999999999999999999999"];
        let others =
            ["1.50", ".5", "5.", "0.00", "1e3", "1E-5", "1e308", "1e400", "''", "'a'", "'ä''ö 日本'"];
        let typed = ["DATE '2026-02-28'", "DATE '2026-02-30'", "DECIMAL '1.20'", "BIGINT '7'", "VARCHAR 'x'"];
        let strange =
            ["X'00'", "U&'\\0041'", "a", "now", "INTERVAL '1' DAY", "TIMESTAMP '2026-01-01 00:00:00'"];
        let all = [&words[..], &large, &others, &typed].concat();
        prop_oneof![
            20 => proptest::sample::select(all).prop_map(str::to_owned),
            1 => proptest::sample::select(strange.to_vec()).prop_map(str::to_owned),
            5 => any::<i32>().prop_map(|number| number.to_string()),
            3 => any::<i64>().prop_map(|number| number.to_string()),
            3 => (any::<i32>(), 0_u32..999).prop_map(|(whole, part)| format!("{whole}.{part}")),
            3 => any::<f64>().prop_map(|number| format!("{number:e}")),
            2 => "[ a-zA-Zäß0-9%_]{0,9}".prop_map(|text| format!("'{text}'")),
        ]
    }

    fn expression() -> impl Strategy<Value = String> {
        let binary = |inner: BoxedStrategy<String>| {
            (inner.clone(), proptest::sample::select(vec!["+", "-", "*", "/", "%", "||", "="]), inner)
                .prop_map(|(left, operator, right)| format!("{left} {operator} {right}"))
        };
        constant().prop_recursive(2, 6, 2, move |inner| {
            prop_oneof![
                2 => binary(inner.clone().boxed()),
                1 => inner.clone().prop_map(|inner| format!("({inner})")),
                1 => (proptest::sample::select(vec!["- ", "+", "-"]), inner)
                    .prop_map(|(sign, inner)| format!("{sign}{inner}")),
            ]
        })
    }

    /// A plain constant in two of three cases, because a single operator means that a worker must run the whole text.
    fn value() -> impl Strategy<Value = String> {
        prop_oneof![2 => constant().boxed(), 1 => expression().boxed()]
    }

    fn text() -> impl Strategy<Value = String> {
        let name = proptest::sample::select(vec!["", "", "", " AS a", " b", " \"C d\"", " AS \"select\""]);
        let column = (value(), name).prop_map(|(value, name)| format!("{value}{name}"));
        let select = proptest::collection::vec(column, 1..4)
            .prop_map(|columns| format!("SELECT {}", columns.join(", ")));
        let row =
            |width| proptest::collection::vec(value(), width).prop_map(|row| format!("({})", row.join(", ")));
        let values = (1_usize..4)
            .prop_flat_map(move |width| proptest::collection::vec(row(width), 1..5))
            .prop_map(|rows| format!("VALUES {}", rows.join(", ")));
        let ending = proptest::sample::select(vec!["", "", "", ";", " -- end", " LIMIT 1"]);
        (prop_oneof![select, values], ending).prop_map(|(text, ending)| format!("{text}{ending}"))
    }

    #[test]
    fn generated_constant_rows_equal_those_of_a_run() {
        let [tried, answered] = [AtomicUsize::new(0), AtomicUsize::new(0)];
        let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
            failure_persistence: None,
            ..ProptestConfig::with_cases(600)
        });
        runner
            .run(&text(), |sql| {
                tried.fetch_add(1, Ordering::Relaxed);
                answered.fetch_add(usize::from(is_same_if_answered(&sql)), Ordering::Relaxed);
                Ok(())
            })
            .expect("the same");
        let [tried, answered] = [tried, answered].map(AtomicUsize::into_inner);
        assert!(answered * 10 > tried, "{answered} of {tried} were answered here: too few to tell");
    }
}
