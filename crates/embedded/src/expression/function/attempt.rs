//! TRY(x): NULL in the rows for which x fails. Every part that can fail is replaced by one that returns NULL instead.
//! If an operator above (COALESCE, CASE, IS NULL) could take that NULL for a value, the failing rows are computed
//! separately.

use polars::prelude::{Expr as PolarsExpr, NULL, lit, when};
use rowhouse_model::QueryError;

use super::super::comparison::are_few_items;
use super::super::{Guard, Staged, guarded, lower_guarded, storage};
use super::{lambda, takes_nulls, try_call};
use crate::date_time;
use crate::failure::not_supported;
use rowhouse_sql::expr::fallible::{call_can_fail, itself_can_fail};
use rowhouse_sql::expr::{ArithmeticOperator, ComparisonOperator, Expr, ExprKind, Value};
use rowhouse_sql::functions::ScalarFunction;
use rowhouse_sql::types::Type;

/// Maximum number of nodes of an expression and of the conditions for which it fails: a second of lowering. Only parts
/// that BETWEEN and the like repeat inside of each other make so many.
const MAX_NODES: usize = 100_000;

pub(super) fn attempt(expr: &Expr, guard: &Guard, staged: &mut Staged) -> Result<PolarsExpr, QueryError> {
    if let Some((function, args)) = lambda_call(expr) {
        return attempted_lambda(function, args, expr, guard, staged);
    }
    if let Some(call) = caught_call(expr).filter(|call| call.is_innermost()) {
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
        Failure::Unknown if !tried.is_null_where_failed => return Err(refused(expr)),
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

/// Lowers TRY of a call with a lambda expression: the failing rows are found by evaluating smaller and smaller groups
/// of rows.
fn attempted_lambda(
    function: ScalarFunction,
    args: &[Expr],
    whole: &Expr,
    guard: &Guard,
    staged: &mut Staged,
) -> Result<PolarsExpr, QueryError> {
    let mut softened = Vec::with_capacity(args.len());
    for arg in args {
        if matches!(arg.kind, ExprKind::Lambda { .. }) {
            softened.push(arg.clone());
            continue;
        }
        let tried = rewrite(arg)?;
        let is_array =
            function != ScalarFunction::Routine && matches!(arg.data_type, Type::Array(_) | Type::Map(..));
        // A NULL argument makes the result NULL only if it is the array.
        let is_safe = matches!(tried.failure, Failure::Nowhere) || is_array && tried.is_null_where_failed;
        if !is_safe {
            return Err(refused(whole));
        }
        softened.push(tried.value);
    }
    lambda::call(function, &softened, whole, guard, staged, true)
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

/// A rewritten expression that does not fail, in place of one that can.
struct Tried {
    value: Expr,
    failure: Failure,
    is_null_where_failed: bool,
}

/// The rows for which the original expression fails.
enum Failure {
    Nowhere,
    /// The rows of a condition that is never NULL.
    At(Expr),
    /// Unknown rows, in which the value is NULL.
    Unknown,
}

/// Whether an expression has an error that TRY around it catches: those inside another TRY are caught there.
fn can_fail(expr: &Expr) -> bool {
    let is_tried = matches!(expr.kind, ExprKind::Call { function: ScalarFunction::Try, .. });
    !is_tried && (itself_can_fail(expr) || expr.children().into_iter().any(can_fail))
}

fn rewrite(expr: &Expr) -> Result<Tried, QueryError> {
    if !can_fail(expr) {
        return Ok(Tried { value: expr.clone(), failure: Failure::Nowhere, is_null_where_failed: true });
    }
    let same = |kind| Expr { kind, data_type: expr.data_type.clone(), location: expr.location };
    match &expr.kind {
        ExprKind::Cast { input, is_try } => {
            let input = rewrite(input)?;
            let value = same(ExprKind::Cast { input: Box::new(input.value.clone()), is_try: true });
            let own = if *is_try { Failure::Nowhere } else { lost(&value, [&input]) };
            Ok(strict(value, vec![input], own))
        }
        ExprKind::Arithmetic { operator, left, right } if expr.data_type.is_numeric() => {
            let (left, right) = (rewrite(left)?, rewrite(right)?);
            let value = arithmetic(*operator, left.value.clone(), right.value.clone(), expr);
            let own = lost(&value, [&left, &right]);
            Ok(strict(value, vec![left, right], own))
        }
        ExprKind::Negate(input) if expr.data_type.is_integer() => {
            let zero = Expr::literal(Value::Integer(0), expr.data_type.clone());
            let difference = ExprKind::Arithmetic {
                operator: ArithmeticOperator::Subtract,
                left: Box::new(zero),
                right: input.clone(),
            };
            rewrite(&same(difference))
        }
        ExprKind::Comparison { operator, left, right } => {
            let (left, right) = (rewrite(left)?, rewrite(right)?);
            let value = same(ExprKind::Comparison {
                operator: *operator,
                left: Box::new(left.value.clone()),
                right: Box::new(right.value.clone()),
            });
            let sees_null = matches!(
                operator,
                ComparisonOperator::IsDistinctFrom | ComparisonOperator::IsNotDistinctFrom
            );
            if sees_null {
                seeing(value, any(vec![left, right]), expr)
            } else {
                Ok(strict(value, vec![left, right], Failure::Nowhere))
            }
        }
        ExprKind::Not(input) => {
            let input = rewrite(input)?;
            Ok(strict(input.value.clone().negated(), vec![input], Failure::Nowhere))
        }
        ExprKind::IsNull(input) => {
            let input = rewrite(input)?;
            seeing(is_null(input.value.clone()), any(vec![input]), expr)
        }
        ExprKind::InList { value, list } if !value.is_random() => in_list(value, list, expr),
        ExprKind::And(parts) => in_order(parts, expr, false, Expr::and),
        ExprKind::Or(parts) => in_order(parts, expr, true, Expr::or),
        ExprKind::Case { branches, otherwise } => soften_case(branches, otherwise.as_deref(), expr),
        ExprKind::Call { function: ScalarFunction::Coalesce, args } => {
            let args = args.iter().map(rewrite).collect::<Result<Vec<_>, _>>()?;
            let steps = args.iter().map(|arg| (arg, is_null(arg.value.clone()).negated()));
            let failure = first_failure(steps.collect());
            let args = args.into_iter().map(|arg| arg.value).collect();
            seeing(same(ExprKind::Call { function: ScalarFunction::Coalesce, args }), failure, expr)
        }
        ExprKind::Call { function: ScalarFunction::Nullif, args } => {
            let args = args.iter().map(rewrite).collect::<Result<Vec<_>, _>>()?;
            let values = args.iter().map(|arg| arg.value.clone()).collect();
            let value = same(ExprKind::Call { function: ScalarFunction::Nullif, args: values });
            seeing(value, any(args), expr)
        }
        _ if lambda_call(expr).is_some() || caught_call(expr).is_some() => {
            let value = same(ExprKind::Call { function: ScalarFunction::Try, args: vec![expr.clone()] });
            Ok(Tried { value, failure: Failure::Unknown, is_null_where_failed: true })
        }
        ExprKind::Call { function, args } if !call_can_fail(*function, args) => {
            let args = args.iter().map(rewrite).collect::<Result<Vec<_>, _>>()?;
            let values = args.iter().map(|arg| arg.value.clone()).collect();
            let value = same(ExprKind::Call { function: *function, args: values });
            // Functions of columns as a whole, which have no function of rows, are NULL if an argument is.
            if takes_nulls(expr).unwrap_or(false) {
                seeing(value, any(args), expr)
            } else {
                Ok(strict(value, args, Failure::Nowhere))
            }
        }
        _ => Err(refused(expr)),
    }
}

/// The rewrite of an expression that is NULL if one of its operands is.
fn strict(value: Expr, operands: Vec<Tried>, own: Failure) -> Tried {
    let is_null_where_failed = operands.iter().all(|operand| operand.is_null_where_failed);
    Tried { value, failure: either(any(operands), own), is_null_where_failed }
}

/// The rewrite of an expression that takes NULL for a value.
fn seeing(value: Expr, failure: Failure, whole: &Expr) -> Result<Tried, QueryError> {
    match failure {
        Failure::Unknown => Err(refused(whole)),
        Failure::Nowhere => Ok(Tried { value, failure, is_null_where_failed: true }),
        Failure::At(_) => Ok(Tried { value, failure, is_null_where_failed: false }),
    }
}

/// The rewrite of conditions that are evaluated up to the first one that is `decisive`.
fn in_order(
    parts: &[Expr],
    whole: &Expr,
    decisive: bool,
    join: impl Fn(Vec<Expr>) -> Expr,
) -> Result<Tried, QueryError> {
    let parts = parts.iter().map(rewrite).collect::<Result<Vec<_>, _>>()?;
    let decides =
        |part: &Expr| Expr::comparison(ComparisonOperator::Equal, part.clone(), Expr::boolean(decisive));
    let failure = first_failure(parts.iter().map(|part| (part, decides(&part.value))).collect());
    seeing(join(parts.into_iter().map(|part| part.value).collect()), failure, whole)
}

/// The rewrite of IN, which ends at the first item that is equal.
fn in_list(value: &Expr, list: &[Expr], whole: &Expr) -> Result<Tried, QueryError> {
    let same = |value: &Expr, list| {
        let kind = ExprKind::InList { value: Box::new(value.clone()), list };
        Expr { kind, data_type: whole.data_type.clone(), location: whole.location }
    };
    let (constants, others): (Vec<&Expr>, Vec<&Expr>) =
        list.iter().partition(|item| item.as_literal().is_some());
    // The items are copied as well: conditions in them would multiply with each level.
    if !others.is_empty() && !others.iter().chain([&value]).all(|part| are_few_items(others.len(), part)) {
        return Err(refused(whole));
    }
    let constants: Vec<Expr> = constants.into_iter().cloned().collect();
    if others.is_empty() {
        let value = rewrite(value)?;
        return Ok(strict(same(&value.value, constants), vec![value], Failure::Nowhere));
    }
    let is_equal = |item: &Expr| Expr::comparison(ComparisonOperator::Equal, value.clone(), item.clone());
    let mut parts: Vec<Expr> = others.into_iter().map(is_equal).collect();
    if !constants.is_empty() {
        parts.insert(0, same(value, constants));
    }
    in_order(&parts, whole, true, Expr::or)
}

fn soften_case(
    branches: &[(Expr, Expr)],
    otherwise: Option<&Expr>,
    whole: &Expr,
) -> Result<Tried, QueryError> {
    let mut softened = Vec::with_capacity(branches.len());
    let mut rows = Vec::new();
    for (condition, value) in branches {
        let (condition, value) = (rewrite(condition)?, rewrite(value)?);
        match condition.failure {
            Failure::Nowhere => {}
            Failure::At(fails) => add_failing(&mut rows, fails),
            Failure::Unknown => return Err(refused(whole)),
        }
        rows.push((condition.value.clone(), fails(value.failure, whole)?));
        softened.push((condition.value, value.value));
    }
    let otherwise = otherwise.map(rewrite).transpose()?;
    let (otherwise, last) = match otherwise {
        Some(otherwise) => (Some(Box::new(otherwise.value)), otherwise.failure),
        None => (None, Failure::Nowhere),
    };
    let kind = ExprKind::Case { branches: softened, otherwise };
    let value = Expr { kind, data_type: whole.data_type.clone(), location: whole.location };
    seeing(value, failing(rows, fails(last, whole)?), whole)
}

/// The failing rows of steps that are evaluated in order, until the condition beside a step holds.
fn first_failure(steps: Vec<(&Tried, Expr)>) -> Failure {
    let mut rows = Vec::new();
    for (tried, ends) in steps {
        match &tried.failure {
            Failure::Unknown => return Failure::Unknown,
            Failure::Nowhere => {}
            Failure::At(fails) => add_failing(&mut rows, fails.clone()),
        }
        rows.push((ends, Expr::boolean(false)));
    }
    failing(rows, Expr::boolean(false))
}

/// Adds the rows in which a step fails, unless an earlier step fails in the same rows: BETWEEN and CASE with an operand
/// repeat their value.
fn add_failing(rows: &mut Vec<(Expr, Expr)>, fails: Expr) {
    let step = (fails, Expr::boolean(true));
    if !rows.contains(&step) {
        rows.push(step);
    }
}

/// The rows for which the first condition that holds is beside a condition that does as well.
fn failing(mut rows: Vec<(Expr, Expr)>, otherwise: Expr) -> Failure {
    // Conditions are nested in conditions: one that decides nothing would be copied at each level.
    while rows.last().is_some_and(|(_, fails)| *fails == otherwise) {
        rows.pop();
    }
    match rows.is_empty() {
        true if otherwise == Expr::boolean(false) => Failure::Nowhere,
        true => Failure::At(otherwise),
        false => Failure::At(case(rows, otherwise)),
    }
}

/// The rows in which an operator returns NULL although none of its operands is NULL.
fn lost<'t>(value: &Expr, operands: impl IntoIterator<Item = &'t Tried>) -> Failure {
    let operands = operands.into_iter().map(|operand| is_null(operand.value.clone()).negated());
    Failure::At(Expr::and(std::iter::once(is_null(value.clone())).chain(operands)))
}

fn any(operands: Vec<Tried>) -> Failure {
    operands.into_iter().map(|operand| operand.failure).fold(Failure::Nowhere, either)
}

fn either(one: Failure, other: Failure) -> Failure {
    match (one, other) {
        (Failure::Unknown, _) | (_, Failure::Unknown) => Failure::Unknown,
        (Failure::Nowhere, failure) | (failure, Failure::Nowhere) => failure,
        (Failure::At(one), Failure::At(other)) => Failure::At(Expr::or([one, other])),
    }
}

/// The failing rows as a condition.
fn fails(failure: Failure, whole: &Expr) -> Result<Expr, QueryError> {
    match failure {
        Failure::At(rows) => Ok(rows),
        Failure::Nowhere => Ok(Expr::boolean(false)),
        Failure::Unknown => Err(refused(whole)),
    }
}

fn is_null(expr: Expr) -> Expr {
    Expr::new(ExprKind::IsNull(Box::new(expr)), Type::Boolean)
}

fn case(branches: Vec<(Expr, Expr)>, otherwise: Expr) -> Expr {
    let data_type = otherwise.data_type.clone();
    Expr::new(ExprKind::Case { branches, otherwise: Some(Box::new(otherwise)) }, data_type)
}

fn refused(expr: &Expr) -> QueryError {
    not_supported("TRY of this expression", expr.location)
}

/// Rewrites arithmetic. Sums and products of integers are computed as decimals of 38 digits, which hold every result,
/// and cast back with TRY_CAST; decimals and divisions are tried row by row if some row fails.
fn arithmetic(operator: ArithmeticOperator, left: Expr, right: Expr, whole: &Expr) -> Expr {
    let same = |left: Expr, right: Expr, data_type: Type| {
        let kind = ExprKind::Arithmetic { operator, left: Box::new(left), right: Box::new(right) };
        Expr { kind, data_type, location: whole.location }
    };
    let data_type = whole.data_type.clone();
    if is_caught_number(operator, &data_type) {
        let args = vec![same(tried(left), tried(right), data_type.clone())];
        let kind = ExprKind::Call { function: ScalarFunction::Try, args };
        return Expr { kind, data_type, location: whole.location };
    }
    if !data_type.is_integer() {
        return same(left, right, data_type);
    }
    let wide = Type::decimal(19, 0);
    let product = same(left.cast_to(&wide), right.cast_to(&wide), Type::decimal(38, 0));
    let kind = ExprKind::Cast { input: Box::new(product), is_try: true };
    Expr { kind, data_type, location: whole.location }
}

/// Wraps an expression that can fail in TRY.
fn tried(expr: Expr) -> Expr {
    if !can_fail(&expr) {
        return expr;
    }
    let (data_type, location) = (expr.data_type.clone(), expr.location);
    Expr { kind: ExprKind::Call { function: ScalarFunction::Try, args: vec![expr] }, data_type, location }
}
