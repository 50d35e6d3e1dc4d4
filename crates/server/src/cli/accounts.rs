//! `rowhouse account …`

use clap::{Args, Subcommand};
use rowhouse_model::{Account, CreateAccount};

use super::connection::ConnectionFlags;
use super::failure::Failure;
use super::listing::{ListFormat, ListOfServer, Listed, print_all, print_one};

/// What can be done with accounts.
#[derive(Debug, Subcommand)]
pub(super) enum AccountCommand {
    /// Create an account (admins)
    Create(Create),
    /// List the accounts (admins and owners)
    List(ListOfServer),
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

impl AccountCommand {
    pub(super) async fn run(self) -> Result<(), Failure> {
        match self {
            Self::Create(Create { username, admin, format, connection }) => {
                let body = CreateAccount { username, is_admin: Some(admin) };
                let account = connection.client()?.create_account(&body).await?;
                print_one(format, &account)
            }
            Self::List(ListOfServer { format, connection }) => {
                print_all(format, &connection.client()?.accounts().await?)
            }
        }
    }
}

impl Listed for Account {
    const HEADERS: &'static [&'static str] = &["username", "admin", "id"];

    fn cells(&self) -> Vec<String> {
        let Account { id, username, is_admin } = self;
        vec![username.clone(), if *is_admin { "yes" } else { "no" }.to_owned(), id.to_string()]
    }
}
