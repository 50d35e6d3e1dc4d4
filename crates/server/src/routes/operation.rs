//! What operators and their machines ask for.

pub(super) mod health;
pub(super) mod metrics;
pub(super) mod openapi;
pub(super) mod ready;
