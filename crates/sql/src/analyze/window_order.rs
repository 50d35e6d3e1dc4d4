//! Clauses that Trino refuses in calls with OVER: null treatment of functions that have none, `lag` and `lead` without
//! ORDER BY, and frames of groups with offsets without it.

use rowhouse_model::{ErrorCode, ErrorLocation};
use sqlparser::ast::{
    Expr as AstExpr, NamedWindowDefinition, NamedWindowExpr, WindowFrameBound, WindowFrameUnits, WindowSpec,
    WindowType,
};

use super::call::Call;
use super::context::{Analyzer, Context, user_error};
use super::place::place_of;
use super::scope::equal_names;
use crate::error::Result;
use crate::expr::Expr;
use crate::functions::RankingFunction;

/// The functions that take IGNORE NULLS and RESPECT NULLS.
const WITH_NULL_TREATMENT: [&str; 5] = ["lag", "lead", "first_value", "last_value", "nth_value"];

/// Maximum number of windows in a chain of names that is followed.
const MAX_FOLLOWED: usize = 50;

impl Analyzer<'_> {
    /// Checks the clauses of a call with OVER. `Some` is the call of `lag` or `lead`, which is resolved before its ORDER
    /// BY is looked for.
    pub(super) fn checked_window_call(
        &mut self,
        call: &Call<'_>,
        context: &mut Context<'_>,
    ) -> Result<Option<Expr>> {
        let Some(over) = call.over else { return Ok(None) };
        let name = call.name.as_str();
        if call.has_null_treatment && !WITH_NULL_TREATMENT.contains(&name) {
            let message = format!("Cannot specify null treatment clause for {name} function");
            return Err(user_error(ErrorCode::NullTreatmentNotAllowed, call.place, message));
        }
        let is_ordered = has_order(over, context.named_windows);
        if let WindowType::WindowSpec(WindowSpec { window_frame: Some(frame), .. }) = over
            && frame.units == WindowFrameUnits::Groups
            && !is_ordered
            && let Some(offset) =
                offset_of(&frame.start_bound).or(frame.end_bound.as_ref().and_then(offset_of))
        {
            let place = self.token_places.frame_before(place_of(offset));
            let message = "Window frame of type GROUPS PRECEDING or FOLLOWING requires ORDER BY";
            return Err(user_error(ErrorCode::MissingOrderBy, place, message));
        }
        let shifting = RankingFunction::by_name(name).filter(|_| matches!(name, "lag" | "lead"));
        let Some(function) = shifting.filter(|_| !is_ordered) else { return Ok(None) };
        self.ranking_call(function, call, context)?;
        let place = self.place_of_window(call, over);
        let message = format!("{name} function requires an ORDER BY window clause");
        Err(user_error(ErrorCode::MissingOrderBy, place, message))
    }

    /// OVER before a name, otherwise what follows its parenthesis.
    fn place_of_window(&self, call: &Call<'_>, over: &WindowType) -> Option<ErrorLocation> {
        let last = call.args.last().and_then(|last| place_of(last)).or(call.place);
        match over {
            WindowType::NamedWindow(_) => self.token_places.over_after(last),
            WindowType::WindowSpec(_) => self.token_places.window_after(last),
        }
    }
}

/// Whether a window has an ORDER BY, its own or that of the window that it names.
fn has_order(over: &WindowType, known: &[NamedWindowDefinition]) -> bool {
    let mut name = match over {
        WindowType::NamedWindow(name) => Some(name),
        WindowType::WindowSpec(WindowSpec { order_by, .. }) if !order_by.is_empty() => return true,
        WindowType::WindowSpec(specification) => specification.window_name.as_ref(),
    };
    for _ in 0..MAX_FOLLOWED {
        let Some(sought) = name else { return false };
        let found = known.iter().find(|NamedWindowDefinition(own, _)| equal_names(&own.value, &sought.value));
        name = match found {
            // An unknown name is an error where the window is resolved.
            None => return true,
            Some(NamedWindowDefinition(_, NamedWindowExpr::NamedWindow(other))) => Some(other),
            Some(NamedWindowDefinition(_, NamedWindowExpr::WindowSpec(specification))) => {
                if !specification.order_by.is_empty() {
                    return true;
                }
                specification.window_name.as_ref()
            }
        };
    }
    true
}

fn offset_of(bound: &WindowFrameBound) -> Option<&AstExpr> {
    match bound {
        WindowFrameBound::Preceding(offset) | WindowFrameBound::Following(offset) => offset.as_deref(),
        WindowFrameBound::CurrentRow => None,
    }
}
