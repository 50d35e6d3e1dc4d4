//! A client of Trino's protocol that a test drives request by request.

use hyper::Method;
use serde_json::Value;

use crate::{Response, Server};

/// A client of one account that runs statements.
#[derive(Debug)]
pub struct ProtocolClient<'s> {
    /// The server that it uses.
    pub server: &'s Server,
    authorization: String,
}

impl<'s> ProtocolClient<'s> {
    /// A client with the admin's token.
    pub fn of(server: &'s Server) -> Self {
        Self::with(server, server.admin_token())
    }

    /// A client with another token.
    pub fn with(server: &'s Server, token: &str) -> Self {
        Self { server, authorization: format!("Bearer {token}") }
    }

    /// Submits a statement.
    pub async fn post(&self, sql: &str, headers: &[(&str, &str)]) -> Response {
        let mut all = vec![("authorization", self.authorization.as_str()), ("x-trino-user", "ann")];
        all.extend_from_slice(headers);
        self.server.request_with(Method::POST, "/v1/statement", all, Some(sql.to_owned())).await
    }

    /// GET without credentials, as drivers follow addresses.
    pub async fn get(&self, path: &str) -> Response {
        self.server.request_with(Method::GET, path, [], None).await
    }

    /// Every answer of a statement, in order.
    pub async fn answers(&self, sql: &str, headers: &[(&str, &str)]) -> Vec<Value> {
        let mut answers = vec![self.post(sql, headers).await.json()];
        while let Some(next) = answers.last().and_then(|answer| next_path(self.server, answer)) {
            answers.push(self.get(&next).await.json());
        }
        answers
    }

    /// All rows of a statement that must succeed.
    ///
    /// # Panics
    /// If it fails.
    pub async fn rows(&self, sql: &str, headers: &[(&str, &str)]) -> Vec<Value> {
        let answers = self.answers(sql, headers).await;
        assert!(answers.iter().all(|answer| answer["error"].is_null()), "{sql}: {answers:?}");
        rows_of(&answers)
    }

    /// Name and message of a statement's error, or `none `.
    ///
    /// # Panics
    /// If there is no answer.
    pub async fn error(&self, sql: &str, headers: &[(&str, &str)]) -> String {
        let answers = self.answers(sql, headers).await;
        let error = &answers.last().expect("an answer")["error"];
        format!(
            "{} {}",
            error["errorName"].as_str().unwrap_or("none"),
            error["message"].as_str().unwrap_or("")
        )
    }
}

/// The path of the next answer.
///
/// # Panics
/// If it is another server's.
pub fn next_path(server: &Server, answer: &Value) -> Option<String> {
    let uri = answer["nextUri"].as_str()?;
    Some(uri.strip_prefix(&server.url()).expect("an address of this server").to_owned())
}

/// The rows of answers in pages.
pub fn rows_of(answers: &[Value]) -> Vec<Value> {
    answers.iter().filter_map(|answer| answer["data"].as_array()).flatten().cloned().collect()
}
