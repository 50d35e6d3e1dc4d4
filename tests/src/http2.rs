//! HTTP/2 clients that read only the part of a response that a test needs.

use bytes::Bytes;
use http_body_util::Empty;
use hyper::body::Incoming;
use hyper::client::conn::http2::{self, SendRequest};
use hyper::{Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;

use crate::Server;

/// An HTTP/2 connection; it answers each PING.
#[derive(Debug)]
pub struct Http2Client {
    sender: SendRequest<Empty<Bytes>>,
    /// Completes when the connection ends.
    pub connection: JoinHandle<()>,
}

impl Server {
    /// Connects, with a flow-control window of this many bytes for each stream.
    ///
    /// # Panics
    /// If the server does not accept.
    pub async fn http2_client(&self, window: u32) -> Http2Client {
        let stream = TcpStream::connect(self.address()).await.expect("the server accepts");
        let mut builder = http2::Builder::new(TokioExecutor::new());
        builder.initial_stream_window_size(window);
        let (sender, connection) =
            builder.handshake::<_, Empty<Bytes>>(TokioIo::new(stream)).await.expect("HTTP/2");
        let connection = tokio::spawn(async move {
            // OK to ignore: only its end matters.
            let _ = connection.await;
        });
        Http2Client { sender, connection }
    }
}

impl Http2Client {
    /// The response's head; its body is not read.
    ///
    /// # Panics
    /// If there is no response.
    pub async fn ask(&mut self, server: &Server, path: &str, token: Option<&str>) -> Response<Incoming> {
        let mut request = Request::get(format!("http://{}{path}", server.address()));
        if let Some(token) = token {
            request = request.header("authorization", format!("Token {token}"));
        }
        let request = request.body(Empty::new()).expect("a well-formed request");
        self.sender.send_request(request).await.expect("an answer")
    }
}
