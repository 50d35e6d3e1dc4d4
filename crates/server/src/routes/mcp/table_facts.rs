//! Facts about a table beyond the catalog, which statements return (D134): SHOW STATS, and the comments of columns for tables
//! on clusters. The statements are ordinary records with the source MCP. Facts that are not available in time are omitted.

use std::collections::HashMap;
use std::time::Duration;

use rowhouse_engine::{RowFormat, RowSelection, RowShape, Submission, encode};
use rowhouse_model::{CatalogTable, CatalogTableKind, QueryStatus, Source};
use serde_json::{Value, json};

use super::capped_rows::{Caps, capped_rows};
use super::scope::Scope;
use super::tools::SOURCE;
use crate::error::{Error, Result};
use crate::stream::opened_once;

/// Time limit of each of the statements.
const PATIENCE: Duration = Duration::from_secs(10);
/// Maximum size of a statement's rows; facts of further columns are omitted.
const CAPS: Caps = Caps { rows: 2000, bytes: 256 << 10 };

/// Facts by column, as fields of an object.
pub(super) type ColumnFacts = HashMap<String, serde_json::Map<String, Value>>;

/// The facts about a table.
#[derive(Debug, Default)]
pub(super) struct TableFacts {
    pub(super) row_count: Option<f64>,
    pub(super) columns: ColumnFacts,
}

/// Reads the facts; none if a statement fails or takes too long.
pub(super) async fn of(scope: &Scope<'_>, table: &CatalogTable) -> TableFacts {
    let mut facts = TableFacts::default();
    if table.kind == CatalogTableKind::View {
        return facts;
    }
    let [catalog, schema, name] = [&table.catalog, &table.schema, &table.name].map(|name| quoted(name));
    let name = format!("{catalog}.{schema}.{name}");
    match rows(scope, format!("SHOW STATS FOR {name}")).await {
        Ok(rows) => add_statistics(&mut facts, &rows),
        Err(error) => tracing::debug!(%error, "a table's statistics are not available"),
    }
    if scope.access.workspace.engine.is_trino() {
        match rows(scope, format!("SHOW COLUMNS FROM {name}")).await {
            Ok(rows) => add_comments(&mut facts, &rows),
            Err(error) => tracing::debug!(%error, "the comments of a table's columns are not available"),
        }
    }
    facts
}

/// Rows of column, size, distinct values, part of NULLs, rows, least and greatest value; the last one is the table's.
fn add_statistics(facts: &mut TableFacts, rows: &[Vec<Value>]) {
    for row in rows {
        let [column, _, distinct, nulls, row_count, low, high] = row.as_slice() else { continue };
        let Some(column) = column.as_str() else {
            facts.row_count = row_count.as_f64();
            continue;
        };
        let known = [("distinctValues", distinct), ("nullsFraction", nulls), ("low", low), ("high", high)];
        let known = known.into_iter().filter(|(_, value)| !value.is_null());
        let known: serde_json::Map<String, Value> =
            known.map(|(name, value)| (name.to_owned(), value.clone())).collect();
        if !known.is_empty() {
            facts.columns.entry(column.to_owned()).or_default().extend(known);
        }
    }
}

/// Rows of column, type, extra and comment.
fn add_comments(facts: &mut TableFacts, rows: &[Vec<Value>]) {
    for row in rows {
        let [Value::String(column), _, _, Value::String(comment)] = row.as_slice() else { continue };
        if !comment.is_empty() {
            facts.columns.entry(column.clone()).or_default().insert("comment".to_owned(), json!(comment));
        }
    }
}

async fn rows(scope: &Scope<'_>, sql: String) -> Result<Vec<Vec<Value>>> {
    let mut submission = Submission::new(sql);
    submission.source = Source::from(SOURCE.to_owned());
    submission.max_run_time = Some(PATIENCE);
    let queries = scope.call.app.engine.queries();
    let submitted = queries.submit_shared(&scope.access, submission);
    let record = scope.call.while_client_waits(submitted).await??;
    let waited =
        scope.call.while_client_waits(queries.wait_shared(&scope.access, &record.id, PATIENCE)).await;
    let ended = queries.wait_shared(&scope.access, &record.id, Duration::ZERO).await?;
    if !ended.status.is_some_and(QueryStatus::is_final) {
        queries.cancel_shared(&scope.access, &record.id).await?;
    }
    waited??;
    let result = queries.result_of(&scope.access, ended).await?;
    let projection = result.record.projection().clone();
    let selection = RowSelection::Range { offset: 0, limit: CAPS.rows + 1 };
    let file = result.file;
    let open =
        opened_once(move || Ok(encode(file, &projection, selection, RowShape::Arrays, RowFormat::Ndjson)?));
    let rows = capped_rows(scope.call, CAPS, 0, open).await?;
    serde_json::from_str(&rows.json).map_err(|error| Error::Internal(format!("rows as JSON: {error}")))
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_facts_are_omitted() {
        let mut facts = TableFacts::default();
        let rows = [
            vec![json!("a"), Value::Null, json!(25.0), json!(0.0), Value::Null, json!("0"), json!("24")],
            vec![json!("b"), Value::Null, Value::Null, Value::Null, Value::Null, Value::Null, Value::Null],
            vec![Value::Null, Value::Null, Value::Null, Value::Null, json!(25.0), Value::Null, Value::Null],
            vec![json!("of another shape")],
        ];
        add_statistics(&mut facts, &rows);
        add_comments(&mut facts, &[vec![json!("a"), json!("bigint"), json!(""), json!("The key")]]);
        add_comments(&mut facts, &[vec![json!("b"), json!("bigint"), json!(""), json!("")]]);
        assert_eq!(facts.row_count, Some(25.0));
        let found = serde_json::to_value(&facts.columns).expect("JSON");
        let expected = json!({ "a": { "distinctValues": 25.0, "nullsFraction": 0.0, "low": "0", "high": "24",
                                      "comment": "The key" } });
        assert_eq!(found, expected);
    }

    #[test]
    fn names_are_quoted() {
        assert_eq!(quoted("a\"b"), "\"a\"\"b\"");
    }
}
