//! The rows of a finished query: one page, or all of them page by page in bounded memory.

use std::vec;

use futures_core::Stream;
use rowhouse_model::{Column, QueryId, QueryResult, path};
use serde::de::DeserializeOwned;

use crate::request::{Request, segment};
use crate::{Error, ErrorKind, Result, WorkspaceClient};

/// Default number of rows of a page.
const PAGE_ROWS: u64 = 10_000;

/// The form of a row on the wire (D17).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowShape {
    /// An array of values in column order: for tuples and `Vec`s.
    #[default]
    Arrays,
    /// An object by column names: for structs whose fields are named as the columns, in any order.
    Objects,
}

impl RowShape {
    /// Value in the query string.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Arrays => "arrays",
            Self::Objects => "objects",
        }
    }
}

/// The range and shape of the requested rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowRequest {
    pub(crate) offset: u64,
    pub(crate) limit: Option<u64>,
    pub(crate) shape: RowShape,
    page_rows: u64,
}

impl Default for RowRequest {
    fn default() -> Self {
        Self { offset: 0, limit: None, shape: RowShape::Arrays, page_rows: PAGE_ROWS }
    }
}

impl RowRequest {
    /// All rows, as arrays.
    pub fn new() -> Self {
        Self::default()
    }

    /// Rows to skip.
    #[must_use]
    pub fn offset(self, offset: u64) -> Self {
        Self { offset, ..self }
    }

    /// Maximum number of rows.
    #[must_use]
    pub fn limit(self, limit: u64) -> Self {
        Self { limit: Some(limit), ..self }
    }

    /// Arrays or objects.
    #[must_use]
    pub fn shape(self, shape: RowShape) -> Self {
        Self { shape, ..self }
    }

    /// Rows that a stream requests at a time, at least 1; default 10 000.
    #[must_use]
    pub fn page_rows(self, page_rows: u64) -> Self {
        Self { page_rows: page_rows.max(1), ..self }
    }
}

/// Rows as they arrive, page by page; at most one page is held.
#[derive(Debug)]
pub struct Rows<T> {
    workspace: WorkspaceClient,
    query_id: QueryId,
    request: RowRequest,
    columns: Vec<Column>,
    row_count: u64,
    page: vec::IntoIter<T>,
    /// Offset of the first row that no page contained.
    next_offset: u64,
    /// Offset after the last requested row.
    end: u64,
}

impl WorkspaceClient {
    /// `GET /query/:id/result`: the requested rows, in one answer.
    ///
    /// # Errors
    ///
    /// The result does not exist (D11), is longer than the client's limit, or its rows do not deserialize into `T`.
    pub async fn result<T: DeserializeOwned>(
        &self,
        id: &QueryId,
        rows: &RowRequest,
    ) -> Result<QueryResult<Vec<T>>> {
        let request = self.result_request(id, rows)?.optional_query("limit", rows.limit);
        self.json(&request.query("shape", rows.shape.as_str())).await
    }

    /// The requested rows as a stream; the first page is fetched here.
    ///
    /// `T` is anything that deserializes from a row: a tuple or `Vec` from arrays, a struct from objects
    /// ([`RowShape::Objects`]), `Box<serde_json::value::RawValue>` for values digit by digit.
    ///
    /// # Errors
    ///
    /// As [`result`](Self::result).
    pub async fn rows<T: DeserializeOwned>(&self, id: &QueryId, request: &RowRequest) -> Result<Rows<T>> {
        let mut rows = Rows {
            workspace: self.clone(),
            query_id: id.clone(),
            request: request.clone(),
            columns: Vec::new(),
            row_count: 0,
            page: Vec::new().into_iter(),
            next_offset: request.offset,
            end: request.limit.map_or(u64::MAX, |limit| request.offset.saturating_add(limit)),
        };
        while !rows.fetch_page().await? {}
        Ok(rows)
    }

    pub(crate) fn result_request(&self, id: &QueryId, rows: &RowRequest) -> Result<Request> {
        let path = path::query_result(&segment("the query's id", id.as_str())?);
        Ok(self.scoped(Request::get(path)).query("offset", rows.offset))
    }
}

impl<T: DeserializeOwned> Rows<T> {
    /// The result's columns.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Rows of the whole result, not of the requested range (D13).
    pub const fn row_count(&self) -> u64 {
        self.row_count
    }

    /// The next row, or `None` after the last. Cancel safe: dropping the future loses no row.
    pub async fn next(&mut self) -> Option<Result<T>> {
        loop {
            if let Some(row) = self.page.next() {
                return Some(Ok(row));
            }
            if self.next_offset >= self.end {
                return None;
            }
            if let Err(error) = self.fetch_page().await {
                // The stream ends with its error: after it, missing rows could not be detected.
                self.end = self.next_offset;
                return Some(Err(error));
            }
        }
    }

    /// The rows as a [`Stream`].
    pub fn into_stream(self) -> impl Stream<Item = Result<T>> {
        futures_util::stream::unfold(self, async |mut rows| {
            let row = rows.next().await?;
            Some((row, rows))
        })
    }

    /// Whether a page was fetched; if not, the next attempt requests a smaller one.
    async fn fetch_page(&mut self) -> Result<bool> {
        let wanted = self.request.page_rows.min(self.end - self.next_offset);
        let page_request =
            RowRequest { offset: self.next_offset, limit: Some(wanted), ..self.request.clone() };
        let page = match self.workspace.result::<T>(&self.query_id, &page_request).await {
            Ok(page) => page,
            // Rows are wider than expected: request smaller pages from now on.
            Err(error) if matches!(error.kind(), ErrorKind::TooLarge { .. }) && wanted > 1 => {
                self.request.page_rows = wanted / 2;
                return Ok(false);
            }
            // The operator allows fewer rows at a time (D8).
            Err(error) if error.max_page_rows().is_some_and(|rows| rows < wanted) => {
                self.request.page_rows = error.max_page_rows().unwrap_or(1);
                return Ok(false);
            }
            Err(error) => return Err(error),
        };
        self.columns = page.columns;
        self.row_count = page.row_count;
        self.end = self.end.min(self.row_count).max(self.next_offset);
        let expected = wanted.min(self.end - self.next_offset);
        let received = page.result.len() as u64;
        if received != expected {
            let message = format!(
                "query {}: {expected} rows were due from offset {}, {received} came",
                self.query_id, self.next_offset
            );
            return Err(Error::new(ErrorKind::Decode, message));
        }
        self.next_offset += received;
        self.page = page.result.into_iter();
        Ok(true)
    }
}
