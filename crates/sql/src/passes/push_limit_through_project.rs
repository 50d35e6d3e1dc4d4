//! Limits below projections (Trino's PushLimitThroughProject and PushTopNThroughProject). Before: a limit above a
//! projection, or above a sort of one. After: the limit, with its sort, below the columns that are computed and not sorted
//! by. Why: they are computed for the rows that are returned alone, and cannot fail for others.

use std::collections::{HashMap, HashSet};

use crate::expr::{Expr, SortKey};
use crate::plan::{ColumnId, Field, Plan};

/// Maximum number of sorted rows that are held with what their late columns read, which may be much wider than the columns
/// themselves.
const MAX_SORTED_ROWS: u64 = 10_000;

pub(super) fn run(plan: &mut Plan) {
    if let Plan::Limit { .. } = plan {
        let taken = plan.take();
        *plan = pushed(taken);
    }
    for input in plan.inputs_mut() {
        run(input);
    }
}

/// A limit, below what is computed for its rows.
fn pushed(plan: Plan) -> Plan {
    let Plan::Limit { input, offset, limit } = plan else { return plan };
    let (input, keys) = match *input {
        Plan::Sort { input, keys } => (*input, Some(keys)),
        other => (other, None),
    };
    let rows = limit.map_or(u64::MAX, |limit| limit.saturating_add(offset));
    let sorted: HashSet<ColumnId> =
        keys.iter().flatten().flat_map(|key: &SortKey| key.expr.columns()).collect();
    let limited = |input: Plan| {
        let input = match keys.clone() {
            Some(keys) => Plan::Sort { input: Box::new(input), keys },
            None => input,
        };
        Plan::Limit { input: Box::new(input), offset, limit }
    };
    if keys.is_some() && rows > MAX_SORTED_ROWS {
        return limited(input);
    }
    match input {
        Plan::Project { input, columns } if hides_computed(&input, &columns, &sorted) => {
            let sources: HashMap<ColumnId, Expr> =
                columns.iter().map(|(field, expr)| (field.id, expr.clone())).collect();
            let input = match keys {
                Some(mut keys) => {
                    for key in &mut keys {
                        key.expr = key.expr.clone().substituted(&sources);
                    }
                    Plan::Sort { input, keys }
                }
                None => *input,
            };
            let limited = pushed(Plan::Limit { input: Box::new(input), offset, limit });
            Plan::Project { input: Box::new(limited), columns }
        }
        Plan::Project { input, columns } => match split(columns, &sorted) {
            Ok(Split { below, above }) => {
                let input = limited(Plan::Project { input, columns: below });
                Plan::Project { input: Box::new(input), columns: above }
            }
            Err(columns) => limited(Plan::Project { input, columns }),
        },
        other => limited(other),
    }
}

/// Whether a projection computes nothing, and one below it computes columns that are not sorted by.
fn hides_computed(input: &Plan, columns: &[(Field, Expr)], sorted: &HashSet<ColumnId>) -> bool {
    let Plan::Project { input: lower, columns: below } = input else { return false };
    let sources = columns.iter().filter(|(field, _)| sorted.contains(&field.id));
    let sorted: HashSet<ColumnId> = sources.filter_map(|(_, expr)| expr.as_column()).collect();
    columns.iter().all(|(_, expr)| expr.as_column().is_some() || expr.as_literal().is_some())
        && (below.iter().any(|column| is_late(column, &sorted)) || hides_computed(lower, below, &sorted))
}

/// Whether a column is computed and not sorted by.
fn is_late((field, expr): &(Field, Expr), sorted: &HashSet<ColumnId>) -> bool {
    expr.as_column().is_none() && expr.as_literal().is_none() && !sorted.contains(&field.id)
}

/// The columns of a projection, as two projections.
struct Split {
    below: Vec<(Field, Expr)>,
    above: Vec<(Field, Expr)>,
}

/// Separates the computed columns that are not sorted by; the columns themselves, if there are none.
fn split(columns: Vec<(Field, Expr)>, sorted: &HashSet<ColumnId>) -> Result<Split, Vec<(Field, Expr)>> {
    let is_late = |column: &(Field, Expr)| is_late(column, sorted);
    if !columns.iter().any(is_late) {
        return Err(columns);
    }
    let mut below: Vec<(Field, Expr)> = columns.iter().filter(|column| !is_late(column)).cloned().collect();
    let mut known: HashSet<ColumnId> = below.iter().map(|(field, _)| field.id).collect();
    for (_, expr) in columns.iter().filter(|column| is_late(column)) {
        for (id, data_type) in expr.typed_columns() {
            if known.insert(id) {
                below.push(Field::new(id, "", data_type.clone()).passed_on());
            }
        }
    }
    // A projection without columns has no rows.
    if below.is_empty() {
        return Err(columns);
    }
    let above = columns
        .into_iter()
        .map(|column| {
            if is_late(&column) {
                return column;
            }
            column.0.passed_on()
        })
        .collect();
    Ok(Split { below, above })
}
