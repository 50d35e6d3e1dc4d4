//! ORDER BY of a SELECT: its keys, and its subqueries, which can name columns of the select list.

use std::collections::HashSet;
use std::ops::ControlFlow;

use sqlparser::ast::Expr as AstExpr;

use super::context::{Aliases, Analyzer, Context, Item, Ordering, Pending, PendingKind};
use super::place::place_of;
use super::query::{sort_key, sort_options};
use super::scope::{Scope, ScopeField};
use crate::error::Result;
use crate::expr::{Expr, SortKey};
use crate::plan::{ColumnId, Field, Plan, WindowCall};
use crate::tree_walk::{Node, walk};

/// The columns of a select list that subqueries in ORDER BY can name.
pub(super) struct Outputs {
    /// A field for each item with a name, and the index of the item.
    fields: Vec<(usize, Field)>,
    /// The fields that no relation of FROM has: they exist once the items are computed.
    computed: HashSet<ColumnId>,
}

/// The subqueries and window functions of a SELECT, in the order in which they are joined and computed.
pub(super) struct Stages {
    pub(super) before_windows: Vec<Pending>,
    pub(super) windows: Vec<WindowCall>,
    /// They look for the result of a window function.
    pub(super) over_windows: Vec<Pending>,
    /// They name computed columns of the select list.
    pub(super) over_outputs: Vec<Pending>,
    /// They are computed from results of the subqueries over windows or outputs.
    pub(super) later_windows: Vec<WindowCall>,
    /// They look for the result of a later window function.
    pub(super) over_later_windows: Vec<Pending>,
}

impl Outputs {
    /// The scope of the columns, inside of that of the SELECT.
    pub(super) fn scope<'s>(&self, around: &'s Scope<'s>) -> Scope<'s> {
        let fields = self.fields.iter().map(|(_, field)| ScopeField::new(&[], field.clone()));
        Scope::new(fields.collect(), Some(around))
    }

    /// Divides subqueries and window functions; one that needs the result of another one follows it.
    pub(super) fn divide(&self, pending: Vec<Pending>, windows: Vec<WindowCall>) -> Stages {
        let mut of_windows: HashSet<ColumnId> = windows.iter().map(|call| call.output.id).collect();
        let mut of_outputs = self.computed.clone();
        let mut stages = Stages {
            before_windows: Vec::new(),
            windows: Vec::new(),
            over_windows: Vec::new(),
            over_outputs: Vec::new(),
            later_windows: Vec::new(),
            over_later_windows: Vec::new(),
        };
        for subquery in pending {
            let needed = needed_columns(&subquery);
            if needed.iter().any(|id| of_outputs.contains(id)) {
                of_outputs.extend(ids(&subquery));
                stages.over_outputs.push(subquery);
            } else if needed.iter().any(|id| of_windows.contains(id)) {
                of_windows.extend(ids(&subquery));
                stages.over_windows.push(subquery);
            } else {
                stages.before_windows.push(subquery);
            }
        }
        let mut later: HashSet<ColumnId> =
            stages.over_windows.iter().chain(&stages.over_outputs).flat_map(ids).collect();
        for call in windows {
            if call.expressions().any(|part| part.columns().iter().any(|id| later.contains(id))) {
                later.insert(call.output.id);
                stages.later_windows.push(call);
            } else {
                stages.windows.push(call);
            }
        }
        let mut of_later: HashSet<ColumnId> =
            stages.later_windows.iter().map(|call| call.output.id).collect();
        for subqueries in [&mut stages.over_windows, &mut stages.over_outputs] {
            for subquery in std::mem::take(subqueries) {
                if needed_columns(&subquery).iter().any(|id| of_later.contains(id)) {
                    of_later.extend(ids(&subquery));
                    stages.over_later_windows.push(subquery);
                } else {
                    subqueries.push(subquery);
                }
            }
        }
        stages
    }
}

/// The columns of a subquery's result.
fn ids(subquery: &Pending) -> impl Iterator<Item = ColumnId> + '_ {
    subquery.outputs().iter().map(|field| field.id)
}

/// The columns that a subquery needs from the plan with which it is joined.
fn needed_columns(subquery: &Pending) -> HashSet<ColumnId> {
    let mut needed: HashSet<ColumnId> = subquery.relation.plan.free_columns().into_iter().collect();
    if let PendingKind::In { key, .. } = &subquery.kind {
        needed.extend(key.left.columns());
    }
    needed
}

impl Analyzer<'_> {
    /// The columns of the select list for subqueries in ORDER BY; none if it has no subquery.
    pub(super) fn outputs(&mut self, items: &[Item], ordering: &Ordering<'_>, scope: &Scope<'_>) -> Outputs {
        let mut outputs = Outputs { fields: Vec::new(), computed: HashSet::new() };
        if !ordering.order_by.iter().any(|key| has_subquery(&key.expr)) {
            return outputs;
        }
        let of_from: HashSet<ColumnId> = scope.fields.iter().map(|known| known.field.id).collect();
        for (index, item) in items.iter().enumerate().filter(|(_, item)| item.is_named && !item.is_anonymous)
        {
            let field = match item.expr.as_column().filter(|id| of_from.contains(id)) {
                Some(id) => Field::new(id, &item.name, item.expr.data_type.clone()),
                None => self.new_field(&item.name, item.expr.data_type.clone()),
            };
            if !of_from.contains(&field.id) {
                outputs.computed.insert(field.id);
            }
            outputs.fields.push((index, field));
        }
        outputs
    }

    /// The keys of ORDER BY.
    pub(super) fn sort_keys(
        &mut self,
        ordering: &Ordering<'_>,
        items: &[Item],
        aliases: &Aliases,
        context: &mut Context<'_>,
    ) -> Result<Vec<SortKey>> {
        context.clause = "ORDER BY clause";
        context.aliases_first = aliases.clone();
        let mut sort_keys = Vec::with_capacity(ordering.order_by.len());
        for key in &ordering.order_by {
            let (expr, options) = sort_options(key)?;
            let analyzed = match self.ordinal(expr, items.len(), "ORDER BY")? {
                Some(index) => self.copy(&items[index].expr)?.at(place_of(expr)),
                None => self.expression(expr, context)?,
            };
            sort_keys.push(sort_key(analyzed, options)?);
        }
        context.aliases_first = Aliases::default();
        Ok(sort_keys)
    }

    /// The keys of DISTINCT ON.
    pub(super) fn distinct_keys(
        &mut self,
        exprs: &[AstExpr],
        aliases: &Aliases,
        context: &mut Context<'_>,
    ) -> Result<Vec<Expr>> {
        context.clause = "DISTINCT ON";
        context.aliases_last = aliases.clone();
        let keys = exprs.iter().map(|expr| self.expression(expr, context)).collect::<Result<_>>()?;
        context.aliases_last = Aliases::default();
        Ok(keys)
    }

    /// Computes the items and joins the subqueries that name them. Items, and the sort keys that are items, become
    /// columns, so that each item is computed once.
    pub(super) fn over_outputs(
        &mut self,
        plan: Plan,
        outputs: Outputs,
        items: &mut [Item],
        sort_keys: &mut [SortKey],
        subqueries: Vec<Pending>,
    ) -> Result<Plan> {
        if subqueries.is_empty() {
            return Ok(plan);
        }
        let passed = |field: Field| (field.clone(), Expr::column(field.id, field.data_type));
        let mut columns: Vec<(Field, Expr)> = plan.fields().into_iter().map(passed).collect();
        for (index, field) in
            outputs.fields.into_iter().filter(|(_, field)| outputs.computed.contains(&field.id))
        {
            let item = &mut items[index].expr;
            let column = Expr::column(field.id, field.data_type.clone()).at(item.location);
            self.spend(sort_keys.len(), item.location)?;
            for key in sort_keys.iter_mut().filter(|key| key.expr == *item) {
                key.expr = column.clone().at(key.expr.location);
            }
            columns.push((field, std::mem::replace(item, column)));
        }
        let plan = Plan::Project { input: Box::new(plan), columns };
        self.attach_all(plan, subqueries)
    }
}

/// Whether an expression contains a subquery.
fn has_subquery(expr: &AstExpr) -> bool {
    let found = walk(expr, |node| match node {
        Node::Expr(AstExpr::Subquery(_) | AstExpr::Exists { .. } | AstExpr::InSubquery { .. }) => {
            ControlFlow::Break(())
        }
        _ => ControlFlow::Continue(()),
    });
    found.is_break()
}
