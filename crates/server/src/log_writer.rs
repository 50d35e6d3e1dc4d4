//! The log's writer to standard error: lines are buffered and written by a separate thread, a few milliseconds' worth
//! at a time. A write for each request would cost more than answering it.

use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tracing_subscriber::fmt::MakeWriter;

/// Maximum delay of a line.
const PAUSE: Duration = Duration::from_millis(5);
/// Maximum buffered bytes; a caller that logs more waits for the thread.
const MAX_WAITING_BYTES: usize = 4 << 20;

/// Accepts complete lines.
#[derive(Clone, Debug)]
pub(crate) struct LogWriter(Arc<Lines>);

/// Writes buffered lines when it is dropped, and makes later lines unbuffered.
#[derive(Debug)]
pub(crate) struct LogGuard(Arc<Lines>);

#[derive(Debug, Default)]
struct Lines {
    waiting: Mutex<Waiting>,
    added: Condvar,
    written: Condvar,
}

#[derive(Debug, Default)]
struct Waiting {
    bytes: Vec<u8>,
    /// The thread is writing bytes that it has taken.
    is_writing: bool,
    /// There is no thread, or it has ended.
    is_direct: bool,
}

impl LogWriter {
    /// Starts the thread; without one, lines are written by their callers.
    pub(crate) fn start(mut target: impl Write + Send + 'static) -> (Self, LogGuard) {
        let lines = Arc::new(Lines::default());
        let writer = {
            let lines = Arc::clone(&lines);
            std::thread::Builder::new().name("log".to_owned()).spawn(move || lines.write_all_to(&mut target))
        };
        if writer.is_err() {
            lines.waiting().is_direct = true;
        }
        (Self(Arc::clone(&lines)), LogGuard(lines))
    }
}

impl Lines {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, line: &[u8]) -> io::Result<()> {
        let mut waiting = self.waiting();
        while waiting.bytes.len() + line.len() > MAX_WAITING_BYTES && waiting.is_writing {
            waiting = self.written.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
        if waiting.is_direct {
            return io::stderr().write_all(line);
        }
        let was_empty = waiting.bytes.is_empty();
        waiting.bytes.extend_from_slice(line);
        // A thread that is writing checks again by itself.
        if was_empty && !waiting.is_writing {
            self.added.notify_one();
        }
        Ok(())
    }

    fn write_all_to(&self, target: &mut impl Write) {
        let mut bytes = Vec::new();
        let mut waiting = self.waiting();
        loop {
            while waiting.bytes.is_empty() {
                if waiting.is_direct {
                    return;
                }
                waiting = self.added.wait(waiting).unwrap_or_else(PoisonError::into_inner);
            }
            std::mem::swap(&mut waiting.bytes, &mut bytes);
            waiting.is_writing = true;
            let is_last = waiting.is_direct;
            drop(waiting);
            // Standard error may be closed: then there is no reader.
            let _ = target.write_all(&bytes).and_then(|()| target.flush());
            bytes.clear();
            if !is_last {
                std::thread::sleep(PAUSE);
            }
            waiting = self.waiting();
            waiting.is_writing = false;
            self.written.notify_all();
        }
    }
}

impl Drop for LogGuard {
    fn drop(&mut self) {
        let mut waiting = self.0.waiting();
        waiting.is_direct = true;
        self.0.added.notify_one();
        while !waiting.bytes.is_empty() || waiting.is_writing {
            waiting = self.0.written.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Write for &LogWriter {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.0.put(line).map(|()| line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'w> MakeWriter<'w> for LogWriter {
    type Writer = &'w LogWriter;

    fn make_writer(&'w self) -> Self::Writer {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Debug, Default)]
    struct Captured(Arc<Mutex<Vec<u8>>>);

    impl Write for Captured {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("no panic").extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn all_lines_are_written_before_the_guard_is_dropped() {
        let kept = Captured::default();
        let (writer, guard) = LogWriter::start(kept.clone());
        let threads: Vec<_> = (0..4)
            .map(|thread| {
                let writer = writer.clone();
                std::thread::spawn(move || {
                    for number in 0..1000 {
                        (&writer).write_all(format!("{thread}:{number}\n").as_bytes()).expect("kept");
                    }
                })
            })
            .collect();
        for thread in threads {
            thread.join().expect("no panic");
        }
        drop(guard);
        let text = String::from_utf8(kept.0.lock().expect("no panic").clone()).expect("text");
        for thread in 0..4 {
            let of_thread = text.lines().filter_map(|line| line.strip_prefix(&format!("{thread}:")));
            let numbers: Vec<usize> = of_thread.map(|number| number.parse().expect("a whole line")).collect();
            assert_eq!(numbers, (0..1000).collect::<Vec<_>>(), "in order, each once");
        }
    }
}
