//! Materialized views: their definitions, and the rows that they serve.

pub(super) mod create;
pub(super) mod drop;
pub(super) mod generations;
pub(super) mod get;
pub(super) mod list;
pub(super) mod openapi;
pub(super) mod read;
pub(super) mod refresh;
pub(super) mod resolve;
pub(super) mod update;
