//! Outer, semi and anti joins with a residual. Left rows are numbered, the matching pairs are an inner join with a
//! filter, and the numbers in it determine which left rows have a match.
//!
//! A semi or anti join whose residual is one comparison between the sides needs no pairs: the least and the greatest
//! right value of each key decide. TPC-H's query 21 has that form.

use polars::prelude::{
    Expr, JoinType, LazyFrame, PlSmallStr, UnionArgs, UniqueKeepStrategy, col, concat, len,
};
use rowhouse_model::QueryError;

use super::Lowering;
use super::join::{Sides, null_columns, selected};
use super::relation::at_most_one_row;
use crate::column::column;
use crate::failure;
use rowhouse_sql::expr::{ComparisonOperator, Expr as SqlExpr, ExprKind};
use rowhouse_sql::plan::{ColumnId, Field, Join, JoinKind};
use rowhouse_sql::types::Type;

impl Lowering<'_> {
    pub(super) fn join_with_residual(
        &mut self,
        node: &Join,
        kind: JoinKind,
        sides: Sides,
        residual: &SqlExpr,
    ) -> Result<LazyFrame, QueryError> {
        let (left_fields, right_fields) = (node.left.fields(), node.right.fields());
        if matches!(kind, JoinKind::Semi | JoinKind::Anti)
            && let Some(comparison) = Comparison::between(residual, &left_fields, &right_fields)
        {
            return self.join_by_extremes(sides, &comparison, kind);
        }
        let number = self.temporary();
        let left = sides.left.clone().with_row_index(number.clone(), None).cache();
        let right_number = self.temporary();
        let right = match kind {
            JoinKind::Right | JoinKind::Full => {
                sides.right.clone().with_row_index(right_number.clone(), None).cache()
            }
            _ => sides.right.clone(),
        };
        let pairs = Sides { left: left.clone(), right: right.clone(), ..sides }.join(JoinKind::Inner);
        let pairs = self.filtered(pairs, residual.clone().into_conjuncts())?;
        if let JoinKind::Semi | JoinKind::Anti = kind {
            return Ok(matched(left, pairs, &number, kind == JoinKind::Semi));
        }
        let mut wanted = selected(&left_fields);
        wanted.extend(selected(&right_fields));
        let pairs = pairs.cache();
        let mut parts = vec![match kind {
            JoinKind::Single => self.checked_single(pairs.clone(), &number, &left_fields, &right_fields),
            _ => pairs.clone().select(wanted.clone()),
        }];
        if kind != JoinKind::Right {
            let unmatched = matched(left, pairs.clone(), &number, false);
            parts.push(unmatched.with_columns(null_columns(&right_fields)).select(wanted.clone()));
        }
        if matches!(kind, JoinKind::Right | JoinKind::Full) {
            let unmatched = matched(right, pairs, &right_number, false);
            parts.push(unmatched.with_columns(null_columns(&left_fields)).select(wanted));
        }
        concat(parts, UnionArgs { maintain_order: false, ..UnionArgs::default() })
            .map_err(|error| failure::query_error(&error))
    }

    fn checked_single(
        &mut self,
        pairs: LazyFrame,
        number: &PlSmallStr,
        left_fields: &[Field],
        right_fields: &[Field],
    ) -> LazyFrame {
        let count = self.temporary();
        let mut first: Vec<Expr> =
            selected(left_fields).into_iter().chain(selected(right_fields)).map(Expr::first).collect();
        first.push(len().alias(count.clone()));
        let checked: Vec<Expr> =
            right_fields.iter().map(|field| at_most_one_row(column(field.id), col(count.clone()))).collect();
        let mut wanted = selected(left_fields);
        wanted.extend(selected(right_fields));
        pairs.group_by([col(number.clone())]).agg(first).with_columns(checked).select(wanted)
    }

    /// Joins by extremes: a left row has a match if its value satisfies the comparison with the least or the greatest
    /// right value of its key.
    fn join_by_extremes(
        &mut self,
        sides: Sides,
        comparison: &Comparison,
        kind: JoinKind,
    ) -> Result<LazyFrame, QueryError> {
        let (least, greatest) = (self.temporary(), self.temporary());
        let right_value = column(comparison.right);
        let keys: Vec<Expr> = sides.right_on.iter().map(|name| col(name.clone())).collect();
        let extremes =
            [right_value.clone().min().alias(least.clone()), right_value.max().alias(greatest.clone())];
        let right = sides.right.clone().group_by(keys).agg(extremes);
        let value = column(comparison.left);
        let (least, greatest) = (col(least), col(greatest));
        let is_match = match comparison.operator {
            ComparisonOperator::LessThan => value.lt(greatest),
            ComparisonOperator::LessThanOrEqual => value.lt_eq(greatest),
            ComparisonOperator::GreaterThan => value.gt(least),
            ComparisonOperator::GreaterThanOrEqual => value.gt_eq(least),
            _ => value.clone().neq(least).or(value.neq(greatest)),
        };
        let sides = Sides { right, ..sides };
        Ok(match kind {
            JoinKind::Semi => sides.join(JoinKind::Inner).filter(is_match),
            _ => sides.join(JoinKind::Left).filter(is_match.fill_null(false).not()),
        })
    }
}

/// The rows of `frame` whose number is among the pairs if `wanted`, otherwise those whose number is not.
fn matched(frame: LazyFrame, pairs: LazyFrame, number: &PlSmallStr, wanted: bool) -> LazyFrame {
    let numbers = pairs.select([col(number.clone())]).unique(None, UniqueKeepStrategy::Any);
    let how = if wanted { JoinType::Semi } else { JoinType::Anti };
    let on = [col(number.clone())];
    frame.join_builder().with(numbers).left_on(&on).right_on(&on).how(how).finish()
}

/// A comparison of a value of the left side with a value of the right side.
struct Comparison {
    operator: ComparisonOperator,
    left: ColumnId,
    right: ColumnId,
}

impl Comparison {
    /// The residual as such a comparison. Floating-point values are excluded: NaN is not between the extremes.
    fn between(residual: &SqlExpr, left_fields: &[Field], right_fields: &[Field]) -> Option<Self> {
        let ExprKind::Comparison { operator, left, right } = &residual.kind else { return None };
        let has_order = matches!(
            left.data_type,
            Type::TinyInt
                | Type::SmallInt
                | Type::Integer
                | Type::BigInt
                | Type::Decimal { .. }
                | Type::Date
                | Type::Timestamp { .. }
                | Type::Varchar { .. }
        );
        let is_order = !matches!(
            operator,
            ComparisonOperator::Equal
                | ComparisonOperator::IsDistinctFrom
                | ComparisonOperator::IsNotDistinctFrom
        );
        if !has_order || !is_order {
            return None;
        }
        let (left, right) = (left.as_column()?, right.as_column()?);
        let of = |id: ColumnId, fields: &[Field]| fields.iter().any(|field| field.id == id);
        if of(left, left_fields) && of(right, right_fields) {
            Some(Self { operator: *operator, left, right })
        } else if of(right, left_fields) && of(left, right_fields) {
            Some(Self { operator: operator.swapped(), left: right, right: left })
        } else {
            None
        }
    }
}
