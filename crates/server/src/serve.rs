//! Starts a server from a configuration, and ends it.

use std::io::Write as _;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use rowhouse_engine::{Clock, Engine, IdSource, OwnRefresh, RandomIdSource, SystemClock};
use tokio::sync::{mpsc, watch};

use crate::answer_cache::AnswerCache;
use crate::answer_memory::AnswerMemory;
use crate::app::App;
use crate::audit::AuditLog;
use crate::config::{Config, LiveConfig, ServeFlags};
use crate::encoders::Encoders;
use crate::exchange::exchange;
use crate::head_memory::HeadMemory;
use crate::listener::Listening;
use crate::logging::Log;
use crate::metrics::Metrics;
use crate::pause_slots::PauseSlots;
use crate::reload::status::ReloadStatus;
use crate::reload::{Reloader, watch_tls};
use crate::request_ids::RequestIds;
use crate::tls::{self, Tls};
use crate::tool_calls::ToolCalls;
use crate::traces::Traces;
use crate::waiting_segments::WaitingSegments;
use crate::{first_start, listener, open_files, signals};

/// Time for threads to finish work at the end, for which nobody waits any more.
const LEFT_FOR_THREADS: Duration = Duration::from_secs(1);
/// Additional time of a shutdown, beside the deadlines of its parts.
const STOP_SLACK: Duration = Duration::from_secs(10);

/// Runs the server until it is asked to stop.
pub(crate) fn run(flags: &ServeFlags) -> anyhow::Result<()> {
    let config = Config::load(flags, &|name| std::env::var(name).ok())?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let traces = config.traces.as_ref().map(|traces| Traces::start(traces, runtime.handle().clone()));
    let (traces, layer) = traces.transpose()?.unzip();
    let (log, _written) = Log::start(config.log_format, &config.log_filter, layer);
    let ended = runtime.block_on(async {
        let ended = serve(config, flags.clone(), log).await;
        if let Some(traces) = traces {
            // The runtime sends pending spans: this thread must not block it.
            tokio::task::spawn_blocking(move || traces.shutdown()).await?;
        }
        ended
    });
    // Dropping the runtime would wait for every thread that reads a file, however long that takes.
    runtime.shutdown_timeout(LEFT_FOR_THREADS);
    ended
}

/// Ends the process after that time even if threads still run: a thread may hang in the file system.
fn end_within(time: Duration) -> std::io::Result<()> {
    let end = move || {
        std::thread::sleep(time);
        tracing::error!("the server has not stopped within {} s and is ended", time.as_secs_f64());
        std::process::exit(1);
    };
    std::thread::Builder::new().name("stop-deadline".to_owned()).spawn(end).map(drop)
}

/// The memory of a statement that creates sample data.
const SAMPLE_DATA_BYTES: u64 = 400 << 20;

async fn serve(config: Config, flags: ServeFlags, log: Log) -> anyhow::Result<()> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::new());
    let ids: Arc<dyn IdSource> = Arc::new(RandomIdSource);
    // Before anything else: a server without a working certificate must not start.
    if let Some(files) = config.tls.as_ref().filter(|_| config.tls_self_signed) {
        tls::self_signed::make(files, config.listen)?;
    }
    let tls = config.tls.as_ref().map(Tls::load).transpose()?.map(Arc::new);
    let open_files = open_files::raise_limit();
    let audit = AuditLog::default();
    audit.configure(config.audit.as_ref())?;
    // The address first: a second server on it must not touch the data directory.
    let listener =
        listener::bind(config.listen).with_context(|| format!("cannot listen on {}", config.listen))?;
    let address = listener.local_addr()?;
    let engine = Engine::open(config.engine.clone(), Arc::clone(&clock), Arc::clone(&ids)).await?;
    let bootstrap = engine.bootstrap();
    if bootstrap.is_some() && config.engine.memory_limit_bytes < SAMPLE_DATA_BYTES {
        tracing::warn!(
            "engine.memory_limit is below {} MiB: the sample data cannot be created, and statements over them fail",
            SAMPLE_DATA_BYTES >> 20
        );
    }
    if let Some(bootstrap) = &bootstrap {
        first_start::write_token(&config.engine.data_dir, &bootstrap.admin_token)?;
        engine.bootstrap_is_kept().await?;
    }

    let (stop, stopping) = watch::channel(false);
    let metrics = Arc::new(Metrics::default());
    let head_memory = HeadMemory::new(listener::UNFINISHED_HEADS_BYTES);
    let app = Arc::new(App {
        engine: Arc::clone(&engine),
        encoders: Encoders::start(&clock)?,
        clock,
        request_ids: RequestIds::new(ids.as_ref()),
        metrics: Arc::clone(&metrics),
        answer_memory: AnswerMemory::new(config.limits.answer_memory_bytes),
        head_memory: head_memory.clone(),
        answer_cache: AnswerCache::default(),
        segments: WaitingSegments::default(),
        pause_slots: PauseSlots::default(),
        tool_calls: ToolCalls::default(),
        stopping: stopping.clone(),
        config: LiveConfig::new(config.clone()),
        audit,
        tls: tls.clone(),
        reloads: ReloadStatus::default(),
    });
    let reloader = Reloader { flags, app: Arc::clone(&app), log };
    signals::on_hangup(move || reloader.reload())?;
    let stop_requested = signals::stop_requested()?;
    let watching = tls.clone().map(|tls| tokio::spawn(watch_tls(tls, Arc::clone(&app.clock))));
    if let Some(refreshes) = engine.views().follow_own_refreshes() {
        tokio::spawn(audit_refreshes(Arc::clone(&app), refreshes));
    }
    let live = Arc::clone(&app);
    let limits = move || live.config.get().limits.clone();
    let handler = {
        let app = Arc::clone(&app);
        // Boxed, because an idle connection reserves memory for its request's future.
        move |in_flight, request| Box::pin(exchange(Arc::clone(&app), in_flight, request))
    };
    let places = open_files::connections_within(open_files, config.limits.connections);
    let listening = Listening { listener, tls: tls.clone(), places };
    let server = tokio::spawn(listener::serve(listening, limits, metrics, head_memory, stopping, handler));

    let base = base_address(address, tls.is_some());
    let greeting = first_start::greeting(&base, &config.engine.data_dir, bootstrap.as_ref());
    // A closed standard output does not prevent serving.
    let _ = std::io::stdout().write_all(greeting.as_bytes()).and_then(|()| std::io::stdout().flush());
    tracing::info!(%address, data_dir = %config.engine.data_dir.display(), "serving");

    stop_requested.await;
    tracing::info!("shutting down");
    end_within(3 * app.config.get().limits.shutdown_timeout + STOP_SLACK)?;
    stop.send_replace(true);
    if let Some(watching) = watching {
        watching.abort();
    }
    server.await.context("the listener ended badly")?;
    engine.shutdown(app.config.get().limits.shutdown_timeout).await;
    app.audit.configure(None)?;
    tracing::info!("stopped");
    Ok(())
}

/// Writes a line for each refresh without a request, until the engine is gone.
async fn audit_refreshes(app: Arc<App>, mut refreshes: mpsc::Receiver<OwnRefresh>) {
    while let Some(refresh) = refreshes.recv().await {
        app.audit.write_refresh(&refresh);
    }
}

/// `http://127.0.0.1:8080`: an address that a program on this machine can reach.
fn base_address(address: SocketAddr, is_tls: bool) -> String {
    let mut reachable = address;
    if address.ip().is_unspecified() {
        reachable.set_ip(match address {
            SocketAddr::V4(_) => std::net::Ipv4Addr::LOCALHOST.into(),
            SocketAddr::V6(_) => std::net::Ipv6Addr::LOCALHOST.into(),
        });
    }
    format!("http{}://{reachable}", if is_tls { "s" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_printed_address_is_reachable() {
        let check = |address: &str, expected: &str| {
            assert_eq!(base_address(address.parse().expect(address), false), expected);
        };
        check("127.0.0.1:8080", "http://127.0.0.1:8080");
        check("0.0.0.0:80", "http://127.0.0.1:80");
        check("[::]:80", "http://[::1]:80");
        check("192.168.1.2:1", "http://192.168.1.2:1");
        let address = "[::]:443".parse().expect("an address");
        assert_eq!(base_address(address, true), "https://[::1]:443");
    }
}
