//! The pool with a shell script as worker: it speaks the protocol and does what the statement says.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rowhouse_model::{EngineKind, ErrorCode, StatementId, StatementParameters, Timestamp};

use super::*;
use rowhouse_executor::catalog::CatalogSnapshot;
use rowhouse_executor::protocol::PROTOCOL_VERSION;
use rowhouse_executor::{ExecutionEvent, OutputLimit, heap};

/// It writes frames with `printf`, whose format supports octal bytes; it reads a job's frame with `dd`, byte by byte
/// where it must not read ahead. The script records each start in `starts`.
const WORKER: &str = r#"#!/bin/sh
echo $$ >> "$(dirname "$0")/starts"
send() {
    length=${#1}
    printf "$(printf '\\000\\000\\%03o\\%03o\\000\\000\\000\\000' $((length / 256)) $((length % 256)))"
    printf '%s' "$1"
}
STATS='{"state":"","queued":false,"scheduled":false,"nodes":1,"totalSplits":0,"queuedSplits":0,"runningSplits":0,"completedSplits":0,"cpuTimeMillis":5,"wallTimeMillis":0,"queuedTimeMillis":0,"elapsedTimeMillis":0,"processedRows":0,"processedBytes":0,"peakMemoryBytes":0,"spilledBytes":0}'
STAGE='{"stageId":"0","state":"FINISHED","operator":"Values","subStages":[]}'
send '{"Ready":{"protocol_version":@VERSION@}}'
while true; do
    set -- $(dd bs=1 count=8 2>/dev/null | od -An -tu1)
    [ $# -eq 8 ] || exit 0
    job=$(dd bs=1 count=$(($3 * 256 + $4)) 2>/dev/null)
    output=$(printf '%s' "$job" | sed 's/.*"output":"\([^"]*\)".*/\1/')
    case "$job" in
    *'"Enter"'*) send '{"Entered":{"Ok":{"landlock_abi":7,"seccomp":true}}}'; continue ;;
    *'SELECT deaf'*) [ -z "$is_used" ] || kill -STOP $$ ;;
    esac
    send '"Taken"'
    case "$job" in
    *'Describe'*) send '{"Described":{"Ok":{"columns":[],"row_count":42}}}' ;;
    *'SELECT slow'*) echo rows > "$output"; sleep 60 & wait ;;
    *'SELECT memory'*) exit @USED_UP@ ;;
    *'SELECT abort'*) echo 'memory allocation of 123 bytes failed' >&2; kill -ABRT $$ ;;
    *'SELECT hungry'*)
        [ ! -e "$output" ] || exit 9
        echo rows > "$output"
        [ -z "$is_used" ] || exit @USED_UP@
        send "{\"Executed\":{\"Ok\":{\"columns\":[],\"row_count\":2,\"stats\":$STATS,\"output_stage\":$STAGE}}}"
        ;;
    *'SELECT large'*'"disk_bytes":4096'*)
        [ ! -e "$output" ] || exit 9
        echo rows > "$output"
        send "{\"Executed\":{\"Ok\":{\"columns\":[],\"row_count\":3,\"stats\":$STATS,\"output_stage\":$STAGE}}}"
        ;;
    *'SELECT large'*) echo rows > "$output"; exit @USED_UP@ ;;
    *'SELECT fails'*)
        echo row > "$output"
        send '{"Executed":{"Err":{"message":"Division by zero","errorCode":8,"errorName":"DIVISION_BY_ZERO","errorType":"USER_ERROR"}}}'
        ;;
    *'SELECT text'*)
        send '{"Executed":{"Err":{"message":"Permission denied (os error 13)","errorCode":9,"errorName":"INVALID_CAST_ARGUMENT","errorType":"USER_ERROR"}}}'
        ;;
    *'SELECT denied'*)
        send '{"Executed":{"Err":{"message":"cannot read the file","errorCode":1,"errorName":"EXTERNAL","errorType":"EXTERNAL","failureInfo":{"type":"DeniedFile"}}}}'
        ;;
    *'SELECT endless'*) while true; do echo rows; done > "$output" ;;
    *'SELECT killed'*) kill -KILL $$ ;;
    *'SELECT exit'*) exit 3 ;;
    *'SELECT garbage'*) echo "thread 'main' panicked"; sleep 60 ;;
    *'SELECT once'*) echo rows > "$output"; send "{\"Executed\":{\"Ok\":{\"columns\":[],\"row_count\":1,\"stats\":$STATS,\"output_stage\":$STAGE}}}"; exit 0 ;;
    *'SELECT wrong'*) send '{"Analyzed":{"Ok":[]}}' ;;
    *)
        echo rows > "$output"
        send "{\"Event\":{\"Planned\":{\"columns\":[],\"output_stage\":$STAGE}}}"
        send "{\"Executed\":{\"Ok\":{\"columns\":[],\"row_count\":1,\"stats\":$STATS,\"output_stage\":$STAGE}}}"
        ;;
    esac
    is_used=1
    send '{"Ready":{"protocol_version":@VERSION@}}'
done
"#;

struct Bench {
    folder: tempfile::TempDir,
    statements: AtomicUsize,
    pool: Pool,
}

impl Bench {
    fn new(script: &str, warm_workers: usize) -> Self {
        Self::worker_retention(script, warm_workers, WorkerRetention::default())
    }

    fn worker_retention(script: &str, warm_workers: usize, worker_retention: WorkerRetention) -> Self {
        Self::spilling(script, warm_workers, worker_retention, 0)
    }

    fn spilling(
        script: &str,
        warm_workers: usize,
        worker_retention: WorkerRetention,
        spill_limit_bytes: u64,
    ) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("worker.sh");
        let script = script
            .replace("@VERSION@", &PROTOCOL_VERSION.to_string())
            .replace("@USED_UP@", &heap::USED_UP_STATUS.to_string());
        std::fs::write(&program, script).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let config = PoolConfig {
            program,
            memory_limit_bytes: 64 << 20,
            spill_limit_bytes,
            warm_workers,
            worker_threads: 1,
            start_timeout: Duration::from_secs(10),
            worker_retention,
            sandbox: SandboxMode::default(),
            table_roots: Vec::new(),
            data_dir: folder.path().to_owned(),
            work_dir: folder.path().join("workers"),
        };
        Self { pool: Pool::new(config).unwrap(), statements: AtomicUsize::new(0), folder }
    }

    fn output(&self) -> PathBuf {
        let number = self.statements.fetch_add(1, Ordering::Relaxed);
        self.folder.path().join(format!("{number}.arrow.partial"))
    }

    fn statement(&self, text: &str) -> Statement {
        Statement {
            engine: EngineKind::Polars,
            id: StatementId::from("20260101_000000_00000_aaaaa"),
            sql: format!("SELECT {text}"),
            parameters: StatementParameters::default(),
            catalog: CatalogSnapshot {
                default_catalog: "rowhouse".to_owned(),
                default_schema: "one".to_owned(),
                own_schema: "one".to_owned(),
                other_schemas: Vec::new(),
                queries: Vec::new(),
                session_properties: Vec::new(),
                tables: Vec::new(),
                tpch_dir: None,
            },
            session: rowhouse_executor::StatementSession::default(),
            user: "ann".to_owned(),
            now: Timestamp::from_millis(0),
            output: self.output(),
            output_limit: None,
        }
    }

    async fn execute(&self, text: &str) -> Result<Execution, QueryError> {
        self.execute_in("one", text).await
    }

    async fn execute_in(&self, workspace: &str, text: &str) -> Result<Execution, QueryError> {
        let mut statement = self.statement(text);
        workspace.clone_into(&mut statement.catalog.own_schema);
        let output = statement.output.clone();
        let executed = self.pool.execute(statement, Box::new(|_| {})).await;
        if executed.is_ok() {
            assert_eq!(std::fs::read_to_string(output).unwrap(), "rows\n");
        }
        executed
    }

    /// Number of files that processes have written into their folders.
    fn unfinished(&self) -> usize {
        let folders = std::fs::read_dir(self.folder.path().join("workers")).unwrap();
        // One may be removed meanwhile.
        folders.map(|folder| std::fs::read_dir(folder.unwrap().path()).map_or(0, Iterator::count)).sum()
    }

    /// Ids of the processes that were started.
    fn starts(&self) -> Vec<i32> {
        let text = std::fs::read_to_string(self.folder.path().join("starts")).unwrap_or_default();
        text.lines().map(|line| line.parse().unwrap()).collect()
    }

    async fn until(&self, what: &str, holds: impl Fn(&Self) -> bool) {
        for _ in 0..1000 {
            if holds(self) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("{what} does not come about: {:?}", self.pool);
    }
}

/// Whether a process with this id is alive; one that has ended and was not waited for counts as alive.
fn is_alive(pid: i32) -> bool {
    Path::new(&format!("/proc/{pid}")).exists()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_is_reused_for_several_statements() {
    let bench = Bench::new(WORKER, 1);
    bench.pool.wake().await.unwrap();
    let events = Arc::new(Mutex::new(0));
    for _ in 0..3 {
        let events = Arc::clone(&events);
        let sink: EventSink = Box::new(move |event| match event {
            ExecutionEvent::Writes(file) => assert!(!file.exists()),
            ExecutionEvent::Planned { .. } => *events.lock().unwrap() += 1,
            event => panic!("{event:?}"),
        });
        let execution = bench.pool.execute(bench.statement("1"), sink).await.unwrap();
        assert_eq!((execution.row_count, execution.stats.cpu_time_millis), (1, 5));
        bench.until("idle", |bench| format!("{:?}", bench.pool).contains("idle: 2, starting: 0")).await;
    }
    assert_eq!(*events.lock().unwrap(), 3);
    let described = bench.pool.describe("/x".to_owned(), TableFormat::Csv).await.unwrap();
    assert_eq!(described.row_count, Some(42));
    // The one that ran the statements, the fresh one that replaced it and read the table, and another.
    bench.until("a fresh one", |bench| bench.starts().len() == 3).await;
}

#[tokio::test]
async fn a_job_that_no_process_can_take_is_not_tried_again() {
    let bench = Bench::new(WORKER, 1);
    let text = "x".repeat(rowhouse_executor::protocol::MAX_FRAME_BYTES);
    let refused = bench.execute(&text).await.unwrap_err();
    assert_eq!(refused.code(), Some(ErrorCode::NotSupported));
    assert!(refused.message.contains("67108864 are the most"), "{}", refused.message);
    bench.execute("1").await.unwrap();
    assert!(bench.starts().len() <= 3, "one process is given up, and others are started ahead");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_is_not_reused_across_workspaces() {
    let bench = Bench::new(WORKER, 1);
    bench.pool.wake().await.unwrap();
    let idle = |bench: &Bench| format!("{:?}", bench.pool).contains("idle: 2, starting: 0, busy: 0");
    for (workspace, starts) in [("one", 2), ("one", 2), ("two", 3), ("two", 3), ("one", 4)] {
        assert_eq!(bench.execute_in(workspace, "1").await.unwrap().row_count, 1);
        bench.until("idle", idle).await;
        assert_eq!(bench.starts().len(), starts, "{workspace}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_that_hangs_gets_no_statement() {
    let bench = Bench::new(WORKER, 1);
    bench.pool.wake().await.unwrap();
    let idle = |bench: &Bench| format!("{:?}", bench.pool).contains("idle: 2, starting: 0, busy: 0");
    assert_eq!(bench.execute("1").await.unwrap().row_count, 1);
    bench.until("idle", idle).await;
    for pid in bench.starts() {
        let pid = rustix::process::Pid::from_raw(pid).unwrap();
        rustix::process::kill_process(pid, rustix::process::Signal::STOP).unwrap();
    }
    // The kernel takes a moment; until then they look asleep.
    tokio::time::sleep(Duration::from_millis(300)).await;
    let began = Instant::now();
    assert_eq!(bench.execute("1").await.unwrap().row_count, 1);
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    bench.until("idle", idle).await;
    // This process hangs when it gets the job: after its time limit another process runs the job.
    assert_eq!(bench.execute("deaf").await.unwrap().row_count, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dropped_statement_is_killed_with_its_children_and_its_file() {
    let bench = Bench::new(WORKER, 1);
    bench.pool.wake().await.unwrap();
    let pid = bench.starts()[0];
    {
        let running = bench.execute("slow");
        tokio::pin!(running);
        tokio::select! {
            _ = &mut running => panic!("it does not end by itself"),
            () = bench.until("the file", |bench| bench.unfinished() == 1) => {}
        }
    }
    let began = Instant::now();
    bench.until("the end", |_| !is_alive(pid) && bench.unfinished() == 0).await;
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    assert_eq!(bench.execute("1").await.unwrap().row_count, 1);
}

/// A worker that no longer counts its bytes is ended by the kernel; its statement reports the limit, and no file remains.
#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_writes_beyond_its_limit_is_ended() {
    let bench = Bench::new(WORKER, 1);
    for bytes in [4096, 100_000] {
        let message = format!("longer than {bytes} bytes (a.setting)");
        let limit = Some(OutputLimit { bytes, message: message.clone() });
        let statement = Statement { output_limit: limit, ..bench.statement("endless") };
        let error = bench.pool.execute(statement, Box::new(|_| {})).await.unwrap_err();
        assert_eq!(error.code(), Some(ErrorCode::GenericInsufficientResources), "{}", error.message);
        assert_eq!(error.message, message);
        bench.until("an empty folder", |bench| bench.unfinished() == 0).await;
        assert_eq!(bench.execute("1").await.unwrap().row_count, 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_crash_is_explained_and_the_next_statement_runs() {
    let bench = Bench::new(WORKER, 1);
    let check = async |text: &str, code: ErrorCode, part: &str| {
        let error = bench.execute(text).await.unwrap_err();
        assert_eq!(error.code(), Some(code), "{text}: {}", error.message);
        assert!(error.message.contains(part), "{text}: {}", error.message);
        assert_eq!(bench.execute("1").await.unwrap().row_count, 1, "after {text}");
    };
    check("memory", ErrorCode::ExceededMemoryLimit, "64 MiB").await;
    // The text of a process does not decide.
    check("abort", ErrorCode::GenericInternalError, "SIGABRT").await;
    check("killed", ErrorCode::GenericInternalError, "SIGKILL").await;
    check("exit", ErrorCode::GenericInternalError, "status 3").await;
    check("garbage", ErrorCode::GenericInternalError, "cannot be understood").await;
    check("wrong", ErrorCode::GenericInternalError, "out of turn").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_may_exit_after_its_statement_or_while_idle() {
    let bench = Bench::new(WORKER, 1);
    bench.pool.wake().await.unwrap();
    for _ in 0..3 {
        assert_eq!(bench.execute("once").await.unwrap().row_count, 1);
    }
    bench.until("idle", |bench| format!("{:?}", bench.pool).contains("idle: 1, starting: 0, busy: 0")).await;
    for pid in bench.starts() {
        // An id can only be reused after the process was waited for, and then it is not ours.
        if is_alive(pid) {
            rustix::process::kill_process(
                rustix::process::Pid::from_raw(pid).unwrap(),
                rustix::process::Signal::KILL,
            )
            .unwrap();
        }
    }
    // The kernel takes a moment; until then the process looks alive.
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(bench.execute("1").await.unwrap().row_count, 1);
}

/// Every worker that has run a statement holds more memory than this permits without a time limit.
const ALL_ARE_HEAVY: WorkerRetention =
    WorkerRetention { light_bytes: 0, heavy_for: Duration::from_millis(50) };

#[tokio::test(flavor = "multi_thread")]
async fn an_idle_worker_with_much_memory_is_replaced_after_a_time() {
    let bench = Bench::worker_retention(WORKER, 1, ALL_ARE_HEAVY);
    bench.pool.wake().await.unwrap();
    assert_eq!(bench.execute("1").await.unwrap().row_count, 1);
    bench.until("the end", |bench| !is_alive(bench.starts()[0])).await;
    bench.until("a fresh one", |bench| format!("{:?}", bench.pool).contains("idle: 1, starting: 0")).await;
    // A fresh one waits without a time limit.
    tokio::time::sleep(ALL_ARE_HEAVY.heavy_for * 4).await;
    assert_eq!(bench.starts().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn memory_left_by_an_earlier_statement_fails_no_other() {
    let worker_retention = WorkerRetention { heavy_for: Duration::from_secs(600), ..ALL_ARE_HEAVY };
    let bench = Bench::worker_retention(WORKER, 1, worker_retention);
    bench.pool.wake().await.unwrap();
    let idle = |bench: &Bench| format!("{:?}", bench.pool).contains("idle: 2, starting: 0, busy: 0");
    for starts in 2..5 {
        assert_eq!(bench.execute("1").await.unwrap().row_count, 1);
        bench.until("idle", idle).await;
        assert_eq!(bench.starts().len(), starts);
        // The used worker has too little memory for it.
        assert_eq!(bench.execute("hungry").await.unwrap().row_count, 2);
        bench.until("idle", idle).await;
    }
    // A fresh one is not tried twice.
    let bench = Bench::worker_retention(WORKER, 1, worker_retention);
    bench.pool.wake().await.unwrap();
    assert_eq!(bench.execute("memory").await.unwrap_err().code(), Some(ErrorCode::ExceededMemoryLimit));
    bench.until("idle", |bench| format!("{:?}", bench.pool).contains("idle: 1, starting: 0, busy: 0")).await;
    assert_eq!(bench.starts().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn output_of_a_failed_statement_is_removed() {
    let bench = Bench::new(WORKER, 1);
    bench.pool.wake().await.unwrap();
    for _ in 0..2 {
        assert_eq!(bench.execute("fails").await.unwrap_err().code(), Some(ErrorCode::DivisionByZero));
        assert_eq!(bench.unfinished(), 0);
        bench
            .until("idle", |bench| format!("{:?}", bench.pool).contains("idle: 2, starting: 0, busy: 0"))
            .await;
        assert_eq!(bench.execute("1").await.unwrap().row_count, 1);
        bench
            .until("idle", |bench| format!("{:?}", bench.pool).contains("idle: 2, starting: 0, busy: 0"))
            .await;
    }
    // All by the same worker.
    assert_eq!(bench.starts().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_statement_that_reaches_its_memory_limit_may_spill() {
    let bench = Bench::spilling(WORKER, 1, WorkerRetention::default(), 4096);
    assert_eq!(bench.execute("large").await.unwrap().row_count, 3);
    assert_eq!(bench.execute("memory").await.unwrap_err().code(), Some(ErrorCode::ExceededMemoryLimit));
    let bench = Bench::spilling(WORKER, 1, WorkerRetention::default(), 0);
    assert_eq!(bench.execute("large").await.unwrap_err().code(), Some(ErrorCode::ExceededMemoryLimit));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_resting_engine_has_no_process_and_still_describes_tables() {
    let bench = Bench::new(WORKER, 3);
    bench.pool.wake().await.unwrap();
    bench.until("warm", |bench| format!("{:?}", bench.pool).contains("idle: 3")).await;
    bench.pool.rest().await;
    assert!(bench.starts().iter().all(|&pid| !is_alive(pid)));
    assert_eq!(bench.pool.describe("/x".to_owned(), TableFormat::Csv).await.unwrap().row_count, Some(42));
    bench.until("nothing", |bench| bench.starts().iter().all(|&pid| !is_alive(pid))).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_statements_run_in_separate_processes() {
    let bench = Arc::new(Bench::new(WORKER, 4));
    bench.pool.wake().await.unwrap();
    let mut tasks = Vec::new();
    for _ in 0..30 {
        let bench = Arc::clone(&bench);
        tasks.push(tokio::spawn(async move { bench.execute("1").await.unwrap().row_count }));
    }
    for task in tasks {
        assert_eq!(task.await.unwrap(), 1);
    }
    bench.until("rest", |bench| format!("{:?}", bench.pool).contains("idle: 8, starting: 0, busy: 0")).await;
    bench
        .until("the end of what is not kept", |bench| {
            bench.starts().into_iter().filter(|&pid| is_alive(pid)).count() == 8
        })
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_does_not_start_is_reported() {
    let check = async |script: &str, part: &str| {
        let bench = Bench::new(script, 1);
        let error = match bench.pool.shared.start_any().await {
            Ok(_) => panic!("{script} starts"),
            Err(error) => error.to_string(),
        };
        assert!(error.contains(part), "{error}");
        assert_eq!(bench.pool.wake().await.unwrap_err().code(), Some(ErrorCode::GenericInternalError));
    };
    check("#!/bin/sh\necho no such library >&2\nexit 1\n", "no such library").await;
    check("#!/nowhere\n", "cannot be started").await;
    check("#!/bin/sh\necho hello there; sleep 60\n", "cannot be read").await;
    check(
        "#!/bin/sh\nprintf '\\000\\000\\000\\041\\000\\000\\000\\000{\"Ready\":{\"protocol_version\":10}}'; sleep 60\n",
        "version 10",
    )
    .await;
}
