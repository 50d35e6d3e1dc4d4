//! Statements: submit, poll, read, cancel, list.

pub(super) mod submit;
pub(super) mod get;
pub(super) mod result;
pub(super) mod cancel;
pub(super) mod list;
mod wait;
