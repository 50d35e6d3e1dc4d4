//! UNNEST: parallel arrays as rows. A single array is exploded as it is. Several arrays of a row are zipped into one array
//! of rows first, so that one explode suffices and the shorter ones are filled with NULL.

use polars::prelude::{DataType, ExplodeOptions, Expr, LazyFrame, PlSmallStr, by_name, col, lit};
use rowhouse_model::QueryError;

use super::Lowering;
use crate::column::{column, column_name};
use crate::data_type::{entry_type, storage};
use crate::datum::{Argument, Datum, Nulls, row_by_row};
use crate::expression::lower_expression;
use crate::failure;
use rowhouse_sql::expr::Expr as SqlExpr;
use rowhouse_sql::plan::{Field, Plan};
use rowhouse_sql::types::{RowField, Type};

impl Lowering<'_> {
    pub(super) fn unnest(
        &mut self,
        input: &Plan,
        arrays: &[(SqlExpr, Vec<Field>)],
        ordinality: Option<&Field>,
        is_outer: bool,
    ) -> Result<LazyFrame, QueryError> {
        if let ([array], None) = (arrays, ordinality) {
            return self.unnest_one(input, array, is_outer);
        }
        let zipped = self.temporary();
        let frame = self.lower(input)?;
        let mut staged = self.staged();
        let mut arguments = Vec::with_capacity(arrays.len());
        let mut fields = Vec::new();
        for (array, columns) in arrays {
            arguments.push(Argument {
                value: lower_expression(array, &mut staged)?,
                data_type: array.data_type.clone(),
            });
            fields.extend(columns.iter().map(|field| (column_name(field.id), field.data_type.clone())));
        }
        fields.extend(ordinality.map(|field| (column_name(field.id), Type::BigInt)));
        let row = Type::Row(
            fields
                .iter()
                .map(|(name, data_type)| RowField {
                    name: Some(name.to_string()),
                    data_type: data_type.clone(),
                })
                .collect(),
        );
        let widths: Vec<usize> = arrays.iter().map(|(_, columns)| columns.len()).collect();
        let of_rows: Vec<bool> = arrays
            .iter()
            .map(|(array, _)| match &array.data_type {
                Type::Array(element) => matches!(**element, Type::Row(_)),
                data_type => matches!(data_type, Type::Map(..)),
            })
            .collect();
        let has_ordinality = ordinality.is_some();
        let zip = row_by_row(arguments, Type::array(row), Nulls::Seen, move |arrays| {
            let length = arrays.iter().map(|array| array.elements().len()).max().unwrap_or(0);
            let rows = (0..length).map(|index| {
                let mut values = Vec::new();
                for ((array, width), of_rows) in arrays.iter().zip(&widths).zip(&of_rows) {
                    let element = array.elements().get(index);
                    match (element, of_rows) {
                        (Some(Datum::Row(fields)), true) => {
                            values.extend(fields.iter().map(|field| field.clone().into_owned()));
                        }
                        (Some(element), false) => values.push(element.clone().into_owned()),
                        _ => values.extend(std::iter::repeat_n(Datum::Null, *width)),
                    }
                }
                if has_ordinality {
                    values.push(Datum::Integer(i64::try_from(index + 1).unwrap_or(i64::MAX)));
                }
                Datum::Row(values)
            });
            Ok(Datum::Array(rows.collect()))
        });
        let frame = staged.apply(frame).with_column(zip.alias(zipped.clone()));
        let mut selected: Vec<Expr> = input.fields().iter().map(|field| column(field.id)).collect();
        selected.extend(fields.iter().map(|(name, data_type)| {
            let stored: DataType = storage(data_type);
            col(zipped.clone()).struct_().field_by_name(name).cast(stored).alias(name.clone())
        }));
        Ok(exploded(frame, &zipped, is_outer).select(selected))
    }

    /// One array or map, without ordinality.
    fn unnest_one(
        &mut self,
        input: &Plan,
        (array, fields): &(SqlExpr, Vec<Field>),
        is_outer: bool,
    ) -> Result<LazyFrame, QueryError> {
        let frame = self.lower(input)?;
        let elements = self.temporary();
        let mut staged = self.staged();
        let value = lower_expression(array, &mut staged)?.alias(elements.clone());
        let frame = staged.apply(frame).with_column(value);
        let element = match &array.data_type {
            Type::Array(element) => (**element).clone(),
            Type::Map(key, value) => entry_type(key, value),
            other => return Err(failure::internal("Unnest", &format!("{other} has no elements"))),
        };
        let mut selected: Vec<Expr> = input.fields().iter().map(|field| column(field.id)).collect();
        match &element {
            Type::Row(parts) => {
                selected.extend(fields.iter().zip(parts).enumerate().map(|(place, (field, part))| {
                    let value = col(elements.clone()).struct_().field_by_name(&part.stored_name(place));
                    value.alias(column_name(field.id))
                }))
            }
            _ => {
                selected.extend(fields.iter().map(|field| col(elements.clone()).alias(column_name(field.id))))
            }
        }
        Ok(exploded(frame, &elements, is_outer).select(selected))
    }
}

/// The rows with each element of a list; without elements none, or with `is_outer` one with NULL.
fn exploded(frame: LazyFrame, list: &PlSmallStr, is_outer: bool) -> LazyFrame {
    let frame = if is_outer { frame } else { frame.filter(col(list.clone()).list().len().gt(lit(0))) };
    let options = ExplodeOptions { empty_as_null: true, keep_nulls: true };
    frame.explode(by_name([list.clone()], true, false), options)
}
