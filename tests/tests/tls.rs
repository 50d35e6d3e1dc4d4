//! TLS: the configured certificate, both versions of HTTP by ALPN, renewal, clients that speak another protocol.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rowhouse_client::Client;
use rowhouse_model::Timestamp;
use rowhouse_tests::{Server, binary, has_program};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

/// Maximum time until a renewal is noticed on a busy machine; the files are checked every five seconds.
const NOTICE_TIMEOUT: Duration = Duration::from_secs(60);

/// Writes a self-signed certificate for the loopback, and its key; returns the certificate's text.
fn write_certificate(folder: &Path) -> String {
    let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned(), "localhost".to_owned()]);
    let rcgen::CertifiedKey { cert, signing_key } = made.expect("a certificate");
    // Each is replaced by one rename, as renewals do.
    for (name, text) in [("key.pem", signing_key.serialize_pem()), ("certificate.pem", cert.pem())] {
        let partial = folder.join(format!("{name}.partial"));
        std::fs::write(&partial, text).expect("written");
        std::fs::rename(partial, folder.join(name)).expect("renamed");
    }
    cert.pem()
}

/// Writes a self-signed certificate that expires this many days from now.
fn write_certificate_for(folder: &Path, days: i64) {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_millis();
    let now = i64::try_from(now).expect("before the end of time");
    let end = Timestamp::from_millis(now + days * 24 * 60 * 60 * 1000).to_string();
    let part = |from: usize, to: usize| end[from..to].parse::<u8>().expect("digits");
    let mut parameters = rcgen::CertificateParams::new(["localhost".to_owned()]).expect("a name");
    let year = end[..4].parse().expect("digits");
    parameters.not_after = rcgen::date_time_ymd(year, part(5, 7), part(8, 10));
    let key = rcgen::KeyPair::generate().expect("a key");
    let certificate = parameters.self_signed(&key).expect("a certificate");
    std::fs::write(folder.join("key.pem"), key.serialize_pem()).expect("written");
    std::fs::write(folder.join("certificate.pem"), certificate.pem()).expect("written");
}

fn start(folder: &Path, more: &[&str]) -> Server {
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let mut builder = Server::builder()
        .arguments(["--tls-certificate", &path("certificate.pem"), "--tls-key", &path("key.pem")])
        .log_file(folder.join("log"));
    for argument in more {
        builder = builder.arguments([*argument]);
    }
    builder.start()
}

fn client(server: &Server, authority: &str) -> Client {
    let builder = Client::builder(server.url()).token(server.admin_token());
    builder.certificate_authorities(authority).build().expect("a client")
}

/// A self-signed certificate: created once, and valid for every client that trusts it.
#[tokio::test]
async fn a_server_generates_its_own_certificate() {
    let folder = tempfile::tempdir().expect("a folder");
    let start = || Server::builder().data_dir(folder.path()).arguments(["--tls-self-signed"]).start();
    let mut certificates = Vec::new();
    for _ in 0..2 {
        let server = start();
        let certificate =
            std::fs::read_to_string(folder.path().join("tls/certificate.pem")).expect("a certificate");
        let workspaces = client(&server, &certificate).workspaces().await.expect("an answer over TLS");
        assert_eq!(workspaces[0].sql_name, "demo");
        certificates.push(certificate);
    }
    assert_eq!(certificates[0], certificates[1]);
    let key = std::fs::metadata(folder.path().join("tls/key.pem")).expect("a key");
    assert_eq!(std::os::unix::fs::MetadataExt::mode(&key) & 0o777, 0o600);
    let both = ["--tls-self-signed", "--tls-certificate", "c.pem", "--tls-key", "k.pem"];
    let refused = Command::new(binary()).arg("serve").args(both).output().expect("it runs");
    assert!(String::from_utf8_lossy(&refused.stderr).contains("give one of the two"), "{refused:?}");
}

#[tokio::test]
async fn the_client_and_the_command_line_use_https_with_configured_certificates() {
    let folder = tempfile::tempdir().expect("a folder");
    let authority = write_certificate(folder.path());
    let server = start(folder.path(), &[]);
    assert!(server.url().starts_with("https://"));
    let workspaces = client(&server, &authority).workspaces().await.expect("an answer");
    assert_eq!(workspaces[0].sql_name, "demo");

    let stranger = tempfile::tempdir().expect("a folder");
    let other = write_certificate(stranger.path());
    let error = client(&server, &other).workspaces().await.expect_err("another authority");
    assert!(error.to_string().contains("certificate"), "{error}");

    let run = |authority: &Path| {
        Command::new(binary())
            .args(["query", "SELECT 40 + 2 AS answer", "--format", "csv", "--server", &server.url()])
            .args(["--token", server.admin_token(), "--ca-certificate"])
            .arg(authority)
            .output()
            .expect("the command runs")
    };
    let printed = run(&folder.path().join("certificate.pem"));
    assert_eq!(String::from_utf8_lossy(&printed.stdout).replace('\r', ""), "answer\n42\n");
    assert_eq!(run(&stranger.path().join("certificate.pem")).status.code(), Some(1));
    assert_eq!(run(&stranger.path().join("nothing.pem")).status.code(), Some(2));
}

#[tokio::test]
async fn alpn_negotiates_both_versions_of_http() {
    if !has_program("curl") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    write_certificate(folder.path());
    let server = start(folder.path(), &[]);
    for (flag, version) in [("--http1.1", "1.1 200"), ("--http2", "2 200")] {
        let output = Command::new("curl")
            .args(["--silent", "--show-error", flag, "--cacert"])
            .arg(folder.path().join("certificate.pem"))
            .args(["--output", "/dev/null", "--write-out", "%{http_version} %{http_code}"])
            .arg(format!("{}/healthz", server.url()))
            .output()
            .expect("curl runs");
        let (printed, error) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(printed, version, "{error}");
    }
}

/// The first bytes of a request may be read with the last ones of its connection's handshake.
#[tokio::test]
async fn the_first_request_of_a_connection_may_be_long() {
    if !has_program("curl") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    write_certificate(folder.path());
    let server = start(folder.path(), &[]);
    let body = format!("{{\"workspaceId\":\"x\",\"sql\":\"{}\"}}", "x".repeat(60_000));
    std::fs::write(folder.path().join("body"), body).expect("written");
    for version in ["--http1.1", "--http2"] {
        for _ in 0..20 {
            let output = Command::new("curl")
                .args([version, "--silent", "--insecure", "--header", "X-Long: 0123456789abcdef"])
                .arg("--header")
                .arg(format!("Authorization: Token {}", server.admin_token()))
                .arg("--data-binary")
                .arg(format!("@{}", folder.path().join("body").display()))
                .arg(format!("{}/api/v1/query", server.url()))
                .output()
                .expect("curl runs");
            let answer = String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(answer.contains("\"NOT_FOUND\""), "{version}: {answer} {output:?}");
        }
    }
}

#[tokio::test]
async fn a_renewed_certificate_is_served_without_a_restart_and_an_invalid_one_is_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let first = write_certificate(folder.path());
    let server = start(folder.path(), &[]);
    client(&server, &first).workspaces().await.expect("the first certificate");

    let renewed = write_certificate(folder.path());
    let deadline = Instant::now() + NOTICE_TIMEOUT;
    while client(&server, &renewed).workspaces().await.is_err() {
        assert!(Instant::now() < deadline, "the renewed certificate is not served");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    client(&server, &first).workspaces().await.expect_err("the first one is gone");

    // A key that does not belong to the certificate: the served one stays, and the log says why.
    let other = tempfile::tempdir().expect("a folder");
    write_certificate(other.path());
    std::fs::copy(other.path().join("key.pem"), folder.path().join("key.pem")).expect("copied");
    server.hang_up();
    let deadline = Instant::now() + NOTICE_TIMEOUT;
    let log = || std::fs::read_to_string(folder.path().join("log")).expect("the log");
    while !log().contains("does not go with the certificate") {
        assert!(Instant::now() < deadline, "{}", log());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    client(&server, &renewed).workspaces().await.expect("the renewed certificate");
}

#[tokio::test]
async fn clients_of_other_protocols_are_refused_or_disconnected() {
    let folder = tempfile::tempdir().expect("a folder");
    let authority = write_certificate(folder.path());
    let server = start(folder.path(), &["--limits-header-timeout", "300ms"]);
    let exchange = async |sent: &[u8]| {
        let mut stream = tokio::net::TcpStream::connect(server.address()).await.expect("connected");
        stream.write_all(sent).await.expect("sent");
        let mut answer = Vec::new();
        // A reset ends the connection, too.
        let read = tokio::time::timeout(NOTICE_TIMEOUT, stream.read_to_end(&mut answer)).await;
        let _ = read.expect("the server ends the connection");
        String::from_utf8_lossy(&answer).into_owned()
    };
    let printed = exchange(b"GET /api/v1/workspaces HTTP/1.1\r\nHost: x\r\n\r\n").await;
    assert!(printed.starts_with("HTTP/1.1 400 ") && printed.contains("use https"), "{printed}");
    let (head, body) = printed.split_once("\r\n\r\n").expect("a head");
    assert!(head.contains(&format!("Content-Length: {}", body.len())), "{printed}");
    let body: serde_json::Value = serde_json::from_str(body).expect("JSON");
    assert_eq!(body["code"], "INVALID_ARGUMENTS");
    exchange(b"\0\0\0\0").await;
    // Handshakes that never complete: half a record, and nothing at all.
    exchange(b"\x16\x03\x01\x02\0\x01").await;
    exchange(b"").await;
    client(&server, &authority).workspaces().await.expect("the server is well");
    let log = std::fs::read_to_string(folder.path().join("log")).expect("the log");
    assert!(!log.contains("panic"), "{log}");
}

#[test]
fn invalid_certificate_files_prevent_the_start() {
    let folder = tempfile::tempdir().expect("a folder");
    write_certificate(folder.path());
    let run = |certificate: &str, key: Option<&str>| {
        let mut command = Command::new(binary());
        command.args(["serve", "--listen", "127.0.0.1:0", "--data-dir"]).arg(folder.path().join("data"));
        command.arg("--tls-certificate").arg(folder.path().join(certificate));
        if let Some(key) = key {
            command.arg("--tls-key").arg(folder.path().join(key));
        }
        let output = command.output().expect("it runs");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for (certificate, key, code, text) in [
        ("certificate.pem", None, 2, "tls_key is not: set both"),
        ("certificate.pem", Some("nothing.pem"), 1, "nothing.pem cannot be used"),
        ("key.pem", Some("key.pem"), 1, "holds no certificate"),
        ("certificate.pem", Some("certificate.pem"), 1, "certificate.pem cannot be used"),
    ] {
        let (status, printed) = run(certificate, key);
        assert_eq!(status, Some(code), "{printed}");
        assert!(printed.contains(text), "{printed}");
    }
    assert!(!folder.path().join("data").exists(), "nothing was touched");
}

#[tokio::test]
async fn certificate_expiry_is_reported_by_log_metric_and_doctor() {
    for (days, verdict, said, logged) in [
        (200, "ok ", "can be used until", None),
        (10, "warn", "days, at", Some("about to expire")),
        (-2, "FAIL", "has expired at", Some("has expired")),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        write_certificate_for(folder.path(), days);
        let pem = |name: &str| folder.path().join(name);
        let doctor = Command::new(binary())
            .args(["doctor", "--listen", "127.0.0.1:0", "--data-dir"])
            .arg(pem("data"))
            .arg("--tls-certificate")
            .arg(pem("certificate.pem"))
            .arg("--tls-key")
            .arg(pem("key.pem"))
            .output()
            .expect("it runs");
        let printed = String::from_utf8_lossy(&doctor.stdout);
        let line = printed.lines().find(|line| line.contains("tls:")).expect("a finding");
        assert!(line.starts_with(verdict) && line.contains(said), "{line}");

        let server = start(folder.path(), &[]);
        let log = || std::fs::read_to_string(pem("log")).expect("the log");
        let deadline = Instant::now() + NOTICE_TIMEOUT;
        while !logged.map_or_else(|| log().contains("serving"), |text| log().contains(text)) {
            assert!(Instant::now() < deadline, "{}", log());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert!(logged.is_some() || !log().contains("expire"), "{}", log());
        if !has_program("curl") {
            continue;
        }
        let url = format!("{}/metrics", server.url());
        let scrape = Command::new("curl").args(["--silent", "--insecure", &url]).output().expect("curl runs");
        let scrape = String::from_utf8_lossy(&scrape.stdout).into_owned();
        let name = "rowhouse_tls_certificate_expiry_timestamp_seconds ";
        let value = scrape.lines().find_map(|line| line.strip_prefix(name)).expect("the metric");
        let value: i64 = value.parse().expect("seconds");
        let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs();
        let left = value - i64::try_from(now).expect("before the end of time");
        let day = 24 * 60 * 60;
        // The certificate expires at the midnight that begins its last day.
        assert!(((days - 1) * day..=days * day).contains(&left), "{left} seconds for {days} days");
    }
}
