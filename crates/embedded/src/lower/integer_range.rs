//! The least and the greatest integer or date that an expression may have, according to the tables' files or to its
//! function.

use super::Lowering;
use rowhouse_sql::expr::{Expr, ExprKind};
use rowhouse_sql::plan::{Aggregate, ColumnId, Join, Plan, SetOperationKind};
use rowhouse_sql::types::Type;

impl Lowering<'_> {
    /// The range of an expression over a plan's rows other than NULL; `None` if it is not known.
    pub(super) fn integer_range(&self, plan: &Plan, expr: &Expr) -> Option<(i64, i64)> {
        match &expr.kind {
            ExprKind::Column(id) => self.range_of_column(plan, *id),
            ExprKind::Cast { input, is_try: false } if expr.data_type.is_integer() => {
                input.data_type.is_integer().then(|| self.integer_range(plan, input))?
            }
            ExprKind::Call { function, args } => {
                let is_of_interval = args.first()?.data_type.is_interval();
                if is_of_interval { function.range_of_interval_part() } else { function.range_of_part() }
            }
            _ => None,
        }
    }

    fn range_of_column(&self, plan: &Plan, id: ColumnId) -> Option<(i64, i64)> {
        match plan {
            Plan::Scan(scan) => {
                let (field, name) = scan.columns.iter().find(|(field, _)| field.id == id)?;
                let is_whole = field.data_type.is_integer() || field.data_type == Type::Date;
                is_whole.then(|| self.tables[scan.table].integer_range(name))?
            }
            Plan::Project { input, columns } => {
                let (_, value) = columns.iter().find(|(field, _)| field.id == id)?;
                self.integer_range(input, value)
            }
            Plan::Filter { input, .. }
            | Plan::Sort { input, .. }
            | Plan::Limit { input, .. }
            | Plan::Window { input, .. }
            | Plan::Distinct { input, .. }
            | Plan::PartialDistinct { input }
            | Plan::EnforceSingleRow { input, .. } => self.range_of_column(input, id),
            Plan::MarkJoin(join) => self.range_of_column(&join.left, id),
            Plan::Shared { id: shared, columns, .. } => {
                let (_, source) = columns.iter().find(|(field, _)| field.id == id)?;
                self.shared[shared].known.ranges.get(source).copied()
            }
            // Rows without a match have NULL.
            Plan::Join(Join { left, right, .. }) => {
                self.range_of_column(left, id).or_else(|| self.range_of_column(right, id))
            }
            Plan::SetOperation { kind: SetOperationKind::UnionAll, inputs, fields } => {
                let place = fields.iter().position(|field| field.id == id)?;
                let mut ranges = inputs.iter().map(|input| {
                    let own = input.column_ids().get(place).copied()?;
                    self.range_of_column(input, own)
                });
                let first = ranges.next()??;
                ranges.try_fold(first, |(least, most), range| {
                    range.map(|range| (least.min(range.0), most.max(range.1)))
                })
            }
            Plan::Aggregate(Aggregate { input, keys, .. }) => {
                keys.contains(&id).then(|| self.range_of_column(input, id))?
            }
            _ => None,
        }
    }
}
