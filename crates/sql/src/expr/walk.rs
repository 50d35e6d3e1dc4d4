//! Visitors and rewriters of expressions: the only place that lists every node's children.

use super::{Expr, ExprKind};
use crate::plan::ColumnId;
use crate::types::Type;

impl Expr {
    /// The children, in order.
    pub fn children(&self) -> Vec<&Self> {
        match &self.kind {
            ExprKind::Column(_) | ExprKind::Literal(_) => Vec::new(),
            ExprKind::Cast { input, is_try: _ }
            | ExprKind::Negate(input)
            | ExprKind::Not(input)
            | ExprKind::IsNull(input)
            | ExprKind::RowField { input, index: _ } => vec![input],
            ExprKind::Call { function: _, args } | ExprKind::And(args) | ExprKind::Or(args) => {
                args.iter().collect()
            }
            ExprKind::Arithmetic { operator: _, left, right }
            | ExprKind::Comparison { operator: _, left, right } => vec![left, right],
            ExprKind::Case { branches, otherwise } => branches
                .iter()
                .flat_map(|(condition, value)| [condition, value])
                .chain(otherwise.as_deref())
                .collect(),
            ExprKind::InList { value, list } => std::iter::once(&**value).chain(list).collect(),
            ExprKind::Like { value, pattern, escape: _, is_case_insensitive: _ } => vec![value, pattern],
            ExprKind::Lambda { parameters: _, body } => vec![body],
        }
    }

    /// The children, mutable.
    pub fn children_mut(&mut self) -> Vec<&mut Self> {
        match &mut self.kind {
            ExprKind::Column(_) | ExprKind::Literal(_) => Vec::new(),
            ExprKind::Cast { input, is_try: _ }
            | ExprKind::Negate(input)
            | ExprKind::Not(input)
            | ExprKind::IsNull(input)
            | ExprKind::RowField { input, index: _ } => vec![input],
            ExprKind::Call { function: _, args } | ExprKind::And(args) | ExprKind::Or(args) => {
                args.iter_mut().collect()
            }
            ExprKind::Arithmetic { operator: _, left, right }
            | ExprKind::Comparison { operator: _, left, right } => vec![left, right],
            ExprKind::Case { branches, otherwise } => branches
                .iter_mut()
                .flat_map(|(condition, value)| [condition, value])
                .chain(otherwise.as_deref_mut())
                .collect(),
            ExprKind::InList { value, list } => std::iter::once(&mut **value).chain(list).collect(),
            ExprKind::Like { value, pattern, escape: _, is_case_insensitive: _ } => vec![value, pattern],
            ExprKind::Lambda { parameters: _, body } => vec![body],
        }
    }

    /// Calls `visit` for this expression and all its descendants, in pre-order.
    pub fn visit(&self, visit: &mut impl FnMut(&Self)) {
        visit(self);
        for child in self.children() {
            child.visit(visit);
        }
    }

    /// Calls `change` for all descendants and then this expression, in post-order.
    pub fn transform(&mut self, change: &mut impl FnMut(&mut Self)) {
        for child in self.children_mut() {
            child.transform(change);
        }
        change(self);
    }

    /// The number of nodes, including this one.
    pub fn node_count(&self) -> usize {
        1 + self.children().into_iter().map(Self::node_count).sum::<usize>()
    }

    /// Whether `test` holds for this node or a descendant.
    pub fn any(&self, test: &impl Fn(&Self) -> bool) -> bool {
        test(self) || self.children().into_iter().any(|child| child.any(test))
    }

    /// Whether its value may differ between evaluations.
    pub fn is_random(&self) -> bool {
        self.any(&|part| matches!(&part.kind, ExprKind::Call { function, .. } if function.is_random()))
    }

    /// The columns to which it refers, possibly repeated, without parameters of its lambda expressions.
    pub fn columns(&self) -> Vec<ColumnId> {
        self.typed_columns().into_iter().map(|(id, _)| id).collect()
    }

    /// As [`columns`](Self::columns), with their types.
    pub fn typed_columns(&self) -> Vec<(ColumnId, &Type)> {
        let mut columns = Vec::new();
        self.add_columns(&mut Vec::new(), &mut columns);
        columns
    }

    fn add_columns<'e>(&'e self, parameters: &mut Vec<ColumnId>, columns: &mut Vec<(ColumnId, &'e Type)>) {
        match &self.kind {
            ExprKind::Column(id) if parameters.contains(id) => {}
            ExprKind::Column(id) => columns.push((*id, &self.data_type)),
            ExprKind::Lambda { parameters: own, body } => {
                let outer = parameters.len();
                parameters.extend(own.iter().map(|(id, _)| *id));
                body.add_columns(parameters, columns);
                parameters.truncate(outer);
            }
            _ => self.children().into_iter().for_each(|child| child.add_columns(parameters, columns)),
        }
    }

    /// The operands of an AND, or the expression itself.
    pub fn into_conjuncts(self) -> Vec<Self> {
        match self.kind {
            ExprKind::And(parts) => parts,
            _ => vec![self],
        }
    }
}
