//! JSON values: parsed into a tree and printed like Trino.

mod item;
mod write;

pub(crate) use item::{Item, text_steps};
pub(crate) use write::{unescaped, write_array, write_double, write_item, write_text};

/// Maximum depth of nested arrays and objects that are parsed into a tree. Trino's parser is limited only by its stack.
pub(crate) const MAX_DEPTH: usize = 2_000;
