//! The columns that a plan defines, its outer references, and copies of a plan under new ids.

use std::collections::{HashMap, HashSet};

use super::{ColumnId, Field, Plan};
use crate::expr::{Expr, ExprKind};

impl Plan {
    /// Calls `visit` for this node and all nodes below it, in pre-order.
    pub fn visit(&self, visit: &mut impl FnMut(&Self)) {
        visit(self);
        for input in self.inputs() {
            input.visit(visit);
        }
    }

    /// The number of columns that this node itself defines.
    pub fn new_column_count(&self) -> usize {
        self.own_fields().len()
    }

    /// The columns that the plan's nodes define.
    pub fn new_columns(&self) -> HashSet<ColumnId> {
        let mut defined = HashSet::new();
        self.visit(&mut |node| defined.extend(node.own_fields().into_iter().map(|field| field.id)));
        defined
    }

    /// The columns to which the plan refers without defining them: those of an enclosing query.
    pub fn free_columns(&self) -> HashSet<ColumnId> {
        let defined = self.new_columns();
        let mut free = HashSet::new();
        self.visit(&mut |node| {
            for expr in node.expressions() {
                free.extend(expr.columns().into_iter().filter(|column| !defined.contains(column)));
            }
        });
        free
    }

    /// The columns that this node itself defines.
    fn own_fields(&self) -> Vec<&Field> {
        match self {
            Self::Scan(scan) => scan.columns.iter().map(|(field, _)| field).collect(),
            Self::Values { fields, .. } | Self::SetOperation { fields, .. } => fields.iter().collect(),
            Self::Shared { columns, .. } => columns.iter().map(|(field, _)| field).collect(),
            Self::Project { columns, .. } => columns.iter().map(|(field, _)| field).collect(),
            Self::MarkJoin(join) => vec![&join.mark],
            Self::Aggregate(aggregate) => aggregate.aggregates.iter().map(|call| &call.output).collect(),
            Self::Window { functions, .. } => functions.iter().map(|call| &call.output).collect(),
            Self::MatchRecognize(node) => node.measures.iter().map(|(field, _)| field).collect(),
            Self::Unnest { arrays, ordinality, .. } => {
                arrays.iter().flat_map(|(_, fields)| fields).chain(ordinality).collect()
            }
            Self::Filter { .. }
            | Self::Join(_)
            | Self::Sort { .. }
            | Self::Limit { .. }
            | Self::Distinct { .. }
            | Self::PartialDistinct { .. }
            | Self::EnforceSingleRow { .. } => Vec::new(),
        }
    }

    /// A copy of the plan with new ids for all columns that it defines, and the new id of each.
    pub fn copied(&self, next_column: &mut u32) -> (Self, HashMap<ColumnId, ColumnId>) {
        let mut defined: Vec<ColumnId> = self.new_columns().into_iter().collect();
        // Sorted, so that the same statement always results in the same plan.
        defined.sort_unstable();
        let ids: HashMap<ColumnId, ColumnId> = defined
            .into_iter()
            .map(|id| {
                let new = ColumnId(*next_column);
                *next_column += 1;
                (id, new)
            })
            .collect();
        let mut copy = self.clone();
        copy.rename(&ids);
        (copy, ids)
    }

    /// Replaces the ids of columns, of those that it defines and of those that it refers to.
    pub(crate) fn rename(&mut self, ids: &HashMap<ColumnId, ColumnId>) {
        let new = |id: &mut ColumnId| {
            if let Some(new) = ids.get(id) {
                *id = *new;
            }
        };
        match self {
            Self::Scan(scan) => scan.columns.iter_mut().for_each(|(field, _)| new(&mut field.id)),
            Self::Values { fields, .. } | Self::SetOperation { fields, .. } => {
                fields.iter_mut().for_each(|field| new(&mut field.id));
            }
            Self::Shared { columns, .. } => columns.iter_mut().for_each(|(field, _)| new(&mut field.id)),
            Self::Project { columns, .. } => columns.iter_mut().for_each(|(field, _)| new(&mut field.id)),
            Self::MarkJoin(join) => new(&mut join.mark.id),
            Self::Aggregate(aggregate) => {
                aggregate.keys.iter_mut().for_each(new);
                aggregate.aggregates.iter_mut().for_each(|call| new(&mut call.output.id));
            }
            Self::Window { functions, .. } => {
                functions.iter_mut().for_each(|call| new(&mut call.output.id));
            }
            Self::MatchRecognize(node) => node.measures.iter_mut().for_each(|(field, _)| new(&mut field.id)),
            Self::Unnest { arrays, ordinality, .. } => {
                arrays.iter_mut().flat_map(|(_, fields)| fields).for_each(|field| new(&mut field.id));
                ordinality.iter_mut().for_each(|field| new(&mut field.id));
            }
            Self::Distinct { on, .. } => on.iter_mut().flatten().for_each(new),
            Self::Filter { .. }
            | Self::Join(_)
            | Self::Sort { .. }
            | Self::Limit { .. }
            | Self::PartialDistinct { .. }
            | Self::EnforceSingleRow { .. } => {}
        }
        for expr in self.expressions_mut() {
            expr.rename(ids);
        }
        for input in self.inputs_mut() {
            input.rename(ids);
        }
    }
}

impl Expr {
    /// Replaces the ids of columns.
    pub(crate) fn rename(&mut self, ids: &HashMap<ColumnId, ColumnId>) {
        self.transform(&mut |part| {
            if let ExprKind::Column(id) = &mut part.kind
                && let Some(new) = ids.get(id)
            {
                *id = *new;
            }
        });
    }

    /// Replaces columns with their definitions.
    #[must_use]
    pub fn substituted(mut self, definitions: &HashMap<ColumnId, Self>) -> Self {
        self.transform(&mut |part| {
            if let ExprKind::Column(id) = part.kind
                && let Some(definition) = definitions.get(&id)
            {
                *part = definition.clone();
            }
        });
        self
    }
}
