//! Rows without columns. Before: VALUES of rows without columns, as a SELECT without FROM has. After: they have a column,
//! except directly below a projection. Why: a frame without columns has no rows.

use crate::expr::Expr;
use crate::plan::{ColumnId, Field, Plan};
use crate::types::Type;

pub(super) fn run(plan: &mut Plan, next_column: &mut u32) {
    if let Plan::Values { fields, rows } = plan
        && fields.is_empty()
        && !rows.is_empty()
    {
        fields.push(Field::new(ColumnId(*next_column), "", Type::Boolean));
        *next_column += 1;
        for row in rows {
            row.push(Expr::boolean(true));
        }
        return;
    }
    let is_projection = matches!(plan, Plan::Project { .. });
    for input in plan.inputs_mut() {
        if !(is_projection && matches!(input, Plan::Values { .. })) {
            run(input, next_column);
        }
    }
}
