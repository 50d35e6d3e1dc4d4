//! `DELETE /cache`: purges cached results of a statement, a table or, for owners and only explicitly, the whole
//! workspace.

use rowhouse_engine::CacheScope;
use rowhouse_model::{PurgedCache, Role};

use super::scope;
use crate::call::Call;
use crate::error::{Error, Result};
use crate::response::{Answer, json};

pub(crate) async fn answer(call: &Call) -> Result<Answer> {
    let access = call.access_by_query(Role::Analyst)?;
    let is_all = call.parameters.choice("all", &[("true", true)])?.is_some();
    let scope = match (scope(call)?, is_all) {
        (Some(scope), false) => scope,
        (None, true) => CacheScope::Workspace,
        // A forgotten parameter must not cause the largest possible purge.
        (None, false) => return Err(Error::invalid("expected queryId, table or all=true")),
        (Some(_), true) => return Err(Error::invalid("all=true is given beside queryId or table")),
    };
    json(&PurgedCache { purged: call.app.engine.queries().purge_cache(&access, scope).await? })
}
