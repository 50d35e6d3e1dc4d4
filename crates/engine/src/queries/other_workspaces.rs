//! Statements that name workspaces other than their own (D127): finds the workspaces that a text names, and decides who
//! may see the outcome. Rights are checked at the submit, at the start of the run, and at each read of record or rows.

use std::collections::{BTreeSet, HashMap};

use rowhouse_executor::{METADATA_NAMES, OWN_CATALOG, StatementSession};
use rowhouse_model::{Query, QueryError, QueryId, WorkspaceId};

use super::{Purpose, QueryRecord, Shared, Submission};
use crate::accounts::Principal;
use crate::error::{Error, ErrorKind, Result};
use crate::store::query_records::StoredQuery;
use crate::visibility::contains_ignoring_case;
use crate::workspaces::Access;

/// Maximum number of other workspaces that a statement may list; with more it must name them individually.
const MAX_LISTED: usize = 100;
/// Words after `SHOW` in statements that list or describe schemas or tables.
const SHOWN: [&str; 5] = ["schemas", "tables", "columns", "create", "stats"];
/// Bytes of a workspace's SQL name.
const MAX_NAME_BYTES: usize = 63;
/// The beginning of the field in a record's JSON. Inside a JSON string its quotes would be escaped.
const FIELD: &str = "\"otherWorkspaces\":[";
const HIDDEN: &str = "the statement names other workspaces, and the caller may not query all of them";

impl Shared {
    /// The other workspaces that a statement may read or list: those of the caller's workspaces that its text or session
    /// names. Empty for views and endpoints, which belong to their workspace.
    pub(super) fn named_by(&self, access: &Access, submission: &Submission) -> Vec<WorkspaceId> {
        if submission.purpose != Purpose::Result || access.workspace.engine.is_trino() {
            return Vec::new();
        }
        // A statement without a session is the same for all members, and is cached as D19 says.
        if !submission.lists_other_workspaces && !contains_ignoring_case(&submission.sql, OWN_CATALOG) {
            return Vec::new();
        }
        let others = self.context.others(access);
        if others.is_empty() {
            return Vec::new();
        }
        let by_name: HashMap<&str, &WorkspaceId> =
            others.iter().map(|other| (other.workspace.sql_name.as_str(), &other.workspace.id)).collect();
        let known = |name: &str| by_name.get(name).copied().cloned();
        if !submission.lists_other_workspaces {
            return of_own_catalog(&submission.sql, known).into_iter().collect();
        }
        let NamedSchemas { schemas, lists_all } = named(&submission.sql, &submission.session, known);
        if lists_all && others.len() <= MAX_LISTED {
            return others.iter().map(|other| other.workspace.id.clone()).collect();
        }
        schemas.into_iter().collect()
    }

    /// Whether a caller may see the outcome of a statement of a workspace of which it is a member.
    fn is_open(&self, principal: &Principal, query: &Query) -> bool {
        query.other_workspaces.iter().flatten().all(|id| self.context.may_query(principal, id))
    }

    /// The record as its caller may see it.
    pub(super) fn shown_to(&self, principal: &Principal, record: QueryRecord) -> QueryRecord {
        if self.is_open(principal, &record) {
            return record;
        }
        let StoredQuery { query, .. } = record.stored().clone();
        QueryRecord::new(StoredQuery { query: without_outcome(query), ..record.stored().clone() })
    }

    /// As [`shown_to`](Self::shown_to), for a listed record as JSON; few records need a change.
    pub(super) fn show_json_to(&self, principal: &Principal, json: &mut Vec<u8>, start: usize) -> Result<()> {
        let written = json.get(start..).unwrap_or_default();
        if !std::str::from_utf8(written).is_ok_and(|text| text.contains(FIELD)) {
            return Ok(());
        }
        let broken = |error| Error::internal("a query's record", error);
        let query: Query = serde_json::from_slice(written).map_err(broken)?;
        if !self.is_open(principal, &query) {
            json.truncate(start);
            serde_json::to_writer(&mut *json, &without_outcome(query)).map_err(broken)?;
        }
        Ok(())
    }

    /// Checks that a caller may read the rows of a query.
    pub(super) fn check_open(&self, principal: &Principal, id: &QueryId, record: &QueryRecord) -> Result<()> {
        if self.is_open(principal, record) {
            return Ok(());
        }
        Err(Error::new(ErrorKind::PermissionDenied, format!("query '{id}' cannot be read: {HIDDEN}")))
    }
}

/// The record with submitter, times and text only: rows, columns and errors would reveal tables.
pub(super) fn without_outcome(query: Query) -> Query {
    let error = query.error.map(|error| QueryError {
        message: HIDDEN.to_owned(),
        error_location: None,
        failure_info: None,
        ..error
    });
    Query { error, columns: None, row_count: None, query_stats: None, output_stage: None, ..query }
}

/// The schemas that a text may name.
#[derive(Debug, PartialEq, Eq)]
struct NamedSchemas<T> {
    /// The known schemas.
    schemas: BTreeSet<T>,
    /// Whether it reads the catalog.
    lists_all: bool,
}

/// Searches for words without parsing, because a text inside a text (`EXECUTE IMMEDIATE`) counts, too. A false match
/// only keeps the statement out of the cache; a workspace that is not found does not exist for the statement. Takes one
/// pass over any text.
fn named<T: Ord>(
    sql: &str,
    session: &StatementSession,
    known: impl Fn(&str) -> Option<T>,
) -> NamedSchemas<T> {
    let of_session = |name: &Option<String>| name.as_deref().unwrap_or_default().to_lowercase();
    let (catalog, schema) = (of_session(&session.catalog), of_session(&session.schema));
    let mut schemas = BTreeSet::new();
    if catalog == OWN_CATALOG {
        schemas.extend(known(&schema));
    }
    // Tables of a session's schema need no qualifier.
    let mut lists_all = [catalog, schema].iter().any(|name| METADATA_NAMES.contains(&name.as_str()));
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_one_of = |word: &str, names: &[&str]| names.iter().any(|name| word.eq_ignore_ascii_case(name));
    let (mut previous, mut rest, mut lower) = ("", sql, String::new());
    while let Some(start) = rest.find(is_word) {
        rest = &rest[start..];
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        rest = behind;
        lists_all |=
            is_one_of(word, &METADATA_NAMES) || is_one_of(previous, &["show"]) && is_one_of(word, &SHOWN);
        let behind = behind.strip_prefix('"').unwrap_or(behind);
        if word.len() <= MAX_NAME_BYTES && behind.trim_start().starts_with('.') {
            lower.clear();
            lower.extend(word.chars().map(|c| c.to_ascii_lowercase()));
            schemas.extend(known(&lower));
        }
        previous = word;
    }
    NamedSchemas { schemas, lists_all }
}

/// The known schemas among the names that are qualified by the workspaces' catalog.
fn of_own_catalog<T: Ord>(sql: &str, known: impl Fn(&str) -> Option<T>) -> BTreeSet<T> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut schemas = BTreeSet::new();
    let (mut is_of_catalog, mut rest) = (false, sql);
    while let Some(start) = rest.find(is_word) {
        rest = &rest[start..];
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        rest = behind;
        if is_of_catalog && word.len() <= MAX_NAME_BYTES {
            schemas.extend(known(&word.to_ascii_lowercase()));
        }
        let is_qualifier = behind.strip_prefix('"').unwrap_or(behind).trim_start().starts_with('.');
        is_of_catalog = is_qualifier && word.eq_ignore_ascii_case(OWN_CATALOG);
    }
    schemas
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_session_workspaces_are_found_by_qualified_names() {
        let check = |sql: &str, expected: &[&str]| {
            let found = of_own_catalog(sql, |name| Some(name.to_owned()));
            assert_eq!(found.into_iter().collect::<Vec<_>>(), expected, "{sql}");
        };
        check("SELECT * FROM rowhouse.Sales.t JOIN \"rowhouse\" . \"b\".t ON true", &["b", "sales"]);
        check("EXECUTE IMMEDIATE 'SELECT * FROM rowhouse.sales.t'", &["sales"]);
        check("SELECT o.x FROM sales.t o", &[]);
        check("SHOW TABLES", &[]);
        check("SELECT rowhouse, sales FROM information_schema.tables", &[]);
    }

    fn all(sql: &str, session: &StatementSession) -> NamedSchemas<String> {
        named(sql, session, |name| (!name.is_empty()).then(|| name.to_owned()))
    }

    #[test]
    fn workspaces_named_in_a_text_are_found() {
        let check = |sql: &str, schemas: &[&str], lists_all: bool| {
            let expected =
                NamedSchemas { schemas: schemas.iter().map(|name| (*name).to_owned()).collect(), lists_all };
            assert_eq!(all(sql, &StatementSession::default()), expected, "{sql}");
        };
        check("SELECT sales FROM t", &[], false);
        check("SELECT * FROM rowhouse.Sales.t JOIN \"b\".t ON true", &["rowhouse", "sales", "b"], false);
        check("SELECT * FROM sales . t", &["sales"], false);
        check("EXECUTE IMMEDIATE 'SELECT * FROM sales.t'", &["sales"], false);
        check("/* dbt */ show\n schemas", &[], true);
        check("SHOW FUNCTIONS", &[], false);
        check("SELECT * FROM information_schema.tables", &["information_schema"], true);
        check("SELECT * FROM \"system\".\"jdbc\".\"tables\"", &["system", "jdbc"], true);
        check("SELECT 1.5, x ORDER BY x DESC", &["1"], false);
        check("", &[], false);
    }

    #[test]
    fn the_schema_of_a_session_names_a_workspace() {
        let session = |catalog: &str, schema: &str| StatementSession {
            catalog: Some(catalog.to_owned()),
            schema: Some(schema.to_owned()),
            ..StatementSession::default()
        };
        let schemas = |session| all("SELECT 1", &session).schemas.into_iter().collect::<Vec<_>>();
        assert_eq!(schemas(session("rowhouse", "Sales")), ["sales"]);
        assert_eq!(schemas(session("tpch", "tiny")), [""; 0]);
        assert!(all("SELECT * FROM tables", &session("system", "jdbc")).lists_all);
        assert!(all("SELECT * FROM tables", &session("rowhouse", "information_schema")).lists_all);
        assert!(!all("SELECT * FROM tables", &session("rowhouse", "sales")).lists_all);
    }
}
