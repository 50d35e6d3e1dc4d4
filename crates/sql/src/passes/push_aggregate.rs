//! Eager aggregation (W. Yan and P. Larson, VLDB 1995). Before: an aggregation over joins of many rows with few. After:
//! the many rows are first aggregated by the keys of those joins, the groups are joined, and the result is aggregated
//! again. Why: a million sales become groups of six stores, and only six rows are joined and grouped by name. The many
//! rows may be the nullable side of an outer join, if the calls skip NULLs: a customer's orders are counted before the
//! join, and a customer without a match has a count of 0.

use std::collections::{HashMap, HashSet};

use super::cardinality::{Estimate, Estimator, to_f64};
use super::decomposed::Decomposed;
use super::infallible::{can_be_added_up, cannot_fail};
use super::null_rejection::is_null_with;
use super::pre_aggregate_case;
use crate::expr::Expr;
use crate::functions::AggregateFunction;
use crate::plan::{Aggregate, AggregateCall, ColumnId, Field, Join, JoinKind, Plan};

/// Minimum ratio of rows to groups: a group costs more than a row that is passed on, unless it has texts that are then not
/// copied and hashed for each row.
const MIN_RATIO: f64 = 4.0;
/// The same where the keys of the aggregation above have texts of the other sides.
const MIN_RATIO_OF_TEXTS: f64 = 1.2;
/// Minimum number of rows for which the rewrite is worthwhile.
const MIN_ROWS: f64 = 10_000.0;
/// The cost of grouping a row, relative to the cost of a join lookup.
const COST_OF_GROUPING: f64 = 2.0;
/// What each text among the keys of the aggregation above adds to it: it is copied by the joins, and hashed.
const COST_OF_TEXT: f64 = 2.0;
/// Maximum number of nodes of an argument after substitution through projections.
const MAX_NODES: usize = 1_000;

/// Options of the pass.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Options {
    /// The minimum number of rows, if it is not the default.
    pub(super) min_rows: Option<f64>,
    /// Whether an aggregation over CASE may be split so that it can be pushed down.
    pub(super) splits_cases: bool,
}

pub(super) fn run(plan: &mut Plan, estimator: &Estimator<'_>, options: Options, next_column: &mut u32) {
    for input in plan.inputs_mut() {
        run(input, estimator, options, next_column);
    }
    let Plan::Aggregate(aggregate) = plan else { return };
    let min_rows = options.min_rows.unwrap_or(MIN_ROWS);
    if let Some(pushed) = pushed(aggregate, estimator, min_rows, next_column) {
        *plan = pushed;
    } else if options.splits_cases {
        let rows = estimator.estimate(&aggregate.input);
        // If the split is discarded, its column ids are not used up.
        let mut next = *next_column;
        if let Some(split) = pre_aggregate_case::split(aggregate, &rows, &mut next)
            && let Some(pushed) = pushed(&split.inner, estimator, min_rows, &mut next)
        {
            *next_column = next;
            *plan = Plan::Aggregate(Aggregate { input: Box::new(pushed), ..split.outer });
        }
    }
}

/// An aggregation, rewritten to the columns of the joins below it.
struct OverJoins<'p> {
    joins: &'p Plan,
    /// Each key, with its column in the joins.
    keys: Vec<(Field, ColumnId)>,
    calls: Vec<AggregateCall>,
}

impl OverJoins<'_> {
    /// The columns in the joins of the keys that are texts.
    fn text_keys(&self) -> impl Iterator<Item = ColumnId> {
        self.keys.iter().filter(|(field, _)| field.data_type.is_text()).map(|(_, source)| *source)
    }
}

/// The position of the inner aggregation.
struct Place {
    /// The number of joins above it.
    depth: usize,
    keys: Vec<ColumnId>,
    /// Whether a join above it adds rows without a group, whose partial results are NULL.
    is_nullable: bool,
    cost: f64,
}

fn pushed(
    aggregate: &Aggregate,
    estimator: &Estimator<'_>,
    min_rows: f64,
    next_column: &mut u32,
) -> Option<Plan> {
    let over = over_joins(aggregate)?;
    let place = best_place(&over, estimator, min_rows)?;
    let decomposed = Decomposed::of(&over.calls, next_column)?;
    let mut joins = over.joins.clone();
    let mut below = &mut joins;
    for _ in 0..place.depth {
        below = many_side_mut(below, &over.calls)?;
    }
    let input = Box::new(below.take());
    let aggregates = decomposed.partials().to_vec();
    *below = Plan::Aggregate(Aggregate { input, keys: place.keys, aggregates });
    let combining = decomposed.combining(next_column);
    let results: Vec<Field> = combining.iter().map(|call| call.output.clone()).collect();
    let values: HashMap<ColumnId, Expr> =
        decomposed.values(&results, over.keys.is_empty() || place.is_nullable).into_iter().collect();
    // Two keys may refer to the same column.
    let mut keys: Vec<ColumnId> = over.keys.iter().map(|(_, source)| *source).collect();
    keys.sort_unstable();
    keys.dedup();
    let grouped = Plan::Aggregate(Aggregate { input: Box::new(joins), keys, aggregates: combining });
    let mut columns: Vec<(Field, Expr)> = Vec::with_capacity(over.keys.len() + over.calls.len());
    for (field, source) in over.keys {
        let expr = Expr::column(source, field.data_type.clone());
        columns.push((field, expr));
    }
    for call in over.calls {
        let value = values.get(&call.output.id)?.clone();
        columns.push((call.output, value));
    }
    Some(Plan::Project { input: Box::new(grouped), columns })
}

/// The aggregation, rewritten through the projections below it; `None` if its keys are not columns there.
fn over_joins(aggregate: &Aggregate) -> Option<OverJoins<'_>> {
    let fields = aggregate.input.fields();
    let keys =
        aggregate.keys.iter().map(|key| Some((fields.iter().find(|field| field.id == *key)?.clone(), *key)));
    let mut keys: Vec<(Field, ColumnId)> = keys.collect::<Option<_>>()?;
    let mut calls = aggregate.aggregates.clone();
    let mut joins = &*aggregate.input;
    while let Plan::Project { input, columns } = joins {
        let definitions: HashMap<ColumnId, Expr> =
            columns.iter().map(|(field, expr)| (field.id, expr.clone())).collect();
        for (_, key) in &mut keys {
            *key = definitions.get(key)?.as_column()?;
        }
        for call in &mut calls {
            if !call.order_by.is_empty() {
                return None;
            }
            for part in call.args.iter_mut().chain(&mut call.filter) {
                *part = part.clone().substituted(&definitions);
                if part.node_count() > MAX_NODES {
                    return None;
                }
            }
        }
        joins = input;
    }
    matches!(joins, Plan::Join(_)).then_some(OverJoins { joins, keys, calls })
}

/// The columns of the calls' arguments and filters.
fn argument_columns(calls: &[AggregateCall]) -> HashSet<ColumnId> {
    calls.iter().flat_map(|call| call.args.iter().chain(&call.filter)).flat_map(Expr::columns).collect()
}

/// The side of a join with all argument columns.
struct ManySide<'p> {
    plan: &'p Plan,
    is_left: bool,
    /// Whether the join adds rows in which all columns of this side are NULL.
    is_nullable: bool,
    /// The keys of this side.
    keys: Vec<&'p Expr>,
    other: &'p Plan,
}

fn many_side<'p>(plan: &'p Plan, calls: &[AggregateCall]) -> Option<ManySide<'p>> {
    let Plan::Join(Join { kind, left, right, keys, residual: None }) = plan else { return None };
    if keys.is_empty() {
        return None;
    }
    let arguments = argument_columns(calls);
    let has_all = |side: &Plan| {
        let own = side.column_ids();
        arguments.iter().all(|column| own.contains(column))
    };
    let (is_left, is_nullable) = match kind {
        JoinKind::Inner => (has_all(left), false),
        JoinKind::Semi | JoinKind::Anti => (true, false),
        JoinKind::Left if has_all(left) => (true, false),
        JoinKind::Left if skip_rows_of_nulls(calls, right) => (false, true),
        JoinKind::Right if has_all(right) => (false, false),
        JoinKind::Right if skip_rows_of_nulls(calls, left) => (true, true),
        _ => return None,
    };
    let (plan, other, keys): (&Plan, &Plan, Vec<&Expr>) = if is_left {
        (left, right, keys.iter().map(|key| &key.left).collect())
    } else {
        (right, left, keys.iter().map(|key| &key.right).collect())
    };
    has_all(plan).then_some(ManySide { plan, is_left, is_nullable, keys, other })
}

/// Whether no call's result depends on rows in which all columns of a side are NULL.
fn skip_rows_of_nulls(calls: &[AggregateCall], side: &Plan) -> bool {
    let columns: HashSet<ColumnId> = side.column_ids().into_iter().collect();
    calls.iter().all(|call| {
        call.filter.is_none() && call.args.first().is_some_and(|argument| is_null_with(argument, &columns))
    })
}

fn many_side_mut<'p>(plan: &'p mut Plan, calls: &[AggregateCall]) -> Option<&'p mut Plan> {
    let is_left = many_side(plan, calls)?.is_left;
    let Plan::Join(join) = plan else { return None };
    Some(if is_left { &mut join.left } else { &mut join.right })
}

/// The position with the lowest estimated cost.
fn best_place(over: &OverJoins<'_>, estimator: &Estimator<'_>, min_rows: f64) -> Option<Place> {
    let mut needed: HashSet<ColumnId> = over.keys.iter().map(|(_, source)| *source).collect();
    let mut joined_rows: Vec<f64> = Vec::new();
    let mut best: Option<Place> = None;
    let mut node = over.joins;
    let mut rows = estimator.estimate(node);
    let mut all_rows = rows.rows;
    let mut is_nullable = false;
    // Rows of the other sides that remain without a match.
    let mut preserved = 0.0_f64;
    let cost_above = COST_OF_GROUPING + COST_OF_TEXT * to_f64(over.text_keys().count());
    while let Some(many) = many_side(node, &over.calls) {
        let ManySide { plan, keys, other, .. } = many;
        if keys.iter().any(|key| key.as_column().is_none()) {
            break;
        }
        let joined = rows.rows;
        rows = estimator.estimate(plan);
        // After dynamic filtering all rows have a match.
        let matched = if is_reduced_by(plan, other) { rows.rows } else { 0.0 };
        joined_rows.push(joined.max(matched));
        all_rows = all_rows.max(matched);
        needed.extend(keys.into_iter().filter_map(Expr::as_column));
        node = plan;
        if many.is_nullable {
            is_nullable = true;
            preserved = preserved.max(estimator.rows(other));
        }
        if !calls_cannot_fail(&over.calls, &rows) {
            break;
        }
        let own = node.column_ids();
        let mut group_keys: Vec<ColumnId> = needed.iter().copied().filter(|id| own.contains(id)).collect();
        group_keys.sort_unstable();
        let groups = rows.combinations(&group_keys);
        let texts_of_others = over.text_keys().filter(|id| !own.contains(id)).count();
        let min_ratio = if texts_of_others > 0 { MIN_RATIO_OF_TEXTS } else { MIN_RATIO };
        if rows.rows < min_rows || groups * min_ratio > rows.rows {
            continue;
        }
        let own_texts = over.text_keys().count() - texts_of_others;
        // The rows above the inner aggregation shrink in proportion to the groups, unless a join multiplies rows.
        let part = groups / rows.rows;
        let shrunk = |joined: f64| (joined * part).max(preserved);
        let above: f64 = joined_rows.iter().map(|joined| shrunk(*joined)).sum();
        let cost = rows.rows * (COST_OF_GROUPING + COST_OF_TEXT * to_f64(own_texts))
            + above
            + shrunk(all_rows) * cost_above
            + joins_below(node, estimator);
        if best.as_ref().is_none_or(|best| cost < best.cost) {
            best = Some(Place { depth: joined_rows.len(), keys: group_keys, is_nullable, cost });
        }
    }
    let without = joined_rows.iter().sum::<f64>() + all_rows * cost_above + joins_below(node, estimator);
    best.filter(|best| best.cost < without)
}

/// Whether the rows are those with a key of a shared plan.
fn is_reduced_by(rows: &Plan, shared: &Plan) -> bool {
    let Plan::Join(Join { kind: JoinKind::Semi, right, .. }) = rows else { return false };
    matches!((&**right, shared), (Plan::Shared { id, .. }, Plan::Shared { id: other, .. }) if id == other)
}

/// The estimated rows of the joins below a position.
fn joins_below(plan: &Plan, estimator: &Estimator<'_>) -> f64 {
    match plan {
        Plan::Join(join) => estimator.rows(plan) + joins_below(&join.left, estimator),
        _ => 0.0,
    }
}

/// Whether the arguments never fail and have no overflowing partial sums, even for rows that the joins would drop: a
/// group of only such rows could have a sum out of range although the statement's rows have not.
fn calls_cannot_fail(calls: &[AggregateCall], rows: &Estimate) -> bool {
    calls.iter().all(|call| {
        let is_sum = matches!(call.function, AggregateFunction::Sum | AggregateFunction::Avg);
        call.args.iter().chain(&call.filter).all(|part| cannot_fail(part, rows))
            && (!is_sum || call.args.iter().all(|arg| can_be_added_up(arg, rows)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::cardinality::tests::{column, joined, table};
    use crate::types::Type;

    fn call(output: u32, function: AggregateFunction, args: Vec<Expr>) -> AggregateCall {
        let output = Field::new(ColumnId(output), "", Type::BigInt);
        AggregateCall { output, function, args, is_distinct: false, filter: None, order_by: Vec::new() }
    }

    /// Returns a 32-bit integer column as an argument of `sum`.
    fn narrow() -> Expr {
        Expr::column(ColumnId(1), Type::Integer).cast_to(&Type::BigInt)
    }

    /// Returns the plan for sums of one table's rows by the kind that another table has for their keys.
    fn by_kind(rows: u64, keys: u64, summed: Expr) -> String {
        let ((many, of_many), (few, of_few)) = (table(0, rows, keys), table(1, keys, keys));
        let input = Box::new(joined(JoinKind::Inner, many, few, (0, 10)));
        let sum = call(100, AggregateFunction::Sum, vec![summed]);
        let count = call(101, AggregateFunction::Count, Vec::new());
        let aggregates = vec![sum, count];
        let mut plan = Plan::Aggregate(Aggregate { input, keys: vec![ColumnId(11)], aggregates });
        run(&mut plan, &Estimator::new(&[of_many, of_few]), Options::default(), &mut 200);
        plan.to_string()
    }

    #[test]
    fn many_rows_of_few_keys_are_aggregated_before_they_are_joined() {
        let expected = "
Project [c11, c100=c202, c101=c203]
  Aggregate [c11] c202=sum(c200), c203=sum(c201)
    InnerJoin on c0 = c10
      Aggregate [c0] c200=sum(CAST(c1 AS bigint)), c201=count()
        Scan table 0 [c0=key, c1=kind]
      Scan table 1 [c10=key, c11=kind]
";
        assert_eq!(by_kind(100_000, 1000, narrow()), expected.trim_start());
    }

    /// Returns the plan for counts of one table's rows by the keys of another one, of which all rows are preserved.
    fn by_preserved_key(kind: JoinKind, args: Vec<Expr>) -> String {
        let ((few, of_few), (many, of_many)) = (table(0, 1000, 1000), table(1, 100_000, 1000));
        let (left, right, keys) = match kind {
            JoinKind::Right => (many, few, (10, 0)),
            _ => (few, many, (0, 10)),
        };
        let input = Box::new(joined(kind, left, right, keys));
        let aggregates = vec![call(100, AggregateFunction::Count, args)];
        let mut plan = Plan::Aggregate(Aggregate { input, keys: vec![ColumnId(0)], aggregates });
        run(&mut plan, &Estimator::new(&[of_few, of_many]), Options::default(), &mut 200);
        plan.to_string()
    }

    #[test]
    fn rows_of_the_nullable_side_are_counted_before_they_are_joined() {
        let expected = "
Project [c0, c100=coalesce(c201, 0)]
  Aggregate [c0] c201=sum(c200)
    LeftJoin on c0 = c10
      Scan table 0 [c0=key, c1=kind]
      Aggregate [c10] c200=count(c11)
        Scan table 1 [c10=key, c11=kind]
";
        assert_eq!(by_preserved_key(JoinKind::Left, vec![column(11)]), expected.trim_start());
        let plan = by_preserved_key(JoinKind::Right, vec![column(11)]);
        assert_eq!(plan.matches("Aggregate").count(), 2, "{plan}");
    }

    #[test]
    fn calls_that_count_rows_without_a_match_are_unchanged() {
        for args in [Vec::new(), vec![Expr::literal(crate::expr::Value::Integer(1), Type::BigInt)]] {
            let plan = by_preserved_key(JoinKind::Left, args);
            assert_eq!(plan.matches("Aggregate").count(), 1, "{plan}");
        }
        let plan = by_preserved_key(JoinKind::Full, vec![column(11)]);
        assert_eq!(plan.matches("Aggregate").count(), 1, "{plan}");
    }

    #[test]
    fn aggregations_with_many_groups_or_few_rows_are_unchanged() {
        assert_eq!(by_kind(100_000, 50_000, narrow()).matches("Aggregate").count(), 1);
        assert_eq!(by_kind(1000, 10, narrow()).matches("Aggregate").count(), 1);
    }

    #[test]
    fn texts_of_the_other_side_are_not_copied_for_each_row() {
        let by_text = |keys: u64, data_type: Type| {
            let ((many, of_many), (mut few, of_few)) = (table(0, 100_000, keys), table(1, keys, keys));
            let Plan::Scan(scan) = &mut few else { panic!("a scan") };
            scan.columns[1].0.data_type = data_type;
            let input = Box::new(joined(JoinKind::Inner, many, few, (0, 10)));
            let aggregates = vec![call(100, AggregateFunction::Sum, vec![narrow()])];
            let keys = vec![ColumnId(10), ColumnId(11)];
            let mut plan = Plan::Aggregate(Aggregate { input, keys, aggregates });
            run(&mut plan, &Estimator::new(&[of_many, of_few]), Options::default(), &mut 200);
            plan.to_string().matches("Aggregate").count()
        };
        assert_eq!(by_text(50_000, Type::VARCHAR), 2);
        assert_eq!(by_text(50_000, Type::BigInt), 1);
        assert_eq!(by_text(95_000, Type::VARCHAR), 1, "as many groups as rows");
    }

    #[test]
    fn sums_that_could_overflow_are_unchanged() {
        assert_eq!(by_kind(100_000, 1000, column(1)).matches("Aggregate").count(), 1);
    }
}
