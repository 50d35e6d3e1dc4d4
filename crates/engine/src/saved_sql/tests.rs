#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use rowhouse_executor::BoxFuture;
use rowhouse_model::{Column, ErrorCode, QueryError, StatementParameters, WorkspaceId};

use super::*;
use crate::json_list::read_whole;
use crate::workspaces::fixture::Fixture;

/// Gives every statement two columns, and refuses those that name `nothing`.
struct FakePlanner;

impl Planner for FakePlanner {
    fn columns<'a>(
        &'a self,
        _: &'a Access,
        sql: &'a str,
        _: StatementParameters,
    ) -> BoxFuture<'a, Result<Result<Vec<Column>, QueryError>>> {
        let columns = vec![Column::new("day", "date"), Column::new("amount", "bigint")];
        let failed = || QueryError::new(ErrorCode::TableNotFound, "Table 'nothing' does not exist");
        let outcome = if sql.contains("nothing") { Err(failed()) } else { Ok(columns) };
        Box::pin(async { Ok(outcome) })
    }
}

fn saved_sqls(fixture: &Fixture) -> SavedSqls {
    let store = Arc::clone(&fixture.store);
    let endpoints = Arc::new(Endpoints::open(&store).unwrap());
    let (clock, ids) = (Arc::clone(&fixture.clock) as _, Arc::clone(&fixture.ids) as _);
    SavedSqls::new(store, endpoints, Arc::new(FakePlanner), clock, ids, 200)
}

fn request(title: &str, sql: &str) -> CreateSavedSql {
    CreateSavedSql {
        workspace_id: WorkspaceId::new("ignored: the access says where"),
        sql: sql.to_owned(),
        description: None,
        title: title.to_owned(),
        sql_name: None,
    }
}

fn change() -> UpdateSavedSql {
    let workspace_id = WorkspaceId::new("ignored");
    UpdateSavedSql { workspace_id, sql: None, description: None, title: None, sql_name: None, version: None }
}

fn stats(state: &str, processed_rows: u64) -> QueryStats {
    QueryStats { state: state.to_owned(), processed_rows, ..QueryStats::default() }
}

#[tokio::test]
async fn saved_sql_is_listed_oldest_first_with_its_account() {
    let fixture = Fixture::new().await;
    let access = fixture.workspace("sales").await;
    let other = fixture.workspace("other").await;
    let saved = saved_sqls(&fixture);
    for number in 0..12 {
        // Titles need not be unique (D28).
        saved.create(&access, request("Daily", &format!("SELECT {number}"))).await.unwrap();
    }
    let created = saved.create(&other, request("Elsewhere", "SELECT 1")).await.unwrap();
    assert_eq!(created.account_id, None, "absent in the create response");

    let listed: Vec<SavedSql> = read_whole(saved.list(&access)).unwrap();
    let texts: Vec<_> = listed.iter().map(|saved| saved.sql.clone()).collect();
    assert_eq!(texts, (0..12).map(|number| format!("SELECT {number}")).collect::<Vec<_>>());
    assert!(listed.iter().all(|saved| saved.account_id.as_ref() == Some(access.account_id())));
    assert_eq!(saved.get(&access, &created.id).await.unwrap_err().kind(), ErrorKind::NotFound);

    let fixture = fixture.reopen().await;
    let access = fixture.workspaces.access(&fixture.admin, &access.workspace.id).unwrap();
    assert_eq!(read_whole::<Vec<SavedSql>>(saved_sqls(&fixture).list(&access)).unwrap(), listed);
}

#[tokio::test]
async fn title_and_sql_are_validated() {
    let fixture = Fixture::new().await;
    let access = fixture.workspace("sales").await;
    let saved = saved_sqls(&fixture);
    for (title, sql, named) in
        [("", "SELECT 1", "'title'"), ("Daily", "\n", "'sql'"), ("Daily", &"x".repeat(201), "'sql'")]
    {
        let error = saved.create(&access, request(title, sql)).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArguments);
        assert!(error.to_string().starts_with(named), "{error}");
    }
    let id = saved.create(&access, request("Daily", "SELECT 1")).await.unwrap().id;
    let empty = UpdateSavedSql { title: Some(String::new()), ..change() };
    let error = saved.update(&access, &id, empty).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArguments);
}

#[tokio::test]
async fn concurrent_changes_of_different_fields_both_apply() {
    let fixture = Fixture::new().await;
    let access = fixture.workspace("sales").await;
    let saved = saved_sqls(&fixture);
    let id = saved.create(&access, request("Daily", "SELECT 1")).await.unwrap().id;
    let title = UpdateSavedSql { title: Some("Weekly".to_owned()), ..change() };
    let sql = UpdateSavedSql { sql: Some("SELECT 7".to_owned()), ..change() };
    let (first, second) = tokio::join!(saved.update(&access, &id, title), saved.update(&access, &id, sql));
    assert!(first.is_ok() && second.is_ok());
    let now = saved.get(&access, &id).await.unwrap();
    assert_eq!((now.title.as_str(), now.sql.as_str()), ("Weekly", "SELECT 7"));
}

#[tokio::test]
async fn statistics_are_those_of_the_last_run() {
    let fixture = Fixture::new().await;
    let access = fixture.workspace("sales").await;
    let saved = saved_sqls(&fixture);
    let id = saved.create(&access, request("Daily", "SELECT 1")).await.unwrap().id;
    let none = saved.statistics(&access, &id).await.unwrap();
    assert_eq!(none.stats, StatementStats::none());
    assert_eq!(none.stats.state, "NONE");

    saved.set_last_run(id.clone(), stats("RUNNING", 5));
    let running = saved.statistics(&access, &id).await.unwrap().stats;
    assert_eq!((running.state.as_str(), running.processed_rows), ("RUNNING", 5));

    // `queries` makes the end durable with the run's record.
    let (end, kept) = (stats("FINISHED", 9), id.clone());
    saved.set_last_run(id.clone(), end.clone());
    let write =
        fixture.store.write(move |transaction| store::saved_sql::set_last_run(transaction, &kept, &end));
    write.await.unwrap();
    let fixture = fixture.reopen().await;
    let access = fixture.workspaces.access(&fixture.admin, &access.workspace.id).unwrap();
    let saved = saved_sqls(&fixture);
    let finished = saved.statistics(&access, &id).await.unwrap().stats;
    assert_eq!((finished.state.as_str(), finished.processed_rows), ("FINISHED", 9));
}

#[tokio::test]
async fn deleting_a_saved_sql_removes_its_statistics() {
    let fixture = Fixture::new().await;
    let access = fixture.workspace("sales").await;
    let saved = saved_sqls(&fixture);
    let id = saved.create(&access, request("Daily", "SELECT 1")).await.unwrap().id;
    saved.set_last_run(id.clone(), stats("FINISHED", 1));
    saved.delete(&access, &id).await.unwrap();
    for outcome in [
        saved.delete(&access, &id).await,
        saved.statistics(&access, &id).await.map(drop),
        saved.update(&access, &id, change()).await.map(drop),
    ] {
        assert_eq!(outcome.unwrap_err().kind(), ErrorKind::NotFound);
    }
}

#[tokio::test]
async fn a_consumer_is_refused_before_an_id_is_looked_up() {
    let fixture = Fixture::new().await;
    let admin = fixture.workspace("sales").await;
    let consumer = fixture.member(&admin, "consumer", Role::Consumer).await;
    let saved = saved_sqls(&fixture);
    let known = saved.create(&admin, request("Daily", "SELECT 1")).await.unwrap().id;
    for id in [known, SavedSqlId::new("unknown")] {
        for outcome in [
            saved.list(&consumer).map(drop),
            saved.get(&consumer, &id).await.map(drop),
            saved.create(&consumer, request("Daily", "SELECT 1")).await.map(drop),
            saved.update(&consumer, &id, change()).await.map(drop),
            saved.statistics(&consumer, &id).await.map(drop),
            saved.delete(&consumer, &id).await,
        ] {
            assert_eq!(outcome.unwrap_err().kind(), ErrorKind::PermissionDenied);
        }
    }
}

#[tokio::test]
async fn a_named_saved_sql_is_an_endpoint_also_after_a_restart() {
    let fixture = Fixture::new().await;
    let access = fixture.workspace("sales").await;
    let consumer = fixture.member(&access, "carl", Role::Consumer).await;
    let saved = saved_sqls(&fixture);
    let named =
        |name: &str, sql: &str| CreateSavedSql { sql_name: Some(name.to_owned()), ..request("Daily", sql) };
    for (name, sql, kind) in [
        ("Daily", "SELECT 1", ErrorKind::InvalidArguments),
        ("daily", "SELECT :x", ErrorKind::InvalidArguments),
        ("daily", "-- Cache: 1\nSELECT 1", ErrorKind::InvalidArguments),
        ("daily", "-- Order by: net\nSELECT 1", ErrorKind::InvalidArguments),
        ("daily", "SELECT * FROM nothing", ErrorKind::Statement(ErrorCode::TableNotFound)),
    ] {
        let error = saved.create(&access, named(name, sql)).await.unwrap_err();
        assert_eq!(error.kind(), kind, "{name} {sql}: {error}");
    }
    assert_eq!(read_whole::<Vec<SavedSql>>(saved.list(&access)).unwrap(), [], "nothing is half kept");
    let open = saved.create(&access, named("open", "-- Shared: consumers\nSELECT 1")).await.unwrap();
    let closed = saved.create(&access, named("closed", "SELECT 1")).await.unwrap();
    let taken = saved.create(&access, named("open", "SELECT 1")).await.unwrap_err();
    assert_eq!(taken.kind(), ErrorKind::AlreadyExists);
    let elsewhere = fixture.workspace("other").await;
    saved.create(&elsewhere, named("open", "SELECT 2")).await.unwrap();
    let names = |saved: &SavedSqls, access: &Access| -> Vec<String> {
        saved.endpoints.list(access).iter().map(|endpoint| endpoint.sql_name.clone()).collect()
    };
    assert_eq!(names(&saved, &access), ["closed", "open"]);
    assert_eq!(names(&saved, &consumer), ["open"]);
    assert_eq!(saved.endpoints.find(&consumer, "closed").unwrap_err().kind(), ErrorKind::NotFound);
    saved.endpoints.find(&consumer, "open").unwrap();

    // A title changes nothing else; a new text and a new name do; null removes the name.
    let title = UpdateSavedSql { title: Some("Weekly".to_owned()), ..change() };
    saved.update(&access, &open.id, title).await.unwrap();
    assert_eq!(saved.endpoints.find(&access, "open").unwrap().endpoint().title, "Weekly");
    let text = UpdateSavedSql { sql: Some("SELECT * FROM nothing".to_owned()), ..change() };
    saved.update(&access, &open.id, text).await.unwrap_err();
    assert!(saved.endpoints.find(&access, "open").unwrap().endpoint().is_shared());
    let name = |name: Option<&str>| UpdateSavedSql { sql_name: Some(name.map(str::to_owned)), ..change() };
    assert_eq!(
        saved.update(&access, &closed.id, name(Some("open"))).await.unwrap_err().kind(),
        ErrorKind::AlreadyExists
    );
    saved.update(&access, &open.id, name(Some("opened"))).await.unwrap();
    assert_eq!(names(&saved, &access), ["closed", "opened"]);
    saved.update(&access, &closed.id, name(None)).await.unwrap();
    assert_eq!(names(&saved, &access), ["opened"]);

    let fixture = fixture.reopen().await;
    let access = fixture.workspaces.access(&fixture.admin, &access.workspace.id).unwrap();
    let saved = saved_sqls(&fixture);
    let endpoint = Arc::clone(saved.endpoints.find(&access, "opened").unwrap().endpoint());
    assert_eq!((endpoint.columns.len(), endpoint.is_shared()), (2, true));
    saved.delete(&access, &open.id).await.unwrap();
    assert_eq!(names(&saved, &access), Vec::<String>::new());
}

#[tokio::test]
async fn each_change_is_a_version_and_so_is_a_restore() {
    let fixture = Fixture::new().await;
    let access = fixture.workspace("sales").await;
    let other = fixture.member(&access, "ann", Role::Analyst).await;
    let saved = saved_sqls(&fixture);
    let id = saved.create(&access, request("Daily", "SELECT 1")).await.unwrap().id;
    let text = |sql: &str| UpdateSavedSql { sql: Some(sql.to_owned()), ..change() };
    saved.update(&other, &id, text("SELECT 2")).await.unwrap();
    saved.update(&other, &id, text("SELECT 2")).await.unwrap();
    let described = UpdateSavedSql { description: Some("two".to_owned()), ..change() };
    saved.update(&access, &id, described).await.unwrap();
    let versions = saved.versions(&access, &id).await.unwrap();
    let shown: Vec<_> = versions
        .iter()
        .map(|version| (version.version, version.sql.as_str(), version.username.as_deref()))
        .collect();
    assert_eq!(
        shown,
        [(3, "SELECT 2", Some("admin")), (2, "SELECT 2", Some("ann")), (1, "SELECT 1", Some("admin"))]
    );
    let back = UpdateSavedSql { version: Some(1), ..change() };
    let now = saved.update(&other, &id, back).await.unwrap();
    assert_eq!((now.sql.as_str(), now.title.as_str()), ("SELECT 1", "Daily"));
    let newest = saved.versions(&access, &id).await.unwrap()[0].clone();
    assert_eq!((newest.version, newest.sql.as_str()), (4, "SELECT 1"));
    let unknown = UpdateSavedSql { version: Some(9), ..change() };
    assert_eq!(saved.update(&access, &id, unknown).await.unwrap_err().kind(), ErrorKind::NotFound);
    let consumer = fixture.member(&access, "consumer", Role::Consumer).await;
    assert_eq!(saved.versions(&consumer, &id).await.unwrap_err().kind(), ErrorKind::PermissionDenied);
    // A limited number is stored, and they are deleted with the saved SQL.
    for number in 0..60 {
        saved.update(&access, &id, text(&format!("SELECT {number}"))).await.unwrap();
    }
    let versions = saved.versions(&access, &id).await.unwrap();
    assert_eq!((versions.len(), versions[0].version, versions[49].version), (50, 64, 15));
    saved.delete(&access, &id).await.unwrap();
    let left: u64 = fixture
        .store
        .read(|connection| {
            connection.query_row("SELECT count(*) FROM saved_sql_versions", [], |row| row.get(0))
        })
        .unwrap();
    assert_eq!(left, 0);
}

#[tokio::test]
async fn restoring_a_version_of_an_endpoint_checks_its_text() {
    let fixture = Fixture::new().await;
    let access = fixture.workspace("sales").await;
    let saved = saved_sqls(&fixture);
    let id = saved.create(&access, request("Daily", "SELECT * FROM nothing")).await.unwrap().id;
    let named = UpdateSavedSql {
        sql: Some("-- Shared: consumers\nSELECT 1".to_owned()),
        sql_name: Some(Some("daily".to_owned())),
        ..change()
    };
    saved.update(&access, &id, named).await.unwrap();
    let back = UpdateSavedSql { version: Some(1), ..change() };
    let error = saved.update(&access, &id, back).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Statement(ErrorCode::TableNotFound));
    assert!(saved.endpoints.find(&access, "daily").unwrap().endpoint().is_shared());
    let text = UpdateSavedSql { sql: Some("SELECT 2".to_owned()), ..change() };
    saved.update(&access, &id, text).await.unwrap();
    assert!(!saved.endpoints.find(&access, "daily").unwrap().endpoint().is_shared());
    saved.update(&access, &id, UpdateSavedSql { version: Some(2), ..change() }).await.unwrap();
    assert!(saved.endpoints.find(&access, "daily").unwrap().endpoint().is_shared());
}

/// Regression: 120 texts of 1 MB took 230 MB of the database, and nothing limited their number.
#[tokio::test]
async fn saved_sql_of_a_workspace_is_limited_with_its_versions() {
    let fixture = Fixture::new().await;
    let (access, other) = (fixture.workspace("sales").await, fixture.workspace("other").await);
    let saved = saved_sqls(&fixture);
    let first = saved.create(&access, request("ab", "SELECT 1")).await.unwrap();
    let described = UpdateSavedSql { description: Some("é".to_owned()), ..change() };
    saved.update(&access, &first.id, described).await.unwrap();
    let sizes = |id: SavedSqlId| {
        let workspace_id = access.workspace.id.clone();
        fixture
            .store
            .write(move |transaction| store::saved_sql::workspace_sizes(transaction, &workspace_id, &id))
    };
    // Two versions, and the newest once more.
    let expected = store::saved_sql::WorkspaceSizes { others: 0, bytes: 10 + 12 + 12 };
    assert_eq!(sizes(first.id.clone()).await.unwrap(), expected);

    // Almost full, as after many versions of long texts.
    let (id, bytes) = (first.id.as_str().to_owned(), sizes::MAX_SAVED_SQL_BYTES - 12 - 20);
    let filled = fixture.store.write(move |transaction| {
        transaction
            .execute("UPDATE saved_sql SET version_bytes = ?2 WHERE id = ?1", rusqlite::params![id, bytes])
    });
    filled.await.unwrap();
    let refused = saved.create(&access, request("t", "SELECT 12345678901234567890")).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::InvalidArguments);
    assert!(refused.to_string().contains("are the most: delete saved SQL"), "{refused}");
    let longer = UpdateSavedSql { sql: Some("SELECT 12345678901234567890".to_owned()), ..change() };
    assert!(saved.update(&access, &first.id, longer.clone()).await.is_err());
    assert!(saved.create(&other, request("t", "SELECT 12345678901234567890")).await.is_ok());
    let second = saved.create(&access, request("t", "SELECT 1")).await.unwrap();
    saved.delete(&access, &first.id).await.unwrap();
    saved.update(&access, &second.id, longer).await.unwrap();
}
