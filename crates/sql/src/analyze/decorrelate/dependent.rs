//! Decorrelation of subqueries of any shape, after T. Neumann and A. Kemper ("Unnesting Arbitrary Queries", BTW 2015):
//! the subquery is computed once for every combination of values of the enclosing query's columns (its domain), which
//! is propagated through all of its nodes, and joined with the enclosing query.
//!
//! `decorrelate.rs` is tried first: it needs no domain and gives a cheaper plan.

use std::collections::{HashMap, HashSet};

use rowhouse_model::ErrorLocation;

use super::{Free, refused, without_limit};
use crate::analyze::context::{Analyzer, Pending, PendingKind, Relation};
use crate::error::Result;
use crate::expr::Expr;
use crate::plan::{ColumnId, Field, Join, JoinKey, JoinKind, MarkJoin, Plan};

mod carry;
mod groups;
mod joins;

/// The values for which a subquery is computed: the distinct rows of the enclosing query's columns.
pub(super) struct Domain {
    /// A plan whose output columns are `outer`.
    rows: Plan,
    outer: Vec<Field>,
}

/// A subquery with its domain's columns beside its own.
pub(super) struct Dependent {
    plan: Plan,
    /// For each outer column, the column of the plan that has its value.
    values: HashMap<ColumnId, Field>,
}

impl Dependent {
    fn definitions(&self) -> HashMap<ColumnId, Expr> {
        self.values
            .iter()
            .map(|(outer, field)| (*outer, Expr::column(field.id, field.data_type.clone())))
            .collect()
    }

    /// The columns that hold the domain, in the domain's order.
    fn fields(&self, domain: &Domain) -> Vec<Field> {
        domain.outer.iter().filter_map(|outer| self.values.get(&outer.id).cloned()).collect()
    }
}

impl Domain {
    fn ids(&self) -> HashSet<ColumnId> {
        self.outer.iter().map(|field| field.id).collect()
    }

    /// Equalities of the domain's columns: those of the enclosing query (or of `left`) with the subquery's.
    fn keys(&self, left: &HashMap<ColumnId, Field>, right: &Dependent) -> Vec<JoinKey> {
        self.outer
            .iter()
            .filter_map(|outer| {
                let (left, right) = (left.get(&outer.id)?, right.values.get(&outer.id)?);
                Some(JoinKey {
                    left: Expr::column(left.id, left.data_type.clone()),
                    right: Expr::column(right.id, right.data_type.clone()),
                    null_equals_null: true,
                })
            })
            .collect()
    }

    fn own(&self) -> HashMap<ColumnId, Field> {
        self.outer.iter().map(|field| (field.id, field.clone())).collect()
    }
}

impl Analyzer<'_> {
    /// Joins a subquery that `decorrelate.rs` could not decorrelate.
    pub(in crate::analyze) fn attach_dependent(
        &mut self,
        plan: Plan,
        pending: Pending,
        free: &Free,
    ) -> Result<Plan> {
        let Pending { kind, relation, place } = pending;
        let Relation { plan: right, fields } = relation;
        let right = if matches!(kind, PendingKind::Exists(_)) { without_limit(right) } else { right };
        if plan.column_ids().iter().all(|column| !free.contains(column)) {
            // It names only columns of queries further out.
            let relation = Relation { plan: right, fields };
            return Ok(self.attach_uncorrelated(plan, Pending { kind, relation, place }));
        }
        let (keys, right) = self.depend(&plan, right, free, place)?;
        let left = Box::new(plan);
        Ok(match kind {
            PendingKind::Exists(mark) => Plan::MarkJoin(MarkJoin {
                left,
                right: Box::new(right),
                keys,
                residual: None,
                in_key: None,
                mark,
            }),
            PendingKind::In { mark, key } => {
                let in_key = Some(key);
                Plan::MarkJoin(MarkJoin { left, right: Box::new(right), keys, residual: None, in_key, mark })
            }
            PendingKind::Scalar(outputs) => {
                let mut columns = left.passed_on();
                let joined = Plan::join(JoinKind::Single, *left, right, keys, None);
                let values = fields.into_iter().map(|field| Expr::column(field.id, field.data_type));
                columns.extend(outputs.into_iter().zip(values));
                Plan::Project { input: Box::new(joined), columns }
            }
        })
    }

    /// A query that names columns of `left`, computed for all of their values, and the keys that join it to `left`.
    pub(in crate::analyze) fn depend(
        &mut self,
        left: &Plan,
        right: Plan,
        free: &Free,
        place: Option<ErrorLocation>,
    ) -> Result<(Vec<JoinKey>, Plan)> {
        let domain = self.domain(left, free, place)?;
        let dependent = self.push(right, &domain, place)?;
        Ok((domain.keys(&domain.own(), &dependent), dependent.plan))
    }

    fn domain(&mut self, left: &Plan, free: &Free, place: Option<ErrorLocation>) -> Result<Domain> {
        let outer: Vec<Field> = left.fields().into_iter().filter(|field| free.contains(&field.id)).collect();
        let wanted: HashSet<ColumnId> = outer.iter().map(|field| field.id).collect();
        let source = smallest_source(left, &wanted);
        self.spend_on_plan(source, place)?;
        let mut is_random = false;
        source.visit(&mut |node| {
            is_random |= node.expressions().into_iter().any(Expr::is_random);
        });
        if is_random {
            return Err(refused(place, "a random value in the enclosing query"));
        }
        let columns = outer.iter().cloned().map(Field::passed_on).collect();
        let rows = Plan::Project { input: Box::new(source.clone()), columns };
        Ok(Domain { rows: Plan::Distinct { input: Box::new(rows), on: None }, outer })
    }

    /// A copy of the domain under new ids.
    fn instance(&mut self, domain: &Domain, place: Option<ErrorLocation>) -> Result<Dependent> {
        self.spend_on_plan(&domain.rows, place)?;
        let (plan, ids) = domain.rows.copied(&mut self.next_column);
        let values = domain
            .outer
            .iter()
            .filter_map(|field| Some((field.id, Field { id: *ids.get(&field.id)?, ..field.clone() })))
            .collect();
        // The projection passes the columns on under the ids of its source, which `copied` has renamed.
        Ok(Dependent { plan, values })
    }
}

fn columns_of(fields: &[Field]) -> Vec<Expr> {
    fields.iter().map(|field| Expr::column(field.id, field.data_type.clone())).collect()
}

fn substituted_key(key: JoinKey, definitions: &HashMap<ColumnId, Expr>) -> JoinKey {
    JoinKey { left: key.left.substituted(definitions), right: key.right.substituted(definitions), ..key }
}

/// The smallest part of a plan that has the wanted columns with at least the values that the plan has.
fn smallest_source<'p>(plan: &'p Plan, wanted: &HashSet<ColumnId>) -> &'p Plan {
    let has_columns = |plan: &Plan| {
        let own: HashSet<ColumnId> = plan.column_ids().into_iter().collect();
        wanted.is_subset(&own)
    };
    match plan {
        Plan::Filter { input, .. } | Plan::Sort { input, .. } | Plan::Window { input, .. }
            if has_columns(input) =>
        {
            smallest_source(input, wanted)
        }
        Plan::Join(join) if join.kind == JoinKind::Inner && has_columns(&join.right) => {
            smallest_source(&join.right, wanted)
        }
        Plan::Join(Join { kind, left, .. })
            if !matches!(kind, JoinKind::Right | JoinKind::Full) && has_columns(left) =>
        {
            smallest_source(left, wanted)
        }
        Plan::MarkJoin(MarkJoin { left, .. }) if has_columns(left) => smallest_source(left, wanted),
        Plan::Project { input, columns } => {
            let is_passed = |id: &ColumnId| {
                columns.iter().any(|(field, expr)| field.id == *id && expr.as_column() == Some(*id))
            };
            if wanted.iter().all(is_passed) { smallest_source(input, wanted) } else { plan }
        }
        other => other,
    }
}
