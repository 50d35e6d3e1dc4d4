//! The fingerprint of a statement, which decides which statements are identical (D20): its text in its session. Also reads
//! the properties that the statement sets for itself.

use std::collections::BTreeMap;
use std::time::Duration;

use rowhouse_executor::{ConstantRows, Execution, StatementSession};
use rowhouse_model::{QueryError, QueryId, Timestamp, WorkspaceId};
use rowhouse_sql::{Prepared, StatementProperty};
use sha2::{Digest as _, Sha256};

use crate::error::Result;
use crate::queries::trace::Trace;
use crate::queries::{Shared, Submission};
use crate::visibility::{Visibility, may_say};
use crate::workspaces::Access;

/// A well-formed text.
#[derive(Default)]
pub(in crate::queries) struct ReadText {
    pub(in crate::queries) fingerprint: String,
    /// Properties of `WITH SESSION`.
    pub(in crate::queries) properties: Vec<StatementProperty>,
    /// Its result, if it consists of constant rows.
    pub(in crate::queries) constant: Option<Box<Execution>>,
}

impl From<String> for ReadText {
    fn from(fingerprint: String) -> Self {
        Self { fingerprint, ..Self::default() }
    }
}

/// A parsed text, or its error.
pub(in crate::queries) struct Read {
    pub(in crate::queries) outcome: Result<ReadText, QueryError>,
    pub(super) id: QueryId,
    /// Other workspaces that it names (D127).
    pub(in crate::queries) others: Vec<WorkspaceId>,
    /// The same moment on both clocks: before it was read.
    pub(super) submitted_at: Timestamp,
    pub(super) submitted: Duration,
}

/// Parses a text, unless too many are waiting
/// ([`QueryQueueFull`](crate::error::ErrorKind::QueryQueueFull)). It may be dropped: nothing has happened
/// yet.
pub(in crate::queries) async fn read(
    shared: &Shared,
    access: &Access,
    submission: &Submission,
    trace: &Trace,
) -> Result<Read> {
    let (submitted_at, submitted) = (shared.clock.now(), shared.clock.monotonic());
    let id = QueryId::new(shared.ids.new_ordered_id(submitted_at));
    trace.is(&id);
    let outcome = of(shared, access, submission).await?;
    Ok(Read { outcome, id, others: Vec::new(), submitted_at, submitted })
}

/// The fingerprint of a well-formed text in its session, because names may have another meaning in another session. Also
/// returns the properties of `WITH SESSION`, and the rows of a statement of constants.
async fn of(
    shared: &Shared,
    access: &Access,
    submission: &Submission,
) -> Result<Result<ReadText, QueryError>> {
    let outcome = of_text(shared, access, submission).await?;
    // In the embedded engine, only SHOW SESSION shows the session's properties to a statement.
    let is_cluster = access.workspace.engine.is_trino();
    let has_properties = !submission.session.properties.is_empty();
    let sees_properties = has_properties && (is_cluster || may_say(&submission.sql, "SESSION"));
    // Callers who may see different rows do not share an answer.
    let visibility = Visibility::of(access, &submission.sql);
    Ok(outcome.map(|read| {
        let fingerprint = in_session(read.fingerprint, &submission.session, sees_properties, visibility);
        ReadText { fingerprint, ..read }
    }))
}

fn in_session(
    fingerprint: String,
    session: &StatementSession,
    sees_properties: bool,
    visibility: Visibility<'_>,
) -> String {
    let StatementSession { catalog, schema, properties, time_zone, max_memory_bytes: _ } = session;
    let properties = if sees_properties { properties } else { &BTreeMap::new() };
    let visibility = visibility.key();
    if catalog.is_none()
        && schema.is_none()
        && properties.is_empty()
        && time_zone.is_none()
        && visibility.is_none()
    {
        return fingerprint;
    }
    let mut hash = Sha256::new();
    let mut put = |text: Option<&str>| {
        // With the lengths, different texts cannot have the same concatenation.
        hash.update(text.map_or(u64::MAX, |text| text.len() as u64).to_le_bytes());
        hash.update(text.unwrap_or_default());
    };
    put(Some(&fingerprint));
    put(catalog.as_deref());
    put(schema.as_deref());
    for (name, value) in properties {
        put(Some(name));
        put(Some(value));
    }
    if time_zone.is_some() {
        // No property has an empty name.
        put(None);
        put(time_zone.as_deref());
    }
    if visibility.is_some() {
        // Unambiguous, because neither a property nor a zone is written as two absent texts.
        put(None);
        put(None);
        put(visibility);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

async fn of_text(
    shared: &Shared,
    access: &Access,
    submission: &Submission,
) -> Result<Result<ReadText, QueryError>> {
    let Submission { sql, parameters, .. } = submission;
    let is_trino = access.workspace.engine.is_trino();
    let is_read_only = shared.executor.is_read_only(&access.workspace.engine);
    // What a cluster accepts depends on its settings.
    if !is_trino && let Some(fingerprint) = shared.known_statements.fingerprint(sql, parameters) {
        return Ok(fingerprint.map(ReadText::from));
    }
    if parameters.is_empty()
        && !is_trino
        && let Some(constant) = shared.executor.constant_rows(&access.workspace.engine, sql)
    {
        let ConstantRows { fingerprint, execution } = constant;
        let constant = Some(Box::new(execution));
        return Ok(Ok(ReadText { fingerprint, constant, ..ReadText::default() }));
    }
    let reader = shared.readers.reader(&access.workspace.id, sql.len()).await?;
    let (text, parameters) = (sql.clone(), parameters.clone());
    let read = reader.read(move |abandonment| {
        if is_trino {
            // A cluster sets its properties itself.
            let prepared = rowhouse_trino::prepare(&text, &parameters, is_read_only)?;
            return Ok((ReadText::from(prepared.fingerprint), None));
        }
        let prepared = rowhouse_sql::prepare_here(&text, &parameters, abandonment)?;
        let Prepared { fingerprint, properties, text } = prepared;
        Ok((ReadText { fingerprint, properties, constant: None }, text))
    });
    Ok(read.await.map(|(read, prepared)| {
        if let Some(prepared) = prepared {
            shared.known_statements.remember(sql, prepared);
        }
        read
    }))
}
