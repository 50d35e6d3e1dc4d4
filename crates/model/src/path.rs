//! URL paths of both interfaces, as clients build them. Ids and names must already be percent-encoded
//! where they hold more than unreserved characters.

/// Prefix of Interface A.
pub const INTERFACE_A: &str = "/api/v1";
/// Prefix of Interface B.
pub const INTERFACE_B: &str = "/v1/data";
/// Second base path under which every route answers (D1).
pub const WEB_BASE: &str = "/web";

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

/// `/api/v1/query/{id}/cancel`
pub fn query_cancel(id: &str) -> String {
    format!("{INTERFACE_A}/query/{id}/cancel")
}

/// `/api/v1/sql/{id}`
pub fn saved_sql(id: &str) -> String {
    format!("{INTERFACE_A}/sql/{id}")
}

/// `/api/v1/materializedView/{id}`
pub fn materialized_view(id: &str) -> String {
    format!("{INTERFACE_A}/materializedView/{id}")
}

/// `/v1/data/{workspace_sql_name}/materializedView/{materialized_view_sql_name}`
pub fn view_rows(workspace_sql_name: &str, view_sql_name: &str) -> String {
    format!("{INTERFACE_B}/{workspace_sql_name}/materializedView/{view_sql_name}")
}
