//! Collects the columns whose statistics are needed before join order and the like are chosen, and those of which the
//! number of distinct values is needed.

use std::collections::{HashMap, HashSet};

use super::Analyzed;
use crate::expr::{ComparisonOperator, Expr, ExprKind};
use crate::plan::{ColumnId, JoinKey, Plan};
use crate::statement::TableSchemas;
use crate::statistics::RequestedColumn;

/// Requests statistics for the columns that the statement names, if a decision depends on them: on all in a plan with joins,
/// on ranges alone where grouping keys are computed.
pub(super) fn collect(analyzed: &mut Analyzed, schemas: &mut dyn TableSchemas, is_shown: bool) {
    let mut requested = Requested::default();
    // Upper nodes first: whether a column is a key there decides whether its source is one.
    requested.add(&analyzed.plan);
    analyzed.shared.iter().rev().for_each(|plan| requested.add(plan));
    if !requested.has_join && !is_shown {
        if !requested.has_computed_keys {
            return;
        }
        requested.keys.clear();
    }
    for (index, table) in analyzed.tables.iter().enumerate() {
        let columns: Vec<RequestedColumn<'_>> = requested.of_table(index);
        analyzed.statistics.push(schemas.statistics(table, &columns));
    }
}

#[derive(Default)]
struct Requested {
    has_join: bool,
    /// Whether a grouping key may fail, unless its operands are small enough.
    has_computed_keys: bool,
    named: HashSet<ColumnId>,
    keys: HashSet<ColumnId>,
    /// Table index, column and column name.
    scanned: Vec<(usize, ColumnId, String)>,
}

impl Requested {
    fn add(&mut self, plan: &Plan) {
        plan.visit(&mut |node| self.add_node(node));
    }

    fn add_node(&mut self, node: &Plan) {
        match node {
            Plan::Scan(scan) => {
                let columns = scan.columns.iter().map(|(field, name)| (scan.table, field.id, name.clone()));
                self.scanned.extend(columns);
            }
            Plan::Aggregate(aggregate) => {
                if let Plan::Project { columns, .. } = &*aggregate.input {
                    self.has_computed_keys |= columns.iter().any(|(field, expr)| {
                        aggregate.keys.contains(&field.id)
                            && expr.any(&|part| matches!(part.kind, ExprKind::Arithmetic { .. }))
                    });
                }
                self.named.extend(aggregate.keys.iter().copied());
                self.keys.extend(aggregate.keys.iter().copied());
                self.add_expressions(node);
            }
            Plan::Distinct { input, on } => {
                self.keys.extend(on.clone().unwrap_or_else(|| input.column_ids()));
            }
            // A shared plan's columns have other ids at each use.
            Plan::Shared { columns, .. } => {
                for (field, source) in columns {
                    self.named.insert(*source);
                    self.pass_on(field.id, *source);
                }
            }
            Plan::SetOperation { inputs, fields, .. } => {
                for input in inputs {
                    fields.iter().zip(input.column_ids()).for_each(|(field, id)| self.pass_on(field.id, id));
                }
            }
            Plan::Project { columns, .. } => {
                self.add_expressions(node);
                for (field, expr) in columns {
                    expr.columns().into_iter().for_each(|id| self.pass_on(field.id, id));
                }
            }
            Plan::Filter { .. } => self.add_expressions(node),
            Plan::Join(join) => {
                self.has_join = true;
                self.add_expressions(node);
                self.add_keys(&join.keys);
            }
            Plan::MarkJoin(join) => {
                self.has_join = true;
                self.add_expressions(node);
                self.add_keys(&join.keys);
                self.add_keys(join.in_key.as_slice());
            }
            _ => {}
        }
    }

    /// Adds the columns of a node's expressions. Columns in an equality of two sides become keys of a join.
    fn add_expressions(&mut self, node: &Plan) {
        for expr in node.expressions() {
            self.named.extend(expr.columns());
            expr.visit(&mut |part| {
                let ExprKind::Comparison { operator: ComparisonOperator::Equal, left, right } = &part.kind
                else {
                    return;
                };
                let (left, right) = (left.columns(), right.columns());
                if !left.is_empty() && !right.is_empty() {
                    self.keys.extend(left.into_iter().chain(right));
                }
            });
        }
    }

    fn add_keys(&mut self, keys: &[JoinKey]) {
        let sides = keys.iter().flat_map(|key| [&key.left, &key.right]);
        self.keys.extend(sides.flat_map(Expr::columns));
    }

    fn pass_on(&mut self, above: ColumnId, below: ColumnId) {
        if self.keys.contains(&above) {
            self.keys.insert(below);
        }
    }

    /// The columns of a table that the statement names, by name.
    fn of_table(&self, table: usize) -> Vec<RequestedColumn<'_>> {
        let mut columns: HashMap<&str, bool> = HashMap::new();
        for (_, id, name) in self.scanned.iter().filter(|(scanned, ..)| *scanned == table) {
            if self.named.contains(id) || self.keys.contains(id) {
                *columns.entry(name).or_default() |= self.keys.contains(id);
            }
        }
        let mut requested: Vec<_> =
            columns.into_iter().map(|(name, is_key)| RequestedColumn { name, is_key }).collect();
        requested.sort_unstable();
        requested
    }
}
