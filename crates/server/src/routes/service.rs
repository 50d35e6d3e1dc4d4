//! The SQL engine as a service (D21).

pub(super) mod get;
pub(super) mod set;
