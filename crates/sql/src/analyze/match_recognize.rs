//! MATCH_RECOGNIZE in FROM: its columns, its measures and the definitions of its variables.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use rowhouse_model::{ErrorCode, ErrorLocation, QueryError};
use sqlparser::ast::{Expr as AstExpr, Ident, TableAlias};

use super::call_sites::Calls;
use super::context::{Analyzer, Context, Pending, PendingKind, Relation, Source, user_error};
use super::pattern_labels::{Labels, check_modes};
use super::pattern_scope::PatternScope;
use super::place::{place_of, place_of_any};
use super::query::{sort_key, sort_options};
use super::relation::aliased;
use super::scope::{Scope, ScopeField};
use super::work::STEPS_OF_NODE;
use crate::error::{Result, location_of, type_mismatch};
use crate::expr::{Expr, SortKey};
use crate::match_recognize::MatchRecognize as Parsed;
use crate::plan::{ColumnId, Field, MatchRecognize, PatternExpr, Plan, RowsPerMatch};
use crate::types::Type;

impl Analyzer<'_> {
    /// Analyzes the MATCH_RECOGNIZE clause with an index.
    pub(super) fn match_recognize(
        &mut self,
        index: usize,
        alias: Option<&TableAlias>,
        parent: Option<&Scope<'_>>,
    ) -> Result<Source> {
        let parsed = Rc::clone(&self.matches[index]);
        let place = location_of(parsed.place);
        let input = self.nested(place, |analyzer| analyzer.single_factor(&parsed.table, parent))?;
        self.add_level(input.fields.len(), place)?;
        let fields: Vec<ScopeField> = input.fields.into_iter().filter(ScopeField::is_in_star).collect();
        let mut names = HashSet::new();
        if let Some(field) = fields.iter().find(|field| !names.insert(field.field.name.to_uppercase())) {
            let message = format!("ambiguous column: {} in row pattern input relation", field.field.name);
            return Err(user_error(ErrorCode::AmbiguousName, place, message));
        }
        let columns: Vec<Field> = fields.iter().map(|field| field.field.clone()).collect();
        let scope = Scope::new(fields, None);
        let mut partition_by = self.partition_keys(&parsed, &scope)?;
        let mut order_by = self.order_keys(&parsed, &scope)?;
        let labels = Rc::new(Labels::of(&parsed)?);
        check_definitions(&parsed, &labels)?;
        let pattern = labels.pattern(&parsed.pattern, place)?;
        let skip_to = labels.skip_to(&parsed.skip_to)?;
        if let Some(nested) = parsed.nested {
            let message = "nested row pattern recognition in row pattern recognition";
            let code = ErrorCode::NestedRowPatternRecognition;
            return Err(user_error(code, location_of(nested), message));
        }
        check_modes(&parsed)?;
        let fields = columns.iter().map(|field| ScopeField::new(&[], field.clone())).collect();
        let scope = Scope::new(fields, parent);
        let mut plan = input.plan;
        let mut conditions: Vec<Option<PatternExpr>> = vec![None; labels.primary.len()];
        for (name, condition) in &parsed.definitions {
            let condition = self.pattern_condition(condition, &scope, &labels, &mut plan)?;
            conditions[labels.defined(name)?] = Some(condition);
        }
        let mut measures = Vec::with_capacity(parsed.measures.len());
        for (value, name) in &parsed.measures {
            let value = self.pattern_value(value, &scope, &labels, &mut plan)?;
            let data_type = value.value.data_type.clone();
            measures.push((self.new_field(name.value.clone(), data_type), value));
        }
        let output = output(&parsed, &columns, &partition_by, &order_by, &measures);
        if output.is_empty() {
            let message = "pattern recognition output table has no columns";
            return Err(user_error(ErrorCode::TableHasNoColumns, place, message));
        }
        // The result has one column per mention of a key; for partitioning and sorting, repeated keys are redundant.
        let mut known = HashSet::new();
        partition_by.retain(|key| known.insert(key.as_column()));
        let mut known = HashSet::new();
        order_by.retain(|key| known.insert(key.expr.as_column()));
        let plan = Plan::MatchRecognize(MatchRecognize {
            input: Box::new(plan),
            partition_by,
            order_by,
            labels: labels.primary.clone(),
            pattern,
            conditions,
            measures,
            rows_per_match: parsed.rows_per_match,
            skip_to,
        });
        aliased(Relation { plan, fields: output }, Vec::new(), alias).map_err(|error| match place {
            Some(place) => error.moved(|_| place),
            None => error,
        })
    }

    /// The keys of PARTITION BY, which must be columns of the table.
    fn partition_keys(&mut self, parsed: &Parsed, scope: &Scope<'_>) -> Result<Vec<Expr>> {
        let mut keys = Vec::with_capacity(parsed.partition_by.len());
        for expr in &parsed.partition_by {
            let column = self.input_column(expr, scope)?;
            if !column.data_type.is_comparable() {
                return Err(unfit(&column, "comparable", "PARTITION BY"));
            }
            keys.push(column);
        }
        Ok(keys)
    }

    /// The keys of ORDER BY, which must be columns of the table.
    fn order_keys(&mut self, parsed: &Parsed, scope: &Scope<'_>) -> Result<Vec<SortKey>> {
        let mut keys = Vec::with_capacity(parsed.order_by.len());
        for key in &parsed.order_by {
            let (expr, options) = sort_options(key)?;
            let column = self.input_column(expr, scope)?;
            if !column.data_type.is_orderable() {
                return Err(unfit(&column, "orderable", "ORDER BY"));
            }
            keys.push(sort_key(column, options)?);
        }
        Ok(keys)
    }

    fn input_column(&mut self, expr: &AstExpr, scope: &Scope<'_>) -> Result<Expr> {
        let place = place_of(expr);
        self.spend(STEPS_OF_NODE, place)?;
        let (path, shown): (&[Ident], String) = match expr {
            AstExpr::Nested(inner) => return self.input_column(inner, scope),
            AstExpr::Identifier(name) => (std::slice::from_ref(name), name.value.clone()),
            AstExpr::CompoundIdentifier(path) => (path, expr.to_string()),
            other => {
                let place = self.token_places.of_operator(other).or(place);
                let message = format!("Expected column reference. Actual: {other}");
                return Err(user_error(ErrorCode::InvalidColumnReference, place, message));
            }
        };
        match scope.resolve_here(path, place)? {
            Some(column) if column.as_column().is_some() => Ok(column.at(place)),
            _ => {
                let message = format!("Column {shown} is not present in the input relation");
                Err(user_error(ErrorCode::ColumnNotFound, place, message))
            }
        }
    }

    fn pattern_condition(
        &mut self,
        expr: &AstExpr,
        scope: &Scope<'_>,
        labels: &Rc<Labels>,
        plan: &mut Plan,
    ) -> Result<PatternExpr> {
        let condition = self.pattern_value(expr, scope, labels, plan)?;
        if condition.value.data_type != Type::Boolean {
            let found = &condition.value.data_type;
            let message = format!("Expression defining a label must be boolean (actual type: {found})");
            let place = self.token_places.of_operator(expr).or_else(|| place_of(expr));
            return Err(type_mismatch(place, message));
        }
        Ok(condition)
    }

    /// Analyzes an expression over rows of a match; its subqueries are joined to the plan.
    fn pattern_value(
        &mut self,
        expr: &AstExpr,
        scope: &Scope<'_>,
        labels: &Rc<Labels>,
        plan: &mut Plan,
    ) -> Result<PatternExpr> {
        if let Some(window) = Calls::of(expr).found.iter().find(|call| call.is_over) {
            let message =
                "Cannot nest window functions or row pattern measures inside pattern recognition expressions";
            return Err(user_error(ErrorCode::NestedWindow, window.place, message));
        }
        let row_parameters = [(); 2].map(|()| self.new_field("", Type::Unknown).id);
        let mut context = Context::new(scope, "a row pattern");
        context.pattern = Some(PatternScope::new(Rc::clone(labels), row_parameters));
        let value = self.expression(expr, &mut context)?;
        let pattern = context.pattern.take();
        // They are as many as the table's columns, and most values have no subquery.
        let (own, known): (HashSet<ColumnId>, HashSet<ColumnId>) = match context.pending.is_empty() {
            true => Default::default(),
            false => {
                let own = scope.fields.iter().map(|field| field.field.id);
                (own.collect(), plan.column_ids().into_iter().collect())
            }
        };
        for pending in &context.pending {
            self.spend(own.len(), pending.place)?;
            let of_row = pattern.as_ref().and_then(|pattern| columns_of_row(pending, pattern));
            let outer = match of_row {
                Some(_) => None,
                None => place_of_any(&pending.relation.plan, &own),
            };
            let sought = of_row.map_or_else(|| columns_before_in(pending), <[ColumnId]>::to_vec);
            if outer.is_some() || !sought.iter().all(|column| known.contains(column)) {
                let message = "Reference to a column from outer scope not allowed in this context";
                return Err(user_error(ErrorCode::NotSupported, outer.flatten().or(pending.place), message));
            }
        }
        *plan = self.attach_all(plan.take(), std::mem::take(&mut context.pending))?;
        let pattern = pattern.unwrap_or_else(|| PatternScope::new(Rc::clone(labels), row_parameters));
        Ok(self.pattern_expr(value, pattern))
    }
}

/// The columns before IN, if the subquery compares rows: its conditions name them.
fn columns_of_row<'p>(pending: &Pending, pattern: &'p PatternScope) -> Option<&'p [ColumnId]> {
    match &pending.kind {
        PendingKind::Exists(mark) => pattern.marks_of_rows.get(&mark.id).map(Vec::as_slice),
        PendingKind::Scalar(_) | PendingKind::In { .. } => None,
    }
}

/// The columns on the left side of an IN subquery.
fn columns_before_in(pending: &Pending) -> Vec<ColumnId> {
    match &pending.kind {
        PendingKind::In { key, .. } => key.left.columns(),
        PendingKind::Scalar(_) | PendingKind::Exists(_) => Vec::new(),
    }
}

fn check_definitions(parsed: &Parsed, labels: &Labels) -> Result<()> {
    let mut defined = HashSet::new();
    for (name, condition) in &parsed.definitions {
        if !defined.insert(labels.defined(name)?) {
            let message = format!("pattern variable with name: {} is defined twice", name.value);
            return Err(user_error(ErrorCode::InvalidLabel, location_of(name.span.start), message));
        }
        if let Some(place) = Calls::of(condition).finals.first() {
            let message = "FINAL semantics is not supported in DEFINE clause";
            return Err(user_error(ErrorCode::InvalidProcessingMode, *place, message));
        }
    }
    Ok(())
}

fn unfit(column: &Expr, what: &str, clause: &str) -> QueryError {
    let place: Option<ErrorLocation> = column.location;
    let message = format!("{} is not {what}, and therefore cannot be used in {clause}", column.data_type);
    type_mismatch(place, message)
}

/// The columns of the result, in order.
fn output(
    parsed: &Parsed,
    columns: &[Field],
    partition_by: &[Expr],
    order_by: &[SortKey],
    measures: &[(Field, PatternExpr)],
) -> Vec<Field> {
    let is_one = parsed.rows_per_match == RowsPerMatch::One;
    let order = order_by.iter().map(|key| &key.expr).filter(|_| !is_one);
    let keys: Vec<ColumnId> = partition_by.iter().chain(order).filter_map(Expr::as_column).collect();
    let by_id: HashMap<ColumnId, &Field> = columns.iter().map(|field| (field.id, field)).collect();
    let mut output: Vec<Field> = keys.iter().filter_map(|id| by_id.get(id).copied().cloned()).collect();
    output.extend(measures.iter().map(|(field, _)| field.clone()));
    if !is_one {
        let keys: HashSet<ColumnId> = keys.into_iter().collect();
        output.extend(columns.iter().filter(|field| !keys.contains(&field.id)).cloned());
    }
    output
}
