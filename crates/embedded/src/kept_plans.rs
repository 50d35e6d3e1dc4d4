//! Plans of statements that this process has run, for when they come again: the same text with the same values over the same
//! tables in the versions that they were planned for. What a plan was folded, ordered and pruned by is all in that, so a kept
//! one is the plan that would be made. A few small ones are kept, the least lately used is given up.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rowhouse_executor::catalog::TableEntry;
use rowhouse_executor::{SourceTable, Statement};
use rowhouse_model::StatementParameters;
use rowhouse_sql::{Analyzed, TableRef};

/// Plans at a time.
const MAX_PLANS: usize = 64;
/// Bytes of a statement's text whose plan is kept, and of its values as JSON: longer ones are the plans that take memory.
const MAX_TEXT_BYTES: usize = 16 << 10;

const QUARTER_MILLIS: i64 = 15 * 60 * 1000;

static KEPT: Mutex<VecDeque<Kept>> = Mutex::new(VecDeque::new());

/// What a statement says beside its tables.
#[derive(Clone, Debug, PartialEq)]
struct Key {
    sql: String,
    parameters: StatementParameters,
    user: String,
    time_zone: Option<String>,
    default_catalog: String,
    default_schema: String,
    own_schema: String,
    tpch_dir: Option<PathBuf>,
    /// In which quarter of an hour: within one neither the day nor the offset of any zone changes.
    quarter: i64,
}

/// A plan and what it was made for.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    key: Key,
    pub(crate) analyzed: Arc<Analyzed>,
    /// The tables that it names, as the catalog had them, with their places in it.
    entries: Vec<(usize, TableEntry)>,
    versions: Vec<SourceTable>,
}

impl Kept {
    /// Whether the tables that were looked at are those that it was made for. One whose version nobody can tell is not.
    pub(crate) fn is_of(&self, versions: &[SourceTable]) -> bool {
        self.versions.len() == versions.len()
            && self
                .versions
                .iter()
                .zip(versions)
                .all(|(kept, now)| kept.name == now.name && kept.version.is_same(&now.version))
    }
}

/// The plan of a statement that comes again. Whether its tables are what they were is still to be seen.
pub(crate) fn find(statement: &Statement) -> Option<Kept> {
    let key = key(statement)?;
    let mut kept = kept();
    let place = kept.iter().position(|plan| plan.key == key)?;
    let plan = kept.remove(place)?;
    let has_same = |(index, entry): &(usize, TableEntry)| statement.catalog.tables.get(*index) == Some(entry);
    if !plan.entries.iter().all(has_same) {
        return None;
    }
    kept.push_back(plan.clone());
    Some(plan)
}

/// Keeps a plan for when its statement comes again, in the place of an older one of it.
pub(crate) fn keep(statement: &Statement, analyzed: &Arc<Analyzed>, versions: &[SourceTable]) {
    let Some(key) = key(statement).filter(|_| analyzed.inputs.volatile.is_none()) else { return };
    let places = analyzed.tables.iter().filter_map(|table| match table {
        TableRef::Entry(index) => Some(*index),
        TableRef::Tpch { .. } => None,
    });
    let entries = places.filter_map(|index| Some((index, statement.catalog.tables.get(index)?.clone())));
    let plan =
        Kept { entries: entries.collect(), analyzed: Arc::clone(analyzed), versions: versions.to_vec(), key };
    let mut kept = kept();
    kept.retain(|other| other.key != plan.key);
    if kept.len() == MAX_PLANS {
        kept.pop_front();
    }
    kept.push_back(plan);
}

fn key(statement: &Statement) -> Option<Key> {
    let Statement { sql, parameters, catalog, session, user, now, .. } = statement;
    let is_small = sql.len() <= MAX_TEXT_BYTES
        && serde_json::to_vec(parameters).is_ok_and(|values| values.len() <= MAX_TEXT_BYTES);
    is_small.then(|| Key {
        sql: sql.clone(),
        parameters: parameters.clone(),
        user: user.clone(),
        time_zone: session.time_zone.clone(),
        default_catalog: catalog.default_catalog.clone(),
        default_schema: catalog.default_schema.clone(),
        own_schema: catalog.own_schema.clone(),
        tpch_dir: catalog.tpch_dir.clone(),
        quarter: now.as_millis().div_euclid(QUARTER_MILLIS),
    })
}

fn kept() -> MutexGuard<'static, VecDeque<Kept>> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}
