//! Parts that a large expression repeats, each lowered once. BETWEEN and CASE with an operand repeat their value, and TRY
//! its conditions: repeated parts inside repeated parts would double the plan with each level.

use std::collections::{HashMap, HashSet};

use polars::prelude::Expr as PolarsExpr;

use super::Guard;
use rowhouse_sql::expr::{Expr, ExprKind};

/// Minimum number of nodes of an expression whose repeated parts are looked for. What a smaller one repeats costs less
/// than a search and a column.
const MIN_NODES: usize = 1_000;

/// Minimum number of nodes of a repeated part.
const MIN_NODES_OF_PART: usize = 8;

#[derive(Debug, Default)]
pub(super) struct Repeated {
    /// Structural hashes of the repeated parts.
    hashes: HashSet<u64>,
    /// The lowered parts by hash. A part is NULL outside its guard, so only the same guard has the same values.
    lowered: HashMap<u64, Vec<(Expr, Guard, PolarsExpr)>>,
}

impl Repeated {
    /// Adds the repeated parts of an expression, if it is large.
    pub(super) fn search(&mut self, expr: &Expr) {
        if expr.node_count() >= MIN_NODES {
            self.add(expr);
        }
    }

    /// Adds the repeated parts of an expression.
    pub(super) fn add(&mut self, expr: &Expr) {
        self.visit(expr, &mut HashSet::new());
    }

    /// Returns the hash, the number of nodes, and whether a part has other values at each evaluation.
    fn visit(&mut self, expr: &Expr, seen: &mut HashSet<u64>) -> (u64, usize, bool) {
        let parts: Vec<_> = expr.children().into_iter().map(|part| self.visit(part, seen)).collect();
        let hashes: Vec<u64> = parts.iter().map(|(hash, ..)| *hash).collect();
        let hash = expr.hash_of_parts(&hashes);
        let nodes = 1 + parts.iter().map(|(_, nodes, _)| nodes).sum::<usize>();
        let is_random = matches!(&expr.kind, ExprKind::Call { function, .. } if function.is_random())
            || parts.iter().any(|(.., is_random)| *is_random);
        if nodes >= MIN_NODES_OF_PART && !is_random && !seen.insert(hash) {
            self.hashes.insert(hash);
        }
        (hash, nodes, is_random)
    }

    /// The hash of an expression that is a repeated part.
    pub(super) fn hash(&self, expr: &Expr) -> Option<u64> {
        if self.hashes.is_empty() {
            return None;
        }
        Some(expr.structural_hash()).filter(|hash| self.hashes.contains(hash))
    }

    /// The part as it was lowered for the same rows.
    pub(super) fn get(&self, hash: u64, expr: &Expr, guard: &Guard) -> Option<PolarsExpr> {
        let lowered = self.lowered.get(&hash)?;
        let (.., value) = lowered.iter().find(|(part, rows, _)| rows == guard && part == expr)?;
        Some(value.clone())
    }

    pub(super) fn insert(&mut self, hash: u64, expr: &Expr, guard: &Guard, value: PolarsExpr) {
        self.lowered.entry(hash).or_default().push((expr.clone(), guard.clone(), value));
    }
}
