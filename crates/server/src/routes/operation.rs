//! Endpoints for operators and monitoring.

pub(super) mod health;
pub(super) mod metrics;
pub(super) mod openapi;
pub(super) mod ready;
