//! UNION, INTERSECT and EXCEPT: the pairing of both sides' columns, and their common types.

use std::collections::HashMap;

use rowhouse_model::ErrorCode;
use sqlparser::ast::{SetExpr, SetOperator, SetQuantifier};

use super::context::{Analyzer, Ordering, Relation, user_error};
use super::place::place_of_body;
use super::scope::Scope;
use crate::error::{Result, located, not_supported, type_mismatch};
use crate::plan::{Field, Plan, SetOperationKind};
use crate::types::common_super_type;

impl Analyzer<'_> {
    /// A chain of set operations of any length; the parser nests it on the left.
    pub(super) fn set_operation(&mut self, body: &SetExpr, parent: Option<&Scope<'_>>) -> Result<Relation> {
        let mut chain = Vec::new();
        let mut body = body;
        while let SetExpr::SetOperation { left, op, set_quantifier, right } = body {
            chain.push((op, set_quantifier, &**right));
            body = left;
        }
        let none = Ordering::default();
        let mut relation = self.body(body, &none, parent)?;
        for (operator, quantifier, right) in chain.into_iter().rev() {
            let place = place_of_body(right);
            let operator_place = self.token_places.set_operator_before(place).or(place);
            let right = self.nested(place, |analyzer| analyzer.body(right, &none, parent))?;
            relation = located(self.combine(relation, *operator, *quantifier, right), operator_place)?;
        }
        Ok(relation)
    }

    fn combine(
        &mut self,
        left: Relation,
        operator: SetOperator,
        quantifier: SetQuantifier,
        right: Relation,
    ) -> Result<Relation> {
        let (is_all, is_corresponding) = match quantifier {
            SetQuantifier::All => (true, false),
            SetQuantifier::AllByName => (true, true),
            SetQuantifier::Distinct | SetQuantifier::None => (false, false),
            SetQuantifier::ByName | SetQuantifier::DistinctByName => (false, true),
        };
        let (left, right) = if is_corresponding { corresponding(left, right)? } else { (left, right) };
        if left.fields.len() != right.fields.len() {
            let message = format!(
                "{operator} query has different number of fields: {}, {}",
                left.fields.len(),
                right.fields.len()
            );
            return Err(type_mismatch(None, message));
        }
        let mut types = Vec::with_capacity(left.fields.len());
        for (position, (left, right)) in left.fields.iter().zip(&right.fields).enumerate() {
            types.push(common_super_type(&left.data_type, &right.data_type).ok_or_else(|| {
                let message = format!(
                    "column {} in {operator} query has incompatible types: {}, {}",
                    position + 1,
                    left.data_type,
                    right.data_type
                );
                type_mismatch(None, message)
            })?);
        }
        if let Some(given) = types.iter().find(|data_type| !is_all && !data_type.is_comparable()) {
            let name = format!("{operator} DISTINCT");
            let message = format!("Type {given} is not comparable and therefore cannot be used in {name}");
            return Err(type_mismatch(None, message));
        }
        let fields: Vec<Field> = left
            .fields
            .iter()
            .zip(&types)
            .map(|(field, data_type)| Field { data_type: data_type.clone(), ..self.renewed(field) })
            .collect();
        let left = self.converted(left, &types);
        let right = self.converted(right, &types);
        let kind = match (operator, is_all) {
            (SetOperator::Union, _) => SetOperationKind::UnionAll,
            (SetOperator::Intersect, true) => SetOperationKind::IntersectAll,
            (SetOperator::Intersect, false) => SetOperationKind::Intersect,
            (SetOperator::Except, true) => SetOperationKind::ExceptAll,
            (SetOperator::Except, false) => SetOperationKind::Except,
            (SetOperator::Minus, _) => return Err(not_supported(None, "MINUS")),
        };
        // Nested unions are flattened; the DISTINCT of an inner union is redundant if the outer union is DISTINCT.
        let is_union_distinct = operator == SetOperator::Union && !is_all;
        let left = match left {
            Plan::Distinct { input, on: None }
                if is_union_distinct
                    && matches!(&*input, Plan::SetOperation { kind: SetOperationKind::UnionAll, .. }) =>
            {
                *input
            }
            other => other,
        };
        let mut inputs = match left {
            Plan::SetOperation { kind: SetOperationKind::UnionAll, inputs, .. }
                if kind == SetOperationKind::UnionAll =>
            {
                inputs
            }
            other => {
                self.add_level(fields.len(), None)?;
                vec![other]
            }
        };
        inputs.push(right);
        let mut plan = Plan::SetOperation { kind, inputs, fields: fields.clone() };
        if is_union_distinct {
            plan = Plan::Distinct { input: Box::new(plan), on: None };
        }
        Ok(Relation { plan, fields })
    }
}

/// CORRESPONDING: the columns whose names are on both sides, in the order of the left side.
fn corresponding(left: Relation, right: Relation) -> Result<(Relation, Relation)> {
    let mut by_name = HashMap::new();
    for relation in [&left, &right] {
        if relation.fields.iter().any(|field| field.is_anonymous) {
            let message = "Anonymous columns are not allowed in set operations with CORRESPONDING";
            return Err(user_error(ErrorCode::MissingColumnName, None, message));
        }
        by_name.clear();
        for field in &relation.fields {
            let name = field.name.to_lowercase();
            if by_name.contains_key(&name) {
                let message =
                    format!("Duplicate columns found when using CORRESPONDING in set operations: {name}");
                return Err(user_error(ErrorCode::AmbiguousName, None, message));
            }
            by_name.insert(name, field.clone());
        }
    }
    let pairs = left.fields.into_iter().filter_map(|field| {
        let other = by_name.remove(&field.name.to_lowercase())?;
        Some((field, other))
    });
    let (left_fields, right_fields): (Vec<Field>, Vec<Field>) = pairs.unzip();
    if left_fields.is_empty() {
        return Err(user_error(ErrorCode::MismatchedColumnAliases, None, "No corresponding columns"));
    }
    Ok((
        Relation { plan: left.plan, fields: left_fields },
        Relation { plan: right.plan, fields: right_fields },
    ))
}
