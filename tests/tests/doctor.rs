//! `rowhouse doctor`: no finding for a sound server, one line and an advice for each fault, exit codes for scripts.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use rowhouse_tests::{Server, binary, sample_dir};

/// Runs the command; returns the exit code and the output.
fn doctor(data_dir: &Path, more: &[&str]) -> (i32, String) {
    let mut command = Command::new(binary());
    command.args(["doctor", "--engine-memory-limit", "1GiB", "--engine-concurrency", "1"]);
    command.arg("--sample-dir").arg(sample_dir()).arg("--data-dir").arg(data_dir);
    if !more.contains(&"--listen") {
        command.args(["--listen", "127.0.0.1:0"]);
    }
    let output = command.args(more).output().expect("it runs");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.code().expect("an exit code"), printed)
}

/// The line of a finding; the next line is an advice.
fn finding<'a>(printed: &'a str, verdict: &str, texts: &[&str]) -> &'a str {
    let mut lines = printed.lines();
    let found =
        lines.by_ref().find(|line| line.starts_with(verdict) && texts.iter().all(|text| line.contains(text)));
    let found = found.unwrap_or_else(|| panic!("no {verdict} with {texts:?} in\n{printed}"));
    if verdict != "ok" {
        assert!(lines.next().is_some_and(|line| line.trim_start().starts_with("-> ")), "{printed}");
    }
    found
}

#[test]
fn a_sound_server_has_no_findings_before_and_while_it_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let data_dir = folder.path().join("data");
    let (code, printed) = doctor(&data_dir, &[]);
    assert_eq!(code, 0, "{printed}");
    finding(&printed, "ok", &["data directory", "the first start makes it"]);
    finding(&printed, "ok", &["engine", "ran a statement"]);
    assert!(!data_dir.exists(), "it changes nothing");

    let server = Server::builder().data_dir(&data_dir).start();
    let (code, printed) = doctor(&data_dir, &["--listen", server.address()]);
    assert_eq!(code, 0, "{printed}");
    finding(&printed, "ok", &["process id", &server.pid().to_string()]);
    finding(&printed, "ok", &["listen", "as by the server that runs"]);
    finding(&printed, "ok", &["schema"]);
    drop(server);
    let (code, printed) = doctor(&data_dir, &[]);
    assert_eq!(code, 0, "{printed}");
    finding(&printed, "ok", &["no server runs on"]);
}

#[test]
fn each_fault_is_reported_with_advice() {
    let folder = tempfile::tempdir().expect("a folder");
    let data_dir = folder.path().join("data");
    drop(Server::builder().data_dir(&data_dir).start());

    // Files left by a kill, by hand and by another program.
    let views = data_dir.join("views");
    for view in std::fs::read_dir(&views).expect("the views").flatten() {
        std::fs::remove_dir_all(view.path()).expect("removed");
    }
    let results = data_dir.join("results");
    let workspace =
        std::fs::read_dir(&results).expect("the results").flatten().next().expect("a workspace").path();
    for result in std::fs::read_dir(&workspace).expect("the results").flatten() {
        std::fs::rename(result.path(), workspace.join("killed.arrow.partial")).expect("renamed");
    }
    std::fs::create_dir(data_dir.join("backup-1.staging")).expect("made");
    std::fs::set_permissions(&data_dir, std::fs::Permissions::from_mode(0o755)).expect("opened");
    let (code, printed) = doctor(&data_dir, &["--table-roots", "/no/such/folder"]);
    assert_eq!(code, 0, "warnings are no failure\n{printed}");
    for texts in [
        ["data directory", "mode 755"],
        ["data directory", "1 results that records name are not there"],
        ["data directory", "the rows of 1 views are not there"],
        ["data directory", "1 unfinished results"],
        ["data directory", "backup-1.staging"],
        ["table_roots", "/no/such/folder"],
    ] {
        finding(&printed, "warn", &texts);
    }

    // A port of another program, an invalid key, a log without a folder, an invalid database.
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    let junk = folder.path().join("junk.pem");
    std::fs::write(&junk, "junk").expect("written");
    let junk = junk.to_str().expect("text");
    std::fs::write(data_dir.join("rowhouse.db"), vec![7; 8192]).expect("written");
    for beside in ["rowhouse.db-wal", "rowhouse.db-shm"] {
        // The write-ahead log of a killed server has whole pages, which would be read instead of the junk.
        let _ = std::fs::remove_file(data_dir.join(beside));
    }
    let arguments = ["--listen", &address, "--tls-certificate", junk, "--tls-key", junk];
    let more = ["--audit-file", "/no/such/folder/audit.jsonl"];
    let (code, printed) = doctor(&data_dir, &[arguments.as_slice(), more.as_slice()].concat());
    assert_eq!(code, 1, "{printed}");
    finding(&printed, "FAIL", &["listen", &address]);
    finding(&printed, "FAIL", &["tls", "junk.pem"]);
    finding(&printed, "FAIL", &["audit.file"]);
    finding(&printed, "FAIL", &["data directory", "rowhouse.db"]);

    let (code, printed) = doctor(&data_dir, &["--limits-filters", "many"]);
    assert_eq!(code, 2, "{printed}");
    finding(&printed, "FAIL", &["configuration", "--limits-filters"]);
}

#[test]
fn an_unreachable_cluster_is_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = folder.path().join("rowhouse.toml");
    // A free port: it was bound and released a moment ago.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    drop(listener);
    let text = format!("[engine.trino.far]\nurl = \"http://{address}\"\nuser = \"ada\"\n");
    std::fs::write(&config, text).expect("written");
    let arguments = ["--config", config.to_str().expect("text")];
    let (code, printed) = doctor(&folder.path().join("data"), &arguments);
    assert_eq!(code, 1, "{printed}");
    finding(&printed, "FAIL", &["trino:far", &address.to_string()]);
}
