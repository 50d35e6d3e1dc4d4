//! `QueryResults` of Trino's client protocol and its parts: the answers of clusters are parsed into them, and this
//! server's answers are written from them. Names are those of Trino's `io.trino.client`. A field that a version of
//! Trino omits is 0, false, empty or none.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ErrorLocation;

pub mod header;

/// One answer: the state of the statement and the address of the next answer. Its rows, `data`, are not a field here:
/// there are many, so both sides read and write them as a stream.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct QueryResults {
    /// The statement's id.
    pub id: String,
    /// Address of a page about the statement for people.
    pub info_uri: String,
    /// Address of the next answer; none in the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_uri: Option<String>,
    /// The columns, once they are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub columns: Option<Vec<ResultColumn>>,
    /// The statement's state.
    pub stats: StatementStats,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<StatementError>,
    /// Texts for people, with codes.
    pub warnings: Vec<Value>,
    /// The kind of a statement that changes something: `SET SESSION`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub update_type: Option<String>,
}

/// Trino's `Column`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResultColumn {
    /// The column's name in the statement.
    pub name: String,
    /// The type as Trino spells it to clients: `decimal(2, 1)`.
    #[serde(rename = "type")]
    pub type_name: String,
    /// The type as Trino's `ClientTypeSignature`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub type_signature: Option<Value>,
}

/// Trino's `StatementStats`. Times are milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[expect(missing_docs, reason = "Trino's names say what they are")]
pub struct StatementStats {
    pub state: String,
    pub queued: bool,
    pub scheduled: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress_percentage: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub running_percentage: Option<f64>,
    pub nodes: i64,
    pub total_splits: i64,
    pub queued_splits: i64,
    pub running_splits: i64,
    pub completed_splits: i64,
    pub planning_time_millis: i64,
    pub analysis_time_millis: i64,
    pub cpu_time_millis: i64,
    pub wall_time_millis: i64,
    pub queued_time_millis: i64,
    pub elapsed_time_millis: i64,
    pub finishing_time_millis: i64,
    pub physical_input_time_millis: i64,
    pub processed_rows: i64,
    pub processed_bytes: i64,
    pub physical_input_bytes: i64,
    pub physical_written_bytes: i64,
    pub internal_network_input_bytes: i64,
    pub peak_memory_bytes: i64,
    pub spilled_bytes: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root_stage: Option<StageStats>,
}

/// The fields of `StageStats` that are read here.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct StageStats {
    /// Its number.
    pub stage_id: String,
    /// The stage's state: `RUNNING`, `FINISHED`, …
    pub state: String,
    /// The stages that it reads from.
    pub sub_stages: Vec<StageStats>,
}

/// Trino's `QueryError`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct StatementError {
    /// The message, for people.
    pub message: Option<String>,
    /// Trino's number for `error_name`.
    pub error_code: i64,
    /// Trino's name of the error: `COLUMN_NOT_FOUND`.
    pub error_name: String,
    /// Trino's type of the error: `USER_ERROR`.
    pub error_type: Option<String>,
    /// Location in the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_location: Option<ErrorLocation>,
    /// The same error as a Java exception, which drivers require.
    pub failure_info: Option<StatementFailure>,
}

/// Trino's `FailureInfo`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct StatementFailure {
    /// Name of the exception's class.
    #[serde(rename = "type")]
    pub kind: String,
    /// The message, for people.
    pub message: Option<String>,
    /// Other exceptions; not read here.
    pub suppressed: Vec<Value>,
    /// Lines of its stack trace; not read here.
    pub stack: Vec<Value>,
    /// The error's code, name and type again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_info: Option<ErrorInfo>,
    /// Location in the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_location: Option<ErrorLocation>,
}

/// Trino's `ErrorInfo`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ErrorInfo {
    /// Trino's number for `name`.
    pub code: i64,
    /// Trino's name of the error: `COLUMN_NOT_FOUND`.
    pub name: String,
    /// Trino's type of the error: `USER_ERROR`.
    #[serde(rename = "type")]
    pub kind: String,
}

/// `data` of an answer without the rows themselves: `EncodedQueryData` of the spooling protocol.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpooledData {
    /// The encoding of the rows: `json`, `json+zstd`, `json+lz4`.
    pub encoding: String,
    /// The segments, in row order.
    pub segments: Vec<Segment>,
}

/// A segment: consecutive rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Segment {
    /// The rows are inside the answer.
    Inline {
        /// The rows, encoded and in base64.
        data: String,
        /// Its size.
        metadata: SegmentMetadata,
    },
    /// The rows are stored elsewhere.
    Spooled {
        /// Its address.
        uri: String,
        /// Address that acknowledges the read.
        #[serde(rename = "ackUri", skip_serializing_if = "Option::is_none")]
        ack_uri: Option<String>,
        /// Headers that a request for it must have.
        #[serde(default, skip_serializing_if = "HashMap::is_empty")]
        headers: HashMap<String, Vec<String>>,
        /// Its size.
        metadata: SegmentMetadata,
    },
}

/// Trino's `DataAttributes`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SegmentMetadata {
    /// Number of rows before it.
    #[serde(default)]
    pub row_offset: u64,
    /// Number of its rows.
    pub rows_count: u64,
    /// Bytes of the segment.
    pub segment_size: usize,
    /// Bytes of the uncompressed JSON text, if it is compressed; small segments never are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uncompressed_size: Option<usize>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Trino 476's answer to `SELECT 1/0`, shortened.
    const FAILED: &str = r#"{"id":"20261101_000000_00001_abcde","infoUri":"http://localhost/ui/query.html?1",
        "columns":[{"name":"_col0","type":"integer","typeSignature":{"rawType":"integer","arguments":[]}}],
        "stats":{"state":"FAILED","queued":false,"scheduled":true,"progressPercentage":100.0,"nodes":1,"totalSplits":1,
        "rootStage":{"stageId":"0","state":"FAILED","done":true,"subStages":[{"stageId":"1","state":"ABORTED"}]}},
        "error":{"message":"Division by zero","errorCode":8,"errorName":"DIVISION_BY_ZERO","errorType":"USER_ERROR",
        "errorLocation":{"lineNumber":1,"columnNumber":9},"failureInfo":{"type":"io.trino.spi.TrinoException",
        "message":"Division by zero","suppressed":[],"stack":["io.trino.A.b(C.java:1)"],
        "errorInfo":{"code":8,"name":"DIVISION_BY_ZERO","type":"USER_ERROR"}}},"warnings":[]}"#;

    #[test]
    fn an_answer_of_trino_round_trips() {
        let read: QueryResults = serde_json::from_str(FAILED).expect("an answer");
        assert_eq!(read.stats.root_stage.as_ref().map(|stage| stage.sub_stages.len()), Some(1));
        let error = read.error.as_ref().expect("an error");
        assert_eq!((error.error_code, error.error_name.as_str()), (8, "DIVISION_BY_ZERO"));
        assert_eq!(error.failure_info.as_ref().map(|failure| failure.stack.len()), Some(1));
        let written = serde_json::to_string(&read).expect("it can be written");
        assert_eq!(serde_json::from_str::<QueryResults>(&written).expect("the same answer"), read);
        assert!(!written.contains("nextUri") && !written.contains("updateType"), "{written}");
    }

    #[test]
    fn segments_are_spelled_as_trino_spells_them() {
        let metadata =
            SegmentMetadata { row_offset: 7, rows_count: 2, segment_size: 30, uncompressed_size: None };
        let uri = "http://localhost/s".to_owned();
        let segment = Segment::Spooled { uri, ack_uri: None, headers: HashMap::new(), metadata };
        let data = SpooledData { encoding: "json".to_owned(), segments: vec![segment] };
        let expected = r#"{"encoding":"json","segments":[{"type":"spooled","uri":"http://localhost/s","metadata":{"rowOffset":7,"rowsCount":2,"segmentSize":30}}]}"#;
        assert_eq!(serde_json::to_string(&data).expect("it can be written"), expected);
        assert_eq!(serde_json::from_str::<SpooledData>(expected).expect("segments"), data);
    }
}
