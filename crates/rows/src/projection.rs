//! The columns of an answer, with what encoding them as JSON needs: built once and shared by all answers with these
//! columns.

use std::sync::{Arc, OnceLock};

use super::chunk::RowShape;
use super::json::plan::{Layout, Plan};
use super::projected_column::ProjectedColumn;

/// Columns in the order of the answer. A clone shares everything.
#[derive(Clone, Debug)]
pub struct Projection(Arc<Projected>);

#[derive(Debug)]
struct Projected {
    columns: Vec<ProjectedColumn>,
    /// Plans by shape and layout, each built when it is first needed.
    json_plans: [OnceLock<Arc<Plan>>; 4],
}

impl Projection {
    /// A projection of these columns.
    pub fn new(columns: Vec<ProjectedColumn>) -> Self {
        Self(Arc::new(Projected { columns, json_plans: Default::default() }))
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
