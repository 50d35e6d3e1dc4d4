//! UNNEST in FROM: array elements as rows, beside the row that the arrays are taken from. JSON_TABLE is an UNNEST of an
//! array that a function computes from its input.

use std::collections::HashSet;

use rowhouse_model::{ErrorCode, ErrorLocation};
use sqlparser::ast::{FunctionArg, FunctionArgExpr, TableAlias};

use super::alias::alias_parts;
use super::context::{Analyzer, Context, Pending, Source, user_error};
use super::place::place_of_columns;
use super::scope::{Scope, ScopeField};
use crate::error::{Result, not_supported, syntax_error};
use crate::expr::Expr;
use crate::plan::{ColumnId, Field, Plan};
use crate::types::Type;

/// An UNNEST whose arrays are analyzed.
#[derive(Debug)]
pub(super) struct UnnestItem {
    /// `UNNEST` or `JSON_TABLE`.
    pub(super) name: &'static str,
    pub(super) arrays: Vec<(Expr, Vec<Field>)>,
    pub(super) ordinality: Option<Field>,
    pub(super) fields: Vec<ScopeField>,
    /// Subqueries in the arrays.
    pub(super) pending: Vec<Pending>,
}

impl UnnestItem {
    /// The place of the first reference to a column of a plan: the inner `None` if it is unknown, the outer one if
    /// there is none.
    pub(super) fn reference_to(&self, plan: &Plan) -> Option<Option<ErrorLocation>> {
        let own: HashSet<ColumnId> = plan.column_ids().into_iter().collect();
        let named = place_of_columns(self.arrays.iter().map(|(array, _)| array), &own);
        let is_in =
            |pending: &Pending| pending.relation.plan.free_columns().iter().any(|id| own.contains(id));
        let in_query = || self.pending.iter().find(|pending| is_in(pending)).map(|pending| pending.place);
        named.or_else(in_query)
    }
}

impl Analyzer<'_> {
    pub(super) fn unnest_item(
        &mut self,
        args: &[FunctionArg],
        with_ordinality: bool,
        alias: Option<&TableAlias>,
        before: Option<&[ScopeField]>,
        parent: Option<&Scope<'_>>,
        place: Option<ErrorLocation>,
    ) -> Result<UnnestItem> {
        if args.is_empty() {
            return Err(syntax_error(place, "expected: an expression, found: )"));
        }
        let scope = Scope::new(before.unwrap_or_default().to_vec(), parent);
        let mut arrays = Vec::with_capacity(args.len());
        let mut count = 0;
        let mut subqueries = Vec::new();
        for arg in args {
            let FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) = arg else {
                return Err(not_supported(place, "this argument of UNNEST"));
            };
            let mut context = Context::new(&scope, "UNNEST");
            let array = self.expression(expr, &mut context)?;
            subqueries.append(&mut context.pending);
            let fields: Vec<Field> = match &array.data_type {
                Type::Array(element) => match &**element {
                    Type::Row(fields) => fields
                        .clone()
                        .into_iter()
                        .enumerate()
                        .map(|(index, field)| match field.name {
                            Some(name) => self.new_field(name, field.data_type),
                            None => self.anonymous_field(count + index, field.data_type),
                        })
                        .collect(),
                    element => {
                        let element = element.clone();
                        vec![self.anonymous_field(count, element)]
                    }
                },
                Type::Map(key, value) => {
                    let (key, value) = ((**key).clone(), (**value).clone());
                    let key = self.anonymous_field(count, key);
                    vec![key, self.anonymous_field(count + 1, value)]
                }
                other => {
                    let message = format!("Cannot unnest type: {other}");
                    return Err(user_error(ErrorCode::InvalidFunctionArgument, None, message));
                }
            };
            count += fields.len();
            arrays.push((array, fields));
        }
        let ordinality = with_ordinality.then(|| self.anonymous_field(count, Type::BigInt));
        let all: Vec<Field> =
            arrays.iter().flat_map(|(_, fields)| fields.clone()).chain(ordinality.clone()).collect();
        let fields = named_fields(all, alias)?;
        Ok(UnnestItem { name: "UNNEST", arrays, ordinality, fields, pending: subqueries })
    }

    /// Unnests the arrays beside each row of `left`.
    pub(super) fn unnest(&mut self, left: Source, item: UnnestItem, is_outer: bool) -> Result<Source> {
        let UnnestItem { name: _, arrays, ordinality, fields, pending } = item;
        let mut all = left.fields;
        all.extend(fields);
        let input = Box::new(self.attach_all(left.plan, pending)?);
        let plan = Plan::Unnest { input, arrays, ordinality, is_outer };
        Ok(Source { plan, fields: all })
    }
}

/// Columns under the name and the column names of an alias.
pub(super) fn named_fields(fields: Vec<Field>, alias: Option<&TableAlias>) -> Result<Vec<ScopeField>> {
    let (qualifier, named) = match alias {
        Some(alias) => alias_parts(alias, fields)?,
        None => (Vec::new(), fields),
    };
    Ok(named.into_iter().map(|field| ScopeField::new(&qualifier, field)).collect())
}
