use super::*;

fn session() -> ClientSession {
    ClientSession {
        catalog: Some("rowhouse".to_owned()),
        schema: Some("demo".to_owned()),
        prepared: BTreeMap::from([("p".to_owned(), "SELECT 'it''s', ?".to_owned())]),
        transaction: Some("NONE".to_owned()),
        ..ClientSession::default()
    }
}

fn check(session: &ClientSession, text: &str, expected: &str) {
    let found = match session.request(text, false) {
        Ok(SessionRequest::Run { sql, prefix }) => format!("run {prefix} {sql}"),
        Ok(SessionRequest::Change { update_type, change }) => format!("{update_type}: {change:?}"),
        Ok(other) => format!("{other:?}"),
        Err(error) => format!("{} {}", error.error_name, error.message),
    };
    assert_eq!(found, expected, "{text}");
}

#[test]
fn session_statements_change_the_session_and_others_run() {
    let session = session();
    check(&session, "SELECT 1", "run 0 SELECT 1");
    check(&session, "EXECUTE p USING 1", "run 19 EXECUTE IMMEDIATE 'SELECT ''it''''s'', ?' USING 1");
    check(&session, "DESCRIBE INPUT p", "run 26 DESCRIBE INPUT IMMEDIATE 'SELECT ''it''''s'', ?'");
    check(&session, "USE tiny", r#"USE: Use { catalog: "rowhouse", schema: "tiny" }"#);
    check(&session, "SET SESSION cache_ttl = 60", r#"SET SESSION: Set { name: "cache_ttl", value: "60" }"#);
    check(&session, "RESET SESSION cache_ttl", r#"RESET SESSION: Reset { name: "cache_ttl" }"#);
    check(&session, "SET TIME ZONE LOCAL", r#"SET TIME ZONE: Reset { name: "time_zone_id" }"#);
    check(
        &session,
        "PREPARE q FROM SELECT ?",
        r#"PREPARE: AddPrepared { name: "q", statement: "SELECT ?" }"#,
    );
    check(&session, "DEALLOCATE PREPARE p", r#"DEALLOCATE: RemovePrepared { name: "p" }"#);
    check(&session, "START TRANSACTION", "START TRANSACTION: Start");
    let begun = ClientSession { transaction: Some("t1".to_owned()), ..session };
    check(&begun, "COMMIT", "COMMIT: End");
    check(&begun, "ROLLBACK", "ROLLBACK: End");
}

/// Names and messages are those of Trino 476.
#[test]
fn unknown_session_objects_are_refused_as_in_trino() {
    let session = session();
    check(&session, "EXECUTE q", "NOT_FOUND Prepared statement not found: q");
    check(&session, "DEALLOCATE PREPARE q", "NOT_FOUND Prepared statement not found: q");
    check(
        &session,
        "PREPARE q FROM EXECUTE p",
        "NOT_SUPPORTED Invalid statement type for prepared statement: EXECUTE",
    );
    check(
        &session,
        "SET SESSION foo = 1",
        "INVALID_SESSION_PROPERTY line 1:19: Session property 'foo' does not exist",
    );
    check(
        &session,
        "SET SESSION query_max_run_time = 1",
        "INVALID_SESSION_PROPERTY Unable to set session property 'query_max_run_time' to '1': Cannot cast type \
         integer to varchar",
    );
    check(
        &session,
        "RESET SESSION foo",
        "INVALID_SESSION_PROPERTY line 1:1: Session property 'foo' does not exist",
    );
    check(&session, "COMMIT", "NOT_IN_TRANSACTION No transaction in progress");
    let old = ClientSession { transaction: None, ..session };
    check(&old, "START TRANSACTION", "INCOMPATIBLE_CLIENT Client does not support transactions");
    let none = ClientSession::default();
    check(
        &none,
        "USE tiny",
        "MISSING_CATALOG_NAME line 1:1: Catalog must be specified when session catalog is not set",
    );
}

#[test]
fn the_session_determines_workspace_defaults_and_cache_policy() {
    let session = session();
    assert_eq!((session.workspace(), session.workspace_of_schema()), (None, Some("demo")));
    assert_eq!(session.for_statement("demo", false), StatementSession::default());
    let sample = ClientSession {
        catalog: Some("tpch".to_owned()),
        schema: Some("tiny".to_owned()),
        ..session.clone()
    };
    assert_eq!((sample.workspace(), sample.workspace_of_schema()), (None, None));
    let statement = sample.for_statement("demo", false);
    assert_eq!((statement.catalog.as_deref(), statement.schema.as_deref()), (Some("tpch"), Some("tiny")));
    let properties = [("workspace", "lake"), ("hive.x", "1"), ("cache_ttl", "1m")];
    let lake = ClientSession {
        properties: properties.map(|(name, value)| (name.to_owned(), value.to_owned())).into(),
        ..sample
    };
    assert_eq!(lake.workspace(), Some("lake"));
    let statement = lake.for_statement("lake", true);
    assert_eq!(statement.properties, BTreeMap::from([("hive.x".to_owned(), "1".to_owned())]));
    assert_eq!(
        lake.cache(),
        Some(CachePolicy { ttl_seconds: 60, refresh: false, check: None, stale_seconds: 0 })
    );
    assert_eq!(session.cache(), None);
    for (text, expected) in [
        ("SET SESSION workspace = 'sales'", true),
        ("reset session workspace", true),
        ("SET SESSION cache_ttl = '1m'", false),
        ("USE demo", false),
        ("SELECT 1", false),
        ("SET SESSION", false),
    ] {
        assert_eq!(ClientSession::changes_workspace(text), expected, "{text}");
    }
    let set = |value: &str| SessionChange::Set { name: "workspace".to_owned(), value: value.to_owned() };
    assert_eq!((set("sales").workspace(), set("").workspace()), (Some("sales"), None));
}
