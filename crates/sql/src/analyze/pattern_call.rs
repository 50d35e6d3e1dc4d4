//! Calls in measures and definitions of row patterns: FIRST, LAST, PREV, NEXT, CLASSIFIER, MATCH_NUMBER, and aggregates
//! over rows of a match.

use std::collections::HashSet;

use rowhouse_model::{ErrorCode, ErrorLocation};
use sqlparser::ast::{Expr as AstExpr, Function, Ident, UnaryOperator, Value as AstValue};

use super::call::Call;
use super::call_sites::{CallSite, Calls, is_aggregate, mode_of};
use super::canonical_name::canonical;
use super::context::{Analyzer, Context, refuse_if, user_error};
use super::pattern_scope::{Mode, OfRow, Reference};
use super::place::{place_of, place_of_name};
use super::work::{STEPS_OF_COLUMN, STEPS_OF_NODE};
use crate::error::{Result, not_supported, type_mismatch};
use crate::expr::{Expr, ExprKind};
use crate::functions::AggregateFunction;
use crate::lexer::plain_number;
use crate::plan::{Navigation, PatternAggregate, PatternInput};
use crate::types::Type;

impl Analyzer<'_> {
    /// A call after FINAL or RUNNING.
    pub(super) fn with_mode(
        &mut self,
        prefix: &Ident,
        value: &AstExpr,
        context: &mut Context<'_>,
    ) -> Result<Expr> {
        let mode = mode_of(prefix);
        match (&context.pattern, value) {
            (Some(_), AstExpr::Function(function)) => self.call_in_mode(function, Some(mode), context),
            (Some(_), _) => Err(not_supported(mode.place, "this behind FINAL or RUNNING")),
            (None, _) => {
                let name = mode.name();
                let message = format!("{name} semantics is not supported out of pattern recognition context");
                Err(user_error(ErrorCode::InvalidProcessingMode, mode.place, message))
            }
        }
    }

    /// A call with a meaning that only row patterns have; `None` for other calls, which have been checked.
    pub(super) fn pattern_call(
        &mut self,
        call: &Call<'_>,
        function: &Function,
        context: &mut Context<'_>,
    ) -> Result<Option<Expr>> {
        self.spend_on_inputs(context, call.place)?;
        let Some(pattern) = &context.pattern else { return Ok(None) };
        let mode = call.mode;
        let place = mode.map_or(call.place, |mode| mode.place);
        let is_plain = matches!(function.name.0.as_slice(),
            [part] if part.as_ident().is_some_and(|name| name.quote_style.is_none()));
        match call.name.as_str() {
            name @ ("first" | "last" | "prev" | "next" | "classifier" | "match_number") if is_plain => {
                check_pattern_function(call, mode, place)?;
                if pattern.of_row == Some(OfRow::Sought) {
                    let what = format!("{name} of a value that is looked for in a subquery");
                    return Err(not_supported(place, what));
                }
                match name {
                    "classifier" => self.classifier(call, place, context).map(Some),
                    "match_number" => self.match_number(call, place, context).map(Some),
                    _ => self.navigated(call, mode, place, context).map(Some),
                }
            }
            name if is_aggregate(name) => {
                self.check_pattern_aggregate(call, place)?;
                Ok(None)
            }
            name => match mode {
                None => Ok(None),
                Some(mode) => {
                    let message = format!(
                        "{} semantics is supported only for FIRST(), LAST() and aggregation functions. Actual: {name}",
                        mode.name()
                    );
                    Err(user_error(ErrorCode::InvalidProcessingMode, place, message))
                }
            },
        }
    }

    fn match_number(
        &mut self,
        call: &Call<'_>,
        place: Option<ErrorLocation>,
        context: &mut Context<'_>,
    ) -> Result<Expr> {
        if !call.args.is_empty() {
            let message = "MATCH_NUMBER pattern recognition function takes no arguments";
            return Err(user_error(ErrorCode::InvalidFunctionArgument, place, message));
        }
        let Some(pattern) = &mut context.pattern else { return Err(not_supported(place, "match_number")) };
        if pattern.of_row.is_some() {
            return Ok(Expr::column(pattern.row_parameters[1], Type::BigInt).at(place));
        }
        Ok(self.pattern_input(PatternInput::MatchNumber, Type::BigInt, pattern).at(place))
    }

    fn classifier(
        &mut self,
        call: &Call<'_>,
        place: Option<ErrorLocation>,
        context: &mut Context<'_>,
    ) -> Result<Expr> {
        let Some(pattern) = &mut context.pattern else { return Err(not_supported(place, "classifier")) };
        let (labels, name) = match call.args.as_slice() {
            [] => (None, None),
            [AstExpr::Identifier(name)] => match pattern.labels.find(name) {
                Some(labels) => (Some(labels.to_vec()), Some(canonical(name))),
                None => {
                    let message = format!("{} is not a primary pattern variable or subset name", name.value);
                    return Err(user_error(
                        ErrorCode::InvalidFunctionArgument,
                        place_of(call.args[0]),
                        message,
                    ));
                }
            },
            [other] => {
                let message =
                    "CLASSIFIER function argument should be primary pattern variable or subset name";
                return Err(type_mismatch(place_of(other), message));
            }
            _ => {
                let message = "CLASSIFIER pattern recognition function takes no arguments or 1 argument";
                return Err(user_error(ErrorCode::InvalidFunctionArgument, place, message));
            }
        };
        let count = labels.as_ref().map_or(0, Vec::len);
        self.spend(count.saturating_mul(STEPS_OF_COLUMN), place)?;
        pattern.references.push(Reference { labels: labels.clone(), name, place });
        if pattern.of_row.is_some() {
            return Ok(Expr::column(pattern.row_parameters[0], Type::VARCHAR).at(place));
        }
        let navigation = Navigation { labels: labels.unwrap_or_default(), ..pattern.navigation.clone() };
        Ok(self.pattern_input(PatternInput::Classifier(navigation), Type::VARCHAR, pattern).at(place))
    }

    /// Calls of FIRST, LAST, PREV and NEXT.
    fn navigated(
        &mut self,
        call: &Call<'_>,
        mode: Option<Mode>,
        place: Option<ErrorLocation>,
        context: &mut Context<'_>,
    ) -> Result<Expr> {
        let name = call.name.as_str();
        let invalid = |message: String| user_error(ErrorCode::InvalidFunctionArgument, place, message);
        let (value, offset) = match call.args.as_slice() {
            [value] => (*value, None),
            [value, offset] => (*value, Some(*offset)),
            _ => {
                return Err(invalid(format!(
                    "{name} pattern recognition function requires 1 or 2 arguments"
                )));
            }
        };
        let Some(pattern) = &mut context.pattern else { return Err(not_supported(place, name)) };
        let around = pattern.navigation.clone();
        let known = pattern.references.len();
        let number = offset.map(integer);
        let distance = number.flatten().and_then(|number| u32::try_from(number).ok());
        let is_final = mode.is_some_and(|mode| mode.is_final);
        pattern.navigation = match name {
            "prev" => Navigation { rows: -i64::from(distance.unwrap_or(1)), ..around.clone() },
            "next" => Navigation { rows: i64::from(distance.unwrap_or(1)), ..around.clone() },
            _ => {
                let offset = distance.unwrap_or(0);
                Navigation { is_last: name == "last", is_final, offset, ..around.clone() }
            }
        };
        let analyzed = self.expression(value, context);
        if let Some(pattern) = &mut context.pattern {
            pattern.navigation = around;
        }
        let analyzed = analyzed?;
        match number {
            None => {}
            Some(None) => {
                if let Some(offset) = offset {
                    self.expression(offset, context)?;
                }
                return Err(invalid(format!(
                    "{name} pattern recognition navigation function requires a number as the second argument"
                )));
            }
            Some(Some(number)) if number < 0 => {
                let message = format!(
                    "{name} pattern recognition navigation function requires a non-negative number as the second argument (actual: {number})"
                );
                return Err(user_error(ErrorCode::NumericValueOutOfRange, place, message));
            }
            Some(Some(number)) if number > i128::from(i32::MAX) => {
                let message = format!(
                    "The second argument of {name} pattern recognition navigation function must not exceed {} (actual: {number})",
                    i32::MAX
                );
                return Err(user_error(ErrorCode::NumericValueOutOfRange, place, message));
            }
            Some(Some(_)) => {}
        }
        self.check_navigation(call, value)?;
        let Some(pattern) = &context.pattern else { return Ok(analyzed) };
        let references = &pattern.references[known..];
        if references.is_empty() {
            let message = format!(
                "Pattern navigation function '{}' must contain at least one column reference or CLASSIFIER()",
                name.to_uppercase()
            );
            return Err(user_error(ErrorCode::InvalidArguments, place, message));
        }
        check_labels(name, references, place)?;
        Ok(analyzed)
    }

    /// Checks the nesting of navigations: only FIRST or LAST directly within PREV or NEXT is allowed.
    fn check_navigation(&mut self, call: &Call<'_>, value: &AstExpr) -> Result<()> {
        let name = call.name.as_str();
        let calls = Calls::of(value).found;
        self.spend(calls.len().saturating_mul(STEPS_OF_NODE), call.place)?;
        let nested: Vec<&CallSite> = calls.iter().filter(|call| call.is_navigation()).collect();
        let refused =
            |place, message: String| user_error(ErrorCode::InvalidNavigationNesting, place, message);
        let within = |inner: &CallSite| {
            let message = format!(
                "Cannot nest {} pattern navigation function inside {name} pattern navigation function",
                inner.name
            );
            refused(inner.place, message)
        };
        match nested.as_slice() {
            [] => {}
            [first, ..] if matches!(name, "first" | "last") => return Err(within(first)),
            [_, second, ..] => {
                let message = format!(
                    "Cannot nest multiple pattern navigation functions inside {name} pattern navigation function"
                );
                return Err(refused(second.place, message));
            }
            [inner] if matches!(inner.name.as_str(), "prev" | "next") => return Err(within(inner)),
            [inner] => {
                let mut value = value;
                while let AstExpr::Nested(inner) = value {
                    value = inner;
                }
                let is_right_within = match value {
                    AstExpr::Function(_) | AstExpr::Prefixed { .. } => Calls::of(value)
                        .found
                        .first()
                        .is_some_and(|first| first.is_navigation() && first.place == inner.place),
                    _ => false,
                };
                if !is_right_within {
                    let message = "Immediate nesting is required for pattern navigation functions";
                    return Err(refused(inner.place, message.to_owned()));
                }
            }
        }
        nested_aggregate(&calls, name)
    }

    fn check_pattern_aggregate(&mut self, call: &Call<'_>, place: Option<ErrorLocation>) -> Result<()> {
        let name = call.name.as_str();
        refuse_if(call.ignore_nulls, place, &format!("IGNORE NULLS with {name}"))?;
        let refused = |what: &str| {
            let message =
                format!("Cannot use {what} with {name} aggregate function in pattern recognition context");
            Err(user_error(ErrorCode::NotSupported, place, message))
        };
        if call.filter.is_some() {
            return refused("FILTER");
        }
        if !call.order_by.is_empty() {
            return refused("ORDER BY");
        }
        if call.is_distinct {
            return refused("DISTINCT");
        }
        for arg in &call.args {
            let calls = Calls::of(arg).found;
            self.spend(calls.len().saturating_mul(STEPS_OF_NODE), call.place)?;
            nested_aggregate(&calls, name)?;
            if let Some(inner) = calls.iter().find(|call| call.is_navigation()) {
                let message =
                    format!("Cannot nest {} pattern navigation function inside {name} function", inner.name);
                return Err(user_error(ErrorCode::InvalidNavigationNesting, inner.place, message));
            }
        }
        Ok(())
    }

    /// An aggregate over rows of the match.
    pub(super) fn pattern_aggregate(
        &mut self,
        function: AggregateFunction,
        call: &Call<'_>,
        context: &mut Context<'_>,
    ) -> Result<Expr> {
        let Some(pattern) = &mut context.pattern else { return Err(not_supported(call.place, "this")) };
        let mode = call.mode;
        let place = mode.map_or(call.place, |mode| mode.place);
        let known = pattern.references.len();
        let around = pattern.of_row.replace(OfRow::Aggregated);
        let star = match call.label_star {
            None => None,
            Some(name) => {
                let label = name.0.first().and_then(|part| part.as_ident());
                let found = label.and_then(|label| pattern.labels.find(label));
                let Some(found) = found else {
                    let message = format!("{name} is not a primary pattern variable or subset name");
                    let place = place_of_name(name);
                    return Err(user_error(ErrorCode::InvalidFunctionArgument, place, message));
                };
                Some(found.to_vec())
            }
        };
        let analyzed = self.aggregate_arguments(function, call, context);
        let Some(pattern) = &mut context.pattern else { return Err(not_supported(call.place, "this")) };
        pattern.of_row = around;
        let (args, output) = analyzed?;
        let references = &pattern.references[known..];
        check_labels(&call.name, references, place)?;
        let labels = star.or_else(|| references.iter().find_map(|reference| reference.labels.clone()));
        let [label, number] = pattern.row_parameters;
        let args = args.into_iter().map(|arg| {
            let (data_type, location) = (arg.data_type.clone(), arg.location);
            let parameters = vec![(label, Type::VARCHAR), (number, Type::BigInt)];
            Expr::new(ExprKind::Lambda { parameters, body: Box::new(arg) }, data_type).at(location)
        });
        let aggregate = PatternAggregate {
            function,
            output: output.clone(),
            labels: labels.unwrap_or_default(),
            is_final: mode.is_some_and(|mode| mode.is_final),
            args: args.collect(),
        };
        Ok(self.pattern_input(PatternInput::Aggregate(aggregate), output, pattern).at(place))
    }
}

fn nested_aggregate(calls: &[CallSite], name: &str) -> Result<()> {
    match calls.iter().find(|call| call.is_aggregate()) {
        None => Ok(()),
        Some(inner) => {
            let message = format!("Cannot nest {} aggregate function inside {name} function", inner.name);
            Err(user_error(ErrorCode::NestedAggregation, inner.place, message))
        }
    }
}

/// Checks that all names in a call have the same label, or none.
fn check_labels(name: &str, references: &[Reference], place: Option<ErrorLocation>) -> Result<()> {
    let labels: HashSet<Option<&String>> =
        references.iter().map(|reference| reference.name.as_ref()).collect();
    if labels.len() > 1 {
        let message = format!("All labels and classifiers inside the call to '{name}' must match");
        return Err(user_error(ErrorCode::InvalidArguments, place, message));
    }
    Ok(())
}

fn check_pattern_function(call: &Call<'_>, mode: Option<Mode>, place: Option<ErrorLocation>) -> Result<()> {
    let name = call.name.as_str();
    let refused = |what: &str| {
        let message = format!("Cannot use {what} with {name} pattern recognition function");
        Err(user_error(ErrorCode::InvalidPatternRecognitionFunction, place, message))
    };
    if call.over.is_some() {
        return refused("OVER");
    }
    if call.filter.is_some() {
        return refused("FILTER");
    }
    if !call.order_by.is_empty() {
        return refused("ORDER BY");
    }
    if call.is_distinct {
        return refused("DISTINCT");
    }
    refuse_if(call.ignore_nulls, place, &format!("IGNORE NULLS with {name} in a row pattern"))?;
    match mode {
        Some(mode) if !matches!(name, "first" | "last") => {
            let message = format!(
                "{} semantics is not supported with {name} pattern recognition function",
                mode.name()
            );
            Err(user_error(ErrorCode::InvalidProcessingMode, place, message))
        }
        _ => Ok(()),
    }
}

/// The value of an integer literal.
fn integer(expr: &AstExpr) -> Option<i128> {
    match expr {
        AstExpr::Nested(inner) => integer(inner),
        AstExpr::UnaryOp { op: UnaryOperator::Minus, expr } => integer(expr).map(|number| -number),
        AstExpr::Value(value) => match &value.value {
            AstValue::Number(digits, _) => plain_number(digits).parse().ok(),
            _ => None,
        },
        _ => None,
    }
}
