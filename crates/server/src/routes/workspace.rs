//! Workspaces and their members.

pub(super) mod create;
pub(super) mod list;
pub(super) mod members;
pub(super) mod set_limits;
pub(super) mod set_member;
pub(super) mod usage;
