//! Determines which columns contain no NULL according to the tables' files. The number of values in a group is then the
//! number of its rows, which is counted once for all aggregates of the group.

use std::collections::HashMap;

use super::Lowering;
use rowhouse_sql::expr::{ArithmeticOperator, Expr, ExprKind, Value};
use rowhouse_sql::plan::{Aggregate, ColumnId, Join, JoinKey, JoinKind, Plan, SetOperationKind};

/// Results for the columns of plans, because a column may be computed from columns that name others repeatedly. A
/// column without NULLs may have NULLs further above, hence the plan in the key.
type Known = HashMap<(*const Plan, ColumnId), bool>;

impl Lowering<'_> {
    /// Whether an expression over a plan's rows is never NULL; false if that is not known.
    pub(super) fn is_not_null(&self, plan: &Plan, expr: &Expr) -> bool {
        self.is_never_null(plan, expr, &mut Known::new())
    }

    fn is_never_null(&self, plan: &Plan, expr: &Expr, known: &mut Known) -> bool {
        match &expr.kind {
            ExprKind::Column(id) => {
                let place = (std::ptr::from_ref(plan), *id);
                if let Some(found) = known.get(&place) {
                    return *found;
                }
                let found = self.is_not_null_column(plan, *id, known);
                known.insert(place, found);
                found
            }
            // These operations return a number or fail for two numbers.
            ExprKind::Arithmetic { operator, left, right } => {
                let is_sure = matches!(
                    operator,
                    ArithmeticOperator::Add | ArithmeticOperator::Subtract | ArithmeticOperator::Multiply
                );
                is_sure
                    && expr.data_type.is_numeric()
                    && self.is_never_null(plan, left, known)
                    && self.is_never_null(plan, right, known)
            }
            ExprKind::Cast { input, is_try: false } => {
                input.data_type.is_numeric()
                    && expr.data_type.is_numeric()
                    && self.is_never_null(plan, input, known)
            }
            ExprKind::Literal(value) => *value != Value::Null,
            ExprKind::Case { branches, otherwise: Some(otherwise) } => {
                let mut values = branches.iter().map(|(_, value)| value).chain([&**otherwise]);
                values.all(|value| self.is_never_null(plan, value, known))
            }
            _ => false,
        }
    }

    fn is_not_null_column(&self, plan: &Plan, id: ColumnId, known: &mut Known) -> bool {
        match plan {
            Plan::Scan(scan) => {
                let column = scan.columns.iter().find(|(field, _)| field.id == id);
                column.is_some_and(|(_, name)| self.tables[scan.table].not_null_columns.contains(name))
            }
            Plan::Project { input, columns } => {
                let column = columns.iter().find(|(field, _)| field.id == id);
                column.is_some_and(|(_, value)| self.is_never_null(input, value, known))
            }
            Plan::Filter { input, .. } | Plan::Sort { input, .. } | Plan::Limit { input, .. } => {
                self.is_not_null_column(input, id, known)
            }
            Plan::MarkJoin(join) => self.is_not_null_column(&join.left, id, known),
            Plan::Shared { id: shared, columns, .. } => {
                let source = columns.iter().find(|(field, _)| field.id == id);
                source.is_some_and(|(_, source)| self.shared[shared].known.not_null.contains(source))
            }
            Plan::Join(Join { kind, left, right, keys, .. }) => {
                // A NULL key does not match.
                let is_key = |key: &JoinKey| {
                    !key.null_equals_null
                        && [&key.left, &key.right].iter().any(|side| side.as_column() == Some(id))
                };
                if matches!(kind, JoinKind::Inner | JoinKind::Semi) && keys.iter().any(is_key) {
                    return true;
                }
                let (is_left_kept, is_right_kept) = match kind {
                    JoinKind::Inner => (true, true),
                    JoinKind::Left | JoinKind::Single | JoinKind::Semi | JoinKind::Anti => (true, false),
                    JoinKind::Right => (false, true),
                    JoinKind::Full => (false, false),
                };
                is_left_kept && self.is_not_null_column(left, id, known)
                    || is_right_kept && self.is_not_null_column(right, id, known)
            }
            Plan::SetOperation { kind: SetOperationKind::UnionAll, inputs, fields } => {
                let place = fields.iter().position(|field| field.id == id);
                place.is_some_and(|place| {
                    inputs.iter().all(|input| {
                        let own = input.column_ids().get(place).copied();
                        own.is_some_and(|own| self.is_not_null_column(input, own, known))
                    })
                })
            }
            Plan::Aggregate(Aggregate { input, keys, .. }) => {
                keys.contains(&id) && self.is_not_null_column(input, id, known)
            }
            _ => false,
        }
    }
}
