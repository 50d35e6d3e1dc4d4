//! The flags of `serve`, derived from the table of settings.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command};

use super::setting::SETTINGS;

const CONFIG: &str = "config";
/// Only a flag, because it applies to one start: in the environment or in a file it would persist.
const NEW_DATABASE: &str = "new-database";

/// Only a flag, for a first try: an operator with a certificate configures it.
const TLS_SELF_SIGNED: &str = "tls-self-signed";

/// The values on the command line, not validated yet.
#[derive(Clone, Debug, Default)]
pub(crate) struct ServeFlags {
    pub(super) config: Option<PathBuf>,
    pub(super) new_database: bool,
    pub(super) tls_self_signed: bool,
    pub(super) values: BTreeMap<&'static str, Vec<String>>,
}

impl ServeFlags {
    /// The flag `--KEY VALUE`, as a test would give it.
    #[cfg(test)]
    pub(crate) fn with(mut self, key: &'static str, value: &str) -> Self {
        self.values.entry(key).or_default().push(value.to_owned());
        self
    }
}

impl clap::Args for ServeFlags {
    fn augment_args(command: Command) -> Command {
        let config = Arg::new(CONFIG)
            .long(CONFIG)
            .value_name("FILE")
            .value_parser(clap::value_parser!(PathBuf))
            .help("Configuration file in TOML [env: ROWHOUSE_CONFIG]");
        let new_database = Arg::new(NEW_DATABASE).long(NEW_DATABASE).action(ArgAction::SetTrue).help(
            "Create a new database although data_dir had one, which is missing; files that it named are set aside",
        );
        let tls_self_signed = Arg::new(TLS_SELF_SIGNED).long(TLS_SELF_SIGNED).action(ArgAction::SetTrue).help(
            "Use TLS with a self-signed certificate, for a first try: DATA_DIR/tls/certificate.pem, created if it does \
             not exist",
        );
        let command = command.arg(config).arg(new_database).arg(tls_self_signed);
        SETTINGS.iter().fold(command, |command, setting| {
            let action = if setting.list_separator.is_some() { ArgAction::Append } else { ArgAction::Set };
            command.arg(
                Arg::new(setting.key)
                    .long(setting.flag())
                    .value_name(setting.value_name)
                    .action(action)
                    .help(format!("{} [env: {}]", setting.help, setting.environment_variable())),
            )
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl clap::FromArgMatches for ServeFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut flags = Self::default();
        flags.update_from_arg_matches(matches)?;
        Ok(flags)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.config = matches.get_one::<PathBuf>(CONFIG).cloned();
        self.new_database = matches.get_flag(NEW_DATABASE);
        self.tls_self_signed = matches.get_flag(TLS_SELF_SIGNED);
        for setting in SETTINGS {
            if let Some(values) = matches.get_many::<String>(setting.key) {
                self.values.insert(setting.key, values.cloned().collect());
            }
        }
        Ok(())
    }
}
