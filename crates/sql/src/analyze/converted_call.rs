//! Rewrites calls of functions of `char` to those of `varchar`, and calls of functions of times with a zone to those of
//! times: executors do not implement them for these types.

use rowhouse_model::calendar::{MILLIS_PER_DAY, civil_from_days};
use rowhouse_model::{ErrorCode, ErrorLocation};

use super::context::{Analyzer, user_error};
use super::session_zone::SessionZone;
use crate::error::{Result, not_supported};
use crate::expr::{Expr, ExprKind, Value};
use crate::functions::ScalarFunction;
use crate::types::{Offset, Type, Zone, Zones, offset_zone};

impl Analyzer<'_> {
    /// The rewritten call if an argument is a `char` or a time with a zone; `None` if there is no such argument, or no
    /// function takes these arguments.
    pub(super) fn converted_call(
        &mut self,
        function: ScalarFunction,
        args: &[Expr],
        place: Option<ErrorLocation>,
    ) -> Result<Option<Expr>> {
        let has = |wanted: fn(&Type) -> bool| args.iter().any(|arg| wanted(&arg.data_type));
        if has(|data_type| matches!(data_type, Type::Char { .. })) {
            return self.call_of_char(function, args, place);
        }
        if has(|data_type| matches!(data_type, Type::TimeWithTimeZone { .. })) {
            return self.call_of_zoned_time(function, args, place);
        }
        Ok(None)
    }

    fn call_of_char(
        &mut self,
        function: ScalarFunction,
        args: &[Expr],
        place: Option<ErrorLocation>,
    ) -> Result<Option<Expr>> {
        use ScalarFunction as F;
        if let (F::Concat, [left, right]) = (function, args) {
            return self.concat_of_char(left, right, place);
        }
        if let (F::Trim | F::Ltrim | F::Rtrim, [value, trimmed]) = (function, args)
            && let Type::Char { length } = trimmed.data_type
        {
            let trimmed = trimmed.clone().cast_to(&Type::varchar(length.into()));
            return self.scalar_call(function, vec![value.clone(), trimmed], place).map(Some);
        }
        let [value, rest @ ..] = args else { return Ok(None) };
        let Type::Char { length } = value.data_type else {
            return self.call_with_pattern_of_char(function, args, place);
        };
        let own = value.data_type.clone();
        let mut with = |function, value: Expr, rest: &[Expr]| {
            let args = std::iter::once(value).chain(rest.iter().cloned()).collect();
            self.scalar_call(function, args, place)
        };
        let text = value.clone().cast_to(&Type::varchar(length.into()));
        let space = [Expr::literal(Value::Varchar(" ".to_owned()), Type::varchar(1))];
        Ok(Some(match (function, rest) {
            (F::Length | F::ToUtf8, []) | (F::Substring, _) | (F::Lpad, [_, _]) => {
                with(function, text, rest)?
            }
            // Trailing spaces are padding and not part of the value: the value is trimmed without them.
            (F::Trim | F::Ltrim | F::Rtrim, [] | [_]) => {
                let value = with(F::Rtrim, text, &space)?;
                let trimmed = with(function, value, rest)?;
                with(F::Rtrim, trimmed, &space)?
            }
            (F::Lower | F::Upper | F::Reverse, []) => with(function, text, &[])?.cast_to(&own),
            _ => return Ok(None),
        }))
    }

    /// A regular expression or a JSONPath may be a `char`: it is read with its padding.
    fn call_with_pattern_of_char(
        &mut self,
        function: ScalarFunction,
        args: &[Expr],
        place: Option<ErrorLocation>,
    ) -> Result<Option<Expr>> {
        use ScalarFunction as F;
        let takes_pattern = matches!(
            function,
            F::RegexpLike
                | F::RegexpExtract
                | F::RegexpExtractAll
                | F::RegexpReplace
                | F::RegexpCount
                | F::RegexpPosition
                | F::RegexpSplit
                | F::JsonExtract
                | F::JsonExtractScalar
                | F::JsonSize
        );
        let Some(Type::Char { length }) = args.get(1).map(|pattern| &pattern.data_type) else {
            return Ok(None);
        };
        if !takes_pattern {
            return Ok(None);
        }
        let mut converted = args.to_vec();
        converted[1] = args[1].clone().cast_to(&Type::varchar((*length).into()));
        self.scalar_call(function, converted, place).map(Some)
    }

    /// `||` of two texts of which one is a `char`: the other is converted to `char`.
    fn concat_of_char(
        &mut self,
        left: &Expr,
        right: &Expr,
        place: Option<ErrorLocation>,
    ) -> Result<Option<Expr>> {
        let length = |data_type: &Type| match data_type {
            Type::Char { length } | Type::Varchar { length: Some(length) } => Some(u64::from(*length)),
            Type::Varchar { length: None } => Some(u64::from(crate::types::MAX_CHAR_LENGTH)),
            _ => None,
        };
        if left.data_type == Type::Unknown || right.data_type == Type::Unknown {
            let message = "Could not choose a best candidate operator. Explicit type casts must be added.";
            return Err(user_error(ErrorCode::AmbiguousFunctionCall, place, message));
        }
        let Some((a, b)) = length(&left.data_type).zip(length(&right.data_type)) else { return Ok(None) };
        let unknown =
            |length| user_error(ErrorCode::TypeNotFound, place, format!("Unknown type: char({length})"));
        let result = Type::char(a + b).ok_or_else(|| unknown(a + b))?;
        let mut part = |part: &Expr, length| {
            let data_type = Type::char(length).ok_or_else(|| unknown(length))?;
            Ok(self.coerced(part.clone(), &data_type).cast_to(&Type::varchar(length)))
        };
        let args = vec![part(left, a)?, part(right, b)?];
        Ok(Some(self.scalar_call(ScalarFunction::Concat, args, place)?.cast_to(&result)))
    }

    /// The text of the timestamp that a time of day is cast to: the current date, and the time's own offset.
    pub(super) fn on_current_date(&self, time: &Expr, wanted: &mut Type) -> Option<Expr> {
        let (shown, zone) = match (&time.data_type, &mut *wanted) {
            (Type::Time { .. }, Type::Timestamp { .. }) => (time.clone(), None),
            (Type::TimeWithTimeZone { precision, .. }, Type::Timestamp { .. }) => {
                (time.clone().cast_to(&Type::Time { precision: *precision }), None)
            }
            (Type::Time { .. }, Type::TimestampWithTimeZone { zone, .. }) => (time.clone(), Some(zone)),
            (Type::TimeWithTimeZone { offset, .. }, Type::TimestampWithTimeZone { zone, .. }) => {
                *zone = Zone::new(offset_zone(offset.minutes().into()));
                (time.clone(), Some(zone))
            }
            _ => return None,
        };
        let (year, month, day) = civil_from_days(self.local_millis().div_euclid(MILLIS_PER_DAY));
        let zone = match (zone, &time.data_type) {
            (Some(zone), Type::Time { .. }) => format!(" {zone}"),
            _ => String::new(),
        };
        let text = |text: String| Expr::literal(Value::Varchar(text), Type::VARCHAR);
        let args =
            vec![text(format!("{year:04}-{month:02}-{day:02} ")), shown.cast_to(&Type::VARCHAR), text(zone)];
        let kind = ExprKind::Call { function: ScalarFunction::Concat, args };
        Some(Expr::new(kind, Type::VARCHAR).at(time.location))
    }

    fn call_of_zoned_time(
        &mut self,
        function: ScalarFunction,
        args: &[Expr],
        place: Option<ErrorLocation>,
    ) -> Result<Option<Expr>> {
        use ScalarFunction as F;
        // `date_diff` from or to a NULL literal.
        if let (F::DateDiff, [_, from, to]) = (function, args) {
            let is_zoned = |time: &Expr| matches!(time.data_type, Type::TimeWithTimeZone { .. });
            let is_unknown = |time: &Expr| time.data_type == Type::Unknown;
            if is_zoned(from) && is_unknown(to) || is_unknown(from) && is_zoned(to) {
                return Ok(Some(Expr::literal(Value::Null, Type::BigInt).at(place)));
            }
        }
        let Some((time, rest)) = args.split_last() else { return Ok(None) };
        let Type::TimeWithTimeZone { precision, offset } = time.data_type else { return Ok(None) };
        let shown = time.clone().cast_to(&Type::Time { precision });
        let constant = |value: Value, data_type: Type| {
            let is_null = Expr::new(ExprKind::IsNull(Box::new(time.clone())), Type::Boolean);
            let known = Expr::literal(value, data_type.clone());
            let branches = vec![(is_null.negated(), known)];
            Expr::new(ExprKind::Case { branches, otherwise: None }, data_type).at(place)
        };
        let number = |number: i16| constant(Value::Integer(number.into()), Type::BigInt);
        Ok(Some(match (function, rest) {
            (F::Hour | F::Minute | F::Second | F::Millisecond, []) => {
                self.scalar_call(function, vec![shown], place)?
            }
            (F::TimezoneHour | F::TimezoneMinute | F::Timezone, [])
                if SessionZone::of(self.session).zones_of(&time.data_type) != Zones::ONE =>
            {
                let what = "the offset of times of several offsets (AT TIME ZONE gives them one)";
                return Err(not_supported(place, what));
            }
            (F::TimezoneHour, []) => number(offset.minutes() / 60),
            (F::TimezoneMinute, []) => number(offset.minutes() % 60),
            (F::Timezone, []) => constant(Value::Varchar(offset_name(offset.minutes())), Type::VARCHAR),
            (F::DateTrunc, [_]) | (F::DateAdd, [_, _]) => {
                let args = rest.iter().cloned().chain([shown]).collect();
                let moved = self.scalar_call(function, args, place)?;
                with_offset(moved, precision, offset)
            }
            (F::DateDiff, [unit, from])
                if matches!(from.data_type, Type::TimeWithTimeZone { .. } | Type::Time { .. }) =>
            {
                let in_utc = |time: &Expr| {
                    let digits = match time.data_type {
                        Type::Time { precision } | Type::TimeWithTimeZone { precision, .. } => precision,
                        _ => precision,
                    };
                    let zoned = Type::TimeWithTimeZone { precision: digits, offset: Offset::new(0) };
                    time.clone().cast_to(&zoned).cast_to(&Type::Time { precision: digits })
                };
                self.scalar_call(function, vec![unit.clone(), in_utc(from), in_utc(time)], place)?
            }
            _ => return Ok(None),
        }))
    }
}

/// The offset in the form `+05:30`, also for UTC.
fn offset_name(minutes: i16) -> String {
    let sign = if minutes < 0 { '-' } else { '+' };
    format!("{sign}{:02}:{:02}", minutes.abs() / 60, minutes.abs() % 60)
}

/// A time of day at an offset. A cast of the time itself would interpret it in the session's zone; a cast of its text
/// with the offset does not.
fn with_offset(time: Expr, precision: u8, offset: Offset) -> Expr {
    let place = time.location;
    let name = Expr::literal(Value::Varchar(offset_name(offset.minutes())), Type::VARCHAR);
    let args = vec![time.cast_to(&Type::VARCHAR), name];
    let text = Expr::new(ExprKind::Call { function: ScalarFunction::Concat, args }, Type::VARCHAR);
    text.at(place).cast_to(&Type::TimeWithTimeZone { precision, offset })
}
