#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::Write as _;

use clap::{CommandFactory as _, Parser};

use super::setting::SETTINGS;
use super::*;

#[derive(Debug, Parser)]
struct Line {
    #[command(flatten)]
    flags: ServeFlags,
}

fn load(flags: ServeFlags, environment: &[(&str, &str)], file: &str) -> Result<Config, String> {
    let mut config = tempfile::Builder::new().suffix(".toml").tempfile().unwrap();
    config.write_all(file.as_bytes()).unwrap();
    let path = config.path().to_str().unwrap().to_owned();
    let get = |name: &str| {
        let found = environment.iter().find(|(variable, _)| *variable == name);
        found
            .map(|(_, value)| (*value).to_owned())
            .or_else(|| (name == "ROWHOUSE_CONFIG").then(|| path.clone()))
    };
    Config::load(&flags, &get).map_err(|error| error.to_string().replace(&path, "FILE"))
}

#[test]
fn defaults_are_those_of_the_design() {
    let config = load(ServeFlags::default(), &[], "").unwrap();
    assert_eq!(config.listen.to_string(), "127.0.0.1:8080");
    assert_eq!(config.engine.data_dir.to_str(), Some("rowhouse-data"));
    assert_eq!(config.engine.sample_dir.to_str(), Some("rowhouse-data/samples"));
    assert_eq!(config.limits.body_bytes, 2 * 1024 * 1024);
    assert_eq!(config.max_page_rows, None);
}

#[test]
fn the_example_file_is_valid() {
    let file = r#"
        listen = "127.0.0.1:9000"
        data_dir = "somewhere"
        base_path = "/sql"
        table_roots = ["/srv/data", "/srv/more"]
        [engine]
        kind = "polars"
        concurrency = 3
        memory_limit = "2GiB"
        spill_limit = "0"
        statement_timeout = "5m"
        max_idle_time = 60
        [results]
        retention = "1d"
        max_page_rows = 1000
        [records]
        retention = "2d"
        [limits]
        body_bytes = "1MiB"
        sql_bytes = "64KiB"
        filters = 8
        filter_bytes = "1KiB"
        queued_statements = 10
        connections = 100
        header_timeout = "1s"
        idle_timeout = "2s"
    "#;
    let config = load(ServeFlags::default(), &[], file).unwrap();
    assert_eq!(config.base_path.as_deref(), Some("/sql"));
    assert_eq!(config.engine.table_roots.len(), 2);
    assert_eq!(config.engine.concurrency, 3);
    assert_eq!(config.engine.memory_limit_bytes, 2 << 30);
    assert_eq!(config.engine.spill_limit_bytes(), 0);
    assert_eq!(config.engine.max_idle_time, Duration::from_secs(60));
    assert_eq!(config.engine.max_sql_bytes, 64 << 10);
    assert_eq!(config.max_page_rows, Some(1000));
    assert_eq!(config.limits.idle_timeout, Duration::from_secs(2));
}

#[test]
fn flags_override_the_environment_which_overrides_the_file() {
    let file = "listen = \"127.0.0.1:1\"";
    let environment = [("ROWHOUSE_LISTEN", "127.0.0.1:2")];
    let port = |flags, environment: &[_]| load(flags, environment, file).unwrap().listen.port();
    assert_eq!(port(ServeFlags::default(), &[]), 1);
    assert_eq!(port(ServeFlags::default(), &environment), 2);
    assert_eq!(port(ServeFlags::default().with("listen", "127.0.0.1:3"), &environment), 3);
}

#[test]
fn every_setting_has_a_flag_and_an_environment_variable() {
    let command = Line::command();
    for setting in SETTINGS {
        assert!(command.get_arguments().any(|argument| argument.get_long() == Some(setting.flag().as_str())));
        let variable = setting.environment_variable();
        let error = load(ServeFlags::default(), &[(variable.as_str(), "")], "");
        // An empty value is refused everywhere, with the variable's name; an empty prefix is valid.
        if setting.key != "base_path" && setting.key != "log.filter" {
            let message = error.unwrap_err();
            assert!(message.starts_with(&variable), "{message}");
        }
    }
    let line = Line::try_parse_from([
        "x",
        "--limits-body-bytes",
        "1KiB",
        "--table-roots",
        "/a",
        "--table-roots",
        "/b",
    ]);
    let config = Config::load(&line.unwrap().flags, &|_| None).unwrap();
    assert_eq!(config.limits.body_bytes, 1024);
    assert_eq!(config.engine.table_roots, [PathBuf::from("/a"), PathBuf::from("/b")]);
}

#[test]
fn errors_name_key_value_and_expected_form() {
    let check = |file: &str, expected: &str| {
        assert_eq!(load(ServeFlags::default(), &[], file).unwrap_err(), expected, "{file}");
    };
    check("listn = \"x\"", "unknown key listn in FILE; did you mean listen?");
    check("[limits]\nbody_byte = 1", "unknown key limits.body_byte in FILE; did you mean limits.body_bytes?");
    check("[limit]\nx = 1", "unknown key limit in FILE; did you mean limits?");
    check(
        "[limits]\nbody_bytes = \"2 bananas\"",
        "limits.body_bytes in FILE: \"2 bananas\" cannot be used, expected a size such as 2MiB, from 1 byte",
    );
    check("listen = 1.5", "listen in FILE: 1.5 is no ADDRESS:PORT");
    check(
        "base_path = \"a b\"",
        "base_path in FILE: \"a b\" cannot be used, expected a path such as /sql, of letters, digits and -._~/",
    );
    check(
        "[engine]\nkind = \"duckdb\"",
        "engine.kind in FILE: \"duckdb\" cannot be used, expected polars, trino or trino:NAME",
    );
}

#[test]
fn the_document_lists_every_setting_and_whether_a_reload_applies_it() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/operations.md");
    let document = std::fs::read_to_string(path).unwrap();
    let live = document.split("What it takes over:").nth(1).unwrap().split("The log names").next().unwrap();
    for setting in SETTINGS {
        let name = format!("`{}`", setting.key);
        let is_listed = document.lines().any(|line| line.starts_with('|') && line.contains(&name));
        assert!(is_listed, "{name} is not in the table");
        assert_eq!(live.contains(&name), setting.is_live, "{name} among those that a reload takes over");
    }
}

#[test]
fn a_reload_applies_live_settings_and_names_the_others() {
    type Environment = Box<dyn Fn(&str) -> Option<String>>;
    let read = |file: &str| -> (Config, Environment) {
        let text = file.to_owned();
        let config = tempfile::Builder::new().suffix(".toml").tempfile().unwrap();
        std::fs::write(config.path(), text).unwrap();
        let path = config.into_temp_path();
        let environment =
            move |name: &str| (name == "ROWHOUSE_CONFIG").then(|| path.to_str().unwrap().to_owned());
        (Config::load(&ServeFlags::default(), &environment).unwrap(), Box::new(environment))
    };
    let (old, _) = read("listen = \"127.0.0.1:1\"\n[limits]\nfilters = 3\nbody_bytes = 10");
    let (_, environment) = read("listen = \"127.0.0.1:2\"\n[limits]\nfilters = 4");
    let Reload { config, changed, waiting } = old.reload(&ServeFlags::default(), &environment).unwrap();
    assert_eq!((changed, waiting), (vec!["limits.body_bytes", "limits.filters"], vec!["listen"]));
    assert_eq!((config.limits.filters, config.limits.body_bytes), (4, Limits::default().body_bytes));
    assert_eq!(config.listen.port(), 1);
    // Keys that need a restart stay so.
    let again = config.reload(&ServeFlags::default(), &environment).unwrap();
    assert_eq!((again.changed, again.waiting), (vec![], vec!["listen"]));
}

#[test]
fn trino_clusters_have_names_and_secrets_of_their_own() {
    let token = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(token.path(), "abc\n").unwrap();
    let file = format!(
        r#"
        [engine]
        kind = "trino:eu"
        [engine.trino]
        url = "http://trino:8080/"
        catalog = "hive"
        session = ["a=1", "b=x:y"]
        [engine.trino.eu]
        url = "https://eu"
        token_file = "{}"
        read_only = false
        "#,
        token.path().display()
    );
    let flags = ServeFlags::default().with("engine.trino.user", "ann");
    let environment =
        [("ROWHOUSE_ENGINE_TRINO_EU_URL", "https://eu.example.org"), ("ROWHOUSE_ENGINE_TRINO_SCHEMA", "web")];
    let config = load(flags, &environment, &file).unwrap();
    assert_eq!(config.engine.kind.to_string(), "trino:eu");
    let unnamed = &config.engine.trino[&None];
    assert_eq!((unnamed.url.as_str(), unnamed.user.as_str()), ("http://trino:8080", "ann"));
    assert_eq!((unnamed.catalog.as_deref(), unnamed.schema.as_deref()), (Some("hive"), Some("web")));
    assert_eq!(unnamed.session, ["a=1", "b=x:y"]);
    assert!(unnamed.is_read_only);
    let eu = &config.engine.trino[&Some("eu".to_owned())];
    assert_eq!(
        (eu.url.as_str(), eu.user.as_str(), eu.is_read_only),
        ("https://eu.example.org", "rowhouse", false)
    );
    assert_eq!(eu.authentication, rowhouse_engine::TrinoAuthentication::Bearer { token: "abc".to_owned() });

    let check = |file: &str, expected: &str| {
        let error = load(ServeFlags::default(), &[], file).unwrap_err();
        assert!(error.contains(expected), "{error}");
    };
    check("[engine.trino]\nuser = \"ann\"", "engine.trino.url is missing");
    check("[engine.trino.eu]\nuser = \"ann\"", "engine.trino.eu.url is missing");
    check("[engine.trino.EU]\nurl = \"http://eu\"", "names of clusters");
    check("[engine.trino.eu]\nulr = \"http://eu\"", "unknown key engine.trino.ulr");
    check("[engine.trino]\nurl = \"http://eu\"\nread_only = 1", "true or false");
    check(
        "[engine.trino]\nurl = \"http://eu\"\ntoken_file = \"/nowhere/token\"",
        "/nowhere/token cannot be read",
    );
    check("[engine]\nkind = \"duckdb\"", "polars, trino or trino:NAME");
}
