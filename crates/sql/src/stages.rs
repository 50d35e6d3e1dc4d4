//! The plan as a tree of stages, for `outputStage` (D16).

use rowhouse_model::OutputStage;

use super::plan::{JoinKind, Plan, Scan, SetOperationKind};
use super::statement::{Analyzed, TableRef};

/// Maximum depth of a stage tree: records store it as JSON, whose parser limits nesting.
const MAX_DEPTH: usize = 32;

/// The size of a statement's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// The number of rows.
    pub rows: u64,
    /// The size of the result's file in bytes.
    pub bytes: u64,
}

/// The stages of a plan, all in one state; only the root has rows and bytes.
pub fn of_plan(analyzed: &Analyzed, state: &str, written: Option<Written>) -> OutputStage {
    let mut numbering = Numbering { analyzed, state, next: 1 };
    OutputStage {
        stage_id: "0".to_owned(),
        state: state.to_owned(),
        operator: "Output".to_owned(),
        output_rows: written.map(|written| written.rows),
        output_bytes: written.map(|written| written.bytes),
        sub_stages: vec![numbering.stage(&analyzed.plan, 1)],
    }
}

struct Numbering<'a> {
    analyzed: &'a Analyzed,
    state: &'a str,
    next: usize,
}

impl Numbering<'_> {
    fn stage(&mut self, plan: &Plan, depth: usize) -> OutputStage {
        let stage_id = self.next.to_string();
        self.next += 1;
        let sub_stages = if depth + 1 < MAX_DEPTH {
            plan.inputs().into_iter().map(|input| self.stage(input, depth + 1)).collect()
        } else {
            Vec::new()
        };
        OutputStage {
            stage_id,
            state: self.state.to_owned(),
            operator: self.operator(plan),
            output_rows: None,
            output_bytes: None,
            sub_stages,
        }
    }

    fn operator(&self, plan: &Plan) -> String {
        match plan {
            Plan::Scan(scan) => format!("TableScan[{}]", self.table(scan)),
            Plan::Values { rows, .. } => format!("Values[{} rows]", rows.len()),
            Plan::Shared { id, .. } => format!("Shared[{}]", id.0),
            Plan::Filter { .. } => "Filter".to_owned(),
            Plan::Project { .. } => "Project".to_owned(),
            Plan::Join(join) => format!("Join[{}]", join_kind(join.kind)),
            Plan::MarkJoin(_) => "MarkJoin".to_owned(),
            Plan::Aggregate(_) => "Aggregate".to_owned(),
            Plan::Window { .. } => "Window".to_owned(),
            Plan::MatchRecognize(_) => "PatternRecognition".to_owned(),
            Plan::Sort { .. } => "Sort".to_owned(),
            Plan::Limit { .. } => "Limit".to_owned(),
            Plan::Distinct { .. } => "Distinct".to_owned(),
            Plan::PartialDistinct { .. } => "PartialDistinct".to_owned(),
            Plan::SetOperation { kind, .. } => set_operation(*kind).to_owned(),
            Plan::Unnest { .. } => "Unnest".to_owned(),
            Plan::EnforceSingleRow { .. } => "EnforceSingleRow".to_owned(),
        }
    }

    fn table(&self, scan: &Scan) -> String {
        match self.analyzed.tables.get(scan.table) {
            Some(TableRef::Tpch { schema, table }) => format!("tpch.{schema}.{table}"),
            Some(TableRef::Entry(index)) => format!("table {index}"),
            None => String::new(),
        }
    }
}

const fn join_kind(kind: JoinKind) -> &'static str {
    match kind {
        JoinKind::Inner => "INNER",
        JoinKind::Left => "LEFT",
        JoinKind::Right => "RIGHT",
        JoinKind::Full => "FULL",
        JoinKind::Single => "SINGLE",
        JoinKind::Semi => "SEMI",
        JoinKind::Anti => "ANTI",
    }
}

const fn set_operation(kind: SetOperationKind) -> &'static str {
    match kind {
        SetOperationKind::UnionAll => "UnionAll",
        SetOperationKind::Intersect => "Intersect",
        SetOperationKind::IntersectAll => "IntersectAll",
        SetOperationKind::Except => "Except",
        SetOperationKind::ExceptAll => "ExceptAll",
    }
}
