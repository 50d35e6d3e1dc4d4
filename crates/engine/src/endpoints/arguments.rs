//! The arguments of a call, checked as a whole: all faults are reported at once.

use rowhouse_model::{ParameterValue, StatementParameters};
use serde_json::{Value, json};

use super::{Endpoint, EndpointAccess, EndpointParameter};

/// Maximum number of characters of a value that a message shows.
const MAX_SHOWN: usize = 80;
/// Maximum number of unknown parameters that a refusal names: each is compared with all known ones.
const MAX_UNKNOWN: usize = 20;

/// The argument of one name in a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument<'a> {
    /// Texts of a query string; several are the elements of an array.
    Texts(Vec<&'a str>),
    /// A value of a JSON body.
    Value(ParameterValue),
}

/// A parameter of a call that the endpoint does not accept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongParameter {
    /// Its name.
    pub name: String,
    /// Its value as received; truncated if long, none if missing.
    pub value: Option<String>,
    /// Its type, if the endpoint declares it.
    pub type_name: Option<String>,
    /// The fault.
    pub message: String,
    /// The allowed values.
    pub expected: String,
}

impl WrongParameter {
    /// As JSON, for programs.
    pub fn to_json(&self) -> Value {
        let Self { name, value, type_name, message, expected } = self;
        json!({ "name": name, "value": value, "type": type_name, "message": message, "expected": expected })
    }
}

impl EndpointAccess {
    /// As [`Endpoint::bind`], with the parameters that the caller's token fixes, which a call must not name.
    ///
    /// # Errors
    ///
    /// All faults of the call, of unknown parameters the first [`MAX_UNKNOWN`].
    pub fn bind(
        &self,
        given: &[(&str, Argument<'_>)],
        others: &[&str],
    ) -> Result<StatementParameters, Vec<WrongParameter>> {
        if self.fixed.is_empty() {
            return self.endpoint.bind(given, others);
        }
        let is_fixed = |name: &str| self.fixed.get(name).is_some();
        let (named, rest): (Vec<_>, Vec<_>) = given.iter().cloned().partition(|(name, _)| is_fixed(name));
        let values =
            self.fixed.iter().map(|(name, parameter)| (name, Argument::Value(parameter.value.clone())));
        let all: Vec<_> = rest.into_iter().chain(values).collect();
        let bound = self.endpoint.bind(&all, others).map_err(|mut wrong| {
            // Fixed values are not disclosed.
            for parameter in wrong.iter_mut().filter(|parameter| is_fixed(&parameter.name)) {
                parameter.value = None;
                parameter.message =
                    "the value that the token fixes is none of the endpoint's any more".to_owned();
            }
            wrong
        });
        if named.is_empty() {
            return bound;
        }
        let mut wrong = bound.err().unwrap_or_default();
        wrong.extend(named.into_iter().map(|(name, argument)| WrongParameter {
            name: name.to_owned(),
            value: Some(shown(&argument)),
            type_name: None,
            message: "the token fixes it".to_owned(),
            expected: "no value".to_owned(),
        }));
        Err(wrong)
    }
}

impl Endpoint {
    /// The parameters of the statement that a call runs: each declared one, with its value or its default. `others` are
    /// names that a call may use for other purposes.
    ///
    /// # Errors
    ///
    /// All faults of the call.
    pub fn bind(
        &self,
        given: &[(&str, Argument<'_>)],
        others: &[&str],
    ) -> Result<StatementParameters, Vec<WrongParameter>> {
        let mut wrong = Vec::new();
        for (name, argument) in given {
            if !self.parameters().iter().any(|parameter| parameter.name == *name) && !others.contains(name) {
                if wrong.len() == MAX_UNKNOWN {
                    break;
                }
                wrong.push(self.unknown(name, argument, others));
            }
        }
        let mut bound = StatementParameters::default();
        for parameter in self.parameters() {
            let argument =
                given.iter().find(|(name, _)| *name == parameter.name).map(|(_, argument)| argument);
            match parameter.argument(argument) {
                Ok(value) => drop(bound.insert(parameter.name.clone(), parameter.typed(value))),
                Err(message) => wrong.push(WrongParameter {
                    name: parameter.name.clone(),
                    value: argument.map(shown),
                    type_name: Some(parameter.type_name.clone()),
                    message,
                    expected: parameter.expected(),
                }),
            }
        }
        if wrong.is_empty() { Ok(bound) } else { Err(wrong) }
    }

    fn unknown(&self, name: &str, argument: &Argument<'_>, others: &[&str]) -> WrongParameter {
        let known = self.parameters().iter().map(|parameter| parameter.name.as_str());
        let known: Vec<&str> = known.chain(others.iter().copied()).collect();
        let near = rowhouse_filters::nearest(name, known.iter().copied());
        let near = near.map_or_else(String::new, |near| format!("; did you mean {near}?"));
        WrongParameter {
            name: rowhouse_model::excerpt(name).to_string(),
            value: Some(shown(argument)),
            type_name: None,
            message: format!("the endpoint has no such parameter{near}"),
            expected: format!("one of {}", known.join(", ")),
        }
    }
}

impl EndpointParameter {
    /// The value that is bound in the statement.
    pub(crate) fn argument(&self, argument: Option<&Argument<'_>>) -> Result<ParameterValue, String> {
        let value = match argument {
            None if self.is_required => return Err("it is missing".to_owned()),
            None => return Ok(self.default.clone()),
            Some(Argument::Texts(texts)) => self.of_texts(texts)?,
            Some(Argument::Value(value)) => value.clone(),
        };
        self.check(&value)?;
        Ok(value)
    }
}

fn shown(argument: &Argument<'_>) -> String {
    let text = match argument {
        Argument::Texts(texts) => texts.join(", "),
        Argument::Value(ParameterValue::Text(text)) => text.clone(),
        Argument::Value(value) => serde_json::to_string(value).unwrap_or_default(),
    };
    match text.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
