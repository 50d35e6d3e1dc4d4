//! Before: `Aggregate sum(CASE WHEN a - b <= 30 …), sum(CASE WHEN a - b > 30 AND a - b <= 60 …)`, or a projection of
//! such expressions.
//! After: the same over `d`, above `Project [d = a - b]` (DataFusion's CommonSubexprEliminate).
//! Why: Polars does not recognize repeated calls of our own kernels: checked integers, texts, dates. Decimals and
//! doubles are left unchanged: aggregation computes them in blocks, and Polars recognizes them.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use super::cardinality::{Estimate, Estimator};
use super::decomposed::new_field;
use super::infallible::cannot_fail;
use crate::expr::fallible::evaluated_children;
use crate::expr::{Expr, ExprKind};
use crate::functions::ScalarFunction;
use crate::plan::{Aggregate, ColumnId, Field, Plan};

/// Maximum number of expression nodes in a plan node for which the pass runs.
const MAX_NODES: usize = 2_000;
/// Maximum number of expressions that are extracted per plan node.
const MAX_EXTRACTED: usize = 32;

/// Maximum number of visited expression nodes in one statement; an expression may be visited once per enclosing
/// expression.
const MAX_VISITED: usize = 5_000_000;

/// Extracts common subexpressions in the plans of a statement.
pub(super) struct Sharing<'a> {
    next_column: &'a mut u32,
    /// The number of expression nodes that may still be visited.
    left: usize,
    /// Whether any expression was extracted.
    pub(super) is_any: bool,
}

impl<'a> Sharing<'a> {
    pub(super) const fn new(next_column: &'a mut u32) -> Self {
        Self { next_column, left: MAX_VISITED, is_any: false }
    }

    pub(super) fn run(&mut self, plan: &mut Plan, estimator: &Estimator<'_>) {
        for input in plan.inputs_mut() {
            self.run(input, estimator);
        }
        match plan {
            Plan::Aggregate(Aggregate { input, aggregates, .. }) => {
                // For rows that a filter drops, errors in the arguments must not occur.
                let exprs = aggregates.iter_mut().flat_map(|call| {
                    let is_always = call.filter.is_none();
                    call.args.iter_mut().map(move |argument| (argument, is_always))
                });
                self.extract(input, exprs.collect(), estimator);
            }
            Plan::Project { input, columns } => {
                let exprs = columns.iter_mut().map(|(_, expr)| (expr, true)).collect();
                self.extract(input, exprs, estimator);
            }
            _ => {}
        }
    }

    /// Adds a projection of common subexpressions below `exprs`, each with whether it is evaluated for every row.
    fn extract(&mut self, input: &mut Plan, mut exprs: Vec<(&mut Expr, bool)>, estimator: &Estimator<'_>) {
        if exprs.iter().map(|(expr, _)| expr.node_count()).sum::<usize>() > MAX_NODES {
            return;
        }
        let mut extracted: Vec<(Field, Expr)> = Vec::new();
        let (rows, known) = (OnceCell::new(), OnceCell::new());
        while extracted.len() < MAX_EXTRACTED
            && let Some((hash, common)) = self.largest_common(
                &exprs,
                || known.get_or_init(|| input.column_ids().into_iter().collect()),
                || rows.get_or_init(|| estimator.estimate(input)),
            )
        {
            let field = new_field(common.data_type.clone(), self.next_column);
            let column = Expr::column(field.id, field.data_type.clone());
            for (expr, _) in &mut exprs {
                self.replace(expr, (hash, &common), &column);
            }
            extracted.push((field, common));
        }
        if extracted.is_empty() {
            return;
        }
        self.is_any = true;
        let below = input.take();
        let columns = below.passed_on().into_iter().chain(extracted).collect();
        *input = Plan::Project { input: Box::new(below), columns };
    }

    /// The largest expression that occurs repeatedly and may be evaluated for every row, with its hash.
    fn largest_common<'r>(
        &mut self,
        exprs: &[(&mut Expr, bool)],
        known: impl Fn() -> &'r HashSet<ColumnId>,
        rows: impl Fn() -> &'r Estimate,
    ) -> Option<(u64, Expr)> {
        let mut found = Found { uses: Vec::new(), by_hash: HashMap::new(), left: self.left };
        for (expr, is_always) in exprs {
            found.add(expr, *is_always);
        }
        self.left = found.left;
        let mut common: Vec<Uses<'_>> = found.uses.into_iter().filter(|uses| uses.count > 1).collect();
        // The sort is stable, so the first of equally large expressions wins.
        common.sort_by_key(|uses| std::cmp::Reverse(uses.size));
        for uses in common {
            // Accounts for the checks of its columns and of whether it can fail.
            self.left = self.left.saturating_sub(2 * uses.size);
            if self.left == 0 {
                return None;
            }
            let is_over_input = uses.expr.columns().iter().all(|column| known().contains(column));
            if is_over_input && (uses.is_always || cannot_fail(uses.expr, rows())) {
                return Some((uses.hash, uses.expr.clone()));
            }
        }
        None
    }

    /// Replaces all occurrences of an expression with a column; returns the hash of the original expression.
    fn replace(&mut self, expr: &mut Expr, common: (u64, &Expr), column: &Expr) -> u64 {
        self.left = self.left.saturating_sub(1);
        if matches!(expr.kind, ExprKind::Lambda { .. }) {
            return expr.structural_hash();
        }
        // Smaller parts cannot equal the common expression if this expression is an occurrence, so that expression is
        // still unchanged.
        let parts: Vec<u64> =
            expr.children_mut().into_iter().map(|part| self.replace(part, common, column)).collect();
        let hash = expr.hash_of_parts(&parts);
        if hash == common.0 && expr == common.1 {
            *expr = column.clone().at(expr.location);
        }
        hash
    }
}

/// An expression's occurrences: their number, and whether one of them is evaluated for every row.
struct Uses<'e> {
    expr: &'e Expr,
    hash: u64,
    size: usize,
    count: usize,
    is_always: bool,
}

/// The candidate expressions in the order of their first occurrence, inner ones first.
struct Found<'e> {
    uses: Vec<Uses<'e>>,
    /// Indexes into `uses` by hash.
    by_hash: HashMap<u64, Vec<usize>>,
    /// The number of expression nodes that may still be visited.
    left: usize,
}

/// Properties of an expression that are computed from its parts.
struct Summary {
    hash: u64,
    size: usize,
    is_random: bool,
    names_columns: bool,
}

impl<'e> Found<'e> {
    fn add(&mut self, expr: &'e Expr, is_always: bool) -> Summary {
        self.left = self.left.saturating_sub(1);
        let parts: Vec<Summary> = match &expr.kind {
            ExprKind::Lambda { .. } => {
                return Summary {
                    hash: expr.structural_hash(),
                    size: expr.node_count(),
                    is_random: expr.is_random(),
                    names_columns: !expr.columns().is_empty(),
                };
            }
            _ => {
                let parts = evaluated_children(expr).into_iter();
                parts.map(|(part, is_also)| self.add(part, is_always && is_also)).collect()
            }
        };
        let hashes: Vec<u64> = parts.iter().map(|part| part.hash).collect();
        let is_random_here = matches!(&expr.kind, ExprKind::Call { function, .. } if function.is_random());
        let summary = Summary {
            hash: expr.hash_of_parts(&hashes),
            size: 1 + parts.iter().map(|part| part.size).sum::<usize>(),
            is_random: is_random_here || parts.iter().any(|part| part.is_random),
            names_columns: matches!(expr.kind, ExprKind::Column(_))
                || parts.iter().any(|part| part.names_columns),
        };
        if is_kernel(expr) && !summary.is_random && summary.names_columns {
            self.count(expr, is_always, &summary);
        }
        summary
    }

    fn count(&mut self, expr: &'e Expr, is_always: bool, &Summary { hash, size, .. }: &Summary) {
        if self.left == 0 {
            return;
        }
        let same_hash = self.by_hash.entry(hash).or_default();
        for place in same_hash.iter() {
            let uses = &mut self.uses[*place];
            self.left = self.left.saturating_sub(size);
            if uses.expr == expr {
                uses.count += 1;
                uses.is_always |= is_always;
                return;
            }
        }
        same_hash.push(self.uses.len());
        self.uses.push(Uses { expr, hash, size, count: 1, is_always });
    }
}

/// Whether a kernel computes it that costs more than reading a column, and that Polars does not deduplicate.
fn is_kernel(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Arithmetic { .. } => expr.data_type.is_integer(),
        ExprKind::Call { function, args } => {
            let has_lambda = args.iter().any(|arg| matches!(arg.kind, ExprKind::Lambda { .. }));
            !has_lambda && !matches!(function, ScalarFunction::Coalesce | ScalarFunction::Try)
        }
        ExprKind::Like { .. } => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{ArithmeticOperator, ComparisonOperator, Value};
    use crate::passes::cardinality::tests::{column, table};
    use crate::types::Type;

    /// Returns `CASE WHEN key - kind <= limit THEN 1 END`.
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
            (Field::new(id, "", Type::BigInt), expr)
        });
        let mut plan = Plan::Project { input: Box::new(input), columns: columns.collect() };
        Sharing::new(&mut 200).run(&mut plan, &Estimator::new(&[known]));
        plan.to_string()
    }

    #[test]
    fn repeated_expressions_are_computed_once() {
        let text = projected(vec![case(difference(), 30), case(difference(), 60)]);
        assert_eq!(text.matches("c0 - c1").count(), 1, "{text}");
        assert_eq!(text.matches("c200").count(), 3, "{text}");
    }

    #[test]
    fn fallible_expressions_are_not_evaluated_for_additional_rows() {
        let after = |condition: Expr| {
            let branches = vec![(condition, difference())];
            Expr::new(ExprKind::Case { branches, otherwise: None }, Type::BigInt)
        };
        let is_null = |id: u32| Expr::new(ExprKind::IsNull(Box::new(column(id))), Type::Boolean);
        let text = projected(vec![after(is_null(0)), after(is_null(1))]);
        assert_eq!(text.matches("c0 - c1").count(), 2, "{text}");
    }
}
