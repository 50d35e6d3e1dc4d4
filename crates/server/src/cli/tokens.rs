//! `rowhouse token …`

use clap::{Args, Subcommand};
use rowhouse_model::{CreateToken, Timestamp, Token};

use super::connection::ConnectionFlags;
use super::failure::Failure;
use super::listing::{ListFormat, ListOfServer, Listed, print_all, print_json, print_text};
use super::workspaces::find_account;

/// Commands for personal access tokens.
#[derive(Debug, Subcommand)]
pub(super) enum TokenCommand {
    /// Create a token and print its secret, which is shown only once
    Create(Create),
    /// List tokens, without their secrets
    List(ListOfServer),
    /// Revoke a token and the tokens that it created
    Revoke(Revoke),
}

#[derive(Debug, Args)]
pub(super) struct Create {
    /// Name of the token
    name: String,
    /// User name or id of its owner; only admins may name another account [default: you]
    #[arg(long)]
    account: Option<String>,
    /// Days until it expires, 1 to 3650; 0 is never [default: 90]
    #[arg(long, value_name = "DAYS")]
    expires_in_days: Option<u32>,
    /// Output format; with `table` only the secret is on standard output
    #[arg(long, value_enum, default_value_t)]
    format: ListFormat,
    #[command(flatten)]
    connection: ConnectionFlags,
}

#[derive(Debug, Args)]
pub(super) struct Revoke {
    /// Id of the token
    id: String,
    /// Keep the tokens that it created (admins)
    #[arg(long)]
    keep_made: bool,
    #[command(flatten)]
    connection: ConnectionFlags,
}

impl TokenCommand {
    pub(super) async fn run(self) -> Result<(), Failure> {
        match self {
            Self::Create(command) => command.run().await,
            Self::List(ListOfServer { format, connection }) => {
                print_all(format, &connection.client()?.tokens().await?)
            }
            Self::Revoke(Revoke { id, keep_made, connection }) => {
                let (client, id) = (connection.client()?, id.as_str().into());
                match keep_made {
                    true => client.revoke_token_alone(&id).await?,
                    false => client.revoke_token(&id).await?,
                }
                Ok(())
            }
        }
    }
}

impl Create {
    async fn run(self) -> Result<(), Failure> {
        let client = self.connection.client()?;
        let account_id = match &self.account {
            Some(name) => Some(find_account(&client.accounts().await?, name)?.id.clone()),
            None => None,
        };
        let body =
            CreateToken { name: self.name, account_id, expires_in_days: self.expires_in_days, allow: None };
        let created = client.create_token(&body).await?;
        if self.format == ListFormat::Json {
            return print_json(&created);
        }
        // Only the secret is written to standard output, so that `TOKEN=$(rowhouse token create …)` works.
        eprintln!("token {} {}; its secret is shown this once:", created.id, expiry(created.expires_at));
        print_text(&format!("{}\n", created.token))
    }
}

impl Listed for Token {
    const HEADERS: &'static [&'static str] = &["name", "created", "expires", "last used", "account", "id"];

    fn cells(&self) -> Vec<String> {
        let Token { id, name, account_id, created_at, expires_at, parent_id: _, last_used_at, allow: _ } =
            self;
        let last_used_at = last_used_at.map_or_else(|| "never".to_owned(), |at| at.to_string());
        let expires_at = expires_at.map_or_else(|| "never".to_owned(), |at| at.to_string());
        vec![
            name.clone(),
            created_at.to_string(),
            expires_at,
            last_used_at,
            account_id.to_string(),
            id.to_string(),
        ]
    }
}

fn expiry(expires_at: Option<Timestamp>) -> String {
    expires_at.map_or_else(|| "never expires".to_owned(), |at| format!("expires at {at}"))
}
