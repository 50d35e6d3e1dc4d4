//! `CALL system.runtime.kill_query(query_id => '…', message => '…')`, with which tools cancel a statement of another
//! connection. Errors are Trino's.

use rowhouse_executor::SYSTEM_CATALOG;
use rowhouse_model::{ErrorCode, QueryError, QueryId};
use rowhouse_sql::{Procedure, ProcedureArgument};

use super::{ClientSession, SessionRequest};

/// Its arguments; the first is required.
const ARGUMENTS: [&str; 2] = ["QUERY_ID", "MESSAGE"];

/// Catalog, schema and name.
type FullName = [String; 3];

/// Resolves a procedure's name in a session.
///
/// # Errors
/// `MISSING_CATALOG_NAME`, `MISSING_SCHEMA_NAME`.
pub(super) fn full_name(session: &ClientSession, procedure: &Procedure) -> Result<FullName, QueryError> {
    let mut parts = procedure.name.iter().rev().cloned();
    let name = parts.next().unwrap_or_default();
    let missing = |code, what: &str| {
        let message = format!("{what} must be specified when session {} is not set", what.to_lowercase());
        move || QueryError::at(code, procedure.place, message)
    };
    let schema = parts.next().or_else(|| session.schema.clone());
    let schema = schema.ok_or_else(missing(ErrorCode::MissingSchemaName, "Schema"))?;
    let catalog = parts.next().or_else(|| session.catalog.clone());
    let catalog = catalog.ok_or_else(missing(ErrorCode::MissingCatalogName, "Catalog"))?;
    Ok([catalog, schema, name])
}

pub(super) fn is_kill_query(name: &FullName) -> bool {
    name.each_ref().map(String::as_str) == [SYSTEM_CATALOG, "runtime", "kill_query"]
}

/// The request of a call; this is the only procedure.
///
/// # Errors
/// `PROCEDURE_NOT_FOUND`, `INVALID_ARGUMENTS`, `TYPE_MISMATCH`, `INVALID_PROCEDURE_ARGUMENT`.
pub(super) fn request(name: &FullName, procedure: &Procedure) -> Result<SessionRequest, QueryError> {
    if !is_kill_query(name) {
        let [_, schema, name] = name;
        let message = format!("Procedure not registered: {schema}.{name}");
        return Err(QueryError::new(ErrorCode::ProcedureNotFound, message));
    }
    let arguments = &procedure.arguments;
    let invalid = |place, message: String| QueryError::at(ErrorCode::InvalidArguments, place, message);
    let named = arguments.iter().filter(|argument| argument.name.is_some()).count();
    if named > 0 && named < arguments.len() {
        let message = "Named and positional arguments cannot be mixed";
        return Err(invalid(procedure.place, message.to_owned()));
    }
    let mut given: [Option<&ProcedureArgument>; ARGUMENTS.len()] = [None; ARGUMENTS.len()];
    for (position, argument) in arguments.iter().enumerate() {
        let index = match &argument.name {
            None => position,
            Some(name) => ARGUMENTS
                .iter()
                .position(|known| known == name)
                .ok_or_else(|| invalid(argument.place, format!("Unknown argument name: {name}")))?,
        };
        let slot = given
            .get_mut(index)
            .ok_or_else(|| invalid(procedure.place, "Too many arguments for procedure".to_owned()))?;
        if slot.replace(argument).is_some() {
            let message = format!("Duplicate procedure argument: {}", ARGUMENTS[index]);
            return Err(invalid(argument.place, message));
        }
    }
    let [query_id, message] = given;
    let query_id = query_id.ok_or_else(|| {
        invalid(procedure.place, format!("Required procedure argument '{}' is missing", ARGUMENTS[0]))
    })?;
    let (query_id, message) = (text(query_id)?, message.map(text).transpose()?.flatten());
    let query_id = query_id
        .ok_or_else(|| QueryError::new(ErrorCode::InvalidProcedureArgument, "query_id cannot be null"))?;
    Ok(SessionRequest::KillQuery { query_id: QueryId::from(query_id.as_str()), message })
}

fn text(argument: &ProcedureArgument) -> Result<Option<String>, QueryError> {
    argument.value.clone().map_err(|type_name| {
        let message = format!("Cannot cast type {type_name} to varchar");
        QueryError::at(ErrorCode::TypeMismatch, argument.value_place, message)
    })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    /// Trino 476's answers.
    #[test]
    fn arguments_are_parsed_and_refused_as_in_trino() {
        let session = ClientSession { catalog: Some("memory".to_owned()), ..ClientSession::default() };
        let in_schema = ClientSession { schema: Some("default".to_owned()), ..session.clone() };
        let check = |call: &str, expected: &str| {
            let found = match in_schema.request(&format!("CALL {call}"), false) {
                Ok(SessionRequest::KillQuery { query_id, message }) => format!("{query_id} {message:?}"),
                Ok(other) => format!("{other:?}"),
                Err(error) => format!("{} {}", error.error_name, error.message),
            };
            assert_eq!(found, expected, "{call}");
        };
        let kill = |arguments: &str, expected: &str| {
            check(&format!("system.runtime.kill_query({arguments})"), expected);
        };
        kill("query_id => 'x', message => 'it''s'", "x Some(\"it's\")");
        kill("MESSAGE => NULL, \"query_id\" => 'x'", "x None");
        kill("'x'", "x None");
        kill("'x', 'why'", "x Some(\"why\")");
        kill("", "INVALID_ARGUMENTS line 1:1: Required procedure argument 'QUERY_ID' is missing");
        kill(
            "message => 'm'",
            "INVALID_ARGUMENTS line 1:1: Required procedure argument 'QUERY_ID' is missing",
        );
        kill("'a', 'b', 'c'", "INVALID_ARGUMENTS line 1:1: Too many arguments for procedure");
        kill("query_id => 1", "TYPE_MISMATCH line 1:44: Cannot cast type integer to varchar");
        let mixed = "INVALID_ARGUMENTS line 1:1: Named and positional arguments cannot be mixed";
        kill("'a', message => 'b'", mixed);
        kill("message => 'b', 'a'", mixed);
        kill("nope => 'b'", "INVALID_ARGUMENTS line 1:32: Unknown argument name: NOPE");
        let twice = "INVALID_ARGUMENTS line 1:49: Duplicate procedure argument: QUERY_ID";
        kill("query_id => 'b', query_id => 'a'", twice);
        kill("query_id => NULL", "INVALID_PROCEDURE_ARGUMENT query_id cannot be null");
        check("system.runtime.nope('a')", "PROCEDURE_NOT_FOUND Procedure not registered: runtime.nope");
        check("kill_query('a')", "PROCEDURE_NOT_FOUND Procedure not registered: default.kill_query");
        let refused = "an argument of a procedure that is no text and not NULL is not supported";
        for other in ["'a' || 'b'", "concat('a', 'b')", "x", "(SELECT 'a')", "1.5"] {
            kill(other, &format!("NOT_SUPPORTED line 1:32: {refused}"));
        }
        check("system.runtime", "SYNTAX_ERROR line 1:20: expected: '(', found: the end of the statement");
        let unfinished = session.request("CALL runtime.kill_query('a'", false).unwrap_err();
        assert_eq!(unfinished.message, "line 1:28: expected: ',' or ')', found: the end of the statement");
        let nowhere = session.request("CALL kill_query('a')", false).unwrap_err();
        assert_eq!(nowhere.error_name, "MISSING_SCHEMA_NAME");
        let at_a_cluster = session.request("CALL hive.system.flush_metadata_cache()", true).unwrap();
        assert!(matches!(at_a_cluster, SessionRequest::Run { .. }), "{at_a_cluster:?}");
    }
}
