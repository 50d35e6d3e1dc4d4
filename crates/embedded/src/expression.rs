//! Lowers typed SQL expressions to Polars expressions. Every expression has exactly the storage of its SQL type, so
//! Polars coerces nothing.
//!
//! Polars evaluates all branches of a conditional for all rows. If a branch can fail, its operands are set to NULL in
//! the rows for which SQL would not evaluate it (the guard); a kernel does not fail for NULL.

use polars::prelude::{DataFrame, Expr as PolarsExpr, IntoLazy, LiteralValue, NULL, Scalar, lit, when};
use rowhouse_model::QueryError;

use super::data_type::storage;
use super::datum::{Datum, read_one};
use super::failure::{self, not_supported};
use crate::column::column;
use rowhouse_sql::expr::{Expr, ExprKind, Value, fallible};
use rowhouse_sql::functions::ScalarFunction;
use rowhouse_sql::types::Type;

mod arithmetic;
mod cast;
mod comparison;
mod conditional;
mod dictionary_aware;
mod function;
mod like;
mod literal;
mod operands;
mod repeated;
mod staged;

pub(super) use cast::cast_value;
pub(super) use comparison::compared;
pub(super) use literal::literal_datum;
pub(super) use staged::Staged;

use repeated::Repeated;

/// The rows for which an expression is evaluated; `None` for all rows.
pub(super) type Guard = Option<PolarsExpr>;

/// Lowers an expression that is evaluated for every row of a frame. `staged` must be applied to the frame before.
pub(super) fn lower_expression(expr: &Expr, staged: &mut Staged) -> Result<PolarsExpr, QueryError> {
    staged.repeated = Repeated::default();
    staged.repeated.search(expr);
    lower_guarded(expr, &None, staged)
}

/// Lowers an expression that is evaluated for the rows of a guard, which applies only if the expression can fail.
fn lower_guarded(expr: &Expr, guard: &Guard, staged: &mut Staged) -> Result<PolarsExpr, QueryError> {
    let Some(hash) = staged.repeated.hash(expr) else { return lower_once(expr, guard, staged) };
    if let Some(value) = staged.repeated.get(hash, expr, guard) {
        return Ok(value);
    }
    let value = lower_once(expr, guard, staged)?;
    let value = staged.copyable(value);
    staged.repeated.insert(hash, expr, guard, value.clone());
    Ok(value)
}

fn lower_once(expr: &Expr, guard: &Guard, staged: &mut Staged) -> Result<PolarsExpr, QueryError> {
    if !staged.is_folding || matches!(expr.kind, ExprKind::Literal(_)) || !fallible::is_constant(expr) {
        let own_guard = if guard.is_some() && fallible::is_fallible(expr) { guard } else { &None };
        if let Some(lowered) = dictionary_aware::lower(expr, own_guard, staged)? {
            return Ok(lowered);
        }
        return lower_unfolded(expr, own_guard, staged);
    }
    if let Some(constant) = fold(expr) {
        return Ok(constant);
    }
    staged.is_folding = false;
    let own_guard = if guard.is_some() && fallible::is_fallible(expr) { guard } else { &None };
    let lowered = lower_unfolded(expr, own_guard, staged);
    staged.is_folding = true;
    lowered
}

/// Lowers an expression without folding it. Its operands are folded, unless folding an expression around them has
/// failed.
fn lower_unfolded(expr: &Expr, guard: &Guard, staged: &mut Staged) -> Result<PolarsExpr, QueryError> {
    match &expr.kind {
        ExprKind::Column(id) => Ok(column(*id)),
        ExprKind::Literal(value) => Ok(literal::literal(value, &expr.data_type)),
        ExprKind::Cast { input, is_try } => cast::cast(input, &expr.data_type, *is_try, guard, staged),
        ExprKind::Call { function, args } if is_random_call(*function, args) => {
            if let Some(drawn) = staged.drawn(expr.location, guard) {
                return Ok(drawn);
            }
            let value = function::call(*function, args, expr, guard, staged)?;
            Ok(staged.draw(value, expr.location, guard))
        }
        ExprKind::Call { function, args } => function::call(*function, args, expr, guard, staged),
        ExprKind::Arithmetic { operator, left, right } => {
            arithmetic::arithmetic(*operator, left, right, &expr.data_type, guard, staged)
        }
        ExprKind::Negate(input) => arithmetic::negate(input, &expr.data_type, guard, staged),
        ExprKind::Case { branches, otherwise } => {
            conditional::case(branches, otherwise.as_deref(), &expr.data_type, guard, staged)
        }
        ExprKind::And(parts) => conditional::and(parts, guard, staged),
        ExprKind::Or(parts) => conditional::or(parts, guard, staged),
        ExprKind::Not(input) => Ok(lower_guarded(input, guard, staged)?.not()),
        ExprKind::Comparison { operator, left, right } => {
            comparison::comparison(*operator, left, right, guard, staged)
        }
        ExprKind::IsNull(input) => Ok(lower_guarded(input, guard, staged)?.is_null()),
        ExprKind::InList { value, list } => comparison::in_list(value, list, guard, staged),
        ExprKind::Like { value, pattern, escape, is_case_insensitive } => {
            like::like(value, pattern, *escape, *is_case_insensitive, guard, staged)
        }
        ExprKind::RowField { input, index } => {
            let Type::Row(fields) = &input.data_type else {
                return Err(not_supported("a field of something that is no row", expr.location));
            };
            let name = fields[*index].stored_name(*index);
            Ok(lower_guarded(input, guard, staged)?.struct_().field_by_name(&name))
        }
        ExprKind::Lambda { .. } => {
            Err(not_supported("a lambda expression that no function takes", expr.location))
        }
    }
}

/// Whether a call itself, not its arguments, has other values at each evaluation: lambda expressions are a part of it.
fn is_random_call(function: ScalarFunction, args: &[Expr]) -> bool {
    let is_random_lambda = |arg: &Expr| matches!(arg.kind, ExprKind::Lambda { .. }) && arg.is_random();
    function.is_random() || args.iter().any(is_random_lambda)
}

/// The operand of an expression that can fail: NULL outside the guard.
fn guarded(operand: PolarsExpr, data_type: &Type, guard: &Guard) -> PolarsExpr {
    match guard {
        None => operand,
        Some(guard) => when(guard.clone()).then(operand).otherwise(null(data_type)),
    }
}

/// NULL of a type.
fn null(data_type: &Type) -> PolarsExpr {
    match storage(data_type) {
        polars::prelude::DataType::Null => lit(NULL),
        stored => PolarsExpr::Literal(LiteralValue::Scalar(Scalar::null(stored))),
    }
}

/// Evaluates an expression without columns at once, so that files can be pruned by its value. `None` if it fails, since
/// perhaps no row needs it.
fn fold(expr: &Expr) -> Option<PolarsExpr> {
    let datum = evaluate_constant(expr).ok()?;
    literal::of_datum(datum, &expr.data_type)
}

/// The integer that an expression is for every row, if it is one.
pub(super) fn constant_integer(expr: &Expr) -> Option<i64> {
    match fallible::is_constant(expr).then(|| evaluate_constant(expr).ok()).flatten()? {
        Datum::Integer(value) => Some(value),
        _ => None,
    }
}

/// The value of an expression without columns as that of a literal; `None` if it fails, or has none.
pub(super) fn constant_value(expr: &Expr) -> Option<Value> {
    literal::value_of(evaluate_constant(expr).ok()?, &expr.data_type)
}

/// The value of an expression without columns.
pub(super) fn evaluate_constant(expr: &Expr) -> Result<Datum<'static>, QueryError> {
    let evaluate = || -> Result<_, QueryError> {
        let mut staged = Staged::new("#staged".into());
        staged.is_folding = false;
        staged.repeated.search(expr);
        let lowered = lower_unfolded(expr, &None, &mut staged)?;
        let frame = DataFrame::new(1, vec![polars::prelude::Column::new("#one".into(), [true])]);
        let evaluated = frame
            .and_then(|frame| staged.apply(frame.lazy()).select([lowered.alias("#value")]).collect())
            .map_err(|error| failure::query_error(&error))?;
        let value = evaluated.columns()[0].as_materialized_series().clone();
        read_one(&value, &expr.data_type).map_err(|error| failure::query_error(&error))
    };
    evaluate()
}

/// The text of an argument that must be a constant.
pub(super) fn constant_text(expr: &Expr) -> Result<String, QueryError> {
    match evaluate_constant_at(expr)? {
        Datum::Text(text) => Ok(text.into_owned()),
        _ => Err(constant_expected(expr)),
    }
}

/// The number of an argument that must be a constant.
pub(super) fn constant_double(expr: &Expr) -> Result<f64, QueryError> {
    match evaluate_constant_at(expr)? {
        Datum::Double(number) => Ok(number),
        #[expect(clippy::cast_precision_loss, reason = "a fraction or a count of few digits")]
        Datum::Integer(number) => Ok(number as f64),
        _ => Err(constant_expected(expr)),
    }
}

fn evaluate_constant_at(expr: &Expr) -> Result<Datum<'static>, QueryError> {
    if let ExprKind::Literal(value) = &expr.kind {
        return Ok(literal_datum(value));
    }
    if !fallible::is_constant(expr) {
        return Err(constant_expected(expr));
    }
    evaluate_constant(expr)
}

fn constant_expected(expr: &Expr) -> QueryError {
    not_supported("this argument must be a constant that is not NULL", expr.location)
}
