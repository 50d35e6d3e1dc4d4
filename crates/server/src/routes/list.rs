//! Lists: written while they are read, and streamed if they are long.

use rowhouse_engine::ChunkSource;

use crate::call::Call;
use crate::compress::Coding;
use crate::encoders::Share;
use crate::error::Result;
use crate::response::{Answer, JSON, add_vary};
use crate::stream::{self, RowsHead};

/// Answers with a list; `open` begins to read it, on an encoder thread.
pub(super) async fn answer(
    call: &Call,
    open: impl FnOnce() -> Result<Box<dyn ChunkSource>> + Send + 'static,
) -> Result<Answer> {
    let memory = call.app.answer_memory.clone();
    let head = RowsHead { content_type: JSON, coding: Coding::of(&call.headers), memory };
    let mut answer =
        stream::rows(&call.app.encoders, Share::of(&call.note), head, 0, stream::opened_once(open)).await?;
    add_vary(&mut answer);
    Ok(answer)
}
