//! JSON_EXISTS, JSON_VALUE, JSON_QUERY, JSON_OBJECT and JSON_ARRAY, row by row.

use std::borrow::Cow;

use polars::prelude::{PolarsError, PolarsResult};
use rowhouse_model::ErrorCode;
use rowhouse_sql::expr::Expr;
use rowhouse_sql::functions::ScalarFunction;
use rowhouse_sql::json_path::JsonPath;
use rowhouse_sql::sql_json::{Behavior, ConstructorClauses, JsonFormat, PathClauses, Quotes, Wrapper};
use rowhouse_sql::types::{Type, can_cast};

use super::{RowFunction, literal_text};
use crate::conversion::{convert, java_decimal};
use crate::datum::{Datum, Nulls};
use crate::failure::raise;
use crate::json::{Item, unescaped, write_array, write_item};
use crate::json_path::{Fault, Node, Variable, evaluate, sql_value, too_long};

pub(super) fn function(
    function: ScalarFunction,
    args: &[Expr],
    result: &Type,
) -> Option<(Nulls, RowFunction)> {
    let types: Vec<Type> = args.iter().map(|arg| arg.data_type.clone()).collect();
    let apply: RowFunction = match function {
        ScalarFunction::JsonObject => {
            let clauses = ConstructorClauses::of(literal_text(args.first()?)?)?;
            let result = result.clone();
            Box::new(move |row| {
                Ok(object(row, &types, clauses)?
                    .map_or(Datum::Null, |item| output(&item, clauses.output, &result)))
            })
        }
        ScalarFunction::JsonArray => {
            let clauses = ConstructorClauses::of(literal_text(args.first()?)?)?;
            let result = result.clone();
            Box::new(move |row| Ok(output(&array(row, &types, clauses)?, clauses.output, &result)))
        }
        _ => {
            let call = PathCall {
                function,
                path: JsonPath::parse(literal_text(args.first()?)?).ok()?,
                clauses: PathClauses::of(literal_text(args.get(1)?)?)?,
                result: result.clone(),
            };
            let parameters = Parameters::of(args.get(PathClauses::ARGUMENTS..)?)?;
            Box::new(move |row| call.value(&parameters, row))
        }
    };
    Some((Nulls::Seen, apply))
}

/// The names and formats of PASSING; its arguments are pairs.
pub(super) fn names(pairs: &[Expr]) -> Option<Vec<(JsonFormat, String)>> {
    let named = pairs.chunks(2);
    named
        .map(|pair| {
            let (format, name) = literal_text(pair.first()?)?.split_once(' ')?;
            Some((JsonFormat::of(format)?, name.to_owned()))
        })
        .collect()
}

/// A call of a function with a path.
pub(super) struct PathCall {
    pub(super) function: ScalarFunction,
    pub(super) path: JsonPath,
    pub(super) clauses: PathClauses,
    pub(super) result: Type,
}

/// The result of a path.
pub(super) enum Found<'r> {
    Value(Datum<'r>),
    /// The path selects no items, or fails with this code and message.
    Empty,
    Failed(ErrorCode, String),
}

/// The parameters of a path.
pub(super) struct Parameters {
    pub(super) names: Vec<(JsonFormat, String)>,
    /// The types of their values.
    pub(super) types: Vec<Type>,
}

impl Parameters {
    /// The parameters of pairs of arguments, a name and a value each.
    pub(super) fn of(pairs: &[Expr]) -> Option<Self> {
        let types = pairs.iter().skip(1).step_by(2).map(|value| value.data_type.clone());
        Some(Self { names: names(pairs)?, types: types.collect() })
    }

    /// Parses the documents among the values of the pairs; `None` if one is invalid JSON.
    pub(super) fn documents(&self, pairs: &[Datum<'_>]) -> Option<Vec<Option<Item>>> {
        let values = pairs.iter().skip(1).step_by(2);
        let read_one = |((format, _), value): (&(JsonFormat, String), &Datum<'_>)| match format {
            JsonFormat::None => Some(None),
            _ if value.is_null() => Some(None),
            format => read(value, *format).map(Some),
        };
        self.names.iter().zip(values).map(read_one).collect()
    }

    /// The values of the path's variables.
    pub(super) fn variables<'r>(
        &'r self,
        pairs: &'r [Datum<'r>],
        documents: &'r [Option<Item>],
    ) -> Vec<(&'r str, Variable<'r>)> {
        let values = pairs.iter().skip(1).step_by(2).zip(&self.types);
        let named = self.names.iter().zip(documents).zip(values);
        named
            .map(|(((format, name), document), (value, data_type))| {
                let variable = match format {
                    JsonFormat::None => Variable::Sql(value.clone(), data_type.clone()),
                    _ => Variable::Json(document.as_ref()),
                };
                (name.as_str(), variable)
            })
            .collect()
    }
}

impl PathCall {
    fn value(&self, parameters: &Parameters, row: &[Datum<'_>]) -> PolarsResult<Datum<'static>> {
        if row[2].is_null() {
            return Ok(Datum::Null);
        }
        let pairs = &row[PathClauses::ARGUMENTS..];
        let found = match (read(&row[2], self.clauses.input), parameters.documents(pairs)) {
            (Some(input), Some(documents)) => self.found(&input, &parameters.variables(pairs, &documents))?,
            _ => not_read(),
        };
        self.concluded(found, &row[3], &row[4])
    }

    /// The value, or the result that the clauses define for an empty sequence or an error. The last two arguments are
    /// the values of DEFAULT.
    pub(super) fn concluded(
        &self,
        found: Found<'static>,
        empty_default: &Datum<'_>,
        error_default: &Datum<'_>,
    ) -> PolarsResult<Datum<'static>> {
        let (behavior, default, fault) = match found {
            Found::Value(value) => return Ok(value),
            Found::Empty => (self.clauses.on_empty, empty_default, self.no_items()),
            Found::Failed(code, message) => (self.clauses.on_error, error_default, (code, message)),
        };
        // An error of ON EMPTY is final: ON ERROR does not apply to it.
        Ok(match behavior {
            Behavior::Null | Behavior::Unknown => Datum::Null,
            Behavior::Error => return Err(raise(fault.0, fault.1)),
            Behavior::Default => default.clone().into_owned(),
            Behavior::True => Datum::Boolean(true),
            Behavior::False => Datum::Boolean(false),
            Behavior::EmptyArray => output(&Item::Array(Vec::new()), self.clauses.output, &self.result),
            Behavior::EmptyObject => output(&Item::Object(Vec::new()), self.clauses.output, &self.result),
        })
    }

    fn no_items(&self) -> (ErrorCode, String) {
        self.fault("JSON path found no items")
    }

    fn fault(&self, message: &str) -> (ErrorCode, String) {
        match self.function {
            ScalarFunction::JsonValue => {
                (ErrorCode::JsonValueResultError, format!("cannot extract SQL scalar from JSON: {message}"))
            }
            _ => (ErrorCode::JsonOutputConversionError, format!("conversion from JSON failed: {message}")),
        }
    }

    /// Evaluates the path.
    pub(super) fn found<'j>(
        &self,
        input: &'j Item,
        variables: &[(&'j str, Variable<'j>)],
    ) -> PolarsResult<Found<'static>> {
        let sequence = match sequence(&self.path, input, variables)? {
            Ok(sequence) => sequence,
            Err(message) => return Ok(Found::Failed(ErrorCode::PathEvaluationError, message)),
        };
        Ok(match self.function {
            ScalarFunction::JsonExists => Found::Value(Datum::Boolean(!sequence.is_empty())),
            ScalarFunction::JsonValue => self.scalar(&sequence),
            _ => self.document(sequence),
        })
    }

    /// The result of JSON_VALUE.
    fn scalar(&self, sequence: &[Node<'_>]) -> Found<'static> {
        let failed = |message: &str| {
            let (code, message) = self.fault(message);
            Found::Failed(code, message)
        };
        let node = match sequence {
            [] => return Found::Empty,
            [node] => node,
            _ => return failed("JSON path found multiple items"),
        };
        if matches!(node.item(), Some(Item::Null)) {
            return Found::Value(Datum::Null);
        }
        let Some((value, from)) = sql_value(node) else {
            return failed("JSON path found an item that cannot be converted to an SQL value");
        };
        let cast =
            if can_cast(&from, &self.result) { convert(&value, &from, &self.result).ok() } else { None };
        match cast {
            Some(value) => Found::Value(value),
            None => failed(&format!(
                "Cannot cast value of type {from} to declared return type of function JSON_VALUE: {}",
                self.result
            )),
        }
    }

    /// The result of JSON_QUERY.
    fn document(&self, sequence: Vec<Node<'_>>) -> Found<'static> {
        if sequence.is_empty() {
            return Found::Empty;
        }
        let mut items = Vec::with_capacity(sequence.len());
        for node in sequence {
            match item_of(node) {
                Ok(item) => items.push(item),
                Err(data_type) => {
                    let message = format!(
                        "JSON path returned a scalar SQL value of type {data_type} that cannot be represented as JSON"
                    );
                    let (code, message) = self.fault(&message);
                    return Found::Failed(code, message);
                }
            }
        }
        let is_wrapped = match self.clauses.wrapper {
            Wrapper::Without => false,
            Wrapper::Unconditional => true,
            Wrapper::Conditional => match items.as_slice() {
                [only] => !matches!(**only, Item::Array(_) | Item::Object(_)),
                _ => true,
            },
        };
        if is_wrapped {
            let mut text = String::new();
            write_array(items.iter().map(Cow::as_ref), &mut text);
            return Found::Value(encoded(text, self.clauses.output, &self.result));
        }
        let item = match (items.pop(), items.is_empty()) {
            (Some(item), true) => item,
            _ => {
                let (code, message) = self.fault("JSON path found multiple items");
                return Found::Failed(code, message);
            }
        };
        Found::Value(match &*item {
            Item::Text(text) if self.clauses.quotes == Quotes::Omit => {
                encoded(text.clone(), self.clauses.output, &self.result)
            }
            item => output(item, self.clauses.output, &self.result),
        })
    }
}

/// The items that a path selects, or the message of an error to which ON ERROR applies.
pub(super) fn sequence<'j>(
    path: &JsonPath,
    input: &'j Item,
    variables: &[(&'j str, Variable<'j>)],
) -> PolarsResult<Result<Vec<Node<'j>>, String>> {
    match evaluate(path, input, variables) {
        Ok(sequence) => Ok(Ok(sequence)),
        Err(Fault::TooLong) => Err(raise(ErrorCode::InvalidFunctionArgument, too_long())),
        Err(Fault::Path(message)) => Ok(Err(format!("path evaluation failed: {message}"))),
    }
}

fn not_read() -> Found<'static> {
    Found::Failed(ErrorCode::JsonInputConversionError, "conversion to JSON failed: ".to_owned())
}

pub(super) fn input_fault() -> PolarsError {
    raise(ErrorCode::JsonInputConversionError, "conversion to JSON failed: ")
}

/// Parses a document; `None` if it is invalid JSON. Blank text is no item, as in Trino.
pub(super) fn read(value: &Datum<'_>, format: JsonFormat) -> Option<Item> {
    let text = decoded(value, format)?;
    if text.trim_matches([' ', '\t', '\r', '\n']).is_empty() {
        return Some(Item::Missing);
    }
    Item::read(&text)
}

fn decoded<'v>(value: &'v Datum<'_>, format: JsonFormat) -> Option<Cow<'v, str>> {
    let bytes = value.bytes();
    match format {
        JsonFormat::None | JsonFormat::Text => Some(value.text().into()),
        JsonFormat::Utf8 => Some(String::from_utf8_lossy(bytes)),
        JsonFormat::Utf16 => {
            let units = bytes.chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]]));
            let characters = char::decode_utf16(units);
            Some(characters.map(|character| character.unwrap_or(char::REPLACEMENT_CHARACTER)).collect())
        }
        JsonFormat::Utf32 => {
            let codes =
                bytes.chunks_exact(4).map(|code| u32::from_le_bytes([code[0], code[1], code[2], code[3]]));
            codes.map(char::from_u32).collect::<Option<String>>().map(Cow::Owned)
        }
    }
}

/// Prints JSON as a value of the result's type.
fn output(item: &Item, format: JsonFormat, result: &Type) -> Datum<'static> {
    let mut text = String::new();
    write_item(item, &mut text);
    encoded(text, format, result)
}

fn encoded(text: String, format: JsonFormat, result: &Type) -> Datum<'static> {
    if *result != Type::Varbinary {
        return Datum::from_text(text);
    }
    Datum::Binary(Cow::Owned(match format {
        JsonFormat::Utf16 => unescaped(&text).encode_utf16().flat_map(u16::to_le_bytes).collect(),
        JsonFormat::Utf32 => {
            unescaped(&text).chars().flat_map(|character| u32::from(character).to_le_bytes()).collect()
        }
        JsonFormat::None | JsonFormat::Text | JsonFormat::Utf8 => text.into_bytes(),
    }))
}

/// An item of a sequence as JSON. The error is its type, if JSON has no such type.
pub(super) fn item_of(node: Node<'_>) -> Result<Cow<'_, Item>, Type> {
    match node {
        Node::Json(item) => Ok(Cow::Borrowed(item)),
        Node::Made(item) => Ok(Cow::Owned(item)),
        Node::Sql(value, data_type) => scalar_item(&value, &data_type).map(Cow::Owned).ok_or(data_type),
    }
}

fn scalar_item(value: &Datum<'_>, data_type: &Type) -> Option<Item> {
    Some(match (value, data_type) {
        (Datum::Null, _) => Item::Null,
        (Datum::Boolean(value), _) => Item::Boolean(*value),
        (Datum::Integer(value), integer) if integer.is_integer() => Item::Digits(value.to_string()),
        (Datum::Decimal(value), Type::Decimal { scale, .. }) => Item::Digits(java_decimal(*value, *scale)),
        #[expect(clippy::cast_possible_truncation, reason = "the digits of a real are those of 32 bits")]
        (Datum::Double(value), Type::Real) if value.is_finite() => {
            Item::Digits(crate::conversion::java_real(*value as f32))
        }
        (Datum::Double(value), _) => Item::Double(*value),
        (Datum::Text(text), Type::Varchar { .. }) => Item::Text(text.clone().into_owned()),
        _ => return None,
    })
}

/// The value of a member or an element in its format; `None` if it is omitted.
fn part(
    format: &Datum<'_>,
    value: &Datum<'_>,
    data_type: &Type,
    clauses: ConstructorClauses,
) -> PolarsResult<Option<Item>> {
    let item = match JsonFormat::of(format.text()) {
        _ if value.is_null() => Item::Null,
        None | Some(JsonFormat::None) => scalar_item(value, data_type).ok_or_else(input_fault)?,
        Some(format) => read(value, format).ok_or_else(input_fault)?,
    };
    Ok(Some(item).filter(|_| !(clauses.absent_on_null && value.is_null())))
}

fn array(row: &[Datum<'_>], types: &[Type], clauses: ConstructorClauses) -> PolarsResult<Item> {
    let mut elements = Vec::with_capacity(row.len() / 2);
    for (values, types) in row[1..].chunks(2).zip(types[1..].chunks(2)) {
        elements.extend(part(&values[0], &values[1], &types[1], clauses)?);
    }
    Ok(Item::Array(elements))
}

fn object(row: &[Datum<'_>], types: &[Type], clauses: ConstructorClauses) -> PolarsResult<Option<Item>> {
    let mut members: Vec<(String, Item)> = Vec::with_capacity(row.len() / 3);
    let mut names = std::collections::HashSet::new();
    for (values, types) in row[1..].chunks(3).zip(types[1..].chunks(3)) {
        if values[0].is_null() {
            let message = "null value passed for JSON object key to JSON_OBJECT function";
            return Err(raise(ErrorCode::InvalidFunctionArgument, message));
        }
        let name = values[0].text().to_owned();
        let Some(value) = part(&values[1], &values[2], &types[2], clauses)? else { continue };
        if !names.insert(name.clone()) {
            let (code, message) = if clauses.has_unique_keys {
                (ErrorCode::InvalidFunctionArgument, "duplicate key passed to JSON_OBJECT function")
            } else {
                (ErrorCode::NotSupported, "cannot construct a JSON object with duplicate key")
            };
            return Err(raise(code, message));
        }
        members.push((name, value));
    }
    in_order_of_java(&mut members);
    Ok(Some(Item::Object(members)))
}

/// Orders members as Trino writes them: in the iteration order of Java's `HashMap`.
fn in_order_of_java(members: &mut [(String, Item)]) {
    let mut buckets = 16_usize;
    while members.len() * 4 > buckets * 3 {
        buckets *= 2;
    }
    members.sort_by_key(|(name, _)| {
        let hash =
            name.encode_utf16().fold(0_u32, |hash, unit| hash.wrapping_mul(31).wrapping_add(u32::from(unit)));
        (hash ^ (hash >> 16)) as usize & (buckets - 1)
    });
}
