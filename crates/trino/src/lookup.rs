//! A statement of the server itself, with few rows: read into memory, not into a file.

use std::sync::Arc;

use arrow_array::RecordBatch;
use http::HeaderMap;
use rowhouse_model::QueryError;

use super::connection::Connection;
use super::decode::malformed;
use super::failure::{external, internal};
use super::page::{self, Found};
use super::page_memory::PageMemory;
use super::spool;
use super::under_way::UnderWay;

/// Maximum bytes of JSON that are read: above it the statement requested too much.
const MAX_BYTES: usize = 16 << 20;

/// The rows of a statement. Dropping the future cancels it at Trino.
pub(super) async fn rows(
    connection: &Arc<Connection>,
    mut under_way: UnderWay,
    sql: &str,
    headers: &HeaderMap,
) -> Result<Vec<RecordBatch>, QueryError> {
    let memory = PageMemory::up_to(MAX_BYTES);
    let mut page = connection.submit(sql, headers, &memory).await?;
    let mut found = Found::default();
    let mut bytes = 0;
    loop {
        bytes += page.len();
        let head = page::read(&page, &mut found, &mut |_| {})
            .map_err(|error| malformed(&connection.name, &error))?;
        if let Some(error) = head.error {
            under_way.ended().await;
            return Err(error);
        }
        if let Some(next) = &head.next {
            under_way.reached(connection.follow(next)?);
            under_way.note(&head.id).await;
        }
        // A cluster with spooling sends even few rows in segments.
        let mut buffer = Vec::new();
        for segment in head.segments {
            let segment = spool::load(connection, segment, &memory).await?;
            bytes += page::read_segment(&segment, &mut buffer, &mut found)
                .map_err(|why| external(format!("{}: {why}", connection.name)))?;
            segment.acknowledge(connection);
        }
        if bytes > MAX_BYTES {
            let message = format!("{} gave more than {} MiB for {sql}", connection.name, MAX_BYTES >> 20);
            return Err(external(message));
        }
        let Some(next) = head.next else { break };
        page = connection.page(&connection.follow(&next)?, &memory).await?;
    }
    under_way.ended().await;
    let Some(mut rows) = found.rows else { return Ok(Vec::new()) };
    rows.take_rest().map_err(|error| internal("assembling rows", &error))
}
