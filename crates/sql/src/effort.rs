//! The budget of parsing one text: a number of steps that is linear in its tokens. Parsing stops when nobody waits for
//! the text any more.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Steps for each token. A token of an expression takes two or three; more is needed where the parser reads one part
/// of FROM twice because it cannot tell a query in parentheses from a join.
const STEPS_PER_TOKEN: usize = 32;
/// Steps of the shortest text.
const FEWEST_STEPS: usize = 10_000;

/// Says, from another thread, that nobody waits for a reading.
#[derive(Clone, Debug, Default)]
pub struct Abandonment(Arc<AtomicBool>);

impl Abandonment {
    /// Nobody waits any more.
    pub fn abandon(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether nobody waits any more.
    pub fn is_abandoned(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The steps that are left.
#[derive(Debug)]
pub(super) struct Effort {
    left: Cell<usize>,
    abandonment: Abandonment,
}

impl Effort {
    pub(super) fn new(tokens: usize, abandonment: Abandonment) -> Self {
        let steps = tokens.saturating_mul(STEPS_PER_TOKEN).saturating_add(FEWEST_STEPS);
        Self { left: Cell::new(steps), abandonment }
    }

    /// Takes a step; whether another one may be taken.
    pub(super) fn step(&self) -> bool {
        let left = self.left.get().saturating_sub(1);
        self.left.set(left);
        left > 0 && !self.abandonment.is_abandoned()
    }
}
