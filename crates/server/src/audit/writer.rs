//! The thread that writes the audit log's file. Requests pass it lines and continue; it writes all queued lines with
//! one call and syncs the file when it ends.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;

use anyhow::Context as _;

/// Maximum number of queued lines if the disk is slow; further ones are lost and counted.
const MAX_WAITING_LINES: usize = 10_000;
/// Approximate bytes that are written with one call.
const MAX_WRITE_BYTES: usize = 1 << 20;

/// An open file; dropping it writes queued lines.
#[derive(Debug)]
pub(super) struct Writer {
    /// None only during the drop.
    lines: Option<SyncSender<Vec<u8>>>,
    thread: Option<JoinHandle<()>>,
    lost: Arc<AtomicU64>,
}

impl Writer {
    /// Appends to a file that only its owner may read.
    pub(super) fn open(path: &Path, lost: Arc<AtomicU64>) -> anyhow::Result<Self> {
        let file = OpenOptions::new().append(true).create(true).mode(0o600).open(path);
        let file = file.with_context(|| format!("audit.file {} cannot be written", path.display()))?;
        let (lines, waiting) = sync_channel(MAX_WAITING_LINES);
        let (path, counter) = (path.to_owned(), Arc::clone(&lost));
        let thread = std::thread::Builder::new()
            .name("audit-writer".to_owned())
            .spawn(move || run(file, &path, &waiting, &counter))?;
        Ok(Self { lines: Some(lines), thread: Some(thread), lost })
    }

    pub(super) fn write(&self, line: Vec<u8>) {
        let Some(lines) = &self.lines else { return };
        match lines.try_send(line) {
            Ok(()) => {}
            Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => {
                if self.lost.fetch_add(1, Ordering::Relaxed) == 0 {
                    tracing::error!("entries of the audit log are lost: its disk does not keep up");
                }
            }
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        drop(self.lines.take());
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the audit log's thread panicked");
        }
    }
}

fn run(mut file: File, path: &Path, waiting: &Receiver<Vec<u8>>, lost: &AtomicU64) {
    let mut is_failing = false;
    while let Ok(mut bytes) = waiting.recv() {
        let mut count = 1;
        while bytes.len() < MAX_WRITE_BYTES
            && let Ok(line) = waiting.try_recv()
        {
            bytes.extend_from_slice(&line);
            count += 1;
        }
        let written = file.write_all(&bytes);
        if let Err(error) = &written {
            lost.fetch_add(count, Ordering::Relaxed);
            if !is_failing {
                tracing::error!(%error, path = %path.display(), "the audit log cannot be written");
            }
        }
        is_failing = written.is_err();
    }
    if let Err(error) = file.sync_all() {
        tracing::error!(%error, path = %path.display(), "the audit log cannot be synced");
    }
}
