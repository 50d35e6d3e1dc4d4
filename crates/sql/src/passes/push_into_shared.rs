//! Before: a shared plan (CTE), and above each of its uses a filter, another one each time.
//! After: the filters stay, and the shared plan has a filter of its own for the rows that one of them keeps, as far below
//! as it can be had.
//! Why: a CTE of all years of which the statement compares two need not join and group the other years.

use std::collections::HashMap;

use super::push_predicates;
use crate::expr::Expr;
use crate::plan::{ColumnId, Plan, SharedId};
use crate::statement::Analyzed;

/// Parts of the filters of all uses beyond which the rows that are wanted are not spelled out.
const MAX_NODES: usize = 1_000;

pub(super) fn run(analyzed: &mut Analyzed) {
    // A shared plan is named by later ones only, whose filters are where they belong when it is reached.
    for index in (0..analyzed.shared.len()).rev() {
        let mut uses = Uses::default();
        for plan in analyzed.shared[index + 1..].iter().chain([&analyzed.plan]) {
            uses.collect(plan, SharedId(index));
        }
        let Some(wanted) = uses.wanted() else { continue };
        let plan = &mut analyzed.shared[index];
        let taken = plan.take();
        *plan = Plan::Filter { input: Box::new(taken), predicate: wanted };
        push_predicates::run(plan);
    }
}

/// What the uses of one shared plan keep of it.
#[derive(Default)]
struct Uses {
    /// One of each use, over the shared plan's columns.
    predicates: Vec<Expr>,
    /// Whether a use wants all rows.
    is_whole: bool,
}

impl Uses {
    fn collect(&mut self, plan: &Plan, shared: SharedId) {
        match plan {
            Plan::Filter { input, predicate } => match &**input {
                Plan::Shared { id, columns, .. } if *id == shared => {
                    let sources: HashMap<ColumnId, Expr> = columns
                        .iter()
                        .map(|(field, source)| (field.id, Expr::column(*source, field.data_type.clone())))
                        .collect();
                    let parts = predicate.clone().into_conjuncts().into_iter();
                    let parts = parts.filter(|part| {
                        let named = part.columns();
                        !part.is_random()
                            && !named.is_empty()
                            && named.iter().all(|id| sources.contains_key(id))
                    });
                    let own = Expr::and(parts.map(|part| part.substituted(&sources)));
                    self.is_whole |= own == Expr::boolean(true);
                    if !self.predicates.contains(&own) {
                        self.predicates.push(own);
                    }
                }
                other => self.collect(other, shared),
            },
            Plan::Shared { id, .. } => self.is_whole |= *id == shared,
            other => other.inputs().into_iter().for_each(|input| self.collect(input, shared)),
        }
    }

    /// The rows that a use wants, where none wants all.
    fn wanted(self) -> Option<Expr> {
        let nodes: usize = self.predicates.iter().map(Expr::node_count).sum();
        let is_told = !self.is_whole && !self.predicates.is_empty() && nodes <= MAX_NODES;
        is_told.then(|| Expr::or(self.predicates))
    }
}
