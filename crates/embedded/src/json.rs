//! JSON as a value: read whole into a tree, written as Trino writes it, and gone through by paths.

mod item;
mod path;
mod write;

pub(crate) use item::Item;
pub(crate) use path::{Fault, Node, Variable, evaluate, sql_value, too_long};
pub(crate) use write::{write_double, write_item, write_text};

/// Levels of arrays and objects in each other that are read into a tree; Trino's reader has no limit but its stack's.
pub(crate) const MAX_DEPTH: usize = 2_000;
