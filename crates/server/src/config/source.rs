//! The source of a setting's value: flags take precedence over the environment, and that over the file.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use rowhouse_filters::nearest;
use rowhouse_model::EngineKind;

use super::ConfigError;
use super::flags::ServeFlags;
use super::setting::{SETTINGS, Setting};

/// A value as given, and its origin.
#[derive(Clone, Debug)]
pub(super) struct GivenValue {
    pub(super) texts: Vec<String>,
    pub(super) origin: Origin,
}

/// The origin of a value, as error messages name it.
#[derive(Clone, Debug)]
pub(super) enum Origin {
    Flag(String),
    Environment(String),
    File { path: String, key: &'static str },
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(flag) => write!(f, "--{flag}"),
            Self::Environment(variable) => f.write_str(variable),
            Self::File { path, key } => write!(f, "{key} in {path}"),
        }
    }
}

/// The given values, one per key.
pub(super) type GivenValues = BTreeMap<&'static str, GivenValue>;

/// Prefix of the settings of a Trino cluster; a table in it that is not a setting is a cluster of that name.
const CLUSTER_PREFIX: &str = "engine.trino.";

/// All given values.
#[derive(Clone, Debug, Default)]
pub(super) struct Gathered {
    pub(super) by_key: GivenValues,
    /// Settings of `[engine.trino.NAME]`, by name and by the key of the unnamed cluster.
    pub(super) clusters: BTreeMap<String, GivenValues>,
}

/// Collects the given values. An unknown key of the file is an error; an unknown environment variable is not, because
/// service managers set some with the same prefix.
pub(super) fn gather(
    flags: &ServeFlags,
    environment: &dyn Fn(&str) -> Option<String>,
) -> Result<Gathered, ConfigError> {
    let mut given = Gathered::default();
    let config = flags.config.clone().or_else(|| environment("ROWHOUSE_CONFIG").map(Into::into));
    if let Some(path) = config {
        read_file(&path, &mut given)?;
    }
    for (name, cluster) in &mut given.clusters {
        for setting in SETTINGS {
            let Some(rest) = setting.key.strip_prefix(CLUSTER_PREFIX) else { continue };
            let variable = format!("ROWHOUSE_ENGINE_TRINO_{name}_{rest}").to_ascii_uppercase();
            if let Some(text) = environment(&variable) {
                let origin = Origin::Environment(variable);
                cluster.insert(setting.key, GivenValue { texts: setting.split(text), origin });
            }
        }
    }
    for setting in SETTINGS {
        let variable = setting.environment_variable();
        if let Some(text) = environment(&variable) {
            let texts = setting.split(text);
            given.by_key.insert(setting.key, GivenValue { texts, origin: Origin::Environment(variable) });
        }
        if let Some(texts) = flags.values.get(setting.key) {
            let origin = Origin::Flag(setting.flag());
            given.by_key.insert(setting.key, GivenValue { texts: texts.clone(), origin });
        }
    }
    Ok(given)
}

fn read_file(path: &Path, given: &mut Gathered) -> Result<(), ConfigError> {
    let shown = path.display().to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|error| ConfigError::new(format!("configuration file {shown} cannot be read: {error}")))?;
    let table: toml::Table = text
        .parse()
        .map_err(|error| ConfigError::new(format!("configuration file {shown} is not TOML: {error}")))?;
    read_table(&shown, "", &table, given)
}

fn read_table(
    path: &str,
    prefix: &str,
    table: &toml::Table,
    given: &mut Gathered,
) -> Result<(), ConfigError> {
    for (name, value) in table {
        let key = format!("{prefix}{name}");
        let inner = format!("{key}.");
        match (value, SETTINGS.iter().find(|setting| setting.key == key)) {
            (toml::Value::Table(table), _)
                if SETTINGS.iter().any(|setting| setting.key.starts_with(&inner)) =>
            {
                read_table(path, &inner, table, given)?;
            }
            (toml::Value::Table(table), None) if prefix == CLUSTER_PREFIX => {
                read_cluster(path, name, table, given)?;
            }
            (_, Some(setting)) => {
                let texts = texts_of(setting, value).ok_or_else(|| {
                    ConfigError::new(format!("{key} in {path}: {value} is no {}", setting.value_name))
                })?;
                let origin = Origin::File { path: path.to_owned(), key: setting.key };
                given.by_key.insert(setting.key, GivenValue { texts, origin });
            }
            (_, None) => {
                let tables =
                    SETTINGS.iter().filter_map(|setting| setting.key.split_once('.')).map(|(table, _)| table);
                let names = SETTINGS.iter().map(|setting| setting.key).chain(tables);
                let hint =
                    nearest(&key, names).map_or(String::new(), |name| format!("; did you mean {name}?"));
                return Err(ConfigError::new(format!("unknown key {key} in {path}{hint}")));
            }
        }
    }
    Ok(())
}

/// `[engine.trino.NAME]`: the keys of `[engine.trino]` for a named cluster.
fn read_cluster(
    path: &str,
    name: &str,
    table: &toml::Table,
    given: &mut Gathered,
) -> Result<(), ConfigError> {
    if format!("trino:{name}").parse::<EngineKind>().is_err() {
        let message =
            format!("{CLUSTER_PREFIX}{name} in {path}: names of clusters are like [a-z_][a-z0-9_]{{0,62}}");
        return Err(ConfigError::new(message));
    }
    let mut settings = Gathered::default();
    for (key, value) in table {
        if value.is_table() {
            return Err(ConfigError::new(format!("unknown key {CLUSTER_PREFIX}{name}.{key} in {path}")));
        }
    }
    read_table(path, CLUSTER_PREFIX, table, &mut settings)?;
    given.clusters.insert(name.to_owned(), settings.by_key);
    Ok(())
}

fn texts_of(setting: &Setting, value: &toml::Value) -> Option<Vec<String>> {
    match value {
        toml::Value::String(text) => Some(vec![text.clone()]),
        toml::Value::Integer(number) => Some(vec![number.to_string()]),
        toml::Value::Boolean(switch) => Some(vec![switch.to_string()]),
        toml::Value::Float(number) if setting.value_name == "RATIO" => Some(vec![number.to_string()]),
        toml::Value::Array(values) if setting.list_separator.is_some() => {
            values.iter().map(|value| value.as_str().map(str::to_owned)).collect()
        }
        toml::Value::Array(_) | toml::Value::Table(_) | toml::Value::Float(_) | toml::Value::Datetime(_) => {
            None
        }
    }
}
