//! Values that may have another zone than their type: where those of several zones meet, and where a text may name one
//! (D159). Their moments are right; their local times are taken in the type's zone, so whoever asks for them must not get an
//! answer of another zone than Trino's. What is asked for directly is computed in the row's zone (`zone_of_row.rs`). Else, if
//! only texts may name other zones, one that does is an error at run time, and values of several zones are refused.

use super::zone_of_row::{asks_for_moments, text_with_zone};
use crate::error::{Result, not_supported};
use crate::expr::{Expr, ExprKind, Value};
use crate::functions::ScalarFunction;
use crate::plan::Plan;
use crate::statement::Analyzed;
use crate::types::{Type, Zones, offset_zone};

/// Checks whose local times a statement asks for, and lets texts of other zones fail if it asks for theirs.
///
/// # Errors
///
/// `NOT_SUPPORTED` where the local time of values of several zones is asked for.
pub(super) fn check(analyzed: &mut Analyzed) -> Result<()> {
    let mut asked = Zones::One;
    for plan in analyzed.shared.iter().chain([&analyzed.plan]) {
        check_plan(plan, &mut asked)?;
    }
    if asked == Zones::One {
        return Ok(());
    }
    analyzed.shared.iter_mut().chain([&mut analyzed.plan]).try_for_each(refuse_other_zones)
}

/// `asked` becomes the most zones that values have whose local time is asked for.
fn check_plan(plan: &Plan, asked: &mut Zones) -> Result<()> {
    plan.inputs().into_iter().try_for_each(|input| check_plan(input, asked))?;
    plan.expressions().into_iter().try_for_each(|expr| check_expr(expr, asked))
}

fn check_expr(expr: &Expr, asked: &mut Zones) -> Result<()> {
    for value in asked_for_local_time(expr) {
        let zones = zones_of(&value.data_type);
        if zones == Zones::Several {
            let what = "the local time of values of several time zones (AT TIME ZONE gives them one)";
            return Err(not_supported(expr.location.or(value.location), what));
        }
        *asked = zones.max(*asked);
    }
    let is_difference = matches!(expr.kind, ExprKind::Call { function: ScalarFunction::DateDiff, .. });
    for (place, child) in expr.children().into_iter().enumerate() {
        match &child.kind {
            // The second moment of a difference is converted to the first one's zone.
            ExprKind::Cast { input, .. } if is_difference && place == 2 => check_expr(input, asked)?,
            _ => check_expr(child, asked)?,
        }
    }
    Ok(())
}

/// The operands of which an expression uses the local time.
fn asked_for_local_time(expr: &Expr) -> Vec<&Expr> {
    use ScalarFunction as F;
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
        ExprKind::Call { function, args } if takes_zoned(function) => args.iter().collect(),
        ExprKind::Cast { input, is_try: _ } if takes_local_time(&input.data_type, &expr.data_type) => {
            vec![input]
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

/// Whether a cast uses the local time of a value, or gives it a zone that may be another.
fn takes_local_time(from: &Type, to: &Type) -> bool {
    match (from, to) {
        (Type::TimestampWithTimeZone { zone: from, .. }, Type::TimestampWithTimeZone { zone: to, .. }) => {
            from.zones() > to.zones()
        }
        // AT TIME ZONE, and differences in UTC.
        (Type::TimeWithTimeZone { .. }, Type::TimeWithTimeZone { .. }) => false,
        (Type::Array(from), Type::Array(to)) => takes_local_time(from, to),
        (Type::Map(key, value), Type::Map(to_key, to_value)) => {
            takes_local_time(key, to_key) || takes_local_time(value, to_value)
        }
        (Type::Row(from), Type::Row(to)) => {
            from.iter().zip(to).any(|(from, to)| takes_local_time(&from.data_type, &to.data_type))
        }
        _ => zones_of(from) > Zones::One,
    }
}

/// The most zones that values of a type, or of a part of it, have.
fn zones_of(data_type: &Type) -> Zones {
    match data_type {
        Type::TimestampWithTimeZone { zone, .. } => zone.zones(),
        Type::TimeWithTimeZone { offset, .. } => offset.zones(),
        Type::Array(element) => zones_of(element),
        Type::Map(key, value) => zones_of(key).max(zones_of(value)),
        Type::Row(fields) => {
            fields.iter().map(|field| zones_of(&field.data_type)).max().unwrap_or(Zones::One)
        }
        _ => Zones::One,
    }
}

fn refuse_other_zones(plan: &mut Plan) -> Result<()> {
    plan.inputs_mut().into_iter().try_for_each(refuse_other_zones)?;
    let is_moment = matches!(plan, Plan::Sort { .. });
    plan.expressions_mut().into_iter().try_for_each(|expr| refuse_other_zone(expr, is_moment))
}

/// Makes texts that name another zone than that of the type an error, except where only moments count.
fn refuse_other_zone(expr: &mut Expr, is_moment: bool) -> Result<()> {
    let (of_first, of_others) = asks_for_moments(expr, is_moment);
    for (place, child) in expr.children_mut().into_iter().enumerate() {
        refuse_other_zone(child, if place == 0 { of_first } else { of_others })?;
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
