//! Before: inner joins and filters in the order of the text, comma joins as products: `Filter (a = b AND p)` over
//! a tree of joins without keys; semi and anti joins wherever they were written.
//! After: a chain of joins with keys, in the order that gives the fewest rows between, the larger side on the
//! left; what names one table only on that table; selective semi joins on the table that they restrict.
//! Why: an equality above a product is the difference between thousands of rows and billions.

use crate::expr::{Expr, Value};
use crate::plan::{Join, JoinKey, JoinKind, Plan};

mod graph;
mod search;

use super::cardinality::Estimator;
use graph::{Graph, SemiJoin};

/// Joins that are ordered together; the rest of a longer list keeps its order.
const MAX_RELATIONS: usize = 12;
/// Relations of a region: sets of them are kept in 64 bits. A larger region keeps the order of its text.
const MAX_REGION: usize = 60;

pub(super) fn run(plan: &mut Plan, estimator: &Estimator<'_>) {
    let taken = plan.take();
    *plan = ordered(taken, estimator);
}

fn ordered(plan: Plan, estimator: &Estimator<'_>) -> Plan {
    let is_region = match &plan {
        Plan::Filter { .. } => true,
        Plan::Join(join) => matches!(join.kind, JoinKind::Inner | JoinKind::Semi | JoinKind::Anti),
        _ => false,
    };
    if !is_region || relation_count(&plan) > MAX_REGION {
        let mut plan = plan;
        for input in plan.inputs_mut() {
            run(input, estimator);
        }
        return plan;
    }
    let mut parts = Parts::default();
    collect(plan, &mut parts, estimator);
    let graph = Graph::new(parts, estimator);
    let order =
        if graph.len() <= MAX_RELATIONS { search::best_order(&graph) } else { search::greedy_order(&graph) };
    graph.into_plan(order)
}

/// What a region of joins and filters is made of.
#[derive(Debug, Default)]
struct Parts {
    relations: Vec<Plan>,
    predicates: Vec<Expr>,
    semi_joins: Vec<SemiJoin>,
}

fn collect(plan: Plan, parts: &mut Parts, estimator: &Estimator<'_>) {
    match plan {
        Plan::Filter { input, predicate } => {
            collect(*input, parts, estimator);
            parts.predicates.extend(predicate.into_conjuncts());
        }
        Plan::Join(Join { kind: JoinKind::Inner, left, right, keys, residual }) => {
            collect(*left, parts, estimator);
            collect(*right, parts, estimator);
            parts.predicates.extend(keys.into_iter().map(as_predicate));
            parts.predicates.extend(residual.map(Expr::into_conjuncts).unwrap_or_default());
        }
        Plan::Join(Join { kind: kind @ (JoinKind::Semi | JoinKind::Anti), left, right, keys, residual }) => {
            collect(*left, parts, estimator);
            parts.semi_joins.push(SemiJoin { kind, right: ordered(*right, estimator), keys, residual });
        }
        // One row of no columns is no relation.
        Plan::Values { fields, rows }
            if fields.is_empty() && rows.len() == 1 && !parts.relations.is_empty() => {}
        other => parts.relations.push(ordered(other, estimator)),
    }
    parts.predicates.retain(|predicate| predicate.as_literal() != Some(&Value::Boolean(true)));
}

fn relation_count(plan: &Plan) -> usize {
    match plan {
        Plan::Filter { input, .. } => relation_count(input),
        Plan::Join(Join { kind: JoinKind::Inner, left, right, .. }) => {
            relation_count(left) + relation_count(right)
        }
        Plan::Join(Join { kind: JoinKind::Semi | JoinKind::Anti, left, .. }) => relation_count(left),
        _ => 1,
    }
}

fn as_predicate(key: JoinKey) -> Expr {
    use crate::expr::ComparisonOperator::{Equal, IsNotDistinctFrom};
    let operator = if key.null_equals_null { IsNotDistinctFrom } else { Equal };
    Expr::comparison(operator, key.left, key.right)
}
