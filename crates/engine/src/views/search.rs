//! Searches the rows of one read in turns (D61): no read waits longer than for one turn of another, and a search stops
//! as soon as it is dropped.

use std::sync::Arc;

use rowhouse_filters::Filter;

use super::first_rows::RowOrder;
use super::generation::Generation;
use super::look_up::LookUp;
use super::order::OrderedSearch;
use super::scan::Scan;
use crate::Result;
use rowhouse_rows::{Budget, Progress, RowSelection, to_the_end};

/// A search that proceeds turn by turn.
#[derive(Debug)]
pub struct RowSearch {
    generation: Arc<Generation>,
    search: Search,
}

#[derive(Debug)]
enum Search {
    /// The result. None after it was returned.
    Found(Option<RowSelection>),
    LookUp(Box<LookUp>),
    Ordered(Box<OrderedSearch>),
}

impl RowSearch {
    /// The rows, once they are found; they are returned once. Costs its budget, and at most about a millisecond more,
    /// unless a batch is read for the first time.
    ///
    /// # Errors
    /// `InvalidArguments`: more rows than [`MAX_ORDERED_ROWS`](super::MAX_ORDERED_ROWS) would have to be sorted;
    /// `Internal`: a file is corrupt.
    pub fn advance(&mut self, budget: &mut Budget) -> Result<Progress<RowSelection>> {
        let Self { generation, search } = self;
        generation.guarded(|| search.advance(generation, budget))
    }

    /// Maximum memory of the search, in bytes, while it is in progress.
    pub fn memory_bytes(&self) -> usize {
        match &self.search {
            Search::Found(_) => 0,
            Search::LookUp(look_up) => look_up.memory_bytes(),
            Search::Ordered(ordered) => ordered.memory_bytes(),
        }
    }
}

impl Search {
    fn advance(&mut self, generation: &Generation, budget: &mut Budget) -> Result<Progress<RowSelection>> {
        match self {
            Self::Found(selection) => Ok(Progress::Done(selection.take().unwrap_or(NOTHING))),
            Self::LookUp(look_up) => {
                Ok(look_up.advance(generation, budget)?.map(|rows| RowSelection::Rows(rows.into())))
            }
            Self::Ordered(ordered) => ordered.advance(generation, budget),
        }
    }
}

const NOTHING: RowSelection = RowSelection::Range { offset: 0, limit: 0 };

impl Generation {
    /// The rows that satisfy every filter, in the order of the materialization (D25) or in another one (D46), skipping
    /// `offset` of them, at most `limit`. The cost of this call does not grow with the rows, except for some copied row
    /// numbers of an index.
    ///
    /// # Errors
    /// `ColumnNotFound`, `InvalidArguments`, `InvalidCastArgument`; `Internal`: a file is corrupt.
    pub fn search(
        self: &Arc<Self>,
        filters: &[Filter],
        order: Option<RowOrder>,
        offset: u64,
        limit: u64,
    ) -> Result<RowSearch> {
        let search = self.guarded(|| match order {
            None => self.begin_select(filters, offset, limit),
            Some(order) => self.begin_select_ordered(filters, order, offset, limit),
        })?;
        Ok(RowSearch { generation: Arc::clone(self), search })
    }

    /// As [`Generation::search`], in the order of the materialization and in one call.
    ///
    /// A few row numbers are found here; many are found while encoding, so that memory does not grow with them.
    ///
    /// # Errors
    /// As [`Generation::search`].
    pub fn select(&self, filters: &[Filter], offset: u64, limit: u64) -> Result<RowSelection> {
        let mut search = self.begin_select(filters, offset, limit)?;
        to_the_end(|budget| search.advance(self, budget))
    }

    /// As [`Generation::search`], in the order of a column and in one call.
    ///
    /// # Errors
    /// As [`Generation::search`], and `InvalidArguments`: more than [`MAX_ORDERED_ROWS`](super::MAX_ORDERED_ROWS) rows
    /// would have to be sorted.
    pub fn select_ordered(
        &self,
        filters: &[Filter],
        order: RowOrder,
        offset: u64,
        limit: u64,
    ) -> Result<RowSelection> {
        let mut search = self.begin_select_ordered(filters, order, offset, limit)?;
        to_the_end(|budget| search.advance(self, budget))
    }

    fn begin_select(&self, filters: &[Filter], offset: u64, limit: u64) -> Result<Search> {
        let predicates = self.predicates(filters)?;
        if predicates.is_empty() || limit == 0 {
            return Ok(Search::Found(Some(RowSelection::Range { offset, limit })));
        }
        let wanted = offset.saturating_add(limit);
        if let Some((position, candidates)) = self.cheap_candidates(&predicates, wanted) {
            let look_up = LookUp::new(predicates, position, &candidates, offset, limit);
            return Ok(Search::LookUp(Box::new(look_up)));
        }
        let filter = Arc::new(Scan::new(predicates, self));
        Ok(Search::Found(Some(RowSelection::Matching { filter, offset, limit })))
    }

    fn begin_select_ordered(
        &self,
        filters: &[Filter],
        order: RowOrder,
        offset: u64,
        limit: u64,
    ) -> Result<Search> {
        self.check_order(order)?;
        let predicates = self.predicates(filters)?;
        if limit == 0 || offset >= self.row_count() {
            return Ok(Search::Found(Some(RowSelection::Range { offset, limit: 0 })));
        }
        let ordered = OrderedSearch::new(self, predicates, order, offset, limit);
        Ok(Search::Ordered(Box::new(ordered)))
    }
}
