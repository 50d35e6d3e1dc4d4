//! `rowhouse account …`

use clap::{Args, Subcommand};
use rowhouse_model::{Account, CreateAccount, UpdateAccount};

use super::connection::ConnectionFlags;
use super::failure::Failure;
use super::listing::{ListFormat, ListOfServer, Listed, print_all, print_one};
use super::workspaces::find_account;

/// Commands for accounts.
#[derive(Debug, Subcommand)]
pub(super) enum AccountCommand {
    /// Create an account (admins)
    Create(Create),
    /// List accounts (admins and owners)
    List(ListOfServer),
    /// Grant or revoke the admin right, disable or enable an account (admins)
    Update(Update),
}

#[derive(Debug, Args)]
pub(super) struct Create {
    /// User name of the new account
    username: String,
    /// Whether the account is an admin, who may do everything in all workspaces
    #[arg(long)]
    admin: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: ListFormat,
    #[command(flatten)]
    connection: ConnectionFlags,
}

#[derive(Debug, Args)]
pub(super) struct Update {
    /// User name or id of the account
    account: String,
    /// Whether the account is an admin, who may do everything in all workspaces
    #[arg(long)]
    admin: Option<bool>,
    /// Whether the account is disabled: its tokens are refused
    #[arg(long)]
    disabled: Option<bool>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: ListFormat,
    #[command(flatten)]
    connection: ConnectionFlags,
}

impl AccountCommand {
    pub(super) async fn run(self) -> Result<(), Failure> {
        match self {
            Self::Create(Create { username, admin, format, connection }) => {
                let body = CreateAccount { username, is_admin: Some(admin) };
                let account = connection.client()?.create_account(&body).await?;
                print_one(format, &account)
            }
            Self::Update(Update { account, admin, disabled, format, connection }) => {
                let client = connection.client()?;
                let id = find_account(&client.accounts().await?, &account)?.id.clone();
                let change = UpdateAccount { is_admin: admin, is_disabled: disabled };
                print_one(format, &client.update_account(&id, &change).await?)
            }
            Self::List(ListOfServer { format, connection }) => {
                print_all(format, &connection.client()?.accounts().await?)
            }
        }
    }
}

impl Listed for Account {
    const HEADERS: &'static [&'static str] = &["username", "admin", "disabled", "id"];

    fn cells(&self) -> Vec<String> {
        let Account { id, username, is_admin, is_disabled } = self;
        let word = |is_so: bool| if is_so { "yes" } else { "no" }.to_owned();
        vec![username.clone(), word(*is_admin), word(*is_disabled), id.to_string()]
    }
}
