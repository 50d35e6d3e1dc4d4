//! Copies a result's bytes: in one answer, or page by page if the server's operator allows no more at a time (D8).
//! Concatenated pages of lines are the whole result.

use rowhouse_client::{Download, Error, ResultFormat, RowRequest, RowShape, WorkspaceClient};
use rowhouse_model::Query;

use super::super::failure::Failure;

/// The result to copy.
#[derive(Debug)]
pub(super) struct Pages<'a> {
    pub(super) workspace: &'a WorkspaceClient,
    pub(super) query: &'a Query,
    pub(super) format: ResultFormat,
    pub(super) limit: Option<u64>,
}

impl Pages<'_> {
    /// Passes each chunk to `write`.
    pub(super) async fn copy(
        &self,
        mut write: impl FnMut(&[u8]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let refusal = match self.open(0, self.limit).await {
            Ok(download) => return pour(download, 0, &mut write).await,
            Err(refusal) => refusal,
        };
        let is_of_lines = matches!(self.format, ResultFormat::Csv | ResultFormat::Ndjson);
        let Some(page_rows) = refusal.max_page_rows().filter(|_| is_of_lines) else {
            return Err(refusal.into());
        };
        let header_bytes = self.header_bytes().await?;
        let end = self.limit.unwrap_or(u64::MAX).min(self.query.row_count.unwrap_or_default());
        let mut offset = 0;
        loop {
            let rows = page_rows.min(end - offset);
            let repeated = if offset == 0 { 0 } else { header_bytes };
            pour(self.open(offset, Some(rows)).await?, repeated, &mut write).await?;
            offset += rows;
            if offset >= end {
                return Ok(());
            }
        }
    }

    /// The length of the header of each page, which is all of a page without rows.
    async fn header_bytes(&self) -> Result<usize, Failure> {
        let mut length = 0;
        let mut count = |piece: &[u8]| {
            length += piece.len();
            Ok(())
        };
        pour(self.open(0, Some(0)).await?, 0, &mut count).await?;
        Ok(length)
    }

    async fn open(&self, offset: u64, limit: Option<u64>) -> Result<Download, Error> {
        let mut request = RowRequest::new().shape(RowShape::Objects).offset(offset);
        if let Some(limit) = limit {
            request = request.limit(limit);
        }
        self.workspace.download(&self.query.id, self.format, &request).await
    }
}

async fn pour(
    mut download: Download,
    mut skipped_bytes: usize,
    write: &mut impl FnMut(&[u8]) -> Result<(), Failure>,
) -> Result<(), Failure> {
    while let Some(piece) = download.chunk().await? {
        let skipped = skipped_bytes.min(piece.len());
        skipped_bytes -= skipped;
        if skipped < piece.len() {
            write(&piece[skipped..])?;
        }
    }
    Ok(())
}
