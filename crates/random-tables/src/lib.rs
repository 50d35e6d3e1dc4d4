//! Arrow tables of every type with random values and edge values, generated from a seed, for property tests of code
//! that reads or writes Arrow. A development dependency only.

use std::sync::Arc;

use arrow_array::builder::{
    BooleanBuilder, FixedSizeBinaryBuilder, Int64Builder, LargeBinaryBuilder, LargeListBuilder,
    LargeStringBuilder, PrimitiveBuilder, StringBuilder,
};
use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Decimal128Type, DurationMicrosecondType, DurationMillisecondType,
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, Time64MicrosecondType,
    Time64NanosecondType, TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType, UInt64Type,
};
use arrow_array::{Array, ArrayRef, NullArray, RecordBatch, StructArray};
use arrow_buffer::NullBuffer;
use arrow_schema::{DataType, Field, Schema, TimeUnit};

/// Random numbers from a seed (SplitMix64).
#[derive(Debug)]
pub struct Dice(pub u64);

impl Dice {
    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.bits() % end as u64) as usize
    }

    /// One of these values; there must be at least one.
    pub fn pick<T: Clone>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())].clone()
    }

    /// A number of any magnitude: small ones are as frequent as large ones.
    pub fn integer(&mut self) -> i64 {
        let bits = self.below(64);
        (self.bits() as i64) >> bits
    }

    fn text(&mut self) -> String {
        let pieces = [
            "",
            "a",
            "Clerk#",
            "é",
            "😀",
            "\"",
            "\\",
            "\n",
            "\r\n",
            ",",
            "\u{0}",
            "\u{1f}",
            "\u{7f}",
            "0123456789abcdef",
        ];
        let length = self.below(6);
        (0..length).map(|_| self.pick(&pieces)).collect()
    }
}

/// Every type that a result may have, and some that it may not have but that can be encoded.
pub fn every_type() -> Vec<DataType> {
    use DataType as T;
    let unit = [TimeUnit::Millisecond, TimeUnit::Microsecond, TimeUnit::Nanosecond];
    let mut types = vec![
        T::Null,
        T::Boolean,
        T::Int8,
        T::Int16,
        T::Int32,
        T::Int64,
        T::UInt64,
        T::Float32,
        T::Float64,
        T::Decimal128(5, 2),
        T::Decimal128(15, 8),
        T::Decimal128(20, 0),
        T::Decimal128(38, 10),
        T::Decimal128(38, 38),
        T::Date32,
        T::Time64(TimeUnit::Microsecond),
        T::Time64(TimeUnit::Nanosecond),
        T::Timestamp(TimeUnit::Second, None),
        T::Duration(TimeUnit::Millisecond),
        T::Duration(TimeUnit::Microsecond),
        T::Utf8,
        T::LargeUtf8,
        T::LargeBinary,
        T::FixedSizeBinary(3),
        T::new_large_list(T::Int64, true),
        T::Struct(row_fields().into()),
    ];
    for zone in [None, Some("UTC"), Some("+05:30"), Some("-00:45"), Some("Europe/Berlin")] {
        types.extend(unit.map(|unit| T::Timestamp(unit, zone.map(Into::into))));
    }
    types
}

fn row_fields() -> Vec<Field> {
    vec![
        Field::new("x", DataType::Int64, true),
        Field::new("a \"quoted\" name", DataType::LargeUtf8, true),
        Field::new("days", DataType::new_large_list(DataType::Date32, true), true),
    ]
}

/// An array of a type, with NULLs or without.
pub fn random_array(dice: &mut Dice, data_type: &DataType, rows: usize) -> ArrayRef {
    let nulls_in_ten = dice.pick(&[0, 0, 1, 5, 10]);
    let mut dice = Dice(dice.bits());
    let mut is_null = {
        let mut dice = Dice(dice.bits());
        move || dice.below(10) < nulls_in_ten
    };
    match data_type {
        DataType::Null => Arc::new(NullArray::new(rows)),
        DataType::Boolean => {
            let mut builder = BooleanBuilder::new();
            for _ in 0..rows {
                builder.append_option((!is_null()).then(|| dice.below(2) == 1));
            }
            Arc::new(builder.finish())
        }
        DataType::Int8 => primitive::<Int8Type>(data_type, rows, is_null, || dice.integer() as i8),
        DataType::Int16 => primitive::<Int16Type>(data_type, rows, is_null, || dice.integer() as i16),
        DataType::Int32 => primitive::<Int32Type>(data_type, rows, is_null, || dice.integer() as i32),
        DataType::Int64 => primitive::<Int64Type>(data_type, rows, is_null, || dice.integer()),
        DataType::UInt64 => primitive::<UInt64Type>(data_type, rows, is_null, || dice.integer() as u64),
        DataType::Float32 => primitive::<Float32Type>(data_type, rows, is_null, || {
            let edges = [0.0, -0.0, 1.0, 0.1, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, 1e-7];
            if dice.below(2) == 0 { dice.pick(&edges) } else { f32::from_bits(dice.bits() as u32) }
        }),
        DataType::Float64 => primitive::<Float64Type>(data_type, rows, is_null, || {
            let edges =
                [0.0, -0.0, 1.0, 0.1, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, 1e16, 5e-324];
            if dice.below(2) == 0 { dice.pick(&edges) } else { f64::from_bits(dice.bits()) }
        }),
        DataType::Decimal128(precision, _) => {
            let end = 10_i128.pow(u32::from(*precision));
            primitive::<Decimal128Type>(data_type, rows, is_null, || {
                let wide = i128::from(dice.integer())
                    * if dice.below(2) == 0 { 1 } else { i128::from(dice.integer()) };
                dice.pick(&[wide % end, wide % 1000, end - 1, 1 - end, 0])
            })
        }
        DataType::Date32 | DataType::Time64(_) | DataType::Timestamp(..) | DataType::Duration(_) => {
            random_times(&mut dice, data_type, rows, is_null)
        }
        DataType::Utf8 | DataType::LargeUtf8 | DataType::LargeBinary | DataType::FixedSizeBinary(_) => {
            random_texts(&mut dice, data_type, rows, is_null)
        }
        DataType::LargeList(element) if element.data_type() == &DataType::Int64 => {
            let mut builder = LargeListBuilder::new(Int64Builder::new());
            for _ in 0..rows {
                for _ in 0..dice.below(4) {
                    builder.values().append_option((dice.below(4) > 0).then(|| dice.integer()));
                }
                builder.append(!is_null());
            }
            Arc::new(builder.finish())
        }
        DataType::LargeList(element) => {
            let lengths: Vec<usize> = (0..rows).map(|_| dice.below(3)).collect();
            let values = random_array(&mut dice, element.data_type(), lengths.iter().sum());
            let offsets = arrow_buffer::OffsetBuffer::from_lengths(lengths);
            Arc::new(arrow_array::LargeListArray::new(Arc::clone(element), offsets, values, None))
        }
        DataType::Struct(fields) => {
            let arrays =
                fields.iter().map(|field| random_array(&mut dice, field.data_type(), rows)).collect();
            let nulls: NullBuffer = (0..rows).map(|_| !is_null()).collect();
            Arc::new(StructArray::new(fields.clone(), arrays, Some(nulls)))
        }
        other => unreachable!("no random values of {other}"),
    }
}

/// Dates, times and durations.
fn random_times(
    dice: &mut Dice,
    data_type: &DataType,
    rows: usize,
    is_null: impl FnMut() -> bool,
) -> ArrayRef {
    let ticks_per_day = |unit: &TimeUnit| match unit {
        TimeUnit::Second => 86_400,
        TimeUnit::Millisecond => 86_400_000,
        TimeUnit::Microsecond => 86_400_000_000,
        TimeUnit::Nanosecond => 86_400_000_000_000_i64,
    };
    match data_type {
        DataType::Date32 => primitive::<Date32Type>(data_type, rows, is_null, || {
            let any = dice.integer() as i32;
            dice.pick(&[any % 20_000, any % 1_000_000, any, 0, i32::MIN, i32::MAX])
        }),
        DataType::Time64(unit) => {
            let day = ticks_per_day(unit);
            match unit {
                TimeUnit::Microsecond => primitive::<Time64MicrosecondType>(data_type, rows, is_null, || {
                    dice.pick(&[0, 1, day - 1]).max(dice.integer() % day)
                }),
                _ => primitive::<Time64NanosecondType>(data_type, rows, is_null, || {
                    dice.pick(&[0, 1, day - 1]).max(dice.integer() % day)
                }),
            }
        }
        DataType::Timestamp(unit, _) => {
            let day = ticks_per_day(unit);
            let value = || {
                let any = dice.integer();
                // Within the years that the independent calendar of the comparison supports.
                dice.pick(&[
                    any % day,
                    any % (day * 20_000),
                    (any % (day * 3_000_000)).max(-day * 700_000),
                    0,
                    -1,
                ])
            };
            match unit {
                TimeUnit::Second => primitive::<TimestampSecondType>(data_type, rows, is_null, value),
                TimeUnit::Millisecond => {
                    primitive::<TimestampMillisecondType>(data_type, rows, is_null, value)
                }
                TimeUnit::Microsecond => {
                    primitive::<TimestampMicrosecondType>(data_type, rows, is_null, value)
                }
                TimeUnit::Nanosecond => {
                    let value = || dice.integer() / 2;
                    primitive::<TimestampNanosecondType>(data_type, rows, is_null, value)
                }
            }
        }
        DataType::Duration(TimeUnit::Millisecond) => {
            primitive::<DurationMillisecondType>(data_type, rows, is_null, || dice.integer())
        }
        DataType::Duration(_) => {
            primitive::<DurationMicrosecondType>(data_type, rows, is_null, || dice.integer())
        }
        other => unreachable!("{other} has no time"),
    }
}

/// Texts and bytes.
fn random_texts(
    dice: &mut Dice,
    data_type: &DataType,
    rows: usize,
    mut is_null: impl FnMut() -> bool,
) -> ArrayRef {
    match data_type {
        DataType::Utf8 => {
            let mut builder = StringBuilder::new();
            for _ in 0..rows {
                builder.append_option((!is_null()).then(|| dice.text()));
            }
            Arc::new(builder.finish())
        }
        DataType::LargeUtf8 => {
            let mut builder = LargeStringBuilder::new();
            for _ in 0..rows {
                builder.append_option((!is_null()).then(|| dice.text()));
            }
            Arc::new(builder.finish())
        }
        DataType::LargeBinary => {
            let mut builder = LargeBinaryBuilder::new();
            for _ in 0..rows {
                let length = dice.below(8);
                builder.append_option(
                    (!is_null()).then(|| (0..length).map(|_| dice.bits() as u8).collect::<Vec<_>>()),
                );
            }
            Arc::new(builder.finish())
        }
        DataType::FixedSizeBinary(width) => {
            let mut builder = FixedSizeBinaryBuilder::new(*width);
            for _ in 0..rows {
                if is_null() {
                    builder.append_null();
                } else {
                    let value: Vec<u8> = (0..*width).map(|_| dice.bits() as u8).collect();
                    builder.append_value(value).expect("of the width");
                }
            }
            Arc::new(builder.finish())
        }
        other => unreachable!("{other} has no text"),
    }
}

fn primitive<T: ArrowPrimitiveType>(
    data_type: &DataType,
    rows: usize,
    mut is_null: impl FnMut() -> bool,
    mut value: impl FnMut() -> T::Native,
) -> ArrayRef {
    let mut builder = PrimitiveBuilder::<T>::new().with_data_type(data_type.clone());
    for _ in 0..rows {
        builder.append_option((!is_null()).then(&mut value));
    }
    Arc::new(builder.finish())
}

/// A table with a column of each type, named by its position.
pub fn random_table(seed: u64, types: &[DataType], rows: usize) -> RecordBatch {
    let mut dice = Dice(seed);
    let arrays: Vec<ArrayRef> =
        types.iter().map(|data_type| random_array(&mut dice, data_type, rows)).collect();
    let fields = arrays.iter().enumerate();
    let fields: Vec<Field> = fields
        .map(|(place, array)| Field::new(format!("c{place}"), array.data_type().clone(), true))
        .collect();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).expect("arrays of one length")
}
