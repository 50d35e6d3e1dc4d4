//! From a configuration to a running server, and its end.

use crate::config::{Config, ServeFlags};

/// Runs the server until it is told to stop.
pub(crate) fn run(flags: &ServeFlags) -> anyhow::Result<()> {
    let config = Config::load(flags, &|name| std::env::var(name).ok())?;
    anyhow::bail!("nothing listens on {} yet", config.listen)
}
