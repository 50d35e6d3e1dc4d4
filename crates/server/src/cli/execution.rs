//! A statement from its submission to its end, with a progress bar; Ctrl-C cancels it.

use std::time::Duration;

use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressStyle};
use rowhouse_client::{Statement, WorkspaceClient};
use rowhouse_model::{Query, QueryStatus};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::time::Instant;

use super::failure::Failure;

/// How often the bar's numbers are polled; the end of a statement is shown at once.
const POLL: Duration = Duration::from_secs(1);
/// Pause between two polls of a server that answers without waiting.
const SHORTEST_POLL: Duration = Duration::from_millis(50);
/// How often the bar moves.
const TICK: Duration = Duration::from_millis(120);

/// Ctrl-C, recorded from the beginning, so that none is lost between two waits.
#[derive(Debug)]
pub(super) struct Interrupts(Signal);

impl Interrupts {
    pub(super) fn listen() -> Result<Self, Failure> {
        let interrupt = signal(SignalKind::interrupt());
        interrupt.map(Self).map_err(|error| Failure::Refused(format!("cannot listen for Ctrl-C: {error}")))
    }

    /// The future's output, unless Ctrl-C comes first.
    pub(super) async fn until<T>(&mut self, future: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            output = future => Some(output),
            _ = self.0.recv() => None,
        }
    }
}

/// Submits and waits for the end; a failed statement is a failure that shows the location in its text.
pub(super) async fn execute(
    workspace: &WorkspaceClient,
    statement: Statement,
    sql: &str,
    interrupts: &mut Interrupts,
) -> Result<Query, Failure> {
    let submit = workspace.submit(statement);
    tokio::pin!(submit);
    if let Some(query) = interrupts.until(&mut submit).await {
        return finish(workspace, query?, sql, interrupts).await;
    }
    // Nothing can be canceled before the id is known, so the answer is awaited anyway.
    match interrupts.until(submit).await {
        Some(query) => Err(cancel(workspace, &query?, interrupts).await),
        None => Err(Failure::Refused("interrupted; the statement may be running".to_owned())),
    }
}

/// Waits for the end of a submitted statement.
pub(super) async fn finish(
    workspace: &WorkspaceClient,
    mut query: Query,
    sql: &str,
    interrupts: &mut Interrupts,
) -> Result<Query, Failure> {
    let started = Instant::now();
    // Fast statements have no bar.
    let mut bar: Option<ProgressBar> = None;
    while !query.status.is_some_and(QueryStatus::is_final) {
        if let Some(bar) = &bar {
            show(bar, &query);
        }
        let earliest = Instant::now() + SHORTEST_POLL;
        match interrupts.until(workspace.poll(&query.id, POLL)).await {
            Some(polled) => query = polled?,
            None => {
                bar.inspect(ProgressBar::finish_and_clear);
                return Err(cancel(workspace, &query, interrupts).await);
            }
        }
        if !query.status.is_some_and(QueryStatus::is_final) {
            tokio::time::sleep_until(earliest).await;
            bar.get_or_insert_with(|| progress_bar().with_elapsed(started.elapsed()));
        }
    }
    bar.inspect(ProgressBar::finish_and_clear);
    match query.status {
        Some(QueryStatus::Failed) => Err(Failure::of_query(&query, sql)),
        _ => Ok(query),
    }
}

/// A bar on standard error, if that is a terminal.
pub(super) fn progress_bar() -> ProgressBar {
    let bar = ProgressBar::new_spinner().with_style(style("{spinner} {elapsed_precise} {msg}"));
    bar.enable_steady_tick(TICK);
    bar
}

fn show(bar: &ProgressBar, query: &Query) {
    let state = query.status.map_or("SUBMITTED", QueryStatus::as_str);
    let Some(stats) = &query.query_stats else {
        return bar.set_message(state);
    };
    if stats.completed_splits > 0 && stats.total_splits > 0 {
        bar.set_style(style("{spinner} {elapsed_precise} [{bar:24}] {msg}"));
        bar.set_length(stats.total_splits);
        bar.set_position(stats.completed_splits);
    }
    // An engine that measures its input only at the end has no progress to show.
    if stats.processed_rows == 0 {
        return bar.set_message(state);
    }
    let (rows, bytes) = (row_count(stats.processed_rows), HumanBytes(stats.processed_bytes));
    bar.set_message(format!("{state}  {rows}  {bytes}"));
}

/// `1 row`, `6,001,215 rows`.
pub(super) fn row_count(rows: u64) -> String {
    format!("{} {}", HumanCount(rows), if rows == 1 { "row" } else { "rows" })
}

fn style(template: &str) -> ProgressStyle {
    // OK because the templates are constants of this file, and a wrong one fails at the first use.
    ProgressStyle::with_template(template).expect("the template is well-formed").progress_chars("█▌ ")
}

/// Cancels on the server; a further Ctrl-C exits without its answer.
async fn cancel(workspace: &WorkspaceClient, query: &Query, interrupts: &mut Interrupts) -> Failure {
    match interrupts.until(workspace.cancel(&query.id)).await {
        Some(Ok(canceled)) => match canceled.status {
            // The statement finished before the cancel, which then changes nothing (D10).
            Some(QueryStatus::Finished) => Failure::Refused(format!("query {} had finished", query.id)),
            _ => Failure::Refused(format!("query {} is canceled", query.id)),
        },
        Some(Err(error)) => Failure::from(error),
        None => Failure::Refused(format!("interrupted; query {} may be running", query.id)),
    }
}
