//! The protocol between the server and a worker process: frames of JSON, jobs over the worker's standard input and
//! replies over its standard output. Standard error is the worker's log. Bytes may be attached to a frame, for example
//! those of a small result.
//!
//! A worker sends [`Reply::Ready`], reads one [`Job`], sends [`Reply::Taken`], any number of [`Reply::Event`] and the
//! reply that ends the job, then `Ready` again. Its first job is [`Job::Enter`]. The server cancels a job by killing
//! the worker; end of file on standard input means that the server has ended.

use std::fmt;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use rowhouse_model::{Column, QueryError, TableFormat};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use crate::sandbox::{Sandbox, SandboxReport};
use crate::{Execution, ExecutionEvent, SpillLimits, Statement, TableDescription};

/// Version of the protocol, raised when the meaning of a frame changes: a worker of another build is refused, not
/// misread.
pub const PROTOCOL_VERSION: u32 = 9;
/// The longest frame, without its prefix. A statement's text (1 MiB, D27) and its catalog fit many times over.
pub const MAX_FRAME_BYTES: usize = 64 << 20;
/// An output file of at most this size need not be written, nor synced if it was written: the receiver keeps its bytes
/// until the file is synced.
pub const SMALL_RESULT_BYTES: usize = 64 << 10;
/// Bytes of the prefix: the lengths of the frame and of what is attached to it, big-endian.
const PREFIX_BYTES: usize = 8;
/// Initial capacity of a reader's buffer.
const EXPECTED_FRAME_BYTES: usize = 16 << 10;

/// A job that the server sends to a worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Job {
    /// Drop access to everything but these files, permanently. It is the first job and occurs once. Ends with
    /// [`Reply::Entered`].
    Enter(Sandbox),
    /// Run a statement and write its output file; ends with [`Reply::Executed`].
    Execute {
        /// The statement.
        statement: Statement,
        /// What it may spill; none keeps all operators in memory.
        spill: Option<SpillLimits>,
    },
    /// Plan a statement; ends with [`Reply::Analyzed`].
    Analyze(Statement),
    /// Inspect the files of a table; ends with [`Reply::Described`].
    Describe {
        /// File, glob or folder, absolute.
        location: String,
        /// Format of the files.
        format: TableFormat,
    },
    /// Generate files of the sample catalog; ends with [`Reply::SamplesMade`].
    MakeSamples {
        /// Folder of the sample catalog.
        folder: PathBuf,
        /// The tables.
        tables: Vec<SampleTable>,
    },
}

/// A table of the sample catalog.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SampleTable {
    /// Its schema, as `sf1`.
    pub schema: String,
    /// Its name.
    pub table: String,
}

impl Job {
    /// The file that the job writes.
    pub fn output(&self) -> Option<&Path> {
        match self {
            Self::Execute { statement, .. } => Some(&statement.output),
            Self::Enter(_) | Self::Analyze(_) | Self::Describe { .. } | Self::MakeSamples { .. } => None,
        }
    }

    /// Sets the file to write instead.
    pub fn set_output(&mut self, path: PathBuf) {
        if let Self::Execute { statement, .. } = self {
            statement.output = path;
        }
    }

    /// Maximum bytes of a file that the job may write; none means no limit.
    pub fn longest_file_bytes(&self) -> Option<u64> {
        let Self::Execute { statement, spill } = self else { return None };
        let output = statement.output_limit.as_ref()?.bytes;
        Some(spill.map_or(output, |spill| output.max(spill.disk_bytes)))
    }

    /// Whether the job may spill to disk.
    pub const fn may_spill(&self) -> bool {
        matches!(self, Self::Execute { spill: Some(_), .. })
    }
}

/// A reply of a worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Reply {
    /// It can take a job: the first frame, repeated after each job.
    Ready {
        /// [`PROTOCOL_VERSION`] of the worker's build.
        protocol_version: u32,
    },
    /// Ends [`Job::Enter`]: the sandbox that is enforced from now on, or why it is insufficient.
    Entered(Result<SandboxReport, String>),
    /// It has read its job and is alive.
    Taken,
    /// Ends [`Job::Execute`] if files of the sample catalog are missing: a worker with a statement must not generate
    /// them. Nothing has been written.
    NeedsSamples(Vec<SampleTable>),
    /// An event of the execution in progress. Plans nest at most 32 stages deep: records store them as JSON, which is
    /// read back with serde_json's limit of 128 levels.
    Event(ExecutionEvent),
    /// Ends [`Job::Execute`]. If it is `Ok`, the output file is written but not synced, or attached if it is small. If
    /// spilling is allowed, a statement that has nothing to spill ends with `EXCEEDED_MEMORY_LIMIT` at once.
    Executed(Result<Execution, QueryError>),
    /// Ends [`Job::Analyze`].
    Analyzed(Result<Vec<Column>, QueryError>),
    /// Ends [`Job::Describe`].
    Described(Result<TableDescription, QueryError>),
    /// Ends [`Job::MakeSamples`].
    SamplesMade(Result<(), QueryError>),
}

impl Reply {
    /// The greeting of this build.
    pub const fn ready() -> Self {
        Self::Ready { protocol_version: PROTOCOL_VERSION }
    }
}

/// Writes one frame and flushes. Blocking, for the worker.
///
/// # Errors
///
/// The other side is gone, or the frame is longer than [`MAX_FRAME_BYTES`].
pub fn write_frame<T: Serialize>(writer: &mut impl Write, message: &T) -> io::Result<()> {
    put_frame(writer, message, &[])?;
    writer.flush()
}

/// [`write_frame`] with attached bytes, at most [`SMALL_RESULT_BYTES`], and without flushing.
///
/// # Errors
///
/// Those of [`write_frame`]; `InvalidData`: the attachment is too long.
pub fn put_frame<T: Serialize>(writer: &mut impl Write, message: &T, attached: &[u8]) -> io::Result<()> {
    writer.write_all(&encode(message, attached.len())?)?;
    writer.write_all(attached)
}

/// Reads one frame without an attachment; none at the end of the stream. Blocking, for the worker.
///
/// # Errors
///
/// The stream ends inside a frame, the frame is longer than [`MAX_FRAME_BYTES`], or it is not a valid message.
pub fn read_frame<T: DeserializeOwned>(reader: &mut impl Read) -> io::Result<Option<T>> {
    let mut prefix = [0; PREFIX_BYTES];
    // A separate first read distinguishes the end of the stream from an end inside the prefix.
    let read = loop {
        match reader.read(&mut prefix) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => break other?,
        }
    };
    if read == 0 {
        return Ok(None);
    }
    reader.read_exact(&mut prefix[read..])?;
    let (length, 0) = lengths(prefix)? else { return Err(unexpected_attachment()) };
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    decode(&body).map(Some)
}

/// [`write_frame`] for the server.
pub async fn send_frame<T: Serialize>(writer: &mut (impl AsyncWrite + Unpin), message: &T) -> io::Result<()> {
    writer.write_all(&encode(message, 0)?).await?;
    writer.flush().await
}

/// [`read_frame`] for the server, with the attachment. Not cancel safe: the rest of the frame would be read as the next
/// one.
pub async fn receive_frame<T: DeserializeOwned>(
    reader: &mut (impl AsyncRead + Unpin),
) -> io::Result<Option<(T, Vec<u8>)>> {
    let mut prefix = [0; PREFIX_BYTES];
    let read = reader.read(&mut prefix).await?;
    if read == 0 {
        return Ok(None);
    }
    reader.read_exact(&mut prefix[read..]).await?;
    let (length, attached) = lengths(prefix)?;
    let body = receive(reader, length).await?;
    let message = decode(&body)?;
    Ok(Some((message, receive(reader, attached).await?)))
}

async fn receive(reader: &mut (impl AsyncRead + Unpin), length: usize) -> io::Result<Vec<u8>> {
    // The buffer grows as bytes arrive, so that a prefix alone cannot make the server allocate 64 MiB.
    let mut bytes = Vec::with_capacity(length.min(EXPECTED_FRAME_BYTES));
    reader.take(length as u64).read_to_end(&mut bytes).await?;
    if bytes.len() < length { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(bytes) }
}

fn encode<T: Serialize>(message: &T, attached: usize) -> io::Result<Vec<u8>> {
    let mut frame = vec![0; PREFIX_BYTES];
    serde_json::to_writer(&mut frame, message)?;
    let length = checked(frame.len() - PREFIX_BYTES, MAX_FRAME_BYTES)?;
    let attached = checked(attached, SMALL_RESULT_BYTES)?;
    frame[..4].copy_from_slice(&length.to_be_bytes());
    frame[4..PREFIX_BYTES].copy_from_slice(&attached.to_be_bytes());
    Ok(frame)
}

fn decode<T: DeserializeOwned>(body: &[u8]) -> io::Result<T> {
    serde_json::from_slice(body).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// The lengths of a frame and of its attachment.
fn lengths([a, b, c, d, e, f, g, h]: [u8; PREFIX_BYTES]) -> io::Result<(usize, usize)> {
    let length = |bytes| usize::try_from(u32::from_be_bytes(bytes)).unwrap_or(usize::MAX);
    let (frame, attached) = (length([a, b, c, d]), length([e, f, g, h]));
    checked(frame, MAX_FRAME_BYTES)?;
    checked(attached, SMALL_RESULT_BYTES)?;
    Ok((frame, attached))
}

/// The error of a frame that is longer than [`MAX_FRAME_BYTES`], or has too much attached: it cannot be sent to any process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameTooLong {
    /// Its bytes.
    pub bytes: usize,
    limit: usize,
}

impl FrameTooLong {
    /// This cause of an error.
    pub fn cause_of(error: &io::Error) -> Option<Self> {
        error.get_ref()?.downcast_ref().copied()
    }
}

impl fmt::Display for FrameTooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bytes, limit } = self;
        write!(f, "a frame of {bytes} bytes is over the limit of {limit}")
    }
}

impl std::error::Error for FrameTooLong {}

fn checked(length: usize, limit: usize) -> io::Result<u32> {
    let too_long = || io::Error::new(io::ErrorKind::InvalidData, FrameTooLong { bytes: length, limit });
    if length > limit { Err(too_long()) } else { u32::try_from(length).map_err(|_| too_long()) }
}

fn unexpected_attachment() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "nothing may be attached to a job")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_round_trip_and_the_stream_ends_between_frames() {
        let mut stream = Vec::new();
        write_frame(&mut stream, &Reply::ready()).expect("a vector takes everything");
        write_frame(&mut stream, &Reply::Analyzed(Ok(vec![Column::new("x", "bigint")]))).expect("likewise");
        let mut reader = stream.as_slice();
        let first: Option<Reply> = read_frame(&mut reader).expect("the first frame");
        assert!(matches!(first, Some(Reply::Ready { protocol_version: PROTOCOL_VERSION })));
        let second: Option<Reply> = read_frame(&mut reader).expect("the second frame");
        assert!(matches!(second, Some(Reply::Analyzed(Ok(columns))) if columns[0].name == "x"));
        assert!(read_frame::<Reply>(&mut reader).expect("the end").is_none());
    }

    #[test]
    fn invalid_frames_are_errors() {
        let check = |bytes: &[u8], expected: io::ErrorKind| {
            let blocking = read_frame::<Reply>(&mut &*bytes).expect_err("no frame");
            assert_eq!(blocking.kind(), expected, "{bytes:?}");
            let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
            let waiting = runtime.block_on(receive_frame::<Reply>(&mut &*bytes)).expect_err("no frame");
            assert_eq!(waiting.kind(), expected, "{bytes:?}");
        };
        check(b"\0\0", io::ErrorKind::UnexpectedEof);
        check(b"\0\0\0\x05\0\0\0\0{}", io::ErrorKind::UnexpectedEof);
        check(b"\0\0\0\x02\0\0\0\0{}", io::ErrorKind::InvalidData);
        check(b"\0\0\0\x02\0\x01\0\x01{}", io::ErrorKind::InvalidData);
        // A panic message written to standard output reads as a frame of gigabytes.
        check(b"thread 'main' panicked", io::ErrorKind::InvalidData);
    }

    #[test]
    fn a_message_that_is_too_long_is_told_from_other_errors() {
        let text = "x".repeat(MAX_FRAME_BYTES);
        let refused = write_frame(&mut Vec::new(), &text).expect_err("too long with its quotes");
        assert_eq!(FrameTooLong::cause_of(&refused).map(|cause| cause.bytes), Some(MAX_FRAME_BYTES + 2));
        assert_eq!(FrameTooLong::cause_of(&io::ErrorKind::InvalidData.into()), None);
        assert_eq!(FrameTooLong::cause_of(&unexpected_attachment()), None);
    }

    #[test]
    fn attachments_are_received_with_their_frames() {
        let mut stream = Vec::new();
        put_frame(&mut stream, &Reply::Taken, b"rows").expect("a vector takes everything");
        write_frame(&mut stream, &Reply::ready()).expect("likewise");
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let mut reader = stream.as_slice();
        let mut next = || runtime.block_on(receive_frame::<Reply>(&mut reader)).expect("a frame");
        assert!(matches!(next(), Some((Reply::Taken, attached)) if attached == b"rows"));
        assert!(matches!(next(), Some((Reply::Ready { .. }, attached)) if attached.is_empty()));
        assert!(next().is_none());
        let attached_to_job = read_frame::<Reply>(&mut stream.as_slice()).expect_err("not for a worker");
        assert_eq!(attached_to_job.kind(), io::ErrorKind::InvalidData);
        let too_much = put_frame(&mut Vec::new(), &Reply::Taken, &vec![0; SMALL_RESULT_BYTES + 1]);
        assert_eq!(too_much.expect_err("too much").kind(), io::ErrorKind::InvalidData);
    }
}
