//! The boundaries of the partitions in sorted rows, and of the groups of peers within them.

use polars::prelude::{DataFrame, DataType, PlSmallStr, PolarsResult, Series};
use polars_arrow::array::PrimitiveArray;
use polars_arrow::types::NativeType;

use crate::datum::{Reader, compare};
use crate::numeric::single;
use rowhouse_sql::types::Type;

/// The first rows of partitions and groups; each list ends with the number of rows.
#[derive(Clone, Debug)]
pub(in crate::lower) struct Places {
    partitions: Vec<usize>,
    peers: Vec<usize>,
}

impl Places {
    /// Finds the boundaries in rows that are sorted by the columns of the partition and then by those of the order.
    pub(in crate::lower) fn of(
        frame: &DataFrame,
        partition: &[(PlSmallStr, Type)],
        order: &[(PlSmallStr, Type)],
    ) -> PolarsResult<Self> {
        let mut begins = vec![false; frame.height()];
        if let Some(first) = begins.first_mut() {
            *first = true;
        }
        mark_changes(frame, partition, &mut begins)?;
        let partitions = places_of(&begins);
        mark_changes(frame, order, &mut begins)?;
        Ok(Self { partitions, peers: places_of(&begins) })
    }

    /// The first row of each partition, and the row after its last one.
    pub(in crate::lower) fn ranges(&self) -> Vec<(usize, usize)> {
        self.partitions.iter().copied().zip(self.partitions.iter().copied().skip(1)).collect()
    }

    /// The same partitions, with all rows of a partition as peers.
    pub(super) fn without_order(&self) -> Self {
        Self { partitions: self.partitions.clone(), peers: self.partitions.clone() }
    }

    /// The number of rows.
    pub(super) fn rows(&self) -> usize {
        self.peers.last().copied().unwrap_or_default()
    }

    /// For each partition, the rows at which its groups of peers begin, and its end.
    pub(super) fn partitions(&self) -> impl Iterator<Item = &[usize]> {
        let mut at = 0;
        self.partitions.iter().skip(1).map(move |last| {
            let from = at;
            while self.peers[at] < *last {
                at += 1;
            }
            &self.peers[from..=at]
        })
    }
}

fn places_of(begins: &[bool]) -> Vec<usize> {
    let marked = begins.iter().enumerate().filter_map(|(row, begins)| begins.then_some(row));
    marked.chain(std::iter::once(begins.len())).collect()
}

/// Marks the rows that differ from the previous row in one of the columns.
fn mark_changes(frame: &DataFrame, columns: &[(PlSmallStr, Type)], changes: &mut [bool]) -> PolarsResult<()> {
    for (name, data_type) in columns {
        let series = frame.column(name)?.as_materialized_series();
        if *series.dtype() == DataType::Null {
            continue;
        }
        match data_type {
            Type::TinyInt | Type::SmallInt | Type::Integer | Type::BigInt | Type::Date => {
                mark(&longs(series)?, changes);
            }
            Type::Decimal { .. } => mark(&single(series.to_physical_repr().i128()?), changes),
            Type::Varchar { .. } => {
                let mut before = None;
                for (text, changes) in series.str()?.iter().zip(changes.iter_mut()) {
                    *changes |= before.is_some_and(|before| before != text);
                    before = Some(text);
                }
            }
            _ => {
                let values = Reader::new(series, data_type)?;
                for (row, changes) in changes.iter_mut().enumerate().skip(1) {
                    *changes |= !compare(&values.get(row - 1), &values.get(row)).is_eq();
                }
            }
        }
    }
    Ok(())
}

fn mark<T: NativeType>(values: &PrimitiveArray<T>, changes: &mut [bool]) {
    let numbers = values.values().as_slice();
    let pairs = numbers.iter().zip(numbers.iter().skip(1)).zip(changes.iter_mut().skip(1));
    match values.validity().filter(|validity| validity.unset_bits() > 0) {
        None => pairs.for_each(|((before, own), changes)| *changes |= before != own),
        Some(validity) => {
            for (row, ((before, own), changes)) in pairs.enumerate() {
                let (was, is) = (validity.get_bit(row), validity.get_bit(row + 1));
                *changes |= was != is || (is && before != own);
            }
        }
    }
}

/// Integers or dates as 64-bit integers.
pub(in crate::lower) fn longs(series: &Series) -> PolarsResult<PrimitiveArray<i64>> {
    Ok(single(series.to_physical_repr().cast(&DataType::Int64)?.i64()?))
}
