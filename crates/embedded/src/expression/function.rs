//! Calls of scalar functions. Functions with special treatment of NULLs or special evaluation are here, the others in
//! files by subject.

use polars::prelude::{Expr as PolarsExpr, NULL, concat_str, lit, when};
use rowhouse_model::{ErrorCode, QueryError};

use self::arguments::{call_arguments, ending_arguments, lower_arguments, takes_nulls};
use self::lambda::OnFailure;
use super::super::datum::{Argument, Datum, Nulls, check_range, row_by_row};
use super::super::failure::{is_caught_by_try, raise};
use super::cast::cast_value;
use super::comparison::compared;
use super::conditional::coalesce;
use super::operands::lower_pair;
use super::{Guard, Staged, guarded, lower_guarded, null};
use crate::failure::not_supported;
use rowhouse_sql::expr::{ComparisonOperator, Expr, ExprKind, Value};
use rowhouse_sql::functions::ScalarFunction;
use rowhouse_sql::types::Type;

mod arguments;
mod array;
mod binary;
mod date_parts;
mod date_time;
mod format;
mod group;
mod json;
mod json_table;
mod lambda;
mod map;
mod math;
mod network;
mod random;
mod regexp;
mod sketch;
mod sql_json;
mod text;
mod try_expression;
mod url;

/// A function of the values of a row, which `row_by_row` applies.
type RowFunction =
    Box<dyn for<'a> Fn(&[Datum<'a>]) -> polars::prelude::PolarsResult<Datum<'static>> + Send + Sync>;

pub(super) fn call(
    function: ScalarFunction,
    args: &[Expr],
    whole: &Expr,
    guard: &Guard,
    staged: &mut Staged,
) -> Result<PolarsExpr, QueryError> {
    use ScalarFunction as F;
    match function {
        F::Coalesce => return coalesce(args, guard, staged),
        F::Nullif => {
            let [value, other] = lower_pair(&args[0], &args[1], guard, staged)?;
            let value = staged.copyable(value);
            // The value keeps its type; it is compared in the other argument's type, to which it coerces.
            let common = &args[1].data_type;
            let as_common = cast_value(value.clone(), &args[0].data_type, common, false, guard);
            let operands = ((&args[0].clone().cast_to(common), as_common), (&args[1], other));
            let equal = compared(ComparisonOperator::Equal, operands.0, operands.1, staged);
            return Ok(when(equal).then(lit(NULL).cast(super::storage(&whole.data_type))).otherwise(value));
        }
        F::Try => return try_expression::attempt(&args[0], guard, staged),
        F::Fails => return fails(&args[0], guard, staged),
        F::Fail => return fail(args, whole, guard, staged),
        _ if lambda::takes_one(args) => {
            return lambda::call(function, args, whole, guard, staged, OnFailure::Fail);
        }
        _ => {}
    }
    if function == F::Concat
        && let Some(parts) = text::parts(args)
    {
        return Ok(match lower_arguments(&parts, parts.len(), guard, staged)? {
            Some(texts) => concat_str(texts, "", false),
            None => null(&whole.data_type),
        });
    }
    let Some(lowered) = call_arguments(whole, args, guard, staged)? else {
        return Ok(null(&whole.data_type));
    };
    if let Some(fast) = date_parts::date_part(function, &lowered, args) {
        return Ok(fast);
    }
    if let Some(fast) = date_parts::date_diff(function, &lowered, args) {
        return Ok(fast);
    }
    if let Some(fast) = date_parts::unixtime(function, &lowered, args) {
        return Ok(fast);
    }
    // A guard applies to the first argument, which is the unit.
    if guard.is_none()
        && let Some(fast) = date_parts::date_trunc(function, &lowered, args)
    {
        return Ok(fast);
    }
    if function == F::Random {
        return random::random(lowered, args, &whole.data_type, whole.location, staged);
    }
    if function == F::Uuid {
        return random::uuids(whole.location, staged);
    }
    if function == F::Shuffle {
        return random::shuffle(lowered, args, whole.location, staged);
    }
    if let Some(fast) = text::fast(function, &lowered, args) {
        return Ok(fast);
    }
    if let Some(fast) = math::fast(function, &lowered, args, &whole.data_type) {
        return Ok(fast);
    }
    let (nulls, apply) = row_function(function, args, whole)?;
    Ok(row_by_row(arguments(lowered, args), whole.data_type.clone(), nulls, move |row| apply(row)))
}

/// Lowers a call that is NULL in the rows where the function fails.
fn try_call(
    function: ScalarFunction,
    args: &[Expr],
    whole: &Expr,
    staged: &mut Staged,
) -> Result<PolarsExpr, QueryError> {
    let (nulls, apply) = row_function(function, args, whole)?;
    let lowered = args.iter().map(|arg| lower_guarded(arg, &None, staged)).collect::<Result<Vec<_>, _>>()?;
    let output = whole.data_type.clone();
    let apply = move |row: &[Datum<'_>]| match apply(row)
        .and_then(|value| check_range(&value, &output).map(|()| value))
    {
        Err(error) if is_caught_by_try(&error) => Ok(Datum::Null),
        outcome => outcome,
    };
    Ok(row_by_row(arguments(lowered, args), whole.data_type.clone(), nulls, apply))
}

/// Whether a call has an error that TRY catches. Its arguments have none.
fn fails(call: &Expr, guard: &Guard, staged: &mut Staged) -> Result<PolarsExpr, QueryError> {
    let ExprKind::Call { function, args } = &call.kind else {
        return Err(not_supported("TRY of this expression", call.location));
    };
    if lambda::takes_one(args) {
        let found = lambda::call(*function, args, call, guard, staged, OnFailure::Mark)?;
        return Ok(found.fill_null(lit(false)));
    }
    let (nulls, apply) = row_function(*function, args, call)?;
    let Some(lowered) = call_arguments(call, args, guard, staged)? else { return Ok(lit(false)) };
    let output = call.data_type.clone();
    let apply = move |row: &[Datum<'_>]| match apply(row).and_then(|value| check_range(&value, &output)) {
        Ok(()) => Ok(Datum::Boolean(false)),
        Err(error) if is_caught_by_try(&error) => Ok(Datum::Boolean(true)),
        Err(error) => Err(error),
    };
    let found = row_by_row(arguments(lowered, args), Type::Boolean, nulls, apply);
    Ok(found.fill_null(lit(false)))
}

/// The function of the values of a row, by subject.
#[expect(clippy::too_many_lines, reason = "an arm a function")]
fn row_function(
    function: ScalarFunction,
    args: &[Expr],
    whole: &Expr,
) -> Result<(Nulls, RowFunction), QueryError> {
    use ScalarFunction as F;
    let types: Vec<Type> = args.iter().map(|arg| arg.data_type.clone()).collect();
    let of_map = matches!(types.first(), Some(Type::Map(..)));
    let found = match function {
        F::Subscript | F::ElementAt | F::Cardinality if of_map => map::function(function, &types),
        F::Cardinality if types.first() == Some(&Type::HyperLogLog) => sketch::function(function, &types),
        F::EmptyApproxSet | F::ValueAtQuantile | F::ValuesAtQuantiles | F::QuantileAtValue => {
            sketch::function(function, &types)
        }
        F::Map
        | F::MapKeys
        | F::MapValues
        | F::MapEntries
        | F::MapFromEntries
        | F::MultimapFromEntries
        | F::MapConcat
        | F::ArrayHistogram
        | F::SplitToMap
        | F::SplitToMultimap => map::function(function, &types),
        F::Abs
        | F::Ceil
        | F::Floor
        | F::Round
        | F::Truncate
        | F::Sign
        | F::Cbrt
        | F::Power
        | F::Ln
        | F::Log
        | F::Log2
        | F::Log10
        | F::Sin
        | F::Cos
        | F::Tan
        | F::Asin
        | F::Acos
        | F::Atan
        | F::Atan2
        | F::Sinh
        | F::Cosh
        | F::Tanh
        | F::Greatest
        | F::Least
        | F::WidthBucket
        | F::BitwiseAnd
        | F::BitwiseOr
        | F::BitwiseXor
        | F::BitwiseNot
        | F::BitwiseLeftShift
        | F::BitwiseRightShift
        | F::BitwiseRightShiftArithmetic
        | F::BitCount
        | F::ToBase
        | F::FromBase
        | F::NormalCdf
        | F::InverseNormalCdf
        | F::BetaCdf
        | F::InverseBetaCdf
        | F::TCdf
        | F::TPdf
        | F::WilsonIntervalLower
        | F::WilsonIntervalUpper
        | F::DotProduct
        | F::EuclideanDistance
        | F::CosineSimilarity
        | F::CosineDistance => math::function(function, &types, &whole.data_type),
        F::Trim
        | F::Ltrim
        | F::Rtrim
        | F::Strpos
        | F::Replace
        | F::ConcatWs
        | F::Split
        | F::SplitPart
        | F::StartsWith
        | F::EndsWith
        | F::Chr
        | F::Codepoint
        | F::Translate
        | F::LevenshteinDistance
        | F::HammingDistance
        | F::Soundex
        | F::LikePattern
        | F::LuhnCheck
        | F::WordStem
        | F::FormatNumber
        | F::HumanReadableSeconds
        | F::ParseDuration
        | F::ParseDataSize => text::function(function, &types),
        F::Format => Some(format::function(&types)),
        F::OfGroup => group::function(args, &whole.data_type),
        // Functions of texts, arrays and bytes.
        F::Reverse | F::Concat | F::Length | F::Substring | F::Lpad | F::Rpad => {
            text::function(function, &types)
                .or_else(|| array::function(function, &types))
                .or_else(|| binary::function(function, &types))
        }
        F::RegexpLike
        | F::RegexpExtract
        | F::RegexpExtractAll
        | F::RegexpReplace
        | F::RegexpCount
        | F::RegexpPosition
        | F::RegexpSplit => regexp::function(function, args),
        F::TimezoneHour
        | F::TimezoneMinute
        | F::DateTrunc
        | F::DateAdd
        | F::DateDiff
        | F::DateFormat
        | F::DateParse
        | F::FromUnixtime
        | F::ToUnixtime
        | F::FromIso8601Date
        | F::FromIso8601Timestamp
        | F::ToIso8601
        | F::LastDayOfMonth
        | F::AtTimezone
        | F::WithTimezone
        | F::InRowZone
        | F::FromUnixtimeNanos
        | F::FromIso8601TimestampNanos
        | F::FormatDatetime
        | F::ParseDatetime
        | F::ToChar
        | F::ToDate
        | F::ToTimestamp
        | F::Timezone
        | F::ToMilliseconds => date_time::function(function, &types, &whole.data_type),
        F::JsonParse
        | F::JsonFormat
        | F::JsonExtract
        | F::JsonExtractScalar
        | F::JsonArrayGet
        | F::JsonArrayContains
        | F::JsonArrayLength
        | F::IsJsonScalar
        | F::JsonSize => json::function(function, &types),
        F::Contains if matches!(types.get(1), Some(Type::IpAddress)) && types[0].is_varchar() => {
            Some(network::contains())
        }
        F::JsonExists | F::JsonValue | F::JsonQuery | F::JsonObject | F::JsonArray => {
            sql_json::function(function, args, &whole.data_type)
        }
        F::JsonTable => json_table::function(args, &whole.data_type),
        F::ArrayConstructor
        | F::RowConstructor
        | F::Subscript
        | F::ElementAt
        | F::Cardinality
        | F::Contains
        | F::ArrayPosition
        | F::ArrayDistinct
        | F::ArraySort
        | F::ArrayMax
        | F::ArrayMin
        | F::ArrayRemove
        | F::ArrayJoin
        | F::ArrayUnion
        | F::ArrayIntersect
        | F::ArrayExcept
        | F::ArraysOverlap
        | F::Slice
        | F::Sequence
        | F::Flatten
        | F::Repeat
        | F::Combinations
        | F::Ngrams
        | F::ContainsSequence
        | F::TrimArray
        | F::Zip => array::function(function, &types),
        F::ToUtf8
        | F::ToHex
        | F::ToBase64
        | F::ToBase64url
        | F::ToBase32
        | F::ToBigEndian32
        | F::ToBigEndian64
        | F::ToIeee754Of32
        | F::ToIeee754Of64
        | F::Crc32
        | F::Md5
        | F::Sha1
        | F::Sha256
        | F::Sha512
        | F::Xxhash64
        | F::Murmur3
        | F::SpookyHashV2Of32
        | F::SpookyHashV2Of64
        | F::HmacMd5
        | F::HmacSha1
        | F::HmacSha256
        | F::HmacSha512
        | F::FromUtf8
        | F::FromHex
        | F::FromBase64
        | F::FromBase64url
        | F::FromBase32
        | F::FromBigEndian32
        | F::FromBigEndian64
        | F::FromIeee754Of32
        | F::FromIeee754Of64 => binary::function(function, &types),
        F::UrlEncode
        | F::UrlExtractProtocol
        | F::UrlExtractHost
        | F::UrlExtractPort
        | F::UrlExtractPath
        | F::UrlExtractQuery
        | F::UrlExtractFragment
        | F::UrlDecode
        | F::UrlExtractParameter => url::function(function),
        // Functions that are lowered to Polars kernels or have a special evaluation.
        F::Sqrt
        | F::Exp
        | F::Degrees
        | F::Radians
        | F::Random
        | F::Uuid
        | F::Shuffle
        | F::Transform
        | F::Filter
        | F::Reduce
        | F::AnyMatch
        | F::AllMatch
        | F::NoneMatch
        | F::ZipWith
        | F::MapFilter
        | F::TransformValues
        | F::MapZipWith
        | F::TransformKeys
        | F::Routine
        | F::IsNan
        | F::IsFinite
        | F::IsInfinite
        | F::Lower
        | F::Upper
        | F::Normalize
        | F::Coalesce
        | F::Nullif
        | F::Try
        | F::Fails
        | F::Fail
        | F::Year
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
        | F::Millisecond => None,
    };
    found.ok_or_else(|| {
        let what = format!("function {} is not supported here", function.name());
        not_supported(&what, whole.location)
    })
}

fn arguments(lowered: Vec<PolarsExpr>, args: &[Expr]) -> Vec<Argument> {
    let types = args.iter().map(|arg| arg.data_type.clone());
    lowered.into_iter().zip(types).map(|(value, data_type)| Argument { value, data_type }).collect()
}

/// Lowers `fail`. Its arguments are the message and, if the front end has one, the error's name.
fn fail(args: &[Expr], whole: &Expr, guard: &Guard, staged: &mut Staged) -> Result<PolarsExpr, QueryError> {
    let message = &args[0];
    let name = args.get(1).and_then(literal_text);
    let code = name.and_then(|name| name.parse().ok()).unwrap_or(ErrorCode::GenericUserError);
    let value = guarded(lower_guarded(message, guard, staged)?, &message.data_type, guard);
    let argument = Argument { value, data_type: Type::VARCHAR };
    Ok(row_by_row(vec![argument], whole.data_type.clone(), Nulls::Propagate, move |row| {
        Err(raise(code, row[0].text()))
    }))
}

/// The text of an argument that is a literal.
fn literal_text(expr: &Expr) -> Option<&str> {
    match expr.as_literal() {
        Some(Value::Varchar(text)) => Some(text),
        _ => None,
    }
}

/// The integer of an argument that is a literal.
fn literal_integer(expr: &Expr) -> Option<i64> {
    match expr.as_literal() {
        Some(Value::Integer(value)) => Some(*value),
        _ => None,
    }
}

/// The error for an invalid argument.
fn invalid(message: impl AsRef<str>) -> polars::prelude::PolarsError {
    raise(ErrorCode::InvalidFunctionArgument, message)
}

#[cfg(test)]
mod tests;
