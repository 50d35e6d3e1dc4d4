//! What definitions are accepted and refused.

use rowhouse_model::{Column, CreateTable, ErrorCode, ErrorLocation, QueryError, Role};

use super::*;

#[tokio::test]
async fn an_invalid_definition_is_refused_as_a_whole() {
    let bench = Bench::new().await;
    let check = async |change: &dyn Fn(&mut CreateMaterializedView), kind: ErrorKind, text: &str| {
        let mut wrong = request("orders_by_region");
        change(&mut wrong);
        let error = bench.views.create(&bench.access, wrong).await.unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.to_string().contains(text), "{error}");
    };
    let invalid = ErrorKind::InvalidArguments;
    check(&|view| view.sql_name = "Orders".to_owned(), invalid, "'sqlName' must be").await;
    check(&|view| view.sql = " ".to_owned(), invalid, "'sql' must not be empty").await;
    check(&|view| view.title = Some(String::new()), invalid, "'title' must not be empty").await;
    check(&|view| view.schedule = Some("now".to_owned()), invalid, "'schedule' is 'now'").await;
    // A requirement that is silently not enforced is a leak (D24).
    let near_miss = "--Service API: required(\"region\")\nSELECT 1";
    check(&|view| view.sql = near_miss.to_owned(), invalid, "line 1:").await;
    let unknown = "-- Service API: required(\"planet\")\nSELECT region, amount FROM orders";
    check(&|view| view.sql = unknown.to_owned(), ErrorKind::ColumnNotFound, "planet").await;

    let refused = QueryError::at(
        ErrorCode::TableNotFound,
        ErrorLocation { line_number: 2, column_number: 29 },
        "table 'orders' does not exist",
    );
    *bench.executor.analysis.lock().unwrap() = Some(Err(refused));
    check(&|_| {}, ErrorKind::Statement(ErrorCode::TableNotFound), "line 2:29: table 'orders'").await;
    let twice = vec![Column::new("region", "varchar"), Column::new("region", "varchar")];
    *bench.executor.analysis.lock().unwrap() = Some(Ok(twice));
    let code = ErrorKind::Statement(ErrorCode::DuplicateColumnName);
    check(&|_| {}, code, "column 'region' stands twice").await;

    assert!(bench.listed(&bench.access).is_empty());
    assert!(bench.runner.all().is_empty());
}

#[tokio::test]
async fn a_table_and_a_view_do_not_share_a_name() {
    let bench = Bench::new().await;
    let file = bench.base.folder.path().join("orders.csv");
    std::fs::write(&file, "a\n1\n").unwrap();
    let table = |name: &str| CreateTable {
        workspace_id: bench.access.workspace.id.clone(),
        name: name.to_owned(),
        location: file.display().to_string(),
        format: None,
    };
    bench.tables.create(&bench.access, table("orders")).await.unwrap();
    bench.create("by_region").await;

    let taken = |error: Error| {
        assert_eq!(error.kind(), ErrorKind::AlreadyExists);
        error.to_string()
    };
    let view = taken(bench.views.create(&bench.access, request("orders")).await.unwrap_err());
    assert_eq!(view, "the workspace has a table 'orders' already");
    let second = taken(bench.views.create(&bench.access, request("by_region")).await.unwrap_err());
    assert_eq!(second, "the workspace has a materialized view 'by_region' already");
    let other = taken(bench.tables.create(&bench.access, table("by_region")).await.unwrap_err());
    assert_eq!(other, "the workspace has a materialized view 'by_region' already");
    let id = bench.create("third").await.view.id;
    let rename = UpdateMaterializedView { sql_name: Some("orders".to_owned()), ..Default::default() };
    taken(bench.change(&id, rename).await.unwrap_err());
}

#[tokio::test]
async fn absent_fields_are_unchanged_and_null_removes() {
    let bench = Bench::new().await;
    let mut with_all = request("by_region");
    with_all.title = Some("By region".to_owned());
    with_all.description = Some("Sums".to_owned());
    with_all.schedule = Some("@every 10m".to_owned());
    let created = bench.views.create(&bench.access, with_all).await.unwrap().view;

    let nothing = bench.change(&created.id, UpdateMaterializedView::default()).await.unwrap();
    assert_eq!((nothing.view, nothing.refresh_query_id), (created.clone(), None));

    let change = UpdateMaterializedView {
        sql_name: Some("renamed".to_owned()),
        title: Some(None),
        schedule: Some(Some("0 6 * * *".to_owned())),
        // An unchanged text does not cause a refresh.
        sql: Some(SQL.to_owned()),
        ..Default::default()
    };
    let changed = bench.change(&created.id, change).await.unwrap();
    assert_eq!(changed.refresh_query_id, None);
    let expected = MaterializedView {
        sql_name: "renamed".to_owned(),
        title: None,
        schedule: Some("0 6 * * *".to_owned()),
        ..created.clone()
    };
    assert_eq!(changed.view, expected);
    assert!(bench.views.read(&bench.access, "by_region").await.is_err());

    let bench = bench.reopen().await;
    assert_eq!(bench.get(&created.id).await, expected);
    assert!(bench.views.read(&bench.access, "renamed").await.is_ok());
}

#[tokio::test]
async fn a_consumer_lists_and_reads_and_nothing_else() {
    let bench = Bench::new().await;
    let id = bench.filled("by_region", 3).await.id;
    let consumer = bench.base.member(&bench.access, "consumer", Role::Consumer).await;
    let views = &bench.views;
    assert_eq!(bench.listed(&consumer).len(), 1);
    assert!(views.read(&consumer, "by_region").await.unwrap().generation.is_some());
    // The role is checked before the id is looked up (D6).
    for id in [&id, &ViewId::new("unknown")] {
        let refused = [
            views.get(&consumer, id).await.map(drop),
            views.update(&consumer, id, UpdateMaterializedView::default()).await.map(drop),
            views.refresh(&consumer, id).await.map(drop),
            views.drop(&consumer, id).await,
            views.create(&consumer, request("other")).await.map(drop),
        ];
        for outcome in refused {
            assert_eq!(outcome.unwrap_err().kind(), ErrorKind::PermissionDenied);
        }
    }
    let other = bench.base.workspace("other").await;
    assert_eq!(views.get(&other, &id).await.unwrap_err().kind(), ErrorKind::NotFound);
    assert_eq!(views.read(&other, "by_region").await.unwrap_err().kind(), ErrorKind::NotFound);
}

#[tokio::test]
async fn a_statement_sees_the_served_generations_of_views() {
    let bench = Bench::new().await;
    let id = bench.filled("filled", 3).await.id;
    bench.create("empty").await;
    bench.create("third").await;
    let catalog = bench.executor.analyzed.lock().unwrap().last().unwrap().catalog.clone();
    let seen: Vec<_> = catalog
        .tables
        .iter()
        .map(|table| match &table.source {
            rowhouse_executor::catalog::TableSource::View { file, columns, definition } => {
                assert!(columns.is_none(), "the text names none of them");
                assert_eq!(*definition, None);
                (table.name.as_str(), file.clone())
            }
            source @ rowhouse_executor::catalog::TableSource::Files { .. } => panic!("{source:?}"),
        })
        .collect();
    let file = bench.folder().join(id.as_str()).join("1.arrow");
    assert_eq!(seen, [("empty", None), ("filled", Some(file))]);
    assert_eq!((catalog.default_catalog.as_str(), catalog.default_schema.as_str()), ("rowhouse", "sales"));
}
