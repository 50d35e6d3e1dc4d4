//! Tables: files with a name.

pub(super) mod create;
pub(super) mod list;
pub(super) mod remove;
