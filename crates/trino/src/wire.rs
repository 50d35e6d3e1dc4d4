//! Maps the parts of Trino's `QueryResults` to a record.

use rowhouse_model::client_protocol::{ResultColumn, StageStats, StatementError, StatementStats};
use rowhouse_model::{Column, ErrorType, FailureInfo, OutputStage, QueryError, QueryStats, TypeSignature};

/// Stages below this depth are omitted: records are read back with serde_json's limit of 128 levels.
const MAX_STAGE_DEPTH: usize = 32;
/// Further stages are omitted: they are part of every answer with the record, and of every list.
const MAX_STAGES: usize = 500;
/// Maximum bytes of a name in a record, such as a state or the name of an error; longer ones are truncated.
const MAX_NAME_BYTES: usize = 128;
/// Maximum bytes of an exception's message, likewise.
const MAX_MESSAGE_BYTES: usize = 16 << 10;

/// Whether Trino has begun to plan.
pub(super) fn is_past_queue(stats: &StatementStats) -> bool {
    !matches!(stats.state.as_str(), "" | "QUEUED" | "WAITING_FOR_RESOURCES" | "DISPATCHING")
}

/// The interface's statistics (D16). State, flags and elapsed time are set by the life of the query.
pub(super) fn stats_of(stats: &StatementStats) -> QueryStats {
    QueryStats {
        state: name(&stats.state),
        queued: stats.queued,
        scheduled: stats.scheduled,
        nodes: count(stats.nodes),
        total_splits: count(stats.total_splits),
        queued_splits: count(stats.queued_splits),
        running_splits: count(stats.running_splits),
        completed_splits: count(stats.completed_splits),
        cpu_time_millis: count(stats.cpu_time_millis),
        wall_time_millis: count(stats.wall_time_millis),
        queued_time_millis: count(stats.queued_time_millis),
        elapsed_time_millis: count(stats.elapsed_time_millis),
        processed_rows: count(stats.processed_rows),
        processed_bytes: count(stats.processed_bytes),
        peak_memory_bytes: count(stats.peak_memory_bytes),
        spilled_bytes: count(stats.spilled_bytes),
        planning_time_millis: count(stats.planning_time_millis),
        progress_percentage: stats
            .progress_percentage
            .filter(|percentage| percentage.is_finite())
            .unwrap_or_default(),
        ..QueryStats::default()
    }
}

/// The tree of stages; before there is one, and for statements without one, a single stage.
pub(super) fn output_stage_of(stats: &StatementStats) -> OutputStage {
    match &stats.root_stage {
        Some(stage) => output_stage(&stage.stage_id, &stage.state, &stage.sub_stages, 0, &mut 1),
        None => output_stage("0", &stats.state, &[], 0, &mut 1),
    }
}

/// Trino reports fragments, not operators; it does not report the output of each here.
/// `count` is the number of stages so far.
fn output_stage(
    id: &str,
    state: &str,
    sub_stages: &[StageStats],
    depth: usize,
    count: &mut usize,
) -> OutputStage {
    let sub_stages = if depth < MAX_STAGE_DEPTH { sub_stages } else { &[] };
    let sub_stages = &sub_stages[..sub_stages.len().min(MAX_STAGES - *count)];
    *count += sub_stages.len();
    let below =
        |stage: &StageStats| output_stage(&stage.stage_id, &stage.state, &stage.sub_stages, depth + 1, count);
    OutputStage {
        stage_id: name(id),
        state: name(state),
        operator: "Fragment".to_owned(),
        output_rows: None,
        output_bytes: None,
        sub_stages: sub_stages.iter().map(below).collect(),
    }
}

/// The column with Trino's signature; the type's name is the signature's, in D15's spelling.
pub(super) fn column_of(column: ResultColumn) -> Column {
    let ResultColumn { name, type_name, type_signature } = column;
    let given = type_signature.and_then(|signature| serde_json::from_value::<TypeSignature>(signature).ok());
    match given {
        Some(mut type_signature) => {
            type_signature.type_arguments.clear();
            type_signature.literal_arguments.clear();
            Column { name, type_name: type_signature.to_string(), type_signature }
        }
        None => Column::new(name, type_name),
    }
}

/// The error as Trino sent it, without the Java stack trace (D5).
pub(super) fn error_of(error: StatementError) -> QueryError {
    let StatementError { message, error_code, error_name, error_type, error_location, failure_info } = error;
    QueryError {
        message: message.unwrap_or_else(|| {
            format!("Trino gave no message with {}", rowhouse_model::excerpt(&error_name))
        }),
        error_code: u32::try_from(error_code).unwrap_or_default(),
        error_name: truncated(error_name, MAX_NAME_BYTES),
        error_type: match error_type.as_deref() {
            Some("USER_ERROR") => ErrorType::UserError,
            Some("INSUFFICIENT_RESOURCES") => ErrorType::InsufficientResources,
            Some("EXTERNAL") => ErrorType::External,
            _ => ErrorType::InternalError,
        },
        error_location,
        failure_info: failure_info.map(|failure| FailureInfo {
            kind: truncated(failure.kind, MAX_NAME_BYTES),
            message: failure.message.map(|message| truncated(message, MAX_MESSAGE_BYTES)),
        }),
    }
}

/// A name that is not longer than a record may have it.
fn name(text: &str) -> String {
    text[..text.floor_char_boundary(MAX_NAME_BYTES)].to_owned()
}

fn truncated(mut text: String, max_bytes: usize) -> String {
    text.truncate(text.floor_char_boundary(max_bytes));
    text
}

fn count(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}
