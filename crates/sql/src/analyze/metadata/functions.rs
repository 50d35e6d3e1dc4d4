//! SHOW FUNCTIONS: the registry's functions in the format of Trino's list.

use sqlparser::ast::ObjectName;

use super::rows::{Row, text};
use super::widths;
use crate::analyze::context::Analyzer;
use crate::analyze::context::Relation;
use crate::analyze::place::place_of_name;
use crate::error::Result;
use crate::expr::Value;
use crate::functions::{AGGREGATE_FORMS, AggregateFunction, ArrayAggregate, RankingFunction, ScalarFunction};
use crate::show::Like;
use crate::types::Type;

const TITLES: [&str; 6] =
    ["Function", "Return Type", "Argument Types", "Function Type", "Deterministic", "Description"];
/// The index of "Deterministic".
const DETERMINISTIC: usize = 4;

impl Analyzer<'_> {
    /// Lists the built-in functions if no schema is named; schemas have no functions of their own.
    pub(super) fn show_functions(
        &mut self,
        schema: Option<&ObjectName>,
        like: Option<&Like>,
    ) -> Result<Relation> {
        let rows = if let Some(name) = schema {
            let (catalog, schema) = self.schema_named(schema)?;
            self.check_schema(&catalog, &schema, place_of_name(name))?;
            Vec::new()
        } else {
            built_in()
        };
        let mut columns = widths(&TITLES, &rows);
        columns[DETERMINISTIC].1 = Type::Boolean;
        self.shown(columns, rows, like)
    }
}

/// One row per name and signature.
fn built_in() -> Vec<Row> {
    let mut rows = Vec::new();
    let mut add = |kind: &str, names: &[&str], signatures: &[&str], is_fixed: bool, description: &str| {
        for name in names.iter().filter(|name| is_word(name)) {
            for signature in signatures {
                for (arguments, result) in spelled(signature) {
                    let cells = [(*name).to_owned(), result, arguments, kind.to_owned()];
                    let mut row: Row = cells.into_iter().map(text).collect();
                    row.push(Value::Boolean(is_fixed));
                    row.push(text(description.trim()));
                    rows.push(row);
                }
            }
        }
    };
    for function in ScalarFunction::ALL {
        let is_fixed = *function != ScalarFunction::Random;
        add("scalar", function.names(), function.signatures(), is_fixed, function.description());
    }
    for function in AggregateFunction::ALL {
        add("aggregate", function.names(), function.signatures(), true, function.description());
    }
    for function in ArrayAggregate::ALL {
        add("aggregate", function.names(), function.signatures(), true, function.description());
    }
    for (name, signatures) in AGGREGATE_FORMS {
        let Some(function) = AggregateFunction::by_name(name) else { continue };
        let own: Vec<&str> = signatures.iter().copied().filter(|form| !has_form(function, form)).collect();
        add("aggregate", function.names(), &own, true, function.description());
    }
    for function in RankingFunction::ALL {
        add("window", function.names(), function.signatures(), true, function.description());
    }
    rows.sort_by_cached_key(|row: &Row| {
        let cell = |index: usize| match &row[index] {
            Value::Varchar(text) => text.clone(),
            _ => String::new(),
        };
        (cell(0), cell(1), cell(2))
    });
    rows
}

/// Whether an aggregate has a signature with this form, `T` for any type.
fn has_form(function: AggregateFunction, form: &str) -> bool {
    let count =
        |signature: &str| signature.split_once(") ").map(|(arguments, _)| arguments.matches(',').count());
    let has_array =
        |signature: &str| signature.split_once(") ").is_some_and(|(_, result)| result.contains('['));
    let is_same = |known: &&str| count(known) == count(form) && has_array(known) == has_array(form);
    function.signatures().iter().any(is_same)
}

/// Whether a function can be called by its name; internal functions cannot.
fn is_word(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The argument and result types of a signature of the registry, in Trino's notation; several if arguments are
/// optional.
fn spelled(signature: &str) -> Vec<(String, String)> {
    let Some((arguments, result)) = signature.strip_prefix('(').and_then(|rest| rest.rsplit_once(") "))
    else {
        return Vec::new();
    };
    let arguments: Vec<&str> =
        if arguments.is_empty() { Vec::new() } else { arguments.split(", ").collect() };
    let needed = arguments.iter().take_while(|argument| !argument.ends_with('?')).count();
    (needed..=arguments.len())
        .map(|count| {
            let shown: Vec<String> = arguments[..count].iter().map(|argument| type_name(argument)).collect();
            (shown.join(", "), type_name(result))
        })
        .collect()
}

/// `[T]` is `array(t)`, `decimal` is `decimal(p,s)`; a repeated argument is listed once.
fn type_name(notation: &str) -> String {
    let notation = notation.trim_end_matches("...").trim_end_matches('?');
    if let Some(element) = notation.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return format!("array({})", type_name(element));
    }
    match notation {
        "T" | "U" => notation.to_lowercase(),
        "decimal" => "decimal(p,s)".to_owned(),
        "time" => "time(p)".to_owned(),
        "timestamp" => "timestamp(p)".to_owned(),
        "timestamptz" => "timestamp(p) with time zone".to_owned(),
        other => other.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_formatted_like_trino() {
        let check = |signature: &str, expected: &[(&str, &str)]| {
            let expected: Vec<_> = expected
                .iter()
                .map(|(arguments, result)| (arguments.to_string(), result.to_string()))
                .collect();
            assert_eq!(spelled(signature), expected, "{signature}");
        };
        check("() double", &[("", "double")]);
        check("(decimal, bigint) decimal", &[("decimal(p,s), bigint", "decimal(p,s)")]);
        check("([T], T...) [T]", &[("array(t), t", "array(t)")]);
        check(
            "(varchar(x), varchar?) [varchar(x)]",
            &[("varchar(x)", "array(varchar(x))"), ("varchar(x), varchar", "array(varchar(x))")],
        );
    }

    #[test]
    fn show_functions_lists_every_function() {
        let rows = built_in();
        let has = |name: &str| rows.iter().any(|row| row[0] == text(name));
        // Forms with clauses have no signatures, and Trino's list omits them.
        let called = ScalarFunction::ALL.iter().filter(|function| !function.signatures().is_empty());
        let named = called.flat_map(|function| function.names());
        assert!(named.filter(|name| is_word(name)).all(|name| has(name)));
        assert!(has("count") && has("rank") && has("max_by") && has("map_agg") && has("approx_set"));
    }
}
