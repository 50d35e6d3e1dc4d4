//! Matching a row pattern from one row on: the pattern as a program, and threads that run it side by side, the most
//! preferred first. Threads that stand at the same instruction and cannot come to differ are one, so that a pattern whose
//! conditions look at no labels takes time linear in the rows and in the pattern.

mod matcher;
mod program;
mod state;
mod trail;

#[cfg(test)]
mod tests;

pub(crate) use matcher::{Candidate, Judge, Match, Matcher};
pub(crate) use program::Program;
pub(crate) use state::{NONE, Slot, Slots};
