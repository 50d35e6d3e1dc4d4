//! Grouping keys that are constants or computed from other keys. Before: `Aggregate [a, b]` over `Project [a, b=a - 1]`.
//! After: `Project [a, b=a - 1]` over `Aggregate [a]` (DataFusion's EliminateGroupByConstant, Spark's
//! RemoveRepetitionFromGroupExpressions). A number that may fail is computed for each row as before, so that its error is
//! the same, and becomes the aggregate `max(b)`. Why: less is hashed and compared for each row.

use std::collections::{HashMap, HashSet};

use super::cardinality::Estimator;
use super::infallible::cannot_fail;
use crate::expr::Expr;
use crate::functions::AggregateFunction;
use crate::plan::{Aggregate, AggregateCall, ColumnId, Field, Plan};
use crate::types::Type;

pub(super) fn run(plan: &mut Plan, estimator: &Estimator<'_>, next_column: &mut u32) {
    under(plan, &HashSet::new(), &mut |aggregate, needed| {
        eliminated(aggregate, needed, estimator, next_column)
    });
}

/// Replaces aggregations, each beside the columns that are known to be needed by the nodes above it.
fn under(
    plan: &mut Plan,
    needed: &HashSet<ColumnId>,
    change: &mut impl FnMut(&Aggregate, &HashSet<ColumnId>) -> Option<Plan>,
) {
    let own = || plan.expressions().into_iter().flat_map(Expr::columns);
    let of_input = match plan {
        Plan::Project { .. } => own().collect(),
        Plan::Filter { .. } | Plan::Sort { .. } | Plan::Limit { .. } => {
            own().chain(needed.iter().copied()).collect()
        }
        _ => HashSet::new(),
    };
    for input in plan.inputs_mut() {
        under(input, &of_input, change);
    }
    if let Plan::Aggregate(aggregate) = plan
        && let Some(rewritten) = change(aggregate, needed)
    {
        *plan = rewritten;
    }
}

fn eliminated(
    aggregate: &Aggregate,
    needed: &HashSet<ColumnId>,
    estimator: &Estimator<'_>,
    next_column: &mut u32,
) -> Option<Plan> {
    let Plan::Project { input, columns } = &*aggregate.input else { return None };
    let definitions: HashMap<ColumnId, &(Field, Expr)> =
        columns.iter().map(|column| (column.0.id, column)).collect();
    // The input's columns that are keys, each with its key.
    let mut plain: HashMap<ColumnId, Expr> = HashMap::new();
    let mut kept: Vec<ColumnId> = Vec::new();
    let mut others: Vec<(&Field, &Expr)> = Vec::new();
    for key in &aggregate.keys {
        let (field, expr) = definitions.get(key)?;
        match expr.as_column() {
            Some(column) if expr.data_type.has_one_form() && !plain.contains_key(&column) => {
                plain.insert(column, Expr::column(*key, field.data_type.clone()));
                kept.push(*key);
            }
            _ => others.push((field, expr)),
        }
    }
    let mut computed: HashMap<ColumnId, Expr> = HashMap::new();
    let rows = if others.is_empty() { return None } else { estimator.estimate(input) };
    let mut aggregates = aggregate.aggregates.clone();
    for (field, expr) in others {
        let is_derived = !expr.is_random() && expr.columns().iter().all(|column| plain.contains_key(column));
        if kept.is_empty() || !is_derived {
            kept.push(field.id);
        } else if cannot_fail(expr, &rows) {
            computed.insert(field.id, expr.clone().substituted(&plain));
        } else if is_number(&field.data_type) && needed.contains(&field.id) {
            // Of the groups HAVING may drop one whose value fails, and what nothing above needs is not computed.
            let call = greatest(field, next_column);
            computed.insert(field.id, Expr::column(call.output.id, field.data_type.clone()));
            aggregates.push(call);
        } else {
            kept.push(field.id);
        }
    }
    if computed.is_empty() {
        return None;
    }
    let fields = Plan::Aggregate(aggregate.clone()).fields();
    let kept: HashSet<ColumnId> = kept.into_iter().collect();
    let keys = aggregate.keys.iter().copied().filter(|key| kept.contains(key)).collect();
    let groups = Plan::Aggregate(Aggregate { input: aggregate.input.clone(), keys, aggregates });
    let columns = fields.into_iter().map(|field| match computed.remove(&field.id) {
        Some(expr) => (field, expr),
        None => field.passed_on(),
    });
    let columns = columns.collect();
    Some(Plan::Project { input: Box::new(groups), columns })
}

/// Whether the greatest of equal values costs less than comparing one more key.
fn is_number(data_type: &Type) -> bool {
    data_type.is_integer() || matches!(data_type, Type::Date | Type::Decimal { .. } | Type::Timestamp { .. })
}

/// The value of a column that is the same in all rows of a group.
fn greatest(field: &Field, next_column: &mut u32) -> AggregateCall {
    let output = Field { id: ColumnId(*next_column), ..field.clone() };
    *next_column += 1;
    AggregateCall {
        output,
        function: AggregateFunction::Max,
        args: vec![Expr::column(field.id, field.data_type.clone())],
        is_distinct: false,
        filter: None,
        order_by: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{ArithmeticOperator, ExprKind, Value};
    use crate::passes::cardinality::tests::{column, table};

    fn less_one(id: u32, data_type: Type) -> Expr {
        let operand = |expr: Expr| Box::new(expr);
        let kind = ExprKind::Arithmetic {
            operator: ArithmeticOperator::Subtract,
            left: operand(Expr::column(ColumnId(id), data_type.clone())),
            right: operand(Expr::literal(Value::Integer(1), data_type.clone())),
        };
        Expr::new(kind, data_type)
    }

    fn grouped(columns: Vec<(u32, Expr)>) -> String {
        grouped_below(columns, |groups| groups)
    }

    fn grouped_below(columns: Vec<(u32, Expr)>, above: impl FnOnce(Plan) -> Plan) -> String {
        let (rows, known) = table(0, 1000, 10);
        let keys = columns.iter().map(|(id, _)| ColumnId(*id)).collect();
        let columns = columns.into_iter().map(|(id, expr)| {
            let field = Field::new(ColumnId(id), "", expr.data_type.clone());
            (field, expr)
        });
        let input = Box::new(Plan::Project { input: Box::new(rows), columns: columns.collect() });
        let mut plan = above(Plan::Aggregate(Aggregate { input, keys, aggregates: Vec::new() }));
        run(&mut plan, &Estimator::new(&[known]), &mut 90);
        let text = plan.to_string();
        text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
    }

    #[test]
    fn keys_computed_from_other_keys_are_computed_from_the_groups() {
        let one = Expr::literal(Value::Integer(1), Type::BigInt);
        let expected = "
Project [c20=(c21 - 1), c21, c22=1, c23=c21]
  Aggregate [c21]
    Project [c20=(c0 - 1), c21=c0, c22=1, c23=c0]
      Scan table 0 [c0=key, c1=kind]
";
        let columns =
            vec![(20, less_one(0, Type::BigInt)), (21, column(0)), (22, one.clone()), (23, column(0))];
        assert_eq!(grouped(columns), expected.trim_start());
        // Without another key a constant makes the difference between no group and one.
        assert!(grouped(vec![(20, one)]).starts_with("Aggregate [c20]"));
    }

    #[test]
    fn keys_of_other_columns_and_of_zeros_with_two_signs_are_unchanged() {
        assert!(grouped(vec![(20, column(0)), (21, less_one(1, Type::BigInt))]).starts_with("Aggregate"));
        let double = Expr::column(ColumnId(0), Type::Double);
        assert!(grouped(vec![(20, double), (21, less_one(0, Type::Double))]).starts_with("Aggregate"));
    }

    #[test]
    fn a_key_that_may_fail_is_still_computed_for_each_row() {
        let columns = || vec![(20, less_one(1, Type::BigInt)), (21, column(1))];
        let needed = |ids: &'static [u32]| {
            move |groups: Plan| {
                let columns = ids.iter().map(|id| {
                    let field = Field::new(ColumnId(30 + id), "", Type::BigInt);
                    (field, column(*id))
                });
                let columns = columns.collect();
                let limit = Plan::Limit { input: Box::new(groups), offset: 0, limit: Some(1) };
                Plan::Project { input: Box::new(limit), columns }
            }
        };
        let expected = "
Project [c50=c20, c51=c21]
  Limit 1 offset 0
    Project [c20=c90, c21]
      Aggregate [c21] c90=max(c20)
        Project [c20=(c1 - 1), c21=c1]
          Scan table 0 [c0=key, c1=kind]
";
        assert_eq!(grouped_below(columns(), needed(&[20, 21])), expected.trim_start());
        // The aggregate would not be computed.
        assert!(grouped_below(columns(), needed(&[21])).contains("Aggregate [c20, c21]"));
        assert!(grouped(columns()).starts_with("Aggregate [c20, c21]"));
    }
}
