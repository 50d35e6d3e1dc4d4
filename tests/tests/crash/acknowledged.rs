//! What the server has acknowledged with 200, and the checks that it still holds.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard};

use rowhouse_tests::Server;
use serde_json::{Value, json};

use crate::load::Trouble;

/// Number of statements of earlier rounds that each round checks again; the last round checks all.
const SAMPLE: usize = 60;

#[derive(Default)]
pub(crate) struct Acknowledged {
    state: Mutex<State>,
}

#[derive(Default)]
pub(crate) struct State {
    /// Query ids in the order of their answers, and the single value of their result, if they have one.
    pub(crate) statements: Vec<(String, Option<i64>)>,
    /// Query id and the whole body of its result, as read before a kill.
    pub(crate) results: HashMap<String, Value>,
    /// Ids of queries whose results were deleted.
    pub(crate) deleted: HashSet<String>,
    /// Ids of saved SQL.
    pub(crate) saved: Vec<String>,
    /// Id and secret of tokens that were created.
    pub(crate) tokens: Vec<(String, String)>,
    /// Secrets of tokens that were revoked.
    pub(crate) revoked: Vec<String>,
    /// Names of views that were filled, and their single value.
    pub(crate) views: Vec<(String, i64)>,
    /// Number of requests that were refused because of the fault.
    pub(crate) refusals: u64,
    checks: u64,
    /// Number of statements that were checked already.
    checked_statements: usize,
    lost: Vec<String>,
}

impl Acknowledged {
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no panic")
    }

    pub(crate) fn summary(&self) -> String {
        let state = self.state();
        format!(
            "{} statements, {} results read, {} deleted, {} saved, {} tokens revoked, {} views, {} refusals; {} checks, {} lost",
            state.statements.len(),
            state.results.len(),
            state.deleted.len(),
            state.saved.len(),
            state.revoked.len(),
            state.views.len(),
            state.refusals,
            state.checks,
            state.lost.len()
        )
    }

    pub(crate) fn assert_nothing_is_lost(&self, kills: u64) {
        let state = self.state();
        assert!(state.lost.is_empty(), "{:#?}", state.lost);
        let kills = usize::try_from(kills).expect("a small number");
        assert!(state.statements.len() > 2 * kills, "the load did work: {}", state.statements.len());
        assert!(state.results.len() > kills && state.saved.len() > kills, "and reads and saves");
        assert!(
            !state.views.is_empty() && !state.deleted.is_empty() && !state.revoked.is_empty(),
            "and the rest"
        );
    }

    /// Checks everything new, and some or all of the old.
    pub(crate) async fn check(&self, server: &Server, workspace: &str, trouble: Trouble, is_last: bool) {
        self.check_statements(server, workspace, trouble, is_last).await;
        self.check_lists(server, workspace).await;
        self.check_tokens(server, is_last).await;
        let views = self.state().views.clone();
        for (name, value) in views.iter().rev().take(if is_last { usize::MAX } else { 3 }) {
            let rows = server.get(&format!("/v1/data/demo/materializedView/{name}")).await;
            let rows: Value = rows.json();
            self.expect(rows == json!([{ "n": value }]), || format!("view {name}: {rows}"));
        }
    }

    async fn check_statements(&self, server: &Server, workspace: &str, trouble: Trouble, is_last: bool) {
        let chosen: Vec<(String, Option<i64>)> = {
            let mut state = self.state();
            let old = if is_last { 0 } else { state.checked_statements };
            let stride = (old / SAMPLE).max(1);
            let offset = state.statements.len() % stride;
            state.checked_statements = state.statements.len();
            let sampled = (0..old).filter(|place| place % stride == offset);
            sampled.chain(old..state.statements.len()).map(|place| state.statements[place].clone()).collect()
        };
        for (id, value) in chosen {
            let (read, is_deleted) = {
                let state = self.state();
                (state.results.get(&id).cloned(), state.deleted.contains(&id))
            };
            let answer = server.get(&format!("/api/v1/query/{id}?workspaceId={workspace}")).await;
            if answer.status != 200 {
                self.expect(false, || format!("the record of {id} is {}", answer.status));
                continue;
            }
            let query: Value = answer.json();
            if query["status"] == "FAILED" && read.is_none() && !is_deleted {
                let name = query["error"]["errorName"].as_str().unwrap_or_default();
                let is_known = name == "SERVER_SHUTTING_DOWN"
                    || trouble == Trouble::FullDisk && name == "GENERIC_INSUFFICIENT_RESOURCES";
                self.expect(is_known, || format!("{query}"));
                continue;
            }
            self.expect(query["status"] == "FINISHED", || format!("{query}"));
            let path = format!("/api/v1/query/{id}/result?workspaceId={workspace}");
            let result = server.get(&path).await;
            if is_deleted {
                let text = String::from_utf8_lossy(&result.body).into_owned();
                self.expect(result.status == 404 && text.contains("RESULT_EXPIRED"), || {
                    format!("the deleted result of {id} is there: {text}")
                });
                continue;
            }
            let result: Value = result.json();
            let is_value = value.is_none_or(|value| result["result"] == json!([[value]]));
            self.expect(is_value, || format!("the result of {id}, {value:?}: {result}"));
            self.expect(read.is_none_or(|read| read == result), || {
                format!("the result of {id} was another before: {result}")
            });
        }
    }

    async fn check_lists(&self, server: &Server, workspace: &str) {
        let listed = server.get(&format!("/api/v1/sqls?workspaceId={workspace}")).await.ok();
        let listed = listed.as_array().expect("a list").iter();
        let listed: HashSet<&str> = listed.filter_map(|saved| saved["id"].as_str()).collect();
        let saved = self.state().saved.clone();
        for id in saved {
            self.expect(listed.contains(id.as_str()), || format!("saved SQL {id} is gone"));
        }
    }

    /// Checks that created tokens are valid, and revokes them, because an account may have only a limited number.
    async fn check_tokens(&self, server: &Server, is_last: bool) {
        let tokens = std::mem::take(&mut self.state().tokens);
        for (id, secret) in tokens {
            let status = server.get_as(&secret, "/api/v1/workspaces").await.status;
            self.expect(status == 200, || format!("token {id} is answered {status}"));
            server.delete(&format!("/api/v1/token/{id}")).await.ok();
            self.state().revoked.push(secret);
        }
        // Those whose creation was not acknowledged.
        for token in server.get("/api/v1/tokens").await.ok().as_array().into_iter().flatten() {
            if let (Some(id), Some("chaos")) = (token["id"].as_str(), first_word(&token["name"])) {
                server.delete(&format!("/api/v1/token/{id}")).await.ok();
            }
        }
        let revoked = self.state().revoked.clone();
        for secret in revoked.iter().rev().take(if is_last { usize::MAX } else { 20 }) {
            let status = server.get_as(secret, "/api/v1/workspaces").await.status;
            self.expect(status == 401, || format!("a revoked token is answered {status}"));
        }
    }

    fn expect(&self, holds: bool, what: impl FnOnce() -> String) {
        let mut state = self.state();
        state.checks += 1;
        if !holds {
            state.lost.push(what());
        }
    }
}

fn first_word(text: &Value) -> Option<&str> {
    text.as_str()?.split(' ').next()
}
