//! What lists share: they are written while they are read, and streamed where they are long.

use http::HeaderValue;
use http::header::{ACCEPT_ENCODING, VARY};
use rowhouse_engine::ChunkSource;

use crate::call::Call;
use crate::compress::Coding;
use crate::error::Result;
use crate::response::{Answer, JSON};
use crate::stream::{self, RowsHead};

/// Answers with a list; `open` begins to read it, on an encoder's thread.
pub(super) async fn answer(
    call: &Call,
    open: impl FnOnce() -> Result<Box<dyn ChunkSource>> + Send + 'static,
) -> Result<Answer> {
    let head = RowsHead { content_type: JSON, coding: Coding::of(&call.headers), payer: call.payer() };
    let mut answer = stream::rows(&call.app.encoders, head, open).await?;
    answer.headers_mut().insert(VARY, HeaderValue::from_name(ACCEPT_ENCODING));
    Ok(answer)
}
