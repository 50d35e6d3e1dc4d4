//! A result as a stream of bytes in a file format, never held whole.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use futures_core::Stream;
use hyper::body::Incoming;
use rowhouse_model::{QueryId, SignedUrls, path};

use crate::request::{Request, segment};
use crate::transport::Transport;
use crate::{Result, RowRequest, WorkspaceClient};

/// The formats of `GET /query/:id/result?format=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResultFormat {
    /// One object with `result`, `columns` and `rowCount`.
    Json,
    /// A header line, then a line per row.
    Csv,
    /// A JSON value per line.
    Ndjson,
    /// Arrow IPC.
    Arrow,
    /// Parquet.
    Parquet,
}

impl ResultFormat {
    /// Value in the query string.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Csv => "csv",
            Self::Ndjson => "ndjson",
            Self::Arrow => "arrow",
            Self::Parquet => "parquet",
        }
    }
}

/// The bytes of a response as they arrive.
pub struct Download {
    transport: Arc<Transport>,
    body: Incoming,
    content_type: Option<String>,
}

impl fmt::Debug for Download {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Download").field("content_type", &self.content_type).finish_non_exhaustive()
    }
}

impl WorkspaceClient {
    /// `GET /query/:id/result?format=`: the requested rows as a file. Formats without arrays and objects ignore the
    /// request's shape.
    ///
    /// # Errors
    ///
    /// The result does not exist (D11), or the server does not support this format. Later failures are returned by
    /// [`Download::chunk`].
    pub async fn download(&self, id: &QueryId, format: ResultFormat, rows: &RowRequest) -> Result<Download> {
        let mut request = self
            .result_request(id, rows)?
            .optional_query("limit", rows.limit)
            .query("format", format.as_str());
        if matches!(format, ResultFormat::Json | ResultFormat::Ndjson) {
            request = request.query("shape", rows.shape.as_str());
        }
        let response = self.client.transport.open(&request).await?;
        Ok(Download::new(&self.client.transport, response))
    }
}

impl WorkspaceClient {
    /// `GET /query/:id/result/signedUrls`: links to Parquet files of the result that need no token, valid for
    /// `expires_in_seconds`, by default for as long as the server's operator allows (D42). Each must be appended to the
    /// server's address.
    ///
    /// # Errors
    ///
    /// The result does not exist (D11), or the requested time is longer than allowed.
    pub async fn signed_urls(&self, id: &QueryId, expires_in_seconds: Option<u64>) -> Result<SignedUrls> {
        let path = path::query_signed_urls(&segment("the query's id", id.as_str())?);
        let request = self.scoped(Request::get(path)).optional_query("expiresInSeconds", expires_in_seconds);
        self.json(&request).await
    }
}

impl Download {
    pub(crate) fn new(transport: &Arc<Transport>, response: http::Response<Incoming>) -> Self {
        let content_type = response.headers().get(http::header::CONTENT_TYPE);
        let content_type = content_type.and_then(|value| value.to_str().ok()).map(str::to_owned);
        Self { transport: Arc::clone(transport), body: response.into_body(), content_type }
    }

    /// The response's `Content-Type`.
    pub fn content_type(&self) -> Option<&str> {
        self.content_type.as_deref()
    }

    /// The next bytes, or `None` after the last. Cancel safe: dropping the future loses no byte.
    ///
    /// # Errors
    ///
    /// The response broke off or stalled: the bytes so far are incomplete.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>> {
        self.transport.next_chunk(&mut self.body).await
    }

    /// The bytes as a [`Stream`].
    pub fn into_stream(self) -> impl Stream<Item = Result<Bytes>> {
        futures_util::stream::try_unfold(self, async |mut download| {
            Ok(download.chunk().await?.map(|chunk| (chunk, download)))
        })
    }
}
