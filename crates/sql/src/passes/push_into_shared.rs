//! Predicate pushdown into shared plans. Before: a shared plan (CTE), and a different filter above each of its uses.
//! After: the filters stay, and the shared plan also has their disjunction as a filter, pushed down as far as possible.
//! Why: if a statement compares two years of a CTE over all years, the CTE need not join and group the other years.

use std::collections::HashMap;

use super::push_predicates;
use crate::expr::Expr;
use crate::plan::{ColumnId, Field, Plan, SharedId};
use crate::statement::Analyzed;

/// Maximum number of nodes in the filters of all uses of a shared plan for which the pass runs.
const MAX_NODES: usize = 1_000;

pub(super) fn run(analyzed: &mut Analyzed) {
    let mut uses = UsesByPlan::new();
    collect(&analyzed.plan, &mut uses);
    // A shared plan is only used by later ones, which have been processed before it.
    for (index, plan) in analyzed.shared.iter_mut().enumerate().rev() {
        if let Some(wanted) = uses.remove(&SharedId(index)).and_then(Uses::wanted) {
            let taken = plan.take();
            *plan = Plan::Filter { input: Box::new(taken), predicate: wanted };
            push_predicates::run(plan);
        }
        collect(plan, &mut uses);
    }
}

type UsesByPlan = HashMap<SharedId, Uses>;

/// The filters above the uses of one shared plan.
#[derive(Default)]
struct Uses {
    /// The filter of each use, over the shared plan's columns.
    predicates: Vec<Expr>,
    nodes: usize,
    /// Whether a use needs all rows, or the filters are too large.
    is_whole: bool,
}

fn collect(plan: &Plan, uses: &mut UsesByPlan) {
    match plan {
        Plan::Filter { input, predicate } => match &**input {
            Plan::Shared { id, columns, .. } => uses.entry(*id).or_default().add(columns, predicate),
            other => collect(other, uses),
        },
        Plan::Shared { id, .. } => uses.entry(*id).or_default().is_whole = true,
        other => other.inputs().into_iter().for_each(|input| collect(input, uses)),
    }
}

impl Uses {
    /// Adds a use with these columns below a filter.
    fn add(&mut self, columns: &[(Field, ColumnId)], predicate: &Expr) {
        self.nodes += predicate.node_count();
        if self.is_whole || self.nodes > MAX_NODES {
            self.is_whole = true;
            return;
        }
        let sources: HashMap<ColumnId, Expr> = columns
            .iter()
            .map(|(field, source)| (field.id, Expr::column(*source, field.data_type.clone())))
            .collect();
        let parts = predicate.clone().into_conjuncts().into_iter().filter(|part| {
            let named = part.columns();
            !part.is_random() && !named.is_empty() && named.iter().all(|id| sources.contains_key(id))
        });
        let own = Expr::and(parts.map(|part| part.substituted(&sources)));
        self.is_whole |= own == Expr::boolean(true);
        if !self.predicates.contains(&own) {
            self.predicates.push(own);
        }
    }

    /// The disjunction of the filters, unless a use needs all rows.
    fn wanted(self) -> Option<Expr> {
        let has_filter = !self.is_whole && !self.predicates.is_empty();
        has_filter.then(|| Expr::or(self.predicates))
    }
}
