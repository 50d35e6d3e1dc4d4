//! Memory for statements that are not final, and for their texts: a workspace's share of both.

use rowhouse_model::WorkspaceLimits;

use super::Shared;
use crate::error::{Error, ErrorKind, Result};
use crate::fair_budget::{Portion, Shortage};
use crate::store::workspaces::WorkspaceRecord;

/// Maximum text of all statements that are not final: a queue of the longest ones must not fill the memory.
const MAX_LIVE_SQL_BYTES: usize = 32 << 20;

/// Takes a place for a statement, and one for its text.
pub(super) fn take(shared: &Shared, workspace: &WorkspaceRecord, text_bytes: usize) -> Result<[Portion; 2]> {
    let Shared { places, texts, limits, .. } = shared;
    let config = shared.config();
    let slots = config.concurrency.max(1).saturating_add(config.trino_concurrency);
    let WorkspaceLimits { concurrency, queued_statements, .. } = limits.of(&workspace.id);
    let count = |limit: u64| usize::try_from(limit).unwrap_or(usize::MAX);
    let own = queued_statements
        .map(|queued| count(queued).saturating_add(concurrency.map_or(slots, count).min(slots)));
    let bounds = limits.bounds(config.max_queued_statements.saturating_add(slots), own);
    let refused = |shortage| {
        let (all, mine) = places.taken(&workspace.id);
        let message = match shortage {
            Shortage::Server => {
                format!("{all} statements are waiting or running, which is as many as may; try again later")
            }
            Shortage::Workspace => format!(
                "{mine} statements of workspace '{}' are waiting or running, which is as many as it may have beside \
                 those of others ({all} in all); try again later",
                workspace.sql_name
            ),
        };
        Error::new(ErrorKind::QueryQueueFull, message)
    };
    let place = places.take(&workspace.id, 1, bounds).map_err(refused)?;
    let text = texts.take(&workspace.id, text_bytes, limits.bounds(MAX_LIVE_SQL_BYTES, None));
    Ok([place, text.map_err(refused)?])
}
