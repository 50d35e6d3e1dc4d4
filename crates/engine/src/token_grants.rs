//! Grants of a narrowed token: endpoints with parameters that it fixes and views with filters that it adds. Names are
//! resolved when the token is created; a later object of the same name is a different one.

use rowhouse_filters::Filter;
use rowhouse_model::{CreateToken, CreatedToken, TokenGrant};

use crate::accounts::Principal;
use crate::endpoints::{Argument, Endpoint};
use crate::engine::Engine;
use crate::error::{Error, ErrorKind, Result};
use crate::store::tokens::{GrantTarget, StoredGrant};

/// Maximum number of endpoints and views of one token.
const MAX_GRANTS: usize = 50;
/// Maximum bytes of one token's fixed values: they are in memory.
const MAX_BYTES: usize = 16 << 10;

impl Engine {
    /// Creates a token for the caller or, if the caller is an admin, for another account; with `allow` it permits
    /// nothing else. It expires no later than the caller's own token and is revoked with it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PermissionDenied`], [`ErrorKind::NotFound`] for an unknown account, workspace, endpoint or view,
    /// [`ErrorKind::InvalidArguments`], also if the account has the maximum number of tokens;
    /// [`ErrorKind::Unauthorized`] if the caller's token was revoked meanwhile.
    pub async fn create_token(&self, principal: &Principal, request: CreateToken) -> Result<CreatedToken> {
        let grants = match &request.allow {
            None => None,
            Some(allow) => {
                principal.require_whole()?;
                check_size(allow)?;
                let mut grants = Vec::with_capacity(allow.len());
                for grant in allow {
                    grants.push(StoredGrant {
                        grant: grant.clone(),
                        target: self.target(principal, grant).await?,
                    });
                }
                Some(grants)
            }
        };
        self.accounts().create_narrowed_token(principal, request, grants).await
    }

    /// Resolves the target of a grant, for a caller who may read it.
    async fn target(&self, principal: &Principal, grant: &TokenGrant) -> Result<GrantTarget> {
        let TokenGrant { workspace_id, endpoint, view, parameters, filters } = grant;
        let access = self.workspaces().access(principal, workspace_id)?;
        match (endpoint, view) {
            (Some(name), None) if filters.is_empty() => {
                let entered = self.endpoints().find(&access, name)?;
                check_parameters(entered.endpoint(), grant)?;
                Ok(GrantTarget::Endpoint(entered.endpoint().id.clone()))
            }
            (None, Some(name)) if parameters.is_empty() => {
                let view = self.views().read(&access, name).await?;
                let names: Vec<&str> = view.columns.iter().map(|column| column.name.as_str()).collect();
                let columns = rowhouse_filters::ColumnNames::new(&names);
                for text in filters {
                    let filter = Filter::parse(text, &names).map_err(|error| refused(error.to_string()))?;
                    columns.resolve(filter.column()).map_err(|error| refused(error.to_string()))?;
                }
                Ok(GrantTarget::View(view.record.id.clone()))
            }
            _ => Err(refused(
                "an element names an endpoint, with the parameters that are fixed, or a view, with the filters that are \
                 added"
                    .to_owned(),
            )),
        }
    }
}

fn check_size(allow: &[TokenGrant]) -> Result<()> {
    if allow.is_empty() || allow.len() > MAX_GRANTS {
        return Err(refused(format!("it has 1 to {MAX_GRANTS} elements, found {}", allow.len())));
    }
    let bytes = serde_json::to_vec(allow).map_or(usize::MAX, |json| json.len());
    if bytes > MAX_BYTES {
        return Err(refused(format!("it has at most {MAX_BYTES} bytes as JSON, found {bytes}")));
    }
    Ok(())
}

/// Checks that every fixed value is valid for a call.
fn check_parameters(endpoint: &Endpoint, grant: &TokenGrant) -> Result<()> {
    for (name, parameter) in grant.parameters.iter() {
        let known = endpoint.parameters().iter().find(|known| known.name == name);
        let Some(known) = known else {
            return Err(refused(format!("the endpoint '{}' has no parameter {name}", endpoint.sql_name)));
        };
        if parameter.type_name.is_some() {
            return Err(refused(format!("the type of {name} is declared: give the value alone")));
        }
        known.argument(Some(&Argument::Value(parameter.value.clone()))).map_err(|message| {
            refused(format!("the value of {name}: {message} (expected {})", known.expected()))
        })?;
    }
    Ok(())
}

fn refused(message: String) -> Error {
    Error::new(ErrorKind::InvalidArguments, format!("field allow: {message}"))
}
