//! `/cache`: listing and purging cached results (D119).

use rowhouse_engine::CacheScope;
use rowhouse_model::QueryId;

use crate::call::{Call, checked_id};
use crate::error::{Error, Result};

pub(super) mod list;
pub(super) mod purge;

/// The scope of `queryId` or `table`; none without either.
fn scope(call: &Call) -> Result<Option<CacheScope>> {
    let query = call.parameters.optional("queryId")?;
    let table = call.parameters.optional("table")?;
    Ok(match (query, table) {
        (None, None) => None,
        (Some(id), None) => Some(CacheScope::Statement(QueryId::new(checked_id("query", id)?))),
        (None, Some(name)) => Some(CacheScope::Table(checked_id("table", name)?.to_owned())),
        (Some(_), Some(_)) => {
            return Err(Error::invalid("queryId and table are given, expected one of them"));
        }
    })
}
