//! Files of a workspace, as Canner's client uploads and downloads them: it requests a link, and the link needs no
//! token.

pub(super) mod download;
pub(super) mod link;
pub(super) mod upload;

use rowhouse_engine::{FileGrant, FileLink, FilePath};
use rowhouse_model::WorkspaceId;

use crate::call::{Call, checked_id};
use crate::error::{Error, Result};

/// The content of a link after its signature was checked.
fn granted(call: &Call, is_upload: bool) -> Result<FileGrant> {
    let link = FileLink {
        workspace_id: WorkspaceId::new(checked_id("workspace", call.parameters.required("workspaceId")?)?),
        path: FilePath::new(call.parameters.required("path")?)?,
        is_upload,
        expires_at: call
            .parameters
            .count("expires")?
            .ok_or_else(|| Error::invalid("parameter expires is missing"))?,
    };
    let signature = call.parameters.required("signature")?;
    let grant = call.app.engine.result_links().check_file(&link, signature, call.app.clock.now())?;
    call.note.workspace(link.workspace_id.as_str());
    Ok(grant)
}
