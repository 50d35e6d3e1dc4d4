//! Counts the rows that satisfy filters: from an index, or in one pass, in turns.

use std::sync::Arc;

use rowhouse_filters::Filter;

use super::generation::Generation;
use super::walk::{Places, Visitor, Walk};
use crate::Result;
use rowhouse_rows::arrow_file::{ArrowFile, Batch};
use rowhouse_rows::{Budget, Progress, to_the_end};

/// A count in turns.
#[derive(Debug)]
pub struct RowCount {
    generation: Arc<Generation>,
    pass: Pass,
}

#[derive(Debug)]
struct Pass {
    walk: Walk,
    counter: Counter,
}

#[derive(Debug)]
struct Counter(u64);

impl Visitor for Counter {
    fn needs(&self, _: &Generation, _: usize) -> bool {
        true
    }

    fn visit(&mut self, _: &ArrowFile, _: u32, _: &Batch, places: Places<'_>, _: &mut Budget) {
        self.0 += places.len() as u64;
    }
}

impl Pass {
    fn advance(&mut self, generation: &Generation, budget: &mut Budget) -> Result<Progress<u64>> {
        let walked = self.walk.advance(generation, &mut self.counter, budget)?;
        Ok(walked.map(|()| self.counter.0))
    }
}

impl RowCount {
    /// The count, once it is known. Costs its budget, and at most about a millisecond more.
    ///
    /// # Errors
    /// `Internal`: the file is corrupt.
    pub fn advance(&mut self, budget: &mut Budget) -> Result<Progress<u64>> {
        let Self { generation, pass } = self;
        generation.guarded(|| pass.advance(generation, budget))
    }

    /// Maximum memory for counting, in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.pass.walk.memory_bytes()
    }
}

impl Generation {
    /// The number of rows that satisfy every filter. Costs a pass over the rows if no index answers: not for a reactor.
    ///
    /// # Errors
    /// As [`Generation::select`].
    pub fn count(&self, filters: &[Filter]) -> Result<u64> {
        if let Some(count) = self.count_at_once(filters)? {
            return Ok(count);
        }
        let mut pass = self.pass(filters)?;
        self.guarded(|| to_the_end(|budget| pass.advance(self, budget)))
    }

    /// As [`Generation::count`], in turns. Not needed if [`Generation::count_at_once`] answers.
    ///
    /// # Errors
    /// As [`Generation::select`].
    pub fn begin_count(self: &Arc<Self>, filters: &[Filter]) -> Result<RowCount> {
        Ok(RowCount { generation: Arc::clone(self), pass: self.pass(filters)? })
    }

    fn pass(&self, filters: &[Filter]) -> Result<Pass> {
        Ok(Pass { walk: Walk::new(self, self.predicates(filters)?), counter: Counter(0) })
    }

    /// As [`Generation::count`], but only if it is known without reading rows.
    ///
    /// # Errors
    /// As [`Generation::select`].
    pub fn count_at_once(&self, filters: &[Filter]) -> Result<Option<u64>> {
        let predicates = self.predicates(filters)?;
        self.guarded(|| {
            Ok(match &predicates[..] {
                [] => Some(self.row_count()),
                [predicate] => self
                    .index(predicate.column)
                    .and_then(|index| index.candidates(&predicate.test))
                    .filter(|candidates| candidates.is_exact())
                    .map(|candidates| candidates.count()),
                _ => None,
            })
        })
    }
}
