//! TABLESAMPLE: includes each row with a probability. SYSTEM, whose unit Trino leaves to the connector, also samples
//! rows.

use rowhouse_model::{ErrorCode, ErrorLocation};
use sqlparser::ast::{
    Expr as AstExpr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, ObjectNamePart, Query,
    SetExpr, TableFactor, TableSample, TableSampleKind, TableSampleMethod, TableSampleQuantity,
};

use super::context::{Analyzer, Source, refuse_if, user_error};
use super::place::{place_of, place_of_factor};
use super::relation::Item;
use super::scope::Scope;
use super::unnest::UnnestItem;
use crate::error::{Result, not_supported, syntax_error, type_mismatch};
use crate::expr::{ComparisonOperator, Expr, Value};
use crate::functions::ScalarFunction;
use crate::plan::Plan;
use crate::spelling::{INNER_QUOTE, TABLESAMPLE};
use crate::types::Type;

/// An item of FROM that is neither a table nor a query, and the percentage of its rows.
pub(super) struct Sample<'a> {
    item: &'a TableFactor,
    percentage: &'a AstExpr,
}

/// The sample that a call in `TABLE(…)` represents.
pub(super) fn sample_of(call: &AstExpr) -> Option<Sample<'_>> {
    let AstExpr::Function(Function { name, args: FunctionArguments::List(list), .. }) = call else {
        return None;
    };
    let [ObjectNamePart::Identifier(Ident { value, quote_style: Some(INNER_QUOTE), .. })] = name.0.as_slice()
    else {
        return None;
    };
    let [
        FunctionArg::Unnamed(FunctionArgExpr::Expr(AstExpr::Subquery(query))),
        FunctionArg::Unnamed(FunctionArgExpr::Expr(percentage)),
    ] = list.args.as_slice()
    else {
        return None;
    };
    let Query { body, .. } = &**query;
    let SetExpr::Select(select) = &**body else { return None };
    let [item] = select.from.as_slice() else { return None };
    (value == TABLESAMPLE).then_some(Sample { item: &item.relation, percentage })
}

impl Analyzer<'_> {
    /// The sample of an item of FROM, which names no columns of the items before it.
    pub(super) fn sample(&mut self, sample: &Sample<'_>, parent: Option<&Scope<'_>>) -> Result<Source> {
        let place = place_of_factor(sample.item);
        let source = self.nested(place, |analyzer| analyzer.single_factor(sample.item, parent))?;
        self.sampled_by(source, sample.percentage)
    }

    /// An UNNEST; with a sample clause it is of its own arrays alone.
    pub(super) fn sampled_unnest(
        &mut self,
        unnest: UnnestItem,
        sample: Option<&TableSampleKind>,
        place: Option<ErrorLocation>,
    ) -> Result<Item> {
        if sample.is_none() {
            return Ok(Item::Unnest(unnest));
        }
        let source = self.unnest(Source::one_row(), unnest, false)?;
        Ok(Item::Source(self.sampled(source, sample, place)?))
    }

    /// Applies the sample clause of an item of FROM.
    pub(super) fn sampled(
        &mut self,
        source: Source,
        sample: Option<&TableSampleKind>,
        place: Option<ErrorLocation>,
    ) -> Result<Source> {
        let sample = match sample {
            None => return Ok(source),
            Some(TableSampleKind::AfterTableAlias(sample)) => sample,
            Some(TableSampleKind::BeforeTableAlias(_)) => {
                return Err(not_supported(place, "TABLESAMPLE before the alias"));
            }
        };
        let TableSample { modifier: _, name, quantity, seed, bucket, offset } = &**sample;
        refuse_if(seed.is_some(), place, "TABLESAMPLE with a seed")?;
        refuse_if(bucket.is_some() || offset.is_some(), place, "TABLESAMPLE of buckets")?;
        let Some(TableSampleMethod::Bernoulli | TableSampleMethod::System) = name else {
            return Err(syntax_error(place, "TABLESAMPLE takes BERNOULLI or SYSTEM"));
        };
        let Some(TableSampleQuantity { parenthesized: true, value, unit: None }) = quantity else {
            return Err(syntax_error(place, "TABLESAMPLE takes a percentage in parentheses"));
        };
        self.sampled_by(source, value)
    }

    /// A percentage of the rows.
    fn sampled_by(&mut self, source: Source, percentage: &AstExpr) -> Result<Source> {
        let place = place_of(percentage);
        let percentage = self.constant(percentage, "TABLESAMPLE")?;
        if percentage.as_literal() == Some(&Value::Null) {
            return Err(user_error(ErrorCode::InvalidArguments, place, "Sample percentage cannot be NULL"));
        }
        if !percentage.data_type.is_numeric() {
            return Err(type_mismatch(place, "Sample percentage should be a numeric expression"));
        }
        let percentage = self.coerced(percentage, &Type::Double);
        let Some(&Value::Double(percentage)) = percentage.as_literal() else {
            return Err(not_supported(place, "a percentage of TABLESAMPLE that is not written as a number"));
        };
        let out_of_range = |message| Err(user_error(ErrorCode::NumericValueOutOfRange, place, message));
        if percentage < 0.0 {
            return out_of_range("Sample percentage must be greater than or equal to 0");
        }
        if percentage > 100.0 {
            return out_of_range("Sample percentage must be less than or equal to 100");
        }
        let Source { plan, fields } = source;
        if percentage == 100.0 {
            return Ok(Source { plan, fields });
        }
        let random = self.scalar_call(ScalarFunction::Random, Vec::new(), place)?;
        let bound = Expr::literal(Value::Double(percentage / 100.0), Type::Double);
        let predicate = Expr::comparison(ComparisonOperator::LessThan, random, bound);
        Ok(Source { plan: Plan::Filter { input: Box::new(plan), predicate }, fields })
    }
}
