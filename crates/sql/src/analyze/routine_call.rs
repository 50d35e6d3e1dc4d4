//! Calls of functions defined in the statement: overload resolution, and the expression that replaces the call.

use std::collections::HashMap;

use rowhouse_model::{ErrorCode, ErrorLocation, QueryError};

use super::call::Call;
use super::context::{Analyzer, Context, user_error};
use super::known_routine::KnownRoutine;
use super::routine::refuse_other_zone;
use super::work::STEPS_OF_COPY;
use crate::error::{Result, not_supported};
use crate::expr::{Expr, ExprKind, Value};
use crate::functions::ScalarFunction;
use crate::plan::{ColumnId, Field};
use crate::routine_program::Step;
use crate::types::Type;

impl Analyzer<'_> {
    /// The call of a function that the statement defines; `None` if none has this name.
    pub(super) fn routine_call(
        &mut self,
        call: &Call<'_>,
        context: &mut Context<'_>,
    ) -> Result<Option<Expr>> {
        let is_known = self.routines.iter().any(|known| known.name == call.name);
        if !is_known {
            return match &self.routine_in_work {
                Some(name) if *name == call.name => {
                    Err(not_supported(call.place, "a function that calls itself"))
                }
                _ => Ok(None),
            };
        }
        call.plain()?;
        if call.over.is_some() {
            let message = format!("Not a window function: {}", call.name);
            return Err(user_error(ErrorCode::FunctionNotWindow, call.place, message));
        }
        let pending = (context.pending.len(), context.pending_below.len());
        let args = self.arguments(call, context)?;
        let fits = |known: &KnownRoutine| known.name == call.name && known.takes(&args);
        let is_exact = |known: &KnownRoutine| {
            let is_equal = |own: &Type, arg: &Type| own.without_zones() == arg.without_zones();
            fits(known)
                && known
                    .parameters
                    .iter()
                    .zip(&args)
                    .all(|(own, arg)| is_equal(&own.data_type, &arg.data_type))
        };
        let all: Vec<usize> = (0..self.routines.len()).filter(|at| fits(&self.routines[*at])).collect();
        let exact: Vec<usize> = all.iter().copied().filter(|at| is_exact(&self.routines[*at])).collect();
        let at = match (exact.as_slice(), all.as_slice()) {
            ([only], _) | ([], [only]) => *only,
            ([], []) => {
                // A built-in function may accept the arguments; its call is analyzed from the start.
                context.pending.truncate(pending.0);
                context.pending_below.truncate(pending.1);
                return self.unfit(call, &args).map_or(Ok(None), Err);
            }
            _ => {
                let message =
                    "Could not choose a best candidate operator. Explicit type casts must be added.";
                return Err(user_error(ErrorCode::AmbiguousFunctionCall, call.place, message));
            }
        };
        self.called(at, args, call.place).map(Some)
    }

    /// The error of a call whose arguments fit no function with its name in the statement; `None` if a built-in
    /// function has the same name.
    fn unfit(&self, call: &Call<'_>, args: &[Expr]) -> Option<QueryError> {
        if ScalarFunction::by_name(&call.name).is_some() {
            return None;
        }
        let types: Vec<String> = args.iter().map(|arg| arg.data_type.to_string()).collect();
        let own = self.routines.iter().filter(|known| known.name == call.name);
        let expected: Vec<String> = own.map(|known| known.signature()).collect();
        let message = format!(
            "Unexpected parameters ({}) for function {}. Expected: {}",
            types.join(", "),
            call.name,
            expected.join(", ")
        );
        Some(user_error(ErrorCode::FunctionNotFound, call.place, message))
    }

    fn called(&mut self, at: usize, args: Vec<Expr>, place: Option<ErrorLocation>) -> Result<Expr> {
        let known = self.routine_in_zones(at, &args)?;
        let mut given = Vec::with_capacity(args.len());
        for (arg, Field { data_type: wanted, .. }) in args.into_iter().zip(&known.parameters) {
            refuse_other_zone(&arg.data_type, wanted, place)?;
            given.push(self.coerced(arg, wanted));
        }
        let parts: usize = known.values.iter().map(Expr::node_count).sum();
        self.spend(parts.saturating_mul(STEPS_OF_COPY), place)?;
        let is_plain = |arg: &Expr| matches!(arg.kind, ExprKind::Column(_) | ExprKind::Literal(_));
        let value = match (known.program.0.as_slice(), known.values.as_slice()) {
            ([Step::Return(_)], [value]) if given.iter().all(is_plain) => {
                let parameters = known.parameters.iter().map(|field| field.id);
                let definitions: HashMap<ColumnId, Expr> = parameters.zip(given.iter().cloned()).collect();
                let value = value.clone();
                self.substituted(value, &definitions)?
            }
            _ => known.call(&given),
        };
        let value = if known.is_strict && !given.is_empty() {
            let is_null = |arg: Expr| Expr::new(ExprKind::IsNull(Box::new(arg)), Type::Boolean);
            let any_null = Expr::or(given.into_iter().map(is_null));
            let null = Expr::literal(Value::Null, known.returns.clone());
            let kind = ExprKind::Case { branches: vec![(any_null, null)], otherwise: Some(Box::new(value)) };
            Expr::new(kind, known.returns.clone())
        } else {
            value
        };
        self.of_bounded_size(value.at(place))
    }
}
