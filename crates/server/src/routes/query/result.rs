//! `GET /query/:id/result`: a page of rows, or all of them, streamed (D7, D8, D11, D17).

use http::HeaderValue;
use http::header::{CACHE_CONTROL, CONTENT_ENCODING, ETAG};
use rowhouse_engine::{Envelope, Projection, RowFormat, RowSelection, RowShape, StoredResult, encode_in};
use rowhouse_model::{QueryId, Role};

use super::wait;
use crate::call::{Call, checked_id};
use crate::compress::Coding;
use crate::encoders::Share;
use crate::entity_tag::EntityTag;
use crate::error::Result;
use crate::response::{Answer, add_vary, not_modified};
use crate::routes::row_format::{self, Page};
use crate::stream::{self, RowsHead};

pub(crate) async fn answer(call: &Call, id: &str) -> Result<Answer> {
    let access = call.access_by_query(Role::Analyst)?;
    let id = QueryId::new(checked_id("query", id)?);
    let queries = call.app.engine.queries();
    let query = queries.get_shared(&access, &id).await?;
    let page = row_format::page(call)?;
    let format = row_format::format(call)?;
    let shape = row_format::shape(call)?.unwrap_or(RowShape::Arrays);
    let query = wait::for_end(call, &access, query).await?;
    let result = queries.result_of(&access, query).await?;
    call.note.others(result.record.other_workspaces.as_deref());
    // A result never changes, and a place in the store is that of one result (D118).
    let location = result.record.location.clone().unwrap_or_default();
    let entity_tag = EntityTag::new(result.row_count(), (location, page.offset, page.limit, format, shape));
    let envelope =
        move |result: &_| if format == RowFormat::Json { envelope(result) } else { Ok(Envelope::default()) };
    tagged(call, &entity_tag, Coding::of(&call.headers), async || {
        rows(call, result, page, shape, format, envelope).await
    })
    .await
}

/// An answer with its entity tag, or 304 if the client has it. `coding` is the one that the client accepts.
pub(in crate::routes) async fn tagged(
    call: &Call,
    entity_tag: &EntityTag,
    coding: Coding,
    rows: impl AsyncFnOnce() -> Result<Answer>,
) -> Result<Answer> {
    let (mut answer, coding) = match entity_tag.matched(&call.headers, coding) {
        Some(known) => (not_modified(), known),
        None => {
            let answer = rows().await?;
            let is_coded = answer.headers().contains_key(CONTENT_ENCODING);
            (answer, if is_coded { coding } else { Coding::Identity })
        }
    };
    add_vary(&mut answer);
    let headers = answer.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    headers.extend(entity_tag.header(coding).map(|tag| (ETAG, tag)));
    Ok(answer)
}

/// A page of a result, with its envelope.
pub(super) async fn rows(
    call: &Call,
    result: StoredResult,
    page: Page,
    shape: RowShape,
    format: RowFormat,
    envelope: impl FnOnce(&StoredResult) -> Result<Envelope> + Send + 'static,
) -> Result<Answer> {
    let projection = result.record.projection().clone();
    projected(call, result, projection, page, shape, format, envelope).await
}

/// The same, with some columns.
pub(in crate::routes) async fn projected(
    call: &Call,
    result: StoredResult,
    projection: Projection,
    page: Page,
    shape: RowShape,
    format: RowFormat,
    envelope: impl FnOnce(&StoredResult) -> Result<Envelope> + Send + 'static,
) -> Result<Answer> {
    let head = RowsHead {
        content_type: row_format::content_type(format),
        coding: Coding::of(&call.headers),
        memory: call.app.answer_memory.clone(),
    };
    let selection = RowSelection::Range { offset: page.offset, limit: page.limit };
    let is_at_hand = head.coding == Coding::Identity && selection.is_at_hand(&result.file);
    let open = move || -> Result<_> {
        let envelope = envelope(&result)?;
        Ok(encode_in(result.file, &projection, selection, shape, format, envelope)?)
    };
    let encoders = &call.app.encoders;
    let mut answer = if is_at_hand {
        stream::rows_at_hand(encoders, || Share::of(&call.note), head, open()?)?
    } else {
        stream::rows(encoders, Share::of(&call.note), head, 0, stream::opened_once(open)).await?
    };
    add_vary(&mut answer);
    Ok(answer)
}

/// `{"result":` before the rows, columns and count after them.
fn envelope(result: &StoredResult) -> Result<Envelope> {
    let columns = result.record.columns_json()?;
    let row_count = result.row_count();
    let suffix = format!(",\"columns\":{columns},\"rowCount\":{row_count}}}");
    Ok(Envelope { prefix: b"{\"result\":".to_vec(), suffix: suffix.into_bytes() })
}
