//! Every endpoint, one per file, and the table of all routes. `call` describes the checks that all endpoints share, and
//! their order.

mod account;
mod cache;
mod catalog;
mod data_openapi;
mod endpoint;
mod file;
mod graphql;
mod list;
mod long_answer;
mod mcp;
mod operation;
mod page;
mod query;
mod row_format;
mod saved_sql;
mod service;
mod statement;
mod table;
mod token;
mod view;
mod workspace;

use crate::call::Call;
use crate::error::Result;
use crate::response::Answer;
use page::document::{PAGE, REFERENCE};

routes! {
    call;
    elsewhere {
        // `base` is the relative address of the page's root.
        Page { base } "GET /web/" => Ok(page::document::answer(call, PAGE, &base));
    }
    GET / "api" / "v1" / "reference" => Reference: Ok(page::document::answer(call, REFERENCE, "../../"));
    GET / "assets" / {name} => PageFile: page::file::answer(call, &name);
    GET / "healthz" => Health: operation::health::answer();
    GET / "readyz" => Ready: operation::ready::answer(call).await;
    GET / "metrics" => Metrics: operation::metrics::answer(call);
    GET / "api" / "v1" / "openapi.json" => OpenApi: Ok(operation::openapi::answer());
    GET / "api" / "v1" / "service" / {service} => GetService: service::get::answer(call, &service);
    PUT / "api" / "v1" / "service" / {service} => SetService: service::set::answer(call, &service).await;
    GET / "api" / "v1" / "sqls" => ListSavedSql: saved_sql::list::answer(call).await;
    POST / "api" / "v1" / "sql" => CreateSavedSql: saved_sql::create::answer(call).await;
    GET / "api" / "v1" / "sql" / {id} => SavedSqlStatistics: saved_sql::statistics::answer(call, &id).await;
    POST / "api" / "v1" / "sql" / {id} => ExecuteSavedSql: saved_sql::execute::answer(call, &id).await;
    PUT / "api" / "v1" / "sql" / {id} => UpdateSavedSql: saved_sql::update::answer(call, &id).await;
    DELETE / "api" / "v1" / "sql" / {id} => DeleteSavedSql: saved_sql::delete::answer(call, &id).await;
    GET / "api" / "v1" / "sql" / {id} / "versions" => SavedSqlVersions:
        saved_sql::versions::answer(call, &id).await;
    GET / "api" / "v1" / "sql" / {id} / "calls" => EndpointCalls: saved_sql::calls::answer(call, &id).await;
    GET / "api" / "v1" / "queries" => ListQueries: query::list::answer(call).await;
    POST / "api" / "v1" / "query" => SubmitQuery: query::submit::answer(call).await;
    GET / "api" / "v1" / "query" / {id} => GetQuery: query::get::answer(call, &id).await;
    GET / "api" / "v1" / "query" / {id} / "result" => QueryResult: query::result::answer(call, &id).await;
    DELETE / "api" / "v1" / "query" / {id} / "result" => DeleteResult:
        query::delete_result::answer(call, &id).await;
    GET / "api" / "v1" / "query" / {id} / "result" / "signedUrls" => SignedUrls:
        query::signed_urls::answer(call, &id).await;
    GET / "api" / "v1" / "query" / {id} / "result" / "file" => ResultFile:
        query::result_file::answer(call, &id).await;
    PUT / "api" / "v1" / "query" / {id} / "cancel" => CancelQuery: query::cancel::answer(call, &id).await;
    GET / "api" / "v1" / "workspaces" => ListWorkspaces: workspace::list::answer(call).await;
    POST / "api" / "v1" / "workspace" => CreateWorkspace: workspace::create::answer(call).await;
    PUT / "api" / "v1" / "workspace" / {id} / "member" => SetMember:
        workspace::set_member::answer(call, &id).await;
    GET / "api" / "v1" / "workspace" / {id} / "members" => ListMembers: workspace::members::answer(call, &id).await;
    PUT / "api" / "v1" / "workspace" / {id} / "limits" => SetLimits: workspace::set_limits::answer(call, &id).await;
    GET / "api" / "v1" / "workspace" / {id} / "usage" => GetUsage: workspace::usage::answer(call, &id);
    GET / "api" / "v1" / "accounts" => ListAccounts: account::list::answer(call).await;
    POST / "api" / "v1" / "account" => CreateAccount: account::create::answer(call).await;
    PUT / "api" / "v1" / "account" / {id} => UpdateAccount: account::update::answer(call, &id).await;
    GET / "api" / "v1" / "tokens" => ListTokens: token::list::answer(call).await;
    POST / "api" / "v1" / "token" => CreateToken: token::create::answer(call).await;
    DELETE / "api" / "v1" / "token" / {id} => RevokeToken: token::revoke::answer(call, &id).await;
    GET / "api" / "v1" / "cache" => ListCache: cache::list::answer(call).await;
    DELETE / "api" / "v1" / "cache" => PurgeCache: cache::purge::answer(call).await;
    GET / "api" / "v1" / "catalog" => GetCatalog: catalog::answer(call).await;
    GET / "api" / "v1" / "tables" => ListTables: table::list::answer(call).await;
    POST / "api" / "v1" / "table" => CreateTable: table::create::answer(call).await;
    DELETE / "api" / "v1" / "table" / {name} => RemoveTable: table::remove::answer(call, &name).await;
    GET / "api" / "v1" / "materializedViews" => ListViews: view::list::answer(call).await;
    POST / "api" / "v1" / "materializedView" => CreateView: view::create::answer(call).await;
    GET / "api" / "v1" / "materializedView" / {id} => GetView: view::get::answer(call, &id).await;
    GET / "api" / "v1" / "materializedView" / {id} / "generations" => ViewGenerations:
        view::generations::answer(call, &id).await;
    PUT / "api" / "v1" / "materializedView" / {id} => UpdateView: view::update::answer(call, &id).await;
    DELETE / "api" / "v1" / "materializedView" / {id} => DropView: view::drop::answer(call, &id).await;
    POST / "api" / "v1" / "materializedView" / {id} / "refresh" => RefreshView:
        view::refresh::answer(call, &id).await;
    GET / "api" / "getSignedUrl" => FileLink: file::link::answer(call, false);
    GET / "api" / "putSignedUrl" => UploadLink: file::link::answer(call, true);
    GET / "api" / "v1" / "file" => DownloadFile: file::download::answer(call).await;
    PUT / "api" / "v1" / "file" => UploadFile: file::upload::answer(call).await;
    POST / "graphql" => GraphQl: graphql::answer(call).await;
    POST / "mcp" => Mcp: mcp::answer(call, None).await;
    POST / "mcp" / {workspace} => McpOfWorkspace: mcp::answer(call, Some(&workspace)).await;
    GET / "v1" / "info" => ProtocolInfo: statement::info::answer(call);
    GET / "v1" / "statement" => CheckCredentials: statement::check::answer(call);
    POST / "v1" / "statement" => SubmitStatement: statement::submit::answer(call).await;
    GET / "v1" / "statement" / "queued" / {id} / {slug} / {_token} => QueuedStatement:
        statement::page::first(call, &id, &slug).await;
    GET / "v1" / "statement" / "executing" / {id} / {slug} / {token} => StatementPage:
        statement::page::answer(call, &id, &slug, &token).await;
    GET / "v1" / "statement" / "segment" / {id} / {slug} / {offset} => Segment:
        statement::segments::answer(call, &id, &slug, &offset).await;
    GET / "v1" / "statement" / "segment" / {id} / {slug} / {_offset} / "ack" => AcknowledgeSegment:
        statement::segments::acknowledge(call, &id, &slug);
    DELETE / "v1" / "statement" / "queued" / {id} / {slug} / {_token} => CancelQueuedStatement:
        statement::cancel::answer(call, &id, &slug).await;
    DELETE / "v1" / "statement" / "executing" / {id} / {slug} / {_token} => CancelStatement:
        statement::cancel::answer(call, &id, &slug).await;
    GET / "v1" / "query" / {id} => StatementRecord: statement::record::answer(call, &id).await;
    DELETE / "v1" / "query" / {id} => CancelStatementById: statement::cancel::by_id(call, &id).await;
    GET / "v1" / "data" / {workspace} / "openapi.json" => DataOpenApi:
        view::openapi::answer(call, &workspace).await;
    GET / "v1" / "data" / {workspace} / "materializedView" / {view} => ReadView:
        view::read::answer(call, &workspace, &view).await;
    GET / "v1" / "data" / {workspace} / "endpoint" / {endpoint} => CallEndpoint:
        endpoint::call::get(call, &workspace, &endpoint).await;
    POST / "v1" / "data" / {workspace} / "endpoint" / {endpoint} => CallEndpointWithBody:
        endpoint::call::post(call, &workspace, &endpoint).await;
}

impl Route {
    /// Whether it is answered even without memory: monitoring must be able to see that, and the page's files are in
    /// memory once for all.
    pub(crate) const fn is_vital(&self) -> bool {
        matches!(
            self,
            Self::Health { .. }
                | Self::Ready { .. }
                | Self::Metrics { .. }
                | Self::Page { .. }
                | Self::PageFile { .. }
        )
    }
}
