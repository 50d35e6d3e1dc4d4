//! Clients that send mixed requests until the server is gone.

use std::sync::Arc;
use std::time::{Duration, Instant};

use http::Method;
use rowhouse_tests::{Connection, Server};
use serde_json::{Value, json};

use crate::acknowledged::Acknowledged;

/// Number of tokens between two checks: an account may have 100.
const KEPT_TOKENS: usize = 50;

/// The fault that happens in addition to the kills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    None,
    FullDisk,
    Clock,
}

impl Trouble {
    /// Whether the fault explains that a request was refused.
    fn explains(self, answer: &Value) -> bool {
        match self {
            Self::None => false,
            Self::FullDisk => answer["code"] == "GENERIC_INSUFFICIENT_RESOURCES",
            // A new result is expired by a clock that has jumped ahead.
            Self::Clock => answer["code"] == "RESULT_EXPIRED",
        }
    }
}

/// One client.
pub(crate) struct Client {
    connection: Connection,
    workspace: String,
    round: u64,
    number: usize,
    trouble: Trouble,
    acknowledged: Arc<Acknowledged>,
    /// A finished query whose result may be deleted.
    spare: Option<String>,
}

/// The server is gone.
struct Killed;

impl Client {
    pub(crate) fn new(
        server: &Server,
        workspace: &str,
        round: u64,
        number: usize,
        trouble: Trouble,
        acknowledged: &Arc<Acknowledged>,
    ) -> Self {
        Self {
            connection: Connection::new(&server.url(), server.admin_token()),
            workspace: workspace.to_owned(),
            round,
            number,
            trouble,
            acknowledged: Arc::clone(acknowledged),
            spare: None,
        }
    }

    pub(crate) async fn run_until_killed(mut self) {
        let deadline = Instant::now() + Duration::from_secs(60);
        for number in 0.. {
            assert!(Instant::now() < deadline, "the kill never came");
            if self.step(number).await.is_err() {
                return;
            }
        }
    }

    async fn step(&mut self, number: i64) -> Result<(), Killed> {
        let client = i64::try_from(self.number).expect("a small number");
        let value = (i64::try_from(self.round).expect("a small number") * 10 + client) * 100_000 + number;
        match number % 8 {
            1 if number == 1 && client == 0 => self.fill_view(value).await,
            3 => {
                let body =
                    json!({ "workspaceId": self.workspace, "title": value.to_string(), "sql": "SELECT 1" });
                if let Some(saved) = self.ask(Method::POST, "/api/v1/sql", Some(body)).await? {
                    self.acknowledged.state().saved.push(text(&saved, "id"));
                }
                Ok(())
            }
            4 => {
                // Larger than a result that is committed with its record.
                let sql = format!(
                    "SELECT x, lpad('', 40, 'x') FROM UNNEST(sequence({value}, {})) AS t (x)",
                    value + 1999
                );
                self.query(&sql, None).await
            }
            5 => self.token(value).await,
            6 => self.delete_result().await,
            _ => self.query(&format!("SELECT {value} AS value"), Some(value)).await,
        }
    }

    /// Submits a statement and reads its rows.
    async fn query(&mut self, sql: &str, value: Option<i64>) -> Result<(), Killed> {
        let body = json!({ "workspaceId": self.workspace, "sql": sql });
        let Some(query) = self.ask(Method::POST, "/api/v1/query", Some(body)).await? else { return Ok(()) };
        let id = text(&query, "id");
        self.acknowledged.state().statements.push((id.clone(), value));
        let path = format!("/api/v1/query/{id}?workspaceId={}&wait=5", self.workspace);
        let query = self.ask(Method::GET, &path, None).await?;
        if query.is_none_or(|query| query["status"] != "FINISHED") {
            return Ok(());
        }
        let path = format!("/api/v1/query/{id}/result?workspaceId={}", self.workspace);
        if let Some(result) = self.ask(Method::GET, &path, None).await? {
            if value.is_none() {
                self.spare = Some(id.clone());
            }
            self.acknowledged.state().results.insert(id, result);
        }
        Ok(())
    }

    async fn delete_result(&mut self) -> Result<(), Killed> {
        let Some(id) = self.spare.take() else { return Ok(()) };
        {
            // Whether the deletion took effect is unknown until the answer.
            let mut state = self.acknowledged.state();
            state.results.remove(&id);
            state.statements.retain(|(statement, _)| *statement != id);
        }
        let path = format!("/api/v1/query/{id}/result?workspaceId={}", self.workspace);
        if self.ask(Method::DELETE, &path, None).await?.is_some() {
            let mut state = self.acknowledged.state();
            state.deleted.insert(id.clone());
            state.statements.push((id, None));
        }
        Ok(())
    }

    /// Creates a token, and revokes every other one, and those that there would be too many of.
    async fn token(&mut self, value: i64) -> Result<(), Killed> {
        let body = json!({ "name": format!("chaos {value}") });
        let Some(token) = self.ask(Method::POST, "/api/v1/token", Some(body)).await? else { return Ok(()) };
        let (id, secret) = (text(&token, "id"), text(&token, "token"));
        {
            let mut state = self.acknowledged.state();
            if value % 16 < 8 && state.tokens.len() < KEPT_TOKENS {
                state.tokens.push((id, secret));
                return Ok(());
            }
        }
        if self.ask(Method::DELETE, &format!("/api/v1/token/{id}"), None).await?.is_some() {
            self.acknowledged.state().revoked.push(secret);
        }
        Ok(())
    }

    async fn fill_view(&mut self, value: i64) -> Result<(), Killed> {
        let name = format!("v{value}");
        let body =
            json!({ "workspaceId": self.workspace, "sqlName": name, "sql": format!("SELECT {value} AS n") });
        let view = self.ask(Method::POST, "/api/v1/materializedView", Some(body)).await?;
        let Some(refresh) = view.and_then(|view| Some(view["refreshQueryId"].as_str()?.to_owned())) else {
            return Ok(());
        };
        let path = format!("/api/v1/query/{refresh}?workspaceId={}&wait=5", self.workspace);
        let query = self.ask(Method::GET, &path, None).await?;
        if query.is_some_and(|query| query["status"] == "FINISHED") {
            self.acknowledged.state().views.push((name, value));
        }
        Ok(())
    }

    /// The answer, or none if the fault explains a refusal.
    async fn ask(&self, method: Method, path: &str, body: Option<Value>) -> Result<Option<Value>, Killed> {
        let body = body.map(|body| body.to_string()).unwrap_or_default();
        let (status, answer) = self.connection.try_answer(method, path, body).await.ok_or(Killed)?;
        if status == 200 {
            return Ok(Some(answer));
        }
        assert!(self.trouble.explains(&answer), "{path}: {status} {answer}");
        self.acknowledged.state().refusals += 1;
        tokio::time::sleep(Duration::from_millis(5)).await;
        Ok(None)
    }
}

fn text(answer: &Value, field: &str) -> String {
    answer[field].as_str().unwrap_or_else(|| panic!("no {field} in {answer}")).to_owned()
}
