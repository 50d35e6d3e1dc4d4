//! Expressions: the supported parser nodes, and the file that analyzes each. Any other node is refused.

use rowhouse_model::ErrorCode;
use sqlparser::ast::{Array, BinaryOperator, CastKind, Expr as AstExpr, Ident, UnaryOperator};

use super::comparison::negated_in_order;
use super::context::{Analyzer, Context, Pending, refuse_if, user_error};
use super::lambda::lambda_parameter;
use super::literal::{offset_of_time, zone_of_timestamp, zoned_timestamp};
use super::pattern_scope::OfRow;
use super::place::{place_of, place_of_query};
use super::scope::{Scope, fields_of_rows};
use super::session_zone::{SessionZone, cast_in};
use super::work::STEPS_OF_NODE;
use crate::error::{Result, location_of, not_supported, type_mismatch};
use crate::expr::{Expr, ExprKind, Value};
use crate::functions::ScalarFunction;
use crate::types::{Offset, Type, Zone, Zones, can_cast};

impl Analyzer<'_> {
    /// Analyzes an expression.
    pub(super) fn expression(&mut self, expr: &AstExpr, context: &mut Context<'_>) -> Result<Expr> {
        if let AstExpr::Nested(inner) = expr {
            return self.nested(None, |analyzer| analyzer.expression(inner, context));
        }
        self.nested(place_of(expr), |analyzer| analyzer.expression_here(expr, context))
            .map_err(|error| self.token_places.placed(error, expr))
    }

    /// Analyzes a condition; types other than boolean are refused.
    pub(super) fn condition(&mut self, expr: &AstExpr, context: &mut Context<'_>) -> Result<Expr> {
        let analyzed = self.expression(expr, context)?;
        self.as_condition(analyzed, context.clause)
    }

    /// Returns the expression as a boolean if it is one or a NULL literal.
    pub(super) fn as_condition(&mut self, expr: Expr, clause: &str) -> Result<Expr> {
        match expr.data_type {
            Type::Boolean | Type::Unknown => Ok(self.coerced(expr, &Type::Boolean)),
            ref other => {
                let message = format!("{clause} must evaluate to a boolean: actual type {other}");
                Err(type_mismatch(expr.location, message))
            }
        }
    }

    #[expect(
        clippy::too_many_lines,
        reason = "an arm a node and none for the rest, so that a node that the parser gains is seen"
    )]
    fn expression_here(&mut self, expr: &AstExpr, context: &mut Context<'_>) -> Result<Expr> {
        let place = place_of(expr);
        let analyzed = match expr {
            AstExpr::Identifier(name) => self.name(std::slice::from_ref(name), context)?,
            AstExpr::CompoundIdentifier(path) => self.name(path, context)?,
            AstExpr::Value(value) => self.literal(value)?,
            AstExpr::TypedString(typed) => self.typed_literal(typed)?,
            AstExpr::Interval(interval) => self.interval(interval)?,
            AstExpr::Nested(inner) => self.expression(inner, context)?,
            AstExpr::BinaryOp { left, op, right } => self.binary(left, op, right, context)?,
            AstExpr::UnaryOp { op, expr: inner } => self.unary(op, inner, context)?,
            AstExpr::IsNull(inner) => self.is_null(inner, false, context)?,
            AstExpr::IsNotNull(inner) => self.is_null(inner, true, context)?,
            AstExpr::IsTrue(inner) => self.is_boolean(inner, Some(true), false, context)?,
            AstExpr::IsNotTrue(inner) => self.is_boolean(inner, Some(true), true, context)?,
            AstExpr::IsFalse(inner) => self.is_boolean(inner, Some(false), false, context)?,
            AstExpr::IsNotFalse(inner) => self.is_boolean(inner, Some(false), true, context)?,
            AstExpr::IsUnknown(inner) => self.is_boolean(inner, None, false, context)?,
            AstExpr::IsNotUnknown(inner) => self.is_boolean(inner, None, true, context)?,
            AstExpr::IsDistinctFrom(left, right) => self.is_distinct(left, right, false, context)?,
            AstExpr::IsNotDistinctFrom(left, right) => self.is_distinct(left, right, true, context)?,
            AstExpr::InList { expr: value, list, negated } => self.in_list(value, list, *negated, context)?,
            AstExpr::Between { expr: value, negated, low, high } => {
                self.between(value, low, high, *negated, context)?
            }
            AstExpr::Like { negated, any, expr: value, pattern, escape_char } => {
                refuse_if(*any, place, "LIKE ANY")?;
                self.like(value, pattern, escape_char.as_deref(), *negated, false, context)?
            }
            AstExpr::ILike { negated, any, expr: value, pattern, escape_char } => {
                refuse_if(*any, place, "ILIKE ANY")?;
                self.like(value, pattern, escape_char.as_deref(), *negated, true, context)?
            }
            AstExpr::Cast { kind, expr: value, data_type, format } => {
                refuse_if(format.is_some(), place, "CAST with a format")?;
                let is_try = match kind {
                    CastKind::Cast | CastKind::DoubleColon => false,
                    CastKind::TryCast => true,
                    CastKind::SafeCast => return Err(not_supported(place, "SAFE_CAST")),
                };
                let value = self.expression(value, context)?;
                self.cast(value, data_type, is_try)?
            }
            AstExpr::Case { case_token: _, end_token: _, operand, conditions, else_result } => {
                self.case(operand.as_deref(), conditions, else_result.as_deref(), context)?
            }
            AstExpr::Function(function) => self.call(function, context)?,
            AstExpr::Extract { field, syntax: _, expr: value } => self.extract(field, value, context)?,
            AstExpr::Ceil { expr: value, field } => {
                self.ceil_or_floor(ScalarFunction::Ceil, value, field, context)?
            }
            AstExpr::Floor { expr: value, field } => {
                self.ceil_or_floor(ScalarFunction::Floor, value, field, context)?
            }
            AstExpr::Position { expr: needle, r#in: text } => {
                let text = self.expression(text, context)?;
                let needle = self.expression(needle, context)?;
                self.scalar_call(ScalarFunction::Strpos, vec![text, needle], place)?
            }
            AstExpr::Substring { expr: value, substring_from, substring_for, special: _, shorthand: _ } => {
                self.substring(value, substring_from.as_deref(), substring_for.as_deref(), context)?
            }
            AstExpr::Trim { trim_where, trim_what, expr: value, trim_characters } => {
                refuse_if(trim_characters.is_some(), place, "TRIM with a comma")?;
                self.trim(trim_where.as_ref(), trim_what.as_deref(), value, context)?
            }
            AstExpr::AtTimeZone { timestamp, time_zone } => {
                self.at_time_zone(timestamp, time_zone, context)?
            }
            AstExpr::Tuple(parts) => {
                let parts =
                    parts.iter().map(|part| self.expression(part, context)).collect::<Result<Vec<_>>>()?;
                self.scalar_call(ScalarFunction::RowConstructor, parts, place)?
            }
            AstExpr::Array(Array { elem, named }) => {
                refuse_if(!named, place, "an array without the word ARRAY")?;
                let elements =
                    elem.iter().map(|part| self.expression(part, context)).collect::<Result<Vec<_>>>()?;
                self.common_type(&elements.iter().collect::<Vec<_>>(), "All ARRAY elements")?;
                self.scalar_call(ScalarFunction::ArrayConstructor, elements, place)?
            }
            AstExpr::CompoundFieldAccess { root, access_chain } => {
                self.field_access(root, access_chain, context)?
            }
            AstExpr::Subquery(_)
            | AstExpr::InSubquery { .. }
            | AstExpr::AnyOp { .. }
            | AstExpr::AllOp { .. }
                if !context.lambdas.is_empty() =>
            {
                return Err(not_supported(place, "a subquery in a lambda expression"));
            }
            AstExpr::AnyOp { .. } | AstExpr::AllOp { .. } if context.pattern.is_some() => {
                return Err(not_supported(place, "ANY and ALL of a subquery in a row pattern"));
            }
            AstExpr::Subquery(query) => self.scalar_subquery(query, context)?,
            AstExpr::Exists { subquery, negated } => {
                let mark = self.exists(subquery, context)?;
                if *negated { mark.negated() } else { mark }
            }
            AstExpr::InSubquery { expr: value, subquery, negated } => {
                let mark = self.in_subquery(value, subquery, context)?;
                if *negated { mark.negated() } else { mark }
            }
            AstExpr::AnyOp { left, compare_op, right, is_some: _ } => {
                self.quantified(left, compare_op, right, false, context)?
            }
            AstExpr::AllOp { left, compare_op, right } => {
                self.quantified(left, compare_op, right, true, context)?
            }
            AstExpr::JsonAccess { .. } => return Err(not_supported(place, "JSON access by `:`")),
            AstExpr::IsJson { .. } => return Err(not_supported(place, "IS JSON")),
            AstExpr::IsNormalized { .. } => return Err(not_supported(place, "IS NORMALIZED")),
            AstExpr::InUnnest { .. } => return Err(not_supported(place, "IN UNNEST")),
            AstExpr::SimilarTo { .. } => return Err(not_supported(place, "SIMILAR TO")),
            AstExpr::RLike { .. } => return Err(not_supported(place, "RLIKE")),
            AstExpr::Convert { .. } => return Err(not_supported(place, "CONVERT")),
            AstExpr::Overlay { .. } => return Err(not_supported(place, "OVERLAY")),
            AstExpr::Collate { .. } => return Err(not_supported(place, "COLLATE")),
            AstExpr::Prefixed { prefix, value } => self.with_mode(prefix, value, context)?,
            AstExpr::Lambda(_) => {
                let message = "Lambda expression should always be used inside a function";
                return Err(type_mismatch(place, message));
            }
            AstExpr::GroupingSets(_) | AstExpr::Cube(_) | AstExpr::Rollup(_) => {
                return Err(not_supported(place, "a grouping set outside GROUP BY"));
            }
            AstExpr::Wildcard(_) | AstExpr::QualifiedWildcard(..) => {
                return Err(not_supported(place, "'*' in an expression"));
            }
            AstExpr::Struct { .. }
            | AstExpr::Named { .. }
            | AstExpr::Dictionary(_)
            | AstExpr::Map(_)
            | AstExpr::MatchAgainst { .. }
            | AstExpr::OuterJoin(_)
            | AstExpr::Prior(_)
            | AstExpr::MemberOf(_) => return Err(not_supported(place, "an expression of this kind")),
        };
        self.spend_on_type(&analyzed.data_type, place)?;
        Ok(if analyzed.location.is_none() { analyzed.at(place) } else { analyzed })
    }

    /// Whether it is `current_date` or another session value, and no column has that name.
    pub(super) fn is_session_value(&self, expr: &AstExpr, scope: &Scope<'_>) -> bool {
        let AstExpr::Identifier(name) = expr else { return false };
        name.quote_style.is_none()
            && self.session_value(&name.value.to_lowercase()).is_some()
            && scope.resolve(std::slice::from_ref(name)).is_err()
    }

    fn name(&mut self, path: &[Ident], context: &mut Context<'_>) -> Result<Expr> {
        let place = path.first().and_then(|part| location_of(part.span.start));
        if context.pattern.is_some() {
            return self.pattern_name(path, context);
        }
        if let Some(parameter) = lambda_parameter(path, context, place)? {
            return Ok(parameter);
        }
        if let [name, ..] = path
            && let [expr, others @ ..] = context.aliases_first.find(&name.value)
        {
            self.spend(others.len().saturating_mul(STEPS_OF_NODE), place)?;
            if others.iter().any(|other| other != expr) {
                let message = format!("Column '{}' is ambiguous", name.value);
                return Err(user_error(ErrorCode::AmbiguousName, place, message));
            }
            return fields_of_rows(self.copy(expr)?, path, 1, place);
        }
        if let [name] = path {
            if context.scope.resolve_here(path, place)?.is_none()
                && let Some(expr) = context.aliases_last.find(&name.value).first()
            {
                return Ok(self.copy(expr)?.at(place));
            }
            if name.quote_style.is_none()
                && !matches!(context.scope.lookup(path), Ok(Some(_)))
                && let Some(value) = self.session_value(&name.value.to_lowercase())
            {
                self.note_session_value(&name.value.to_lowercase());
                return Ok(value.at(place));
            }
        }
        context.scope.resolve(path)
    }

    fn binary(
        &mut self,
        left: &AstExpr,
        operator: &BinaryOperator,
        right: &AstExpr,
        context: &mut Context<'_>,
    ) -> Result<Expr> {
        match operator {
            BinaryOperator::And | BinaryOperator::Or => self.connective(left, operator, right, context),
            BinaryOperator::Plus
            | BinaryOperator::Minus
            | BinaryOperator::Multiply
            | BinaryOperator::Divide
            | BinaryOperator::Modulo => {
                let left = self.expression(left, context)?;
                let right = self.expression(right, context)?;
                self.arithmetic(left, operator, right)
            }
            BinaryOperator::Eq
            | BinaryOperator::NotEq
            | BinaryOperator::Lt
            | BinaryOperator::LtEq
            | BinaryOperator::Gt
            | BinaryOperator::GtEq => self.comparison(left, operator, right, context),
            BinaryOperator::StringConcat => {
                let left = self.expression(left, context)?;
                let right = self.expression(right, context)?;
                let place = left.location;
                self.scalar_call(ScalarFunction::Concat, vec![left, right], place)
            }
            other => Err(not_supported(place_of(left), format!("the operator {other}"))),
        }
    }

    /// AND and OR of any number of parts: the parser nests a chain of them on the left.
    fn connective(
        &mut self,
        left: &AstExpr,
        operator: &BinaryOperator,
        right: &AstExpr,
        context: &mut Context<'_>,
    ) -> Result<Expr> {
        let mut parts = vec![right];
        let mut rest = left;
        while let AstExpr::BinaryOp { left, op, right } = rest {
            if op != operator {
                break;
            }
            parts.push(right);
            rest = left;
        }
        parts.push(rest);
        let place = place_of(rest);
        let mut analyzed = Vec::with_capacity(parts.len());
        for part in parts.into_iter().rev() {
            let part = self.expression(part, context)?;
            analyzed.push(self.as_condition(part, "Logical expression term")?);
        }
        let joined = if *operator == BinaryOperator::And {
            Expr::new(ExprKind::And(flat(analyzed, true)), Type::Boolean)
        } else {
            Expr::new(ExprKind::Or(flat(analyzed, false)), Type::Boolean)
        };
        Ok(joined.at(place))
    }

    fn unary(
        &mut self,
        operator: &UnaryOperator,
        inner: &AstExpr,
        context: &mut Context<'_>,
    ) -> Result<Expr> {
        // A sign belongs to the number after it: -9223372036854775808 is a bigint.
        if *operator == UnaryOperator::Minus
            && let AstExpr::Value(value) = inner
            && let sqlparser::ast::Value::Number(digits, _) = &value.value
        {
            return self.number(&format!("-{digits}"), place_of(inner));
        }
        let value = self.expression(inner, context)?;
        match operator {
            UnaryOperator::Not => {
                let condition = self.as_condition(value, "Value of logical NOT expression")?;
                Ok(negated_in_order(condition))
            }
            UnaryOperator::Minus if value.data_type.is_numeric() || value.data_type.is_interval() => {
                let data_type = value.data_type.clone();
                let place = value.location;
                Ok(Expr::new(ExprKind::Negate(Box::new(value)), data_type).at(place))
            }
            UnaryOperator::Plus if value.data_type.is_numeric() => Ok(value),
            UnaryOperator::Minus | UnaryOperator::Plus if value.data_type == Type::Unknown => Ok(value),
            UnaryOperator::Minus | UnaryOperator::Plus => {
                let message = format!("Cannot apply operator: {operator}{}", value.data_type);
                Err(type_mismatch(value.location, message))
            }
            other => Err(not_supported(value.location, format!("the operator {other}"))),
        }
    }

    /// CAST and TRY_CAST.
    fn cast(&mut self, value: Expr, data_type: &sqlparser::ast::DataType, is_try: bool) -> Result<Expr> {
        let place = value.location;
        let mut wanted = self.data_type(data_type, place)?;
        let value = match wanted {
            Type::Date | Type::Time { .. } | Type::Timestamp { .. } => {
                self.local_in_row(&value, wanted == Type::Date)?.unwrap_or(value)
            }
            Type::Varchar { length } => self.text_in_row(&value, length)?.unwrap_or(value),
            _ => value,
        };
        cast_in(SessionZone::of(self.session), &value.data_type, &mut wanted);
        // The zone that a constant text names is looked at below.
        let is_text = matches!(value.as_literal(), Some(Value::Varchar(_)));
        match &mut wanted {
            Type::TimestampWithTimeZone { zone, .. } if is_text => {
                *zone = Zone::new(zone.name());
            }
            Type::TimeWithTimeZone { offset, .. } if is_text => {
                *offset = Offset::new(offset.minutes());
            }
            _ => {}
        }
        if let Some(text) = self.on_current_date(&value, &mut wanted) {
            return Ok(Expr::new(ExprKind::Cast { input: Box::new(text), is_try }, wanted).at(place));
        }
        if !can_cast(&value.data_type, &wanted) {
            let message = format!("Cannot cast {} to {wanted}", value.data_type);
            return Err(type_mismatch(place, message));
        }
        Ok(match &value.kind {
            _ if value.data_type == wanted => value,
            // Texts are truncated to varchar(n) at analysis.
            ExprKind::Literal(Value::Null) => {
                match &mut wanted {
                    Type::TimestampWithTimeZone { zone, .. } => *zone = zone.clone().and(Zones::OF_NULLS),
                    Type::TimeWithTimeZone { offset, .. } => *offset = offset.and(Zones::OF_NULLS),
                    _ => {}
                }
                self.coerced(value, &wanted)
            }
            ExprKind::Literal(Value::Varchar(_)) if wanted.is_text() => self.coerced(value, &wanted),
            ExprKind::Literal(Value::Varchar(text))
                if let Type::TimeWithTimeZone { precision, .. } = wanted
                    && let Some(offset) = offset_of_time(text) =>
            {
                // The type has the offset that a constant names.
                let wanted = Type::TimeWithTimeZone { precision, offset: Offset::new(offset) };
                Expr::new(ExprKind::Cast { input: Box::new(value), is_try }, wanted).at(place)
            }
            ExprKind::Literal(Value::Varchar(text))
                if let Type::TimestampWithTimeZone { precision, .. } = wanted
                    && let Some((moment, found, zone)) = zoned_timestamp(text) =>
            {
                // The type has the zone that a constant names.
                let named = |precision| Type::TimestampWithTimeZone { precision, zone: zone.clone() };
                let moment = Expr::literal(moment, named(found)).at(place);
                let wanted = named(precision);
                if moment.data_type == wanted {
                    moment
                } else {
                    Expr::new(ExprKind::Cast { input: Box::new(moment), is_try }, wanted).at(place)
                }
            }
            ExprKind::Literal(Value::Varchar(text))
                if let Type::TimestampWithTimeZone { precision, .. } = wanted
                    && let Some(zone) = zone_of_timestamp(text) =>
            {
                let wanted = Type::TimestampWithTimeZone { precision, zone };
                Expr::new(ExprKind::Cast { input: Box::new(value), is_try }, wanted).at(place)
            }
            _ => Expr::new(ExprKind::Cast { input: Box::new(value), is_try }, wanted).at(place),
        })
    }

    /// A scalar subquery.
    fn scalar_subquery(&mut self, query: &sqlparser::ast::Query, context: &mut Context<'_>) -> Result<Expr> {
        let place = place_of_query(query);
        let relation = self.query(query, Some(context.scope_of_subqueries()))?;
        let [field] = relation.fields.as_slice() else {
            return self.row_subquery(relation, place, context);
        };
        let output = self.renewed(field);
        let value = Expr::column(output.id, output.data_type.clone()).at(place);
        context.pending.push(Pending::scalar(relation, output, place));
        Ok(value)
    }

    fn exists(&mut self, query: &sqlparser::ast::Query, context: &mut Context<'_>) -> Result<Expr> {
        let place = place_of_query(query);
        let relation = self.query(query, Some(context.scope_of_subqueries()))?;
        let mark = self.new_field("exists", Type::Boolean);
        let value = Expr::column(mark.id, Type::Boolean).at(place);
        context.pending.push(Pending::exists(relation, mark, place));
        Ok(value)
    }

    fn in_subquery(
        &mut self,
        value: &AstExpr,
        query: &sqlparser::ast::Query,
        context: &mut Context<'_>,
    ) -> Result<Expr> {
        let known = context.pattern.as_ref().map_or(0, |pattern| pattern.references.len());
        let around = context.pattern.as_mut().and_then(|pattern| pattern.of_row.replace(OfRow::Sought));
        let analyzed = self.expression(value, context);
        if let Some(pattern) = &mut context.pattern {
            pattern.of_row = around;
            if let Some(labelled) = pattern.references[known..].iter().find(|found| found.labels.is_some()) {
                let message = "IN-PREDICATE with labeled column reference is not yet supported";
                return Err(user_error(ErrorCode::NotSupported, labelled.place, message));
            }
        }
        let before = context.pending.len();
        let mut found = self.in_query(analyzed?, query, context)?;
        if context.pattern.as_ref().is_some_and(|pattern| pattern.of_row.is_none()) {
            self.navigate_marks(&mut found, before, context);
        }
        Ok(found)
    }
}

/// Flattens nested ANDs (or ORs) into one list.
fn flat(parts: Vec<Expr>, is_and: bool) -> Vec<Expr> {
    let mut flat = Vec::with_capacity(parts.len());
    for part in parts {
        match part.kind {
            ExprKind::And(inner) if is_and => flat.extend(inner),
            ExprKind::Or(inner) if !is_and => flat.extend(inner),
            _ => flat.push(part),
        }
    }
    flat
}
