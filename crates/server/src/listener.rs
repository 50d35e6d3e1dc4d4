//! Accepts connections and serves HTTP/1.1 and HTTP/2 on them, up to a limit of connections. Accepting never fails
//! permanently; at shutdown, answers in flight are completed until a deadline.

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response, Version};
use http_body::Body;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::config::Limits;
use crate::connection::served::Served;
use crate::connection::{Activity, InFlight, TimedStream};
use crate::decoded_heads;
use crate::head_memory::HeadMemory;
use crate::metrics::Metrics;
use crate::stall::RequestExecutor;
use crate::tls::Tls;

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// Connections that the system queues until they are accepted.
const BACKLOG: u32 = 4096;
/// Maximum head of an HTTP/1.1 request: the longest address that hyper accepts, and as much again.
const HEAD_BYTES: usize = 128 << 10;
/// The same in HTTP/2, where a byte may stand for a field, and each field counts 32 bytes more: the longest address, and the
/// fields of any client.
const HEADER_LIST_BYTES: u32 = 72 << 10;
/// Memory of all heads that have not arrived completely, beyond the first 8 KiB of each: they need no token (D166).
pub(crate) const UNFINISHED_HEADS_BYTES: usize = 64 << 20;
/// Concurrent requests on one HTTP/2 connection.
const STREAMS: u32 = 100;
/// Interval of HTTP/2 pings to a silent client.
const PING_INTERVAL: Duration = Duration::from_secs(30);
/// Bytes of an answer that a socket accepts before they are sent (`TCP_NOTSENT_LOWAT`). The system would keep up to 4 MiB,
/// and report progress only when a third of that has been sent: a client that reads 16 KiB a second would not seem to read
/// anything for longer than the idle timeout (D60).
#[cfg(target_os = "linux")]
const UNSENT_BYTES: u32 = 128 << 10;
/// The first bytes of a client that speaks HTTP/2 with prior knowledge.
const HTTP2_BEGINNING: &[u8; 3] = b"PRI";
/// With more connections than this, their memory uses small pages.
const MANY_CONNECTIONS: usize = 2000;
/// With fewer, huge pages are enabled again.
const FEW_CONNECTIONS: usize = 1000;
/// Pause after a failed accept: the system lacks resources.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Binds an address; a port that was just released can be taken again.
pub(crate) fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    // Accepted sockets inherit it.
    #[cfg(target_os = "linux")]
    if let Err(error) = socket2::SockRef::from(&socket).set_tcp_notsent_lowat(UNSENT_BYTES) {
        tracing::warn!(%error, "a client that reads slowly may be taken for one that does not read");
    }
    socket.listen(BACKLOG)
}

/// Where connections come from, and how many of them may be open.
#[derive(Debug)]
pub(crate) struct Listening {
    pub(crate) listener: TcpListener,
    pub(crate) tls: Option<Arc<Tls>>,
    /// Connections at a time.
    pub(crate) places: usize,
}

/// Serves until `stopping` is true, with the limits at the time when a connection is accepted, then lets answers in
/// flight complete until the shutdown deadline.
pub(crate) async fn serve<L, H, F, B>(
    Listening { listener, tls, places }: Listening,
    limits: L,
    metrics: Arc<Metrics>,
    heads: HeadMemory,
    mut stopping: watch::Receiver<bool>,
    handler: H,
) where
    L: Fn() -> Limits,
    H: Fn(InFlight, Request<Incoming>) -> F + Clone + Send + Sync + 'static,
    F: Future<Output = Result<Response<B>, Infallible>> + Send + 'static,
    B: Body<Data = Bytes, Error: Into<BoxError>> + Send + 'static,
{
    let only_http1 = http1_builder();
    let places = Arc::new(Semaphore::new(places.min(Semaphore::MAX_PERMITS)));
    let graceful = GracefulShutdown::new();
    let mut connections = JoinSet::new();
    let mut huge_pages = HugePages::default();
    loop {
        huge_pages.adapt(connections.len());
        let accepted = tokio::select! {
            _ = stopping.wait_for(|&is_stopping| is_stopping) => break,
            // Over the limit, connections wait in the system's backlog.
            accepted = accept(&listener, &places) => accepted,
            Some(_) = connections.join_next() => continue,
        };
        let (stream, peer, place) = accepted;
        let counted = metrics.connection();
        let activity = Arc::new(Activity::of(peer, &heads));
        let service = {
            let (activity, handler) = (Arc::clone(&activity), handler.clone());
            service_fn(move |mut request: Request<Incoming>| {
                decoded_heads::shorten(&mut request);
                handler(activity.begin(request.version() == Version::HTTP_2), request)
            })
        };
        let only_http1 = only_http1.clone();
        let watcher = graceful.watcher();
        let (limits, tls, mut stopping) = (limits(), tls.clone(), stopping.clone());
        connections.spawn(async move {
            // Each future is boxed, so that a connection reserves memory for its own only.
            let served: Result<(), BoxError> = match tls {
                None => {
                    let is_http1 = tokio::select! {
                        // No request has arrived yet.
                        _ = stopping.wait_for(|&is_stopping| is_stopping) => return,
                        begun = timeout(limits.idle_timeout, begins_as_http1(&stream)) => begun,
                    };
                    let stream = TimedStream::new(stream, Arc::clone(&activity), &limits);
                    let stream = TokioIo::new(stream);
                    match is_http1 {
                        Ok(Ok(true)) => {
                            let connection = only_http1.serve_connection(stream, service);
                            Served::new(activity, connection, stopping).await.map_err(Into::into)
                        }
                        Ok(Ok(false)) => {
                            let served = async {
                                let either = builder(&limits);
                                watcher.watch(either.serve_connection(stream, service)).await
                            };
                            Box::pin(served).await
                        }
                        Ok(Err(error)) => Err(error.into()),
                        Err(late) => Err(late.into()),
                    }
                }
                Some(tls) => {
                    let served = async {
                        let stream = timeout(limits.header_timeout, tls.accept(stream)).await??;
                        let stream = TokioIo::new(TimedStream::new(stream, activity, &limits));
                        let either = builder(&limits);
                        watcher.watch(either.serve_connection(stream, service)).await
                    };
                    Box::pin(served).await
                }
            };
            if let Err(error) = served {
                tracing::debug!(%error, "a connection broke");
            }
            drop((place, counted));
        });
    }
    drop(listener);
    let finished = async {
        graceful.shutdown().await;
        while connections.join_next().await.is_some() {}
    };
    if timeout(limits().shutdown_timeout, finished).await.is_err() {
        tracing::warn!(
            connections = connections.len(),
            "answers in flight are broken off: the deadline has passed"
        );
        connections.shutdown().await;
    }
}

/// Whether the process may use huge pages. They make reads of mapped files faster, but a heap on huge pages is fully
/// resident: ten thousand idle connections would take 80 MiB more.
#[derive(Debug, Default)]
struct HugePages {
    are_off: bool,
}

impl HugePages {
    fn adapt(&mut self, connections: usize) {
        let are_off = connections > if self.are_off { FEW_CONNECTIONS } else { MANY_CONNECTIONS };
        if are_off == self.are_off {
            return;
        }
        self.are_off = are_off;
        // OK to ignore: if the system does not support it, nothing changes.
        #[cfg(target_os = "linux")]
        let _ = rustix::thread::disable_transparent_huge_pages(are_off);
    }
}

async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> (TcpStream, SocketAddr, Option<tokio::sync::OwnedSemaphorePermit>) {
    // The semaphore is never closed, so there is always a permit.
    let place = Arc::clone(places).acquire_owned().await.ok();
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                // Small answers must not wait for an acknowledgement of the previous one.
                let _ = stream.set_nodelay(true);
                return (stream, peer, place);
            }
            // The client was gone before it was accepted.
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset
                ) => {}
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

/// Whether the client's first bytes are those of HTTP/1.1; they are peeked, not consumed. Too few bytes do not decide;
/// the builder for both versions then does.
async fn begins_as_http1(stream: &TcpStream) -> io::Result<bool> {
    let mut beginning = [0; HTTP2_BEGINNING.len()];
    let length = stream.peek(&mut beginning).await?;
    Ok(!HTTP2_BEGINNING.starts_with(&beginning[..length]))
}

/// For clients that speak HTTP/1.1: its connections take half the memory of those that could be of either version.
fn http1_builder() -> http1::Builder {
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        // Enforced by `connection`, which distinguishes a late head from an idle connection.
        .header_read_timeout(None)
        // `connection` distinguishes a client that is gone from one that only shuts down writing, as far as possible.
        .half_close(false)
        .max_buf_size(HEAD_BYTES);
    builder
}

/// For clients that may speak either version.
fn builder(limits: &Limits) -> auto::Builder<RequestExecutor> {
    let mut builder = auto::Builder::new(RequestExecutor { limit: limits.idle_timeout });
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(None)
        .half_close(false)
        .max_buf_size(HEAD_BYTES);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(STREAMS)
        .max_header_list_size(HEADER_LIST_BYTES)
        .keep_alive_interval(PING_INTERVAL)
        .keep_alive_timeout(PING_INTERVAL);
    builder
}

#[cfg(test)]
mod tests;
