//! The static description of a JSON_TABLE: its paths, their columns, and the plan by which rows of several paths are
//! joined. It is the first argument of the call, as a text constant.

use serde_json::{Value, json};

use super::sql_json::{JsonFormat, PathClauses};

/// JSON_TABLE. The arguments of its call are this description, the input, pairs of a parameter's name and value, and
/// the DEFAULT values; the result is an array of rows of all columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonTable {
    /// `ERROR ON ERROR`; otherwise an input or a path with an error has no rows.
    pub is_error_on_error: bool,
    /// The format of the input.
    pub input: JsonFormat,
    /// The number of parameters.
    pub parameters: usize,
    /// The paths, the root's first, each parent before its children.
    pub paths: Vec<TablePath>,
    /// The plan in postfix order: children before their parent.
    pub plan: Vec<PlanStep>,
}

/// A path; each of its items has a value in each of its columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TablePath {
    /// The path's text.
    pub path: String,
    /// The columns, each with its index among all columns.
    pub columns: Vec<(usize, TableColumn)>,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableColumn {
    /// `FOR ORDINALITY`: 1, 2, … for the path's items.
    Ordinality,
    /// A scalar, as the result of JSON_VALUE.
    Value {
        /// The path, relative to the item.
        path: String,
        /// The clauses of JSON_VALUE.
        clauses: PathClauses,
        /// The indexes of the arguments with the DEFAULT values ON EMPTY and ON ERROR.
        defaults: [Option<usize>; 2],
    },
    /// JSON, as the result of JSON_QUERY.
    Query {
        /// The path, relative to the item.
        path: String,
        /// The clauses of JSON_QUERY.
        clauses: PathClauses,
    },
}

/// A step of the plan. Steps operate on a stack of row sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanStep {
    /// The rows of a path without children.
    Leaf(usize),
    /// Joins the rows of a path with those of the row set on top of the stack.
    Parent {
        /// The path's index.
        path: usize,
        /// Whether rows without matching rows are retained, with NULLs.
        is_outer: bool,
    },
    /// The union of this number of row sets, with NULLs in each other's columns.
    Union(usize),
    /// The cross product of this number of row sets.
    Cross(usize),
}

impl JsonTable {
    /// The number of arguments before the parameters.
    pub const ARGUMENTS: usize = 2;

    /// The description as the text argument of a call.
    pub fn to_text(&self) -> String {
        let Self { is_error_on_error, input, parameters, paths, plan } = self;
        let paths: Vec<Value> = paths.iter().map(TablePath::to_value).collect();
        let plan: Vec<Value> = plan.iter().map(|step| step.to_value()).collect();
        json!([is_error_on_error, input.word(), parameters, paths, plan]).to_string()
    }

    /// Parses the text argument of a call.
    pub fn of(text: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(text).ok()?;
        let [is_error_on_error, input, parameters, paths, plan] = value.as_array()?.as_slice() else {
            return None;
        };
        Some(Self {
            is_error_on_error: is_error_on_error.as_bool()?,
            input: JsonFormat::of(input.as_str()?)?,
            parameters: number(parameters)?,
            paths: paths.as_array()?.iter().map(TablePath::of).collect::<Option<_>>()?,
            plan: plan.as_array()?.iter().map(PlanStep::of).collect::<Option<_>>()?,
        })
    }
}

fn number(value: &Value) -> Option<usize> {
    usize::try_from(value.as_u64()?).ok()
}

impl TablePath {
    fn to_value(&self) -> Value {
        let columns: Vec<Value> = self
            .columns
            .iter()
            .map(|(place, column)| match column {
                TableColumn::Ordinality => json!([place]),
                TableColumn::Value { path, clauses, defaults } => {
                    json!([place, path, clauses.to_text(), defaults])
                }
                TableColumn::Query { path, clauses } => json!([place, path, clauses.to_text()]),
            })
            .collect();
        json!([self.path, columns])
    }

    fn of(value: &Value) -> Option<Self> {
        let [path, columns] = value.as_array()?.as_slice() else { return None };
        let columns = columns.as_array()?.iter().map(|column| {
            let column = column.as_array()?;
            let (place, rest) = column.split_first()?;
            let read = match rest {
                [] => TableColumn::Ordinality,
                [path, clauses] => TableColumn::Query {
                    path: path.as_str()?.to_owned(),
                    clauses: PathClauses::of(clauses.as_str()?)?,
                },
                [path, clauses, defaults] => {
                    let [on_empty, on_error] = defaults.as_array()?.as_slice() else { return None };
                    TableColumn::Value {
                        path: path.as_str()?.to_owned(),
                        clauses: PathClauses::of(clauses.as_str()?)?,
                        defaults: [number(on_empty), number(on_error)],
                    }
                }
                _ => return None,
            };
            Some((number(place)?, read))
        });
        Some(Self { path: path.as_str()?.to_owned(), columns: columns.collect::<Option<_>>()? })
    }
}

impl PlanStep {
    fn to_value(self) -> Value {
        match self {
            Self::Leaf(path) => json!(["leaf", path]),
            Self::Parent { path, is_outer: true } => json!(["outer", path]),
            Self::Parent { path, is_outer: false } => json!(["inner", path]),
            Self::Union(count) => json!(["union", count]),
            Self::Cross(count) => json!(["cross", count]),
        }
    }

    fn of(value: &Value) -> Option<Self> {
        let [verb, operand] = value.as_array()?.as_slice() else { return None };
        let operand = number(operand)?;
        Some(match verb.as_str()? {
            "leaf" => Self::Leaf(operand),
            "outer" => Self::Parent { path: operand, is_outer: true },
            "inner" => Self::Parent { path: operand, is_outer: false },
            "union" => Self::Union(operand),
            "cross" => Self::Cross(operand),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql_json::{Behavior, Quotes, Wrapper};

    #[test]
    fn descriptions_round_trip() {
        let clauses = PathClauses {
            input: JsonFormat::None,
            on_empty: Behavior::Default,
            on_error: Behavior::Error,
            wrapper: Wrapper::Without,
            quotes: Quotes::Unsaid,
            output: JsonFormat::Text,
        };
        let path = "lax $.\"a b\"".to_owned();
        let columns = vec![
            (2, TableColumn::Ordinality),
            (0, TableColumn::Value { path: path.clone(), clauses, defaults: [Some(4), None] }),
            (1, TableColumn::Query { path: path.clone(), clauses }),
        ];
        let table = JsonTable {
            is_error_on_error: true,
            input: JsonFormat::Text,
            parameters: 1,
            paths: vec![TablePath { path: path.clone(), columns }, TablePath { path, columns: Vec::new() }],
            plan: vec![
                PlanStep::Leaf(1),
                PlanStep::Leaf(1),
                PlanStep::Union(2),
                PlanStep::Cross(1),
                PlanStep::Parent { path: 0, is_outer: true },
                PlanStep::Parent { path: 0, is_outer: false },
            ],
        };
        assert_eq!(JsonTable::of(&table.to_text()), Some(table));
        assert_eq!(JsonTable::of("[]"), None);
    }
}
