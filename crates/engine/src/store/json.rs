//! Structures stored as JSON text in one column, in the form of the wire types.

use rusqlite::ToSql;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A value that a column stores as JSON text.
pub(super) struct Json<T>(pub(super) T);

impl<T: Serialize> ToSql for Json<T> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let text = serde_json::to_string(&self.0)
            .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))?;
        Ok(text.into())
    }
}

impl<T: DeserializeOwned> FromSql for Json<T> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let parsed = serde_json::from_str(value.as_str()?);
        parsed.map(Self).map_err(|error| FromSqlError::Other(Box::new(error)))
    }
}

/// A unit variant of a closed set, such as [`Role`](rowhouse_model::Role), stored as its name on the wire.
pub(super) struct Word<T>(pub(super) T);

impl<T: Serialize> ToSql for Word<T> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let value = serde_json::to_value(&self.0)
            .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))?;
        match value {
            serde_json::Value::String(word) => Ok(word.into()),
            other => Err(rusqlite::Error::ToSqlConversionFailure(format!("{other} is not a word").into())),
        }
    }
}

impl<T: DeserializeOwned> FromSql for Word<T> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let word = serde_json::Value::String(value.as_str()?.to_owned());
        serde_json::from_value(word).map(Self).map_err(|error| FromSqlError::Other(Box::new(error)))
    }
}
