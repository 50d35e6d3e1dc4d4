//! Join order. Before: inner joins and filters in the order of the text, comma joins as cross products: `Filter (a = b
//! AND p)` over a tree of joins without keys; semi and anti joins in their original positions. After: a chain of joins
//! with keys, in the order with the fewest intermediate rows, the larger side on the left; predicates on one table
//! directly on that table; selective semi joins on the table that they restrict; left joins above the inner joins that
//! do not use their right side. Why: an equality above a cross product is the difference between thousands of rows and
//! billions.

use std::collections::HashSet;

use crate::expr::{Expr, Value};
use crate::plan::{ColumnId, Join, JoinKey, JoinKind, Plan};

mod graph;
mod search;

use super::cardinality::Estimator;
use graph::{Graph, SemiJoin};

/// Maximum number of relations for an exhaustive search; larger regions are ordered greedily.
const MAX_RELATIONS: usize = 12;
/// Maximum number of relations of a region, whose sets are 64-bit masks. A larger region keeps the order of its text.
const MAX_REGION: usize = 60;

pub(super) fn run(plan: &mut Plan, estimator: &Estimator<'_>) {
    let taken = plan.take();
    *plan = ordered(taken, estimator);
}

fn ordered(plan: Plan, estimator: &Estimator<'_>) -> Plan {
    let plan = match plan {
        Plan::Filter { input, predicate } if predicate.is_random() => {
            let (random, own): (Vec<Expr>, Vec<Expr>) =
                predicate.into_conjuncts().into_iter().partition(Expr::is_random);
            return ordered(input.filtered(own), estimator).filtered(random);
        }
        other => other,
    };
    let is_region = match &plan {
        Plan::Filter { .. } => true,
        Plan::Join(join) => {
            matches!(join.kind, JoinKind::Inner | JoinKind::Semi | JoinKind::Anti) && !is_random(&plan)
        }
        _ => false,
    };
    let mut region = Region::default();
    if is_region {
        region.add_references(&plan);
    }
    if !is_region || region.relation_count(&plan) > MAX_REGION {
        let mut plan = plan;
        for input in plan.inputs_mut() {
            run(input, estimator);
        }
        return plan;
    }
    let mut parts = Parts::default();
    region.collect(plan, &mut parts, estimator);
    if parts.relations.len() == 1 && parts.semi_joins.is_empty() && parts.outer_joins.is_empty() {
        // Nothing is estimated: that looks at all nodes below, and there may be a filter on each.
        let relation = parts.relations.remove(0);
        return relation.filtered(parts.predicates);
    }
    let outer_joins = std::mem::take(&mut parts.outer_joins);
    let graph = Graph::new(parts, estimator);
    let order =
        if graph.len() <= MAX_RELATIONS { search::best_order(&graph) } else { search::greedy_order(&graph) };
    outer_joins.into_iter().fold(graph.into_plan(order), |left, OuterJoin { right, keys, residual }| {
        let (left, right) = (Box::new(left), Box::new(right));
        Plan::Join(Join { kind: JoinKind::Left, left, right, keys, residual })
    })
}

/// The parts of a region of joins and filters.
#[derive(Debug, Default)]
struct Parts {
    relations: Vec<Plan>,
    predicates: Vec<Expr>,
    semi_joins: Vec<SemiJoin>,
    /// Left joins, inner ones first.
    outer_joins: Vec<OuterJoin>,
}

/// A left join whose right columns are not used in the region: it only adds columns to the region's rows.
#[derive(Debug)]
struct OuterJoin {
    right: Plan,
    keys: Vec<JoinKey>,
    residual: Option<Expr>,
}

/// Columns to which the joins and filters of a region refer, without the right columns in conditions of its left, semi
/// and anti joins.
#[derive(Debug, Default)]
struct Region {
    named: HashSet<ColumnId>,
}

impl Region {
    fn add_references(&mut self, plan: &Plan) {
        match plan {
            _ if is_random(plan) => {}
            Plan::Filter { input, predicate } => {
                self.named.extend(predicate.columns());
                self.add_references(input);
            }
            Plan::Join(Join { kind, left, right, keys, residual }) => {
                let own: HashSet<ColumnId> = match kind {
                    JoinKind::Inner => HashSet::new(),
                    JoinKind::Semi | JoinKind::Anti | JoinKind::Left => {
                        right.column_ids().into_iter().collect()
                    }
                    _ => return,
                };
                let exprs = keys.iter().flat_map(|key| [&key.left, &key.right]).chain(residual);
                let columns = exprs.flat_map(Expr::columns).filter(|column| !own.contains(column));
                self.named.extend(columns);
                self.add_references(left);
                if *kind == JoinKind::Inner {
                    self.add_references(right);
                }
            }
            _ => {}
        }
    }

    /// Whether a left join can be moved above the joins of the region.
    fn is_late(&self, right: &Plan) -> bool {
        !right.column_ids().iter().any(|column| self.named.contains(column))
    }

    fn relation_count(&self, plan: &Plan) -> usize {
        match plan {
            _ if is_random(plan) => 1,
            Plan::Filter { input, .. } => self.relation_count(input),
            Plan::Join(Join { kind: JoinKind::Inner, left, right, .. }) => {
                self.relation_count(left) + self.relation_count(right)
            }
            Plan::Join(Join { kind: JoinKind::Semi | JoinKind::Anti, left, .. }) => self.relation_count(left),
            Plan::Join(Join { kind: JoinKind::Left, left, right, .. }) if self.is_late(right) => {
                self.relation_count(left)
            }
            _ => 1,
        }
    }

    fn collect(&self, plan: Plan, parts: &mut Parts, estimator: &Estimator<'_>) {
        match plan {
            random if is_random(&random) => parts.relations.push(ordered(random, estimator)),
            Plan::Filter { input, predicate } => {
                self.collect(*input, parts, estimator);
                parts.predicates.extend(predicate.into_conjuncts());
            }
            Plan::Join(Join { kind: JoinKind::Inner, left, right, keys, residual }) => {
                self.collect(*left, parts, estimator);
                self.collect(*right, parts, estimator);
                parts.predicates.extend(keys.into_iter().map(as_predicate));
                parts.predicates.extend(residual.map(Expr::into_conjuncts).unwrap_or_default());
            }
            Plan::Join(Join {
                kind: kind @ (JoinKind::Semi | JoinKind::Anti),
                left,
                right,
                keys,
                residual,
            }) => {
                self.collect(*left, parts, estimator);
                parts.semi_joins.push(SemiJoin { kind, right: ordered(*right, estimator), keys, residual });
            }
            Plan::Join(Join { kind: JoinKind::Left, left, right, keys, residual })
                if self.is_late(&right) =>
            {
                self.collect(*left, parts, estimator);
                parts.outer_joins.push(OuterJoin { right: ordered(*right, estimator), keys, residual });
            }
            // A single row without columns is the identity of a cross join.
            Plan::Values { fields, rows }
                if fields.is_empty() && rows.len() == 1 && !parts.relations.is_empty() => {}
            other => parts.relations.push(ordered(other, estimator)),
        }
        parts.predicates.retain(|predicate| predicate.as_literal() != Some(&Value::Boolean(true)));
    }
}

/// Whether a filter or a join draws random values, one for each of its rows. It is a relation by itself: a sample of orders is
/// not a sample of their lines.
fn is_random(plan: &Plan) -> bool {
    matches!(plan, Plan::Filter { .. } | Plan::Join(_)) && plan.expressions().into_iter().any(Expr::is_random)
}

fn as_predicate(key: JoinKey) -> Expr {
    use crate::expr::ComparisonOperator::{Equal, IsNotDistinctFrom};
    let operator = if key.null_equals_null { IsNotDistinctFrom } else { Equal };
    Expr::comparison(operator, key.left, key.right)
}
