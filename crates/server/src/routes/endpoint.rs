//! `/v1/data/{workspace}/endpoint/{sqlName}`: saved SQL with a name, called.

pub(super) mod call;
pub(super) mod openapi;
pub(in crate::routes) mod request;
