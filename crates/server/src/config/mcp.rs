//! Settings of the tools of the Model Context Protocol.

use std::time::Duration;

use super::value::parse_switch;
use super::{
    ConfigError, POSITIVE, POSITIVE_DURATION, SIZE, Settings, positive, positive_duration, size_in_memory,
};

/// The settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct McpConfig {
    /// Whether there is a tool that runs any statement.
    pub(crate) query: bool,
    /// Maximum number of rows of one answer.
    pub(crate) max_rows: u64,
    /// Maximum bytes of the rows of one answer, as JSON.
    pub(crate) max_bytes: usize,
    /// Time limit of one call, after which its statement is canceled.
    pub(crate) timeout: Duration,
}

impl Default for McpConfig {
    fn default() -> Self {
        Self { query: false, max_rows: 1000, max_bytes: 64 << 10, timeout: Duration::from_secs(60) }
    }
}

/// Reads the settings.
pub(super) fn read(settings: &Settings) -> Result<McpConfig, ConfigError> {
    let mut mcp = McpConfig::default();
    settings.set(&mut mcp.query, "mcp.query", "true or false", parse_switch)?;
    settings
        .set(&mut mcp.max_rows, "mcp.max_rows", POSITIVE, |text| positive(text).map(|rows| rows as u64))?;
    settings.set(&mut mcp.max_bytes, "mcp.max_bytes", SIZE, size_in_memory)?;
    settings.set(&mut mcp.timeout, "mcp.timeout", POSITIVE_DURATION, positive_duration)?;
    Ok(mcp)
}
