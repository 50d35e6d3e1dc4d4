//! Calls with OVER. A call becomes a column that the window node will give.

use rowhouse_model::ErrorCode;
use sqlparser::ast::{
    Expr as AstExpr, NamedWindowDefinition, NamedWindowExpr, WindowFrame, WindowFrameBound, WindowFrameUnits,
    WindowSpec, WindowType,
};

use super::call::{Call, unexpected_parameters};
use super::context::{Analyzer, Context, refuse_if, user_error};
use super::place::place_of;
use super::query::{sort_key, sort_options};
use super::scope::equal_names;
use super::work::STEPS_OF_NODE;
use crate::error::{Result, location_of, not_supported, type_mismatch};
use crate::expr::{Expr, SortKey, Value};
use crate::functions::{AggregateFunction, RankingFunction, ResolveError, WindowFunction, resolve_window};
use crate::plan::{Frame, FrameBound, FrameUnit, WindowCall};
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
        // While the parts of this call are analyzed no other window function may stand in them.
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
        let frame = self.frame(window_frame.as_ref(), &keys, context)?;
        Ok((args, data_type, argument_order, filter, partitions, keys, frame))
    }

    fn frame(
        &mut self,
        frame: Option<&WindowFrame>,
        order_by: &[SortKey],
        context: &mut Context<'_>,
    ) -> Result<Frame> {
        let Some(WindowFrame { units, start_bound, end_bound }) = frame else {
            return Ok(Frame {
                unit: FrameUnit::Range,
                start: FrameBound::UnboundedPreceding,
                end: FrameBound::CurrentRow,
            });
        };
        let unit = match units {
            WindowFrameUnits::Rows => FrameUnit::Rows,
            WindowFrameUnits::Range => FrameUnit::Range,
            WindowFrameUnits::Groups => FrameUnit::Groups,
        };
        let start = self.bound(start_bound, unit, order_by, context)?;
        let end = match end_bound {
            Some(bound) => self.bound(bound, unit, order_by, context)?,
            None => FrameBound::CurrentRow,
        };
        let rank = |bound: &FrameBound| match bound {
            FrameBound::UnboundedPreceding => 0,
            FrameBound::Preceding(_) => 1,
            FrameBound::CurrentRow => 2,
            FrameBound::Following(_) => 3,
            FrameBound::UnboundedFollowing => 4,
        };
        if rank(&start) > rank(&end) || rank(&start) == 4 || rank(&end) == 0 {
            return Err(user_error(ErrorCode::InvalidWindowFrame, None, "Window frame starts after it ends"));
        }
        Ok(Frame { unit, start, end })
    }

    fn bound(
        &mut self,
        bound: &WindowFrameBound,
        unit: FrameUnit,
        order_by: &[SortKey],
        context: &mut Context<'_>,
    ) -> Result<FrameBound> {
        let (expr, is_preceding) = match bound {
            WindowFrameBound::CurrentRow => return Ok(FrameBound::CurrentRow),
            WindowFrameBound::Preceding(None) => return Ok(FrameBound::UnboundedPreceding),
            WindowFrameBound::Following(None) => return Ok(FrameBound::UnboundedFollowing),
            WindowFrameBound::Preceding(Some(expr)) => (expr, true),
            WindowFrameBound::Following(Some(expr)) => (expr, false),
        };
        let distance = self.distance(expr, unit, order_by, context)?;
        Ok(if is_preceding {
            FrameBound::Preceding(Box::new(distance))
        } else {
            FrameBound::Following(Box::new(distance))
        })
    }

    fn distance(
        &mut self,
        expr: &AstExpr,
        unit: FrameUnit,
        order_by: &[SortKey],
        context: &mut Context<'_>,
    ) -> Result<Expr> {
        let place = place_of(expr);
        let distance = self.expression(expr, context)?;
        if !matches!(distance.as_literal(), Some(value) if *value != Value::Null) {
            return Err(not_supported(place, "a frame bound that is not a constant"));
        }
        if unit != FrameUnit::Range {
            return match distance.as_literal() {
                Some(Value::Integer(count)) if *count >= 0 => Ok(self.coerced(distance, &Type::BigInt)),
                _ => Err(type_mismatch(place, "Window frame bound must be a number of rows, 0 or more")),
            };
        }
        let [key] = order_by else {
            let message =
                "Window frame of type RANGE PRECEDING or FOLLOWING requires single sort item in ORDER BY";
            return Err(user_error(ErrorCode::InvalidArguments, place, message));
        };
        let key_type = &key.expr.data_type;
        let fits = (key_type.is_numeric() && distance.data_type.is_numeric())
            || (matches!(key_type, Type::Date | Type::Timestamp { .. } | Type::TimestampWithTimeZone { .. })
                && distance.data_type.is_interval());
        if !fits {
            let message = format!(
                "Window frame RANGE value of type {} does not fit a sort key of type {key_type}",
                distance.data_type
            );
            return Err(type_mismatch(place, message));
        }
        if key_type.is_numeric() {
            let key_type = key_type.clone();
            let can = crate::types::can_coerce(&distance.data_type, &key_type);
            return if can {
                Ok(self.coerced(distance, &key_type))
            } else {
                Err(not_supported(place, "a RANGE bound of a wider type than the sort key"))
            };
        }
        Ok(distance)
    }
}

/// Windows that refer to each other: a chain longer than this is a circle.
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

/// `OVER (w ORDER BY …)`: what the window `w` says comes first.
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
