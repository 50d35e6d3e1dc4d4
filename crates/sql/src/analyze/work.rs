//! The budget of analyzing one statement. Much of the analysis compares pairs (columns and the joins above them, keys
//! and the expressions that may use them) or copies parts (`x BETWEEN a AND b` compares `x` twice), so that some text
//! of a megabyte would take hours and all memory. Therefore steps are counted, and a statement that exceeds the budget
//! is refused at that location.

use std::collections::HashMap;

use rowhouse_model::{ErrorLocation, QueryError};

use super::context::Analyzer;
use crate::error::{Result, not_supported};
use crate::expr::Expr;
use crate::plan::{ColumnId, Plan};
use crate::types::Type;

/// Maximum number of steps, each of some nanoseconds: one or two seconds of planning.
const MAX_STEPS: usize = 100_000_000;
/// Maximum number of nodes in one expression. Some forms copy a part (`x BETWEEN a AND b`), so that nesting would
/// double it with each level.
const MAX_EXPRESSION_NODES: usize = 500_000;

/// Maximum nesting depth of expressions and queries.
const MAX_DEPTH: usize = 1_000;
/// Maximum nesting depth of arrays, maps and rows: building such a value takes time cubic in the depth.
const MAX_TYPE_LEVELS: usize = 100;
/// Maximum number of joins, subqueries, named queries and the like: each is one level of the plan, and plans are
/// traversed recursively.
const MAX_LEVELS: usize = 1_000;

/// Steps per expression or query of the text.
pub(super) const STEPS_OF_NODE: usize = 50;
/// Steps per column that a node of the plan passes on, in the analysis and in the passes.
pub(super) const STEPS_OF_COLUMN: usize = 50;
/// Steps per part of a compound type, in each expression that has it: names and types of fields are copied by the passes
/// and by Polars' plans, some dozens of times.
const STEPS_OF_TYPE_PART: usize = 500;
/// Steps per copied node of an expression; the budget thus also limits memory.
pub(super) const STEPS_OF_COPY: usize = 200;

impl Analyzer<'_> {
    /// Runs `work` one level deeper.
    pub(super) fn nested<T, E: From<QueryError>>(
        &mut self,
        place: Option<ErrorLocation>,
        work: impl FnOnce(&mut Self) -> Result<T, E>,
    ) -> Result<T, E> {
        if self.depth >= MAX_DEPTH {
            return Err(not_supported(place, format!("an expression of more than {MAX_DEPTH} levels")).into());
        }
        self.spend(STEPS_OF_NODE, place)?;
        self.depth += 1;
        let outcome = work(self);
        self.depth -= 1;
        outcome
    }

    /// Refuses an expression that is too large.
    pub(super) fn of_bounded_size(&self, expr: Expr) -> Result<Expr> {
        if expr.node_count() > MAX_EXPRESSION_NODES {
            let what = format!("an expression of more than {MAX_EXPRESSION_NODES} parts");
            return Err(not_supported(expr.location, what));
        }
        Ok(expr)
    }

    /// Spends steps; fails if the budget is exceeded.
    pub(super) fn spend(&mut self, steps: usize, place: Option<ErrorLocation>) -> Result<()> {
        self.work.steps = self.work.steps.saturating_add(steps);
        if self.work.steps > MAX_STEPS {
            return Err(not_supported(place, "a statement that takes so much planning"));
        }
        Ok(())
    }

    /// Accounts for a join, a subquery or the like over this many columns.
    pub(super) fn add_level(&mut self, columns: usize, place: Option<ErrorLocation>) -> Result<()> {
        self.work.levels += 1;
        if self.work.levels > MAX_LEVELS {
            let what = format!("a statement of more than {MAX_LEVELS} joins, subqueries and named queries");
            return Err(not_supported(place, what));
        }
        self.spend(columns.saturating_mul(STEPS_OF_COLUMN), place)
    }

    /// Copies an expression.
    pub(super) fn copy(&mut self, expr: &Expr) -> Result<Expr> {
        self.spend(expr.node_count().saturating_mul(STEPS_OF_COPY), expr.location)?;
        Ok(expr.clone())
    }

    /// Replaces columns of an expression with copies of their definitions.
    pub(super) fn substituted(&mut self, expr: Expr, definitions: &HashMap<ColumnId, Expr>) -> Result<Expr> {
        let mut sizes: HashMap<ColumnId, usize> = HashMap::new();
        let mut added = 0_usize;
        for column in expr.columns() {
            if let Some(definition) = definitions.get(&column) {
                let size = *sizes.entry(column).or_insert_with(|| definition.node_count());
                added = added.saturating_add(size);
            }
        }
        self.spend(added.saturating_mul(STEPS_OF_COPY), expr.location)?;
        self.of_bounded_size(expr.substituted(definitions))
    }

    /// Accounts for copying or traversing a plan.
    pub(super) fn spend_on_plan(&mut self, plan: &Plan, place: Option<ErrorLocation>) -> Result<()> {
        let mut parts = 0_usize;
        plan.visit(&mut |node| parts += 1 + node.new_column_count() + node.expressions().len());
        self.spend(parts.saturating_mul(STEPS_OF_COLUMN), place)
    }

    /// Accounts for a copy of a plan that stays in the plan: its joins are levels, too.
    pub(super) fn spend_on_copy(&mut self, plan: &Plan, place: Option<ErrorLocation>) -> Result<()> {
        let mut joins = 0;
        plan.visit(&mut |node| joins += usize::from(matches!(node, Plan::Join(_) | Plan::MarkJoin(_))));
        self.work.levels += joins;
        self.add_level(0, place)?;
        self.spend_on_plan(plan, place)
    }

    /// Accounts for a value's type, which is copied with every expression around it.
    pub(super) fn spend_on_type(&mut self, data_type: &Type, place: Option<ErrorLocation>) -> Result<()> {
        match data_type {
            Type::Array(_) | Type::Map(..) | Type::Row(_) => {
                if data_type.levels() > MAX_TYPE_LEVELS {
                    let what = format!("a type of more than {MAX_TYPE_LEVELS} levels");
                    return Err(not_supported(place, what));
                }
                if let Some(fault) = data_type.repeated_field() {
                    return Err(not_supported(place, fault));
                }
                self.spend(parts_of(data_type).saturating_mul(STEPS_OF_TYPE_PART), place)
            }
            _ => Ok(()),
        }
    }
}

fn parts_of(data_type: &Type) -> usize {
    match data_type {
        Type::Array(element) => 1 + parts_of(element),
        Type::Map(key, value) => 1 + parts_of(key) + parts_of(value),
        Type::Row(fields) => 1 + fields.iter().map(|field| parts_of(&field.data_type)).sum::<usize>(),
        _ => 1,
    }
}
