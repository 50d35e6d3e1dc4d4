//! The cardinality model: estimates the rows of plans and the distinct values of their columns from the statistics of
//! their tables. All cost-based passes use it. Estimates affect choices, never results.

use std::collections::HashMap;

use self::selectivity::selectivity;
use crate::expr::Expr;
use crate::functions::AggregateFunction;
use crate::plan::{Aggregate, AggregateCall, ColumnId, Join, JoinKind, Plan, Scan, SetOperationKind};
use crate::statistics::{ColumnStatistics, TableStatistics};

mod selectivity;
#[cfg(test)]
pub(super) mod tests;
mod union_all;

/// Rows of a table whose row count is unknown.
const UNKNOWN_ROWS: f64 = 100_000.0;
/// The minimum fraction of an outer join's rows without a match, even if the estimated values match.
const UNKNOWN_UNMATCHED: f64 = 0.05;
/// The assumed number of elements of an array.
const UNKNOWN_ELEMENTS: f64 = 3.0;

/// The estimate of a plan's rows.
#[derive(Clone, Debug, Default)]
pub(in crate::passes) struct Estimate {
    /// The number of rows.
    pub(in crate::passes) rows: f64,
    columns: HashMap<ColumnId, ColumnEstimate>,
}

/// The estimate of a column's values.
#[derive(Clone, Copy, Debug)]
pub(in crate::passes) struct ColumnEstimate {
    /// The number of distinct values without filters.
    domain: f64,
    /// The number of distinct values.
    distinct: f64,
    /// Whether the distinct count is from the table's statistics, or bounded by them, and not assumed from the row
    /// count.
    is_known: bool,
    /// Whether `domain` is only an upper bound, and not counted.
    is_bound: bool,
    /// The fraction of rows that are NULL.
    null_part: f64,
    /// The minimum and the maximum.
    range: Option<(f64, f64)>,
    /// As `range`, without filters.
    domain_range: Option<(f64, f64)>,
    /// The origin of the column: the id of its table's first column, and the rows of the table.
    origin: Option<(ColumnId, f64)>,
}

/// The estimate of one side of a join's keys.
#[derive(Clone, Copy, Debug)]
pub(in crate::passes) struct KeyEstimate {
    /// The number of combinations of key values without filters.
    pub(in crate::passes) domain: f64,
    /// Whether `domain` is only an upper bound, and not counted; only for a single key.
    is_bound: bool,
    /// The rows of the largest table to which the keys belong; 0 if they belong to none.
    table_rows: f64,
    /// The fraction of rows without a NULL key.
    pub(in crate::passes) filled: f64,
    /// Only for a single key: its range, and the rows of its table.
    single: Option<((f64, f64), f64)>,
}

/// Estimates plans, given the estimates of the shared plans.
#[derive(Debug)]
pub(in crate::passes) struct Estimator<'a> {
    tables: &'a [TableStatistics],
    shared: Vec<Estimate>,
}

impl<'a> Estimator<'a> {
    /// An estimator with the statistics of the tables, by index, and without shared plans.
    pub(in crate::passes) const fn new(tables: &'a [TableStatistics]) -> Self {
        Self { tables, shared: Vec::new() }
    }

    /// An estimator with shared plans, each of which refers only to earlier ones.
    pub(in crate::passes) fn with_shared(tables: &'a [TableStatistics], shared: &[Plan]) -> Self {
        let mut estimator = Self::new(tables);
        shared.iter().for_each(|plan| estimator.share(plan));
        estimator
    }

    /// Adds a shared plan, after those to which it refers.
    pub(in crate::passes) fn share(&mut self, plan: &Plan) {
        let estimate = self.estimate(plan);
        self.shared.push(estimate);
    }

    /// The estimated rows of a plan.
    pub(in crate::passes) fn rows(&self, plan: &Plan) -> f64 {
        self.estimate(plan).rows
    }

    /// The estimate of a plan.
    pub(in crate::passes) fn estimate(&self, plan: &Plan) -> Estimate {
        match plan {
            Plan::Scan(scan) => self.of_scan(scan),
            Plan::Values { fields, rows } => {
                let rows = to_f64(rows.len());
                Estimate::of_unknown(rows, fields.iter().map(|field| field.id))
            }
            Plan::Shared { id, columns, .. } => {
                let source = self.shared.get(id.0).cloned().unwrap_or_default();
                let columns = columns.iter().map(|(field, from)| (field.id, source.column(*from))).collect();
                Estimate { rows: source.rows, columns }
            }
            Plan::Filter { input, predicate } => self.estimate(input).filtered(predicate),
            Plan::Project { input, columns } => {
                let source = self.estimate(input);
                let columns = columns.iter().map(|(field, expr)| (field.id, source.of_expr(expr))).collect();
                Estimate { rows: source.rows, columns }
            }
            Plan::PartialDistinct { input } => self.estimate(input),
            Plan::Join(join) => self.of_join(join),
            Plan::MarkJoin(join) => {
                let mut estimate = self.estimate(&join.left);
                estimate.columns.insert(join.mark.id, ColumnEstimate::of(2.0));
                estimate
            }
            Plan::Aggregate(aggregate) => self.of_aggregate(aggregate),
            Plan::Limit { input, limit, .. } => {
                let estimate = self.estimate(input);
                #[expect(clippy::cast_precision_loss, reason = "an estimate")]
                let rows = limit.map_or(estimate.rows, |limit| estimate.rows.min(limit as f64));
                estimate.with_rows(rows)
            }
            Plan::Distinct { input, on } => {
                let estimate = self.estimate(input);
                let ids = on.clone().unwrap_or_else(|| input.column_ids());
                let rows = estimate.combinations(&ids);
                estimate.with_rows(rows)
            }
            Plan::SetOperation { kind, inputs, fields } => {
                if *kind == SetOperationKind::UnionAll {
                    return union_all::of_all(inputs, fields, |input| self.estimate(input));
                }
                let rows = inputs.first().map_or(1.0, |first| self.rows(first));
                Estimate::of_unknown(rows, fields.iter().map(|field| field.id))
            }
            Plan::EnforceSingleRow { input } => self.estimate(input).with_rows(1.0),
            Plan::Unnest { input, .. } => {
                let source = self.estimate(input);
                Estimate { rows: source.rows * UNKNOWN_ELEMENTS, ..source }
            }
            Plan::Window { input, .. } | Plan::Sort { input, .. } => self.estimate(input),
            Plan::MatchRecognize(node) => self.estimate(&node.input),
        }
    }

    fn of_scan(&self, scan: &Scan) -> Estimate {
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let rows = scan.row_count.map_or(UNKNOWN_ROWS, |rows| rows as f64).max(1.0);
        let nothing = TableStatistics::new();
        let known = self.tables.get(scan.table).unwrap_or(&nothing);
        let first = scan.columns.first().map(|(field, _)| field.id);
        let columns = scan.columns.iter().map(|(field, name)| {
            let known = known.get(name).copied().unwrap_or_default();
            let column = ColumnEstimate::of_table(&known, rows);
            (field.id, ColumnEstimate { origin: first.map(|first| (first, rows)), ..column })
        });
        Estimate { rows, columns: columns.collect() }
    }

    fn of_join(&self, join: &Join) -> Estimate {
        let (left, right) = (self.estimate(&join.left), self.estimate(&join.right));
        let keys = |side: &Estimate, is_left: bool| {
            let keys = join.keys.iter().map(|key| side.of_expr(if is_left { &key.left } else { &key.right }));
            KeyEstimate::of(keys)
        };
        let (left_keys, right_keys) = (keys(&left, true), keys(&right, false));
        let inner = join_rows((left.rows, left_keys), (right.rows, right_keys));
        let mut both = Estimate { rows: inner, columns: left.columns.clone() };
        both.columns.extend(right.columns.iter().map(|(id, column)| (*id, *column)));
        let part = join.residual.as_ref().map_or(1.0, |residual| selectivity(residual, &both));
        let inner = inner * part;
        let mut matched = part_with_match(join, &left, &right) * part;
        if join.keys.len() > 1 {
            // The key with the fewest matches is a bound for all keys together. A row with a match is in the inner join.
            matched = matched.min(inner / left.rows.max(1.0));
        }
        let rows = match join.kind {
            JoinKind::Inner => inner,
            JoinKind::Left => inner.max(left.rows),
            JoinKind::Right => inner.max(right.rows),
            JoinKind::Full => inner.max(left.rows).max(right.rows),
            JoinKind::Single => left.rows,
            JoinKind::Semi => left.rows * matched,
            JoinKind::Anti => left.rows * (1.0 - matched),
        };
        // In a left row without a match, the right columns are NULL.
        let unmatched = |own: f64| (1.0 - inner / own.max(1.0)).max(UNKNOWN_UNMATCHED);
        if matches!(join.kind, JoinKind::Left | JoinKind::Full | JoinKind::Single) {
            both.set_null_part(right.columns.keys(), unmatched(left.rows));
        }
        if matches!(join.kind, JoinKind::Right | JoinKind::Full) {
            both.set_null_part(left.columns.keys(), unmatched(right.rows));
        }
        if matches!(join.kind, JoinKind::Inner | JoinKind::Semi) {
            for key in &join.keys {
                let (Some(one), Some(other)) = (key.left.as_column(), key.right.as_column()) else {
                    continue;
                };
                let least = both.column(one).distinct.min(both.column(other).distinct);
                for id in [one, other] {
                    both.columns.entry(id).and_modify(|column| column.distinct = least);
                }
            }
        }
        both.with_rows(rows)
    }

    fn of_aggregate(&self, aggregate: &Aggregate) -> Estimate {
        let source = self.estimate(&aggregate.input);
        let rows = if aggregate.keys.is_empty() { 1.0 } else { source.combinations(&aggregate.keys) };
        let mut columns: HashMap<ColumnId, ColumnEstimate> =
            aggregate.keys.iter().map(|key| (*key, source.column(*key))).collect();
        columns
            .extend(aggregate.aggregates.iter().map(|call| (call.output.id, of_call(call, &source, rows))));
        Estimate { rows, columns }.with_rows(rows)
    }
}

/// The results of an aggregate function for a number of groups. The minimum and the maximum of a column are among its values:
/// with a key of the same table they have no more combinations than the table has rows.
fn of_call(call: &AggregateCall, source: &Estimate, groups: f64) -> ColumnEstimate {
    match (call.function, call.args.as_slice()) {
        (AggregateFunction::Min | AggregateFunction::Max, [argument]) => source.of_expr(argument),
        _ => ColumnEstimate::unknown(groups),
    }
}

/// The estimated rows of an inner join. Each row matches the rows of the other side with its values, and the side with
/// fewer values has only values of the other side (Selinger et al., "Access Path Selection", 1979).
pub(in crate::passes) fn join_rows(left: (f64, KeyEstimate), right: (f64, KeyEstimate)) -> f64 {
    let ((left_rows, left), (right_rows, right)) = (left, right);
    let (left_within, right_within) = (left.within(left_rows, &right), right.within(right_rows, &left));
    let values = left_within.1.max(right_within.1).max(1.0);
    (left_within.0 * left.filled * right_within.0 * right.filled / values).max(1.0)
}

/// The fraction of the values of `of` that occur in `has`.
pub(in crate::passes) fn part_in(has: &ColumnEstimate, of: &ColumnEstimate) -> f64 {
    let (one, other) = (KeyEstimate::of(std::iter::once(*has)), KeyEstimate::of(std::iter::once(*of)));
    let (one, other) = (one.with_foreign_domain(&other), other.with_foreign_domain(&one));
    let (values, domain) = one.within(has.distinct, &other);
    (values / domain.max(other.within(of.distinct, &one).1).max(1.0)).min(1.0)
}

/// The fraction of left rows with a match in a semi join: that of the left values that occur in the right rows.
fn part_with_match(join: &Join, left: &Estimate, right: &Estimate) -> f64 {
    let parts = join.keys.iter().map(|key| {
        let (left, right) = (left.of_expr(&key.left), right.of_expr(&key.right));
        (1.0 - left.null_part) * part_in(&right, &left)
    });
    parts.reduce(f64::min).unwrap_or(1.0)
}

impl KeyEstimate {
    /// Combines the keys of one side.
    pub(in crate::passes) fn of(keys: impl Iterator<Item = ColumnEstimate>) -> Self {
        let keys: Vec<ColumnEstimate> = keys.collect();
        let filled = keys.iter().map(|key| 1.0 - key.null_part).product();
        let single = match keys.as_slice() {
            [key] => key.domain_range.zip(key.origin.map(|(_, rows)| rows)),
            _ => None,
        };
        let domain = combined(keys.iter().map(|key| (key.domain, key.origin)));
        let table_rows = keys.iter().filter_map(|key| key.origin).map(|(_, rows)| rows).fold(0.0, f64::max);
        let is_bound = matches!(keys.as_slice(), [key] if key.is_bound);
        Self { domain, is_bound, table_rows, filled, single }
    }

    /// Replaces an uncounted domain with that of the other side, if the other side's table is smaller: a foreign key is
    /// in a table with more rows than the table that it references.
    fn with_foreign_domain(self, other: &Self) -> Self {
        let is_foreign = self.is_bound && other.table_rows > 0.0 && self.table_rows > other.table_rows;
        if is_foreign { Self { domain: self.domain.min(other.domain), ..self } } else { self }
    }

    /// The rows and the domain within the other side's range. All rows of a filtered table are assumed to be within it:
    /// queries ask for existing data, such as sales of a year with sales, although a calendar has other years. If joins
    /// have multiplied the rows beyond the table's, the rows are reduced by the fraction of the range.
    fn within(self, rows: f64, other: &Self) -> (f64, f64) {
        let (Some(((low, high), table_rows)), Some(((other_low, other_high), _))) =
            (self.single, other.single)
        else {
            return (rows, self.domain);
        };
        let part = ((high.min(other_high) - low.max(other_low)) / (high - low)).clamp(0.0, 1.0);
        if !part.is_finite() {
            return (rows, self.domain);
        }
        (rows.min((table_rows.max(rows) * part).max(1.0)), (self.domain * part).max(1.0))
    }
}

impl ColumnEstimate {
    /// The number of distinct values without filters.
    pub(in crate::passes) const fn domain(&self) -> f64 {
        self.domain
    }

    const fn of(distinct: f64) -> Self {
        Self {
            domain: distinct,
            distinct,
            is_known: true,
            is_bound: false,
            null_part: 0.0,
            range: None,
            domain_range: None,
            origin: None,
        }
    }

    /// A column of which only the number of rows is known.
    const fn unknown(rows: f64) -> Self {
        Self { is_known: false, ..Self::of(rows) }
    }

    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    fn of_table(known: &ColumnStatistics, rows: f64) -> Self {
        let null_part = known.null_count.map_or(0.0, |nulls| (nulls as f64 / rows).min(1.0));
        let values = rows * (1.0 - null_part);
        let distinct = known.distinct_count.map(|count| (count as f64).min(values).max(1.0));
        let column = distinct.map_or_else(|| Self::unknown(values.max(1.0)), Self::of);
        let is_bound = known.is_bound && known.distinct_count.is_some();
        Self { null_part, range: known.range, domain_range: known.range, is_bound, ..column }
    }
}

impl Estimate {
    fn of_unknown(rows: f64, columns: impl Iterator<Item = ColumnId>) -> Self {
        Self { rows, columns: columns.map(|id| (id, ColumnEstimate::unknown(rows))).collect() }
    }

    /// The estimate of a column.
    pub(in crate::passes) fn column(&self, id: ColumnId) -> ColumnEstimate {
        self.columns.get(&id).copied().unwrap_or_else(|| ColumnEstimate::unknown(self.rows))
    }

    /// Raises the NULL fraction of columns to at least `part`.
    fn set_null_part<'c>(&mut self, columns: impl Iterator<Item = &'c ColumnId>, part: f64) {
        for id in columns {
            self.columns.entry(*id).and_modify(|column| column.null_part = column.null_part.max(part));
        }
    }

    /// Adds the columns of another estimate.
    pub(in crate::passes) fn extend(&mut self, other: &Self) {
        self.columns.extend(other.columns.iter().map(|(id, column)| (*id, *column)));
        self.rows = self.rows.max(other.rows);
    }

    /// The fraction of rows for which a predicate is TRUE.
    pub(in crate::passes) fn selectivity(&self, predicate: &Expr) -> f64 {
        selectivity(predicate, self)
    }

    /// The range of a column.
    pub(in crate::passes) fn range(&self, id: ColumnId) -> Option<(f64, f64)> {
        self.column(id).range
    }

    /// The estimate of an expression: it has at most as many values as its columns have combinations.
    fn of_expr(&self, expr: &Expr) -> ColumnEstimate {
        if let Some(id) = expr.as_column() {
            return self.column(id);
        }
        let ids = expr.columns();
        if expr.is_random() {
            return ColumnEstimate::unknown(self.rows);
        }
        let columns = || ids.iter().map(|id| self.column(*id));
        let combined = |values: &dyn Fn(&ColumnEstimate) -> f64| {
            combined(columns().map(|column| (values(&column), column.origin))).min(self.rows).max(1.0)
        };
        ColumnEstimate {
            domain: combined(&|column| column.domain),
            distinct: combined(&|column| column.distinct),
            is_known: columns().all(|column| column.is_known),
            is_bound: columns().any(|column| column.is_bound),
            null_part: columns().map(|column| column.null_part).fold(0.0, f64::max),
            range: None,
            domain_range: None,
            origin: columns().next().and_then(|column| column.origin),
        }
    }

    /// The estimate after a filter.
    fn filtered(self, predicate: &Expr) -> Self {
        let rows = self.rows * selectivity(predicate, &self);
        let narrowed = selectivity::ranges(predicate, &self);
        let named = selectivity::named_values(predicate);
        let mut filtered = self.with_rows(rows);
        for (id, count) in named {
            filtered.columns.entry(id).and_modify(|column| column.distinct = column.distinct.min(count));
        }
        for (id, part, range) in narrowed {
            filtered.columns.entry(id).and_modify(|column| {
                // A range predicate removes values, not a fraction of each value's rows.
                column.distinct = (column.domain * part).clamp(1.0, filtered.rows.max(1.0));
                column.range = Some(range);
            });
        }
        filtered
    }

    /// The estimate of a random sample with this number of rows.
    fn with_rows(mut self, rows: f64) -> Self {
        let rows = rows.max(1.0);
        let part = rows / self.rows.max(1.0);
        for column in self.columns.values_mut() {
            column.distinct = distinct_in_sample(column.distinct, self.rows, part).min(rows);
        }
        Self { rows, ..self }
    }

    /// The number of combinations of values of columns.
    pub(in crate::passes) fn combinations(&self, ids: &[ColumnId]) -> f64 {
        let columns = ids.iter().map(|id| {
            let column = self.column(*id);
            let null = if column.null_part > 0.0 { 1.0 } else { 0.0 };
            (column.distinct + null, column.origin)
        });
        combined(columns).min(self.rows).max(1.0)
    }
}

/// The number of combinations of columns with these distinct counts. Columns of one table have at most as many
/// combinations as the table has rows.
fn combined(columns: impl Iterator<Item = (f64, Option<(ColumnId, f64)>)>) -> f64 {
    let mut tables: HashMap<ColumnId, (f64, f64)> = HashMap::new();
    let mut all = 1.0_f64;
    for (values, origin) in columns {
        match origin {
            Some((table, rows)) => tables.entry(table).or_insert((1.0, rows)).0 *= values.max(1.0),
            None => all *= values.max(1.0),
        }
    }
    tables.values().map(|(values, rows)| values.min(*rows)).product::<f64>() * all
}

/// The expected number of distinct values in a sample with a fraction of the rows, if all values are equally frequent
/// (Cardenas' formula).
fn distinct_in_sample(values: f64, rows: f64, part: f64) -> f64 {
    if part >= 1.0 || values <= 0.0 {
        return values;
    }
    values * (1.0 - (1.0 - part).powf((rows / values).max(1.0)))
}

#[expect(clippy::cast_precision_loss, reason = "an estimate")]
pub(in crate::passes) const fn to_f64(count: usize) -> f64 {
    count as f64
}
