//! Special forms with call syntax: IF, session values, `date(x)`, TRIM, EXTRACT and similar ones.

use rowhouse_model::calendar::MILLIS_PER_DAY;
use rowhouse_model::{ErrorCode, ErrorLocation, QueryError};
use sqlparser::ast::{CeilFloorKind, DateTimeField, Expr as AstExpr, TrimWhereField, Value as AstValue};

use super::call::Call;
use super::context::{Analyzer, Context, user_error};
use super::data_type::TOO_PRECISE;
use super::grouping::{MAX_GROUPING_ARGUMENTS, type_of_bits};
use super::literal::units_per_second;
use super::place::place_of;
use super::session_zone::SessionZone;
use crate::error::{Result, not_supported, syntax_error, type_mismatch};
use crate::expr::{Expr, ExprKind, Value};
use crate::functions::ScalarFunction;
use crate::types::{DEFAULT_TIME_PRECISION, MAX_TIME_PRECISION, Type, Zone, can_cast, local_day, offset_at};

impl Analyzer<'_> {
    /// The value of a call that is not in the function registry; `None` for other calls.
    pub(super) fn special_form(
        &mut self,
        call: &Call<'_>,
        context: &mut Context<'_>,
    ) -> Result<Option<Expr>> {
        let place = call.place;
        if call.args.is_empty()
            && !call.is_star
            && let Some(value) = self.session_value(&call.name)
        {
            call.plain()?;
            self.note_session_value(&call.name);
            return Ok(Some(value.at(place)));
        }
        let value = match (call.name.as_str(), call.args.as_slice()) {
            (name @ ("current_timestamp" | "current_time" | "localtimestamp" | "localtime"), [precision]) => {
                call.plain()?;
                self.note_session_value(name);
                self.session_time(name, precision)?
            }
            ("if", [condition, value, rest @ ..]) if rest.len() <= 1 => {
                call.plain()?;
                let condition = self.condition(condition, context)?;
                let value = self.expression(value, context)?;
                let otherwise = rest.first().map(|rest| self.expression(rest, context)).transpose()?;
                let results: Vec<&Expr> = std::iter::once(&value).chain(&otherwise).collect();
                let data_type = self.common_type(&results, "Result types for IF")?;
                let branches = vec![(condition, self.coerced(value, &data_type))];
                let otherwise = otherwise.map(|otherwise| Box::new(self.coerced(otherwise, &data_type)));
                Expr::new(ExprKind::Case { branches, otherwise }, data_type)
            }
            ("mod", [left, right]) => {
                call.plain()?;
                self.modulo([left, right], place, context)?
            }
            ("date", [value]) => {
                call.plain()?;
                self.date_of(value, place, context)?
            }
            ("format", args) => {
                call.plain()?;
                if args.len() < 2 {
                    let message = "The 'format' function must have at least two arguments";
                    return Err(syntax_error(place, message));
                }
                let args = self.arguments(call, context)?;
                check_formatted(&args)?;
                self.scalar_call(ScalarFunction::Format, args, place)?
            }
            ("coalesce", args) if call.over.is_none() => {
                call.plain()?;
                if args.len() < 2 {
                    let message = "The 'coalesce' function must have at least two arguments";
                    return Err(syntax_error(place, message));
                }
                let args = self.arguments(call, context)?;
                let operands: Vec<&Expr> = args.iter().collect();
                self.common_type(&operands, "COALESCE operands")?;
                self.scalar_call(ScalarFunction::Coalesce, args, place)?
            }
            ("nullif", args) if call.over.is_none() => {
                call.plain()?;
                if args.len() != 2 {
                    return Err(syntax_error(place, "The 'nullif' function takes two arguments"));
                }
                let args = self.arguments(call, context)?;
                let operands: Vec<&Expr> = args.iter().collect();
                self.common_type(&operands, "Arguments of NULLIF")
                    .map_err(|error| QueryError { error_location: place, ..error })?;
                self.scalar_call(ScalarFunction::Nullif, args, place)?
            }
            ("typeof", [value]) => {
                call.plain()?;
                let value = self.expression(value, context)?;
                Expr::literal(Value::Varchar(value.data_type.to_string()), Type::VARCHAR)
            }
            ("grouping", _) => {
                call.plain()?;
                let args = self.arguments(call, context)?;
                if args.len() > MAX_GROUPING_ARGUMENTS {
                    let message =
                        format!("GROUPING supports up to {MAX_GROUPING_ARGUMENTS} column arguments");
                    return Err(user_error(ErrorCode::TooManyArguments, place, message));
                }
                let data_type = type_of_bits(args.len());
                let output = self.new_field("grouping", data_type.clone());
                let value = Expr::column(output.id, data_type);
                match &mut context.groupings {
                    Some(groupings) => groupings.push((args, output)),
                    None => {
                        let message = format!("{} cannot contain GROUPING", context.clause);
                        return Err(user_error(ErrorCode::ExpressionNotScalar, place, message));
                    }
                }
                value
            }
            _ => return Ok(None),
        };
        Ok(Some(value.at(place)))
    }

    /// `mod(left, right)`.
    fn modulo(
        &mut self,
        [left, right]: [&AstExpr; 2],
        place: Option<ErrorLocation>,
        context: &mut Context<'_>,
    ) -> Result<Expr> {
        let left = self.expression(left, context)?;
        let right = self.expression(right, context)?;
        let types = format!("{}, {}", left.data_type, right.data_type);
        self.arithmetic(left, &sqlparser::ast::BinaryOperator::Modulo, right).map_err(|error| {
            if error.code() != Some(ErrorCode::TypeMismatch) {
                return error;
            }
            let message =
                format!("Unexpected parameters ({types}) for function mod. Expected: mod(T, T) of numbers");
            user_error(ErrorCode::FunctionNotFound, place, message)
        })
    }

    /// `date(value)`.
    fn date_of(
        &mut self,
        value: &AstExpr,
        place: Option<ErrorLocation>,
        context: &mut Context<'_>,
    ) -> Result<Expr> {
        let value = self.expression(value, context)?;
        if matches!(value.data_type, Type::Time { .. } | Type::Char { .. })
            || !can_cast(&value.data_type, &Type::Date)
        {
            let message = format!(
                "Unexpected parameters ({}) for function date. Expected: date(timestamp), date(timestamptz), date(varchar)",
                value.data_type
            );
            return Err(user_error(ErrorCode::FunctionNotFound, place, message));
        }
        let value = self.local_in_row(&value, true)?.unwrap_or(value);
        Ok(if value.data_type == Type::Date { value } else { value.cast_to(&Type::Date) })
    }

    /// Values that are constant for the whole statement.
    pub(super) fn session_value(&self, name: &str) -> Option<Expr> {
        let text = |text: &str| Expr::literal(Value::Varchar(text.to_owned()), Type::VARCHAR);
        let double = |value: f64| Expr::literal(Value::Double(value), Type::Double);
        Some(match name {
            "current_date" => {
                let days = local_day(&self.session.time_zone, self.session.now.as_millis());
                Expr::literal(Value::Date(days), Type::Date)
            }
            "now" => self.time_of_session("current_timestamp", DEFAULT_TIME_PRECISION)?,
            "current_timestamp" | "current_time" | "localtimestamp" | "localtime" => {
                self.time_of_session(name, DEFAULT_TIME_PRECISION)?
            }
            "current_user" => text(&self.session.user),
            "current_catalog" => text(&self.catalog.default_catalog),
            "current_schema" => text(&self.catalog.default_schema),
            // Sessions have no path.
            "current_path" => text(""),
            "current_timezone" => text(&self.session.time_zone),
            "version" => text(crate::TRINO_VERSION),
            "current_groups" => {
                let args = Vec::new();
                let kind = ExprKind::Call { function: ScalarFunction::ArrayConstructor, args };
                Expr::new(kind, Type::array(Type::VARCHAR))
            }
            "pi" => double(std::f64::consts::PI),
            "e" => double(std::f64::consts::E),
            "nan" => double(f64::NAN),
            "infinity" => double(f64::INFINITY),
            _ => return None,
        })
    }

    /// `current_timestamp(p)`, `current_time(p)`, `localtimestamp(p)`, `localtime(p)`.
    fn session_time(&self, name: &str, precision: &AstExpr) -> Result<Expr> {
        let place = place_of(precision);
        let digits = match precision {
            AstExpr::Value(value) => match &value.value {
                AstValue::Number(digits, false) => digits.parse::<u8>().ok(),
                _ => None,
            },
            _ => None,
        };
        match digits {
            Some(10..=12) => Err(not_supported(place, TOO_PRECISE)),
            digits => digits.and_then(|digits| self.time_of_session(name, digits)).ok_or_else(|| {
                let message =
                    format!("the precision of {name} must be a number from 0 to {MAX_TIME_PRECISION}");
                let code = match digits {
                    Some(_) => ErrorCode::NumericValueOutOfRange,
                    None => ErrorCode::InvalidFunctionArgument,
                };
                user_error(code, place, message)
            }),
        }
    }

    /// The statement's time with this precision in digits of a second; `None` if the precision is too large.
    fn time_of_session(&self, name: &str, precision: u8) -> Option<Expr> {
        if precision > MAX_TIME_PRECISION {
            return None;
        }
        let unit = 10_i64.pow(u32::from(3_u8.saturating_sub(precision)));
        let rounded = |millis: i64| (millis + unit / 2).div_euclid(unit) * unit;
        let per_milli = units_per_second(precision) / 1000;
        let moment = |millis: i64| Some(Value::Timestamp(rounded(millis).checked_mul(per_milli)?));
        Some(match name {
            "localtime" => {
                let millis = rounded(self.local_millis());
                let nanos = millis.rem_euclid(MILLIS_PER_DAY) * 1_000_000;
                Expr::literal(Value::Time(nanos), Type::Time { precision })
            }
            "current_time" => {
                let nanos = rounded(self.session.now.as_millis()).rem_euclid(MILLIS_PER_DAY) * 1_000_000;
                Expr::literal(Value::Time(nanos), SessionZone::of(self.session).time(precision))
            }
            "localtimestamp" => Expr::literal(moment(self.local_millis())?, Type::Timestamp { precision }),
            _ => {
                let zone = Zone::new(&self.session.time_zone);
                let now = moment(self.session.now.as_millis())?;
                Expr::literal(now, Type::TimestampWithTimeZone { precision, zone })
            }
        })
    }

    /// The local time of the session's zone at the statement's time, in milliseconds since the epoch.
    pub(super) fn local_millis(&self) -> i64 {
        let millis = self.session.now.as_millis();
        millis + offset_at(&self.session.time_zone, millis.div_euclid(1000)) * 1000
    }

    pub(super) fn extract(
        &mut self,
        field: &DateTimeField,
        value: &AstExpr,
        context: &mut Context<'_>,
    ) -> Result<Expr> {
        let value = self.expression(value, context)?;
        let place = value.location;
        let name = field.to_string().to_uppercase();
        let Some((function, parts)) = extract_field(&name) else {
            let message =
                format!("Invalid EXTRACT field {name}, valid fields are: {}", EXTRACT_FIELDS.join(", "));
            return Err(syntax_error(place, message));
        };
        if value.data_type != Type::Unknown && !parts.are_of(&value.data_type) {
            let message = format!("Cannot extract {name} from {}", value.data_type);
            return Err(type_mismatch(place, message));
        }
        self.scalar_call(function, vec![value], place)
    }

    pub(super) fn ceil_or_floor(
        &mut self,
        function: ScalarFunction,
        value: &AstExpr,
        field: &CeilFloorKind,
        context: &mut Context<'_>,
    ) -> Result<Expr> {
        let value = self.expression(value, context)?;
        let place = value.location;
        match field {
            CeilFloorKind::DateTimeField(DateTimeField::NoDateTime) => {
                self.scalar_call(function, vec![value], place)
            }
            CeilFloorKind::DateTimeField(_) | CeilFloorKind::Scale(_) => {
                Err(not_supported(place, format!("{} with a unit or a scale", function.name())))
            }
        }
    }

    pub(super) fn substring(
        &mut self,
        value: &AstExpr,
        from: Option<&AstExpr>,
        length: Option<&AstExpr>,
        context: &mut Context<'_>,
    ) -> Result<Expr> {
        let value = self.expression(value, context)?;
        let place = value.location;
        let from = match from {
            Some(from) => self.expression(from, context)?,
            None => Expr::literal(Value::Integer(1), Type::BigInt),
        };
        let mut args = vec![value, from];
        if let Some(length) = length {
            args.push(self.expression(length, context)?);
        }
        self.scalar_call(ScalarFunction::Substring, args, place)
    }

    pub(super) fn trim(
        &mut self,
        side: Option<&TrimWhereField>,
        characters: Option<&AstExpr>,
        value: &AstExpr,
        context: &mut Context<'_>,
    ) -> Result<Expr> {
        let value = self.expression(value, context)?;
        let place = value.location;
        let function = match side {
            None | Some(TrimWhereField::Both) => ScalarFunction::Trim,
            Some(TrimWhereField::Leading) => ScalarFunction::Ltrim,
            Some(TrimWhereField::Trailing) => ScalarFunction::Rtrim,
        };
        let mut args = vec![value];
        if let Some(characters) = characters {
            args.push(self.expression(characters, context)?);
        }
        self.scalar_call(function, args, place)
    }
}

/// Checks the arguments of `format`: a pattern, and values that can be formatted.
fn check_formatted(args: &[Expr]) -> Result<()> {
    let [pattern, values @ ..] = args else { return Ok(()) };
    if !pattern.data_type.is_varchar() {
        let message =
            format!("Type of first argument to format() must be VARCHAR (actual: {})", pattern.data_type);
        return Err(type_mismatch(pattern.location, message));
    }
    match values.iter().find(|value| !can_cast(&value.data_type, &Type::VARCHAR)) {
        Some(value) => {
            let message = format!("Type not supported for formatting: {}", value.data_type);
            Err(not_supported(value.location, message))
        }
        None => Ok(()),
    }
}

const EXTRACT_FIELDS: [&str; 17] = [
    "YEAR",
    "QUARTER",
    "MONTH",
    "WEEK",
    "DAY",
    "DAY_OF_MONTH",
    "DAY_OF_WEEK",
    "DOW",
    "DAY_OF_YEAR",
    "DOY",
    "YEAR_OF_WEEK",
    "YOW",
    "HOUR",
    "MINUTE",
    "SECOND",
    "TIMEZONE_MINUTE",
    "TIMEZONE_HOUR",
];

/// The types, besides timestamps, that have a field of EXTRACT.
#[derive(Clone, Copy)]
enum Parts {
    Dates,
    DatesAndMonthIntervals,
    DatesAndDayIntervals,
    Clocks,
    Zones,
}

impl Parts {
    const fn are_of(self, data_type: &Type) -> bool {
        match data_type {
            Type::TimestampWithTimeZone { .. } => true,
            Type::TimeWithTimeZone { .. } => matches!(self, Self::Clocks | Self::Zones),
            Type::Timestamp { .. } => !matches!(self, Self::Zones),
            Type::Date => !matches!(self, Self::Clocks | Self::Zones),
            Type::Time { .. } => matches!(self, Self::Clocks),
            Type::IntervalYearToMonth => matches!(self, Self::DatesAndMonthIntervals),
            Type::IntervalDayToSecond => matches!(self, Self::DatesAndDayIntervals | Self::Clocks),
            _ => false,
        }
    }
}

fn extract_field(name: &str) -> Option<(ScalarFunction, Parts)> {
    Some(match name {
        "YEAR" => (ScalarFunction::Year, Parts::DatesAndMonthIntervals),
        "QUARTER" => (ScalarFunction::Quarter, Parts::Dates),
        "MONTH" => (ScalarFunction::Month, Parts::DatesAndMonthIntervals),
        "WEEK" => (ScalarFunction::Week, Parts::Dates),
        "DAY" => (ScalarFunction::Day, Parts::DatesAndDayIntervals),
        "DAY_OF_MONTH" => (ScalarFunction::Day, Parts::Dates),
        "DAY_OF_WEEK" | "DOW" => (ScalarFunction::DayOfWeek, Parts::Dates),
        "DAY_OF_YEAR" | "DOY" => (ScalarFunction::DayOfYear, Parts::Dates),
        "YEAR_OF_WEEK" | "YOW" => (ScalarFunction::YearOfWeek, Parts::Dates),
        "HOUR" => (ScalarFunction::Hour, Parts::Clocks),
        "MINUTE" => (ScalarFunction::Minute, Parts::Clocks),
        "SECOND" => (ScalarFunction::Second, Parts::Clocks),
        "TIMEZONE_MINUTE" => (ScalarFunction::TimezoneMinute, Parts::Zones),
        "TIMEZONE_HOUR" => (ScalarFunction::TimezoneHour, Parts::Zones),
        _ => return None,
    })
}
