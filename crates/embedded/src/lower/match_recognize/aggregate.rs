//! Aggregates over rows of a match: their arguments and results.

use polars::prelude::{Column, DataFrame, IdxSize, IntoColumn, NamedFrom, PolarsResult, Series};

use super::input::{Aggregate, Argument};
use crate::column::{as_index, column_name};
use crate::data_type::storage;
use crate::datum::{Datum, Reader};
use crate::lower::accumulator::{AggregateRows, Selection};

/// The rows in which matches are searched.
pub(super) struct Source<'s> {
    pub(super) frame: &'s DataFrame,
    pub(super) labels: &'s [String],
    /// Readers of the columns of values.
    pub(super) readers: Vec<Reader>,
    pub(super) series: Vec<Series>,
}

/// The values of an aggregate's argument in some rows.
enum Values<'s> {
    /// Values that are read from the row itself.
    Row(&'s Reader),
    Label,
    Number,
    /// Computed values, in the order of the rows.
    Computed(Reader),
}

impl Aggregate {
    /// The state over no rows.
    pub(super) fn start(&self) -> AggregateRows {
        AggregateRows::new(self.function, &self.types, &self.output, Selection::default())
    }

    /// Adds rows, each with its label; `after` is called after each of them.
    pub(super) fn add(
        &self,
        source: &Source<'_>,
        rows: &[(usize, u32)],
        number: i64,
        aggregate: &mut AggregateRows,
        mut after: impl FnMut(&AggregateRows) -> PolarsResult<()>,
    ) -> PolarsResult<()> {
        let mut values = Vec::with_capacity(self.args.len());
        for (arg, data_type) in self.args.iter().zip(&self.types) {
            values.push(match arg {
                Argument::Value(column) => Values::Row(&source.readers[*column]),
                Argument::Label => Values::Label,
                Argument::Number => Values::Number,
                Argument::Computed(body) => {
                    let mut columns = source.captured(&body.captured, rows)?;
                    if let [(label, _), (of_match, _)] = body.parameters.as_slice() {
                        let names: Vec<&str> = rows.iter().map(|(_, label)| source.name(*label)).collect();
                        columns.push(Series::new(column_name(*label), names).into_column());
                        let numbers = vec![number; rows.len()];
                        columns.push(Series::new(column_name(*of_match), numbers).into_column());
                    }
                    Values::Computed(Reader::new(&body.evaluate(columns, rows.len())?, data_type)?)
                }
            });
        }
        let mut row = Vec::with_capacity(values.len());
        for (index, (place, label)) in rows.iter().enumerate() {
            row.clear();
            row.extend(values.iter().map(|values| match values {
                Values::Row(reader) => reader.get(*place),
                Values::Label => Datum::from_text(source.name(*label)),
                Values::Number => Datum::Integer(number),
                Values::Computed(reader) => reader.get(index),
            }));
            aggregate.add(&row)?;
            after(aggregate)?;
        }
        Ok(())
    }
}

impl Source<'_> {
    /// The name of a label.
    pub(super) fn name(&self, label: u32) -> &str {
        self.labels.get(label as usize).map_or("", String::as_str)
    }

    /// The columns of some rows.
    fn captured(
        &self,
        names: &[polars::prelude::PlSmallStr],
        rows: &[(usize, u32)],
    ) -> PolarsResult<Vec<Column>> {
        let places: Vec<IdxSize> = rows.iter().map(|(row, _)| as_index(*row)).collect();
        names.iter().map(|name| self.frame.column(name)?.take_slice(&places)).collect()
    }
}

/// Builds a column from values.
pub(super) fn built(
    name: polars::prelude::PlSmallStr,
    data: Vec<Datum<'_>>,
    data_type: &rowhouse_sql::types::Type,
) -> PolarsResult<Column> {
    let series = crate::datum::build(name, data, data_type)?.cast(&storage(data_type))?;
    Ok(series.into_column())
}
