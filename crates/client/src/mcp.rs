//! Messages of the Model Context Protocol, passed to the server's `/mcp` unchanged.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderName, HeaderValue};
use rowhouse_model::path;

use crate::request::{Request, segment};
use crate::{Client, Error, Result};

/// The server's answer to a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct McpAnswer {
    /// The HTTP status.
    pub status: u16,
    /// A JSON-RPC message, or the server's own refusal; empty for a message without an answer.
    pub body: Bytes,
}

impl Client {
    /// Forwards one message, to a workspace by its name or to the only one that the token may read. `headers` are those
    /// of the protocol. Dropping the future cancels the call that the message requests.
    ///
    /// # Errors
    ///
    /// As for every request, except that refusals are answers here.
    pub async fn mcp(
        &self,
        workspace: Option<&str>,
        message: impl Into<Bytes>,
        headers: Vec<(HeaderName, HeaderValue)>,
        at_most: Duration,
    ) -> Result<McpAnswer> {
        let path = match workspace {
            Some(workspace) => path::mcp_of(&segment("the workspace's name", workspace)?),
            None => path::MCP.to_owned(),
        };
        let request = Request { headers, long_poll: at_most, ..Request::post_json(path, message.into()) };
        let answer = self.transport.any_status(&request).await?;
        Ok(McpAnswer { status: answer.status().as_u16(), body: answer.into_body() })
    }
}

impl McpAnswer {
    /// The refusal of a request that was not one of the protocol's: its code and message.
    pub fn refusal(&self) -> Option<Error> {
        let is_message = serde_json::from_slice::<serde_json::Map<String, serde_json::Value>>(&self.body)
            .is_ok_and(|fields| fields.contains_key("jsonrpc"));
        let is_refused = !is_message && !(200..300).contains(&self.status);
        is_refused.then(|| Error::api(self.status, None, &self.body))
    }
}
