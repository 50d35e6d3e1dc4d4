//! Rows of the statistics of endpoints' calls: one for each saved SQL and hour.

use rowhouse_model::SavedSqlId;
use rusqlite::{Connection, Row, Transaction, params};

use super::json::Json;

/// The calls of one hour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HourOfCalls {
    pub(crate) saved_sql_id: SavedSqlId,
    /// Hours since 1970.
    pub(crate) hour: i64,
    /// Answered by a run.
    pub(crate) run: u64,
    /// Answered by a cached result.
    pub(crate) kept: u64,
    /// Answered with 202.
    pub(crate) unfinished: u64,
    /// Refused or failed.
    pub(crate) failed: u64,
    /// Number of calls per duration bucket, up to the last bucket that is not 0.
    pub(crate) durations: Vec<u32>,
}

/// Sets or replaces hours, and deletes those before `oldest`. Hours of a saved SQL that was deleted meanwhile are ignored.
pub(crate) fn set(transaction: &Transaction<'_>, hours: &[HourOfCalls], oldest: i64) -> rusqlite::Result<()> {
    let mut statement = transaction.prepare_cached(
        "INSERT OR REPLACE INTO endpoint_calls (saved_sql_id, hour, run, kept, unfinished, failed, durations)
         SELECT id, ?2, ?3, ?4, ?5, ?6, ?7 FROM saved_sql WHERE id = ?1",
    )?;
    for HourOfCalls { saved_sql_id, hour, run, kept, unfinished, failed, durations } in hours {
        let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        statement.execute(params![
            saved_sql_id.as_str(),
            hour,
            number(*run),
            number(*kept),
            number(*unfinished),
            number(*failed),
            Json(durations)
        ])?;
    }
    transaction.prepare_cached("DELETE FROM endpoint_calls WHERE hour < ?1")?.execute([oldest])?;
    Ok(())
}

/// All rows; those of one saved SQL are ordered by hour.
pub(crate) fn load(connection: &Connection) -> rusqlite::Result<Vec<HourOfCalls>> {
    connection
        .prepare(
            "SELECT saved_sql_id, hour, run, kept, unfinished, failed, durations FROM endpoint_calls
             ORDER BY saved_sql_id, hour",
        )?
        .query_map([], read)?
        .collect()
}

fn read(row: &Row<'_>) -> rusqlite::Result<HourOfCalls> {
    let number = |column| row.get::<_, i64>(column).map(|number| u64::try_from(number).unwrap_or(0));
    let Json(durations) = row.get(6)?;
    Ok(HourOfCalls {
        saved_sql_id: SavedSqlId::new(row.get::<_, String>(0)?),
        hour: row.get(1)?,
        run: number(2)?,
        kept: number(3)?,
        unfinished: number(4)?,
        failed: number(5)?,
        durations,
    })
}
