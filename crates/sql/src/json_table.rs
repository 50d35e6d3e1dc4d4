//! What JSON_TABLE says besides its values: its paths, their columns, and the plan by which rows of several paths are joined.
//! A call carries it as its first argument, a constant text.

use serde_json::{Value, json};

use super::sql_json::{JsonFormat, PathClauses};

/// JSON_TABLE. The arguments of its call are this, the input, pairs of a parameter's name and value, and what DEFAULT gives;
/// the result is an array of rows of all columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonTable {
    /// `ERROR ON ERROR`; else an input or a path with an error has no rows.
    pub is_error_on_error: bool,
    /// How the input is written.
    pub input: JsonFormat,
    /// How many parameters there are.
    pub parameters: usize,
    /// The root's path first, a parent before its children.
    pub paths: Vec<TablePath>,
    /// In postfix order: children before their parent.
    pub plan: Vec<PlanStep>,
}

/// A path, each item of which has a value in each of its columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TablePath {
    /// Its text.
    pub path: String,
    /// Its columns, each with its place among all.
    pub columns: Vec<(usize, TableColumn)>,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableColumn {
    /// `FOR ORDINALITY`: 1, 2, … of the path's items.
    Ordinality,
    /// A scalar, as JSON_VALUE gives it.
    Value {
        /// Its path, from the item.
        path: String,
        /// Its clauses.
        clauses: PathClauses,
        /// The arguments with what DEFAULT gives ON EMPTY and ON ERROR.
        defaults: [Option<usize>; 2],
    },
    /// JSON, as JSON_QUERY gives it.
    Query {
        /// Its path, from the item.
        path: String,
        /// Its clauses.
        clauses: PathClauses,
    },
}

/// A step of the plan, over a stack of sets of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanStep {
    /// The rows of a path without children.
    Leaf(usize),
    /// The rows of a path, each beside those of the set before.
    Parent {
        /// Which path.
        path: usize,
        /// A row without rows beside it is kept, with NULLs.
        is_outer: bool,
    },
    /// So many sets, one after the other, with NULLs in each other's columns.
    Union(usize),
    /// All combinations of the rows of so many sets.
    Cross(usize),
}

impl JsonTable {
    /// Arguments before the parameters.
    pub const ARGUMENTS: usize = 2;

    /// As a call carries it.
    pub fn to_text(&self) -> String {
        let Self { is_error_on_error, input, parameters, paths, plan } = self;
        let paths: Vec<Value> = paths.iter().map(TablePath::to_value).collect();
        let plan: Vec<Value> = plan.iter().map(|step| step.to_value()).collect();
        json!([is_error_on_error, input.word(), parameters, paths, plan]).to_string()
    }

    /// Of what a call carries.
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
    fn a_table_is_read_as_it_is_written() {
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
