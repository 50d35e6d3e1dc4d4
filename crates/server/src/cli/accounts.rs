//! `rowhouse account …`

use clap::{Args, Subcommand};
use rowhouse_model::{Account, CreateAccount};

use super::connection::ConnectionFlags;
use super::failure::Failure;
use super::listing::{ListFormat, print_all, print_one};

/// What can be done with accounts.
#[derive(Debug, Subcommand)]
pub(super) enum AccountCommand {
    /// Make an account (admins)
    Create(Create),
    /// List the accounts (admins and owners)
    List(List),
}

#[derive(Debug, Args)]
pub(super) struct Create {
    /// Its user name
    username: String,
    /// Whether it may do everything everywhere
    #[arg(long)]
    admin: bool,
    /// How it is printed
    #[arg(long, value_enum, default_value_t)]
    format: ListFormat,
    #[command(flatten)]
    connection: ConnectionFlags,
}

#[derive(Debug, Args)]
pub(super) struct List {
    /// How it is printed
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
                print_one(format, &account, HEADERS, cells)
            }
            Self::List(List { format, connection }) => {
                print_all(format, &connection.client()?.accounts().await?, HEADERS, cells)
            }
        }
    }
}

const HEADERS: &[&str] = &["username", "admin", "id"];

fn cells(account: &Account) -> Vec<String> {
    let Account { id, username, is_admin } = account;
    vec![username.clone(), if *is_admin { "yes" } else { "no" }.to_owned(), id.to_string()]
}
