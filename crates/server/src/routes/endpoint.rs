//! `/v1/data/{workspace}/endpoint/{sqlName}`: calls of saved SQL with a name.

pub(super) mod call;
pub(super) mod openapi;
pub(in crate::routes) mod request;
