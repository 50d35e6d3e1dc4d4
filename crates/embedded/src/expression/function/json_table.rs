//! JSON_TABLE: the rows of a document as an array of rows.

use std::borrow::Cow;

use polars::prelude::{PolarsError, PolarsResult};
use rowhouse_model::ErrorCode;
use rowhouse_sql::expr::Expr;
use rowhouse_sql::functions::ScalarFunction;
use rowhouse_sql::json_path::JsonPath;
use rowhouse_sql::json_table::{JsonTable, PlanStep, TableColumn};
use rowhouse_sql::sql_json::JsonFormat;
use rowhouse_sql::types::Type;

use super::sql_json::{Parameters, PathCall, input_fault, item_of, read, sequence};
use super::{RowFunction, literal_text};
use crate::conversion::{convert, java_real};
use crate::datum::{Datum, Nulls};
use crate::failure::raise;
use crate::json::Item;
use crate::json_path::{Node, Variable};

/// Maximum number of values in all rows of a document, and of items that its row paths select (D142).
const MAX_VALUES: usize = 5_000_000;

pub(super) fn function(args: &[Expr], result: &Type) -> Option<(Nulls, RowFunction)> {
    let clauses = JsonTable::of(literal_text(args.first()?)?)?;
    let Type::Array(element) = result else { return None };
    let Type::Row(fields) = &**element else { return None };
    let types: Vec<Type> = fields.iter().map(|field| field.data_type.clone()).collect();
    let end = JsonTable::ARGUMENTS + 2 * clauses.parameters;
    let parameters = Parameters::of(args.get(JsonTable::ARGUMENTS..end)?)?;
    let root = Fragment::of(&clauses, &types)?;
    let (mut layout, mut places) = (Vec::new(), vec![0; types.len()]);
    root.add_layout(&mut layout);
    for (at, output) in layout.into_iter().enumerate() {
        *places.get_mut(output)? = at;
    }
    let table = Table {
        is_error_on_error: clauses.is_error_on_error,
        input: clauses.input,
        parameters,
        end,
        root,
        places,
    };
    Some((Nulls::Seen, Box::new(move |row| table.rows(row))))
}

struct Table {
    is_error_on_error: bool,
    input: JsonFormat,
    parameters: Parameters,
    /// The number of arguments before the defaults.
    end: usize,
    root: Fragment,
    /// For each column of the result, its index among the values of the root's rows.
    places: Vec<usize>,
}

/// A node of the plan. Its rows have the values of its columns, followed by those of its nested nodes.
enum Fragment {
    Path { path: JsonPath, columns: Vec<Column>, is_outer: bool, child: Option<Box<Fragment>> },
    Union(Vec<Fragment>),
    Cross(Vec<Fragment>),
}

struct Column {
    output: usize,
    kind: ColumnKind,
}

enum ColumnKind {
    Ordinality,
    /// The indexes are those of the DEFAULT values.
    Value(PathCall, [Option<usize>; 2]),
    /// The type is the target of a cast, unless the column is a `varchar` of any length or a `varbinary`.
    Query(PathCall, Option<Type>),
}

impl Fragment {
    fn of(table: &JsonTable, types: &[Type]) -> Option<Self> {
        let mut stack: Vec<Self> = Vec::new();
        for step in &table.plan {
            let fragment = match *step {
                PlanStep::Leaf(path) => Self::path(table, path, types, false, None)?,
                PlanStep::Parent { path, is_outer } => {
                    let child = Box::new(stack.pop()?);
                    Self::path(table, path, types, is_outer, Some(child))?
                }
                PlanStep::Union(count) => Self::Union(stack.split_off(stack.len().checked_sub(count)?)),
                PlanStep::Cross(count) => Self::Cross(stack.split_off(stack.len().checked_sub(count)?)),
            };
            stack.push(fragment);
        }
        stack.pop().filter(|_| stack.is_empty())
    }

    fn path(
        table: &JsonTable,
        path: usize,
        types: &[Type],
        is_outer: bool,
        child: Option<Box<Self>>,
    ) -> Option<Self> {
        let path = table.paths.get(path)?;
        let columns = path.columns.iter().map(|(output, column)| {
            let declared = types.get(*output)?;
            let kind = match column {
                TableColumn::Ordinality => ColumnKind::Ordinality,
                TableColumn::Value { path, clauses, defaults } => {
                    let call = PathCall {
                        function: ScalarFunction::JsonValue,
                        path: JsonPath::parse(path).ok()?,
                        clauses: *clauses,
                        result: declared.clone(),
                    };
                    ColumnKind::Value(call, *defaults)
                }
                TableColumn::Query { path, clauses } => {
                    let is_own = matches!(declared, Type::Varbinary | Type::Varchar { length: None });
                    let call = PathCall {
                        function: ScalarFunction::JsonQuery,
                        path: JsonPath::parse(path).ok()?,
                        clauses: *clauses,
                        result: if is_own { declared.clone() } else { Type::VARCHAR },
                    };
                    ColumnKind::Query(call, (!is_own).then(|| declared.clone()))
                }
            };
            Some(Column { output: *output, kind })
        });
        let columns = columns.collect::<Option<_>>()?;
        Some(Self::Path { path: JsonPath::parse(&path.path).ok()?, columns, is_outer, child })
    }

    /// Adds the columns of the result in the order in which rows of this node have them.
    fn add_layout(&self, layout: &mut Vec<usize>) {
        match self {
            Self::Path { columns, child, .. } => {
                layout.extend(columns.iter().map(|column| column.output));
                if let Some(child) = child {
                    child.add_layout(layout);
                }
            }
            Self::Union(parts) | Self::Cross(parts) => {
                parts.iter().for_each(|part| part.add_layout(layout));
            }
        }
    }

    fn width(&self) -> usize {
        let mut layout = Vec::new();
        self.add_layout(&mut layout);
        layout.len()
    }
}

type Rows = Vec<Vec<Datum<'static>>>;

/// Evaluation for one document.
struct Run<'r> {
    is_error_on_error: bool,
    /// The arguments of the call.
    row: &'r [Datum<'r>],
    /// The number of values so far.
    values: usize,
    /// The number of items so far; an item without rows has no values.
    items: usize,
}

impl Table {
    fn rows(&self, row: &[Datum<'_>]) -> PolarsResult<Datum<'static>> {
        if row[1].is_null() {
            return Ok(Datum::Array(Vec::new()));
        }
        let pairs = &row[JsonTable::ARGUMENTS..self.end];
        // The items of the rows are JSON again, in which nothing is missing.
        let input =
            read(&row[1], self.input).map(|input| if input == Item::Missing { Item::Null } else { input });
        let documents = self.parameters.documents(pairs);
        let (Some(input), Some(documents)) = (input, documents) else {
            return if self.is_error_on_error { Err(input_fault()) } else { Ok(Datum::Array(Vec::new())) };
        };
        let variables = self.parameters.variables(pairs, &documents);
        let mut run = Run { is_error_on_error: self.is_error_on_error, row, values: 0, items: 0 };
        let rows = run.rows(&self.root, &input, &variables)?;
        let in_order = |mut row: Vec<Datum<'static>>| {
            let value = |place: &usize| std::mem::replace(&mut row[*place], Datum::Null);
            Datum::Row(self.places.iter().map(value).collect())
        };
        Ok(Datum::Array(rows.into_iter().map(in_order).collect()))
    }
}

impl Run<'_> {
    fn count(&mut self, values: usize) -> PolarsResult<()> {
        self.values = self.values.saturating_add(values.max(1));
        if self.values <= MAX_VALUES { Ok(()) } else { Err(too_much("makes", "values")) }
    }

    fn rows<'j>(
        &mut self,
        fragment: &Fragment,
        item: &'j Item,
        variables: &[(&'j str, Variable<'j>)],
    ) -> PolarsResult<Rows> {
        match fragment {
            Fragment::Path { path, columns, is_outer, child } => {
                let items = self.items(path, item, variables)?;
                let mut rows = Vec::with_capacity(items.len());
                let child = child.as_deref().map(|child| (child, child.width()));
                for (at, item) in items.iter().enumerate() {
                    let own = columns.iter().map(|column| self.value(column, at, item));
                    let own = own.collect::<PolarsResult<Vec<_>>>()?;
                    let Some((child, width)) = child else {
                        self.count(own.len())?;
                        rows.push(own);
                        continue;
                    };
                    let mut below = self.rows(child, item, &[])?;
                    if below.is_empty() && *is_outer {
                        self.count(width)?;
                        below.push(vec![Datum::Null; width]);
                    }
                    self.count(below.len().saturating_mul(own.len()))?;
                    let beside =
                        |below: Vec<Datum<'static>>| own.iter().cloned().chain(below).collect::<Vec<_>>();
                    rows.extend(below.into_iter().map(beside));
                }
                Ok(rows)
            }
            Fragment::Union(parts) => {
                let widths: Vec<usize> = parts.iter().map(Fragment::width).collect();
                let width: usize = widths.iter().sum();
                let (mut rows, mut before) = (Vec::new(), 0);
                for (part, own) in parts.iter().zip(widths) {
                    let of_part = self.rows(part, item, &[])?;
                    self.count(of_part.len().saturating_mul(width))?;
                    let padded = |row: Vec<Datum<'static>>| {
                        let mut padded = vec![Datum::Null; before];
                        padded.extend(row);
                        padded.resize(width, Datum::Null);
                        padded
                    };
                    rows.extend(of_part.into_iter().map(padded));
                    before += own;
                }
                Ok(rows)
            }
            Fragment::Cross(parts) => {
                let mut rows: Rows = vec![Vec::new()];
                let mut width = 0;
                for part in parts {
                    let of_part = self.rows(part, item, &[])?;
                    width += part.width();
                    self.count(rows.len().saturating_mul(of_part.len()).saturating_mul(width))?;
                    let combined = rows.iter().flat_map(|left| {
                        of_part.iter().map(move |right| left.iter().chain(right).cloned().collect())
                    });
                    rows = combined.collect();
                    if rows.is_empty() {
                        break;
                    }
                }
                Ok(rows)
            }
        }
    }

    /// The items of a path as JSON. A path that fails has no items, unless the table has ERROR ON ERROR.
    fn items<'j>(
        &mut self,
        path: &JsonPath,
        item: &'j Item,
        variables: &[(&'j str, Variable<'j>)],
    ) -> PolarsResult<Vec<Cow<'j, Item>>> {
        let is_error_on_error = self.is_error_on_error;
        let unless = |fault: PolarsError| if is_error_on_error { Err(fault) } else { Ok(Vec::new()) };
        let sequence = match sequence(path, item, variables)? {
            Ok(sequence) => sequence,
            Err(message) => return unless(raise(ErrorCode::PathEvaluationError, message)),
        };
        self.items = self.items.saturating_add(sequence.len());
        if self.items > MAX_VALUES {
            return Err(too_much("goes through", "items"));
        }
        match sequence.into_iter().map(json).collect::<Result<Vec<_>, _>>() {
            Ok(items) => Ok(items),
            Err(data_type) => {
                let message = format!(
                    "conversion from JSON failed: JSON path returned a scalar SQL value of type {data_type} that cannot be represented as JSON"
                );
                unless(raise(ErrorCode::JsonOutputConversionError, message))
            }
        }
    }

    fn value(&self, column: &Column, at: usize, item: &Item) -> PolarsResult<Datum<'static>> {
        match &column.kind {
            ColumnKind::Ordinality => Ok(Datum::Integer(i64::try_from(at + 1).unwrap_or(i64::MAX))),
            ColumnKind::Value(call, defaults) => {
                let [on_empty, on_error] =
                    defaults.map(|place| place.and_then(|place| self.row.get(place)).unwrap_or(&Datum::Null));
                call.concluded(call.found(item, &[])?, on_empty, on_error)
            }
            ColumnKind::Query(call, declared) => {
                let text = call.concluded(call.found(item, &[])?, &Datum::Null, &Datum::Null)?;
                match declared {
                    Some(declared) if !text.is_null() => convert(&text, &Type::VARCHAR, declared)
                        .map_err(|message| raise(ErrorCode::InvalidCastArgument, message)),
                    _ => Ok(text),
                }
            }
        }
    }
}

/// The error of exceeded limits, to which `ON ERROR` does not apply.
fn too_much(does: &str, what: &str) -> PolarsError {
    let message = format!("JSON_TABLE {does} more than {MAX_VALUES} {what} of one document");
    raise(ErrorCode::InvalidFunctionArgument, message)
}

/// An item of a sequence as JSON; the error is its type, if JSON has no such type. A real remains a number of 32 bits
/// by its digits.
fn json(node: Node<'_>) -> Result<Cow<'_, Item>, Type> {
    match node {
        #[expect(clippy::cast_possible_truncation, reason = "the digits of a real are those of 32 bits")]
        Node::Sql(Datum::Double(value), Type::Real) if value.is_finite() => {
            Ok(Cow::Owned(Item::Double(java_real(value as f32).parse().unwrap_or(value))))
        }
        node => item_of(node),
    }
}
