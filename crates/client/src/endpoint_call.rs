//! Calls of endpoints (D111): rows, or a file of them. If the server answers 202 because the query is still running,
//! the client waits for the query's end.

use http::StatusCode;
use rowhouse_model::{QueryId, QueryStatus, WorkspaceId, path};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::request::{Request, segment};
use crate::transport::decode;
use crate::{Client, Download, Error, Result, ResultFormat, RowRequest, RowShape};

/// A call of an endpoint.
///
/// ```
/// use rowhouse_client::EndpointCall;
///
/// let call = EndpointCall::new().parameter("day", "1995-03-15").list("keys", [1, 2]).limit(10);
/// # let _ = call;
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EndpointCall {
    parameters: Vec<(String, Vec<String>, bool)>,
    columns: Vec<String>,
    order: Option<String>,
    limit: Option<u64>,
    offset: Option<u64>,
    wait_seconds: Option<u64>,
}

impl EndpointCall {
    /// All parameters have their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// A parameter's value; the server parses it as the declared type.
    #[must_use]
    pub fn parameter(mut self, name: impl Into<String>, value: impl ToString) -> Self {
        self.parameters.push((name.into(), vec![value.to_string()], false));
        self
    }

    /// The values of a parameter that is an array.
    #[must_use]
    pub fn list<V: ToString>(mut self, name: impl Into<String>, values: impl IntoIterator<Item = V>) -> Self {
        let values = values.into_iter().map(|value| value.to_string()).collect();
        self.parameters.push((name.into(), values, true));
        self
    }

    /// The columns of the rows, in this order.
    #[must_use]
    pub fn columns<S: Into<String>>(self, columns: impl IntoIterator<Item = S>) -> Self {
        Self { columns: columns.into_iter().map(Into::into).collect(), ..self }
    }

    /// `column`, `column:asc` or `column:desc`, a column that the endpoint declares.
    #[must_use]
    pub fn order_by(self, order: impl Into<String>) -> Self {
        Self { order: Some(order.into()), ..self }
    }

    /// Maximum number of rows.
    #[must_use]
    pub fn limit(self, limit: u64) -> Self {
        Self { limit: Some(limit), ..self }
    }

    /// Rows to skip.
    #[must_use]
    pub fn offset(self, offset: u64) -> Self {
        Self { offset: Some(offset), ..self }
    }

    /// Seconds that the server holds the answer back for its rows; default: the server's own. A longer call is followed
    /// as a query.
    #[must_use]
    pub fn wait(self, seconds: u64) -> Self {
        Self { wait_seconds: Some(seconds), ..self }
    }

    /// A call with lists is a POST, because lists may be longer than a URL may be.
    fn request(&self, workspace: &str, name: &str, format: ResultFormat) -> Result<Request> {
        let workspace = segment("the workspace's name", workspace)?;
        let path = path::endpoint(&workspace, &segment("the endpoint's name", name)?);
        let mut request = if self.parameters.iter().any(|(_, _, is_list)| *is_list) {
            let mut body = Map::new();
            for (name, values, is_list) in &self.parameters {
                let value = match values.as_slice() {
                    [value] if !is_list => Value::from(value.as_str()),
                    values => Value::from(values),
                };
                body.insert(name.clone(), value);
            }
            Request::post(path, &body)?
        } else {
            let request = Request::get(path);
            self.parameters.iter().fold(request, |request, (name, values, _)| {
                values.iter().fold(request, |request, value| request.query(name, value))
            })
        };
        if !self.columns.is_empty() {
            request = request.query("columnNames", self.columns.join(","));
        }
        let request = request.optional_query("orderBy", self.order.as_ref());
        let request = request.optional_query("limit", self.limit).optional_query("offset", self.offset);
        Ok(request.optional_query("wait", self.wait_seconds).query("format", format.as_str()))
    }
}

/// The answer that a query is still running.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Unfinished {
    id: QueryId,
    workspace_id: WorkspaceId,
}

impl Client {
    /// `/v1/data/{workspace}/endpoint/{name}`: the rows as objects by column names. A long call is followed as a query;
    /// that requires ANALYST or above, and its rows have all columns.
    ///
    /// # Errors
    ///
    /// All faults of the call in one error (`INVALID_ARGUMENTS`), its query failed, the rows do not deserialize into
    /// `T`, or any other failure of a request.
    pub async fn call_endpoint<T: DeserializeOwned>(
        &self,
        workspace: &str,
        name: &str,
        call: &EndpointCall,
    ) -> Result<Vec<T>> {
        let request = call.request(workspace, name, ResultFormat::Json)?;
        let response = self.transport.whole(&request).await?;
        if response.status() != StatusCode::ACCEPTED {
            return decode(&request, response.body());
        }
        let unfinished: Unfinished = decode(&request, response.body())?;
        let (workspace, id) = self.ended(unfinished).await?;
        let rows = workspace.result(&id, &call.rows()).await?;
        Ok(rows.result)
    }

    /// The rows of an endpoint as a file. Formats other than JSON and NDJSON have no objects.
    ///
    /// # Errors
    ///
    /// As for [`call_endpoint`](Self::call_endpoint); later failures are returned by [`Download::chunk`].
    pub async fn download_endpoint(
        &self,
        workspace: &str,
        name: &str,
        call: &EndpointCall,
        format: ResultFormat,
    ) -> Result<Download> {
        let request = call.request(workspace, name, format)?;
        let response = self.transport.open(&request).await?;
        let is_unfinished = response.status() == StatusCode::ACCEPTED;
        let mut download = Download::new(&self.transport, response);
        if !is_unfinished {
            return Ok(download);
        }
        let mut body = Vec::new();
        while let Some(chunk) = download.chunk().await? {
            body.extend_from_slice(&chunk);
        }
        let (workspace, id) = self.ended(decode(&request, &body)?).await?;
        workspace.download(&id, format, &call.rows()).await
    }

    /// Waits for a query's end.
    async fn ended(&self, unfinished: Unfinished) -> Result<(crate::WorkspaceClient, QueryId)> {
        let Unfinished { id, workspace_id } = unfinished;
        let workspace = self.workspace(workspace_id);
        let query = workspace.wait(&id).await?;
        match query.status {
            Some(QueryStatus::Failed) => Err(Error::query_failed(&query)),
            _ => Ok((workspace, id)),
        }
    }
}

impl EndpointCall {
    fn rows(&self) -> RowRequest {
        let rows = RowRequest::new().shape(RowShape::Objects).offset(self.offset.unwrap_or(0));
        self.limit.map_or(rows.clone(), |limit| rows.limit(limit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_in_the_query_string_and_lists_in_the_body() {
        let call = EndpointCall::new().parameter("day", "1995-03-15").parameter("n", 7).limit(2).offset(1);
        let call = call.columns(["a", "b"]).order_by("a:desc");
        let request = call.request("demo", "sales", ResultFormat::Csv).expect("a request");
        assert_eq!(
            request.target,
            "/v1/data/demo/endpoint/sales?day=1995-03-15&n=7&columnNames=a%2Cb&orderBy=a%3Adesc&limit=2&offset=1&format=csv"
        );
        let request =
            call.list("keys", [1, 2]).request("demo", "a/b", ResultFormat::Json).expect("a request");
        assert_eq!(
            request.target,
            "/v1/data/demo/endpoint/a%2Fb?columnNames=a%2Cb&orderBy=a%3Adesc&limit=2&offset=1&format=json"
        );
        assert!(EndpointCall::new().request("demo", "", ResultFormat::Json).is_err());
    }
}
