//! The server, the account and the workspace of a command.

use std::path::PathBuf;

use clap::Args;
use rowhouse_client::{Client, RetryPolicy, WorkspaceClient};
use rowhouse_engine::ADMIN_TOKEN_FILE;
use rowhouse_filters::nearest;
use rowhouse_model::Workspace;

use super::failure::Failure;

/// Flags of every command that talks to a server.
#[derive(Debug, Args)]
pub(super) struct ConnectionFlags {
    /// Address of the server
    #[arg(long, value_name = "URL", env = "ROWHOUSE_SERVER", default_value = "http://127.0.0.1:8080")]
    server: String,
    /// Personal access token [default: the admin's token in DATA_DIR/admin-token]
    #[arg(long, value_name = "TOKEN", env = "ROWHOUSE_TOKEN", hide_env_values = true)]
    token: Option<String>,
    /// PEM file of trusted certificate authorities [default: those of the system]
    #[arg(long, value_name = "FILE", env = "ROWHOUSE_CA_CERTIFICATE")]
    ca_certificate: Option<PathBuf>,
    /// Data directory of a server on this machine, to read the admin's token
    #[arg(long, value_name = "FOLDER", env = "ROWHOUSE_DATA_DIR", default_value = "rowhouse-data")]
    data_dir: PathBuf,
}

/// Flags of every command about a workspace.
#[derive(Debug, Args)]
pub(super) struct WorkspaceFlags {
    /// SQL name or id of the workspace [default: the only one]
    #[arg(short, long, value_name = "NAME", env = "ROWHOUSE_WORKSPACE")]
    workspace: Option<String>,
    #[command(flatten)]
    connection: ConnectionFlags,
}

impl ConnectionFlags {
    pub(super) fn client(&self) -> Result<Client, Failure> {
        let builder = Client::builder(&self.server);
        let builder =
            match &self.ca_certificate {
                Some(path) => builder.certificate_authorities(std::fs::read(path).map_err(|error| {
                    Failure::Usage(format!("--ca-certificate {}: {error}", path.display()))
                })?),
                None => builder,
            };
        let client = builder
            .token(self.token()?)
            .user_agent(concat!("rowhouse-cli/", env!("CARGO_PKG_VERSION")))
            // A person waits: fail soon if there is no server.
            .retry(RetryPolicy { max_attempts: 3, ..RetryPolicy::default() })
            .build()?;
        Ok(client)
    }

    fn token(&self) -> Result<String, Failure> {
        if let Some(token) = self.token.as_ref().filter(|token| !token.is_empty()) {
            return Ok(token.clone());
        }
        let path = self.data_dir.join(ADMIN_TOKEN_FILE);
        std::fs::read_to_string(&path).map_err(|error| {
            Failure::Usage(format!(
                "no token: give --token or set ROWHOUSE_TOKEN; on the server's machine, --data-dir finds the \
                 admin's ({}: {error})",
                path.display()
            ))
        })
    }
}

impl WorkspaceFlags {
    /// The named workspace, or the only one.
    pub(super) async fn open(&self) -> Result<WorkspaceClient, Failure> {
        let client = self.connection.client()?;
        let workspaces = client.workspaces().await?;
        let workspace = match self.workspace.as_ref().filter(|name| !name.is_empty()) {
            Some(name) => named(&workspaces, name)?,
            None => only(&workspaces)?,
        };
        Ok(client.workspace(workspace.id.clone()))
    }
}

fn named<'w>(workspaces: &'w [Workspace], name: &str) -> Result<&'w Workspace, Failure> {
    let is_meant = |workspace: &&Workspace| workspace.sql_name == name || workspace.id.as_str() == name;
    workspaces.iter().find(is_meant).ok_or_else(|| {
        let names = workspaces.iter().map(|workspace| workspace.sql_name.as_str());
        let hint = nearest(name, names).map_or(String::new(), |near| format!("; did you mean '{near}'?"));
        Failure::Refused(format!("there is no workspace '{name}' that you may enter{hint}"))
    })
}

fn only(workspaces: &[Workspace]) -> Result<&Workspace, Failure> {
    match workspaces {
        [workspace] => Ok(workspace),
        [] => Err(Failure::Refused("there is no workspace that you may enter".to_owned())),
        several => {
            let names: Vec<&str> = several.iter().map(|workspace| workspace.sql_name.as_str()).collect();
            Err(Failure::Usage(format!("which workspace? Give --workspace: {}", names.join(", "))))
        }
    }
}

#[cfg(test)]
mod tests {
    use rowhouse_model::{EngineKind, Role, Workspace, WorkspaceId};

    use super::{Failure, named, only};

    fn workspace(id: &str, sql_name: &str) -> Workspace {
        Workspace {
            id: WorkspaceId::new(id),
            sql_name: sql_name.to_owned(),
            title: String::new(),
            engine: EngineKind::Polars,
            role: Role::Owner,
        }
    }

    #[test]
    fn a_workspace_is_found_by_name_and_by_id() {
        let all = [workspace("w1", "demo"), workspace("w2", "sales")];
        assert_eq!(named(&all, "sales").expect("by name").id.as_str(), "w2");
        assert_eq!(named(&all, "w1").expect("by id").sql_name, "demo");
        let Err(Failure::Refused(message)) = named(&all, "sale") else { panic!("found") };
        assert_eq!(message, "there is no workspace 'sale' that you may enter; did you mean 'sales'?");
    }

    #[test]
    fn without_a_name_there_must_be_exactly_one_workspace() {
        let all = [workspace("w1", "demo"), workspace("w2", "sales")];
        assert_eq!(only(&all[..1]).expect("just one").id.as_str(), "w1");
        assert!(matches!(only(&[]), Err(Failure::Refused(_))));
        let Err(Failure::Usage(message)) = only(&all) else { panic!("chose one") };
        assert_eq!(message, "which workspace? Give --workspace: demo, sales");
    }
}
