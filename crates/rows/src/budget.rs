//! Cooperative work in turns: work over many rows counts its steps, pauses when its budget is spent and continues in
//! its next turn. Steps are counted, not time, so that the same work pauses at the same points wherever it runs.

/// Steps that work may take before it pauses. One is about a nanosecond of a core: a comparison of numbers in a scan.
#[derive(Clone, Debug)]
pub struct Budget {
    left: u64,
}

/// Result of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Progress<T> {
    /// The work is done.
    Done(T),
    /// The budget is spent; the work continues with another one.
    Paused,
}

impl Budget {
    /// A budget of this many steps.
    pub const fn new(steps: u64) -> Self {
        Self { left: steps }
    }

    /// More steps than any work takes.
    pub const fn unlimited() -> Self {
        Self::new(u64::MAX)
    }

    /// Counts steps, also beyond the budget: a step that has begun is completed.
    #[inline]
    pub fn spend(&mut self, steps: u64) {
        self.left = self.left.saturating_sub(steps);
    }

    /// Whether the work must pause.
    #[inline]
    pub fn is_spent(&self) -> bool {
        self.left == 0
    }

    /// Remaining steps.
    pub const fn left(&self) -> u64 {
        self.left
    }
}

impl<T> Progress<T> {
    /// Maps the result, if it is done.
    pub fn map<U>(self, make: impl FnOnce(T) -> U) -> Progress<U> {
        match self {
            Self::Done(done) => Progress::Done(make(done)),
            Self::Paused => Progress::Paused,
        }
    }
}

/// Completes work that never runs out of budget.
pub fn to_the_end<T, E>(mut advance: impl FnMut(&mut Budget) -> Result<Progress<T>, E>) -> Result<T, E> {
    loop {
        if let Progress::Done(done) = advance(&mut Budget::unlimited())? {
            return Ok(done);
        }
    }
}
