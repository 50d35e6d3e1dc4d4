//! How many rows satisfy filters: told by an index, or counted in one pass.

use rowhouse_filters::Filter;

use super::generation::Generation;
use super::walk::Visitor;
use crate::Result;
use rowhouse_rows::arrow_file::Batch;

struct Counter(u64);

impl Visitor for Counter {
    fn needs(&self, _: usize) -> bool {
        true
    }

    fn visit(&mut self, _: u32, batch: &Batch, places: Option<&[u32]>) {
        self.0 += places.map_or(batch.num_rows(), <[u32]>::len) as u64;
    }
}

impl Generation {
    /// How many rows satisfy every filter. Costs a pass over the rows where no index tells: not for a reactor.
    ///
    /// # Errors
    /// As [`Generation::select`].
    pub fn count(&self, filters: &[Filter]) -> Result<u64> {
        if let Some(count) = self.count_at_once(filters)? {
            return Ok(count);
        }
        let mut counter = Counter(0);
        self.walk(self.predicates(filters)?, &mut counter)?;
        Ok(counter.0)
    }

    /// As [`Generation::count`], but only where it is known without looking at rows.
    ///
    /// # Errors
    /// As [`Generation::select`].
    pub fn count_at_once(&self, filters: &[Filter]) -> Result<Option<u64>> {
        Ok(match &self.predicates(filters)?[..] {
            [] => Some(self.row_count()),
            [predicate] => self
                .index(predicate.column)
                .and_then(|index| index.candidates(&predicate.test))
                .filter(|candidates| candidates.is_exact())
                .map(|candidates| candidates.count()),
            _ => None,
        })
    }
}
