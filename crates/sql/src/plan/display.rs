//! A plan as an indented tree, for EXPLAIN and for comparison in tests.

use std::fmt;

use super::{
    AggregateCall, Frame, FrameBound, FrameUnit, Join, JoinKey, MatchRecognize, Plan, SetOperationKind,
    WindowCall,
};
use crate::expr::{Expr, SortKey};

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_node(f, self, 0)
    }
}

impl Plan {
    /// The node without its inputs, in one line: its name, a space and its details.
    pub fn node(&self) -> impl fmt::Display + '_ {
        Node(self)
    }
}

struct Node<'a>(&'a Plan);

impl fmt::Display for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_head(f, self.0)
    }
}

fn write_node(f: &mut fmt::Formatter<'_>, plan: &Plan, depth: usize) -> fmt::Result {
    write!(f, "{:indent$}", "", indent = depth * 2)?;
    write_head(f, plan)?;
    f.write_str("\n")?;
    for input in plan.inputs() {
        write_node(f, input, depth + 1)?;
    }
    Ok(())
}

fn write_head(f: &mut fmt::Formatter<'_>, plan: &Plan) -> fmt::Result {
    match plan {
        Plan::Scan(scan) => {
            let columns = scan.columns.iter().map(|(field, name)| format!("{}={name}", field.id));
            write!(f, "Scan table {} [{}]", scan.table, join(columns))
        }
        Plan::Values { fields, rows } => {
            write!(f, "Values [{}]", join(fields.iter().map(|field| field.id)))?;
            // Only the first rows of a long list are shown.
            for row in rows.iter().take(5) {
                write!(f, " ({})", join(row))?;
            }
            if rows.len() > 5 { write!(f, " and {} more", rows.len() - 5) } else { Ok(()) }
        }
        Plan::Shared { id, columns, row_estimate: _ } => {
            let columns = columns.iter().map(|(field, from)| format!("{}={from}", field.id));
            write!(f, "Shared {} [{}]", id.0, join(columns))
        }
        Plan::Filter { input: _, predicate } => write!(f, "Filter {predicate}"),
        Plan::Project { input: _, columns } => {
            let columns = columns.iter().map(|(field, expr)| {
                if expr.as_column() == Some(field.id) {
                    field.id.to_string()
                } else {
                    format!("{}={expr}", field.id)
                }
            });
            write!(f, "Project [{}]", join(columns))
        }
        Plan::Join(Join { kind, keys, residual, .. }) => {
            write!(f, "{kind:?}Join")?;
            write_condition(f, keys, residual.as_ref())
        }
        Plan::MarkJoin(mark_join) => {
            write!(f, "MarkJoin {}", mark_join.mark.id)?;
            if let Some(key) = &mark_join.in_key {
                write!(f, " IN {key}")?;
            }
            write_condition(f, &mark_join.keys, mark_join.residual.as_ref())
        }
        Plan::Aggregate(aggregate) => {
            write!(f, "Aggregate [{}] {}", join(&aggregate.keys), join(&aggregate.aggregates))
        }
        Plan::Window { input: _, functions } => write!(f, "Window {}", join(functions)),
        Plan::MatchRecognize(node) => write_matches(f, node),
        Plan::Sort { input: _, keys } => write!(f, "Sort {}", join(keys)),
        Plan::Limit { input: _, offset, limit } => match limit {
            Some(limit) => write!(f, "Limit {limit} offset {offset}"),
            None => write!(f, "Offset {offset}"),
        },
        Plan::PartialDistinct { input: _ } => f.write_str("PartialDistinct"),
        Plan::Distinct { input: _, on: None } => f.write_str("Distinct"),
        Plan::Distinct { input: _, on: Some(keys) } => write!(f, "Distinct on [{}]", join(keys)),
        Plan::SetOperation { kind, inputs: _, fields } => {
            let name = match kind {
                SetOperationKind::UnionAll => "UnionAll",
                SetOperationKind::Intersect => "Intersect",
                SetOperationKind::IntersectAll => "IntersectAll",
                SetOperationKind::Except => "Except",
                SetOperationKind::ExceptAll => "ExceptAll",
            };
            write!(f, "{name} [{}]", join(fields.iter().map(|field| field.id)))
        }
        Plan::Unnest { input: _, arrays, ordinality, is_outer } => {
            let arrays = arrays
                .iter()
                .map(|(array, fields)| format!("{array} -> [{}]", join(fields.iter().map(|field| field.id))));
            write!(f, "{}Unnest {}", if *is_outer { "Outer" } else { "" }, join(arrays))?;
            match ordinality {
                Some(field) => write!(f, " ordinality {}", field.id),
                None => Ok(()),
            }
        }
        Plan::EnforceSingleRow { .. } => f.write_str("EnforceSingleRow"),
    }
}

fn write_matches(f: &mut fmt::Formatter<'_>, node: &MatchRecognize) -> fmt::Result {
    let measures = node.measures.iter().map(|(field, value)| format!("{}={}", field.id, value.value));
    write!(f, "MatchRecognize [{}]", join(measures))?;
    write!(f, " PARTITION BY [{}]", join(&node.partition_by))?;
    write!(f, " ORDER BY [{}]", join(&node.order_by))?;
    for (label, condition) in node.labels.iter().zip(&node.conditions) {
        if let Some(condition) = condition {
            write!(f, " {label}={}", condition.value)?;
        }
    }
    Ok(())
}

fn write_condition(f: &mut fmt::Formatter<'_>, keys: &[JoinKey], residual: Option<&Expr>) -> fmt::Result {
    if !keys.is_empty() {
        write!(f, " on {}", join(keys))?;
    }
    match residual {
        Some(residual) => write!(f, " if {residual}"),
        None => Ok(()),
    }
}

impl fmt::Display for JoinKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operator = if self.null_equals_null { "<=>" } else { "=" };
        write!(f, "{} {operator} {}", self.left, self.right)
    }
}

fn write_arguments(
    f: &mut fmt::Formatter<'_>,
    is_distinct: bool,
    args: &[Expr],
    order_by: &[SortKey],
) -> fmt::Result {
    write!(f, "{}{}", if is_distinct { "DISTINCT " } else { "" }, join(args))?;
    if !order_by.is_empty() {
        write!(f, " ORDER BY {}", join(order_by))?;
    }
    f.write_str(")")
}

impl fmt::Display for AggregateCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}(", self.output.id, self.function.name())?;
        write_arguments(f, self.is_distinct, &self.args, &self.order_by)?;
        match &self.filter {
            Some(filter) => write!(f, " FILTER {filter}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for WindowCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}(", self.output.id, self.function.name())?;
        write_arguments(f, self.is_distinct, &self.args, &self.argument_order)?;
        if self.ignore_nulls {
            f.write_str(" IGNORE NULLS")?;
        }
        if let Some(filter) = &self.filter {
            write!(f, " FILTER {filter}")?;
        }
        write!(f, " OVER (PARTITION BY [{}]", join(&self.partition_by))?;
        write!(f, " ORDER BY [{}] {})", join(&self.order_by), self.frame)
    }
}

impl fmt::Display for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = match self.unit {
            FrameUnit::Rows => "ROWS",
            FrameUnit::Range => "RANGE",
            FrameUnit::Groups => "GROUPS",
        };
        write!(f, "{unit} {} TO {}", self.start, self.end)
    }
}

impl fmt::Display for FrameBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnboundedPreceding => f.write_str("FIRST"),
            Self::Preceding(expr) => write!(f, "-{expr}"),
            Self::CurrentRow => f.write_str("CURRENT"),
            Self::Following(expr) => write!(f, "+{expr}"),
            Self::UnboundedFollowing => f.write_str("LAST"),
        }
    }
}

fn join<T: fmt::Display>(parts: impl IntoIterator<Item = T>) -> String {
    let parts: Vec<String> = parts.into_iter().map(|part| part.to_string()).collect();
    parts.join(", ")
}
