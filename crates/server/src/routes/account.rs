//! Accounts.

pub(super) mod create;
pub(super) mod list;
