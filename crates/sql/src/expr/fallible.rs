//! Determines which expressions are constant, and which can fail for some value.

use super::{ArithmeticOperator, Expr, ExprKind, Value};
use crate::functions::ScalarFunction;
use crate::types::{Type, cast_never_fails};

/// Whether an expression names no column and has the same value in every row.
pub fn is_constant(expr: &Expr) -> bool {
    let is_fixed = |part: &Expr| match &part.kind {
        ExprKind::Call { function, args: _ } => !function.is_random() && *function != ScalarFunction::Fail,
        _ => true,
    };
    !expr.any(&|part| !is_fixed(part)) && expr.columns().is_empty()
}

/// Whether an expression fails for some value, so that it must not be evaluated where SQL would not evaluate it.
pub fn is_fallible(expr: &Expr) -> bool {
    can_fail_beyond(expr, &[])
}

/// Whether an expression fails for some value, given that `known` have not failed.
pub fn can_fail_beyond(expr: &Expr, known: &[&Expr]) -> bool {
    if known.contains(&expr) {
        return false;
    }
    if let ExprKind::Call { function: ScalarFunction::Try | ScalarFunction::Fails, args } = &expr.kind {
        return args.iter().any(|arg| arg.any(&passes_try));
    }
    itself_can_fail(expr) || expr.children().into_iter().any(|child| can_fail_beyond(child, known))
}

/// Whether an expression fails for some values of its columns. Constants in it, such as `DATE '2000-01-01' + INTERVAL '1' DAY`,
/// are those of every row.
pub fn can_fail_by_row(expr: &Expr) -> bool {
    if is_constant(expr) {
        return false;
    }
    if let ExprKind::Call { function: ScalarFunction::Try | ScalarFunction::Fails, args } = &expr.kind {
        return args.iter().any(|arg| arg.any(&passes_try));
    }
    itself_can_fail(expr) || expr.children().into_iter().any(can_fail_by_row)
}

/// Whether an expression may have errors that TRY does not catch.
fn passes_try(expr: &Expr) -> bool {
    use ScalarFunction as F;
    match &expr.kind {
        ExprKind::Lambda { .. } => true,
        ExprKind::Call { function, args: _ } => {
            let has_path = matches!(function, F::JsonExists | F::JsonValue | F::JsonQuery | F::JsonTable);
            has_path || matches!(function, F::Fail | F::Routine)
        }
        _ => false,
    }
}

/// The expressions that are evaluated whenever `expr` is and can fail: in rows where `expr` has succeeded, they do not
/// fail.
pub fn always_evaluated(expr: &Expr) -> Vec<&Expr> {
    let mut found = Vec::new();
    // Random functions return other values at the next evaluation.
    if !expr.is_random() {
        add_always_evaluated(expr, &mut found);
    }
    found
}

fn add_always_evaluated<'e>(expr: &'e Expr, found: &mut Vec<&'e Expr>) {
    // What evaluates its parts in some of the rows is evaluated itself in all of them.
    let is_conditional = matches!(
        &expr.kind,
        ExprKind::And(_)
            | ExprKind::Or(_)
            | ExprKind::Case { .. }
            | ExprKind::Call { function: ScalarFunction::Coalesce | ScalarFunction::Try, .. }
    );
    if is_conditional || itself_can_fail(expr) {
        found.push(expr);
    }
    for (child, is_always) in evaluated_children(expr) {
        if is_always {
            add_always_evaluated(child, found);
        }
    }
}

/// The children of an expression, each with whether it is evaluated wherever the expression is, so that an error in it
/// is an error of the expression. The evaluation of most operators ends at the first operand that is NULL (D171).
pub fn evaluated_children(expr: &Expr) -> Vec<(&Expr, bool)> {
    use ScalarFunction as F;
    let children = expr.children();
    let always = match &expr.kind {
        // The body is evaluated for elements, of which there may be none; TRY catches errors.
        ExprKind::Lambda { .. } | ExprKind::Call { function: F::Try | F::Fails, .. } => 0,
        ExprKind::And(_)
        | ExprKind::Or(_)
        | ExprKind::Case { .. }
        | ExprKind::InList { .. }
        | ExprKind::Call { function: F::Coalesce, .. } => 1,
        ExprKind::Call {
            function: F::ArrayConstructor | F::RowConstructor | F::Greatest | F::Least, ..
        } => children.len(),
        ExprKind::Comparison { operator, .. } if operator.sees_null() => children.len(),
        _ => 1 + children.iter().take_while(|child| !can_be_null(child)).count(),
    };
    children.into_iter().enumerate().map(|(place, child)| (child, place < always)).collect()
}

/// Whether an expression may be NULL, judging by its operator.
pub fn can_be_null(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(value) => *value == Value::Null,
        ExprKind::IsNull(_) => false,
        ExprKind::Comparison { operator, .. } => !operator.sees_null(),
        ExprKind::Call { function, .. } => {
            !matches!(function, ScalarFunction::ArrayConstructor | ScalarFunction::RowConstructor)
        }
        _ => true,
    }
}

/// Whether an expression fails for some values of its operands.
pub fn itself_can_fail(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Arithmetic { operator, left, right } => {
            let can_divide = matches!(operator, ArithmeticOperator::Divide | ArithmeticOperator::Modulus);
            match expr.data_type {
                Type::Real | Type::Double => false,
                Type::Decimal { precision, .. } => can_divide || precision == 38,
                _ => !Expr::cannot_overflow(*operator, left, right, &expr.data_type),
            }
        }
        ExprKind::Negate(_) => expr.data_type.is_integer(),
        ExprKind::Cast { input, is_try } => !is_try && !cast_never_fails(&input.data_type, &expr.data_type),
        ExprKind::Call { function, args } => call_can_fail(*function, args),
        ExprKind::Like { pattern, escape, .. } => escape.is_some() && pattern.as_literal().is_none(),
        _ => false,
    }
}

/// The units of `date_trunc` and the like that every date has.
pub(crate) const UNITS_OF_CALENDAR: [&str; 5] = ["day", "week", "month", "quarter", "year"];

/// Whether the bounds of `random` are constants that make a range.
fn has_valid_bounds(args: &[Expr]) -> bool {
    let bounds: Vec<Option<&Value>> = args.iter().map(Expr::as_literal).collect();
    match bounds.as_slice() {
        [] => true,
        [Some(Value::Integer(end))] => *end > 0,
        [Some(Value::Integer(start)), Some(Value::Integer(end))] => start < end,
        _ => false,
    }
}

/// Whether the first argument is the name of a unit that the values of the second one's type have.
fn has_unit_of_type(args: &[Expr]) -> bool {
    let [unit, value, ..] = args else { return false };
    let Some(Value::Varchar(unit)) = unit.as_literal() else { return false };
    let is_one_of = |units: &[&str]| units.iter().any(|known| known.eq_ignore_ascii_case(unit));
    match value.data_type {
        Type::Date => is_one_of(&UNITS_OF_CALENDAR),
        Type::Timestamp { .. } | Type::TimestampWithTimeZone { .. } => {
            is_one_of(&UNITS_OF_CALENDAR) || is_one_of(&["hour", "minute", "second", "millisecond"])
        }
        _ => false,
    }
}

/// Whether the function fails for some arguments.
#[expect(clippy::too_many_lines, reason = "an arm a function, exhaustive")]
pub fn call_can_fail(function: ScalarFunction, args: &[Expr]) -> bool {
    use ScalarFunction as F;
    match function {
        // `strpos` fails only for instance 0, and `split_part` for parts up to 0.
        F::Strpos => args.len() > 2,
        F::SplitPart => !matches!(args.get(2).and_then(Expr::as_literal), Some(Value::Integer(1..))),
        // Doubles overflow to infinity.
        F::Abs | F::Round | F::Truncate => {
            !args.first().is_some_and(|value| matches!(value.data_type, Type::Real | Type::Double))
        }
        // The start of a unit is taken for a value of the type, as dates are for timestamps.
        F::DateTrunc | F::DateDiff => !has_unit_of_type(args),
        F::Random => !has_valid_bounds(args),
        // Any bytes can be cast to a sketch.
        F::Cardinality => args.first().is_some_and(|set| set.data_type.is_sketch()),
        F::Ceil
        | F::Floor
        | F::Sign
        | F::Sqrt
        | F::Cbrt
        | F::Power
        | F::Exp
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
        | F::Degrees
        | F::Radians
        | F::Greatest
        | F::Least
        | F::IsNan
        | F::IsFinite
        | F::IsInfinite
        | F::BitwiseAnd
        | F::BitwiseOr
        | F::BitwiseXor
        | F::BitwiseNot
        | F::BitwiseLeftShift
        | F::BitwiseRightShift
        | F::Length
        | F::Lower
        | F::Upper
        | F::Trim
        | F::Ltrim
        | F::Rtrim
        | F::Substring
        | F::Replace
        | F::Concat
        | F::ConcatWs
        | F::StartsWith
        | F::EndsWith
        | F::Translate
        | F::Coalesce
        | F::Nullif
        | F::Try
        | F::Fails
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
        | F::Millisecond
        | F::Normalize
        | F::JsonFormat
        | F::ArrayConstructor
        | F::RowConstructor
        | F::Shuffle
        | F::Uuid
        | F::FormatNumber
        | F::Timezone
        | F::ToMilliseconds
        | F::BitwiseRightShiftArithmetic
        | F::ContainsSequence
        | F::Zip
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
        | F::MapKeys
        | F::MapValues
        | F::MapEntries
        | F::ArrayHistogram
        | F::ToUtf8
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
        | F::UrlEncode
        | F::UrlExtractProtocol
        | F::UrlExtractHost
        | F::UrlExtractPort
        | F::UrlExtractPath
        | F::UrlExtractQuery
        | F::EmptyApproxSet
        | F::UrlExtractFragment => false,
        F::ValueAtQuantile
        | F::ValuesAtQuantiles
        | F::QuantileAtValue
        | F::OfGroup
        | F::Routine
        | F::Map
        | F::MapFromEntries
        | F::MultimapFromEntries
        | F::MapConcat
        | F::SplitToMap
        | F::SplitToMultimap
        | F::TransformKeys
        | F::HmacMd5
        | F::HmacSha1
        | F::HmacSha256
        | F::HmacSha512
        | F::Soundex
        | F::LikePattern
        | F::LuhnCheck
        | F::WordStem
        | F::Format
        | F::HumanReadableSeconds
        | F::ParseDuration
        | F::ParseDataSize
        | F::FromUnixtimeNanos
        | F::FromIso8601TimestampNanos
        | F::FormatDatetime
        | F::ParseDatetime
        | F::ToChar
        | F::ToDate
        | F::ToTimestamp
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
        | F::CosineDistance
        | F::Combinations
        | F::Ngrams
        | F::TrimArray
        | F::WidthBucket
        | F::Reverse
        | F::Lpad
        | F::Rpad
        | F::Split
        | F::Chr
        | F::Codepoint
        | F::Repeat
        | F::HammingDistance
        | F::LevenshteinDistance
        | F::RegexpLike
        | F::RegexpExtract
        | F::RegexpExtractAll
        | F::RegexpReplace
        | F::RegexpCount
        | F::RegexpPosition
        | F::RegexpSplit
        | F::Fail
        | F::TimezoneHour
        | F::TimezoneMinute
        | F::DateAdd
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
        | F::JsonParse
        | F::JsonExists
        | F::JsonValue
        | F::JsonQuery
        | F::JsonObject
        | F::JsonArray
        | F::JsonTable
        | F::JsonExtract
        | F::JsonArrayGet
        | F::JsonArrayContains
        | F::IsJsonScalar
        | F::JsonExtractScalar
        | F::JsonArrayLength
        | F::JsonSize
        | F::Subscript
        | F::ElementAt
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
        | F::FromUtf8
        | F::FromHex
        | F::FromBase64
        | F::FromBase64url
        | F::FromBase32
        | F::FromBigEndian32
        | F::FromBigEndian64
        | F::FromIeee754Of32
        | F::FromIeee754Of64
        | F::UrlDecode
        | F::UrlExtractParameter => true,
    }
}
