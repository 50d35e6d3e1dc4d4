//! Which GROUP BYs have few groups, as far as the tables' files and the keys tell: rows are aggregated in batches then,
//! before the groups of all batches are put together. A guess changes no answer.

use super::Lowering;
use crate::sql::expr::{Expr, ExprKind};
use crate::sql::functions::ScalarFunction;
use crate::sql::plan::{Aggregate, ColumnId, Plan};
use crate::sql::types::Type;

impl Lowering<'_> {
    /// Whether there are few groups, one for each combination of the keys' values.
    pub(super) fn has_few_keys(&self, node: &Aggregate) -> bool {
        !node.keys.is_empty() && node.keys.iter().all(|key| self.has_few_values(&node.input, *key))
    }

    /// Whether a column of a plan's rows has few values.
    fn has_few_values(&self, plan: &Plan, id: ColumnId) -> bool {
        match plan {
            Plan::Scan(scan) => scan.columns.iter().any(|(field, name)| {
                let is_few = || self.tables[scan.table].few_valued_columns.contains(name);
                field.id == id && (field.data_type == Type::Boolean || is_few())
            }),
            Plan::Project { input, columns } => {
                let column = columns.iter().find(|(field, _)| field.id == id);
                column.is_some_and(|(_, value)| self.is_of_few_values(input, value))
            }
            _ => plan.inputs().into_iter().any(|input| self.has_few_values(input, id)),
        }
    }

    /// Whether an expression over a plan's rows has few values: it is made of columns that have.
    fn is_of_few_values(&self, plan: &Plan, expr: &Expr) -> bool {
        let is_few = |part: &Expr| match &part.kind {
            ExprKind::Column(id) => self.has_few_values(plan, *id),
            ExprKind::Call { function, .. } => *function != ScalarFunction::Random,
            _ => true,
        };
        expr.data_type == Type::Boolean || !expr.any(&|part| !is_few(part))
    }
}
