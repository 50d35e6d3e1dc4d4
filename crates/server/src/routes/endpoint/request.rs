//! The request of an endpoint's call, in its query string and in its body: the statement's own parameters, and the
//! page, form and order of the rows. All faults are reported at once.

use std::fmt;
use std::time::Duration;

use rowhouse_engine::{
    Argument, Endpoint, EndpointAccess, Error as EngineError, ErrorKind, RowFormat, RowOrder, RowShape,
    WrongParameter,
};
use rowhouse_model::{ParameterValue, StatementParameter, StatementParameters};
use serde_json::json;

use crate::call::Call;
use crate::error::{Error, Result};
use crate::parameters::parse_count;
use crate::routes::row_format::{self, CSV_FORMULAS, FORMATS, Page, SHAPES};

/// Maximum number of columns in a message.
const MAX_LISTED_NAMES: usize = 20;
/// Parameters of every endpoint over HTTP; `limit`, `offset` and `csvFormulas` unless its statement has a parameter of that name.
const OTHERS: [&str; 9] =
    ["limit", "offset", "columnNames", "orderBy", "format", "csvFormulas", "shape", "count", "wait"];
/// Default time for which an answer waits for the rows.
const WAIT: Duration = Duration::from_secs(30);
/// Maximum wait.
const MAX_WAIT: Duration = Duration::from_secs(60);
/// Maximum number of faults in a message; the details have all.
const MAX_SHOWN: usize = 10;

/// A valid call.
#[derive(Debug)]
pub(in crate::routes) struct EndpointRequest {
    pub(in crate::routes) parameters: StatementParameters,
    pub(in crate::routes) page: Page,
    /// None: all rows up to the endpoint's limit.
    pub(in crate::routes) limit: Option<u64>,
    pub(in crate::routes) order: Option<RowOrder>,
    /// Positions of the columns; none: all.
    pub(in crate::routes) places: Option<Vec<usize>>,
    pub(in crate::routes) format: RowFormat,
    pub(in crate::routes) shape: RowShape,
    pub(in crate::routes) is_counted: bool,
    pub(in crate::routes) wait: Duration,
}

/// Parses a call over HTTP. `suffix` is the format in the path.
pub(super) fn read(
    call: &Call,
    body: &StatementParameters,
    entered: &EndpointAccess,
    suffix: Option<RowFormat>,
) -> Result<EndpointRequest> {
    let texts = call.parameters.by_name()?;
    let given = texts.into_iter().map(|(name, texts)| (name, Argument::Texts(texts))).collect();
    let asked = read_arguments(call, given, body, entered, suffix, &OTHERS)?;
    if asked.limit.is_none() && entered.endpoint().max_rows().is_none() {
        row_format::capped(call, None)?;
    }
    Ok(asked)
}

/// Parses a call, in a query string and in a body; `others` are the allowed names besides those of the statement. The
/// caller must check that it has a limit where one is required (D8).
pub(in crate::routes) fn read_arguments<'a>(
    call: &Call,
    mut given: Vec<(&'a str, Argument<'a>)>,
    body: &'a StatementParameters,
    entered: &EndpointAccess,
    suffix: Option<RowFormat>,
    others: &[&str],
) -> Result<EndpointRequest> {
    let endpoint = entered.endpoint();
    let mut wrong = Vec::new();
    for (name, parameter) in body.iter() {
        let StatementParameter { type_name, value } = parameter;
        let fault = if given.iter().any(|(known, _)| *known == name) {
            Some("it stands in the query string, too")
        } else if type_name.is_some() {
            Some("its type is declared: give the value alone")
        } else {
            None
        };
        match fault {
            Some(fault) => wrong.push(refused(name, None, fault, "one value")),
            None => given.push((name, Argument::Value(value.clone()))),
        }
    }
    let is_declared = |other: &&str| endpoint.parameters().iter().any(|parameter| parameter.name == **other);
    let others: Vec<&str> = others.iter().copied().filter(|other| !is_declared(other)).collect();
    let parameters = entered.bind(&given, &others).unwrap_or_else(|faults| {
        wrong.extend(faults);
        StatementParameters::default()
    });
    let mut others = Others { given: &given, names: &others, wrong };
    let limit = others.read("limit", "a whole number", |text| {
        let limit = parse_count("limit", text)?;
        match endpoint.max_rows() {
            Some(most) if limit > most => {
                Err(Error::invalid(format!("the endpoint gives at most {most} rows at a time")))
            }
            _ => row_format::capped(call, Some(limit)).map(Some),
        }
    });
    let offset = others.read("offset", "a whole number", |text| parse_count("offset", text).map(Some));
    let format = others.read("format", "json, ndjson, csv, arrow or parquet", |text| {
        let format = one_of(&FORMATS, text)?;
        match suffix {
            Some(suffix) if suffix != format => Err(Error::invalid("the path names another format")),
            _ => Ok(Some(format)),
        }
    });
    let is_escaped =
        others.read("csvFormulas", "keep or escape", |text| one_of(&CSV_FORMULAS, text).map(Some));
    let shape = others.read("shape", "arrays or objects", |text| one_of(&SHAPES, text).map(Some));
    let is_counted = others.read("count", "exact", |text| one_of(&[("exact", true)], text).map(Some));
    let wait = others.read("wait", "seconds, at most 60", |text| parse_count("wait", text).map(Some));
    let names = || -> Vec<&str> { endpoint.columns.iter().map(|column| column.name.as_str()).collect() };
    let places = others.read(
        "columnNames",
        fmt::from_fn(|words| {
            let names = names();
            let more = if names.len() > MAX_LISTED_NAMES { ", …" } else { "" };
            write!(words, "names of {}{more}", names[..names.len().min(MAX_LISTED_NAMES)].join(", "))
        }),
        |list| row_format::places(list, &names()).map(Some),
    );
    let order = others.read(
        "orderBy",
        fmt::from_fn(|words| words.write_str(&ordering(endpoint, &names()))),
        |text| {
            let order = row_format::order(text, &names())?;
            match endpoint.order_columns().contains(&order.column) {
                true => Ok(Some(order)),
                false => Err(Error::invalid("rows are not ordered by this column")),
            }
        },
    );
    let wrong = others.wrong;
    if !wrong.is_empty() {
        return Err(refusal(wrong));
    }
    let format = suffix.or(format).unwrap_or_else(|| row_format::accepted_format(&call.headers));
    Ok(EndpointRequest {
        parameters,
        page: Page { offset: offset.unwrap_or(0), limit: limit.unwrap_or(u64::MAX) },
        limit,
        order,
        places,
        format: row_format::escaped(call, format, is_escaped),
        shape: shape.unwrap_or(RowShape::Objects),
        is_counted: is_counted.is_some(),
        wait: wait.map_or(WAIT, |seconds| Duration::from_secs(seconds).min(MAX_WAIT)),
    })
}

/// What `orderBy` may be, in words.
fn ordering(endpoint: &Endpoint, names: &[&str]) -> String {
    let columns: Vec<&str> = endpoint.order_columns().iter().map(|&place| names[place]).collect();
    match columns.as_slice() {
        [] => "nothing: the endpoint declares no columns to order by".to_owned(),
        columns => format!("one of {}, with :asc or :desc", columns.join(", ")),
    }
}

/// The parameters besides the statement's.
struct Others<'a> {
    given: &'a [(&'a str, Argument<'a>)],
    /// Names that are not parameters of the statement.
    names: &'a [&'a str],
    wrong: Vec<WrongParameter>,
}

impl Others<'_> {
    /// One of them, if it is present and valid. `expected` is what it may be, in words.
    fn read<T>(
        &mut self,
        name: &str,
        expected: impl fmt::Display,
        parse: impl FnOnce(&str) -> Result<Option<T>>,
    ) -> Option<T> {
        let (_, argument) =
            self.given.iter().find(|(given, _)| *given == name && self.names.contains(given))?;
        let text = match text_of(argument) {
            Ok(None) => return None,
            Ok(Some(text)) => text,
            Err(fault) => {
                self.wrong.push(refused(name, None, fault, &expected.to_string()));
                return None;
            }
        };
        let parsed = if text.is_empty() { Err(Error::invalid("it is empty")) } else { parse(&text) };
        parsed.unwrap_or_else(|error| {
            self.wrong.push(refused(name, Some(&text), &error.to_string(), &expected.to_string()));
            None
        })
    }
}

/// An argument as text in the form of a query string: a list is joined by commas.
fn text_of(argument: &Argument<'_>) -> Result<Option<String>, &'static str> {
    const FORM: &str = "expected a string, a number or an array of strings";
    Ok(Some(match argument {
        Argument::Texts(texts) => match texts.as_slice() {
            [text] => (*text).to_owned(),
            _ => return Err("it is given more than once"),
        },
        Argument::Value(ParameterValue::Null) => return Ok(None),
        Argument::Value(ParameterValue::Number(text) | ParameterValue::Text(text)) => text.clone(),
        Argument::Value(ParameterValue::Array(elements)) => {
            let texts: Option<Vec<&str>> = elements
                .iter()
                .map(|element| match element {
                    ParameterValue::Text(text) => Some(text.as_str()),
                    _ => None,
                })
                .collect();
            texts.ok_or(FORM)?.join(",")
        }
        Argument::Value(ParameterValue::Boolean(_)) => return Err(FORM),
    }))
}

fn one_of<T: Copy>(choices: &[(&str, T)], text: &str) -> Result<T> {
    let found = choices.iter().find(|(word, _)| *word == text);
    found.map(|&(_, choice)| choice).ok_or_else(|| Error::invalid("it is none of the words"))
}

fn refused(name: &str, value: Option<&str>, message: &str, expected: &str) -> WrongParameter {
    WrongParameter {
        name: rowhouse_model::excerpt(name),
        value: value.map(rowhouse_model::excerpt),
        type_name: None,
        message: message.to_owned(),
        expected: expected.to_owned(),
    }
}

/// The one refusal of a call, with all faults.
fn refusal(wrong: Vec<WrongParameter>) -> Error {
    let shown = wrong.iter().take(MAX_SHOWN).map(|parameter| {
        let WrongParameter { name, value, type_name: _, message, expected } = parameter;
        let value = value.as_ref().map_or_else(String::new, |value| format!(" {value:?}"));
        format!("{name}{value}: {message} (expected {expected})")
    });
    let shown: Vec<String> = shown.collect();
    let more = match wrong.len().saturating_sub(MAX_SHOWN) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    let message = format!("parameters are wrong: {}{more}", shown.join("; "));
    let parameters: Vec<_> = wrong.iter().map(WrongParameter::to_json).collect();
    EngineError::new(ErrorKind::InvalidArguments, message)
        .with_details(json!({ "parameters": parameters }))
        .into()
}
