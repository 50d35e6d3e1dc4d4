//! A naive implementation of D18: one value at a time, through serde_json and jiff. Slow, and independent of the
//! encoder that is compared with it.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Decimal128Type, DurationMicrosecondType, DurationMillisecondType, Float32Type, Float64Type,
    Int8Type, Int16Type, Int32Type, Int64Type, Time64MicrosecondType, Time64NanosecondType,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType,
    UInt64Type,
};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, TimeUnit};
use base64::Engine as _;
use jiff::civil::Date;
use jiff::tz::{Offset, TimeZone};
use jiff::{SignedDuration, Timestamp, ToSpan};

/// A value as JSON text.
pub(super) fn json(array: &dyn Array, row: usize) -> String {
    if array.is_null(row) || array.data_type() == &DataType::Null {
        return "null".to_owned();
    }
    let quoted = |text: String| serde_json::to_string(&text).expect("text");
    match array.data_type() {
        DataType::Boolean => array.as_boolean().value(row).to_string(),
        DataType::Int8 => array.as_primitive::<Int8Type>().value(row).to_string(),
        DataType::Int16 => array.as_primitive::<Int16Type>().value(row).to_string(),
        DataType::Int32 => array.as_primitive::<Int32Type>().value(row).to_string(),
        DataType::Int64 => array.as_primitive::<Int64Type>().value(row).to_string(),
        DataType::UInt64 => array.as_primitive::<UInt64Type>().value(row).to_string(),
        DataType::Float32 => {
            let value = array.as_primitive::<Float32Type>().value(row);
            float(value.into(), ryu::Buffer::new().format(value))
        }
        DataType::Float64 => {
            let value = array.as_primitive::<Float64Type>().value(row);
            float(value, ryu::Buffer::new().format(value))
        }
        DataType::Decimal128(_, scale) => {
            decimal(array.as_primitive::<Decimal128Type>().value(row), *scale as usize)
        }
        DataType::Date32 => quoted(date(array.as_primitive::<Date32Type>().value(row).into())),
        DataType::Time64(unit) => {
            let (value, per_second, digits) = match unit {
                TimeUnit::Microsecond => {
                    (array.as_primitive::<Time64MicrosecondType>().value(row), 1_000_000, 6)
                }
                _ => (array.as_primitive::<Time64NanosecondType>().value(row), 1_000_000_000, 9),
            };
            let (seconds, fraction) = (value / per_second, value % per_second);
            quoted(format!("{}.{fraction:0digits$}", clock(seconds)))
        }
        DataType::Timestamp(unit, zone) => {
            let (value, per_second, digits) = match unit {
                TimeUnit::Second => (array.as_primitive::<TimestampSecondType>().value(row), 1, 0),
                TimeUnit::Millisecond => {
                    (array.as_primitive::<TimestampMillisecondType>().value(row), 1000, 3)
                }
                TimeUnit::Microsecond => {
                    (array.as_primitive::<TimestampMicrosecondType>().value(row), 1_000_000, 6)
                }
                TimeUnit::Nanosecond => {
                    (array.as_primitive::<TimestampNanosecondType>().value(row), 1_000_000_000, 9)
                }
            };
            quoted(timestamp(
                value.div_euclid(per_second),
                value.rem_euclid(per_second),
                digits,
                zone.as_deref(),
            ))
        }
        DataType::Duration(TimeUnit::Millisecond) => {
            quoted(interval(i128::from(array.as_primitive::<DurationMillisecondType>().value(row)) * 1000))
        }
        DataType::Duration(_) => {
            quoted(interval(array.as_primitive::<DurationMicrosecondType>().value(row).into()))
        }
        DataType::Utf8 => quoted(array.as_string::<i32>().value(row).to_owned()),
        DataType::LargeUtf8 => quoted(array.as_string::<i64>().value(row).to_owned()),
        DataType::LargeBinary => quoted(base64(array.as_binary::<i64>().value(row))),
        DataType::FixedSizeBinary(_) => quoted(base64(array.as_fixed_size_binary().value(row))),
        DataType::LargeList(_) => {
            let elements = array.as_list::<i64>().value(row);
            let elements: Vec<String> = (0..elements.len()).map(|place| json(&elements, place)).collect();
            format!("[{}]", elements.join(","))
        }
        DataType::Struct(fields) => {
            let columns = array.as_struct().columns();
            let fields = fields.iter().zip(columns);
            let fields: Vec<String> = fields
                .map(|(field, column)| format!("{}:{}", quoted(field.name().clone()), json(column, row)))
                .collect();
            format!("{{{}}}", fields.join(","))
        }
        DataType::Map(..) => {
            let entries = array.as_map().value(row);
            let (keys, values) = (entries.column(0), entries.column(1));
            let key = |place| match json(keys, place) {
                text if text.starts_with('"') => text,
                number => quoted(number),
            };
            let entries: Vec<String> =
                (0..entries.len()).map(|place| format!("{}:{}", key(place), json(values, place))).collect();
            format!("{{{}}}", entries.join(","))
        }
        other => unreachable!("{other}"),
    }
}

/// A row as a JSON array.
pub(super) fn array_row(table: &RecordBatch, row: usize) -> String {
    let values: Vec<String> = table.columns().iter().map(|column| json(column, row)).collect();
    format!("[{}]", values.join(","))
}

/// A row as a JSON object.
pub(super) fn object_row(table: &RecordBatch, row: usize) -> String {
    let schema = table.schema();
    let fields = schema.fields().iter().zip(table.columns());
    let values: Vec<String> =
        fields.map(|(field, column)| format!("\"{}\":{}", field.name(), json(column, row))).collect();
    format!("{{{}}}", values.join(","))
}

fn float(value: f64, finite: &str) -> String {
    if value.is_nan() {
        "\"NaN\"".to_owned()
    } else if value.is_infinite() {
        if value > 0.0 { "\"Infinity\"" } else { "\"-Infinity\"" }.to_owned()
    } else {
        finite.to_owned()
    }
}

fn decimal(value: i128, scale: usize) -> String {
    let sign = if value < 0 { "-" } else { "" };
    let digits = format!("{:0>width$}", value.unsigned_abs(), width = scale + 1);
    let (whole, fraction) = digits.split_at(digits.len() - scale);
    if scale == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
}

/// Years outside jiff's range are moved into it by whole cycles of the calendar.
fn date(days: i64) -> String {
    const CYCLE_DAYS: i64 = 146_097;
    let cycles = days.div_euclid(CYCLE_DAYS);
    let date = Date::constant(1970, 1, 1) + days.rem_euclid(CYCLE_DAYS).days();
    let year = i64::from(date.year()) + cycles * 400;
    let sign = if year > 9999 {
        "+"
    } else if year < 0 {
        "-"
    } else {
        ""
    };
    format!("{sign}{:04}-{:02}-{:02}", year.abs(), date.month(), date.day())
}

fn clock(seconds: i64) -> String {
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

fn timestamp(seconds: i64, fraction: i64, digits: usize, zone: Option<&str>) -> String {
    let offset = match zone {
        None | Some("UTC") => Offset::UTC,
        Some("+05:30") => Offset::from_seconds(19_800).expect("an offset"),
        Some("-00:45") => Offset::from_seconds(-2700).expect("an offset"),
        Some(name) => {
            // Years outside jiff's range are like those of 400 years before; before all of them no zone had rules.
            let mut known = seconds.max(Timestamp::MIN.as_second());
            while known > Timestamp::MAX.as_second() {
                known -= 400 * 31_556_952;
            }
            let moment = Timestamp::UNIX_EPOCH + SignedDuration::from_secs(known);
            TimeZone::get(name).expect("a zone").to_offset(moment)
        }
    };
    let minutes = i64::from(offset.seconds().div_euclid(60));
    let local = seconds + minutes * 60;
    let mut text = format!("{}T{}", date(local.div_euclid(86_400)), clock(local.rem_euclid(86_400)));
    if digits > 0 {
        text += &format!(".{fraction:0digits$}");
    }
    match zone {
        None => text,
        Some("UTC") => text + "Z",
        Some(_) => {
            let sign = if minutes < 0 { '-' } else { '+' };
            text + &format!("{sign}{:02}:{:02}", minutes.abs() / 60, minutes.abs() % 60)
        }
    }
}

fn interval(micros: i128) -> String {
    let sign = if micros < 0 { "-" } else { "" };
    let micros = micros.unsigned_abs();
    let seconds = micros / 1_000_000;
    let fraction = match micros % 1_000_000 {
        fraction if fraction % 1000 == 0 => format!("{:03}", fraction / 1000),
        fraction => format!("{fraction:06}"),
    };
    format!("{sign}{} {}.{fraction}", seconds / 86_400, clock((seconds % 86_400) as i64))
}

fn base64(bytes: &[u8]) -> String {
    base64::engine::general_purpose::STANDARD.encode(bytes)
}
