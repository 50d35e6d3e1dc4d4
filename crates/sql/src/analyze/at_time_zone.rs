//! AT TIME ZONE and `at_timezone`.

use rowhouse_model::{ErrorCode, ErrorLocation};
use sqlparser::ast::Expr as AstExpr;

use super::context::{Analyzer, Context, user_error};
use super::place::place_of;
use super::session_zone::SessionZone;
use crate::error::{Result, not_supported};
use crate::expr::{Expr, Value};
use crate::functions::ScalarFunction;
use crate::types::{Offset, Type, Zone, canonical_zone, offset_at, offset_zone};

/// The largest offset of a zone from UTC.
const MAX_OFFSET_MINUTES: i32 = 840;

impl Analyzer<'_> {
    pub(super) fn at_time_zone(
        &mut self,
        value: &AstExpr,
        zone: &AstExpr,
        context: &mut Context<'_>,
    ) -> Result<Expr> {
        let value_place = place_of(value);
        let mut value = self.expression(value, context)?;
        let zone_place = place_of(zone);
        let zone = self.expression(zone, context)?;
        let zone = match zone.as_literal() {
            Some(Value::Varchar(_)) => zone,
            Some(Value::IntervalDayToSecond(millis)) => zone_of_offset(*millis, zone_place)?,
            _ => return Err(not_supported(zone_place, "a time zone that is not a constant")),
        };
        let place = value.location;
        match value.data_type {
            Type::Time { .. } | Type::TimeWithTimeZone { .. } => return self.time_at(value, &zone),
            // A timestamp without a zone is interpreted in the session's zone.
            Type::Timestamp { precision } => {
                let zone = Zone::new(&self.session.time_zone);
                value = value.cast_to(&Type::TimestampWithTimeZone { precision, zone });
            }
            Type::TimestampWithTimeZone { .. } => {}
            other => {
                let message = format!(
                    "Type of value must be a time or timestamp with or without time zone (actual {other})"
                );
                return Err(user_error(ErrorCode::TypeMismatch, value_place, message));
            }
        }
        self.scalar_call(ScalarFunction::AtTimezone, vec![value, zone], place)
    }

    /// `at_timezone(timestamp, interval)`; `None` for other calls.
    pub(super) fn at_offset(
        &mut self,
        function: ScalarFunction,
        args: &[Expr],
        place: Option<ErrorLocation>,
    ) -> Result<Option<Expr>> {
        let (ScalarFunction::AtTimezone, [value, offset]) = (function, args) else { return Ok(None) };
        let is_moment = matches!(
            value.data_type,
            Type::TimestampWithTimeZone { .. } | Type::Timestamp { .. } | Type::Date | Type::Unknown
        );
        if offset.data_type != Type::IntervalDayToSecond || !is_moment {
            return Ok(None);
        }
        let zone = match offset.as_literal() {
            Some(Value::IntervalDayToSecond(millis)) => zone_of_offset(*millis, offset.location)?,
            Some(Value::Null) => Expr::literal(Value::Null, Type::VARCHAR).at(offset.location),
            _ => return Err(not_supported(offset.location, "a time zone that is not a constant")),
        };
        self.scalar_call(function, vec![value.clone(), zone], place).map(Some)
    }

    /// Converts a time of day to the offset that a zone has at the statement's time.
    fn time_at(&self, value: Expr, zone: &Expr) -> Result<Expr> {
        let session = SessionZone::of(self.session);
        let (value, precision) = match value.data_type {
            Type::Time { precision } => (value.cast_to(&session.time(precision)), precision),
            Type::TimeWithTimeZone { precision, .. } => (value, precision),
            _ => return Ok(value),
        };
        let name = match zone.as_literal() {
            Some(Value::Varchar(name)) => name.as_str(),
            _ => "",
        };
        let Some(known) = canonical_zone(name) else {
            let message = format!("'{name}' is not a valid time zone");
            return Err(user_error(ErrorCode::InvalidFunctionArgument, zone.location, message));
        };
        let minutes = offset_at(&known, self.session.now.as_millis().div_euclid(1000)) / 60;
        let offset = Offset::new(i16::try_from(minutes).unwrap_or(0));
        Ok(value.cast_to(&Type::TimeWithTimeZone { precision, offset }))
    }
}

/// The name of the zone at an offset of milliseconds.
fn zone_of_offset(millis: i64, place: Option<ErrorLocation>) -> Result<Expr> {
    let invalid = |message: String| Err(user_error(ErrorCode::InvalidFunctionArgument, place, message));
    if millis % 60_000 != 0 {
        return invalid("Invalid time zone offset interval: interval contains seconds".to_owned());
    }
    let minutes = i32::try_from(millis / 60_000).ok();
    match minutes.filter(|minutes| minutes.abs() <= MAX_OFFSET_MINUTES) {
        Some(minutes) => Ok(Expr::literal(Value::Varchar(offset_zone(minutes)), Type::VARCHAR).at(place)),
        None => invalid(format!("Invalid offset minutes {}", millis / 60_000)),
    }
}
