//! Every scalar function of the registry runs with every signature that it has there: alone, in a TRY, and over a
//! column. Without this test, a function could be listed in `docs/sql.md` and refused when it runs.

use rowhouse_model::ErrorCode;
use rowhouse_sql::functions::ScalarFunction;

use super::on_the_wire::rows_on_the_wire;
use super::recorded::executed;
use super::*;

/// Digests of the single value 1.
macro_rules! q_digest {
    () => {
        "CAST(X'007B14AE47E17A843F00000000000000000000000000000000010000000000000001000000000000000100000000000000000000F03F0100000000000080' AS qdigest(bigint))"
    };
}
macro_rules! t_digest {
    () => {
        "CAST(X'00000000000000F03F000000000000F03F0000000000005940000000000000F03F01000000000000000000F03F000000000000F03F' AS tdigest)"
    };
}

/// Arguments of functions for which any value of the type does not suffice.
fn arguments_of(function: &str, types: &str) -> Option<&'static str> {
    Some(match (function, types) {
        ("regexp_replace", "varchar, varchar, varchar") => "'a', '(a)', '$1'",
        ("random", "tinyint, tinyint") => "TINYINT '1', TINYINT '9'",
        ("random", "smallint, smallint") => "SMALLINT '1', SMALLINT '9'",
        ("random", "integer, integer") => "1, 9",
        ("random", "bigint, bigint") => "BIGINT '1', BIGINT '9'",
        ("regexp_extract" | "regexp_extract_all", types) if types.ends_with("bigint") => {
            "'a', '(a)', BIGINT '1'"
        }
        ("contains", "varchar, ipaddress") => "'::/0', IPADDRESS '::1'",
        ("normalize", "varchar, varchar") => "'a', NFC",
        ("date_parse", _) => "'2024', '%Y'",
        ("from_iso8601_date", _) => "'2024-01-02'",
        ("from_iso8601_timestamp", _) => "'2024-01-02T03:04:05Z'",
        ("json_parse" | "json_array_length" | "is_json_scalar", "varchar") => "'[1]'",
        ("json_extract" | "json_extract_scalar" | "json_size", "json, varchar") => "JSON '[1]', '$[0]'",
        ("json_extract" | "json_extract_scalar", _) => "'{\"a\": 1}', '$.a'",
        ("json_size", _) => "'{\"a\": 1}', '$'",
        ("from_hex", "varchar") => "'61'",
        ("from_hex", "varbinary") => "X'3631'",
        ("from_base64" | "from_base64url", "varchar") => "'YQ=='",
        ("from_base64" | "from_base64url", "varbinary") => "X'59513D3D'",
        ("from_base32", "varchar") => "'ME'",
        ("from_base32", "varbinary") => "X'4D45'",
        ("from_big_endian_32" | "from_ieee754_32", _) => "X'00000001'",
        ("from_big_endian_64" | "from_ieee754_64", _) => "X'0000000000000001'",
        ("width_bucket", "double, double, double, bigint") => "1e0, 0e0, 9e0, 3",
        ("word_stem", "varchar(x), varchar(2)") => "'words', 'en'",
        ("soundex", _) => "'Robert'",
        ("luhn_check", _) => "'18'",
        ("format", _) => "'%s %d', 'a', 1",
        ("parse_duration", _) => "'1.5s'",
        ("parse_data_size", _) => "'1.5kB'",
        ("parse_datetime", _) => "'2024', 'yyyy'",
        ("to_date" | "to_timestamp", _) => "'2024-01-02', 'yyyy-mm-dd'",
        ("format_datetime", "timestamp, varchar") => "TIMESTAMP '2024-01-02 03:04:05', 'yyyy'",
        ("format_datetime", _) => "TIMESTAMP '2024-01-02 03:04:05 UTC', 'yyyy'",
        ("to_char", _) => "TIMESTAMP '2024-01-02 03:04:05 UTC', 'yyyy'",
        ("from_iso8601_timestamp_nanos", _) => "'2024-01-02T03:04:05Z'",
        ("from_unixtime", "double, varchar") => "1e0, 'Europe/Berlin'",
        ("from_base", _) => "'ff', 16",
        ("to_base", _) => "255, 16",
        ("bit_count", _) => "9, 64",
        ("inverse_normal_cdf" | "beta_cdf" | "inverse_beta_cdf", _) => "1e0, 1e0, 0.5e0",
        ("sequence", "timestamp, timestamp, interval day") => {
            "TIMESTAMP '2024-01-02 03:04:05', TIMESTAMP '2024-01-05 03:04:05', INTERVAL '12' HOUR"
        }
        ("sequence", "timestamp, timestamp, interval year") => {
            "TIMESTAMP '2024-01-02 03:04:05', TIMESTAMP '2025-01-05 03:04:05', INTERVAL '1' MONTH"
        }
        ("split_to_map" | "split_to_multimap", _) => "'a=1', ',', '='",
        ("at_timezone", _) => "TIMESTAMP '2024-01-02 03:04:05 UTC', 'Europe/Berlin'",
        ("with_timezone", _) => "TIMESTAMP '2024-01-02 03:04:05', 'Europe/Berlin'",
        ("sequence", "date, date, interval day") => "DATE '2024-01-02', DATE '2024-01-05', INTERVAL '1' DAY",
        ("sequence", "date, date, interval year") => {
            "DATE '2024-01-02', DATE '2025-01-05', INTERVAL '1' MONTH"
        }
        ("value_at_quantile", "tdigest, double") => concat!(t_digest!(), ", 0.5e0"),
        ("values_at_quantiles", "tdigest, [double]") => concat!(t_digest!(), ", ARRAY[0e0,1e0]"),
        ("value_at_quantile", _) => concat!(q_digest!(), ", 0.5e0"),
        ("values_at_quantiles", _) => concat!(q_digest!(), ", ARRAY[0e0,1e0]"),
        ("quantile_at_value", _) => concat!(q_digest!(), ", BIGINT '1'"),
        _ => return None,
    })
}

fn value_of(data_type: &str) -> &'static str {
    match data_type {
        "tinyint" => "TINYINT '1'",
        "smallint" => "SMALLINT '1'",
        "integer" => "1",
        "bigint" => "BIGINT '1'",
        "decimal" => "DECIMAL '1.50'",
        "real" => "REAL '1.5'",
        "double" => "1.5e0",
        "boolean" => "true",
        "varchar" | "varchar(x)" | "varchar(1)" | "T" | "U" | "S" => "'a'",
        "json" => "JSON '[1]'",
        "varbinary" => "X'61'",
        "date" => "DATE '2024-01-02'",
        "time" => "TIME '03:04:05'",
        "timestamp" => "TIMESTAMP '2024-01-02 03:04:05'",
        "timestamptz" => "TIMESTAMP '2024-01-02 03:04:05 UTC'",
        "ipaddress" => "IPADDRESS '::1'",
        "interval day" => "INTERVAL '1' DAY",
        "interval year" => "INTERVAL '1' MONTH",
        "[T]" | "[U]" | "[varchar]" => "ARRAY['a', 'b']",
        "[row(T,U)]" => "ARRAY[ROW('a', 'b')]",
        "map(varchar,double)" => "MAP(ARRAY['a'], ARRAY[1e0])",
        "map(T,U)" | "map(T,V)" => "MAP(ARRAY['a'], ARRAY['b'])",
        "function(T,U)" => "x -> x",
        "function([varchar],varchar(x))" => "x -> 'b'",
        "function(T,boolean)" => "x -> x = 'a'",
        "function(T,T,integer)" => "(x, y) -> IF(x < y, -1, IF(x = y, 0, 1))",
        "function(S,T,S)" | "function(T,U,R)" => "(x, y) -> x",
        "function(S,R)" => "s -> s",
        "function(T,U,boolean)" => "(k, v) -> k = v",
        "function(T,U,V,R)" => "(k, v, w) -> k",
        "[double]" => "ARRAY[1e0, 2e0]",
        "[[T]]" => "ARRAY[ARRAY['a']]",
        "HyperLogLog" => "empty_approx_set()",
        other => panic!("no value of type {other}"),
    }
}

/// Calls with each signature: a value for each argument.
fn calls(function: ScalarFunction) -> Vec<Vec<String>> {
    let values = |signature: &&str| {
        let types = signature.trim_start_matches('(').split(") ").next().unwrap_or_default();
        if let Some(arguments) = arguments_of(function.name(), types) {
            return arguments.split(", ").map(str::to_owned).collect();
        }
        let is_of_unit = matches!(function.name(), "date_trunc" | "date_add" | "date_diff");
        let types = types.split(", ").filter(|data_type| !data_type.is_empty());
        let values = types.enumerate().map(|(place, data_type)| match (place, is_of_unit) {
            (0, true) if signature.contains("time)") && !signature.contains("timestamp") => {
                "'hour'".to_owned()
            }
            (0, true) => "'day'".to_owned(),
            _ => value_of(data_type.trim_end_matches(['.', '?'])).to_owned(),
        });
        values.collect()
    };
    function.signatures().iter().map(values).collect()
}

fn text(function: ScalarFunction, arguments: &[String]) -> String {
    match function {
        ScalarFunction::ArrayConstructor => format!("ARRAY[{}]", arguments.join(", ")),
        ScalarFunction::Subscript => format!("{}[{}]", arguments[0], arguments[1]),
        _ => format!("{}({})", function.name(), arguments.join(", ")),
    }
}

/// `fail` fails. TRY does not support functions that return another value at each evaluation, or that never return.
fn expected_error(function: ScalarFunction, sql: &str) -> Option<ErrorCode> {
    match (function, sql.contains("TRY(")) {
        (ScalarFunction::Fail, true) => Some(ErrorCode::NotSupported),
        // Bounds of a row may be wrong.
        (ScalarFunction::Random, true) if sql.contains("c0") => Some(ErrorCode::NotSupported),
        (ScalarFunction::Fail, false) => Some(ErrorCode::GenericUserError),
        _ => None,
    }
}

/// Runs a statement and reads every value of its result in the form that clients receive.
fn answer(sql: &str, folder: &Path) -> Result<Vec<Vec<Value>>, QueryError> {
    let (statement, execution) = executed(sql, folder)?;
    Ok(rows_on_the_wire(&statement.output, &execution.columns))
}

#[test]
fn every_function_runs_with_every_signature() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut faults = Vec::new();
    for function in ScalarFunction::ALL.iter().copied() {
        for arguments in calls(function) {
            let call = text(function, &arguments);
            let columns: Vec<String> = (0..arguments.len()).map(|place| format!("c{place}")).collect();
            let mut statements = vec![format!("SELECT {call}"), format!("SELECT TRY({call})")];
            if !arguments.is_empty() {
                // Arguments that must be constant remain constant.
                let mut mixed = arguments.clone();
                mixed[0].clone_from(&columns[0]);
                let call = text(function, &mixed);
                statements.push(format!("SELECT {call} FROM (VALUES {}) t(c0)", arguments[0]));
                statements.push(format!("SELECT TRY({call}) FROM (VALUES {}) t(c0)", arguments[0]));
            }
            for sql in statements {
                let expected = expected_error(function, &sql);
                match answer(&sql, folder.path()) {
                    Err(error) if expected.is_some_and(|code| error.error_name == code.as_str()) => {}
                    Ok(_) if expected.is_none() => {}
                    Ok(_) => faults.push(format!("{sql}\n    does not fail")),
                    Err(error) => faults.push(format!("{sql}\n    {}: {}", error.error_name, error.message)),
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}:\n{}", faults.len(), faults.join("\n"));
}

/// A chain of `||` is joined at once: NULLs, constants, `char`, parts that may fail, and lists among them.
#[test]
fn chains_of_concatenations_are_joined_in_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let values =
        "(VALUES (1, 'a', CAST('x' AS char(3)), '1'), (2, NULL, 'y', '2'), (3, '', NULL, '3')) t(n, a, c, d)";
    let check = |call: &str, expected: [Value; 3]| {
        let sql = format!("SELECT {call} FROM {values} ORDER BY n");
        let found = answer(&sql, folder.path()).unwrap_or_else(|error| panic!("{sql}: {}", error.message));
        assert_eq!(found.into_iter().flatten().collect::<Vec<_>>(), expected, "{call}");
    };
    check("'<' || a || '>'", [json!("<a>"), json!(null), json!("<>")]);
    check("(a || '-') || ('+' || d || '=')", [json!("a-+1="), json!(null), json!("-+3=")]);
    check("concat(a, '1', concat('2', concat(d, '4')), a)", [json!("a1214a"), json!(null), json!("1234")]);
    check("c || 'z' || d", [json!("x  z1"), json!("y  z2"), json!(null)]);
    check("'k' || 'l' || 'm'", [json!("klm"), json!("klm"), json!("klm")]);
    check("'k' || CAST(NULL AS varchar) || d", [json!(null), json!(null), json!(null)]);
    check("'p' || TRY(a || CAST(6 / (n - 1) AS varchar)) || d", [json!(null), json!(null), json!("p33")]);
    check("IF(n <> 1, d || CAST(6 / (n - 1) AS varchar) || '!')", [json!(null), json!("26!"), json!("33!")]);
    check(
        "ARRAY[d || 'a' || 'b'] || (d || 'c' || 'd')",
        [json!(["1ab", "1cd"]), json!(["2ab", "2cd"]), json!(["3ab", "3cd"])],
    );
    let chain = (0..500).map(|_| "d").collect::<Vec<_>>().join(" || ");
    check(&chain, ["1", "2", "3"].map(|digit| json!(digit.repeat(500))));
}
