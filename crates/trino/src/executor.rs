//! The clusters of a configuration as one executor: selects the cluster of a workspace's statements, and prepares what
//! is sent.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use arrow_array::RecordBatch;
use http::{HeaderMap, HeaderName, HeaderValue};
use rowhouse_model::client_protocol::header;
use rowhouse_model::{Catalog, ClusterStatus, Column, EngineKind, ErrorCode, ErrorType, QueryError};

use super::catalog::Catalogs;
use super::cluster::TrinoCluster;
use super::connection::Connection;
use super::journal::Journal;
use super::monitor::Monitor;
use super::page_memory::LargePages;
use super::request_headers::session_property;
use super::under_way::{Cancels, UnderWay};
use super::{describe, drain, lookup, statement};
use crate::SettingError;
use rowhouse_executor::clock::Clock;
use rowhouse_executor::{BoxFuture, CatalogPlace, EventSink, Execution, Statement};

/// Time limit of analyzing a view's columns.
const ANALYSIS_TIMEOUT: Duration = Duration::from_secs(60);
/// How long the shutdown waits for statements to be canceled at their clusters.
const SETTLE_TIMEOUT: Duration = Duration::from_secs(5);
/// Prefix of a query whose columns are analyzed, on a line of its own.
const COLUMNS_OF: &str = "SELECT * FROM (\n";

/// The clusters.
pub struct TrinoExecutor {
    connections: BTreeMap<EngineName, Arc<Connection>>,
    journal: Journal,
    cancels: Cancels,
    monitor: Monitor,
    catalogs: Catalogs,
}

/// `trino` or `trino:NAME`.
type EngineName = String;

impl TrinoExecutor {
    /// Connects to nothing yet.
    ///
    /// # Errors
    /// `InvalidArguments`: a setting of a cluster is invalid.
    pub fn new(
        clusters: &BTreeMap<Option<String>, TrinoCluster>,
        data_dir: &Path,
        clock: &Arc<dyn Clock>,
    ) -> Result<Self, SettingError> {
        let mut connections = BTreeMap::new();
        let large_pages = LargePages::new();
        for (cluster, settings) in clusters {
            let name = EngineKind::Trino { cluster: cluster.clone() }.to_string();
            let connection =
                Connection::new(name.clone(), settings.clone(), Arc::clone(clock), large_pages.clone())?;
            connections.insert(name, Arc::new(connection));
        }
        let monitor = Monitor::new(connections.values());
        let catalogs = Catalogs::new(Arc::clone(clock));
        Ok(Self { connections, journal: Journal::new(data_dir), cancels: Cancels::new(), monitor, catalogs })
    }

    /// Cancels the statements that the last server left running, and monitors the clusters from now on. Must be called
    /// inside a runtime, once the data directory belongs to this server.
    pub fn start(&self) -> tokio::task::AbortHandle {
        for note in self.journal.left() {
            let connection = self.connections.get(&note.cluster);
            let next = connection.map(|connection| (connection, connection.follow(&note.next_uri)));
            match next {
                Some((connection, Ok(next))) => {
                    tracing::info!(statement = note.id, "the last server left it running at Trino");
                    self.cancels.cancel(Arc::clone(connection), self.journal.clone(), note.id, next);
                }
                _ => {
                    tracing::warn!(
                        statement = note.id,
                        cluster = note.cluster,
                        "its cluster is not configured"
                    );
                    let journal = self.journal.clone();
                    tokio::spawn(async move { journal.strike(&note.id).await });
                }
            }
        }
        self.monitor.start()
    }

    /// Whether there is such a cluster.
    pub fn has(&self, engine: &EngineKind) -> bool {
        self.connections.contains_key(&engine.to_string())
    }

    /// Whether the cluster's workspaces are read-only.
    pub fn is_read_only(&self, engine: &EngineKind) -> bool {
        self.connections.get(&engine.to_string()).is_none_or(|connection| connection.cluster.is_read_only)
    }

    /// The clusters as last seen.
    pub fn status(&self) -> Vec<ClusterStatus> {
        self.monitor.status()
    }

    /// Runs a statement; dropping the future cancels it at Trino.
    pub fn execute(
        &self,
        statement: Statement,
        events: EventSink,
    ) -> BoxFuture<'_, Result<Execution, QueryError>> {
        Box::pin(async move {
            let connection = self.connection(&statement.engine)?;
            let mut headers = headers_of(&statement, &connection.cluster);
            let sent = describe::sent(statement::body(&statement.sql), &mut headers)?;
            let guard = self.guard(&connection);
            let run = drain::run(&connection, guard, &sent.sql, &headers, statement.output, events);
            run.await.map_err(|error| sent.placed(error))
        })
    }

    /// The columns that a statement would return.
    pub fn analyze(&self, statement: Statement) -> BoxFuture<'_, Result<Vec<Column>, QueryError>> {
        Box::pin(async move {
            let connection = self.connection(&statement.engine)?;
            statement::prepare(&statement.sql, &statement.parameters, connection.cluster.is_read_only)?;
            let headers = headers_of(&statement, &connection.cluster);
            let body = statement::body(&statement.sql);
            let is_query = statement::is_query(body);
            // Planned and answered without reading a row, with exactly the statement's types.
            let sql = if is_query { format!("{COLUMNS_OF}{body}\n) LIMIT 0") } else { body.to_owned() };
            let analysis = drain::columns(&connection, self.guard(&connection), &sql, &headers);
            match tokio::time::timeout(ANALYSIS_TIMEOUT, analysis).await {
                Ok(Ok(columns)) => Ok(columns),
                Ok(Err(error)) => Err(analysis_error(error, is_query)),
                Err(_) => {
                    let message = format!(
                        "{} took longer than {} s to plan",
                        connection.name,
                        ANALYSIS_TIMEOUT.as_secs()
                    );
                    Err(QueryError::new(ErrorCode::ExceededTimeLimit, message))
                }
            }
        })
    }

    /// Names at a place of a cluster.
    pub fn names(
        &self,
        engine: &EngineKind,
        place: CatalogPlace,
        user: &str,
    ) -> BoxFuture<'_, Result<Catalog, QueryError>> {
        let connection = self.connection(engine);
        let headers = headers(&[(header::CLIENT_INFO, user)]);
        Box::pin(async move {
            let connection = connection?;
            let cluster = &connection.cluster;
            let default = (cluster.catalog.as_deref(), cluster.schema.as_deref());
            let (connection, headers) = (&connection, &headers);
            let run = move |sql: String| -> BoxFuture<'_, Result<Vec<RecordBatch>, QueryError>> {
                Box::pin(async move {
                    let rows = lookup::rows(connection, self.guard(connection), &sql, headers).await;
                    rows.map_err(as_external)
                })
            };
            self.catalogs.at(&connection.name, default, place, &run).await
        })
    }

    /// Returns when dropped statements are canceled, or could not be for a while.
    pub async fn settle(&self) {
        self.cancels.settled(SETTLE_TIMEOUT).await;
    }

    fn connection(&self, engine: &EngineKind) -> Result<Arc<Connection>, QueryError> {
        let found = self.connections.get(&engine.to_string()).map(Arc::clone);
        found.ok_or_else(|| {
            let message = format!(
                "the workspace's engine '{engine}' is not in this server's configuration; add its cluster or restore it"
            );
            QueryError::new(ErrorCode::External, message)
        })
    }

    fn guard(&self, connection: &Arc<Connection>) -> UnderWay {
        UnderWay::new(Arc::clone(connection), self.journal.clone(), self.cancels.clone())
    }
}

/// The caller and the run's own id: a cluster's operator finds them in Trino's query list. Settings of the client's
/// session override the configuration.
fn headers_of(statement: &Statement, cluster: &TrinoCluster) -> HeaderMap {
    let Statement { user, id, session, .. } = statement;
    let id = id.to_string();
    let mut texts = vec![(header::CLIENT_INFO, user.as_str()), (header::TRACE_TOKEN, &id)];
    texts.extend(session.catalog.as_deref().map(|catalog| (header::CATALOG, catalog)));
    texts.extend(session.schema.as_deref().map(|schema| (header::SCHEMA, schema)));
    texts.extend(session.time_zone.as_deref().map(|zone| (header::TIME_ZONE, zone)));
    let mut headers = headers(&texts);
    if !session.properties.is_empty() {
        let configured = cluster.session.iter().filter_map(|property| property.split_once('='));
        let configured = configured.map(|(name, value)| (name.trim(), value.trim()));
        let configured = configured.filter(|(name, _)| !session.properties.contains_key(*name));
        let set = session.properties.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        for (name, value) in configured.chain(set) {
            if let Ok(value) = HeaderValue::from_str(&session_property(name, value)) {
                headers.append(header::SESSION, value);
            }
        }
    }
    headers
}

fn headers(texts: &[(&'static str, &str)]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for &(name, text) in texts {
        if let Ok(value) = HeaderValue::from_str(text) {
            headers.insert(HeaderName::from_static(name), value);
        }
    }
    headers
}

/// An error of analyzing columns, with the location in the given text.
fn analysis_error(mut error: QueryError, is_wrapped: bool) -> QueryError {
    if let Some(location) = error.error_location.as_mut().filter(|_| is_wrapped) {
        let (line, column) = (location.line_number, location.column_number);
        location.line_number = line.saturating_sub(1).max(1);
        if let Some(rest) = error.message.strip_prefix(&format!("line {line}:{column}: ")) {
            error.message = format!("line {}:{column}: {rest}", location.line_number);
        }
    }
    as_external(error)
}

/// An internal error of Trino is an external error here.
fn as_external(error: QueryError) -> QueryError {
    if error.error_type == ErrorType::InternalError {
        let code = ErrorCode::External;
        return QueryError { error_location: error.error_location, ..QueryError::new(code, error.message) };
    }
    error
}

impl fmt::Debug for TrinoExecutor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TrinoExecutor").field("connections", &self.connections).finish_non_exhaustive()
    }
}
