//! Calls with OVER. A call becomes a column of the window node.

use rowhouse_model::ErrorCode;
use sqlparser::ast::{NamedWindowDefinition, NamedWindowExpr, WindowSpec, WindowType};

use super::call::{Call, unexpected_parameters};
use super::context::{Analyzer, Context, refuse_if, user_error};
use super::query::{sort_key, sort_options};
use super::scope::equal_names;
use super::work::STEPS_OF_NODE;
use crate::error::{Result, location_of, not_supported};
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
        refuse_if(call.is_star, call.place, &format!("'*' as an argument of {}", call.name))?;
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
            return Err(user_error(ErrorCode::NestedWindow, place, message));
        };
        let analyzed = self.window_parts(function, call, over, context);
        let (args, data_type, argument_order, filter, partition_by, order_by, frame) = match analyzed {
            Ok(parts) => parts,
            Err(failure) => {
                context.windows = Some(windows);
                return Err(failure);
            }
        };
        let output = self.new_field(call.name.clone(), data_type);
        let value = Expr::column(output.id, output.data_type.clone()).at(place);
        windows.push(WindowCall {
            output,
            function,
            args,
            is_distinct: call.is_distinct,
            argument_order,
            ignore_nulls: call.ignore_nulls,
            filter,
            partition_by,
            order_by,
            frame,
        });
        context.windows = Some(windows);
        Ok(value)
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
        let specification = match over {
            WindowType::WindowSpec(specification) => specification.clone(),
            WindowType::NamedWindow(name) => named_window(name, context.named_windows, 0)?,
        };
        let specification = with_base(specification, context.named_windows, 0)?;
        let WindowSpec { window_name: _, partition_by, order_by, window_frame } = specification;
        let mut partitions = Vec::with_capacity(partition_by.len());
        for expr in &partition_by {
            partitions.push(self.expression(expr, context)?);
        }
        let mut keys = Vec::with_capacity(order_by.len());
        for key in &order_by {
            let (expr, options) = sort_options(key)?;
            let expr = self.expression(expr, context)?;
            keys.push(sort_key(expr, options)?);
        }
        if let (WindowFunction::Ranking(function), Some(_)) = (function, &window_frame)
            && !function.uses_frame()
        {
            let message = format!("Cannot specify window frame for {} function", call.name);
            return Err(user_error(ErrorCode::InvalidWindowFrame, call.place, message));
        }
        let frame = self.frame(window_frame.as_ref(), &mut keys, context)?;
        Ok((args, data_type, argument_order, filter, partitions, keys, frame))
    }
}

/// The maximum length of a chain of named windows; a longer chain is assumed to be circular.
const MAX_WINDOW_CHAIN: usize = 50;

fn named_window(
    name: &sqlparser::ast::Ident,
    known: &[NamedWindowDefinition],
    depth: usize,
) -> Result<WindowSpec> {
    let place = location_of(name.span.start);
    if depth > MAX_WINDOW_CHAIN {
        return Err(not_supported(place, "a window that refers to itself"));
    }
    for NamedWindowDefinition(own, definition) in known {
        if equal_names(&own.value, &name.value) {
            return match definition {
                NamedWindowExpr::NamedWindow(other) => named_window(other, known, depth + 1),
                NamedWindowExpr::WindowSpec(specification) => {
                    with_base(specification.clone(), known, depth + 1)
                }
            };
        }
    }
    let message = format!("Cannot resolve WINDOW name '{}'", name.value);
    Err(user_error(ErrorCode::InvalidColumnReference, place, message))
}

/// `OVER (w ORDER BY …)`: merges in the definition of the window `w`.
fn with_base(specification: WindowSpec, known: &[NamedWindowDefinition], depth: usize) -> Result<WindowSpec> {
    let WindowSpec { window_name, partition_by, order_by, window_frame } = specification;
    let Some(name) = window_name else {
        return Ok(WindowSpec { window_name: None, partition_by, order_by, window_frame });
    };
    let base = named_window(&name, known, depth + 1)?;
    let place = location_of(name.span.start);
    if !partition_by.is_empty() {
        return Err(not_supported(place, "PARTITION BY over a named window"));
    }
    if !order_by.is_empty() && !base.order_by.is_empty() {
        return Err(not_supported(place, "ORDER BY over a named window that has one"));
    }
    if base.window_frame.is_some() {
        return Err(not_supported(place, "a window over a named window with a frame"));
    }
    Ok(WindowSpec {
        window_name: None,
        partition_by: base.partition_by,
        order_by: if order_by.is_empty() { base.order_by } else { order_by },
        window_frame,
    })
}
