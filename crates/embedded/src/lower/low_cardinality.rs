//! Low cardinality: aggregations with few groups, according to the tables' files and the keys. Their rows are
//! aggregated per batch before the groups of all batches are merged. A wrong estimate does not change the result.

use std::collections::HashSet;

use super::Lowering;
use crate::scan::TableScan;
use rowhouse_sql::expr::Expr;
use rowhouse_sql::plan::{Aggregate, ColumnId, Plan};
use rowhouse_sql::statistics::RequestedColumn;
use rowhouse_sql::types::Type;

/// Rows of a table up to which all of its columns have few values.
pub(super) const MAX_FEW_ROWS: u64 = 256;

/// Number of texts of a column up to which they are few. A batch has a hundred thousand rows.
const MAX_FEW_TEXTS: u64 = 16_384;

impl Lowering<'_> {
    /// Whether there are few groups, which are the combinations of the keys' values.
    pub(super) fn has_few_keys(&self, node: &Aggregate) -> bool {
        if node.keys.is_empty() {
            return false;
        }
        let keys: HashSet<ColumnId> = node.keys.iter().copied().collect();
        self.has_few_words(node, None) || keys.is_subset(&self.few_valued(&node.input, &keys))
    }

    /// Whether the keys and an argument have few combinations.
    pub(super) fn has_few_combinations(&self, node: &Aggregate, argument: &Expr) -> bool {
        if self.has_few_words(node, Some(argument)) {
            return true;
        }
        let Some(argument) = argument.as_column() else { return false };
        let columns: HashSet<ColumnId> = node.keys.iter().copied().chain([argument]).collect();
        columns.is_subset(&self.few_valued(&node.input, &columns))
    }

    /// The columns of a plan's rows that have few values.
    pub(super) fn few_valued_columns(&self, plan: &Plan) -> HashSet<ColumnId> {
        let columns: HashSet<ColumnId> = plan.column_ids().into_iter().collect();
        let few = self.few_valued(plan, &columns);
        columns.intersection(&few).copied().collect()
    }

    fn few_valued(&self, plan: &Plan, wanted: &HashSet<ColumnId>) -> HashSet<ColumnId> {
        let mut search = Search { lowering: self, with_texts: wanted.len() == 1, few: HashSet::new() };
        search.add(plan, wanted);
        search.few
    }
}

/// A search for columns with few values.
struct Search<'l> {
    lowering: &'l Lowering<'l>,
    /// Whether thousands of texts are few: their combinations with other columns would not be.
    with_texts: bool,
    few: HashSet<ColumnId>,
}

impl Search<'_> {
    /// Adds the columns in `wanted` that have few values, and columns below that they are computed from, in one
    /// traversal: down with the wanted columns, up with the result.
    fn add(&mut self, plan: &Plan, wanted: &HashSet<ColumnId>) {
        if wanted.is_empty() {
            return;
        }
        match plan {
            Plan::Scan(scan) => {
                let is_small = scan.row_count.is_some_and(|rows| rows <= MAX_FEW_ROWS);
                let table = &self.lowering.tables[scan.table];
                let own = scan.columns.iter().filter(|(field, name)| {
                    wanted.contains(&field.id)
                        && (field.data_type == Type::Boolean
                            || is_small
                            || table.few_valued_columns.contains(name)
                            || self.with_texts && field.data_type.is_varchar() && has_few_texts(table, name))
                });
                self.few.extend(own.map(|(field, _)| field.id));
            }
            Plan::Project { input, columns } => {
                let own = columns.iter().filter(|(field, _)| wanted.contains(&field.id));
                let own: Vec<_> = own.map(|(field, value)| (field.id, Derivation::of(value))).collect();
                let below = own.iter().flat_map(|(_, made)| made.columns()).copied().collect();
                self.add(input, &below);
                for (id, made) in own {
                    if made.has_few_values(&self.few) {
                        self.few.insert(id);
                    }
                }
            }
            Plan::Shared { id: shared, columns, .. } => {
                let known = &self.lowering.shared[shared].known.few_valued;
                let own = columns
                    .iter()
                    .filter(|(field, source)| wanted.contains(&field.id) && known.contains(source));
                self.few.extend(own.map(|(field, _)| field.id));
            }
            Plan::SetOperation { inputs, fields, .. } => {
                let places = fields.iter().enumerate().filter(|(_, field)| wanted.contains(&field.id));
                let places: Vec<(usize, ColumnId)> = places.map(|(place, field)| (place, field.id)).collect();
                let mut is_few = vec![true; places.len()];
                for input in inputs {
                    let columns = input.column_ids();
                    let own: Vec<Option<ColumnId>> =
                        places.iter().map(|(place, _)| columns.get(*place).copied()).collect();
                    self.add(input, &own.iter().flatten().copied().collect());
                    for (is_few, own) in is_few.iter_mut().zip(own) {
                        *is_few &= own.is_some_and(|own| self.few.contains(&own));
                    }
                }
                self.few
                    .extend(places.iter().zip(is_few).filter(|(_, is_few)| *is_few).map(|((_, id), _)| *id));
            }
            // Columns that other nodes compute have many values; columns that they pass on retain their ids.
            _ => plan.inputs().into_iter().for_each(|input| self.add(input, wanted)),
        }
    }
}

/// Whether a column has few texts, by the dictionaries of its files. They take longer to hash than numbers, so that they
/// are aggregated per batch even if there are thousands.
fn has_few_texts(table: &TableScan, name: &str) -> bool {
    let statistics = table.statistics(&[RequestedColumn { name, is_key: false }]);
    statistics.get(name).is_some_and(|known| {
        !known.is_bound && known.distinct_count.is_some_and(|texts| texts <= MAX_FEW_TEXTS)
    })
}

/// The properties of an expression that determine whether it has few values.
enum Derivation {
    Boolean,
    Random,
    /// The columns that it is computed from.
    Columns(Vec<ColumnId>),
}

impl Derivation {
    fn of(value: &Expr) -> Self {
        match value {
            value if value.data_type == Type::Boolean => Self::Boolean,
            value if value.is_random() => Self::Random,
            value => Self::Columns(value.columns()),
        }
    }

    fn columns(&self) -> &[ColumnId] {
        match self {
            Self::Columns(columns) => columns,
            Self::Boolean | Self::Random => &[],
        }
    }

    fn has_few_values(&self, few: &HashSet<ColumnId>) -> bool {
        match self {
            Self::Boolean => true,
            Self::Random => false,
            Self::Columns(columns) => columns.iter().all(|column| few.contains(column)),
        }
    }
}
