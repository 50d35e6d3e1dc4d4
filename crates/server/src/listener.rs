//! Accepts connections and speaks HTTP/1.1 and HTTP/2 on them, up to a limit of connections and for as long as
//! the server runs. Accepting never fails for good; at shutdown, answers in flight are finished until a deadline.

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
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::config::Limits;
use crate::connection::{Activity, InFlight, TimedStream};
use crate::metrics::Metrics;
use crate::tls::Tls;

/// Connections that the system keeps until they are accepted.
const BACKLOG: u32 = 4096;
/// Largest head of a request in HTTP/1.1: the longest address that hyper reads, and as much again.
const HEAD_BYTES: usize = 128 << 10;
/// The same in HTTP/2.
const HEADER_LIST_BYTES: u32 = 128 << 10;
/// Requests at a time on one HTTP/2 connection.
const STREAMS: u32 = 200;
/// HTTP/2 asks a silent client for a sign of life this often.
const PING_INTERVAL: Duration = Duration::from_secs(30);
/// Rest after a failed accept: the system is short of something.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Where a request's connection comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) SocketAddr);

/// Binds an address; a port that was just given up can be taken again.
pub(crate) fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Serves until `stopping` is true, with the limits as they stand when a connection comes, then lets answers in flight finish until the shutdown deadline.
pub(crate) async fn serve<L, H, F, B>(
    listener: TcpListener,
    tls: Option<Arc<Tls>>,
    limits: L,
    metrics: Arc<Metrics>,
    mut stopping: watch::Receiver<bool>,
    handler: H,
) where
    L: Fn() -> Limits,
    H: Fn(InFlight, Request<Incoming>) -> F + Clone + Send + Sync + 'static,
    F: Future<Output = Result<Response<B>, Infallible>> + Send + 'static,
    B: Body<Data = Bytes, Error: Into<Box<dyn std::error::Error + Send + Sync>>> + Send + 'static,
{
    let builder = Arc::new(builder());
    let places = Arc::new(Semaphore::new(limits().connections.min(Semaphore::MAX_PERMITS)));
    let graceful = GracefulShutdown::new();
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            _ = stopping.wait_for(|&is_stopping| is_stopping) => break,
            // Over the limit, connections wait in the system's backlog.
            accepted = accept(&listener, &places) => accepted,
            Some(_) = connections.join_next() => continue,
        };
        let (stream, peer, place) = accepted;
        let counted = metrics.connection();
        let activity = Arc::new(Activity::default());
        let service = {
            let (activity, handler) = (Arc::clone(&activity), handler.clone());
            service_fn(move |mut request: Request<Incoming>| {
                request.extensions_mut().insert(Peer(peer));
                handler(activity.begin(request.version() == Version::HTTP_2), request)
            })
        };
        let builder = Arc::clone(&builder);
        let watcher = graceful.watcher();
        let (limits, tls) = (limits(), tls.clone());
        connections.spawn(async move {
            let served = match tls {
                None => {
                    let stream = TokioIo::new(TimedStream::new(stream, activity, &limits));
                    watcher.watch(builder.serve_connection(stream, service)).await
                }
                Some(tls) => match timeout(limits.header_timeout, tls.accept(stream)).await {
                    Ok(Ok(stream)) => {
                        let stream = TokioIo::new(TimedStream::new(stream, activity, &limits));
                        watcher.watch(builder.serve_connection(stream, service)).await
                    }
                    Ok(Err(error)) => Err(error.into()),
                    Err(late) => Err(late.into()),
                },
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

async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> (TcpStream, SocketAddr, Option<tokio::sync::OwnedSemaphorePermit>) {
    // The semaphore is never closed, so there is always a permit.
    let place = Arc::clone(places).acquire_owned().await.ok();
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                // Small answers must not wait for an acknowledgement of the one before.
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

fn builder() -> auto::Builder<TokioExecutor> {
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        // Kept by `connection`, which tells a late head from an idle connection.
        .header_read_timeout(None)
        // A client that has said all it has to say still wants its answer.
        .half_close(true)
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
