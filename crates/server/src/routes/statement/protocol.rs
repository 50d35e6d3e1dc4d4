//! `QueryResults` of Trino's client protocol, as JSON.

use rowhouse_model::client_protocol::{
    ErrorInfo, QueryResults, ResultColumn, SpooledData, StatementError, StatementFailure, StatementStats,
};
use rowhouse_model::{
    Column, NamedType, Query, QueryError, QueryStats, QueryStatus, TypeArgument, TypeSignature,
};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// Length of a varchar without one, as in Trino's signatures.
const UNBOUNDED_VARCHAR: i64 = 2_147_483_647;

/// An answer being built.
#[derive(Debug, Default)]
pub(super) struct Results {
    results: QueryResults,
    data: Option<SpooledData>,
}

/// The answer as serialized, with the rows, or their description, last.
#[derive(Serialize)]
struct Written<'a> {
    #[serde(flatten)]
    results: &'a QueryResults,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<&'a SpooledData>,
}

impl Results {
    /// The results of a statement with this id; `info` is its page for people.
    pub(super) fn new(id: &str, info: &str) -> Self {
        let results =
            QueryResults { id: id.to_owned(), info_uri: info.to_owned(), ..QueryResults::default() };
        Self { results, data: None }
    }

    pub(super) fn next(mut self, uri: String) -> Self {
        self.results.next_uri = Some(uri);
        self
    }

    pub(super) fn columns(mut self, columns: Vec<ResultColumn>) -> Self {
        self.results.columns = Some(columns);
        self
    }

    pub(super) fn stats(mut self, stats: StatementStats) -> Self {
        self.results.stats = stats;
        self
    }

    pub(super) fn error(mut self, error: &QueryError) -> Self {
        self.results.error = Some(error_of(error));
        self
    }

    pub(super) fn data(mut self, data: SpooledData) -> Self {
        self.data = Some(data);
        self
    }

    pub(super) fn update_type(mut self, update_type: &str) -> Self {
        self.results.update_type = Some(update_type.to_owned());
        self
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        let written = Written { results: &self.results, data: self.data.as_ref() };
        // OK because texts and numbers always serialize.
        serde_json::to_vec(&written).expect("an answer can be written")
    }

    /// The text before and after its rows.
    pub(super) fn around_data(&self) -> (Vec<u8>, Vec<u8>) {
        let mut prefix = self.bytes();
        prefix.pop();
        prefix.extend_from_slice(b",\"data\":");
        (prefix, b"}".to_vec())
    }
}

/// The columns of a result. For a client that does not support precisions, times and timestamps have milliseconds.
pub(super) fn columns_of(columns: &[Column], knows_precisions: bool) -> Vec<ResultColumn> {
    let column = |column: &Column| {
        let signature = client_signature(&column.type_signature, knows_precisions);
        ResultColumn {
            name: column.name.clone(),
            type_name: type_name(&signature),
            type_signature: Some(signature_of(&signature)),
        }
    };
    columns.iter().map(column).collect()
}

/// A type as this client supports it.
pub(super) fn client_signature(signature: &TypeSignature, knows_precisions: bool) -> TypeSignature {
    let raw_type = signature.raw_type.clone();
    let is_timed = raw_type.starts_with("time");
    let argument = |argument: &TypeArgument| match argument {
        TypeArgument::Type(part) => Some(TypeArgument::Type(client_signature(part, knows_precisions))),
        TypeArgument::NamedType(field) => Some(TypeArgument::NamedType(NamedType {
            field_name: field.field_name.clone(),
            type_signature: client_signature(&field.type_signature, knows_precisions),
        })),
        TypeArgument::Long(_) if is_timed && !knows_precisions => None,
        TypeArgument::Long(number) => Some(TypeArgument::Long(*number)),
    };
    let arguments = signature.arguments.iter().filter_map(argument).collect();
    TypeSignature { raw_type, arguments, type_arguments: Vec::new(), literal_arguments: Vec::new() }
}

fn signature_of(signature: &TypeSignature) -> Value {
    let argument = |argument: &TypeArgument| match argument {
        TypeArgument::Type(part) => json!({"kind": "TYPE", "value": signature_of(part)}),
        TypeArgument::NamedType(field) => {
            let mut value = Map::new();
            if let Some(name) = &field.field_name {
                value.insert("fieldName".to_owned(), json!({"name": name.name}));
            }
            value.insert("typeSignature".to_owned(), signature_of(&field.type_signature));
            json!({"kind": "NAMED_TYPE", "value": value})
        }
        TypeArgument::Long(number) => json!({"kind": "LONG", "value": number}),
    };
    let mut arguments: Vec<Value> = signature.arguments.iter().map(argument).collect();
    if signature.raw_type == "varchar" && arguments.is_empty() {
        arguments.push(json!({"kind": "LONG", "value": UNBOUNDED_VARCHAR}));
    }
    json!({"rawType": signature.raw_type, "arguments": arguments})
}

/// A type in Trino's spelling for clients: `decimal(2, 1)`, `row(a integer, b varchar)`, `timestamp(3) with time zone`,
/// `INTERVAL DAY TO SECOND`.
fn type_name(signature: &TypeSignature) -> String {
    let argument = |argument: &TypeArgument| match argument {
        TypeArgument::Type(part) => type_name(part),
        TypeArgument::NamedType(field) => {
            let part = type_name(&field.type_signature);
            match &field.field_name {
                Some(name) => format!("{} {part}", field_name(&name.name)),
                None => part,
            }
        }
        TypeArgument::Long(number) => number.to_string(),
    };
    let is_unbounded =
        signature.raw_type == "varchar" && signature.arguments == [TypeArgument::Long(UNBOUNDED_VARCHAR)];
    let arguments: Vec<String> = signature.arguments.iter().map(argument).collect();
    if arguments.is_empty() || is_unbounded {
        let is_interval = signature.raw_type.starts_with("interval ");
        return if is_interval {
            signature.raw_type.to_ascii_uppercase()
        } else {
            signature.raw_type.clone()
        };
    }
    let arguments = arguments.join(", ");
    // The precision precedes the zone.
    match signature.raw_type.split_once(' ') {
        Some((head, tail)) => format!("{head}({arguments}) {tail}"),
        None => format!("{}({arguments})", signature.raw_type),
    }
}

/// A field's name, quoted if it is not a plain identifier.
fn field_name(name: &str) -> String {
    let is_word = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    if is_word { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}

/// Statistics with the fields that Trino's drivers require.
fn error_of(error: &QueryError) -> StatementError {
    let QueryError { message, error_code, error_name, error_type, error_location, failure_info } = error;
    let kind = error_type.as_str().to_owned();
    let failure = StatementFailure {
        kind: failure_info
            .as_ref()
            .map_or_else(|| "io.trino.spi.TrinoException".to_owned(), |failure| failure.kind.clone()),
        message: Some(message.clone()),
        error_info: Some(ErrorInfo {
            code: i64::from(*error_code),
            name: error_name.clone(),
            kind: kind.clone(),
        }),
        error_location: *error_location,
        ..StatementFailure::default()
    };
    StatementError {
        message: Some(message.clone()),
        error_code: i64::from(*error_code),
        error_name: error_name.clone(),
        error_type: Some(kind),
        error_location: *error_location,
        failure_info: Some(failure),
    }
}

/// Statistics of a record. `is_read_on`: more pages follow, so the client's statement is still running.
pub(super) fn stats_of(query: &Query, is_read_on: bool) -> StatementStats {
    let stats = query.query_stats.clone().unwrap_or_default();
    let status = query.status.unwrap_or(QueryStatus::Queued);
    let state = match status {
        QueryStatus::Finished if is_read_on => "RUNNING",
        status => status.as_str(),
    };
    client_stats(&stats, state, status == QueryStatus::Queued)
}

/// Statistics of a statement without a record.
pub(super) fn stats_of_state(state: &str) -> StatementStats {
    client_stats(&QueryStats::default(), state, false)
}

fn client_stats(stats: &QueryStats, state: &str, is_queued: bool) -> StatementStats {
    StatementStats {
        state: state.to_owned(),
        queued: is_queued,
        scheduled: stats.scheduled,
        progress_percentage: Some(stats.progress_percentage),
        running_percentage: Some(0.0),
        nodes: number(stats.nodes),
        total_splits: number(stats.total_splits),
        queued_splits: number(stats.queued_splits),
        running_splits: number(stats.running_splits),
        completed_splits: number(stats.completed_splits),
        planning_time_millis: number(stats.planning_time_millis),
        analysis_time_millis: number(stats.planning_time_millis),
        cpu_time_millis: number(stats.cpu_time_millis),
        wall_time_millis: number(stats.wall_time_millis),
        queued_time_millis: number(stats.queued_time_millis),
        elapsed_time_millis: number(stats.elapsed_time_millis),
        processed_rows: number(stats.processed_rows),
        processed_bytes: number(stats.processed_bytes),
        physical_input_bytes: number(stats.processed_bytes),
        peak_memory_bytes: number(stats.peak_memory_bytes),
        spilled_bytes: number(stats.spilled_bytes),
        ..StatementStats::default()
    }
}

fn number(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(type_name: &str, knows_precisions: bool, expected: &str) {
        let column = Column::new("c", type_name);
        let columns = columns_of(&[column], knows_precisions);
        let signature = columns[0].type_signature.as_ref().expect("a signature");
        let found = format!("{} {signature}", columns[0].type_name);
        assert_eq!(found, expected, "{type_name}");
    }

    /// As Trino 476 spells them.
    #[test]
    fn types_are_spelled_as_in_trino() {
        check("integer", true, r#"integer {"rawType":"integer","arguments":[]}"#);
        check(
            "varchar",
            true,
            r#"varchar {"rawType":"varchar","arguments":[{"kind":"LONG","value":2147483647}]}"#,
        );
        check(
            "decimal(2,1)",
            true,
            r#"decimal(2, 1) {"rawType":"decimal","arguments":[{"kind":"LONG","value":2},{"kind":"LONG","value":1}]}"#,
        );
        check(
            "timestamp(6) with time zone",
            true,
            r#"timestamp(6) with time zone {"rawType":"timestamp with time zone","arguments":[{"kind":"LONG","value":6}]}"#,
        );
        check("timestamp(6)", false, r#"timestamp {"rawType":"timestamp","arguments":[]}"#);
        check(
            "row(a integer)",
            true,
            r#"row(a integer) {"rawType":"row","arguments":[{"kind":"NAMED_TYPE","value":{"fieldName":{"name":"a"},"typeSignature":{"rawType":"integer","arguments":[]}}}]}"#,
        );
    }
}
