//! Where an expression of a row pattern stands, and what it has named so far.

use std::rc::Rc;

use rowhouse_model::ErrorLocation;

use super::pattern_labels::Labels;
use crate::plan::{ColumnId, Navigation, PatternInput};
use crate::types::Type;

/// Where an expression of a row pattern stands.
#[derive(Debug)]
pub(super) struct PatternScope {
    pub(super) labels: Rc<Labels>,
    /// Where the functions around navigate to; its labels are those of the names.
    pub(super) navigation: Navigation,
    /// Names mean columns of one row: in arguments of aggregates, and before IN of a subquery.
    pub(super) of_row: Option<OfRow>,
    /// What was named so far: labels, and none of the match as a whole.
    pub(super) references: Vec<Reference>,
    /// The inputs, each under the id of its parameter.
    pub(super) inputs: Vec<(ColumnId, Type, PatternInput)>,
    /// In arguments of aggregates the label of the row, and the number of the match.
    pub(super) row_parameters: [ColumnId; 2],
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

/// Why names mean columns of one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OfRow {
    Aggregated,
    Sought,
}

/// A column, or a call of CLASSIFIER.
#[derive(Clone, Debug)]
pub(super) struct Reference {
    /// None without a label.
    pub(super) labels: Option<Vec<usize>>,
    pub(super) name: Option<String>,
    pub(super) place: Option<ErrorLocation>,
}

impl PatternScope {
    pub(super) const fn new(labels: Rc<Labels>, row_parameters: [ColumnId; 2]) -> Self {
        Self {
            labels,
            navigation: Navigation::CURRENT,
            of_row: None,
            references: Vec::new(),
            inputs: Vec::new(),
            row_parameters,
        }
    }
}
