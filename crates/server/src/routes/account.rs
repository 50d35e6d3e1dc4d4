//! Accounts.

pub(super) mod list;
pub(super) mod create;
