//! Takes runs in their turn, gives each to the executor in a slot, and follows it to its end or its time limit.

use std::sync::Arc;
use std::time::Duration;

use rowhouse_model::{Column, ErrorCode, OutputStage, QueryError, QueryStats, StatementParameters};
use tokio::sync::watch;

use super::Shared;
use super::run::{Planning, QueuedRun, Run, RunInput, Running};
use crate::clock;
use crate::executor::{BoxFuture, EventSink, Execution, ExecutionEvent, Statement};

/// Starts as many waiting runs as there are free slots.
pub(super) fn dispatch(shared: &Arc<Shared>) {
    let concurrency = shared.config().concurrency.max(1);
    loop {
        let run = {
            let mut state = shared.state();
            if state.is_closing || state.slots_taken >= concurrency {
                return;
            }
            let Some(run) = state.schedule.pop() else { return };
            state.slots_taken += 1;
            run
        };
        let slot = Slot { shared: Arc::clone(shared) };
        let id = run.id().clone();
        let task = tokio::spawn(drive(run, slot)).abort_handle();
        match shared.state().runs.get_mut(&id) {
            Some(run) => run.task = Some(task),
            // Its last record was canceled since it left the line.
            None => task.abort(),
        }
    }
}

/// One of the `concurrency` places of running statements.
struct Slot {
    shared: Arc<Shared>,
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.shared.state().slots_taken -= 1;
        // Without a runtime the server is ending.
        if tokio::runtime::Handle::try_current().is_ok() {
            dispatch(&self.shared);
        }
    }
}

// The slot is an argument because arguments are dropped after the locals: the run and the executor's future
// are gone before the next statement gets the place.
async fn drive(run: QueuedRun, slot: Slot) {
    let shared = &slot.shared;
    let RunInput { access, first_query, sql, parameters, submitted_at, admission } = run.input().clone();
    if let Err(error) = admission.awake().await {
        return run.fail(error).await;
    }
    let timeout = shared.config().statement_timeout;
    let deadline = shared.clock.monotonic() + timeout;
    let run = run.start();
    let location = shared.result_files.location(&access.workspace.id, &first_query);
    let output = match shared.result_files.prepare(&location).await {
        Ok(output) => output,
        Err(error) => {
            tracing::error!(statement = run.id().as_str(), %error, "no place for a result");
            let message = "the result's file cannot be created; the server's log says why";
            return run.fail(QueryError::new(ErrorCode::GenericInternalError, message)).await;
        }
    };
    let (catalog, hold) = shared.surroundings.catalog(&access).await;
    let statement = Statement {
        id: run.id().clone(),
        sql: sql.to_string(),
        parameters: StatementParameters::clone(&parameters),
        catalog,
        user: access.principal.account.username.clone(),
        now: submitted_at,
        output,
    };
    let (sender, news) = watch::channel(News::default());
    let execution = shared.executor.execute(statement, sink(sender));
    let expired = async {
        clock::wait_until(shared.clock.as_ref(), deadline).await;
        timeout
    };
    follow(run, execution, news, expired, &location, shared).await;
    drop(hold);
}

/// What the executor has told and the run has not taken yet. It holds the latest only, so a chatty executor
/// cannot fill the memory.
#[derive(Debug, Default)]
struct News {
    planned: Option<(Vec<Column>, OutputStage)>,
    progress: Option<QueryStats>,
}

fn sink(sender: watch::Sender<News>) -> EventSink {
    Box::new(move |event| {
        sender.send_modify(|news| match event {
            ExecutionEvent::Planned { columns, output_stage } => news.planned = Some((columns, output_stage)),
            ExecutionEvent::Progress(stats) => news.progress = Some(stats),
        });
    })
}

async fn follow(
    run: Run<Planning>,
    mut execution: BoxFuture<'_, Result<Execution, QueryError>>,
    mut news: watch::Receiver<News>,
    expired: impl Future<Output = Duration>,
    location: &str,
    shared: &Shared,
) {
    let mut run = Started::Planning(run);
    let mut planned = None;
    tokio::pin!(expired);
    let outcome = loop {
        tokio::select! {
            // In this order: what was told before the end is taken before the end.
            biased;
            Ok(()) = news.changed() => {
                let progress = {
                    let news = news.borrow_and_update();
                    if matches!(run, Started::Planning(_)) {
                        planned.clone_from(&news.planned);
                    }
                    news.progress.clone()
                };
                if let Some((columns, output_stage)) = planned.take() {
                    run = run.planned(columns, output_stage);
                }
                if let (Started::Running(run), Some(stats)) = (&run, progress) {
                    run.measured(stats);
                }
            }
            outcome = &mut execution => break outcome,
            timeout = &mut expired => break Err(QueryError::new(
                ErrorCode::ExceededTimeLimit,
                format!("Query exceeded the maximum run time of {} s", timeout.as_secs_f64()),
            )),
        }
    };
    // Kills the process of a run that is over its time; nothing where it has ended.
    drop(execution);
    match (outcome, run) {
        (Ok(execution), run) => {
            let run = match run {
                Started::Running(run) => run,
                // An executor need not tell what it has planned before it is done.
                Started::Planning(run) => {
                    run.planned(execution.columns.clone(), execution.output_stage.clone())
                }
            };
            run.finish(execution, location.to_owned()).await;
        }
        (Err(error), run) => {
            shared.result_files.discard(location).await;
            match run {
                Started::Planning(run) => run.fail(error).await,
                Started::Running(run) => run.fail(error).await,
            }
        }
    }
}

/// A run that was given to the executor.
enum Started {
    Planning(Run<Planning>),
    Running(Run<Running>),
}

impl Started {
    fn planned(self, columns: Vec<Column>, output_stage: OutputStage) -> Self {
        match self {
            Self::Planning(run) => Self::Running(run.planned(columns, output_stage)),
            running => running,
        }
    }
}
