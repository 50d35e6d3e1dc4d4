//! `GET /api/getSignedUrl` and `GET /api/putSignedUrl`: a link for downloading and one for uploading a file of the
//! workspace.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use rowhouse_engine::{FileLink, FilePath};
use rowhouse_model::Role;
use serde_json::json;

use crate::call::Call;
use crate::error::Result;
use crate::response::{Answer, json};
use crate::routes::statement::address::base;

pub(crate) fn answer(call: &Call, is_upload: bool) -> Result<Answer> {
    let access = call.access_by_query(Role::Analyst)?;
    let path = FilePath::new(call.parameters.required("objectName")?)?;
    if !is_upload {
        call.app.engine.files().check(&access, &path)?;
    }
    let now_seconds = u64::try_from(call.app.clock.now().as_millis() / 1000).unwrap_or(0);
    let lifetime = call.app.config.get().signed_url_expiry;
    let workspace_id = access.workspace.id.clone();
    let expires_at = now_seconds.saturating_add(lifetime.as_secs());
    let link = FileLink { workspace_id, path, is_upload, expires_at };
    let url = format!(
        "{}/api/v1/file?workspaceId={}&path={}&expires={expires_at}&signature={}",
        base(call),
        link.workspace_id.as_str(),
        utf8_percent_encode(link.path.as_str(), NON_ALPHANUMERIC),
        call.app.engine.result_links().sign_file(&link)
    );
    if is_upload {
        // The client returns it as a header of the upload; the link contains everything.
        return json(
            &json!({"signedUrl": url, "fileInfoId": link.path.as_str().escape_default().to_string()}),
        );
    }
    json(&json!({ "signedUrl": url }))
}
