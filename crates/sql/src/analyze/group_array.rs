//! Aggregates computed from the array of a group's values: `max(x, n)` and similar functions, percentiles with weights
//! or several at once, histograms, sketches, `checksum`, `reduce_agg`, and `listagg` with a length limit.

use std::ops::RangeInclusive;

use rowhouse_model::QueryError;
use sqlparser::ast::{
    Array, Expr as AstExpr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentClause,
    FunctionArguments, Ident, LambdaFunction, LambdaFunctionParameter, LambdaSyntax, ListAggOnOverflow,
    ObjectName, OneOrManyWithParens, Value as AstValue,
};

use super::call::{Call, unexpected_parameters};
use super::context::{Analyzer, Context};
use super::place::place_of;
use crate::error::{Result, not_supported, syntax_error, type_mismatch};
use crate::expr::{Expr, ExprKind, Value};
use crate::functions::{AGGREGATE_FORMS, ArrayAggregate, ResolveError, STANDARD_ERRORS, ScalarFunction};
use crate::types::{RowField, Type, can_coerce};

/// The internal name of the call's form; `None` for other calls.
fn form(call: &Call<'_>) -> Option<&'static str> {
    let name = call.name.as_str();
    if let Some(aggregate) = ArrayAggregate::by_name(name) {
        return Some(aggregate.name());
    }
    Some(match (name, call.args.len()) {
        ("max", 2) => "max",
        ("min", 2) => "min",
        ("max_by" | "arg_max", 3) => "max_by",
        ("min_by" | "arg_min", 3) => "min_by",
        ("approx_percentile", 3 | 4) => "approx_percentile",
        ("approx_percentile", 2) if !is_number_within(call.args[1], &(0.0..=1.0)) => "approx_percentile",
        ("approx_distinct", 2) if !is_number_within(call.args[1], &STANDARD_ERRORS) => "approx_distinct",
        ("listagg", 1 | 2) if matches!(call.on_overflow, Some(ListAggOnOverflow::Truncate { .. })) => {
            "listagg"
        }
        _ => return None,
    })
}

/// Whether an expression is the literal of a number in a range.
fn is_number_within(expr: &AstExpr, range: &RangeInclusive<f64>) -> bool {
    match expr {
        AstExpr::Value(value) => match &value.value {
            AstValue::Number(number, _) => number.parse().is_ok_and(|number: f64| range.contains(&number)),
            _ => false,
        },
        _ => false,
    }
}

impl Analyzer<'_> {
    /// The call of one of these functions; `None` for other calls.
    pub(super) fn group_array(
        &mut self,
        call: &Call<'_>,
        function: &Function,
        context: &mut Context<'_>,
    ) -> Result<Option<Expr>> {
        let Some(name) = form(call) else { return Ok(None) };
        Ok(Some(match name {
            "reduce_agg" => self.reduced_group(call, function, context)?,
            "listagg" => self.cut_list(call, function, context)?,
            "approx_percentile" if call.args.len() == 2 => match constants(call.args[1]) {
                Some(fractions) => self.percentiles(call, &fractions, function, context)?,
                None => self.of_rows(name, call, function, context)?,
            },
            "approx_distinct" => {
                let count = self.of_rows(name, call, function, context)?;
                let none = Expr::literal(Value::Integer(0), Type::BigInt);
                self.scalar_call(ScalarFunction::Coalesce, vec![count, none], call.place)?
            }
            name => self.of_rows(name, call, function, context)?,
        }))
    }

    /// A function of the array of all arguments of a group; with several arguments the elements are rows.
    fn of_rows(
        &mut self,
        name: &'static str,
        call: &Call<'_>,
        function: &Function,
        context: &mut Context<'_>,
    ) -> Result<Expr> {
        let value = match call.args.as_slice() {
            [] => return Err(unexpected(name, &[], call)),
            [only] => (*only).clone(),
            args => AstExpr::Tuple(args.iter().map(|arg| (*arg).clone()).collect()),
        };
        let values = self.call_in_mode(&array_agg(function, vec![value], None), call.mode, context)?;
        let Type::Array(element) = &values.data_type else { return Err(unexpected(name, &[], call)) };
        let given: Vec<Type> = match &**element {
            Type::Row(fields) if call.args.len() > 1 => {
                fields.iter().map(|field| field.data_type.clone()).collect()
            }
            only => vec![only.clone()],
        };
        let Some((wanted, result)) = typed(name, &given) else { return Err(unexpected(name, &given, call)) };
        if !given.iter().zip(&wanted).all(|(given, wanted)| can_coerce(given, wanted)) {
            return Err(unexpected(name, &given, call));
        }
        if name == "checksum" && !has_checksum(&given[0]) {
            return Err(not_supported(call.place, format!("checksum of {}", given[0])));
        }
        let element = match wanted.as_slice() {
            [only] => only.clone(),
            all => {
                Type::Row(all.iter().map(|part| RowField { name: None, data_type: part.clone() }).collect())
            }
        };
        let values = self.coerced(values, &Type::array(element));
        Ok(of_group(name, vec![values], result).at(call.place))
    }

    /// Several percentiles, each computed separately.
    fn percentiles(
        &mut self,
        call: &Call<'_>,
        fractions: &[AstExpr],
        function: &Function,
        context: &mut Context<'_>,
    ) -> Result<Expr> {
        let mut values = Vec::with_capacity(fractions.len());
        for fraction in fractions {
            let args = vec![call.args[0].clone(), fraction.clone()];
            values.push(self.call_in_mode(&with_args(function, args), call.mode, context)?);
        }
        let is_null = Expr::new(ExprKind::IsNull(Box::new(values[0].clone())), Type::Boolean);
        let is_known = Expr::new(ExprKind::Not(Box::new(is_null)), Type::Boolean);
        let all = self.scalar_call(ScalarFunction::ArrayConstructor, values, call.place)?;
        let data_type = all.data_type.clone();
        let kind = ExprKind::Case { branches: vec![(is_known, all)], otherwise: None };
        Ok(Expr::new(kind, data_type).at(call.place))
    }

    /// `listagg` with ON OVERFLOW TRUNCATE.
    fn cut_list(&mut self, call: &Call<'_>, function: &Function, context: &mut Context<'_>) -> Result<Expr> {
        let Some(ListAggOnOverflow::Truncate { filler, with_count }) = call.on_overflow else {
            return Err(not_supported(call.place, "this clause of listagg"));
        };
        let filler = match filler.as_deref() {
            None => Expr::literal(Value::Varchar("...".to_owned()), Type::VARCHAR),
            Some(filler) => self.text_constant(filler, "the filler of ON OVERFLOW TRUNCATE", context)?,
        };
        let separator = match call.args.get(1) {
            None => Expr::literal(Value::Varchar(String::new()), Type::VARCHAR),
            Some(separator) => self.text_constant(separator, "the separator of listagg", context)?,
        };
        let values =
            self.call_in_mode(&array_agg(function, vec![call.args[0].clone()], None), call.mode, context)?;
        let texts = Type::array(Type::VARCHAR);
        if !can_coerce(&values.data_type, &texts) {
            let given = match values.data_type {
                Type::Array(element) => *element,
                other => other,
            };
            let message = format!("Expected expression of varchar, but '{}' has {given} type", call.args[0]);
            return Err(type_mismatch(call.place, message));
        }
        let values = self.coerced(values, &texts);
        let with_count = Expr::literal(Value::Boolean(*with_count), Type::Boolean);
        let args = vec![values, separator, filler, with_count];
        Ok(of_group("listagg", args, Type::VARCHAR).at(call.place))
    }

    fn text_constant(&mut self, expr: &AstExpr, what: &str, context: &mut Context<'_>) -> Result<Expr> {
        let constant = self.expression(expr, context)?;
        match constant.as_literal() {
            Some(Value::Varchar(_)) => Ok(constant),
            _ => Err(syntax_error(place_of(expr), format!("{what} is a constant text"))),
        }
    }

    /// `reduce_agg`: `reduce` over the values that are not NULL. States are never combined, because each group is one
    /// array.
    fn reduced_group(
        &mut self,
        call: &Call<'_>,
        function: &Function,
        context: &mut Context<'_>,
    ) -> Result<Expr> {
        let [value, initial, step, combine] = call.args.as_slice() else {
            return Err(unexpected("reduce_agg", &[], call));
        };
        let (Some(_), Some(lambda)) = (as_lambda(step), as_lambda(combine)) else {
            return Err(unexpected("reduce_agg", &[], call));
        };
        if call.is_distinct {
            let message = "DISTINCT can only be applied to comparable types, which functions are not";
            return Err(type_mismatch(call.place, message));
        }
        let is_known = AstExpr::IsNotNull(Box::new((*value).clone()));
        let filter = match call.filter {
            None => is_known,
            Some(filter) => AstExpr::BinaryOp {
                left: Box::new(is_known),
                op: sqlparser::ast::BinaryOperator::And,
                right: Box::new(filter.clone()),
            },
        };
        let values = array_agg(function, vec![(*value).clone()], Some(filter));
        let state = Ident::new("state");
        let parameter = LambdaFunctionParameter { name: state.clone(), data_type: None };
        let last = AstExpr::Lambda(LambdaFunction {
            params: OneOrManyWithParens::One(parameter),
            body: Box::new(AstExpr::Identifier(state)),
            syntax: LambdaSyntax::Arrow,
        });
        let args = vec![AstExpr::Function(values), (*initial).clone(), (*step).clone(), last];
        let mut reduce = with_args(function, args);
        reduce.name = named("reduce", function);
        (reduce.filter, reduce.over, reduce.within_group) = (None, None, Vec::new());
        let reduced = self.call_in_mode(&reduce, call.mode, context)?;
        let state = reduced.data_type.clone();
        let combined = self.lambda(&(*combine, lambda), &[state.clone(), state.clone()], context)?;
        if !can_coerce(&combined.data_type, &state) {
            return Err(unexpected("reduce_agg", &[], call));
        }
        let initial = self.expression(initial, context)?;
        if initial.as_literal().is_some_and(|initial| !matches!(initial, Value::Null)) {
            return Ok(reduced);
        }
        // Rows are skipped if the initial state is NULL.
        let is_null = Expr::new(ExprKind::IsNull(Box::new(initial)), Type::Boolean);
        let kind = ExprKind::Case { branches: vec![(is_null.negated(), reduced)], otherwise: None };
        Ok(Expr::new(kind, state).at(call.place))
    }
}

/// The parameter types of a call and its result type; `None` if the arguments do not fit.
fn typed(name: &str, given: &[Type]) -> Option<(Vec<Type>, Type)> {
    let fits = |value: &Type| can_coerce(value, &Type::BigInt);
    Some(match (name, given) {
        ("max" | "min", [value, _]) if value.is_orderable() => {
            (vec![value.clone(), Type::BigInt], Type::array(value.clone()))
        }
        ("max_by" | "min_by", [value, key, _]) if key.is_orderable() => {
            (vec![value.clone(), key.clone(), Type::BigInt], Type::array(value.clone()))
        }
        ("approx_percentile", [value, rest @ ..]) => {
            let value = if fits(value) { Type::BigInt } else { floating(value) };
            let is_many = matches!(rest, [Type::Array(_)] | [_, Type::Array(_)]);
            let mut wanted = vec![value.clone()];
            wanted.extend(rest.iter().map(|_| Type::Double));
            if is_many {
                wanted.pop();
                wanted.push(Type::array(Type::Double));
            }
            (wanted, if is_many { Type::array(value) } else { value })
        }
        ("approx_distinct", [value, _]) if value.is_comparable() => {
            (vec![value.clone(), Type::Double], Type::BigInt)
        }
        ("numeric_histogram", [_, value, weight @ ..]) if weight.len() <= 1 => {
            let value = floating(value);
            let mut wanted = vec![Type::BigInt, value.clone()];
            wanted.extend(weight.iter().map(|_| Type::Double));
            (wanted, Type::map(value.clone(), value))
        }
        ("approx_most_frequent", [_, value, _]) => {
            let value = if fits(value) { Type::BigInt } else { Type::VARCHAR };
            (vec![Type::BigInt, value.clone(), Type::BigInt], Type::map(value, Type::BigInt))
        }
        ("approx_set", [value]) => {
            let value = match value {
                value if fits(value) => Type::BigInt,
                value if can_coerce(value, &Type::Double) => Type::Double,
                _ => Type::VARCHAR,
            };
            (vec![value], Type::HyperLogLog)
        }
        ("qdigest_agg", [value, rest @ ..]) if rest.len() <= 2 => {
            let value = if fits(value) { Type::BigInt } else { floating(value) };
            let mut wanted = vec![value.clone()];
            wanted.extend([Type::BigInt, Type::Double].into_iter().take(rest.len()));
            (wanted, Type::QDigest(Box::new(value)))
        }
        ("tdigest_agg", [_] | [_, _]) => (vec![Type::Double; given.len()], Type::TDigest),
        ("merge", [sketch]) if sketch.is_sketch() => (vec![sketch.clone()], sketch.clone()),
        ("checksum", [value]) => (vec![value.clone()], Type::Varbinary),
        _ => return None,
    })
}

/// `real` if the value coerces to it, as in Trino, otherwise `double`.
fn floating(value: &Type) -> Type {
    if can_coerce(value, &Type::Real) { Type::Real } else { Type::Double }
}

/// Whether values of a type have a hash.
fn has_checksum(value: &Type) -> bool {
    match value {
        Type::Array(element) => has_checksum(element),
        Type::Map(key, value) => has_checksum(key) && has_checksum(value),
        Type::Row(fields) => fields.iter().all(|field| has_checksum(&field.data_type)),
        other => other.is_comparable(),
    }
}

/// The elements of an array constructor, if all are number literals from 0 to 1.
fn constants(array: &AstExpr) -> Option<Vec<AstExpr>> {
    let AstExpr::Array(Array { elem, .. }) = array else { return None };
    let is_fraction = |element: &AstExpr| is_number_within(element, &(0.0..=1.0));
    (elem.iter().all(is_fraction) && !elem.is_empty()).then(|| elem.clone())
}

fn of_group(name: &str, mut args: Vec<Expr>, data_type: Type) -> Expr {
    args.insert(0, Expr::literal(Value::Varchar(name.to_owned()), Type::VARCHAR));
    Expr::new(ExprKind::Call { function: ScalarFunction::OfGroup, args }, data_type)
}

/// The error of a call for which no signature fits.
fn unexpected(name: &str, given: &[Type], call: &Call<'_>) -> QueryError {
    let form = AGGREGATE_FORMS.iter().find(|(known, _)| *known == name).map(|(_, signatures)| *signatures);
    let aggregate = ArrayAggregate::by_name(name).map(ArrayAggregate::signatures);
    let signatures = form.or(aggregate).unwrap_or_default();
    let expected = signatures.iter().map(|signature| format!("{name}{signature}")).collect();
    unexpected_parameters(name, given, &ResolveError { expected }, call.place)
}

/// The name of another function, with the place of the call's name.
fn named(name: &str, function: &Function) -> ObjectName {
    let place = function.name.0.first().and_then(|part| part.as_ident()).map(|name| name.span);
    ObjectName::from(vec![Ident {
        value: name.to_owned(),
        quote_style: None,
        span: place.unwrap_or(sqlparser::tokenizer::Span::empty()),
    }])
}

/// A call with other arguments and without ON OVERFLOW.
fn with_args(function: &Function, args: Vec<AstExpr>) -> Function {
    let mut call = function.clone();
    if let FunctionArguments::List(list) = &mut call.args {
        list.args = args.into_iter().map(|arg| FunctionArg::Unnamed(FunctionArgExpr::Expr(arg))).collect();
        list.clauses.retain(|clause| !matches!(clause, FunctionArgumentClause::OnOverflow(_)));
    }
    call
}

/// The `array_agg` call for the values of a call's group.
fn array_agg(function: &Function, args: Vec<AstExpr>, filter: Option<AstExpr>) -> Function {
    let mut call = with_args(function, args);
    call.name = named("array_agg", function);
    if let Some(filter) = filter {
        call.filter = Some(Box::new(filter));
    }
    call
}

/// The lambda expression, if the argument is one.
fn as_lambda(expr: &AstExpr) -> Option<&LambdaFunction> {
    match expr {
        AstExpr::Nested(inner) => as_lambda(inner),
        AstExpr::Lambda(lambda) => Some(lambda),
        _ => None,
    }
}
