//! `map_agg`, `multimap_agg`, `map_union` and `histogram`: map functions over the array of a group's values.

use rowhouse_model::ErrorCode;
use sqlparser::ast::{
    Expr as AstExpr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentList, FunctionArguments, Ident,
    ObjectName,
};

use super::call::Call;
use super::context::{Analyzer, Context, user_error};
use crate::error::Result;
use crate::expr::{ComparisonOperator, Expr, ExprKind, Value};
use crate::functions::{ArrayAggregate, ScalarFunction};
use crate::plan::{ColumnId, Field};
use crate::types::Type;

impl Analyzer<'_> {
    /// The call of one of these functions; `None` for other calls.
    pub(super) fn map_aggregate(
        &mut self,
        call: &Call<'_>,
        function: &Function,
        context: &mut Context<'_>,
    ) -> Result<Option<Expr>> {
        use ArrayAggregate as A;
        let Some(aggregate) = ArrayAggregate::by_name(&call.name) else { return Ok(None) };
        if !matches!(aggregate, A::Histogram | A::MapAgg | A::MapUnion | A::MultimapAgg) {
            return Ok(None);
        }
        let name = aggregate.name();
        let expected: Vec<String> =
            aggregate.signatures().iter().map(|signature| format!("{name}{signature}")).collect();
        let unexpected = || {
            let message =
                format!("Unexpected parameters for function {name}. Expected: {}", expected.join(", "));
            Err(user_error(ErrorCode::FunctionNotFound, call.place, message))
        };
        let count = if matches!(aggregate, A::MapAgg | A::MultimapAgg) { 2 } else { 1 };
        if call.args.len() != count {
            return unexpected();
        }
        let is_of_match = context.pattern.is_some();
        let of_group = array_agg(call, function, !is_of_match);
        let mut values = self.call_in_mode(&of_group, call.mode, context)?;
        let fits = match &values.data_type {
            Type::Array(element) => match (aggregate, &**element) {
                (A::MapUnion, element) => matches!(element, Type::Map(..)),
                (A::Histogram, element) => element.is_comparable(),
                (_, Type::Row(fields)) => fields.first().is_some_and(|key| key.data_type.is_comparable()),
                _ => false,
            },
            _ => false,
        };
        if !fits {
            return unexpected();
        }
        if is_of_match {
            values = self.with_known_keys(values, count == 2, call)?;
        }
        let map = match aggregate {
            A::Histogram => self.scalar_call(ScalarFunction::ArrayHistogram, vec![values], call.place)?,
            A::MultimapAgg => {
                self.scalar_call(ScalarFunction::MultimapFromEntries, vec![values], call.place)?
            }
            A::MapAgg => self.first_of_each(values, call)?,
            _ => {
                let entries = self.entries_of_each(values, call)?;
                let all = self.scalar_call(ScalarFunction::Flatten, vec![entries], call.place)?;
                let union = self.first_of_each(all.clone(), call)?;
                // As in Trino, the union of empty maps is NULL.
                self.if_any(all, union, call)?
            }
        };
        Ok(Some(map))
    }

    /// Removes elements with a NULL key from an array: elements that are NULL or, with `are_rows`, whose first field
    /// is. The result is NULL if none remain. In row patterns this replaces a FILTER, which aggregates there do not
    /// support.
    fn with_known_keys(&mut self, values: Expr, are_rows: bool, call: &Call<'_>) -> Result<Expr> {
        let Type::Array(element) = values.data_type.clone() else { return Ok(values) };
        let data_type = values.data_type.clone();
        let parameter = self.parameter((*element).clone());
        let entry = Expr::column(parameter.0, (*element).clone());
        let key = match &*element {
            Type::Row(fields) if are_rows => {
                let key_type = fields.first().map_or(Type::Unknown, |key| key.data_type.clone());
                Expr::new(ExprKind::RowField { input: Box::new(entry), index: 0 }, key_type)
            }
            _ => entry,
        };
        let is_known = Expr::new(ExprKind::IsNull(Box::new(key)), Type::Boolean).negated();
        let known = applied(ScalarFunction::Filter, values, vec![parameter], is_known, data_type);
        self.if_any(known.clone(), known, call)
    }

    /// The result, or NULL if an array is empty or NULL.
    fn if_any(&mut self, array: Expr, result: Expr, call: &Call<'_>) -> Result<Expr> {
        let count = self.scalar_call(ScalarFunction::Cardinality, vec![array], call.place)?;
        let none = Expr::literal(Value::Integer(0), Type::BigInt);
        let is_some = Expr::comparison(ComparisonOperator::GreaterThan, count, none);
        let data_type = result.data_type.clone();
        let kind = ExprKind::Case { branches: vec![(is_some, result)], otherwise: None };
        Ok(Expr::new(kind, data_type).at(call.place))
    }

    /// A map of entries with the first value of each key.
    fn first_of_each(&mut self, entries: Expr, call: &Call<'_>) -> Result<Expr> {
        let all = self.scalar_call(ScalarFunction::MultimapFromEntries, vec![entries], call.place)?;
        let Type::Map(key, values) = all.data_type.clone() else { return Ok(all) };
        let parameters = vec![self.parameter(*key.clone()), self.parameter((*values).clone())];
        let value = Expr::column(parameters[1].0, (*values).clone());
        let first = Expr::literal(Value::Integer(1), Type::BigInt);
        let first = self.scalar_call(ScalarFunction::Subscript, vec![value, first], call.place)?;
        let data_type = Type::map(*key, first.data_type.clone());
        Ok(applied(ScalarFunction::TransformValues, all, parameters, first, data_type).at(call.place))
    }

    /// The array of the entries of each map.
    fn entries_of_each(&mut self, maps: Expr, call: &Call<'_>) -> Result<Expr> {
        let Type::Array(map) = maps.data_type.clone() else { return Ok(maps) };
        let parameters = vec![self.parameter((*map).clone())];
        let map = Expr::column(parameters[0].0, *map);
        let entries = self.scalar_call(ScalarFunction::MapEntries, vec![map], call.place)?;
        let data_type = Type::array(entries.data_type.clone());
        Ok(applied(ScalarFunction::Transform, maps, parameters, entries, data_type).at(call.place))
    }

    /// A new parameter, to which no name resolves.
    fn parameter(&mut self, data_type: Type) -> (ColumnId, Type) {
        let Field { id, .. } = self.new_field("", Type::Unknown);
        (id, data_type)
    }
}

/// Applies a lambda expression to a value.
fn applied(
    function: ScalarFunction,
    value: Expr,
    parameters: Vec<(ColumnId, Type)>,
    body: Expr,
    data_type: Type,
) -> Expr {
    let of_body = body.data_type.clone();
    let lambda = Expr::new(ExprKind::Lambda { parameters, body: Box::new(body) }, of_body);
    Expr::new(ExprKind::Call { function, args: vec![value, lambda] }, data_type)
}

/// The `array_agg` call for the arguments of a call; with `is_filtered` only for those whose first is not NULL.
fn array_agg(call: &Call<'_>, function: &Function, is_filtered: bool) -> Function {
    let args: Vec<AstExpr> = call.args.iter().map(|arg| (*arg).clone()).collect();
    let key = args.first().filter(|_| is_filtered);
    let is_known = key.map(|key| AstExpr::IsNotNull(Box::new(key.clone())));
    let value = match args.as_slice() {
        [only] => only.clone(),
        _ => AstExpr::Tuple(args),
    };
    let filter = match (call.filter, is_known) {
        (Some(filter), Some(is_known)) => Some(AstExpr::BinaryOp {
            left: Box::new(is_known),
            op: sqlparser::ast::BinaryOperator::And,
            right: Box::new(filter.clone()),
        }),
        (_, is_known) => is_known,
    };
    let mut array_agg = function.clone();
    let place = function.name.0.first().and_then(|part| part.as_ident()).map(|name| name.span);
    let name = Ident {
        value: "array_agg".to_owned(),
        quote_style: None,
        span: place.unwrap_or(sqlparser::tokenizer::Span::empty()),
    };
    array_agg.name = ObjectName::from(vec![name]);
    array_agg.filter = filter.map(Box::new);
    if let FunctionArguments::List(FunctionArgumentList { args, .. }) = &mut array_agg.args {
        *args = vec![FunctionArg::Unnamed(FunctionArgExpr::Expr(value))];
    }
    array_agg
}
