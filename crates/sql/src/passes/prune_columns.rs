//! Column pruning. Before: nodes that return unused columns. After: scans, projections, aggregations, windows and
//! unions return the used columns, or one column if none is used; a mark join with an unused mark is removed, and so is a
//! cross join with one row that is not used. Why: files are read by column, joins copy every column of their inputs, and
//! a mark with one use can become a semi join; what is not computed does not fail.

use std::collections::{HashMap, HashSet};

use crate::expr::{Expr, Value};
use crate::plan::{
    Aggregate, ColumnId, Field, Join, JoinKind, MarkJoin, Plan, SetOperationKind, SharedId, WindowCall,
};
use crate::statement::Analyzed;
use crate::types::Type;

type Wanted = HashSet<ColumnId>;

/// The used columns of each shared plan, over all its uses.
#[derive(Default)]
struct Pruner {
    of_shared: HashMap<SharedId, Wanted>,
}

pub(super) fn run(analyzed: &mut Analyzed) {
    let mut pruner = Pruner::default();
    let wanted = analyzed.output.iter().map(|field| field.id).collect();
    pruner.prune(&mut analyzed.plan, &wanted);
    // A shared plan is only used by later ones.
    for index in (0..analyzed.shared.len()).rev() {
        let wanted = pruner.of_shared.remove(&SharedId(index)).unwrap_or_default();
        pruner.prune(&mut analyzed.shared[index], &wanted);
    }
}

impl Pruner {
    fn prune(&mut self, plan: &mut Plan, wanted: &Wanted) {
        if let Some(side) = joined_with_unused_row(plan, wanted) {
            *plan = side;
            return self.prune(plan, wanted);
        }
        match plan {
            Plan::Scan(scan) => prune_scan(&mut scan.columns, wanted),
            Plan::Values { fields, rows } => prune_values(fields, rows, wanted),
            Plan::Shared { id, columns, row_estimate: _ } => {
                retain(columns, wanted, |(field, _)| field.id);
                self.of_shared.entry(*id).or_default().extend(columns.iter().map(|(_, from)| *from));
            }
            Plan::Filter { input, predicate } => {
                let mut wanted = wanted.clone();
                wanted.extend(predicate.columns());
                self.prune(input, &wanted);
            }
            Plan::Project { input, columns } => self.prune_projection(input, columns, wanted),
            Plan::Join(Join { kind: _, left, right, keys, residual }) => {
                let mut wanted = wanted.clone();
                wanted.extend(keys.iter().flat_map(|key| [&key.left, &key.right]).flat_map(Expr::columns));
                wanted.extend(residual.iter().flat_map(Expr::columns));
                self.prune(left, &wanted);
                self.prune(right, &wanted);
            }
            Plan::MarkJoin(join) if !wanted.contains(&join.mark.id) => {
                let taken = join.left.take();
                *plan = taken;
                self.prune(plan, wanted);
            }
            Plan::MarkJoin(MarkJoin { left, right, keys, residual, in_key, mark: _ }) => {
                let mut wanted = wanted.clone();
                let keys = keys.iter().chain(&*in_key);
                wanted.extend(keys.flat_map(|key| [&key.left, &key.right]).flat_map(Expr::columns));
                wanted.extend(residual.iter().flat_map(Expr::columns));
                self.prune(left, &wanted);
                self.prune(right, &wanted);
            }
            Plan::Aggregate(Aggregate { input, keys, aggregates }) => {
                let determined = determined_by_number(input, keys);
                keys.retain(|key| wanted.contains(key) || !determined.contains(key));
                aggregates.retain(|call| wanted.contains(&call.output.id));
                let mut below: Wanted = keys.iter().copied().collect();
                for call in aggregates.iter() {
                    let parts =
                        call.args.iter().chain(&call.filter).chain(call.order_by.iter().map(|key| &key.expr));
                    below.extend(parts.flat_map(Expr::columns));
                }
                self.prune(input, &below);
            }
            Plan::Window { input, functions } => {
                functions.retain(|call| wanted.contains(&call.output.id));
                if functions.is_empty() {
                    let taken = input.take();
                    *plan = taken;
                    self.prune(plan, wanted);
                    return;
                }
                self.prune_with_expressions(plan, wanted);
            }
            Plan::MatchRecognize(node) => {
                retain(&mut node.measures, wanted, |(field, _)| field.id);
                self.prune_with_expressions(plan, wanted);
            }
            Plan::Sort { input, keys } => {
                let mut wanted = wanted.clone();
                wanted.extend(keys.iter().flat_map(|key| key.expr.columns()));
                self.prune(input, &wanted);
            }
            Plan::Limit { input, .. } | Plan::EnforceSingleRow { input } => self.prune(input, wanted),
            Plan::Distinct { input, on } => {
                let mut wanted = wanted.clone();
                match on {
                    Some(on) => wanted.extend(on.iter().copied()),
                    None => wanted.extend(input.column_ids()),
                }
                self.prune(input, &wanted);
            }
            Plan::PartialDistinct { input } => {
                let all = input.column_ids().into_iter().collect();
                self.prune(input, &all);
            }
            Plan::SetOperation { kind: SetOperationKind::UnionAll, inputs, fields } => {
                self.prune_union(inputs, fields, wanted);
            }
            Plan::SetOperation { inputs, .. } => {
                for input in inputs {
                    let all = input.column_ids().into_iter().collect();
                    self.prune(input, &all);
                }
            }
            Plan::Unnest { input, arrays, .. } => {
                let mut wanted = wanted.clone();
                wanted.extend(arrays.iter().flat_map(|(array, _)| array.columns()));
                self.prune(input, &wanted);
            }
        }
    }

    fn prune_projection(&mut self, input: &mut Plan, columns: &mut Vec<(Field, Expr)>, wanted: &Wanted) {
        if columns.iter().all(|(field, _)| !wanted.contains(&field.id)) {
            uncomputed(columns, input);
        }
        retain(columns, wanted, |(field, _)| field.id);
        let below = columns.iter().flat_map(|(_, expr)| expr.columns()).collect();
        self.prune(input, &below);
    }

    /// Prunes a node's inputs to the wanted columns and those of the node's expressions.
    fn prune_with_expressions(&mut self, plan: &mut Plan, wanted: &Wanted) {
        let mut below = wanted.clone();
        for expr in plan.expressions() {
            below.extend(expr.columns());
        }
        for input in plan.inputs_mut() {
            self.prune(input, &below);
        }
    }

    /// Prunes a union of which only the number of rows is used: to a column that is not computed.
    fn prune_to_rows(&mut self, inputs: &mut [Plan], fields: &mut Vec<Field>) {
        fields.truncate(1);
        for input in inputs {
            let own = input.fields();
            let columns = own.into_iter().take(1).map(|field| (field.clone(), null(&field))).collect();
            let rows = match input.take() {
                Plan::Project { input, .. } => input,
                other => Box::new(other),
            };
            *input = Plan::Project { input: rows, columns };
            self.prune(input, &Wanted::new());
        }
    }

    /// Prunes a union, whose columns correspond by position, so that all inputs retain the same ones.
    fn prune_union(&mut self, inputs: &mut [Plan], fields: &mut Vec<Field>, wanted: &Wanted) {
        let mut retained: Vec<usize> =
            (0..fields.len()).filter(|index| wanted.contains(&fields[*index].id)).collect();
        if retained.is_empty() && !fields.is_empty() {
            let Some(place) = (0..fields.len()).find(|place| are_read(inputs, *place)) else {
                return self.prune_to_rows(inputs, fields);
            };
            retained.push(place);
        }
        for input in inputs.iter_mut() {
            let own = input.fields();
            let chosen: Vec<Field> = retained.iter().map(|index| own[*index].clone()).collect();
            self.prune(input, &chosen.iter().map(|field| field.id).collect());
            // Restores the order of columns, which correspond by position.
            if input.fields() != chosen {
                let columns = chosen.into_iter().map(Field::passed_on).collect();
                let taken = input.take();
                *input = Plan::Project { input: Box::new(taken), columns };
            }
        }
        *fields = retained.into_iter().map(|index| fields[index].clone()).collect();
    }
}

/// The side of a cross join whose other side is one row of which no column is used, such as a scalar subquery.
fn joined_with_unused_row(plan: &mut Plan, wanted: &Wanted) -> Option<Plan> {
    let Plan::Join(Join { kind: JoinKind::Inner, left, right, keys, residual: None }) = plan else {
        return None;
    };
    if !keys.is_empty() {
        return None;
    }
    let is_unused = |side: &Plan| {
        side.returns_one_row() && !side.column_ids().iter().any(|column| wanted.contains(column))
    };
    if is_unused(right) {
        Some(left.take())
    } else if is_unused(left) {
        Some(right.take())
    } else {
        None
    }
}

/// The columns of rows that are numbered and grouped by their number, as a correlated aggregation is: as keys they make no
/// more groups, and computing one that nothing needs may fail.
fn determined_by_number(mut plan: &Plan, keys: &[ColumnId]) -> Wanted {
    loop {
        plan = match plan {
            Plan::Window { input, functions } => {
                let numbers = |call: &WindowCall| call.numbers_rows() && keys.contains(&call.output.id);
                if functions.iter().any(numbers) {
                    return input.column_ids().into_iter().collect();
                }
                input
            }
            Plan::Join(Join { left, .. }) | Plan::MarkJoin(MarkJoin { left, .. }) => left,
            Plan::Filter { input, .. } => input,
            _ => return Wanted::new(),
        };
    }
}

/// Retains the wanted columns of a table, or the one that takes least to read: rows are counted by it.
fn prune_scan(columns: &mut Vec<(Field, String)>, wanted: &Wanted) {
    if columns.iter().all(|(field, _)| !wanted.contains(&field.id)) {
        columns.sort_by_key(|(field, _)| width(&field.data_type));
    }
    retain(columns, wanted, |(field, _)| field.id);
}

/// Moves a column to the front of a projection of which none is used, and which retains this one. It is read and not computed,
/// and is none of single rows that are joined: computing these could fail.
fn uncomputed(columns: &mut [(Field, Expr)], input: &Plan) {
    let single = columns_of_rows(input);
    let is_plain = |expr: &Expr| {
        expr.as_literal().is_some()
            || expr.as_column().is_some_and(|column| !single.contains(&column) && is_read(input, column))
    };
    match columns.iter().position(|(_, expr)| is_plain(expr)) {
        Some(place) => columns.swap(0, place),
        None => {
            if let Some((field, expr)) = columns.first_mut() {
                *expr = null(field);
            }
        }
    }
}

/// Rows of constants, of which unused ones are not computed. One column is retained if none is used.
fn prune_values(fields: &mut Vec<Field>, rows: &mut [Vec<Expr>], wanted: &Wanted) {
    if fields.iter().all(|field| wanted.contains(&field.id)) {
        return;
    }
    let is_used: Vec<bool> = fields.iter().map(|field| wanted.contains(&field.id)).collect();
    if is_used.contains(&true) {
        for row in rows {
            let mut used = is_used.iter();
            row.retain(|_| used.next() == Some(&true));
        }
        fields.retain(|field| wanted.contains(&field.id));
        return;
    }
    fields.truncate(1);
    for row in rows {
        row.truncate(1);
        if let (Some(value), Some(field)) = (row.first_mut(), fields.first())
            && value.as_literal().is_none()
        {
            *value = null(field);
        }
    }
}

fn null(field: &Field) -> Expr {
    Expr::literal(Value::Null, field.data_type.clone())
}

/// Whether a column comes from a table or is a key of groups, and needs nothing that is computed otherwise.
fn is_read(plan: &Plan, column: ColumnId) -> bool {
    match plan {
        Plan::Scan(scan) => scan.columns.iter().any(|(field, _)| field.id == column),
        Plan::Values { fields, rows } => {
            let place = fields.iter().position(|field| field.id == column);
            place.is_some_and(|place| rows.iter().all(|row| row[place].as_literal().is_some()))
        }
        Plan::Project { input, columns } => {
            let expr = columns.iter().find(|(field, _)| field.id == column).map(|(_, expr)| expr);
            expr.is_some_and(|expr| {
                expr.as_literal().is_some() || expr.as_column().is_some_and(|source| is_read(input, source))
            })
        }
        Plan::Aggregate(aggregate) => aggregate.keys.contains(&column),
        Plan::SetOperation { kind: SetOperationKind::UnionAll, inputs, fields } => {
            let place = fields.iter().position(|field| field.id == column);
            place.is_some_and(|place| are_read(inputs, place))
        }
        Plan::Filter { input, .. }
        | Plan::Sort { input, .. }
        | Plan::Limit { input, .. }
        | Plan::Distinct { input, .. }
        | Plan::Window { input, .. }
        | Plan::Unnest { input, .. } => is_read(input, column),
        Plan::Join(join) => is_read(&join.left, column) || is_read(&join.right, column),
        Plan::MarkJoin(join) => is_read(&join.left, column),
        _ => false,
    }
}

/// Whether the columns at one position of a union are read.
fn are_read(inputs: &[Plan], place: usize) -> bool {
    inputs.iter().all(|input| input.column_ids().get(place).is_some_and(|column| is_read(input, *column)))
}

/// The columns of the single rows with which a plan is joined.
fn columns_of_rows(mut plan: &Plan) -> Wanted {
    let mut single = Wanted::new();
    while let Plan::Join(Join { kind: JoinKind::Inner, left, right, .. }) = plan {
        for side in [left, right].into_iter().filter(|side| side.returns_one_row()) {
            single.extend(side.column_ids());
        }
        plan = left;
    }
    single
}

/// The bytes of a value, roughly where they vary.
const fn width(data_type: &Type) -> u8 {
    match data_type {
        Type::Boolean | Type::TinyInt => 1,
        Type::SmallInt => 2,
        Type::Integer | Type::Date | Type::Real => 4,
        Type::BigInt | Type::Double => 8,
        Type::Decimal { .. } => 16,
        _ => 32,
    }
}

/// Retains the wanted items, or the first one: rows without columns cannot be counted.
fn retain<T>(items: &mut Vec<T>, wanted: &Wanted, id: impl Fn(&T) -> ColumnId) {
    if items.iter().any(|item| wanted.contains(&id(item))) {
        items.retain(|item| wanted.contains(&id(item)));
    } else {
        items.truncate(1);
    }
}
