//! `GET /api/v1/file`: downloads a file of a workspace, for the holder of a link to it.

use std::sync::Arc;

use http::HeaderValue;
use http::header::{CONTENT_DISPOSITION, X_CONTENT_TYPE_OPTIONS};

use super::granted;
use crate::call::Call;
use crate::compress::Coding;
use crate::encoders::Share;
use crate::error::Result;
use crate::response::Answer;
use crate::stream::{self, RowsHead};

/// For every file: no browser may show it as a page of this server.
const BYTES: HeaderValue = HeaderValue::from_static("application/octet-stream");

pub(crate) async fn answer(call: &Call) -> Result<Answer> {
    let grant = granted(call, false)?;
    let workspace_id = call.parameters.required("workspaceId")?.into();
    let head =
        RowsHead { content_type: BYTES, coding: Coding::Identity, memory: call.app.answer_memory.clone() };
    let engine = Arc::clone(&call.app.engine);
    let open = stream::opened_once(move || Ok(engine.files().read(&grant)?));
    let mut answer = stream::rows(&call.app.encoders, Share::Links(workspace_id), head, 0, open).await?;
    let headers = answer.headers_mut();
    headers.insert(CONTENT_DISPOSITION, HeaderValue::from_static("attachment"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    Ok(answer)
}
