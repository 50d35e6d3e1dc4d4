//! Partial DISTINCT below joins. Before: `Distinct`, INTERSECT, EXCEPT, an aggregation of keys alone, or the right side
//! of a semi join, above joins. After: a
//! `PartialDistinct` of the columns that are needed further up, below the joins on the side with the most rows. Why: a
//! row that equals another one has the same matches. Sales of a customer and a day are joined once, not once for each
//! line.

use std::collections::HashSet;

use super::cardinality::Estimator;
use crate::expr::Expr;
use crate::plan::{ColumnId, Join, JoinKind, Plan, SetOperationKind};

pub(super) fn run(plan: &mut Plan, estimator: &Estimator<'_>, min_rows: f64) {
    for input in plan.inputs_mut() {
        run(input, estimator, min_rows);
    }
    let place = Place { is_below_join: false, min_rows };
    match plan {
        Plan::Aggregate(aggregate) if aggregate.aggregates.is_empty() && !aggregate.keys.is_empty() => {
            let needed = aggregate.keys.iter().copied().collect();
            push(&mut aggregate.input, needed, place, estimator);
        }
        Plan::Distinct { input, on: None } => push_all(input, place, estimator),
        Plan::SetOperation {
            kind: SetOperationKind::Intersect | SetOperationKind::Except, inputs, ..
        } => {
            inputs.iter_mut().for_each(|input| push_all(input, place, estimator));
        }
        Plan::Join(Join { kind: JoinKind::Semi | JoinKind::Anti, right, .. }) => {
            push_all(right, place, estimator);
        }
        _ => {}
    }
}

/// Pushes below a node of whose input no row is needed twice.
fn push_all(input: &mut Plan, place: Place, estimator: &Estimator<'_>) {
    let needed = input.column_ids().into_iter().collect();
    push(input, needed, place, estimator);
}

/// What is known of a place on the way down.
#[derive(Clone, Copy)]
struct Place {
    is_below_join: bool,
    min_rows: f64,
}

/// Walks down to the rows below the lowest join. The nodes above only use the needed columns, and need no row twice.
fn push(plan: &mut Plan, mut needed: HashSet<ColumnId>, place: Place, estimator: &Estimator<'_>) {
    match plan {
        Plan::Project { input, columns } => {
            let used = columns.iter().filter(|(field, _)| needed.contains(&field.id));
            let used: Vec<&Expr> = used.map(|(_, expr)| expr).collect();
            // A projection of which nothing is needed keeps a column all the same.
            if !used.is_empty() && !used.iter().any(|expr| expr.is_random()) {
                let below = used.into_iter().flat_map(Expr::columns).collect();
                push(input, below, place, estimator);
            }
        }
        Plan::Join(Join { kind: kind @ (JoinKind::Inner | JoinKind::Left), left, right, keys, residual }) => {
            let mut exprs = keys.iter().flat_map(|key| [&key.left, &key.right]).chain(residual.as_ref());
            if keys.is_empty() || exprs.clone().any(Expr::is_random) {
                return;
            }
            exprs.by_ref().for_each(|expr| needed.extend(expr.columns()));
            let is_left = *kind == JoinKind::Left || estimator.rows(left) >= estimator.rows(right);
            let side = if is_left { left } else { right };
            push(side, needed, Place { is_below_join: true, ..place }, estimator);
        }
        Plan::SetOperation { kind: SetOperationKind::UnionAll, inputs, fields }
            if !place.is_below_join && fields.iter().all(|field| needed.contains(&field.id)) =>
        {
            inputs.iter_mut().for_each(|input| push_all(input, place, estimator));
        }
        _ if place.is_below_join && estimator.rows(plan) >= place.min_rows => insert(plan, &needed),
        _ => {}
    }
}

fn insert(plan: &mut Plan, needed: &HashSet<ColumnId>) {
    let columns = plan.passed_on();
    let is_needed = |id: &ColumnId| needed.contains(id);
    let columns: Vec<_> = columns.into_iter().filter(|(field, _)| is_needed(&field.id)).collect();
    if columns.is_empty() || !columns.iter().all(|(field, _)| field.data_type.has_one_form()) {
        return;
    }
    let input = Box::new(Plan::Project { input: Box::new(plan.take()), columns });
    *plan = Plan::PartialDistinct { input };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::cardinality::tests::{column, joined, table};
    use crate::plan::Field;
    use crate::types::Type;

    /// DISTINCT of the kinds of a table's rows and of another table's for their keys.
    fn kinds(rows: u64, kind: JoinKind, residual: Option<Expr>) -> String {
        let ((many, of_many), (few, of_few)) = (table(0, rows, 1000), table(1, 1000, 1000));
        let Plan::Join(join) = joined(kind, many, few, (0, 10)) else { unreachable!("a join") };
        let input = Box::new(Plan::Join(Join { residual, ..join }));
        let field = |id| (Field::new(ColumnId(id), "kind", Type::BigInt), column(id));
        let input = Box::new(Plan::Project { input, columns: vec![field(11)] });
        let mut plan = Plan::Distinct { input, on: None };
        run(&mut plan, &Estimator::new(&[of_many, of_few]), 10_000.0);
        plan.to_string()
    }

    #[test]
    fn duplicates_of_the_larger_side_are_dropped_by_the_columns_that_are_needed() {
        let expected = "
Distinct
  Project [c11]
    InnerJoin on c0 = c10
      PartialDistinct
        Project [c0]
          Scan table 0 [c0=key, c1=kind]
      Scan table 1 [c10=key, c11=kind]
";
        assert_eq!(kinds(100_000, JoinKind::Inner, None), expected.trim_start());
    }

    #[test]
    fn a_projection_of_which_nothing_is_needed_keeps_its_column() {
        let ((many, of_many), (few, of_few)) = (table(0, 100_000, 1000), table(1, 1000, 1000));
        let field = |id| Field::new(ColumnId(id), "kind", Type::BigInt);
        let input = Box::new(joined(JoinKind::Inner, many, few, (0, 10)));
        let input = Box::new(Plan::Project { input, columns: vec![(field(1), column(1))] });
        let input = Box::new(Plan::Project { input, columns: vec![(field(20), Expr::boolean(true))] });
        let mut plan = Plan::Distinct { input, on: None };
        run(&mut plan, &Estimator::new(&[of_many, of_few]), 10_000.0);
        assert!(!plan.to_string().contains("Partial"), "{plan}");
    }

    #[test]
    fn few_rows_and_other_joins_are_unchanged() {
        assert!(!kinds(5_000, JoinKind::Inner, None).contains("Partial"));
        assert!(!kinds(100_000, JoinKind::Full, None).contains("Partial"));
    }
}
