//! Matches a row pattern from one row on: the pattern is compiled to a program, and threads run it side by side, the
//! most preferred one first. Threads at the same instruction whose future is equal are merged, so that a pattern whose
//! conditions do not refer to labels takes time linear in the rows and in the pattern.

mod matcher;
mod program;
mod state;
mod trail;

#[cfg(test)]
mod tests;

pub(crate) use matcher::{Candidate, ConditionEvaluator, Match, Matcher};
pub(crate) use program::Program;
pub(crate) use state::{NONE, Slot, Slots};
