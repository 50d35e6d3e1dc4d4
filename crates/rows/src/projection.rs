//! The columns of an answer, with what encoding them as JSON needs: built once and shared by all answers with these
//! columns.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::chunk::RowShape;
use super::encoded_rows::{DueSection, EncodedRows, EncodedRowsBudget};
use super::json::plan::{Layout, Plan};
use super::projected_column::ProjectedColumn;
use crate::Result;
use crate::arrow_file::ArrowFile;

/// Columns in the order of the answer. A clone shares everything.
#[derive(Clone, Debug)]
pub struct Projection(Arc<Projected>);

#[derive(Debug)]
struct Projected {
    columns: Vec<ProjectedColumn>,
    /// Plans by shape and layout, each built when it is first needed.
    json_plans: [OnceLock<Arc<Plan>>; 4],
    /// Rows of a file as objects with these columns, as far as they are encoded.
    encoded_rows: Option<Arc<EncodedRows>>,
}

impl Projection {
    /// A projection of these columns.
    pub fn new(columns: Vec<ProjectedColumn>) -> Self {
        Self(Arc::new(Projected { columns, json_plans: Default::default(), encoded_rows: None }))
    }

    /// A projection of these columns for a file whose rows are worth encoding before they are read.
    pub fn with_encoded_rows(columns: Vec<ProjectedColumn>, file: &Arc<ArrowFile>) -> Self {
        let encoded_rows = (!columns.is_empty()).then(|| Arc::new(EncodedRows::new(file)));
        Self(Arc::new(Projected { columns, json_plans: Default::default(), encoded_rows }))
    }

    /// A section of the file's rows that reads have paid for and that the budget has room for, returned once.
    pub fn take_due_section(&self, budget: &Arc<EncodedRowsBudget>) -> Option<DueSection> {
        self.0.encoded_rows.as_ref()?.take_due(budget)
    }

    /// Encodes a section into an unlinked file in `folder`; reads copy its rows from then on. It is not encoded if its
    /// rows are long, or if there is no room. Blocking: some tens of milliseconds.
    ///
    /// # Errors
    /// `Damaged`: the file of the rows cannot be read; `Internal`: the section cannot be written.
    pub fn encode_section(&self, due: &DueSection, folder: &Path) -> Result<()> {
        let Some(rows) = &self.0.encoded_rows else { return Ok(()) };
        rows.encode(due, &self.json_plan(RowShape::Objects, Layout::Array), folder)
    }

    pub(super) fn encoded_rows(&self) -> Option<&Arc<EncodedRows>> {
        self.0.encoded_rows.as_ref()
    }

    /// The columns.
    pub fn columns(&self) -> &[ProjectedColumn] {
        &self.0.columns
    }

    pub(super) fn json_plan(&self, shape: RowShape, layout: Layout) -> Arc<Plan> {
        let place = match (shape, layout) {
            (RowShape::Arrays, Layout::Array) => 0,
            (RowShape::Objects, Layout::Array) => 1,
            (RowShape::Arrays, Layout::Lines) => 2,
            (RowShape::Objects, Layout::Lines) => 3,
        };
        let plan =
            self.0.json_plans[place].get_or_init(|| Arc::new(Plan::new(self.columns(), shape, layout)));
        Arc::clone(plan)
    }
}

impl From<Vec<ProjectedColumn>> for Projection {
    fn from(columns: Vec<ProjectedColumn>) -> Self {
        Self::new(columns)
    }
}

impl From<&[ProjectedColumn]> for Projection {
    fn from(columns: &[ProjectedColumn]) -> Self {
        Self::new(columns.to_vec())
    }
}

impl From<&Vec<ProjectedColumn>> for Projection {
    fn from(columns: &Vec<ProjectedColumn>) -> Self {
        Self::new(columns.clone())
    }
}

impl<const N: usize> From<&[ProjectedColumn; N]> for Projection {
    fn from(columns: &[ProjectedColumn; N]) -> Self {
        Self::new(columns.to_vec())
    }
}

impl From<&Projection> for Projection {
    fn from(projection: &Projection) -> Self {
        projection.clone()
    }
}
