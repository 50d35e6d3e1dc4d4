//! The catalog of a cluster, for completion in editors: its catalogs, the schemas of one, the tables of one with their
//! columns. Read from the cluster with read-only statements that are limited in time and size; answers are cached for a
//! short while, and concurrent requests for the same answer share one statement.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use arrow_array::cast::AsArray as _;
use arrow_array::{Array as _, RecordBatch};
use rowhouse_model::{
    Catalog, CatalogSchema, CatalogTable, CatalogTableKind, Column, ErrorCode, ErrorType, QueryError,
};
use tokio::sync::{OnceCell, Semaphore};

use super::failure::internal;
use rowhouse_executor::clock::Clock;
use rowhouse_executor::{BoxFuture, CatalogPlace};

/// Time limit of an answer of the cluster.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(20);
/// How long an answer is cached.
const KEPT_FOR: Duration = Duration::from_secs(60);
/// Maximum number of cached answers, of all clusters.
const MAX_KEPT: usize = 256;
/// Concurrent statements for names, at all clusters.
const STATEMENTS_AT_ONCE: usize = 4;
/// Maximum number of listed schemas of a catalog.
const MAX_SCHEMAS: usize = 5_000;
/// Maximum number of listed columns of all tables of a schema.
const MAX_COLUMNS: usize = 20_000;

/// The question of one statement to a cluster.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Question {
    Catalogs,
    Schemas { catalog: String },
    Tables { catalog: String, schema: String },
}

/// Runs a statement at a cluster; returns its rows.
type Run<'r> = dyn Fn(String) -> BoxFuture<'r, Result<Vec<RecordBatch>, QueryError>> + Sync + 'r;

/// Answers by cluster and question.
pub(super) struct Catalogs {
    kept: Mutex<HashMap<(String, Question), Kept>>,
    statements: Semaphore,
    clock: Arc<dyn Clock>,
}

#[derive(Clone)]
struct Kept {
    since: Duration,
    answer: Arc<OnceCell<Catalog>>,
}

impl Catalogs {
    pub(super) fn new(clock: Arc<dyn Clock>) -> Self {
        Self { kept: Mutex::default(), statements: Semaphore::new(STATEMENTS_AT_ONCE), clock }
    }

    /// Names at a place. `default` is the catalog and schema of an unqualified name; `run` runs a statement at the
    /// cluster.
    pub(super) async fn at(
        &self,
        cluster: &str,
        default: (Option<&str>, Option<&str>),
        place: CatalogPlace,
        run: &Run<'_>,
    ) -> Result<Catalog, QueryError> {
        let own = |text: Option<&str>| text.map(str::to_owned);
        let mut found = match place {
            CatalogPlace::Schema { catalog, schema } => {
                let catalog = catalog.or_else(|| own(default.0)).ok_or_else(|| {
                    let message =
                        format!("{cluster} has no default catalog; say which one has the schema '{schema}'");
                    QueryError::new(ErrorCode::InvalidArguments, message)
                })?;
                self.answer(cluster, Question::Tables { catalog, schema }, run).await?
            }
            CatalogPlace::Catalog { catalog } => {
                self.answer(cluster, Question::Schemas { catalog }, run).await?
            }
            CatalogPlace::Root => {
                let mut found = self.answer(cluster, Question::Catalogs, run).await?;
                // A configured catalog that does not exist must not hide everything else.
                if let Some(catalog) = own(default.0) {
                    let schemas = self.answer(cluster, Question::Schemas { catalog }, run).await;
                    found.extend(unless_missing(schemas)?);
                }
                if let (Some(catalog), Some(schema)) = (own(default.0), own(default.1)) {
                    let tables = self.answer(cluster, Question::Tables { catalog, schema }, run).await;
                    found.extend(unless_missing(tables)?);
                }
                found
            }
        };
        (found.default_catalog, found.default_schema) = (own(default.0), own(default.1));
        Ok(found)
    }

    async fn answer(&self, cluster: &str, question: Question, run: &Run<'_>) -> Result<Catalog, QueryError> {
        let kept = self.kept(cluster, &question);
        let asked = kept.get_or_try_init(|| async {
            let _permit =
                self.statements.acquire().await.map_err(|error| internal("asking Trino", &error))?;
            question.read(&run(question.sql()).await?)
        });
        match tokio::time::timeout(ANSWER_TIMEOUT, asked).await {
            Ok(answer) => answer.cloned(),
            Err(_) => Err(QueryError::new(
                ErrorCode::External,
                format!(
                    "{cluster} did not tell its {question} within {} s; try again, or see whether the cluster is busy",
                    ANSWER_TIMEOUT.as_secs()
                ),
            )),
        }
    }

    /// The entry of an answer: cached, being read, or not read yet.
    fn kept(&self, cluster: &str, question: &Question) -> Arc<OnceCell<Catalog>> {
        let now = self.clock.monotonic();
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|_, kept| now.saturating_sub(kept.since) < KEPT_FOR);
        let key = (cluster.to_owned(), question.clone());
        if !kept.contains_key(&key)
            && kept.len() >= MAX_KEPT
            && let Some(oldest) = kept.iter().min_by_key(|(_, kept)| kept.since).map(|(key, _)| key.clone())
        {
            kept.remove(&oldest);
        }
        let entry = kept.entry(key).or_insert_with(|| Kept { since: now, answer: Arc::default() });
        Arc::clone(&entry.answer)
    }
}

/// Maps an error of the statement's fault to an empty catalog: the statement named something that does not exist, or
/// that the cluster's user may not see.
fn unless_missing(answer: Result<Catalog, QueryError>) -> Result<Catalog, QueryError> {
    match answer {
        Err(error) if error.error_type == ErrorType::UserError => Ok(Catalog::default()),
        answer => answer,
    }
}

impl Question {
    /// The statement. It requests one more name than is listed, to detect that there are more.
    fn sql(&self) -> String {
        match self {
            Self::Catalogs => "SHOW CATALOGS".to_owned(),
            Self::Schemas { catalog } => format!(
                "SELECT schema_name FROM {}.information_schema.schemata ORDER BY 1 LIMIT {}",
                quoted(catalog, '"'),
                MAX_SCHEMAS + 1
            ),
            Self::Tables { catalog, schema } => {
                let (catalog, schema) = (quoted(catalog, '"'), quoted(schema, '\''));
                format!(
                    "SELECT t.table_name, t.table_type, c.column_name, c.data_type \
                     FROM {catalog}.information_schema.tables t LEFT JOIN {catalog}.information_schema.columns c \
                     ON c.table_schema = {schema} AND c.table_name = t.table_name \
                     WHERE t.table_schema = {schema} ORDER BY t.table_name, c.ordinal_position LIMIT {}",
                    MAX_COLUMNS + 1
                )
            }
        }
    }

    fn read(&self, batches: &[RecordBatch]) -> Result<Catalog, QueryError> {
        let mut found = Catalog::default();
        let mut row_count = 0;
        for batch in batches {
            row_count += batch.num_rows();
            let texts = batch.columns().iter().map(|column| column.as_string_opt::<i64>());
            let texts: Option<Vec<_>> = texts.collect();
            let texts = texts.ok_or_else(|| internal("reading names", &"a column that is no text"))?;
            let value = |column: usize, row: usize| {
                texts.get(column).filter(|texts| texts.is_valid(row)).map(|texts| texts.value(row).to_owned())
            };
            for row in 0..batch.num_rows() {
                let Some(name) = value(0, row) else { continue };
                match self {
                    Self::Catalogs => found.catalogs.push(name),
                    Self::Schemas { catalog } => {
                        found.schemas.push(CatalogSchema { catalog: catalog.clone(), name });
                    }
                    Self::Tables { catalog, schema } => {
                        let column =
                            value(2, row).zip(value(3, row)).map(|(name, kind)| Column::new(name, kind));
                        match found.tables.last_mut().filter(|table| table.name == name) {
                            Some(table) => table.columns.extend(column),
                            None => found.tables.push(CatalogTable {
                                catalog: catalog.clone(),
                                schema: schema.clone(),
                                name,
                                kind: kind_of(value(1, row).as_deref()),
                                columns: column.into_iter().collect(),
                                row_count: None,
                            }),
                        }
                    }
                }
            }
        }
        self.cut(&mut found, row_count);
        Ok(found)
    }

    /// Removes what exceeds the limits; of a table either all columns are listed or none.
    fn cut(&self, found: &mut Catalog, row_count: usize) {
        found.truncated = match self {
            Self::Catalogs => false,
            Self::Schemas { .. } => row_count > MAX_SCHEMAS,
            Self::Tables { .. } => row_count > MAX_COLUMNS,
        };
        if found.truncated {
            found.schemas.truncate(MAX_SCHEMAS);
            found.tables.pop();
        }
    }
}

fn kind_of(table_type: Option<&str>) -> CatalogTableKind {
    match table_type {
        Some("VIEW") => CatalogTableKind::View,
        _ => CatalogTableKind::Table,
    }
}

fn quoted(text: &str, quote: char) -> String {
    let doubled = text.replace(quote, &format!("{quote}{quote}"));
    format!("{quote}{doubled}{quote}")
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Catalogs => f.write_str("catalogs"),
            Self::Schemas { catalog } => write!(f, "schemas of the catalog '{catalog}'"),
            Self::Tables { catalog, schema } => write!(f, "tables of the schema '{catalog}.{schema}'"),
        }
    }
}

impl fmt::Debug for Catalogs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Catalogs").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{ArrayRef, LargeStringArray};

    use super::*;

    fn batch(columns: Vec<Vec<Option<String>>>) -> RecordBatch {
        let names = ["a", "b", "c", "d"];
        let arrays = columns.into_iter().map(|column| Arc::new(LargeStringArray::from(column)) as ArrayRef);
        RecordBatch::try_from_iter(names.into_iter().zip(arrays)).expect("columns of one length")
    }

    /// As the statement returns it: a table's columns are consecutive, a table without columns has one row.
    fn columns(rows: impl Iterator<Item = (String, Option<String>)>) -> RecordBatch {
        let (tables, columns): (Vec<_>, Vec<_>) = rows.unzip();
        let of = |text: &str| vec![Some(text.to_owned()); tables.len()];
        let (kinds, types) = (of("BASE TABLE"), of("bigint"));
        batch(vec![tables.into_iter().map(Some).collect(), kinds, columns, types])
    }

    #[test]
    fn a_table_is_listed_with_all_of_its_columns_or_omitted() {
        let question = Question::Tables { catalog: "c".to_owned(), schema: "s".to_owned() };
        let found = |count: usize| {
            let rows = (0..count).map(|row| (format!("t{}", row / 3), Some(format!("c{}", row % 3))));
            question.read(&[columns(rows)]).expect("texts")
        };
        let all = found(MAX_COLUMNS);
        // 20,000 is no multiple of three: the last table has two columns, and that is complete.
        assert_eq!((all.tables.len(), all.truncated), (MAX_COLUMNS.div_ceil(3), false));
        let cut = found(MAX_COLUMNS + 1);
        assert_eq!((cut.tables.len(), cut.truncated), (MAX_COLUMNS / 3, true));
        assert!(cut.tables.iter().all(|table| table.columns.len() == 3));

        let rows = [("empty", None), ("full", Some("a"))];
        let rows = rows.into_iter().map(|(table, column)| (table.to_owned(), column.map(str::to_owned)));
        let few = question.read(&[columns(rows)]).expect("texts");
        assert_eq!(few.tables[0].columns, []);
        assert_eq!(few.tables[1].columns, [Column::new("a", "bigint")]);
    }

    #[test]
    fn schemas_beyond_the_limit_are_omitted() {
        let question = Question::Schemas { catalog: "c".to_owned() };
        let found = |count: usize| {
            let names = (0..count).map(|row| Some(format!("s{row}"))).collect();
            let found = question.read(&[batch(vec![names])]).expect("texts");
            (found.schemas.len(), found.truncated)
        };
        assert_eq!(found(MAX_SCHEMAS), (MAX_SCHEMAS, false));
        assert_eq!(found(MAX_SCHEMAS + 1), (MAX_SCHEMAS, true));
    }

    #[test]
    fn names_are_quoted_in_statements() {
        let question = Question::Tables { catalog: "a\"b".to_owned(), schema: "it's".to_owned() };
        let sql = question.sql();
        assert!(sql.contains("\"a\"\"b\".information_schema.tables") && sql.contains("= 'it''s'"), "{sql}");
    }
}
