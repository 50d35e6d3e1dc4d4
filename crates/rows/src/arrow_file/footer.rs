//! Parses the metadata of an Arrow IPC file: its schema and the positions of its batches. Everything is validated
//! before the decoder sees it, because the decoder panics on positions outside its buffer.

use std::io;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_buffer::Buffer;
use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::reader::{FileDecoder, read_footer_length};
use arrow_ipc::{Block, Message, MetadataVersion, root_as_footer, root_as_message};
use arrow_schema::SchemaRef;

use super::checksums::Checksums;
use super::storage::storage_schema;

/// The magic word and its padding at the front of the file.
const HEAD_BYTES: usize = 8;
/// Length of the footer and the magic word at the end of the file.
const TRAILER_BYTES: usize = 10;
/// Continuation marker and metadata length in front of a message.
const MESSAGE_PREFIX_BYTES: usize = 8;

/// Schema and batches of a file.
pub(super) struct Footer {
    pub(super) schema: SchemaRef,
    pub(super) blocks: Vec<BatchBlock>,
    pub(super) checksums: Option<Checksums>,
    version: MetadataVersion,
}

/// Position of a batch, validated to be inside the file, and of its parts, validated to be inside the batch.
#[derive(Clone, Copy, Debug)]
pub(super) struct BatchBlock {
    start: usize,
    metadata_bytes: usize,
    body_bytes: usize,
}

impl Footer {
    pub(super) fn parse(file: &Buffer) -> Result<Self, String> {
        let trailer_start = file
            .len()
            .checked_sub(TRAILER_BYTES)
            .filter(|start| *start >= HEAD_BYTES)
            .ok_or("it is too short")?;
        let trailer = file[trailer_start..].first_chunk().ok_or("it is too short")?;
        let footer_bytes = read_footer_length(*trailer).map_err(|error| error.to_string())?;
        let footer_start = trailer_start
            .checked_sub(footer_bytes)
            .filter(|start| *start >= HEAD_BYTES)
            .ok_or("its footer is longer than the file")?;
        let checksums = Checksums::parse(file, footer_start..file.len())?;
        let footer = root_as_footer(&file[footer_start..trailer_start])
            .map_err(|error| format!("its footer is malformed: {error}"))?;
        if footer.dictionaries().is_some_and(|dictionaries| !dictionaries.is_empty()) {
            return Err("it has dictionaries".to_owned());
        }
        let schema = footer.schema().ok_or("it has no schema")?;
        // OK because a panic of the conversion means an unknown field type, and nothing of it is used afterwards.
        let schema = catch_unwind(AssertUnwindSafe(|| try_fb_to_schema(schema)))
            .map_err(|_| "its schema has a type that is not known")?
            .map_err(|error| format!("its schema is malformed: {error}"))?;
        let blocks = footer.recordBatches().into_iter().flatten();
        let blocks = blocks.map(|block| BatchBlock::new(block, footer_start)).collect::<Result<_, _>>()?;
        Ok(Self { schema: Arc::new(schema), blocks, checksums, version: footer.version() })
    }

    pub(super) fn decoder(&self) -> FileDecoder {
        FileDecoder::new(Arc::new(storage_schema(&self.schema)), self.version)
    }
}

impl BatchBlock {
    /// A block whose every byte is between the head of the file and `end`.
    fn new(block: &Block, end: usize) -> Result<Self, String> {
        let start = usize::try_from(block.offset()).ok();
        let metadata_bytes = usize::try_from(block.metaDataLength()).ok();
        let body_bytes = usize::try_from(block.bodyLength()).ok();
        let block = (|| {
            let (start, metadata_bytes, body_bytes) = (start?, metadata_bytes?, body_bytes?);
            let block_end = start.checked_add(metadata_bytes)?.checked_add(body_bytes)?;
            let fits = start >= HEAD_BYTES && metadata_bytes > MESSAGE_PREFIX_BYTES && block_end <= end;
            fits.then_some(Self { start, metadata_bytes, body_bytes })
        })();
        block.ok_or_else(|| "a batch lies outside of the file".to_owned())
    }

    /// The bytes of the batch in the file.
    pub(super) fn range(&self) -> Range<usize> {
        self.start..self.start + self.metadata_bytes + self.body_bytes
    }

    /// Rows of the batch, read from its metadata alone, and not through the mapping: reading each batch's head there
    /// would make the pages around it resident too, hundreds of megabytes for a large file.
    pub(super) fn row_count(&self, read: impl Fn(&mut [u8], usize) -> io::Result<()>) -> Result<u64, String> {
        let mut metadata = vec![0; self.metadata_bytes];
        read(&mut metadata, self.start).map_err(|error| error.to_string())?;
        let message = self.message(&metadata)?;
        let batch = message.header_as_record_batch().ok_or("a batch is something else")?;
        u64::try_from(batch.length()).map_err(|_| "a batch has a negative number of rows".to_owned())
    }

    /// Whether the batch is not compressed; `file` is the whole file. False if its metadata cannot be read.
    pub(super) fn is_plain(&self, file: &[u8]) -> bool {
        let metadata = file.get(self.start..).and_then(|rest| rest.get(..self.metadata_bytes));
        let message = metadata.and_then(|metadata| self.message(metadata).ok());
        message
            .and_then(|message| message.header_as_record_batch())
            .is_some_and(|batch| batch.compression().is_none())
    }

    /// Decodes and validates the batch; `buffer` is its range of the file.
    pub(super) fn decode(&self, decoder: &FileDecoder, buffer: &Buffer) -> Result<RecordBatch, String> {
        self.check_places(buffer)?;
        let block = Block::new(0, self.metadata_bytes as i32, self.body_bytes as i64);
        // The positions are validated above; a panic would be a gap in the decoder's validation of a corrupt file, and
        // nothing incomplete is used after it.
        catch_unwind(AssertUnwindSafe(|| decoder.read_record_batch(&block, buffer)))
            .map_err(|_| "it cannot be decoded".to_owned())?
            .map_err(|error| error.to_string())?
            .ok_or_else(|| "it is empty".to_owned())
    }

    /// Checks that every buffer of the batch lies in the batch's body and that every length is valid.
    fn check_places(&self, buffer: &Buffer) -> Result<(), String> {
        let message = self.message(&buffer[..self.metadata_bytes])?;
        let batch = message.header_as_record_batch().ok_or("it is something else")?;
        for place in batch.buffers().into_iter().flatten() {
            let end = usize::try_from(place.offset())
                .ok()
                .zip(usize::try_from(place.length()).ok())
                .and_then(|(start, length)| start.checked_add(length));
            if end.is_none_or(|end| end > self.body_bytes) {
                return Err("a buffer lies outside of it".to_owned());
            }
        }
        // A bit needs an eighth of a byte: no valid array has more elements than its body has bits, except one of
        // NULLs.
        let rows = batch.length();
        let is_length = |length: i64| (0..=i64::from(u32::MAX) * 8).contains(&length);
        let nodes_are_lengths = batch
            .nodes()
            .into_iter()
            .flatten()
            .all(|node| is_length(node.length()) && (0..=node.length()).contains(&node.null_count()));
        if is_length(rows) && nodes_are_lengths {
            Ok(())
        } else {
            Err("a length of it is out of range".to_owned())
        }
    }

    fn message<'b>(&self, metadata: &'b [u8]) -> Result<Message<'b>, String> {
        const CONTINUATION: [u8; 4] = [0xff; 4];
        let flatbuffer =
            if metadata.starts_with(&CONTINUATION) { metadata.get(8..) } else { metadata.get(4..) };
        root_as_message(flatbuffer.unwrap_or_default())
            .map_err(|error| format!("its metadata is malformed: {error}"))
    }
}
