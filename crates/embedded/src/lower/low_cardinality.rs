//! Low cardinality: the GROUP BYs that have few groups, as far as the tables' files and the keys tell. Their rows are
//! aggregated per batch before the groups of all batches are merged. A wrong estimate changes no answer.

use std::collections::{HashMap, HashSet};

use super::Lowering;
use rowhouse_sql::expr::Expr;
use rowhouse_sql::plan::{Aggregate, ColumnId, Plan};
use rowhouse_sql::types::Type;

/// Rows of a table of which no column has many values.
pub(super) const MAX_FEW_ROWS: u64 = 256;

/// Memo by column: a computed column may read another one repeatedly.
type Known = HashMap<ColumnId, bool>;

impl Lowering<'_> {
    /// Whether there are few groups, one for each combination of the keys' values.
    pub(super) fn has_few_keys(&self, node: &Aggregate) -> bool {
        let mut known = Known::new();
        !node.keys.is_empty()
            && node.keys.iter().all(|key| self.has_few_values(&node.input, *key, &mut known))
    }

    /// The columns of a plan's rows that have few values.
    pub(super) fn few_valued_columns(&self, plan: &Plan) -> HashSet<ColumnId> {
        let mut known = Known::new();
        plan.column_ids().into_iter().filter(|id| self.has_few_values(plan, *id, &mut known)).collect()
    }

    /// Whether a column of a plan's rows has few values.
    fn has_few_values(&self, plan: &Plan, id: ColumnId, known: &mut Known) -> bool {
        if let Some(found) = known.get(&id) {
            return *found;
        }
        let found = match plan {
            Plan::Scan(scan) => scan.columns.iter().any(|(field, name)| {
                let is_few = || {
                    scan.row_count.is_some_and(|rows| rows <= MAX_FEW_ROWS)
                        || self.tables[scan.table].few_valued_columns.contains(name)
                };
                field.id == id && (field.data_type == Type::Boolean || is_few())
            }),
            Plan::Project { input, columns } => {
                let column = columns.iter().find(|(field, _)| field.id == id);
                column.is_some_and(|(_, value)| self.is_of_few_values(input, value, known))
            }
            Plan::Shared { id: shared, columns, .. } => {
                let source = columns.iter().find(|(field, _)| field.id == id).map(|(_, source)| source);
                source.is_some_and(|source| self.shared[shared].few_valued.contains(source))
            }
            Plan::SetOperation { inputs, fields, .. } => {
                let place = fields.iter().position(|field| field.id == id);
                place.is_some_and(|place| {
                    inputs.iter().all(|input| {
                        let own = input.column_ids().get(place).copied();
                        own.is_some_and(|own| self.has_few_values(input, own, known))
                    })
                })
            }
            _ => {
                let input = plan.inputs().into_iter().find(|input| input.column_ids().contains(&id));
                input.is_some_and(|input| self.has_few_values(input, id, known))
            }
        };
        known.insert(id, found);
        found
    }

    /// Whether an expression over a plan's rows has few values: it is made of columns that have.
    fn is_of_few_values(&self, plan: &Plan, expr: &Expr, known: &mut Known) -> bool {
        let mut columns = expr.columns().into_iter();
        expr.data_type == Type::Boolean
            || !expr.is_random() && columns.all(|column| self.has_few_values(plan, column, known))
    }
}
