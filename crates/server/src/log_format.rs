//! The plain text format of log lines, as `tracing_subscriber` writes it. The access line of each request is formatted
//! here, because the general formatter costs a fifth of the CPU time of a small answer; every other line uses the
//! general one.

use std::cell::Cell;
use std::fmt::{self, Write as _};
use std::time::{SystemTime, UNIX_EPOCH};

use rowhouse_model::Timestamp;
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::fmt::FmtContext;
use tracing_subscriber::fmt::format::{Format, FormatEvent, FormatFields, Full, Writer};
use tracing_subscriber::registry::LookupSpan;

/// Target of the access line.
pub(crate) const ACCESS_TARGET: &str = "rowhouse::access";
/// `2026-01-31T23:59:59`
const SECOND_BYTES: usize = 19;

/// The text form.
#[derive(Debug, Default)]
pub(crate) struct TextFormat(Format<Full>);

impl<S, N> FormatEvent<S, N> for TextFormat
where
    S: Subscriber + for<'s> LookupSpan<'s>,
    N: for<'w> FormatFields<'w> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let metadata = event.metadata();
        let is_plain = !writer.has_ansi_escapes() && context.event_scope().is_none();
        if metadata.target() != ACCESS_TARGET || !is_plain {
            return self.0.format_event(context, writer, event);
        }
        thread_local! {
            static LINE: Cell<String> = const { Cell::new(String::new()) };
        }
        // A line is put together first, because each piece that goes to the writer passes three layers of it.
        let mut line = LINE.take();
        line.clear();
        put_time(&mut line, SystemTime::now());
        write!(line, " {:>5} {ACCESS_TARGET}:", metadata.level().as_str())?;
        let mut fields = Fields { line: &mut line, result: Ok(()) };
        event.record(&mut fields);
        fields.result?;
        line.push('\n');
        let written = writer.write_str(&line);
        LINE.set(line);
        written
    }
}

/// Writes ` name=value` for each field.
struct Fields<'l> {
    line: &'l mut String,
    result: fmt::Result,
}

impl Fields<'_> {
    fn begin(&mut self, field: &Field) -> &mut String {
        self.line.push(' ');
        self.line.push_str(field.name());
        self.line.push('=');
        self.line
    }

    fn put_debug(&mut self, value: &dyn fmt::Debug) {
        // OK to go on after an error, which a value's own formatting has returned: the line is dropped.
        self.result = self.result.and(write!(self.line, "{value:?}"));
    }
}

impl Visit for Fields<'_> {
    fn record_u64(&mut self, field: &Field, value: u64) {
        put_number(self.begin(field), value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.begin(field).push_str(if value { "true" } else { "false" });
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        let line = self.begin(field);
        let Some((whole, thousandths)) = thousandths(value) else { return self.put_debug(&value) };
        put_number(line, whole);
        let digits = [thousandths / 100, thousandths / 10 % 10, thousandths % 10];
        let kept = if digits[2] > 0 { 3 } else { 1 + usize::from(digits[1] > 0) };
        line.push('.');
        line.extend(digits[..kept].iter().map(|digit| char::from(b'0' + *digit as u8)));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        let is_plain = |byte: u8| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\';
        let line = self.begin(field);
        if !value.bytes().all(is_plain) {
            return self.put_debug(&value);
        }
        line.push('"');
        line.push_str(value);
        line.push('"');
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.begin(field);
        self.put_debug(value);
    }
}

/// A number that three decimal places represent exactly, such as a duration in milliseconds.
fn thousandths(value: f64) -> Option<(u64, u64)> {
    const LARGEST: f64 = 1e9;
    let scaled = (value * 1000.0).round();
    let is_exact = value.is_sign_positive() && value < LARGEST && scaled / 1000.0 == value;
    // OK because it is whole and between 0 and 10^12.
    is_exact.then_some(scaled as u64).map(|scaled| (scaled / 1000, scaled % 1000))
}

fn put_number(line: &mut String, number: u64) {
    line.push_str(itoa::Buffer::new().format(number));
}

/// `2026-01-31T23:59:59.123456Z`; the calendar is computed once a second.
fn put_time(line: &mut String, time: SystemTime) {
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
    line.push_str(str::from_utf8(&text).unwrap_or_default());
    let mut micros = [b'0'; 8];
    micros[0] = b'.';
    micros[7] = b'Z';
    let mut rest = since_epoch.subsec_micros();
    for digit in micros[1..7].iter_mut().rev() {
        *digit = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    line.push_str(str::from_utf8(&micros).unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

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

    /// The line after its time, whose format is checked.
    fn line(own: bool, log: impl Fn()) -> String {
        let kept = Captured::default();
        let writer = kept.clone();
        let layer = tracing_subscriber::fmt::layer().with_writer(move || writer.clone()).with_ansi(false);
        let registry = tracing_subscriber::registry();
        if own {
            tracing::subscriber::with_default(registry.with(layer.event_format(TextFormat::default())), log);
        } else {
            tracing::subscriber::with_default(registry.with(layer), log);
        }
        let text = String::from_utf8(kept.0.lock().expect("no panic").clone()).expect("UTF-8");
        let (time, rest) = text.split_once(' ').expect("a time");
        let form: String = time.chars().map(|byte| if byte.is_ascii_digit() { '0' } else { byte }).collect();
        format!("{form} {rest}")
    }

    #[track_caller]
    fn check(log: impl Fn()) {
        let general = line(false, &log);
        assert_eq!(line(true, &log), general);
        assert!(general.starts_with("0000-00-00T00:00:00.000000Z ") && general.ends_with('\n'), "{general}");
    }

    #[test]
    fn access_lines_equal_those_of_the_general_formatter() {
        for micros in [0_u64, 1, 10, 100, 999, 1000, 1001, 1010, 12_345, 600_000_000, u64::MAX] {
            for name in [None, Some("admin"), Some("a \"b\" \\ \u{1b}[1m é\n")] {
                check(|| {
                    tracing::info!(
                        target: ACCESS_TARGET,
                        request = %"0abc",
                        method = %http::Method::GET,
                        route = "GET /api/v1/query/:id",
                        status = 200_u16,
                        duration_ms = micros as f64 / 1000.0,
                        bytes = micros,
                        account = name,
                        complete = micros > 10,
                    );
                });
            }
        }
        for odd in [-0.0, -1.5, 0.0001, 1e300, 1e9, f64::NAN, f64::INFINITY, 0.1 + 0.2] {
            check(|| tracing::warn!(target: ACCESS_TARGET, odd));
        }
    }

    #[test]
    fn other_lines_use_the_general_formatter() {
        check(|| tracing::info!(status = 200, "a message"));
        check(|| tracing::info_span!("request", id = "x").in_scope(|| tracing::error!("inside")));
        check(|| {
            tracing::info_span!("request", id = "x")
                .in_scope(|| tracing::info!(target: ACCESS_TARGET, status = 1))
        });
    }

    #[test]
    fn seconds_change() {
        let shown = |millis: u64| {
            let mut text = String::new();
            let time = UNIX_EPOCH + std::time::Duration::from_millis(millis);
            put_time(&mut text, time);
            text
        };
        assert_eq!(shown(0), "1970-01-01T00:00:00.000000Z");
        assert_eq!(shown(1_709_251_199_999), "2024-02-29T23:59:59.999000Z");
        assert_eq!(shown(1_709_251_200_001), "2024-03-01T00:00:00.001000Z");
    }
}
