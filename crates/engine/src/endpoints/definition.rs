//! An endpoint's definition, checked completely when it is saved: its declarations against the parameters that the
//! statement names, and against its columns.

use rowhouse_filters::{CacheDeclaration, ColumnNames, EndpointDeclarations, LimitDeclaration, Location};
use rowhouse_model::{Column, ErrorLocation, StatementParameters};

use super::EndpointParameter;
use crate::error::{Error, ErrorKind, Result};

/// Maximum length of a text: all of them are in memory.
const MAX_SQL_BYTES: usize = 64 << 10;

/// An endpoint's declarations.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub(super) parameters: Vec<EndpointParameter>,
    pub(super) cache: Option<CacheDeclaration>,
    pub(super) limit: Option<LimitDeclaration>,
    pub(super) is_shared: bool,
    order_by: Vec<rowhouse_filters::OrderDeclaration>,
    /// Empty until the columns are known.
    pub(super) order_columns: Vec<usize>,
}

impl Definition {
    /// Parses a text.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::InvalidArguments`] with the location, [`ErrorKind::Statement`] for invalid SQL.
    pub(crate) fn of(sql: &str) -> Result<Self> {
        if sql.len() > MAX_SQL_BYTES {
            let message =
                format!("the SQL of an endpoint has at most {MAX_SQL_BYTES} bytes, found {}", sql.len());
            return Err(Error::new(ErrorKind::InvalidArguments, message));
        }
        let declared = EndpointDeclarations::from_sql(sql).map_err(|error| {
            let message = error.message().to_owned();
            match error.location() {
                Some(place) => refused(place, message),
                None => Error::new(ErrorKind::InvalidArguments, message),
            }
        })?;
        let EndpointDeclarations { parameters, cache, limit, order_by, is_shared } = declared;
        let is_warm = cache.is_some_and(|cache| cache.is_warm);
        if let Some(required) = parameters.iter().find(|parameter| is_warm && parameter.is_required) {
            let message = format!(
                "the parameter {} is required, and an endpoint with `-- Cache: … warm` is called without values",
                required.name
            );
            return Err(refused(required.location, message));
        }
        let named = rowhouse_sql::named_parameters(sql)?;
        for parameter in &parameters {
            if !named.iter().any(|named| named.name == parameter.name) {
                let name = &parameter.name;
                let near = nearest(name, named.iter().map(|named| named.name.as_str()));
                return Err(refused(
                    parameter.location,
                    format!("the statement does not name :{name}{near}"),
                ));
            }
        }
        for named in named {
            let name = &named.name;
            if !parameters.iter().any(|parameter| parameter.name == *name) {
                let near = nearest(name, parameters.iter().map(|parameter| parameter.name.as_str()));
                let message = format!(
                    "the parameter :{name} is not declared{near}; an endpoint declares each before the statement, as \
                     `-- Parameter: {name} varchar`"
                );
                return Err(match named.location {
                    Some(ErrorLocation { line_number, column_number }) => {
                        refused(Location { line_number, column_number }, message)
                    }
                    None => Error::new(ErrorKind::InvalidArguments, message),
                });
            }
        }
        let parameters = parameters.into_iter().map(|parameter| {
            let location = parameter.location;
            EndpointParameter::new(parameter).map_err(|message| refused(location, message))
        });
        Ok(Self {
            parameters: parameters.collect::<Result<_>>()?,
            cache,
            limit,
            is_shared,
            order_by,
            order_columns: Vec::new(),
        })
    }

    /// Resolves the columns that callers may order by.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::InvalidArguments`] with the location: there is no such column, or more than one.
    pub(crate) fn with_columns(mut self, columns: &[Column]) -> Result<Self> {
        let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        let columns = ColumnNames::new(&names);
        let found = self.order_by.iter().map(|order| {
            columns.resolve(&order.column).map_err(|error| refused(order.location, error.message()))
        });
        self.order_columns = found.collect::<Result<_>>()?;
        Ok(self)
    }

    /// Typed values to plan the statement with: NULL if nothing else is declared.
    pub(crate) fn sample(&self) -> StatementParameters {
        let mut sample = StatementParameters::default();
        for parameter in &self.parameters {
            sample.insert(parameter.name.clone(), parameter.typed(parameter.sample()));
        }
        sample
    }

    /// The first of the columns that callers may order by, by position.
    pub(crate) fn first_order_column(&self) -> Option<usize> {
        self.order_columns.first().copied()
    }
}

fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    rowhouse_filters::nearest(name, known).map_or_else(String::new, |near| format!("; did you mean :{near}?"))
}

fn refused(place: Location, message: impl std::fmt::Display) -> Error {
    let Location { line_number, column_number } = place;
    let details = serde_json::json!({
        "errorLocation": { "lineNumber": line_number, "columnNumber": column_number }
    });
    Error::new(ErrorKind::InvalidArguments, format!("line {line_number}:{column_number}: {message}"))
        .with_details(details)
}
