//! SELECT: its clauses in evaluation order, from FROM to the sorted and projected rows.

use std::collections::HashSet;

use rowhouse_model::{ErrorCode, ErrorLocation};
use sqlparser::ast::{
    AccessExpr, Distinct, Expr as AstExpr, GroupByExpr, NamedWindowDefinition, Select, SelectFlavor,
    SelectItem, TableWithJoins,
};

use super::context::{
    Aliases, Analyzer, Context, Item, Ordering, Relation, Source, refuse_if, shown_name, user_error,
};
use super::grouping::{Grouping, KeySources};
use super::over_groups::OverGroups;
use super::place::place_of;
use super::scope::{Scope, ScopeField};
use super::star::{column_item, name_items, place_of_star, star_aliases};
use super::work::STEPS_OF_COLUMN;
use crate::error::{Result, location_of, not_supported, type_mismatch};
use crate::expr::{Expr, SortKey};
use crate::plan::{AggregateCall, ColumnId, Field, Plan, WindowCall};

impl Analyzer<'_> {
    pub(super) fn select(
        &mut self,
        select: &Select,
        ordering: &Ordering<'_>,
        parent: Option<&Scope<'_>>,
    ) -> Result<Relation> {
        let Clauses { place, distinct, projection, from, selection, group_by, having, named_window, qualify } =
            clauses(select)?;

        let levels = self.work.levels();
        let Source { mut plan, fields } = self.from(from, parent)?;
        self.spend(fields.len().saturating_mul(STEPS_OF_COLUMN), place)?;
        let joins = self.work.levels() - levels;
        let scope = Scope::new(fields, parent);
        if let Some(selection) = selection {
            let mut context = Context::new(&scope, "WHERE clause");
            let predicate = self.condition(selection, &mut context)?;
            plan = self.attach_all(plan, context.pending)?;
            // The passes check each conjunct above each join.
            self.spend(predicate.node_count().saturating_mul(joins), place)?;
            plan = Plan::Filter { input: Box::new(plan), predicate };
        }

        // The select list, HAVING, QUALIFY and ORDER BY share the collected aggregates and window functions.
        let mut context = Context::new(&scope, "SELECT clause");
        context.aggregates = Some(Vec::new());
        context.windows = Some(Vec::new());
        context.groupings = Some(Vec::new());
        let mut of_definitions;
        (context.named_windows, of_definitions) = self.named_windows(named_window, &scope)?;
        let mut items = self.items(projection, place, &mut context)?;
        let named = items.iter().filter(|item| item.is_named);
        let aliases = Aliases::new(named.map(|item| (item.name.clone(), item.expr.clone())));

        context.clause = "HAVING clause";
        context.aliases_last = aliases.clone();
        let windows = context.windows.take();
        let mut having = having.map(|having| self.condition(having, &mut context)).transpose()?;
        context.windows = windows;
        context.clause = "QUALIFY clause";
        let mut qualify = qualify.map(|qualify| self.condition(qualify, &mut context)).transpose()?;
        context.aliases_last = Aliases::default();

        let mut distinct_on = match distinct {
            None | Some(Distinct::All | Distinct::Distinct) => None,
            Some(Distinct::On(exprs)) => Some(self.distinct_keys(exprs, &aliases, &mut context)?),
        };
        let is_distinct = matches!(distinct, Some(Distinct::Distinct));
        if is_distinct {
            check_distinct(&items, place)?;
        }

        let before_order = context.pending.len();
        let outputs = self.outputs(&items, ordering, &scope);
        let outputs_scope = outputs.scope(&scope);
        context.outputs = Some(&outputs_scope);
        let mut sort_keys = self.sort_keys(ordering, &items, &aliases, &mut context)?;
        if is_distinct {
            self.name_selected(&mut sort_keys, &mut context.pending, before_order)?;
        }

        let Context { aggregates, windows, groupings, mut pending, pending_below, .. } = context;
        let aggregates = aggregates.unwrap_or_default();
        let mut windows = windows.unwrap_or_default();
        let groupings = groupings.unwrap_or_default();
        let sources =
            KeySources { items: &items, projection, subqueries: &pending, scope: &scope, aliases: &aliases };
        let group_by = self.group_by(group_by, sources, &aggregates)?;

        if group_by.is_some() || !aggregates.is_empty() || having.is_some() {
            let mut exprs: Vec<&mut Expr> = items.iter_mut().map(|item| &mut item.expr).collect();
            exprs.extend(having.iter_mut());
            exprs.extend(qualify.iter_mut());
            exprs.extend(distinct_on.iter_mut().flatten());
            exprs.extend(sort_keys.iter_mut().map(|key| &mut key.expr));
            exprs.extend(windows.iter_mut().flat_map(WindowCall::expressions_mut));
            exprs.extend(&mut of_definitions);
            let over_groups = OverGroups { exprs, subqueries: &mut pending };
            plan = self.attach_all(plan, pending_below)?;
            let grouping = group_by.unwrap_or_default();
            plan = self.aggregate(plan, grouping, aggregates, groupings, &scope, over_groups)?;
        } else if let Some((_, output)) = groupings.first() {
            let name = output.name.to_uppercase();
            let message = format!(
                "A {name}() operation can only be used with a corresponding GROUPING SET/CUBE/ROLLUP/GROUP BY clause"
            );
            return Err(user_error(ErrorCode::MissingGroupBy, place, message));
        }
        let stages = outputs.divide(pending, windows);
        plan = self.attach_all(plan, stages.before_windows)?;
        if let Some(predicate) = having {
            plan = Plan::Filter { input: Box::new(plan), predicate };
        }
        plan = with_windows(plan, stages.windows);
        plan = self.attach_all(plan, stages.over_windows)?;
        // All window functions are computed over the rows before QUALIFY.
        if stages.later_windows.is_empty()
            && let Some(predicate) = qualify.take()
        {
            plan = Plan::Filter { input: Box::new(plan), predicate };
        }
        plan = self.over_outputs(plan, outputs, &mut items, &mut sort_keys, stages.over_outputs)?;
        plan = with_windows(plan, stages.later_windows);
        plan = self.attach_all(plan, stages.over_later_windows)?;
        if let Some(predicate) = qualify {
            plan = Plan::Filter { input: Box::new(plan), predicate };
        }
        self.projected(plan, items, sort_keys, is_distinct, distinct_on, ordering)
    }

    /// Applies the select list, DISTINCT, ORDER BY and LIMIT to the plan.
    fn projected(
        &mut self,
        plan: Plan,
        items: Vec<Item>,
        sort_keys: Vec<SortKey>,
        is_distinct: bool,
        distinct_on: Option<Vec<Expr>>,
        ordering: &Ordering<'_>,
    ) -> Result<Relation> {
        let mut columns: Vec<(Field, Expr)> = Vec::with_capacity(items.len());
        // A column keeps its id, unless it is listed twice or belongs to an enclosing query.
        let mut passing: HashSet<ColumnId> = plan.column_ids().into_iter().collect();
        for item in items {
            let field = match item.expr.as_column() {
                Some(id) if passing.remove(&id) => Field {
                    id,
                    name: item.name,
                    is_anonymous: item.is_anonymous,
                    data_type: item.expr.data_type.clone(),
                },
                _ => {
                    let field = self.new_field(item.name, item.expr.data_type.clone());
                    Field { is_anonymous: item.is_anonymous, ..field }
                }
            };
            columns.push((field, item.expr));
        }
        let fields: Vec<Field> = columns.iter().map(|(field, _)| field.clone()).collect();
        let mut as_column = |analyzer: &mut Self, expr: Expr, may_add: bool| -> Result<Expr> {
            let place = expr.location;
            analyzer.spend(columns.len(), place)?;
            if let Some((field, _)) = columns.iter().find(|(_, known)| *known == expr) {
                return Ok(Expr::column(field.id, field.data_type.clone()).at(place));
            }
            if expr.as_literal().is_some() {
                return Ok(expr);
            }
            if !may_add {
                let message = "For SELECT DISTINCT, ORDER BY expressions must appear in select list";
                return Err(user_error(ErrorCode::ExpressionNotInDistinct, place, message));
            }
            let field = match expr.as_column() {
                Some(id) if passing.remove(&id) => Field::new(id, "", expr.data_type.clone()),
                _ => analyzer.new_field("", expr.data_type.clone()),
            };
            columns.push((field.clone(), expr));
            Ok(Expr::column(field.id, field.data_type).at(place))
        };
        let mut keys = Vec::with_capacity(sort_keys.len());
        for SortKey { expr, is_descending, nulls_first } in sort_keys {
            let expr = as_column(self, expr, !is_distinct)?;
            keys.push(SortKey { expr, is_descending, nulls_first });
        }
        let mut on = None;
        if let Some(exprs) = distinct_on {
            let mut ids = Vec::with_capacity(exprs.len());
            for expr in exprs {
                let place = expr.location;
                match as_column(self, expr, true)?.as_column() {
                    Some(id) => ids.push(id),
                    None => return Err(not_supported(place, "a constant in DISTINCT ON")),
                }
            }
            on = Some(ids);
        }
        let mut plan = Plan::Project { input: Box::new(plan), columns };
        if is_distinct {
            plan = Plan::Distinct { input: Box::new(plan), on: None };
        }
        if !keys.is_empty() {
            plan = Plan::Sort { input: Box::new(plan), keys: keys.clone() };
        }
        if on.is_some() {
            plan = Plan::Distinct { input: Box::new(plan), on };
            if !keys.is_empty() {
                plan = Plan::Sort { input: Box::new(plan), keys };
            }
        }
        Ok(Relation { plan: self.limited(plan, ordering), fields })
    }

    fn items(
        &mut self,
        projection: &[SelectItem],
        place: Option<ErrorLocation>,
        context: &mut Context<'_>,
    ) -> Result<Vec<Item>> {
        let mut items = Vec::with_capacity(projection.len());
        for item in projection {
            match item {
                SelectItem::UnnamedExpr(expr) => {
                    let analyzed = self.expression(expr, context)?;
                    let own = own_name(expr).filter(|_| !self.is_session_value(expr, context.scope));
                    items.push(Item {
                        name: own.clone().unwrap_or_else(|| format!("_col{}", items.len())),
                        is_named: own.is_some(),
                        is_anonymous: own.is_none(),
                        expr: analyzed,
                    });
                }
                SelectItem::ExprWithAlias { expr, alias } => {
                    let analyzed = self.expression(expr, context)?;
                    let name = shown_name(alias);
                    items.push(Item { name, is_named: true, is_anonymous: false, expr: analyzed });
                }
                SelectItem::ExprWithAliases { expr, aliases: _ } => {
                    return Err(not_supported(place_of(expr), "several aliases of one expression"));
                }
                SelectItem::Wildcard(options) => {
                    let place = place_of_star(options)?;
                    let fields: Vec<&ScopeField> =
                        context.scope.fields.iter().filter(|field| field.is_in_star()).collect();
                    if fields.is_empty() {
                        let message = "SELECT * not allowed from relation that has no columns";
                        return Err(user_error(ErrorCode::ColumnNotFound, place, message));
                    }
                    items.extend(fields.into_iter().map(|field| column_item(field, place)));
                }
                SelectItem::QualifiedWildcard(kind, options) => {
                    let aliases = star_aliases(options)?;
                    let first = items.len();
                    self.items_of_star(kind, place, context, &mut items)?;
                    if let Some(aliases) = aliases {
                        name_items(&mut items[first..], &aliases)?;
                    }
                }
            }
        }
        // Columns without a name are numbered anew in each select list, those of `*` as well.
        for (place, item) in items.iter_mut().enumerate().filter(|(_, item)| item.is_anonymous) {
            item.name = format!("_col{place}");
        }
        Ok(items)
    }

    /// GROUP BY as sets of keys; `None` without GROUP BY.
    fn group_by(
        &mut self,
        group_by: &GroupByExpr,
        sources: KeySources<'_>,
        aggregates: &[AggregateCall],
    ) -> Result<Option<Grouping>> {
        match group_by {
            GroupByExpr::All(_) => Err(not_supported(None, "GROUP BY ALL")),
            GroupByExpr::Expressions(exprs, modifiers) => {
                refuse_if(!modifiers.is_empty(), None, "WITH ROLLUP, CUBE and TOTALS")?;
                if exprs.is_empty() {
                    return Ok(None);
                }
                self.grouping(exprs, sources, aggregates).map(Some)
            }
        }
    }
}

/// Refuses SELECT DISTINCT over types that are not comparable.
fn check_distinct(items: &[Item], place: Option<ErrorLocation>) -> Result<()> {
    let Some(item) = items.iter().find(|item| !item.expr.data_type.is_comparable()) else { return Ok(()) };
    let (given, name) = (&item.expr.data_type, &item.name);
    let message = format!("DISTINCT can only be applied to comparable types (actual: {given}): {name}");
    Err(type_mismatch(place, message))
}

/// The supported clauses of a SELECT.
struct Clauses<'s> {
    place: Option<rowhouse_model::ErrorLocation>,
    distinct: Option<&'s Distinct>,
    projection: &'s [SelectItem],
    from: &'s [TableWithJoins],
    selection: Option<&'s AstExpr>,
    group_by: &'s GroupByExpr,
    having: Option<&'s AstExpr>,
    named_window: &'s [NamedWindowDefinition],
    qualify: Option<&'s AstExpr>,
}

/// Destructures a SELECT; clauses of other dialects are refused.
fn clauses(select: &Select) -> Result<Clauses<'_>> {
    let Select {
        select_token,
        optimizer_hints,
        distinct,
        select_modifiers,
        top,
        top_before_distinct: _,
        projection,
        exclude,
        into,
        from,
        lateral_views,
        prewhere,
        selection,
        connect_by,
        group_by,
        cluster_by,
        distribute_by,
        sort_by,
        having,
        named_window,
        qualify,
        window_before_qualify: _,
        value_table_mode,
        flavor,
    } = select;
    let place = location_of(select_token.0.span.start);
    refuse_if(!optimizer_hints.is_empty(), place, "an optimizer hint")?;
    refuse_if(select_modifiers.is_some(), place, "a modifier of SELECT")?;
    refuse_if(top.is_some(), place, "TOP")?;
    refuse_if(exclude.is_some(), place, "EXCLUDE")?;
    refuse_if(into.is_some(), place, "SELECT INTO")?;
    refuse_if(!lateral_views.is_empty(), place, "LATERAL VIEW")?;
    refuse_if(prewhere.is_some(), place, "PREWHERE")?;
    refuse_if(!connect_by.is_empty(), place, "CONNECT BY")?;
    refuse_if(!cluster_by.is_empty() || !distribute_by.is_empty() || !sort_by.is_empty(), place, "SORT BY")?;
    refuse_if(value_table_mode.is_some(), place, "SELECT AS")?;
    refuse_if(*flavor != SelectFlavor::Standard, place, "FROM before SELECT")?;
    let (distinct, selection) = (distinct.as_ref(), selection.as_ref());
    let (having, qualify) = (having.as_ref(), qualify.as_ref());
    Ok(Clauses { place, distinct, projection, from, selection, group_by, having, named_window, qualify })
}

/// The plan with the results of window functions, if there are any.
fn with_windows(plan: Plan, functions: Vec<WindowCall>) -> Plan {
    if functions.is_empty() { plan } else { Plan::Window { input: Box::new(plan), functions } }
}

/// The name of a column without AS: that of the column or row field that the expression refers to.
fn own_name(expr: &AstExpr) -> Option<String> {
    match expr {
        AstExpr::Identifier(ident) => Some(shown_name(ident)),
        AstExpr::CompoundIdentifier(path) => path.last().map(shown_name),
        // As in Trino, a field of an array's element has no name: `a[1].b`.
        AstExpr::CompoundFieldAccess { root, access_chain } => {
            own_name(root)?;
            let names = access_chain.iter().map(|access| match access {
                AccessExpr::Dot(inner) => own_name(inner),
                AccessExpr::Subscript(_) => None,
            });
            names.collect::<Option<Vec<_>>>()?.pop()
        }
        AstExpr::Nested(inner) => own_name(inner),
        _ => None,
    }
}
