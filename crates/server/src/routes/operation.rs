//! What operators and their machines ask for, and the page at `/web/`.

pub(super) mod health;
pub(super) mod metrics;
pub(super) mod openapi;
pub(super) mod page;
pub(super) mod ready;
