//! Bounds what a client sends before its handshake ends, which needs no token: a handshake message may have 64 KiB, of which
//! a client needs a few. The stream below TLS counts until then. With the last bytes of the handshake the first ones of a
//! request may arrive, but not before the server has written something.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// A client's hello: with the shares of several keys, a ticket and encrypted names it is below 4 KiB.
const HELLO_BYTES: usize = 16 << 10;
/// What follows the server's first bytes: another hello or the end of the handshake, and what is read with it, a record of
/// 16 KiB and as much as is read at once.
const REST_BYTES: usize = 40 << 10;

/// A byte stream of which only so much is read before the first write, and between that and [`end`](Self::end).
#[derive(Debug)]
pub(crate) struct Handshake<S> {
    stream: S,
    /// None once the handshake has ended.
    left_bytes: Option<usize>,
    is_answered: bool,
}

impl<S> Handshake<S> {
    /// A stream whose handshake begins.
    pub(super) const fn begin(stream: S) -> Self {
        Self { stream, left_bytes: Some(HELLO_BYTES), is_answered: false }
    }

    /// From now on nothing is counted.
    pub(super) const fn end(&mut self) {
        self.left_bytes = None;
    }

    fn note_write(&mut self) {
        if !std::mem::replace(&mut self.is_answered, true) {
            self.left_bytes = self.left_bytes.map(|_| REST_BYTES);
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Handshake<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let Some(left_bytes) = &mut this.left_bytes else {
            return Pin::new(&mut this.stream).poll_read(context, buffer);
        };
        let before = buffer.filled().len();
        ready!(Pin::new(&mut this.stream).poll_read(context, buffer))?;
        let Some(left) = left_bytes.checked_sub(buffer.filled().len() - before) else {
            buffer.set_filled(before);
            let message = "the client's part of the handshake is too long";
            return Poll::Ready(Err(io::Error::new(io::ErrorKind::InvalidData, message)));
        };
        *left_bytes = left;
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Handshake<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.note_write();
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.note_write();
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;

    /// How much of a long text is read, and how that ends.
    async fn read_from(stream: &mut Handshake<tokio::io::DuplexStream>) -> (usize, io::Result<usize>) {
        let mut read = Vec::new();
        let end = stream.read_to_end(&mut read).await;
        (read.len(), end)
    }

    fn sent(bytes: usize) -> Handshake<tokio::io::DuplexStream> {
        let (mut client, server) = tokio::io::duplex(1 << 20);
        tokio::spawn(async move { client.write_all(&vec![1; bytes]).await });
        Handshake::begin(server)
    }

    #[tokio::test]
    async fn bytes_are_counted_until_the_handshake_ends() {
        let (length, end) = read_from(&mut sent(HELLO_BYTES + 1)).await;
        assert!(length <= HELLO_BYTES && end.is_err(), "{length} {end:?}");
        let (length, end) = read_from(&mut sent(HELLO_BYTES)).await;
        assert_eq!((length, end.expect("as much as it may be")), (HELLO_BYTES, HELLO_BYTES));

        let mut answered = sent(REST_BYTES + 1);
        answered.write_all(b"hello").await.expect("written");
        let (length, end) = read_from(&mut answered).await;
        assert!((HELLO_BYTES..=REST_BYTES).contains(&length) && end.is_err(), "{length} {end:?}");
        let mut answered_twice = sent(REST_BYTES);
        answered_twice.write_all(b"hello").await.expect("written");
        answered_twice.write_all(b"again").await.expect("written");
        assert_eq!(read_from(&mut answered_twice).await.0, REST_BYTES);

        let mut ended = sent(1 << 20);
        ended.end();
        assert_eq!(read_from(&mut ended).await.0, 1 << 20);
    }
}
