//! `GET /cache`: cached results, newest first; `limit` is 100 by default.

use rowhouse_engine::CacheScope;
use rowhouse_model::Role;

use super::scope;
use crate::call::Call;
use crate::error::{Error, Result};
use crate::response::Answer;
use crate::routes::list;

const DEFAULT_LIMIT: u64 = 100;
const MAX_LIMIT: u64 = 1000;

pub(crate) async fn answer(call: &Call) -> Result<Answer> {
    let access = call.access_by_query(Role::Analyst)?;
    let limit = call.parameters.count("limit")?.unwrap_or(DEFAULT_LIMIT);
    if limit > MAX_LIMIT {
        return Err(Error::invalid(format!("parameter limit: {limit} is over the most of {MAX_LIMIT}")));
    }
    let offset = call.parameters.count("offset")?.unwrap_or(0);
    let scope = scope(call)?.unwrap_or(CacheScope::Workspace);
    let results = call.app.engine.queries().cached_results(&access, scope, limit, offset).await?;
    list::answer(call, move || Ok(results)).await
}
