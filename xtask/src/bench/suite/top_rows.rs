//! Which rows a statement with ORDER BY and LIMIT may return: of rows with equal sort keys any come before the limit, but
//! the keys of the returned rows are the first ones of all rows, whatever the rows.

use serde_json::Value;
use sqlparser::ast::{
    Expr, LimitClause, OrderByKind, Query, Select, SelectItem, SetExpr, Statement, Value as Literal,
};
use sqlparser::dialect::DuckDbDialect;
use sqlparser::parser::Parser;

use super::compare::{are_equal, difference};

/// A statement that ends with ORDER BY and LIMIT, with all of its sort keys among its columns.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TopRows {
    /// The statement without OFFSET and LIMIT.
    pub(super) all: String,
    /// The first row that is returned.
    offset: usize,
    limit: usize,
    keys: Vec<Position>,
    /// Number of keys that were appended to the columns.
    pub(super) appended: usize,
}

/// A column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Position {
    FromFirst(usize),
    /// 0 is the last one.
    FromLast(usize),
}

impl TopRows {
    /// Of a statement; none if it has no LIMIT with ORDER BY at its end, or sort keys that cannot be selected.
    pub(super) fn of(sql: &str) -> Option<Self> {
        let mut statements = Parser::parse_sql(&DuckDbDialect {}, sql).ok()?;
        let Some(Statement::Query(mut query)) = statements.pop() else { return None };
        let (limit, offset) = match query.limit_clause.take()? {
            LimitClause::LimitOffset { limit: Some(limit), offset, .. } => {
                (number(&limit)?, offset.map_or(Some(0), |offset| number(&offset.value))?)
            }
            _ => return None,
        };
        let keys = keys(&mut query)?;
        let appended = keys.iter().filter(|key| matches!(key, Position::FromLast(_))).count();
        Some(Self { all: query.to_string(), offset, limit, keys, appended })
    }

    /// The statement with its LIMIT.
    pub(super) fn first(&self) -> String {
        let Self { all, offset, limit, .. } = self;
        format!("{all} OFFSET {offset} LIMIT {limit}")
    }

    /// Why rows cannot be the ones that the statement returns, given all rows, sorted by the keys.
    pub(super) fn fault(&self, found: &[Vec<Value>], all: &[Vec<Value>]) -> Option<String> {
        let from = self.offset.min(all.len());
        let expected = &all[from..(from + self.limit).min(all.len())];
        let of_keys = |rows: &[Vec<Value>]| -> Vec<Vec<Value>> {
            rows.iter().map(|row| self.keys.iter().filter_map(|key| key.of(row).cloned()).collect()).collect()
        };
        let keys =
            difference(&of_keys(found), &of_keys(expected)).map(|difference| format!("keys: {difference}"));
        keys.or_else(|| missing(found, all))
    }

    /// As [`fault`](Self::fault), of rows without the appended keys: only whether they are among all rows.
    pub(super) fn fault_without_keys(&self, found: &[Vec<Value>], all: &[Vec<Value>]) -> Option<String> {
        let cut = |row: &Vec<Value>| row[..row.len().saturating_sub(self.appended)].to_vec();
        let all: Vec<Vec<Value>> = all.iter().map(cut).collect();
        missing(found, &all)
    }
}

impl Position {
    fn of(self, row: &[Value]) -> Option<&Value> {
        match self {
            Self::FromFirst(at) => row.get(at),
            Self::FromLast(at) => row.len().checked_sub(at + 1).and_then(|at| row.get(at)),
        }
    }
}

/// The first row that is not among all rows, each of which counts once.
fn missing(found: &[Vec<Value>], all: &[Vec<Value>]) -> Option<String> {
    let mut is_left = vec![true; all.len()];
    found.iter().find_map(|row| {
        let same = (0..all.len()).find(|&at| is_left[at] && are_equal(row, &all[at]));
        same.map(|at| is_left[at] = false)
            .is_none()
            .then(|| format!("no row is {}", Value::from(row.clone())))
    })
}

/// Where the sort keys of a query are, after those that it does not return have been appended to its columns.
fn keys(query: &mut Query) -> Option<Vec<Position>> {
    let Some(OrderByKind::Expressions(sorted)) = query.order_by.as_ref().map(|order| &order.kind) else {
        return None;
    };
    let sorted: Vec<Expr> = sorted.iter().map(|key| key.expr.clone()).collect();
    let returned = match query.body.as_mut() {
        SetExpr::Select(select) => Some(select),
        _ => None,
    };
    let mut hidden = Vec::new();
    let mut keys = Vec::with_capacity(sorted.len());
    for key in sorted {
        let shown = number(&key)
            .and_then(|ordinal| ordinal.checked_sub(1))
            .or_else(|| returned.as_deref().and_then(|select| shown(select, &key)));
        if let Some(at) = shown {
            keys.push(Position::FromFirst(at));
        } else {
            keys.push(Position::FromLast(hidden.len()));
            hidden.push(SelectItem::UnnamedExpr(key));
        }
    }
    if !hidden.is_empty() {
        let select = returned.filter(|select| select.distinct.is_none())?;
        select.projection.extend(hidden.into_iter().rev());
    }
    Some(keys)
}

/// The column that is this key, if no wildcard hides which one it is.
fn shown(select: &Select, key: &Expr) -> Option<usize> {
    let is_plain =
        |item: &SelectItem| matches!(item, SelectItem::UnnamedExpr(_) | SelectItem::ExprWithAlias { .. });
    if !select.projection.iter().all(is_plain) {
        return None;
    }
    select.projection.iter().position(|item| match item {
        SelectItem::UnnamedExpr(expr) => {
            expr == key || last_name(expr).is_some_and(|name| is_named(key, name))
        }
        SelectItem::ExprWithAlias { expr, alias } => expr == key || is_named(key, &alias.value),
        _ => false,
    })
}

fn is_named(key: &Expr, name: &str) -> bool {
    matches!(key, Expr::Identifier(_)) && last_name(key).is_some_and(|key| key.eq_ignore_ascii_case(name))
}

fn last_name(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Identifier(name) => Some(&name.value),
        Expr::CompoundIdentifier(names) => names.last().map(|name| name.value.as_str()),
        _ => None,
    }
}

fn number(expr: &Expr) -> Option<usize> {
    match expr {
        Expr::Value(value) => match &value.value {
            Literal::Number(digits, _) => digits.parse().ok(),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn rows(value: Value) -> Vec<Vec<Value>> {
        serde_json::from_value(value).expect("rows")
    }

    #[test]
    fn keys_that_are_not_returned_are_appended() {
        let of = |sql: &str| TopRows::of(sql).map(|top| (top.all.clone(), top.keys.clone(), top.appended));
        let first = Position::FromFirst;
        let plain = "SELECT t.a, b AS c FROM t ORDER BY c DESC, a, 1";
        assert_eq!(
            of(&format!("{plain}\nLIMIT 5")),
            Some((plain.to_owned(), vec![first(1), first(0), first(0)], 0))
        );
        assert_eq!(
            of("SELECT * FROM t ORDER BY a, b + 1 OFFSET 3 LIMIT 5"),
            Some((
                "SELECT *, b + 1, a FROM t ORDER BY a, b + 1".to_owned(),
                vec![Position::FromLast(0), Position::FromLast(1)],
                2
            ))
        );
        assert_eq!(of("SELECT * FROM (SELECT 1 AS a ORDER BY a LIMIT 5) x"), None);
        assert_eq!(of("SELECT a FROM t LIMIT 5"), None);
        assert_eq!(of("SELECT DISTINCT a FROM t ORDER BY b LIMIT 5"), None);
    }

    #[test]
    fn other_rows_of_the_last_key_are_right_and_a_left_out_key_is_not() {
        let top = TopRows::of("SELECT a, b FROM t ORDER BY b DESC LIMIT 2").expect("keys");
        let all = rows(json!([["x", 9.5], ["y", 7.5], ["z", 7.5], ["w", 1]]));
        assert_eq!(top.fault(&rows(json!([["x", 9.5], ["z", 7.5]])), &all), None);
        let fault = |found: Value| top.fault(&rows(found), &all);
        assert!(fault(json!([["y", 7.5], ["z", 7.5]])).is_some(), "the first row is missing");
        assert!(fault(json!([["x", 9.5], ["w", 1]])).is_some(), "a later key");
        assert!(fault(json!([["x", 9.5], ["v", 7.5]])).is_some(), "a row that does not exist");
        assert!(fault(json!([["x", 9.5]])).is_some(), "too few");
    }

    #[test]
    fn a_row_is_returned_as_often_as_it_exists() {
        let top = TopRows::of("SELECT a FROM t ORDER BY b LIMIT 2").expect("keys");
        let all = rows(json!([["x", 1], ["y", 1]]));
        assert_eq!(top.fault_without_keys(&rows(json!([["y"], ["x"]])), &all), None);
        assert!(top.fault_without_keys(&rows(json!([["x"], ["x"]])), &all).is_some());
    }
}
