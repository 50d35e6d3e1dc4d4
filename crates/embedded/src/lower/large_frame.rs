//! Frames that have grown too large. Some joins name a frame several times: the rows with a match, the rows without. Polars
//! computes a cached frame once, but its optimizer visits it wherever it is named, so joins inside of joins would multiply
//! the visits with each level. A frame of so many nodes is run at once, and what is above reads its rows.

use polars::prelude::{IntoLazy, LazyFrame};
use rowhouse_model::QueryError;

use crate::attempt::{Attempt, attempt};
use crate::failure;
use rowhouse_sql::plan::Plan;

/// Maximum number of nodes of a frame, each counted wherever it is named; the optimizer takes milliseconds for them.
const MAX_NODES: usize = 2_000;

/// Number of nodes of a frame for one of its plan up to which it is not too large: plans that are long themselves, as a
/// union of a thousand queries, name nothing repeatedly.
const NODES_OF_ONE: usize = 8;

/// The frame, or its rows if it is too large for its plan.
pub(super) fn bounded(plan: &Plan, frame: LazyFrame) -> Result<LazyFrame, QueryError> {
    if !has_more_nodes(&frame, MAX_NODES) {
        return Ok(frame);
    }
    let mut nodes: usize = 0;
    plan.visit(&mut |_| nodes += 1);
    if !has_more_nodes(&frame, NODES_OF_ONE.saturating_mul(nodes)) {
        return Ok(frame);
    }
    let rows = attempt(&Attempt::ALL, |attempt| attempt.collect(frame.clone()))
        .map_err(|error| failure::query_error(&error))?;
    Ok(rows.lazy())
}

fn has_more_nodes(frame: &LazyFrame, most: usize) -> bool {
    (&frame.logical_plan).into_iter().nth(most).is_some()
}
