use super::*;

fn check_name(name: &str) {
    let parsed = parse_type(name).unwrap_or_else(|| panic!("{name} is not read"));
    assert_eq!(parsed.to_string(), name);
}

#[test]
fn type_names_round_trip() {
    for name in [
        "boolean",
        "tinyint",
        "smallint",
        "integer",
        "bigint",
        "real",
        "double",
        "decimal(15,2)",
        "varchar",
        "varchar(0)",
        "varchar(2147483646)",
        "char(0)",
        "char(65536)",
        "varbinary",
        "uuid",
        "ipaddress",
        "time(9) with time zone",
        "json",
        "date",
        "time(0)",
        "time(6)",
        "timestamp(2)",
        "timestamp(9)",
        "timestamp(3) with time zone",
        "interval day to second",
        "interval year to month",
        "array(array(bigint))",
        "row(x bigint, \"Odd \"\"name\" varchar)",
        "row(bigint, timestamp(3) with time zone)",
    ] {
        check_name(name);
    }
    assert_eq!(parse_type("varchar(2147483647)"), Some(Type::VARCHAR));
    assert_eq!(parse_type("char"), Some(Type::Char { length: 1 }));
    assert_eq!(parse_type("char(65537)"), None);
    assert_eq!(parse_type("time(10) with time zone"), None);
    assert_eq!(parse_type("time"), Some(Type::Time { precision: 3 }));
    assert_eq!(parse_type("timestamp(10)"), None, "no column here has so many digits");
    assert_eq!(parse_type("decimal(5"), None);
    assert_eq!(parse_type("map(a, b)"), None);
}

fn check_super_type(left: &str, right: &str, expected: Option<&str>) {
    let read = |name| parse_type(name).expect("a type name");
    let found = common_super_type(&read(left), &read(right)).map(|found| found.to_string());
    assert_eq!(found.as_deref(), expected, "{left} and {right}");
    let turned = common_super_type(&read(right), &read(left)).map(|found| found.to_string());
    assert_eq!(turned.as_deref(), expected, "{right} and {left}");
}

#[test]
fn common_super_types_match_trino() {
    check_super_type("integer", "bigint", Some("bigint"));
    check_super_type("integer", "decimal(4,2)", Some("decimal(12,2)"));
    check_super_type("decimal(38,10)", "decimal(38,0)", Some("decimal(38,10)"));
    check_super_type("decimal(10,2)", "double", Some("double"));
    check_super_type("bigint", "real", Some("real"));
    check_super_type("date", "timestamp(6)", Some("timestamp(6)"));
    check_super_type("unknown", "varchar", Some("varchar"));
    check_super_type("varchar", "integer", None);
    check_super_type("date", "varchar", None);
    check_super_type("varchar(3)", "varchar(5)", Some("varchar(5)"));
    check_super_type("varchar(3)", "varchar", Some("varchar"));
    check_super_type("unknown", "varchar(3)", Some("varchar(3)"));
    check_super_type("char(3)", "char(5)", Some("char(5)"));
    check_super_type("char(3)", "varchar(5)", Some("char(5)"));
    check_super_type("char(3)", "varchar", Some("char(65536)"));
    check_super_type("char(3)", "uuid", None);
    check_super_type("time(0)", "time(3) with time zone", Some("time(3) with time zone"));
    check_super_type("time(0) with time zone", "timestamp(0) with time zone", None);
    check_super_type("uuid", "varchar", None);
    check_super_type("time(0)", "time(9)", Some("time(9)"));
    check_super_type("timestamp(0)", "timestamp(2)", Some("timestamp(2)"));
    check_super_type("date", "timestamp(0)", Some("timestamp(0)"));
    check_super_type("timestamp(4)", "timestamp(1) with time zone", Some("timestamp(4) with time zone"));
    check_super_type("json", "varchar", None);
    check_super_type("json", "unknown", Some("json"));
    check_super_type("array(varchar(3))", "array(varchar(5))", Some("array(varchar(5))"));
    check_super_type("array(integer)", "array(double)", Some("array(double)"));
}

#[test]
fn char_values_are_truncated_or_padded_by_characters() {
    for (text, length, expected) in
        [("", 2, "  "), ("é", 2, "é "), ("日本語", 2, "日本"), ("a ", 2, "a "), ("a", 0, "")]
    {
        assert_eq!(padded(text, length), expected);
    }
}

#[test]
fn casts_of_char_and_of_zoned_times_are_restricted() {
    let read = |name| parse_type(name).expect("a type name");
    for (from, to, expected) in [
        ("char(3)", "varchar", true),
        ("varchar(9)", "char(3)", true),
        ("char(3)", "char(2)", true),
        ("char(3)", "bigint", false),
        ("bigint", "char(3)", false),
        ("char(3)", "json", false),
        ("uuid", "char(36)", false),
        ("time(0) with time zone", "time(3)", true),
        ("date", "time(3) with time zone", false),
        ("time(0) with time zone", "json", false),
    ] {
        assert_eq!(can_cast(&read(from), &read(to)), expected, "{from} to {to}");
    }
    assert!(can_coerce(&read("varchar(2)"), &read("char(3)")));
    assert!(!can_coerce(&read("char(2)"), &read("varchar(3)")));
}

#[test]
fn casts_that_never_fail() {
    let read = |name| parse_type(name).expect("a type name");
    for (from, to, expected) in [
        ("timestamp(3)", "date", true),
        ("timestamp(3)", "timestamp(9)", false),
        ("timestamp(9)", "timestamp(3)", true),
        ("bigint", "varchar", true),
        ("bigint", "varchar(20)", true),
        ("bigint", "varchar(19)", false),
        ("decimal(5,2)", "varchar(8)", true),
        ("boolean", "integer", true),
        ("boolean", "decimal(2,2)", false),
        ("bigint", "integer", false),
        ("double", "real", true),
        ("double", "decimal(38,0)", false),
        ("decimal(5,2)", "decimal(5,1)", false),
        ("decimal(5,2)", "decimal(6,3)", true),
        ("bigint", "decimal(18,0)", false),
        ("varchar", "char(3)", true),
        ("varchar", "date", false),
        ("varchar", "json", false),
        ("json", "varchar", false),
        ("array(integer)", "array(varchar)", true),
        ("array(varchar)", "array(integer)", false),
        ("map(bigint,integer)", "map(double,integer)", false),
        ("map(bigint,integer)", "map(bigint,varchar)", true),
        ("row(a integer)", "row(a bigint)", true),
    ] {
        assert_eq!(cast_never_fails(&read(from), &read(to)), expected, "{from} to {to}");
    }
}
