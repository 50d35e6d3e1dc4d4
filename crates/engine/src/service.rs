//! `SQL_ENGINE` as a service (D21): it starts with the server, becomes idle after a while without statements, wakes for
//! the next one, and can be disabled. The executor defines waking and resting; the caller says who may change the
//! service.
//!
//! ```text
//!             ┌───────────── wake failed ──────────────┐
//!             ▼                                        │
//!   ERROR ──(back-off, next statement)──▶ STARTING ────┤
//!                                            ▲         ▼
//!   STOPPED ──(statement, enable)────────────┘      RUNNING
//!      ▲                                               │
//!      └──────── STOPPING ◀──(idle, disabled)──────────┘
//! ```
//! Disabling does not end accepted statements: the service is `STOPPING` until the last accepted statement, waiting or
//! running, has ended.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rowhouse_model::{QueryError, SQL_ENGINE, ServiceState, ServiceStatus, Timestamp};
use tokio::sync::watch;

use crate::accounts::Principal;
use crate::error::{Error, ErrorKind, Result};
use crate::store::{self, Store};
use rowhouse_executor::Executor;
use rowhouse_executor::clock::{self, Clock};

/// Key of the store's settings; its value is `true` or `false`.
const ENABLED_SETTING: &str = "sql_engine.enabled";
/// Number of failed wakes after which a waiting statement fails.
const MAX_WAKES: u32 = 3;
/// Back-off after the first failed wake; doubled by each further one.
const FIRST_BACK_OFF: Duration = Duration::from_millis(500);
/// Maximum back-off.
const MAX_BACK_OFF: Duration = Duration::from_secs(30);

/// Whether a caller may enable and disable the service: admins and owners (D6).
pub(crate) type MayChange = Box<dyn Fn(&Principal) -> bool + Send + Sync>;

/// The one service.
pub struct Service {
    shared: Arc<Shared>,
}

struct Shared {
    executor: Arc<dyn Executor>,
    store: Arc<Store>,
    clock: Arc<dyn Clock>,
    max_idle_millis: AtomicU64,
    may_change: MayChange,
    /// Statements also end on the store's writer thread.
    runtime: tokio::runtime::Handle,
    state: Mutex<State>,
    /// Notifies of every change of the phase.
    changes: watch::Sender<()>,
}

struct State {
    phase: Phase,
    is_enabled: bool,
    /// Number of accepted statements that have not ended.
    admitted: usize,
    last_used: Timestamp,
    /// Time since when there is no accepted statement.
    idle_since: Duration,
    failed_wakes: u32,
    /// Whether a wake was requested while it was stopping.
    is_wake_wanted: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Starting,
    Running,
    Stopping,
    Stopped,
    /// Waking failed; not retried before this time.
    Failed {
        retry_at: Duration,
    },
}

/// An accepted statement: while one exists, the service does not stop.
pub(crate) struct Admission {
    shared: Arc<Shared>,
}

impl Service {
    /// Reads whether it was disabled; does not start yet. Blocking; must be called inside a runtime.
    pub(crate) fn open(
        executor: Arc<dyn Executor>,
        store: Arc<Store>,
        clock: Arc<dyn Clock>,
        max_idle_time: Duration,
        may_change: MayChange,
    ) -> Result<Self> {
        let setting = store.read(|connection| store::settings::get(connection, ENABLED_SETTING))?;
        let state = State {
            phase: Phase::Stopped,
            is_enabled: setting.as_deref() != Some("false"),
            admitted: 0,
            last_used: clock.now(),
            idle_since: clock.monotonic(),
            failed_wakes: 0,
            is_wake_wanted: false,
        };
        let (changes, _) = watch::channel(());
        let state = Mutex::new(state);
        let runtime = tokio::runtime::Handle::current();
        let max_idle_millis = AtomicU64::default();
        let shared = Shared { executor, store, clock, max_idle_millis, may_change, runtime, state, changes };
        let service = Self { shared: Arc::new(shared) };
        service.set_max_idle_time(max_idle_time);
        Ok(service)
    }

    /// Wakes it with the server, unless it was disabled.
    pub(crate) fn start(&self) {
        if self.shared.state().is_enabled {
            self.shared.wake();
        }
    }

    /// Its state; any token may read it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`] for any name but `SQL_ENGINE`.
    pub fn status(&self, name: &str) -> Result<ServiceStatus> {
        check_name(name)?;
        Ok(self.shared.status())
    }

    /// Enables and wakes, or disables; durable when it returns.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PermissionDenied`] unless the caller is an admin or an owner, [`ErrorKind::NotFound`] as for
    /// [`status`](Self::status).
    pub async fn set(&self, principal: &Principal, name: &str, is_enabled: bool) -> Result<ServiceStatus> {
        if !(self.shared.may_change)(principal) {
            return Err(Error::new(
                ErrorKind::PermissionDenied,
                "enabling or disabling a service needs an admin or an owner of a workspace",
            ));
        }
        check_name(name)?;
        let shared = Arc::clone(&self.shared);
        let value = if is_enabled { "true" } else { "false" };
        let change = self.shared.store.write_then(
            move |transaction| store::settings::set(transaction, ENABLED_SETTING, value),
            move |()| shared.state().is_enabled = is_enabled,
        );
        change.await?;
        if is_enabled {
            {
                // Enabling a service that could not start retries at once.
                let mut state = self.shared.state();
                state.failed_wakes = 0;
                if matches!(state.phase, Phase::Failed { .. }) {
                    state.phase = Phase::Stopped;
                }
                state.idle_since = self.shared.clock.monotonic();
            }
            self.shared.wake();
        } else {
            self.shared.stop_if_done();
        }
        Ok(self.shared.status())
    }

    /// Accepts a statement.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::ServiceDisabled`].
    pub(crate) fn admit(&self) -> Result<Admission> {
        let mut state = self.shared.state();
        if !state.is_enabled {
            return Err(Error::new(
                ErrorKind::ServiceDisabled,
                "the service SQL_ENGINE is disabled; PUT /service/SQL_ENGINE with {\"state\": true} enables it",
            ));
        }
        state.admitted += 1;
        state.last_used = self.shared.clock.now();
        Ok(Admission { shared: Arc::clone(&self.shared) })
    }

    /// Records that a statement was answered without the engine.
    pub(crate) fn touch(&self) {
        self.shared.state().last_used = self.shared.clock.now();
    }

    /// Sets the idle time after which it stops; zero means never.
    pub(crate) fn set_max_idle_time(&self, max_idle_time: Duration) {
        let millis = u64::try_from(max_idle_time.as_millis()).unwrap_or(u64::MAX);
        self.shared.max_idle_millis.store(millis, Ordering::Relaxed);
    }

    /// Stops it when it has been idle for long enough; called periodically.
    pub(crate) fn tick(&self) {
        let max_idle_time = self.shared.max_idle_time();
        let is_idle = {
            let state = self.shared.state();
            !max_idle_time.is_zero()
                && state.admitted == 0
                && self.shared.clock.monotonic().saturating_sub(state.idle_since) >= max_idle_time
        };
        if is_idle {
            self.shared.stop();
        }
    }
}

impl Admission {
    /// Whether statements can run now.
    pub(crate) fn is_awake(&self) -> bool {
        self.shared.state().phase == Phase::Running
    }

    /// Wakes the service if it rests, and returns when statements can run.
    ///
    /// # Errors
    ///
    /// It failed to start several times.
    pub(crate) async fn awake(&self) -> Result<(), QueryError> {
        let shared = &self.shared;
        let mut wakes = 0;
        loop {
            let mut changes = shared.changes.subscribe();
            let phase = shared.state().phase;
            match phase {
                Phase::Running => return Ok(()),
                Phase::Stopped => shared.wake(),
                Phase::Failed { retry_at } => {
                    clock::wait_until(shared.clock.as_ref(), retry_at).await;
                    shared.wake();
                }
                Phase::Starting | Phase::Stopping => {}
            }
            // OK to ignore: the sender lives as long as `shared`.
            let _ = changes.changed().await;
            if matches!(shared.state().phase, Phase::Failed { .. }) {
                wakes += 1;
                if wakes >= MAX_WAKES {
                    return Err(QueryError::new(
                        rowhouse_model::ErrorCode::GenericInternalError,
                        "the SQL engine could not start; the server's log says why",
                    ));
                }
            }
        }
    }
}

impl Drop for Admission {
    fn drop(&mut self) {
        {
            let mut state = self.shared.state();
            state.admitted -= 1;
            state.idle_since = self.shared.clock.monotonic();
        }
        self.shared.stop_if_done();
    }
}

impl Shared {
    fn max_idle_time(&self) -> Duration {
        Duration::from_millis(self.max_idle_millis.load(Ordering::Relaxed))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn status(&self) -> ServiceStatus {
        let state = self.state();
        let status = match state.phase {
            Phase::Running | Phase::Starting if !state.is_enabled => ServiceState::Stopping,
            Phase::Failed { .. } if !state.is_enabled => ServiceState::Stopped,
            Phase::Starting => ServiceState::Starting,
            Phase::Running => ServiceState::Running,
            Phase::Stopping => ServiceState::Stopping,
            Phase::Stopped => ServiceState::Stopped,
            Phase::Failed { .. } => ServiceState::Error,
        };
        ServiceStatus {
            status,
            last_used: state.last_used,
            id: SQL_ENGINE.to_owned(),
            service: SQL_ENGINE.to_owned(),
            max_idle_time: self.max_idle_time().as_secs(),
            clusters: self.executor.clusters(),
        }
    }

    fn enter(&self, state: &mut State, phase: Phase) {
        tracing::info!(from = ?state.phase, to = ?phase, "SQL_ENGINE");
        state.phase = phase;
        self.changes.send_replace(());
    }

    /// STOPPED or ERROR to STARTING, or later from STOPPING; no effect during the back-off.
    fn wake(self: &Arc<Self>) {
        {
            let mut state = self.state();
            state.is_wake_wanted = state.phase == Phase::Stopping;
            let is_due = match state.phase {
                Phase::Stopped => true,
                Phase::Failed { retry_at } => self.clock.monotonic() >= retry_at,
                Phase::Starting | Phase::Running | Phase::Stopping => false,
            };
            if !is_due {
                return;
            }
            self.enter(&mut state, Phase::Starting);
        }
        let shared = Arc::clone(self);
        self.runtime.spawn(async move {
            let woken = shared.executor.wake().await;
            {
                let mut state = shared.state();
                let now = shared.clock.monotonic();
                let next = match woken {
                    Ok(()) => {
                        state.failed_wakes = 0;
                        Phase::Running
                    }
                    Err(error) => {
                        let back_off = FIRST_BACK_OFF.saturating_mul(1 << state.failed_wakes.min(16));
                        state.failed_wakes = state.failed_wakes.saturating_add(1);
                        tracing::error!(error = error.message, "SQL_ENGINE did not start");
                        Phase::Failed { retry_at: now + back_off.min(MAX_BACK_OFF) }
                    }
                };
                if state.admitted == 0 {
                    state.idle_since = now;
                }
                shared.enter(&mut state, next);
            }
            shared.stop_if_done();
        });
    }

    fn stop_if_done(self: &Arc<Self>) {
        let is_done = {
            let state = self.state();
            !state.is_enabled && state.admitted == 0
        };
        if is_done {
            self.stop();
        }
    }

    /// RUNNING to STOPPING and, when the executor has released everything, STOPPED.
    fn stop(self: &Arc<Self>) {
        {
            let mut state = self.state();
            // A statement may have been accepted since the caller checked.
            if state.phase != Phase::Running || state.admitted > 0 {
                return;
            }
            self.enter(&mut state, Phase::Stopping);
        }
        let shared = Arc::clone(self);
        let rest = async move {
            shared.executor.rest().await;
            let is_wake_wanted = {
                let mut state = shared.state();
                shared.enter(&mut state, Phase::Stopped);
                std::mem::take(&mut state.is_wake_wanted) && state.is_enabled
            };
            if is_wake_wanted {
                shared.wake();
            }
        };
        self.runtime.spawn(rest);
    }
}

fn check_name(name: &str) -> Result<()> {
    if name == SQL_ENGINE {
        return Ok(());
    }
    let name: String = name.chars().take(64).collect();
    Err(Error::new(ErrorKind::NotFound, format!("no service '{name}'; the one service is {SQL_ENGINE}")))
}

impl fmt::Debug for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let State { phase, is_enabled, admitted, .. } = &*self.shared.state();
        f.debug_struct("Service")
            .field("phase", phase)
            .field("is_enabled", is_enabled)
            .field("admitted", admitted)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Admission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Admission")
    }
}
