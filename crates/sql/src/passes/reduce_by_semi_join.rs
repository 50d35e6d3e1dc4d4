//! Dynamic filtering. If few rows `F` are joined with many by an inner, semi or anti join, `F` becomes a shared plan,
//! and a semi join with its keys is added below: under the aggregation, on the filtered scan or on the other side. Rows
//! without a key of `F` are then neither grouped nor hashed, and in a scanned table they are not even decoded. A key
//! retains or drops a whole group, so no aggregate changes, and the join above would not have matched the dropped rows.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use super::cardinality::{Estimator, part_in};
use super::renumber;
use crate::expr::Expr;
use crate::plan::{ColumnId, Field, Join, JoinKey, JoinKind, Plan, SetOperationKind, SharedId, WindowCall};
use crate::statement::Analyzed;

/// Maximum fraction of a key's values that may occur in the few rows; with more, the semi join would retain too many
/// rows.
const MAX_MATCHED_PART: f64 = 0.5;
/// With more than this fraction, the rows that other conditions leave on the reduced side count, and not all that are read: to
/// remove half of them again saves little more than it costs.
const SELECTIVE_PART: f64 = 0.3;
/// Minimum ratio of the rows on the reduced side to those on the other side.
const MIN_RATIO: f64 = 4.0;
/// The same where the few rows are those of filtered joins, whose number and keys may be far fewer than estimated: to
/// compute them first costs little in comparison with a table of this many times as many rows, and to test its keys a
/// few per cent of reading them.
const MIN_RATIO_OF_JOINS: f64 = 16.0;

/// Rewrites the statement's plans. A semi join on a scanned table is only added if the table has at least
/// `min_rows_read` rows.
pub(super) fn run(analyzed: &mut Analyzed, min_rows_read: f64, next_column: &mut u32) {
    let statistics = std::mem::take(&mut analyzed.statistics);
    let (shared, estimator) = (Vec::new(), Estimator::new(&statistics));
    let mut reducer = Reducer { shared, estimator, min_rows_read, next_column };
    // The plans by which a shared plan is reduced precede it.
    let mut numbers: Vec<SharedId> = Vec::with_capacity(analyzed.shared.len());
    for mut plan in std::mem::take(&mut analyzed.shared) {
        renumber(&mut plan, &|id| numbers[id.0]);
        reducer.reduce(&mut plan);
        numbers.push(reducer.share(plan));
    }
    renumber(&mut analyzed.plan, &|id| numbers[id.0]);
    reducer.reduce(&mut analyzed.plan);
    analyzed.shared = reducer.shared;
    analyzed.statistics = statistics;
}

struct Reducer<'a> {
    shared: Vec<Plan>,
    estimator: Estimator<'a>,
    min_rows_read: f64,
    next_column: &'a mut u32,
}

/// The side of a join that is reduced by the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

impl Reducer<'_> {
    fn share(&mut self, plan: Plan) -> SharedId {
        let id = SharedId(self.shared.len());
        self.estimator.share(&plan);
        self.shared.push(plan);
        id
    }

    /// Reduces a join before its inputs, because the filter side of an input may have fewer rows after the reduction.
    fn reduce(&mut self, plan: &mut Plan) {
        if let Plan::Join(join) = plan
            && let Some(reduction) = self.reduction(join)
        {
            let is_all = join.kind == JoinKind::Semi
                && reduction.side == Side::Left
                && reduction.keys.len() == join.keys.len()
                && join.residual.is_none();
            self.reduce_side(join, reduction);
            if is_all {
                // The added semi join below replaces this one completely.
                *plan = join.left.take();
                return self.reduce(plan);
            }
        }
        for input in plan.inputs_mut() {
            self.reduce(input);
        }
    }

    /// The reduction of the side with more rows.
    fn reduction(&self, join: &Join) -> Option<Reduction> {
        if join.kind == JoinKind::Semi && matches!(*join.right, Plan::Shared { .. }) {
            // It is the result of this pass.
            return None;
        }
        let may_be: &[Side] = match join.kind {
            JoinKind::Inner | JoinKind::Semi => &[Side::Left, Side::Right],
            JoinKind::Left | JoinKind::Single | JoinKind::Anti => &[Side::Right],
            JoinKind::Right => &[Side::Left],
            JoinKind::Full => &[],
        };
        let reductions = may_be.iter().filter_map(|side| self.reduction_of(join, *side));
        reductions.max_by(|one, other| one.rows.total_cmp(&other.rows))
    }

    fn reduction_of(&self, join: &Join, side: Side) -> Option<Reduction> {
        let (few, many) = side.few_and_many(join);
        // A random key would have another value each time it is computed.
        let is_random = |key: &JoinKey| key.left.is_random() || key.right.is_random();
        if !few.free_columns().is_empty() || join.keys.iter().any(is_random) {
            return None;
        }
        let parts = self.matched_parts(join, side);
        let (best, part) =
            parts.iter().copied().enumerate().min_by(|one, other| one.1.total_cmp(&other.1))?;
        let few_rows = self.estimator.rows(few);
        let has_many = || self.estimator.rows(many) >= few_rows * MIN_RATIO;
        let is_selective = part <= SELECTIVE_PART || part <= MAX_MATCHED_PART && has_many();
        if !is_selective && !is_filtered_join(few) {
            return None;
        }
        let found = |keys: &[JoinKey]| {
            let keys: Vec<Expr> = keys.iter().map(|key| side.few_and_many_of(key).1.clone()).collect();
            below(many, &keys, &self.estimator)
        };
        let is_by_number = join.keys[best].is_by_number();
        let best = std::slice::from_ref(&join.keys[best]);
        let is_build_side = matches!(join.kind, JoinKind::Semi | JoinKind::Anti) && side == Side::Right;
        let (keys, rows) = match (found(best), found(&join.keys)) {
            (below, _) if !is_selective => match below {
                Below::Read(rows) if is_by_number && rows >= self.min_rows_read => (best, rows),
                _ => return None,
            },
            (Below::Grouped(rows), _) if is_by_number => (best, rows),
            (Below::Read(rows), _) if is_by_number && rows >= self.min_rows_read => (best, rows),
            (_, Below::Grouped(rows)) => (&*join.keys, rows),
            _ if is_build_side => (&*join.keys, self.estimator.rows(many)),
            _ => return None,
        };
        let min_ratio = if is_selective { MIN_RATIO } else { MIN_RATIO_OF_JOINS };
        let pays = rows >= few_rows * min_ratio;
        pays.then(|| Reduction { side, keys: keys.to_vec(), rows })
    }

    /// For each key, the fraction of the values on the reduced side that occur in the few rows.
    fn matched_parts(&self, join: &Join, side: Side) -> Vec<f64> {
        let (few, many) = side.few_and_many(join);
        let columns = |key: &JoinKey| {
            let (few_key, many_key) = side.few_and_many_of(key);
            few_key.as_column().zip(many_key.as_column())
        };
        let columns: Vec<Option<(ColumnId, ColumnId)>> = join.keys.iter().map(columns).collect();
        if columns.iter().all(Option::is_none) {
            return vec![1.0; columns.len()];
        }
        let (few, many) = (self.estimator.estimate(few), self.estimator.estimate(many));
        let part = |(few_key, many_key)| part_in(&few.column(few_key), &many.column(many_key));
        columns.into_iter().map(|columns| columns.map_or(1.0, part)).collect()
    }

    fn reduce_side(&mut self, join: &mut Join, Reduction { side, keys, .. }: Reduction) {
        let few = match side {
            Side::Left => &mut join.right,
            Side::Right => &mut join.left,
        };
        // Plans that it shares must precede it.
        self.reduce(few);
        let fields = few.fields();
        let (copy, ids) = few.copied(self.next_column);
        let id = self.share(copy);
        let new_id = |id: ColumnId| ids.get(&id).copied().unwrap_or(id);
        let columns = fields.iter().map(|field| (field.clone(), new_id(field.id))).collect();
        **few = Plan::Shared { id, columns, row_estimate: None };

        // The shared rows again, with only the key columns.
        let mut key_columns: Vec<(Field, ColumnId)> = Vec::new();
        let mut definitions: HashMap<ColumnId, Expr> = HashMap::new();
        for key in &keys {
            for column in side.few_and_many_of(key).0.columns() {
                let Some(field) = fields.iter().find(|field| field.id == column) else { continue };
                let Entry::Vacant(definition) = definitions.entry(column) else { continue };
                let own = ColumnId(*self.next_column);
                *self.next_column += 1;
                definition.insert(Expr::column(own, field.data_type.clone()));
                key_columns.push((Field { id: own, ..field.clone() }, new_id(column)));
            }
        }
        let keys = keys.iter().map(|key| {
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
        self.restrict(many, keys, keys_only);
    }

    /// Pushes the semi join down as far as its meaning permits; below a union, to each of its inputs.
    fn restrict(&mut self, plan: &mut Plan, keys: Vec<JoinKey>, few: Plan) {
        let exprs: Vec<Expr> = keys.iter().map(|key| key.left.clone()).collect();
        let steps = steps(plan, &exprs);
        if steps.is_empty() {
            let left = plan.take();
            let (left, right) = (Box::new(left), Box::new(few));
            *plan = Plan::Join(Join { kind: JoinKind::Semi, left, right, keys, residual: None });
            return;
        }
        let mut inputs = plan.inputs_mut();
        let last = steps.len() - 1;
        for (place, (input, exprs)) in steps.into_iter().enumerate() {
            let own_keys = keys.iter().zip(exprs).map(|(key, left)| JoinKey { left, ..key.clone() });
            let (own_keys, own_few) = if place == last {
                (own_keys.collect(), few.clone())
            } else {
                renamed(own_keys.collect(), &few, self.next_column)
            };
            if let Some(input) = inputs.get_mut(input) {
                self.restrict(input, own_keys, own_few);
            }
        }
    }
}

/// Copies the scan of a shared plan and the keys over it to new ids.
fn renamed(keys: Vec<JoinKey>, few: &Plan, next_column: &mut u32) -> (Vec<JoinKey>, Plan) {
    let (copy, ids) = few.copied(next_column);
    let fields = few.fields();
    let definitions: HashMap<ColumnId, Expr> = fields
        .iter()
        .filter_map(|field| Some((field.id, Expr::column(*ids.get(&field.id)?, field.data_type.clone()))))
        .collect();
    let keys = keys.into_iter().map(|key| JoinKey { right: key.right.substituted(&definitions), ..key });
    (keys.collect(), copy)
}

/// A possible reduction of a join's side.
struct Reduction {
    /// The reduced side, which has many rows.
    side: Side,
    /// The keys of the semi join.
    keys: Vec<JoinKey>,
    /// The estimated rows to which the semi join is applied.
    rows: f64,
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

/// Whether rows are joined of which some are filtered.
fn is_filtered_join(plan: &Plan) -> bool {
    let (mut joins, mut filters) = (0, 0);
    plan.visit(&mut |node| match node {
        Plan::Join(_) => joins += 1,
        Plan::Filter { .. } => filters += 1,
        _ => {}
    });
    joins > 0 && filters > 0
}

/// The node that a semi join on these expressions would reach.
#[derive(Clone, Copy, Debug)]
enum Below {
    /// An aggregation over this number of rows.
    Grouped(f64),
    /// A table of this number of rows; the semi join would be a part of reading it.
    Read(f64),
    Other,
}

fn below(plan: &Plan, exprs: &[Expr], estimator: &Estimator<'_>) -> Below {
    let steps = steps(plan, exprs);
    if steps.is_empty() {
        return match plan {
            Plan::Scan(_) => Below::Read(estimator.rows(plan)),
            Plan::Filter { input, .. } if matches!(**input, Plan::Scan(_)) => {
                Below::Read(estimator.rows(input))
            }
            _ => Below::Other,
        };
    }
    let inputs = plan.inputs();
    let found = steps.iter().filter_map(|(input, exprs)| {
        let input = inputs.get(*input)?;
        Some(match plan {
            Plan::Aggregate(_) => Below::Grouped(estimator.rows(input)),
            _ => below(input, exprs, estimator),
        })
    });
    found.reduce(Below::and).unwrap_or(Below::Other)
}

impl Below {
    /// Combines the results for two inputs of a union.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Grouped(one), Self::Grouped(other)) => Self::Grouped(one + other),
            (Self::Grouped(one) | Self::Read(one), Self::Grouped(other) | Self::Read(other)) => {
                Self::Read(one + other)
            }
            (Self::Grouped(rows) | Self::Read(rows), Self::Other)
            | (Self::Other, Self::Grouped(rows) | Self::Read(rows)) => Self::Read(rows),
            (Self::Other, Self::Other) => Self::Other,
        }
    }
}

/// The inputs to which a semi join on these expressions can be pushed, each with the expressions in terms of its
/// columns: all inputs of a union, at most one of other nodes.
fn steps(plan: &Plan, exprs: &[Expr]) -> Vec<(usize, Vec<Expr>)> {
    let Plan::SetOperation { kind: SetOperationKind::UnionAll, inputs, fields } = plan else {
        return step(plan, exprs).into_iter().collect();
    };
    let of_input = |input: &Plan| -> Vec<Expr> {
        let definitions: HashMap<ColumnId, Expr> = fields
            .iter()
            .zip(input.fields())
            .map(|(field, own)| (field.id, Expr::column(own.id, own.data_type)))
            .collect();
        exprs.iter().map(|expr| expr.clone().substituted(&definitions)).collect()
    };
    inputs.iter().map(of_input).enumerate().collect()
}

/// The input to which a semi join on these expressions can be pushed, and the expressions in terms of its columns.
fn step(plan: &Plan, exprs: &[Expr]) -> Option<(usize, Vec<Expr>)> {
    let columns: HashSet<ColumnId> = exprs.iter().flat_map(Expr::columns).collect();
    let are_of = |plan: &Plan| {
        let ids = plan.column_ids();
        columns.iter().all(|column| ids.contains(column))
    };
    let same = |input: usize| Some((input, exprs.to_vec()));
    match plan {
        // A filter directly above a table is a part of reading it.
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
        // Whole partitions are dropped: rows of one partition have equal keys.
        Plan::Window { functions, .. } => {
            let divides = |call: &WindowCall| {
                columns.iter().all(|id| call.partition_by.iter().any(|key| key.as_column() == Some(*id)))
            };
            let are_columns = exprs.iter().all(|expr| expr.as_column().is_some());
            if are_columns && functions.iter().all(divides) { same(0) } else { None }
        }
        Plan::Sort { .. } | Plan::Distinct { on: None, .. } => same(0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::ComparisonOperator;
    use crate::passes::cardinality::tests::{compared, joined, table};

    #[test]
    fn keys_of_nearly_half_filter_many_rows_and_not_those_that_other_conditions_leave() {
        let ((many, of_many), (few, of_few)) = (table(0, 10_000, 1000), table(1, 1000, 1000));
        let statistics = [of_many, of_few];
        let estimator = Estimator::new(&statistics);
        let mut next_column = 100;
        let (shared, next_column) = (Vec::new(), &mut next_column);
        let reducer = Reducer { shared, estimator, min_rows_read: 0.0, next_column };
        // Keys up to this one, with all of the many rows or a twentieth.
        let is_reduced = |key: i64| {
            let few = few.clone().filtered(vec![compared(ComparisonOperator::LessThanOrEqual, 10, key)]);
            let left = many.clone().filtered(vec![compared(ComparisonOperator::Equal, 1, 3)]);
            [many.clone(), left].map(|many| {
                let Plan::Join(join) = joined(JoinKind::Left, few.clone(), many, (10, 0)) else {
                    return false;
                };
                reducer.reduction(&join).is_some_and(|reduction| reduction.side == Side::Right)
            })
        };
        assert_eq!(
            [is_reduced(200), is_reduced(400), is_reduced(700)],
            [[true, true], [true, false], [false, false]]
        );
    }
}
