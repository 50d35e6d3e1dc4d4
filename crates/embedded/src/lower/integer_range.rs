//! The least and the greatest integer or date that an expression may have, according to the tables' files or to its
//! function.

use super::Lowering;
use rowhouse_sql::expr::{Expr, ExprKind};
use rowhouse_sql::functions::ScalarFunction;
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
                let of_time = args.first().is_some_and(|argument| !argument.data_type.is_interval());
                of_time.then(|| range_of_field(*function))?
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

/// The range of a field of dates and times.
const fn range_of_field(function: ScalarFunction) -> Option<(i64, i64)> {
    use ScalarFunction as F;
    Some(match function {
        F::Quarter => (1, 4),
        F::Month => (1, 12),
        F::Week => (1, 53),
        F::Day => (1, 31),
        F::DayOfWeek => (1, 7),
        F::DayOfYear => (1, 366),
        F::Hour => (0, 23),
        F::Minute | F::Second => (0, 59),
        F::Millisecond => (0, 999),
        _ => return None,
    })
}
