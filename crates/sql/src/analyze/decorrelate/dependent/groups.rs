//! Aggregation and set operations within a domain.

use std::collections::HashMap;

use rowhouse_model::ErrorLocation;

use super::super::is_count;
use super::{Dependent, Domain};
use crate::analyze::context::Analyzer;
use crate::error::Result;
use crate::expr::{Expr, ExprKind, Value};
use crate::functions::ScalarFunction;
use crate::plan::{Aggregate, Field, JoinKind, Plan, SetOperationKind};
use crate::types::Type;

impl Analyzer<'_> {
    /// Aggregates within the domain. Without GROUP BY every value of the domain has a group, even if it has no rows.
    pub(super) fn push_aggregate(
        &mut self,
        aggregate: Aggregate,
        domain: &Domain,
        place: Option<ErrorLocation>,
    ) -> Result<Dependent> {
        let Aggregate { input, mut keys, aggregates } = aggregate;
        let is_one_group = keys.is_empty();
        let pushed = self.push(*input, domain, place)?;
        let (definitions, inner) = (pushed.definitions(), pushed.fields(domain));
        let outputs: Vec<(Field, bool)> =
            aggregates.iter().map(|call| (call.output.clone(), is_count(call.function))).collect();
        keys.extend(inner.iter().map(|field| field.id));
        let mut grouped = Plan::Aggregate(Aggregate { input: Box::new(pushed.plan), keys, aggregates });
        for expr in grouped.expressions_mut() {
            *expr = expr.clone().substituted(&definitions);
        }
        if !is_one_group {
            return Ok(Dependent { plan: grouped, values: pushed.values });
        }
        // The raw count gets a new id here, because a projection above replaces missing counts with 0 under the old id.
        let mut raw = Vec::with_capacity(outputs.len());
        if let Plan::Aggregate(Aggregate { aggregates, .. }) = &mut grouped {
            for call in aggregates.iter_mut() {
                call.output = self.new_field(call.output.name.clone(), call.output.data_type.clone());
                raw.push(call.output.clone());
            }
        }
        let Dependent { plan: all, values } = self.instance(domain, place)?;
        let grouped = Dependent { plan: grouped, values: pushed.values };
        let keys = domain.keys(&values, &grouped);
        let joined = Plan::join(JoinKind::Left, all, grouped.plan, keys, None);
        let mut columns: Vec<(Field, Expr)> = domain
            .outer
            .iter()
            .filter_map(|outer| values.get(&outer.id))
            .cloned()
            .map(Field::passed_on)
            .collect();
        for ((output, is_count), raw) in outputs.into_iter().zip(raw) {
            let column = Expr::column(raw.id, raw.data_type.clone());
            let value = if is_count {
                let zero = Expr::literal(Value::Integer(0), Type::BigInt);
                let kind = ExprKind::Call { function: ScalarFunction::Coalesce, args: vec![column, zero] };
                Expr::new(kind, raw.data_type)
            } else {
                column
            };
            columns.push((output, value));
        }
        Ok(Dependent { plan: Plan::Project { input: Box::new(joined), columns }, values })
    }

    /// The set operation of the inputs, with the domain's columns after theirs.
    pub(super) fn push_set_operation(
        &mut self,
        kind: SetOperationKind,
        inputs: Vec<Plan>,
        mut fields: Vec<Field>,
        domain: &Domain,
        place: Option<ErrorLocation>,
    ) -> Result<Dependent> {
        let mut pushed_inputs = Vec::with_capacity(inputs.len());
        for input in inputs {
            let own = input.fields();
            let pushed = self.push(input, domain, place)?;
            let columns = own
                .into_iter()
                .chain(pushed.fields(domain))
                .map(|field| {
                    let expr = Expr::column(field.id, field.data_type.clone());
                    (self.new_field(field.name, field.data_type), expr)
                })
                .collect();
            pushed_inputs.push(Plan::Project { input: Box::new(pushed.plan), columns });
        }
        let mut values = HashMap::new();
        for outer in &domain.outer {
            let field = self.new_field(outer.name.clone(), outer.data_type.clone());
            fields.push(field.clone());
            values.insert(outer.id, field);
        }
        if pushed_inputs.len() == 1 {
            // VALUES of one row is a union of one input.
            let only = pushed_inputs.remove(0);
            let columns = fields
                .into_iter()
                .zip(only.fields())
                .map(|(field, input)| (field, Expr::column(input.id, input.data_type)))
                .collect();
            return Ok(Dependent { plan: Plan::Project { input: Box::new(only), columns }, values });
        }
        Ok(Dependent { plan: Plan::SetOperation { kind, inputs: pushed_inputs, fields }, values })
    }
}
