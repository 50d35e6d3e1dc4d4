//! Comparisons and the predicates built on them.

use rowhouse_model::{ErrorCode, ErrorLocation, QueryError};
use sqlparser::ast::{BinaryOperator, Expr as AstExpr};

use super::context::{Analyzer, Context, user_error};
use super::place::place_of;
use crate::error::{Result, not_supported, type_mismatch};
use crate::expr::fallible::is_fallible;
use crate::expr::{ComparisonOperator, Expr, ExprKind, Value};
use crate::functions::ScalarFunction;
use crate::types::{Type, common_super_type};

impl Analyzer<'_> {
    pub(super) fn comparison(
        &mut self,
        left: &AstExpr,
        operator: &BinaryOperator,
        right: &AstExpr,
        context: &mut Context<'_>,
    ) -> Result<Expr> {
        let left = self.expression(left, context)?;
        let right = self.expression(right, context)?;
        let operator = comparison_operator(operator)
            .ok_or_else(|| not_supported(left.location, format!("the operator {operator}")))?;
        let compared = self.compare(operator, left, right)?;
        Ok(in_order_of_evaluation(compared))
    }

    /// Compares both sides, converted to their common type; rows field by field.
    pub(super) fn compare(&mut self, operator: ComparisonOperator, left: Expr, right: Expr) -> Result<Expr> {
        let place = left.location;
        if let Some(compared) = self.compare_rows(operator, &left, &right)? {
            return Ok(compared);
        }
        let needs_order = matches!(
            operator,
            ComparisonOperator::LessThan
                | ComparisonOperator::LessThanOrEqual
                | ComparisonOperator::GreaterThan
                | ComparisonOperator::GreaterThanOrEqual
        );
        let (left_type, right_type) = (left.data_type.clone(), right.data_type.clone());
        let mut operands = [left, right];
        if !needs_order {
            self.drop_padding(&mut operands)?;
        }
        let [left, right] = operands;
        let unified = self.unified(left, right).filter(|(left, _)| {
            if needs_order { left.data_type.is_orderable() } else { left.data_type.is_comparable() }
        });
        match unified {
            Some((left, right)) => Ok(Expr::comparison(operator, left, right).at(place)),
            None => {
                let message =
                    format!("Cannot apply operator: {left_type} {} {right_type}", operator.symbol());
                Err(type_mismatch(place, message))
            }
        }
    }

    /// `(a, b) = (c, d)` becomes `a = c AND b = d`, and `<>` its negation; `(a, b) < (c, d)` becomes `a < c OR (a = c
    /// AND b < d)`, and likewise for the other operators: the first pair of different fields decides.
    fn compare_rows(
        &mut self,
        operator: ComparisonOperator,
        left: &Expr,
        right: &Expr,
    ) -> Result<Option<Expr>> {
        let (Some(left_fields), Some(right_fields)) = (row_fields(left), row_fields(right)) else {
            return Ok(None);
        };
        if left_fields.len() != right_fields.len() {
            let message =
                format!("Cannot compare rows of {} and {} fields", left_fields.len(), right_fields.len());
            return Err(type_mismatch(left.location, message));
        }
        let fields = left_fields.iter().chain(right_fields);
        let can_be_nan = fields.into_iter().any(|field| matches!(field.data_type, Type::Real | Type::Double));
        let strict = match operator {
            // Within rows NaN is ordered, whereas comparisons of single values with NaN are FALSE.
            ComparisonOperator::LessThan
            | ComparisonOperator::LessThanOrEqual
            | ComparisonOperator::GreaterThan
            | ComparisonOperator::GreaterThanOrEqual
                if can_be_nan =>
            {
                return Ok(None);
            }
            ComparisonOperator::LessThan | ComparisonOperator::LessThanOrEqual => {
                ComparisonOperator::LessThan
            }
            ComparisonOperator::GreaterThan | ComparisonOperator::GreaterThanOrEqual => {
                ComparisonOperator::GreaterThan
            }
            ComparisonOperator::Equal | ComparisonOperator::NotEqual => {
                let mut parts = Vec::with_capacity(left_fields.len());
                for (a, b) in left_fields.iter().zip(right_fields) {
                    let (a, b) = (self.copy(a)?, self.copy(b)?);
                    parts.push(self.compare(ComparisonOperator::Equal, a, b)?);
                }
                let equal = Expr::and(parts);
                let is_negated = operator == ComparisonOperator::NotEqual;
                return Ok(Some(if is_negated { equal.negated() } else { equal }));
            }
            ComparisonOperator::IsDistinctFrom | ComparisonOperator::IsNotDistinctFrom => {
                let mut parts = Vec::with_capacity(left_fields.len());
                for (a, b) in left_fields.iter().zip(right_fields) {
                    let (a, b) = (self.copy(a)?, self.copy(b)?);
                    parts.push(self.compare(operator, a, b)?);
                }
                let is_negated = operator == ComparisonOperator::IsNotDistinctFrom;
                return Ok(Some(if is_negated { Expr::and(parts) } else { Expr::or(parts) }));
            }
        };
        let mut pairs = left_fields.iter().zip(right_fields).rev();
        let Some((a, b)) = pairs.next() else {
            return Err(not_supported(left.location, "the order of rows without fields"));
        };
        let copies = (self.copy(a)?, self.copy(b)?);
        let mut decided = self.compare(operator, copies.0, copies.1)?;
        for (a, b) in pairs {
            let copies = (self.copy(a)?, self.copy(b)?);
            let before = self.compare(strict, copies.0, copies.1)?;
            let copies = (self.copy(a)?, self.copy(b)?);
            let same = self.compare(ComparisonOperator::Equal, copies.0, copies.1)?;
            decided = Expr::or([before, Expr::and([same, decided])]);
        }
        Ok(Some(decided))
    }

    /// `left = right`, or an error whose message begins with `what`.
    pub(super) fn equality(&mut self, left: Expr, right: Expr, what: &str) -> Result<Expr> {
        let place = right.location;
        let (left_type, right_type) = (left.data_type.clone(), right.data_type.clone());
        self.compare(ComparisonOperator::Equal, left, right).map_err(|_| {
            type_mismatch(place, format!("{what} must be the same type: {left_type}, {right_type}"))
        })
    }

    pub(super) fn is_null(
        &mut self,
        inner: &AstExpr,
        is_negated: bool,
        context: &mut Context<'_>,
    ) -> Result<Expr> {
        let value = self.expression(inner, context)?;
        let place = value.location;
        let test = Expr::new(ExprKind::IsNull(Box::new(value)), Type::Boolean).at(place);
        Ok(if is_negated { test.negated() } else { test })
    }

    /// `IS [NOT] TRUE`, `FALSE`, `UNKNOWN`; never NULL.
    pub(super) fn is_boolean(
        &mut self,
        inner: &AstExpr,
        wanted: Option<bool>,
        is_negated: bool,
        context: &mut Context<'_>,
    ) -> Result<Expr> {
        let value = self.expression(inner, context)?;
        let value = self.as_condition(value, "IS TRUE, FALSE or UNKNOWN")?;
        let place = value.location;
        let wanted = match wanted {
            Some(wanted) => Expr::boolean(wanted),
            None => Expr::literal(Value::Null, Type::Boolean),
        };
        let operator = if is_negated {
            ComparisonOperator::IsDistinctFrom
        } else {
            ComparisonOperator::IsNotDistinctFrom
        };
        Ok(Expr::comparison(operator, value, wanted).at(place))
    }

    pub(super) fn is_distinct(
        &mut self,
        left: &AstExpr,
        right: &AstExpr,
        is_negated: bool,
        context: &mut Context<'_>,
    ) -> Result<Expr> {
        let left = self.expression(left, context)?;
        let right = self.expression(right, context)?;
        let operator = if is_negated {
            ComparisonOperator::IsNotDistinctFrom
        } else {
            ComparisonOperator::IsDistinctFrom
        };
        self.compare(operator, left, right)
    }

    pub(super) fn in_list(
        &mut self,
        value: &AstExpr,
        list: &[AstExpr],
        is_negated: bool,
        context: &mut Context<'_>,
    ) -> Result<Expr> {
        let value = self.expression(value, context)?;
        let mut members = Vec::with_capacity(list.len());
        for member in list {
            members.push(self.nested(place_of(member), |analyzer| analyzer.expression(member, context))?);
        }
        let place = value.location;
        let mut operands: Vec<Expr> = std::iter::once(value).chain(members).collect();
        self.drop_padding(&mut operands)?;
        let mut operands = self.unified_all(operands).map_err(|given| unfit_member(&given))?.into_iter();
        let Some(value) = operands.next() else { return Err(not_supported(place, "IN without a value")) };
        let list: Vec<Expr> = operands.collect();
        if row_fields(&value).is_some() {
            let mut parts = Vec::with_capacity(list.len());
            for member in list {
                let value = self.copy(&value)?;
                parts.push(self.compare(ComparisonOperator::Equal, value, member)?);
            }
            let any = self.of_bounded_size(Expr::or(parts).at(place))?;
            return Ok(if is_negated { any.negated() } else { any });
        }
        let test = Expr::new(ExprKind::InList { value: Box::new(value), list }, Type::Boolean).at(place);
        Ok(if is_negated { test.negated() } else { test })
    }

    /// `low <= x AND x <= high`.
    pub(super) fn between(
        &mut self,
        value: &AstExpr,
        low: &AstExpr,
        high: &AstExpr,
        is_negated: bool,
        context: &mut Context<'_>,
    ) -> Result<Expr> {
        let value = self.expression(value, context)?;
        let low = self.expression(low, context)?;
        let high = self.expression(high, context)?;
        let place = value.location;
        // Without a type in common, the comparisons say what does not fit.
        let operands = self.unified_all(vec![value, low, high]).unwrap_or_else(|given| given);
        let Ok([value, low, high]) = <[Expr; 3]>::try_from(operands) else {
            return Err(not_supported(place, "BETWEEN without three operands"));
        };
        let copy = self.copy(&value)?;
        let from = self.compare(ComparisonOperator::GreaterThanOrEqual, copy, low)?;
        let to = self.compare(ComparisonOperator::LessThanOrEqual, value, high)?;
        let both = self.of_bounded_size(Expr::and([from, to]).at(place))?;
        Ok(if is_negated { both.negated() } else { both })
    }

    pub(super) fn like(
        &mut self,
        value: &AstExpr,
        pattern: &AstExpr,
        escape: Option<&AstExpr>,
        is_negated: bool,
        is_case_insensitive: bool,
        context: &mut Context<'_>,
    ) -> Result<Expr> {
        let value = self.expression(value, context)?;
        let pattern = self.expression(pattern, context)?;
        let place = value.location;
        for (side, name) in [(&value, "Left"), (&pattern, "Pattern")] {
            let is_char = name == "Left" && side.data_type.is_text();
            if !side.data_type.is_varchar() && !is_char && side.data_type != Type::Unknown {
                let message = format!(
                    "{name} side of LIKE expression must evaluate to a varchar (actual: {})",
                    side.data_type
                );
                return Err(type_mismatch(side.location, message));
            }
        }
        let mut text = |side: Expr| match side.data_type {
            Type::Unknown => self.coerced(side, &Type::VARCHAR),
            _ => side,
        };
        let (value, mut pattern) = (Box::new(text(value)), Box::new(text(pattern)));
        let escape = match escape {
            None => None,
            Some(escape) => {
                let escape = self.like_escape(escape, context)?;
                if let ExprKind::Literal(Value::Varchar(text)) = &escape.kind {
                    Some(single_character(text, escape.location)?)
                } else {
                    *pattern = self.escaped_pattern(&value, *pattern, escape)?;
                    Some('\\')
                }
            }
        };
        let test = Expr::new(ExprKind::Like { value, pattern, escape, is_case_insensitive }, Type::Boolean);
        let test = test.at(place);
        Ok(if is_negated { test.negated() } else { test })
    }

    /// The text after ESCAPE.
    fn like_escape(&mut self, escape: &AstExpr, context: &mut Context<'_>) -> Result<Expr> {
        let escape = self.expression(escape, context)?;
        match &escape.data_type {
            Type::Varchar { .. } => Ok(escape),
            Type::Unknown => Ok(self.coerced(escape, &Type::VARCHAR)),
            other => {
                let message =
                    format!("Escape for LIKE expression must evaluate to a varchar (actual: {other})");
                Err(type_mismatch(escape.location, message))
            }
        }
    }

    /// The pattern with `\` instead of the escape character of each row; NULL, and thus without an error, where the
    /// value is NULL.
    fn escaped_pattern(&mut self, value: &Expr, pattern: Expr, escape: Expr) -> Result<Expr> {
        let place = pattern.location;
        let value = self.copy(value)?;
        let is_known = Expr::new(ExprKind::IsNull(Box::new(value)), Type::Boolean).negated();
        let kind = ExprKind::Call { function: ScalarFunction::LikePattern, args: vec![pattern, escape] };
        let written = Expr::new(kind, Type::VARCHAR).at(place);
        let kind = ExprKind::Case { branches: vec![(is_known, written)], otherwise: None };
        self.of_bounded_size(Expr::new(kind, Type::VARCHAR).at(place))
    }
}

/// The escape character, which is one UTF-16 unit as in Trino.
fn single_character(text: &str, place: Option<ErrorLocation>) -> Result<char> {
    let mut characters = text.chars();
    match (characters.next(), characters.next()) {
        (Some(escape), None) if escape.len_utf16() == 1 => Ok(escape),
        _ => {
            let message = "Escape string must be a single character";
            Err(user_error(ErrorCode::InvalidFunctionArgument, place, message))
        }
    }
}

/// Trino has no operator `>`: `a > b` is `b < a`, and `b` is evaluated first. Nobody sees the difference if neither of them
/// can fail.
fn in_order_of_evaluation(compared: Expr) -> Expr {
    use ComparisonOperator as C;
    match compared.kind {
        ExprKind::Comparison {
            operator: operator @ (C::GreaterThan | C::GreaterThanOrEqual),
            left,
            right,
        } if is_fallible(&left) || is_fallible(&right) => {
            Expr::comparison(operator.swapped(), *right, *left).at(compared.location)
        }
        kind => Expr { kind, ..compared },
    }
}

/// NOT of a condition. `NOT a < b` is `b <= a` in Trino, but for values that may be neither less, nor equal, nor greater.
pub(super) fn negated_in_order(condition: Expr) -> Expr {
    use ComparisonOperator as C;
    match condition.kind {
        ExprKind::Comparison { operator: operator @ (C::LessThan | C::LessThanOrEqual), left, right }
            if has_total_order(&left.data_type) && (is_fallible(&left) || is_fallible(&right)) =>
        {
            let other = if operator == C::LessThan { C::LessThanOrEqual } else { C::LessThan };
            Expr::comparison(other, *right, *left).at(condition.location)
        }
        kind => Expr { kind, ..condition }.negated(),
    }
}

/// Whether of two values that are not NULL one is less, or they are equal: NaN, and NULL within a value, are neither.
const fn has_total_order(data_type: &Type) -> bool {
    !matches!(data_type, Type::Real | Type::Double | Type::Array(_) | Type::Map(..) | Type::Row(_))
}

/// The error for the first member of a list that has no type in common with the value and the members before it. The
/// operands are the value and the members.
fn unfit_member(operands: &[Expr]) -> QueryError {
    let value_type = operands.first().map_or(Type::Unknown, |value| value.data_type.clone());
    let mut common = value_type.clone();
    let is_unfit = |member: &&Expr| match common_super_type(&common, &member.data_type) {
        Some(wider) => {
            common = wider;
            false
        }
        None => true,
    };
    let unfit = operands.iter().skip(1).find(is_unfit);
    let unfit_type = unfit.map_or(Type::Unknown, |member| member.data_type.clone());
    let message = format!("IN value and list items must be the same type: {value_type}, {unfit_type}");
    type_mismatch(unfit.and_then(|member| member.location), message)
}

/// The fields of a row constructor.
pub(super) fn row_fields(expr: &Expr) -> Option<&[Expr]> {
    match &expr.kind {
        ExprKind::Call { function: ScalarFunction::RowConstructor, args } => Some(args),
        _ => None,
    }
}

/// The comparison for an operator of the parser.
pub(super) const fn comparison_operator(operator: &BinaryOperator) -> Option<ComparisonOperator> {
    Some(match operator {
        BinaryOperator::Eq => ComparisonOperator::Equal,
        BinaryOperator::NotEq => ComparisonOperator::NotEqual,
        BinaryOperator::Lt => ComparisonOperator::LessThan,
        BinaryOperator::LtEq => ComparisonOperator::LessThanOrEqual,
        BinaryOperator::Gt => ComparisonOperator::GreaterThan,
        BinaryOperator::GtEq => ComparisonOperator::GreaterThanOrEqual,
        _ => return None,
    })
}
