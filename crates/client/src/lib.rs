//! Async client for both interfaces of a Rowhouse server: submit, wait, page and stream results, saved SQL,
//! materialized views, and the management endpoints. No engine. `https` addresses need the feature `tls`; without
//! it they are refused when the client is built.
//!
//! ```no_run
//! use rowhouse_client::{Client, RowRequest, Statement};
//!
//! # async fn example() -> rowhouse_client::Result<()> {
//! let client = Client::builder("http://127.0.0.1:8080").token("…").build()?;
//! let workspace = client.workspace("the workspace's id");
//!
//! // Submit, wait for the end, and stream the rows in pages of bounded size.
//! let statement = Statement::new("SELECT n_name, n_regionkey FROM tpch.tiny.nation").cache(60, false);
//! let query = workspace.run(statement).await?;
//! let mut rows = workspace.rows::<(String, i32)>(&query.id, &RowRequest::new()).await?;
//! while let Some(row) = rows.next().await {
//!     let (name, region) = row?;
//!     println!("{name} lies in region {region}");
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Views are read with [`Client::read_view`].

mod client;
mod workspace;

mod queries;
mod rows;

mod cache;
mod download;
mod endpoint_call;
mod saved_sql;
mod tables;
mod views;

mod json_array;
mod view_read;
mod view_rows;

mod accounts;
mod service;
mod workspaces;

mod base_url;
mod connector;
mod error;
mod request;
mod retry;
mod transport;

pub use cache::CacheScope;
pub use client::{Client, ClientBuilder};
pub use download::{Download, ResultFormat};
pub use endpoint_call::EndpointCall;
pub use error::{Error, ErrorKind, Result};
pub use queries::Statement;
pub use retry::RetryPolicy;
/// The wire types, so that a program needs no second dependency.
pub use rowhouse_model as model;
pub use rows::{RowRequest, RowShape, Rows};
pub use view_read::{Operator, ViewRead};
pub use view_rows::{VersionedRows, ViewRows};
pub use workspace::WorkspaceClient;
