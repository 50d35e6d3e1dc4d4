//! TRY(x): NULL in the rows for which x fails. Every part that can fail is replaced by one that returns NULL instead.
//! If an operator above (COALESCE, CASE, IS NULL) could take that NULL for a value, the failing rows are computed
//! separately.

use polars::prelude::{Expr as PolarsExpr, NULL, lit, when};
use rowhouse_model::QueryError;

use super::super::{Guard, Staged, guarded, lower_guarded, storage};
use super::lambda::OnFailure;
use super::{lambda, takes_nulls, try_call};
use crate::date_time;
use crate::failure::not_supported;
use rowhouse_sql::expr::fallible::call_can_fail;
use rowhouse_sql::expr::{ArithmeticOperator, Expr, ExprKind, Value};
use rowhouse_sql::functions::ScalarFunction;
use rowhouse_sql::types::Type;

mod rewrite;

use rewrite::{Failure, MAX_NODES, Tried, any, can_fail, case, refused, rewrite};

pub(super) fn attempt(expr: &Expr, guard: &Guard, staged: &mut Staged) -> Result<PolarsExpr, QueryError> {
    if let Some((function, args)) = lambda_call(expr)
        && !args.iter().any(|arg| !matches!(arg.kind, ExprKind::Lambda { .. }) && can_fail(arg))
    {
        return lambda::call(function, args, expr, guard, staged, OnFailure::Null);
    }
    if lambda_call(expr).is_none()
        && let Some(call) = caught_call(expr).filter(Caught::is_innermost)
    {
        let operands: Vec<&Expr> = match &call {
            Caught::Function(_, args) => args.iter().collect(),
            Caught::DateTime(_, left, right) | Caught::Number(_, left, right) => vec![left, right],
        };
        let operands = operands.into_iter().map(rewrite).collect::<Result<Vec<_>, _>>()?;
        let is_null = operands.iter().all(|operand| operand.is_null_where_failed);
        let can_fail = operands.iter().any(|operand| !matches!(operand.failure, Failure::Nowhere));
        if !is_null || can_fail && takes_nulls(expr)? {
            return attempted_apart(&call, operands, expr, guard, staged);
        }
        let operands: Vec<Expr> = operands.into_iter().map(|operand| operand.value).collect();
        return match (call, operands.as_slice()) {
            (Caught::DateTime(operator, ..), [left, right]) => {
                let values = (lower_guarded(left, &None, staged)?, lower_guarded(right, &None, staged)?);
                let (left, right) = ((values.0, left), (values.1, right));
                date_time::arithmetic(operator, left, right, &expr.data_type, true)
            }
            (Caught::Function(function, _), args) => try_call(function, args, expr, staged),
            (Caught::Number(operator, ..), [left, right]) => {
                let values = (lower_guarded(left, &None, staged)?, lower_guarded(right, &None, staged)?);
                super::super::arithmetic::try_arithmetic(
                    operator,
                    (values.0, left),
                    (values.1, right),
                    &expr.data_type,
                )
            }
            (Caught::DateTime(..) | Caught::Number(..), _) => Err(refused(expr)),
        };
    }
    let tried = rewrite(expr)?;
    let whole = match tried.failure {
        Failure::At(rows) if !tried.is_null_where_failed => {
            let null = Expr::literal(Value::Null, expr.data_type.clone());
            case(vec![(rows, null)], tried.value)
        }
        _ => tried.value,
    };
    if whole.node_count() > MAX_NODES {
        return Err(not_supported("TRY of an expression that repeats so many parts", expr.location));
    }
    // Each TRY inside is rewritten as well, so that small copies multiply, too.
    staged.repeated.add(&whole);
    lower_guarded(&whole, guard, staged)
}

/// Lowers TRY of a call that may have a value although an argument has failed: the rows for which one fails are NULL, and
/// the others are tried.
fn attempted_apart(
    call: &Caught<'_>,
    operands: Vec<Tried>,
    whole: &Expr,
    guard: &Guard,
    staged: &mut Staged,
) -> Result<PolarsExpr, QueryError> {
    let args: Vec<Expr> = operands.iter().map(|operand| operand.value.clone()).collect();
    let (Caught::Function(function, _), Failure::At(rows)) = (call, any(operands)) else {
        return Err(refused(whole));
    };
    let kind = ExprKind::Call { function: *function, args: args.clone() };
    let others = Expr { kind, data_type: whole.data_type.clone(), location: whole.location };
    let have_failed = lower_guarded(&rows, &None, staged)?;
    let value = try_call(*function, &args, &others, staged)?;
    let null = lit(NULL).cast(storage(&whole.data_type));
    let value = when(have_failed).then(null).otherwise(value);
    Ok(guarded(value, &whole.data_type, guard))
}

/// The call, if the expression is one with a lambda expression.
fn lambda_call(expr: &Expr) -> Option<(ScalarFunction, &[Expr])> {
    match &expr.kind {
        ExprKind::Call { function, args } if lambda::takes_one(args) => Some((*function, args)),
        _ => None,
    }
}

/// An expression that can fail by itself and whose error is caught row by row.
enum Caught<'e> {
    Function(ScalarFunction, &'e [Expr]),
    /// Arithmetic of dates, times or intervals.
    DateTime(ArithmeticOperator, &'e Expr, &'e Expr),
    /// Arithmetic of decimals, and division of integers.
    Number(ArithmeticOperator, &'e Expr, &'e Expr),
}

impl Caught<'_> {
    /// Whether the error is caught at this expression. Operands that may fail are rewritten one by one instead, so that
    /// it is known which one failed.
    fn is_innermost(&self) -> bool {
        match self {
            Self::Number(_, left, right) => !can_fail(left) && !can_fail(right),
            Self::Function(..) | Self::DateTime(..) => true,
        }
    }
}

fn caught_call(expr: &Expr) -> Option<Caught<'_>> {
    match &expr.kind {
        ExprKind::Call { function: ScalarFunction::Random | ScalarFunction::Fail, .. } => None,
        ExprKind::Call { function, args } if call_can_fail(*function, args) => {
            Some(Caught::Function(*function, args))
        }
        ExprKind::Arithmetic { operator, left, right } if !expr.data_type.is_numeric() => {
            Some(Caught::DateTime(*operator, left, right))
        }
        ExprKind::Arithmetic { operator, left, right } if is_caught_number(*operator, &expr.data_type) => {
            Some(Caught::Number(*operator, left, right))
        }
        _ => None,
    }
}

/// Whether errors of this arithmetic are caught. Sums and products of integers are computed as decimals instead, and
/// those of doubles do not fail.
const fn is_caught_number(operator: ArithmeticOperator, data_type: &Type) -> bool {
    let divides = matches!(operator, ArithmeticOperator::Divide | ArithmeticOperator::Modulus);
    matches!(data_type, Type::Decimal { .. }) || divides && data_type.is_integer()
}
