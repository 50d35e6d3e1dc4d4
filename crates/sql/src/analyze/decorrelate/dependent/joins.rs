//! Joins within a domain.

use std::collections::HashMap;

use rowhouse_model::ErrorLocation;

use super::{Dependent, Domain, substituted_key};
use crate::analyze::context::Analyzer;
use crate::error::Result;
use crate::expr::{Expr, ExprKind};
use crate::functions::ScalarFunction;
use crate::plan::{ColumnId, Join, JoinKey, JoinKind, Plan};

impl Analyzer<'_> {
    /// Propagates the domain through a join whose side or condition names outer columns.
    pub(super) fn push_join(
        &mut self,
        join: Join,
        domain: &Domain,
        place: Option<ErrorLocation>,
    ) -> Result<Dependent> {
        let Join { kind, left, right, mut keys, residual } = join;
        let ids = domain.ids();
        let is_free = |plan: &Plan| !plan.free_columns().is_disjoint(&ids);
        let rename = |keys: Vec<JoinKey>, residual: Option<Expr>, definitions: &HashMap<ColumnId, Expr>| {
            let keys: Vec<JoinKey> = keys.into_iter().map(|key| substituted_key(key, definitions)).collect();
            (keys, residual.map(|residual| residual.substituted(definitions)))
        };
        match kind {
            JoinKind::Inner if !is_free(&left) && is_free(&right) => {
                let right = self.push(*right, domain, place)?;
                let (keys, residual) = rename(keys, residual, &right.definitions());
                let plan = Plan::join(kind, *left, right.plan, keys, residual);
                Ok(Dependent { plan, values: right.values })
            }
            JoinKind::Right => {
                let right = self.push(*right, domain, place)?;
                let left = if is_free(&left) {
                    let left = self.push(*left, domain, place)?;
                    keys.extend(domain.keys(&left.values, &right));
                    left.plan
                } else {
                    *left
                };
                let (keys, residual) = rename(keys, residual, &right.definitions());
                Ok(Dependent {
                    plan: Plan::join(kind, left, right.plan, keys, residual),
                    values: right.values,
                })
            }
            JoinKind::Full => {
                let left = self.push(*left, domain, place)?;
                let right = self.push(*right, domain, place)?;
                keys.extend(domain.keys(&left.values, &right));
                let (keys, residual) = rename(keys, residual, &left.definitions());
                let mut values = HashMap::new();
                let mut merged = Vec::with_capacity(domain.outer.len());
                for outer in &domain.outer {
                    let field = self.new_field(outer.name.clone(), outer.data_type.clone());
                    let sides = [&left.values[&outer.id], &right.values[&outer.id]];
                    let args = sides.map(|side| Expr::column(side.id, side.data_type.clone())).to_vec();
                    let kind = ExprKind::Call { function: ScalarFunction::Coalesce, args };
                    merged.push((field.clone(), Expr::new(kind, field.data_type.clone())));
                    values.insert(outer.id, field);
                }
                let joined = Plan::join(kind, left.plan, right.plan, keys, residual);
                let columns = joined.passed_on().into_iter().chain(merged).collect();
                Ok(Dependent { plan: Plan::Project { input: Box::new(joined), columns }, values })
            }
            JoinKind::Inner | JoinKind::Left | JoinKind::Single | JoinKind::Semi | JoinKind::Anti => {
                let left = self.push(*left, domain, place)?;
                let right = self.push_other_side(*right, &left, &mut keys, domain, place)?;
                let (keys, residual) = rename(keys, residual, &left.definitions());
                Ok(Dependent {
                    plan: Plan::join(kind, left.plan, right, keys, residual),
                    values: left.values,
                })
            }
        }
    }

    /// The right side of a join: unchanged, or joined by the domain's columns as well if it names outer columns.
    pub(super) fn push_other_side(
        &mut self,
        right: Plan,
        left: &Dependent,
        keys: &mut Vec<JoinKey>,
        domain: &Domain,
        place: Option<ErrorLocation>,
    ) -> Result<Plan> {
        if right.free_columns().is_disjoint(&domain.ids()) {
            return Ok(right);
        }
        let right = self.push(right, domain, place)?;
        keys.extend(domain.keys(&left.values, &right));
        Ok(right.plan)
    }
}
