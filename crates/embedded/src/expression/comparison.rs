//! Comparisons and IN lists. Polars orders NaN above all numbers and equal to itself; in SQL, NaN is neither equal to
//! nor ordered against any number. NULL makes a comparison NULL, also with NaN.

use std::cmp::Ordering;

use polars::prelude::{Expr as PolarsExpr, NULL, Series, lit, when};
use rowhouse_model::QueryError;

use super::super::data_type::storage;
use super::super::datum::{Argument, Datum, Nulls, build, equal, is_same, partial_compare, row_by_row};
use super::super::failure;
use super::super::order_key::is_nested;
use super::operands::{is_null_literal, lower_operands, lower_pair};
use super::{Guard, Staged, conditional, literal_datum, lower_guarded, null};
use rowhouse_sql::expr::fallible::{is_constant, is_fallible};
use rowhouse_sql::expr::{ComparisonOperator, Expr, ExprKind, Value};
use rowhouse_sql::types::Type;

pub(super) fn comparison(
    operator: ComparisonOperator,
    left: &Expr,
    right: &Expr,
    guard: &Guard,
    staged: &mut Staged,
) -> Result<PolarsExpr, QueryError> {
    let [l, r] = if operator.sees_null() {
        [lower_guarded(left, guard, staged)?, lower_guarded(right, guard, staged)?]
    } else {
        lower_pair(left, right, guard, staged)?
    };
    Ok(compared(operator, (left, l), (right, r), staged))
}

/// Compares lowered operands. A comparison with the literal NULL is not passed to Polars, which would create a source
/// of as many NULLs as the other operand has rows; its streaming engine waits for that source forever if the rows are
/// not read.
pub(crate) fn compared(
    operator: ComparisonOperator,
    (left, l): (&Expr, PolarsExpr),
    (right, r): (&Expr, PolarsExpr),
    staged: &mut Staged,
) -> PolarsExpr {
    if !operator.sees_null() && (is_null_literal(&l) || is_null_literal(&r)) {
        return null(&Type::Boolean);
    }
    if is_nested(&left.data_type) {
        let argument = |operand: &Expr, value| Argument { value, data_type: operand.data_type.clone() };
        return nested(operator, vec![argument(left, l), argument(right, r)]);
    }
    use ComparisonOperator as C;
    let (is_left_nan, is_right_nan) = (can_be_nan(left), can_be_nan(right));
    let (l, r) = if is_left_nan || is_right_nan { (staged.copyable(l), staged.copyable(r)) } else { (l, r) };
    let (is_l_nan, is_r_nan) = (l.clone().is_nan(), r.clone().is_nan());
    // The greater operand must be a number, because Polars takes NaN for the greatest value. A comparison with NULL
    // remains NULL.
    let only_if_number =
        |compared: PolarsExpr, greater: &PolarsExpr, other: &PolarsExpr, can_be_nan: bool| {
            if !can_be_nan {
                return compared;
            }
            let is_number = greater.clone().is_not_nan();
            let is_other_known = matches!(other, PolarsExpr::Literal(_));
            compared.and(if is_other_known { is_number } else { is_number.or(other.clone().is_null()) })
        };
    match operator {
        C::Equal if is_left_nan && is_right_nan => l.eq(r).and(is_l_nan.and(is_r_nan).not()),
        C::NotEqual if is_left_nan && is_right_nan => l.neq(r).or(is_l_nan.and(is_r_nan)),
        C::Equal => l.eq(r),
        C::NotEqual => l.neq(r),
        C::LessThan => only_if_number(l.clone().lt(r.clone()), &r, &l, is_right_nan),
        C::LessThanOrEqual => only_if_number(l.clone().lt_eq(r.clone()), &r, &l, is_right_nan),
        C::GreaterThan => only_if_number(l.clone().gt(r.clone()), &l, &r, is_left_nan),
        C::GreaterThanOrEqual => only_if_number(l.clone().gt_eq(r.clone()), &l, &r, is_left_nan),
        C::IsDistinctFrom => l.neq_missing(r),
        C::IsNotDistinctFrom => l.eq_missing(r),
    }
}

/// Compares arrays or rows; the result is NULL if it depends on a NULL in them (D68).
fn nested(operator: ComparisonOperator, operands: Vec<Argument>) -> PolarsExpr {
    use ComparisonOperator as C;
    let compare = move |row: &[Datum<'_>]| {
        let (left, right) = (&row[0], &row[1]);
        match operator {
            C::Equal => equal(left, right),
            C::NotEqual => equal(left, right).map(|is_equal| !is_equal),
            C::LessThan => partial_compare(left, right).map(Ordering::is_lt),
            C::LessThanOrEqual => partial_compare(left, right).map(Ordering::is_le),
            C::GreaterThan => partial_compare(left, right).map(Ordering::is_gt),
            C::GreaterThanOrEqual => partial_compare(left, right).map(Ordering::is_ge),
            C::IsDistinctFrom => Some(!is_same(left, right)),
            C::IsNotDistinctFrom => Some(is_same(left, right)),
        }
    };
    // NULL operands are compared like NULL elements.
    row_by_row(operands, Type::Boolean, Nulls::Seen, move |row| {
        Ok(compare(row).map_or(Datum::Null, Datum::Boolean))
    })
}

fn can_be_nan(operand: &Expr) -> bool {
    matches!(operand.data_type, Type::Real | Type::Double)
        && !matches!(operand.as_literal(), Some(Value::Double(value)) if !value.is_nan())
}

/// Maximum number of items of IN that are compared one after the other, each where those before it are not equal: every one
/// is a level of the plan.
const MAX_SINGLE_ITEMS: usize = 64;
/// Maximum number of nodes of the value, which is copied for each of them: INs whose values are INs must not double with each
/// level.
const MAX_NODES_OF_VALUE: usize = 8;

/// Whether items of IN are few enough, and their value is small enough, to be compared one after the other.
pub(super) fn are_few_items(count: usize, value: &Expr) -> bool {
    count <= MAX_SINGLE_ITEMS && value.node_count() <= MAX_NODES_OF_VALUE
}

/// Lowers IN with a list: constants as a set, other items as comparisons. An item that can fail is evaluated where no
/// item before it is equal (D80).
pub(super) fn in_list(
    value: &Expr,
    list: &[Expr],
    guard: &Guard,
    staged: &mut Staged,
) -> Result<PolarsExpr, QueryError> {
    let (constants, others): (Vec<&Expr>, Vec<&Expr>) =
        list.iter().partition(|member| member.as_literal().is_some());
    if others.iter().any(|member| is_fallible(member) && !is_constant(member))
        && !value.is_random()
        && are_few_items(others.len(), value)
    {
        let constants: Vec<Expr> = constants.into_iter().cloned().collect();
        let equal =
            |member: &Expr| Expr::comparison(ComparisonOperator::Equal, value.clone(), member.clone());
        let mut parts = Vec::with_capacity(1 + others.len());
        if !constants.is_empty() {
            let kind = ExprKind::InList { value: Box::new(value.clone()), list: constants };
            parts.push(Expr::new(kind, Type::Boolean));
        }
        parts.extend(others.into_iter().map(equal));
        return conditional::or(&parts, guard, staged);
    }
    let (nulls, constants): (Vec<&Expr>, Vec<&Expr>) =
        constants.into_iter().partition(|member| matches!(member.as_literal(), Some(Value::Null)));
    let operands: Vec<&Expr> = std::iter::once(value).chain(others.iter().copied()).collect();
    let mut operands = lower_operands(&operands, 1, guard, staged)?.into_iter();
    let lowered = operands.next().unwrap_or_else(|| null(&value.data_type));
    let lowered = staged.copyable(lowered);
    let mut parts = Vec::new();
    let equal = |member: &Expr, operand: PolarsExpr, staged: &mut Staged| {
        compared(ComparisonOperator::Equal, (value, lowered.clone()), (member, operand), staged)
    };
    if constants.len() > 3 && !matches!(value.data_type, Type::Real | Type::Double | Type::Row(_)) {
        parts.push(lowered.clone().is_in(lit(set(&constants, &value.data_type)?).implode(true), false));
    } else {
        for member in constants {
            let operand = lower_guarded(member, guard, staged)?;
            parts.push(equal(member, operand, staged));
        }
    }
    for (member, operand) in others.into_iter().zip(operands) {
        parts.push(equal(member, operand, staged));
    }
    let found = conditional::combined(parts, &PolarsExpr::or).unwrap_or_else(|| lit(false));
    Ok(if nulls.is_empty() { found } else { when(found).then(lit(true)).otherwise(lit(NULL)) })
}

fn set(members: &[&Expr], data_type: &Type) -> Result<Series, QueryError> {
    let values = members.iter().filter_map(|member| member.as_literal()).map(literal_datum).collect();
    build("".into(), values, data_type)
        .and_then(|series| series.cast(&storage(data_type)))
        .map_err(|error| failure::query_error(&error))
}
