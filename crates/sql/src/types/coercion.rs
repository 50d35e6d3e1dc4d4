//! Conversions between types: implicit ones (a common super type, as in Trino's `TypeCoercion`) and those by CAST.

use super::{MAX_CHAR_LENGTH, MAX_DECIMAL_PRECISION, RowField, Type, Zones};

/// The type to which both sides of a comparison, branches of a CASE or columns of a UNION are converted.
pub fn common_super_type(left: &Type, right: &Type) -> Option<Type> {
    use Type::{
        Array, Char, Date, Double, Real, Row, Time, TimeWithTimeZone, Timestamp, TimestampWithTimeZone,
        Unknown, Varchar,
    };
    if left == right {
        return Some(left.clone());
    }
    Some(match (left, right) {
        (Unknown, other) | (other, Unknown) => other.clone(),
        (a, b) if a.is_integer() && b.is_integer() => wider_integer(a, b),
        (Double, other) | (other, Double) if other.is_numeric() => Double,
        (Real, other) | (other, Real) if other.is_numeric() => Real,
        (a, b) if a.as_decimal().is_some() && b.as_decimal().is_some() => {
            let ((p1, s1), (p2, s2)) = (a.as_decimal()?, b.as_decimal()?);
            let scale = s1.max(s2);
            let precision = (p1 - s1).max(p2 - s2).saturating_add(scale).min(MAX_DECIMAL_PRECISION);
            Type::decimal(precision, scale)
        }
        (Varchar { length: a }, Varchar { length: b }) => Varchar { length: longer(*a, *b) },
        (Char { length: a }, Char { length: b }) => Char { length: *a.max(b) },
        (Char { length: a }, Varchar { length: b }) | (Varchar { length: b }, Char { length: a }) => {
            Char { length: b.unwrap_or(MAX_CHAR_LENGTH).min(MAX_CHAR_LENGTH).max(*a) }
        }
        (Time { precision: a }, TimeWithTimeZone { precision: b, offset })
        | (TimeWithTimeZone { precision: b, offset }, Time { precision: a }) => {
            TimeWithTimeZone { precision: *a.max(b), offset: offset.and(Zones::OF_SESSION) }
        }
        (
            TimeWithTimeZone { precision: a, offset: left },
            TimeWithTimeZone { precision: b, offset: right },
        ) => TimeWithTimeZone { precision: *a.max(b), offset: left.with(*right) },
        (Time { precision: a }, Time { precision: b }) => Time { precision: *a.max(b) },
        (Date, Timestamp { precision }) | (Timestamp { precision }, Date) => {
            Timestamp { precision: *precision }
        }
        (Timestamp { precision: a }, Timestamp { precision: b }) => Timestamp { precision: *a.max(b) },
        (Date, TimestampWithTimeZone { precision, zone })
        | (TimestampWithTimeZone { precision, zone }, Date) => {
            TimestampWithTimeZone { precision: *precision, zone: zone.clone().and(Zones::OF_SESSION) }
        }
        (Timestamp { precision: a }, TimestampWithTimeZone { precision: b, zone })
        | (TimestampWithTimeZone { precision: b, zone }, Timestamp { precision: a }) => {
            TimestampWithTimeZone { precision: *a.max(b), zone: zone.clone().and(Zones::OF_SESSION) }
        }
        (
            TimestampWithTimeZone { precision: a, zone: left },
            TimestampWithTimeZone { precision: b, zone: right },
        ) => TimestampWithTimeZone { precision: *a.max(b), zone: left.with(right) },
        (Array(a), Array(b)) => Type::array(common_super_type(a, b)?),
        (Type::Map(k, v), Type::Map(l, w)) => Type::map(common_super_type(k, l)?, common_super_type(v, w)?),
        (Row(a), Row(b)) if a.len() == b.len() => Row(a
            .iter()
            .zip(b)
            .map(|(a, b)| {
                let name = if a.name == b.name { a.name.clone() } else { None };
                Some(RowField { name, data_type: common_super_type(&a.data_type, &b.data_type)? })
            })
            .collect::<Option<_>>()?),
        _ => return None,
    })
}

/// Whether a value of `from` is implicitly converted to `to`.
pub fn can_coerce(from: &Type, to: &Type) -> bool {
    use Type::{Date, Time, TimeWithTimeZone, Timestamp, TimestampWithTimeZone};
    match (from, to) {
        (Type::Row(a), Type::Row(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(from, to)| can_coerce(&from.data_type, &to.data_type))
        }
        (Type::Array(a), Type::Array(b)) => can_coerce(a, b),
        (Type::Map(k, v), Type::Map(l, w)) => can_coerce(k, l) && can_coerce(v, w),
        // A value without a zone has that of the session, one of another zone would lose it.
        (Date, TimestampWithTimeZone { .. }) => true,
        (Timestamp { precision: from }, TimestampWithTimeZone { precision: to, .. })
        | (Time { precision: from }, TimeWithTimeZone { precision: to, .. }) => from <= to,
        (
            TimestampWithTimeZone { precision: from, zone: own },
            TimestampWithTimeZone { precision: to, zone },
        ) => from <= to && zone.takes(own),
        (TimeWithTimeZone { precision: from, offset: own }, TimeWithTimeZone { precision: to, offset }) => {
            from <= to && offset.takes(*own)
        }
        _ => common_super_type(from, to).as_ref() == Some(to),
    }
}

/// Whether `CAST(from AS to)` is supported (individual values may still fail).
pub fn can_cast(from: &Type, to: &Type) -> bool {
    use Type::{
        Array, Boolean, Char, Date, IpAddress, Json, Row, Time, TimeWithTimeZone, Timestamp,
        TimestampWithTimeZone, Unknown, Uuid, Varbinary, Varchar,
    };
    match (from, to) {
        (Unknown, _) => true,
        (a, b) if a == b => true,
        (Char { .. }, b) => b.is_text(),
        (a, Char { .. }) => a.is_varchar(),
        (Uuid | IpAddress, Varbinary | Varchar { length: None })
        | (Varbinary | Varchar { .. }, Uuid | IpAddress) => true,
        (Uuid | IpAddress, _) | (_, Uuid | IpAddress) => false,
        (a, Varbinary) | (Varbinary, a) if a.is_sketch() => true,
        (a, _) | (_, a) if a.is_sketch() => false,
        (a, b) if (a.is_numeric() || *a == Boolean) && (b.is_numeric() || *b == Boolean) => true,
        (Json, b) => can_cast_from_json(b),
        (a, Json) => can_cast_to_json(a),
        (a, Varchar { .. }) => !matches!(a, Array(_) | Type::Map(..) | Row(_) | Varbinary),
        (Varchar { .. }, b) => {
            b.is_numeric()
                || matches!(b, Boolean | Date | Time { .. } | TimeWithTimeZone { .. })
                || matches!(b, Timestamp { .. } | TimestampWithTimeZone { .. } | Varbinary)
        }
        (Date, Timestamp { .. } | TimestampWithTimeZone { .. })
        | (Time { .. } | TimeWithTimeZone { .. }, Time { .. } | TimeWithTimeZone { .. })
        | (
            Timestamp { .. } | TimestampWithTimeZone { .. },
            Date | Time { .. } | TimeWithTimeZone { .. } | Timestamp { .. } | TimestampWithTimeZone { .. },
        ) => true,
        (Array(a), Array(b)) => can_cast(a, b),
        (Type::Map(k, v), Type::Map(l, w)) => can_cast(k, l) && can_cast(v, w),
        (Row(a), Row(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| can_cast(&a.data_type, &b.data_type))
        }
        _ => false,
    }
}

/// Whether `CAST(from AS to)` has a value for each value of `from`. Dates are taken for such that a timestamp of at most six
/// digits can hold: comparisons of the two would otherwise stay above joins.
pub fn cast_never_fails(from: &Type, to: &Type) -> bool {
    use Type::{
        Boolean, Date, Decimal, Double, IpAddress, Real, Time, TimeWithTimeZone, Timestamp,
        TimestampWithTimeZone, Uuid, Varchar,
    };
    match (from, to) {
        (Type::Unknown, _) => true,
        (from, to) if from == to => true,
        (from, to) if from.is_text() && to.is_text() => true,
        (Type::Array(from), Type::Array(to)) => cast_never_fails(from, to),
        // Keys that are equal after the cast are an error.
        (Type::Map(key, value), Type::Map(to_key, to_value)) => {
            key == to_key && cast_never_fails(value, to_value)
        }
        (Type::Row(from), Type::Row(to)) => {
            let mut fields = from.iter().zip(to);
            from.len() == to.len()
                && fields.all(|(from, to)| cast_never_fails(&from.data_type, &to.data_type))
        }
        (from, Real | Double) => from.is_numeric() || *from == Boolean,
        (from, Boolean) => from.is_numeric(),
        (Boolean, to) if to.is_integer() => true,
        (Boolean, Decimal { precision, scale }) => precision > scale,
        (from, to) if from.is_integer() && to.is_integer() => from.as_decimal() < to.as_decimal(),
        (from, Decimal { precision, scale }) => from.as_decimal().is_some_and(|(digits, own_scale)| {
            own_scale <= *scale && digits - own_scale <= precision - scale
        }),
        (from, Varchar { length }) => match length {
            None => {
                let is_scalar =
                    from.is_numeric() || from.is_interval() || matches!(from, Boolean | Uuid | IpAddress);
                is_scalar
                    || matches!(from, Date | Time { .. } | TimeWithTimeZone { .. })
                    || matches!(from, Timestamp { .. } | TimestampWithTimeZone { .. })
            }
            Some(length) => most_characters(from).is_some_and(|most| most <= *length),
        },
        // Nanoseconds cover fewer years than other units.
        (_, Timestamp { precision: 7.. } | TimestampWithTimeZone { precision: 7.., .. }) => false,
        (Date, Timestamp { .. } | TimestampWithTimeZone { .. }) => true,
        (Time { .. } | TimeWithTimeZone { .. }, Time { .. } | TimeWithTimeZone { .. }) => true,
        (
            Timestamp { .. } | TimestampWithTimeZone { .. },
            Date | Time { .. } | TimeWithTimeZone { .. } | Timestamp { .. } | TimestampWithTimeZone { .. },
        ) => true,
        _ => false,
    }
}

/// Maximum number of characters of an exact number's text; `None` for texts of other types.
pub const fn most_characters(data_type: &Type) -> Option<u32> {
    Some(match data_type {
        Type::TinyInt => 4,
        Type::SmallInt => 6,
        Type::Integer => 11,
        Type::BigInt => 20,
        // A sign, a zero before the point, and the point.
        Type::Decimal { precision, .. } => *precision as u32 + 3,
        _ => return None,
    })
}

/// Whether `json` can be cast to the type.
fn can_cast_from_json(data_type: &Type) -> bool {
    match data_type {
        Type::Boolean | Type::Varchar { .. } | Type::Json => true,
        Type::Array(element) => can_cast_from_json(element),
        Type::Map(key, value) => can_be_json_key(key) && can_cast_from_json(value),
        Type::Row(fields) => fields.iter().all(|field| can_cast_from_json(&field.data_type)),
        other => other.is_numeric(),
    }
}

/// Whether the type can be cast to and from the name of an object's member.
fn can_be_json_key(data_type: &Type) -> bool {
    matches!(data_type, Type::Unknown | Type::Boolean | Type::Varchar { .. }) || data_type.is_numeric()
}

/// Whether the type can be cast to `json`.
fn can_cast_to_json(data_type: &Type) -> bool {
    match data_type {
        Type::Unknown | Type::Date | Type::Timestamp { .. } => true,
        Type::Array(element) => can_cast_to_json(element),
        Type::Map(key, value) => can_be_json_key(key) && can_cast_to_json(value),
        Type::Row(fields) => fields.iter().all(|field| can_cast_to_json(&field.data_type)),
        other => can_cast_from_json(other),
    }
}

/// The length of a `varchar` that holds the values of both; `None` is unbounded.
fn longer(a: Option<u32>, b: Option<u32>) -> Option<u32> {
    Some(a?.max(b?))
}

fn wider_integer(a: &Type, b: &Type) -> Type {
    let rank = |data_type: &Type| match data_type {
        Type::TinyInt => 0,
        Type::SmallInt => 1,
        Type::Integer => 2,
        _ => 3,
    };
    if rank(a) >= rank(b) { a.clone() } else { b.clone() }
}
