//! `--param NAME=VALUE` and `--param NAME:TYPE=VALUE`.

use rowhouse_model::{ParameterValue, StatementParameter, StatementParameters};

/// A parameter as typed. With a type the value is text of that type, or JSON for an array. Without one it is parsed as
/// JSON (`7`, `1.50`, `true`, `null`, `"7"`, `[1,2]`), else it is text.
pub(super) fn parse_parameter(typed: &str) -> Result<(String, StatementParameter), String> {
    let (name, value) = typed.split_once('=').ok_or("expected NAME=VALUE or NAME:TYPE=VALUE")?;
    let (name, type_name) = match name.split_once(':') {
        Some((name, type_name)) => (name, Some(type_name)),
        None => (name, None),
    };
    let parameter = match type_name {
        Some(type_name) => {
            let is_array = type_name.trim_start().to_ascii_lowercase().starts_with("array");
            let value = match read(value) {
                Ok(StatementParameter { value: array @ ParameterValue::Array(_), .. }) if is_array => array,
                _ if is_array => return Err(format!("{value:?} is not a JSON array")),
                _ => ParameterValue::Text(value.to_owned()),
            };
            StatementParameter { type_name: Some(type_name.to_owned()), value }
        }
        None => read(value).unwrap_or_else(|_| value.into()),
    };
    // The server's rules for names apply.
    let checked = serde_json::json!({ name: null }).to_string();
    serde_json::from_str::<StatementParameters>(&checked).map_err(|error| error.to_string())?;
    Ok((name.to_owned(), parameter))
}

fn read(json: &str) -> serde_json::Result<StatementParameter> {
    serde_json::from_str(json)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(typed: &str, expected: &str) {
        let found = match parse_parameter(typed) {
            Ok((name, parameter)) => {
                format!("{name} {}", serde_json::to_string(&parameter).expect("writes"))
            }
            Err(error) => error,
        };
        assert_eq!(found, expected, "{typed}");
    }

    #[test]
    fn values_are_read_as_json_or_as_text() {
        check("n=7", "n 7");
        check("n=1.50", "n 1.50");
        check("n=007", "n \"007\"");
        check("n=\"7\"", "n \"7\"");
        check("n=true", "n true");
        check("n=null", "n null");
        check("n=[1,2]", "n [1,2]");
        check("n=it's = a:b", "n \"it's = a:b\"");
        check("n=", "n \"\"");
        check("d:date=2024-02-29", "d {\"type\":\"date\",\"value\":\"2024-02-29\"}");
        check("z:varchar=7", "z {\"type\":\"varchar\",\"value\":\"7\"}");
        check("a:array(date)=[\"2024-02-29\"]", "a {\"type\":\"array(date)\",\"value\":[\"2024-02-29\"]}");
        check("n={\"type\":\"date\",\"value\":null}", "n {\"type\":\"date\",\"value\":null}");
    }

    #[test]
    fn invalid_parameters_are_refused_with_a_reason() {
        check("n", "expected NAME=VALUE or NAME:TYPE=VALUE");
        check("a:array(date)=x", "\"x\" is not a JSON array");
        assert!(parse_parameter("1n=1").is_err());
        assert!(parse_parameter("=1").is_err());
    }
}
