//! Doubles and reals as keys beside others. Polars reads several keys back from bytes in which zeros have no sign:
//! `GROUP BY s, f` would make 0.0 of -0.0. Therefore the result takes a value of each group.

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
    /// Replaces the keys of an aggregation that are doubles or reals with values of their groups.
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
        let is_unchanged = fields.len() < 2 || !fields.iter().any(|field| has_signed_zero(&field.data_type));
        for field in fields {
            if is_unchanged || !has_signed_zero(&field.data_type) {
                keys.push(column_name(field.id));
                continue;
            }
            let name = self.temporary();
            let zero = lit(0.0).cast(storage(&field.data_type));
            let unsigned = float_kernel(ArithmeticOperator::Add, column(field.id), zero, &field.data_type);
            frame = frame.with_column(unsigned.alias(name.clone()));
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

/// The keys of an aggregation by several that are doubles or reals.
pub(super) fn signed_keys(node: &Aggregate) -> Vec<Field> {
    if node.keys.len() < 2 {
        return Vec::new();
    }
    let is_signed = |field: &Field| node.keys.contains(&field.id) && has_signed_zero(&field.data_type);
    node.input.fields().into_iter().filter(is_signed).collect()
}

const fn has_signed_zero(data_type: &Type) -> bool {
    matches!(data_type, Type::Real | Type::Double)
}
