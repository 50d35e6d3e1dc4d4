//! Estimates of small plans over tables with known statistics.

use super::*;
use crate::expr::{ComparisonOperator, Value};
use crate::plan::{Field, JoinKey};
use crate::types::Type;

/// A table of two columns: a key with `keys` values, from 1 on, and a column with 10 values.
pub(in crate::passes) fn table(number: usize, rows: u64, keys: u64) -> (Plan, TableStatistics) {
    let id = u32::try_from(number).expect("a small number") * 10;
    let field = |id: u32, name: &str| (Field::new(ColumnId(id), name, Type::BigInt), name.to_owned());
    let columns = vec![field(id, "key"), field(id + 1, "kind")];
    #[expect(clippy::cast_precision_loss, reason = "a small number")]
    let range = Some((1.0, keys as f64));
    let key = ColumnStatistics { null_count: Some(0), distinct_count: Some(keys), is_bound: false, range };
    let kind = ColumnStatistics {
        null_count: Some(rows / 2),
        distinct_count: Some(10),
        is_bound: false,
        range: None,
    };
    let known = [("key".to_owned(), key), ("kind".to_owned(), kind)].into();
    (Plan::Scan(Scan { table: number, columns, row_count: Some(rows) }), known)
}

pub(in crate::passes) fn column(id: u32) -> Expr {
    Expr::column(ColumnId(id), Type::BigInt)
}

pub(in crate::passes) fn compared(operator: ComparisonOperator, id: u32, value: i64) -> Expr {
    Expr::comparison(operator, column(id), Expr::literal(Value::Integer(value), Type::BigInt))
}

pub(in crate::passes) fn joined(kind: JoinKind, left: Plan, right: Plan, keys: (u32, u32)) -> Plan {
    let keys = vec![JoinKey { left: column(keys.0), right: column(keys.1), null_equals_null: false }];
    Plan::Join(Join { kind, left: Box::new(left), right: Box::new(right), keys, residual: None })
}

#[track_caller]
fn check(plan: &Plan, tables: &[TableStatistics], expected: f64) {
    let rows = Estimator::new(tables).rows(plan);
    assert!((rows - expected).abs() <= expected * 0.02, "{rows}, not {expected}:\n{plan}");
}

#[test]
fn filter_estimates_use_distinct_counts_ranges_and_nulls() {
    use ComparisonOperator::{Equal, GreaterThan, LessThanOrEqual};
    let (scan, known) = table(0, 100_000, 1000);
    let tables = [known];
    let check_filter =
        |predicate: Expr, expected: f64| check(&scan.clone().filtered(vec![predicate]), &tables, expected);
    check_filter(compared(Equal, 0, 7), 100.0);
    check_filter(compared(Equal, 0, 7000), 1.0);
    check_filter(compared(Equal, 1, 3), 5_000.0);
    check_filter(compared(LessThanOrEqual, 0, 250), 25_000.0);
    check_filter(Expr::and([compared(GreaterThan, 0, 250), compared(LessThanOrEqual, 0, 500)]), 25_000.0);
    check_filter(Expr::or([compared(Equal, 0, 7), compared(Equal, 0, 8)]), 200.0);
    check_filter(Expr::new(crate::expr::ExprKind::IsNull(Box::new(column(1))), Type::Boolean), 50_000.0);
}

#[test]
fn join_estimates_use_values_on_both_sides() {
    let ((many, of_many), (few, of_few)) = (table(0, 100_000, 1000), table(1, 1000, 1000));
    let tables = [of_many, of_few];
    let small = few.clone().filtered(vec![compared(ComparisonOperator::LessThanOrEqual, 10, 100)]);
    check(&joined(JoinKind::Inner, many.clone(), few.clone(), (0, 10)), &tables, 100_000.0);
    check(&joined(JoinKind::Inner, many.clone(), small.clone(), (0, 10)), &tables, 10_000.0);
    check(&joined(JoinKind::Left, many.clone(), small.clone(), (0, 10)), &tables, 100_000.0);
    check(&joined(JoinKind::Semi, many.clone(), small.clone(), (0, 10)), &tables, 10_000.0);
    check(&joined(JoinKind::Anti, many, small, (0, 10)), &tables, 90_000.0);
}

#[test]
fn groups_of_one_table_are_at_most_its_rows() {
    let ((many, of_many), (few, of_few)) = (table(0, 100_000, 1000), table(1, 1000, 1000));
    let tables = [of_many, of_few];
    let by = |input: Plan, keys: &[u32]| {
        let keys = keys.iter().map(|key| ColumnId(*key)).collect();
        Plan::Aggregate(Aggregate { input: Box::new(input), keys, aggregates: Vec::new() })
    };
    check(&by(many.clone(), &[0]), &tables, 1000.0);
    check(&by(many.clone(), &[]), &tables, 1.0);
    // The kind depends on the key, so it adds no groups.
    check(&by(joined(JoinKind::Inner, many, few, (0, 10)), &[10, 11]), &tables, 1000.0);
}

/// The lines' keys reference orders. The distinct count of these keys is only bounded, by the range.
#[test]
fn an_uncounted_domain_is_taken_from_the_other_side() {
    let ((lines, mut of_lines), (orders, of_orders)) =
        (table(0, 600_000, 600_000), table(1, 150_000, 150_000));
    let range = Some((1.0, 600_000.0));
    of_lines.entry("key".to_owned()).and_modify(|key| key.is_bound = true);
    let mut of_orders = of_orders;
    of_orders.entry("key".to_owned()).and_modify(|key| key.range = range);
    let tables = [of_lines, of_orders];
    check(&joined(JoinKind::Semi, lines, orders, (0, 10)), &tables, 600_000.0);
}

/// Joins customers of a nation with suppliers of the nation; the table of nations has fewer rows than either.
#[test]
fn joins_may_return_more_rows_than_either_table() {
    let (nations, of_nations) = table(0, 25, 25);
    let (customers, of_customers) = table(1, 150_000, 25);
    let (suppliers, of_suppliers) = table(2, 10_000, 25);
    let tables = [of_nations, of_customers, of_suppliers];
    let of_nation = joined(JoinKind::Inner, customers, nations, (10, 0));
    check(&of_nation, &tables, 150_000.0);
    check(&joined(JoinKind::Inner, of_nation, suppliers, (0, 20)), &tables, 60_000_000.0);
}
