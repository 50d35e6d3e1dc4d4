//! `(a, b) IN (SELECT x, y …)` with NULLs: whether a candidate could be equal, `(a = x OR a IS NULL OR x IS NULL) AND …` for
//! each field. A pair has some fields that are not NULL on either side, which are equal, and in each other field a NULL. For
//! each set of fields the candidates with the same values in them are grouped, with flags of which other fields are NULL in
//! one of them: as many joins as there are sets, whose time is linear, instead of all pairs.

use polars::prelude::{LazyFrame, PlSmallStr, col, lit};
use rowhouse_model::QueryError;
use rowhouse_sql::expr::{ComparisonOperator, Expr, ExprKind};
use rowhouse_sql::plan::{JoinKey, JoinKind, MarkJoin};

use super::{Lowering, Sides};
use crate::column::column_name;
use crate::expression::lower_expression;
use crate::order_key::is_nested;

/// Maximum number of fields: sixteen joins. Rows of more fields are compared in pairs.
const MOST_FIELDS: usize = 4;

/// A field of both rows, and what is tested for NULL on each side; nothing if it is never NULL.
struct Field {
    left: Expr,
    right: Expr,
    left_null: Option<Expr>,
    right_null: Option<Expr>,
}

/// The fields, if the condition consists of such tests.
fn fields(node: &MarkJoin) -> Option<Vec<Field>> {
    let conjuncts = node.residual.clone()?.into_conjuncts();
    if node.in_key.is_some() || conjuncts.len() > MOST_FIELDS {
        return None;
    }
    let of_left = node.left.column_ids();
    let is_left = |expr: &Expr| expr.columns().iter().all(|column| of_left.contains(column));
    let of_right = node.right.column_ids();
    let is_right = |expr: &Expr| expr.columns().iter().all(|column| of_right.contains(column));
    conjuncts.into_iter().map(|conjunct| field(conjunct, &is_left, &is_right)).collect()
}

fn field(conjunct: Expr, is_left: &dyn Fn(&Expr) -> bool, is_right: &dyn Fn(&Expr) -> bool) -> Option<Field> {
    let ExprKind::Or(tests) = conjunct.kind else { return None };
    let (mut equality, mut left_null, mut right_null) = (None, None, None);
    for test in tests {
        match test.kind {
            ExprKind::Comparison { operator: ComparisonOperator::Equal, left, right } => {
                let sides =
                    if is_left(&left) && is_right(&right) { (*left, *right) } else { (*right, *left) };
                if equality.replace(sides).is_some() {
                    return None;
                }
            }
            ExprKind::IsNull(tested) if is_left(&tested) && left_null.is_none() => left_null = Some(*tested),
            ExprKind::IsNull(tested) if is_right(&tested) && right_null.is_none() => {
                right_null = Some(*tested)
            }
            _ => return None,
        }
    }
    let (left, right) = equality?;
    // The equality of arrays or rows may be unknown although neither of them is NULL.
    let is_plain = is_left(&left) && is_right(&right) && !is_nested(&left.data_type);
    let is_of =
        |tested: &Option<Expr>, side: &Expr| tested.as_ref().is_none_or(|tested| is_same(tested, side));
    (is_plain && is_of(&left_null, &left) && is_of(&right_null, &right)).then_some(Field {
        left,
        right,
        left_null,
        right_null,
    })
}

/// Whether a side of the comparison is what is tested, perhaps converted: no conversion between types makes a NULL.
fn is_same(tested: &Expr, side: &Expr) -> bool {
    match &side.kind {
        _ if tested.kind == side.kind => true,
        ExprKind::Cast { input, is_try: false } => is_same(tested, input),
        _ => false,
    }
}

/// Which fields of a pair are NULL on which side, besides those that are equal.
struct NullPattern {
    left: Vec<usize>,
    right: Vec<usize>,
}

/// The patterns of fields, each NULL on one side, as far as they can be NULL there.
fn null_patterns(fields: &[Field], others: &[usize]) -> Vec<NullPattern> {
    let patterns = (0..1_usize << others.len()).map(|null| {
        let (right, left) = (0..others.len()).partition::<Vec<_>, _>(|place| null & (1 << place) != 0);
        let of = |places: Vec<usize>| places.into_iter().map(|place| others[place]).collect();
        NullPattern { left: of(left), right: of(right) }
    });
    let is_possible = |pattern: &NullPattern| {
        pattern.left.iter().all(|field| fields[*field].left_null.is_some())
            && pattern.right.iter().all(|field| fields[*field].right_null.is_some())
    };
    patterns.filter(is_possible).collect()
}

impl Lowering<'_> {
    /// The mark of a condition of such tests; `None` for other conditions.
    pub(super) fn mark_by_null_patterns(
        &mut self,
        node: &MarkJoin,
        left: &LazyFrame,
        right: &LazyFrame,
    ) -> Result<Option<LazyFrame>, QueryError> {
        let Some(fields) = fields(node) else { return Ok(None) };
        let tests = |side: fn(&Field) -> &Option<Expr>| fields.iter().map(side).cloned().collect::<Vec<_>>();
        let (mut joined, left_is_null) =
            self.with_null_flags(left.clone(), &tests(|field| &field.left_null))?;
        let (right, right_is_null) =
            self.with_null_flags(right.clone(), &tests(|field| &field.right_null))?;
        let right = right.cache();
        let mark = column_name(node.mark.id);
        joined = joined.with_column(lit(false).alias(mark.clone()));
        // The keys and flags of one join are not carried through the next one.
        let of_left = node.left.column_ids().into_iter().map(column_name);
        let kept: Vec<_> = of_left.chain(left_is_null.iter().cloned()).map(col).collect();
        for equal in 0..1_usize << fields.len() {
            let (in_equal, others): (Vec<usize>, Vec<usize>) =
                (0..fields.len()).partition(|field| equal & (1 << field) != 0);
            let patterns = null_patterns(&fields, &others);
            if patterns.is_empty() {
                continue;
            }
            let mut keys: Vec<JoinKey> = node.keys.clone();
            keys.extend(in_equal.iter().map(|field| JoinKey {
                left: fields[*field].left.clone(),
                right: fields[*field].right.clone(),
                null_equals_null: false,
            }));
            let sides = self.sides(joined, right.clone(), &keys, false)?;
            let on: Vec<_> = sides.right_on.iter().map(|name| col(name.clone())).collect();
            let mut flags = Vec::new();
            let mut is_found = col(mark.clone());
            for pattern in patterns {
                let are_null = pattern.right.iter().map(|field| col(right_is_null[*field].clone()));
                let flag = are_null
                    .reduce(|all, is_null| all.and(is_null))
                    .unwrap_or_else(|| col(right_is_null[fields.len()].clone()));
                let found = self.temporary();
                flags.push(flag.max().alias(found.clone()));
                let are_null = pattern.left.iter().map(|field| col(left_is_null[*field].clone()));
                let pair = col(found.clone()).fill_null(false);
                is_found = is_found.or(are_null.fold(pair, |all, is_null| all.and(is_null)));
            }
            let candidates = sides.right.clone().group_by(on).agg(flags);
            let mut columns = kept.clone();
            columns.push(is_found.alias(mark.clone()));
            joined = Sides { right: candidates, ..sides }.join(JoinKind::Left).select(columns);
        }
        Ok(Some(joined))
    }

    /// A frame with a flag for each test whether it is NULL, and one that is TRUE.
    fn with_null_flags(
        &mut self,
        frame: LazyFrame,
        tests: &[Option<Expr>],
    ) -> Result<(LazyFrame, Vec<PlSmallStr>), QueryError> {
        let mut staged = self.staged();
        let mut flags = Vec::with_capacity(tests.len() + 1);
        for test in tests {
            flags.push(match test {
                Some(tested) => lower_expression(tested, &mut staged)?.is_null(),
                None => lit(false),
            });
        }
        flags.push(lit(true));
        let names: Vec<PlSmallStr> = flags.iter().map(|_| self.temporary()).collect();
        let named = flags.into_iter().zip(&names).map(|(flag, name)| flag.alias(name.clone()));
        Ok((staged.apply(frame).with_columns(named.collect::<Vec<_>>()), names))
    }
}

#[cfg(test)]
mod tests {
    use rowhouse_sql::plan::{ColumnId, Field as Column, Plan};
    use rowhouse_sql::types::Type;

    use super::*;

    fn column(id: u32) -> Expr {
        Expr::column(ColumnId(id), Type::BigInt)
    }

    fn is_null(id: u32) -> Expr {
        Expr::new(ExprKind::IsNull(Box::new(column(id))), Type::Boolean)
    }

    fn equal(left: u32, right: u32) -> Expr {
        Expr::comparison(ComparisonOperator::Equal, column(left), column(right))
    }

    /// The number of fields of a condition between rows of the columns 0 to 4 and of 10 to 14.
    fn count(conjuncts: Vec<Vec<Expr>>) -> Option<usize> {
        let side = |first: u32| {
            let fields = (first..first + 5).map(|id| Column::new(ColumnId(id), "", Type::BigInt)).collect();
            Box::new(Plan::Values { fields, rows: Vec::new() })
        };
        let node = MarkJoin {
            left: side(0),
            right: side(10),
            keys: Vec::new(),
            residual: Some(Expr::and(conjuncts.into_iter().map(Expr::or))),
            in_key: None,
            mark: Column::new(ColumnId(20), "", Type::Boolean),
        };
        fields(&node).map(|fields| fields.len())
    }

    #[test]
    fn only_conditions_of_possible_equality_are_recognized() {
        let test = |id: u32| vec![equal(id, 10 + id), is_null(id), is_null(10 + id)];
        assert_eq!(count(vec![test(0), test(1)]), Some(2));
        assert_eq!(count(vec![vec![is_null(10), equal(10, 0)], test(1), test(2)]), Some(3));
        assert_eq!(count((0..5).map(test).collect()), None);
        assert_eq!(count(vec![test(0), vec![equal(1, 11), is_null(2), is_null(11)]]), None);
        assert_eq!(count(vec![test(0), vec![equal(1, 11), equal(2, 12), is_null(11)]]), None);
        assert_eq!(count(vec![test(0), vec![equal(1, 2), is_null(1)]]), None);
    }
}
