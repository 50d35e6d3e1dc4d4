//! `CALL system.runtime.kill_query`: a statement that ends another one.

use rowhouse_model::{ErrorCode, QueryError, QueryId, QueryStatus, Role};

use super::{Queries, conclude};
use crate::error::{ErrorKind, Result};
use crate::workspaces::Access;

/// Maximum length of the caller's message; a longer one is truncated.
const MAX_MESSAGE_CHARACTERS: usize = 1_000;
/// Maximum number of characters of an id that an error repeats.
const MAX_SHOWN_ID_CHARACTERS: usize = 100;

impl Queries {
    /// Ends a statement with ADMINISTRATIVELY_KILLED, as Trino's `kill_query` does. The inner error is the caller's:
    /// there is no such statement (`NOT_FOUND`), or it has ended (`NOT_SUPPORTED`).
    ///
    /// # Errors
    ///
    /// As for [`get`](Self::get), except for a statement that does not exist.
    pub async fn kill(
        &self,
        access: &Access,
        id: &QueryId,
        message: Option<&str>,
    ) -> Result<Result<(), QueryError>> {
        access.require(Role::Analyst)?;
        let shown: String = id.as_str().chars().take(MAX_SHOWN_ID_CHARACTERS).collect();
        let ended =
            || QueryError::new(ErrorCode::NotSupported, format!("Target query is not running: {shown}"));
        match self.shared.stored(access, id).await {
            Ok(record) if record.status.is_some_and(QueryStatus::is_final) => return Ok(Err(ended())),
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let message = format!("Target query not found: {shown}");
                return Ok(Err(QueryError::new(ErrorCode::NotFound, message)));
            }
            Err(error) => return Err(error),
        }
        let reason = message.filter(|message| !message.is_empty()).map_or_else(
            || "No message provided.".to_owned(),
            |message| {
                format!("Message: {}", message.chars().take(MAX_MESSAGE_CHARACTERS).collect::<String>())
            },
        );
        let error = QueryError::new(ErrorCode::AdministrativelyKilled, format!("Query killed. {reason}"));
        let killed_code = error.error_code;
        if let Some(end) = conclude::fail_one(&self.shared, &access.workspace.id, id, error) {
            end.await;
        }
        // It may have ended otherwise meanwhile.
        let record = self.shared.stored(access, id).await?;
        let is_killed = record.error.as_ref().is_some_and(|error| error.error_code == killed_code);
        Ok(if is_killed { Ok(()) } else { Err(ended()) })
    }
}
