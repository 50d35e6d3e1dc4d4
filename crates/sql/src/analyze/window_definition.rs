//! Definitions of windows by name, and what a window takes over from one.

use std::rc::Rc;

use rowhouse_model::ErrorLocation;
use sqlparser::ast::{Expr as AstExpr, OrderByExpr, WindowFrame};

use super::place::place_of;
use crate::expr::SortKey;

/// A definition of the WINDOW clause.
#[derive(Debug)]
pub(super) struct NamedWindow {
    /// The canonical name.
    pub(super) name: String,
    pub(super) window: Window,
}

/// A window specification with what it takes over from a named one.
#[derive(Clone, Debug)]
pub(super) struct Window {
    pub(super) partition_by: Part<[AstExpr]>,
    pub(super) order_by: Part<[OrderByExpr]>,
    pub(super) frame: Part<Option<WindowFrame>>,
}

/// A part of a window specification.
#[derive(Debug)]
pub(super) struct Part<T: ?Sized> {
    pub(super) given: Rc<T>,
    /// Whether it is from the WINDOW clause, in which no aliases of the select list are in scope.
    pub(super) is_named: bool,
}

impl<T: ?Sized> Clone for Part<T> {
    fn clone(&self) -> Self {
        Self { given: Rc::clone(&self.given), is_named: self.is_named }
    }
}

impl<T: ?Sized> Part<T> {
    pub(super) const fn own(given: Rc<T>) -> Self {
        Self { given, is_named: false }
    }

    pub(super) fn named(&self) -> Self {
        Self { given: Rc::clone(&self.given), is_named: true }
    }
}

impl Part<[AstExpr]> {
    /// The place of the last expression, if it is written here.
    fn last_place(&self) -> Option<ErrorLocation> {
        self.given.last().filter(|_| !self.is_named).and_then(place_of)
    }
}

impl Window {
    /// The place of what is written last before the frame; `start` is that of what is before the window.
    pub(super) fn place_before_frame(
        &self,
        keys: &[SortKey],
        start: Option<ErrorLocation>,
    ) -> Option<ErrorLocation> {
        let of_key = keys.last().filter(|_| !self.order_by.is_named).and_then(|key| key.expr.location);
        of_key.or_else(|| self.partition_by.last_place()).or(start)
    }
}
