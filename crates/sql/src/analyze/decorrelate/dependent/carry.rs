//! Propagates a domain through a plan, node by node.

use super::super::{numbered_within, refused};
use super::{Dependent, Domain, columns_of, substituted_key};
use crate::analyze::context::Analyzer;
use crate::error::Result;
use crate::expr::{Expr, SortKey};
use crate::plan::{Field, JoinKind, MarkJoin, MatchRecognize, Plan, SetOperationKind};
use crate::types::Type;
use rowhouse_model::ErrorLocation;

impl Analyzer<'_> {
    /// Propagates the domain through a plan.
    pub(super) fn push(
        &mut self,
        plan: Plan,
        domain: &Domain,
        place: Option<ErrorLocation>,
    ) -> Result<Dependent> {
        if plan.free_columns().is_disjoint(&domain.ids()) {
            let Dependent { plan: rows, values } = self.instance(domain, place)?;
            let plan = Plan::join(JoinKind::Inner, plan, rows, Vec::new(), None);
            return Ok(Dependent { plan, values });
        }
        self.nested(place, |analyzer| analyzer.push_here(plan, domain, place))
    }

    fn push_here(&mut self, plan: Plan, domain: &Domain, place: Option<ErrorLocation>) -> Result<Dependent> {
        match plan {
            Plan::Filter { input, predicate } => {
                let pushed = self.push(*input, domain, place)?;
                let predicate = predicate.substituted(&pushed.definitions());
                let plan = Plan::Filter { input: Box::new(pushed.plan), predicate };
                Ok(Dependent { plan, values: pushed.values })
            }
            Plan::Project { input, columns } => self.push_projection(*input, columns, domain, place),
            Plan::Join(join) => self.push_join(join, domain, place),
            Plan::MarkJoin(MarkJoin { left, right, mut keys, residual, in_key, mark }) => {
                let left = self.push(*left, domain, place)?;
                let right = self.push_other_side(*right, &left, &mut keys, domain, place)?;
                let definitions = left.definitions();
                let plan = Plan::MarkJoin(MarkJoin {
                    left: Box::new(left.plan),
                    right: Box::new(right),
                    keys: keys.into_iter().map(|key| substituted_key(key, &definitions)).collect(),
                    residual: residual.map(|residual| residual.substituted(&definitions)),
                    in_key: in_key.map(|key| substituted_key(key, &definitions)),
                    mark,
                });
                Ok(Dependent { plan, values: left.values })
            }
            Plan::Aggregate(aggregate) => self.push_aggregate(aggregate, domain, place),
            Plan::Window { input, functions } => {
                let pushed = self.push(*input, domain, place)?;
                let definitions = pushed.definitions();
                let partition: Vec<Expr> = columns_of(&pushed.fields(domain));
                let mut plan = Plan::Window { input: Box::new(pushed.plan), functions };
                for expr in plan.expressions_mut() {
                    *expr = expr.clone().substituted(&definitions);
                }
                if let Plan::Window { functions, .. } = &mut plan {
                    functions.iter_mut().for_each(|call| call.partition_by.extend(partition.iter().cloned()));
                }
                Ok(Dependent { plan, values: pushed.values })
            }
            Plan::MatchRecognize(node) => self.push_matches(node, domain, place),
            Plan::Sort { input, keys: _ } | Plan::PartialDistinct { input } => {
                self.push(*input, domain, place)
            }
            Plan::Limit { input, offset, limit } => {
                let (pushed, order_by) = self.push_sorted(*input, domain, place)?;
                let partition = columns_of(&pushed.fields(domain));
                let number = self.new_field("", Type::BigInt);
                let plan = numbered_within(pushed.plan, number, partition, order_by, offset, limit);
                Ok(Dependent { plan, values: pushed.values })
            }
            Plan::Distinct { input, on: None } => {
                let own = input.fields();
                let pushed = self.push(*input, domain, place)?;
                // Joins below may have added further copies of the domain's columns.
                let columns = own.into_iter().chain(pushed.fields(domain)).map(Field::passed_on).collect();
                let rows = Plan::Project { input: Box::new(pushed.plan), columns };
                let plan = Plan::Distinct { input: Box::new(rows), on: None };
                Ok(Dependent { plan, values: pushed.values })
            }
            Plan::Distinct { input, on: Some(mut on) } => {
                let (pushed, order_by) = self.push_sorted(*input, domain, place)?;
                on.extend(pushed.fields(domain).iter().map(|field| field.id));
                let sorted = Plan::Sort { input: Box::new(pushed.plan), keys: order_by };
                let plan = Plan::Distinct { input: Box::new(sorted), on: Some(on) };
                Ok(Dependent { plan, values: pushed.values })
            }
            Plan::SetOperation { kind, inputs, fields } => {
                self.push_set_operation(kind, inputs, fields, domain, place)
            }
            Plan::Unnest { input, arrays, ordinality, is_outer } => {
                let pushed = self.push(*input, domain, place)?;
                let definitions = pushed.definitions();
                let arrays = arrays
                    .into_iter()
                    .map(|(array, fields)| (array.substituted(&definitions), fields))
                    .collect();
                let plan = Plan::Unnest { input: Box::new(pushed.plan), arrays, ordinality, is_outer };
                Ok(Dependent { plan, values: pushed.values })
            }
            Plan::Values { fields, rows } => self.push_values(fields, rows, domain, place),
            Plan::EnforceSingleRow { input } => {
                let pushed = self.push(*input, domain, place)?;
                let all = self.instance(domain, place)?;
                let keys = domain.keys(&all.values, &pushed);
                let plan = Plan::join(JoinKind::Single, all.plan, pushed.plan, keys, None);
                Ok(Dependent { plan, values: all.values })
            }
            // They name no columns, so they have been joined with the domain unchanged.
            Plan::Scan(_) | Plan::Shared { .. } => Err(refused(place, "this in it")),
        }
    }

    /// MATCH_RECOGNIZE: each value of the domain is a partition of its own.
    fn push_matches(
        &mut self,
        mut node: MatchRecognize,
        domain: &Domain,
        place: Option<ErrorLocation>,
    ) -> Result<Dependent> {
        let pushed = self.push(*node.input, domain, place)?;
        let definitions = pushed.definitions();
        let partition: Vec<Expr> = columns_of(&pushed.fields(domain));
        node.input = Box::new(pushed.plan);
        let mut plan = Plan::MatchRecognize(node);
        for expr in plan.expressions_mut() {
            *expr = expr.clone().substituted(&definitions);
        }
        if let Plan::MatchRecognize(node) = &mut plan {
            node.partition_by.extend(partition);
        }
        Ok(Dependent { plan, values: pushed.values })
    }

    /// VALUES: each row is repeated for every value of the domain.
    fn push_values(
        &mut self,
        fields: Vec<Field>,
        rows: Vec<Vec<Expr>>,
        domain: &Domain,
        place: Option<ErrorLocation>,
    ) -> Result<Dependent> {
        let mut inputs = Vec::with_capacity(rows.len());
        for row in rows {
            let one = Plan::one_row();
            let columns = fields.iter().zip(row).map(|(field, cell)| (self.renewed(field), cell)).collect();
            inputs.push(Plan::Project { input: Box::new(one), columns });
        }
        self.push_set_operation(SetOperationKind::UnionAll, inputs, fields, domain, place)
    }

    fn push_projection(
        &mut self,
        input: Plan,
        columns: Vec<(Field, Expr)>,
        domain: &Domain,
        place: Option<ErrorLocation>,
    ) -> Result<Dependent> {
        let pushed = self.push(input, domain, place)?;
        let definitions = pushed.definitions();
        let mut columns: Vec<(Field, Expr)> =
            columns.into_iter().map(|(field, expr)| (field, expr.substituted(&definitions))).collect();
        for field in pushed.fields(domain) {
            if !columns.iter().any(|(known, _)| known.id == field.id) {
                columns.push(field.passed_on());
            }
        }
        let Dependent { plan, values } = pushed;
        Ok(Dependent { plan: Plan::Project { input: Box::new(plan), columns }, values })
    }

    /// Propagates the domain through the input of a LIMIT; returns it with its sort keys.
    fn push_sorted(
        &mut self,
        input: Plan,
        domain: &Domain,
        place: Option<ErrorLocation>,
    ) -> Result<(Dependent, Vec<SortKey>)> {
        let (input, keys) = match input {
            Plan::Sort { input, keys } => (*input, keys),
            other => (other, Vec::new()),
        };
        let pushed = self.push(input, domain, place)?;
        let definitions = pushed.definitions();
        let keys =
            keys.into_iter().map(|key| SortKey { expr: key.expr.substituted(&definitions), ..key }).collect();
        Ok((pushed, keys))
    }
}
