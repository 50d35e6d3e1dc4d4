//! UNNEST: parallel arrays as rows. The arrays of a row are zipped into one array of rows first, so that one explode
//! suffices and the shorter ones are filled with NULL.

use polars::prelude::{DataType, ExplodeOptions, Expr, LazyFrame, by_name, col, lit};
use rowhouse_model::QueryError;

use super::Lowering;
use crate::column::{column, column_name};
use crate::data_type::storage;
use crate::datum::{Argument, Datum, Nulls, row_by_row};
use crate::expression::lower_expression;
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
        let mut frame = staged.apply(frame).with_column(zip.alias(zipped.clone()));
        if !is_outer {
            frame = frame.filter(col(zipped.clone()).list().len().gt(lit(0)));
        }
        let options = ExplodeOptions { empty_as_null: true, keep_nulls: true };
        let exploded = frame.explode(by_name([zipped.clone()], true, false), options);
        let mut selected: Vec<Expr> = input.fields().iter().map(|field| column(field.id)).collect();
        selected.extend(fields.iter().map(|(name, data_type)| {
            let stored: DataType = storage(data_type);
            col(zipped.clone()).struct_().field_by_name(name).cast(stored).alias(name.clone())
        }));
        Ok(exploded.select(selected))
    }
}
