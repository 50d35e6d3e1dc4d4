//! Trino clusters of the configuration: `[engine.trino]`, and `[engine.trino.NAME]` for further ones with the same
//! keys. A named cluster is defined in the file; its settings can be overridden in the environment, for secrets that
//! are passed that way: `ROWHOUSE_ENGINE_TRINO_NAME_TOKEN_FILE`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use rowhouse_engine::{TrinoAuthentication, TrinoCluster};

use super::source::{Gathered, GivenValues};
use super::value::parse_switch;
use super::{ConfigError, POSITIVE_DURATION, Settings, folder, positive_duration, unusable};

/// All clusters by name; the unnamed one has none.
pub(super) fn clusters(gathered: &Gathered) -> Result<BTreeMap<Option<String>, TrinoCluster>, ConfigError> {
    let mut clusters = BTreeMap::new();
    if gathered.by_key.keys().any(|key| key.starts_with("engine.trino.")) {
        clusters.insert(None, cluster("engine.trino", &gathered.by_key)?);
    }
    for (name, given) in &gathered.clusters {
        clusters.insert(Some(name.clone()), cluster(&format!("engine.trino.{name}"), given)?);
    }
    Ok(clusters)
}

fn cluster(table: &str, given: &GivenValues) -> Result<TrinoCluster, ConfigError> {
    let settings = Settings { given };
    let text = |key: &str| settings.read(key, "a text", |text| (!text.is_empty()).then(|| text.to_owned()));
    let list = |key: &str| -> Result<Vec<String>, ConfigError> {
        let Some(given) = given.get(key) else { return Ok(Vec::new()) };
        match given.texts.iter().find(|text| text.is_empty()) {
            Some(text) => Err(unusable(given, text, "texts")),
            None => Ok(given.texts.clone()),
        }
    };
    let url = text("engine.trino.url")?;
    let mut cluster = TrinoCluster::new(url.clone().unwrap_or_default());
    for (value, key) in [
        (&mut cluster.user, "engine.trino.user"),
        (&mut cluster.source, "engine.trino.source"),
        (&mut cluster.time_zone, "engine.trino.time_zone"),
    ] {
        if let Some(given) = text(key)? {
            *value = given;
        }
    }
    cluster.catalog = text("engine.trino.catalog")?;
    cluster.schema = text("engine.trino.schema")?;
    cluster.client_tags = list("engine.trino.client_tags")?;
    cluster.session = list("engine.trino.session")?;
    cluster.ca_file = settings.read("engine.trino.ca_file", "a file", folder)?;
    settings.set(&mut cluster.is_read_only, "engine.trino.read_only", "true or false", parse_switch)?;
    settings.set(
        &mut cluster.retry_timeout,
        "engine.trino.retry_timeout",
        POSITIVE_DURATION,
        positive_duration,
    )?;
    let password = secret(&settings, "engine.trino.password_file")?;
    let token = secret(&settings, "engine.trino.token_file")?;
    cluster.authentication = match (password, token) {
        (None, None) => TrinoAuthentication::None,
        (Some(password), None) => TrinoAuthentication::Basic { password },
        (None, Some(token)) => TrinoAuthentication::Bearer { token },
        (Some(_), Some(_)) => {
            let message = format!("{table} has both password_file and token_file; Trino takes one of them");
            return Err(ConfigError::new(message));
        }
    };
    match url {
        Some(_) => Ok(cluster),
        None => Err(ConfigError::new(format!("{table}.url is missing: where the Trino cluster is"))),
    }
}

/// A secret from its file, without the trailing newline that editors add.
fn secret(settings: &Settings<'_>, key: &str) -> Result<Option<String>, ConfigError> {
    let Some(path) = settings.read(key, "a file", folder)? else { return Ok(None) };
    let path: PathBuf = path;
    let text = std::fs::read_to_string(&path)
        .map_err(|error| ConfigError::new(format!("{key}: {} cannot be read: {error}", path.display())))?;
    let secret = text.trim_end_matches(['\r', '\n']);
    if secret.is_empty() {
        return Err(ConfigError::new(format!("{key}: {} is empty", path.display())));
    }
    Ok(Some(secret.to_owned()))
}
