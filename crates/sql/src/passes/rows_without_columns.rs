//! Rows without columns. Before: VALUES, aggregations, projections and unions of rows without columns, as of a SELECT without
//! FROM, of HAVING without aggregates, and of grouping sets without keys. After: they have a column, except VALUES directly
//! below a projection. Why: a frame without columns has no rows.

use crate::expr::Expr;
use crate::functions::AggregateFunction;
use crate::plan::{AggregateCall, ColumnId, Field, Plan};
use crate::types::Type;

pub(super) fn run(plan: &mut Plan, next_column: &mut u32) {
    let is_projection = matches!(plan, Plan::Project { .. });
    for input in plan.inputs_mut() {
        if !(is_projection && matches!(input, Plan::Values { .. })) {
            run(input, next_column);
        }
    }
    let mut new_field = |data_type| {
        let id = ColumnId(*next_column);
        *next_column += 1;
        Field::new(id, "", data_type)
    };
    match plan {
        Plan::Values { fields, rows } if fields.is_empty() && !rows.is_empty() => {
            fields.push(new_field(Type::Boolean));
            for row in rows {
                row.push(Expr::boolean(true));
            }
        }
        Plan::Aggregate(node) if node.keys.is_empty() && node.aggregates.is_empty() => {
            node.aggregates.push(AggregateCall {
                output: new_field(Type::BigInt),
                function: AggregateFunction::Count,
                args: Vec::new(),
                is_distinct: false,
                filter: None,
                order_by: Vec::new(),
            });
        }
        Plan::Project { columns, .. } if columns.is_empty() => {
            columns.push((new_field(Type::Boolean), Expr::boolean(true)));
        }
        Plan::SetOperation { inputs, fields, .. } if fields.is_empty() => {
            for input in inputs {
                let columns = vec![(new_field(Type::Boolean), Expr::boolean(true))];
                *input = Plan::Project { input: Box::new(input.take()), columns };
            }
            fields.push(new_field(Type::Boolean));
        }
        _ => {}
    }
}
