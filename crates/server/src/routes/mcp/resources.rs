//! The catalog as resources: the names that a statement may use, and the documentation of each table. For callers who
//! may run statements; others, and narrowed tokens, see none: their tools describe what they may read.

use std::borrow::Cow;

use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use rmcp::model::{
    ErrorCode, ErrorData, ListResourceTemplatesResult, ListResourcesResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResult, Resource, ResourceContents, ResourceTemplate,
};
use rowhouse_engine::{CatalogPlace, Held, TableSummary};
use rowhouse_model::{Catalog, CatalogTable, CatalogTableKind, Role};
use serde_json::{Value, json};

use super::message::Params;
use super::paging::page;
use super::scope::Scope;
use super::table_facts::{self, TableFacts};
use crate::error::{Error, Result};

const SCHEME: &str = "rowhouse://";
const JSON: &str = "application/json";
/// Maximum bytes of a resource's text: a catalog of many tables is listed without their columns.
const MAX_BYTES: usize = 256 << 10;

/// The target of a URI.
#[derive(Debug, PartialEq, Eq)]
enum ResourceAddress {
    Catalog,
    Table { catalog: String, schema: String, table: String },
}

/// Whether the caller sees any resources.
fn is_open(scope: &Scope<'_>) -> bool {
    scope.access.require(Role::Analyst).is_ok()
}

/// A page of the catalog and of the tables of the workspace's own schema.
pub(super) async fn list(scope: &Scope<'_>, params: Params<'_>) -> Result<ListResourcesResult, ErrorData> {
    let params: PaginatedRequestParams = params.read()?;
    let mut listed = Vec::new();
    if is_open(scope) {
        let tables = scope.call.app.engine.tables();
        let found = scope.call.while_client_waits(tables.summaries(&scope.access)).await;
        let found = found.and_then(|found| Ok(found?)).map_err(|error| protocol_error(&error))?;
        let workspace = &scope.access.workspace.sql_name;
        let all = Resource::new(catalog_uri(workspace), "catalog")
            .with_title("The catalog")
            .with_description("Catalogs, schemas and tables that a statement may name.")
            .with_mime_type(JSON);
        listed.push((all.uri.clone(), all));
        // The sample tables are available through the template.
        let own = found.iter().filter(|table| table.kind != CatalogTableKind::Sample);
        listed.extend(own.map(|table| {
            let resource = Resource::new(
                table_uri(workspace, &table.catalog, &table.schema, &table.name),
                format!("{}.{}", table.schema, table.name),
            )
            .with_description(described(table))
            .with_mime_type(JSON);
            (resource.uri.clone(), resource)
        }));
        listed.sort_by(|(left, _), (right, _)| left.cmp(right));
        listed.dedup_by(|(left, _), (right, _)| left == right);
    }
    let listed = page(
        listed,
        |(uri, _)| uri,
        Some(&params),
        |(_, resource)| {
            let length = serde_json::to_vec(&resource).map_or(0, |json| json.len());
            Ok((resource, length))
        },
    )?;
    let mut result = ListResourcesResult::with_all_items(listed.elements);
    result.next_cursor = listed.next_cursor;
    Ok(result)
}

/// The one template: a table by its name.
pub(super) fn templates(scope: &Scope<'_>) -> ListResourceTemplatesResult {
    if !is_open(scope) {
        return ListResourceTemplatesResult::default();
    }
    let workspace = &scope.access.workspace.sql_name;
    let table = ResourceTemplate::new(
        format!("{SCHEME}{workspace}/table/{{catalog}}/{{schema}}/{{table}}"),
        "table",
    )
    .with_title("A table")
    .with_description(
        "Columns, types, statistics of values, rows and documentation of a table or a materialized view.",
    )
    .with_mime_type(JSON);
    ListResourceTemplatesResult::with_all_items(vec![table])
}

/// The content of a resource.
pub(super) async fn read(scope: &Scope<'_>, params: Params<'_>) -> Result<ReadResourceResult, ErrorData> {
    let ReadResourceRequestParams { uri, .. } = params.read()?;
    let unknown = || not_found(scope, &uri);
    let named =
        parse(&scope.access.workspace.sql_name, &uri).filter(|_| is_open(scope)).ok_or_else(unknown)?;
    let value = match named {
        ResourceAddress::Catalog => {
            let found = catalog(scope, CatalogPlace::Root).await.map_err(|error| protocol_error(&error))?;
            catalog_contents(&found)
        }
        ResourceAddress::Table { catalog: of, schema, table } => {
            let tables = scope.call.app.engine.tables();
            let found = tables.catalog_table(&scope.access, &of, &schema, &table);
            let found = scope.call.while_client_waits(found).await.and_then(|found| Ok(found?));
            let found = found.map_err(|error| protocol_error(&error))?.ok_or_else(unknown)?;
            table_contents(scope, &found, &table_facts::of(scope, &found).await)
        }
    };
    let mut contents = ResourceContents::text(value.to_string(), &uri);
    if let ResourceContents::TextResourceContents { mime_type, .. } = &mut contents {
        *mime_type = Some(JSON.to_owned());
    }
    Ok(ReadResourceResult::new(vec![contents]))
}

async fn catalog(scope: &Scope<'_>, place: CatalogPlace) -> Result<Held<Catalog>> {
    let tables = scope.call.app.engine.tables();
    Ok(scope.call.while_client_waits(tables.catalog(&scope.access, place)).await??)
}

fn catalog_contents(catalog: &Catalog) -> Value {
    let tables = |with_columns: bool| -> Vec<Value> {
        let entries = catalog.tables.iter().map(|table| {
            let mut entry = json!({ "catalog": table.catalog, "schema": table.schema, "name": table.name,
                                    "kind": table.kind, "rowCount": table.row_count });
            if with_columns {
                entry["columns"] = columns(table);
            }
            entry
        });
        entries.collect()
    };
    let mut value = json!({
        "defaultCatalog": catalog.default_catalog, "defaultSchema": catalog.default_schema,
        "catalogs": catalog.catalogs,
        "schemas": catalog.schemas.iter().map(|schema| format!("{}.{}", schema.catalog, schema.name)).collect::<Vec<_>>(),
        "truncated": catalog.truncated,
        "tables": [],
    });
    let length = |value: &Value| serde_json::to_vec(value).map_or(0, |json| json.len());
    // Names alone take more than the limit: it is not built to be measured.
    let columns = catalog.tables.iter().flat_map(|table| &table.columns);
    let names: usize = columns.map(|column| column.name.len() + column.type_name.len()).sum();
    value["tables"] = tables(names <= MAX_BYTES).into();
    if length(&value) > MAX_BYTES {
        value["tables"] = tables(false).into();
    }
    if length(&value) > MAX_BYTES {
        let mut bytes = 0;
        let kept = tables(false).into_iter().take_while(|table| {
            bytes += length(table) + 1;
            bytes <= MAX_BYTES
        });
        value["tables"] = kept.collect();
        value["truncated"] = true.into();
    }
    value
}

fn table_contents(scope: &Scope<'_>, table: &CatalogTable, facts: &TableFacts) -> Value {
    let mut value = json!({
        "catalog": table.catalog, "schema": table.schema, "name": table.name, "kind": table.kind,
        "columns": columns(table), "rowCount": table.row_count,
    });
    if let (None, Some(rows)) = (table.row_count, facts.row_count) {
        // An estimate: from the statistics of SHOW STATS.
        value["rowCountEstimate"] = json!(rows);
    }
    for column in value["columns"].as_array_mut().into_iter().flatten() {
        let known = column["name"].as_str().and_then(|name| facts.columns.get(name));
        if let (Value::Object(fields), Some(known)) = (column, known) {
            fields.extend(known.clone());
        }
    }
    if table.kind == CatalogTableKind::MaterializedView {
        let views = scope.call.app.engine.views().readable(&scope.access);
        if let Some(view) = views.iter().find(|view| view.record.sql_name == table.name) {
            let names: Vec<&str> = view.columns.iter().map(|column| column.name.as_str()).collect();
            value["title"] = json!(view.record.title);
            value["description"] = json!(view.record.description);
            value["requiredFilters"] = json!(view.required.entries(&names));
            value["sql"] = json!(view.record.sql);
        }
    }
    value
}

fn columns(table: &CatalogTable) -> Value {
    table.columns.iter().map(|column| json!({ "name": column.name, "type": column.type_name })).collect()
}

fn described(table: &TableSummary) -> String {
    let kind = match table.kind {
        CatalogTableKind::Table => "Table",
        CatalogTableKind::View => "View",
        CatalogTableKind::MaterializedView => "Materialized view",
        CatalogTableKind::Sample => "Sample table",
    };
    let rows = table.row_count.map_or_else(String::new, |rows| format!(" and {rows} rows"));
    match table.columns {
        0 => kind.to_owned(),
        columns => format!("{kind} with {columns} columns{rows}"),
    }
}

fn catalog_uri(workspace: &str) -> String {
    format!("{SCHEME}{workspace}/catalog")
}

fn table_uri(workspace: &str, catalog: &str, schema: &str, name: &str) -> String {
    let [catalog, schema, name] =
        [catalog, schema, name].map(|text| utf8_percent_encode(text, NON_ALPHANUMERIC));
    format!("{SCHEME}{workspace}/table/{catalog}/{schema}/{name}")
}

fn parse(workspace: &str, uri: &str) -> Option<ResourceAddress> {
    let path = uri.strip_prefix(SCHEME)?.strip_prefix(workspace)?.strip_prefix('/')?;
    let decoded = |text: &str| percent_decode_str(text).decode_utf8().ok().map(Cow::into_owned);
    let segments: Vec<&str> = path.split('/').collect();
    match segments.as_slice() {
        ["catalog"] => Some(ResourceAddress::Catalog),
        ["table", catalog, schema, table] => Some(ResourceAddress::Table {
            catalog: decoded(catalog)?,
            schema: decoded(schema)?,
            table: decoded(table)?,
        }),
        _ => None,
    }
}

/// The error code in the caller's version of the protocol.
fn not_found(scope: &Scope<'_>, uri: &str) -> ErrorData {
    let message = format!("Resource not found: {}", rowhouse_model::excerpt(uri));
    let code = match scope.is_per_request() {
        true => ErrorCode::INVALID_PARAMS,
        false => ErrorCode::RESOURCE_NOT_FOUND,
    };
    ErrorData::new(code, message, Some(json!({ "uri": rowhouse_model::excerpt(uri) })))
}

/// A refusal of the engine where the protocol has no result for it.
fn protocol_error(error: &Error) -> ErrorData {
    let data = Some(json!({ "code": error.code().as_str() }));
    if error.is_fault() {
        tracing::error!(error = error as &dyn std::error::Error, "a resource could not be read");
        return ErrorData::internal_error("the server failed to answer; its log has the reason", data);
    }
    ErrorData::internal_error(error.to_string(), data)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris() {
        let table = |catalog: &str, schema: &str, table: &str| {
            let [catalog, schema, table] = [catalog, schema, table].map(str::to_owned);
            Some(ResourceAddress::Table { catalog, schema, table })
        };
        let check = |uri: &str, expected| assert_eq!(parse("demo", uri), expected, "{uri}");
        check("rowhouse://demo/catalog", Some(ResourceAddress::Catalog));
        check("rowhouse://demo/table/rowhouse/demo/sales", table("rowhouse", "demo", "sales"));
        check("rowhouse://demo/table/a%2Fb/c%20d/%C3%A9", table("a/b", "c d", "é"));
        check("rowhouse://other/catalog", None);
        check("rowhouse://demonic/catalog", None);
        check("rowhouse://demo/table/a/b", None);
        check("rowhouse://demo/table/a/b/%ff", None);
        check("file:///etc/passwd", None);
        check("rowhouse://demo", None);
    }
}
