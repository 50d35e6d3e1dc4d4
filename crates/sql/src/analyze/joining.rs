//! JOIN: its kinds and conditions. Inner joins become a cross join under a filter, which the passes reorder; outer
//! joins keep their condition, split into keys and a residual.

use std::collections::HashSet;

use rowhouse_model::{ErrorCode, ErrorLocation};
use sqlparser::ast::{Expr as AstExpr, Ident, JoinConstraint, JoinOperator, ObjectNamePart};

use super::context::{Analyzer, Context, Pending, PendingKind, Source, refuse_if, user_error};
use super::place::{place_of, place_of_any};
use super::relation::{Item, cross};
use super::scope::{Scope, ScopeField, equal_names};
use crate::error::{Result, location_of, not_supported, type_mismatch};
use crate::expr::{ComparisonOperator, Expr, Value};
use crate::functions::ScalarFunction;
use crate::plan::{ColumnId, Field, JoinKey, JoinKind, Plan};
use crate::types::Type;

/// Whether a condition is written as TRUE.
fn is_true(condition: &AstExpr) -> bool {
    matches!(condition, AstExpr::Value(value) if value.value == sqlparser::ast::Value::Boolean(true))
}

impl Analyzer<'_> {
    pub(super) fn join(
        &mut self,
        left: Source,
        right: Item,
        operator: &JoinOperator,
        parent: Option<&Scope<'_>>,
    ) -> Result<Source> {
        let (kind, constraint) = match operator {
            JoinOperator::Join(constraint) | JoinOperator::Inner(constraint) => (JoinKind::Inner, constraint),
            JoinOperator::CrossJoin(JoinConstraint::None) => {
                return match right {
                    Item::Source(right) => Ok(cross(left, right)),
                    Item::Unnest(unnest) => self.unnest(left, unnest, false),
                    Item::Lateral(right) => self.lateral(left, right, JoinKind::Inner, None, parent),
                };
            }
            JoinOperator::CrossJoin(_) => return Err(not_supported(None, "a condition of CROSS JOIN")),
            JoinOperator::Left(constraint) | JoinOperator::LeftOuter(constraint) => {
                (JoinKind::Left, constraint)
            }
            JoinOperator::Right(constraint) | JoinOperator::RightOuter(constraint) => {
                (JoinKind::Right, constraint)
            }
            JoinOperator::FullOuter(constraint) => (JoinKind::Full, constraint),
            JoinOperator::Semi(_)
            | JoinOperator::LeftSemi(_)
            | JoinOperator::RightSemi(_)
            | JoinOperator::Anti(_)
            | JoinOperator::LeftAnti(_)
            | JoinOperator::RightAnti(_) => return Err(not_supported(None, "SEMI and ANTI JOIN")),
            JoinOperator::CrossApply | JoinOperator::OuterApply => return Err(not_supported(None, "APPLY")),
            JoinOperator::AsOf { match_condition, constraint: _ } => {
                return Err(not_supported(place_of(match_condition), "ASOF JOIN"));
            }
            JoinOperator::StraightJoin(_) => return Err(not_supported(None, "STRAIGHT_JOIN")),
            JoinOperator::ArrayJoin | JoinOperator::LeftArrayJoin | JoinOperator::InnerArrayJoin => {
                return Err(not_supported(None, "ARRAY JOIN"));
            }
        };
        let right = match right {
            Item::Source(right) => right,
            Item::Unnest(unnest) => return self.join_unnest(left, unnest, kind, constraint),
            Item::Lateral(right) => {
                return match constraint {
                    JoinConstraint::On(condition) => self.lateral(left, right, kind, Some(condition), parent),
                    _ => Err(not_supported(None, "LATERAL with USING or NATURAL")),
                };
            }
        };
        match constraint {
            JoinConstraint::On(condition) => self.join_on(kind, left, right, condition, parent),
            JoinConstraint::Using(names) => {
                let mut columns = Vec::with_capacity(names.len());
                for name in names {
                    match name.0.as_slice() {
                        [ObjectNamePart::Identifier(ident)] => columns.push(ident.clone()),
                        _ => return Err(not_supported(None, "a qualified name in USING")),
                    }
                }
                self.join_using(kind, left, right, &columns)
            }
            JoinConstraint::Natural => {
                let columns: Vec<Ident> = visible(&left.fields)
                    .filter(|own| {
                        visible(&right.fields).any(|other| equal_names(&own.field.name, &other.field.name))
                    })
                    .map(|own| Ident::new(own.field.name.clone()))
                    .collect();
                if columns.is_empty() && kind == JoinKind::Inner {
                    return Ok(cross(left, right));
                }
                refuse_if(columns.is_empty(), None, "NATURAL JOIN without common columns")?;
                self.join_using(kind, left, right, &columns)
            }
            JoinConstraint::None => Err(crate::error::syntax_error(None, "JOIN needs ON or USING")),
        }
    }

    /// `JOIN UNNEST(…) ON TRUE`, or JSON_TABLE. As in Trino, a RIGHT JOIN is an inner join, and a FULL JOIN a left join
    /// (D141).
    fn join_unnest(
        &mut self,
        left: Source,
        unnest: super::unnest::UnnestItem,
        kind: JoinKind,
        constraint: &JoinConstraint,
    ) -> Result<Source> {
        let kind_name = match kind {
            JoinKind::Left => "LEFT",
            JoinKind::Right => "RIGHT",
            JoinKind::Full => "FULL",
            _ => "INNER",
        };
        if matches!(kind, JoinKind::Right | JoinKind::Full)
            && let Some(place) = unnest.reference_to(&left.plan)
        {
            let message = format!("LATERAL reference not allowed in {kind_name} JOIN");
            return Err(user_error(ErrorCode::InvalidColumnReference, place, message));
        }
        let place = match constraint {
            JoinConstraint::On(on) if is_true(on) => {
                return self.unnest(left, unnest, matches!(kind, JoinKind::Left | JoinKind::Full));
            }
            JoinConstraint::On(condition) => self.token_places.place_of(condition),
            _ => None,
        };
        let name = unnest.name;
        let message = format!("{kind_name} JOIN involving {name} is only supported with condition ON TRUE");
        Err(user_error(ErrorCode::NotSupported, place, message))
    }

    /// LATERAL: joins each row of `left` with a query that names its columns.
    pub(super) fn lateral(
        &mut self,
        left: Source,
        right: Source,
        kind: JoinKind,
        condition: Option<&AstExpr>,
        parent: Option<&Scope<'_>>,
    ) -> Result<Source> {
        let own: HashSet<ColumnId> = left.plan.column_ids().into_iter().collect();
        let free: HashSet<ColumnId> = right.plan.free_columns().intersection(&own).copied().collect();
        let place = condition.and_then(place_of);
        let outer_name = match kind {
            JoinKind::Right => Some("RIGHT"),
            JoinKind::Full => Some("FULL"),
            _ => None,
        };
        if let Some(name) = outer_name
            && let Some(place) = place_of_any(&right.plan, &free)
        {
            let message = format!("LATERAL reference not allowed in {name} JOIN");
            return Err(user_error(ErrorCode::InvalidColumnReference, place, message));
        }
        // As in Trino, the right side is computed for each left row, so it has no rows without a left row (D169).
        let (kind, condition) = match (kind, condition) {
            (JoinKind::Right, Some(on)) if is_true(on) => (JoinKind::Inner, None),
            (JoinKind::Full, Some(on)) if is_true(on) => (JoinKind::Left, None),
            (JoinKind::Full, Some(on)) => {
                let message = "FULL JOIN involving LATERAL relation is only supported with condition ON TRUE";
                return Err(user_error(ErrorCode::NotSupported, self.token_places.place_of(on), message));
            }
            other => other,
        };
        let (mut keys, plan) = if free.is_empty() {
            (Vec::new(), right.plan)
        } else {
            self.depend(&left.plan, right.plan, &free, place)?
        };
        let mut fields = left.fields;
        fields.extend(right.fields);
        let Some(condition) = condition else {
            return Ok(Source { plan: Plan::join(kind, left.plan, plan, keys, None), fields });
        };
        let scope = Scope::new(fields, parent);
        let mut context = Context::new(&scope, "JOIN clause");
        let analyzed = self.condition(condition, &mut context)?;
        refuse_if(!context.pending.is_empty(), place, "a subquery in the condition of a LATERAL join")?;
        let (more, residual) = split_condition(analyzed, &left.plan, &plan);
        keys.extend(more);
        Ok(Source { plan: Plan::join(kind, left.plan, plan, keys, residual), fields: scope.fields })
    }

    fn join_on(
        &mut self,
        kind: JoinKind,
        left: Source,
        right: Source,
        condition: &AstExpr,
        parent: Option<&Scope<'_>>,
    ) -> Result<Source> {
        let mut fields = left.fields.clone();
        fields.extend(right.fields.iter().cloned());
        let scope = Scope::new(fields, parent);
        let mut context = Context::new(&scope, "JOIN clause");
        let analyzed = self.condition(condition, &mut context)?;
        let Context { pending, .. } = context;
        let fields = scope.fields;
        if kind == JoinKind::Inner {
            let plan = Plan::join(kind, left.plan, right.plan, Vec::new(), None);
            let plan = self.attach_all(plan, pending)?;
            let plan = Plan::Filter { input: Box::new(plan), predicate: analyzed };
            return Ok(Source { plan, fields });
        }
        let (left, right) = self.attach_to_sides(left.plan, right.plan, pending)?;
        let (keys, residual) = split_condition(analyzed, &left, &right);
        Ok(Source { plan: Plan::join(kind, left, right, keys, residual), fields })
    }

    /// Attaches the subqueries in the condition of an outer join: each is computed for the rows of the one side that it
    /// names, before the join, and does not change the rows of that side.
    fn attach_to_sides(
        &mut self,
        mut left: Plan,
        mut right: Plan,
        pending: Vec<Pending>,
    ) -> Result<(Plan, Plan)> {
        for pending in pending {
            let mut named = pending.relation.plan.free_columns();
            if let PendingKind::In { key, .. } = &pending.kind {
                named.extend(key.left.columns());
            }
            let names = |side: &Plan| side.column_ids().iter().any(|column| named.contains(column));
            match (names(&left), names(&right)) {
                (true, true) => {
                    let what = "a subquery that names both sides in the condition of an outer join";
                    return Err(not_supported(pending.place, what));
                }
                (false, true) => right = self.attach_all(right, vec![pending])?,
                (_, false) => left = self.attach_all(left, vec![pending])?,
            }
        }
        Ok((left, right))
    }

    /// USING and NATURAL: the named columns come first, once, with the common type of both sides.
    fn join_using(&mut self, kind: JoinKind, left: Source, right: Source, names: &[Ident]) -> Result<Source> {
        let mut keys = Vec::with_capacity(names.len());
        let mut first = Vec::with_capacity(names.len());
        let mut merged = Vec::new();
        let mut sides: HashSet<ColumnId> = HashSet::new();
        for (index, name) in names.iter().enumerate() {
            let place = location_of(name.span.start);
            // As in Trino, letter case matters to whether a name is the same one.
            if names[..index].iter().any(|earlier| earlier.value == name.value) {
                let message = format!("Column '{}' appears multiple times in USING clause", name.value);
                return Err(user_error(ErrorCode::DuplicateColumnName, place, message));
            }
            let a = using_column(&left.fields, name, place, "left")?;
            let b = using_column(&right.fields, name, place, "right")?;
            let (a_expr, b_expr) = (
                Expr::column(a.field.id, a.field.data_type.clone()).at(place),
                Expr::column(b.field.id, b.field.data_type.clone()).at(place),
            );
            let Some((left_key, right_key)) = self.unified(a_expr.clone(), b_expr.clone()) else {
                let message = format!(
                    "Column '{}' of USING has the types {} and {}",
                    name.value, a.field.data_type, b.field.data_type
                );
                return Err(type_mismatch(place, message));
            };
            sides.extend([a.field.id, b.field.id]);
            let (field, value) = match kind {
                JoinKind::Full => {
                    let sides = vec![left_key.clone(), right_key.clone()];
                    (&a.field, self.scalar_call(ScalarFunction::Coalesce, sides, place)?)
                }
                JoinKind::Right if may_differ(&right_key.data_type) => {
                    let sides = vec![left_key.clone(), right_key.clone()];
                    (&b.field, self.scalar_call(ScalarFunction::Coalesce, sides, place)?)
                }
                JoinKind::Right => (&b.field, right_key.clone()),
                _ => (&a.field, left_key.clone()),
            };
            let shown = if value.as_column() == Some(field.id) {
                field.clone()
            } else {
                let merged_field = self.new_field(field.name.clone(), value.data_type.clone());
                merged.push((merged_field.clone(), value));
                merged_field
            };
            // The column has its name as it is written in USING.
            first
                .push(ScopeField::new(&[], Field { name: name.value.clone(), is_anonymous: false, ..shown }));
            keys.push(JoinKey { left: left_key, right: right_key, null_equals_null: false });
        }
        let mut fields = first;
        for field in left.fields.into_iter().chain(right.fields) {
            let is_hidden = field.is_hidden || sides.contains(&field.field.id);
            fields.push(ScopeField { is_hidden, ..field });
        }
        let mut plan = if kind == JoinKind::Inner {
            let equalities: Vec<Expr> = keys
                .into_iter()
                .map(|key| Expr::comparison(ComparisonOperator::Equal, key.left, key.right))
                .collect();
            let joined = Plan::join(kind, left.plan, right.plan, Vec::new(), None);
            Plan::Filter { input: Box::new(joined), predicate: Expr::and(equalities) }
        } else {
            Plan::join(kind, left.plan, right.plan, keys, None)
        };
        if !merged.is_empty() {
            let mut columns = plan.passed_on();
            columns.extend(merged);
            plan = Plan::Project { input: Box::new(plan), columns };
        }
        Ok(Source { plan, fields })
    }
}

/// Whether equal values of a type may be shown differently: in other zones, or as 0 and -0. Trino shows the left one.
const fn may_differ(data_type: &Type) -> bool {
    matches!(
        data_type,
        Type::TimestampWithTimeZone { .. }
            | Type::TimeWithTimeZone { .. }
            | Type::Double
            | Type::Real
            | Type::Array(_)
            | Type::Map(..)
            | Type::Row(_)
    )
}

fn visible(fields: &[ScopeField]) -> impl Iterator<Item = &ScopeField> {
    fields.iter().filter(|field| field.is_in_star())
}

fn using_column<'f>(
    fields: &'f [ScopeField],
    name: &Ident,
    place: Option<ErrorLocation>,
    side: &str,
) -> Result<&'f ScopeField> {
    let mut found = visible(fields).filter(|field| equal_names(&field.field.name, &name.value));
    match (found.next(), found.next()) {
        (Some(field), None) => Ok(field),
        (None, _) => {
            let message = format!("Column '{}' is missing from {side} side of join", name.value);
            Err(user_error(ErrorCode::ColumnNotFound, place, message))
        }
        (Some(_), Some(_)) => {
            let message = format!("Column '{}' is ambiguous on the {side} side of join", name.value);
            Err(user_error(ErrorCode::AmbiguousName, place, message))
        }
    }
}

/// Splits a condition into the equalities between the sides and the residual.
pub(super) fn split_condition(condition: Expr, left: &Plan, right: &Plan) -> (Vec<JoinKey>, Option<Expr>) {
    let left_ids: HashSet<ColumnId> = left.column_ids().into_iter().collect();
    let right_ids: HashSet<ColumnId> = right.column_ids().into_iter().collect();
    let mut keys = Vec::new();
    let mut rest = Vec::new();
    for part in condition.into_conjuncts() {
        match JoinKey::from_condition(&part, &left_ids, &right_ids) {
            Some(key) => {
                // A hash join may consider NaN equal to itself, so the equality also stays in the residual.
                if matches!(key.left.data_type, Type::Real | Type::Double) {
                    rest.push(part);
                }
                keys.push(key);
            }
            None => rest.push(part),
        }
    }
    rest.retain(|part| part.as_literal() != Some(&Value::Boolean(true)));
    let residual = (!rest.is_empty()).then(|| Expr::and(rest));
    (keys, residual)
}
