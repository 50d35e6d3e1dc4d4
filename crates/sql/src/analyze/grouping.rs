//! GROUP BY: its keys and grouping sets, the aggregation, and the names that expressions above it may use.

use std::collections::HashSet;

use rowhouse_model::{ErrorCode, ErrorLocation};
use sqlparser::ast::{Expr as AstExpr, SelectItem};

use super::context::{Aliases, Analyzer, Context, Item, Pending, user_error};
use super::over_groups::{Keys, OverGroups};
use super::place::place_of;
use super::query::integer_literal;
use super::same_subqueries::DistinctSubqueries;
use super::scope::Scope;
use super::work::{STEPS_OF_COLUMN, STEPS_OF_NODE};
use crate::error::{Result, type_mismatch};
use crate::expr::{Expr, Value};
use crate::plan::{Aggregate, AggregateCall, ColumnId, Field, Plan, SetOperationKind};
use crate::spelling::INNER_QUOTE;
use crate::types::Type;

/// Maximum number of grouping sets, as in Trino.
const MAX_GROUPING_SETS: usize = 2_048;
/// Maximum number of arguments of GROUPING: its bits are those of a bigint that is not negative.
pub(super) const MAX_GROUPING_ARGUMENTS: usize = 63;

/// The distinct keys of GROUP BY, and the grouping sets as indexes of keys.
#[derive(Debug)]
pub(super) struct Grouping {
    keys: Vec<Expr>,
    sets: Vec<Vec<usize>>,
    /// Subqueries in keys.
    subqueries: DistinctSubqueries,
}

impl Default for Grouping {
    /// One group of all rows.
    fn default() -> Self {
        Self { keys: Vec::new(), sets: vec![Vec::new()], subqueries: DistinctSubqueries::default() }
    }
}

/// What the keys of a GROUP BY may name.
#[derive(Clone, Copy)]
pub(super) struct KeySources<'s> {
    pub(super) items: &'s [Item],
    pub(super) projection: &'s [SelectItem],
    /// The subqueries of the items.
    pub(super) subqueries: &'s [Pending],
    pub(super) scope: &'s Scope<'s>,
    pub(super) aliases: &'s Aliases,
}

impl KeySources<'_> {
    /// The expression of the select list that is written like this one.
    fn item(&self, expr: &AstExpr) -> Option<&Item> {
        if self.items.len() != self.projection.len() {
            return None;
        }
        let is_same = |item: &SelectItem| match item {
            SelectItem::UnnamedExpr(item) | SelectItem::ExprWithAlias { expr: item, .. } => item == expr,
            _ => false,
        };
        Some(&self.items[self.projection.iter().position(is_same)?])
    }
}

impl Analyzer<'_> {
    pub(super) fn grouping(
        &mut self,
        exprs: &[AstExpr],
        sources: KeySources<'_>,
        aggregates: &[AggregateCall],
    ) -> Result<Grouping> {
        let mut grouping = Grouping::default();
        let (is_distinct, exprs) = match exprs.split_first() {
            Some((first, rest)) if is_grouping_word(first, "DISTINCT") => (true, rest),
            Some((first, rest)) if is_grouping_word(first, "ALL") => (false, rest),
            _ => (false, exprs),
        };
        // Every AUTO has the same keys.
        let mut automatic: Option<Vec<usize>> = None;
        for expr in exprs {
            let place = place_of(expr);
            self.spend(STEPS_OF_NODE, place)?;
            let sets: Vec<Vec<usize>> = match expr {
                auto if is_grouping_word(auto, "AUTO") => {
                    let keys = match automatic.take() {
                        Some(keys) => keys,
                        None => self.automatic_keys(sources, aggregates, &mut grouping)?,
                    };
                    self.spend(keys.len(), place)?;
                    vec![automatic.insert(keys).clone()]
                }
                AstExpr::Rollup(groups) => {
                    check_ordinals(groups)?;
                    let groups = self.key_groups(groups, sources, &mut grouping)?;
                    check_sets(&[grouping.sets.len(), groups.len() + 1], place)?;
                    self.spend(groups.iter().map(Vec::len).sum::<usize>() * groups.len(), place)?;
                    (0..=groups.len()).rev().map(|length| groups[..length].concat()).collect()
                }
                AstExpr::Cube(groups) => {
                    check_ordinals(groups)?;
                    let mut groups = self.key_groups(groups, sources, &mut grouping)?;
                    // Its sets are those of a set of groups, each of which is a set of keys.
                    let mut known = HashSet::new();
                    groups.retain(|group| known.insert(sorted(group)));
                    let mut factors = vec![2; groups.len()];
                    factors.push(grouping.sets.len());
                    check_sets(&factors, place)?;
                    (0..1_usize << groups.len())
                        .rev()
                        .map(|mask| {
                            let chosen = groups
                                .iter()
                                .enumerate()
                                .filter(|(index, _)| mask & (1 << (groups.len() - 1 - index)) != 0);
                            chosen.flat_map(|(_, group)| group.clone()).collect()
                        })
                        .collect()
                }
                AstExpr::GroupingSets(groups) => {
                    check_ordinals(groups)?;
                    self.key_groups(groups, sources, &mut grouping)?
                }
                AstExpr::Tuple(exprs) => vec![self.key_group(exprs, sources, &mut grouping)?],
                single => {
                    vec![self.key_group(std::slice::from_ref(single), sources, &mut grouping)?]
                }
            };
            check_sets(&[grouping.sets.len(), sets.len()], place)?;
            let longest = |sets: &[Vec<usize>]| sets.iter().map(Vec::len).max().unwrap_or(0);
            let compared = longest(&grouping.sets).saturating_mul(1 + longest(&sets));
            self.spend(compared.saturating_mul(grouping.sets.len() * sets.len()), place)?;
            let mut product = Vec::with_capacity(grouping.sets.len() * sets.len());
            for left in &grouping.sets {
                for right in &sets {
                    let mut set = left.clone();
                    // ROLLUP (a, a) lists a key twice.
                    for index in right {
                        if !set.contains(index) {
                            set.push(*index);
                        }
                    }
                    product.push(set);
                }
            }
            grouping.sets = product;
        }
        if is_distinct {
            let mut known = HashSet::new();
            grouping.sets.retain(|set| known.insert(sorted(set)));
        }
        Ok(grouping)
    }

    /// The keys of AUTO: all expressions of the select list without aggregates.
    fn automatic_keys(
        &mut self,
        sources: KeySources<'_>,
        aggregates: &[AggregateCall],
        grouping: &mut Grouping,
    ) -> Result<Vec<usize>> {
        let aggregates: HashSet<ColumnId> = aggregates.iter().map(|call| call.output.id).collect();
        let mut group = Vec::new();
        for item in sources.items {
            self.spend(STEPS_OF_COLUMN, item.expr.location)?;
            if item.expr.as_column().is_some_and(|id| aggregates.contains(&id)) {
                continue;
            }
            let key = self.key_of_item(item, sources, grouping)?;
            self.add_key(key, grouping, &mut group)?;
        }
        Ok(group)
    }

    fn key_groups(
        &mut self,
        groups: &[Vec<AstExpr>],
        sources: KeySources<'_>,
        grouping: &mut Grouping,
    ) -> Result<Vec<Vec<usize>>> {
        groups.iter().map(|group| self.key_group(group, sources, grouping)).collect()
    }

    /// The indexes of keys; new keys are added.
    fn key_group(
        &mut self,
        exprs: &[AstExpr],
        sources: KeySources<'_>,
        grouping: &mut Grouping,
    ) -> Result<Vec<usize>> {
        let mut group = Vec::with_capacity(exprs.len());
        for expr in exprs {
            let key = self.group_key(expr, sources, grouping)?;
            self.add_key(key, grouping, &mut group)?;
        }
        Ok(group)
    }

    /// Adds a key to a group, and to the list of all keys if it is new.
    fn add_key(&mut self, key: Expr, grouping: &mut Grouping, group: &mut Vec<usize>) -> Result<()> {
        if !key.data_type.is_comparable() {
            let message = format!("{} is not comparable, and therefore cannot be grouped by", key.data_type);
            return Err(type_mismatch(key.location, message));
        }
        self.spend(grouping.keys.len() + group.len(), key.location)?;
        let index = match grouping.keys.iter().position(|known| *known == key) {
            Some(index) => index,
            None => {
                grouping.keys.push(key);
                grouping.keys.len() - 1
            }
        };
        if !group.contains(&index) {
            group.push(index);
        }
        Ok(())
    }

    fn group_key(
        &mut self,
        expr: &AstExpr,
        sources: KeySources<'_>,
        grouping: &mut Grouping,
    ) -> Result<Expr> {
        let place = place_of(expr);
        if let Some(position) = self.ordinal(expr, sources.items.len(), "GROUP BY")? {
            return Ok(self.key_of_item(&sources.items[position], sources, grouping)?.at(place));
        }
        let mut context = Context::new(sources.scope, "GROUP BY clause");
        context.aliases_last = sources.aliases.clone();
        let key = self.expression(expr, &mut context)?;
        // The named queries of a subquery that is written twice are two.
        match sources.item(expr) {
            Some(item) if !context.pending.is_empty() => {
                Ok(self.key_of_item(item, sources, grouping)?.at(place))
            }
            _ => self.key_with_subqueries(key, context.pending, sources.subqueries, &mut grouping.subqueries),
        }
    }

    fn key_of_item(&mut self, item: &Item, sources: KeySources<'_>, grouping: &mut Grouping) -> Result<Expr> {
        let key = self.copy(&item.expr)?;
        self.key_with_subqueries(key, Vec::new(), sources.subqueries, &mut grouping.subqueries)
    }

    /// Builds the aggregation, and rewrites what is evaluated above it to its output columns.
    pub(super) fn aggregate(
        &mut self,
        plan: Plan,
        grouping: Grouping,
        aggregates: Vec<AggregateCall>,
        groupings: Vec<(Vec<Expr>, Field)>,
        scope: &Scope<'_>,
        over_groups: OverGroups<'_>,
    ) -> Result<Plan> {
        let Grouping { keys, sets, subqueries } = grouping;
        let same = self.same_subqueries(over_groups.subqueries, &subqueries)?;
        let plan = self.attach_all(plan, subqueries.into_pending())?;
        let aggregate_outputs: HashSet<ColumnId> = aggregates.iter().map(|call| call.output.id).collect();
        for key in &keys {
            self.spend(key.node_count(), key.location)?;
            if key.any(&|part| part.as_column().is_some_and(|id| aggregate_outputs.contains(&id))) {
                let message = "GROUP BY clause cannot contain aggregations";
                return Err(user_error(ErrorCode::ExpressionNotScalar, key.location, message));
            }
        }
        // Each key is a column of the input; a key that is a column already keeps its id.
        let source_ids: HashSet<ColumnId> = plan.column_ids().into_iter().collect();
        let mut input = plan;
        let mut computed = Vec::new();
        let mut key_fields = Vec::with_capacity(keys.len());
        for key in &keys {
            let field = match key.as_column() {
                Some(id) if source_ids.contains(&id) => Field::new(id, "", key.data_type.clone()),
                _ => {
                    let field = self.new_field("", key.data_type.clone());
                    computed.push((field.clone(), key.clone()));
                    field
                }
            };
            key_fields.push(field);
        }
        if !computed.is_empty() {
            let mut columns = input.passed_on();
            columns.extend(computed);
            input = Plan::Project { input: Box::new(input), columns };
        }

        // With several sets a key is NULL in rows of sets without it, so expressions above must refer to new columns.
        let is_plain = sets.len() == 1 && groupings.is_empty();
        let out_fields: Vec<Field> = if is_plain {
            key_fields.clone()
        } else {
            key_fields.iter().map(|field| self.new_field("", field.data_type.clone())).collect()
        };
        let grouping_indexes: Vec<Vec<usize>> = groupings
            .iter()
            .map(|(args, _)| {
                args.iter()
                    .map(|arg| {
                        keys.iter().position(|key| key == arg).ok_or_else(|| {
                            let message = "arguments of GROUPING must be columns of GROUP BY";
                            user_error(ErrorCode::InvalidArguments, arg.location, message)
                        })
                    })
                    .collect::<Result<_>>()
            })
            .collect::<Result<_>>()?;
        let allowed: HashSet<ColumnId> = out_fields
            .iter()
            .map(|field| field.id)
            .chain(aggregate_outputs.iter().copied())
            .chain(groupings.iter().map(|(_, field)| field.id))
            .collect();
        self.rewrite_over_groups(
            over_groups,
            &Keys { keys: &keys, fields: &out_fields, same, allowed },
            scope,
        )?;
        if is_plain {
            return Ok(Plan::Aggregate(Aggregate {
                input: Box::new(input),
                keys: key_fields.iter().map(|field| field.id).collect(),
                aggregates,
            }));
        }
        self.grouping_sets(input, sets, &key_fields, &out_fields, aggregates, groupings, grouping_indexes)
    }

    /// A union of aggregations over one input, which is shared unless it names columns of an enclosing query; each returns
    /// NULL for the keys that its set lacks.
    #[expect(clippy::too_many_arguments, reason = "the parts of one aggregation")]
    fn grouping_sets(
        &mut self,
        input: Plan,
        sets: Vec<Vec<usize>>,
        key_fields: &[Field],
        out_fields: &[Field],
        aggregates: Vec<AggregateCall>,
        groupings: Vec<(Vec<Expr>, Field)>,
        grouping_indexes: Vec<Vec<usize>>,
    ) -> Result<Plan> {
        let input_fields = input.fields();
        let columns = input_fields.len() + key_fields.len() + 2 * aggregates.len() + groupings.len();
        self.add_level(columns.saturating_mul(sets.len()), None)?;
        let input = self.repeatable(input);
        let is_shared = matches!(input, Plan::Shared { .. });
        let mut branches = Vec::with_capacity(sets.len());
        let fields: Vec<Field> = out_fields
            .iter()
            .cloned()
            .chain(aggregates.iter().map(|call| call.output.clone()))
            .chain(groupings.iter().map(|(_, field)| field.clone()))
            .collect();
        for set in &sets {
            let in_set: HashSet<usize> = set.iter().copied().collect();
            self.spend_on_copy(&input, None)?;
            let calls: Vec<AggregateCall> = aggregates
                .iter()
                .map(|call| AggregateCall {
                    output: self.new_field(call.output.name.clone(), call.output.data_type.clone()),
                    ..call.clone()
                })
                .collect();
            let aggregate = Plan::Aggregate(Aggregate {
                input: Box::new(input.clone()),
                keys: set.iter().map(|index| key_fields[*index].id).collect(),
                aggregates: calls.clone(),
            });
            let mut columns: Vec<(Field, Expr)> = Vec::with_capacity(fields.len());
            for (index, key) in key_fields.iter().enumerate() {
                let value = if in_set.contains(&index) {
                    Expr::column(key.id, key.data_type.clone())
                } else {
                    Expr::literal(Value::Null, key.data_type.clone())
                };
                columns.push((self.new_field("", key.data_type.clone()), value));
            }
            for call in &calls {
                let value = Expr::column(call.output.id, call.output.data_type.clone());
                columns.push((self.new_field("", call.output.data_type.clone()), value));
            }
            for indexes in &grouping_indexes {
                // One bit per argument, the lowest for the last argument: 1 if the set lacks it.
                let bits =
                    indexes.iter().fold(0_i64, |bits, index| bits << 1 | i64::from(!in_set.contains(index)));
                let data_type = type_of_bits(indexes.len());
                columns.push((
                    self.new_field("", data_type.clone()),
                    Expr::literal(Value::Integer(bits), data_type),
                ));
            }
            let branch = Plan::Project { input: Box::new(aggregate), columns };
            branches.push(if is_shared { branch } else { branch.copied(&mut self.next_column).0 });
        }
        if branches.len() == 1
            && let Some(Plan::Project { input, columns }) = branches.pop()
        {
            let columns = fields.into_iter().zip(columns).map(|(field, (_, expr))| (field, expr)).collect();
            return Ok(Plan::Project { input, columns });
        }
        Ok(Plan::SetOperation { kind: SetOperationKind::UnionAll, inputs: branches, fields })
    }
}

/// Refuses places of the select list in ROLLUP, CUBE and GROUPING SETS, where Trino only has columns.
fn check_ordinals(groups: &[Vec<AstExpr>]) -> Result<()> {
    match groups.iter().flatten().find(|key| integer_literal(key).is_some()) {
        Some(number) => {
            let message = format!("GROUP BY expression must be a column reference: {number}");
            Err(user_error(ErrorCode::InvalidColumnReference, place_of(number), message))
        }
        None => Ok(()),
    }
}

/// Refuses a product of too many sets.
fn check_sets(factors: &[usize], place: Option<ErrorLocation>) -> Result<()> {
    let sets = factors.iter().fold(1_usize, |product, factor| product.saturating_mul(*factor));
    if sets <= MAX_GROUPING_SETS {
        return Ok(());
    }
    let found = match i32::try_from(sets) {
        Ok(sets) => sets.to_string(),
        Err(_) => format!("more than {}", i32::MAX),
    };
    let message = format!("GROUP BY has {found} grouping sets but can contain at most {MAX_GROUPING_SETS}");
    Err(user_error(ErrorCode::TooManyGroupingSets, place, message))
}

/// A set of keys, whatever their order.
fn sorted(set: &[usize]) -> Vec<usize> {
    let mut sorted = set.to_vec();
    sorted.sort_unstable();
    sorted
}

/// Whether an element of GROUP BY is a keyword that was rewritten as a name: DISTINCT, ALL or AUTO.
fn is_grouping_word(expr: &AstExpr, word: &str) -> bool {
    matches!(expr, AstExpr::Identifier(name) if name.quote_style == Some(INNER_QUOTE) && name.value == word)
}

/// The type of GROUPING with this number of arguments, each of which is a bit.
pub(super) const fn type_of_bits(arguments: usize) -> Type {
    if arguments < 32 { Type::Integer } else { Type::BigInt }
}
