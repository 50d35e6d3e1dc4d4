//! The budget of parsing one text: a number of steps that is linear in its tokens. Parsing also stops when it is
//! abandoned.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Steps per token. A token of an expression takes two or three; more are needed where the parser parses a part of FROM
/// twice because it cannot distinguish a parenthesized query from a join.
const STEPS_PER_TOKEN: usize = 32;
/// Steps of the shortest text.
const FEWEST_STEPS: usize = 10_000;

/// Cancels parsing from another thread, once no caller waits for it.
#[derive(Clone, Debug, Default)]
pub struct Abandonment(Arc<AtomicBool>);

impl Abandonment {
    /// Cancels parsing.
    pub fn abandon(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether parsing was canceled.
    pub fn is_abandoned(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The remaining steps.
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

    /// Takes a step; returns whether parsing may continue.
    pub(super) fn step(&self) -> bool {
        let left = self.left.get().saturating_sub(1);
        self.left.set(left);
        left > 0 && !self.abandonment.is_abandoned()
    }
}
