//! LIKE. A constant pattern is compiled once. Most patterns are a few pieces of text between `%`, which are searched
//! for as bytes.

use polars::prelude::{
    BooleanChunked, Column, DataType, Expr as PolarsExpr, IntoColumn, IntoSeries, NewChunkedArray,
    PolarsResult,
};
use rowhouse_model::{ErrorCode, QueryError};

use super::super::datum::{Argument, Datum, Nulls, row_by_row};
use super::super::failure::raise;
use super::super::numeric::kernel;
use super::operands::{is_null_literal, lower_pair};
use super::{Guard, Staged, guarded, null};
use rowhouse_sql::expr::{Expr, Value};
use rowhouse_sql::types::Type;

pub(super) mod pattern;

use pattern::Pattern;

pub(super) fn like(
    value: &Expr,
    pattern: &Expr,
    escape: Option<char>,
    is_case_insensitive: bool,
    guard: &Guard,
    staged: &mut Staged,
) -> Result<PolarsExpr, QueryError> {
    let [text, pattern_value] = lower_pair(value, pattern, guard, staged)?;
    let text = guarded(text, &value.data_type, guard);
    if let Some(Value::Varchar(pattern_text)) = pattern.as_literal() {
        let compiled = Pattern::compile(pattern_text, escape, is_case_insensitive)
            .map_err(|message| QueryError::new(ErrorCode::InvalidFunctionArgument, message))?;
        return Ok(kernel(text, &[], DataType::Boolean, move |columns| matches(&columns[0], &compiled)));
    }
    if is_null_literal(&text) || is_null_literal(&pattern_value) {
        return Ok(null(&Type::Boolean));
    }
    let arguments = vec![
        Argument { value: text, data_type: Type::VARCHAR },
        Argument { value: pattern_value, data_type: Type::VARCHAR },
    ];
    Ok(row_by_row(arguments, Type::Boolean, Nulls::Propagate, move |row| {
        let compiled = Pattern::compile(row[1].text(), escape, is_case_insensitive)
            .map_err(|message| raise(ErrorCode::InvalidFunctionArgument, message))?;
        Ok(Datum::Boolean(compiled.matches(row[0].text())))
    }))
}

fn matches(column: &Column, pattern: &Pattern) -> PolarsResult<Column> {
    let texts = column.as_materialized_series().str()?;
    let found = texts.iter().map(|text| text.map(|text| pattern.matches(text)));
    Ok(BooleanChunked::from_iter_options(column.name().clone(), found).into_series().into_column())
}
