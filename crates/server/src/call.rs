//! One request as an endpoint sees it. The order of checks is the same everywhere:
//!
//! 1. the route: an unknown path is 404, a method it does not know 405, with or without a token (D6);
//! 2. the token: 401 `UNAUTHORIZED`, before the body is read;
//! 3. the body as one JSON object, then `workspaceId`, in the query string or in the body: 400;
//! 4. the workspace: 404 if there is none, 401 `PERMISSION_DENIED` if it is not the caller's (D6);
//! 5. the role, before any id is looked up: 401 `PERMISSION_DENIED` (D6);
//! 6. the id in the path: 404;
//! 7. the other parameters and fields: 400 naming them (D2, D7);
//! 8. the state of what was named: not finished, expired, not ready, disabled.
//!
//! Interface B puts required filters between the last two (D24).

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use http::HeaderMap;
use rowhouse_engine::{Access, KnownToken, Principal};
use rowhouse_model::{Role, WorkspaceId};

use crate::answer_memory::Reserved;
use crate::app::App;
use crate::audit::Note;
use crate::auth::{authenticate, authenticate_client, authenticate_reader};
use crate::body::RequestBody;
use crate::client_watch::ClientWatch;
use crate::config::Config;
use crate::encoders::Share;
use crate::error::{Error, Result};
use crate::object::Object;
use crate::parameters::Parameters;

/// Maximum length of an id that is looked up; the server's ids are far shorter.
const MAX_ID_BYTES: usize = 256;

/// What an answer has beside its texts.
const RECORD_BYTES: usize = 2 << 10;

/// One request.
#[derive(Debug)]
pub(crate) struct Call {
    /// The state that all requests share.
    pub(crate) app: Arc<App>,
    /// The configuration when it arrived.
    pub(crate) config: Arc<Config>,
    /// The client's address, if known.
    pub(crate) peer: Option<SocketAddr>,
    /// The prefix of its path (D1), for the addresses in the answer.
    pub(crate) base_path: String,
    /// The request's headers.
    pub(crate) headers: HeaderMap,
    /// Its query string.
    pub(crate) parameters: Parameters,
    /// Its body.
    pub(crate) body: RequestBody,
    /// The last token of its connection.
    pub(crate) known_token: Arc<KnownToken>,
    /// Notes for the logs.
    pub(crate) note: Arc<Note>,
    /// The reservation for its body, if it is large.
    pub(crate) body_memory: Option<Reserved>,
    /// The reservation for the answer to a change, made before it.
    pub(crate) answer_memory: Mutex<Option<Reserved>>,
    /// Notices when the client disconnects.
    pub(crate) client: ClientWatch,
}

impl Call {
    /// Moves the request to a task of its own, in which dropping the guard of `client` means that the client has
    /// disconnected. `self` is left without headers, query string and body memory.
    pub(crate) fn for_task(&mut self, client: ClientWatch) -> Self {
        Self {
            app: Arc::clone(&self.app),
            config: Arc::clone(&self.config),
            peer: self.peer,
            base_path: self.base_path.clone(),
            headers: std::mem::take(&mut self.headers),
            parameters: std::mem::replace(&mut self.parameters, Parameters::new(None)),
            body: RequestBody::none(),
            known_token: Arc::clone(&self.known_token),
            note: Arc::clone(&self.note),
            body_memory: self.body_memory.take(),
            answer_memory: Mutex::default(),
            client,
        }
    }

    /// Discards what nobody reads any more: the headers, and the rest of the body.
    pub(crate) async fn discard(&mut self) {
        drop(std::mem::take(&mut self.headers));
        self.body.drain().await;
    }

    /// The output of `work`, which is dropped if the client disconnects first.
    pub(crate) async fn while_client_waits<T>(&self, work: impl Future<Output = T>) -> Result<T> {
        tokio::select! {
            outcome = work => Ok(outcome),
            // Nobody reads the answer.
            () = self.client.left() => Err(Error::invalid("the client has gone")),
        }
    }

    /// The caller.
    pub(crate) fn principal(&self) -> Result<Principal> {
        let principal = authenticate(self.app.engine.accounts(), &self.known_token, &self.headers)?;
        Ok(self.known(principal))
    }

    /// The caller of a read of an endpoint or a view, which accepts a narrowed token.
    pub(crate) fn reader(&self) -> Result<Principal> {
        let principal = authenticate_reader(self.app.engine.accounts(), &self.known_token, &self.headers)?;
        Ok(self.known(principal))
    }

    /// The caller in Trino's client protocol, which has other forms of credentials.
    pub(crate) fn protocol_principal(&self) -> Result<Principal> {
        let principal = authenticate_client(
            self.app.engine.accounts(),
            &self.known_token,
            &self.headers,
            self.is_local(),
        )?;
        Ok(self.known(principal))
    }

    /// Whether the client is on this machine.
    pub(crate) fn is_local(&self) -> bool {
        self.peer.is_some_and(|peer| peer.ip().to_canonical().is_loopback())
    }

    /// Records the caller for the logs.
    pub(crate) fn known(&self, principal: Principal) -> Principal {
        self.note.account(&principal.account);
        principal
    }

    /// The caller, in the workspace that the query string names, with at least this role.
    pub(crate) fn access_by_query(&self, role: Role) -> Result<Access> {
        let principal = self.principal()?;
        let workspace = self.parameters.required("workspaceId")?;
        self.access(&principal, workspace, role)
    }

    /// The caller, and the body.
    pub(crate) async fn principal_and_object(&mut self) -> Result<(Principal, Object)> {
        let principal = self.principal()?;
        self.body_memory = self.body.reserve(&self.app.answer_memory.portion(&Share::of(&self.note))).await?;
        let object = Object::parse(&self.body.read().await?)?;
        self.note.body(&object);
        Ok((principal, object))
    }

    /// Reserves memory for the answer to a change before it is made, because that answer is sent in any case (D165). `texts` are
    /// what it repeats.
    ///
    /// # Errors
    /// `OutOfAnswerMemory`, `AnswerTooLarge`: the caller does not read its answers.
    pub(crate) fn reserve_answer<'a>(&self, texts: impl IntoIterator<Item = Option<&'a str>>) -> Result<()> {
        let bytes = RECORD_BYTES + texts.into_iter().flatten().map(json_bytes).sum::<usize>();
        // What was reserved for the body then belongs to the answer.
        if self.body_memory.as_ref().is_some_and(|reserved| reserved.bytes() >= bytes) {
            return Ok(());
        }
        let reserved = self.app.answer_memory.portion(&Share::of(&self.note)).reserve_for_change(bytes)?;
        *self.answer_memory.lock().unwrap_or_else(PoisonError::into_inner) = Some(reserved);
        Ok(())
    }

    /// The caller, in the workspace that the body names, with at least this role, and the body.
    pub(crate) async fn access_by_body(&mut self, role: Role) -> Result<(Access, Object)> {
        let (principal, object) = self.principal_and_object().await?;
        let workspace = object.required_text("workspaceId")?;
        Ok((self.access(&principal, &workspace, role)?, object))
    }

    /// The caller in a workspace, with at least this role.
    pub(crate) fn access(&self, principal: &Principal, workspace: &str, role: Role) -> Result<Access> {
        let workspace = WorkspaceId::new(checked_id("workspace", workspace)?);
        self.note.workspace(workspace.as_str());
        let access = self.app.engine.workspaces().access(principal, &workspace)?;
        access.require(role)?;
        Ok(access)
    }
}

/// The length of a text in JSON.
fn json_bytes(text: &str) -> usize {
    let escaped = |byte| match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' | b'\x08' | b'\x0c' => 2,
        0..0x20 => 6,
        _ => 1,
    };
    text.bytes().map(escaped).sum()
}

/// An id of a path or a body: one that is longer than any real one is not looked up.
pub(crate) fn checked_id<'a>(what: &str, id: &'a str) -> Result<&'a str> {
    if id.len() <= MAX_ID_BYTES {
        return Ok(id);
    }
    let message = format!("there is no {what} with an id of {} bytes", id.len());
    Err(Error::Engine(rowhouse_engine::Error::new(rowhouse_engine::ErrorKind::NotFound, message)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_of_a_text_in_json_is_known_before_it_is_written() {
        let text: String = ('\0'..'\u{200}').collect();
        let written = serde_json::to_string(&text).expect("a text");
        assert_eq!(json_bytes(&text), written.len() - 2);
    }
}
