//! Before: a cross join of aggregations without keys, one row each, of the same tables joined in the same way:
//! `Aggregate [] count()` over `Filter p`, `Aggregate [] avg(x)` over `Filter q`, …
//! After: one `Aggregate [] count() FILTER (p), avg(x) FILTER (q), …` over `Filter p OR q` (N. Bruno et al.,
//! "Computation Reuse via Fusion in Amazon Athena", ICDE 2022; Spark's MergeScalarSubqueries).
//! Why: scalar subqueries over one table read it once, not once each.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use self::fused::{Fused, fused, shape};
use super::cardinality::Estimator;
use super::infallible::cannot_fail;
use super::planned_calls::PlannedCalls;
use crate::expr::Expr;
use crate::plan::{Aggregate, ColumnId, Field, Join, JoinKind, Plan};

mod fused;

/// Maximum number of plan parts that are examined to fuse the factors of one product; each part is compared with many
/// others.
const MAX_PARTS: usize = 5_000;

pub(super) fn run(plan: &mut Plan, estimator: &Estimator<'_>) {
    if is_product(plan) {
        let mut one_rows: Vec<&mut Plan> = factors_mut(plan);
        one_rows.retain(|factor| OneRow::of(factor).is_some());
        if one_rows.len() > 1 {
            one_rows.into_iter().for_each(order_tables);
        }
        if let Some(fused) = fused_product(plan, estimator) {
            *plan = fused;
        }
        for factor in factors_mut(plan) {
            run_on_inputs(factor, estimator);
        }
        return;
    }
    run_on_inputs(plan, estimator);
}

fn run_on_inputs(plan: &mut Plan, estimator: &Estimator<'_>) {
    let is_by_position = matches!(plan, Plan::SetOperation { .. });
    for input in plan.inputs_mut() {
        let fields = if is_by_position { input.fields() } else { Vec::new() };
        run(input, estimator);
        if is_by_position && input.fields() != fields {
            let columns = fields.into_iter().map(Field::passed_on).collect();
            *input = Plan::Project { input: Box::new(input.take()), columns };
        }
    }
}

fn is_product(plan: &Plan) -> bool {
    matches!(plan, Plan::Join(Join { kind: JoinKind::Inner, keys, residual: None, .. }) if keys.is_empty())
}

/// The factors of a product, in order; the plan itself if it is not a product.
fn factors(plan: &Plan) -> Vec<&Plan> {
    let (mut found, mut left) = (Vec::new(), vec![plan]);
    while let Some(plan) = left.pop() {
        match plan {
            Plan::Join(join) if is_product(plan) => left.extend([&*join.right, &*join.left]),
            _ => found.push(plan),
        }
    }
    found
}

/// As [`factors`], mutable.
fn factors_mut(plan: &mut Plan) -> Vec<&mut Plan> {
    let (mut found, mut left) = (Vec::new(), vec![plan]);
    while let Some(plan) = left.pop() {
        if !is_product(plan) {
            found.push(plan);
        } else if let Plan::Join(join) = plan {
            left.extend([&mut *join.right, &mut *join.left]);
        }
    }
    found
}

/// Puts the tables of each product into the order of their first mention in the statement, so that the order of FROM does not
/// matter. The order of joins is chosen later.
fn order_tables(plan: &mut Plan) {
    if !is_product(plan) {
        plan.inputs_mut().into_iter().for_each(order_tables);
        return;
    }
    let table = |factor: &Plan| match factor {
        Plan::Scan(scan) => Some(scan.table),
        _ => None,
    };
    if factors(plan).into_iter().all(|factor| table(factor).is_some()) {
        let mut tables: Vec<Plan> = factors_mut(plan).into_iter().map(Plan::take).collect();
        tables.sort_by_key(table);
        let product = tables
            .into_iter()
            .reduce(|left, right| Plan::join(JoinKind::Inner, left, right, Vec::new(), None));
        if let Some(product) = product {
            *plan = product;
        }
    }
}

/// An aggregation without keys, and the projections above it, the innermost first.
struct OneRow<'p> {
    plan: &'p Plan,
    aggregate: &'p Aggregate,
    projections: Vec<&'p [(Field, Expr)]>,
}

impl<'p> OneRow<'p> {
    fn of(plan: &'p Plan) -> Option<Self> {
        let (mut node, mut projections) = (plan, Vec::new());
        while let Plan::Project { input, columns } = node {
            projections.push(columns.as_slice());
            node = input;
        }
        projections.reverse();
        match node {
            Plan::Aggregate(aggregate) if aggregate.keys.is_empty() => {
                Some(Self { plan, aggregate, projections })
            }
            _ => None,
        }
    }

    fn parts(&self) -> usize {
        let mut parts = 0;
        self.plan.visit(&mut |node| {
            parts += 1 + node.new_column_count();
            parts += node.expressions().into_iter().map(Expr::node_count).sum::<usize>();
        });
        parts
    }
}

/// The product with its one-row aggregations fused if they are over the same tables; `None` if there is nothing to
/// fuse.
fn fused_product(plan: &Plan, estimator: &Estimator<'_>) -> Option<Plan> {
    let mut rest: Vec<&Plan> = Vec::new();
    let mut groups: Vec<Vec<OneRow<'_>>> = Vec::new();
    let mut by_shape: HashMap<String, usize> = HashMap::new();
    for factor in factors(plan) {
        let Some(one_row) = OneRow::of(factor) else {
            rest.push(factor);
            continue;
        };
        match shape(&one_row.aggregate.input) {
            Some(shape) => match by_shape.entry(shape) {
                Entry::Occupied(group) => groups[*group.get()].push(one_row),
                Entry::Vacant(group) => {
                    group.insert(groups.len());
                    groups.push(vec![one_row]);
                }
            },
            None => groups.push(vec![one_row]),
        }
    }
    let mut left = MAX_PARTS;
    let fused: Vec<Option<(usize, Plan)>> =
        groups.iter().map(|members| first_as_one(members, estimator, &mut left)).collect();
    if fused.iter().all(Option::is_none) {
        return None;
    }
    let mut product: Vec<Plan> = rest.into_iter().cloned().collect();
    for (members, fused) in groups.iter().zip(fused) {
        let (count, one) = fused.map_or((0, None), |(count, one)| (count, Some(one)));
        product.extend(one);
        product.extend(members[count..].iter().map(|member| member.plan.clone()));
    }
    product.into_iter().reduce(|left, right| Plan::join(JoinKind::Inner, left, right, Vec::new(), None))
}

/// Fuses as many of the first members as possible: their number and the fused plan. `left` is the number of parts that
/// may still be examined.
fn first_as_one(
    members: &[OneRow<'_>],
    estimator: &Estimator<'_>,
    left: &mut usize,
) -> Option<(usize, Plan)> {
    if members.len() < 2 {
        return None;
    }
    let parts: Vec<usize> = members.iter().map(OneRow::parts).collect();
    let mut all: usize = parts.iter().sum();
    for count in (2..=members.len()).rev() {
        if all <= *left {
            *left -= all;
            if let Some(one) = one_of_all(&members[..count], estimator) {
                return Some((count, one));
            }
        }
        all -= parts[count - 1];
    }
    None
}

/// One plan with the columns of all members.
fn one_of_all(members: &[OneRow<'_>], estimator: &Estimator<'_>) -> Option<Plan> {
    let inputs = members.iter().map(|member| (*member.aggregate.input).clone()).collect();
    let Fused { plan, members: parts } = fused(inputs)?;
    let rows = estimator.estimate(&plan);
    let mut calls = PlannedCalls::default();
    // Every call's output is a column, even if an equal call computes it.
    let mut columns: Vec<(Field, Expr)> = Vec::new();
    for (member, part) in members.iter().zip(&parts) {
        for call in &member.aggregate.aggregates {
            let args: Vec<Expr> = call.args.iter().map(|arg| part.own(arg)).collect();
            let conditions = call.filter.iter().map(|filter| part.own(filter)).chain(part.filter.clone());
            let conditions: Vec<Expr> = conditions.collect();
            // Calls are also computed for rows of other members, so they must not fail there, nor collect values.
            let is_safe = args.iter().chain(&conditions).all(|expr| cannot_fail(expr, &rows));
            let is_plain = !call.is_distinct && call.order_by.is_empty();
            if !is_plain || !is_safe || args.iter().chain(&conditions).any(Expr::is_random) {
                return None;
            }
            let filter = (!conditions.is_empty()).then(|| Expr::and(conditions));
            let place = calls.place_of(call.function, args, filter, || call.output.clone());
            let own = calls.as_slice()[place].output.clone();
            columns.push((call.output.clone(), Expr::column(own.id, own.data_type)));
        }
    }
    let all = Plan::Aggregate(Aggregate {
        input: Box::new(plan),
        keys: Vec::new(),
        aggregates: calls.into_calls(),
    });
    let mut plan = Plan::Project { input: Box::new(all), columns };
    for projection in members.iter().flat_map(|member| member.projections.iter().copied()) {
        plan = with_columns(plan, projection);
    }
    Some(plan)
}

/// Adds the columns of a projection to a plan.
fn with_columns(plan: Plan, projection: &[(Field, Expr)]) -> Plan {
    let mut columns = plan.passed_on();
    let known: HashSet<ColumnId> = columns.iter().map(|(field, _)| field.id).collect();
    columns.extend(projection.iter().filter(|(field, _)| !known.contains(&field.id)).cloned());
    Plan::Project { input: Box::new(plan), columns }
}

/// Columns of the fused plan by the columns of a member.
type Renamed = HashMap<ColumnId, Expr>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{ComparisonOperator, Value};
    use crate::functions::AggregateFunction;
    use crate::passes::cardinality::tests::{column, table};
    use crate::plan::{AggregateCall, Scan};
    use crate::types::Type;

    /// Returns `count()` or a sum of the rows of table 0 with a kind; column ids start at `id`.
    fn one_row(id: u32, kind: i64, function: AggregateFunction) -> Plan {
        let (Plan::Scan(scan), _) = table(0, 1000, 10) else { panic!("a table") };
        let columns = scan
            .columns
            .into_iter()
            .zip(id..)
            .map(|((field, name), id)| (Field { id: ColumnId(id), ..field }, name));
        let scan = Plan::Scan(Scan { columns: columns.collect(), ..scan });
        let kind = Expr::literal(Value::Integer(kind), Type::BigInt);
        let predicate = Expr::comparison(ComparisonOperator::Equal, column(id + 1), kind);
        let output = Field::new(ColumnId(id + 5), "", Type::BigInt);
        let args = if function == AggregateFunction::Count { Vec::new() } else { vec![column(id)] };
        let (filter, order_by) = (None, Vec::new());
        let call = AggregateCall { output, function, args, is_distinct: false, filter, order_by };
        let input = Box::new(scan.filtered(vec![predicate]));
        Plan::Aggregate(Aggregate { input, keys: Vec::new(), aggregates: vec![call] })
    }

    #[test]
    fn a_table_is_read_once_for_several_subqueries() {
        use AggregateFunction::{Count, Sum};
        let product = |left: Plan, right: Plan| Plan::join(JoinKind::Inner, left, right, Vec::new(), None);
        let both = product(one_row(10, 1, Count), one_row(20, 2, Sum));
        let mut plan = product(both, one_row(30, 1, Count));
        let (_, known) = table(0, 1000, 10);
        run(&mut plan, &Estimator::new(&[known]));
        let expected = "
Project [c15, c25, c35=c15]
  Aggregate [] c15=count() FILTER (c11 = 1), c25=sum(c10) FILTER (c11 = 2)
    Filter ((c11 = 1) OR (c11 = 2))
      Scan table 0 [c10=key, c11=kind]
";
        assert_eq!(plan.to_string(), expected.trim_start());
    }

    #[test]
    fn the_order_of_from_does_not_matter() {
        let product = |left: Plan, right: Plan| Plan::join(JoinKind::Inner, left, right, Vec::new(), None);
        let scan = |number: usize, id: u32| {
            let field = Field::new(ColumnId(id), "key", Type::BigInt);
            Plan::Scan(Scan {
                table: number,
                columns: vec![(field, "key".to_owned())],
                row_count: Some(1000),
            })
        };
        let counted = |tables: Plan, id: u32| {
            let output = Field::new(ColumnId(id), "", Type::BigInt);
            let (function, args) = (AggregateFunction::Count, Vec::new());
            let (filter, order_by) = (None, Vec::new());
            let call = AggregateCall { output, function, args, is_distinct: false, filter, order_by };
            Plan::Aggregate(Aggregate { input: Box::new(tables), keys: Vec::new(), aggregates: vec![call] })
        };
        let first = counted(product(scan(1, 11), scan(0, 10)), 15);
        let second = counted(product(scan(0, 20), scan(1, 21)), 25);
        let mut plan = product(first, second);
        let known = (0..2).map(|number| table(number, 1000, 10).1).collect::<Vec<_>>();
        run(&mut plan, &Estimator::new(&known));
        let text = plan.to_string();
        assert_eq!(text.matches("Scan table").count(), 2, "{text}");
    }

    /// If the last member cannot be fused, the first ones still are.
    #[test]
    fn the_first_members_are_fused_if_not_all_can_be() {
        use AggregateFunction::{Count, Sum};
        let product = |left: Plan, right: Plan| Plan::join(JoinKind::Inner, left, right, Vec::new(), None);
        let Plan::Aggregate(mut last) = one_row(30, 3, Sum) else { panic!("an aggregation") };
        last.aggregates[0].is_distinct = true;
        let both = product(one_row(10, 1, Count), one_row(20, 2, Sum));
        let mut plan = product(both, Plan::Aggregate(last));
        let (_, known) = table(0, 1000, 10);
        run(&mut plan, &Estimator::new(&[known]));
        assert_eq!(plan.to_string().matches("Scan table 0").count(), 2, "{plan}");
    }
}
