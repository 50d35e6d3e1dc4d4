//! TABLESAMPLE: includes each row with a probability. SYSTEM, whose unit Trino leaves to the connector, also samples
//! rows.

use rowhouse_model::{ErrorCode, ErrorLocation};
use sqlparser::ast::{TableSample, TableSampleKind, TableSampleMethod, TableSampleQuantity};

use super::context::{Analyzer, Source, refuse_if, user_error};
use super::place::place_of;
use crate::error::{Result, not_supported, syntax_error, type_mismatch};
use crate::expr::{ComparisonOperator, Expr, Value};
use crate::functions::ScalarFunction;
use crate::plan::Plan;
use crate::types::Type;

impl Analyzer<'_> {
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
        let place = place_of(value);
        let percentage = self.constant(value, "TABLESAMPLE")?;
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
