//! Tables: named files.

pub(super) mod create;
pub(super) mod list;
pub(super) mod remove;
