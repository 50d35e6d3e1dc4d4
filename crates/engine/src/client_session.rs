//! A session of Trino's client protocol. Its state is in the headers that a client sends with every statement, so the
//! server stores none of it: a statement that changes the session is answered with the changes that the client must
//! make to these headers.

use std::collections::BTreeMap;
use std::time::Duration;

use rowhouse_executor::{OWN_CATALOG, StatementSession};
use rowhouse_model::{CacheCheck, ErrorCode, ErrorLocation, QueryError, QueryId};
use rowhouse_sql::{EXECUTE_IMMEDIATE, SessionStatement, SessionValue, execute_immediate};

use crate::queries::CachePolicy;

mod kill_query;
mod properties;

pub(crate) use properties::TIME_ZONE;
pub use properties::{SESSION_PROPERTIES, SessionProperty, session_in_zone};
pub(crate) use properties::{checked_property, time_zone_of};

/// The session state that a client sends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClientSession {
    /// Catalog of a name without one.
    pub catalog: Option<String>,
    /// Schema of a name without one.
    pub schema: Option<String>,
    /// Session properties by name, those of catalogs as `catalog.name`.
    pub properties: BTreeMap<String, String>,
    /// Prepared statements by name.
    pub prepared: BTreeMap<String, String>,
    /// Its transaction: none if the client does not support transactions, `NONE` before one has begun.
    pub transaction: Option<String>,
}

/// Cache settings of a session; `None` means not set.
pub(crate) struct CacheSettings {
    pub(crate) ttl_seconds: Option<u64>,
    pub(crate) refresh: Option<bool>,
    pub(crate) check: Option<CacheCheck>,
    pub(crate) stale_seconds: Option<u64>,
}

/// The request of a text: run a statement, or change the session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionRequest {
    /// Run a statement.
    Run {
        /// Its text.
        sql: String,
        /// Number of characters that precede the text on the first line of the client's text.
        prefix: u32,
    },
    /// Change the session.
    Change {
        /// Trino's name for it: `SET SESSION`.
        update_type: &'static str,
        /// The change.
        change: SessionChange,
    },
    /// `CALL system.runtime.kill_query`: end a statement of the workspace.
    KillQuery {
        /// The statement's id.
        query_id: QueryId,
        /// The message of its error.
        message: Option<String>,
    },
}

/// A change that a client is to make to its session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionChange {
    /// Set the schema, and the catalog if given; must be checked.
    Use {
        /// The catalog.
        catalog: String,
        /// The schema.
        schema: String,
    },
    /// Set a property; a workspace must be checked.
    Set {
        /// Its name.
        name: String,
        /// Its value.
        value: String,
    },
    /// Reset a property to its default.
    Reset {
        /// Its name.
        name: String,
    },
    /// Add a prepared statement; its text must be checked.
    AddPrepared {
        /// Its name.
        name: String,
        /// Its text.
        statement: String,
    },
    /// Remove a prepared statement.
    RemovePrepared {
        /// Its name.
        name: String,
    },
    /// Begin a transaction.
    Start,
    /// End the transaction.
    End,
}

impl SessionChange {
    /// The workspace in which later statements are to run, if it sets the property; must be checked.
    pub fn workspace(&self) -> Option<&str> {
        match self {
            Self::Set { name, value } if name == properties::WORKSPACE => {
                Some(value).filter(|name| !name.is_empty())
            }
            _ => None,
        }
        .map(String::as_str)
    }
}

impl ClientSession {
    /// Parses a text. `is_cluster`: the workspace is on a Trino cluster, which checks its own properties.
    ///
    /// # Errors
    /// `SYNTAX_ERROR`, `NOT_FOUND`, `INVALID_SESSION_PROPERTY`, `NOT_IN_TRANSACTION` and others, as in Trino.
    pub fn request(&self, text: &str, is_cluster: bool) -> Result<SessionRequest, QueryError> {
        let Some(statement) = SessionStatement::read(text)? else {
            return Ok(SessionRequest::Run { sql: text.to_owned(), prefix: 0 });
        };
        let change = |update_type, change| Ok(SessionRequest::Change { update_type, change });
        match statement {
            SessionStatement::Use { catalog, schema } => {
                let missing = || {
                    let message = "Catalog must be specified when session catalog is not set";
                    let place = ErrorLocation { line_number: 1, column_number: 1 };
                    QueryError::at(ErrorCode::MissingCatalogName, place, message)
                };
                let catalog = catalog.or_else(|| self.catalog.clone()).ok_or_else(missing)?;
                change("USE", SessionChange::Use { catalog, schema })
            }
            SessionStatement::SetSession { name, value, place } => {
                let is_text = matches!(value, SessionValue::Text(_));
                let value = properties::text_of(&value);
                if !is_cluster || properties::is_own(&name) {
                    properties::check(&name, &value, is_text).map_err(|error| error.at(Some(place)))?;
                }
                change("SET SESSION", SessionChange::Set { name, value })
            }
            SessionStatement::ResetSession { name } => {
                if !is_cluster {
                    let start = ErrorLocation { line_number: 1, column_number: 1 };
                    properties::check_name(&name).map_err(|error| error.at(Some(start)))?;
                }
                change("RESET SESSION", SessionChange::Reset { name })
            }
            SessionStatement::SetTimeZone { zone } => {
                let name = properties::TIME_ZONE.to_owned();
                match zone {
                    Some(value) => {
                        properties::check(&name, &value, true).map_err(|error| error.at(None))?;
                        change("SET TIME ZONE", SessionChange::Set { name, value })
                    }
                    None => change("SET TIME ZONE", SessionChange::Reset { name }),
                }
            }
            SessionStatement::Prepare { name, statement } => {
                if let Ok(Some(inner)) = SessionStatement::read(&statement) {
                    let message =
                        format!("Invalid statement type for prepared statement: {}", keyword(&inner));
                    return Err(QueryError::new(ErrorCode::NotSupported, message));
                }
                change("PREPARE", SessionChange::AddPrepared { name, statement })
            }
            SessionStatement::Deallocate { name } => {
                self.prepared(&name)?;
                change("DEALLOCATE", SessionChange::RemovePrepared { name })
            }
            SessionStatement::Execute { name, constants } => {
                let sql = execute_immediate(self.prepared(&name)?, constants.as_deref());
                Ok(SessionRequest::Run { sql, prefix: EXECUTE_IMMEDIATE.len() as u32 })
            }
            SessionStatement::DescribeOutput { name } => self.describe("DESCRIBE OUTPUT IMMEDIATE '", &name),
            SessionStatement::DescribeInput { name } => self.describe("DESCRIBE INPUT IMMEDIATE '", &name),
            SessionStatement::StartTransaction => match self.transaction.as_deref() {
                None => {
                    let message = "Client does not support transactions";
                    Err(QueryError::new(ErrorCode::IncompatibleClient, message))
                }
                Some("NONE") => change("START TRANSACTION", SessionChange::Start),
                Some(_) => {
                    let message = "Nested transactions not supported";
                    Err(QueryError::new(ErrorCode::NotSupported, message))
                }
            },
            SessionStatement::Commit => self.end("COMMIT"),
            SessionStatement::Rollback => self.end("ROLLBACK"),
            SessionStatement::Call(procedure) => {
                let name = kill_query::full_name(self, &procedure);
                if is_cluster && !name.as_ref().is_ok_and(kill_query::is_kill_query) {
                    return Ok(SessionRequest::Run { sql: text.to_owned(), prefix: 0 });
                }
                kill_query::request(&name?, &procedure)
            }
        }
    }

    /// The part of the session that the executor receives, in a workspace of this name: nothing if names resolve as
    /// without a session.
    pub fn for_statement(&self, workspace: &str, is_cluster: bool) -> StatementSession {
        if is_cluster {
            let is_clusters = |name: &String| !properties::is_own(name);
            let properties = self.properties.iter().filter(|(name, _)| is_clusters(name));
            let catalog = self.catalog.clone().filter(|catalog| catalog != OWN_CATALOG);
            let schema = self.schema.clone().filter(|_| catalog.is_some());
            let properties = properties.map(|(name, value)| (cluster_name(name), value.clone())).collect();
            return StatementSession { catalog, schema, properties, ..StatementSession::default() };
        }
        let catalog = self.catalog.as_deref().unwrap_or(OWN_CATALOG);
        let properties = self.properties.clone();
        let time_zone = properties.get(properties::TIME_ZONE).and_then(|zone| properties::other_zone(zone));
        let max_memory_bytes = self.max_memory_bytes();
        if catalog == OWN_CATALOG && self.schema.as_deref().is_none_or(|schema| schema == workspace) {
            return StatementSession {
                properties,
                time_zone,
                max_memory_bytes,
                ..StatementSession::default()
            };
        }
        let schema = self.schema.clone().unwrap_or_default();
        StatementSession {
            catalog: Some(catalog.to_owned()),
            schema: Some(schema),
            properties,
            time_zone,
            max_memory_bytes,
        }
    }

    /// The workspace that the session's property names: the statement runs there, or not at all.
    pub fn workspace(&self) -> Option<&str> {
        self.properties.get(properties::WORKSPACE).map(String::as_str).filter(|name| !name.is_empty())
    }

    /// The workspace that the schema in the catalog of workspaces names, if the session names a schema there.
    pub fn workspace_of_schema(&self) -> Option<&str> {
        let is_own = self.catalog.as_deref().is_none_or(|catalog| catalog == OWN_CATALOG);
        self.schema.as_deref().filter(|_| is_own)
    }

    /// Whether a text sets or resets the property `workspace`, which a client must be able to do after it has lost its workspace.
    pub fn changes_workspace(text: &str) -> bool {
        match SessionStatement::read(text) {
            Ok(Some(SessionStatement::SetSession { name, .. } | SessionStatement::ResetSession { name })) => {
                name == properties::WORKSPACE
            }
            _ => false,
        }
    }

    /// The cache policy (D19): no cache unless the session sets how long a result is fresh.
    pub fn cache(&self) -> Option<CachePolicy> {
        let CacheSettings { ttl_seconds, refresh, check, stale_seconds } = self.cache_settings();
        Some(CachePolicy {
            ttl_seconds: ttl_seconds?,
            refresh: refresh.unwrap_or(false),
            check,
            stale_seconds: stale_seconds.unwrap_or(0),
        })
    }

    /// The session's cache settings.
    pub(crate) fn cache_settings(&self) -> CacheSettings {
        let value = |name| self.properties.get(name);
        let seconds = |name| value(name).and_then(|value| properties::seconds(value));
        CacheSettings {
            ttl_seconds: seconds(properties::CACHE_TTL),
            refresh: value(properties::CACHE_REFRESH).map(|value| value == "true"),
            check: value(properties::CACHE_CHECK).map(|value| match value.as_str() {
                "sources" => CacheCheck::Sources,
                _ => CacheCheck::Age,
            }),
            stale_seconds: seconds(properties::CACHE_STALE),
        }
    }

    /// Memory limit of a statement.
    pub(crate) fn max_memory_bytes(&self) -> Option<u64> {
        properties::bytes(self.properties.get(properties::MAX_MEMORY)?)
    }

    /// Whether rows may come as segments of the spooling protocol.
    pub fn takes_segments(&self) -> bool {
        self.properties.get(properties::SPOOLING).is_none_or(|value| value != "false")
    }

    /// Time limit of a statement.
    pub fn max_run_time(&self) -> Option<Duration> {
        properties::duration(self.properties.get(properties::MAX_RUN_TIME)?)
    }

    /// Checks the properties that the client has sent.
    ///
    /// # Errors
    /// `INVALID_SESSION_PROPERTY` for an unknown property or an invalid value.
    pub fn check(&self, is_cluster: bool) -> Result<(), QueryError> {
        for (name, value) in &self.properties {
            if !is_cluster || properties::is_own(name) {
                // The type of a value is lost in a header.
                properties::check(name, value, properties::is_text(name)).map_err(|error| error.at(None))?;
            }
        }
        Ok(())
    }

    fn describe(&self, prefix: &str, name: &str) -> Result<SessionRequest, QueryError> {
        let statement = self.prepared(name)?.replace('\'', "''");
        let prefix_characters = u32::try_from(prefix.len()).unwrap_or_default();
        Ok(SessionRequest::Run { sql: format!("{prefix}{statement}'"), prefix: prefix_characters })
    }

    fn prepared(&self, name: &str) -> Result<&str, QueryError> {
        self.prepared.get(name).map(String::as_str).ok_or_else(|| {
            QueryError::new(ErrorCode::NotFound, format!("Prepared statement not found: {name}"))
        })
    }

    fn end(&self, update_type: &'static str) -> Result<SessionRequest, QueryError> {
        match self.transaction.as_deref() {
            None | Some("NONE") => {
                Err(QueryError::new(ErrorCode::NotInTransaction, "No transaction in progress"))
            }
            Some(_) => Ok(SessionRequest::Change { update_type, change: SessionChange::End }),
        }
    }
}

/// The name of a property on a cluster, which has its own property for the time limit.
fn cluster_name(name: &str) -> String {
    if name == properties::MAX_MEMORY { "query_max_memory".to_owned() } else { name.to_owned() }
}

const fn keyword(statement: &SessionStatement) -> &'static str {
    match statement {
        SessionStatement::Use { .. } => "USE",
        SessionStatement::SetSession { .. } => "SET SESSION",
        SessionStatement::ResetSession { .. } => "RESET SESSION",
        SessionStatement::SetTimeZone { .. } => "SET TIME ZONE",
        SessionStatement::Prepare { .. } => "PREPARE",
        SessionStatement::Execute { .. } => "EXECUTE",
        SessionStatement::Deallocate { .. } => "DEALLOCATE",
        SessionStatement::DescribeInput { .. } => "DESCRIBE INPUT",
        SessionStatement::DescribeOutput { .. } => "DESCRIBE OUTPUT",
        SessionStatement::StartTransaction => "START TRANSACTION",
        SessionStatement::Commit => "COMMIT",
        SessionStatement::Rollback => "ROLLBACK",
        SessionStatement::Call(_) => "CALL",
    }
}

#[cfg(test)]
mod tests;
