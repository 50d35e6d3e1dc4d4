//! JSON-RPC 2.0 as MCP uses it: one message per body. The parameters of a request stay text until its method is known,
//! so that no digit of a number is lost.

use rmcp::model::{ErrorData, RequestId, RequestMetaObject};
use serde::de::{DeserializeOwned, Deserializer, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// A message of a client.
#[derive(Debug)]
pub(super) enum Message<'b> {
    Request(Request<'b>),
    Notification {
        method: String,
        params: Params<'b>,
    },
    /// An answer to a request of the server, which makes none.
    Response,
}

/// A message that requires an answer.
#[derive(Debug)]
pub(super) struct Request<'b> {
    pub(super) id: RequestId,
    pub(super) method: String,
    pub(super) params: Params<'b>,
}

/// The parameters of a request or a notification.
#[derive(Clone, Copy, Debug)]
pub(super) struct Params<'b>(Option<&'b RawValue>);

#[derive(Deserialize)]
struct Envelope<'b> {
    jsonrpc: Option<String>,
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'b RawValue>,
    method: Option<String>,
    #[serde(borrow, default)]
    params: Option<&'b RawValue>,
    #[serde(default)]
    result: Option<IgnoredAny>,
    #[serde(default)]
    error: Option<IgnoredAny>,
}

/// An explicit null counts as present.
fn present<'b, D: Deserializer<'b>>(deserializer: D) -> Result<Option<&'b RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

impl<'b> Message<'b> {
    /// Parses a body.
    ///
    /// # Errors
    /// JSON-RPC's parse error or invalid request.
    pub(super) fn read(body: &'b [u8]) -> Result<Self, ErrorData> {
        let invalid = |what: String| ErrorData::invalid_request(what, None);
        let text: &RawValue = serde_json::from_slice(body)
            .map_err(|error| ErrorData::parse_error(format!("the body: {error}"), None))?;
        if text.get().starts_with('[') {
            return Err(invalid(
                "the body is an array: a body is one message, there are no batches".to_owned(),
            ));
        }
        let envelope: Envelope<'b> = serde_json::from_str(text.get())
            .map_err(|error| invalid(format!("the body is no message of JSON-RPC: {error}")))?;
        let Envelope { jsonrpc, id, method, params, result, error } = envelope;
        if jsonrpc.as_deref() != Some("2.0") {
            return Err(invalid("jsonrpc is not \"2.0\"".to_owned()));
        }
        let params = Params(params);
        match (id, method) {
            (Some(id), Some(method)) => {
                let id = serde_json::from_str(id.get())
                    .map_err(|_| invalid("id is neither a string nor a whole number".to_owned()))?;
                Ok(Self::Request(Request { id, method, params }))
            }
            (None, Some(method)) => Ok(Self::Notification { method, params }),
            (_, None) if result.is_some() || error.is_some() => Ok(Self::Response),
            (_, None) => Err(invalid("method is missing".to_owned())),
        }
    }
}

impl<'b> Params<'b> {
    /// All parameters, as the protocol's type.
    ///
    /// # Errors
    /// Invalid params.
    pub(super) fn read<T: DeserializeOwned>(self) -> Result<T, ErrorData> {
        let text = self.0.map_or("{}", RawValue::get);
        serde_json::from_str(text)
            .map_err(|error| ErrorData::invalid_params(format!("params: {error}"), None))
    }

    /// The client's metadata about itself and the protocol in each request.
    pub(super) fn meta(self) -> Result<RequestMetaObject, ErrorData> {
        #[derive(Deserialize)]
        struct Meta {
            #[serde(rename = "_meta", default)]
            meta: Option<RequestMetaObject>,
        }
        Ok(self.read::<Meta>()?.meta.unwrap_or_default())
    }

    /// The text of one parameter.
    pub(super) fn text(self, name: &str) -> Option<String> {
        let fields: std::collections::HashMap<String, &RawValue> =
            serde_json::from_str(self.0?.get()).ok()?;
        serde_json::from_str(fields.get(name)?.get()).ok()
    }

    /// The name and the arguments of a call.
    pub(super) fn call(self) -> Result<(String, Option<&'b RawValue>), ErrorData> {
        #[derive(Deserialize)]
        struct Call<'b> {
            name: String,
            #[serde(borrow, default)]
            arguments: Option<&'b RawValue>,
        }
        let text = self.0.map_or("{}", RawValue::get);
        let Call { name, arguments } = serde_json::from_str(text)
            .map_err(|error| ErrorData::invalid_params(format!("params: {error}"), None))?;
        Ok((name, arguments))
    }
}

/// An answer with a result.
#[derive(Serialize)]
struct Answered<'a, T> {
    jsonrpc: &'a str,
    id: &'a RequestId,
    result: T,
}

/// An answer with an error; without an id if the request's could not be parsed.
#[derive(Serialize)]
struct Refused<'a> {
    jsonrpc: &'a str,
    id: Option<&'a RequestId>,
    error: &'a ErrorData,
}

/// The body of an answer with a result.
pub(super) fn result_bytes(id: &RequestId, result: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    serde_json::to_vec(&Answered { jsonrpc: "2.0", id, result })
}

/// The body of an answer with an error.
pub(super) fn error_bytes(id: Option<&RequestId>, error: &ErrorData) -> serde_json::Result<Vec<u8>> {
    serde_json::to_vec(&Refused { jsonrpc: "2.0", id, error })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies() {
        let check = |body: &str, expected: &str| {
            let read = match Message::read(body.as_bytes()) {
                Ok(Message::Request(Request { id, method, .. })) => format!("{method} {id:?}"),
                Ok(Message::Notification { method, .. }) => method,
                Ok(Message::Response) => "response".to_owned(),
                Err(error) => format!("{}: {}", error.code.0, error.message),
            };
            assert_eq!(read, expected, "{body}");
        };
        check(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, "ping Number(1)");
        check(r#" {"jsonrpc":"2.0","id":"a","method":"ping","params":{}} "#, "ping String(\"a\")");
        check(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, "notifications/initialized");
        check(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, "response");
        check(
            r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            "-32600: id is neither a string nor a whole number",
        );
        check(
            r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
            "-32600: id is neither a string nor a whole number",
        );
        check(r#"{"id":1,"method":"ping"}"#, "-32600: jsonrpc is not \"2.0\"");
        check(r#"{"jsonrpc":"2.0","id":1}"#, "-32600: method is missing");
        check("[]", "-32600: the body is an array: a body is one message, there are no batches");
        check("{", "-32700: the body: EOF while parsing an object at line 1 column 1");
        check("", "-32700: the body: EOF while parsing a value at line 1 column 0");
    }

    #[test]
    fn arguments_keep_every_digit() {
        let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"n":12345678901234567890.10}}}"#;
        let Ok(Message::Request(request)) = Message::read(body.as_bytes()) else { panic!("no request") };
        let (name, arguments) = request.params.call().expect("a call");
        assert_eq!(
            (name.as_str(), arguments.map(RawValue::get)),
            ("a", Some(r#"{"n":12345678901234567890.10}"#))
        );
        assert_eq!(request.params.text("name").as_deref(), Some("a"));
        assert_eq!(request.params.text("uri"), None);
    }
}
