//! Storage of result values whose Arrow type in Polars is unsuitable: if it has more fractional digits than the SQL
//! type, because readers show as many digits as the unit has (D18), and if it cannot represent the offset of a zoned
//! value.

use std::sync::Arc;

use polars::prelude::{CompatLevel, PlSmallStr};
use polars_arrow::array::{Array, ListArray, MapArray, PrimitiveArray, StructArray};
use polars_arrow::datatypes::{ArrowDataType, ArrowSchema, Field, TimeUnit};
use polars_arrow::offset::OffsetsBuffer;

use super::data_type::storage;
use rowhouse_rows::arrow_file::column::{
    COLUMN_OFFSET_KEY, MONTHS_TYPE, OFFSET_FIELD, TIMESTAMP_FIELD, TYPE_KEY,
};
use rowhouse_sql::types::{Type, offset_minutes, offset_zone};

/// The columns of a result file.
pub(super) struct StoredColumns {
    /// Names and Arrow types.
    pub(super) schema: Arc<ArrowSchema>,
    units: Vec<Unit>,
}

/// The conversion of a column's values.
enum Unit {
    /// The values are unchanged.
    AsIs,
    /// This number of Polars' units is one unit of the Arrow type.
    Coarser(i64, ArrowDataType),
    /// Months of `interval year to month`, which Polars cannot represent: a 32-bit integer with a mark.
    Months,
    /// Instants with an offset in minutes: Arrow's canonical type `timestamp_with_offset`.
    WithOffset(i64, TimeUnit, i16),
    /// The conversion of the elements of an array.
    Elements(Box<Unit>),
    /// The conversions of the keys and the values of a map, which is a list in Polars.
    Entries(Box<Unit>, Box<Unit>),
    /// The conversions of the fields of a row.
    Fields(Vec<Unit>),
}

impl StoredColumns {
    /// Columns with these names and types.
    pub(super) fn new<'a>(columns: impl IntoIterator<Item = (&'a str, &'a Type)>) -> Self {
        let (mut schema, mut units) = (ArrowSchema::default(), Vec::new());
        for (name, data_type) in columns {
            let unit = Unit::of(data_type);
            let name = PlSmallStr::from_str(name);
            let field = storage(data_type).to_arrow_field(name.clone(), CompatLevel::oldest());
            schema.insert(name, unit.field(field));
            units.push(unit);
        }
        Self { schema: Arc::new(schema), units }
    }

    /// Converts the columns' arrays from Polars to their stored form.
    pub(super) fn stored(&self, arrays: Vec<Box<dyn Array>>) -> Vec<Box<dyn Array>> {
        arrays.into_iter().zip(&self.units).map(|(array, unit)| unit.array(array)).collect()
    }
}

/// The offset of a fixed offset from UTC in minutes; `None` for UTC and for named zones.
fn stored_offset(zone: &str) -> Option<i16> {
    i16::try_from(offset_minutes(zone)?).ok()
}

impl Unit {
    fn of(data_type: &Type) -> Self {
        match data_type {
            // Polars stores times in nanoseconds.
            Type::Time { precision: 0..=6 } => {
                Self::Coarser(1000, ArrowDataType::Time64(TimeUnit::Microsecond))
            }
            // Polars has no timestamps in seconds.
            Type::Timestamp { precision: 0 } => {
                Self::Coarser(1000, ArrowDataType::Timestamp(TimeUnit::Second, None))
            }
            Type::TimestampWithTimeZone { precision, zone }
                if let Some(minutes) = stored_offset(zone.name()) =>
            {
                match *precision {
                    0 => Self::WithOffset(1000, TimeUnit::Second, minutes),
                    1..=3 => Self::WithOffset(1, TimeUnit::Millisecond, minutes),
                    4..=6 => Self::WithOffset(1, TimeUnit::Microsecond, minutes),
                    _ => Self::WithOffset(1, TimeUnit::Nanosecond, minutes),
                }
            }
            Type::TimestampWithTimeZone { precision: 0, zone } => {
                let zone = Some(PlSmallStr::from_str(zone.name()));
                Self::Coarser(1000, ArrowDataType::Timestamp(TimeUnit::Second, zone))
            }
            Type::IntervalYearToMonth => Self::Months,
            Type::Array(element) => match Self::of(element) {
                Self::AsIs => Self::AsIs,
                unit => Self::Elements(Box::new(unit)),
            },
            Type::Map(key, value) => Self::Entries(Box::new(Self::of(key)), Box::new(Self::of(value))),
            Type::Row(fields) => {
                let units: Vec<Self> = fields.iter().map(|field| Self::of(&field.data_type)).collect();
                if units.iter().all(|unit| matches!(unit, Self::AsIs)) {
                    Self::AsIs
                } else {
                    Self::Fields(units)
                }
            }
            _ => Self::AsIs,
        }
    }

    fn field(&self, field: Field) -> Field {
        let dtype = self.data_type(&field.dtype);
        let field = Field { dtype, ..field };
        match self {
            Self::WithOffset(_, _, minutes) => {
                let extension = ("ARROW:extension:name".into(), "arrow.timestamp_with_offset".into());
                let offset = (COLUMN_OFFSET_KEY.into(), offset_zone(i32::from(*minutes)).into());
                field.with_metadata([extension, offset].into_iter().collect())
            }
            Self::Months => {
                let mark = (TYPE_KEY.into(), MONTHS_TYPE.into());
                field.with_metadata([mark].into_iter().collect())
            }
            _ => field,
        }
    }

    fn data_type(&self, found: &ArrowDataType) -> ArrowDataType {
        match (self, found) {
            (Self::Coarser(_, wanted), _) => wanted.clone(),
            // The fields are not nullable, which distinguishes this type from a row of two such fields.
            (Self::WithOffset(_, unit, _), _) => {
                let moments = ArrowDataType::Timestamp(*unit, Some("UTC".into()));
                ArrowDataType::Struct(vec![
                    Field::new(TIMESTAMP_FIELD.into(), moments, false),
                    Field::new(OFFSET_FIELD.into(), ArrowDataType::Int16, false),
                ])
            }
            (Self::Elements(unit), ArrowDataType::LargeList(element)) => {
                ArrowDataType::LargeList(Box::new(unit.field((**element).clone())))
            }
            (Self::Fields(units), ArrowDataType::Struct(fields)) => ArrowDataType::Struct(
                fields.iter().zip(units).map(|(field, unit)| unit.field(field.clone())).collect(),
            ),
            (Self::Entries(key, value), ArrowDataType::LargeList(entry)) => match &entry.dtype {
                ArrowDataType::Struct(fields) if fields.len() == 2 => {
                    let key = Field { is_nullable: false, ..key.field(fields[0].clone()) };
                    let entry = ArrowDataType::Struct(vec![key, value.field(fields[1].clone())]);
                    ArrowDataType::Map(Box::new(Field::new("entries".into(), entry, false)), false)
                }
                _ => found.clone(),
            },
            _ => found.clone(),
        }
    }

    /// Converts a list of rows to a map; `None` if it is not such a list.
    fn map(key: &Self, value: &Self, list: &dyn Array, wanted: ArrowDataType) -> Option<Box<dyn Array>> {
        let list = list.as_any().downcast_ref::<ListArray<i64>>()?;
        let offsets = list.offsets();
        let (first, last) = (usize::try_from(*offsets.first()).ok()?, usize::try_from(*offsets.last()).ok()?);
        let entries = list.values().sliced(first, last - first);
        let entries = entries.as_any().downcast_ref::<StructArray>()?;
        let [keys, values] = entries.values() else { return None };
        let ArrowDataType::Map(field, _) = &wanted else { return None };
        let columns = vec![key.array(keys.clone()), value.array(values.clone())];
        let entries = StructArray::new(field.dtype.clone(), entries.len(), columns, None).boxed();
        let ends: Option<Vec<i32>> =
            offsets.iter().map(|end| i32::try_from(*end - *offsets.first()).ok()).collect();
        let ends = OffsetsBuffer::try_from(ends?).ok()?;
        MapArray::try_new(wanted, ends, entries, list.validity().cloned()).ok().map(MapArray::boxed)
    }

    fn array(&self, array: Box<dyn Array>) -> Box<dyn Array> {
        let wanted = self.data_type(array.dtype());
        let any = array.as_any();
        match self {
            Self::AsIs | Self::Months => {}
            Self::Coarser(factor, _) => {
                if let Some(units) = any.downcast_ref::<PrimitiveArray<i64>>() {
                    let values: Vec<i64> =
                        units.values().iter().map(|value| value.div_euclid(*factor)).collect();
                    return PrimitiveArray::new(wanted, values.into(), units.validity().cloned()).boxed();
                }
            }
            Self::WithOffset(factor, _, minutes) => {
                if let (Some(units), ArrowDataType::Struct(fields)) =
                    (any.downcast_ref::<PrimitiveArray<i64>>(), &wanted)
                {
                    let values: Vec<i64> =
                        units.values().iter().map(|value| value.div_euclid(*factor)).collect();
                    let moments = PrimitiveArray::new(fields[0].dtype.clone(), values.into(), None).boxed();
                    let offsets = PrimitiveArray::from_vec(vec![*minutes; units.len()]).boxed();
                    let (length, nulls) = (units.len(), units.validity().cloned());
                    return StructArray::new(wanted, length, vec![moments, offsets], nulls).boxed();
                }
            }
            Self::Elements(unit) => {
                if let Some(list) = any.downcast_ref::<ListArray<i64>>() {
                    let elements = unit.array(list.values().clone());
                    let (offsets, nulls) = (list.offsets().clone(), list.validity().cloned());
                    return ListArray::new(wanted, offsets, elements, nulls).boxed();
                }
            }
            Self::Entries(key, value) => {
                if let Some(map) = Self::map(key, value, &*array, wanted) {
                    return map;
                }
            }
            Self::Fields(units) => {
                if let Some(row) = any.downcast_ref::<StructArray>() {
                    let fields = row.values().iter().cloned().zip(units);
                    let fields = fields.map(|(field, unit)| unit.array(field)).collect();
                    return StructArray::new(wanted, row.len(), fields, row.validity().cloned()).boxed();
                }
            }
        }
        array
    }
}

#[cfg(test)]
mod tests {
    use polars::prelude::{IntoSeries, NamedFrom, Series, TimeUnit as PolarsTimeUnit};

    use super::*;
    use rowhouse_sql::types::{RowField, Zone};

    fn stored(series: &Series, data_type: &Type) -> Box<dyn Array> {
        let columns = StoredColumns::new([("x", data_type)]);
        let arrays = columns.stored(vec![series.to_arrow(0, CompatLevel::oldest())]);
        let field = columns.schema.get("x").expect("the column");
        let [array] = <[_; 1]>::try_from(arrays).expect("one array");
        assert_eq!(array.dtype(), &field.dtype, "the file says what its arrays are");
        array
    }

    fn seconds() -> Series {
        let millis = Series::new("x".into(), [Some(-2000_i64), None, Some(1000)]);
        let millis = millis.cast(&polars::prelude::DataType::Datetime(PolarsTimeUnit::Milliseconds, None));
        millis.expect("timestamps")
    }

    fn numbers(array: &dyn Array) -> Vec<Option<i64>> {
        let array = array.as_any().downcast_ref::<PrimitiveArray<i64>>().expect("64 bits");
        array.iter().map(|value| value.copied()).collect()
    }

    #[test]
    fn timestamps_without_a_fraction_are_seconds() {
        let array = stored(&seconds(), &Type::Timestamp { precision: 0 });
        assert_eq!(array.dtype(), &ArrowDataType::Timestamp(TimeUnit::Second, None));
        assert_eq!(numbers(&*array), [Some(-2), None, Some(1)]);
        let array = stored(&seconds(), &Type::Timestamp { precision: 1 });
        assert_eq!(array.dtype(), &ArrowDataType::Timestamp(TimeUnit::Millisecond, None));
        assert_eq!(numbers(&*array), [Some(-2000), None, Some(1000)]);
    }

    #[test]
    fn times_are_stored_in_microseconds_or_nanoseconds() {
        let nanos =
            Series::new("x".into(), [1_000_i64]).cast(&polars::prelude::DataType::Time).expect("a time");
        assert_eq!(numbers(&*stored(&nanos, &Type::Time { precision: 6 })), [Some(1)]);
        assert_eq!(numbers(&*stored(&nanos, &Type::Time { precision: 7 })), [Some(1_000)]);
    }

    #[test]
    fn a_fixed_offset_is_stored_with_each_value() {
        let array =
            stored(&seconds(), &Type::TimestampWithTimeZone { precision: 0, zone: Zone::new("-05:30") });
        let row = array.as_any().downcast_ref::<StructArray>().expect("moments and offsets");
        assert_eq!(row.validity().map(|nulls| nulls.unset_bits()), Some(1));
        assert_eq!(numbers(&*row.values()[0])[0], Some(-2));
        let offsets = row.values()[1].as_any().downcast_ref::<PrimitiveArray<i16>>().expect("offsets");
        assert_eq!(offsets.value(2), -330);
    }

    #[test]
    fn months_are_marked() {
        let months = Series::new("x".into(), [14_i32, -1]);
        let columns = StoredColumns::new([("x", &Type::IntervalYearToMonth)]);
        let field = columns.schema.get("x").expect("the column");
        let mark = field.metadata.as_ref().and_then(|metadata| metadata.get(TYPE_KEY));
        assert_eq!(mark.map(|mark| mark.as_str()), Some(MONTHS_TYPE));
        let array = stored(&months, &Type::IntervalYearToMonth);
        let array = array.as_any().downcast_ref::<PrimitiveArray<i32>>().expect("32 bits");
        assert_eq!(array.values().as_slice(), [14, -1]);
    }

    #[test]
    fn nested_values_are_converted() {
        let list = Series::new("x".into(), [seconds()]);
        let array = stored(&list, &Type::array(Type::Timestamp { precision: 0 }));
        let list = array.as_any().downcast_ref::<ListArray<i64>>().expect("a list");
        assert_eq!(numbers(&**list.values()), [Some(-2), None, Some(1)]);

        let row = polars::prelude::StructChunked::from_series(
            "x".into(),
            3,
            [seconds().with_name("t".into())].iter(),
        );
        let field = RowField { name: Some("t".to_owned()), data_type: Type::Timestamp { precision: 0 } };
        let array = stored(&row.expect("rows").into_series(), &Type::Row(vec![field]));
        let row = array.as_any().downcast_ref::<StructArray>().expect("rows");
        assert_eq!(numbers(&*row.values()[0]), [Some(-2), None, Some(1)]);
    }
}
