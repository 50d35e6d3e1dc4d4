//! `QueryResults` of Trino's client protocol, as JSON.

use rowhouse_model::{
    Column, ErrorLocation, NamedType, Query, QueryError, QueryStats, QueryStatus, TypeArgument, TypeSignature,
};
use serde_json::{Map, Value, json};

/// Length of a varchar without one, as Trino's signatures tell it.
const UNBOUNDED_VARCHAR: i64 = 2_147_483_647;

/// An answer in the making.
#[derive(Debug, Default)]
pub(super) struct Results {
    fields: Map<String, Value>,
}

impl Results {
    /// Of a statement with this id; `info` is its page for people.
    pub(super) fn new(id: &str, info: &str) -> Self {
        let mut fields = Map::new();
        fields.insert("id".to_owned(), id.into());
        fields.insert("infoUri".to_owned(), info.into());
        Self { fields }
    }

    pub(super) fn next(mut self, uri: String) -> Self {
        self.fields.insert("nextUri".to_owned(), uri.into());
        self
    }

    pub(super) fn columns(mut self, columns: Value) -> Self {
        self.fields.insert("columns".to_owned(), columns);
        self
    }

    pub(super) fn stats(mut self, stats: Value) -> Self {
        self.fields.insert("stats".to_owned(), stats);
        self.fields.insert("warnings".to_owned(), json!([]));
        self
    }

    pub(super) fn error(mut self, error: &QueryError) -> Self {
        self.fields.insert("error".to_owned(), error_of(error));
        self
    }

    pub(super) fn data(mut self, data: Value) -> Self {
        self.fields.insert("data".to_owned(), data);
        self
    }

    pub(super) fn update_type(mut self, update_type: &str) -> Self {
        self.fields.insert("updateType".to_owned(), update_type.into());
        self
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        // OK because a map of texts and numbers can always be written.
        serde_json::to_vec(&self.fields).expect("an answer can be written")
    }

    /// What stands before and after its rows.
    pub(super) fn around_data(&self) -> (Vec<u8>, Vec<u8>) {
        let mut prefix = self.bytes();
        prefix.pop();
        prefix.extend_from_slice(b",\"data\":");
        (prefix, b"}".to_vec())
    }
}

/// The columns of a result. To a client that does not know precisions, times and timestamps have milliseconds.
pub(super) fn columns_of(columns: &[Column], knows_precisions: bool) -> Value {
    let column = |column: &Column| {
        let signature = client_signature(&column.type_signature, knows_precisions);
        json!({
            "name": column.name,
            "type": type_name(&signature),
            "typeSignature": signature_of(&signature),
        })
    };
    columns.iter().map(column).collect()
}

/// A type as this client knows it.
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

/// A type as Trino spells it here: `decimal(2, 1)`, `row(a integer, b varchar)`, `timestamp(3) with time zone`,
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
    // The precision stands before the zone.
    match signature.raw_type.split_once(' ') {
        Some((head, tail)) => format!("{head}({arguments}) {tail}"),
        None => format!("{}({arguments})", signature.raw_type),
    }
}

/// A field's name, between quotes where it is no plain word.
fn field_name(name: &str) -> String {
    let is_word = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    if is_word { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}

/// `QueryError` with the fields that Trino's drivers insist on.
fn error_of(error: &QueryError) -> Value {
    let QueryError { message, error_code, error_name, error_type, error_location, failure_info } = error;
    let location = error_location.map(|ErrorLocation { line_number, column_number }| {
        json!({"lineNumber": line_number, "columnNumber": column_number})
    });
    let mut failure = json!({
        "type": failure_info.as_ref().map_or("io.trino.spi.TrinoException", |failure| failure.kind.as_str()),
        "message": message,
        "suppressed": [],
        "stack": [],
        "errorInfo": {"code": error_code, "name": error_name, "type": error_type},
    });
    let mut told = json!({
        "message": message,
        "errorCode": error_code,
        "errorName": error_name,
        "errorType": error_type,
    });
    if let Some(location) = location {
        failure["errorLocation"] = location.clone();
        told["errorLocation"] = location;
    }
    told["failureInfo"] = failure;
    told
}

/// `StatementStats` of a record. `is_read_on`: more pages are to come, so the client's statement still runs.
pub(super) fn stats_of(query: &Query, is_read_on: bool) -> Value {
    let stats = query.query_stats.clone().unwrap_or_default();
    let status = query.status.unwrap_or(QueryStatus::Queued);
    let state = match status {
        QueryStatus::Finished if is_read_on => "RUNNING",
        status => status.as_str(),
    };
    stats_json(&stats, state, status == QueryStatus::Queued)
}

/// The same of a statement that has no record.
pub(super) fn stats_of_state(state: &str) -> Value {
    stats_json(&QueryStats::default(), state, false)
}

fn stats_json(stats: &QueryStats, state: &str, is_queued: bool) -> Value {
    let QueryStats {
        nodes,
        total_splits,
        queued_splits,
        running_splits,
        completed_splits,
        cpu_time_millis,
        wall_time_millis,
        queued_time_millis,
        elapsed_time_millis,
        processed_rows,
        processed_bytes,
        peak_memory_bytes,
        spilled_bytes,
        planning_time_millis,
        progress_percentage,
        scheduled,
        output_bytes: _,
        output_rows: _,
        execution_time_millis: _,
        state: _,
        queued: _,
    } = stats;
    json!({
        "state": state,
        "queued": is_queued,
        "scheduled": scheduled,
        "progressPercentage": progress_percentage,
        "runningPercentage": 0.0,
        "nodes": nodes,
        "totalSplits": total_splits,
        "queuedSplits": queued_splits,
        "runningSplits": running_splits,
        "completedSplits": completed_splits,
        "planningTimeMillis": planning_time_millis,
        "analysisTimeMillis": planning_time_millis,
        "cpuTimeMillis": cpu_time_millis,
        "wallTimeMillis": wall_time_millis,
        "queuedTimeMillis": queued_time_millis,
        "elapsedTimeMillis": elapsed_time_millis,
        "finishingTimeMillis": 0,
        "physicalInputTimeMillis": 0,
        "processedRows": processed_rows,
        "processedBytes": processed_bytes,
        "physicalInputBytes": processed_bytes,
        "physicalWrittenBytes": 0,
        "internalNetworkInputBytes": 0,
        "peakMemoryBytes": peak_memory_bytes,
        "spilledBytes": spilled_bytes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(type_name: &str, knows_precisions: bool, expected: &str) {
        let column = Column::new("c", type_name);
        let columns = columns_of(&[column], knows_precisions);
        let found =
            format!("{} {}", columns[0]["type"].as_str().expect("a type"), columns[0]["typeSignature"]);
        assert_eq!(found, expected, "{type_name}");
    }

    /// As Trino 476 tells them.
    #[test]
    fn types_are_told_as_trino_tells_them() {
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
