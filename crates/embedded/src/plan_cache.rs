//! Caches the plans of statements that this process has run: for the same text with the same values over the same
//! versions of the same tables. Folding, ordering and pruning depend on nothing else, so a cached plan is the one that
//! would be planned. The cache has a few small plans and evicts the least recently used one.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rowhouse_executor::catalog::TableEntry;
use rowhouse_executor::{SourceTable, Statement};
use rowhouse_model::StatementParameters;
use rowhouse_sql::{Analyzed, TableRef};

/// Maximum number of cached plans.
const MAX_PLANS: usize = 64;
/// Maximum number of bytes of a statement's text, and of its values as JSON, for which the plan is cached: longer ones
/// have large plans.
const MAX_TEXT_BYTES: usize = 16 << 10;

const QUARTER_MILLIS: i64 = 15 * 60 * 1000;

static CACHE: Mutex<VecDeque<CachedPlan>> = Mutex::new(VecDeque::new());

/// The inputs of a plan other than its tables.
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
    /// The quarter of an hour, in which neither the day nor the offset of any zone changes.
    quarter: i64,
}

/// A cached plan and the inputs that it was planned for.
#[derive(Clone, Debug)]
pub(crate) struct CachedPlan {
    key: Key,
    pub(crate) analyzed: Arc<Analyzed>,
    /// The catalog's entries of the tables that it names, with their indexes in the catalog.
    entries: Vec<(usize, TableEntry)>,
    versions: Vec<SourceTable>,
}

impl CachedPlan {
    /// Whether these are the versions of the tables that it was planned for. A table without a known version never is.
    pub(crate) fn is_of(&self, versions: &[SourceTable]) -> bool {
        self.versions.len() == versions.len()
            && self
                .versions
                .iter()
                .zip(versions)
                .all(|(cached, now)| cached.name == now.name && cached.version.is_same(&now.version))
    }
}

/// The plan of an equal statement. The caller must check the versions of its tables.
pub(crate) fn find(statement: &Statement) -> Option<CachedPlan> {
    let key = key(statement)?;
    let mut cache = cache();
    let place = cache.iter().position(|plan| plan.key == key)?;
    let plan = cache.remove(place)?;
    let has_same = |(index, entry): &(usize, TableEntry)| statement.catalog.tables.get(*index) == Some(entry);
    if !plan.entries.iter().all(has_same) {
        return None;
    }
    cache.push_back(plan.clone());
    Some(plan)
}

/// Caches a plan for equal statements; it replaces an older one.
pub(crate) fn insert(statement: &Statement, analyzed: &Arc<Analyzed>, versions: &[SourceTable]) {
    let Some(key) = key(statement).filter(|_| analyzed.inputs.volatile.is_none()) else { return };
    let places = analyzed.tables.iter().filter_map(|table| match table {
        TableRef::Entry(index) => Some(*index),
        TableRef::Tpch { .. } => None,
    });
    let entries = places.filter_map(|index| Some((index, statement.catalog.tables.get(index)?.clone())));
    let plan = CachedPlan {
        entries: entries.collect(),
        analyzed: Arc::clone(analyzed),
        versions: versions.to_vec(),
        key,
    };
    let mut cache = cache();
    cache.retain(|other| other.key != plan.key);
    if cache.len() == MAX_PLANS {
        cache.pop_front();
    }
    cache.push_back(plan);
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

fn cache() -> MutexGuard<'static, VecDeque<CachedPlan>> {
    CACHE.lock().unwrap_or_else(PoisonError::into_inner)
}
