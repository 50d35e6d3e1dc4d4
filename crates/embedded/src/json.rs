//! JSON values: parsed into a tree and printed like Trino.

mod item;
mod write;

pub(crate) use item::{Item, text_steps};
pub(crate) use write::{write_array, write_double, write_item, write_text};

/// Levels of arrays and objects in each other that are read into a tree; Trino's reader has no limit but its stack's.
pub(crate) const MAX_DEPTH: usize = 2_000;
