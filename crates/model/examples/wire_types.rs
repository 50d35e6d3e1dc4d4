//! A submission as a client writes it, and an answer as it reads it: `cargo run -p rowhouse-model --example wire_types`

use rowhouse_model::{Column, Query, QueryStatus, SubmitQuery, WorkspaceId, path};

const ANSWER: &str =
    r#"{"id": "q1", "statementId": null, "workspaceId": "demo", "status": "FINISHED", "rowCount": 1}"#;

fn main() -> Result<(), serde_json::Error> {
    let body = SubmitQuery {
        workspace_id: WorkspaceId::new("demo"),
        sql: "SELECT max(o_totalprice) AS price FROM tpch.tiny.orders".to_owned(),
        cache_refresh: Some(false),
        cache_ttl: Some(60),
        cache_check: None,
        cache_stale: None,
        source: None,
        parameters: None,
        time_zone: None,
        wait: None,
        rows: None,
        shape: None,
    };
    println!("POST {}\n{}", path::SUBMIT_QUERY, serde_json::to_string_pretty(&body)?);

    let query: Query = serde_json::from_str(ANSWER)?;
    let is_final = query.status.is_some_and(QueryStatus::is_final);
    println!("\n{} rows, at its end: {is_final}", query.row_count.unwrap_or_default());
    println!("a column: {}", serde_json::to_string(&Column::new("price", "decimal(15,2)"))?);
    Ok(())
}
