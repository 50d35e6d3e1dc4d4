//! Statements that consist only of a few rows of constants: `SELECT 1, 'a' AS b`, `VALUES (1, TRUE), (2, NULL)`. They
//! are recognized by their tokens: few tokens, no calls, no tables and no deep nesting, so that planning takes
//! microseconds and little stack. All other texts are left to the executors.

use rowhouse_executor::catalog::CatalogSnapshot;
use rowhouse_model::{ErrorCode, QueryError, StatementParameters, Timestamp};
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::analyze::analyze_runnable;
use super::error::Result;
use super::execute::Runnable;
use super::expr::{ColumnId, Expr, ExprKind, Value};
use super::keywords::is_reserved;
use super::passes::PassSet;
use super::plan::Plan;
use super::statement::{Analyzed, Inputs, Session, TableRef, TableSchema, TableSchemas};
use super::statistics::{RequestedColumn, TableStatistics};
use super::tokens::tokenize;
use super::types::{Type, UTC};

/// Maximum length of the text in bytes.
const MAX_TEXT_BYTES: usize = 1 << 10;
/// Maximum number of tokens.
const MAX_TOKENS: usize = 128;
/// Maximum number of operators in one expression, which also bounds its depth.
const MAX_OPERATORS: usize = 4;
/// Maximum nesting depth of parentheses: a row of VALUES, and a parenthesis in it.
const MAX_PARENTHESES: usize = 2;

/// A statement that consists only of rows of constants.
#[derive(Clone, Debug)]
pub struct LiteralRows {
    /// The fingerprint, as in [`Prepared`](super::Prepared).
    pub fingerprint: String,
    /// The planned statement.
    pub analyzed: Analyzed,
    /// The rows, with a value for each column of `analyzed.output`: NULL, or a value of the column's type, which is
    /// boolean, an integer type, decimal, double, varchar or date.
    pub rows: Vec<Vec<Value>>,
}

/// The rows of a text that consists only of rows of constants; `None` for any other text, valid or not.
///
/// It takes some microseconds for any text.
pub fn literal_rows(text: &str) -> Option<LiteralRows> {
    if text.len() > MAX_TEXT_BYTES || !begins_like_one(text) {
        return None;
    }
    let tokens = tokenize(text).ok()?;
    // Checked before parsing, because the thread may have a small stack, and the text may come from anyone.
    if !are_constants(&tokens) {
        return None;
    }
    let runnable = Runnable::plain(text, tokens);
    let catalog = CatalogSnapshot {
        default_catalog: String::new(),
        default_schema: String::new(),
        own_schema: String::new(),
        other_schemas: Vec::new(),
        tables: Vec::new(),
        queries: Vec::new(),
        session_properties: Vec::new(),
        tpch_dir: None,
    };
    let session = Session {
        user: String::new(),
        now: Timestamp::from_millis(0),
        time_zone: UTC.to_owned(),
        parameters: StatementParameters::default(),
    };
    // Errors are reported when the statement runs on an executor.
    let analyzed =
        analyze_runnable(&runnable, &catalog, &mut NoTables, &session, &PassSet::default()).ok()?;
    if !analyzed.tables.is_empty()
        || !analyzed.shared.is_empty()
        || analyzed.is_explain_analyze
        || analyzed.inputs != Inputs::default()
    {
        return None;
    }
    let (ids, rows) = constants_of(&analyzed.plan)?;
    let places: Vec<usize> = analyzed
        .output
        .iter()
        .filter(|field| is_plain(&field.data_type))
        .filter_map(|field| ids.iter().position(|id| *id == field.id))
        .collect();
    if places.len() != analyzed.output.len() {
        return None;
    }
    let rows = rows.iter().map(|row| places.iter().map(|place| row[*place].clone()).collect()).collect();
    let fingerprint = runnable.fingerprint(&StatementParameters::default());
    Some(LiteralRows { fingerprint, analyzed, rows })
}

/// Whether the first character can begin such a statement.
fn begins_like_one(text: &str) -> bool {
    matches!(text.trim_start().as_bytes().first(), Some(b's' | b'S' | b'v' | b'V' | b'-' | b'/'))
}

/// Whether the tokens are SELECT or VALUES, constants, names, operators and punctuation.
fn are_constants(tokens: &[TokenWithSpan]) -> bool {
    let mut tokens = tokens.iter().map(|token| &token.token);
    let is_word = |token: &Token, wanted: &[&str]| {
        matches!(token, Token::Word(word) if word.quote_style.is_none()
            && wanted.iter().any(|wanted| word.value.eq_ignore_ascii_case(wanted)))
    };
    if tokens.len() > MAX_TOKENS || !tokens.next().is_some_and(|first| is_word(first, &["SELECT", "VALUES"]))
    {
        return false;
    }
    let (mut operators, mut parentheses, mut is_after_word) = (0, 0, false);
    for token in tokens {
        let is_name = match token {
            Token::Number(..) | Token::UnicodeStringLiteral(_) => false,
            Token::Comma => {
                operators = 0;
                false
            }
            Token::Plus | Token::Minus | Token::Mul | Token::Div | Token::Mod => {
                operators += 1;
                false
            }
            // After a word it would begin the arguments of a call.
            Token::LParen if !is_after_word => {
                parentheses += 1;
                false
            }
            Token::RParen if parentheses > 0 => {
                parentheses -= 1;
                false
            }
            Token::Word(word) => {
                let is_known = is_word(token, &["TRUE", "FALSE", "NULL", "AS"]);
                if !is_known && word.quote_style.is_none() && is_reserved(&word.value.to_ascii_uppercase()) {
                    return false;
                }
                true
            }
            _ => return false,
        };
        if operators > MAX_OPERATORS || parentheses > MAX_PARENTHESES {
            return false;
        }
        is_after_word = is_name;
    }
    true
}

/// The columns and the rows of a plan of constants.
fn constants_of(plan: &Plan) -> Option<(Vec<ColumnId>, Vec<Vec<Value>>)> {
    match plan {
        Plan::Values { fields, rows } => {
            let ids = fields.iter().map(|field| field.id).collect();
            let row = |row: &Vec<Expr>| row.iter().map(|expr| constant(expr, &[], &[])).collect();
            Some((ids, rows.iter().map(row).collect::<Option<_>>()?))
        }
        Plan::Project { input, columns } => {
            let (ids, rows) = constants_of(input)?;
            let row = |row: &Vec<Value>| columns.iter().map(|(_, expr)| constant(expr, &ids, row)).collect();
            let rows = rows.iter().map(row).collect::<Option<_>>()?;
            Some((columns.iter().map(|(field, _)| field.id).collect(), rows))
        }
        _ => None,
    }
}

/// The value of a literal, or of a column of a row.
fn constant(expr: &Expr, ids: &[ColumnId], row: &[Value]) -> Option<Value> {
    match &expr.kind {
        ExprKind::Literal(value) => Some(value.clone()),
        ExprKind::Column(id) => row.get(ids.iter().position(|of| of == id)?).cloned(),
        // VALUES adds casts between numbers and texts of different widths.
        ExprKind::Cast { input, is_try: false } if is_widened(&input.data_type, &expr.data_type) => {
            constant(input, ids, row)
        }
        _ => None,
    }
}

/// Whether every value of a type has the same representation in another type.
fn is_widened(from: &Type, to: &Type) -> bool {
    match (from, to) {
        (Type::TinyInt, Type::SmallInt | Type::Integer | Type::BigInt)
        | (Type::SmallInt, Type::Integer | Type::BigInt)
        | (Type::Integer, Type::BigInt)
        | (Type::Varchar { .. }, Type::Varchar { length: None }) => true,
        (Type::Varchar { length: Some(from) }, Type::Varchar { length: Some(to) }) => from <= to,
        _ => false,
    }
}

/// Types whose values are returned without conversion.
const fn is_plain(data_type: &Type) -> bool {
    matches!(
        data_type,
        Type::Unknown
            | Type::Boolean
            | Type::TinyInt
            | Type::SmallInt
            | Type::Integer
            | Type::BigInt
            | Type::Double
            | Type::Decimal { .. }
            | Type::Varchar { .. }
            | Type::Date
    )
}

/// Schemas without tables: the statement names none.
struct NoTables;

impl TableSchemas for NoTables {
    fn schema(&mut self, _: &TableRef) -> Result<TableSchema> {
        Err(QueryError::new(ErrorCode::TableNotFound, "rows of constants have no table"))
    }

    fn statistics(&mut self, _: &TableRef, _: &[RequestedColumn<'_>]) -> TableStatistics {
        TableStatistics::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prepare;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let found = literal_rows(text).unwrap_or_else(|| panic!("{text} is left to the engine"));
        let names = found.analyzed.output.iter().map(|field| format!("{} {}", field.name, field.data_type));
        let rows: Vec<String> = found.rows.iter().map(|row| format!("{row:?}")).collect();
        assert_eq!(format!("{} {}", names.collect::<Vec<_>>().join(", "), rows.join(" ")), expected);
        let prepared = prepare(text, &StatementParameters::default()).expect("a statement");
        assert_eq!(found.fingerprint, prepared.fingerprint, "{text}");
    }

    #[test]
    fn rows_of_constants_are_recognized() {
        check("SELECT 1", "_col0 integer [Integer(1)]");
        check("select 42 as A, 'x' \"B\";", "A integer, B varchar(1) [Integer(42), Varchar(\"x\")]");
        check("SELECT -5000000000", "_col0 bigint [Integer(-5000000000)]");
        check("-- a comment\nSELECT TRUE, NULL", "_col0 boolean, _col1 unknown [Boolean(true), Null]");
        check("SELECT 2 * (3 + 4)", "_col0 integer [Integer(14)]");
        check("SELECT 1.50, 1e3", "_col0 decimal(3,2), _col1 double [Decimal(150), Double(1000.0)]");
        let rows = "_col0 integer, _col1 varchar(3) [Integer(1), Varchar(\"a\")] [Null, Varchar(\"abc\")]";
        check("VALUES (1, 'a'), (NULL, 'abc')", rows);
    }

    #[test]
    fn other_statements_are_left_to_the_executor() {
        let deep = format!("SELECT {}1{}", "(".repeat(3), ")".repeat(3));
        let chained = format!("SELECT 1{}", " + 1".repeat(MAX_OPERATORS + 1));
        let long = format!("SELECT '{}'", "x".repeat(MAX_TEXT_BYTES));
        let many = format!("SELECT 1{}", ", 1".repeat(MAX_TOKENS));
        let others = [
            deep.as_str(),
            &chained,
            &long,
            &many,
            "",
            "SELECT",
            "SELECT a",
            "SELECT 1 FROM t",
            "SELECT DISTINCT 1",
            "SELECT 1 LIMIT 1",
            "SELECT 1 WHERE FALSE",
            "SELECT count(*)",
            "SELECT random()",
            "SELECT \"random\"()",
            "SELECT current_date",
            "SELECT current_user",
            "SELECT now",
            "SELECT DATE '2026-02-30'",
            "SELECT TIMESTAMP '2026-01-01 00:00:00'",
            "SELECT X'00'",
            "EXECUTE IMMEDIATE 'SELECT ?' USING 1",
            "SELECT 1 / 0",
            "SELECT 2147483647 + 1",
            "SELECT 99999999999999999999",
            "SELECT :a",
            "SELECT ?",
            "SELECT (SELECT 1)",
            "SELECT 1; SELECT 2",
            "EXPLAIN SELECT 1",
            "EXECUTE IMMEDIATE 'SELECT 1'",
            "WITH a AS (SELECT 1) SELECT 2",
            "TABLE t",
        ];
        for text in others {
            assert!(literal_rows(text).is_none(), "{text}");
        }
    }
}
