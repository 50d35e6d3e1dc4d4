//! Inputs that partial aggregation computes itself: arithmetic of decimals, which would otherwise be materialized as
//! columns.

use polars::prelude::PlSmallStr;

use crate::column::column_name;
use crate::numeric::{DecimalTypes, Number};
use crate::partial_aggregation::PartialKind;
use rowhouse_sql::expr::{Expr, ExprKind, Value};
use rowhouse_sql::types::Type;

/// An argument of an aggregate over the rows of a batch.
#[derive(Clone, Debug)]
pub(super) struct PartialInput {
    values: Values,
    data_type: Type,
}

#[derive(Clone, Debug)]
enum Values {
    Column(PlSmallStr),
    Computed(Number),
}

impl PartialInput {
    /// An argument that is a column.
    pub(super) fn column(name: &PlSmallStr, data_type: &Type) -> Self {
        Self { values: Values::Column(name.clone()), data_type: data_type.clone() }
    }

    /// An argument that is arithmetic over columns; `None` for other expressions.
    pub(super) fn computed(argument: &Expr) -> Option<Self> {
        let number = decimal(argument).filter(|number| !number.columns().is_empty())?;
        Some(Self { values: Values::Computed(number), data_type: argument.data_type.clone() })
    }

    /// The number of values that are not NULL.
    pub(super) fn count(&self) -> PartialKind {
        PartialKind::Count(match &self.values {
            Values::Column(name) => vec![name.clone()],
            Values::Computed(number) => number.columns(),
        })
    }

    /// The sum of the values, if it is the sum of the results of batches.
    pub(super) fn sum(&self) -> Option<PartialKind> {
        let number = match &self.values {
            Values::Column(name) => Number::Column(name.clone()),
            Values::Computed(number) => number.clone(),
        };
        match (&self.data_type, &self.values) {
            (Type::Decimal { scale, .. }, _) => Some(PartialKind::Sum { number, scale: Some(*scale) }),
            (Type::BigInt, _) => Some(PartialKind::Sum { number, scale: None }),
            (Type::Double, Values::Column(name)) => Some(PartialKind::DoubleSum(name.clone())),
            _ => None,
        }
    }
}

/// A decimal that is computed from columns, constants and integers without loss of digits.
fn decimal(expr: &Expr) -> Option<Number> {
    let own = expr.data_type.as_decimal()?;
    match &expr.kind {
        ExprKind::Column(id) => Some(Number::Column(column_name(*id))),
        ExprKind::Literal(Value::Decimal(value)) => Some(Number::Constant(*value)),
        ExprKind::Literal(Value::Integer(value)) => Some(Number::Constant(i128::from(*value))),
        ExprKind::Cast { input, is_try: false } if matches!(expr.data_type, Type::Decimal { .. }) => {
            let from = input.data_type.as_decimal()?;
            let has_room = own.1 >= from.1 && own.0 - own.1 >= from.0 - from.1;
            has_room.then(|| decimal(input)?.widened(from, own)).flatten()
        }
        ExprKind::Arithmetic { operator, left, right } if matches!(expr.data_type, Type::Decimal { .. }) => {
            let types = DecimalTypes {
                left: left.data_type.as_decimal()?,
                right: right.data_type.as_decimal()?,
                output: own,
            };
            Number::arithmetic(*operator, decimal(left)?, decimal(right)?, types)
        }
        _ => None,
    }
}
