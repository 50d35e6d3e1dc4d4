//! The upper bound that `cargo xtask bench` measures against: hyper and tokio as the server uses them, sending prebuilt
//! bytes. `GET /N` (or POST, whose body is read) answers with N bytes; the address is printed first.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body_util::BodyExt as _;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;

/// Maximum size of a chunk that is passed to hyper.
const PIECE_BYTES: usize = 1 << 20;

/// This many bytes of a buffer, chunk by chunk.
struct Prebuilt {
    piece: Bytes,
    left: u64,
}

impl Body for Prebuilt {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if self.left == 0 {
            return Poll::Ready(None);
        }
        let length = self.left.min(PIECE_BYTES as u64);
        self.left -= length;
        Poll::Ready(Some(Ok(Frame::data(self.piece.slice(..length as usize)))))
    }

    fn is_end_stream(&self) -> bool {
        self.left == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
    }
}

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?);
    let piece = Bytes::from(vec![b'x'; PIECE_BYTES]);
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let piece = piece.clone();
        let service = service_fn(move |request: Request<Incoming>| answer(request, piece.clone()));
        tokio::spawn(async move {
            // If a connection breaks, the load generator has ended.
            let _ = hyper::server::conn::http1::Builder::new()
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
    }
}

async fn answer(request: Request<Incoming>, piece: Bytes) -> Result<Response<Prebuilt>, hyper::Error> {
    let length = request.uri().path().trim_start_matches('/').parse();
    if !request.body().is_end_stream() {
        request.into_body().collect().await?;
    }
    let mut response = Response::new(Prebuilt { piece, left: length.unwrap_or_default() });
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Ok(response)
}
