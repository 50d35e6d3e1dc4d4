//! Hostile code inside a worker: this program is its own worker, confined like any other, and if a statement says so
//! the worker tries what it must not be able to do. Every success is reported and fails the test. No other worker
//! contains such code: the released program is built without it.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rowhouse_engine::{Access, Engine, EngineConfig, RandomIdSource, Submission, SystemClock, worker};
use rowhouse_executor::protocol::{Job, Reply};
use rowhouse_model::{ErrorCode, Query, QueryError, QueryStatus};
use rustix::net::{AddressFamily, SocketType, socket};
use rustix::process::{Pid, Signal, getppid, kill_process, setpgid, setsid, test_kill_process};

/// A statement with a hostile worker; the words after it name the targets.
// A call, which no server answers itself.
const HOSTILE: &str = "SELECT lower('hostile ";

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("worker") => worker::main_with(|job| match job {
            Job::Execute { statement, .. } => {
                let words = statement.sql.strip_prefix(HOSTILE)?.trim_end_matches("')");
                Some(Reply::Executed(Err(QueryError::new(ErrorCode::GenericUserError, attack(words)))))
            }
            _ => None,
        }),
        // Test runners request this of every test program.
        Some("--list") => ExitCode::SUCCESS,
        _ => {
            let report = worker::probe_sandbox();
            if !report.is_whole() {
                println!("skipped: this kernel cannot confine a worker wholly: {report}");
                return ExitCode::SUCCESS;
            }
            tokio::runtime::Runtime::new().unwrap().block_on(hostile_code_reaches_nothing());
            println!("test hostile_code_reaches_nothing ... ok");
            ExitCode::SUCCESS
        }
    }
}

/// Tries everything; returns what succeeded, in words.
fn attack(words: &str) -> String {
    let words: Vec<&str> = words.split(' ').collect();
    let [data_dir, stranger, victim] = words[..] else { return "the words are wrong".to_owned() };
    if victim == "0" {
        // It leaves its process group, and continues.
        let _ = setpgid(None, getppid());
        let _ = setsid();
        loop {
            std::thread::sleep(Duration::from_secs(60));
        }
    }
    let data_dir = Path::new(data_dir);
    let mut done = Vec::new();
    let mut must_fail = |what: &str, is_done: bool| {
        if is_done {
            done.push(what.to_owned());
        }
    };
    let database = data_dir.join("rowhouse.db");
    must_fail("read the database", File::open(&database).is_ok());
    must_fail("write the database", OpenOptions::new().write(true).open(&database).is_ok());
    must_fail("truncate the database", OpenOptions::new().write(true).truncate(true).open(&database).is_ok());
    must_fail("change the database's mode", chmod(&database).is_ok());
    for name in ["admin-token", "link-key", "results/other/1.arrow", "files/other/1.csv", "server.lock"] {
        must_fail(name, File::open(data_dir.join(name)).is_ok());
        must_fail(name, fs::remove_file(data_dir.join(name)).is_ok());
        must_fail(name, fs::rename(data_dir.join(name), data_dir.join("gone")).is_ok());
        must_fail(name, fs::hard_link(data_dir.join(name), data_dir.join("linked")).is_ok());
    }
    must_fail("list the data directory", fs::read_dir(data_dir).is_ok());
    must_fail("list the folders of workers", fs::read_dir(data_dir.join("workers")).is_ok());
    must_fail("read another table", File::open(stranger).is_ok());
    must_fail("read accounts", File::open("/etc/passwd").is_ok());
    must_fail("read the server's memory", File::open(format!("/proc/{}/mem", server())).is_ok());
    must_fail("read the server's environment", fs::read(format!("/proc/{}/environ", server())).is_ok());
    for folder in
        [data_dir.join("results"), data_dir.to_owned(), data_dir.join("samples/tpch"), "/tmp".into()]
    {
        must_fail("write outside", File::create(folder.join("hostile")).is_ok());
    }
    must_fail("make a link", std::os::unix::fs::symlink(&database, data_dir.join("link")).is_ok());
    let server = Pid::from_raw(server());
    let victim = victim.parse().ok().and_then(Pid::from_raw);
    for (what, pid) in [("signal the server", server), ("signal another", victim)] {
        must_fail(what, pid.is_some_and(|pid| test_kill_process(pid).is_ok()));
        must_fail(what, pid.is_some_and(|pid| kill_process(pid, Signal::URG).is_ok()));
    }
    for (what, family, kind) in [
        ("UDP", AddressFamily::INET, SocketType::DGRAM),
        ("TCP", AddressFamily::INET, SocketType::STREAM),
        ("AF_UNIX", AddressFamily::UNIX, SocketType::DGRAM),
        ("AF_UNIX stream", AddressFamily::UNIX, SocketType::STREAM),
        ("AF_NETLINK", AddressFamily::NETLINK, SocketType::RAW),
    ] {
        must_fail(what, socket(family, kind, None).is_ok());
    }
    must_fail("send from a pair", std::os::unix::net::UnixDatagram::pair().is_ok());
    #[expect(deprecated, reason = "the newer function is unsafe for what this does not do")]
    let unshared = rustix::thread::unshare(rustix::thread::UnshareFlags::NEWUSER);
    must_fail("make a user namespace", unshared.is_ok());
    must_fail("leave the group", setpgid(None, getppid()).is_ok());
    must_fail("leave the session", setsid().is_ok());
    must_fail("run a program", Command::new("/bin/true").status().is_ok());
    must_fail("outlive the server", rustix::process::set_parent_process_death_signal(None).is_ok());
    if done.is_empty() { "nothing".to_owned() } else { done.join(", ") }
}

fn server() -> i32 {
    getppid().map_or(1, |pid| pid.as_raw_nonzero().get())
}

fn chmod(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(0o777))
}

async fn hostile_code_reaches_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    let mut config = EngineConfig::new(&data_dir);
    config.worker_program = Some(std::env::current_exe().unwrap());
    let engine = Engine::open(config, Arc::new(SystemClock::new()), Arc::new(RandomIdSource)).await.unwrap();
    fs::write(data_dir.join("admin-token"), "secret").unwrap();
    fs::create_dir_all(data_dir.join("results/other")).unwrap();
    fs::write(data_dir.join("results/other/1.arrow"), "rows").unwrap();
    fs::create_dir_all(data_dir.join("files/other")).unwrap();
    fs::write(data_dir.join("files/other/1.csv"), "a\n1\n").unwrap();
    let stranger = folder.path().join("stranger.csv");
    writeln!(File::create(&stranger).unwrap(), "a\n1").unwrap();
    let mut victim = Command::new("sleep").arg("600").spawn().unwrap();

    // The same worker runs ordinary statements before and after.
    for sql in ["SELECT count(*) FROM tpch.tiny.region", "SELECT count(*) FROM tpch.tiny.nation"] {
        let query = run(&engine, sql).await;
        assert_eq!(query.status, Some(QueryStatus::Finished), "{sql}: {:?}", query.error);
    }
    let (data, stranger) = (data_dir.display(), stranger.display());
    let query = run(&engine, &format!("{HOSTILE}{data} {stranger} {}')", victim.id())).await;
    let done = query.error.unwrap().message;
    assert_eq!(done, "nothing", "hostile code inside a worker could do this");
    assert_eq!(
        run(&engine, "SELECT count(*) FROM tpch.tiny.region").await.status,
        Some(QueryStatus::Finished)
    );
    victim.kill().unwrap();
    victim.wait().unwrap();

    canceling_kills_it(&engine, &format!("{HOSTILE}{data} {stranger} 0')")).await;
    engine.shutdown(Duration::from_secs(10)).await;
}

async fn canceling_kills_it(engine: &Engine, sql: &str) {
    let before = workers();
    let query = submit(engine, sql).await;
    let access = access(engine);
    let deadline = Instant::now() + Duration::from_secs(30);
    // Wait until its worker has worked for a while.
    while engine.queries().get(&access, &query.id).await.unwrap().status == Some(QueryStatus::Queued) {
        assert!(Instant::now() < deadline, "it does not begin");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    engine.queries().cancel(&access, &query.id).await.unwrap();
    // Idle workers may be new; the busy one is gone.
    loop {
        let left: Vec<i32> = workers().into_iter().filter(|pid| before.contains(pid)).collect();
        if left.len() < before.len() {
            return;
        }
        assert!(Instant::now() < deadline, "the worker lives on: {left:?} of {before:?}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

fn access(engine: &Engine) -> Access {
    let first = engine.bootstrap().unwrap();
    let principal = engine.accounts().authenticate(&first.admin_token).unwrap();
    engine.workspaces().access(&principal, &first.workspace_id).unwrap()
}

async fn submit(engine: &Engine, sql: &str) -> Query {
    let submission = Submission::new(sql);
    engine.queries().submit(&access(engine), submission).await.unwrap()
}

async fn run(engine: &Engine, sql: &str) -> Query {
    let query = submit(engine, sql).await;
    engine.queries().wait(&access(engine), &query.id, Duration::from_secs(60)).await.unwrap()
}

/// Child processes of this one that are workers and have not ended.
fn workers() -> Vec<i32> {
    let is_worker = |pid: &i32| {
        let read = |name: &str| fs::read_to_string(format!("/proc/{pid}/{name}")).unwrap_or_default();
        let stat = read("stat");
        let behind_name = stat.rsplit(')').next().unwrap_or_default().to_owned();
        let fields: Vec<&str> = behind_name.split_whitespace().collect();
        fields.get(1) == Some(&std::process::id().to_string().as_str())
            && fields.first() != Some(&"Z")
            && read("cmdline").contains("worker")
    };
    let names =
        fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    names.filter(is_worker).collect()
}
