//! Saved SQL.

pub(super) mod calls;
pub(super) mod create;
pub(super) mod delete;
pub(super) mod execute;
pub(super) mod list;
pub(super) mod statistics;
pub(super) mod update;
pub(super) mod versions;
