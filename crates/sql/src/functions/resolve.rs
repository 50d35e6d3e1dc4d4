//! Finds the signature that matches the arguments of a call, and the types to which they are coerced.

use super::map::resolve_map;
use super::sketch::resolve_sketch;
use super::{AggregateFunction, RankingFunction, ScalarFunction};
use crate::types::{RowField, Type, Zone, can_coerce, common_super_type};

/// The types of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolution {
    /// The type to which each argument is converted.
    pub arguments: Vec<Type>,
    /// The type of the call.
    pub result: Type,
}

/// No signature fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolveError {
    /// The existing signatures, for the message: `name(types) type` each.
    pub expected: Vec<String>,
}

/// Types a call of a scalar function.
pub fn resolve_scalar(function: ScalarFunction, arguments: &[Type]) -> Result<Resolution, ResolveError> {
    if function == ScalarFunction::RowConstructor && !arguments.is_empty() {
        let field = |data_type: &Type| RowField { name: None, data_type: data_type.clone() };
        return Ok(Resolution {
            arguments: arguments.to_vec(),
            result: Type::Row(arguments.iter().map(field).collect()),
        });
    }
    if function == ScalarFunction::Zip
        && let Some(fields) = zipped(arguments)
    {
        return Ok(Resolution {
            arguments: arguments_as_arrays(&fields),
            result: Type::array(Type::Row(fields)),
        });
    }
    if let Some(typed) = resolve_map(function, arguments).or_else(|| resolve_sketch(function, arguments)) {
        let resolution = typed.map(|(arguments, result)| Resolution { arguments, result });
        return resolution.ok_or_else(|| expected(function.name(), function.signatures()));
    }
    if let (ScalarFunction::Format, [pattern, _, ..]) = (function, arguments)
        && pattern.is_varchar()
    {
        // Any type can be formatted, so arguments are not converted.
        return Ok(Resolution { arguments: arguments.to_vec(), result: Type::VARCHAR });
    }
    if let (ScalarFunction::Nullif, [value, other]) = (function, arguments) {
        // Both are compared in their common type; the result keeps the value's own type.
        let common = common_super_type(value, other)
            .ok_or_else(|| expected(function.name(), function.signatures()))?;
        return Ok(Resolution { arguments: vec![value.clone(), common], result: value.clone() });
    }
    let mut resolution = resolve(function.name(), function.signatures(), arguments)?;
    if needs_order(function) && !resolution.arguments.iter().all(Type::is_orderable) {
        return Err(expected(function.name(), function.signatures()));
    }
    if resolution.result.is_varchar() {
        resolution.result = text_result(function, &resolution);
    }
    if function == ScalarFunction::DateDiff {
        use_first_zone(&mut resolution.arguments, arguments);
    }
    if let Type::Decimal { precision, scale } = resolution.result {
        let whole = precision - scale;
        let has_digits = resolution.arguments.len() > 1;
        resolution.result = match function {
            ScalarFunction::Sign => Type::decimal(1, 0),
            // Trino adds one digit for the carry, if there was a fraction to round.
            ScalarFunction::Ceil | ScalarFunction::Floor => {
                Type::decimal((whole + u8::from(scale > 0)).clamp(1, 38), 0)
            }
            ScalarFunction::Round if !has_digits => {
                Type::decimal((whole + u8::from(scale > 0)).clamp(1, 38), 0)
            }
            ScalarFunction::Round => Type::decimal((precision + 1).min(38), scale),
            ScalarFunction::Truncate if !has_digits => Type::decimal(whole.max(1), 0),
            _ => Type::decimal(precision, scale),
        };
    }
    Ok(resolution)
}

/// Whether the function compares values by order.
const fn needs_order(function: ScalarFunction) -> bool {
    use ScalarFunction as F;
    matches!(function, F::Greatest | F::Least | F::ArraySort | F::ArrayMax | F::ArrayMin)
}

/// The fields of the row type of zipped arrays; `None` if an argument is not an array, or their number is not 2 to 5.
fn zipped(arguments: &[Type]) -> Option<Vec<RowField>> {
    let field = |data_type: &Type| match data_type {
        Type::Array(element) => Some(RowField { name: None, data_type: (**element).clone() }),
        Type::Unknown => Some(RowField { name: None, data_type: Type::Unknown }),
        _ => None,
    };
    (2..=5).contains(&arguments.len()).then(|| arguments.iter().map(field).collect())?
}

fn arguments_as_arrays(fields: &[RowField]) -> Vec<Type> {
    fields.iter().map(|field| Type::array(field.data_type.clone())).collect()
}

/// Text result types that Trino bounds more precisely than the signature.
fn text_result(function: ScalarFunction, resolution: &Resolution) -> Type {
    let length = |data_type: &Type| match data_type {
        Type::Varchar { length } => length.map(u64::from),
        _ => None,
    };
    match (function, resolution.arguments.as_slice()) {
        (ScalarFunction::Chr, _) => Type::varchar(1),
        // A replacement before, between and after all characters.
        (ScalarFunction::Replace, [text, _, replacement]) => match length(text).zip(length(replacement)) {
            Some((text, replacement)) => Type::varchar(text + replacement * (text + 1)),
            None => Type::VARCHAR,
        },
        // A replacement of n characters may refer to n / 2 groups, each of which may be the whole text.
        (ScalarFunction::RegexpReplace, [text, _, replacement]) => {
            match length(text).zip(length(replacement)) {
                Some((text, replacement)) => {
                    let longest = (text * replacement / 2).max(replacement);
                    Type::varchar(longest.saturating_mul(text + 1).saturating_add(text))
                }
                None => Type::VARCHAR,
            }
        }
        // Each character may have four bytes in UTF-8, each of which is encoded as three characters.
        (ScalarFunction::UrlEncode, [text]) => {
            length(text).map_or(Type::VARCHAR, |text| Type::varchar(text * 12))
        }
        (ScalarFunction::ToIso8601, [argument]) => Type::varchar(match argument {
            Type::Timestamp { precision: 0 } => 22,
            Type::Timestamp { precision } => 23 + u64::from(*precision),
            Type::TimestampWithTimeZone { precision: 0, .. } => 28,
            Type::TimestampWithTimeZone { precision, .. } => 29 + u64::from(*precision),
            _ => 16,
        }),
        _ => resolution.result.clone(),
    }
}

/// Differences of two zoned timestamps are computed in the zone of the first one.
fn use_first_zone(wanted: &mut [Type], given: &[Type]) {
    let Some(Type::TimestampWithTimeZone { zone: first, .. }) = given.get(1) else { return };
    for data_type in wanted {
        if let Type::TimestampWithTimeZone { zone, .. } = data_type {
            zone.clone_from(first);
        }
    }
}

/// Types a call of an aggregate function.
pub fn resolve_aggregate(
    function: AggregateFunction,
    arguments: &[Type],
) -> Result<Resolution, ResolveError> {
    let is_integer = arguments.first().is_some_and(Type::is_integer);
    let of_double = matches!(function, AggregateFunction::Avg | AggregateFunction::GeometricMean);
    if of_double && is_integer && arguments.len() == 1 {
        return Ok(Resolution { arguments: vec![Type::Double], result: Type::Double });
    }
    let mut resolution = resolve(function.name(), function.signatures(), arguments)?;
    if function == AggregateFunction::Sum
        && let Type::Decimal { scale, .. } = resolution.result
    {
        resolution.result = Type::decimal(38, scale);
    }
    Ok(resolution)
}

/// Types a call of a function that is valid only over windows.
pub fn resolve_window(function: RankingFunction, arguments: &[Type]) -> Result<Resolution, ResolveError> {
    resolve(function.name(), function.signatures(), arguments)
}

fn resolve(name: &str, signatures: &[&str], arguments: &[Type]) -> Result<Resolution, ResolveError> {
    // First without, then with implicit coercions, so that `abs(tinyint)` does not become `abs(double)`.
    for may_coerce in [false, true] {
        for signature in signatures {
            if let Some(resolution) = Signature::parse(signature).bind(arguments, may_coerce) {
                return Ok(resolution);
            }
        }
    }
    Err(expected(name, signatures))
}

fn expected(name: &str, signatures: &[&str]) -> ResolveError {
    ResolveError { expected: signatures.iter().map(|signature| format!("{name}{signature}")).collect() }
}

/// A parsed signature.
struct Signature<'a> {
    parameters: Vec<Parameter<'a>>,
    result: &'a str,
}

struct Parameter<'a> {
    pattern: &'a str,
    is_optional: bool,
    is_repeated: bool,
}

/// The types bound to the type variables and open precisions of a signature.
#[derive(Default)]
struct Binding {
    t: Option<Type>,
    u: Option<Type>,
    decimal: Option<Type>,
    timestamp: Option<Type>,
    zoned: Option<Type>,
    time: Option<Type>,
    varchar: Option<Type>,
}

impl<'a> Signature<'a> {
    fn parse(text: &'a str) -> Self {
        // The first `)` before a space ends the parameters: `varchar(x)` and `row(T...)` contain others.
        let (parameters, result) = text.split_once(") ").unwrap_or((text, ""));
        let parameters = parameters.strip_prefix('(').unwrap_or(parameters);
        let parameters = parameters
            .split(", ")
            .filter(|parameter| !parameter.is_empty())
            .map(|parameter| {
                let is_repeated = parameter.ends_with("...");
                let is_optional = parameter.ends_with('?');
                Parameter { pattern: parameter.trim_end_matches(['.', '?']), is_optional, is_repeated }
            })
            .collect();
        Self { parameters, result: result.trim() }
    }

    /// The parameter for each argument; `None` if the number of arguments does not fit.
    fn parameters_for(&self, count: usize) -> Option<Vec<&'a str>> {
        let mut patterns: Vec<&str> = Vec::with_capacity(count);
        for parameter in &self.parameters {
            if parameter.is_repeated {
                if patterns.len() >= count {
                    return None;
                }
                patterns.resize(count, parameter.pattern);
            } else if patterns.len() < count {
                patterns.push(parameter.pattern);
            } else if !parameter.is_optional {
                return None;
            }
        }
        (patterns.len() == count).then_some(patterns)
    }

    fn bind(&self, arguments: &[Type], may_coerce: bool) -> Option<Resolution> {
        let patterns = self.parameters_for(arguments.len())?;
        let mut binding = Binding::default();
        for (pattern, argument) in patterns.iter().zip(arguments) {
            binding.bind_variable(pattern, argument, may_coerce)?;
        }
        let bound = patterns.iter().zip(arguments).map(|(pattern, argument)| match pattern {
            _ if is_text(pattern, argument) => Some(argument.clone()),
            pattern => binding.type_of(pattern),
        });
        let bound: Vec<Type> = bound.collect::<Option<_>>()?;
        let fits = bound
            .iter()
            .zip(arguments)
            .all(|(wanted, given)| given == wanted || (may_coerce && can_coerce(given, wanted)));
        fits.then(|| Some(Resolution { arguments: bound, result: binding.type_of(self.result)? }))?
    }
}

/// Whether a parameter is a text of any length, and the argument is a text.
fn is_text(pattern: &str, argument: &Type) -> bool {
    match argument {
        Type::Varchar { .. } => matches!(pattern, "varchar" | "varchar(x)"),
        Type::Array(element) => pattern == "[varchar]" && element.is_varchar(),
        _ => false,
    }
}

impl Binding {
    /// Binds the variable of a parameter's pattern to the type of an argument.
    fn bind_variable(&mut self, pattern: &str, argument: &Type, may_coerce: bool) -> Option<()> {
        if let Some(element) = pattern.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            return match argument {
                Type::Array(inner) => self.bind_variable(element, inner, may_coerce),
                Type::Unknown if may_coerce => Some(()),
                _ => None,
            };
        }
        let (slot, seen) = match pattern {
            "T" => (&mut self.t, argument.clone()),
            "U" => (&mut self.u, argument.clone()),
            "decimal" => match argument {
                Type::Decimal { .. } => (&mut self.decimal, argument.clone()),
                integer if may_coerce && integer.is_integer() => {
                    let (precision, scale) = integer.as_decimal()?;
                    (&mut self.decimal, Type::decimal(precision, scale))
                }
                Type::Unknown if may_coerce => (&mut self.decimal, Type::decimal(1, 0)),
                _ => return None,
            },
            "timestamp" => match argument {
                Type::Timestamp { .. } => (&mut self.timestamp, argument.clone()),
                Type::Date if may_coerce => (&mut self.timestamp, Type::Timestamp { precision: 3 }),
                _ => return None,
            },
            "timestamptz" => {
                let in_session_zone =
                    |precision| Type::TimestampWithTimeZone { precision, zone: Zone::utc() };
                match argument {
                    Type::TimestampWithTimeZone { .. } => (&mut self.zoned, argument.clone()),
                    Type::Unknown if may_coerce => return Some(()),
                    Type::Date if may_coerce => (&mut self.zoned, in_session_zone(0)),
                    Type::Timestamp { precision } if may_coerce => {
                        (&mut self.zoned, in_session_zone(*precision))
                    }
                    _ => return None,
                }
            }
            "time" => match argument {
                Type::Time { .. } => (&mut self.time, argument.clone()),
                Type::Unknown if may_coerce => return Some(()),
                _ => return None,
            },
            "varchar(x)" => match argument {
                Type::Varchar { .. } => (&mut self.varchar, argument.clone()),
                Type::Unknown if may_coerce => (&mut self.varchar, Type::varchar(0)),
                _ => return None,
            },
            _ => return Some(()),
        };
        *slot = Some(match slot.take() {
            None => seen,
            Some(before) => common_super_type(&before, &seen)?,
        });
        Some(())
    }

    fn type_of(&self, pattern: &str) -> Option<Type> {
        if let Some(element) = pattern.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            return Some(Type::array(self.type_of(element)?));
        }
        Some(match pattern {
            "T" => self.t.clone().unwrap_or(Type::Unknown),
            "U" => self.u.clone().unwrap_or(Type::Unknown),
            "decimal" => self.decimal.clone()?,
            "timestamp" => self.timestamp.clone().unwrap_or(Type::Timestamp { precision: 3 }),
            "timestamptz" => {
                self.zoned.clone().unwrap_or(Type::TimestampWithTimeZone { precision: 3, zone: Zone::utc() })
            }
            "time" => self.time.clone()?,
            "varchar(x)" => self.varchar.clone()?,
            row if row.starts_with("row(") => return None,
            "interval day" => Type::IntervalDayToSecond,
            "interval year" => Type::IntervalYearToMonth,
            name => crate::types::parse_type(name)?,
        })
    }
}
