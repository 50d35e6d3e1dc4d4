//! One pass over all rows that satisfy filters, batch by batch: for what looks at each of them and keeps few, as a
//! count or the first rows of an order.

use super::generation::Generation;
use super::predicate::Predicate;
use super::select::Scan;
use crate::Result;
use rowhouse_rows::arrow_file::Batch;
use rowhouse_rows::{BatchFilter as _, RowSelection};

/// A pass over more batches than this gives the memory of each one back.
const STREAM_BATCHES: usize = 8;

/// Looks at rows.
pub(super) trait Visitor {
    /// Whether a batch can hold what is looked for; answered without reading it.
    fn needs(&self, batch_index: usize) -> bool;

    /// Takes rows of a batch whose first row has the number `start`: those at `places`, or all of them.
    fn visit(&mut self, start: u32, batch: &Batch, places: Option<&[u32]>);
}

impl Generation {
    /// Shows every row that passes to a visitor, ascending.
    ///
    /// # Errors
    /// `Internal`: the file is corrupt.
    pub(super) fn walk(&self, predicates: Vec<Predicate>, visitor: &mut impl Visitor) -> Result<()> {
        if predicates.is_empty() {
            return self.for_each_needed(visitor, |visitor, start, batch| visitor.visit(start, batch, None));
        }
        if let Some(RowSelection::Rows(rows)) = self.by_index(&predicates, u64::MAX)? {
            return self.walk_rows(&rows, visitor);
        }
        let scan = Scan::new(predicates, self);
        let mut places = Vec::new();
        let statistics = scan.clone();
        self.for_each_possible(
            visitor,
            |batch_index| statistics.may_match(batch_index),
            |visitor, start, batch| {
                places.clear();
                scan.matching(batch, &mut places);
                visitor.visit(start, batch, Some(&places));
            },
        )
    }

    fn walk_rows(&self, rows: &[u32], visitor: &mut impl Visitor) -> Result<()> {
        let mut rest = rows;
        while let Some((index, _)) = rest.first().and_then(|row| self.file().locate(u64::from(*row))) {
            let of_batch = self.file().rows_of_batch(index);
            let (own, others) = rest.split_at(rest.partition_point(|row| u64::from(*row) < of_batch.end));
            if visitor.needs(index) {
                let start = of_batch.start as u32;
                let places: Vec<u32> = own.iter().map(|row| row - start).collect();
                visitor.visit(start, &*self.file().batch(index)?, Some(&places));
            }
            rest = others;
        }
        Ok(())
    }

    fn for_each_needed<V: Visitor>(
        &self,
        visitor: &mut V,
        each: impl FnMut(&mut V, u32, &Batch),
    ) -> Result<()> {
        self.for_each_possible(visitor, |_| true, each)
    }

    fn for_each_possible<V: Visitor>(
        &self,
        visitor: &mut V,
        is_possible: impl Fn(usize) -> bool,
        mut each: impl FnMut(&mut V, u32, &Batch),
    ) -> Result<()> {
        let file = self.file();
        let is_stream = file.num_batches() > STREAM_BATCHES;
        for index in 0..file.num_batches() {
            if !is_possible(index) || !visitor.needs(index) {
                continue;
            }
            // OK because rows are numbered in 32 bits wherever rows are named one by one.
            each(visitor, file.rows_of_batch(index).start as u32, &*file.batch(index)?);
            if is_stream {
                file.forget_batch(index);
            }
        }
        Ok(())
    }
}
