//! Personal access tokens: everyone manages their own.

pub(super) mod create;
pub(super) mod list;
pub(super) mod revoke;
