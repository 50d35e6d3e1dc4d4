//! A loop over whole columns gives the values that the function of rows gives.

use polars::prelude::{Column, DataFrame, IntoLazy as _};
use proptest::prelude::*;
use rowhouse_sql::expr::ColumnId;

use super::*;
use crate::column::column_name;
use crate::datum::build;

const DATE: Type = Type::Date;
const MICROS: Type = Type::Timestamp { precision: 6 };
const NANOS: Type = Type::Timestamp { precision: 9 };
const SHORT: Type = Type::Decimal { precision: 7, scale: 2 };
const WIDE: Type = Type::Decimal { precision: 38, scale: 5 };

fn whole_part(precision: u8) -> Type {
    Type::Decimal { precision, scale: 0 }
}

/// Calls with loops of their own: the function, a unit that precedes the columns, the columns, and the result.
fn looped() -> Vec<(ScalarFunction, Option<&'static str>, Vec<Type>, Type)> {
    use ScalarFunction as F;
    let mut calls = vec![
        (F::Abs, None, vec![SHORT], SHORT),
        (F::Abs, None, vec![WIDE], WIDE),
        (F::Ceil, None, vec![SHORT], whole_part(6)),
        (F::Floor, None, vec![SHORT], whole_part(6)),
        (F::Ceil, None, vec![WIDE], whole_part(34)),
        (F::Floor, None, vec![WIDE], whole_part(34)),
        (F::Power, None, vec![Type::Double, Type::Double], Type::Double),
        (F::Atan2, None, vec![Type::Double, Type::Double], Type::Double),
        (F::ToUnixtime, None, vec![MICROS], Type::Double),
        (F::ToUnixtime, None, vec![NANOS], Type::Double),
        (F::Concat, None, vec![Type::VARCHAR, Type::VARCHAR, Type::VARCHAR], Type::VARCHAR),
    ];
    for data_type in [Type::TinyInt, Type::Integer, Type::BigInt, SHORT, WIDE, DATE, MICROS, NANOS] {
        for function in [F::Greatest, F::Least] {
            calls.push((function, None, vec![data_type.clone(); 2], data_type.clone()));
            calls.push((function, None, vec![data_type.clone(); 3], data_type.clone()));
        }
    }
    for unit in ["day", "week", "month", "quarter", "year"] {
        calls.push((F::DateDiff, Some(unit), vec![DATE; 2], Type::BigInt));
    }
    for unit in ["millisecond", "second", "minute", "hour", "day", "week", "month", "quarter", "year"] {
        calls.push((F::DateDiff, Some(unit), vec![MICROS; 2], Type::BigInt));
        calls.push((F::DateDiff, Some(unit), vec![NANOS; 2], Type::BigInt));
    }
    calls
}

fn datum(data_type: &Type) -> BoxedStrategy<Datum<'static>> {
    let integers = |least: i64, most: i64| {
        let near = prop_oneof![least..=most, (-3_i64..4).prop_map(move |number| number.clamp(least, most))];
        near.prop_map(Datum::Integer).boxed()
    };
    let value = match data_type {
        Type::TinyInt => integers(i8::MIN.into(), i8::MAX.into()),
        Type::Integer | Type::Date => integers(-3_000_000, 3_000_000),
        Type::Decimal { precision, .. } => {
            let most = crate::numeric::power_of_ten(*precision) - 1;
            prop_oneof![-most..=most, -500_i128..500].prop_map(Datum::Decimal).boxed()
        }
        Type::Double => prop_oneof![any::<f64>(), -2.0..2.0].prop_map(Datum::Double).boxed(),
        Type::Varchar { .. } => "[a-zäß€]{0,20}".prop_map(Datum::from_text).boxed(),
        _ => integers(i64::MIN / 4, i64::MAX / 4),
    };
    prop_oneof![6 => value, 1 => Just(Datum::Null)].boxed()
}

/// The values of an expression over columns.
fn evaluated(value: PolarsExpr, columns: &[Column]) -> Column {
    let frame = DataFrame::new(columns[0].len(), columns.to_vec()).expect("a frame").lazy();
    let frame = frame.select([value.alias("value")]).collect().expect("it is evaluated");
    frame.column("value").expect("the column").clone()
}

fn check(call_number: usize, rows: &[Vec<Datum<'static>>]) -> Result<(), TestCaseError> {
    let (function, unit, types, output) = looped().swap_remove(call_number);
    let id = |place: usize| ColumnId(u32::try_from(place).expect("a place"));
    let columns: Vec<Column> = types
        .iter()
        .enumerate()
        .map(|(place, data_type)| {
            let values = rows.iter().map(|row| row[place].clone()).collect();
            let series = build(column_name(id(place)), values, data_type).expect("a column");
            series.cast(&crate::data_type::storage(data_type)).expect("its storage").into()
        })
        .collect();
    let unit = unit.map(|unit| Expr::literal(Value::Varchar(unit.to_owned()), Type::VARCHAR));
    let args = types.iter().enumerate().map(|(place, data_type)| Expr::column(id(place), data_type.clone()));
    let args: Vec<Expr> = unit.into_iter().chain(args).collect();
    let whole = Expr::new(ExprKind::Call { function, args: args.clone() }, output.clone());
    let mut staged = Staged::new("staged".into());
    staged.is_dictionary_aware = false;
    let looped = call(function, &args, &whole, &None, &mut staged).expect("it is lowered");
    let lowered = call_arguments(&whole, &args, &None, &mut staged).expect("they are lowered");
    let lowered = lowered.expect("none is the literal NULL");
    let (nulls, apply) = row_function(function, &args, &whole).expect("it has a function of rows");
    let by_row = row_by_row(arguments(lowered, &args), output, nulls, move |row| apply(row));
    let [looped, by_row] = [looped, by_row].map(|value| evaluated(value, &columns));
    prop_assert_eq!(looped.dtype(), by_row.dtype(), "{}", function.name());
    prop_assert!(looped.equals_missing(&by_row), "{}: {looped:?} and {by_row:?}", function.name());
    Ok(())
}

fn call_and_rows() -> impl Strategy<Value = (usize, Vec<Vec<Datum<'static>>>)> {
    (0..looped().len()).prop_flat_map(|number| {
        let types = looped().swap_remove(number).2;
        let row: Vec<_> = types.iter().map(datum).collect();
        (Just(number), prop::collection::vec(row, 1..20))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]
    #[test]
    fn loops_over_columns_match_functions_of_rows((number, rows) in call_and_rows()) {
        check(number, &rows)?;
    }
}

#[test]
fn the_least_and_greatest_values_of_each_type() {
    for number in 0..looped().len() {
        let types = looped().swap_remove(number).2;
        let extremes = types.iter().map(|data_type| match data_type {
            Type::Decimal { precision, .. } => {
                let most = crate::numeric::power_of_ten(*precision) - 1;
                [-most, most, 0].map(Datum::Decimal)
            }
            Type::Double => [f64::NAN, f64::INFINITY, -0.0].map(Datum::Double),
            Type::Varchar { .. } => ["", "€", "\0"].map(Datum::from_text),
            Type::TinyInt => [-128, 127, 0].map(Datum::Integer),
            Type::Integer | Type::Date => [i32::MIN, i32::MAX, 0].map(|days| Datum::Integer(days.into())),
            _ => [i64::MIN / 2, i64::MAX / 2, 0].map(Datum::Integer),
        });
        let extremes: Vec<_> = extremes.collect();
        let rows: Vec<Vec<_>> = (0..27)
            .map(|row| {
                extremes
                    .iter()
                    .enumerate()
                    .map(|(place, values)| values[row / 3_usize.pow(place as u32) % 3].clone())
                    .collect()
            })
            .collect();
        check(number, &rows).expect("the same values");
    }
}
