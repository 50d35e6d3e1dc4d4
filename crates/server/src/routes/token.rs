//! Personal access tokens: every account manages its own.

pub(super) mod create;
pub(super) mod list;
pub(super) mod revoke;
