//! Values that may have another zone than their type: where those of several zones meet, and where a text may name one
//! (D159). Their moments are right; their local times are taken in the type's zone, so whoever asks for them must not get an
//! answer of another zone than Trino's. What is asked for directly is computed in the row's zone (`zone_of_row.rs`). Else, if
//! only texts may name other zones, one that does is an error at run time, and values of several zones are refused.

use rowhouse_model::{ErrorLocation, QueryError};

use super::session_zone::SessionZone;
use super::zone_of_row::{asks_for_moments, text_with_zone};
use crate::error::{Result, not_supported};
use crate::expr::{Expr, ExprKind, Value};
use crate::functions::ScalarFunction;
use crate::plan::Plan;
use crate::statement::Analyzed;
use crate::types::{Type, Zones, offset_zone};

/// Checks whose local times a statement asks for, and lets texts of other zones fail if it asks for theirs, as it does if
/// `asks_texts`.
///
/// # Errors
///
/// `NOT_SUPPORTED` where the local time of values of several zones is asked for.
pub(super) fn check(analyzed: &mut Analyzed, session: SessionZone<'_>, asks_texts: bool) -> Result<()> {
    let mut check = Check { session, asks_texts };
    for plan in analyzed.shared.iter().chain([&analyzed.plan]) {
        check.plan(plan)?;
    }
    if check.asks_texts {
        analyzed.shared.iter_mut().chain([&mut analyzed.plan]).try_for_each(fail_at_other_zones)?;
    }
    Ok(())
}

struct Check<'s> {
    session: SessionZone<'s>,
    /// Whether a local time of a value of a text is asked for.
    asks_texts: bool,
}

impl Check<'_> {
    fn plan(&mut self, plan: &Plan) -> Result<()> {
        plan.inputs().into_iter().try_for_each(|input| self.plan(input))?;
        plan.expressions().into_iter().try_for_each(|expr| self.expr(expr))
    }

    fn expr(&mut self, expr: &Expr) -> Result<()> {
        for value in asked_for_local_time(expr) {
            let zones = self.session.zones_of(&value.data_type);
            if zones.has(Zones::SEVERAL) {
                return Err(of_several_zones(expr.location.or(value.location)));
            }
            self.asks_texts |= zones.has(Zones::OF_TEXTS);
        }
        if let ExprKind::Cast { input, is_try: _ } = &expr.kind {
            let lost = self.lost(&input.data_type, &expr.data_type);
            if lost.has(Zones::SEVERAL) {
                return Err(of_several_zones(expr.location.or(input.location)));
            }
            self.asks_texts |= lost.has(Zones::OF_TEXTS);
        }
        let is_difference = matches!(expr.kind, ExprKind::Call { function: ScalarFunction::DateDiff, .. });
        for (place, child) in expr.children().into_iter().enumerate() {
            match &child.kind {
                // The second moment of a difference is converted to the first one's zone.
                ExprKind::Cast { input, .. }
                    if is_difference
                        && place == 2
                        && matches!(child.data_type, Type::TimestampWithTimeZone { .. }) =>
                {
                    self.expr(input)?;
                }
                _ => self.expr(child)?,
            }
        }
        Ok(())
    }

    /// The zones of values of which a cast uses the local time, or to which it gives a zone that they may not have.
    fn lost(&self, from: &Type, to: &Type) -> Zones {
        match (from, to) {
            (Type::TimestampWithTimeZone { zone: own, .. }, Type::TimestampWithTimeZone { zone, .. }) => {
                let (from, to) = (self.session.zones_of(from), self.session.zones_of(to));
                match () {
                    () if to.has(Zones::SEVERAL) => Zones::ONE,
                    () if !zone.takes(own) => Zones::SEVERAL,
                    () => from.without(to),
                }
            }
            (Type::TimestampWithTimeZone { .. }, Type::TimeWithTimeZone { .. }) => {
                let (from, to) = (self.session.zones_of(from), self.session.zones_of(to));
                if to.has(Zones::SEVERAL) { Zones::ONE } else { from.without(to) }
            }
            // AT TIME ZONE, and differences in UTC.
            (Type::TimeWithTimeZone { .. }, Type::TimeWithTimeZone { .. }) => Zones::ONE,
            (Type::Array(from), Type::Array(to)) => self.lost(from, to),
            (Type::Map(key, value), Type::Map(to_key, to_value)) => {
                self.lost(key, to_key).and(self.lost(value, to_value))
            }
            (Type::Row(from), Type::Row(to)) => from
                .iter()
                .zip(to)
                .fold(Zones::ONE, |lost, (from, to)| lost.and(self.lost(&from.data_type, &to.data_type))),
            _ => self.session.zones_of(from),
        }
    }
}

fn of_several_zones(place: Option<ErrorLocation>) -> QueryError {
    not_supported(place, "the local time of values of several time zones (AT TIME ZONE gives them one)")
}

/// The operands of which an expression uses the local time.
fn asked_for_local_time(expr: &Expr) -> Vec<&Expr> {
    use ScalarFunction as F;
    let is_zoned = |arg: &Expr| matches!(arg.data_type, Type::TimestampWithTimeZone { .. });
    let takes_zoned = |function: &F| {
        function
            .signatures()
            .iter()
            .any(|signature| signature.contains("timestamptz,") || signature.contains("timestamptz)"))
    };
    match &expr.kind {
        ExprKind::Call { function: F::ToUnixtime | F::AtTimezone | F::InRowZone, .. } => Vec::new(),
        ExprKind::Call { function: F::DateDiff | F::DateAdd, args }
            if is_unit_of(&args[0], &["millisecond", "second", "minute", "hour"]) =>
        {
            Vec::new()
        }
        ExprKind::Call { function: F::DateTrunc, args }
            if is_unit_of(&args[0], &["millisecond", "second"]) =>
        {
            Vec::new()
        }
        ExprKind::Call { function: F::DateDiff, args } => args.iter().take(2).collect(),
        // Values in texts.
        ExprKind::Call { function: F::Format | F::ArrayJoin, args } => args.iter().collect(),
        ExprKind::Call { function, args } if args.iter().any(is_zoned) && takes_zoned(function) => {
            args.iter().collect()
        }
        ExprKind::Arithmetic { left, right, .. }
            if [left, right].iter().any(|operand| operand.data_type == Type::IntervalYearToMonth) =>
        {
            vec![left, right]
        }
        _ => Vec::new(),
    }
}

/// Whether the unit of a function of times is a constant and one of these, for which a zone makes no difference.
fn is_unit_of(unit: &Expr, units: &[&str]) -> bool {
    matches!(unit.as_literal(), Some(Value::Varchar(unit)) if units.iter().any(|known| known.eq_ignore_ascii_case(unit)))
}

fn fail_at_other_zones(plan: &mut Plan) -> Result<()> {
    plan.inputs_mut().into_iter().try_for_each(fail_at_other_zones)?;
    let is_moment = matches!(plan, Plan::Sort { .. });
    plan.expressions_mut().into_iter().try_for_each(|expr| fail_at_other_zone(expr, is_moment))
}

/// Makes texts that name another zone than that of the type an error, except where only moments count.
fn fail_at_other_zone(expr: &mut Expr, is_moment: bool) -> Result<()> {
    let (of_first, of_others) = asks_for_moments(expr, is_moment);
    for (place, child) in expr.children_mut().into_iter().enumerate() {
        fail_at_other_zone(child, if place == 0 { of_first } else { of_others })?;
    }
    if let ExprKind::Cast { input, is_try: _ } = &expr.kind
        && !input.data_type.is_text()
        && has_text_with_zone(&input.data_type, &expr.data_type)
    {
        let what = "the local time of texts in an array, a map or a row, which may name several time zones,";
        return Err(not_supported(expr.location, what));
    }
    let zone = match &expr.data_type {
        Type::TimestampWithTimeZone { zone, .. } => zone.name().to_owned(),
        Type::TimeWithTimeZone { offset, .. } => offset_zone(offset.minutes().into()),
        _ => return Ok(()),
    };
    if is_moment || text_with_zone(expr).is_none() {
        return Ok(());
    }
    let zone = Expr::literal(Value::Varchar(zone), Type::VARCHAR);
    let (text, pattern) = match &mut expr.kind {
        ExprKind::Cast { input, is_try: _ } => (&mut **input, None),
        ExprKind::Call { function: _, args } => match args.as_mut_slice() {
            [text] => (text, None),
            [text, pattern] if pattern.as_literal().is_some() => (text, Some(pattern.clone())),
            _ => {
                let what = "the local time of texts that are read by a pattern that is no constant";
                return Err(not_supported(expr.location, what));
            }
        },
        _ => return Ok(()),
    };
    let (data_type, place) = (text.data_type.clone(), text.location);
    let unread = std::mem::replace(text, Expr::boolean(false));
    let args = [unread, zone].into_iter().chain(pattern).collect();
    *text = Expr::new(ExprKind::Call { function: ScalarFunction::InRowZone, args }, data_type).at(place);
    Ok(())
}

/// Whether a cast reads a text, or a part that is one, as a value with a zone.
fn has_text_with_zone(from: &Type, to: &Type) -> bool {
    match (from, to) {
        (Type::Array(from), Type::Array(to)) => has_text_with_zone(from, to),
        (Type::Map(key, value), Type::Map(to_key, to_value)) => {
            has_text_with_zone(key, to_key) || has_text_with_zone(value, to_value)
        }
        (Type::Row(from), Type::Row(to)) => {
            from.iter().zip(to).any(|(from, to)| has_text_with_zone(&from.data_type, &to.data_type))
        }
        (from, Type::TimestampWithTimeZone { .. } | Type::TimeWithTimeZone { .. }) => from.is_text(),
        _ => false,
    }
}
