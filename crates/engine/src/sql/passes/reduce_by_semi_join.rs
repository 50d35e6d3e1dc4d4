//! Before: a join of few rows with groups of a large table, `InnerJoin on a = k` over `F` and `Aggregate [k]`; or a
//! semi or anti join of few rows against many, `SemiJoin on a = k` over `F` and `G`.
//! After: the few rows are a shared plan, and a semi join with them stands below the aggregation, or on `G`.
//! Why: what no row asks for is neither grouped nor put into a hash table (TPC-H q4, q17, q20, q21, q22). Rows that a
//! key decides about are dropped, so whole groups are, and only those that the join above would not have met.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use super::join_order::Estimator;
use crate::sql::expr::Expr;
use crate::sql::plan::{ColumnId, Field, Join, JoinKey, JoinKind, Plan, SharedId};
use crate::sql::statement::Analyzed;

/// The part of a key's values that the few rows may have: above it the semi join would keep too much.
const MAX_KEPT_PART: f64 = 0.3;
/// How many times more rows there must be on the side that is reduced.
const MIN_RATIO: f64 = 4.0;

/// Rewrites the statement's plan; plans that were shared before are left as they are.
pub(super) fn run(analyzed: &mut Analyzed, estimator: &mut Estimator, next_column: &mut u32) {
    let mut reducer = Reducer { shared: &mut analyzed.shared, estimator, next_column };
    reducer.reduce(&mut analyzed.plan);
}

struct Reducer<'a> {
    shared: &'a mut Vec<Plan>,
    estimator: &'a mut Estimator,
    next_column: &'a mut u32,
}

/// Which side of a join is reduced by the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

impl Reducer<'_> {
    /// Inputs first: what they share is named by what is shared above them.
    fn reduce(&mut self, plan: &mut Plan) {
        for input in plan.inputs_mut() {
            self.reduce(input);
        }
        if let Plan::Join(join) = plan
            && let Some(side) = self.side_to_reduce(join)
        {
            self.reduce_side(join, side);
        }
    }

    fn side_to_reduce(&self, join: &Join) -> Option<Side> {
        let may_be: &[Side] = match join.kind {
            JoinKind::Inner | JoinKind::Semi => &[Side::Right, Side::Left],
            JoinKind::Left | JoinKind::Single | JoinKind::Anti => &[Side::Right],
            JoinKind::Right => &[Side::Left],
            JoinKind::Full => &[],
        };
        may_be.iter().copied().find(|side| self.pays(join, *side))
    }

    fn pays(&self, join: &Join, side: Side) -> bool {
        let (few, many) = side.few_and_many(join);
        let few_rows = self.estimator.rows(few);
        let values = join.keys.iter().filter_map(|key| {
            let (few_key, many_key) = side.few_and_many_of(key);
            let few_values = self.estimator.domain(few, few_key.as_column()?)?;
            Some(few_values.min(self.estimator.domain(many, many_key.as_column()?)?))
        });
        let values = values.fold(0.0, f64::max);
        if few_rows > values * MAX_KEPT_PART || !few.free_columns().is_empty() {
            return false;
        }
        let keys: Vec<Expr> = join.keys.iter().map(|key| side.few_and_many_of(key).1.clone()).collect();
        let is_build_side = matches!(join.kind, JoinKind::Semi | JoinKind::Anti) && side == Side::Right;
        match rows_grouped(many, &keys, self.estimator) {
            Some(rows) => rows >= few_rows * MIN_RATIO,
            None => is_build_side && self.estimator.rows(many) >= few_rows * MIN_RATIO,
        }
    }

    fn reduce_side(&mut self, join: &mut Join, side: Side) {
        let few = match side {
            Side::Left => &mut join.right,
            Side::Right => &mut join.left,
        };
        let fields = few.fields();
        let (copy, ids) = few.copied(self.next_column);
        let id = SharedId(self.shared.len());
        self.estimator.share(&copy);
        self.shared.push(copy);
        let new_id = |id: ColumnId| ids.get(&id).copied().unwrap_or(id);
        let columns = fields.iter().map(|field| (field.clone(), new_id(field.id))).collect();
        **few = Plan::Shared { id, columns, row_estimate: None };

        // The same rows once more, with the columns of the keys alone.
        let mut key_columns: Vec<(Field, ColumnId)> = Vec::new();
        let mut definitions: HashMap<ColumnId, Expr> = HashMap::new();
        for key in &join.keys {
            for column in side.few_and_many_of(key).0.columns() {
                let Some(field) = fields.iter().find(|field| field.id == column) else { continue };
                let Entry::Vacant(definition) = definitions.entry(column) else { continue };
                let own = ColumnId(*self.next_column);
                *self.next_column += 1;
                definition.insert(Expr::column(own, field.data_type.clone()));
                key_columns.push((Field { id: own, ..field.clone() }, new_id(column)));
            }
        }
        let keys = join.keys.iter().map(|key| {
            let (few, many) = side.few_and_many_of(key);
            let right = few.clone().substituted(&definitions);
            JoinKey { left: many.clone(), right, null_equals_null: key.null_equals_null }
        });
        let keys: Vec<JoinKey> = keys.collect();
        let keys_only = Plan::Shared { id, columns: key_columns, row_estimate: None };
        let many = match side {
            Side::Left => &mut join.left,
            Side::Right => &mut join.right,
        };
        restrict(many, keys, keys_only);
    }
}

impl Side {
    const fn few_and_many(self, join: &Join) -> (&Plan, &Plan) {
        match self {
            Self::Left => (&join.right, &join.left),
            Self::Right => (&join.left, &join.right),
        }
    }

    const fn few_and_many_of(self, key: &JoinKey) -> (&Expr, &Expr) {
        match self {
            Self::Left => (&key.right, &key.left),
            Self::Right => (&key.left, &key.right),
        }
    }
}

/// Puts the semi join as far below as it means the same.
fn restrict(plan: &mut Plan, keys: Vec<JoinKey>, few: Plan) {
    let exprs: Vec<Expr> = keys.iter().map(|key| key.left.clone()).collect();
    if let Some((input, exprs)) = step(plan, &exprs) {
        let keys = keys.into_iter().zip(exprs).map(|(key, left)| JoinKey { left, ..key }).collect();
        if let Some(input) = plan.inputs_mut().into_iter().nth(input) {
            restrict(input, keys, few);
        }
        return;
    }
    let left = std::mem::replace(plan, Plan::Values { fields: Vec::new(), rows: Vec::new() });
    let (left, right) = (Box::new(left), Box::new(few));
    *plan = Plan::Join(Join { kind: JoinKind::Semi, left, right, keys, residual: None });
}

/// The rows of the first aggregation on the way down, where there is one.
fn rows_grouped(plan: &Plan, exprs: &[Expr], estimator: &Estimator) -> Option<f64> {
    let (input, exprs) = step(plan, exprs)?;
    let below = plan.inputs().into_iter().nth(input)?;
    match plan {
        Plan::Aggregate(_) => Some(estimator.rows(below)),
        _ => rows_grouped(below, &exprs, estimator),
    }
}

/// The input on which a condition on these expressions drops the same rows, and the expressions in its columns.
fn step(plan: &Plan, exprs: &[Expr]) -> Option<(usize, Vec<Expr>)> {
    let columns: HashSet<ColumnId> = exprs.iter().flat_map(Expr::columns).collect();
    let are_of = |plan: &Plan| {
        let ids = plan.column_ids();
        columns.iter().all(|column| ids.contains(column))
    };
    let same = |input: usize| Some((input, exprs.to_vec()));
    match plan {
        // A filter on a file is part of reading it.
        Plan::Filter { input, .. } => {
            let is_source = matches!(**input, Plan::Scan(_) | Plan::Values { .. } | Plan::Shared { .. });
            if is_source { None } else { same(0) }
        }
        Plan::Project { columns: made, .. } => {
            let mut definitions = HashMap::new();
            for (field, expr) in made.iter().filter(|(field, _)| columns.contains(&field.id)) {
                expr.as_column()?;
                definitions.insert(field.id, expr.clone());
            }
            let exprs = exprs.iter().map(|expr| expr.clone().substituted(&definitions)).collect();
            Some((0, exprs))
        }
        Plan::Aggregate(aggregate) => {
            let are_keys = columns.iter().all(|column| aggregate.keys.contains(column));
            if are_keys { same(0) } else { None }
        }
        Plan::Join(join) => match join.kind {
            JoinKind::Inner if are_of(&join.left) => same(0),
            JoinKind::Inner | JoinKind::Right if are_of(&join.right) => same(1),
            JoinKind::Left | JoinKind::Single | JoinKind::Semi | JoinKind::Anti if are_of(&join.left) => {
                same(0)
            }
            _ => None,
        },
        Plan::MarkJoin(join) if are_of(&join.left) => same(0),
        Plan::Sort { .. } | Plan::Distinct { on: None, .. } => same(0),
        _ => None,
    }
}
