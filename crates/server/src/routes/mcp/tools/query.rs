//! Free SQL as a tool, if the operator has set `mcp.query` and the caller is an ANALYST.

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use rowhouse_engine::{RowFormat, RowSelection, RowShape, Submission, encode};
use rowhouse_model::{Source, StatementParameters};
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

use super::super::capped_rows::{Caps, capped_rows};
use super::super::outcome::{RowsOutcome, result_url};
use super::super::scope::Scope;
use super::schema::{self, Schemas};
use super::statement::{Right, SOURCE, ended, submitted};
use super::{QUERY, reading};
use crate::error::{Error, Result};
use crate::stream::opened_once;
use crate::tool_calls::ToolCall;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    sql: String,
    #[serde(default)]
    parameters: StatementParameters,
    limit: Option<u64>,
}

pub(super) fn tool(scope: &Scope<'_>) -> Tool {
    let workspace = &scope.access.workspace;
    let mut properties = JsonObject::new();
    properties.insert(
        "sql".to_owned(),
        json!({ "type": "string", "description": "One statement in Trino's SQL." }),
    );
    properties.insert(
        "parameters".to_owned(),
        json!({ "type": "object",
                "description": "Values of the :name parameters of the statement: JSON values, or {\"type\": …, \"value\": …}." }),
    );
    properties.insert(
        "limit".to_owned(),
        json!({ "type": "integer", "minimum": 0, "maximum": scope.config.max_rows,
                "description": "Rows to return at most; the link has them all." }),
    );
    let schemas = Schemas::new(
        schema::arguments(properties, &["sql"]),
        schema::output(json!({ "type": "array", "description": "Values in the order of `columns`." })),
    );
    let description = format!(
        "Runs one SQL statement in the workspace '{}' and returns its rows as arrays. The dialect is Trino's. Tables and \
         their columns are in the resources, and in information_schema.columns.",
        workspace.sql_name
    );
    let mut tool = reading(QUERY.to_owned(), "Run a statement".to_owned(), description, schemas);
    if workspace.engine.is_trino() {
        // The cluster decides what it may change.
        tool.annotations = Some(ToolAnnotations::new().open_world(true));
    }
    tool
}

pub(super) async fn call(
    scope: &Scope<'_>,
    arguments: Option<&RawValue>,
    under_way: &ToolCall,
) -> Result<RowsOutcome> {
    let text = arguments.map_or("{}", RawValue::get);
    let Arguments { sql, parameters, limit } =
        serde_json::from_str(text).map_err(|error| Error::invalid(format!("the arguments: {error}")))?;
    let mut submission = Submission::new(sql);
    submission.parameters = parameters;
    submission.source = Source::from(SOURCE.to_owned());
    let queries = scope.call.app.engine.queries();
    let record = submitted(scope, Right::Role, queries.submit_shared(&scope.access, submission)).await?;
    let record = ended(scope, Right::Role, record, under_way).await?;
    let result = queries.result_of(&scope.access, record).await?;

    let config = scope.call.app.config.get();
    let most = config.max_page_rows.map_or(scope.config.max_rows, |rows| rows.min(scope.config.max_rows));
    let caps = Caps { rows: limit.unwrap_or(most).min(most), bytes: scope.config.max_bytes };
    let columns = result.record.result_columns().to_vec();
    let (result_url, query_id) = (result_url(scope, &result), result.record.id.as_str().to_owned());
    let total_rows = result.row_count();
    let projection = result.record.projection().clone();
    let selection = RowSelection::Range { offset: 0, limit: caps.rows.saturating_add(1) };
    let file = result.file;
    let open =
        opened_once(move || Ok(encode(file, &projection, selection, RowShape::Arrays, RowFormat::Ndjson)?));
    let rows = capped_rows(scope.call, caps, 0, open).await?;
    Ok(RowsOutcome {
        rows,
        offset: None,
        columns: Some(columns),
        total_rows: Some(total_rows),
        query_id: Some(query_id),
        result_url,
    })
}
