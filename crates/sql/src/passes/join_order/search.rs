//! Searches for the join order with the fewest intermediate rows: over all left-deep orders of a few relations,
//! greedily for many.

use super::graph::Graph;

/// The best left-deep order, by dynamic programming over subsets of the relations.
pub(super) fn best_order(graph: &Graph) -> Vec<usize> {
    let count = graph.len();
    if count <= 1 {
        return (0..count).collect();
    }
    // For each subset: the rows of its join, the sum of intermediate rows, and the relation joined last.
    let mut best: Vec<Option<(f64, f64, usize)>> = vec![None; 1 << count];
    for relation in 0..count {
        best[1 << relation] = Some((graph.rows(relation), 0.0, relation));
    }
    for set in 1_u64..(1 << count) {
        let Some((rows, cost, _)) = best[index(set)] else { continue };
        let mut candidates: Vec<usize> = (0..count).filter(|relation| set & (1 << relation) == 0).collect();
        // A cross product only if nothing else is possible, or with a relation of one row.
        let joined: Vec<usize> = candidates
            .iter()
            .copied()
            .filter(|relation| graph.is_one_row(*relation) || graph.is_joined(set, *relation))
            .collect();
        if !joined.is_empty() {
            candidates = joined;
        }
        for relation in candidates {
            let next_rows = graph.joined_rows(set, rows, relation);
            let next_cost = cost + next_rows;
            let slot = &mut best[index(set | 1 << relation)];
            if slot.is_none_or(|(_, known, _)| next_cost < known) {
                *slot = Some((next_rows, next_cost, relation));
            }
        }
    }
    let mut order = Vec::with_capacity(count);
    let mut set = (1_u64 << count) - 1;
    while set != 0 {
        let Some((_, _, last)) = best[index(set)] else { return (0..count).collect() };
        order.push(last);
        set &= !(1 << last);
    }
    order.reverse();
    order
}

/// Starts with the smallest relation, and then adds the joined relation that results in the fewest rows.
pub(super) fn greedy_order(graph: &Graph) -> Vec<usize> {
    let count = graph.len();
    // Sets of relations are 64-bit masks.
    if count > 63 {
        return (0..count).collect();
    }
    let smallest = (0..count).min_by(|a, b| graph.rows(*a).total_cmp(&graph.rows(*b))).unwrap_or(0);
    let mut order = vec![smallest];
    let (mut set, mut rows) = (1_u64 << smallest, graph.rows(smallest));
    while order.len() < count {
        let open = (0..count).filter(|relation| set & (1 << relation) == 0);
        let next = open.min_by(|a, b| {
            let key = |relation: usize| {
                let is_product = !graph.is_joined(set, relation) && !graph.is_one_row(relation);
                (is_product, graph.joined_rows(set, rows, relation))
            };
            let ((a_product, a_rows), (b_product, b_rows)) = (key(*a), key(*b));
            a_product.cmp(&b_product).then(a_rows.total_cmp(&b_rows))
        });
        let Some(next) = next else { break };
        rows = graph.joined_rows(set, rows, next);
        set |= 1 << next;
        order.push(next);
    }
    order
}

#[expect(clippy::cast_possible_truncation, reason = "subsets of at most 12 relations")]
const fn index(set: u64) -> usize {
    set as usize
}
