//! The WINDOW clause, and what a window takes over from a named one.

use std::rc::Rc;

use rowhouse_model::{ErrorCode, ErrorLocation};
use sqlparser::ast::{Ident, NamedWindowDefinition, NamedWindowExpr, OrderByExpr, WindowSpec, WindowType};

use super::canonical_name::canonical;
use super::context::{Aliases, Analyzer, Context, user_error};
use super::place::place_of;
use super::query::{sort_key, sort_options};
use super::scope::Scope;
use super::window_definition::{NamedWindow, Part, Window};
use super::work::STEPS_OF_NODE;
use crate::error::{Result, location_of, not_supported};
use crate::expr::{Expr, SortKey};

impl Analyzer<'_> {
    /// Checks the WINDOW clause. A definition may refer to those before it. Returns the definitions and their expressions,
    /// which name columns of the groups if there are any, also in a definition that is not used.
    pub(super) fn named_windows(
        &mut self,
        definitions: &[NamedWindowDefinition],
        scope: &Scope<'_>,
    ) -> Result<(Rc<[NamedWindow]>, Vec<Expr>)> {
        let mut windows: Vec<NamedWindow> = Vec::with_capacity(definitions.len());
        let mut exprs = Vec::new();
        for NamedWindowDefinition(ident, definition) in definitions {
            let place = location_of(ident.span.start);
            let name = canonical(ident);
            self.spend(windows.len().saturating_mul(STEPS_OF_NODE), place)?;
            if windows.iter().any(|known| known.name == name) {
                let message = format!("WINDOW name '{}' specified more than once", ident.value);
                return Err(user_error(ErrorCode::DuplicateWindowName, place, message));
            }
            let NamedWindowExpr::WindowSpec(specification) = definition else {
                return Err(not_supported(place, "a window that is another one's name"));
            };
            let window = specified(specification, &windows)?;
            exprs.extend(self.check_window(&window, place, scope)?);
            windows.push(NamedWindow { name, window });
        }
        Ok((windows.into(), exprs))
    }

    /// Checks the own parts of a definition, which may be unused, and returns their expressions.
    fn check_window(
        &mut self,
        window: &Window,
        place: Option<ErrorLocation>,
        scope: &Scope<'_>,
    ) -> Result<Vec<Expr>> {
        let Window { partition_by, order_by, frame } = window;
        let mut context = Context::new(scope, "WINDOW clause");
        context.aggregates = Some(Vec::new());
        context.groupings = Some(Vec::new());
        let mut exprs = Vec::new();
        if !partition_by.is_named {
            for expr in partition_by.given.iter() {
                exprs.push(self.expression(expr, &mut context)?);
            }
        }
        if !order_by.is_named || frame.given.is_some() {
            let mut keys = self.window_order(&order_by.given, &mut context)?;
            let before = window.place_before_frame(&keys, place);
            let frame = self.frame(frame.given.as_ref().as_ref(), &mut keys, before, &mut context)?;
            if !order_by.is_named {
                exprs.extend(keys.into_iter().map(|key| key.expr));
            }
            exprs.extend(frame.into_expressions());
        }
        Ok(exprs)
    }

    /// The sort keys of a window.
    pub(super) fn window_order(
        &mut self,
        order_by: &[OrderByExpr],
        context: &mut Context<'_>,
    ) -> Result<Vec<SortKey>> {
        let mut keys = Vec::with_capacity(order_by.len());
        for key in order_by {
            let (expr, options) = sort_options(key)?;
            let expr = self.expression(expr, context)?;
            keys.push(sort_key(expr, options)?);
        }
        Ok(keys)
    }

    /// Analyzes a part of a window in the scope where it is written.
    pub(super) fn part_of_window<T, R>(
        &mut self,
        part: &Part<T>,
        context: &mut Context<'_>,
        analyze: impl FnOnce(&mut Self, &T, &mut Context<'_>) -> Result<R>,
    ) -> Result<R>
    where
        T: ?Sized,
    {
        if !part.is_named {
            return analyze(self, &part.given, context);
        }
        let first = std::mem::take(&mut context.aliases_first);
        let last: Aliases = std::mem::take(&mut context.aliases_last);
        let outcome = analyze(self, &part.given, context);
        context.aliases_first = first;
        context.aliases_last = last;
        outcome
    }
}

/// The window of an OVER clause.
pub(super) fn window_of(over: &WindowType, known: &[NamedWindow]) -> Result<Window> {
    match over {
        WindowType::NamedWindow(name) => {
            let Window { partition_by, order_by, frame } = find(name, known)?;
            Ok(Window {
                partition_by: partition_by.named(),
                order_by: order_by.named(),
                frame: frame.named(),
            })
        }
        WindowType::WindowSpec(specification) => specified(specification, known),
    }
}

fn find<'k>(name: &Ident, known: &'k [NamedWindow]) -> Result<&'k Window> {
    let sought = canonical(name);
    match known.iter().find(|window| window.name == sought) {
        Some(found) => Ok(&found.window),
        None => {
            let message = format!("Cannot resolve WINDOW name {name}");
            Err(user_error(ErrorCode::InvalidWindowReference, location_of(name.span.start), message))
        }
    }
}

fn specified(specification: &WindowSpec, known: &[NamedWindow]) -> Result<Window> {
    let WindowSpec { window_name, partition_by, order_by, window_frame } = specification;
    let order = || Part::own(order_by.as_slice().into());
    let frame = Part::own(Rc::new(window_frame.clone()));
    let Some(name) = window_name else {
        let partition_by = Part::own(partition_by.as_slice().into());
        return Ok(Window { partition_by, order_by: order(), frame });
    };
    let base = find(name, known)?;
    if let Some(first) = partition_by.first() {
        let message = "WINDOW specification with named WINDOW reference cannot specify PARTITION BY";
        return Err(user_error(ErrorCode::InvalidPartitionBy, place_of(first), message));
    }
    if let Some(first) = order_by.first()
        && !base.order_by.given.is_empty()
    {
        let message = "Cannot specify ORDER BY if referenced named WINDOW specifies ORDER BY";
        return Err(user_error(ErrorCode::InvalidOrderBy, place_of(&first.expr), message));
    }
    if base.frame.given.is_some() {
        let message = "Cannot reference named WINDOW containing frame specification";
        let place = location_of(name.span.start);
        return Err(user_error(ErrorCode::InvalidWindowReference, place, message));
    }
    let order_by = if order_by.is_empty() { base.order_by.named() } else { order() };
    Ok(Window { partition_by: base.partition_by.named(), order_by, frame })
}
