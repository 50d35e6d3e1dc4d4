//! The cardinality model: estimates of a plan's rows, and of the distinct values of its columns, from the statistics of
//! its tables. All passes that choose use it. A choice depends on it, never a result.

use std::collections::HashMap;

use self::selectivity::selectivity;
use crate::expr::Expr;
use crate::plan::{Aggregate, ColumnId, Join, JoinKind, Plan, Scan, SetOperationKind};
use crate::statistics::{ColumnStatistics, TableStatistics};

mod selectivity;
#[cfg(test)]
pub(super) mod tests;
mod union_all;

/// Rows of a table whose files do not tell.
const UNKNOWN_ROWS: f64 = 100_000.0;
/// The part of an outer join's rows without a match, where the values would have one for each.
const UNKNOWN_UNMATCHED: f64 = 0.05;
/// Elements of an array of which nothing is known.
const UNKNOWN_ELEMENTS: f64 = 3.0;

/// What is believed of a plan's rows.
#[derive(Clone, Debug, Default)]
pub(in crate::passes) struct Estimate {
    /// Rows that it gives.
    pub(in crate::passes) rows: f64,
    columns: HashMap<ColumnId, ColumnEstimate>,
}

/// What is believed of a column's values.
#[derive(Clone, Copy, Debug)]
pub(in crate::passes) struct ColumnEstimate {
    /// Different values that it could have, if no filter dropped any.
    domain: f64,
    /// Different values that it has.
    distinct: f64,
    /// Whether the table's files told how many, or they are no more than they could be.
    is_known: bool,
    /// Whether `domain` is a bound, which nobody has counted.
    is_bound: bool,
    /// The part of the rows in which it is NULL.
    null_part: f64,
    /// The least and the greatest value.
    range: Option<(f64, f64)>,
    /// As `range`, if no filter dropped any.
    domain_range: Option<(f64, f64)>,
    /// The first column of the table that it is of, and that table's rows.
    origin: Option<(ColumnId, f64)>,
}

/// One side of the keys of a join.
#[derive(Clone, Copy, Debug)]
pub(in crate::passes) struct KeyEstimate {
    /// Combinations of values that the keys could have.
    pub(in crate::passes) domain: f64,
    /// Whether `domain` is a bound, which nobody has counted: of one key alone.
    is_bound: bool,
    /// Rows of the largest table that the keys are of; 0 where they are of none.
    table_rows: f64,
    /// The part of the rows in which none is NULL.
    pub(in crate::passes) filled: f64,
    /// Of one key alone: its range, and the rows of its table.
    single: Option<((f64, f64), f64)>,
}

/// Estimates plans; knows those of the shared plans.
#[derive(Debug)]
pub(in crate::passes) struct Estimator<'a> {
    tables: &'a [TableStatistics],
    shared: Vec<Estimate>,
}

impl<'a> Estimator<'a> {
    /// With what is known of the tables, by their index, and no shared plan yet.
    pub(in crate::passes) const fn new(tables: &'a [TableStatistics]) -> Self {
        Self { tables, shared: Vec::new() }
    }

    /// Of a statement whose shared plans each name earlier ones only.
    pub(in crate::passes) fn with_shared(tables: &'a [TableStatistics], shared: &[Plan]) -> Self {
        let mut estimator = Self::new(tables);
        shared.iter().for_each(|plan| estimator.share(plan));
        estimator
    }

    /// One more shared plan, after those that it names.
    pub(in crate::passes) fn share(&mut self, plan: &Plan) {
        let estimate = self.estimate(plan);
        self.shared.push(estimate);
    }

    /// Rows that a plan gives.
    pub(in crate::passes) fn rows(&self, plan: &Plan) -> f64 {
        self.estimate(plan).rows
    }

    /// What is believed of a plan.
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
        let matched = part_with_match(join, &left, &right) * part;
        let rows = match join.kind {
            JoinKind::Inner => inner,
            JoinKind::Left => inner.max(left.rows),
            JoinKind::Right => inner.max(right.rows),
            JoinKind::Full => inner.max(left.rows).max(right.rows),
            JoinKind::Single => left.rows,
            JoinKind::Semi => left.rows * matched,
            JoinKind::Anti => left.rows * (1.0 - matched),
        };
        // A left row without a match has NULLs there.
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
            .extend(aggregate.aggregates.iter().map(|call| (call.output.id, ColumnEstimate::unknown(rows))));
        Estimate { rows, columns }.with_rows(rows)
    }
}

/// Pairs of an inner join: each row of a side meets those of the other side that have its values, of which the side with
/// fewer has all among those of the other (Selinger et al., "Access Path Selection", 1979).
pub(in crate::passes) fn join_rows(left: (f64, KeyEstimate), right: (f64, KeyEstimate)) -> f64 {
    let ((left_rows, left), (right_rows, right)) = (left, right);
    let (left_within, right_within) = (left.within(left_rows, &right), right.within(right_rows, &left));
    let values = left_within.1.max(right_within.1).max(1.0);
    (left_within.0 * left.filled * right_within.0 * right.filled / values).max(1.0)
}

/// The part of a key's values that another side has.
pub(in crate::passes) fn part_in(has: &ColumnEstimate, of: &ColumnEstimate) -> f64 {
    let (one, other) = (KeyEstimate::of(std::iter::once(*has)), KeyEstimate::of(std::iter::once(*of)));
    let (one, other) = (one.counted_by(&other), other.counted_by(&one));
    let (values, domain) = one.within(has.distinct, &other);
    (values / domain.max(other.within(of.distinct, &one).1).max(1.0)).min(1.0)
}

/// The part of the left rows for which a semi join has a match: the part of the left values that the right rows have.
fn part_with_match(join: &Join, left: &Estimate, right: &Estimate) -> f64 {
    let parts = join.keys.iter().map(|key| {
        let (left, right) = (left.of_expr(&key.left), right.of_expr(&key.right));
        (1.0 - left.null_part) * part_in(&right, &left)
    });
    parts.reduce(f64::min).unwrap_or(1.0)
}

impl KeyEstimate {
    /// Of the keys of one side.
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

    /// Values that nobody has counted are taken for those of the other side where that is of a smaller table: a foreign key is
    /// in the table that has more rows than the one that it names.
    fn counted_by(self, other: &Self) -> Self {
        let is_foreign = self.is_bound && other.table_rows > 0.0 && self.table_rows > other.table_rows;
        if is_foreign { Self { domain: self.domain.min(other.domain), ..self } } else { self }
    }

    /// What is left where the other side has values. Of a table that is filtered those rows are left that lie there: people
    /// ask for what there is, for sales of a year in which things were sold, although a calendar has others. Where joins have
    /// made more rows than the table has, that part of them is left.
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
    /// Different values that it could have.
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

    /// Of which only the rows are known.
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

    /// What is believed of a column.
    pub(in crate::passes) fn column(&self, id: ColumnId) -> ColumnEstimate {
        self.columns.get(&id).copied().unwrap_or_else(|| ColumnEstimate::unknown(self.rows))
    }

    /// At least so many NULLs in columns.
    fn set_null_part<'c>(&mut self, columns: impl Iterator<Item = &'c ColumnId>, part: f64) {
        for id in columns {
            self.columns.entry(*id).and_modify(|column| column.null_part = column.null_part.max(part));
        }
    }

    /// The columns of another one, too.
    pub(in crate::passes) fn extend(&mut self, other: &Self) {
        self.columns.extend(other.columns.iter().map(|(id, column)| (*id, *column)));
        self.rows = self.rows.max(other.rows);
    }

    /// The part of the rows for which a predicate is TRUE.
    pub(in crate::passes) fn selectivity(&self, predicate: &Expr) -> f64 {
        selectivity(predicate, self)
    }

    /// The least and the greatest number of a column.
    pub(in crate::passes) fn range(&self, id: ColumnId) -> Option<(f64, f64)> {
        self.column(id).range
    }

    /// What is believed of an expression over the columns: it has no more values than they have combinations.
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

    /// Rows that a predicate keeps.
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
                // What bounds a column drops values, and not rows of each.
                column.distinct = (column.domain * part).clamp(1.0, filtered.rows.max(1.0));
                column.range = Some(range);
            });
        }
        filtered
    }

    /// As many of the rows, whichever.
    fn with_rows(mut self, rows: f64) -> Self {
        let rows = rows.max(1.0);
        let part = rows / self.rows.max(1.0);
        for column in self.columns.values_mut() {
            column.distinct = drawn(column.distinct, self.rows, part).min(rows);
        }
        Self { rows, ..self }
    }

    /// The combinations of values that columns have.
    pub(in crate::passes) fn combinations(&self, ids: &[ColumnId]) -> f64 {
        let columns = ids.iter().map(|id| {
            let column = self.column(*id);
            let null = if column.null_part > 0.0 { 1.0 } else { 0.0 };
            (column.distinct + null, column.origin)
        });
        combined(columns).min(self.rows).max(1.0)
    }
}

/// The combinations of columns with so many values each. Those of one table have no more than that has rows.
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

/// How many of so many values are left where a part of the rows is drawn, each value having as many rows as any other
/// (Cardenas' formula).
fn drawn(values: f64, rows: f64, part: f64) -> f64 {
    if part >= 1.0 || values <= 0.0 {
        return values;
    }
    values * (1.0 - (1.0 - part).powf((rows / values).max(1.0)))
}

#[expect(clippy::cast_precision_loss, reason = "an estimate")]
const fn to_f64(count: usize) -> f64 {
    count as f64
}
