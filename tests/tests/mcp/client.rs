//! A client of the Model Context Protocol that sends exactly what it is given.

use http::Method;
use rowhouse_tests::{Response, Server};
use serde_json::{Value, json};

/// A client without automatic handshake.
pub(crate) struct Client<'s> {
    server: &'s Server,
    token: String,
    path: String,
    accept: &'static str,
    headers: Vec<(&'static str, String)>,
}

impl<'s> Client<'s> {
    pub(crate) fn new(server: &'s Server, path: &str) -> Self {
        Self {
            server,
            token: server.admin_token().to_owned(),
            path: path.to_owned(),
            accept: "application/json, text/event-stream",
            headers: Vec::new(),
        }
    }

    /// A client that does not accept server-sent events, although the protocol requires it.
    pub(crate) fn without_events(mut self) -> Self {
        self.accept = "application/json, */*";
        self
    }

    pub(crate) fn with_token(mut self, token: &str) -> Self {
        token.clone_into(&mut self.token);
        self
    }

    pub(crate) fn with_header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    pub(crate) async fn send(&self, message: Value) -> Response {
        let authorization = format!("Bearer {}", self.token);
        let given = self.headers.iter().map(|(name, value)| (*name, value.as_str()));
        let accept = ("accept", self.accept);
        let headers = [("authorization", authorization.as_str()), accept].into_iter().chain(given);
        self.server.request_with(Method::POST, &self.path, headers, Some(message.to_string())).await
    }

    pub(crate) async fn ask(&self, method: &str, params: Value) -> Value {
        let answer =
            self.send(json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params })).await;
        assert_eq!(answer.header("content-type"), Some("application/json"));
        let answer = answer.json();
        assert_eq!((&answer["jsonrpc"], &answer["id"]), (&json!("2.0"), &json!(7)), "{answer}");
        answer
    }

    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Value {
        let answer = self.ask("tools/call", json!({ "name": tool, "arguments": arguments })).await;
        assert!(answer["result"]["content"].is_array(), "{answer}");
        answer["result"].clone()
    }

    /// The structured content of a call that must succeed; its text must say the same.
    pub(crate) async fn rows(&self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments).await;
        assert_eq!(result["isError"], false, "{result}");
        let text = result["content"][0]["text"].as_str().expect("a text");
        let parsed: Value = serde_json::from_str(text).expect("JSON");
        assert_eq!(parsed, result["structuredContent"]);
        parsed
    }

    /// The text of a call that must fail.
    pub(crate) async fn fault(&self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments).await;
        assert_eq!((&result["isError"], result.get("structuredContent")), (&json!(true), None), "{result}");
        result["content"][0]["text"].as_str().expect("a text").to_owned()
    }

    pub(crate) async fn tools(&self) -> Vec<String> {
        let listed = self.ask("tools/list", json!({})).await;
        let tools = listed["result"]["tools"].as_array().unwrap_or_else(|| panic!("{listed}"));
        tools.iter().map(|tool| tool["name"].as_str().expect("a name").to_owned()).collect()
    }
}
