//! Type names that are parsed and printed again.

use proptest::prelude::*;
use serde_json::json;

use super::{Column, FieldName, NamedType, TypeArgument, TypeSignature};

fn check(name: &str, signature: serde_json::Value) {
    let parsed = TypeSignature::parse(name).expect("the name parses");
    assert_eq!(serde_json::to_value(&parsed).expect("a signature serialises"), signature, "{name}");
    assert_eq!(parsed.to_string(), name, "printed again");
}

#[test]
fn the_size_of_a_column_is_about_that_of_its_json() {
    for type_name in ["bigint", "decimal(15,2)", "array(map(varchar(3), row(a bigint, \"b c\" array(date))))"]
    {
        let column = Column::new("name_of_the_column", type_name);
        let written = serde_json::to_vec(&column).expect("JSON").len();
        let size = column.size_bytes();
        assert!(size.abs_diff(written) * 5 < written, "{type_name}: {size} for {written}");
    }
}

fn raw(raw_type: &str, arguments: serde_json::Value) -> serde_json::Value {
    json!({ "rawType": raw_type, "arguments": arguments, "typeArguments": [], "literalArguments": [] })
}

fn long(number: i64) -> serde_json::Value {
    json!({ "kind": "LONG", "value": number })
}

fn varchar() -> serde_json::Value {
    raw("varchar", json!([long(2_147_483_647)]))
}

#[test]
fn types_without_arguments() {
    for name in ["boolean", "tinyint", "smallint", "integer", "bigint", "real", "double", "varbinary", "date"]
    {
        check(name, raw(name, json!([])));
    }
    check("interval day to second", raw("interval day to second", json!([])));
    check("unknown", raw("unknown", json!([])));
}

#[test]
fn types_with_numbers() {
    check("varchar", varchar());
    check("varchar(25)", raw("varchar", json!([long(25)])));
    check("decimal(15,2)", raw("decimal", json!([long(15), long(2)])));
    check("time(6)", raw("time", json!([long(6)])));
    check("timestamp(9)", raw("timestamp", json!([long(9)])));
    check("timestamp(3) with time zone", raw("timestamp with time zone", json!([long(3)])));
}

#[test]
fn nested_types() {
    let bigint = raw("bigint", json!([]));
    check("array(bigint)", raw("array", json!([{ "kind": "TYPE", "value": bigint }])));
    check(
        "map(varchar, array(timestamp(6) with time zone))",
        raw(
            "map",
            json!([
                { "kind": "TYPE", "value": varchar() },
                { "kind": "TYPE", "value": raw("array", json!([
                    { "kind": "TYPE", "value": raw("timestamp with time zone", json!([long(6)])) },
                ])) },
            ]),
        ),
    );
}

#[test]
fn rows_name_their_fields() {
    let field = |name: serde_json::Value, signature: serde_json::Value| json!({ "kind": "NAMED_TYPE", "value": { "fieldName": name, "typeSignature": signature } });
    check(
        "row(x bigint, \"a \"\"b\"\", c\" decimal(3,1))",
        raw(
            "row",
            json!([
                field(json!({ "name": "x" }), raw("bigint", json!([]))),
                field(json!({ "name": "a \"b\", c" }), raw("decimal", json!([long(3), long(1)]))),
            ]),
        ),
    );
    check(
        "row(timestamp(3) with time zone, interval day to second, interval date, row(timestamp date))",
        raw(
            "row",
            json!([
                field(json!(null), raw("timestamp with time zone", json!([long(3)]))),
                field(json!(null), raw("interval day to second", json!([]))),
                field(json!({ "name": "interval" }), raw("date", json!([]))),
                field(
                    json!(null),
                    raw("row", json!([field(json!({ "name": "timestamp" }), raw("date", json!([])))])),
                ),
            ]),
        ),
    );
}

#[test]
fn omitted_arguments_are_filled_in() {
    for (name, full) in [
        ("timestamp", "timestamp(3)"),
        ("timestamp with time zone", "timestamp(3) with time zone"),
        ("timestamp(6) without time zone", "timestamp(6)"),
        ("time", "time(3)"),
        ("decimal", "decimal(38,0)"),
        ("decimal( 5 )", "decimal(5,0)"),
        ("varchar(2147483647)", "varchar"),
        ("double precision", "double"),
        ("row(timestamp with time zone)", "row(timestamp(3) with time zone)"),
    ] {
        assert_eq!(TypeSignature::parse(name).map(|signature| signature.to_string()), Ok(full.to_owned()));
    }
}

#[test]
fn invalid_type_names_are_refused() {
    for (name, message) in [
        ("", "expected the name of a type at byte 0"),
        ("decimal(", "expected the name of a type at byte 8"),
        ("decimal(3,1", "expected ',' or ')' at byte 11"),
        ("array(bigint))", "expected the end at byte 13"),
        ("varchar(99999999999999999999)", "expected a smaller number at byte 8"),
        ("row(\"x bigint)", "expected a closing '\"' at byte 4"),
        ("interval day", "expected 'day to second' or 'year to month' at byte 8"),
    ] {
        let error = TypeSignature::parse(name).expect_err("no type name").to_string();
        assert_eq!(error, format!("'{name}' is not a type name: {message}"));
    }
    let deep = "array(".repeat(100_000);
    assert!(TypeSignature::parse(&deep).is_err(), "refused before the stack ends");
}

#[test]
fn a_column_keeps_an_unknown_type_unparsed() {
    let column = Column::new("x", "Odd<Type>");
    assert_eq!(column.type_name, "Odd<Type>");
    assert_eq!(column.type_signature, TypeSignature::new("Odd<Type>", Vec::new()));
    assert_eq!(Column::new("x", "date").type_signature, TypeSignature::new("date", Vec::new()));
}

/// Any type that a server may name, nested a few levels.
fn signatures() -> impl Strategy<Value = TypeSignature> {
    let leaf = prop_oneof![
        prop::sample::select(vec![
            "boolean",
            "bigint",
            "double",
            "date",
            "varbinary",
            "interval day to second"
        ])
        .prop_map(|name| TypeSignature::new(name, Vec::new())),
        (1_i64..=38, 0_i64..=38).prop_map(|(precision, scale)| {
            TypeSignature::new("decimal", vec![TypeArgument::Long(precision), TypeArgument::Long(scale)])
        }),
        (
            prop::sample::select(vec!["varchar", "time", "timestamp", "timestamp with time zone"]),
            prop_oneof![Just(2_147_483_647_i64), 0_i64..100]
        )
            .prop_map(|(name, number)| TypeSignature::new(name, vec![TypeArgument::Long(number)])),
    ];
    leaf.prop_recursive(4, 20, 3, |inner| {
        let name = prop::option::of(prop_oneof!["[a-z_]{1,9}", "\\PC{0,4}", Just("interval".to_owned())]);
        let field = (name, inner.clone()).prop_map(|(name, type_signature)| {
            let field_name = name.map(|name| FieldName { name });
            TypeArgument::NamedType(NamedType { field_name, type_signature })
        });
        prop_oneof![
            inner.prop_map(|element| TypeSignature::new("array", vec![TypeArgument::Type(element)])),
            prop::collection::vec(field, 1..4).prop_map(|fields| TypeSignature::new("row", fields)),
        ]
    })
}

proptest! {
    #[test]
    fn a_printed_type_parses_to_the_same(signature in signatures()) {
        let name = signature.to_string();
        prop_assert_eq!(TypeSignature::parse(&name), Ok(signature), "{}", name);
    }

    #[test]
    fn no_text_panics(text in "[a-z0-9(), \"é]{0,40}|\\PC{0,40}") {
        if let Ok(signature) = TypeSignature::parse(&text) {
            prop_assert_eq!(TypeSignature::parse(&signature.to_string()), Ok(signature));
        }
    }
}
