//! Messages of the Model Context Protocol, passed to the server's `/mcp` unchanged.

use std::time::Duration;

use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderName, HeaderValue};
use rowhouse_model::path;

use crate::request::{Request, segment};
use crate::{Client, Error, ErrorKind, Result};

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
        let request = request(workspace, message.into(), headers, at_most)?;
        let answer = self.transport.any_status(&request).await?;
        Ok(McpAnswer { status: answer.status().as_u16(), body: answer.into_body() })
    }

    /// As [`mcp`](Self::mcp), for a message with a progress token: `on_message` gets each message that precedes the
    /// answer.
    ///
    /// # Errors
    ///
    /// As for [`mcp`](Self::mcp); the events broke off before the answer.
    pub async fn mcp_with_progress(
        &self,
        workspace: Option<&str>,
        message: impl Into<Bytes>,
        mut headers: Vec<(HeaderName, HeaderValue)>,
        at_most: Duration,
        mut on_message: impl FnMut(&[u8]),
    ) -> Result<McpAnswer> {
        headers.push((ACCEPT, HeaderValue::from_static("application/json, text/event-stream")));
        let request = request(workspace, message.into(), headers, at_most)?;
        let mut response = self.transport.open_any_status(&request).await?;
        let is_events = response
            .headers()
            .get(CONTENT_TYPE)
            .is_some_and(|value| value.as_bytes().starts_with(b"text/event-stream"));
        let status = response.status().as_u16();
        if !is_events {
            let answer = self.transport.read_any(&request, response).await?;
            return Ok(McpAnswer { status, body: answer.into_body() });
        }
        let mut events = Events::default();
        while let Some(bytes) = self.transport.next_chunk(response.body_mut()).await? {
            for message in events.take(&bytes) {
                if is_answer(&message) {
                    return Ok(McpAnswer { status, body: message });
                }
                on_message(&message);
            }
            if events.pending.len() > self.transport.body_limit_bytes {
                let limit_bytes = self.transport.body_limit_bytes;
                let message = format!("an event is longer than {limit_bytes} bytes");
                return Err(Error::new(ErrorKind::TooLarge { limit_bytes }, message));
            }
        }
        Err(Error::new(ErrorKind::Transport, "the events ended without an answer"))
    }
}

fn request(
    workspace: Option<&str>,
    message: Bytes,
    headers: Vec<(HeaderName, HeaderValue)>,
    at_most: Duration,
) -> Result<Request> {
    let path = match workspace {
        Some(workspace) => path::mcp_of(&segment("the workspace's name", workspace)?),
        None => path::MCP.to_owned(),
    };
    Ok(Request { headers, long_poll: at_most, ..Request::post_json(path, message) })
}

/// Notifications have a method, answers have none.
fn is_answer(message: &[u8]) -> bool {
    serde_json::from_slice::<serde_json::Map<String, serde_json::Value>>(message)
        .is_ok_and(|fields| !fields.contains_key("method"))
}

/// A parser of server-sent events that arrive in arbitrary pieces.
#[derive(Debug, Default)]
struct Events {
    /// The bytes of an event that is not complete yet.
    pending: Vec<u8>,
}

impl Events {
    /// The data of the events that end in these bytes.
    fn take(&mut self, bytes: &[u8]) -> Vec<Bytes> {
        self.pending.extend(bytes.iter().filter(|byte| **byte != b'\r'));
        let mut messages = Vec::new();
        while let Some(length) = self.pending.windows(2).position(|two| two == b"\n\n") {
            let event: Vec<u8> = self.pending.drain(..length + 2).collect();
            let lines = event.split(|byte| *byte == b'\n');
            let data: Vec<&[u8]> = lines.filter_map(|line| line.strip_prefix(b"data:")).collect();
            let data = data.iter().map(|data| data.strip_prefix(b" ").unwrap_or(data)).collect::<Vec<_>>();
            if !data.is_empty() {
                messages.push(Bytes::from(data.join(&b'\n')));
            }
        }
        messages
    }
}

impl McpAnswer {
    /// The error, if the server refused the request outside the protocol: its code and message.
    pub fn refusal(&self) -> Option<Error> {
        let is_message = serde_json::from_slice::<serde_json::Map<String, serde_json::Value>>(&self.body)
            .is_ok_and(|fields| fields.contains_key("jsonrpc"));
        let is_refused = !is_message && !(200..300).contains(&self.status);
        is_refused.then(|| Error::api(self.status, None, &self.body))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_parsed_from_any_pieces() {
        let text = b"event: message\r\ndata: {\"a\":1}\r\n\r\n: a comment\n\ndata:x\ndata: y\n\ndata: rest";
        for size in 1..text.len() {
            let mut events = Events::default();
            let found: Vec<Bytes> = text.chunks(size).flat_map(|bytes| events.take(bytes)).collect();
            assert_eq!(found, [&b"{\"a\":1}"[..], b"x\ny"], "{size}");
            assert_eq!(events.pending, b"data: rest");
        }
    }

    #[test]
    fn an_answer_is_distinguished_from_notifications() {
        for (message, expected) in [
            (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, true),
            (r#"{"jsonrpc":"2.0","id":1,"error":{"code":1}}"#, true),
            (r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{}}"#, false),
            ("{", false),
        ] {
            assert_eq!(is_answer(message.as_bytes()), expected, "{message}");
        }
    }
}
