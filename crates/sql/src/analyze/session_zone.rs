//! The session's time zone: the types of a call that use it, and casts into it. In a plan, a cast of a date, a time or
//! a text to a zoned type interprets it in that type's zone. If the type has another zone than the session, the value
//! is therefore first cast to the session's zone.

use crate::expr::{Expr, ExprKind};
use crate::functions::{Resolution, ScalarFunction};
use crate::plan::Plan;
use crate::statement::Analyzed;
use crate::statement::Session;
use crate::types::{Offset, RowField, Type, UTC, Zone, Zones, offset_at, offset_minutes};

/// The session's zone.
#[derive(Clone, Copy)]
pub(super) struct SessionZone<'s> {
    name: &'s str,
    /// Minutes east of UTC at the statement's time; times of day are interpreted with this offset.
    offset: i16,
}

impl<'s> SessionZone<'s> {
    pub(super) fn of(session: &'s Session) -> Self {
        let seconds = session.now.as_millis().div_euclid(1000);
        let minutes = offset_at(&session.time_zone, seconds) / 60;
        Self { name: &session.time_zone, offset: i16::try_from(minutes).unwrap_or(0) }
    }

    /// The zones that the values of a type, or of a part of it, have in Trino.
    pub(super) fn zones_of(self, data_type: &Type) -> Zones {
        match data_type {
            Type::TimestampWithTimeZone { zone, .. } => zone.zones().in_session(zone.name() == self.name),
            Type::TimeWithTimeZone { offset, .. } => {
                offset.zones().in_session(offset.minutes() == self.offset)
            }
            Type::Array(element) => self.zones_of(element),
            Type::Map(key, value) => self.zones_of(key).and(self.zones_of(value)),
            Type::Row(fields) => {
                fields.iter().fold(Zones::ONE, |zones, field| zones.and(self.zones_of(&field.data_type)))
            }
            _ => Zones::ONE,
        }
    }

    pub(super) const fn name(self) -> &'s str {
        self.name
    }

    /// `time with time zone` at the session's offset.
    pub(super) const fn time(self, precision: u8) -> Type {
        Type::TimeWithTimeZone { precision, offset: Offset::new(self.offset) }
    }
}

/// A call without zoned arguments takes and returns values in the session's zone, and a difference has the zone of its first
/// moment, be it that of the session.
pub(super) fn resolved_in(
    zone: SessionZone<'_>,
    function: ScalarFunction,
    resolution: &mut Resolution,
    given: &[Type],
) {
    let is_difference = function == ScalarFunction::DateDiff;
    if given.iter().any(has_zone) && !(is_difference && given.get(1).is_some_and(|first| !has_zone(first))) {
        return;
    }
    for data_type in resolution.arguments.iter_mut().chain([&mut resolution.result]) {
        set_zone(data_type, zone);
    }
}

/// Whether a type is zoned or has a zoned part.
fn has_zone(data_type: &Type) -> bool {
    match data_type {
        Type::TimestampWithTimeZone { .. } | Type::TimeWithTimeZone { .. } => true,
        Type::Array(element) => has_zone(element),
        Type::Map(key, value) => has_zone(key) || has_zone(value),
        Type::Row(fields) => fields.iter().any(|field| has_zone(&field.data_type)),
        _ => false,
    }
}

/// Sets the zone of all zoned parts of a type.
fn set_zone(data_type: &mut Type, wanted: SessionZone<'_>) {
    match data_type {
        Type::TimestampWithTimeZone { zone, .. } => *zone = Zone::new(wanted.name),
        Type::TimeWithTimeZone { offset, .. } => *offset = Offset::new(wanted.offset),
        Type::Array(element) => set_zone(element, wanted),
        Type::Map(key, value) => {
            set_zone(key, wanted);
            set_zone(value, wanted);
        }
        Type::Row(fields) => fields.iter_mut().for_each(|field| set_zone(&mut field.data_type, wanted)),
        _ => {}
    }
}

/// Sets the zone of each zoned part of a cast's target type: a zoned source part keeps its zone, because a cast changes
/// neither the moment nor the zone; other parts get the session's zone.
pub(super) fn cast_in(zone: SessionZone<'_>, from: &Type, to: &mut Type) {
    match (from, to) {
        (Type::TimestampWithTimeZone { zone: own, .. }, Type::TimestampWithTimeZone { zone, .. }) => {
            zone.clone_from(own);
        }
        (Type::TimeWithTimeZone { offset: own, .. }, Type::TimeWithTimeZone { offset, .. }) => *offset = *own,
        // The offset of a named zone varies by row.
        (Type::TimestampWithTimeZone { zone: own, .. }, Type::TimeWithTimeZone { offset, .. }) => {
            let minutes = if own.name() == UTC { Some(0) } else { offset_minutes(own.name()) };
            let constant = minutes.and_then(|minutes| i16::try_from(minutes).ok()).map(Offset::new);
            *offset = constant.unwrap_or(Offset::new(0).and(Zones::SEVERAL)).and(own.zones());
        }
        (Type::Array(from), Type::Array(to)) => cast_in(zone, from, to),
        (Type::Map(from_key, from_value), Type::Map(to_key, to_value)) => {
            cast_in(zone, from_key, to_key);
            cast_in(zone, from_value, to_value);
        }
        (Type::Row(from), Type::Row(to)) => {
            for (from, to) in from.iter().zip(to) {
                cast_in(zone, &from.data_type, &mut to.data_type);
            }
        }
        (from, Type::TimestampWithTimeZone { zone: wanted, .. }) if from.is_text() => {
            *wanted = Zone::new(zone.name).and(Zones::OF_TEXTS);
        }
        (from, Type::TimeWithTimeZone { offset, .. }) if from.is_text() => {
            *offset = Offset::new(zone.offset).and(Zones::OF_TEXTS);
        }
        (_, to) => set_zone(to, zone),
    }
}

/// Makes the casts of a statement interpret values in the session's zone.
pub(super) fn apply(analyzed: &mut Analyzed, zone: SessionZone<'_>) {
    for plan in analyzed.shared.iter_mut().chain([&mut analyzed.plan]) {
        apply_to_plan(plan, zone);
    }
}

fn apply_to_plan(plan: &mut Plan, zone: SessionZone<'_>) {
    for input in plan.inputs_mut() {
        apply_to_plan(input, zone);
    }
    for expr in plan.expressions_mut() {
        expr.transform(&mut |expr| through_session(expr, zone));
    }
}

fn through_session(expr: &mut Expr, zone: SessionZone<'_>) {
    let ExprKind::Cast { input, is_try } = &mut expr.kind else { return };
    if let Some(session) = read_in(&input.data_type, &expr.data_type, zone) {
        let (place, is_try) = (expr.location, *is_try);
        let kind = ExprKind::Cast { input: input.clone(), is_try };
        **input = Expr::new(kind, session).at(place);
    }
}

/// The type to which a value is cast before the target type: it has the session's zone, if the cast interprets local
/// times. `None` if that is the target type.
fn read_in(from: &Type, to: &Type, zone: SessionZone<'_>) -> Option<Type> {
    match (from, to) {
        (Type::TimestampWithTimeZone { .. } | Type::TimeWithTimeZone { .. } | Type::Unknown, _) => None,
        (_, Type::TimestampWithTimeZone { precision, zone: own }) if own.name() != zone.name => {
            Some(Type::TimestampWithTimeZone { precision: *precision, zone: Zone::new(zone.name) })
        }
        (_, Type::TimeWithTimeZone { precision, offset }) if offset.minutes() != zone.offset => {
            Some(zone.time(*precision))
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
