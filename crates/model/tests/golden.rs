//! Each wire type against a file of `tests/golden`: the value serializes to exactly the file, and the file deserializes
//! to the value. `UPDATE_GOLDEN=1` rewrites the files; review the difference, because a change of a file is a change of
//! the interface.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::path::Path;

use rowhouse_model::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;

fn check<T: Serialize + DeserializeOwned + PartialEq + Debug>(name: &str, value: &T) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("{name}.json"));
    let text = serde_json::to_string_pretty(value).expect("a wire type serialises") + "\n";
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &text).expect("the golden file can be written");
    }
    let golden = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}; UPDATE_GOLDEN=1 writes it", path.display()));
    assert_eq!(text, golden, "{name} serialises to its file");
    let read: T = serde_json::from_str(&golden).expect("a golden file reads");
    assert_eq!(&read, value, "{name} reads back from its file");
}

fn moment(text: &str) -> Timestamp {
    text.parse().expect("a timestamp")
}

#[test]
fn accounts_and_tokens() {
    check(
        "account",
        &Account {
            id: AccountId::new("acc_1"),
            username: "ada".to_owned(),
            is_admin: true,
            is_disabled: false,
        },
    );
    check("create_account", &CreateAccount { username: "bob".to_owned(), is_admin: Some(false) });
    check("create_account_minimal", &CreateAccount { username: "bob".to_owned(), is_admin: None });
    check(
        "token",
        &Token {
            id: TokenId::new("tok_1"),
            name: "notebook".to_owned(),
            account_id: AccountId::new("acc_1"),
            created_at: moment("2026-01-31T08:15:30.123Z"),
            expires_at: None,
            parent_id: Some(TokenId::new("tok_0")),
            last_used_at: None,
            allow: None,
        },
    );
    check(
        "create_token",
        &CreateToken {
            name: "notebook".to_owned(),
            account_id: Some(AccountId::new("acc_2")),
            expires_in_days: Some(0),
            allow: None,
        },
    );
    check(
        "created_token",
        &CreatedToken {
            id: TokenId::new("tok_1"),
            name: "notebook".to_owned(),
            token: "rh_secret".to_owned(),
            expires_at: Some(moment("2026-05-01T08:15:30.123Z")),
        },
    );
}

#[test]
fn a_created_token_is_never_printed() {
    let created = CreatedToken {
        id: TokenId::new("tok_1"),
        name: "notebook".to_owned(),
        token: "rh_secret".to_owned(),
        expires_at: None,
    };
    assert!(!format!("{created:?}").contains("rh_secret"));
}

#[test]
fn errors() {
    let body = ErrorBody {
        code: ErrorCode::InvalidArguments.to_string(),
        message: "limit: 'ten' is not a number".to_owned(),
        request_id: "req_1".to_owned(),
        details: None,
    };
    check("error_body", &body);
    check("error_body_with_details", &ErrorBody { details: Some(json!({ "field": "limit" })), ..body });
    check("query_error", &QueryError::new(ErrorCode::UserCanceled, "Query was canceled"));
    check("query_error_located", &located_error());
}

fn located_error() -> QueryError {
    QueryError {
        failure_info: Some(FailureInfo {
            kind: "AnalysisError".to_owned(),
            message: Some("Column 'nam' cannot be resolved".to_owned()),
        }),
        ..QueryError::at(
            ErrorCode::ColumnNotFound,
            ErrorLocation { line_number: 1, column_number: 8 },
            "Column 'nam' cannot be resolved; did you mean 'name'?",
        )
    }
}

fn columns() -> Vec<Column> {
    vec![
        Column::new("n_name", "varchar(25)"),
        Column::new("revenue", "decimal(38,4)"),
        Column::new("seen", "timestamp(3) with time zone"),
        Column::new("parts", "array(row(p_name varchar, p_size integer))"),
    ]
}

fn minimal_query() -> Query {
    Query {
        id: QueryId::new("q_1"),
        statement_id: None,
        account_id: None,
        status: None,
        started_at: None,
        sql: None,
        parameters: None,
        duration: None,
        workspace_id: WorkspaceId::new("w_1"),
        workspace_sql_name: None,
        other_workspaces: None,
        location: None,
        error: None,
        user_id: None,
        user_type: None,
        row_count: None,
        from_cache: None,
        source: None,
        columns: None,
        query_stats: None,
        output_stage: None,
        data_format: None,
        cache: None,
    }
}

fn failed_query() -> Query {
    Query {
        status: Some(QueryStatus::Failed),
        error: Some(located_error()),
        source: Some(Source::Other("cronjob".to_owned())),
        ..minimal_query()
    }
}

fn statistics() -> QueryStats {
    QueryStats {
        state: "FINISHED".to_owned(),
        queued: false,
        scheduled: true,
        nodes: 1,
        total_splits: 2,
        queued_splits: 0,
        running_splits: 0,
        completed_splits: 2,
        cpu_time_millis: 31,
        wall_time_millis: 17,
        queued_time_millis: 3,
        elapsed_time_millis: 24,
        processed_rows: 60_175,
        processed_bytes: 2_104_822,
        peak_memory_bytes: 41_943_040,
        spilled_bytes: 0,
        planning_time_millis: 4,
        execution_time_millis: 17,
        output_rows: 5,
        output_bytes: 1_514,
        progress_percentage: 100.0,
    }
}

fn finished_query() -> Query {
    Query {
        id: QueryId::new("q_1"),
        statement_id: Some(StatementId::new("20260131_081530_00001_abcde")),
        account_id: Some(AccountId::new("acc_1")),
        status: Some(QueryStatus::Finished),
        started_at: Some(moment("2026-01-31T08:15:30.123Z")),
        sql: Some("SELECT n_name, sum(revenue) AS revenue FROM …".to_owned()),
        parameters: None,
        duration: Some(24),
        workspace_id: WorkspaceId::new("w_1"),
        workspace_sql_name: Some("demo".to_owned()),
        other_workspaces: None,
        location: Some("results/w_1/q_1.arrow".to_owned()),
        error: None,
        user_id: Some("ada".to_owned()),
        user_type: Some(Role::Owner),
        row_count: Some(5),
        from_cache: Some(false),
        cache: Some(CacheVerdict {
            reason: Some("table orders changed".to_owned()),
            sources_changed: Some(true),
            age_seconds: Some(7),
            outcome: CacheOutcome::Miss,
        }),
        source: Some(Source::Api),
        columns: Some(columns()),
        query_stats: Some(statistics()),
        output_stage: Some(OutputStage {
            stage_id: "0".to_owned(),
            state: "FINISHED".to_owned(),
            operator: "Aggregate[n_name]".to_owned(),
            output_rows: Some(5),
            output_bytes: Some(1_514),
            sub_stages: vec![OutputStage {
                stage_id: "1".to_owned(),
                state: "FINISHED".to_owned(),
                operator: "TableScan[tpch.tiny.nation]".to_owned(),
                output_rows: None,
                output_bytes: None,
                sub_stages: Vec::new(),
            }],
        }),
        data_format: Some(DataFormat::Arrow),
    }
}

#[test]
fn queries() {
    check("query_minimal", &minimal_query());
    check("query_finished", &finished_query());
    check("query_failed", &failed_query());
    check("query_list", &QueryList { total_count: 7, result: vec![failed_query(), minimal_query()] });
    check(
        "query_result",
        &QueryResult { result: json!([["FRANCE", 12.5, null, []]]), columns: columns(), row_count: 1 },
    );
    let minimal = SubmitQuery {
        workspace_id: WorkspaceId::new("w_1"),
        sql: "SELECT 1".to_owned(),
        cache_refresh: None,
        cache_ttl: None,
        cache_check: None,
        cache_stale: None,
        source: None,
        parameters: None,
        time_zone: None,
        wait: None,
        rows: None,
        shape: None,
    };
    check(
        "submit_query",
        &SubmitQuery {
            cache_refresh: Some(false),
            cache_ttl: Some(60),
            source: Some(Source::Notebook),
            wait: Some(10),
            rows: Some(100),
            shape: Some(RowShape::Objects),
            ..minimal.clone()
        },
    );
    check("submit_query_minimal", &minimal);
    check("cancel_query", &CancelQuery { workspace_id: WorkspaceId::new("w_1") });
}

#[test]
fn a_query_has_the_fields_of_the_specification_and_no_others() {
    let fields = [
        "id",
        "statementId",
        "accountId",
        "status",
        "startedAt",
        "sql",
        "duration",
        "workspaceId",
        "workspaceSqlName",
        "location",
        "error",
        "userId",
        "userType",
        "rowCount",
        "fromCache",
        "source",
        "columns",
        "queryStats",
        "outputStage",
        "dataFormat",
    ];
    // The verdict of the cache is present if the cache was consulted.
    let full = Query { error: Some(located_error()), cache: None, ..finished_query() };
    let value = serde_json::to_value(full).expect("a query serialises");
    // Whether an object keeps its order is a feature of serde_json that another crate may enable.
    let names: BTreeSet<&str> = value.as_object().expect("an object").keys().map(String::as_str).collect();
    assert_eq!(names, BTreeSet::from(fields));
}

#[test]
fn a_source_keeps_unknown_text_and_knows_its_own() {
    for text in ["API", "WEB", "CLI", "NOTEBOOK", "SAVED_SQL", "SCHEDULE", "MATERIALIZED_VIEW"] {
        let source = Source::from(text.to_owned());
        assert!(!matches!(source, Source::Other(_)), "{text}");
        assert_eq!(source.to_string(), text);
    }
    assert_eq!(Source::from("api".to_owned()), Source::Other("api".to_owned()));
}

#[test]
fn saved_sql() {
    let saved = SavedSql {
        id: SavedSqlId::new("s_1"),
        title: "Revenue".to_owned(),
        description: Some("by nation".to_owned()),
        sql: "SELECT 1".to_owned(),
        workspace_id: WorkspaceId::new("w_1"),
        account_id: Some(AccountId::new("acc_1")),
        sql_name: None,
    };
    check("saved_sql", &saved);
    check("saved_sql_created", &SavedSql { description: None, account_id: None, ..saved });
    check(
        "saved_sql_statistics",
        &SavedSqlStatistics { id: SavedSqlId::new("s_1"), stats: StatementStats::from(&statistics()) },
    );
    check(
        "saved_sql_statistics_without_a_run",
        &SavedSqlStatistics { id: SavedSqlId::new("s_1"), stats: StatementStats::none() },
    );
    check(
        "create_saved_sql",
        &CreateSavedSql {
            workspace_id: WorkspaceId::new("w_1"),
            sql: "SELECT 1".to_owned(),
            description: Some("one".to_owned()),
            title: "One".to_owned(),
            sql_name: None,
        },
    );
    check(
        "update_saved_sql",
        &UpdateSavedSql {
            workspace_id: WorkspaceId::new("w_1"),
            sql: None,
            description: None,
            title: Some("Two".to_owned()),
            sql_name: None,
            version: None,
        },
    );
    check(
        "execute_saved_sql",
        &ExecuteSavedSql {
            workspace_id: WorkspaceId::new("w_1"),
            source: Some(Source::Web),
            parameters: None,
            time_zone: None,
            wait: None,
            rows: None,
            shape: None,
        },
    );
}

#[test]
fn the_service() {
    check(
        "service_status",
        &ServiceStatus {
            clusters: Vec::new(),
            status: ServiceState::Running,
            last_used: moment("2026-01-31T08:15:30.123Z"),
            id: "sql-engine".to_owned(),
            service: SQL_ENGINE.to_owned(),
            max_idle_time: 900,
        },
    );
    check("set_service_state", &SetServiceState { state: false });
}

#[test]
fn tables_and_workspaces() {
    check(
        "table",
        &Table {
            name: "orders".to_owned(),
            location: "/srv/data/orders/*.parquet".to_owned(),
            format: TableFormat::Parquet,
            columns: vec![Column::new("o_orderkey", "bigint")],
            row_count: Some(1_500_000),
        },
    );
    check(
        "create_table",
        &CreateTable {
            workspace_id: WorkspaceId::new("w_1"),
            name: "orders".to_owned(),
            location: "orders".to_owned(),
            format: Some(TableFormat::Ndjson),
        },
    );
    check(
        "workspace",
        &Workspace {
            id: WorkspaceId::new("w_1"),
            sql_name: "demo".to_owned(),
            title: "Demo".to_owned(),
            engine: EngineKind::Polars,
            role: Role::Analyst,
        },
    );
    check(
        "create_workspace",
        &CreateWorkspace {
            title: "Demo".to_owned(),
            sql_name: "demo".to_owned(),
            engine: Some(EngineKind::Trino { cluster: None }),
        },
    );
    let account_id = AccountId::new("acc_2");
    check("set_member", &SetMember { account_id: account_id.clone(), role: Some(Role::Consumer) });
    check("set_member_away", &SetMember { account_id: account_id.clone(), role: None });
    check(
        "member",
        &Member { account_id, workspace_id: WorkspaceId::new("w_1"), role: Some(Role::Consumer) },
    );
}

#[test]
fn materialized_views() {
    let view = MaterializedView {
        id: ViewId::new("v_1"),
        workspace_id: WorkspaceId::new("w_1"),
        sql_name: "revenue".to_owned(),
        title: Some("Revenue".to_owned()),
        description: None,
        sql: "-- Service API: required(\"nation:eq\")\nSELECT nation, revenue FROM sales".to_owned(),
        schedule: Some("@every 10m".to_owned()),
        required_filters: vec!["nation:EQ".to_owned()],
        columns: vec![Column::new("nation", "varchar"), Column::new("revenue", "double")],
        row_count: Some(25),
        generation: Some(3),
        refreshed_at: Some(moment("2026-01-31T08:15:30.123Z")),
        last_error: None,
    };
    check("materialized_view", &view);
    check(
        "created_materialized_view",
        &CreatedMaterializedView {
            view: MaterializedView {
                row_count: None,
                generation: None,
                refreshed_at: None,
                last_error: Some("the SQL engine is disabled".to_owned()),
                ..view
            },
            refresh_query_id: None,
        },
    );
    check(
        "create_materialized_view",
        &CreateMaterializedView {
            workspace_id: WorkspaceId::new("w_1"),
            sql_name: "revenue".to_owned(),
            sql: "SELECT 1 AS one".to_owned(),
            title: None,
            description: Some("one".to_owned()),
            schedule: Some("0 3 * * *".to_owned()),
        },
    );
    check(
        "update_materialized_view",
        &UpdateMaterializedView {
            sql: Some("SELECT 2 AS two".to_owned()),
            title: Some(None),
            description: Some(Some("two".to_owned())),
            ..UpdateMaterializedView::default()
        },
    );
    check(
        "view_generation",
        &ViewGeneration {
            generation: 3,
            refreshed_at: moment("2026-01-31T08:15:30.123Z"),
            row_count: 25,
            query_id: Some(QueryId::new("q_1")),
        },
    );
    check("refresh_materialized_view", &RefreshMaterializedView { workspace_id: WorkspaceId::new("w_1") });
}
