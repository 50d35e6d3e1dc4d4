//! Saved SQL.

pub(super) mod list;
pub(super) mod create;
pub(super) mod statistics;
pub(super) mod execute;
pub(super) mod update;
pub(super) mod delete;
