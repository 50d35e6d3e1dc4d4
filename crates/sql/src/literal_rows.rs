//! Statements that are nothing but a few rows of constants: `SELECT 1, 'a' AS b`, `VALUES (1, TRUE), (2, NULL)`. They are
//! recognized by their tokens: few, and no call, no table and no deep nesting among them, so that planning one takes
//! microseconds and little stack. All other texts are left to whoever runs statements.

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
use super::statistics::{TableStatistics, WantedColumn};
use super::tokens::tokenize;
use super::types::{Type, UTC};

/// Longest text.
const MAX_TEXT_BYTES: usize = 1 << 10;
/// Most tokens.
const MAX_TOKENS: usize = 128;
/// Most operators of one expression, and with them how deep it may be.
const MAX_OPERATORS: usize = 4;
/// A row of VALUES, and a parenthesis in it.
const MAX_PARENTHESES: usize = 2;

/// A statement that is nothing but rows of constants.
#[derive(Clone, Debug)]
pub struct LiteralRows {
    /// As [`Prepared`](super::Prepared) has it.
    pub fingerprint: String,
    /// The statement, planned.
    pub analyzed: Analyzed,
    /// Its rows, with a value for each of the columns of `analyzed.output`. NULL, or a value of its column's type: boolean,
    /// whole number, decimal, double, varchar or date.
    pub rows: Vec<Vec<Value>>,
}

/// The rows of a text that is nothing but rows of constants; none of any other text, be it well formed or not.
///
/// It takes some microseconds, whatever the text.
pub fn literal_rows(text: &str) -> Option<LiteralRows> {
    if text.len() > MAX_TEXT_BYTES || !begins_like_one(text) {
        return None;
    }
    let tokens = tokenize(text).ok()?;
    // Before it is parsed: this may be a thread of little stack, and its text that of anybody.
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
    // What is wrong with a statement is told where statements are run.
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

/// Whether the first word may be the right one.
fn begins_like_one(text: &str) -> bool {
    matches!(text.trim_start().as_bytes().first(), Some(b's' | b'S' | b'v' | b'V' | b'-' | b'/'))
}

/// Whether these are SELECT or VALUES, constants, names and what stands between them.
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
            // Behind a word it would be a call.
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

/// The value of a constant, or of a column of a row.
fn constant(expr: &Expr, ids: &[ColumnId], row: &[Value]) -> Option<Value> {
    match &expr.kind {
        ExprKind::Literal(value) => Some(value.clone()),
        ExprKind::Column(id) => row.get(ids.iter().position(|of| of == id)?).cloned(),
        // What VALUES makes of numbers and texts of several widths.
        ExprKind::Cast { input, is_try: false } if is_widened(&input.data_type, &expr.data_type) => {
            constant(input, ids, row)
        }
        _ => None,
    }
}

/// Whether each value of a type is the same value of another.
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

/// Types whose values are written as they are.
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

/// No table is named, so none is asked for.
struct NoTables;

impl TableSchemas for NoTables {
    fn schema(&mut self, _: &TableRef) -> Result<TableSchema> {
        Err(QueryError::new(ErrorCode::TableNotFound, "rows of constants have no table"))
    }

    fn statistics(&mut self, _: &TableRef, _: &[WantedColumn<'_>]) -> TableStatistics {
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
    fn rows_of_constants_are_told() {
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
    fn all_else_is_left_to_the_engine() {
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
