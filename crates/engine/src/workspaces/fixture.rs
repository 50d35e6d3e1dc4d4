//! Test fixture: a store in a temporary folder, a manual clock, predictable ids, and accounts with tokens.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use rowhouse_model::{
    Column, CreateAccount, CreateToken, CreateWorkspace, EngineKind, QueryError, Role, SetMember,
    TableFormat, Timestamp,
};
use tempfile::TempDir;

use super::{Access, WorkspaceParts, Workspaces};
use crate::accounts::{Accounts, Principal};
use crate::disk::Disk;
use crate::id_source::SequentialIdSource;
use crate::limits::Limits;
use crate::memberships::Memberships;
use crate::store::{DATABASE_FILE, Store};
use rowhouse_executor::clock::ManualClock;
use rowhouse_executor::{BoxFuture, EventSink, Execution, Executor, Statement, TableDescription};

/// Workspaces use it only for the available engines.
#[derive(Debug)]
struct NoExecutor;

impl Executor for NoExecutor {
    fn execute(&self, _: Statement, _: EventSink) -> BoxFuture<'_, Result<Execution, QueryError>> {
        unreachable!("no statement runs here")
    }

    fn analyze(&self, _: Statement) -> BoxFuture<'_, Result<Vec<Column>, QueryError>> {
        unreachable!("no statement is planned here")
    }

    fn describe(&self, _: String, _: TableFormat) -> BoxFuture<'_, Result<TableDescription, QueryError>> {
        unreachable!("no table is looked at here")
    }

    fn wake(&self) -> BoxFuture<'_, Result<(), QueryError>> {
        Box::pin(async { Ok(()) })
    }

    fn rest(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {})
    }
}

pub(crate) struct Fixture {
    pub(crate) folder: TempDir,
    pub(crate) store: Arc<Store>,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) ids: Arc<SequentialIdSource>,
    pub(crate) accounts: Arc<Accounts>,
    pub(crate) workspaces: Arc<Workspaces>,
    pub(crate) admin: Principal,
}

impl Fixture {
    pub(crate) async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(ManualClock::new("2026-01-31T08:00:00.000Z".parse::<Timestamp>().unwrap()));
        Self::open(folder, clock, Arc::new(SequentialIdSource::default())).await
    }

    /// As after a restart of the server.
    pub(crate) async fn reopen(self) -> Self {
        let Self { folder, store, clock, ids, accounts, workspaces, admin: _ } = self;
        store.close();
        drop((store, accounts, workspaces));
        Self::open(folder, clock, ids).await
    }

    async fn open(folder: TempDir, clock: Arc<ManualClock>, ids: Arc<SequentialIdSource>) -> Self {
        let store = Store::open(&folder.path().join(DATABASE_FILE)).unwrap();
        let memberships = Arc::new(Memberships::open(&store).unwrap());
        let accounts = Accounts::open(
            Arc::clone(&store),
            Arc::clone(&clock) as _,
            Arc::clone(&ids) as _,
            Arc::clone(&memberships),
            Disk::of(folder.path()),
        );
        let accounts = Arc::new(accounts.unwrap());
        let workspaces = Workspaces::open(WorkspaceParts {
            store: Arc::clone(&store),
            clock: Arc::clone(&clock) as _,
            ids: Arc::clone(&ids) as _,
            accounts: Arc::clone(&accounts),
            memberships,
            executor: Arc::new(NoExecutor),
            default_engine: EngineKind::Polars,
            limits: Arc::new(Limits::default()),
        });
        let workspaces = Arc::new(workspaces.unwrap());
        let (admin, _) = accounts.bootstrap().await.unwrap();
        Self { folder, store, clock, ids, accounts, workspaces, admin }
    }

    /// A new account with a token.
    pub(crate) async fn person(&self, username: &str) -> Principal {
        let account = CreateAccount { username: username.to_owned(), is_admin: None };
        let account = self.accounts.create(&self.admin, account).await.unwrap();
        let token = CreateToken {
            name: "test".to_owned(),
            account_id: Some(account.id),
            expires_in_days: None,
            allow: None,
        };
        let token = self.accounts.create_token(&self.admin, token).await.unwrap();
        self.accounts.authenticate(&token.token).unwrap()
    }

    /// A new workspace, entered by the admin.
    pub(crate) async fn workspace(&self, sql_name: &str) -> Access {
        let workspace =
            CreateWorkspace { title: sql_name.to_owned(), sql_name: sql_name.to_owned(), engine: None };
        let workspace = self.workspaces.create(&self.admin, workspace).await.unwrap();
        self.workspaces.access(&self.admin, &workspace.id).unwrap()
    }

    /// A new account as a member.
    pub(crate) async fn member(&self, owner: &Access, username: &str, role: Role) -> Access {
        let principal = self.person(username).await;
        let member = SetMember { account_id: principal.account.id.clone(), role: Some(role) };
        self.workspaces.set_member(owner, member).await.unwrap();
        self.workspaces.access(&principal, &owner.workspace.id).unwrap()
    }
}
