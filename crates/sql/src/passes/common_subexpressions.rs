//! Before: `Aggregate sum(CASE WHEN a - b <= 30 …), sum(CASE WHEN a - b > 30 AND a - b <= 60 …)`, or a projection of such.
//! After: the same over `d`, above `Project [d = a - b]` (DataFusion's CommonSubexprEliminate).
//! Why: Polars tells the same operation apart from itself where it is one of our own kernels: checked integers, texts, dates.
//! Decimals and doubles are left: aggregation computes them in blocks, and Polars finds them.

use std::cell::OnceCell;
use std::collections::HashMap;

use super::cardinality::{Estimate, Estimator};
use super::decomposed::new_field;
use super::infallible::cannot_fail;
use crate::expr::{Expr, ExprKind};
use crate::functions::ScalarFunction;
use crate::plan::{Aggregate, Field, Plan};

/// Parts of all expressions of a node beyond which they are left as they are.
const MAX_NODES: usize = 2_000;
/// Expressions of a node that are taken out at most.
const MAX_TAKEN: usize = 32;

pub(super) fn run(plan: &mut Plan, estimator: &Estimator<'_>, next_column: &mut u32) {
    for input in plan.inputs_mut() {
        run(input, estimator, next_column);
    }
    match plan {
        Plan::Aggregate(Aggregate { input, aggregates, .. }) => {
            // Where a filter drops a row, its arguments are no error.
            let exprs = aggregates.iter_mut().flat_map(|call| {
                let is_always = call.filter.is_none();
                call.args.iter_mut().map(move |argument| (argument, is_always))
            });
            take_out(input, exprs.collect(), estimator, next_column);
        }
        Plan::Project { input, columns } => {
            let exprs = columns.iter_mut().map(|(_, expr)| (expr, true)).collect();
            take_out(input, exprs, estimator, next_column);
        }
        _ => {}
    }
}

/// Puts a projection below expressions, each of which may be evaluated for every row or not.
fn take_out(
    input: &mut Plan,
    mut exprs: Vec<(&mut Expr, bool)>,
    estimator: &Estimator<'_>,
    next_column: &mut u32,
) {
    if exprs.iter().map(|(expr, _)| expr.node_count()).sum::<usize>() > MAX_NODES {
        return;
    }
    let mut taken: Vec<(Field, Expr)> = Vec::new();
    let rows = OnceCell::new();
    while taken.len() < MAX_TAKEN
        && let Some(common) = largest_common(&exprs, input, || rows.get_or_init(|| estimator.estimate(input)))
    {
        let field = new_field(common.data_type.clone(), next_column);
        let column = Expr::column(field.id, field.data_type.clone());
        exprs.iter_mut().for_each(|(expr, _)| replace(expr, &common, &column));
        taken.push((field, common));
    }
    if taken.is_empty() {
        return;
    }
    let below = input.take();
    let passed = below.fields().into_iter().map(|field| {
        let column = Expr::column(field.id, field.data_type.clone());
        (field, column)
    });
    let columns = passed.chain(taken).collect();
    *input = Plan::Project { input: Box::new(below), columns };
}

/// How often an expression stands somewhere, and whether it is evaluated for every row in one of the places.
struct Uses<'e> {
    expr: &'e Expr,
    count: usize,
    is_always: bool,
}

/// The largest expression that stands in several places and may be evaluated for every row.
fn largest_common<'r>(
    exprs: &[(&mut Expr, bool)],
    input: &Plan,
    rows: impl Fn() -> &'r Estimate,
) -> Option<Expr> {
    let mut found: HashMap<String, Vec<Uses<'_>>> = HashMap::new();
    for (expr, is_always) in exprs {
        collect(expr, *is_always, &mut found);
    }
    let mut common: Vec<Uses<'_>> = found.into_values().flatten().filter(|uses| uses.count > 1).collect();
    if common.is_empty() {
        return None;
    }
    // In an order of its own, so that the same statement always gives the same plan.
    common.sort_by_cached_key(|uses| (std::cmp::Reverse(uses.expr.node_count()), uses.expr.to_string()));
    let known = input.column_ids();
    let may_be_taken = |uses: &&Uses<'_>| {
        let is_over_input = uses.expr.columns().iter().all(|column| known.contains(column));
        is_over_input && (uses.is_always || cannot_fail(uses.expr, rows()))
    };
    common.iter().find(may_be_taken).map(|uses| uses.expr.clone())
}

fn collect<'e>(expr: &'e Expr, is_always: bool, found: &mut HashMap<String, Vec<Uses<'e>>>) {
    if is_worthwhile(expr) {
        let same_text = found.entry(expr.to_string()).or_default();
        match same_text.iter_mut().find(|uses| uses.expr == expr) {
            Some(uses) => {
                uses.count += 1;
                uses.is_always |= is_always;
            }
            None => same_text.push(Uses { expr, count: 1, is_always }),
        }
    }
    match &expr.kind {
        ExprKind::Lambda { .. } => {}
        // The first part alone is evaluated for every row; an error in TRY is none.
        ExprKind::And(_)
        | ExprKind::Or(_)
        | ExprKind::Case { .. }
        | ExprKind::InList { .. }
        | ExprKind::Call { function: ScalarFunction::Coalesce, .. } => {
            for (place, part) in expr.children().into_iter().enumerate() {
                collect(part, is_always && place == 0, found);
            }
        }
        kind => {
            let is_always =
                is_always && !matches!(kind, ExprKind::Call { function: ScalarFunction::Try, .. });
            expr.children().into_iter().for_each(|part| collect(part, is_always, found));
        }
    }
}

/// Whether it costs more than a column that is there, and is not what Polars finds by itself.
fn is_worthwhile(expr: &Expr) -> bool {
    let is_kernel = match &expr.kind {
        ExprKind::Arithmetic { .. } => expr.data_type.is_integer(),
        ExprKind::Call { function, args } => {
            let has_lambda = args.iter().any(|arg| matches!(arg.kind, ExprKind::Lambda { .. }));
            !has_lambda && !matches!(function, ScalarFunction::Coalesce | ScalarFunction::Try)
        }
        ExprKind::Like { .. } => true,
        _ => false,
    };
    is_kernel && !expr.is_random() && !expr.columns().is_empty()
}

fn replace(expr: &mut Expr, common: &Expr, column: &Expr) {
    if expr == common {
        *expr = column.clone().at(expr.location);
        return;
    }
    if !matches!(expr.kind, ExprKind::Lambda { .. }) {
        expr.children_mut().into_iter().for_each(|part| replace(part, common, column));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{ArithmeticOperator, ComparisonOperator, Value};
    use crate::passes::cardinality::tests::{column, table};
    use crate::plan::ColumnId;
    use crate::types::Type;

    /// `CASE WHEN key - kind <= limit THEN 1 END`.
    fn case(condition_left: Expr, limit: i64) -> Expr {
        let integer = |value: i64| Expr::literal(Value::Integer(value), Type::BigInt);
        let condition = Expr::comparison(ComparisonOperator::LessThanOrEqual, condition_left, integer(limit));
        let branches = vec![(condition, integer(1))];
        Expr::new(ExprKind::Case { branches, otherwise: None }, Type::BigInt)
    }

    fn difference() -> Expr {
        let (left, right) = (Box::new(column(0)), Box::new(column(1)));
        Expr::new(ExprKind::Arithmetic { operator: ArithmeticOperator::Subtract, left, right }, Type::BigInt)
    }

    fn projected(exprs: Vec<Expr>) -> String {
        let (input, known) = table(0, 1000, 10);
        let columns = exprs.into_iter().enumerate().map(|(place, expr)| {
            let id = ColumnId(100 + u32::try_from(place).expect("a small number"));
            (Field { id, name: String::new(), data_type: Type::BigInt }, expr)
        });
        let mut plan = Plan::Project { input: Box::new(input), columns: columns.collect() };
        run(&mut plan, &Estimator::new(&[known]), &mut 200);
        plan.to_string()
    }

    #[test]
    fn what_stands_twice_is_computed_once() {
        let text = projected(vec![case(difference(), 30), case(difference(), 60)]);
        assert_eq!(text.matches("c0 - c1").count(), 1, "{text}");
        assert_eq!(text.matches("c200").count(), 3, "{text}");
    }

    #[test]
    fn what_may_be_an_error_is_not_computed_where_it_was_not_asked_for() {
        let after = |condition: Expr| {
            let branches = vec![(condition, difference())];
            Expr::new(ExprKind::Case { branches, otherwise: None }, Type::BigInt)
        };
        let is_null = |id: u32| Expr::new(ExprKind::IsNull(Box::new(column(id))), Type::Boolean);
        let text = projected(vec![after(is_null(0)), after(is_null(1))]);
        assert_eq!(text.matches("c0 - c1").count(), 2, "{text}");
    }
}
