//! Zones that are not constants, as in `at_timezone(x, z)`. A type has one zone (D92), so no column can hold a zone for each row.
//! A function or a cast that asks for the local time of such a value directly is rewritten: it gets the local time as a timestamp
//! without a zone, which the row's zone gives. Where only the moment counts, the zone is dropped. Elsewhere the value is refused
//! (D158). Values whose zone is read from a text, or may be one of several, are rewritten in the same way (D159).

use rowhouse_model::ErrorLocation;

use super::call::zone_of_constants;
use super::context::Analyzer;
use super::session_zone::SessionZone;
use crate::error::{Result, not_supported};
use crate::expr::fallible::UNITS_OF_CALENDAR;
use crate::expr::{ArithmeticOperator, Expr, ExprKind, Value};
use crate::functions::ScalarFunction;
use crate::plan::Plan;
use crate::statement::Analyzed;
use crate::types::{Type, Zone, Zones, canonical_zone};

impl Analyzer<'_> {
    /// The rewritten call of a function of local times, if its argument has a zone of its row; otherwise `None`.
    pub(super) fn call_in_row_zone(
        &mut self,
        function: ScalarFunction,
        args: &[Expr],
        place: Option<ErrorLocation>,
    ) -> Result<Option<Expr>> {
        let Some((value, others)) = local_operand(function, args) else {
            return self.call_of_row_zone(function, args, place);
        };
        if is_printed_rounded(function, value) {
            return self.printed_in_row(function, (value, others), place);
        }
        let Some(local) = self.local_in_row(value, function.is_of_date())? else { return Ok(None) };
        let args = std::iter::once(local).chain(others.iter().cloned()).collect();
        self.scalar_call(function, args, place).map(Some)
    }

    /// The timestamp that a value shows in the zone of its row; `None` if the value has the zone of its type, or another
    /// expression has given it. With `is_of_date` only its date is right.
    pub(super) fn local_in_row(&mut self, value: &Expr, is_of_date: bool) -> Result<Option<Expr>> {
        use ScalarFunction as F;
        let Type::TimestampWithTimeZone { precision, zone } = &value.data_type else { return Ok(None) };
        let precision = *precision;
        if let Some(text) = text_with_zone(value) {
            if text.iter().any(is_not_repeatable) {
                return Ok(None);
            }
            let base = Expr::literal(Value::Varchar(zone.name().to_owned()), Type::VARCHAR);
            let mut args = vec![self.copy(value)?, self.copy(&text[0])?, base];
            for pattern in &text[1..] {
                args.push(self.copy(pattern)?);
            }
            let kind = ExprKind::Call { function: F::InRowZone, args };
            return Ok(Some(Expr::new(kind, Type::Timestamp { precision }).at(value.location)));
        }
        let session = SessionZone::of(self.session);
        let is_certain = session.zones_of(&value.data_type) == Zones::ONE;
        let (function, args) = match &value.kind {
            ExprKind::Cast { input, is_try: _ } if !is_certain => {
                return self.local_of_part(input, precision, is_of_date);
            }
            ExprKind::Case { branches, otherwise } if !is_certain => {
                let kind = (precision, is_of_date);
                return self.local_of_case(branches, otherwise.as_deref(), kind, value.location);
            }
            ExprKind::Call { function, args } => (*function, args),
            _ => return Ok(None),
        };
        match (function, args.as_slice()) {
            (F::Coalesce, args) if !is_certain => {
                let locals = args.iter().map(|arg| self.local_of_part(arg, precision, is_of_date));
                let Some(locals) = locals.collect::<Result<Option<Vec<_>>>>()? else { return Ok(None) };
                self.scalar_call(F::Coalesce, locals, value.location).map(Some)
            }
            // A day may begin at another time than 0:00 where the clock is set ahead: the date is right.
            (F::DateTrunc, [unit, value]) if is_of_date && is_unit_of_dates(unit) => {
                let Some(local) = self.local_in_row(value, is_of_date)? else { return Ok(None) };
                self.scalar_call(F::DateTrunc, vec![unit.clone(), local], value.location).map(Some)
            }
            (F::AtTimezone | F::WithTimezone | F::FromUnixtime, _) => {
                let Some((moment, zone)) = self.moment_and_zone(value)? else { return Ok(None) };
                let kind = ExprKind::Call { function: F::InRowZone, args: vec![moment, zone] };
                Ok(Some(Expr::new(kind, Type::Timestamp { precision }).at(value.location)))
            }
            _ => Ok(None),
        }
    }

    /// The moment of a value that has the zone of its row, and this zone; `None` for other values, and if the zone, which is
    /// evaluated twice where it is a part of the moment, must not be.
    fn moment_and_zone(&mut self, value: &Expr) -> Result<Option<(Expr, Expr)>> {
        use ScalarFunction as F;
        let (ExprKind::Call { function, args }, Some(_)) = (&value.kind, zone_of_row(value)) else {
            return Ok(None);
        };
        let [input, zone] = args.as_slice() else { return Ok(None) };
        let moment = match function {
            F::AtTimezone => self.copy(input)?,
            _ if is_not_repeatable(zone) => return Ok(None),
            _ => self.copy(value)?,
        };
        Ok(Some((moment, self.copy(zone)?)))
    }

    /// The rewritten call of a function that moves, compares or shows a value that has the zone of its row.
    fn call_of_row_zone(
        &mut self,
        function: ScalarFunction,
        args: &[Expr],
        place: Option<ErrorLocation>,
    ) -> Result<Option<Expr>> {
        use ScalarFunction as F;
        match (function, args) {
            (F::DateTrunc, [unit, value]) => self.moved_in_row(value, unit, None, place),
            (F::DateAdd, [unit, amount, value]) if amount.data_type.is_integer() => {
                self.moved_in_row(value, unit, Some(amount), place)
            }
            (F::DateDiff, [unit, from, to]) => self.difference_in_row(unit, from, to, place),
            (F::TimezoneHour | F::TimezoneMinute, [value]) => self.offset_in_row(function, value, place),
            _ => Ok(None),
        }
    }

    /// A text of a value with more than three digits of a second: its moment is rounded before its local time is taken.
    fn printed_in_row(
        &mut self,
        function: ScalarFunction,
        (value, others): (&Expr, &[Expr]),
        place: Option<ErrorLocation>,
    ) -> Result<Option<Expr>> {
        let Some((moment, zone)) = self.moment_and_zone(value)? else { return Ok(None) };
        let Type::TimestampWithTimeZone { zone: own, .. } = &moment.data_type else { return Ok(None) };
        let rounded = Type::TimestampWithTimeZone { precision: MILLISECONDS, zone: own.clone() };
        let kind = ExprKind::Call {
            function: ScalarFunction::InRowZone,
            args: vec![moment.cast_to(&rounded), zone],
        };
        let local = Expr::new(kind, Type::Timestamp { precision: MILLISECONDS }).at(value.location);
        let args = std::iter::once(local).chain(others.iter().cloned()).collect();
        self.scalar_call(function, args, place).map(Some)
    }

    /// `date_trunc` or, with an amount, `date_add` in the zone of the row.
    fn moved_in_row(
        &mut self,
        value: &Expr,
        unit: &Expr,
        amount: Option<&Expr>,
        place: Option<ErrorLocation>,
    ) -> Result<Option<Expr>> {
        // The zone is evaluated for the moment and for what is asked of it.
        if !unit.data_type.is_varchar()
            || zone_of_row(value).is_none_or(Expr::is_random)
            || doublings(value) >= MAX_DOUBLINGS
        {
            return Ok(None);
        }
        let Some((moment, zone)) = self.moment_and_zone(value)? else { return Ok(None) };
        let unit = self.copy(unit)?;
        let mut args = vec![moment, self.copy(&zone)?, self.coerced(unit, &Type::VARCHAR)];
        if let Some(amount) = amount {
            let amount = self.copy(amount)?;
            args.push(self.coerced(amount, &Type::BigInt));
        }
        let kind = ExprKind::Call { function: ScalarFunction::InRowZone, args };
        let moved = Expr::new(kind, value.data_type.clone()).at(place);
        let kind = ExprKind::Call { function: ScalarFunction::AtTimezone, args: vec![moved, zone] };
        Ok(Some(Expr::new(kind, value.data_type.clone()).at(place)))
    }

    /// `date_diff` of two zoned timestamps, of which one or both have the zone of their row. Trino counts units of days and
    /// more in the zone of the first.
    fn difference_in_row(
        &mut self,
        unit: &Expr,
        from: &Expr,
        to: &Expr,
        place: Option<ErrorLocation>,
    ) -> Result<Option<Expr>> {
        let (
            Type::TimestampWithTimeZone { precision, zone },
            Type::TimestampWithTimeZone { precision: other, .. },
        ) = (&from.data_type, &to.data_type)
        else {
            return Ok(None);
        };
        if zone_of_row(from).or_else(|| zone_of_row(to)).is_none() || !unit.data_type.is_varchar() {
            return Ok(None);
        }
        let precision = *precision.max(other);
        // The same digits, each in its zone.
        let rounded = |moment: Expr| match &moment.data_type {
            Type::TimestampWithTimeZone { zone, .. } => {
                let zone = zone.clone();
                moment.cast_to(&Type::TimestampWithTimeZone { precision, zone })
            }
            _ => moment,
        };
        // With its zone, which may be NULL or unknown.
        let to = self.copy(to)?;
        let is_certain = SessionZone::of(self.session).zones_of(&from.data_type) == Zones::ONE;
        let (from, zone) = match self.moment_and_zone(from)? {
            Some(parts) => parts,
            None if zone_of_row(from).is_some() || !is_certain => return Ok(None),
            None => {
                let zone = Expr::literal(Value::Varchar(zone.name().to_owned()), Type::VARCHAR);
                (self.copy(from)?, zone)
            }
        };
        let unit = self.copy(unit)?;
        let args = vec![rounded(from), zone, self.coerced(unit, &Type::VARCHAR), rounded(to)];
        let kind = ExprKind::Call { function: ScalarFunction::InRowZone, args };
        Ok(Some(Expr::new(kind, Type::BigInt).at(place)))
    }

    /// The text of a value that has the zone of its row, if it has room in a `varchar` of this length.
    pub(super) fn text_in_row(&mut self, value: &Expr, length: Option<u32>) -> Result<Option<Expr>> {
        if length.is_some_and(|length| length < LONGEST_TEXT) {
            return Ok(None);
        }
        let Some((moment, zone)) = self.moment_and_zone(value)? else { return Ok(None) };
        let kind = ExprKind::Call { function: ScalarFunction::InRowZone, args: vec![moment, zone] };
        Ok(Some(Expr::new(kind, Type::VARCHAR).at(value.location)))
    }

    /// `timezone_hour` and `timezone_minute` of a value that has the zone of its row.
    fn offset_in_row(
        &mut self,
        function: ScalarFunction,
        value: &Expr,
        place: Option<ErrorLocation>,
    ) -> Result<Option<Expr>> {
        let Some((moment, zone)) = self.moment_and_zone(value)? else { return Ok(None) };
        let kind = ExprKind::Call { function: ScalarFunction::InRowZone, args: vec![moment, zone] };
        let seconds = Expr::new(kind, Type::BigInt).at(place);
        let by = |left: Expr, operator: ArithmeticOperator, right: i64| {
            let right = Box::new(Expr::literal(Value::Integer(right), Type::BigInt));
            Expr::new(ExprKind::Arithmetic { operator, left: Box::new(left), right }, Type::BigInt).at(place)
        };
        Ok(Some(match function {
            ScalarFunction::TimezoneHour => by(seconds, ArithmeticOperator::Divide, 3600),
            _ => by(by(seconds, ArithmeticOperator::Divide, 60), ArithmeticOperator::Modulus, 60),
        }))
    }

    /// The local time of a value that a larger one may be; `None` if it is not known in which zone, or if the moment is rounded
    /// before.
    pub(super) fn local_of_part(
        &mut self,
        value: &Expr,
        precision: u8,
        is_of_date: bool,
    ) -> Result<Option<Expr>> {
        let session = SessionZone::of(self.session);
        let own = match &value.data_type {
            Type::TimestampWithTimeZone { precision, .. } => *precision,
            // Without a zone: the local time of the session.
            Type::Date | Type::Timestamp { .. } => {
                let zoned = Type::TimestampWithTimeZone { precision, zone: Zone::new(session.name()) };
                let local = self.copy(value)?.cast_to(&zoned).cast_to(&Type::Timestamp { precision });
                return Ok(Some(local));
            }
            _ => return Ok(None),
        };
        if own > precision {
            // A rounded moment may be on the other side of a change of the clock.
            return Ok(None);
        }
        let is_certain =
            session.zones_of(&value.data_type) == Zones::ONE || value.as_literal() == Some(&Value::Null);
        let local = match self.local_in_row(value, is_of_date)? {
            None if is_certain => self.copy(value)?.cast_to(&Type::Timestamp { precision: own }),
            None => return Ok(None),
            Some(local) => local,
        };
        Ok(Some(local.cast_to(&Type::Timestamp { precision })))
    }

    fn local_of_case(
        &mut self,
        branches: &[(Expr, Expr)],
        otherwise: Option<&Expr>,
        (precision, is_of_date): (u8, bool),
        place: Option<ErrorLocation>,
    ) -> Result<Option<Expr>> {
        let mut locals = Vec::with_capacity(branches.len());
        for (condition, value) in branches {
            let Some(local) = self.local_of_part(value, precision, is_of_date)? else { return Ok(None) };
            if condition.is_random() {
                return Ok(None);
            }
            locals.push((self.copy(condition)?, local));
        }
        let otherwise = otherwise.map(|value| self.local_of_part(value, precision, is_of_date));
        let otherwise = match otherwise.transpose()? {
            Some(None) => return Ok(None),
            Some(local) => local.map(Box::new),
            None => None,
        };
        let kind = ExprKind::Case { branches: locals, otherwise };
        Ok(Some(Expr::new(kind, Type::Timestamp { precision }).at(place)))
    }
}

/// Whether a unit of `date_trunc` is a constant of a day or more.
pub(super) fn is_unit_of_dates(unit: &Expr) -> bool {
    matches!(unit.as_literal(), Some(Value::Varchar(unit))
        if UNITS_OF_CALENDAR.iter().any(|known| known.eq_ignore_ascii_case(unit)))
}

/// The argument of which a function returns something of its local time alone, and the other arguments.
pub(super) fn local_operand(function: ScalarFunction, args: &[Expr]) -> Option<(&Expr, &[Expr])> {
    use ScalarFunction as F;
    let shows_zone = |pattern: &Expr| match pattern.as_literal() {
        Some(Value::Varchar(pattern)) => pattern.contains(['z', 'Z']),
        _ => true,
    };
    match (function, args) {
        (F::Hour | F::Minute | F::Second | F::Millisecond, [value]) => Some((value, &[])),
        (function, [value]) if function.is_of_date() => Some((value, &[])),
        (F::DateFormat, [value, others @ ..]) => Some((value, others)),
        (F::FormatDatetime, [value, others @ ..]) if !others.iter().any(shows_zone) => Some((value, others)),
        _ => None,
    }
}

/// The digits of a second that functions of patterns print.
const MILLISECONDS: u8 = 3;

/// Whether a function prints a value by a pattern, which has more digits of a second than it prints.
pub(super) fn is_printed_rounded(function: ScalarFunction, value: &Expr) -> bool {
    matches!(function, ScalarFunction::DateFormat | ScalarFunction::FormatDatetime)
        && matches!(value.data_type, Type::TimestampWithTimeZone { precision, .. } if precision > MILLISECONDS)
}

/// More characters than the text of any zoned timestamp has: nine digits of a year, nine of a second and the name of a zone.
const LONGEST_TEXT: u32 = 100;

/// Maximum number of nested local times that each evaluate a part twice: as many times the work doubles.
const MAX_DOUBLINGS: usize = 3;

/// Whether an expression must not be evaluated twice: it has another value then, or too many of its parts are already.
fn is_not_repeatable(expr: &Expr) -> bool {
    expr.is_random() || doublings(expr) >= MAX_DOUBLINGS
}

/// The number of nested local times of texts and of calls whose zone is a part of the moment.
fn doublings(expr: &Expr) -> usize {
    use ScalarFunction as F;
    let inner = expr.children().into_iter().map(doublings).max().unwrap_or(0);
    let is_doubled = match &expr.kind {
        ExprKind::Call { function: F::InRowZone, args } => match &args[0].kind {
            ExprKind::Call { function, .. } => {
                args.len() > 2 || matches!(function, F::WithTimezone | F::FromUnixtime)
            }
            _ => args.len() > 2,
        },
        _ => false,
    };
    inner + usize::from(is_doubled)
}

/// The arguments of a call, or the input of a cast, that gives a value in the zone that its text names.
pub(super) fn text_with_zone(value: &Expr) -> Option<&[Expr]> {
    use ScalarFunction as F;
    let zones = match &value.data_type {
        Type::TimestampWithTimeZone { zone, .. } => zone.zones(),
        Type::TimeWithTimeZone { offset, .. } => offset.zones(),
        _ => return None,
    };
    match &value.kind {
        ExprKind::Call {
            function: F::FromIso8601Timestamp | F::FromIso8601TimestampNanos | F::ParseDatetime,
            args,
        } => Some(args.as_slice()),
        ExprKind::Cast { input, is_try: _ } if input.data_type.is_text() => {
            Some(std::slice::from_ref(&**input))
        }
        _ => None,
    }
    .filter(|_| zones == Zones::OF_TEXTS)
}

/// The zone of a call whose value has the zone of its row: any other than that of its type.
fn zone_of_row(call: &Expr) -> Option<&Expr> {
    use ScalarFunction as F;
    let ExprKind::Call { function: F::AtTimezone | F::WithTimezone | F::FromUnixtime, args } = &call.kind
    else {
        return None;
    };
    let Type::TimestampWithTimeZone { zone: own, .. } = &call.data_type else { return None };
    let [_, zone @ ..] = args.as_slice() else { return None };
    let is_constant = match zone {
        // An unknown zone is an error at run time, and NULL gives NULL.
        [name] => match name.as_literal() {
            Some(Value::Varchar(name)) => canonical_zone(name).is_none_or(|zone| zone == own.name()),
            Some(_) => true,
            None => false,
        },
        parts => match zone_of_constants(parts) {
            Some(zone) => zone == own.name(),
            None => parts.iter().all(|part| part.as_literal().is_some()),
        },
    };
    zone.first().filter(|_| !is_constant)
}

/// Refuses values with the zone of their row where more than their moment counts.
///
/// # Errors
///
/// `NOT_SUPPORTED` at the zone.
pub(super) fn check(analyzed: &Analyzed) -> Result<()> {
    analyzed.shared.iter().chain([&analyzed.plan]).try_for_each(check_plan)
}

/// For which of its children an expression needs nothing but moments: for the first, for the others. `is_moment` says
/// so of itself.
pub(super) fn asks_for_moments(expr: &Expr, is_moment: bool) -> (bool, bool) {
    use ScalarFunction as F;
    let is_zoned = |data_type: &Type| matches!(data_type, Type::TimestampWithTimeZone { .. });
    let of_first = match &expr.kind {
        ExprKind::Comparison { .. } | ExprKind::IsNull(_) | ExprKind::InList { .. } => true,
        ExprKind::Call { function: F::ToUnixtime | F::InRowZone | F::AtTimezone, .. } => true,
        ExprKind::Cast { .. } | ExprKind::Case { .. } => is_moment && is_zoned(&expr.data_type),
        // A difference.
        ExprKind::Arithmetic { .. } => expr.data_type == Type::IntervalDayToSecond,
        _ => false,
    };
    let of_all = !matches!(expr.kind, ExprKind::Call { function, .. } if function != F::InRowZone);
    (of_first, of_first && of_all)
}

fn check_plan(plan: &Plan) -> Result<()> {
    plan.inputs().into_iter().try_for_each(check_plan)?;
    let is_moment = matches!(plan, Plan::Sort { .. });
    plan.expressions().into_iter().try_for_each(|expr| check_expr(expr, is_moment))
}

/// `is_moment`: only its moment counts.
fn check_expr(expr: &Expr, is_moment: bool) -> Result<()> {
    if !is_moment && let Some(zone) = zone_of_row(expr) {
        let what = "a time zone that is not a constant, except in functions of the local time, such as hour(…), \
                    date_format(…) and CAST(… AS timestamp), and in comparisons";
        return Err(not_supported(zone.location.or(expr.location), what));
    }
    let (of_first, of_others) = asks_for_moments(expr, is_moment);
    for (place, child) in expr.children().into_iter().enumerate() {
        check_expr(child, if place == 0 { of_first } else { of_others })?;
    }
    Ok(())
}
