//! How many different values an expression may have, according to the tables' files.

use super::Lowering;
use rowhouse_sql::expr::Expr;
use rowhouse_sql::plan::{Aggregate, ColumnId, Join, Plan, SetOperationKind};
use rowhouse_sql::statistics::RequestedColumn;

/// How many times the values of a file's statistics there may be: they are estimates.
const MARGIN: u64 = 4;

impl Lowering<'_> {
    /// About the most different values other than NULL of an expression over a plan's rows; `None` if nothing is known. There may
    /// be more.
    pub(super) fn most_values(&self, plan: &Plan, expr: &Expr) -> Option<u64> {
        match expr.columns().as_slice() {
            _ if expr.is_random() => None,
            [] => Some(1),
            [column] => self.most_values_of(plan, *column),
            _ => None,
        }
    }

    fn most_values_of(&self, plan: &Plan, id: ColumnId) -> Option<u64> {
        match plan {
            Plan::Scan(scan) => {
                let (_, name) = scan.columns.iter().find(|(field, _)| field.id == id)?;
                let table = &self.tables[scan.table];
                let statistics = table.statistics(&[RequestedColumn { name, is_key: false }]);
                let known = statistics.get(name).filter(|known| !known.is_bound);
                let counted = known.and_then(|known| known.distinct_count);
                let counted = counted.map(|count| count.saturating_mul(MARGIN));
                counted.into_iter().chain(table.row_count).min()
            }
            Plan::Values { rows, .. } => u64::try_from(rows.len()).ok(),
            Plan::Shared { id: shared, columns, .. } => {
                let (_, source) = columns.iter().find(|(field, _)| field.id == id)?;
                let shared = &self.shared[shared];
                let rows = shared.rows.as_ref().and_then(|rows| u64::try_from(rows.height()).ok());
                rows.into_iter().chain(shared.known.most_texts.get(source).copied()).min()
            }
            Plan::Project { input, columns } => {
                let (_, value) = columns.iter().find(|(field, _)| field.id == id)?;
                self.most_values(input, value)
            }
            Plan::Filter { input, .. }
            | Plan::Sort { input, .. }
            | Plan::Limit { input, .. }
            | Plan::Window { input, .. }
            | Plan::Distinct { input, .. }
            | Plan::PartialDistinct { input }
            | Plan::EnforceSingleRow { input } => self.most_values_of(input, id),
            Plan::MarkJoin(join) => self.most_values_of(&join.left, id),
            Plan::Join(Join { left, right, .. }) => {
                self.most_values_of(left, id).or_else(|| self.most_values_of(right, id))
            }
            Plan::Aggregate(Aggregate { input, keys, .. }) => {
                keys.contains(&id).then(|| self.most_values_of(input, id))?
            }
            Plan::SetOperation { kind: SetOperationKind::UnionAll, inputs, fields } => {
                let place = fields.iter().position(|field| field.id == id)?;
                let mut of_inputs = inputs.iter().map(|input| {
                    let own = input.column_ids().get(place).copied()?;
                    self.most_values_of(input, own)
                });
                of_inputs.try_fold(0, |sum: u64, values| Some(sum.saturating_add(values?)))
            }
            _ => None,
        }
    }
}
