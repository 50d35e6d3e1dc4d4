//! UNION ALL, INTERSECT and EXCEPT. Rows are compared like DISTINCT: NULL equals NULL.

use polars::prelude::{DataType, Expr, JoinType, LazyFrame, PlSmallStr, UnionArgs, col, concat, lit};
use rowhouse_model::QueryError;

use super::Lowering;
use crate::column::{column, column_name};
use crate::failure;
use rowhouse_sql::plan::{Field, Plan, SetOperationKind};
use rowhouse_sql::types::Type;

impl Lowering<'_> {
    pub(super) fn set_operation(
        &mut self,
        kind: SetOperationKind,
        inputs: &[Plan],
        fields: &[Field],
    ) -> Result<LazyFrame, QueryError> {
        let mut frames = Vec::with_capacity(inputs.len());
        for input in inputs {
            let renamed: Vec<Expr> = input
                .fields()
                .iter()
                .zip(fields)
                .map(|(source, field)| col(column_name(source.id)).alias(column_name(field.id)))
                .collect();
            frames.push(self.lower(input)?.select(renamed));
        }
        match kind {
            SetOperationKind::UnionAll => {
                let args = UnionArgs { maintain_order: false, ..UnionArgs::default() };
                concat(frames, args).map_err(|error| failure::query_error(&error))
            }
            SetOperationKind::Intersect => Ok(self.distinct_matches(frames, fields, &JoinType::Semi)),
            SetOperationKind::Except => Ok(self.distinct_matches(frames, fields, &JoinType::Anti)),
            SetOperationKind::IntersectAll => self.counted(frames, fields, &JoinType::Semi),
            SetOperationKind::ExceptAll => self.counted(frames, fields, &JoinType::Anti),
        }
    }

    /// The distinct rows of the first frame that all other frames contain, or that none of them contains.
    fn distinct_matches(&mut self, frames: Vec<LazyFrame>, fields: &[Field], how: &JoinType) -> LazyFrame {
        let names: Vec<PlSmallStr> = fields.iter().map(|field| column_name(field.id)).collect();
        let mut frames = frames.into_iter();
        let first = frames.next().map(|frame| self.distinct_rows(frame, fields)).unwrap_or_default();
        frames.fold(first, |left, right| matching(left, right, &names, how))
    }

    /// INTERSECT ALL and EXCEPT ALL: the n-th copy of a left row matches the n-th copy on the right.
    fn counted(
        &mut self,
        frames: Vec<LazyFrame>,
        fields: &[Field],
        how: &JoinType,
    ) -> Result<LazyFrame, QueryError> {
        let copy = self.temporary();
        let names: Vec<PlSmallStr> = fields.iter().map(|field| column_name(field.id)).collect();
        // Polars has no windows over decimals.
        let partition: Vec<Expr> = fields
            .iter()
            .map(|field| match field.data_type {
                Type::Decimal { .. } => column(field.id).cast(DataType::String),
                _ => column(field.id),
            })
            .collect();
        let number = col(copy.clone()).cum_sum(false).over(partition);
        let number = number.map_err(|error| failure::query_error(&error))?;
        let mut on = names;
        on.push(copy.clone());
        let mut frames = frames
            .into_iter()
            .map(|frame| frame.with_column(lit(1i32).alias(copy.clone())).with_column(number.clone()));
        let first = frames.next().unwrap_or_default();
        Ok(frames.fold(first, |left, right| matching(left, right, &on, how)))
    }
}

fn matching(left: LazyFrame, right: LazyFrame, names: &[PlSmallStr], how: &JoinType) -> LazyFrame {
    let on: Vec<Expr> = names.iter().map(|name| col(name.clone())).collect();
    left.join_builder().with(right).left_on(&on).right_on(&on).how(how.clone()).join_nulls(true).finish()
}
