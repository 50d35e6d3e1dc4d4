//! Doubles and reals as keys beside others, and inside arrays, maps and rows. Polars reads such keys back from bytes in
//! which zeros have no sign: `GROUP BY s, f` would make 0.0 of -0.0. Therefore the result takes a value of each group.

use polars::prelude::{Expr, LazyFrame, PlSmallStr, UniqueKeepStrategy, by_name, col, lit};

use super::Lowering;
use super::aggregate_steps::Steps;
use crate::column::{column, column_name};
use crate::data_type::storage;
use crate::numeric::float_kernel;
use rowhouse_sql::expr::ArithmeticOperator;
use rowhouse_sql::plan::{Aggregate, Field};
use rowhouse_sql::types::Type;

impl Lowering<'_> {
    /// Replaces the keys of an aggregation that would lose the sign of a zero with values of their groups.
    pub(super) fn keep_signs(&mut self, node: &Aggregate, steps: &mut Steps) {
        for key in signed_keys(node) {
            let name = self.temporary();
            steps.aggregates.push(column(key.id).first().alias(name.clone()));
            steps.after.push(col(name).alias(column_name(key.id)));
        }
    }

    /// The distinct rows of a frame with these fields.
    pub(super) fn distinct_rows(&mut self, mut frame: LazyFrame, fields: &[Field]) -> LazyFrame {
        let mut keys: Vec<PlSmallStr> = Vec::with_capacity(fields.len());
        let loses_sign = |field: &Field| loses_sign(&field.data_type, fields.len());
        let is_unchanged = !fields.iter().any(loses_sign);
        for field in fields {
            if !loses_sign(field) {
                keys.push(column_name(field.id));
                continue;
            }
            let name = self.temporary();
            let key = if is_float(&field.data_type) {
                let zero = lit(0.0).cast(storage(&field.data_type));
                float_kernel(ArithmeticOperator::Add, column(field.id), zero, &field.data_type)
            } else {
                column(field.id)
            };
            frame = frame.with_column(key.alias(name.clone()));
            keys.push(name);
        }
        let distinct = frame.unique(Some(by_name(keys, true, false)), UniqueKeepStrategy::Any);
        if is_unchanged {
            return distinct;
        }
        let columns: Vec<Expr> = fields.iter().map(|field| column(field.id)).collect();
        distinct.select(columns)
    }
}

/// The keys of an aggregation that would lose the sign of a zero.
pub(super) fn signed_keys(node: &Aggregate) -> Vec<Field> {
    let is_signed =
        |field: &Field| node.keys.contains(&field.id) && loses_sign(&field.data_type, node.keys.len());
    node.input.fields().into_iter().filter(is_signed).collect()
}

/// Whether a key of this type, one of so many, is read back from bytes and may have a zero with a sign.
pub(super) fn loses_sign(data_type: &Type, keys: usize) -> bool {
    match data_type {
        Type::Real | Type::Double => keys > 1,
        Type::Array(_) | Type::Map(..) | Type::Row(_) => has_float(data_type),
        _ => false,
    }
}

const fn is_float(data_type: &Type) -> bool {
    matches!(data_type, Type::Real | Type::Double)
}

fn has_float(data_type: &Type) -> bool {
    match data_type {
        Type::Array(element) => has_float(element),
        Type::Map(key, value) => has_float(key) || has_float(value),
        Type::Row(fields) => fields.iter().any(|field| has_float(&field.data_type)),
        _ => is_float(data_type),
    }
}
