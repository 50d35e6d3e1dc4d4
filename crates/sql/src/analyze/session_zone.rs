//! The session's time zone: which types of a call are in it, and casts into it. In a plan, a cast of a date, a time or a text
//! to a zoned type reads it on the clock of that type's zone; so where the type has another zone than the session, the
//! value becomes one of the session's zone first.

use crate::expr::{Expr, ExprKind};
use crate::functions::Resolution;
use crate::plan::Plan;
use crate::statement::Analyzed;
use crate::types::{RowField, Type};

/// A call that no zoned value is given to takes and gives values of the session's zone.
pub(super) fn resolved_in(zone: &str, resolution: &mut Resolution, given: &[Type]) {
    if given.iter().any(has_zone) {
        return;
    }
    for data_type in resolution.arguments.iter_mut().chain([&mut resolution.result]) {
        set_zone(data_type, zone);
    }
}

/// Whether a type is zoned, or has a part that is.
fn has_zone(data_type: &Type) -> bool {
    match data_type {
        Type::TimestampWithTimeZone { .. } => true,
        Type::Array(element) => has_zone(element),
        Type::Row(fields) => fields.iter().any(|field| has_zone(&field.data_type)),
        _ => false,
    }
}

/// Gives all zoned parts of a type a zone.
pub(super) fn set_zone(data_type: &mut Type, wanted: &str) {
    match data_type {
        Type::TimestampWithTimeZone { zone, .. } => wanted.clone_into(zone),
        Type::Array(element) => set_zone(element, wanted),
        Type::Row(fields) => fields.iter_mut().for_each(|field| set_zone(&mut field.data_type, wanted)),
        _ => {}
    }
}

/// Gives the zoned parts of a cast's type the zone of the value's parts in their place, for the moment stays and so does
/// the zone that shows it; and the session's zone where the value has none.
pub(super) fn cast_in(zone: &str, from: &Type, to: &mut Type) {
    match (from, to) {
        (Type::TimestampWithTimeZone { zone: own, .. }, Type::TimestampWithTimeZone { zone, .. }) => {
            zone.clone_from(own);
        }
        (Type::Array(from), Type::Array(to)) => cast_in(zone, from, to),
        (Type::Row(from), Type::Row(to)) => {
            for (from, to) in from.iter().zip(to) {
                cast_in(zone, &from.data_type, &mut to.data_type);
            }
        }
        (_, to) => set_zone(to, zone),
    }
}

/// Makes the casts of a statement go by the session's zone.
pub(super) fn apply(analyzed: &mut Analyzed, zone: &str) {
    for plan in analyzed.shared.iter_mut().chain([&mut analyzed.plan]) {
        apply_to_plan(plan, zone);
    }
}

fn apply_to_plan(plan: &mut Plan, zone: &str) {
    for input in plan.inputs_mut() {
        apply_to_plan(input, zone);
    }
    for expr in plan.expressions_mut() {
        expr.transform(&mut |expr| through_session(expr, zone));
    }
}

fn through_session(expr: &mut Expr, zone: &str) {
    let ExprKind::Cast { input, is_try } = &mut expr.kind else { return };
    if let Some(session) = read_in(&input.data_type, &expr.data_type, zone) {
        let (place, is_try) = (expr.location, *is_try);
        let kind = ExprKind::Cast { input: input.clone(), is_try };
        **input = Expr::new(kind, session).at(place);
    }
}

/// The type that a value becomes before the one that it is cast to: with the session's zone where a clock is read. None
/// where both are the same.
fn read_in(from: &Type, to: &Type, zone: &str) -> Option<Type> {
    match (from, to) {
        (Type::TimestampWithTimeZone { .. } | Type::Unknown, _) => None,
        (_, Type::TimestampWithTimeZone { precision, zone: own }) if own != zone => {
            Some(Type::TimestampWithTimeZone { precision: *precision, zone: zone.to_owned() })
        }
        (Type::Array(from), Type::Array(to)) => read_in(from, to, zone).map(Type::array),
        (Type::Row(from), Type::Row(to)) => {
            let parts: Vec<Option<Type>> =
                from.iter().zip(to).map(|(from, to)| read_in(&from.data_type, &to.data_type, zone)).collect();
            if parts.iter().all(Option::is_none) {
                return None;
            }
            let fields = to.iter().zip(parts).map(|(field, part)| RowField {
                name: field.name.clone(),
                data_type: part.unwrap_or_else(|| field.data_type.clone()),
            });
            Some(Type::Row(fields.collect()))
        }
        _ => None,
    }
}
