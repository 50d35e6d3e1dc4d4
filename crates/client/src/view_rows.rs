//! Reads the rows of a view: whole, only if changed, or as a stream from one response.
//!
//! A stream does not page, because each page could be of another generation (D25).

use std::fmt;
use std::marker::PhantomData;

use futures_core::Stream;
use http::StatusCode;
use http::header::ETAG;
use rowhouse_model::path;
use serde::de::DeserializeOwned;

use crate::json_array::JsonArraySplitter;
use crate::request::{Request, segment};
use crate::transport::decode;
use crate::{Client, Download, Error, ErrorKind, Result, ViewRead};

/// Rows with the tag of their version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionedRows<T> {
    /// The rows.
    pub rows: Vec<T>,
    /// The response's `ETag`, for [`Client::read_view_if_changed`].
    pub etag: Option<String>,
}

/// Rows of a view as they arrive; one row and one chunk of the response are held.
pub struct ViewRows<T> {
    download: Download,
    splitter: JsonArraySplitter,
    is_ended: bool,
    row: PhantomData<fn() -> T>,
}

impl<T> fmt::Debug for ViewRows<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ViewRows").field("is_ended", &self.is_ended).finish_non_exhaustive()
    }
}

impl Client {
    /// `GET /v1/data/{workspace}/materializedView/{view}`: the requested rows, deserialized into `T` from objects by
    /// column names.
    ///
    /// ```no_run
    /// use rowhouse_client::{Client, Operator, ViewRead};
    /// use serde::Deserialize;
    ///
    /// #[derive(Debug, Deserialize)]
    /// struct Order {
    ///     o_orderkey: i64,
    ///     o_totalprice: f64,
    /// }
    ///
    /// # async fn example(client: Client) -> rowhouse_client::Result<()> {
    /// let read = ViewRead::new()
    ///     .filter("o_orderstatus", Operator::Eq, "O")
    ///     .filter("o_totalprice", Operator::Gte, 1000)
    ///     .columns(["o_orderkey", "o_totalprice"])
    ///     .limit(100);
    /// let orders: Vec<Order> = client.read_view("demo", "orders", &read).await?;
    /// # let _ = orders;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Required filters are unmet (`GENERIC_USER_ERROR`), a column does not exist, a value cannot be cast, the view is
    /// not ready, the answer is longer than the client's limit, or any other failure of a request.
    pub async fn read_view<T: DeserializeOwned>(
        &self,
        workspace_sql_name: &str,
        view_sql_name: &str,
        read: &ViewRead,
    ) -> Result<Vec<T>> {
        self.transport.json(&view_request(workspace_sql_name, view_sql_name, read)?).await
    }

    /// The rows, or `None` if the response would equal the one that `etag` came with.
    ///
    /// # Errors
    ///
    /// As [`read_view`](Self::read_view).
    pub async fn read_view_if_changed<T: DeserializeOwned>(
        &self,
        workspace_sql_name: &str,
        view_sql_name: &str,
        read: &ViewRead,
        etag: Option<&str>,
    ) -> Result<Option<VersionedRows<T>>> {
        let mut request = view_request(workspace_sql_name, view_sql_name, read)?;
        request.if_none_match = etag.map(str::to_owned);
        let response = self.transport.whole(&request).await?;
        if response.status() == StatusCode::NOT_MODIFIED {
            return Ok(None);
        }
        let etag = response.headers().get(ETAG).and_then(|value| value.to_str().ok()).map(str::to_owned);
        Ok(Some(VersionedRows { rows: decode(&request, response.body())?, etag }))
    }

    /// Number of rows that satisfy the filters, regardless of the requested range (D46).
    ///
    /// # Errors
    ///
    /// As [`read_view`](Self::read_view).
    pub async fn count_view(
        &self,
        workspace_sql_name: &str,
        view_sql_name: &str,
        read: &ViewRead,
    ) -> Result<u64> {
        let read = read.clone().limit(0);
        let request = view_request(workspace_sql_name, view_sql_name, &read)?.query("count", "exact");
        let response = self.transport.whole(&request).await?;
        let count = response.headers().get("x-total-count").and_then(|value| value.to_str().ok());
        count.and_then(|count| count.parse().ok()).ok_or_else(|| {
            Error::new(ErrorKind::Decode, "the answer to `count=exact` holds no count: the server is too old")
        })
    }

    /// The rows as they arrive, all of one generation.
    ///
    /// # Errors
    ///
    /// As [`read_view`](Self::read_view); later failures are returned by [`ViewRows::next`].
    pub async fn stream_view<T: DeserializeOwned>(
        &self,
        workspace_sql_name: &str,
        view_sql_name: &str,
        read: &ViewRead,
    ) -> Result<ViewRows<T>> {
        let request = view_request(workspace_sql_name, view_sql_name, read)?;
        let response = self.transport.open(&request).await?;
        Ok(ViewRows {
            download: Download::new(&self.transport, response),
            splitter: JsonArraySplitter::new(self.transport.body_limit_bytes),
            is_ended: false,
            row: PhantomData,
        })
    }
}

impl<T: DeserializeOwned> ViewRows<T> {
    /// The next row, or `None` after the last. After an error there are no further rows. Cancel safe: dropping the
    /// future loses no row.
    pub async fn next(&mut self) -> Option<Result<T>> {
        if self.is_ended {
            return None;
        }
        let row = self.next_row().await.transpose();
        self.is_ended = !matches!(row, Some(Ok(_)));
        row
    }

    /// The rows as a [`Stream`].
    pub fn into_stream(self) -> impl Stream<Item = Result<T>> {
        futures_util::stream::unfold(self, async |mut rows| {
            let row = rows.next().await?;
            Some((row, rows))
        })
    }

    async fn next_row(&mut self) -> Result<Option<T>> {
        loop {
            if let Some(element) = self.splitter.next_element()? {
                return serde_json::from_slice(&element).map(Some).map_err(|error| {
                    Error::new(ErrorKind::Decode, format!("unexpected row: {error}")).with_source(error)
                });
            }
            match self.download.chunk().await? {
                Some(chunk) => self.splitter.push(&chunk),
                None if self.splitter.is_complete() => return Ok(None),
                None => return Err(Error::new(ErrorKind::Decode, "the answer ends before its array does")),
            }
        }
    }
}

fn view_request(workspace_sql_name: &str, view_sql_name: &str, read: &ViewRead) -> Result<Request> {
    let workspace = segment("the workspace's SQL name", workspace_sql_name)?;
    let view = segment("the view's SQL name", view_sql_name)?;
    read.apply(Request::get(path::view_rows(&workspace, &view)))
}
