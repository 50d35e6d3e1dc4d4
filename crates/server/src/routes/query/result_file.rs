//! `GET /query/:id/result/file`: rows as a Parquet file for the holder of a signed link to them (D42). It needs no
//! token; the content of the link is trusted only after its signature was checked.

use http::HeaderValue;
use http::header::CONTENT_DISPOSITION;
use rowhouse_engine::{Envelope, ResultLink, RowFormat, RowSelection, RowShape, encode_in};
use rowhouse_model::{QueryId, WorkspaceId};

use super::result;
use crate::call::{Call, checked_id};
use crate::compress::Coding;
use crate::encoders::Share;
use crate::entity_tag::EntityTag;
use crate::error::Result;
use crate::response::Answer;
use crate::routes::row_format;
use crate::stream::{self, RowsHead};

pub(crate) async fn answer(call: &Call, id: &str) -> Result<Answer> {
    let number = |name: &str| -> Result<u64> {
        call.parameters.required(name)?;
        Ok(call.parameters.count(name)?.unwrap_or_default())
    };
    let link = ResultLink {
        workspace_id: WorkspaceId::new(checked_id("workspace", call.parameters.required("workspaceId")?)?),
        query_id: QueryId::new(checked_id("query", id)?),
        offset: number("offset")?,
        limit: number("limit")?,
        expires_at: number("expires")?,
    };
    let signature = call.parameters.required("signature")?;
    let engine = &call.app.engine;
    let grant = engine.result_links().check(&link, signature, call.app.clock.now())?;
    // Not before: until now it is unverified input.
    call.note.workspace(link.workspace_id.as_str());
    let granted = engine.queries().granted_result(&grant).await?;
    // A result never changes, and the link refers to one file of it (D118).
    let location = granted.record.location.clone().unwrap_or_default();
    let entity_tag = EntityTag::new(granted.row_count(), (location, link.offset, link.limit));
    // A Parquet file is compressed already.
    let head = RowsHead {
        content_type: row_format::content_type(RowFormat::Parquet),
        coding: Coding::Identity,
        memory: call.app.answer_memory.clone(),
    };
    let selection = RowSelection::Range { offset: link.offset, limit: link.limit };
    let open = move || -> Result<_> {
        let (shape, format) = (RowShape::Objects, RowFormat::Parquet);
        Ok(encode_in(
            granted.file,
            granted.record.projection(),
            selection,
            shape,
            format,
            Envelope::default(),
        )?)
    };
    // The holder of a link has no account.
    let share = Share::Links(link.workspace_id.clone());
    let rows = async || stream::rows(&call.app.encoders, share, head, 0, stream::opened_once(open)).await;
    let mut answer = result::tagged(call, &entity_tag, Coding::Identity, rows).await?;
    let name = format!("attachment; filename=\"{}-{}.parquet\"", link.query_id.as_str(), link.offset);
    // The server's ids consist of letters and digits; any other names no file.
    if let Ok(value) = HeaderValue::from_str(&name) {
        answer.headers_mut().insert(CONTENT_DISPOSITION, value);
    }
    Ok(answer)
}
