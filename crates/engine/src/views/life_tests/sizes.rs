//! Limits of the number and the bytes of a workspace's views, and the columns that statements get.

use rowhouse_executor::CatalogDetail;
use rowhouse_executor::catalog::TableSource;
use rowhouse_model::Column;

use super::*;
use crate::views::sizes::{MAX_VIEW_BYTES, MAX_VIEWS};

/// A column whose JSON has somewhat more than these bytes.
fn column(bytes: usize) -> Vec<Column> {
    vec![Column::new("x".repeat(bytes), "bigint")]
}

/// Views as an older version could have stored them.
async fn store_views(bench: &Bench, count: u64, sql: String) {
    let (workspace, account) = (bench.access.workspace.id.clone(), bench.access.account_id().clone());
    let stored = bench.base.store.write(move |transaction| {
        for number in 0..count {
            let name = format!("old{number}");
            transaction.execute(
                "INSERT INTO views (id, workspace_id, sql_name, sql, account_id, created_at, revision, columns)
                 VALUES (?1, ?2, ?1, ?3, ?4, 0, 1, '[]')",
                rusqlite::params![name, workspace.as_str(), sql, account.as_str()],
            )?;
        }
        Ok(())
    });
    stored.await.unwrap();
}

#[tokio::test]
async fn a_workspace_has_a_limited_number_of_views() {
    let bench = Bench::new().await;
    let first = bench.filled("first", 1).await;
    store_views(&bench, MAX_VIEWS - 1, "SELECT 1".to_owned()).await;
    let bench = bench.reopen().await;
    let refused = bench.views.create(&bench.access, request("one_more")).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::InvalidArguments);
    assert!(refused.to_string().contains("5000 are the most: drop one"), "{refused}");
    bench.views.drop(&bench.access, &first.id).await.unwrap();
    bench.create("one_more").await;
    // Another workspace has a limit of its own.
    let other = bench.base.workspace("other").await;
    bench.views.create(&other, request("free")).await.unwrap();
}

#[tokio::test]
async fn views_have_a_limited_number_of_bytes_and_those_that_do_not_grow_may_stay() {
    let bench = Bench::new().await;
    let (wide, wider) = (column(1_000_000), column(1_700_000));
    *bench.executor.analysis.lock().unwrap() = Some(Ok(wide.clone()));
    let unfiltered = |name: &str, sql: &str| CreateMaterializedView { sql: sql.to_owned(), ..request(name) };
    let kept = bench.views.create(&bench.access, unfiltered("kept", "SELECT 1")).await.unwrap().view.id;
    let half = "x".repeat(MAX_VIEW_BYTES as usize / 2);
    store_views(&bench, 1, half.clone()).await;
    let bench = bench.reopen().await;
    // Eight views fit, and an older version has stored more than now fit.
    *bench.executor.analysis.lock().unwrap() = Some(Ok(wide.clone()));
    let mut created = 1;
    let refused = loop {
        match bench.views.create(&bench.access, unfiltered(&format!("w{created}"), "SELECT 1")).await {
            Ok(_) => created += 1,
            Err(refused) => break refused,
        }
    };
    assert_eq!((created, refused.kind()), (8, ErrorKind::InvalidArguments));
    assert!(refused.to_string().contains("16777216 are the most: drop views"), "{refused}");
    let change = |sql: Option<&str>, title: &str| UpdateMaterializedView {
        sql: sql.map(str::to_owned),
        title: Some(Some(title.to_owned())),
        ..UpdateMaterializedView::default()
    };
    bench.change(&kept, change(None, "as wide as before")).await.unwrap();
    *bench.executor.analysis.lock().unwrap() = Some(Ok(wider));
    let refused = bench.change(&kept, change(Some("SELECT 2"), "wider")).await.map(drop).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::InvalidArguments);
    *bench.executor.analysis.lock().unwrap() = Some(Ok(column(1)));
    bench.change(&kept, change(Some("SELECT 3"), "narrow")).await.unwrap();
    bench.views.create(&bench.access, unfiltered("narrow", "SELECT 1")).await.unwrap();
}

#[tokio::test]
async fn a_refresh_whose_columns_do_not_fit_fails_and_one_that_does_not_grow_succeeds() {
    let bench = Bench::new().await;
    let filled = bench.filled("filled", 3).await;
    // Stored while the engine is disabled, its columns come with the first refresh.
    let disabled = rowhouse_model::QueryError::new(rowhouse_model::ErrorCode::ServiceDisabled, "off");
    *bench.executor.analysis.lock().unwrap() = Some(Err(disabled));
    let unknown = bench.create("unknown").await;
    store_views(&bench, 1, "x".repeat(MAX_VIEW_BYTES as usize)).await;
    let refused = bench.finish(&unknown.refresh_query_id.unwrap(), 3).await.unwrap_err();
    assert!(refused.message.contains("16777216 are the most"), "{}", refused.message);
    assert!(bench.read("unknown").await.generation.is_none());
    assert_eq!(bench.get(&unknown.view.id).await.last_error, Some(refused.message));
    eventually("its files are gone", || bench.files(&unknown.view.id).is_empty()).await;
    let query = bench.views.refresh(&bench.access, &filled.id).await.unwrap();
    bench.finish(&query.id, 4).await.unwrap();
    assert_eq!(bench.served("filled").await, Some((2, 4)));
}

#[tokio::test]
async fn a_statement_gets_the_columns_of_views_that_it_names_or_lists() {
    let bench = Bench::new().await;
    bench.filled("filled", 3).await;
    bench.create("empty").await;
    let with_columns = async |sql: &str| {
        let detail = CatalogDetail::of(sql, []);
        let lease = bench.tables.snapshot(&bench.access, &[], &detail).await;
        let tables = lease.snapshot().tables.clone().into_iter();
        let named = tables.filter_map(|table| match table.source {
            TableSource::View { columns: Some(columns), definition, .. } => {
                Some((table.name, columns.len(), definition.is_some()))
            }
            _ => None,
        });
        named.collect::<Vec<_>>()
    };
    let row = |name: &str, has_definition: bool| (name.to_owned(), 2, has_definition);
    assert_eq!(with_columns("SELECT 1").await, []);
    assert_eq!(with_columns("SELECT * FROM Filled").await, [row("filled", false)]);
    assert_eq!(with_columns("SHOW CREATE MATERIALIZED VIEW empty").await, [row("empty", true)]);
    let all = "SELECT * FROM information_schema.columns";
    assert_eq!(with_columns(all).await, [row("empty", false), row("filled", false)]);
    let detail = CatalogDetail::of(all, []);
    let (left, right) = (
        bench.tables.snapshot(&bench.access, &[], &detail).await,
        bench.tables.snapshot(&bench.access, &[], &detail).await,
    );
    let columns = |lease: &crate::tables::CatalogLease| match &lease.snapshot().tables[0].source {
        TableSource::View { columns, .. } => columns.clone().unwrap(),
        TableSource::Files { .. } => panic!("a table"),
    };
    assert!(Arc::ptr_eq(&columns(&left), &columns(&right)), "statements share them");
}

#[tokio::test]
async fn columns_that_do_not_fit_are_left_out_of_a_list_first() {
    let bench = Bench::new().await;
    // More than may be created now: 60 MB in 30 views.
    let columns = serde_json::to_string(&column(2_000_000)).unwrap();
    store_views(&bench, 30, "SELECT 1".to_owned()).await;
    let stored = bench
        .base
        .store
        .write(move |transaction| transaction.execute("UPDATE views SET columns = ?1", [columns]).map(drop));
    stored.await.unwrap();
    let bench = bench.reopen().await;
    let given = async |sql: &str| {
        let detail = CatalogDetail::of(sql, []);
        let lease = bench.tables.snapshot(&bench.access, &[], &detail).await;
        let tables = lease.snapshot().tables.iter();
        let given =
            tables.filter(|table| matches!(&table.source, TableSource::View { columns: Some(_), .. }));
        given.map(|table| table.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(given("SELECT * FROM old7, old29").await, ["old29", "old7"]);
    let listed = given("SELECT * FROM information_schema.columns WHERE table_name = 'old9'").await;
    assert!((20..30).contains(&listed.len()) && listed.contains(&"old9".to_owned()), "{listed:?}");
}
