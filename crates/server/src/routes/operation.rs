//! What operators and their machines ask for, and the page at `/web/`.

pub(super) mod page;
pub(super) mod health;
pub(super) mod ready;
pub(super) mod metrics;
