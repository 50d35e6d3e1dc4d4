//! Grouping keys that are constants or computed from other keys. Before: `Aggregate [a, b]` over `Project [a, b=a - 1]`.
//! After: `Project [a, b=a - 1]` over `Aggregate [a]` (DataFusion's EliminateGroupByConstant, Spark's
//! RemoveRepetitionFromGroupExpressions). Why: less is hashed and compared for each row.

use std::collections::{HashMap, HashSet};

use super::cardinality::Estimator;
use super::infallible::cannot_fail;
use super::rewrite;
use crate::expr::Expr;
use crate::plan::{Aggregate, ColumnId, Field, Plan};

pub(super) fn run(plan: &mut Plan, estimator: &Estimator<'_>) {
    rewrite(plan, &mut |node| match node {
        Plan::Aggregate(aggregate) => match eliminated(&aggregate, estimator) {
            Some(rewritten) => rewritten,
            None => Plan::Aggregate(aggregate),
        },
        other => other,
    });
}

fn eliminated(aggregate: &Aggregate, estimator: &Estimator<'_>) -> Option<Plan> {
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
    for (field, expr) in others {
        let named = expr.columns();
        // One that fails would not do so for a group that HAVING drops, or if nothing above needs the key.
        let is_known = named.iter().all(|column| plain.contains_key(column)) && cannot_fail(expr, &rows);
        if is_known && !expr.is_random() && !kept.is_empty() {
            computed.insert(field.id, expr.clone().substituted(&plain));
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
    let groups = Plan::Aggregate(Aggregate { keys, ..aggregate.clone() });
    let columns = fields.into_iter().map(|field| match computed.remove(&field.id) {
        Some(expr) => (field, expr),
        None => field.passed_on(),
    });
    let columns = columns.collect();
    Some(Plan::Project { input: Box::new(groups), columns })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{ArithmeticOperator, ExprKind, Value};
    use crate::passes::cardinality::tests::{column, table};
    use crate::types::Type;

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
        let (rows, known) = table(0, 1000, 10);
        let keys = columns.iter().map(|(id, _)| ColumnId(*id)).collect();
        let columns = columns.into_iter().map(|(id, expr)| {
            let field = Field::new(ColumnId(id), "", expr.data_type.clone());
            (field, expr)
        });
        let input = Box::new(Plan::Project { input: Box::new(rows), columns: columns.collect() });
        let mut plan = Plan::Aggregate(Aggregate { input, keys, aggregates: Vec::new() });
        run(&mut plan, &Estimator::new(&[known]));
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
}
