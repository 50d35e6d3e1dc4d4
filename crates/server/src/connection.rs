//! Time limits of one connection, enforced in its byte stream (D27): a request's head must arrive in time, an idle
//! connection is closed after a while, and so is one whose client does not read its answer, or has closed before there
//! is one (D62). hyper has a limit for heads only, and counts it from the end of the previous request.

mod polled;
pub(crate) mod served;

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use futures_util::task::AtomicWaker;
use rowhouse_engine::KnownToken;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Instant;

use crate::config::Limits;
use crate::head_lines::{HeadFault, HeadLines};
use crate::head_memory::{self, HeadMemory, HeldHead};
use crate::http2_heads::OpenHead;
use crate::pause_slots::PauseSlot;
use crate::stall::ClientWait;
use crate::timer::Timer;

/// Wait for a client that has closed its side, at most the idle time: a client that only shuts down writing looks the
/// same as one that is gone.
const HALF_CLOSED_TIMEOUT: Duration = Duration::from_secs(5);

/// The state that a connection's requests and its byte stream share.
#[derive(Debug, Default)]
pub(crate) struct Activity {
    /// The client's address.
    peer: Option<SocketAddr>,
    requests_in_flight: AtomicUsize,
    requests_begun: AtomicUsize,
    is_http2: AtomicBool,
    /// Why the head that has arrived is ambiguous.
    head_fault: Mutex<Option<HeadFault>>,
    has_head_fault: AtomicBool,
    /// The memory of a head that has not arrived completely.
    head_memory: HeldHead,
    /// Whether there is one in `pause_slot`.
    has_pause_slot: AtomicBool,
    /// The pause slot of the last answer, which waits longer for its client, even after the system has accepted all of
    /// it (D136).
    pause_slot: Mutex<Option<PauseSlot>>,
    /// The connection's task, which must set its timer when the last request ends.
    idle: Arc<AtomicWaker>,
    known_token: Arc<KnownToken>,
}

impl Activity {
    /// The activity of a connection from this address.
    pub(crate) fn of(peer: SocketAddr, heads: &HeadMemory) -> Self {
        Self { peer: Some(peer), head_memory: heads.of_connection(), ..Self::default() }
    }

    /// Counts a request until the guard is dropped.
    pub(crate) fn begin(self: &Arc<Self>, is_http2: bool) -> InFlight {
        self.is_http2.store(is_http2, Ordering::Relaxed);
        self.requests_begun.fetch_add(1, Ordering::Relaxed);
        self.requests_in_flight.fetch_add(1, Ordering::Relaxed);
        self.head_memory.release();
        let has_head_fault = self.has_head_fault.swap(false, Ordering::Relaxed);
        let head_fault = if has_head_fault { self.head_fault().take() } else { None };
        if self.has_pause_slot.load(Ordering::Relaxed) {
            // The client has read the last answer, or it would not ask for another one.
            self.set_pause_slot(None);
        }
        InFlight { activity: Arc::clone(self), head_fault }
    }

    fn head_fault(&self) -> MutexGuard<'_, Option<HeadFault>> {
        self.head_fault.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note_head_fault(&self, fault: HeadFault) {
        self.head_fault().get_or_insert(fault);
        self.has_head_fault.store(true, Ordering::Relaxed);
    }

    fn set_pause_slot(&self, pause_slot: Option<PauseSlot>) {
        self.has_pause_slot.store(pause_slot.is_some(), Ordering::Relaxed);
        let before = std::mem::replace(&mut *self.pause_slot(), pause_slot);
        drop(before);
    }

    fn pause_slot(&self) -> MutexGuard<'_, Option<PauseSlot>> {
        self.pause_slot.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How long the last answer waits for its client; zero if no longer than any other.
    fn pause(&self) -> Duration {
        if !self.has_pause_slot.load(Ordering::Relaxed) {
            return Duration::ZERO;
        }
        self.pause_slot().as_ref().map_or(Duration::ZERO, PauseSlot::pause)
    }

    /// Records that the system has accepted all of the last answer, if no other request is in flight.
    fn note_flushed(&self) {
        if self.has_pause_slot.load(Ordering::Relaxed)
            && self.requests_in_flight.load(Ordering::Acquire) == 0
            && let Some(pause_slot) = &*self.pause_slot()
        {
            pause_slot.be_idle(&self.idle);
        }
    }

    /// Whether this is called within a poll of its own connection in HTTP/1.1, which flushes before it ends.
    fn is_polled_here(&self) -> bool {
        polled::is_polled_here(self) && !self.is_http2.load(Ordering::Relaxed)
    }

    /// Whether a client that sends no more may still wait for its answer, as in HTTP/1.1.
    fn may_be_half_closed(&self) -> bool {
        self.requests_in_flight.load(Ordering::Acquire) > 0 && !self.is_http2.load(Ordering::Relaxed)
    }
}

/// A request from its head to the end of its answer.
#[derive(Debug)]
pub(crate) struct InFlight {
    activity: Arc<Activity>,
    head_fault: Option<HeadFault>,
}

impl InFlight {
    /// Whether it came over HTTP/2.
    pub(crate) fn is_http2(&self) -> bool {
        self.activity.is_http2.load(Ordering::Relaxed)
    }

    /// Why its head is ambiguous, if so. A head that arrives in one read with another request's body is not checked.
    pub(crate) const fn head_fault(&self) -> Option<HeadFault> {
        self.head_fault
    }

    /// Lets the answer wait longer for its client, as long as it has its slot.
    pub(crate) fn allow_pause(&self, pause_slot: PauseSlot) {
        match ClientWait::current() {
            Some(wait) => wait.allow_pause(pause_slot),
            None => self.activity.set_pause_slot(Some(pause_slot)),
        }
    }

    /// Memory for its head while it is in flight, of which none is held yet.
    pub(crate) fn head_memory(&self) -> HeldHead {
        self.activity.head_memory.another()
    }

    /// The client's address, if known.
    pub(crate) fn peer(&self) -> Option<SocketAddr> {
        self.activity.peer
    }

    /// The last token of its connection.
    pub(crate) fn known_token(&self) -> &Arc<KnownToken> {
        &self.activity.known_token
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        let is_last = self.activity.requests_in_flight.fetch_sub(1, Ordering::Release) == 1;
        // Otherwise the flush sets the timer, which saves the connection another poll.
        if is_last && !self.activity.is_polled_here() {
            self.activity.idle.wake();
        }
    }
}

/// A byte stream that fails with `TimedOut` when its client takes too long.
#[derive(Debug)]
pub(crate) struct TimedStream<S> {
    stream: S,
    activity: Arc<Activity>,
    header_timeout: Duration,
    idle_timeout: Duration,
    /// Since when there has been no request, and the number of requests begun by then.
    idle_since: Option<(Instant, usize)>,
    /// When the first byte of a head arrived, with the same number; most heads are complete before anybody asks for the time.
    head_since: Option<(Option<Instant>, usize)>,
    head_lines: HeadLines,
    /// How much of that head has arrived.
    head_bytes: usize,
    /// The head over HTTP/2 that has not ended.
    open_head: OpenHead,
    /// When the client closed its side, or when something was written to it after that.
    closed_since: Option<Instant>,
    /// Whether the system has all that was to be written.
    is_flushed: bool,
    /// Whether the last read found nothing.
    is_read_waiting: bool,
    read_timer: Timer,
    write_timer: Timer,
}

impl<S> TimedStream<S> {
    /// Wraps a stream.
    pub(crate) fn new(stream: S, activity: Arc<Activity>, limits: &Limits) -> Self {
        Self {
            stream,
            open_head: OpenHead::new(activity.head_memory.another()),
            activity,
            header_timeout: limits.header_timeout,
            idle_timeout: limits.idle_timeout,
            idle_since: None,
            head_since: None,
            head_lines: HeadLines::default(),
            head_bytes: 0,
            closed_since: None,
            is_flushed: true,
            is_read_waiting: false,
            read_timer: Timer::default(),
            write_timer: Timer::default(),
        }
    }

    /// How long the client may do nothing.
    fn idle_timeout(&self) -> Duration {
        self.idle_timeout.max(self.activity.pause())
    }

    /// The deadline of the next read.
    fn read_deadline(&mut self) -> Option<Instant> {
        let head = self.open_head.deadline(self.header_timeout);
        [head, self.request_deadline()].into_iter().flatten().min()
    }

    /// The deadline of the next request; none while one is in flight, whose body has a limit of its own.
    fn request_deadline(&mut self) -> Option<Instant> {
        if self.activity.requests_in_flight.load(Ordering::Acquire) > 0 {
            return None;
        }
        let begun = self.activity.requests_begun.load(Ordering::Relaxed);
        let idle_since = self.idle_since.filter(|&(_, count)| count == begun).map(|(since, _)| since);
        let idle_since = idle_since.unwrap_or_else(|| {
            let now = Instant::now();
            self.idle_since = Some((now, begun));
            now
        });
        // HTTP/2 sends more than heads: after the first request its bytes do not imply that a request has begun.
        let is_head = begun == 0 || !self.activity.is_http2.load(Ordering::Relaxed);
        let head_since = self.head_since.as_mut().filter(|(_, count)| *count == begun && is_head);
        let head = head_since.map(|(since, _)| *since.get_or_insert_with(Instant::now) + self.header_timeout);
        let idle = idle_since + self.idle_timeout();
        Some(head.map_or(idle, |head| head.min(idle)))
    }
}

impl<S> TimedStream<S> {
    /// Reports the end of the client's data, once that is allowed: hyper then aborts the answer in progress.
    fn poll_closed(&mut self, since: Instant, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        // Before the check of requests in flight, or the end of the last request could be missed.
        self.activity.idle.register(context.waker());
        if self.activity.may_be_half_closed() {
            ready!(self.read_timer.poll(since + self.idle_timeout.min(HALF_CLOSED_TIMEOUT), context));
        }
        self.read_timer.clear();
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for TimedStream<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if let Some(since) = this.closed_since {
            return this.poll_closed(since, context);
        }
        let filled = buffer.filled().len();
        let read = Pin::new(&mut this.stream).poll_read(context, buffer);
        this.is_read_waiting = read.is_pending();
        if let Poll::Ready(read) = read {
            if read.is_ok() && buffer.filled().len() == filled && buffer.remaining() > 0 {
                let since = *this.closed_since.insert(Instant::now());
                return this.poll_closed(since, context);
            }
            let begun = this.activity.requests_begun.load(Ordering::Relaxed);
            // Bytes that arrive during a request are its body, or wait in hyper's buffer.
            let is_in_flight = this.activity.requests_in_flight.load(Ordering::Relaxed) > 0;
            if !is_in_flight && this.head_since.is_none_or(|(_, count)| count != begun) {
                this.head_since = Some((None, begun));
                this.head_lines = HeadLines::default();
                this.head_bytes = 0;
            }
            // After the first request, bytes of HTTP/2 do not imply a head.
            if !is_in_flight && (begun == 0 || !this.activity.is_http2.load(Ordering::Relaxed)) {
                this.head_bytes += buffer.filled().len() - filled;
                if !this.activity.head_memory.grow_to(this.head_bytes) {
                    return Poll::Ready(Err(head_memory::exhausted()));
                }
            }
            if !is_in_flight
                && !this.activity.is_http2.load(Ordering::Relaxed)
                && let Some(fault) = this.head_lines.take(&buffer.filled()[filled..])
            {
                this.activity.note_head_fault(fault);
            }
            if !this.open_head.follow(&buffer.filled()[filled..]) {
                return Poll::Ready(Err(head_memory::exhausted()));
            }
            this.read_timer.clear();
            return Poll::Ready(read);
        }
        // Before the check of requests in flight, or the end of the last request could be missed.
        this.activity.idle.register(context.waker());
        if this.is_flushed {
            this.activity.note_flushed();
        }
        match this.read_deadline() {
            None => {
                this.read_timer.clear();
                Poll::Pending
            }
            Some(deadline) => {
                ready!(this.read_timer.poll(deadline, context));
                Poll::Ready(Err(timed_out("no request arrived in time")))
            }
        }
    }
}

impl<S> TimedStream<S> {
    /// Sets the timer for a client whose last request has ended since the last read, which found nothing.
    fn await_next_request(&mut self, context: &mut Context<'_>) {
        let is_set = self.read_timer.deadline().is_some();
        if self.closed_since.is_some() {
            // The end of the client's data was withheld for the sake of an answer, which it has now.
            if is_set && !self.activity.may_be_half_closed() {
                self.read_timer.clear();
                context.waker().wake_by_ref();
            }
            return;
        }
        if is_set || !self.is_read_waiting {
            return;
        }
        if let Some(deadline) = self.read_deadline()
            && self.read_timer.poll(deadline, context).is_ready()
        {
            context.waker().wake_by_ref();
        }
    }
}

impl<S: AsyncWrite + Unpin> TimedStream<S> {
    /// The client's system has accepted bytes: there is an answer.
    fn note_bytes(&mut self, written: &Poll<io::Result<usize>>) {
        self.is_flushed = false;
        if self.closed_since.is_some() && matches!(written, Poll::Ready(Ok(1..))) {
            self.closed_since = Some(Instant::now());
        }
    }

    fn written<T>(&mut self, written: Poll<io::Result<T>>, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.write_timer.clear();
            return written;
        }
        let deadline = self.write_timer.deadline().unwrap_or_else(|| Instant::now() + self.idle_timeout());
        ready!(self.write_timer.poll(deadline, context));
        Poll::Ready(Err(timed_out("the client does not read its answer")))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for TimedStream<S> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write(context, bytes);
        this.note_bytes(&written);
        this.written(written, context)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write_vectored(context, slices);
        this.note_bytes(&written);
        this.written(written, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let flushed = Pin::new(&mut this.stream).poll_flush(context);
        if let Poll::Ready(Ok(())) = flushed {
            this.is_flushed = true;
            this.activity.note_flushed();
            this.await_next_request(context);
        }
        this.written(flushed, context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}

fn timed_out(message: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, message)
}

#[cfg(test)]
mod tests;
