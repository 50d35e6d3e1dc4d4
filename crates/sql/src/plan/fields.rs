//! The output columns of each node of a plan, and traversal of its inputs.

use super::{Aggregate, Field, Join, JoinKey, JoinKind, MarkJoin, Plan, Scan, WindowCall};
use crate::expr::Expr;
use crate::plan::ColumnId;

impl Plan {
    /// One row without columns, as of a SELECT without FROM.
    pub fn one_row() -> Self {
        Self::Values { fields: Vec::new(), rows: vec![Vec::new()] }
    }

    /// Whether it returns exactly one row for any data.
    pub fn returns_one_row(&self) -> bool {
        match self {
            Self::Aggregate(aggregate) => aggregate.keys.is_empty(),
            Self::Values { rows, .. } => rows.len() == 1,
            Self::Project { input, .. } | Self::Sort { input, .. } | Self::Window { input, .. } => {
                input.returns_one_row()
            }
            Self::EnforceSingleRow { .. } => true,
            _ => false,
        }
    }

    /// Takes the plan out, to wrap or replace it; leaves `Values` without columns and rows.
    pub fn take(&mut self) -> Self {
        std::mem::replace(self, Self::Values { fields: Vec::new(), rows: Vec::new() })
    }

    /// The rows for which all predicates are TRUE.
    pub fn filtered(self, predicates: Vec<Expr>) -> Self {
        if predicates.is_empty() {
            return self;
        }
        Self::Filter { input: Box::new(self), predicate: Expr::and(predicates) }
    }

    /// A join of two plans.
    pub fn join(kind: JoinKind, left: Self, right: Self, keys: Vec<JoinKey>, residual: Option<Expr>) -> Self {
        Self::Join(Join { kind, left: Box::new(left), right: Box::new(right), keys, residual })
    }

    /// The output columns, in order.
    pub fn fields(&self) -> Vec<Field> {
        match self {
            Self::Scan(Scan { columns, .. }) => columns.iter().map(|(field, _)| field.clone()).collect(),
            Self::Values { fields, rows: _ } | Self::SetOperation { fields, .. } => fields.clone(),
            Self::Shared { columns, .. } => columns.iter().map(|(field, _)| field.clone()).collect(),
            Self::Project { columns, .. } => columns.iter().map(|(field, _)| field.clone()).collect(),
            Self::Filter { input, .. }
            | Self::Sort { input, .. }
            | Self::Limit { input, .. }
            | Self::Distinct { input, .. }
            | Self::PartialDistinct { input }
            | Self::EnforceSingleRow { input } => input.fields(),
            Self::Join(Join { kind, left, right, .. }) => {
                let mut fields = left.fields();
                if !matches!(kind, JoinKind::Semi | JoinKind::Anti) {
                    fields.extend(right.fields());
                }
                fields
            }
            Self::MarkJoin(MarkJoin { left, mark, .. }) => {
                let mut fields = left.fields();
                fields.push(mark.clone());
                fields
            }
            Self::Aggregate(Aggregate { input, keys, aggregates }) => {
                let inputs = input.fields();
                keys.iter()
                    .filter_map(|key| inputs.iter().find(|field| field.id == *key).cloned())
                    .chain(aggregates.iter().map(|call| call.output.clone()))
                    .collect()
            }
            Self::Window { input, functions } => {
                let mut fields = input.fields();
                fields.extend(functions.iter().map(|call| call.output.clone()));
                fields
            }
            Self::MatchRecognize(node) => node.fields(),
            Self::Unnest { input, arrays, ordinality, is_outer: _ } => {
                let mut fields = input.fields();
                fields.extend(arrays.iter().flat_map(|(_, fields)| fields.clone()));
                fields.extend(ordinality.clone());
                fields
            }
        }
    }

    /// The output columns as those of a projection that passes them on.
    pub fn passed_on(&self) -> Vec<(Field, Expr)> {
        self.fields().into_iter().map(Field::passed_on).collect()
    }

    /// The ids of the output columns, in order.
    pub fn column_ids(&self) -> Vec<ColumnId> {
        self.fields().into_iter().map(|field| field.id).collect()
    }

    /// The direct inputs.
    pub fn inputs(&self) -> Vec<&Self> {
        match self {
            Self::Scan(_) | Self::Values { .. } | Self::Shared { .. } => Vec::new(),
            Self::Filter { input, .. }
            | Self::Project { input, .. }
            | Self::Window { input, .. }
            | Self::Sort { input, .. }
            | Self::Limit { input, .. }
            | Self::Distinct { input, .. }
            | Self::PartialDistinct { input }
            | Self::Unnest { input, .. }
            | Self::EnforceSingleRow { input } => vec![input],
            Self::Aggregate(aggregate) => vec![&aggregate.input],
            Self::MatchRecognize(node) => vec![&node.input],
            Self::Join(join) => vec![&join.left, &join.right],
            Self::MarkJoin(join) => vec![&join.left, &join.right],
            Self::SetOperation { inputs, .. } => inputs.iter().collect(),
        }
    }

    /// The direct inputs, mutable.
    pub fn inputs_mut(&mut self) -> Vec<&mut Self> {
        match self {
            Self::Scan(_) | Self::Values { .. } | Self::Shared { .. } => Vec::new(),
            Self::Filter { input, .. }
            | Self::Project { input, .. }
            | Self::Window { input, .. }
            | Self::Sort { input, .. }
            | Self::Limit { input, .. }
            | Self::Distinct { input, .. }
            | Self::PartialDistinct { input }
            | Self::Unnest { input, .. }
            | Self::EnforceSingleRow { input } => vec![input],
            Self::Aggregate(aggregate) => vec![&mut aggregate.input],
            Self::MatchRecognize(node) => vec![&mut node.input],
            Self::Join(join) => vec![&mut join.left, &mut join.right],
            Self::MarkJoin(join) => vec![&mut join.left, &mut join.right],
            Self::SetOperation { inputs, .. } => inputs.iter_mut().collect(),
        }
    }

    /// The node's own expressions, without those of its inputs.
    pub fn expressions(&self) -> Vec<&Expr> {
        match self {
            Self::Scan(_)
            | Self::Shared { .. }
            | Self::Limit { .. }
            | Self::Distinct { .. }
            | Self::PartialDistinct { .. }
            | Self::SetOperation { .. }
            | Self::EnforceSingleRow { .. } => Vec::new(),
            Self::Values { rows, .. } => rows.iter().flatten().collect(),
            Self::Filter { predicate, .. } => vec![predicate],
            Self::Project { columns, .. } => columns.iter().map(|(_, expr)| expr).collect(),
            Self::Join(Join { keys, residual, .. }) => {
                keys.iter().flat_map(|key| [&key.left, &key.right]).chain(residual).collect()
            }
            Self::MarkJoin(MarkJoin { keys, residual, in_key, .. }) => {
                keys.iter().chain(in_key).flat_map(|key| [&key.left, &key.right]).chain(residual).collect()
            }
            Self::Aggregate(Aggregate { aggregates, .. }) => aggregates
                .iter()
                .flat_map(|call| {
                    call.args.iter().chain(&call.filter).chain(call.order_by.iter().map(|key| &key.expr))
                })
                .collect(),
            Self::Window { functions, .. } => functions.iter().flat_map(WindowCall::expressions).collect(),
            Self::MatchRecognize(node) => node.expressions(),
            Self::Sort { keys, .. } => keys.iter().map(|key| &key.expr).collect(),
            Self::Unnest { arrays, .. } => arrays.iter().map(|(array, _)| array).collect(),
        }
    }

    /// The node's own expressions, mutable.
    pub fn expressions_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Self::Scan(_)
            | Self::Shared { .. }
            | Self::Limit { .. }
            | Self::Distinct { .. }
            | Self::PartialDistinct { .. }
            | Self::SetOperation { .. }
            | Self::EnforceSingleRow { .. } => Vec::new(),
            Self::Values { rows, .. } => rows.iter_mut().flatten().collect(),
            Self::Filter { predicate, .. } => vec![predicate],
            Self::Project { columns, .. } => columns.iter_mut().map(|(_, expr)| expr).collect(),
            Self::Join(Join { keys, residual, .. }) => {
                keys.iter_mut().flat_map(|key| [&mut key.left, &mut key.right]).chain(residual).collect()
            }
            Self::MarkJoin(MarkJoin { keys, residual, in_key, .. }) => keys
                .iter_mut()
                .chain(in_key)
                .flat_map(|key| [&mut key.left, &mut key.right])
                .chain(residual)
                .collect(),
            Self::Aggregate(Aggregate { aggregates, .. }) => aggregates
                .iter_mut()
                .flat_map(|call| {
                    call.args
                        .iter_mut()
                        .chain(&mut call.filter)
                        .chain(call.order_by.iter_mut().map(|key| &mut key.expr))
                })
                .collect(),
            Self::Window { functions, .. } => {
                functions.iter_mut().flat_map(WindowCall::expressions_mut).collect()
            }
            Self::MatchRecognize(node) => node.expressions_mut(),
            Self::Sort { keys, .. } => keys.iter_mut().map(|key| &mut key.expr).collect(),
            Self::Unnest { arrays, .. } => arrays.iter_mut().map(|(array, _)| array).collect(),
        }
    }
}

impl super::Frame {
    pub(super) fn expressions(&self) -> impl Iterator<Item = &Expr> {
        [&self.start, &self.end].into_iter().filter_map(|bound| match bound {
            super::FrameBound::Preceding(expr) | super::FrameBound::Following(expr) => Some(&**expr),
            _ => None,
        })
    }

    /// The offsets.
    pub(crate) fn into_expressions(self) -> impl Iterator<Item = Expr> {
        [self.start, self.end].into_iter().filter_map(|bound| match bound {
            super::FrameBound::Preceding(expr) | super::FrameBound::Following(expr) => Some(*expr),
            _ => None,
        })
    }

    pub(super) fn expressions_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        [&mut self.start, &mut self.end].into_iter().filter_map(|bound| match bound {
            super::FrameBound::Preceding(expr) | super::FrameBound::Following(expr) => Some(&mut **expr),
            _ => None,
        })
    }
}
