//! Calls with OVER. A call becomes a column of the window node.

use rowhouse_model::ErrorCode;
use sqlparser::ast::WindowType;

use super::call::{Call, unexpected_parameters};
use super::context::{Analyzer, Context, refuse_if, user_error};
use super::named_window::window_of;
use super::place::place_of;
use super::window_definition::Window;
use super::work::STEPS_OF_NODE;
use crate::error::Result;
use crate::expr::{Expr, SortKey};
use crate::functions::{AggregateFunction, RankingFunction, ResolveError, WindowFunction, resolve_window};
use crate::plan::{Frame, WindowCall};
use crate::types::Type;

impl Analyzer<'_> {
    pub(super) fn ranking_call(
        &mut self,
        function: RankingFunction,
        call: &Call<'_>,
        context: &mut Context<'_>,
    ) -> Result<Expr> {
        let Some(over) = call.over else {
            let takes_none = function.signatures().iter().any(|signature| signature.starts_with("()"));
            if call.args.is_empty() && !takes_none {
                let expected = function.signatures().iter().map(|text| format!("{}{text}", call.name));
                let failure = ResolveError { expected: expected.collect() };
                return Err(unexpected_parameters(&call.name, &[], &failure, call.place));
            }
            let message = format!("Window function {} requires an OVER clause", call.name);
            return Err(user_error(ErrorCode::MissingOver, call.place, message));
        };
        refuse_if(call.filter.is_some(), call.place, &format!("FILTER with {}", call.name))?;
        refuse_if(call.is_distinct, call.place, &format!("DISTINCT with {}", call.name))?;
        refuse_if(
            !call.order_by.is_empty(),
            call.place,
            &format!("ORDER BY in the arguments of {}", call.name),
        )?;
        self.window_call(WindowFunction::Ranking(function), call, over, context)
    }

    pub(super) fn aggregate_over_window(
        &mut self,
        function: AggregateFunction,
        call: &Call<'_>,
        over: &WindowType,
        context: &mut Context<'_>,
    ) -> Result<Expr> {
        self.window_call(WindowFunction::Aggregate(function), call, over, context)
    }

    fn window_call(
        &mut self,
        function: WindowFunction,
        call: &Call<'_>,
        over: &WindowType,
        context: &mut Context<'_>,
    ) -> Result<Expr> {
        let place = call.place;
        // No other window function may be nested in the parts of this call.
        let Some(mut windows) = context.windows.take() else {
            let message = format!(
                "{} cannot contain aggregations, window functions or grouping operations: {}",
                context.clause, call.name
            );
            let is_scalar_clause =
                matches!(context.clause, "WHERE clause" | "GROUP BY clause" | "JOIN clause");
            let code = if is_scalar_clause && !context.is_in_aggregate {
                ErrorCode::ExpressionNotScalar
            } else {
                ErrorCode::NestedWindow
            };
            return Err(user_error(code, place, message));
        };
        let analyzed = self.window_parts(function, call, over, context);
        let (args, data_type, argument_order, filter, partition_by, order_by, frame) = match analyzed {
            Ok(parts) => parts,
            Err(failure) => {
                context.windows = Some(windows);
                return Err(failure);
            }
        };
        let found = WindowCall {
            output: self.new_field(call.name.clone(), data_type),
            function,
            args,
            is_distinct: call.is_distinct,
            argument_order,
            ignore_nulls: call.ignore_nulls,
            filter,
            partition_by,
            order_by,
            frame,
        };
        self.spend(5 * windows.len(), place)?;
        let output = match windows.iter().find(|known| known.is_same(&found)) {
            Some(known) => known.output.clone(),
            None => {
                let output = found.output.clone();
                windows.push(found);
                output
            }
        };
        context.windows = Some(windows);
        Ok(Expr::column(output.id, output.data_type).at(place))
    }

    #[expect(clippy::type_complexity, reason = "the parts go straight into one WindowCall")]
    fn window_parts(
        &mut self,
        function: WindowFunction,
        call: &Call<'_>,
        over: &WindowType,
        context: &mut Context<'_>,
    ) -> Result<(Vec<Expr>, Type, Vec<SortKey>, Option<Expr>, Vec<Expr>, Vec<SortKey>, Frame)> {
        let (args, data_type) = match function {
            WindowFunction::Aggregate(aggregate) => self.aggregate_arguments(aggregate, call, context)?,
            WindowFunction::Ranking(ranking) => {
                let args = self.arguments(call, context)?;
                let types: Vec<Type> = args.iter().map(|arg| arg.data_type.clone()).collect();
                let resolution = resolve_window(ranking, &types)
                    .map_err(|failure| unexpected_parameters(&call.name, &types, &failure, call.place))?;
                let args = args
                    .into_iter()
                    .zip(&resolution.arguments)
                    .map(|(arg, wanted)| self.coerced(arg, wanted))
                    .collect();
                (args, resolution.result)
            }
        };
        let argument_order = match function {
            WindowFunction::Aggregate(function) => self.argument_order(function, call, &args, context)?,
            WindowFunction::Ranking(_) => Vec::new(),
        };
        let filter = match call.filter {
            Some(filter) => Some(self.condition(filter, context)?),
            None => None,
        };
        self.spend(context.named_windows.len().saturating_mul(STEPS_OF_NODE), call.place)?;
        let window = window_of(over, &context.named_windows)?;
        let Window { partition_by, order_by, frame } = &window;
        let partitions = self.part_of_window(partition_by, context, |analyzer, partition_by, context| {
            partition_by.iter().map(|expr| analyzer.expression(expr, context)).collect()
        })?;
        let mut keys = self.part_of_window(order_by, context, Self::window_order)?;
        let before = window.place_before_frame(&keys, call.place);
        if let WindowFunction::Ranking(function) = function {
            if keys.is_empty() && function.needs_order() {
                let message = format!("{} function requires an ORDER BY window clause", call.name);
                let last = call.args.last().and_then(|last| place_of(last)).or(call.place);
                let place = match over {
                    WindowType::NamedWindow(_) => self.token_places.over_after(last),
                    WindowType::WindowSpec(_) => self.token_places.window_after(last),
                };
                return Err(user_error(ErrorCode::MissingOrderBy, place, message));
            }
            if frame.given.is_some() && !function.uses_frame() {
                let message = format!("Cannot specify window frame for {} function", call.name);
                let place = self.token_places.frame_after(before).or(call.place);
                return Err(user_error(ErrorCode::InvalidWindowFrame, place, message));
            }
        }
        let frame = self.part_of_window(frame, context, |analyzer, frame, context| {
            analyzer.frame(frame.as_ref(), &mut keys, before, context)
        })?;
        Ok((args, data_type, argument_order, filter, partitions, keys, frame))
    }
}
