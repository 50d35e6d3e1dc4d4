//! Element access: an array's element, a row's field.

use rowhouse_model::ErrorCode;
use sqlparser::ast::{AccessExpr, Expr as AstExpr, Subscript};

use super::context::{Analyzer, Context, user_error};
use super::place::place_of;
use super::scope::field_of_row;
use crate::error::{Result, location_of, not_supported, suggestion, type_mismatch};
use crate::expr::{Expr, ExprKind, Value};
use crate::functions::ScalarFunction;
use crate::types::{RowField, Type, can_coerce, common_super_type};

impl Analyzer<'_> {
    /// `a[1]`, `row.field`.
    pub(super) fn field_access(
        &mut self,
        root: &AstExpr,
        chain: &[AccessExpr],
        context: &mut Context<'_>,
    ) -> Result<Expr> {
        let mut value = self.expression(root, context)?;
        for access in chain {
            let place = value.location;
            value = match access {
                AccessExpr::Dot(AstExpr::Identifier(name)) => {
                    let fields: Vec<RowField> = match &value.data_type {
                        Type::Row(fields) => fields.clone(),
                        other => {
                            let message = format!("Expression of type {other} has no fields");
                            return Err(type_mismatch(place, message));
                        }
                    };
                    field_of_row(value, &name.value).ok_or_else(|| {
                        let known = fields.iter().filter_map(|field| field.name.as_deref());
                        let hint = suggestion(&name.value, known);
                        let message = format!("the row has no field '{}'{hint}", name.value);
                        user_error(ErrorCode::ColumnNotFound, location_of(name.span.start), message)
                    })?
                }
                AccessExpr::Dot(other) => {
                    return Err(not_supported(place_of(other), "this access by '.'"));
                }
                AccessExpr::Subscript(Subscript::Index { index }) => {
                    let index = self.expression(index, context)?;
                    self.subscript(value, index)?
                }
                AccessExpr::Subscript(Subscript::Slice { .. }) => {
                    return Err(not_supported(place, "an array slice"));
                }
            };
        }
        Ok(value)
    }

    /// The fields of a row, as expressions: the values that construct it, or accesses to copies of it.
    pub(super) fn row_fields(&mut self, row: &Expr) -> Result<Vec<Expr>> {
        // A copy of the row for each field would be quadratic.
        if let ExprKind::Call { function: ScalarFunction::RowConstructor, args } = &row.kind {
            return Ok(args.clone());
        }
        let Type::Row(fields) = &row.data_type else { return Ok(Vec::new()) };
        self.spend(row.node_count().saturating_mul(fields.len()), row.location)?;
        let of_row = |(index, field): (usize, &RowField)| {
            let kind = ExprKind::RowField { input: Box::new(row.clone()), index };
            Expr::new(kind, field.data_type.clone()).at(row.location)
        };
        Ok(fields.iter().enumerate().map(of_row).collect())
    }

    /// Element `index` of an array, or the row field with that number, from 1.
    fn subscript(&mut self, value: Expr, index: Expr) -> Result<Expr> {
        let place = value.location;
        if let Type::Row(fields) = &value.data_type {
            let position = match index.as_literal() {
                Some(Value::Integer(position)) => usize::try_from(*position).ok(),
                _ => None,
            };
            let Some(field) = position.and_then(|position| fields.get(position.checked_sub(1)?)) else {
                let message = format!("a field of the row is wanted: a number from 1 to {}", fields.len());
                return Err(user_error(ErrorCode::InvalidFunctionArgument, index.location, message));
            };
            let data_type = field.data_type.clone();
            let index = position.unwrap_or(1) - 1;
            // The other values are not computed.
            if let ExprKind::Call { function: ScalarFunction::RowConstructor, args } = value.kind {
                return args.into_iter().nth(index).map(|field| field.at(place)).ok_or_else(|| {
                    user_error(ErrorCode::InvalidFunctionArgument, place, "a row without this field")
                });
            }
            return Ok(Expr::new(ExprKind::RowField { input: Box::new(value), index }, data_type).at(place));
        }
        let is_indexed = match &value.data_type {
            Type::Map(key, _) => common_super_type(key, &index.data_type).is_some(),
            Type::Array(_) => can_coerce(&index.data_type, &Type::BigInt),
            other => *other == Type::Unknown,
        };
        if !is_indexed {
            let message = format!("Cannot use {} for subscript of {}", index.data_type, value.data_type);
            return Err(type_mismatch(value.location.or(place), message));
        }
        self.scalar_call(ScalarFunction::Subscript, vec![value, index], place)
    }
}
