//! Predicates that follow from a predicate and an equality (Trino's EqualityInference, DataFusion's
//! `infer_join_predicates`). Before: `a.k = 5` above a join on `a.k = b.k`. After: `b.k = 5`, too, below the join. Why:
//! both sides of the join read and group fewer rows.

use std::collections::{HashMap, HashSet};

use crate::expr::{ComparisonOperator, Expr, ExprKind};
use crate::plan::{ColumnId, JoinKey, Plan, Scan, SetOperationKind};
use crate::types::Type;

/// Maximum number of predicates that are inferred at one join.
const MAX_INFERRED: usize = 20;
/// Maximum number of nodes of a predicate that is repeated for another column.
const MAX_NODES: usize = 100;

/// The expressions that are equal to a column, by column.
#[derive(Debug, Default)]
pub(super) struct Equalities {
    partners: HashMap<ColumnId, Vec<Expr>>,
}

impl Equalities {
    /// The equalities that hold for each row of an inner join with these keys and conditions, and for each pair of
    /// matching rows of another join.
    pub(super) fn of(keys: &[JoinKey], conditions: &[Expr]) -> Self {
        let mut equalities = Self::default();
        for key in keys {
            equalities.add(&key.left, &key.right);
        }
        for condition in conditions {
            if let ExprKind::Comparison { operator: ComparisonOperator::Equal, left, right } = &condition.kind
            {
                equalities.add(left, right);
            }
        }
        equalities
    }

    fn add(&mut self, left: &Expr, right: &Expr) {
        if !left.data_type.has_one_form() || left.data_type != right.data_type {
            return;
        }
        for (of, partner) in [(left, right), (right, left)] {
            if let Some(column) = of.as_column()
                && is_column_or_wider(partner)
            {
                self.partners.entry(column).or_default().push(partner.clone());
            }
        }
    }

    /// The predicates that follow from the given ones, transitively, without those.
    pub(super) fn infer(&self, predicates: &[Expr]) -> Vec<Expr> {
        if self.partners.is_empty() {
            return Vec::new();
        }
        // Two predicates of one hash would cost no more than an inference.
        let mut seen: HashSet<u64> = predicates.iter().map(Expr::structural_hash).collect();
        let mut inferred: Vec<Expr> = Vec::new();
        let is_source = |predicate: &&Expr| is_test(predicate) && predicate.node_count() <= MAX_NODES;
        for given in predicates.iter().filter(is_source) {
            let first = inferred.len();
            self.infer_from(given, &mut seen, &mut inferred);
            let mut next = first;
            while let Some(source) = inferred.get(next).cloned() {
                self.infer_from(&source, &mut seen, &mut inferred);
                next += 1;
            }
        }
        inferred
    }

    /// Adds the predicate for each expression that is equal to its column.
    fn infer_from(&self, predicate: &Expr, seen: &mut HashSet<u64>, inferred: &mut Vec<Expr>) {
        let [column] = predicate.columns()[..] else { return };
        for partner in self.partners.get(&column).into_iter().flatten() {
            if inferred.len() == MAX_INFERRED {
                return;
            }
            let other = predicate.clone().substituted(&HashMap::from([(column, partner.clone())]));
            if seen.insert(other.structural_hash()) {
                inferred.push(other);
            }
        }
    }
}

/// Whether a plan has all columns of a predicate, and computes none of them: below the computation, the predicate would
/// evaluate an expression for rows that a join drops, for which it may fail.
pub(super) fn is_over_plain_columns(predicate: &Expr, plan: &Plan) -> bool {
    predicate.columns().into_iter().all(|column| is_plain(plan, column) == Some(true))
}

/// `None` if the plan does not have the column.
fn is_plain(plan: &Plan, column: ColumnId) -> Option<bool> {
    match plan {
        Plan::Scan(Scan { columns, .. }) => {
            columns.iter().any(|(field, _)| field.id == column).then_some(true)
        }
        Plan::Shared { columns, .. } => columns.iter().any(|(field, _)| field.id == column).then_some(true),
        Plan::Project { input, columns } => {
            let (_, expr) = columns.iter().find(|(field, _)| field.id == column)?;
            match expr.as_column() {
                Some(source) => is_plain(input, source),
                None => Some(expr.as_literal().is_some()),
            }
        }
        Plan::SetOperation { kind: SetOperationKind::UnionAll, inputs, fields } => {
            let place = fields.iter().position(|field| field.id == column)?;
            let of_input = |input: &Plan| is_plain(input, *input.column_ids().get(place)?);
            Some(inputs.iter().all(|input| of_input(input) == Some(true)))
        }
        Plan::Values { .. }
        | Plan::SetOperation { .. }
        | Plan::Aggregate(_)
        | Plan::Window { .. }
        | Plan::MatchRecognize(_)
        | Plan::Unnest { .. } => {
            let below = plan.inputs().into_iter().find_map(|input| is_plain(input, column));
            // The predicate stays above the node that computes the column.
            below.or_else(|| plan.column_ids().contains(&column).then_some(true))
        }
        _ => plan.inputs().into_iter().find_map(|input| is_plain(input, column)),
    }
}

/// Whether a predicate compares a column with constants. It does not fail for any value, and is cheap.
fn is_test(predicate: &Expr) -> bool {
    match &predicate.kind {
        ExprKind::Comparison { left, right, .. } => {
            (is_column_or_wider(left) && is_constant(right))
                || (is_constant(left) && is_column_or_wider(right))
        }
        ExprKind::InList { value, list } => is_column_or_wider(value) && list.iter().all(is_constant),
        ExprKind::Not(inner) => is_test(inner),
        ExprKind::And(parts) | ExprKind::Or(parts) => parts.iter().all(is_test),
        _ => false,
    }
}

/// A literal, or one that is converted to a type that has all its values.
fn is_constant(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(_) => true,
        ExprKind::Cast { input, is_try: false } => {
            is_wider(&input.data_type, &expr.data_type) && input.as_literal().is_some()
        }
        _ => false,
    }
}

/// A column, or one that is converted to a type that has all its values.
fn is_column_or_wider(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Column(_) => true,
        ExprKind::Cast { input, is_try: false } => {
            is_wider(&input.data_type, &expr.data_type) && input.as_column().is_some()
        }
        _ => false,
    }
}

/// Whether a type has each value of another as itself.
fn is_wider(from: &Type, to: &Type) -> bool {
    match (from, to) {
        (Type::Varchar { .. }, Type::Varchar { length }) => length.is_none(),
        (Type::TinyInt, Type::SmallInt | Type::Integer | Type::BigInt)
        | (Type::SmallInt, Type::Integer | Type::BigInt)
        | (Type::Integer, Type::BigInt) => true,
        _ => from == to,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Value;

    fn column(id: u32) -> Expr {
        Expr::column(ColumnId(id), Type::BigInt)
    }

    fn equal(left: Expr, right: Expr) -> Expr {
        Expr::comparison(ComparisonOperator::Equal, left, right)
    }

    fn is(column_id: u32, value: i64) -> Expr {
        equal(column(column_id), Expr::literal(Value::Integer(value), Type::BigInt))
    }

    #[test]
    fn a_comparison_with_a_constant_holds_for_all_equal_columns() {
        let conditions = [equal(column(0), column(1)), equal(column(1), column(2)), is(0, 5)];
        let equalities = Equalities::of(&[], &conditions);
        assert_eq!(equalities.infer(&conditions), [is(1, 5), is(2, 5)]);
        assert_eq!(equalities.infer(&[is(0, 5), is(1, 5), is(2, 5)]), []);
        assert_eq!(equalities.infer(&[is(3, 5)]), []);
    }

    #[test]
    fn a_narrower_column_is_converted() {
        let narrow = Expr::column(ColumnId(1), Type::Integer).cast_to(&Type::BigInt);
        let equalities = Equalities::of(&[], &[equal(column(0), narrow.clone())]);
        let expected = equal(narrow, Expr::literal(Value::Integer(7), Type::BigInt));
        assert_eq!(equalities.infer(&[is(0, 7)]), [expected]);
    }

    #[test]
    fn nothing_follows_from_equal_doubles_or_from_conditions_that_can_fail() {
        let double = |id| Expr::column(ColumnId(id), Type::Double);
        let zero = Expr::literal(Value::Double(0.0), Type::Double);
        let equalities = Equalities::of(&[], &[equal(double(0), double(1))]);
        assert_eq!(equalities.infer(&[equal(double(0), zero)]), []);

        let equalities = Equalities::of(&[], &[equal(column(0), column(1))]);
        let text = Expr::column(ColumnId(0), Type::BigInt).cast_to(&Type::TinyInt);
        let fallible = equal(text, Expr::literal(Value::Integer(1), Type::TinyInt));
        assert_eq!(equalities.infer(&[fallible, equal(column(0), column(2))]), []);
    }

    #[test]
    fn the_number_of_inferred_predicates_is_bounded() {
        let conditions: Vec<Expr> = (1..1_000).map(|id| equal(column(0), column(id))).collect();
        assert_eq!(Equalities::of(&[], &conditions).infer(&[is(0, 5)]).len(), MAX_INFERRED);
    }
}
