//! `PUT /workspace/:id/limits`: for admins; absent or null means the configured default.

use rowhouse_model::{Role, WorkspaceLimits};

use crate::call::Call;
use crate::error::Result;
use crate::response::{Answer, json};

pub(crate) async fn answer(call: &mut Call, id: &str) -> Result<Answer> {
    let (principal, object) = call.principal_and_object().await?;
    let access = call.access(&principal, id, Role::Owner)?;
    access.require_admin("setting a workspace's limits")?;
    let limits = WorkspaceLimits {
        concurrency: object.optional_count("concurrency")?,
        queued_statements: object.optional_count("queuedStatements")?,
        requests_per_second: object.optional_count("requestsPerSecond")?,
        result_bytes: object.optional_count("resultBytes")?,
        disk_bytes: object.optional_count("diskBytes")?,
        memory_bytes: object.optional_count("memoryBytes")?,
        cache_check: object.optional("cacheCheck", "\"age\" or \"sources\"")?,
    };
    json(&call.app.engine.workspaces().set_limits(&access, limits).await?)
}
