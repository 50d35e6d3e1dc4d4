//! Every endpoint, one a file, and the way from a route to its endpoint. What all of them check, and in which
//! order, is told in `call`.

mod account;
mod catalog;
mod list;
mod operation;
mod page;
mod query;
mod row_format;
mod saved_sql;
mod service;
mod table;
mod token;
mod view;
mod workspace;

use crate::call::Call;
use crate::error::Result;
use crate::response::Answer;
use crate::router::Route;

/// Answers a request whose route is known.
pub(crate) async fn dispatch(call: &mut Call, route: Route) -> Result<Answer> {
    match route {
        Route::Page { base } => Ok(page::document::answer(call, page::document::PAGE, &base)),
        Route::Reference => Ok(page::document::answer(call, page::document::REFERENCE, "../../")),
        Route::PageFile { name } => page::file::answer(call, &name),
        Route::Health => operation::health::answer(),
        Route::Ready => operation::ready::answer(call),
        Route::Metrics => operation::metrics::answer(call),
        Route::OpenApi => Ok(operation::openapi::answer()),
        Route::GetService { service } => service::get::answer(call, &service),
        Route::SetService { service } => service::set::answer(call, &service).await,
        Route::ListSavedSql => saved_sql::list::answer(call).await,
        Route::CreateSavedSql => saved_sql::create::answer(call).await,
        Route::SavedSqlStatistics { id } => saved_sql::statistics::answer(call, &id).await,
        Route::ExecuteSavedSql { id } => saved_sql::execute::answer(call, &id).await,
        Route::UpdateSavedSql { id } => saved_sql::update::answer(call, &id).await,
        Route::DeleteSavedSql { id } => saved_sql::delete::answer(call, &id).await,
        Route::ListQueries => query::list::answer(call).await,
        Route::SubmitQuery => query::submit::answer(call).await,
        Route::GetQuery { id } => query::get::answer(call, &id).await,
        Route::QueryResult { id } => query::result::answer(call, &id).await,
        Route::SignedUrls { id } => query::signed_urls::answer(call, &id).await,
        Route::ResultFile { id } => query::result_file::answer(call, &id).await,
        Route::CancelQuery { id } => query::cancel::answer(call, &id).await,
        Route::ListWorkspaces => workspace::list::answer(call).await,
        Route::CreateWorkspace => workspace::create::answer(call).await,
        Route::SetMember { id } => workspace::set_member::answer(call, &id).await,
        Route::ListMembers { id } => workspace::members::answer(call, &id).await,
        Route::ListAccounts => account::list::answer(call).await,
        Route::CreateAccount => account::create::answer(call).await,
        Route::ListTokens => token::list::answer(call).await,
        Route::CreateToken => token::create::answer(call).await,
        Route::RevokeToken { id } => token::revoke::answer(call, &id).await,
        Route::GetCatalog => catalog::answer(call).await,
        Route::ListTables => table::list::answer(call).await,
        Route::CreateTable => table::create::answer(call).await,
        Route::RemoveTable { name } => table::remove::answer(call, &name).await,
        Route::ListViews => view::list::answer(call).await,
        Route::CreateView => view::create::answer(call).await,
        Route::GetView { id } => view::get::answer(call, &id).await,
        Route::ViewGenerations { id } => view::generations::answer(call, &id).await,
        Route::UpdateView { id } => view::update::answer(call, &id).await,
        Route::DropView { id } => view::drop::answer(call, &id).await,
        Route::RefreshView { id } => view::refresh::answer(call, &id).await,
        Route::DataOpenApi { workspace } => view::openapi::answer(call, &workspace).await,
        Route::ReadView { workspace, view } => view::read::answer(call, &workspace, &view).await,
    }
}
