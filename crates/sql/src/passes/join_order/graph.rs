//! A join region as a graph: relations, the equalities between them, and conditions that apply once all of their
//! columns are available.

use std::collections::{HashMap, HashSet};

use super::Parts;
use crate::expr::fallible::can_fail_by_row;
use crate::expr::{ComparisonOperator, Expr, ExprKind};
use crate::passes::cardinality::{ColumnEstimate, Estimate, Estimator, KeyEstimate, join_rows};
use crate::passes::implied::implied;
use crate::plan::{ColumnId, Join, JoinKey, JoinKind, Plan};
use crate::types::Type;

/// A semi join is applied before the joins of its table if its right side has at most this fraction of the table's
/// rows.
const MAX_EARLY_PART: f64 = 0.5;

/// A semi or anti join, as a condition on the left columns to which it refers.
#[derive(Clone, Debug)]
pub(super) struct SemiJoin {
    pub(super) kind: JoinKind,
    pub(super) right: Plan,
    pub(super) keys: Vec<JoinKey>,
    pub(super) residual: Option<Expr>,
}

/// The graph of a join region.
#[derive(Debug)]
pub(super) struct Graph {
    relations: Vec<Relation>,
    /// Equivalence classes of columns of two or more relations.
    pub(super) classes: Vec<Class>,
    /// All other conditions on more than one relation.
    conditions: Vec<Condition>,
    /// Semi joins that are applied last.
    late: Vec<SemiJoin>,
    /// Conditions on one relation that can fail: they are computed for the joined rows alone (D162).
    risky: Vec<Expr>,
}

#[derive(Debug)]
struct Relation {
    plan: Plan,
    rows: f64,
    is_one_row: bool,
}

/// An equivalence class: columns that are equal in every row of the result.
#[derive(Debug)]
pub(super) struct Class {
    members: Vec<Member>,
}

/// A column of a relation.
#[derive(Clone, Debug)]
struct Member {
    relation: usize,
    column: ColumnId,
    data_type: Type,
    estimate: ColumnEstimate,
}

#[derive(Debug)]
struct Condition {
    predicate: Expr,
    /// A bit mask of the relations to which it refers.
    relations: u64,
    /// The fraction of rows for which it is TRUE.
    selectivity: f64,
}

impl Graph {
    pub(super) fn new(parts: Parts, estimator: &Estimator) -> Self {
        let Parts { relations, predicates, semi_joins, outer_joins: _ } = parts;
        let mut owner: HashMap<ColumnId, usize> = HashMap::new();
        for (index, relation) in relations.iter().enumerate() {
            owner.extend(relation.column_ids().into_iter().map(|column| (column, index)));
        }
        let mut own: Vec<Vec<Expr>> = vec![Vec::new(); relations.len()];
        let mut equalities = Vec::new();
        let mut others = Vec::new();
        let mut risky = Vec::new();
        for predicate in predicates {
            let named = relations_of(&predicate, &owner);
            match (named.count_ones(), column_equality(&predicate)) {
                (1, _) if can_fail_by_row(&predicate) => risky.push(predicate),
                (1, _) => own[named.trailing_zeros() as usize].push(predicate),
                (2, Some(pair)) => equalities.push(pair),
                _ => {
                    imply_on_each(&predicate, &owner, &mut own);
                    others.push((predicate, named));
                }
            }
        }
        let base: Vec<Estimate> = relations.iter().map(|relation| estimator.estimate(relation)).collect();
        let classes = classes_of(equalities, &owner, &base);
        for class in &classes {
            class.equate_within(&mut own);
        }
        let is_single = relations.len() == 1;
        let mut relations: Vec<Plan> =
            relations.into_iter().zip(own).map(|(plan, filters)| plan.filtered(filters)).collect();
        // A semi join with few rows restricts its table before other joins.
        let mut late = Vec::new();
        for semi_join in semi_joins {
            let named = semi_join.relations(&owner);
            let single = (named.count_ones() == 1).then(|| named.trailing_zeros() as usize);
            let is_early = |index: usize| {
                semi_join.kind == JoinKind::Semi
                    && semi_join.residual.is_none()
                    && estimator.rows(&semi_join.right) < estimator.rows(&relations[index]) * MAX_EARLY_PART
            };
            match single {
                Some(index) if is_single || is_early(index) => {
                    let taken = relations[index].take();
                    relations[index] = semi_join.over(taken);
                }
                _ => late.push(semi_join),
            }
        }
        let mut all = Estimate::default();
        base.iter().for_each(|relation| all.extend(relation));
        let conditions = others
            .into_iter()
            .map(|(predicate, relations)| {
                let selectivity = all.selectivity(&predicate);
                Condition { predicate, relations, selectivity }
            })
            .collect();
        let relations = relations
            .into_iter()
            .map(|plan| {
                let (rows, is_one_row) = (estimator.rows(&plan), returns_at_most_one_row(&plan));
                Relation { plan, rows, is_one_row }
            })
            .collect();
        Self { relations, classes, conditions, late, risky }
    }

    pub(super) fn len(&self) -> usize {
        self.relations.len()
    }

    pub(super) fn rows(&self, relation: usize) -> f64 {
        self.relations[relation].rows
    }

    pub(super) fn is_one_row(&self, relation: usize) -> bool {
        self.relations[relation].is_one_row
    }

    /// Whether an equality joins the relation to one in the set.
    pub(super) fn is_joined(&self, set: u64, relation: usize) -> bool {
        self.classes.iter().any(|class| class.links(set, relation))
            || self.conditions.iter().any(|condition| {
                let with = set | 1 << relation;
                condition.relations & !with == 0
                    && condition.relations & set != 0
                    && condition.relations & (1 << relation) != 0
                    && self.as_key(condition, set, relation).is_some()
            })
    }

    /// The estimated rows after joining a set with one more relation.
    pub(super) fn joined_rows(&self, set: u64, set_rows: f64, relation: usize) -> f64 {
        let links = || self.classes.iter().filter_map(|class| class.link(set, relation));
        let before = KeyEstimate::of(links().map(|(before, _)| before.estimate));
        let next = KeyEstimate::of(links().map(|(_, next)| next.estimate));
        let with = set | 1 << relation;
        let new = self.conditions.iter().filter(|condition| {
            condition.relations & (1 << relation) != 0 && condition.relations & !with == 0
        });
        let selectivity: f64 = new.map(|condition| condition.selectivity).product();
        (join_rows((set_rows, before), (self.relations[relation].rows, next)) * selectivity).max(1.0)
    }

    /// The plan of the region, with its relations joined in this order.
    pub(super) fn into_plan(mut self, order: Vec<usize>) -> Plan {
        let sizes = self.sizes(&order);
        let mut conditions = std::mem::take(&mut self.conditions);
        let relations = std::mem::take(&mut self.relations);
        let rows: Vec<f64> = relations.iter().map(|relation| relation.rows).collect();
        let mut plans: Vec<Option<Plan>> =
            relations.into_iter().map(|relation| Some(relation.plan)).collect();
        let mut set = 0_u64;
        let mut joined: Option<Plan> = None;
        for (index, rows_before) in order.into_iter().zip(sizes) {
            let Some(next) = plans[index].take() else { continue };
            let Some(before) = joined else {
                joined = Some(next);
                set = 1 << index;
                continue;
            };
            let with = set | 1 << index;
            let mut keys: Vec<JoinKey> =
                self.classes.iter().filter_map(|class| class.key(set, index)).collect();
            let mut residual = Vec::new();
            let mut waiting = Vec::with_capacity(conditions.len());
            for condition in conditions {
                if condition.relations & !with != 0 {
                    waiting.push(condition);
                    continue;
                }
                match key_between(&condition.predicate, &before, &next) {
                    Some(key) => {
                        if matches!(key.left.data_type, Type::Real | Type::Double) {
                            residual.push(condition.predicate);
                        }
                        keys.push(key);
                    }
                    None => residual.push(condition.predicate),
                }
            }
            conditions = waiting;
            let (left, right, keys) = if rows_before >= rows[index] {
                (before, next, keys)
            } else {
                (next, before, keys.into_iter().map(swapped).collect())
            };
            let join = Plan::Join(Join {
                kind: JoinKind::Inner,
                left: Box::new(left),
                right: Box::new(right),
                keys,
                residual: None,
            });
            joined = Some(join.filtered(residual));
            set = with;
        }
        let joined = joined.unwrap_or_else(Plan::one_row);
        let plan = joined.filtered(conditions.into_iter().map(|condition| condition.predicate).collect());
        self.late.into_iter().fold(plan, |plan, semi_join| semi_join.over(plan)).filtered(self.risky)
    }

    /// The estimated rows before each relation of an order is joined.
    fn sizes(&self, order: &[usize]) -> Vec<f64> {
        let (mut set, mut rows) = (0_u64, 1.0);
        let sizes = order.iter().map(|index| {
            let before = rows;
            rows = if set == 0 { self.rows(*index) } else { self.joined_rows(set, rows, *index) };
            set |= 1 << *index;
            before
        });
        sizes.collect()
    }

    fn as_key(&self, condition: &Condition, set: u64, relation: usize) -> Option<()> {
        let ExprKind::Comparison { operator: ComparisonOperator::Equal, left, right } =
            &condition.predicate.kind
        else {
            return None;
        };
        let is_over = |expr: &Expr, relations: u64| {
            let columns = expr.columns();
            !columns.is_empty()
                && columns.iter().all(|column| {
                    self.relations.iter().enumerate().any(|(index, known)| {
                        relations & (1 << index) != 0 && known.plan.column_ids().contains(column)
                    })
                })
        };
        let one = 1 << relation;
        ((is_over(left, set) && is_over(right, one)) || (is_over(left, one) && is_over(right, set)))
            .then_some(())
    }
}

impl Class {
    /// Adds the implied equality of two members of one relation as a filter on that relation, because a join has only
    /// one key per class.
    fn equate_within(&self, own: &mut [Vec<Expr>]) {
        for (position, member) in self.members.iter().enumerate() {
            let before = &self.members[..position];
            if let Some(first) = before.iter().find(|other| other.relation == member.relation) {
                let (left, right) = (first.value(), member.value());
                own[member.relation].push(Expr::comparison(ComparisonOperator::Equal, left, right));
            }
        }
    }

    /// The members that join a set with a relation. From the set, the member with the smallest domain, which bounds
    /// that of all.
    fn link(&self, set: u64, relation: usize) -> Option<(&Member, &Member)> {
        let next = self.members.iter().find(|member| member.relation == relation)?;
        let of_set = self.members.iter().filter(|member| set & (1 << member.relation) != 0);
        let before = of_set.min_by(|one, other| one.estimate.domain().total_cmp(&other.estimate.domain()))?;
        Some((before, next))
    }

    fn links(&self, set: u64, relation: usize) -> bool {
        self.link(set, relation).is_some()
    }

    fn key(&self, set: u64, relation: usize) -> Option<JoinKey> {
        let before = self.members.iter().find(|member| set & (1 << member.relation) != 0)?;
        let next = self.members.iter().find(|member| member.relation == relation)?;
        Some(JoinKey { left: before.value(), right: next.value(), null_equals_null: false })
    }
}

impl Member {
    fn value(&self) -> Expr {
        Expr::column(self.column, self.data_type.clone())
    }
}

impl SemiJoin {
    fn relations(&self, owner: &HashMap<ColumnId, usize>) -> u64 {
        let exprs = self.keys.iter().map(|key| &key.left).chain(&self.residual);
        exprs.fold(0, |relations, expr| relations | relations_of(expr, owner))
    }

    fn over(self, left: Plan) -> Plan {
        let Self { kind, right, keys, residual } = self;
        Plan::Join(Join { kind, left: Box::new(left), right: Box::new(right), keys, residual })
    }
}

fn swapped(key: JoinKey) -> JoinKey {
    JoinKey { left: key.right, right: key.left, null_equals_null: key.null_equals_null }
}

/// A bit mask of the relations to which an expression refers; right columns of a semi join have no owner.
fn relations_of(expr: &Expr, owner: &HashMap<ColumnId, usize>) -> u64 {
    expr.columns()
        .iter()
        .filter_map(|column| owner.get(column))
        .fold(0, |relations, index| relations | 1 << index)
}

/// Matches `a = b` for two columns of one type, except real and double.
fn column_equality(predicate: &Expr) -> Option<(ColumnId, ColumnId, Type)> {
    let ExprKind::Comparison { operator: ComparisonOperator::Equal, left, right } = &predicate.kind else {
        return None;
    };
    let is_floating = matches!(left.data_type, Type::Real | Type::Double);
    (!is_floating && left.data_type == right.data_type)
        .then(|| Some((left.as_column()?, right.as_column()?, left.data_type.clone())))?
}

fn key_between(predicate: &Expr, left: &Plan, right: &Plan) -> Option<JoinKey> {
    let ids = |plan: &Plan| plan.column_ids().into_iter().collect::<HashSet<ColumnId>>();
    let (left_ids, right_ids) = (ids(left), ids(right));
    JoinKey::from_condition(predicate, &left_ids, &right_ids)
}

/// Adds to each relation the filters that a condition on several relations implies for it.
fn imply_on_each(predicate: &Expr, owner: &HashMap<ColumnId, usize>, own: &mut [Vec<Expr>]) {
    for (index, filters) in own.iter_mut().enumerate() {
        let is_over = |part: &Expr| relations_of(part, owner) == 1 << index && !can_fail_by_row(part);
        filters.extend(implied(predicate, is_over));
    }
}

/// Merges pairs of equal columns into equivalence classes.
fn classes_of(
    pairs: Vec<(ColumnId, ColumnId, Type)>,
    owner: &HashMap<ColumnId, usize>,
    estimates: &[Estimate],
) -> Vec<Class> {
    let mut groups: Vec<(Vec<ColumnId>, Type)> = Vec::new();
    for (left, right, data_type) in pairs {
        let mut merged = vec![left, right];
        groups.retain(|(members, _)| {
            let is_touched = members.contains(&left) || members.contains(&right);
            if is_touched {
                merged.extend(members.iter().filter(|member| ![left, right].contains(member)));
            }
            !is_touched
        });
        groups.push((merged, data_type));
    }
    groups
        .into_iter()
        .map(|(columns, data_type)| {
            let members = columns.into_iter().filter_map(|column| {
                let relation = *owner.get(&column)?;
                let estimate = estimates.get(relation)?.column(column);
                Some(Member { relation, column, data_type: data_type.clone(), estimate })
            });
            Class { members: members.collect() }
        })
        .collect()
}

fn returns_at_most_one_row(plan: &Plan) -> bool {
    match plan {
        Plan::Aggregate(aggregate) => aggregate.keys.is_empty(),
        Plan::Values { rows, .. } => rows.len() <= 1,
        Plan::EnforceSingleRow { .. } => true,
        Plan::Project { input, .. } | Plan::Filter { input, .. } | Plan::Sort { input, .. } => {
            returns_at_most_one_row(input)
        }
        _ => false,
    }
}
