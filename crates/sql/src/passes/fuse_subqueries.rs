//! Before: a product of aggregations without keys, each one row, of the same tables joined in the same way:
//! `Aggregate [] count()` over `Filter p`, `Aggregate [] avg(x)` over `Filter q`, …
//! After: one `Aggregate [] count() FILTER (p), avg(x) FILTER (q), …` over `Filter p OR q` (N. Bruno et al., "Computation Reuse
//! via Fusion in Amazon Athena", ICDE 2022; Spark's MergeScalarSubqueries).
//! Why: scalar subqueries over one table read it once, not once each.

use std::collections::HashMap;

use self::fused::{Fused, fused, shape};
use super::cardinality::Estimator;
use super::infallible::cannot_fail;
use crate::expr::Expr;
use crate::plan::{Aggregate, AggregateCall, ColumnId, Field, Join, JoinKind, Plan};

mod fused;

pub(super) fn run(plan: &mut Plan, estimator: &Estimator<'_>) {
    if is_product(plan) {
        let mut found = Vec::new();
        let rest = without_one_rows(plan.clone(), &mut found);
        if let Some(one_rows) = fused_by_shape(found, estimator) {
            let all = rest.into_iter().chain(one_rows);
            let product =
                all.reduce(|left, right| Plan::join(JoinKind::Inner, left, right, Vec::new(), None));
            *plan = product.unwrap_or_else(|| plan.take());
        }
    }
    let is_by_position = matches!(plan, Plan::SetOperation { .. });
    for input in plan.inputs_mut() {
        let fields = if is_by_position { input.fields() } else { Vec::new() };
        run(input, estimator);
        if is_by_position && input.fields() != fields {
            let columns = fields.into_iter().map(passed_on).collect();
            *input = Plan::Project { input: Box::new(input.take()), columns };
        }
    }
}

/// A field as a column of a projection.
fn passed_on(field: Field) -> (Field, Expr) {
    let column = Expr::column(field.id, field.data_type.clone());
    (field, column)
}

fn is_product(plan: &Plan) -> bool {
    matches!(plan, Plan::Join(Join { kind: JoinKind::Inner, keys, residual: None, .. }) if keys.is_empty())
}

/// An aggregation without keys, and the projections above it, the innermost first.
struct OneRow {
    plan: Plan,
    aggregate: Aggregate,
    projections: Vec<Vec<(Field, Expr)>>,
}

impl OneRow {
    fn of(plan: &Plan) -> Option<Self> {
        let (mut node, mut projections) = (plan, Vec::new());
        while let Plan::Project { input, columns } = node {
            projections.push(columns.clone());
            node = input;
        }
        projections.reverse();
        match node {
            Plan::Aggregate(aggregate) if aggregate.keys.is_empty() => {
                Some(Self { plan: plan.clone(), aggregate: aggregate.clone(), projections })
            }
            _ => None,
        }
    }
}

/// What a product has beside the aggregations of one row.
fn without_one_rows(plan: Plan, found: &mut Vec<OneRow>) -> Option<Plan> {
    if is_product(&plan)
        && let Plan::Join(join) = plan
    {
        let (left, right) = (without_one_rows(*join.left, found), without_one_rows(*join.right, found));
        return match (left, right) {
            (Some(left), Some(right)) => Some(Plan::join(JoinKind::Inner, left, right, Vec::new(), None)),
            (left, right) => left.or(right),
        };
    }
    match OneRow::of(&plan) {
        Some(one_row) => {
            found.push(one_row);
            None
        }
        None => Some(plan),
    }
}

/// The plans of one row, those of the same tables as one; none where there are no such.
fn fused_by_shape(found: Vec<OneRow>, estimator: &Estimator<'_>) -> Option<Vec<Plan>> {
    let mut groups: Vec<(Option<String>, Vec<OneRow>)> = Vec::new();
    for one_row in found {
        let own = shape(&one_row.aggregate.input);
        match groups.iter_mut().find(|(shape, _)| own.is_some() && *shape == own) {
            Some((_, members)) => members.push(one_row),
            None => groups.push((own, vec![one_row])),
        }
    }
    let mut is_any = false;
    let mut plans = Vec::new();
    for (_, members) in groups {
        let one = (members.len() > 1).then(|| one_of_all(&members, estimator)).flatten();
        is_any |= one.is_some();
        match one {
            Some(one) => plans.push(one),
            None => plans.extend(members.into_iter().map(|member| member.plan)),
        }
    }
    is_any.then_some(plans)
}

/// One plan that gives the columns of all.
fn one_of_all(members: &[OneRow], estimator: &Estimator<'_>) -> Option<Plan> {
    let inputs = members.iter().map(|member| (*member.aggregate.input).clone()).collect();
    let Fused { plan, members: parts } = fused(inputs)?;
    let rows = estimator.estimate(&plan);
    let mut calls: Vec<AggregateCall> = Vec::new();
    // Calls that are there already, under their own output.
    let mut columns: Vec<(Field, Expr)> = Vec::new();
    for (member, part) in members.iter().zip(&parts) {
        for call in &member.aggregate.aggregates {
            let args: Vec<Expr> = call.args.iter().map(|arg| part.own(arg)).collect();
            let conditions = call.filter.iter().map(|filter| part.own(filter)).chain(part.filter.clone());
            let conditions: Vec<Expr> = conditions.collect();
            // What is computed for the rows of others must not fail there, nor be kept as a set of values.
            let is_safe = args.iter().chain(&conditions).all(|expr| cannot_fail(expr, &rows));
            let is_plain = !call.is_distinct && call.order_by.is_empty();
            if !is_plain || !is_safe || args.iter().chain(&conditions).any(Expr::is_random) {
                return None;
            }
            let filter = (!conditions.is_empty()).then(|| Expr::and(conditions));
            let same = |known: &&AggregateCall| {
                known.function == call.function && known.args == args && known.filter == filter
            };
            let own = match calls.iter().find(same) {
                Some(known) => known.output.clone(),
                None => {
                    calls.push(AggregateCall { args, filter, ..call.clone() });
                    call.output.clone()
                }
            };
            columns.push((call.output.clone(), Expr::column(own.id, own.data_type)));
        }
    }
    let all = Plan::Aggregate(Aggregate { input: Box::new(plan), keys: Vec::new(), aggregates: calls });
    let mut plan = Plan::Project { input: Box::new(all), columns };
    for projection in members.iter().flat_map(|member| &member.projections) {
        plan = with_columns(plan, projection);
    }
    Some(plan)
}

/// The columns of a plan and those of a projection of it.
fn with_columns(plan: Plan, projection: &[(Field, Expr)]) -> Plan {
    let mut columns: Vec<(Field, Expr)> = plan.fields().into_iter().map(passed_on).collect();
    let known: Vec<ColumnId> = columns.iter().map(|(field, _)| field.id).collect();
    columns.extend(projection.iter().filter(|(field, _)| !known.contains(&field.id)).cloned());
    Plan::Project { input: Box::new(plan), columns }
}

/// The columns of the one plan for those of a part.
type Renamed = HashMap<ColumnId, Expr>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{ComparisonOperator, Value};
    use crate::functions::AggregateFunction;
    use crate::passes::cardinality::tests::{column, table};
    use crate::plan::Scan;
    use crate::types::Type;

    /// `count()` or a sum of the rows of table 0 with a kind, over columns from `id` on.
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
        let output = Field { id: ColumnId(id + 5), name: String::new(), data_type: Type::BigInt };
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
}
