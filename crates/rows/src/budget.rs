//! Work in turns: what looks at many rows counts its steps, stops when they are spent and goes on in its next turn.
//! Steps are counted, not time, so that the same work stops at the same places wherever it runs.

/// Steps that work may take before it stops. One is about a nanosecond of a core: a number compared in a scan.
#[derive(Clone, Debug)]
pub struct Budget {
    left: u64,
}

/// What came of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Progress<T> {
    /// The work is done.
    Done(T),
    /// The budget is spent; the work goes on with another one.
    Paused,
}

impl Budget {
    /// So many steps.
    pub const fn new(steps: u64) -> Self {
        Self { left: steps }
    }

    /// More steps than any work has.
    pub const fn unlimited() -> Self {
        Self::new(u64::MAX)
    }

    /// Counts steps, those that were not there to be spent too: a step that has been begun is done.
    #[inline]
    pub fn spend(&mut self, steps: u64) {
        self.left = self.left.saturating_sub(steps);
    }

    /// Whether it is time to stop.
    #[inline]
    pub fn is_spent(&self) -> bool {
        self.left == 0
    }

    /// Steps that are left.
    pub const fn left(&self) -> u64 {
        self.left
    }
}

impl<T> Progress<T> {
    /// What it is made into, once it is done.
    pub fn map<U>(self, make: impl FnOnce(T) -> U) -> Progress<U> {
        match self {
            Self::Done(done) => Progress::Done(make(done)),
            Self::Paused => Progress::Paused,
        }
    }
}

/// Does work that never runs out of budget.
pub fn to_the_end<T, E>(mut advance: impl FnMut(&mut Budget) -> Result<Progress<T>, E>) -> Result<T, E> {
    loop {
        if let Progress::Done(done) = advance(&mut Budget::unlimited())? {
            return Ok(done);
        }
    }
}
