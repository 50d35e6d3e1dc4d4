//! The context of an expression of a row pattern, and the references collected in it.

use std::collections::HashMap;
use std::rc::Rc;

use rowhouse_model::ErrorLocation;

use super::pattern_labels::Labels;
use crate::plan::{ColumnId, Navigation, PatternInput};
use crate::types::Type;

/// The context of an expression of a row pattern.
#[derive(Debug)]
pub(super) struct PatternScope {
    pub(super) labels: Rc<Labels>,
    /// The navigation of the enclosing functions; its labels are those of the names.
    pub(super) navigation: Navigation,
    /// Set if names stand for columns of one row: in arguments of aggregates, and before IN of a subquery.
    pub(super) of_row: Option<OfRow>,
    /// The references so far, except those to the whole match.
    pub(super) references: Vec<Reference>,
    /// The inputs, each under the id of its parameter.
    pub(super) inputs: Vec<(ColumnId, Type, PatternInput)>,
    /// The parameters for a row's label and the match number, in arguments of aggregates.
    pub(super) row_parameters: [ColumnId; 2],
    /// The marks of subqueries that compare rows, `(a, b) IN (query)`, with the columns before IN.
    pub(super) marks_of_rows: HashMap<ColumnId, Vec<ColumnId>>,
}

/// FINAL or RUNNING.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mode {
    pub(super) is_final: bool,
    pub(super) place: Option<ErrorLocation>,
}

impl Mode {
    pub(super) const fn name(self) -> &'static str {
        if self.is_final { "FINAL" } else { "RUNNING" }
    }
}

/// The reason why names stand for columns of one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OfRow {
    Aggregated,
    Sought,
}

/// A column, or a call of CLASSIFIER.
#[derive(Clone, Debug)]
pub(super) struct Reference {
    /// The labels; `None` for a reference without a label.
    pub(super) labels: Option<Vec<usize>>,
    pub(super) name: Option<String>,
    pub(super) place: Option<ErrorLocation>,
}

impl PatternScope {
    pub(super) fn new(labels: Rc<Labels>, row_parameters: [ColumnId; 2]) -> Self {
        Self {
            labels,
            navigation: Navigation::CURRENT,
            of_row: None,
            references: Vec::new(),
            inputs: Vec::new(),
            row_parameters,
            marks_of_rows: HashMap::new(),
        }
    }
}
