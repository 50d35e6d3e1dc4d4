//! The preparation of a MATCH_RECOGNIZE before its rows are available.

use polars::prelude::PlSmallStr;
use rowhouse_model::QueryError;

use super::body::Body;
use super::condition::Condition;
use super::input::{Aggregate, Argument, Computed, Input};
use crate::column::column_name;
use crate::expression::lower_expression;
use crate::lower::Lowering;
use crate::lower::window::Before;
use crate::row_pattern::{Program, Slots};
use rowhouse_sql::expr::{ColumnId, Expr, ExprKind};
use rowhouse_sql::plan::{MatchRecognize, PatternAggregate, PatternExpr, PatternInput, RowsPerMatch, SkipTo};
use rowhouse_sql::types::Type;

/// The prepared parts of a node.
pub(super) struct Prepared {
    pub(super) partition: Vec<(PlSmallStr, Type)>,
    /// The columns by which rows are sorted: name, whether descending, whether NULLs are last.
    pub(super) sort: Vec<(PlSmallStr, bool, bool)>,
    /// Columns whose values measures and conditions use.
    pub(super) values: Vec<(PlSmallStr, Type)>,
    pub(super) labels: Vec<String>,
    pub(super) slots: Slots,
    pub(super) program: Program,
    pub(super) conditions: Vec<Option<Condition>>,
    pub(super) measures: Vec<Computed>,
    pub(super) rows_per_match: RowsPerMatch,
    pub(super) skip_to: SkipTo,
}

/// Prepares the expressions of a node; columns of values are computed in addition to those of the input.
pub(super) struct Preparation<'p, 'l> {
    pub(super) lowering: &'p mut Lowering<'l>,
    /// Columns that are computed before the rows are sorted.
    pub(super) before: Before,
    values: Vec<(Expr, PlSmallStr, Type)>,
}

impl<'p, 'l> Preparation<'p, 'l> {
    pub(super) fn new(lowering: &'p mut Lowering<'l>) -> Self {
        let before = Before { columns: Vec::new(), staged: lowering.staged() };
        Self { lowering, before, values: Vec::new() }
    }

    pub(super) fn prepare(&mut self, node: &MatchRecognize) -> Result<Prepared, QueryError> {
        let (mut partition, mut sort) = (Vec::new(), Vec::new());
        for key in &node.partition_by {
            let key =
                rowhouse_sql::expr::SortKey { expr: key.clone(), is_descending: false, nulls_first: false };
            let name = self.lowering.window_key(&key, &mut sort, &mut self.before)?;
            partition.push((name, key.expr.data_type));
        }
        for key in &node.order_by {
            self.lowering.window_key(key, &mut sort, &mut self.before)?;
        }
        let mut slots = Slots::new(node.labels.len());
        let mut conditions = Vec::with_capacity(node.conditions.len());
        for (label, condition) in node.conditions.iter().enumerate() {
            conditions.push(match condition {
                Some(condition) => Some(Condition::new(self.computed(condition)?, label, &mut slots)),
                None => None,
            });
        }
        let measures =
            node.measures.iter().map(|(_, value)| self.computed(value)).collect::<Result<_, _>>()?;
        Ok(Prepared {
            partition,
            sort,
            values: self.values.drain(..).map(|(_, name, data_type)| (name, data_type)).collect(),
            labels: node.labels.clone(),
            program: Program::new(&node.pattern, &slots),
            slots,
            conditions,
            measures,
            rows_per_match: node.rows_per_match,
            skip_to: node.skip_to.clone(),
        })
    }

    fn computed(&mut self, expr: &PatternExpr) -> Result<Computed, QueryError> {
        let mut inputs = Vec::with_capacity(expr.inputs.len());
        for input in &expr.inputs {
            inputs.push(match input {
                PatternInput::Value { value, navigation } => {
                    Input::Value(self.value(value)?, navigation.clone())
                }
                PatternInput::Classifier(navigation) => Input::Classifier(navigation.clone()),
                PatternInput::MatchNumber => Input::Number,
                PatternInput::Aggregate(aggregate) => Input::Aggregate(self.aggregate(aggregate)?),
            });
        }
        Ok(Computed { body: Body::lower(&expr.value)?, inputs })
    }

    fn aggregate(&mut self, aggregate: &PatternAggregate) -> Result<Aggregate, QueryError> {
        let mut args = Vec::with_capacity(aggregate.args.len());
        for arg in &aggregate.args {
            args.push(match &arg.kind {
                ExprKind::Lambda { parameters, body } => match body.as_column() {
                    Some(id) if is_parameter(parameters, 0, id) => Argument::Label,
                    Some(id) if is_parameter(parameters, 1, id) => Argument::Number,
                    Some(_) => Argument::Value(self.value(body)?),
                    None => Argument::Computed(Box::new(Body::lower(arg)?)),
                },
                _ => Argument::Value(self.value(arg)?),
            });
        }
        Ok(Aggregate {
            function: aggregate.function,
            output: aggregate.output.clone(),
            labels: aggregate.labels.clone(),
            is_final: aggregate.is_final,
            args,
            types: aggregate.args.iter().map(|arg| arg.data_type.clone()).collect(),
        })
    }

    /// The index of a column of values.
    fn value(&mut self, value: &Expr) -> Result<usize, QueryError> {
        if let Some(known) = self.values.iter().position(|(known, ..)| known == value) {
            return Ok(known);
        }
        let name = match value.as_column() {
            Some(id) => column_name(id),
            None => {
                let name = self.lowering.temporary();
                let value = lower_expression(value, &mut self.before.staged)?;
                self.before.columns.push(value.alias(name.clone()));
                name
            }
        };
        self.values.push((value.clone(), name, value.data_type.clone()));
        Ok(self.values.len() - 1)
    }
}

fn is_parameter(parameters: &[(ColumnId, Type)], index: usize, id: ColumnId) -> bool {
    parameters.get(index).is_some_and(|(known, _)| *known == id)
}
