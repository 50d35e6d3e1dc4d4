//! Statements: submit, poll, read, cancel, list.

pub(super) mod cancel;
pub(super) mod delete_result;
pub(super) mod get;
pub(super) mod list;
pub(super) mod result;
pub(super) mod result_file;
pub(super) mod signed_urls;
pub(super) mod submit;
pub(super) mod submitted;
mod wait;
