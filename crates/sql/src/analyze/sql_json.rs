//! JSON_EXISTS, JSON_VALUE, JSON_QUERY, JSON_OBJECT and JSON_ARRAY: their types and the keywords of their clauses.

use std::collections::HashSet;

use rowhouse_model::{ErrorCode, ErrorLocation, QueryError};
use sqlparser::ast::{
    Expr as AstExpr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentClause, FunctionArguments,
    Ident, Value as AstValue,
};

use super::canonical_name::canonical;
use super::context::{Analyzer, Context, user_error};
use super::place::{place_of, place_of_name};
use crate::error::{Result, location_of, not_supported, type_mismatch};
use crate::expr::{Expr, ExprKind, Value};
use crate::functions::ScalarFunction;
use crate::json_path::{JsonPath, PathFault, PathFaultKind};
use crate::sql_json::{Behavior, ConstructorClauses, JsonFormat, PathClauses, Quotes, Wrapper};
use crate::types::{Type, Zone, Zones, can_cast, can_coerce};

/// A form with the parts that the parser collected.
pub(super) struct Form<'f> {
    pub(super) function: ScalarFunction,
    pub(super) place: Option<ErrorLocation>,
    pub(super) args: &'f [FunctionArg],
    returning: Option<&'f sqlparser::ast::DataType>,
    /// The keywords of its clauses, in the order of the parser.
    pub(super) words: Vec<&'f str>,
}

/// The form of a call; `None` for ordinary calls.
fn form_of(function: &Function) -> Option<Form<'_>> {
    let function_name = match function.name.to_string().to_ascii_uppercase().as_str() {
        "JSON_EXISTS" => ScalarFunction::JsonExists,
        "JSON_VALUE" => ScalarFunction::JsonValue,
        "JSON_QUERY" => ScalarFunction::JsonQuery,
        "JSON_OBJECT" => ScalarFunction::JsonObject,
        "JSON_ARRAY" => ScalarFunction::JsonArray,
        _ => return None,
    };
    form_as(function, function_name)
}

/// The form of a call with two argument lists, as a given function.
pub(super) fn form_as(function: &Function, as_function: ScalarFunction) -> Option<Form<'_>> {
    let (FunctionArguments::List(words), FunctionArguments::List(args)) =
        (&function.parameters, &function.args)
    else {
        return None;
    };
    let word = |arg| match arg {
        &FunctionArg::Unnamed(FunctionArgExpr::Expr(ref word)) => Some(constant_text(word)),
        _ => None,
    };
    let returning = args.clauses.iter().find_map(|clause| match clause {
        FunctionArgumentClause::JsonReturningClause(returning) => Some(&returning.data_type),
        _ => None,
    });
    Some(Form {
        function: as_function,
        place: place_of_name(&function.name),
        args: &args.args,
        returning,
        words: words.args.iter().map(word).collect::<Option<_>>()?,
    })
}

impl Form<'_> {
    fn name(&self) -> String {
        self.function.name().to_ascii_uppercase()
    }

    pub(super) fn word(&self, place: usize) -> &str {
        self.words.get(place).copied().unwrap_or_default()
    }
}

/// The text of a path or a keyword; empty for anything else.
pub(super) fn constant_text(expr: &AstExpr) -> &str {
    match expr {
        AstExpr::Value(value) => match &value.value {
            AstValue::SingleQuotedString(text) => text,
            _ => "",
        },
        _ => "",
    }
}

/// The role of an argument, and its value.
pub(super) fn argument(arg: &FunctionArg) -> Option<(Role<'_>, &AstExpr)> {
    Some(match arg {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(value)) => (Role::Plain, value),
        FunctionArg::Named { name, arg: FunctionArgExpr::Expr(value), .. } => match name.value.as_str() {
            "ON EMPTY" => (Role::OnEmpty, value),
            "ON ERROR" => (Role::OnError, value),
            format => (Role::Formatted(JsonFormat::of(format)?), value),
        },
        FunctionArg::ExprNamed {
            name: AstExpr::CompoundIdentifier(name),
            arg: FunctionArgExpr::Expr(value),
            ..
        } => match name.as_slice() {
            [name, format] => (Role::Passed(name, JsonFormat::of(&format.value)?), value),
            _ => return None,
        },
        _ => return None,
    })
}

/// A parameter of a path: its format and name, and its value.
pub(super) type Passed = (String, Expr);

pub(super) enum Role<'f> {
    /// The path, or a key.
    Plain,
    Formatted(JsonFormat),
    Passed(&'f Ident, JsonFormat),
    OnEmpty,
    OnError,
}

pub(super) fn text(text: impl Into<String>) -> Expr {
    Expr::literal(Value::Varchar(text.into()), Type::VARCHAR)
}

impl Analyzer<'_> {
    /// The value of a form; `None` for ordinary calls.
    pub(super) fn sql_json(
        &mut self,
        function: &Function,
        context: &mut Context<'_>,
    ) -> Result<Option<Expr>> {
        let Some(form) = form_of(function) else { return Ok(None) };
        let value = match form.function {
            ScalarFunction::JsonObject | ScalarFunction::JsonArray => {
                self.json_constructor(&form, context)?
            }
            _ => self.json_path_call(&form, context)?,
        };
        Ok(Some(value.at(form.place)))
    }

    fn json_path_call(&mut self, form: &Form<'_>, context: &mut Context<'_>) -> Result<Expr> {
        let mut args = form.args.iter().filter_map(argument);
        let (Some((Role::Formatted(format), input)), Some((_, path))) = (args.next(), args.next()) else {
            return Err(not_supported(form.place, "this call"));
        };
        let input = self.expression(input, context)?;
        let (input, input_format) = self.json_input(input, format)?;
        let path_place = place_of(path);
        let path_text = constant_text(path);
        let path = JsonPath::parse(path_text).map_err(|fault| path_error(&fault, path_text, path_place))?;
        if let Some((line, column)) = form.word(0).split_once(' ') {
            let place = line.parse().ok().zip(column.parse().ok());
            let place =
                place.map(|(line_number, column_number)| ErrorLocation { line_number, column_number });
            let message = format!("JSON path name is not allowed in {} function", form.name());
            return Err(user_error(ErrorCode::InvalidPath, place, message));
        }
        let (result, output) = self.json_result(form)?;
        let mut clauses = PathClauses {
            input: input_format,
            on_empty: Behavior::Null,
            on_error: Behavior::Null,
            wrapper: Wrapper::Without,
            quotes: Quotes::Unsaid,
            output,
        };
        let behavior = |place| Behavior::of(form.word(place)).unwrap_or(Behavior::Null);
        match form.function {
            ScalarFunction::JsonExists => clauses.on_error = behavior(1),
            ScalarFunction::JsonValue => (clauses.on_empty, clauses.on_error) = (behavior(2), behavior(3)),
            _ => {
                clauses.wrapper = Wrapper::of(form.word(2)).unwrap_or(Wrapper::Without);
                clauses.quotes = Quotes::of(form.word(3)).unwrap_or(Quotes::Unsaid);
                (clauses.on_empty, clauses.on_error) = (behavior(4), behavior(5));
                check_quotes(form, clauses)?;
            }
        }
        let (passed, [on_empty, on_error]) = self.path_arguments(form, args, &result, context)?;
        check_variables(&path, &passed, path_place)?;
        let mut args = vec![text(path_text), text(clauses.to_text()), input, on_empty, on_error];
        args.extend(passed.into_iter().flat_map(|(name, value)| [text(name), value]));
        Ok(Self::json_call(form, args, &result))
    }

    /// The arguments of PASSING, each with its format and name, and the value of DEFAULT.
    pub(super) fn path_arguments<'f>(
        &mut self,
        form: &Form<'_>,
        args: impl Iterator<Item = (Role<'f>, &'f AstExpr)>,
        result: &Type,
        context: &mut Context<'_>,
    ) -> Result<(Vec<Passed>, [Expr; 2])> {
        let mut passed: Vec<Passed> = Vec::new();
        let mut names = HashSet::new();
        let mut defaults = [0, 1].map(|_| Expr::literal(Value::Null, result.clone()));
        for (role, value) in args {
            let place = place_of(value);
            let analyzed = self.expression(value, context)?;
            match role {
                Role::Passed(name, format) => {
                    let shown = canonical(name);
                    if !names.insert(shown.clone()) {
                        let place = location_of(name.span.start);
                        let message = "A JSON path parameter is specified more than once";
                        return Err(user_error(ErrorCode::DuplicateParameterName, place, message));
                    }
                    let (value, format) = if format == JsonFormat::None && !is_json_form(value) {
                        (self.json_scalar(analyzed, "JSON path parameter", place)?, JsonFormat::None)
                    } else {
                        self.json_input(analyzed, format)?
                    };
                    passed.push((format!("{} {shown}", format.word()), value));
                }
                Role::OnEmpty | Role::OnError => {
                    let (slot, clause) = match role {
                        Role::OnEmpty => (&mut defaults[0], "EMPTY"),
                        _ => (&mut defaults[1], "ERROR"),
                    };
                    if !can_coerce(&analyzed.data_type, result) {
                        let message = format!(
                            "Function {} default ON {clause} result must evaluate to a {result} (actual: {})",
                            form.name(),
                            analyzed.data_type
                        );
                        return Err(type_mismatch(place, message));
                    }
                    *slot = self.coerced(analyzed, result);
                }
                Role::Plain | Role::Formatted(_) => {}
            }
        }
        Ok((passed, defaults))
    }

    fn json_constructor(&mut self, form: &Form<'_>, context: &mut Context<'_>) -> Result<Expr> {
        let (result, output) = self.json_result(form)?;
        let clauses = ConstructorClauses {
            absent_on_null: form.word(0) == "ABSENT",
            has_unique_keys: form.word(1) == "UNIQUE",
            output,
        };
        let mut args = vec![text(clauses.to_text())];
        for (role, value) in form.args.iter().filter_map(argument) {
            let place = place_of(value);
            let analyzed = self.expression(value, context)?;
            match role {
                Role::Formatted(format) => {
                    let (value, format) = if format == JsonFormat::None && !is_json_form(value) {
                        let what = format!("value passed to {} function", form.name());
                        (self.json_scalar(analyzed, &what, form.place)?, JsonFormat::None)
                    } else {
                        self.json_input(analyzed, format)?
                    };
                    args.extend([text(format.word()), value]);
                }
                _ if analyzed.data_type.is_varchar() => args.push(analyzed),
                // A key has no padding.
                _ if matches!(analyzed.data_type, Type::Char { .. }) => {
                    let key = analyzed.cast_to(&Type::VARCHAR);
                    args.push(self.scalar_call(ScalarFunction::Rtrim, vec![key], place)?);
                }
                _ => {
                    let message = format!("Invalid type of JSON object key: {}", analyzed.data_type);
                    return Err(user_error(ErrorCode::InvalidFunctionArgument, place, message));
                }
            }
        }
        Ok(Self::json_call(form, args, &result))
    }

    /// Generates the call. If its result is a text with a length, the call returns unbounded text, which is then
    /// converted.
    fn json_call(form: &Form<'_>, args: Vec<Expr>, result: &Type) -> Expr {
        let is_scalar = form.function == ScalarFunction::JsonValue;
        let is_text = result.is_varchar() || matches!(result, Type::Char { .. });
        let own = if is_text && !is_scalar { Type::VARCHAR } else { result.clone() };
        let call = Expr::new(ExprKind::Call { function: form.function, args }, own);
        call.at(form.place).cast_to(result)
    }

    /// The result type of the form, and the format of JSON in it.
    pub(super) fn json_result(&mut self, form: &Form<'_>) -> Result<(Type, JsonFormat)> {
        let returning = form.returning.map(|named| self.data_type(named, form.place)).transpose();
        let returning = returning.map_err(|error| match error.code() {
            Some(ErrorCode::TypeNotFound) => type_mismatch(form.place, &error.message),
            _ => error,
        })?;
        let declared = match form.function {
            ScalarFunction::JsonExists => return Ok((Type::Boolean, JsonFormat::None)),
            ScalarFunction::JsonValue => {
                let mut result = returning.unwrap_or(Type::VARCHAR);
                let is_scalar = result.is_numeric()
                    || result.is_varchar()
                    || matches!(
                        result,
                        Type::Boolean
                            | Type::Char { .. }
                            | Type::Date
                            | Type::Time { .. }
                            | Type::Timestamp { .. }
                            | Type::TimestampWithTimeZone { .. }
                    );
                if !is_scalar {
                    let message = format!("Invalid return type of function JSON_VALUE: {result}");
                    return Err(type_mismatch(form.place, message));
                }
                // A text in JSON may name a zone; otherwise it has that of the session.
                if let Type::TimestampWithTimeZone { zone, .. } = &mut result {
                    *zone = Zone::new(&self.session.time_zone).and(Zones::SEVERAL);
                }
                return Ok((result, JsonFormat::None));
            }
            ScalarFunction::JsonQuery => JsonFormat::of(form.word(1)),
            _ => JsonFormat::of(form.word(2)),
        };
        let declared = declared.unwrap_or(JsonFormat::None);
        let result = returning.unwrap_or(Type::VARCHAR);
        match format_of(&result, declared) {
            Some(format) => Ok((result, format)),
            None => {
                let message =
                    format!("Cannot output JSON value as {result} using formatting {}", shown(declared));
                Err(type_mismatch(form.place, message))
            }
        }
    }

    /// JSON input as text or as bytes.
    pub(super) fn json_input(&mut self, input: Expr, declared: JsonFormat) -> Result<(Expr, JsonFormat)> {
        let input = match input.data_type {
            Type::Unknown => self.coerced(input, &Type::VARCHAR),
            _ => input,
        };
        match format_of(&input.data_type, declared) {
            Some(format) => Ok((input, format)),
            None => {
                let message = format!(
                    "Cannot read input of type {} as JSON using formatting {}",
                    input.data_type,
                    shown(declared)
                );
                Err(type_mismatch(input.location, message))
            }
        }
    }

    /// An SQL value that JSON can represent directly or as text.
    fn json_scalar(&mut self, value: Expr, what: &str, place: Option<ErrorLocation>) -> Result<Expr> {
        let is_own = value.data_type.is_numeric() || value.data_type.is_varchar();
        match &value.data_type {
            Type::Boolean | Type::Unknown => Ok(value),
            Type::Date | Type::Time { .. } | Type::Timestamp { .. } | Type::TimestampWithTimeZone { .. }
                if what == "JSON path parameter" =>
            {
                Ok(value)
            }
            _ if is_own => Ok(value),
            other if can_cast(other, &Type::VARCHAR) => Ok(value.cast_to(&Type::VARCHAR)),
            other => {
                let message = format!("Unsupported type of {what}: {other}");
                Err(user_error(ErrorCode::NotSupported, place, message))
            }
        }
    }
}

/// Whether an expression is a form with a JSON result, which is read as JSON.
fn is_json_form(expr: &AstExpr) -> bool {
    match expr {
        AstExpr::Nested(inner) => is_json_form(inner),
        AstExpr::Function(function) => form_of(function).is_some_and(|form| {
            matches!(
                form.function,
                ScalarFunction::JsonQuery | ScalarFunction::JsonObject | ScalarFunction::JsonArray
            )
        }),
        _ => false,
    }
}

/// The format of JSON in a type; `None` if the type cannot hold JSON, or not in this format.
const fn format_of(data_type: &Type, declared: JsonFormat) -> Option<JsonFormat> {
    match (data_type, declared) {
        (Type::Varchar { .. } | Type::Char { .. }, JsonFormat::None | JsonFormat::Text) => {
            Some(JsonFormat::Text)
        }
        (Type::Varbinary, JsonFormat::None | JsonFormat::Text) => Some(JsonFormat::Utf8),
        (Type::Varbinary, encoding) => Some(encoding),
        _ => None,
    }
}

const fn shown(declared: JsonFormat) -> &'static str {
    match declared {
        JsonFormat::None | JsonFormat::Text => "JSON",
        JsonFormat::Utf8 => "JSON ENCODING UTF8",
        JsonFormat::Utf16 => "JSON ENCODING UTF16",
        JsonFormat::Utf32 => "JSON ENCODING UTF32",
    }
}

pub(super) fn check_quotes(form: &Form<'_>, clauses: PathClauses) -> Result<()> {
    let wrapper = match clauses.wrapper {
        Wrapper::Without => return Ok(()),
        Wrapper::Conditional => "WITH CONDITIONAL ARRAY WRAPPER",
        Wrapper::Unconditional => "WITH UNCONDITIONAL ARRAY WRAPPER",
    };
    if clauses.quotes == Quotes::Unsaid {
        return Ok(());
    }
    let message = format!("{} QUOTES behavior specified with {wrapper} behavior", clauses.quotes.word());
    Err(user_error(ErrorCode::InvalidFunctionArgument, form.place, message))
}

/// Checks that every variable of the path has a value.
pub(super) fn check_variables(
    path: &JsonPath,
    passed: &[Passed],
    place: Option<ErrorLocation>,
) -> Result<()> {
    let names: Vec<&str> =
        passed.iter().filter_map(|(name, _)| name.split_once(' ')).map(|(_, name)| name).collect();
    let Some(unknown) = path.variables().into_iter().find(|variable| !names.contains(variable)) else {
        return Ok(());
    };
    let mut message = format!("no value passed for parameter {unknown}");
    if names.contains(&unknown.to_uppercase().as_str()) {
        message.push_str(&format!(". Try quoting \"{unknown}\" in the PASSING clause to match case"));
    }
    Err(user_error(ErrorCode::InvalidPath, place, message))
}

/// The error of a path: a syntax error has its place within the path, any other error the place of the path.
pub(super) fn path_error(fault: &PathFault, path: &str, start: Option<ErrorLocation>) -> QueryError {
    match fault.kind {
        PathFaultKind::NotSupported => user_error(ErrorCode::NotSupported, start, &fault.message),
        PathFaultKind::Operand => user_error(ErrorCode::InvalidPath, start, &fault.message),
        // Trino reports no location for it.
        PathFaultKind::Literal => user_error(ErrorCode::InvalidLiteral, None, &fault.message),
        PathFaultKind::Syntax => {
            let before = &path[..fault.at.min(path.len())];
            let lines = before.matches('\n').count();
            let column = before.rsplit('\n').next().unwrap_or(before).chars().count();
            let place = start.and_then(|start| {
                let column = u32::try_from(column).ok()?;
                Some(ErrorLocation {
                    line_number: start.line_number + u32::try_from(lines).ok()?,
                    column_number: if lines == 0 { start.column_number + 1 + column } else { 1 + column },
                })
            });
            user_error(ErrorCode::SyntaxError, place, &fault.message)
        }
    }
}
