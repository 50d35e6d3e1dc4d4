//! Statements run in this process. The answers over tables with many NULLs are DuckDB's, stored in
//! `tests/data/null_tables`; result files have the format that their readers require.

use std::collections::HashMap;
use std::fs::{self, File};
use std::path::Path;

use polars::prelude::{IpcReader, SerReader};
use rowhouse_model::{Column, EngineKind, QueryError, StatementParameters, TableFormat, Timestamp};
use serde_json::{Value, json};

use super::attempt::Attempt;
use super::datum::{Datum, Reader};
use super::lower::{computed_ahead, lower};
use super::numeric::DecimalSums;
use super::run::{ExecutionOptions, execute_in, plan, with_output_columns};
use super::scan::scan_files;
use super::tables::{Samples, Tables, tpch_type};
use super::{analyze, conversion, describe, execute, tpch};
use rowhouse_executor::catalog::{CatalogSnapshot, TableEntry, TableSource, tpch as tpch_catalog};
use rowhouse_executor::{ExecutionEvent, Statement};
use rowhouse_sql::PassSet;
use rowhouse_sql::types::{Type, parse_type};

mod attempts;
mod cardinality;
mod column_cache;
mod computed_ahead;
mod correlated;
mod deep;
mod dictionary_aware;
mod functions;
mod keys_of_every_type;
mod late_rows;
mod limits;
mod lowering;
mod nested_casts;
mod nullability;
mod on_the_wire;
mod one_table;
mod ordered_groups;
mod partitioned_groups;
mod passes;
mod plan_cache;
mod random_values;
mod recorded;
mod rewrites;
mod rows_in_queries;
mod scan_filters;
mod spilled;
mod sums_of_all_rows;
mod trino_aggregates;
mod trino_answers;
mod trino_dialect;
mod trino_types;
mod trino_zones;
mod windows;

const NULL_TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/null_tables");

fn statement(sql: &str, folder: &Path) -> Statement {
    let tables = ["t0", "t1", "t2"].map(|name| TableEntry {
        catalog: "rowhouse".to_owned(),
        schema: "demo".to_owned(),
        name: name.to_owned(),
        source: TableSource::Files {
            location: format!("{NULL_TABLES}/{name}.parquet"),
            format: TableFormat::Parquet,
        },
    });
    let output = folder.join("result.arrow");
    let _ = fs::remove_file(&output);
    Statement {
        engine: EngineKind::Polars,
        id: serde_json::from_value(json!("20260131_081530_00000_abcde")).expect("an id"),
        sql: sql.to_owned(),
        parameters: StatementParameters::default(),
        catalog: CatalogSnapshot {
            default_catalog: "rowhouse".to_owned(),
            default_schema: "demo".to_owned(),
            own_schema: "demo".to_owned(),
            other_schemas: Vec::new(),
            queries: Vec::new(),
            session_properties: Vec::new(),
            tables: tables.to_vec(),
            tpch_dir: Some(folder.join("tpch")),
        },
        session: rowhouse_executor::StatementSession::default(),
        user: "tester".to_owned(),
        now: Timestamp::from_millis(1_769_847_330_123),
        output,
        output_limit: None,
    }
}

/// Bytes of the stack on which deep statements run here: a third of a worker's, `rowhouse_sql::STACK_BYTES`.
const STACK_BYTES: usize = 64 << 20;

/// Runs tests of deep statements; other threads of tests have two megabytes of stack.
fn on_deep_stack(run: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(run).expect("a thread");
    thread.join().expect("no stack overflows, and every statement has its outcome");
}

/// The rows of a statement, as JSON.
fn rows(sql: &str, passes: &PassSet, folder: &Path) -> Result<Vec<Vec<Value>>, QueryError> {
    rows_in(
        &ExecutionOptions {
            passes,
            attempts: &Attempt::ALL,
            spill: None,
            samples: Samples::Create,
            uses_plan_cache: false,
        },
        sql,
        folder,
    )
}

/// The rows of a statement that is run with these options.
fn rows_in(options: &ExecutionOptions<'_>, sql: &str, folder: &Path) -> Result<Vec<Vec<Value>>, QueryError> {
    rows_of(options, &statement(sql, folder))
}

fn rows_of(options: &ExecutionOptions<'_>, statement: &Statement) -> Result<Vec<Vec<Value>>, QueryError> {
    let sql = &statement.sql;
    let execution = execute_in(options, statement, &mut |_| {})?;
    let file = File::open(&statement.output).expect("the result");
    let frame = IpcReader::new(file).finish().expect("an Arrow file");
    assert_eq!(frame.height() as u64, execution.row_count, "{sql}");
    let mut columns = Vec::new();
    for (column, declared) in frame.columns().iter().zip(&execution.columns) {
        let data_type = parse_type(&declared.type_name).expect("a type").storable().in_files();
        // For an instant with its own offset, this is the instant.
        let with_offset = matches!(data_type, Type::TimestampWithTimeZone { .. });
        let series = match column.as_materialized_series().struct_() {
            Ok(rows) if with_offset => rows.field_by_name("timestamp").expect("the moment"),
            _ => column.as_materialized_series().clone(),
        };
        let reader = Reader::new(&series, &data_type).expect("the type's storage");
        let values = (0..frame.height()).map(|row| {
            // The reader repeats the value of a column of length one, which is correct here.
            to_json(&reader.get(row), &data_type)
        });
        columns.push(values.collect::<Vec<_>>());
    }
    Ok((0..frame.height()).map(|row| columns.iter().map(|column| column[row].clone()).collect()).collect())
}

fn to_json(datum: &Datum<'_>, data_type: &Type) -> Value {
    match (datum, data_type) {
        (Datum::Null, _) => Value::Null,
        (Datum::Boolean(value), _) => json!(value),
        (Datum::Double(value), _) => json!(value),
        (Datum::Array(elements), Type::Array(element)) => {
            elements.iter().map(|value| to_json(value, element)).collect()
        }
        (Datum::Row(values), Type::Row(fields)) => {
            values.iter().zip(fields).map(|(value, field)| to_json(value, &field.data_type)).collect()
        }
        (Datum::Integer(value), data_type) if data_type.is_integer() || data_type.is_interval() => {
            json!(value)
        }
        (value, data_type) => {
            let text = conversion::to_text(value, data_type);
            match data_type {
                Type::Decimal { .. } => json!(text.parse::<f64>().expect("a number")),
                // Python omits fractions that are zero.
                Type::Timestamp { .. } => {
                    let text = text.trim_end_matches('0').trim_end_matches('.');
                    json!(if text.len() < 19 { format!("{text:0<19}") } else { text.to_owned() })
                }
                _ => json!(text),
            }
        }
    }
}

fn are_equal(found: &Value, expected: &Value) -> bool {
    match (found, expected) {
        (Value::Number(found), Value::Number(expected)) => {
            let (found, expected) = (found.as_f64().unwrap_or(0.0), expected.as_f64().unwrap_or(0.0));
            (found - expected).abs() <= 1e-9 * expected.abs().max(1.0)
        }
        (Value::Array(found), Value::Array(expected)) => {
            found.len() == expected.len()
                && found.iter().zip(expected).all(|(found, expected)| are_equal(found, expected))
        }
        (Value::String(found), Value::String(expected)) => {
            let trimmed = |text: &str| match text.split_once('.') {
                Some((whole, part)) if part.bytes().all(|byte| byte.is_ascii_digit()) => {
                    format!("{whole}.{}", part.trim_end_matches('0'))
                }
                _ => text.to_owned(),
            };
            trimmed(found) == trimmed(expected)
        }
        (found, expected) => found == expected,
    }
}

/// The difference between a case's outcome and its expectation, if any.
fn fault(case: &Value, passes: &PassSet, folder: &Path) -> Option<String> {
    fault_in(
        &ExecutionOptions {
            passes,
            attempts: &[Attempt::Streaming],
            spill: None,
            samples: Samples::Create,
            uses_plan_cache: false,
        },
        case,
        folder,
    )
}

/// As [`fault`], with these options.
fn fault_in(options: &ExecutionOptions<'_>, case: &Value, folder: &Path) -> Option<String> {
    let sql = case["sql"].as_str().expect("a statement");
    match (rows_in(options, sql, folder), case["error"].as_str()) {
        (Err(error), Some(expected)) if error.error_name == expected => None,
        (Err(error), _) => Some(format!("{sql}\n    {}: {}", error.error_name, error.message)),
        (Ok(_), Some(expected)) => Some(format!("{sql}\n    is not {expected}")),
        (Ok(found), None) => {
            let mut found: Vec<Value> = found.into_iter().map(Value::Array).collect();
            let mut expected = case["rows"].as_array().expect("rows").clone();
            if case["isOrdered"] == json!(false) {
                // Rows are sorted by their text, in which all numbers have the same format.
                let key = |row: &Value| sort_key(row);
                found.sort_by_key(key);
                expected.sort_by_key(key);
            }
            let is_right = found.len() == expected.len()
                && found.iter().zip(&expected).all(|(found, expected)| are_equal(found, expected));
            (!is_right).then(|| format!("{sql}\n    found    {found:?}\n    expected {expected:?}"))
        }
    }
}

fn sort_key(value: &Value) -> String {
    match value {
        Value::Number(number) => format!("{:.6}", number.as_f64().unwrap_or(0.0)),
        Value::Array(values) => values.iter().map(sort_key).collect::<Vec<_>>().join("|"),
        other => other.to_string(),
    }
}

/// Statements with their answers or errors, over tables with many NULLs.
fn cases() -> Vec<Value> {
    let answers = fs::read_to_string(format!("{NULL_TABLES}/answers.jsonl")).expect("the answers");
    answers.lines().map(|line| serde_json::from_str(line).expect("a case")).collect()
}

/// Random statements; their timestamps are written like those of the server.
fn random_cases() -> Vec<Value> {
    let answers = fs::read_to_string(format!("{NULL_TABLES}/../random/answers.json")).expect("the answers");
    let mut cases: Vec<Value> = serde_json::from_str(&answers).expect("cases");
    for case in &mut cases {
        case["isOrdered"] = case["ordered"].take();
        for value in case["rows"].as_array_mut().expect("rows").iter_mut().flat_map(|row| row.as_array_mut())
        {
            value.iter_mut().for_each(normalize_timestamp);
        }
    }
    cases
}

fn normalize_timestamp(value: &mut Value) {
    if let Some(text) = value.as_str()
        && let Some((date, time)) = text.split_once('T')
        && let Some((seconds, _)) = time.split_once('.')
        && (date.len(), seconds.len()) == (10, 8)
    {
        let text = format!("{date} {time}");
        *value = text.trim_end_matches('0').trim_end_matches('.').into();
    }
}

#[test]
fn answers_over_nulls_and_duplicates_match_duckdb() {
    let folder = tempfile::tempdir().expect("a folder");
    let faults: Vec<String> =
        cases().iter().filter_map(|case| fault(case, &PassSet::default(), folder.path())).collect();
    assert!(faults.is_empty(), "{} wrong:\n{}", faults.len(), faults.join("\n"));
}

/// A failure of a function is visible only as NULL, which COALESCE beside it may take for a value.
#[test]
fn try_tells_values_that_are_null_from_failures() {
    let folder = tempfile::tempdir().expect("a folder");
    let tried = |expr: &str| {
        let table = "(VALUES ('1', 0), ('x', 1), ('12', 2), (NULL, 3)) t(s, n)";
        rows(&format!("SELECT TRY({expr}) FROM {table} ORDER BY n"), &PassSet::default(), folder.path())
            .map(|rows| json!(rows.concat()))
    };
    let expect = |expr: &str, values: Value| assert_eq!(tried(expr), Ok(values), "{expr}");
    expect("CAST(s AS bigint) + from_base(s, 8)", json!([2, null, 22, null]));
    expect("coalesce(CAST(s AS bigint), 5) + 1", json!([2, null, 13, 6]));
    expect("coalesce(CAST(s AS bigint), 5) + from_base(s, 8)", json!([2, null, 22, null]));
    expect("coalesce(from_base(s, 2), 7)", json!([1, null, null, 7]));
    // A lambda expression may fail for one element and not be evaluated for others.
    expect(
        "coalesce(any_match(ARRAY[s], x -> CAST(x AS bigint) = 1), n = 3)",
        json!([true, null, false, true]),
    );
    expect("reduce(ARRAY[n], CAST(s AS bigint), (a, x) -> coalesce(a, 1), a -> a)", json!([1, null, 12, 1]));
}

#[test]
fn a_result_file_has_batches_of_a_fixed_length_and_plain_types() {
    let folder = tempfile::tempdir().expect("a folder");
    let sql = "select r_name, n_nationkey, cast(n_nationkey as decimal(20,2)) d, null u, n_comment, n_comment
        from tpch.tiny.nation cross join tpch.tiny.region cross join unnest(sequence(1, 100)) s(x)";
    let statement = statement(sql, folder.path());
    let mut is_planned = false;
    let execution = execute(&statement, None, &mut |event| {
        is_planned |= matches!(event, ExecutionEvent::Planned { .. });
    })
    .expect("an answer");
    assert!(is_planned);
    assert_eq!(execution.row_count, 12_500);
    assert_eq!(execution.stats.processed_rows, 30);
    // The reference implementation reads the file as results are served.
    let file = File::open(&statement.output).expect("the result");
    let reader = arrow_ipc::reader::FileReader::try_new(file, None).expect("an Arrow file");
    let types: Vec<String> =
        reader.schema().fields().iter().map(|field| field.data_type().to_string()).collect();
    assert_eq!(types[..4], ["LargeUtf8", "Int64", "Decimal128(20, 2)", "LargeUtf8"]);
    let lengths: Vec<usize> = reader.map(|batch| batch.expect("a batch").num_rows()).collect();
    assert_eq!(lengths, [8192, 4308]);
    let names: Vec<&str> = execution.columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names, ["r_name", "n_nationkey", "d", "u", "n_comment", "n_comment"]);
}

#[test]
fn csv_types_fit_all_lines_and_follow_replaced_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.csv");
    let location = path.display().to_string();
    let types = || -> Vec<String> {
        let description = describe(&location, TableFormat::Csv).expect("a table");
        description.columns.into_iter().map(|column| column.type_name).collect()
    };
    let lines: String = (0..5000).map(|number| format!("{number},2024-01-01,true\n")).collect();
    fs::write(&path, format!("a,b,c\n{lines}0.5,,maybe\n")).expect("a file");
    assert_eq!(types(), ["double", "date", "varchar"]);
    fs::write(&path, "a,b\n1,x\n").expect("a file");
    assert_eq!(types(), ["bigint", "varchar"]);
}

#[test]
fn rows_of_text_files_are_counted() {
    let folder = tempfile::tempdir().expect("a folder");
    let check = |name: &str, format: TableFormat, text: &str, expected: u64| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("a file");
        let location = path.display().to_string();
        let description = describe(&location, format).expect("a table");
        assert_eq!(description.row_count, Some(expected), "{name}");
        let mut submitted = statement("SELECT * FROM x", folder.path());
        let source = TableSource::Files { location, format };
        submitted.catalog.tables[0] =
            TableEntry { name: "x".to_owned(), source, ..submitted.catalog.tables[0].clone() };
        let execution = execute(&submitted, None, &mut |_| {}).expect("an answer");
        assert_eq!((execution.row_count, execution.stats.processed_rows), (expected, expected), "{name}");
    };
    // A quoted text may contain line breaks; the last line may lack its end.
    check("quoted.csv", TableFormat::Csv, "a,b\n1,\"x\ny\nz\"\n2,\"\"\n3,w", 3);
    check("header.csv", TableFormat::Csv, "a,b\n", 0);
    check("lines.ndjson", TableFormat::Ndjson, "{\"a\": 1}\n{\"a\": null}\n\n{\"a\": 3}", 3);
}

#[test]
fn a_sample_table_is_generated_once_and_completely() {
    let folder = tempfile::tempdir().expect("a folder");
    let (schema, table) =
        tpch_catalog::schema("tiny").zip(tpch_catalog::table("supplier")).expect("a sample table");
    let made = tpch::file(folder.path(), schema, table).expect("a file");
    let stamp = made.metadata().expect("the file").modified().expect("a time");
    assert_eq!(tpch::file(folder.path(), schema, table).expect("the same"), made);
    assert_eq!(made.metadata().expect("the file").modified().expect("a time"), stamp);
    let description = describe(&made.display().to_string(), TableFormat::Parquet).expect("a table");
    assert_eq!(description.row_count, Some(100));
    let found: Vec<String> = description.columns.into_iter().map(|column| column.type_name).collect();
    // A file does not store the length of a text type.
    let declared = table.columns.iter().map(|(_, data_type)| match tpch_type(*data_type) {
        Type::Varchar { .. } => Type::VARCHAR.to_string(),
        other => other.to_string(),
    });
    assert_eq!(found, declared.collect::<Vec<_>>());
}
