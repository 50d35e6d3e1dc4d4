//! EXISTS and IN as values: the left rows with a mark, which has three values if NULLs decide.

use polars::prelude::{Expr, LazyFrame, NULL, UniqueKeepStrategy, col, lit, when};
use rowhouse_model::QueryError;

use super::Lowering;
use super::join::Sides;
use crate::column::column_name;
use crate::expression::{compared, lower_expression};
use crate::order_key::is_nested;
use rowhouse_sql::expr::ComparisonOperator;
use rowhouse_sql::plan::{JoinKey, JoinKind, MarkJoin};

mod null_patterns;

impl Lowering<'_> {
    pub(super) fn mark_join(&mut self, node: &MarkJoin) -> Result<LazyFrame, QueryError> {
        let left = self.lower(&node.left)?;
        let right = self.lower(&node.right)?;
        if let Some(marked) = self.mark_by_null_patterns(node, &left, &right)? {
            return Ok(marked);
        }
        // The equality of arrays or rows may be unknown although neither of them is NULL.
        let is_by_nested = node.in_key.as_ref().is_some_and(|key| is_nested(&key.left.data_type));
        if node.residual.is_some() || is_by_nested {
            return self.mark_by_pairs(node, left, right);
        }
        let mark = column_name(node.mark.id);
        let Some(in_key) = &node.in_key else {
            let found = self.temporary();
            let sides = self.sides(left, right, &node.keys, false)?;
            return Ok(sides.left_join_found(&found).with_column(col(found).is_not_null().alias(mark)));
        };
        // Whether an equal candidate exists.
        let found = self.temporary();
        let mut keys: Vec<JoinKey> = node.keys.clone();
        keys.push(JoinKey { null_equals_null: false, ..in_key.clone() });
        let marked = self.sides(left, right.clone(), &keys, false)?.left_join_found(&found);
        // Whether a candidate exists, and whether a candidate is NULL.
        let (mut left_staged, mut right_staged) = (self.staged(), self.staged());
        let left_key = lower_expression(&in_key.left, &mut left_staged)?;
        let right_key = lower_expression(&in_key.right, &mut right_staged)?;
        let has_null = self.temporary();
        let is_null = self.temporary();
        let right = right_staged.apply(right).with_column(right_key.is_null().alias(is_null.clone()));
        let sides = self.sides(marked, right, &node.keys, false)?;
        let on: Vec<Expr> = sides.right_on.iter().map(|name| col(name.clone())).collect();
        let candidates = sides.right.clone().group_by(on).agg([col(is_null).max().alias(has_null.clone())]);
        let joined = Sides { right: candidates, ..sides }.join(JoinKind::Left);
        let is_unknown = left_key.is_null().or(col(has_null.clone()));
        let value = when(col(found).is_not_null())
            .then(lit(true))
            .when(col(has_null).is_null())
            .then(lit(false))
            .when(is_unknown)
            .then(lit(NULL))
            .otherwise(lit(false));
        Ok(left_staged.apply(joined).with_column(value.alias(mark)))
    }

    /// Lowers a mark join with a residual: the pairs that satisfy it are aggregated to one row for each left row.
    fn mark_by_pairs(
        &mut self,
        node: &MarkJoin,
        left: LazyFrame,
        right: LazyFrame,
    ) -> Result<LazyFrame, QueryError> {
        let number = self.temporary();
        let right_number = self.temporary();
        let left = left.with_row_index(number.clone(), None).cache();
        let sides = self.sides(left.clone(), right, &node.keys, false)?;
        let mut pairs = sides.join(JoinKind::Inner);
        if let Some(residual) = &node.residual {
            pairs = self.filtered(pairs, residual.clone().into_conjuncts())?;
        }
        let equal = self.temporary();
        let unknown = self.temporary();
        let mut staged = self.staged();
        let (is_equal, is_unknown) = match &node.in_key {
            None => (lit(true), lit(false)),
            Some(key) => {
                let left = (&key.left, lower_expression(&key.left, &mut staged)?);
                let right = (&key.right, lower_expression(&key.right, &mut staged)?);
                let equality = compared(ComparisonOperator::Equal, left, right, &mut staged);
                let equality = staged.column(equality);
                (equality.clone().fill_null(false), equality.is_null())
            }
        };
        let candidates = staged
            .apply(pairs)
            .with_columns([is_equal.alias(equal.clone()), is_unknown.alias(unknown.clone())])
            .group_by([col(number.clone()).alias(right_number.clone())])
            .agg([col(equal.clone()).max(), col(unknown.clone()).max()]);
        let joined = Sides {
            left,
            right: candidates,
            left_on: vec![number],
            right_on: vec![right_number],
            nulls_equal: false,
            build_side: None,
        }
        .join(JoinKind::Left);
        let value = when(col(equal).fill_null(false))
            .then(lit(true))
            .when(col(unknown).fill_null(false))
            .then(lit(NULL))
            .otherwise(lit(false));
        Ok(joined.with_column(value.alias(column_name(node.mark.id))))
    }
}

impl Sides {
    /// The left rows, each once, with a column that is not NULL if the right side has the key.
    fn left_join_found(self, found: &polars::prelude::PlSmallStr) -> LazyFrame {
        let on: Vec<Expr> = self.right_on.iter().map(|name| col(name.clone())).collect();
        let right = self
            .right
            .clone()
            .select(on)
            .unique(None, UniqueKeepStrategy::Any)
            .with_column(lit(true).alias(found.clone()));
        Self { right, ..self }.join(JoinKind::Left)
    }
}
