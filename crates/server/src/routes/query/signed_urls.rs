//! `GET /query/:id/result/signedUrls`: links to Parquet files of the result that work without a token until they
//! expire (D42), several for a large result.

use std::time::Duration;

use rowhouse_engine::ResultLink;
use rowhouse_model::{QueryId, Role, SignedUrl, SignedUrls, Timestamp, path};

use crate::call::{Call, checked_id};
use crate::error::{Error, Result};
use crate::response::{Answer, json};
use crate::routes::statement::address::base;

/// A file has as many rows as take about this many bytes of the stored result.
const FILE_BYTES: u64 = 128 << 20;
/// Maximum number of files of one result.
const MAX_FILES: u64 = 1000;

pub(crate) async fn answer(call: &Call, id: &str) -> Result<Answer> {
    let access = call.access_by_query(Role::Analyst)?;
    let id = QueryId::new(checked_id("query", id)?);
    let queries = call.app.engine.queries();
    let record = queries.get_shared(&access, &id).await?;
    let lifetime = lifetime(call)?;
    let rows_per_file = call.parameters.count("rowsPerFile")?;
    if rows_per_file == Some(0) {
        return Err(Error::invalid("parameter rowsPerFile: 0 is no number of rows from 1"));
    }
    let result = queries.result_of(&access, record).await?;
    let row_count = result.row_count();
    let rows_per_file = match rows_per_file {
        Some(rows) if row_count.div_ceil(rows) > MAX_FILES => {
            let least = row_count.div_ceil(MAX_FILES);
            let message = format!(
                "parameter rowsPerFile: {rows} makes more than {MAX_FILES} files of {row_count} rows, the least is \
                 {least}"
            );
            return Err(Error::invalid(message));
        }
        Some(rows) => rows,
        None => {
            let files = result.file.size_bytes().div_ceil(FILE_BYTES).clamp(1, MAX_FILES);
            row_count.div_ceil(files).max(1)
        }
    };
    let now_seconds = u64::try_from(call.app.clock.now().as_millis() / 1000).unwrap_or(0);
    let expires_at = now_seconds.saturating_add(lifetime.as_secs());
    let links = call.app.engine.result_links();
    // A result without rows is one file without rows.
    let offsets = (0..row_count.max(1)).step_by(usize::try_from(rows_per_file).unwrap_or(usize::MAX));
    let urls = offsets.map(|offset| {
        let link = ResultLink {
            workspace_id: access.workspace.id.clone(),
            query_id: id.clone(),
            offset,
            limit: rows_per_file.min(row_count - offset.min(row_count)),
            expires_at,
        };
        let path = path::query_result_file(id.as_str());
        let url = format!(
            "{}{path}?workspaceId={}&offset={offset}&limit={}&expires={expires_at}&signature={}",
            call.base_path,
            link.workspace_id.as_str(),
            link.limit,
            links.sign(&link)
        );
        SignedUrl { url, offset, row_count: link.limit }
    });
    let urls: Vec<SignedUrl> = urls.collect();
    let base = base(call);
    let origin = base.strip_suffix(call.base_path.as_str()).unwrap_or(&base);
    let signed_urls = urls.iter().map(|link| format!("{origin}{}", link.url)).collect();
    let millis = i64::try_from(expires_at.saturating_mul(1000)).unwrap_or(i64::MAX);
    json(&SignedUrls {
        urls,
        signed_urls,
        expires_at: Timestamp::from_millis(millis),
        row_count,
        columns: result.record.result_columns().to_vec(),
    })
}

/// Lifetime of the links: as requested, within the operator's limit.
fn lifetime(call: &Call) -> Result<Duration> {
    let longest = call.app.config.get().signed_url_expiry;
    let Some(seconds) = call.parameters.count("expiresInSeconds")? else { return Ok(longest) };
    let asked = Duration::from_secs(seconds);
    if seconds == 0 || asked > longest {
        let message = format!("parameter expiresInSeconds: {seconds} is not from 1 to {}", longest.as_secs());
        return Err(Error::invalid(message));
    }
    Ok(asked)
}
