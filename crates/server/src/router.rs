//! From method and path to a route: a plain match. Every route answers under `/`, under `/web` and under the
//! configured prefix (D1). Segments are percent-decoded after the split, so an encoded slash separates nothing;
//! a slash at the end makes another path, which is unknown (only the page has one).

use std::borrow::Cow;

use http::Method;
use percent_encoding::percent_decode_str;
use rowhouse_model::path::WEB_BASE;

use crate::error::{Error, Result};

/// What a request asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Route {
    /// `base` leads from the document's address to the page's root.
    Page {
        base: String,
    },
    PageFile {
        name: String,
    },
    Health,
    Ready,
    Metrics,
    OpenApi,
    /// The OpenAPI document as a page.
    Reference,
    GetService {
        service: String,
    },
    SetService {
        service: String,
    },
    ListSavedSql,
    CreateSavedSql,
    SavedSqlStatistics {
        id: String,
    },
    ExecuteSavedSql {
        id: String,
    },
    UpdateSavedSql {
        id: String,
    },
    DeleteSavedSql {
        id: String,
    },
    ListQueries,
    SubmitQuery,
    GetQuery {
        id: String,
    },
    QueryResult {
        id: String,
    },
    SignedUrls {
        id: String,
    },
    ResultFile {
        id: String,
    },
    CancelQuery {
        id: String,
    },
    ListWorkspaces,
    CreateWorkspace,
    SetMember {
        id: String,
    },
    ListMembers {
        id: String,
    },
    ListAccounts,
    CreateAccount,
    ListTokens,
    CreateToken,
    RevokeToken {
        id: String,
    },
    GetCatalog,
    ListTables,
    CreateTable,
    RemoveTable {
        name: String,
    },
    ListViews,
    CreateView,
    GetView {
        id: String,
    },
    ViewGenerations {
        id: String,
    },
    UpdateView {
        id: String,
    },
    DropView {
        id: String,
    },
    RefreshView {
        id: String,
    },
    ReadView {
        workspace: String,
        view: String,
    },
    DataOpenApi {
        workspace: String,
    },
}

impl Route {
    /// Whether it is answered whatever others take: who watches the server has to see that, and the page's files are
    /// in memory once for all.
    pub(crate) const fn is_vital(&self) -> bool {
        matches!(self, Self::Health | Self::Ready | Self::Metrics | Self::Page { .. } | Self::PageFile { .. })
    }

    /// The route as logs and metrics name it: ids are not part of it.
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Self::Page { .. } => "GET /web/",
            Self::PageFile { .. } => "GET /web/assets/:name",
            Self::Health => "GET /healthz",
            Self::Ready => "GET /readyz",
            Self::Metrics => "GET /metrics",
            Self::OpenApi => "GET /api/v1/openapi.json",
            Self::Reference => "GET /api/v1/reference",
            Self::GetService { .. } => "GET /api/v1/service/:service",
            Self::SetService { .. } => "PUT /api/v1/service/:service",
            Self::ListSavedSql => "GET /api/v1/sqls",
            Self::CreateSavedSql => "POST /api/v1/sql",
            Self::SavedSqlStatistics { .. } => "GET /api/v1/sql/:id",
            Self::ExecuteSavedSql { .. } => "POST /api/v1/sql/:id",
            Self::UpdateSavedSql { .. } => "PUT /api/v1/sql/:id",
            Self::DeleteSavedSql { .. } => "DELETE /api/v1/sql/:id",
            Self::ListQueries => "GET /api/v1/queries",
            Self::SubmitQuery => "POST /api/v1/query",
            Self::GetQuery { .. } => "GET /api/v1/query/:id",
            Self::QueryResult { .. } => "GET /api/v1/query/:id/result",
            Self::SignedUrls { .. } => "GET /api/v1/query/:id/result/signedUrls",
            Self::ResultFile { .. } => "GET /api/v1/query/:id/result/file",
            Self::CancelQuery { .. } => "PUT /api/v1/query/:id/cancel",
            Self::ListWorkspaces => "GET /api/v1/workspaces",
            Self::CreateWorkspace => "POST /api/v1/workspace",
            Self::SetMember { .. } => "PUT /api/v1/workspace/:id/member",
            Self::ListMembers { .. } => "GET /api/v1/workspace/:id/members",
            Self::ListAccounts => "GET /api/v1/accounts",
            Self::CreateAccount => "POST /api/v1/account",
            Self::ListTokens => "GET /api/v1/tokens",
            Self::CreateToken => "POST /api/v1/token",
            Self::RevokeToken { .. } => "DELETE /api/v1/token/:id",
            Self::GetCatalog => "GET /api/v1/catalog",
            Self::ListTables => "GET /api/v1/tables",
            Self::CreateTable => "POST /api/v1/table",
            Self::RemoveTable { .. } => "DELETE /api/v1/table/:name",
            Self::ListViews => "GET /api/v1/materializedViews",
            Self::CreateView => "POST /api/v1/materializedView",
            Self::GetView { .. } => "GET /api/v1/materializedView/:id",
            Self::ViewGenerations { .. } => "GET /api/v1/materializedView/:id/generations",
            Self::UpdateView { .. } => "PUT /api/v1/materializedView/:id",
            Self::DropView { .. } => "DELETE /api/v1/materializedView/:id",
            Self::RefreshView { .. } => "POST /api/v1/materializedView/:id/refresh",
            Self::ReadView { .. } => "GET /v1/data/:workspace/materializedView/:view",
            Self::DataOpenApi { .. } => "GET /v1/data/:workspace/openapi.json",
        }
    }
}

/// The route of a request; HEAD is routed as GET.
///
/// # Errors
/// `UnknownRoute`, or `MethodNotAllowed` with the methods that the path knows.
pub(crate) fn route(base_path: Option<&str>, method: &Method, path: &str) -> Result<Route> {
    let local = local_path(base_path, path);
    if !path.starts_with('/') {
        return Err(Error::UnknownRoute { path: path.to_owned() });
    }
    let decoded: Vec<Cow<'_, str>>;
    // Most paths are as they stand.
    let segments: Vec<&str> = if local.contains('%') {
        let segments = local.split('/').skip(1);
        decoded = segments.map(|segment| percent_decode_str(segment).decode_utf8_lossy()).collect();
        decoded.iter().map(AsRef::as_ref).collect()
    } else {
        local.split('/').skip(1).collect()
    };
    let mut methods = match segments.as_slice() {
        // Without a slash at its end the address's last segment is not a folder yet: `/web` has its files in `web/`.
        [] => {
            let folder = path.rsplit('/').next().unwrap_or_default();
            vec![(Method::GET, Route::Page { base: format!("{folder}/") })]
        }
        segments => methods_of(segments),
    };
    if methods.is_empty() {
        return Err(Error::UnknownRoute { path: path.chars().take(200).collect() });
    }
    let wanted = if method == Method::HEAD { &Method::GET } else { method };
    if let Some(place) = methods.iter().position(|(method, _)| method == wanted) {
        return Ok(methods.swap_remove(place).1);
    }
    let with_head = methods.iter().flat_map(|(method, _)| {
        let head = (*method == Method::GET).then_some("HEAD");
        std::iter::once(method.as_str()).chain(head)
    });
    Err(Error::MethodNotAllowed {
        method: method.as_str().chars().take(40).collect(),
        allowed: with_head.collect::<Vec<_>>().join(", "),
    })
}

/// The prefix under which a request came: `/web`, the configured one, or nothing (D1).
pub(crate) fn base_path_of<'a>(base_path: Option<&str>, path: &'a str) -> &'a str {
    &path[..path.len() - local_path(base_path, path).len()]
}

/// The path without the prefix that it has.
fn local_path<'a>(base_path: Option<&str>, path: &'a str) -> &'a str {
    let strip =
        |prefix: &str| path.strip_prefix(prefix).filter(|rest| rest.is_empty() || rest.starts_with('/'));
    base_path.and_then(strip).or_else(|| strip(WEB_BASE)).unwrap_or(path)
}

/// The methods that a path knows; none for an unknown path. Empty ids match no route.
fn methods_of(segments: &[&str]) -> Vec<(Method, Route)> {
    use Route as R;
    const GET: Method = Method::GET;
    const POST: Method = Method::POST;
    const PUT: Method = Method::PUT;
    const DELETE: Method = Method::DELETE;
    if segments.len() > 1 && segments.contains(&"") {
        return Vec::new();
    }
    let own = |text: &&str| (*text).to_owned();
    match segments {
        [""] => vec![(GET, R::Page { base: "./".to_owned() })],
        ["workspaces", _] => vec![(GET, R::Page { base: "../".to_owned() })],
        ["assets", name] => vec![(GET, R::PageFile { name: own(name) })],
        ["healthz"] => vec![(GET, R::Health)],
        ["readyz"] => vec![(GET, R::Ready)],
        ["metrics"] => vec![(GET, R::Metrics)],
        ["api", "v1", rest @ ..] => match rest {
            ["service", service] => vec![
                (GET, R::GetService { service: own(service) }),
                (PUT, R::SetService { service: own(service) }),
            ],
            ["openapi.json"] => vec![(GET, R::OpenApi)],
            ["reference"] => vec![(GET, R::Reference)],
            ["sqls"] => vec![(GET, R::ListSavedSql)],
            ["sql"] => vec![(POST, R::CreateSavedSql)],
            ["sql", id] => vec![
                (GET, R::SavedSqlStatistics { id: own(id) }),
                (POST, R::ExecuteSavedSql { id: own(id) }),
                (PUT, R::UpdateSavedSql { id: own(id) }),
                (DELETE, R::DeleteSavedSql { id: own(id) }),
            ],
            ["queries"] => vec![(GET, R::ListQueries)],
            ["query"] => vec![(POST, R::SubmitQuery)],
            ["query", id] => vec![(GET, R::GetQuery { id: own(id) })],
            ["query", id, "result"] => vec![(GET, R::QueryResult { id: own(id) })],
            ["query", id, "result", "signedUrls"] => vec![(GET, R::SignedUrls { id: own(id) })],
            ["query", id, "result", "file"] => vec![(GET, R::ResultFile { id: own(id) })],
            ["query", id, "cancel"] => vec![(PUT, R::CancelQuery { id: own(id) })],
            ["workspaces"] => vec![(GET, R::ListWorkspaces)],
            ["workspace"] => vec![(POST, R::CreateWorkspace)],
            ["workspace", id, "members"] => vec![(GET, R::ListMembers { id: own(id) })],
            ["workspace", id, "member"] => vec![(PUT, R::SetMember { id: own(id) })],
            ["accounts"] => vec![(GET, R::ListAccounts)],
            ["account"] => vec![(POST, R::CreateAccount)],
            ["tokens"] => vec![(GET, R::ListTokens)],
            ["token"] => vec![(POST, R::CreateToken)],
            ["token", id] => vec![(DELETE, R::RevokeToken { id: own(id) })],
            ["catalog"] => vec![(GET, R::GetCatalog)],
            ["tables"] => vec![(GET, R::ListTables)],
            ["table"] => vec![(POST, R::CreateTable)],
            ["table", name] => vec![(DELETE, R::RemoveTable { name: own(name) })],
            ["materializedViews"] => vec![(GET, R::ListViews)],
            ["materializedView"] => vec![(POST, R::CreateView)],
            ["materializedView", id] => vec![
                (GET, R::GetView { id: own(id) }),
                (PUT, R::UpdateView { id: own(id) }),
                (DELETE, R::DropView { id: own(id) }),
            ],
            ["materializedView", id, "generations"] => vec![(GET, R::ViewGenerations { id: own(id) })],
            ["materializedView", id, "refresh"] => vec![(POST, R::RefreshView { id: own(id) })],
            _ => Vec::new(),
        },
        ["v1", "data", workspace, "materializedView", view] => {
            vec![(GET, R::ReadView { workspace: own(workspace), view: own(view) })]
        }
        ["v1", "data", workspace, "openapi.json"] => {
            vec![(GET, R::DataOpenApi { workspace: own(workspace) })]
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(method: &str, path: &str, expected: &str) {
        let method: Method = method.parse().expect(method);
        let found = match route(Some("/sql/house"), &method, path) {
            Ok(route) => format!("{route:?}"),
            Err(Error::UnknownRoute { .. }) => "unknown".to_owned(),
            Err(Error::MethodNotAllowed { allowed, .. }) => format!("allow {allowed}"),
            Err(error) => error.to_string(),
        };
        assert_eq!(found, expected, "{method} {path}");
    }

    #[test]
    fn the_three_base_paths() {
        for base in ["", "/web", "/sql/house"] {
            check("GET", &format!("{base}/api/v1/queries"), "ListQueries");
            check("HEAD", &format!("{base}/healthz"), "Health");
            check("GET", &format!("{base}/api/v1/reference"), "Reference");
            check(
                "GET",
                &format!("{base}/v1/data/demo/materializedView/v"),
                "ReadView { workspace: \"demo\", view: \"v\" }",
            );
            check("GET", &format!("{base}/"), "Page { base: \"./\" }");
            check("GET", &format!("{base}/workspaces/w1"), "Page { base: \"../\" }");
            check("GET", &format!("{base}/assets/a.js"), "PageFile { name: \"a.js\" }");
        }
        check("GET", "/web", "Page { base: \"web/\" }");
        check("GET", "/sql/house", "Page { base: \"house/\" }");
        check("GET", "/workspaces", "unknown");
        check("GET", "/webapi/v1/queries", "unknown");
        check("GET", "/web/web/api/v1/queries", "unknown");
        check("GET", "/sql/api/v1/queries", "unknown");
    }

    #[test]
    fn methods() {
        check("POST", "/api/v1/query", "SubmitQuery");
        check("GET", "/api/v1/query", "allow POST");
        check("PATCH", "/api/v1/sql/7", "allow GET, HEAD, POST, PUT, DELETE");
        check("OPTIONS", "/api/v1/queries", "allow GET, HEAD");
        check("DELETE", "/nowhere", "unknown");
    }

    #[test]
    fn segments() {
        check("GET", "/api/v1/query/a%2Fb%20c", "GetQuery { id: \"a/b c\" }");
        check("GET", "/api/v1/query/%ff", "GetQuery { id: \"\u{fffd}\" }");
        check("GET", "/api/v1/quer%79/1", "GetQuery { id: \"1\" }");
        check("GET", "/api/v1/query/", "unknown");
        check("GET", "/api/v1/query//result", "unknown");
        check("GET", "/api/v1/queries/", "unknown");
        check("GET", "//api/v1/queries", "unknown");
        check("GET", "/api/v1/query/..", "GetQuery { id: \"..\" }");
        check("OPTIONS", "*", "unknown");
    }
}
