//! An immutable snapshot of a record, shared by all readers: clients that poll, and the store. It is serialized to JSON
//! once, for the store and for every answer.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use rowhouse_model::{Column, ErrorCode, Query, QueryId, QueryStatus};

use super::record_json;
use crate::error::{Error, ErrorKind, Result};
use crate::fair_semaphore::FairPermit;
use crate::store::query_records::StoredQuery;
use rowhouse_rows::{ProjectedColumn, Projection};

/// A Query object and its JSON. A clone shares both.
#[derive(Clone, Debug)]
pub struct QueryRecord(Arc<Shown>);

#[derive(Debug)]
struct Shown {
    stored: StoredQuery,
    json: OnceLock<Bytes>,
    projection: OnceLock<Projection>,
    columns_json: OnceLock<Box<str>>,
    /// Of a long record from the store.
    _permit: Option<FairPermit>,
}

impl QueryRecord {
    pub(super) fn new(stored: StoredQuery) -> Self {
        Self::with(stored, None)
    }

    /// The record with a permit, which is released with the last clone.
    pub(super) fn with_permit(self, permit: Option<FairPermit>) -> Self {
        match Arc::try_unwrap(self.0) {
            Ok(Shown { stored, .. }) => Self::with(stored, permit),
            // Others hold it too: it is in memory.
            Err(shared) => Self(shared),
        }
    }

    fn with(stored: StoredQuery, permit: Option<FairPermit>) -> Self {
        Self(Arc::new(Shown {
            stored,
            json: OnceLock::new(),
            projection: OnceLock::new(),
            columns_json: OnceLock::new(),
            _permit: permit,
        }))
    }

    /// As clients see it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Internal`]: it cannot be serialized.
    pub fn json(&self) -> Result<Bytes> {
        if let Some(json) = self.0.json.get() {
            return Ok(json.clone());
        }
        let query = &self.0.stored.query;
        let json = match record_json::to_vec(query) {
            Some(json) => json,
            None => serde_json::to_vec(query)
                .map_err(|error| Error::internal("writing a query's record", error))?,
        };
        Ok(self.0.json.get_or_init(|| json.into()).clone())
    }

    /// Columns of its result; empty before it has one.
    pub fn result_columns(&self) -> &[Column] {
        self.columns.as_deref().unwrap_or_default()
    }

    /// The same, in the form that pages of the result use.
    pub fn projection(&self) -> &Projection {
        self.0.projection.get_or_init(|| {
            let named = self.result_columns().iter().enumerate();
            let columns = named.map(|(index, column)| ProjectedColumn { name: column.name.clone(), index });
            Projection::new(columns.collect())
        })
    }

    /// The same, as JSON (D15).
    ///
    /// # Errors
    ///
    /// As for [`json`](Self::json).
    pub fn columns_json(&self) -> Result<&str> {
        if let Some(json) = self.0.columns_json.get() {
            return Ok(json);
        }
        let json = serde_json::to_string(self.result_columns())
            .map_err(|error| Error::internal("writing a result's columns", error))?;
        Ok(self.0.columns_json.get_or_init(|| json.into()))
    }

    /// With the fields that only the server sees.
    pub(super) fn stored(&self) -> &StoredQuery {
        &self.0.stored
    }

    /// A mutable copy.
    pub fn to_query(&self) -> Query {
        self.0.stored.query.clone()
    }
}

impl Deref for QueryRecord {
    type Target = Query;

    fn deref(&self) -> &Query {
        &self.0.stored.query
    }
}

/// Checks that it has succeeded (D11).
pub(super) fn check_finished(id: &QueryId, stored: &StoredQuery) -> Result<()> {
    let query = &stored.query;
    let status = query.status.unwrap_or(QueryStatus::Queued);
    match (status, &query.error) {
        (QueryStatus::Finished, _) => Ok(()),
        (QueryStatus::Failed, Some(error)) => {
            let code = error.code().unwrap_or(ErrorCode::GenericInternalError);
            Err(Error::new(ErrorKind::NoResult(code), error.message.clone()))
        }
        (status, _) => Err(Error::new(
            ErrorKind::NoResult(ErrorCode::QueryNotFinished),
            format!("query '{id}' is {}, its result can be read once it is FINISHED", status.as_str()),
        )),
    }
}
