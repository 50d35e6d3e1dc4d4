//! Workspaces and their members. An [`Access`] is the proof that a caller may enter one, and the first argument of
//! every method that acts inside a workspace (D6).

use std::fmt;
use std::sync::Arc;

use dashmap::DashMap;
use rowhouse_model::{
    CreateWorkspace, EngineKind, LimitSettings, Member, Role, SetMember, Workspace, WorkspaceId,
    WorkspaceLimits, WorkspaceMember,
};

use crate::accounts::{Accounts, Principal};
use crate::error::{Error, ErrorKind, Result};
use crate::id_source::IdSource;
use crate::limits::Limits;
use crate::memberships::Memberships;
use crate::metrics::WorkspaceLoad;
use crate::names;
use crate::result_links::{StatementGrant, StatementLink};
use crate::store::workspaces::WorkspaceRecord;
use crate::store::{self, Store};
use rowhouse_executor::clock::Clock;
use rowhouse_executor::{Executor, INFORMATION_SCHEMA};

mod access;
#[cfg(test)]
pub(crate) mod fixture;
#[cfg(test)]
mod tests;

pub use access::Access;

/// All workspaces.
pub struct Workspaces {
    state: Arc<State>,
    parts: WorkspaceParts,
}

/// The parts of the engine that workspaces work with.
pub(crate) struct WorkspaceParts {
    pub(crate) store: Arc<Store>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Arc<dyn IdSource>,
    pub(crate) accounts: Arc<Accounts>,
    pub(crate) memberships: Arc<Memberships>,
    pub(crate) executor: Arc<dyn Executor>,
    /// The engine of a new workspace that names none.
    pub(crate) default_engine: EngineKind,
    pub(crate) limits: Arc<Limits>,
}

/// Changed only after a commit, in the order of the commits.
#[derive(Default)]
struct State {
    by_id: DashMap<WorkspaceId, Arc<WorkspaceRecord>>,
    by_sql_name: DashMap<String, Arc<WorkspaceRecord>>,
}

impl Workspaces {
    /// Loads the workspaces from the store. Blocking.
    pub(crate) fn open(parts: WorkspaceParts) -> Result<Self> {
        let state = State::default();
        for (workspace, own) in parts.store.read(store::workspaces::load)? {
            parts.limits.hold(&workspace.id, own);
            state.hold(workspace);
        }
        Ok(Self { state: Arc::new(state), parts })
    }

    /// Checks that the caller may enter a workspace.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`]: no such workspace; [`ErrorKind::PermissionDenied`]: the caller is not a member (D6);
    /// [`ErrorKind::TooManyRequests`] of the token.
    pub fn access(&self, principal: &Principal, id: &WorkspaceId) -> Result<Access> {
        self.enter_counted(principal, self.known(id)?)
    }

    /// As [`access`](Self::access), but no request of the token is counted: to look for something in several workspaces, of which
    /// only the one that has it is then entered.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`]; [`ErrorKind::PermissionDenied`].
    pub fn access_to_search(&self, principal: &Principal, id: &WorkspaceId) -> Result<Access> {
        self.enter(principal, self.known(id)?)
    }

    fn known(&self, id: &WorkspaceId) -> Result<Arc<WorkspaceRecord>> {
        self.get(id).ok_or_else(|| {
            let id = rowhouse_model::excerpt(id.as_str());
            Error::new(ErrorKind::NotFound, format!("no workspace has the id '{id}'"))
        })
    }

    /// As [`access`](Self::access), by the name in Interface B's path.
    ///
    /// # Errors
    ///
    /// As for [`access`](Self::access).
    pub fn access_by_sql_name(&self, principal: &Principal, sql_name: &str) -> Result<Access> {
        let workspace = self.state.by_sql_name.get(sql_name).map(|entry| Arc::clone(entry.value()));
        let workspace = workspace.ok_or_else(|| {
            let sql_name = rowhouse_model::excerpt(sql_name);
            Error::new(ErrorKind::NotFound, format!("no workspace has the SQL name '{sql_name}'"))
        })?;
        self.enter_counted(principal, workspace)
    }

    /// Access of a statement's client, by the statement's address and the credentials that it sent with it, if any.
    /// Without credentials the client has the rights of the token that submitted the statement (D172).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unauthorized`]: the credentials are another account's, or that token was revoked or has expired, or
    /// its account is disabled; [`ErrorKind::NotFound`]: the workspace is gone; [`ErrorKind::PermissionDenied`]: the
    /// account has left the workspace since.
    pub fn access_by_grant(&self, grant: &StatementGrant, caller: Option<Principal>) -> Result<Access> {
        let StatementLink { account_id, token_id, workspace_id, .. } = grant.link();
        let principal = match caller {
            Some(caller) => caller,
            None => self.parts.accounts.owner_of(token_id).map_err(|_| {
                let message =
                    "the statement's token was revoked or has expired, and its addresses are valid no longer";
                Error::new(ErrorKind::Unauthorized, message)
            })?,
        };
        if principal.account.id != *account_id {
            return Err(Error::new(ErrorKind::Unauthorized, "the statement is another account's"));
        }
        principal.require_whole()?;
        let workspace = self.get(workspace_id);
        let workspace = workspace.ok_or_else(|| Error::new(ErrorKind::NotFound, "Query not found"))?;
        self.enter(&principal, workspace)
    }

    /// The workspaces that the caller may see, by SQL name.
    pub fn list(&self, principal: &Principal) -> Vec<Workspace> {
        let mut workspaces: Vec<_> = self
            .state
            .by_id
            .iter()
            .filter_map(|entry| {
                let role = self.role(principal, entry.key())?;
                Some(shown(entry.value(), role))
            })
            .collect();
        workspaces.sort_by(|left, right| left.sql_name.cmp(&right.sql_name));
        workspaces
    }

    /// The workspaces that the caller may read in, by SQL name; for a narrowed token, those of its grants.
    pub fn readable(&self, principal: &Principal) -> Vec<Workspace> {
        let mut workspaces = self.list(principal);
        if let Some(grants) = &principal.grants {
            let is_named =
                |workspace: &Workspace| grants.iter().any(|stored| stored.grant.workspace_id == workspace.id);
            workspaces.retain(is_named);
        }
        workspaces
    }

    /// The other workspaces of the embedded engine whose tables a statement of this caller may name, by SQL name
    /// (D127): those that the caller may query.
    pub(crate) fn others(&self, access: &Access) -> Vec<Access> {
        if access.require(Role::Analyst).is_err() {
            return Vec::new();
        }
        let other = |workspace: Arc<WorkspaceRecord>| {
            let is_other = workspace.id != access.workspace.id && !workspace.engine.is_trino();
            let role = self.role(&access.principal, &workspace.id).filter(|role| *role >= Role::Analyst);
            let role = role.filter(|_| is_other)?;
            Some(Access { principal: access.principal.clone(), workspace, role })
        };
        let all: Vec<_> = self.state.by_id.iter().map(|entry| Arc::clone(entry.value())).collect();
        let mut others: Vec<_> = all.into_iter().filter_map(other).collect();
        others.sort_by(|left, right| left.workspace.sql_name.cmp(&right.workspace.sql_name));
        others
    }

    /// Whether the caller may query a workspace now.
    pub(crate) fn may_query(&self, principal: &Principal, id: &WorkspaceId) -> bool {
        principal.grants.is_none()
            && self.state.by_id.contains_key(id)
            && self.role(principal, id).is_some_and(|role| role >= Role::Analyst)
    }

    /// Makes a workspace without members.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PermissionDenied`] unless the caller is an admin, [`ErrorKind::InvalidArguments`],
    /// [`ErrorKind::NotSupported`] for an engine that this server does not have, [`ErrorKind::AlreadyExists`].
    pub async fn create(&self, principal: &Principal, request: CreateWorkspace) -> Result<Workspace> {
        principal.require_admin("creating a workspace")?;
        let CreateWorkspace { title, sql_name, engine } = request;
        names::check_title("title", &title)?;
        names::check_sql_name("sqlName", &sql_name)?;
        let taken =
            || Error::new(ErrorKind::AlreadyExists, format!("a workspace '{sql_name}' exists already"));
        if sql_name == INFORMATION_SCHEMA {
            return Err(taken());
        }
        let engine = engine.unwrap_or_else(|| self.parts.default_engine.clone());
        if engine.is_trino() && !self.parts.executor.has(&engine) {
            let clusters = self.parts.executor.clusters();
            let known: Vec<_> = clusters.iter().map(|cluster| cluster.name.as_str()).collect();
            let known = match known.as_slice() {
                [] => "it has no Trino cluster at all".to_owned(),
                known => format!("its clusters are {}", known.join(", ")),
            };
            let message = format!("'{engine}' is not in this server's configuration; {known}");
            return Err(Error::new(ErrorKind::NotSupported, message));
        }
        let id = WorkspaceId::new(self.parts.ids.new_id());
        let workspace = WorkspaceRecord { id, sql_name: sql_name.clone(), title, engine };
        let now = self.parts.clock.now();
        let (state, limits) = (Arc::clone(&self.state), Arc::clone(&self.parts.limits));
        let stored = self.parts.store.write_then(
            move |transaction| store::workspaces::insert(transaction, &workspace, now).map(|()| workspace),
            move |workspace| {
                limits.hold(&workspace.id, WorkspaceLimits::default());
                state.hold(workspace)
            },
        );
        let workspace = stored.await.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => taken(),
            _ => error,
        })?;
        Ok(shown(&workspace, Role::Owner))
    }

    /// The members of the workspace, by name. Admins count as owners everywhere and are listed only if they were given
    /// a role (D6).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PermissionDenied`] unless the caller is an owner.
    pub fn members(&self, access: &Access) -> Result<Vec<WorkspaceMember>> {
        access.require(Role::Owner)?;
        let members = self.parts.memberships.of_workspace(&access.workspace.id).into_iter();
        let mut members: Vec<_> = members
            .filter_map(|(account_id, role)| {
                let username = self.parts.accounts.get(&account_id)?.username.clone();
                Some(WorkspaceMember { account_id, username, role })
            })
            .collect();
        members.sort_by(|left, right| left.username.cmp(&right.username));
        Ok(members)
    }

    /// Gives an account a role, or removes its membership.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PermissionDenied`] unless the caller is an owner, [`ErrorKind::NotFound`] for an unknown account.
    pub async fn set_member(&self, access: &Access, request: SetMember) -> Result<Member> {
        access.require(Role::Owner)?;
        let SetMember { account_id, role } = request;
        if self.parts.accounts.get(&account_id).is_none() {
            let id = rowhouse_model::excerpt(account_id.as_str());
            return Err(Error::new(ErrorKind::NotFound, format!("no account has the id '{id}'")));
        }
        let member = Member { account_id, workspace_id: access.workspace.id.clone(), role };
        let memberships = Arc::clone(&self.parts.memberships);
        let stored = self.parts.store.write_then(
            move |transaction| {
                let Member { account_id, workspace_id, role } = &member;
                match *role {
                    Some(role) => store::members::set(transaction, workspace_id, account_id, role)?,
                    None => store::members::delete(transaction, workspace_id, account_id)?,
                }
                Ok(member)
            },
            move |member| {
                memberships.set(&member);
                member
            },
        );
        stored.await
    }

    /// Replaces all limits of the workspace; effective for what begins from now on.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PermissionDenied`] unless the caller is an admin.
    pub async fn set_limits(&self, access: &Access, own: WorkspaceLimits) -> Result<LimitSettings> {
        access.require_admin("setting a workspace's limits")?;
        let id = access.workspace.id.clone();
        let (limits, held) = (Arc::clone(&self.parts.limits), id.clone());
        let stored = self.parts.store.write_then(
            move |transaction| store::workspaces::set_limits(transaction, &id, own),
            move |()| {
                limits.hold(&held, own);
                limits.settings(&held)
            },
        );
        stored.await
    }

    /// Usage of the workspaces that use anything, by SQL name.
    pub(crate) fn loads(
        &self,
        load_of: impl Fn(&WorkspaceId) -> WorkspaceLoad,
    ) -> Vec<(String, WorkspaceLoad)> {
        let loads = self.state.by_id.iter().map(|entry| (entry.sql_name.clone(), load_of(entry.key())));
        let mut loads: Vec<_> = loads.filter(|(_, load)| *load != WorkspaceLoad::default()).collect();
        loads.sort_by(|left, right| left.0.cmp(&right.0));
        loads
    }

    /// The workspace with this id, without a check of access: for the server's own work.
    pub(crate) fn get(&self, id: &WorkspaceId) -> Option<Arc<WorkspaceRecord>> {
        self.state.by_id.get(id).map(|entry| Arc::clone(entry.value()))
    }

    /// As [`enter`](Self::enter), and counts the token's request.
    fn enter_counted(&self, principal: &Principal, workspace: Arc<WorkspaceRecord>) -> Result<Access> {
        let access = self.enter(principal, workspace)?;
        let limits = &self.parts.limits;
        if limits.counts_requests(&access.workspace.id) {
            limits.count_request(&principal.token_id, &access.workspace.id, self.parts.clock.monotonic())?;
        }
        Ok(access)
    }

    fn enter(&self, principal: &Principal, workspace: Arc<WorkspaceRecord>) -> Result<Access> {
        match self.role(principal, &workspace.id) {
            Some(role) => Ok(Access { principal: principal.clone(), workspace, role }),
            None => Err(Error::new(
                ErrorKind::PermissionDenied,
                "the token's owner may not access this workspace",
            )),
        }
    }

    fn role(&self, principal: &Principal, id: &WorkspaceId) -> Option<Role> {
        if principal.account.is_admin {
            return Some(Role::Owner);
        }
        self.parts.memberships.role(&principal.account.id, id)
    }
}

impl State {
    fn hold(&self, workspace: WorkspaceRecord) -> Arc<WorkspaceRecord> {
        let workspace = Arc::new(workspace);
        self.by_id.insert(workspace.id.clone(), Arc::clone(&workspace));
        self.by_sql_name.insert(workspace.sql_name.clone(), Arc::clone(&workspace));
        workspace
    }
}

fn shown(workspace: &WorkspaceRecord, role: Role) -> Workspace {
    let WorkspaceRecord { id, sql_name, title, engine } = workspace.clone();
    Workspace { id, sql_name, title, engine, role }
}

impl fmt::Debug for Workspaces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workspaces").field("workspaces", &self.state.by_id.len()).finish_non_exhaustive()
    }
}
