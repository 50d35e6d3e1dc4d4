//! Joins. Keys are passed to Polars' hash join. The residual of an inner join is a filter above it; `residual_join.rs`
//! lowers other joins with a residual.

use polars::prelude::{
    DataType, Expr, JoinBuildSide, JoinCoalesce, JoinType, LazyFrame, LiteralValue, NULL, PlSmallStr, Scalar,
    col, len, lit, when,
};
use rowhouse_model::QueryError;

use super::Lowering;
use super::relation::at_most_one_row;
use crate::column::{column, column_name, columns};
use crate::datum::{Argument, Datum, Nulls, equal, row_by_row};
use crate::expression::lower_expression;
use crate::numeric::packed_key;
use crate::order_key::is_nested;
use rowhouse_sql::expr::Expr as SqlExpr;
use rowhouse_sql::plan::{Join, JoinKey, JoinKind};
use rowhouse_sql::types::Type;

/// Both sides of a join with their keys as columns.
pub(super) struct Sides {
    pub(super) left: LazyFrame,
    pub(super) right: LazyFrame,
    pub(super) left_on: Vec<PlSmallStr>,
    pub(super) right_on: Vec<PlSmallStr>,
    /// Whether NULL equals NULL, for all keys.
    pub(super) nulls_equal: bool,
    /// The side that the hash table is built from; if `None`, Polars samples both sides and decides.
    pub(super) build_side: Option<JoinBuildSide>,
}

impl Lowering<'_> {
    pub(super) fn join(&mut self, node: &Join) -> Result<LazyFrame, QueryError> {
        if let Some(filtered) = self.lower_dynamic_filter(node)? {
            return Ok(filtered);
        }
        if let Some(found) = self.lower_lookup(node)? {
            return Ok(found);
        }
        if let Some(product) = self.product_with_one_row(node)? {
            return Ok(product);
        }
        let left = self.lower(&node.left)?;
        let right = self.lower(&node.right)?;
        if node.kind == JoinKind::Inner && node.keys.is_empty() {
            let crossed = left.cross_join(right, None);
            return match &node.residual {
                Some(residual) => self.filtered(crossed, residual.clone().into_conjuncts()),
                None => Ok(crossed),
            };
        }
        let sides = self.sides(left, right, &node.keys, true)?;
        let sides = Sides { build_side: self.build_side(node), ..sides };
        match (node.kind, &node.residual) {
            (JoinKind::Single, None) => {
                let fields = node.right.fields();
                Ok(self.single(sides, &columns(&fields)))
            }
            (kind, None) => Ok(sides.join(kind)),
            (JoinKind::Inner, Some(residual)) => {
                self.filtered(sides.join(JoinKind::Inner), residual.clone().into_conjuncts())
            }
            (kind, Some(residual)) => self.join_with_residual(node, kind, sides, residual),
        }
    }

    /// Computes every key as a column. With `use_columns` a key that is a column is used itself; the join's result must
    /// then not be joined with the same right side again. Without keys both sides get a constant, so that every pair
    /// matches.
    pub(super) fn sides(
        &mut self,
        left: LazyFrame,
        right: LazyFrame,
        keys: &[JoinKey],
        use_columns: bool,
    ) -> Result<Sides, QueryError> {
        let (left_on, right_on) = (Vec::new(), Vec::new());
        let mut sides = Sides { left, right, left_on, right_on, nulls_equal: false, build_side: None };
        if keys.is_empty() {
            let one = self.temporary();
            let other = self.temporary();
            sides.left = sides.left.with_column(lit(1i8).alias(one.clone()));
            sides.right = sides.right.with_column(lit(1i8).alias(other.clone()));
            sides.left_on.push(one);
            sides.right_on.push(other);
            return Ok(sides);
        }
        let (mut left_staged, mut right_staged) = (self.staged(), self.staged());
        if let [first, second] = keys
            && is_whole_number(first)
            && is_whole_number(second)
        {
            let are_short = [first, second].into_iter().all(is_short_number);
            let left_first = lower_expression(&first.left, &mut left_staged)?;
            let left_second = lower_expression(&second.left, &mut left_staged)?;
            let left_key = packed_key(left_first, left_second, are_short);
            let right_first = lower_expression(&first.right, &mut right_staged)?;
            let right_second = lower_expression(&second.right, &mut right_staged)?;
            let right_key = packed_key(right_first, right_second, are_short);
            let (left_name, right_name) = (self.temporary(), self.temporary());
            sides.left = left_staged.apply(sides.left).with_column(left_key.alias(left_name.clone()));
            sides.right = right_staged.apply(sides.right).with_column(right_key.alias(right_name.clone()));
            sides.left_on.push(left_name);
            sides.right_on.push(right_name);
            return Ok(sides);
        }
        let (mut left_keys, mut right_keys) = (Vec::new(), Vec::new());
        let (mut left_is_null, mut right_is_null) = (lit(false), lit(false));
        for key in keys {
            let mut left = lower_expression(&key.left, &mut left_staged)?;
            let mut right = lower_expression(&key.right, &mut right_staged)?;
            let mut use_columns = use_columns;
            if !key.null_equals_null && is_irreflexive(&key.left.data_type) {
                (left, right) = (matching(left, &key.left.data_type), matching(right, &key.right.data_type));
                use_columns = false;
            }
            let left_name = self.key_name(&key.left, use_columns, &sides.left_on);
            let right_name = self.key_name(&key.right, use_columns, &sides.right_on);
            if !key.null_equals_null {
                left_is_null = left_is_null.or(left.clone().is_null());
                right_is_null = right_is_null.or(right.clone().is_null());
            }
            if key.left.as_column().map(column_name).as_ref() != Some(&left_name) {
                left_keys.push(left.alias(left_name.clone()));
            }
            if key.right.as_column().map(column_name).as_ref() != Some(&right_name) {
                right_keys.push(right.alias(right_name.clone()));
            }
            sides.left_on.push(left_name);
            sides.right_on.push(right_name);
        }
        sides.nulls_equal = keys.iter().any(|key| key.null_equals_null);
        if sides.nulls_equal && !keys.iter().all(|key| key.null_equals_null) {
            // Polars has one rule for all keys. A NULL in a key that does not match NULL becomes a value that the other
            // side does not have.
            let (left_name, right_name) = (self.temporary(), self.temporary());
            left_keys.push(when(left_is_null).then(lit(1i8)).otherwise(lit(0i8)).alias(left_name.clone()));
            right_keys.push(when(right_is_null).then(lit(2i8)).otherwise(lit(0i8)).alias(right_name.clone()));
            sides.left_on.push(left_name);
            sides.right_on.push(right_name);
        }
        sides.left = left_staged.apply(sides.left);
        sides.right = right_staged.apply(sides.right);
        if !left_keys.is_empty() {
            sides.left = sides.left.with_columns(left_keys);
        }
        if !right_keys.is_empty() {
            sides.right = sides.right.with_columns(right_keys);
        }
        Ok(sides)
    }

    /// The name of the column that is the key, or a new name for a computed key. Each column is used once, because
    /// Polars requires a different name for each key.
    fn key_name(&mut self, key: &SqlExpr, use_columns: bool, taken: &[PlSmallStr]) -> PlSmallStr {
        let column = key.as_column().map(column_name).filter(|name| use_columns && !taken.contains(name));
        column.unwrap_or_else(|| self.temporary())
    }

    /// A left join that fails if a left row has more than one match. The right side is aggregated to one row for each
    /// key beforehand, with the number of its rows.
    fn single(&mut self, sides: Sides, right_columns: &[Expr]) -> LazyFrame {
        let count = self.temporary();
        let keys: Vec<Expr> = sides.right_on.iter().map(|name| col(name.clone())).collect();
        let mut first: Vec<Expr> = right_columns
            .iter()
            .filter(|column| !keys.contains(column))
            .map(|column| column.clone().first())
            .collect();
        first.push(len().alias(count.clone()));
        let right = sides.right.clone().group_by(keys).agg(first);
        let joined = Sides { right, ..sides }.join(JoinKind::Left);
        let checked: Vec<Expr> =
            right_columns.iter().map(|column| at_most_one_row(column.clone(), col(count.clone()))).collect();
        joined.with_columns(checked)
    }
}

impl Sides {
    /// The join by the keys only. The keys of both sides remain columns, unless it is a semi or anti join.
    pub(super) fn join(self, kind: JoinKind) -> LazyFrame {
        let how = match kind {
            JoinKind::Inner => JoinType::Inner,
            JoinKind::Left | JoinKind::Single => JoinType::Left,
            JoinKind::Right => JoinType::Right,
            JoinKind::Full => JoinType::Full,
            JoinKind::Semi => JoinType::Semi,
            JoinKind::Anti => JoinType::Anti,
        };
        let on = |names: &[PlSmallStr]| names.iter().map(|name| col(name.clone())).collect::<Vec<Expr>>();
        let mut builder = self
            .left
            .join_builder()
            .with(self.right)
            .left_on(on(&self.left_on))
            .right_on(on(&self.right_on))
            .how(how)
            .join_nulls(self.nulls_equal);
        if !matches!(kind, JoinKind::Semi | JoinKind::Anti) {
            builder = builder.coalesce(JoinCoalesce::KeepColumns).build_side(self.build_side);
        }
        builder.finish()
    }
}

/// Whether a key is a date or an integer of at most 64 bits, whose NULLs match nothing: two such keys are packed into
/// one, see [`packed_key`].
fn is_whole_number(key: &JoinKey) -> bool {
    let is_whole = |data_type: &Type| {
        matches!(data_type, Type::TinyInt | Type::SmallInt | Type::Integer | Type::BigInt | Type::Date)
    };
    !key.null_equals_null && is_whole(&key.left.data_type) && is_whole(&key.right.data_type)
}

/// Whether an integer key has at most 32 bits on both sides.
fn is_short_number(key: &JoinKey) -> bool {
    let is_short =
        |data_type: &Type| matches!(data_type, Type::TinyInt | Type::SmallInt | Type::Integer | Type::Date);
    is_short(&key.left.data_type) && is_short(&key.right.data_type)
}

/// Whether the type has values other than NULL that are not equal to themselves.
pub(super) const fn is_irreflexive(data_type: &Type) -> bool {
    matches!(data_type, Type::Real | Type::Double) || is_nested(data_type)
}

/// The key, with NULL in place of values that equal nothing: NaN, and arrays and rows that contain NULL or NaN.
fn matching(key: Expr, data_type: &Type) -> Expr {
    if !is_nested(data_type) {
        return when(key.clone().is_nan()).then(lit(NULL)).otherwise(key);
    }
    let argument = Argument { value: key, data_type: data_type.clone() };
    row_by_row(vec![argument], data_type.clone(), Nulls::Propagate, |row| {
        let equals_itself = equal(&row[0], &row[0]) == Some(true);
        Ok(if equals_itself { row[0].clone().into_owned() } else { Datum::Null })
    })
}

/// NULLs for the columns of the side without a match.
pub(super) fn null_columns(fields: &[rowhouse_sql::plan::Field]) -> Vec<Expr> {
    fields
        .iter()
        .map(|field| {
            let data_type: DataType = crate::data_type::storage(&field.data_type);
            Expr::Literal(LiteralValue::Scalar(Scalar::null(data_type))).alias(column_name(field.id))
        })
        .collect()
}

/// The columns of fields, for a projection.
pub(super) fn selected(fields: &[rowhouse_sql::plan::Field]) -> Vec<Expr> {
    fields.iter().map(|field| column(field.id)).collect()
}
