//! Parses the filters of view reads, `column:OP:value` (D22, D23), the required filters in the comment `-- Service API:
//! required("column:operator", "column")` of a view's SQL (D24), and the declarations in the comments of an endpoint's
//! SQL (D111). It also matches LIKE patterns ([`LikePattern`]) and finds the nearest name to a misspelled one ([`nearest()`]).
//!
//! No I/O, no engine, no HTTP, no dependencies. Values stay text here: the engine casts them to the column's type.
//! What parses filters takes the names of the view's columns, because a name may contain a colon and because names match
//! exactly first and then in any letter case.
//!
//! ```
//! use rowhouse_filters::{ColumnClass, Filter, Operand, Operator, RequiredFilters, resolve_column};
//!
//! // When the view is defined:
//! let columns = ["orderkey", "region"];
//! let sql = "-- Service API: required(\"region:eq\", \"orderkey\")\nSELECT orderkey, region FROM orders";
//! let required = RequiredFilters::from_sql(sql)?;
//! required.check_columns(&columns)?;
//! assert_eq!(required.entries(&columns), ["region:EQ", "orderkey"]);
//!
//! // When it is read with `?filters=Region:eq:EUROPE`:
//! let filter = Filter::parse("Region:eq:EUROPE", &columns)?;
//! assert_eq!(filter.operator(), Operator::Eq);
//! assert_eq!(filter.operand(), &Operand::Text("EUROPE".to_owned()));
//! assert_eq!(resolve_column(&columns, filter.column())?, 1);
//! filter.check(ColumnClass::Text)?;
//! assert_eq!(
//!     required.unmet(&[filter], &columns).as_deref(),
//!     Some("Required filters and request filters not matched: region:EQ,orderkey and Region:EQ.")
//! );
//! # Ok::<(), rowhouse_filters::Error>(())
//! ```

#![forbid(unsafe_code)]

mod column_class;
mod columns;
mod endpoint;
mod error;
mod filter;
mod like;
mod nearest;
mod operand;
mod operator;
mod required;
mod sql_comments;

pub use column_class::ColumnClass;
pub use columns::{ColumnNames, resolve_column};
pub use endpoint::{
    CacheDeclaration, DeclaredValue, EndpointDeclarations, LimitDeclaration, MAX_ENDPOINT_PARAMETERS,
    OrderDeclaration, ParameterDeclaration,
};
pub use error::{Error, ErrorKind, Location};
pub use filter::Filter;
pub use like::{LikePattern, LikePlace};
pub use nearest::nearest;
pub use operand::{IsValue, Operand};
pub use operator::Operator;
pub use required::RequiredFilters;
