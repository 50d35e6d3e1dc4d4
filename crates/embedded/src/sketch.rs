//! Sketches of values, in Trino's binary formats: `HyperLogLog` counts distinct values, `qdigest` and `tdigest`
//! estimate quantiles. Bytes are validated before use, because any `varbinary` may be cast to a sketch.

mod bytes;
mod hyper_log_log;
mod quantile_digest;
mod t_digest;

pub(crate) use hyper_log_log::HyperLogLog;
pub(crate) use quantile_digest::QuantileDigest;
pub(crate) use t_digest::TDigest;

/// Why bytes are not a valid sketch, or a sketch does not accept a value; a message for the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault(pub(crate) String);

type Result<T> = std::result::Result<T, Fault>;

fn fault<T>(message: impl Into<String>) -> Result<T> {
    Err(Fault(message.into()))
}

#[cfg(test)]
mod tests;
