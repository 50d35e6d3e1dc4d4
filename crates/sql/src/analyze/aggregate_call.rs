//! Calls of aggregate functions. A call becomes a column of the aggregation node; equal calls share one.

use rowhouse_model::ErrorCode;

use super::call::{Call, unexpected_parameters};
use super::context::{Analyzer, Context, user_error};
use super::place::place_of;
use super::query::{sort_key, sort_options};
use crate::error::{Result, not_supported, syntax_error, type_mismatch};
use crate::expr::{Expr, ExprKind, SortKey, Value};
use crate::functions::{AggregateFunction, resolve_aggregate};
use crate::plan::AggregateCall;
use crate::types::{Type, can_coerce};

/// Whether an argument is an expression as written, or its conversion to the type that the function takes.
fn is_conversion_of(arg: &Expr, written: &Expr) -> bool {
    match &arg.kind {
        ExprKind::Cast { input, is_try: false } => arg == written || **input == *written,
        _ => arg == written,
    }
}

/// Checks that `listagg` has texts, and a constant between them.
fn check_list(call: &Call<'_>, args: &[Expr]) -> Result<()> {
    if let Some(value) = args.first().filter(|value| !can_coerce(&value.data_type, &Type::VARCHAR)) {
        let message =
            format!("Expected expression of varchar, but '{}' has {} type", call.args[0], value.data_type);
        return Err(type_mismatch(call.place, message));
    }
    match args.get(1) {
        Some(separator) if !matches!(separator.as_literal(), Some(Value::Varchar(_))) => {
            Err(syntax_error(place_of(call.args[1]), "the separator of listagg is a constant text"))
        }
        _ => Ok(()),
    }
}

impl Analyzer<'_> {
    pub(super) fn aggregate_call(
        &mut self,
        function: AggregateFunction,
        call: &Call<'_>,
        context: &mut Context<'_>,
    ) -> Result<Expr> {
        let place = call.place;
        if context.is_in_aggregate {
            let message = format!("Cannot nest aggregations inside aggregation '{}'", call.name);
            return Err(user_error(ErrorCode::NestedAggregation, place, message));
        }
        if context.aggregates.is_none() {
            let message = format!(
                "{} cannot contain aggregations, window functions or grouping operations: {}",
                context.clause, call.name
            );
            return Err(user_error(ErrorCode::ExpressionNotScalar, place, message));
        }
        if call.ignore_nulls {
            return Err(not_supported(place, format!("IGNORE NULLS with {}", call.name)));
        }
        // Names in an aggregate resolve to columns of the source, never to those of the select list.
        let mut inner = Context::new(context.scope, context.clause);
        inner.is_in_aggregate = true;
        let args = self.aggregate_arguments(function, call, &mut inner)?;
        let filter = match call.filter {
            Some(filter) => Some(self.condition(filter, &mut inner)?),
            None => None,
        };
        let order_by = self.argument_order(function, call, &args.0, &mut inner)?;
        context.pending_below.append(&mut inner.pending);
        let found = AggregateCall {
            output: self.new_field(call.name.clone(), args.1),
            function,
            args: args.0,
            is_distinct: call.is_distinct,
            filter,
            order_by,
        };
        self.spend(5 * context.aggregates.as_ref().map_or(0, Vec::len), place)?;
        let Some(aggregates) = &mut context.aggregates else {
            return Err(not_supported(place, "an aggregate here"));
        };
        let known = aggregates.iter().find(|known| {
            let AggregateCall { output: _, function, args, is_distinct, filter, order_by } = known;
            let is_random = || args.iter().chain(filter).any(Expr::is_random);
            *function == found.function
                && *args == found.args
                && *is_distinct == found.is_distinct
                && *filter == found.filter
                && *order_by == found.order_by
                && !is_random()
        });
        let output = match known {
            Some(known) => known.output.clone(),
            None => {
                let output = found.output.clone();
                aggregates.push(found);
                output
            }
        };
        Ok(Expr::column(output.id, output.data_type).at(place))
    }

    /// The arguments, converted to the types that the function takes, and the type of the result.
    pub(super) fn aggregate_arguments(
        &mut self,
        function: AggregateFunction,
        call: &Call<'_>,
        context: &mut Context<'_>,
    ) -> Result<(Vec<Expr>, Type)> {
        let place = call.place;
        if call.is_star && function != AggregateFunction::Count {
            return Err(not_supported(place, format!("'*' as an argument of {}", call.name)));
        }
        if call.is_distinct && call.args.is_empty() {
            return Err(not_supported(place, "DISTINCT without an argument"));
        }
        let mut args = self.arguments(call, context)?;
        if call.is_distinct
            && let Some(arg) = args.iter().find(|arg| !arg.data_type.is_comparable())
        {
            let given = &arg.data_type;
            let message = format!("DISTINCT can only be applied to comparable types (actual: {given})");
            return Err(type_mismatch(place, message));
        }
        if function == AggregateFunction::ListAgg {
            check_list(call, &args)?;
        }
        let types: Vec<Type> = args.iter().map(|arg| arg.data_type.clone()).collect();
        let resolution = resolve_aggregate(function, &types)
            .map_err(|failure| unexpected_parameters(function.name(), &types, &failure, place))?;
        args = args
            .into_iter()
            .zip(&resolution.arguments)
            .map(|(arg, wanted)| self.coerced(arg, wanted))
            .collect();
        let needs_order = matches!(
            function,
            AggregateFunction::Min
                | AggregateFunction::Max
                | AggregateFunction::MinBy
                | AggregateFunction::MaxBy
        );
        if needs_order && args.last().is_some_and(|last| !last.data_type.is_orderable()) {
            let message = format!("{} takes an orderable argument", call.name);
            return Err(user_error(ErrorCode::FunctionNotFound, place, message));
        }
        match function {
            AggregateFunction::ListAgg if args.len() == 1 => {
                args.push(Expr::literal(Value::Varchar(String::new()), Type::VARCHAR));
            }
            // The maximum standard error is ignored: the count is exact.
            AggregateFunction::ApproxDistinct => args.truncate(1),
            AggregateFunction::ApproxPercentile => match args.get(1).and_then(Expr::as_literal) {
                Some(Value::Double(fraction)) if (0.0..=1.0).contains(fraction) => {}
                Some(_) => {
                    let message = "Percentile must be between 0 and 1";
                    return Err(user_error(ErrorCode::InvalidFunctionArgument, place, message));
                }
                None => return Err(not_supported(place, "a percentile that is not a constant")),
            },
            _ => {}
        }
        Ok((args, resolution.result))
    }

    /// The ORDER BY within the parentheses. With DISTINCT its expressions must be among the arguments, so that rows
    /// with equal arguments have equal sort keys.
    pub(super) fn argument_order(
        &mut self,
        function: AggregateFunction,
        call: &Call<'_>,
        args: &[Expr],
        context: &mut Context<'_>,
    ) -> Result<Vec<SortKey>> {
        let mut keys = Vec::with_capacity(call.order_by.len());
        for key in &call.order_by {
            let (expr, options) = sort_options(key)?;
            let expr = self.expression(expr, context)?;
            if call.is_distinct && !args.iter().any(|arg| is_conversion_of(arg, &expr)) {
                let message =
                    "For aggregate function with DISTINCT, ORDER BY expressions must appear in arguments";
                return Err(user_error(ErrorCode::ExpressionNotInDistinct, expr.location, message));
            }
            keys.push(sort_key(expr, options)?);
        }
        // The results of other functions do not depend on the order of rows.
        Ok(if function.is_order_sensitive() { keys } else { Vec::new() })
    }
}
