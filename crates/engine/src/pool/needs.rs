//! What a job may read, and therefore which workers may run it: a worker serves a single workspace, and may read the
//! tables that its statements have named.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use rowhouse_executor::catalog::{CatalogSnapshot, NamedWords, TableSource};
use rowhouse_executor::protocol::Job;
use rowhouse_executor::{Grant, METADATA_NAMES, Statement};

/// The files that a job may read.
#[derive(Clone, Debug, Default)]
pub(super) struct Needs {
    /// The workspace that it belongs to; if none, its worker ends after it.
    pub(super) workspace: Option<String>,
    /// Grants that its text names.
    pub(super) named: Vec<Grant>,
    /// Grants of everything that its workspace has now.
    pub(super) known: HashSet<Grant>,
    /// Folder of the sample catalog, if it may be named.
    pub(super) samples: Option<PathBuf>,
    /// The folder that it writes, if that is not the worker's own.
    pub(super) work_dir: Option<PathBuf>,
}

/// The confinement of a worker.
#[derive(Clone, Debug, Default)]
pub(super) struct Confinement {
    pub(super) workspace: Option<String>,
    pub(super) grants: Vec<Grant>,
}

impl Needs {
    pub(super) fn of(job: &Job) -> Self {
        match job {
            Job::Execute { statement, .. } | Job::Analyze(statement) => Self::of_statement(statement),
            Job::Describe { location, format } => {
                let named = vec![Grant::Table { location: location.clone(), format: *format }];
                Self { named, ..Self::default() }
            }
            Job::MakeSamples { folder, .. } => {
                Self { samples: Some(folder.clone()), work_dir: Some(folder.clone()), ..Self::default() }
            }
            Job::Enter(_) => Self::default(),
        }
    }

    fn of_statement(statement: &Statement) -> Self {
        let CatalogSnapshot { own_schema, other_schemas, tables, tpch_dir, .. } = &statement.catalog;
        let words = NamedWords::of(&statement.sql, statement.session.default_names());
        let names_all = words.contains_any(&METADATA_NAMES);
        // A worker that sees several workspaces serves no statement that sees less, or other ones (D127).
        let workspace = std::iter::once(own_schema).chain(other_schemas).map(String::as_str);
        let workspace = Some(workspace.collect::<Vec<_>>().join(" "));
        let mut needs = Self { workspace, samples: tpch_dir.clone(), ..Self::default() };
        if let Some(folder) = tpch_dir {
            needs.named.push(Grant::Folder(folder.clone()));
        }
        for table in tables {
            let Some(grant) = grant(&table.source) else { continue };
            if names_all || words.contains(&table.name) {
                needs.named.push(grant.clone());
            }
            needs.known.insert(grant);
        }
        needs.known.extend(tpch_dir.clone().map(Grant::Folder));
        needs
    }

    /// Whether a worker with this confinement may run the job: it can read what the job names, and nothing that its
    /// workspace no longer has.
    pub(super) fn fit(&self, confinement: &Confinement) -> bool {
        self.workspace.is_some()
            && confinement.workspace == self.workspace
            && self.named.iter().all(|grant| confinement.grants.contains(grant))
            && confinement.grants.iter().all(|grant| self.known.contains(grant))
    }
}

/// The files of a view are in a folder of its own, with those of its next generation.
fn grant(source: &TableSource) -> Option<Grant> {
    match source {
        TableSource::Files { location, format } => {
            Some(Grant::Table { location: location.clone(), format: *format })
        }
        TableSource::View { file, .. } => {
            file.as_deref().and_then(Path::parent).map(|folder| Grant::Folder(folder.to_owned()))
        }
    }
}

#[cfg(test)]
mod tests {
    use rowhouse_executor::StatementSession;
    use rowhouse_executor::catalog::TableEntry;
    use rowhouse_model::{EngineKind, StatementId, StatementParameters, TableFormat, Timestamp};

    use super::*;

    fn needs(sql: &str, names: &[&str]) -> Needs {
        Needs::of(&analysis(sql, names))
    }

    fn analysis(sql: &str, names: &[&str]) -> Job {
        let table = |name: &&str| TableEntry {
            catalog: "rowhouse".to_owned(),
            schema: "one".to_owned(),
            name: (*name).to_owned(),
            source: TableSource::Files { location: format!("/{name}"), format: TableFormat::Csv },
        };
        Job::Analyze(Statement {
            id: StatementId::from("x"),
            engine: EngineKind::Polars,
            sql: sql.to_owned(),
            parameters: StatementParameters::default(),
            catalog: CatalogSnapshot {
                default_catalog: "rowhouse".to_owned(),
                default_schema: "one".to_owned(),
                own_schema: "one".to_owned(),
                other_schemas: Vec::new(),
                tables: names.iter().map(table).collect(),
                queries: Vec::new(),
                session_properties: Vec::new(),
                tpch_dir: Some("/samples".into()),
            },
            session: StatementSession::default(),
            user: "ann".to_owned(),
            now: Timestamp::from_millis(0),
            output: PathBuf::new(),
            output_limit: None,
        })
    }

    #[test]
    fn a_statement_needs_the_tables_that_its_text_names() {
        let check = |sql: &str, expected: &[&str]| {
            let found = needs(sql, &["orders", "order_lines", "parts"]);
            let tables = found.named.iter().filter_map(|grant| match grant {
                Grant::Table { location, .. } => Some(&location[1..]),
                Grant::Folder(_) => None,
            });
            assert_eq!(tables.collect::<Vec<_>>(), expected, "{sql}");
        };
        check("SELECT 1", &[]);
        check("SELECT * FROM Orders", &["orders"]);
        check(
            "SELECT * FROM \"orders\" o JOIN one.order_lines ON o.x=order_lines.y",
            &["orders", "order_lines"],
        );
        check("SELECT my_orders FROM order_line", &[]);
        check("EXECUTE IMMEDIATE 'SELECT * FROM parts'", &["parts"]);
        check("SELECT * FROM information_schema.columns", &["orders", "order_lines", "parts"]);
    }

    #[test]
    fn a_worker_that_sees_other_workspaces_fits_only_jobs_with_the_same_ones() {
        let seeing = |others: &[&str]| {
            let Job::Analyze(mut statement) = analysis("SELECT * FROM orders", &["orders"]) else {
                panic!("another job");
            };
            statement.catalog.other_schemas = others.iter().map(|&name| name.to_owned()).collect();
            Needs::of(&Job::Analyze(statement))
        };
        let confinement =
            |needs: &Needs| Confinement { workspace: needs.workspace.clone(), grants: needs.named.clone() };
        let all = [&[][..], &["three"], &["two"], &["three", "two"]].map(seeing);
        for (left, job) in all.iter().enumerate() {
            for (right, other) in all.iter().enumerate() {
                assert_eq!(job.fit(&confinement(other)), left == right, "{left} {right}");
            }
        }
    }

    #[test]
    fn a_worker_fits_jobs_of_its_workspace_with_tables_that_exist() {
        let job = needs("SELECT * FROM orders", &["orders", "parts"]);
        let confinement = |workspace: &str, sql: &str, names: &[&str]| Confinement {
            workspace: Some(workspace.to_owned()),
            grants: needs(sql, names).named,
        };
        assert!(job.fit(&confinement("one", "orders", &["orders"])));
        assert!(job.fit(&confinement("one", "orders, parts", &["orders", "parts"])));
        assert!(!job.fit(&confinement("two", "orders", &["orders"])));
        assert!(!job.fit(&confinement("one", "parts", &["parts"])));
        assert!(!job.fit(&confinement("one", "orders, dropped", &["orders", "dropped"])));
        let none = Needs::of(&Job::Describe { location: "/x".to_owned(), format: TableFormat::Csv });
        assert!(!none.fit(&Confinement { workspace: None, grants: none.named.clone() }));
    }
}
