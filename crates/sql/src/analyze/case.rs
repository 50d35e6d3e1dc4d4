//! CASE with and without an operand.

use sqlparser::ast::{CaseWhen, Expr as AstExpr};

use super::context::{Analyzer, Context};
use crate::error::Result;
use crate::expr::{Expr, ExprKind};

impl Analyzer<'_> {
    pub(super) fn case(
        &mut self,
        operand: Option<&AstExpr>,
        conditions: &[CaseWhen],
        otherwise: Option<&AstExpr>,
        context: &mut Context<'_>,
    ) -> Result<Expr> {
        let operand = operand.map(|operand| self.expression(operand, context)).transpose()?;
        let mut branches = Vec::with_capacity(conditions.len());
        for CaseWhen { condition, result } in conditions {
            let condition = self.expression(condition, context)?;
            let condition = match &operand {
                Some(_) => condition,
                None => self.as_condition(condition, "CASE WHEN clause")?,
            };
            branches.push((condition, self.expression(result, context)?));
        }
        if let Some(operand) = operand {
            self.compare_with_operand(operand, &mut branches)?;
        }
        let otherwise = otherwise.map(|otherwise| self.expression(otherwise, context)).transpose()?;
        let results: Vec<&Expr> = branches.iter().map(|(_, value)| value).chain(&otherwise).collect();
        let data_type = self.common_type(&results, "All CASE results")?;
        let branches = branches
            .into_iter()
            .map(|(condition, value)| (condition, self.coerced(value, &data_type)))
            .collect();
        let otherwise = otherwise.map(|otherwise| Box::new(self.coerced(otherwise, &data_type)));
        self.of_bounded_size(Expr::new(ExprKind::Case { branches, otherwise }, data_type))
    }

    /// Replaces the values of WHEN with their comparisons with the operand, in the type that all of them have in common.
    fn compare_with_operand(&mut self, operand: Expr, branches: &mut [(Expr, Expr)]) -> Result<()> {
        let values = branches.iter().map(|(value, _)| value.clone());
        let mut all: Vec<Expr> = std::iter::once(operand).chain(values).collect();
        self.drop_padding(&mut all)?;
        // Without a type in common, the comparison of the first value that does not fit says so.
        let mut unified = self.unified_all(all).unwrap_or_else(|given| given).into_iter();
        let Some(operand) = unified.next() else { return Ok(()) };
        for ((condition, _), value) in branches.iter_mut().zip(unified) {
            let operand = self.copy(&operand)?;
            *condition = self.equality(operand, value, "CASE operand and WHEN clause")?;
        }
        Ok(())
    }
}
