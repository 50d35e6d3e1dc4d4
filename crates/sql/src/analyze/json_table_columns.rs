//! The columns and paths of a JSON_TABLE, collected during its analysis.

use std::collections::{HashMap, HashSet};

use rowhouse_model::{ErrorCode, ErrorLocation};
use sqlparser::ast::Ident;

use super::canonical_name::canonical;
use super::context::user_error;
use crate::error::{Result, location_of};
use crate::expr::Expr;
use crate::json_table::TablePath;
use crate::plan::Field;

/// A path that is nested in another one.
pub(super) struct NestedPath {
    /// The index of the path.
    pub(super) path: usize,
    pub(super) name: Option<String>,
    /// The place of the path's text.
    pub(super) place: Option<ErrorLocation>,
}

/// The columns and paths collected so far.
#[derive(Default)]
pub(super) struct Columns {
    pub(super) is_error_on_error: bool,
    /// The number of arguments before those that DEFAULT adds.
    pub(super) arguments: usize,
    pub(super) paths: Vec<TablePath>,
    /// For each path, the paths that are nested in it.
    pub(super) children: Vec<Vec<NestedPath>>,
    pub(super) named_paths: HashMap<String, usize>,
    pub(super) fields: Vec<Field>,
    pub(super) defaults: Vec<Expr>,
    pub(super) names: HashSet<String>,
}

impl Columns {
    /// Registers a name, which no other column or path may have.
    pub(super) fn name(&mut self, ident: &Ident) -> Result<String> {
        let name = canonical(ident);
        if self.names.insert(name.clone()) {
            return Ok(name);
        }
        let message = "All column and path names in JSON_TABLE invocation must be unique";
        Err(user_error(ErrorCode::DuplicateColumnOrPathName, location_of(ident.span.start), message))
    }
}
