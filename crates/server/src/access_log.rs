//! The access line of each request. In the text format it is put together here and passed to the log's writer: the way through the
//! log's subscriber costs a tenth of the instructions of a small answer. The line is the one that the subscriber writes.

use std::cell::Cell;
use std::io::Write as _;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use http::Method;
use rowhouse_model::Timestamp;
use tracing::Level;
use tracing_subscriber::filter::Targets;

use crate::log_writer::LogWriter;

/// Target of the access line.
const ACCESS_TARGET: &str = "rowhouse::access";
/// What precedes the fields, after the time.
const BEGINNING: &str = "  INFO rowhouse::access: request=";
/// `2026-01-31T23:59:59`
const SECOND_BYTES: usize = 19;
/// Larger numbers have another form as fractions.
const MAX_PLAIN_MICROS: u128 = 1_000_000_000_000;

/// The writer of the log, if its lines have the text format without colors.
static WRITER: OnceLock<LogWriter> = OnceLock::new();
/// Whether the log's filter shows access lines, whatever the span.
static IS_DIRECT: AtomicBool = AtomicBool::new(false);

/// What the line of one request says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AccessLine<'l> {
    /// The request's id.
    pub(crate) request: &'l str,
    pub(crate) method: &'l Method,
    pub(crate) route: &'static str,
    pub(crate) status: u16,
    pub(crate) duration_micros: u128,
    /// Bytes of the body that were sent.
    pub(crate) bytes: u64,
    /// The caller's name, if known.
    pub(crate) account: Option<&'l str>,
    /// Whether the answer was sent to its end.
    pub(crate) complete: bool,
}

/// From now on this writer takes access lines, if the log's filter shows them.
pub(crate) fn write_directly_to(writer: LogWriter) {
    // OK to ignore: only the first log of a process is in use.
    let _ = WRITER.set(writer);
}

/// Follows a change of the log's filter.
pub(crate) fn follow_filter(filter: &str) {
    IS_DIRECT.store(WRITER.get().is_some() && always_shows(filter), Ordering::Relaxed);
}

/// Whether a filter shows access lines, whatever the span. One that names spans or fields is left to the subscriber.
fn always_shows(filter: &str) -> bool {
    // The subscriber itself cannot be asked: it enables what any of its layers wants, that of the traces among them.
    let targets: Option<Targets> = (!filter.contains('[')).then(|| filter.parse().ok()).flatten();
    targets.is_some_and(|targets| targets.would_enable(ACCESS_TARGET, &Level::INFO))
}

impl AccessLine<'_> {
    /// Logs the line.
    pub(crate) fn log(&self) {
        if !IS_DIRECT.load(Ordering::Relaxed) {
            return self.log_to_subscriber();
        }
        let Some(mut writer) = WRITER.get() else { return };
        thread_local! {
            static LINE: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
        }
        let mut line = LINE.take();
        line.clear();
        self.put(&mut line, SystemTime::now());
        // Standard error may be closed: then there is no reader.
        let _ = writer.write_all(&line);
        LINE.set(line);
    }

    fn log_to_subscriber(&self) {
        tracing::info!(
            target: ACCESS_TARGET,
            request = %self.request,
            method = %self.method,
            route = self.route,
            status = self.status,
            duration_ms = self.duration_micros as f64 / 1000.0,
            bytes = self.bytes,
            account = self.account,
            complete = self.complete,
        );
    }

    fn put(&self, line: &mut Vec<u8>, time: SystemTime) {
        put_time(line, time);
        put_str(line, BEGINNING);
        put_str(line, self.request);
        put_str(line, " method=");
        put_str(line, self.method.as_str());
        put_str(line, " route=\"");
        put_str(line, self.route);
        put_str(line, "\" status=");
        put_number(line, self.status.into());
        put_str(line, " duration_ms=");
        put_millis(line, self.duration_micros);
        put_str(line, " bytes=");
        put_number(line, self.bytes);
        if let Some(account) = self.account {
            put_str(line, " account=");
            put_quoted(line, account);
        }
        put_str(line, if self.complete { " complete=true\n" } else { " complete=false\n" });
    }
}

fn put_str(line: &mut Vec<u8>, text: &str) {
    line.extend_from_slice(text.as_bytes());
}

fn put_quoted(line: &mut Vec<u8>, value: &str) {
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\';
    if !value.bytes().all(is_plain) {
        return put_str(line, &format!("{value:?}"));
    }
    line.push(b'"');
    put_str(line, value);
    line.push(b'"');
}

/// Microseconds as milliseconds, in as many digits as are needed.
fn put_millis(line: &mut Vec<u8>, micros: u128) {
    if micros > MAX_PLAIN_MICROS {
        return put_str(line, &format!("{:?}", micros as f64 / 1000.0));
    }
    // OK because it is at most `MAX_PLAIN_MICROS`.
    let micros = micros as u64;
    put_number(line, micros / 1000);
    let thousandths = micros % 1000;
    let digits = [thousandths / 100, thousandths / 10 % 10, thousandths % 10];
    let kept = if digits[2] > 0 { 3 } else { 1 + usize::from(digits[1] > 0) };
    line.push(b'.');
    line.extend(digits[..kept].iter().map(|digit| b'0' + *digit as u8));
}

fn put_number(line: &mut Vec<u8>, number: u64) {
    put_str(line, itoa::Buffer::new().format(number));
}

/// `2026-01-31T23:59:59.123456Z`; the calendar is computed once a second.
fn put_time(line: &mut Vec<u8>, time: SystemTime) {
    thread_local! {
        static SECOND: Cell<(u64, [u8; SECOND_BYTES])> = const { Cell::new((u64::MAX, [0; SECOND_BYTES])) };
    }
    let since_epoch = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let (mut second, mut text) = SECOND.get();
    if second != since_epoch.as_secs() {
        second = since_epoch.as_secs();
        let shown = Timestamp::from_millis(i64::try_from(second).unwrap_or_default() * 1000).to_string();
        // OK because a time of this millennium and the ones around it begins with so many bytes.
        text = *shown.as_bytes().first_chunk().expect("a moment with its seconds");
        SECOND.set((second, text));
    }
    line.extend_from_slice(&text);
    let mut micros = [b'0'; 8];
    micros[0] = b'.';
    micros[7] = b'Z';
    let mut rest = since_epoch.subsec_micros();
    for digit in micros[1..7].iter_mut().rev() {
        *digit = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    line.extend_from_slice(&micros);
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

    use tracing_subscriber::EnvFilter;
    use tracing_subscriber::layer::SubscriberExt as _;

    use super::*;

    #[derive(Clone, Debug, Default)]
    struct Captured(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Captured {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("no panic").extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// The line that the general formatter writes, after its time.
    fn general(access: AccessLine<'_>) -> String {
        let kept = Captured::default();
        let writer = kept.clone();
        let layer = tracing_subscriber::fmt::layer().with_writer(move || writer.clone()).with_ansi(false);
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), || {
            access.log_to_subscriber();
        });
        let text = String::from_utf8(kept.0.lock().expect("no panic").clone()).expect("UTF-8");
        let (time, rest) = text.split_once(' ').expect("a time");
        let form: String = time.chars().map(|byte| if byte.is_ascii_digit() { '0' } else { byte }).collect();
        assert_eq!(form, "0000-00-00T00:00:00.000000Z");
        rest.to_owned()
    }

    #[test]
    fn access_lines_equal_those_of_the_general_formatter() {
        let durations =
            [0, 1, 10, 100, 999, 1000, 1001, 1010, 12_345, 600_000_000, 1_000_000_000_000, u128::MAX];
        for duration_micros in durations.into_iter().chain((0..64).map(|bit| 1 << bit)) {
            for account in [None, Some("admin"), Some("a \"b\" \\ \u{1b}[1m é\n")] {
                let access = AccessLine {
                    request: "0abc-._",
                    method: &Method::GET,
                    route: "GET /api/v1/query/:id",
                    status: 200,
                    duration_micros,
                    bytes: duration_micros as u64,
                    account,
                    complete: duration_micros > 10,
                };
                let mut own = Vec::new();
                access.put(&mut own, UNIX_EPOCH);
                let own = String::from_utf8(own).expect("UTF-8");
                let (time, own) = own.split_once(' ').expect("a time");
                assert_eq!((time, own), ("1970-01-01T00:00:00.000000Z", &*general(access)));
            }
        }
    }

    #[test]
    fn only_filters_without_spans_or_fields_are_decided_here() {
        let shown = [
            "info",
            "debug",
            "rowhouse=info,warn",
            "error,rowhouse::access=info",
            "rowhouse",
            "h2=trace,info",
        ];
        let others = [
            "warn",
            "off",
            "info,rowhouse=warn",
            "info,rowhouse::access=off",
            "error",
            "info,[request]=debug",
        ];
        for (filters, expected) in [(&shown[..], true), (&others[..], false)] {
            for filter in filters {
                let text = EnvFilter::new(filter).to_string();
                assert_eq!(always_shows(&text), expected, "{filter}, {text}");
            }
        }
        for filter in ["info,rowhouse::access[request{id=1}]=off", "rowhouse[{status=500}]=info", "[a]"] {
            assert!(!always_shows(&EnvFilter::new(filter).to_string()), "{filter}");
        }
    }

    #[test]
    fn without_a_log_the_subscriber_decides() {
        follow_filter("info");
        assert!(!IS_DIRECT.load(Ordering::Relaxed), "no writer takes lines");
    }

    #[test]
    fn seconds_change() {
        let shown = |millis: u64| {
            let mut text = Vec::new();
            let time = UNIX_EPOCH + std::time::Duration::from_millis(millis);
            put_time(&mut text, time);
            String::from_utf8(text).expect("UTF-8")
        };
        assert_eq!(shown(0), "1970-01-01T00:00:00.000000Z");
        assert_eq!(shown(1_709_251_199_999), "2024-02-29T23:59:59.999000Z");
        assert_eq!(shown(1_709_251_200_001), "2024-03-01T00:00:00.001000Z");
    }
}
