//! Trino's client protocol: `POST /v1/statement`, and the addresses in its answers. Every statement is an ordinary
//! query record; a page is the rows of the stored result from an offset on, so any page can be requested again, after
//! any pause and after a restart. The state of the session is in the client's headers (D86).

pub(in crate::routes) mod address;
pub(super) mod cancel;
pub(super) mod check;
mod failure;
mod headers;
pub(super) mod info;
pub(super) mod page;
mod protocol;
pub(super) mod record;
pub(super) mod segments;
pub(super) mod submit;
