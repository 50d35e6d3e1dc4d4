//! The rewrite of an expression as one that does not fail, and the rows for which the original fails.

use rowhouse_model::QueryError;

use super::super::super::comparison::are_few_items;
use super::super::{ending_arguments, lambda, takes_nulls};
use super::{caught_call, is_caught_number};
use crate::failure::not_supported;
use rowhouse_sql::expr::fallible::{call_can_fail, can_be_null, itself_can_fail};
use rowhouse_sql::expr::{ArithmeticOperator, ComparisonOperator, Expr, ExprKind, Value};
use rowhouse_sql::functions::ScalarFunction;
use rowhouse_sql::types::Type;

/// Maximum number of nodes of an expression and of the conditions for which it fails: a second of lowering. Only parts
/// that BETWEEN and the like repeat inside of each other make so many.
pub(super) const MAX_NODES: usize = 100_000;

/// A rewritten expression that does not fail, in place of one that can.
pub(super) struct Tried {
    pub(super) value: Expr,
    pub(super) failure: Failure,
    pub(super) is_null_where_failed: bool,
}

/// The rows for which the original expression fails.
pub(super) enum Failure {
    Nowhere,
    /// The rows of a condition that is never NULL.
    At(Expr),
}

/// Whether an expression has an error that TRY around it catches: those inside another TRY are caught there.
pub(super) fn can_fail(expr: &Expr) -> bool {
    let is_tried =
        matches!(expr.kind, ExprKind::Call { function: ScalarFunction::Try | ScalarFunction::Fails, .. });
    !is_tried && (itself_can_fail(expr) || expr.children().into_iter().any(can_fail))
}

pub(super) fn rewrite(expr: &Expr) -> Result<Tried, QueryError> {
    if !can_fail(expr) {
        return Ok(Tried { value: expr.clone(), failure: Failure::Nowhere, is_null_where_failed: true });
    }
    let tried = rewrite_failing(expr)?;
    let of_failure = match &tried.failure {
        Failure::At(rows) => rows.node_count(),
        Failure::Nowhere => 0,
    };
    // Parts that are repeated at each level are refused at the first level that is too large.
    if tried.value.node_count().max(of_failure) > MAX_NODES {
        return Err(not_supported("TRY of an expression that repeats so many parts", expr.location));
    }
    Ok(tried)
}

fn rewrite_failing(expr: &Expr) -> Result<Tried, QueryError> {
    let same = |kind| Expr { kind, data_type: expr.data_type.clone(), location: expr.location };
    match &expr.kind {
        ExprKind::Cast { input, is_try } => {
            let input = rewrite(input)?;
            let value = same(ExprKind::Cast { input: Box::new(input.value.clone()), is_try: true });
            let own = match lost(&value, [&input]) {
                _ if *is_try => Failure::Nowhere,
                Failure::At(rows) if input.value.data_type == Type::Json => {
                    Failure::At(Expr::and([rows, is_json_null(input.value.clone()).negated()]))
                }
                own => own,
            };
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
        ExprKind::Negate(input) => negative(rewrite(input)?, expr),
        ExprKind::Comparison { operator, left, right } => {
            let (left, right) = (rewrite(left)?, rewrite(right)?);
            let value = same(ExprKind::Comparison {
                operator: *operator,
                left: Box::new(left.value.clone()),
                right: Box::new(right.value.clone()),
            });
            if operator.sees_null() {
                Ok(seeing(value, any(vec![left, right])))
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
            Ok(seeing(is_null(input.value.clone()), any(vec![input])))
        }
        ExprKind::InList { value, list } if !value.is_random() => in_list(value, list, expr),
        ExprKind::And(parts) => in_order(parts, false, Expr::and),
        ExprKind::Or(parts) => in_order(parts, true, Expr::or),
        ExprKind::Case { branches, otherwise } => soften_case(branches, otherwise.as_deref(), expr),
        ExprKind::Call { function: ScalarFunction::Coalesce, args } => {
            let args = args.iter().map(rewrite).collect::<Result<Vec<_>, _>>()?;
            let steps = args.iter().map(|arg| (arg, is_null(arg.value.clone()).negated()));
            let failure = first_failure(steps.collect());
            let args = args.into_iter().map(|arg| arg.value).collect();
            Ok(seeing(same(ExprKind::Call { function: ScalarFunction::Coalesce, args }), failure))
        }
        ExprKind::Call { function: ScalarFunction::Nullif, args } => {
            let args = args.iter().map(rewrite).collect::<Result<Vec<_>, _>>()?;
            let values = args.iter().map(|arg| arg.value.clone()).collect();
            let value = same(ExprKind::Call { function: ScalarFunction::Nullif, args: values });
            let failure = of_operands(&args, args.len());
            Ok(seeing(value, failure))
        }
        ExprKind::Like { value, pattern, escape, is_case_insensitive } => {
            let (value, pattern) = (rewrite(value)?, rewrite(pattern)?);
            let (escape, is_case_insensitive) = (*escape, *is_case_insensitive);
            let operands = (Box::new(value.value.clone()), Box::new(pattern.value.clone()));
            let kind = ExprKind::Like { value: operands.0, pattern: operands.1, escape, is_case_insensitive };
            Ok(strict(same(kind), vec![value, pattern], Failure::Nowhere))
        }
        ExprKind::RowField { input, index } => {
            let input = rewrite(input)?;
            let kind = ExprKind::RowField { input: Box::new(input.value.clone()), index: *index };
            Ok(strict(same(kind), vec![input], Failure::Nowhere))
        }
        ExprKind::Call { function, args } if lambda::takes_one(args) => rewrite_lambda(*function, args, expr),
        _ if caught_call(expr).is_some() => rewrite_caught(expr),
        ExprKind::Call { function, args } if !call_can_fail(*function, args) => {
            let args = args.iter().map(rewrite).collect::<Result<Vec<_>, _>>()?;
            let values = args.iter().map(|arg| arg.value.clone()).collect();
            let value = same(ExprKind::Call { function: *function, args: values });
            let ending = ending_arguments(expr);
            // Functions of columns as a whole, which have no function of rows, are NULL if an argument is.
            if takes_nulls(expr).unwrap_or(false) {
                let failure = of_operands(&args, ending);
                Ok(seeing(value, failure))
            } else {
                Ok(strict_in(value, args, ending, Failure::Nowhere))
            }
        }
        _ => Err(refused(expr)),
    }
}

/// The negative of a value of a type that has it for each of its values.
fn negative(input: Tried, expr: &Expr) -> Result<Tried, QueryError> {
    let kind = ExprKind::Negate(Box::new(input.value.clone()));
    let value = Expr { kind, data_type: expr.data_type.clone(), location: expr.location };
    Ok(strict(value, vec![input], Failure::Nowhere))
}

/// The rewrite of a call, or of arithmetic of dates and the like, that fails by itself in some rows.
fn rewrite_caught(expr: &Expr) -> Result<Tried, QueryError> {
    let of = |kind| Expr { kind, data_type: expr.data_type.clone(), location: expr.location };
    match &expr.kind {
        ExprKind::Arithmetic { operator, left, right } => {
            let operands = vec![rewrite(left)?, rewrite(right)?];
            let (left, right) = (operands[0].value.clone(), operands[1].value.clone());
            let (left, right) = (Box::new(left), Box::new(right));
            let value = tried_call(of(ExprKind::Arithmetic { operator: *operator, left, right }));
            let own = lost(&value, &operands);
            Ok(strict(value, operands, own))
        }
        ExprKind::Call { function, args } => {
            let operands = args.iter().map(rewrite).collect::<Result<Vec<_>, _>>()?;
            let args = operands.iter().map(|operand| operand.value.clone()).collect();
            let call = of(ExprKind::Call { function: *function, args });
            let ending = ending_arguments(expr);
            let own = Failure::At(fails_call(call.clone()));
            let rewritten = strict_in(tried_call(call), operands, ending, own);
            let may_have_value = takes_nulls(expr)?;
            Ok(Tried { is_null_where_failed: rewritten.is_null_where_failed && !may_have_value, ..rewritten })
        }
        _ => Err(refused(expr)),
    }
}

/// The rewrite of a call with a lambda expression: whether it fails in a row is known from its evaluation.
fn rewrite_lambda(function: ScalarFunction, args: &[Expr], expr: &Expr) -> Result<Tried, QueryError> {
    let (mut softened, mut operands) = (Vec::with_capacity(args.len()), Vec::with_capacity(args.len()));
    for arg in args {
        if matches!(arg.kind, ExprKind::Lambda { .. }) {
            softened.push(arg.clone());
            continue;
        }
        let operand = rewrite(arg)?;
        softened.push(operand.value.clone());
        // The result is NULL if the array or map is.
        let is_strict =
            function != ScalarFunction::Routine && matches!(arg.data_type, Type::Array(_) | Type::Map(..));
        let is_null_where_failed =
            matches!(operand.failure, Failure::Nowhere) || is_strict && operand.is_null_where_failed;
        operands.push(Tried { is_null_where_failed, ..operand });
    }
    let call = Expr { kind: ExprKind::Call { function, args: softened }, ..expr.clone() };
    let values: Vec<&Expr> = args.iter().filter(|arg| !matches!(arg.kind, ExprKind::Lambda { .. })).collect();
    let ending = lambda::ending_arguments(function, &values);
    Ok(strict_in(tried_call(call.clone()), operands, ending, Failure::At(fails_call(call))))
}

fn tried_call(call: Expr) -> Expr {
    let (data_type, location) = (call.data_type.clone(), call.location);
    let kind = ExprKind::Call { function: ScalarFunction::Try, args: vec![call] };
    Expr { kind, data_type, location }
}

fn fails_call(call: Expr) -> Expr {
    let location = call.location;
    let kind = ExprKind::Call { function: ScalarFunction::Fails, args: vec![call] };
    Expr { kind, data_type: Type::Boolean, location }
}

/// The rewrite of an expression that is NULL if one of its operands is, and then does not evaluate those after it.
fn strict(value: Expr, operands: Vec<Tried>, own: Failure) -> Tried {
    let ending = operands.len();
    strict_in(value, operands, ending, own)
}

/// As [`strict`], if the first `ending` operands end the evaluation.
fn strict_in(value: Expr, operands: Vec<Tried>, ending: usize, own: Failure) -> Tried {
    let is_null_where_failed = operands.iter().all(|operand| operand.is_null_where_failed);
    Tried { value, failure: either(of_operands(&operands, ending), own), is_null_where_failed }
}

/// The rows in which an operand fails that is evaluated: those after one of the first `ending` are not where it is NULL.
fn of_operands(operands: &[Tried], ending: usize) -> Failure {
    let mut rows: Option<Expr> = None;
    for (place, operand) in operands.iter().enumerate().rev() {
        let after = match rows {
            Some(later) if place < ending && can_be_null(&operand.value) => {
                Some(case(vec![(is_null(operand.value.clone()), Expr::boolean(false))], later))
            }
            later => later,
        };
        rows = match (&operand.failure, after) {
            (Failure::At(own), Some(later)) => Some(Expr::or([own.clone(), later])),
            (Failure::At(own), None) => Some(own.clone()),
            (Failure::Nowhere, after) => after,
        };
    }
    rows.map_or(Failure::Nowhere, Failure::At)
}

/// The rewrite of an expression that takes NULL for a value.
fn seeing(value: Expr, failure: Failure) -> Tried {
    let is_null_where_failed = matches!(failure, Failure::Nowhere);
    Tried { value, failure, is_null_where_failed }
}

/// The rewrite of conditions that are evaluated up to the first one that is `decisive`.
fn in_order(parts: &[Expr], decisive: bool, join: impl Fn(Vec<Expr>) -> Expr) -> Result<Tried, QueryError> {
    let parts = parts.iter().map(rewrite).collect::<Result<Vec<_>, _>>()?;
    let decides =
        |part: &Expr| Expr::comparison(ComparisonOperator::Equal, part.clone(), Expr::boolean(decisive));
    let failure = first_failure(parts.iter().map(|part| (part, decides(&part.value))).collect());
    Ok(seeing(join(parts.into_iter().map(|part| part.value).collect()), failure))
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
    in_order(&parts, true, Expr::or)
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
        }
        rows.push((condition.value.clone(), fails(value.failure)));
        softened.push((condition.value, value.value));
    }
    let otherwise = otherwise.map(rewrite).transpose()?;
    let (otherwise, last) = match otherwise {
        Some(otherwise) => (Some(Box::new(otherwise.value)), otherwise.failure),
        None => (None, Failure::Nowhere),
    };
    let kind = ExprKind::Case { branches: softened, otherwise };
    let value = Expr { kind, data_type: whole.data_type.clone(), location: whole.location };
    Ok(seeing(value, failing(rows, fails(last))))
}

/// The failing rows of steps that are evaluated in order, until the condition beside a step holds.
fn first_failure(steps: Vec<(&Tried, Expr)>) -> Failure {
    let mut rows = Vec::new();
    for (tried, ends) in steps {
        match &tried.failure {
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

pub(super) fn any(operands: Vec<Tried>) -> Failure {
    operands.into_iter().map(|operand| operand.failure).fold(Failure::Nowhere, either)
}

fn either(one: Failure, other: Failure) -> Failure {
    match (one, other) {
        (Failure::Nowhere, failure) | (failure, Failure::Nowhere) => failure,
        (Failure::At(one), Failure::At(other)) => Failure::At(Expr::or([one, other])),
    }
}

/// The failing rows as a condition.
fn fails(failure: Failure) -> Expr {
    match failure {
        Failure::At(rows) => rows,
        Failure::Nowhere => Expr::boolean(false),
    }
}

fn is_null(expr: Expr) -> Expr {
    Expr::new(ExprKind::IsNull(Box::new(expr)), Type::Boolean)
}

/// Whether a JSON value is JSON's null, of which casts make NULL.
fn is_json_null(json: Expr) -> Expr {
    let kind = ExprKind::Call { function: ScalarFunction::JsonFormat, args: vec![json] };
    let null = Expr::literal(Value::Varchar("null".to_owned()), Type::VARCHAR);
    Expr::comparison(ComparisonOperator::Equal, Expr::new(kind, Type::VARCHAR), null)
}

pub(super) fn case(branches: Vec<(Expr, Expr)>, otherwise: Expr) -> Expr {
    let data_type = otherwise.data_type.clone();
    Expr::new(ExprKind::Case { branches, otherwise: Some(Box::new(otherwise)) }, data_type)
}

pub(super) fn refused(expr: &Expr) -> QueryError {
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
    if can_fail(&expr) { tried_call(expr) } else { expr }
}
