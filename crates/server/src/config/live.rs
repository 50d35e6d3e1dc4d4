//! The configuration of a running server, which a reload replaces. Only settings that the table marks as live are
//! applied; an invalid configuration changes nothing.

use std::sync::{Arc, PoisonError, RwLock};

use super::setting::SETTINGS;
use super::source::{self, Gathered, GivenValue, GivenValues};
use super::{Config, ConfigError, ServeFlags};

/// The present configuration.
#[derive(Debug)]
pub(crate) struct LiveConfig(RwLock<Arc<Config>>);

/// A reloaded configuration.
#[derive(Debug)]
pub(crate) struct Reload {
    /// The new effective configuration.
    pub(crate) config: Config,
    /// Keys whose new values are effective.
    pub(crate) changed: Vec<&'static str>,
    /// Keys that have changed but need a restart.
    pub(crate) waiting: Vec<&'static str>,
}

impl LiveConfig {
    pub(crate) fn new(config: Config) -> Self {
        Self(RwLock::new(Arc::new(config)))
    }

    /// The present configuration; a request that holds it sees no change.
    pub(crate) fn get(&self) -> Arc<Config> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces it.
    pub(crate) fn set(&self, config: Config) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(config);
    }
}

impl Config {
    /// Reads flags, environment and file again.
    ///
    /// # Errors
    /// The first invalid setting, live or not.
    pub(crate) fn reload(
        &self,
        flags: &ServeFlags,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Reload, ConfigError> {
        let read = source::gather(flags, environment)?;
        // A configuration that the next start would refuse is refused now, while the operator is present.
        Self::from_given(read.clone())?;
        let mut merged = Gathered { clusters: self.given.clusters.clone(), ..Gathered::default() };
        let (mut changed, mut waiting) = (Vec::new(), Vec::new());
        for setting in SETTINGS {
            let (old, new) = (self.given.by_key.get(setting.key), read.by_key.get(setting.key));
            if texts(old) != texts(new) {
                if setting.is_live { &mut changed } else { &mut waiting }.push(setting.key);
            }
            if let Some(given) = if setting.is_live { new } else { old } {
                merged.by_key.insert(setting.key, given.clone());
            }
        }
        let cluster_texts = |given: &Gathered| -> Vec<_> {
            given.clusters.iter().map(|(name, given)| (name.clone(), all_texts(given))).collect()
        };
        if cluster_texts(&self.given) != cluster_texts(&read) {
            waiting.push("engine.trino.NAME");
        }
        Ok(Reload { config: Self::from_given(merged)?, changed, waiting })
    }
}

fn all_texts(given: &GivenValues) -> Vec<(&'static str, Vec<String>)> {
    given.iter().map(|(key, given)| (*key, given.texts.clone())).collect()
}

fn texts(given: Option<&GivenValue>) -> Option<&[String]> {
    given.map(|given| given.texts.as_slice())
}
