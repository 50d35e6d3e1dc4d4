//! Trino's `QueryResults` as far as it is read, and what becomes of its parts in a record.

use rowhouse_model::{
    Column, ErrorLocation, ErrorType, FailureInfo, OutputStage, QueryError, QueryStats, TypeSignature,
};
use serde::Deserialize;
use serde_json::Value;

/// Stages below this depth are left out: records are read back with serde_json's limit of 128 levels.
const MAX_STAGE_DEPTH: usize = 32;

/// `StatementStats`; what a version of Trino does not tell is 0.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct StatementStats {
    pub(super) state: String,
    queued: bool,
    scheduled: bool,
    progress_percentage: Option<f64>,
    nodes: i64,
    total_splits: i64,
    queued_splits: i64,
    running_splits: i64,
    completed_splits: i64,
    planning_time_millis: i64,
    cpu_time_millis: i64,
    wall_time_millis: i64,
    queued_time_millis: i64,
    elapsed_time_millis: i64,
    processed_rows: i64,
    processed_bytes: i64,
    peak_memory_bytes: i64,
    spilled_bytes: i64,
    root_stage: Option<StageStats>,
}

/// `StageStats`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct StageStats {
    stage_id: String,
    state: String,
    sub_stages: Vec<StageStats>,
}

/// `Column`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WireColumn {
    name: String,
    #[serde(rename = "type")]
    type_name: String,
    type_signature: Option<Value>,
}

/// `QueryError`, of which records keep what D5 has: no stack of Java.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct WireError {
    message: Option<String>,
    error_code: i64,
    error_name: String,
    error_type: Option<String>,
    error_location: Option<ErrorLocation>,
    failure_info: Option<WireFailure>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct WireFailure {
    #[serde(rename = "type")]
    kind: String,
    message: Option<String>,
}

impl StatementStats {
    /// Whether Trino has begun to plan.
    pub(super) fn is_past_queue(&self) -> bool {
        !matches!(self.state.as_str(), "" | "QUEUED" | "WAITING_FOR_RESOURCES" | "DISPATCHING")
    }

    /// The interface's statistics (D16). State, flags and elapsed time are the query life's to set.
    pub(super) fn to_stats(&self) -> QueryStats {
        QueryStats {
            state: self.state.clone(),
            queued: self.queued,
            scheduled: self.scheduled,
            nodes: count(self.nodes),
            total_splits: count(self.total_splits),
            queued_splits: count(self.queued_splits),
            running_splits: count(self.running_splits),
            completed_splits: count(self.completed_splits),
            cpu_time_millis: count(self.cpu_time_millis),
            wall_time_millis: count(self.wall_time_millis),
            queued_time_millis: count(self.queued_time_millis),
            elapsed_time_millis: count(self.elapsed_time_millis),
            processed_rows: count(self.processed_rows),
            processed_bytes: count(self.processed_bytes),
            peak_memory_bytes: count(self.peak_memory_bytes),
            spilled_bytes: count(self.spilled_bytes),
            planning_time_millis: count(self.planning_time_millis),
            progress_percentage: self
                .progress_percentage
                .filter(|percentage| percentage.is_finite())
                .unwrap_or_default(),
            ..QueryStats::default()
        }
    }

    /// The tree of stages; before there is one, and for statements that have none, a single stage.
    pub(super) fn to_output_stage(&self) -> OutputStage {
        match &self.root_stage {
            Some(stage) => stage.to_output_stage(0),
            None => OutputStage {
                stage_id: "0".to_owned(),
                state: self.state.clone(),
                operator: "Fragment".to_owned(),
                output_rows: None,
                output_bytes: None,
                sub_stages: Vec::new(),
            },
        }
    }
}

impl StageStats {
    /// Trino tells fragments, not operators; what each has put out it does not tell here.
    fn to_output_stage(&self, depth: usize) -> OutputStage {
        let sub_stages = if depth < MAX_STAGE_DEPTH { self.sub_stages.as_slice() } else { &[] };
        OutputStage {
            stage_id: self.stage_id.clone(),
            state: self.state.clone(),
            operator: "Fragment".to_owned(),
            output_rows: None,
            output_bytes: None,
            sub_stages: sub_stages.iter().map(|stage| stage.to_output_stage(depth + 1)).collect(),
        }
    }
}

impl WireColumn {
    /// The column with Trino's signature; the type's name is the signature's, spelled as D15 has it.
    pub(super) fn into_column(self) -> Column {
        let Self { name, type_name, type_signature } = self;
        let given =
            type_signature.and_then(|signature| serde_json::from_value::<TypeSignature>(signature).ok());
        match given {
            Some(mut type_signature) => {
                type_signature.type_arguments.clear();
                type_signature.literal_arguments.clear();
                Column { name, type_name: type_signature.to_string(), type_signature }
            }
            None => Column::new(name, type_name),
        }
    }
}

impl WireError {
    /// As Trino gave it (D5).
    pub(super) fn into_error(self) -> QueryError {
        let Self { message, error_code, error_name, error_type, error_location, failure_info } = self;
        QueryError {
            message: message.unwrap_or_else(|| format!("Trino gave no message with {error_name}")),
            error_code: u32::try_from(error_code).unwrap_or_default(),
            error_name,
            error_type: match error_type.as_deref() {
                Some("USER_ERROR") => ErrorType::UserError,
                Some("INSUFFICIENT_RESOURCES") => ErrorType::InsufficientResources,
                Some("EXTERNAL") => ErrorType::External,
                _ => ErrorType::InternalError,
            },
            error_location,
            failure_info: failure_info
                .map(|failure| FailureInfo { kind: failure.kind, message: failure.message }),
        }
    }
}

fn count(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}
