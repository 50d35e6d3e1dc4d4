//! Shared plans: common table expressions and other plans that are computed once. Polars caches their rows, but its
//! optimizer visits a cache as often as it is named. If caches name each other, the visits double with each one;
//! therefore a plan that has grown too large is run at once, and other plans read its rows.

use std::collections::{HashMap, HashSet};

use polars::prelude::{DataFrame, IntoLazy, LazyFrame};
use rowhouse_model::QueryError;

use super::Lowering;
use super::empty_relation::{is_empty_relation, propagate_empty_relation};
use super::low_cardinality::MAX_FEW_ROWS;
use super::scan::values;
use crate::attempt::{Attempt, attempt};
use crate::failure;
use crate::spill::SpillFile;
use rowhouse_sql::expr::Expr;
use rowhouse_sql::plan::{ColumnId, Field, Plan, SharedId};

/// Maximum number of plans that a shared plan represents when it is expanded everywhere it is named.
const MAX_SPELLED_OUT: usize = 100;

/// A shared plan that was lowered.
pub(super) struct Shared {
    pub(super) frame: LazyFrame,
    /// The number of plans that it represents when expanded.
    spelled_out: usize,
    is_empty: bool,
    /// Its rows, if they are on disk.
    pub(super) files: Vec<SpillFile>,
    /// Its rows, if they were computed ahead.
    pub(super) rows: Option<DataFrame>,
    /// What is known of its columns.
    pub(super) known: KnownColumns,
}

/// What is known of the columns of a shared plan.
#[derive(Default)]
pub(super) struct KnownColumns {
    /// Those that have few values.
    pub(super) few_valued: HashSet<ColumnId>,
    /// Those without NULL.
    pub(super) not_null: HashSet<ColumnId>,
    /// The least and the greatest value of integers and dates.
    pub(super) ranges: HashMap<ColumnId, (i64, i64)>,
    /// About the most different texts.
    pub(super) most_texts: HashMap<ColumnId, u64>,
}

impl Shared {
    /// A shared plan whose rows are on disk, with these fields.
    pub(super) fn on_disk(files: Vec<SpillFile>, fields: &[Field]) -> Result<Self, QueryError> {
        let frame = if files.is_empty() {
            values(fields, &[])?
        } else {
            SpillFile::frame(&files).map_err(|error| failure::query_error(&error))?
        };
        let known = KnownColumns::default();
        Ok(Self { frame, spelled_out: 1, is_empty: files.is_empty(), files, rows: None, known })
    }
}

impl Lowering<'_> {
    /// Lowers the next shared plan, which names only earlier ones.
    pub(super) fn share(&mut self, id: SharedId, plan: &Plan) -> Result<(), QueryError> {
        let plan = self.without_empty_relations(plan);
        let shared = match self.spill.clone() {
            Some(spill) if !plan.fields().is_empty() => {
                let plan = self.out_of_core(plan, &spill)?;
                let shared = self.on_disk(&plan, &spill)?;
                self.release(&plan);
                shared
            }
            _ => self.in_memory(id, &plan)?,
        };
        self.shared.insert(id, shared);
        Ok(())
    }

    fn in_memory(&mut self, id: SharedId, plan: &Plan) -> Result<Shared, QueryError> {
        let mut spelled_out = 1_usize;
        plan.visit(&mut |node| {
            if let Plan::Shared { id, .. } = node {
                spelled_out = spelled_out.saturating_add(self.shared[id].spelled_out);
            }
        });
        let frame = self.lower(plan)?;
        let files = Vec::new();
        if spelled_out <= MAX_SPELLED_OUT && !self.dynamic_filters.contains(&id) {
            let is_empty = is_empty_relation(plan);
            let known = self.known_columns(plan);
            return Ok(Shared { frame: frame.cache(), spelled_out, is_empty, files, rows: None, known });
        }
        let rows = attempt(&Attempt::ALL, |attempt| attempt.collect(frame.clone()))
            .map_err(|error| failure::query_error(&error))?;
        let is_empty = rows.height() == 0;
        let is_small = u64::try_from(rows.height()).is_ok_and(|rows| rows <= MAX_FEW_ROWS);
        let mut known = self.known_columns(plan);
        if is_small {
            known.few_valued.extend(plan.column_ids());
        }
        let frame = rows.clone().lazy();
        Ok(Shared { frame, spelled_out: 1, is_empty, files, rows: Some(rows), known })
    }

    fn known_columns(&self, plan: &Plan) -> KnownColumns {
        let fields = plan.fields();
        let columns = || fields.iter().map(|field| Expr::column(field.id, field.data_type.clone()));
        let is_not_null = |column: &Expr| self.is_not_null(plan, column);
        let range = |column: Expr| Some((column.as_column()?, self.integer_range(plan, &column)?));
        let texts = |column: Expr| Some((column.as_column()?, self.most_values(plan, &column)?));
        KnownColumns {
            few_valued: self.few_valued_columns(plan),
            not_null: columns().filter(is_not_null).filter_map(|column| column.as_column()).collect(),
            ranges: columns().filter_map(range).collect(),
            most_texts: columns().filter(|column| column.data_type.is_varchar()).filter_map(texts).collect(),
        }
    }

    /// The plan with nodes without rows replaced by empty relations.
    pub(super) fn without_empty_relations(&self, plan: &Plan) -> Plan {
        let mut plan = plan.clone();
        propagate_empty_relation(&mut plan, &|id: SharedId| self.shared[&id].is_empty);
        plan
    }
}
