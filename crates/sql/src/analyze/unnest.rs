//! UNNEST in FROM: elements of arrays as rows, beside the row that the arrays come from.

use rowhouse_model::ErrorLocation;
use sqlparser::ast::{FunctionArg, FunctionArgExpr, TableAlias};

use super::alias::alias_parts;
use super::context::{Analyzer, Context, Source, refuse_if};
use super::scope::{Scope, ScopeField};
use crate::error::{Result, not_supported, type_mismatch};
use crate::expr::Expr;
use crate::plan::{Field, Plan};
use crate::types::Type;

/// An UNNEST whose arrays are analyzed.
#[derive(Debug)]
pub(super) struct UnnestItem {
    arrays: Vec<(Expr, Vec<Field>)>,
    ordinality: Option<Field>,
    fields: Vec<ScopeField>,
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
        let scope = Scope::new(before.unwrap_or_default().to_vec(), parent);
        let mut arrays = Vec::with_capacity(args.len());
        let mut count = 0;
        for arg in args {
            let FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) = arg else {
                return Err(not_supported(place, "this argument of UNNEST"));
            };
            let mut context = Context::new(&scope, "UNNEST");
            let array = self.expression(expr, &mut context)?;
            refuse_if(!context.pending.is_empty(), place, "a subquery in UNNEST")?;
            let fields: Vec<Field> = match &array.data_type {
                Type::Array(element) => match &**element {
                    Type::Row(fields) => fields
                        .clone()
                        .into_iter()
                        .enumerate()
                        .map(|(index, field)| {
                            let name = field.name.unwrap_or_else(|| format!("_col{}", count + index));
                            self.new_field(name, field.data_type)
                        })
                        .collect(),
                    element => {
                        let element = element.clone();
                        vec![self.new_field(format!("_col{count}"), element)]
                    }
                },
                Type::Map(key, value) => {
                    let (key, value) = ((**key).clone(), (**value).clone());
                    let key = self.new_field(format!("_col{count}"), key);
                    vec![key, self.new_field(format!("_col{}", count + 1), value)]
                }
                other => {
                    return Err(type_mismatch(array.location, format!("Cannot unnest type: {other}")));
                }
            };
            count += fields.len();
            arrays.push((array, fields));
        }
        let ordinality = with_ordinality.then(|| self.new_field(format!("_col{count}"), Type::BigInt));
        let all: Vec<Field> =
            arrays.iter().flat_map(|(_, fields)| fields.clone()).chain(ordinality.clone()).collect();
        let (qualifier, named) = match alias {
            Some(alias) => alias_parts(alias, all)?,
            None => (Vec::new(), all),
        };
        let fields = named.into_iter().map(|field| ScopeField::new(&qualifier, field)).collect();
        Ok(UnnestItem { arrays, ordinality, fields })
    }

    /// The rows of `left` with the elements beside them.
    pub(super) fn unnest(&mut self, left: Source, item: UnnestItem, is_outer: bool) -> Result<Source> {
        let UnnestItem { arrays, ordinality, fields } = item;
        let mut all = left.fields;
        all.extend(fields);
        let plan = Plan::Unnest { input: Box::new(left.plan), arrays, ordinality, is_outer };
        Ok(Source { plan, fields: all })
    }
}
