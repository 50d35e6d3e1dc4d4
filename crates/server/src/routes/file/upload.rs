//! `PUT /api/v1/file`: uploads a file to a workspace, for the holder of a link. It is written while it arrives, up to
//! the workspace's quota.

use std::time::Duration;

use bytes::{Bytes, BytesMut};

use super::granted;
use crate::call::Call;
use crate::encoders::Share;
use crate::error::Result;
use crate::response::{Answer, done};

/// Bytes per write.
const PIECE_BYTES: usize = 256 << 10;
/// Maximum wait of an upload for the memory of two chunks.
const MAX_WAIT: Duration = Duration::from_secs(30);

pub(crate) async fn answer(call: &mut Call) -> Result<Answer> {
    let grant = granted(call, true)?;
    let at_least = call.body.begin()?;
    let portion =
        call.app.answer_memory.portion(&Share::Links(call.parameters.required("workspaceId")?.into()));
    let _held = portion.reserve_within(2 * PIECE_BYTES, MAX_WAIT).await?;
    let mut upload = call.app.engine.files().begin(&grant, at_least).await?;
    let mut piece = BytesMut::new();
    while let Some(bytes) = call.body.next().await? {
        piece.extend_from_slice(&bytes);
        if piece.len() >= PIECE_BYTES {
            upload.write(piece.split().freeze()).await?;
        }
    }
    if !piece.is_empty() {
        upload.write(Bytes::from(piece)).await?;
    }
    upload.finish().await?;
    Ok(done())
}
