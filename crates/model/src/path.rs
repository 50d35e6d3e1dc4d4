//! URL paths of both interfaces, as clients build them. Ids and names with other than unreserved characters must
//! already be percent-encoded.

/// Prefix of Interface A.
pub const INTERFACE_A: &str = "/api/v1";
/// Prefix of Interface B.
pub const INTERFACE_B: &str = "/v1/data";
/// Second base path under which every route answers (D1).
pub const WEB_BASE: &str = "/web";

/// `/api/v1/query`: submit.
pub const SUBMIT_QUERY: &str = "/api/v1/query";
/// `/api/v1/queries`: list.
pub const QUERIES: &str = "/api/v1/queries";
/// `/api/v1/sql`: create.
pub const CREATE_SAVED_SQL: &str = "/api/v1/sql";
/// `/api/v1/sqls`: list.
pub const SAVED_SQLS: &str = "/api/v1/sqls";
/// `/api/v1/workspaces`: list.
pub const WORKSPACES: &str = "/api/v1/workspaces";
/// `/api/v1/workspace`: create.
pub const CREATE_WORKSPACE: &str = "/api/v1/workspace";
/// `/api/v1/accounts`: list.
pub const ACCOUNTS: &str = "/api/v1/accounts";
/// `/api/v1/account`: create.
pub const CREATE_ACCOUNT: &str = "/api/v1/account";
/// `/api/v1/tokens`: list.
pub const TOKENS: &str = "/api/v1/tokens";
/// `/api/v1/token`: create.
pub const CREATE_TOKEN: &str = "/api/v1/token";
/// `/api/v1/tables`: list.
pub const TABLES: &str = "/api/v1/tables";
/// `/api/v1/table`: create.
pub const CREATE_TABLE: &str = "/api/v1/table";
/// `/api/v1/cache`: cached results, listed and purged.
pub const CACHE: &str = "/api/v1/cache";
/// `/api/v1/catalog`: tables, columns and functions.
pub const CATALOG: &str = "/api/v1/catalog";
/// `/api/v1/materializedViews`: list.
pub const MATERIALIZED_VIEWS: &str = "/api/v1/materializedViews";
/// `/api/v1/materializedView`: create.
pub const CREATE_MATERIALIZED_VIEW: &str = "/api/v1/materializedView";

/// The Model Context Protocol.
pub const MCP: &str = "/mcp";

/// The Model Context Protocol of one workspace.
pub fn mcp_of(workspace: &str) -> String {
    format!("/mcp/{workspace}")
}

/// `/api/v1/service/{service}`
pub fn service(service: &str) -> String {
    format!("{INTERFACE_A}/service/{service}")
}

/// `/api/v1/query/{id}`
pub fn query(id: &str) -> String {
    format!("{INTERFACE_A}/query/{id}")
}

/// `/api/v1/query/{id}/result`
pub fn query_result(id: &str) -> String {
    format!("{INTERFACE_A}/query/{id}/result")
}

/// `/api/v1/query/{id}/result/signedUrls`
pub fn query_signed_urls(id: &str) -> String {
    format!("{INTERFACE_A}/query/{id}/result/signedUrls")
}

/// `/api/v1/query/{id}/result/file`: the target of signed links.
pub fn query_result_file(id: &str) -> String {
    format!("{INTERFACE_A}/query/{id}/result/file")
}

/// `/api/v1/query/{id}/cancel`
pub fn query_cancel(id: &str) -> String {
    format!("{INTERFACE_A}/query/{id}/cancel")
}

/// `/api/v1/sql/{id}`
pub fn saved_sql(id: &str) -> String {
    format!("{INTERFACE_A}/sql/{id}")
}

/// `/api/v1/sql/{id}/versions`
pub fn saved_sql_versions(id: &str) -> String {
    format!("{INTERFACE_A}/sql/{id}/versions")
}

/// `/api/v1/sql/{id}/calls`
pub fn endpoint_calls(id: &str) -> String {
    format!("{INTERFACE_A}/sql/{id}/calls")
}

/// `/v1/data/{workspace}/endpoint/{name}`
pub fn endpoint(workspace_sql_name: &str, name: &str) -> String {
    format!("{INTERFACE_B}/{workspace_sql_name}/endpoint/{name}")
}

/// `/api/v1/materializedView/{id}`
pub fn materialized_view(id: &str) -> String {
    format!("{INTERFACE_A}/materializedView/{id}")
}

/// `/api/v1/materializedView/{id}/generations`
pub fn materialized_view_generations(id: &str) -> String {
    format!("{INTERFACE_A}/materializedView/{id}/generations")
}

/// `/api/v1/materializedView/{id}/refresh`
pub fn materialized_view_refresh(id: &str) -> String {
    format!("{INTERFACE_A}/materializedView/{id}/refresh")
}

/// `/api/v1/workspace/{id}/member`
pub fn workspace_member(id: &str) -> String {
    format!("{INTERFACE_A}/workspace/{id}/member")
}

/// `/api/v1/workspace/{id}/limits`
pub fn workspace_limits(id: &str) -> String {
    format!("{INTERFACE_A}/workspace/{id}/limits")
}

/// `/api/v1/workspace/{id}/usage`
pub fn workspace_usage(id: &str) -> String {
    format!("{INTERFACE_A}/workspace/{id}/usage")
}

/// `/api/v1/account/{id}`
pub fn account(id: &str) -> String {
    format!("{INTERFACE_A}/account/{id}")
}

/// `/api/v1/token/{id}`
pub fn token(id: &str) -> String {
    format!("{INTERFACE_A}/token/{id}")
}

/// `/api/v1/table/{name}`
pub fn table(name: &str) -> String {
    format!("{INTERFACE_A}/table/{name}")
}

/// `/v1/data/{workspace_sql_name}/materializedView/{materialized_view_sql_name}`
pub fn view_rows(workspace_sql_name: &str, view_sql_name: &str) -> String {
    format!("{INTERFACE_B}/{workspace_sql_name}/materializedView/{view_sql_name}")
}

/// `/v1/data/{workspace_sql_name}/endpoint/{endpoint_sql_name}`
pub fn endpoint_rows(workspace_sql_name: &str, endpoint_sql_name: &str) -> String {
    format!("{INTERFACE_B}/{workspace_sql_name}/endpoint/{endpoint_sql_name}")
}
