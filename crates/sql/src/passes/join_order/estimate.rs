//! How many rows a plan gives, guessed from the numbers of rows of its tables. Only the order of joins depends
//! on it, never a result.

use std::collections::HashMap;

use crate::expr::{ComparisonOperator, Expr, ExprKind, Value};
use crate::plan::{Aggregate, ColumnId, Join, JoinKind, Plan, SetOperationKind};

/// Rows of a table whose files do not tell.
const UNKNOWN_ROWS: f64 = 100_000.0;
/// The part of the rows whose value is a certain one.
const EQUAL: f64 = 0.02;
/// As [`EQUAL`], where the value is a letter, of which a column has few.
const EQUAL_TO_A_LETTER: f64 = 0.2;

/// A guess about a plan.
#[derive(Clone, Debug, Default)]
pub(in crate::passes) struct Estimate {
    /// Rows that it gives.
    pub(super) rows: f64,
    /// For each column the values that it could have: the rows of the table it comes from.
    pub(super) domains: HashMap<ColumnId, f64>,
}

/// Guesses about plans; knows those of the shared plans.
#[derive(Debug, Default)]
pub(in crate::passes) struct Estimator {
    shared: Vec<Estimate>,
}

impl Estimator {
    /// Over the shared plans of a statement, each of which names earlier ones only.
    pub(in crate::passes) fn new(shared: &[Plan]) -> Self {
        let mut estimator = Self::default();
        for plan in shared {
            let estimate = estimator.estimate(plan);
            estimator.shared.push(estimate);
        }
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

    /// The values that a plan's column could have, if no filter dropped any.
    pub(in crate::passes) fn domain(&self, plan: &Plan, column: ColumnId) -> Option<f64> {
        self.values(plan, column, &|estimate, column| estimate.domains.get(&column).copied())
    }

    /// The different values that a plan's column has.
    pub(in crate::passes) fn distinct(&self, plan: &Plan, column: ColumnId) -> Option<f64> {
        self.values(plan, column, &|Estimate { rows, domains }, column| {
            Some(domains.get(&column)?.min(*rows))
        })
    }

    /// The least of what a plan tells of a column and what those tell that it comes from: a key's column has no values that
    /// the other side's has not.
    fn values(
        &self,
        plan: &Plan,
        column: ColumnId,
        told: &impl Fn(&Estimate, ColumnId) -> Option<f64>,
    ) -> Option<f64> {
        let own = told(&self.estimate(plan), column)?;
        let others = match plan {
            Plan::Filter { input, .. } | Plan::Sort { input, .. } | Plan::Limit { input, .. } => {
                self.values(input, column, told)
            }
            Plan::Join(join) if matches!(join.kind, JoinKind::Inner | JoinKind::Semi) => {
                let is_left = join.left.column_ids().contains(&column);
                let (side, other) =
                    if is_left { (&join.left, &join.right) } else { (&join.right, &join.left) };
                let keys = join.keys.iter().filter_map(|key| {
                    let sides = (key.left.as_column()?, key.right.as_column()?);
                    let (side_key, other_key) = if is_left { sides } else { (sides.1, sides.0) };
                    (side_key == column).then_some(other_key)
                });
                // One look at the other side: to follow its keys, too, would double with each join.
                let mut keys = keys.peekable();
                let other = keys.peek().is_some().then(|| self.estimate(other));
                let others = keys.filter_map(|key| told(other.as_ref()?, key));
                others.chain(self.values(side, column, told)).reduce(f64::min)
            }
            _ => None,
        };
        Some(others.map_or(own, |others| others.min(own)))
    }

    pub(super) fn estimate(&self, plan: &Plan) -> Estimate {
        match plan {
            Plan::Scan(scan) => {
                #[expect(clippy::cast_precision_loss, reason = "a guess")]
                let rows = scan.row_count.map_or(UNKNOWN_ROWS, |rows| rows as f64).max(1.0);
                Estimate { rows, domains: scan.columns.iter().map(|(field, _)| (field.id, rows)).collect() }
            }
            Plan::Values { fields, rows } => {
                #[expect(clippy::cast_precision_loss, reason = "a guess")]
                let rows = rows.len() as f64;
                Estimate { rows, domains: fields.iter().map(|field| (field.id, rows)).collect() }
            }
            Plan::Shared { id, columns, .. } => {
                let source = self.shared.get(id.0).cloned().unwrap_or_default();
                let domains = columns
                    .iter()
                    .map(|(field, from)| (field.id, source.domains.get(from).copied().unwrap_or(source.rows)))
                    .collect();
                Estimate { rows: source.rows, domains }
            }
            Plan::Filter { input, predicate } => {
                let mut estimate = self.estimate(input);
                let is_having = matches!(**input, Plan::Aggregate(_));
                let factor = if is_having { 0.1 } else { selectivity(predicate) };
                estimate.rows = (estimate.rows * factor).max(1.0);
                estimate
            }
            Plan::Project { input, columns } => {
                let source = self.estimate(input);
                let domains = columns
                    .iter()
                    .map(|(field, expr)| {
                        let domain = expr.as_column().and_then(|id| source.domains.get(&id).copied());
                        (field.id, domain.unwrap_or(source.rows))
                    })
                    .collect();
                Estimate { rows: source.rows, domains }
            }
            Plan::Join(join) => self.estimate_join(join),
            Plan::MarkJoin(join) => self.estimate(&join.left),
            Plan::Aggregate(Aggregate { input, keys, aggregates }) => {
                let source = self.estimate(input);
                let rows = if keys.is_empty() {
                    1.0
                } else {
                    let groups: f64 = keys
                        .iter()
                        .map(|key| source.domains.get(key).copied().unwrap_or(source.rows))
                        .product();
                    groups.min(source.rows * 0.25).max(1.0)
                };
                let mut domains: HashMap<ColumnId, f64> = keys
                    .iter()
                    .map(|key| (*key, source.domains.get(key).copied().unwrap_or(source.rows)))
                    .collect();
                domains.extend(aggregates.iter().map(|call| (call.output.id, rows)));
                Estimate { rows, domains }
            }
            Plan::Limit { input, limit, .. } => {
                let mut estimate = self.estimate(input);
                if let Some(limit) = limit {
                    #[expect(clippy::cast_precision_loss, reason = "a guess")]
                    let limit = *limit as f64;
                    estimate.rows = estimate.rows.min(limit);
                }
                estimate
            }
            Plan::SetOperation { kind, inputs, fields } => {
                let estimates: Vec<Estimate> = inputs.iter().map(|input| self.estimate(input)).collect();
                let rows = match kind {
                    SetOperationKind::UnionAll => estimates.iter().map(|estimate| estimate.rows).sum(),
                    _ => estimates.first().map_or(1.0, |estimate| estimate.rows),
                };
                Estimate { rows, domains: fields.iter().map(|field| (field.id, rows)).collect() }
            }
            Plan::EnforceSingleRow { input } => Estimate { rows: 1.0, ..self.estimate(input) },
            Plan::Unnest { input, .. } => {
                let source = self.estimate(input);
                Estimate { rows: source.rows * 3.0, ..source }
            }
            Plan::Window { input, .. } | Plan::Sort { input, .. } | Plan::Distinct { input, .. } => {
                self.estimate(input)
            }
        }
    }

    fn estimate_join(&self, join: &Join) -> Estimate {
        let (left, right) = (self.estimate(&join.left), self.estimate(&join.right));
        let rows = match join.kind {
            JoinKind::Semi => left.rows * part_with_match(join, &left, &right),
            JoinKind::Anti => left.rows * 0.5,
            JoinKind::Single => left.rows,
            kind => {
                let mut rows = left.rows * right.rows;
                for key in &join.keys {
                    let domain = |estimate: &Estimate, expr: &Expr| {
                        expr.as_column()
                            .and_then(|id| estimate.domains.get(&id).copied())
                            .unwrap_or(estimate.rows)
                    };
                    rows /= domain(&left, &key.left).min(domain(&right, &key.right)).max(1.0);
                }
                if join.residual.is_some() {
                    rows *= 0.3;
                }
                match kind {
                    JoinKind::Left => rows.max(left.rows),
                    JoinKind::Right => rows.max(right.rows),
                    JoinKind::Full => rows.max(left.rows).max(right.rows),
                    _ => rows,
                }
            }
        };
        let mut domains = left.domains;
        domains.extend(right.domains);
        Estimate { rows: rows.max(1.0), domains }
    }
}

/// The part of the left rows for which a semi join has a match: the part of a key's values that the right rows have.
fn part_with_match(join: &Join, left: &Estimate, right: &Estimate) -> f64 {
    let parts = join.keys.iter().filter_map(|key| {
        let left_values = left.domains.get(&key.left.as_column()?)?;
        let values = left_values.min(*right.domains.get(&key.right.as_column()?)?);
        Some(right.rows / values.max(1.0))
    });
    parts.reduce(f64::max).map_or(0.5, |part| part.clamp(0.001, 1.0))
}

/// Whether it is a text of one character, as flags and states are written.
fn is_letter(expr: &Expr) -> bool {
    matches!(expr.as_literal(), Some(Value::Varchar(text)) if text.chars().nth(1).is_none())
}

/// The part of the rows that a predicate keeps.
pub(super) fn selectivity(predicate: &Expr) -> f64 {
    match &predicate.kind {
        ExprKind::And(parts) => parts.iter().map(selectivity).product(),
        ExprKind::Or(parts) => parts.iter().map(selectivity).sum::<f64>().min(1.0),
        ExprKind::Not(inner) => (1.0 - selectivity(inner)).max(0.1),
        ExprKind::Comparison { operator, left, right } => match operator {
            ComparisonOperator::Equal | ComparisonOperator::IsNotDistinctFrom => {
                if is_letter(left) || is_letter(right) { EQUAL_TO_A_LETTER } else { EQUAL }
            }
            ComparisonOperator::NotEqual | ComparisonOperator::IsDistinctFrom => 0.9,
            _ => 0.4,
        },
        #[expect(clippy::cast_precision_loss, reason = "a guess")]
        ExprKind::InList { list, .. } => (0.05 * list.len() as f64).min(0.5),
        ExprKind::Like { .. } => 0.1,
        ExprKind::IsNull(_) => 0.1,
        _ => 0.5,
    }
}
