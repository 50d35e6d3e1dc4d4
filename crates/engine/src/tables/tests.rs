#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rowhouse_model::{Column, ErrorCode, QueryError, TableFormat};

use super::*;
use crate::EngineConfig;
use crate::workspaces::fixture::Fixture;
use rowhouse_executor::{BoxFuture, CatalogDetail, EventSink, Execution, Statement};

/// Describes every location with one column. A file that begins with "broken" fails, one with "slow" takes until it is let
/// go. Records the requests.
#[derive(Debug, Default)]
struct FakeExecutor {
    described: Mutex<Vec<String>>,
    slow: tokio::sync::Notify,
}

impl Executor for FakeExecutor {
    fn execute(&self, _: Statement, _: EventSink) -> BoxFuture<'_, Result<Execution, QueryError>> {
        unreachable!("tables do not execute")
    }

    fn analyze(&self, _: Statement) -> BoxFuture<'_, Result<Vec<Column>, QueryError>> {
        unreachable!("tables do not analyze")
    }

    fn describe(
        &self,
        location: String,
        _: TableFormat,
    ) -> BoxFuture<'_, Result<TableDescription, QueryError>> {
        self.described.lock().unwrap().push(location.clone());
        let text = fs::read_to_string(&location).unwrap_or_default();
        Box::pin(async move {
            if text.starts_with("slow") {
                self.slow.notified().await;
            }
            if text.starts_with("broken") {
                return Err(QueryError::new(ErrorCode::External, "the file is broken"));
            }
            Ok(TableDescription { columns: vec![Column::new("a", "bigint")], row_count: Some(1) })
        })
    }

    fn wake(&self) -> BoxFuture<'_, Result<(), QueryError>> {
        Box::pin(async { Ok(()) })
    }

    fn rest(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {})
    }
}

struct Bench {
    base: Fixture,
    executor: Arc<FakeExecutor>,
    tables: Tables,
    access: Access,
    /// Contains files of several kinds.
    data: PathBuf,
}

impl Bench {
    async fn new(roots: &[&str]) -> Self {
        let base = Fixture::new().await;
        let access = base.workspace("sales").await;
        let data = base.folder.path().canonicalize().unwrap().join("data");
        for file in
            ["orders/1.parquet", "orders/2.parquet", "mixed/a.csv", "mixed/b.ndjson", "one.CSV.gz", "x.dat"]
        {
            write(&data.join(file), "a\n1\n");
        }
        let executor = Arc::new(FakeExecutor::default());
        let mut config = EngineConfig::new(base.folder.path());
        config.table_roots = roots.iter().map(|root| data.join(root)).collect();
        let tables = Tables::open(
            Arc::clone(&base.store),
            Arc::clone(&base.clock) as _,
            Arc::clone(&executor) as _,
            ViewState::open(Arc::clone(&base.store), Arc::clone(&base.clock) as _, &config.data_dir).unwrap(),
            config.tables(),
            Arc::default(),
        );
        Self { tables: tables.unwrap(), base, executor, access, data }
    }

    /// Creates a table of a path inside the data folder, or of any other location.
    async fn create(&self, name: &str, location: &str) -> Result<Table> {
        self.create_as(name, location, None).await
    }

    async fn create_as(&self, name: &str, location: &str, format: Option<TableFormat>) -> Result<Table> {
        let location = if location.contains(':') || location.is_empty() || location.starts_with('/') {
            location.to_owned()
        } else {
            self.data.join(location).display().to_string()
        };
        let workspace_id = self.access.workspace.id.clone();
        let name = name.to_owned();
        self.tables.create(&self.access, CreateTable { workspace_id, name, location, format }).await
    }
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

#[tokio::test]
async fn the_format_is_derived_from_file_extensions() {
    let bench = Bench::new(&[]).await;
    let check = async |name: &str, location: &str, expected: TableFormat| {
        let table = bench.create(name, location).await.unwrap();
        assert_eq!(table.format, expected, "{location}");
        assert_eq!(table.location, bench.data.join(location).display().to_string());
    };
    check("folder", "orders", TableFormat::Parquet).await;
    check("glob", "orders/*.parquet", TableFormat::Parquet).await;
    check("deep_glob", "**/*.ndjson", TableFormat::Ndjson).await;
    check("file", "one.CSV.gz", TableFormat::Csv).await;
    let given = bench.create_as("given", "mixed", Some(TableFormat::Csv)).await.unwrap();
    assert_eq!(given.format, TableFormat::Csv);
    let odd = bench.create_as("odd", "x.dat", Some(TableFormat::Csv)).await.unwrap();
    assert_eq!(odd.format, TableFormat::Csv, "what is given counts, whatever the ending");
}

#[tokio::test]
async fn a_location_without_readable_files_is_refused() {
    let bench = Bench::new(&[]).await;
    write(&bench.data.join("broken.csv"), "broken");
    fs::create_dir(bench.data.join("empty")).unwrap();
    let check = async |location: &str, kind: ErrorKind, text: &str| {
        let error = bench.create("orders", location).await.unwrap_err();
        assert_eq!(error.kind(), kind, "{location}: {error}");
        assert!(error.to_string().contains(text), "{location}: {error}");
    };
    let invalid = ErrorKind::InvalidArguments;
    check("", invalid, "'location' must not be empty").await;
    check("missing.csv", invalid, "does not exist").await;
    check("orders/*.csv", invalid, "no files found").await;
    check("mixed", invalid, "files of several formats; give 'format'").await;
    check("empty", invalid, "no files whose ending tells a format").await;
    check("x.dat", invalid, "tells no format").await;
    check("broken.csv", invalid, "'location': the file is broken").await;
    check("s3://bucket/orders", ErrorKind::NotSupported, "the scheme 's3': supported are files").await;
    assert!(bench.tables.list(&bench.access).await.unwrap().is_empty());
}

#[tokio::test]
async fn file_urls_and_dot_segments_are_normalized() {
    let bench = Bench::new(&[]).await;
    let expected = bench.data.join("one.CSV.gz").display().to_string();
    let url = format!("file://{expected}");
    let dotted = format!("{}/orders/.././one.CSV.gz", bench.data.display());
    for (name, location) in [("url", url), ("dotted", dotted)] {
        assert_eq!(bench.create(name, &location).await.unwrap().location, expected);
    }
}

#[tokio::test]
async fn locations_outside_the_table_roots_are_refused() {
    let bench = Bench::new(&["orders"]).await;
    std::os::unix::fs::symlink(bench.data.join("mixed"), bench.data.join("orders/out")).unwrap();
    std::os::unix::fs::symlink(bench.data.join("orders"), bench.data.join("way_in")).unwrap();
    let inside = ["orders", "orders/1.parquet", "orders/*.parquet", "way_in", "way_in/2.parquet"];
    for (number, location) in inside.into_iter().enumerate() {
        let table = bench.create(&format!("inside{number}"), location).await.unwrap();
        let expected = bench.data.join("orders").display().to_string();
        assert!(table.location.starts_with(&expected), "kept without links: {}", table.location);
    }
    for location in [
        "one.CSV.gz",
        "orders/../mixed/a.csv",
        "orders/out",
        "orders/out/a.csv",
        "orders/out/*.csv",
        "*/1.parquet",
        "orders_of_another/1.parquet",
        "/etc/passwd",
        "/**/*.csv",
    ] {
        let error = bench.create_as("outside", location, Some(TableFormat::Csv)).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArguments, "{location}");
        assert!(error.to_string().contains("folders that the operator allows"), "{location}: {error}");
    }
}

#[tokio::test]
async fn a_symbolic_link_changed_later_cannot_leave_the_roots() {
    let bench = Bench::new(&["orders"]).await;
    write(&bench.data.join("orders/single/3.parquet"), "a\n1\n");
    for (name, location) in
        [("file", "orders/1.parquet"), ("folder", "orders/single"), ("glob", "orders/single/*.parquet")]
    {
        bench.create(name, location).await.unwrap();
    }
    let state = async || {
        let snapshot = bench.tables.snapshot(&bench.access, &[], &CatalogDetail::default()).await;
        let names: Vec<_> = snapshot.snapshot().tables.iter().map(|table| table.name.clone()).collect();
        let listed = bench.tables.list(&bench.access).await.unwrap();
        let readable =
            listed.iter().filter(|table| !table.columns.is_empty()).map(|table| table.name.clone());
        (names, readable.collect::<Vec<_>>())
    };
    let all = ["file", "folder", "glob"].map(str::to_owned).to_vec();
    assert_eq!(state().await, (all.clone(), all.clone()));

    fs::remove_file(bench.data.join("orders/1.parquet")).unwrap();
    let gone = ["folder", "glob"].map(str::to_owned).to_vec();
    assert_eq!(state().await, (all, gone.clone()), "the statement says that the file is missing");
    std::os::unix::fs::symlink(bench.data.join("mixed/a.csv"), bench.data.join("orders/1.parquet")).unwrap();
    assert_eq!(state().await, (gone.clone(), gone));
    fs::remove_dir_all(bench.data.join("orders/single")).unwrap();
    std::os::unix::fs::symlink(bench.data.join("mixed"), bench.data.join("orders/single")).unwrap();
    assert_eq!(state().await, (vec![], vec![]));
}

#[tokio::test]
async fn names_are_checked_and_unique() {
    let bench = Bench::new(&[]).await;
    bench.create("orders", "orders").await.unwrap();
    let kind = async |name: &str| bench.create(name, "orders").await.unwrap_err().kind();
    assert_eq!(kind("orders").await, ErrorKind::AlreadyExists);
    assert_eq!(kind("Orders").await, ErrorKind::InvalidArguments);
    assert_eq!(kind("").await, ErrorKind::InvalidArguments);
}

#[tokio::test]
async fn one_unreadable_table_does_not_fail_the_list() {
    let bench = Bench::new(&[]).await;
    for name in ["good", "gone", "spoilt"] {
        write(&bench.data.join(format!("{name}.csv")), "a\n1\n");
        bench.create(name, &format!("{name}.csv")).await.unwrap();
    }
    fs::remove_file(bench.data.join("gone.csv")).unwrap();
    write(&bench.data.join("spoilt.csv"), "broken now");
    let listed = bench.tables.list(&bench.access).await.unwrap();
    let listed: Vec<_> =
        listed.iter().map(|table| (table.name.as_str(), table.columns.len(), table.row_count)).collect();
    assert_eq!(listed, [("gone", 0, None), ("good", 1, Some(1)), ("spoilt", 0, None)]);
}

/// Regression: each list inspected a file that cannot be read again, and a table whose files took a minute kept all others
/// from being listed.
#[tokio::test]
async fn a_failure_is_kept_and_a_slow_table_does_not_hold_up_the_list() {
    let mut bench = Bench::new(&[]).await;
    bench.tables.descriptions.set_patience(std::time::Duration::from_millis(200));
    for name in ["good", "slow", "spoilt"] {
        write(&bench.data.join(format!("{name}.csv")), "a\n1\n");
        bench.create(name, &format!("{name}.csv")).await.unwrap();
    }
    write(&bench.data.join("slow.csv"), "slow now");
    write(&bench.data.join("spoilt.csv"), "broken now");
    let listed = async || {
        let listed = bench.tables.list(&bench.access).await.unwrap();
        listed.iter().map(|table| table.columns.len()).collect::<Vec<_>>()
    };
    let looks = || bench.executor.described.lock().unwrap().len();
    let before = looks();
    for _ in 0..3 {
        assert_eq!(listed().await, [1, 0, 0]);
        assert_eq!(looks(), before + 3, "one inspection of each table");
    }
    bench.executor.slow.notify_one();
    assert_eq!(listed().await, [1, 1, 0], "it went on in the background");
    assert_eq!(looks(), before + 3);
    write(&bench.data.join("spoilt.csv"), "mended");
    assert_eq!(listed().await, [1, 1, 1]);
}

#[tokio::test]
async fn changed_files_are_inspected_again() {
    let bench = Bench::new(&[]).await;
    bench.create("orders", "orders").await.unwrap();
    let looks = async || {
        bench.tables.list(&bench.access).await.unwrap();
        bench.executor.described.lock().unwrap().len()
    };
    let first = looks().await;
    assert_eq!(looks().await, first, "unchanged");
    write(&bench.data.join("orders/3.parquet"), "new");
    assert_eq!(looks().await, first + 1, "one more file");
    write(&bench.data.join("orders/3.parquet"), "longer");
    assert_eq!(looks().await, first + 2, "another length");
    fs::remove_file(bench.data.join("orders/3.parquet")).unwrap();
    assert_eq!(looks().await, first + 3, "one file less");
    assert_eq!(looks().await, first + 3);
}

#[tokio::test]
async fn tables_survive_a_restart_and_are_removed_by_name() {
    let bench = Bench::new(&[]).await;
    bench.create("orders", "orders").await.unwrap();
    bench.create("other", "one.CSV.gz").await.unwrap();
    bench.tables.remove(&bench.access, "other").await.unwrap();
    let again = bench.tables.remove(&bench.access, "other").await.unwrap_err();
    assert_eq!(again.kind(), ErrorKind::NotFound);
    let before = bench.tables.list(&bench.access).await.unwrap();
    let snapshot = bench.tables.snapshot(&bench.access, &[], &CatalogDetail::default()).await;
    let seen: Vec<_> = snapshot.snapshot().tables.iter().map(|table| table.name.as_str()).collect();
    assert_eq!(seen, ["orders"]);
    assert!(snapshot.snapshot().tpch_dir.is_some());

    let Bench { base, executor, tables, access, .. } = bench;
    let config = EngineConfig::new(base.folder.path());
    drop(tables);
    let base = base.reopen().await;
    let tables = Tables::open(
        Arc::clone(&base.store),
        Arc::clone(&base.clock) as _,
        executor,
        ViewState::open(Arc::clone(&base.store), Arc::clone(&base.clock) as _, &config.data_dir).unwrap(),
        config.tables(),
        Arc::default(),
    );
    let access = base.workspaces.access(&base.admin, &access.workspace.id).unwrap();
    assert_eq!(*tables.unwrap().list(&access).await.unwrap(), *before);
}

#[tokio::test]
async fn only_admins_manage_tables_over_server_files() {
    let bench = Bench::new(&[]).await;
    let owner = bench.base.member(&bench.access, "owner", Role::Owner).await;
    let consumer = bench.base.member(&bench.access, "consumer", Role::Consumer).await;
    bench.create("orders", "orders").await.unwrap();
    let request = CreateTable {
        workspace_id: owner.workspace.id.clone(),
        name: "other".to_owned(),
        location: bench.data.join("orders").display().to_string(),
        format: None,
    };
    assert_eq!(bench.tables.list(&owner).await.unwrap().len(), 1);
    for outcome in [
        bench.tables.create(&owner, request).await.map(drop),
        bench.tables.remove(&owner, "orders").await,
        bench.tables.remove(&owner, "unknown").await,
        bench.tables.list(&consumer).await.map(drop),
    ] {
        assert_eq!(outcome.unwrap_err().kind(), ErrorKind::PermissionDenied);
    }
}

#[tokio::test]
async fn the_columns_of_a_workspace_are_kept_up_to_a_limit() {
    let bench = Bench::new(&[]).await;
    let descriptions = &bench.tables.descriptions;
    let key = |name: &str| (bench.access.workspace.id.clone(), name.to_owned());
    let kept = |name: &str, columns: usize| {
        let columns =
            (0..columns).map(|number| Column::new(format!("{number}{}", "n".repeat(1000)), "bigint"));
        let description = TableDescription { columns: columns.collect(), row_count: Some(7) };
        let kept = descriptions.within_limit(&key(name), description);
        assert_eq!(kept.row_count, Some(7));
        kept.columns.len()
    };
    assert_eq!(kept("first", 9_000), 9_000);
    assert_eq!(kept("second", 9_000), 0, "more than 16 MiB together");
    assert_eq!(kept("third", 10), 10);
    assert_eq!(kept("first", 8_000), 8_000, "its own columns are replaced");
    descriptions.forget(&bench.access.workspace.id, "first");
    assert_eq!(kept("second", 9_000), 9_000);
}
