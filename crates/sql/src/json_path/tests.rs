use proptest::prelude::*;

use super::*;

#[track_caller]
fn check(text: &str, expected: &str) {
    let found = match JsonPath::parse(text) {
        Ok(path) => path.to_string(),
        Err(fault) => format!("{} {}", fault.at, fault.message),
    };
    assert_eq!(found, expected, "{text}");
}

#[track_caller]
fn refused(text: &str, at: usize) {
    assert_eq!(JsonPath::parse(text).map_err(|fault| fault.at), Err(at), "{text}");
}

#[test]
fn paths_are_parsed() {
    check("lax $", "lax $");
    check(" strict $ . a [ 0 , 1 to last ] ", "strict $.\"a\"[0, 1 to last]");
    check("lax $.a.type().\"b \"\"c\"", "lax $.\"a\".type().\"b \"\"c\"");
    check("lax $.type", "lax $.\"type\"");
    check("lax 1 + 2 * -$x.abs() - (3 - 4)", "lax 1 + (2 * -$x.abs()) - (3 - 4)");
    check(
        "lax $ ? ((@ + 1) > 2 && !(@ == 3) || exists(@.b))",
        "lax $ ? ((@ + 1 > 2 && !(@ == 3)) || exists(@.\"b\"))",
    );
    check("lax $ ? ((@ == 1) is unknown)", "lax $ ? ((@ == 1) is unknown)");
    check("lax $ ? (((@.a)) starts with $p)", "lax $ ? (@.\"a\" starts with $p)");
    check("lax $..a.*[*]", "lax $..\"a\".*[*]");
    check("lax 1.5.ceiling()", "lax (1.5).ceiling()");
    check("lax -1.5.abs() - 2", "lax (-1.5).abs() - 2");
}

#[test]
fn invalid_paths_are_refused_with_their_location() {
    refused("", 0);
    refused("$", 0);
    refused("lax", 3);
    refused("lax $.", 6);
    refused("lax $ + ", 8);
    refused("lax $ == 1", 6);
    refused("lax $ ? (@ > 1", 14);
    refused("lax $ ? (@)", 10);
    refused("lax $ ? ((@ > 1) + 1 > 2)", 17);
    refused("lax $.é", 6);
    refused("lax $.nothing()", 13);
    refused("lax \"a", 4);
    refused("lax $.datetime()", 6);
    refused("lax $ ? (@ like_regex \"a\")", 11);
    refused("lax 99999999999999999999", 4);
    refused("lax true + 1", 9);
    refused("lax 1 + 2 * \"a\"", 10);
    refused("lax last * $.type()", 9);
    refused("lax $.double() + true", 15);
}

/// As in Trino: whether others are numbers depends on the input.
#[test]
fn operands_are_refused_where_all_types_are_known() {
    for text in
        ["lax $.n + \"p\"", "lax \"p\" * $", "lax -$.n - true", "lax $.a.abs() + true", "lax null + 1"]
    {
        assert_eq!(JsonPath::parse(text).map(drop), Ok(()), "{text}");
    }
}

#[test]
fn length_and_depth_are_limited() {
    refused(&format!("lax {}$", "-".repeat(MAX_PATH_DEPTH + 1)), 4 + MAX_PATH_DEPTH + 1);
    refused(&format!("lax {}1{}", "(".repeat(200), ")".repeat(200)), 4 + MAX_PATH_DEPTH + 1);
    assert!(JsonPath::parse(&format!("lax ${}", ".a".repeat(30_000))).is_ok());
    assert!(JsonPath::parse(&format!("lax 1{}", "+1".repeat(30_000))).is_ok());
    refused(&format!("lax ${}", ".a".repeat(MAX_PATH_BYTES)), 0);
}

proptest! {
    /// No text causes a panic, and the printed form of a parsed path parses to the same path.
    #[test]
    fn printed_paths_parse_to_the_same_path(text in "(lax|strict) ?([$@a-b0-9.\"!<>=&|()?*,+ -]|\\[|\\]|to|last|exists|is unknown|starts with|size\\(\\)| \\? \\(@ > 1\\)){0,40}") {
        if let Ok(path) = JsonPath::parse(&text) {
            let printed = path.to_string();
            prop_assert_eq!(JsonPath::parse(&printed).map(|path| path.to_string()), Ok(printed));
        }
    }
}
