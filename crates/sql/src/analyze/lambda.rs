//! Lambda expressions: the functions that take them, the types of their parameters, and name resolution in their
//! bodies.

use rowhouse_model::{ErrorCode, ErrorLocation, QueryError};
use sqlparser::ast::{Expr as AstExpr, Ident, LambdaFunction, LambdaFunctionParameter, OneOrManyWithParens};

use super::call::Call;
use super::context::{Analyzer, Context, user_error};
use super::place::place_of;
use super::scope::{equal_names, field_of_row};
use crate::error::{Result, location_of, type_mismatch};
use crate::expr::{Expr, ExprKind};
use crate::functions::{AggregateFunction, ArrayAggregate, RankingFunction, ScalarFunction};
use crate::plan::{ColumnId, Field};
use crate::types::{Type, can_coerce, common_super_type};

/// Maximum number of attempts to find the type of `reduce`'s state, as in Trino.
const MAX_STATE_TYPES: usize = 4;

/// The number of values that a function takes, and the number of parameters of each lambda expression that follows
/// them.
const fn shape(function: ScalarFunction) -> Option<(usize, &'static [usize])> {
    use ScalarFunction as F;
    Some(match function {
        F::Transform | F::Filter | F::AnyMatch | F::AllMatch | F::NoneMatch => (1, &[1]),
        F::ArraySort | F::MapFilter | F::TransformKeys | F::TransformValues => (1, &[2]),
        F::MapZipWith => (2, &[3]),
        F::ZipWith => (2, &[2]),
        F::RegexpReplace => (2, &[1]),
        F::Reduce => (2, &[2, 1]),
        _ => return None,
    })
}

/// Functions whose arguments are analyzed as plain expressions: lambda expressions among them are refused elsewhere.
const fn is_special(function: ScalarFunction) -> bool {
    use ScalarFunction as F;
    matches!(function, F::Coalesce | F::Nullif | F::Try | F::Format | F::RowConstructor | F::ArrayConstructor)
}

/// The lambda expression, if the argument is one.
fn as_lambda(mut expr: &AstExpr) -> Option<&LambdaFunction> {
    while let AstExpr::Nested(inner) = expr {
        expr = inner;
    }
    match expr {
        AstExpr::Lambda(lambda) => Some(lambda),
        _ => None,
    }
}

fn names(lambda: &LambdaFunction) -> Vec<&Ident> {
    let parameters: Vec<&LambdaFunctionParameter> = match &lambda.params {
        OneOrManyWithParens::One(parameter) => vec![parameter],
        OneOrManyWithParens::Many(parameters) => parameters.iter().collect(),
    };
    parameters.into_iter().map(|parameter| &parameter.name).collect()
}

/// The lambda parameter to which a path of names resolves, or a field of it; `None` if no parameter has the path's
/// first name.
pub(super) fn lambda_parameter(
    path: &[Ident],
    context: &Context<'_>,
    place: Option<ErrorLocation>,
) -> Result<Option<Expr>> {
    let Some((first, fields)) = path.split_first() else { return Ok(None) };
    let mut known = context.lambdas.iter().rev().flatten();
    let Some(found) = known.find(|known| equal_names(&known.name, &first.value)) else { return Ok(None) };
    let mut value = Expr::column(found.id, found.data_type.clone()).at(place);
    for field in fields {
        if !matches!(value.data_type, Type::Row(_)) {
            let message = format!("Expression {} is not of type ROW", first.value);
            return Err(type_mismatch(place, message));
        }
        value = field_of_row(value, &field.value).ok_or_else(|| {
            let shown: Vec<&str> = path.iter().map(|part| part.value.as_str()).collect();
            let message = format!("Column '{}' cannot be resolved", shown.join("."));
            user_error(ErrorCode::InvalidColumnReference, place, message)
        })?;
    }
    Ok(Some(value))
}

impl Call<'_> {
    /// Refuses aggregates, window functions and GROUPING in a lambda expression.
    pub(super) fn refuse_in_lambda(&self, context: &Context<'_>) -> Result<()> {
        let name = self.name.as_str();
        let is_over_rows = self.over.is_some()
            || name == "grouping"
            || AggregateFunction::by_name(name).is_some()
            || ArrayAggregate::by_name(name).is_some()
            || RankingFunction::by_name(name).is_some();
        if context.lambdas.is_empty() || !is_over_rows {
            return Ok(());
        }
        let message = format!(
            "Lambda expression cannot contain aggregations, window functions or grouping operations: {name}"
        );
        Err(user_error(ErrorCode::ExpressionNotScalar, self.place, message))
    }
}

/// An argument: a value, or a lambda expression that is analyzed when the types of its parameters are known.
enum Argument<'c> {
    Value(Expr),
    Lambda(&'c AstExpr, &'c LambdaFunction),
}

impl Argument<'_> {
    fn shown(&self) -> String {
        match self {
            Self::Value(value) => value.data_type.to_string(),
            Self::Lambda(..) => "<function>".to_owned(),
        }
    }
}

/// The error of a call for which no signature fits.
fn unexpected(name: &str, signatures: &[&str], shown: &[String], place: Option<ErrorLocation>) -> QueryError {
    let expected: Vec<String> = signatures.iter().map(|signature| format!("{name}{signature}")).collect();
    let (shown, expected) = (shown.join(", "), expected.join(", "));
    let message = format!("Unexpected parameters ({shown}) for function {name}. Expected: {expected}");
    user_error(ErrorCode::FunctionNotFound, place, message)
}

impl Analyzer<'_> {
    /// Refuses lambda expressions as arguments of a function that takes none.
    pub(super) fn refuse_lambdas(
        &mut self,
        name: &str,
        signatures: &[&str],
        call: &Call<'_>,
        context: &mut Context<'_>,
    ) -> Result<()> {
        if !call.args.iter().any(|arg| as_lambda(arg).is_some()) {
            return Ok(());
        }
        let shown: Vec<String> = self.lambda_arguments(call, context)?.iter().map(Argument::shown).collect();
        Err(unexpected(name, signatures, &shown, call.place))
    }

    fn lambda_arguments<'c>(
        &mut self,
        call: &Call<'c>,
        context: &mut Context<'_>,
    ) -> Result<Vec<Argument<'c>>> {
        let mut arguments = Vec::with_capacity(call.args.len());
        for arg in &call.args {
            arguments.push(match as_lambda(arg) {
                Some(lambda) => Argument::Lambda(arg, lambda),
                None => Argument::Value(self.expression(arg, context)?),
            });
        }
        Ok(arguments)
    }

    /// The call of a function that takes lambda expressions; `None` for other functions.
    pub(super) fn lambda_call(
        &mut self,
        function: ScalarFunction,
        call: &Call<'_>,
        context: &mut Context<'_>,
    ) -> Result<Option<Expr>> {
        let has_lambda = call.args.iter().any(|arg| as_lambda(arg).is_some());
        let has_other_forms = matches!(function, ScalarFunction::ArraySort | ScalarFunction::RegexpReplace);
        let takes_only_lambdas = shape(function).is_some() && !has_other_forms;
        if is_special(function) || !has_lambda && !takes_only_lambdas {
            return Ok(None);
        }
        let arguments = self.lambda_arguments(call, context)?;
        let shown: Vec<String> = arguments.iter().map(Argument::shown).collect();
        let wrong = || unexpected(function.name(), function.signatures(), &shown, call.place);
        let (count, parameter_counts) = shape(function).ok_or_else(wrong)?;
        if arguments.len() != count + parameter_counts.len() {
            return Err(wrong());
        }
        let (mut values, mut lambdas) = (Vec::new(), Vec::new());
        for (index, argument) in arguments.into_iter().enumerate() {
            match argument {
                Argument::Value(value) if index < count => values.push(value),
                Argument::Lambda(expr, lambda) if index >= count => lambdas.push((expr, lambda)),
                Argument::Value(_) | Argument::Lambda(..) => return Err(wrong()),
            }
        }
        let applied = self.applied(function, values, &lambdas, context)?;
        let (args, data_type) = applied.ok_or_else(wrong)?;
        let call = Expr::new(ExprKind::Call { function, args }, data_type).at(call.place);
        Ok(Some(self.of_bounded_size(call)?))
    }

    /// The arguments of a call and its type; `None` if the types do not fit.
    fn applied(
        &mut self,
        function: ScalarFunction,
        values: Vec<Expr>,
        lambdas: &[(&AstExpr, &LambdaFunction)],
        context: &mut Context<'_>,
    ) -> Result<Option<(Vec<Expr>, Type)>> {
        use ScalarFunction as F;
        match function {
            F::Reduce => return self.reduced(values, lambdas, context),
            F::RegexpReplace => return self.replaced(values, lambdas, context),
            F::MapFilter | F::TransformKeys | F::TransformValues | F::MapZipWith => {
                return self.applied_to_maps(function, values, lambdas, context);
            }
            _ => {}
        }
        let (mut args, mut elements) =
            (Vec::with_capacity(values.len() + 1), Vec::with_capacity(values.len()));
        for value in values {
            let Some(element) = element_of(&value.data_type) else { return Ok(None) };
            args.push(self.coerced(value, &Type::array(element.clone())));
            elements.push(element);
        }
        let [first, ..] = elements.as_slice() else { return Ok(None) };
        let parameters: Vec<Type> = match function {
            F::ArraySort => vec![first.clone(), first.clone()],
            _ => elements.clone(),
        };
        let Some(lambda) = lambdas.first() else { return Ok(None) };
        let lambda = self.lambda(lambda, &parameters, context)?;
        let result = lambda.data_type.clone();
        let data_type = match function {
            F::Transform | F::ZipWith => Type::array(result),
            F::Filter if result == Type::Boolean => Type::array(first.clone()),
            F::AnyMatch | F::AllMatch | F::NoneMatch if result == Type::Boolean => Type::Boolean,
            F::ArraySort if result == Type::Integer => Type::array(first.clone()),
            _ => return Ok(None),
        };
        args.push(lambda);
        Ok(Some((args, data_type)))
    }

    /// As [`applied`](Self::applied), for functions of maps.
    fn applied_to_maps(
        &mut self,
        function: ScalarFunction,
        values: Vec<Expr>,
        lambdas: &[(&AstExpr, &LambdaFunction)],
        context: &mut Context<'_>,
    ) -> Result<Option<(Vec<Expr>, Type)>> {
        use ScalarFunction as F;
        let mut maps: Vec<(Type, Type)> = Vec::with_capacity(values.len());
        for value in &values {
            maps.push(match &value.data_type {
                Type::Map(key, value) => ((**key).clone(), (**value).clone()),
                Type::Unknown => (Type::Unknown, Type::Unknown),
                _ => return Ok(None),
            });
        }
        let keys = maps.iter().try_fold(Type::Unknown, |common, (key, _)| common_super_type(&common, key));
        let (Some(key), Some(lambda), Some((_, first))) = (keys, lambdas.first(), maps.first()) else {
            return Ok(None);
        };
        let mut args = Vec::with_capacity(values.len() + 1);
        for (value, (_, of_map)) in values.into_iter().zip(&maps) {
            args.push(self.coerced(value, &Type::map(key.clone(), of_map.clone())));
        }
        let parameters: Vec<Type> =
            std::iter::once(key.clone()).chain(maps.iter().map(|(_, value)| value.clone())).collect();
        let lambda = self.lambda(lambda, &parameters, context)?;
        let result = lambda.data_type.clone();
        let data_type = match function {
            F::MapFilter if result == Type::Boolean => Type::map(key, first.clone()),
            F::TransformKeys if result.is_comparable() => Type::map(result, first.clone()),
            F::TransformValues | F::MapZipWith => Type::map(key, result),
            _ => return Ok(None),
        };
        args.push(lambda);
        Ok(Some((args, data_type)))
    }

    /// `regexp_replace`: the parameter is the array of a match's groups.
    fn replaced(
        &mut self,
        values: Vec<Expr>,
        lambdas: &[(&AstExpr, &LambdaFunction)],
        context: &mut Context<'_>,
    ) -> Result<Option<(Vec<Expr>, Type)>> {
        let Some(lambda) = lambdas.first() else { return Ok(None) };
        let mut args = Vec::with_capacity(values.len() + 1);
        for value in values {
            // The pattern, which may be a char with its padding.
            let value = match value.data_type {
                Type::Char { length } if args.len() == 1 => value.cast_to(&Type::varchar(length.into())),
                _ => value,
            };
            if !value.data_type.is_varchar() && value.data_type != Type::Unknown {
                return Ok(None);
            }
            args.push(self.coerced(value, &Type::VARCHAR));
        }
        let lambda = self.lambda(lambda, &[Type::array(Type::VARCHAR)], context)?;
        if !lambda.data_type.is_varchar() {
            return Ok(None);
        }
        args.push(lambda_giving(lambda, &Type::VARCHAR));
        Ok(Some((args, Type::VARCHAR)))
    }

    /// `reduce`: the state has the common type of its initial value and the results of the step function.
    fn reduced(
        &mut self,
        values: Vec<Expr>,
        lambdas: &[(&AstExpr, &LambdaFunction)],
        context: &mut Context<'_>,
    ) -> Result<Option<(Vec<Expr>, Type)>> {
        let (Ok([array, initial]), [step, last]) = (<[Expr; 2]>::try_from(values), lambdas) else {
            return Ok(None);
        };
        let Some(element) = element_of(&array.data_type) else { return Ok(None) };
        let mut state = initial.data_type.clone();
        let pending = context.pending.len();
        for _ in 0..MAX_STATE_TYPES {
            context.pending.truncate(pending);
            let step = self.lambda(step, &[state.clone(), element.clone()], context)?;
            if !can_coerce(&step.data_type, &state) {
                match common_super_type(&state, &step.data_type) {
                    Some(common) => state = common,
                    None => return Ok(None),
                }
                continue;
            }
            let step = lambda_giving(step, &state);
            let last = self.lambda(last, std::slice::from_ref(&state), context)?;
            let data_type = last.data_type.clone();
            let array = self.coerced(array, &Type::array(element));
            let initial = self.coerced(initial, &state);
            return Ok(Some((vec![array, initial, step, last], data_type)));
        }
        Ok(None)
    }

    /// Analyzes a lambda expression with parameters of these types.
    pub(super) fn lambda(
        &mut self,
        (expr, lambda): &(&AstExpr, &LambdaFunction),
        types: &[Type],
        context: &mut Context<'_>,
    ) -> Result<Expr> {
        let place = place_of(expr);
        if context.pattern.is_some() {
            let message = "Lambda expression in pattern recognition context is not yet supported";
            return Err(user_error(ErrorCode::NotSupported, place, message));
        }
        let names = names(lambda);
        if names.len() != types.len() {
            let (expected, found) = (types.len(), names.len());
            let message = format!("Expected a lambda that takes {expected} argument(s) but got {found}");
            return Err(user_error(ErrorCode::InvalidParameterUsage, place, message));
        }
        let mut fields: Vec<Field> = Vec::with_capacity(names.len());
        for (name, data_type) in names.into_iter().zip(types) {
            if fields.iter().any(|known| equal_names(&known.name, &name.value)) {
                let message = format!("Column '{}' is ambiguous", name.value.to_lowercase());
                return Err(user_error(ErrorCode::AmbiguousName, location_of(name.span.start), message));
            }
            self.spend_on_type(data_type, place)?;
            let key = (context.lambdas.len(), name.value.to_lowercase(), data_type.clone());
            let id = match self.lambda_parameters.get(&key) {
                Some(id) => *id,
                None => {
                    let id = self.new_field("", Type::Unknown).id;
                    self.lambda_parameters.insert(key, id);
                    id
                }
            };
            fields.push(Field::new(id, name.value.clone(), data_type.clone()));
        }
        let parameters: Vec<(ColumnId, Type)> =
            fields.iter().map(|field| (field.id, field.data_type.clone())).collect();
        context.lambdas.push(fields);
        let body = self.expression(&lambda.body, context);
        context.lambdas.pop();
        let body = body?;
        let data_type = body.data_type.clone();
        let kind = ExprKind::Lambda { parameters, body: Box::new(body) };
        Ok(Expr::new(kind, data_type).at(place))
    }
}

/// The element type of an array; `None` for other types.
fn element_of(data_type: &Type) -> Option<Type> {
    match data_type {
        Type::Array(element) => Some((**element).clone()),
        Type::Unknown => Some(Type::Unknown),
        _ => None,
    }
}

/// Converts the body of a lambda expression to a type that it coerces to.
fn lambda_giving(lambda: Expr, wanted: &Type) -> Expr {
    let (data_type, location) = (lambda.data_type, lambda.location);
    let kind = match lambda.kind {
        ExprKind::Lambda { parameters, body } => {
            let body = Box::new(super::coerce::coerced(*body, wanted));
            return Expr { kind: ExprKind::Lambda { parameters, body }, data_type: wanted.clone(), location };
        }
        kind => kind,
    };
    Expr { kind, data_type, location }
}
