//! Zones that are not constants, as in `at_timezone(x, z)`. A type has one zone (D92), so a value whose zone is another one in
//! each row cannot have it. What is asked of its local time is computed from the timestamp that it shows in the row's zone; where
//! the value itself is asked for, it would be shown in UTC, and is refused.

use rowhouse_model::ErrorLocation;

use super::context::Analyzer;
use crate::error::{Result, not_supported};
use crate::expr::{Expr, ExprKind, Value};
use crate::functions::ScalarFunction;
use crate::plan::Plan;
use crate::statement::Analyzed;
use crate::types::{Type, UTC};

impl Analyzer<'_> {
    /// The rewritten call of a function of local times, if its argument has a zone of its row; otherwise `None`.
    pub(super) fn call_in_row_zone(
        &mut self,
        function: ScalarFunction,
        args: &[Expr],
        place: Option<ErrorLocation>,
    ) -> Result<Option<Expr>> {
        use ScalarFunction as F;
        let shows_zone = |pattern: &Expr| match pattern.as_literal() {
            Some(Value::Varchar(pattern)) => pattern.contains(['z', 'Z']),
            _ => true,
        };
        let (before, value, after) = match (function, args) {
            (
                F::Year
                | F::Quarter
                | F::Month
                | F::Week
                | F::Day
                | F::DayOfWeek
                | F::DayOfYear
                | F::YearOfWeek
                | F::Hour
                | F::Minute
                | F::Second
                | F::Millisecond
                | F::LastDayOfMonth,
                [value],
            ) => (None, value, None),
            (F::DateFormat, [value, pattern]) => (None, value, Some(pattern)),
            (F::FormatDatetime, [value, pattern]) if !shows_zone(pattern) => (None, value, Some(pattern)),
            (F::DateTrunc, [unit, value]) => (Some(unit), value, None),
            _ => return Ok(None),
        };
        let Some(local) = self.local_in_row(value)? else { return Ok(None) };
        let zone = match &local.kind {
            ExprKind::Call { args, .. } if function == F::DateTrunc => args.last(),
            _ => None,
        };
        let zone = zone.map(|zone| self.copy(zone)).transpose()?;
        let args = before.cloned().into_iter().chain([local]).chain(after.cloned()).collect();
        let computed = self.scalar_call(function, args, place)?;
        Ok(Some(match zone {
            Some(zone) => self.scalar_call(F::WithTimezone, vec![computed, zone], place)?,
            None => computed,
        }))
    }

    /// The timestamp that a value shows in the zone of its row; `None` if the value has a constant zone.
    pub(super) fn local_in_row(&mut self, value: &Expr) -> Result<Option<Expr>> {
        use ScalarFunction as F;
        let Type::TimestampWithTimeZone { precision, .. } = value.data_type else { return Ok(None) };
        let ExprKind::Call { function, args } = &value.kind else { return Ok(None) };
        let (F::AtTimezone | F::WithTimezone | F::FromUnixtime, [of, zone]) = (function, args.as_slice())
        else {
            return Ok(None);
        };
        if zone.as_literal().is_some() {
            return Ok(None);
        }
        let moment = match function {
            F::AtTimezone => self.copy(of)?,
            F::WithTimezone => self.copy(value)?,
            _ => {
                let kind = ExprKind::Call { function: F::FromUnixtime, args: vec![self.copy(of)?] };
                let data_type = Type::TimestampWithTimeZone { precision, zone: UTC.to_owned() };
                Expr::new(kind, data_type).at(value.location)
            }
        };
        let kind = ExprKind::Call { function: F::LocalInZone, args: vec![moment, self.copy(zone)?] };
        Ok(Some(Expr::new(kind, Type::Timestamp { precision }).at(value.location)))
    }
}

/// Refuses values that would have the zone of their row.
///
/// # Errors
///
/// `NOT_SUPPORTED` at the zone.
pub(super) fn check(analyzed: &Analyzed) -> Result<()> {
    analyzed.shared.iter().chain([&analyzed.plan]).try_for_each(check_plan)
}

fn check_plan(plan: &Plan) -> Result<()> {
    plan.inputs().into_iter().try_for_each(check_plan)?;
    for expr in plan.expressions() {
        let mut found = None;
        expr.visit(&mut |expr| {
            if let ExprKind::Call { function, args } = &expr.kind
                && let (ScalarFunction::AtTimezone | ScalarFunction::FromUnixtime, [_, zone]) =
                    (function, args.as_slice())
                && zone.as_literal().is_none()
            {
                found = found.or(Some(zone.location.or(expr.location)));
            }
        });
        if let Some(place) = found {
            let what = "a time zone that is not a constant, except in functions of the local time, such as hour(…), \
                        date_format(…) and CAST(… AS timestamp)";
            return Err(not_supported(place, what));
        }
    }
    Ok(())
}
