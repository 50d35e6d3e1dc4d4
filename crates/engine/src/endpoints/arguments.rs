//! What a call brings, checked as a whole: everything that is wrong with it is told at once.

use rowhouse_model::{ParameterValue, StatementParameters};
use serde_json::{Value, json};

use super::{Endpoint, EndpointParameter};

/// Characters of a value that are shown of it.
const MAX_SHOWN: usize = 80;

/// What a call says of one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument<'a> {
    /// Texts of a query string; several are the elements of an array.
    Texts(Vec<&'a str>),
    /// A value of a JSON body.
    Value(ParameterValue),
}

/// A parameter of a call that the endpoint does not take so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongParameter {
    /// Its name.
    pub name: String,
    /// Its value as it came; cut where it is long, none where it is missing.
    pub value: Option<String>,
    /// Its type, where it is one of the endpoint's.
    pub type_name: Option<String>,
    /// What is wrong.
    pub message: String,
    /// What is allowed.
    pub expected: String,
}

impl WrongParameter {
    /// For programs.
    pub fn to_json(&self) -> Value {
        let Self { name, value, type_name, message, expected } = self;
        json!({ "name": name, "value": value, "type": type_name, "message": message, "expected": expected })
    }
}

impl Endpoint {
    /// The parameters of the statement that a call runs: each declared one, with its value or its default. `others` are
    /// names that a call may use for something else.
    ///
    /// # Errors
    ///
    /// All that is wrong.
    pub fn bind(
        &self,
        given: &[(&str, Argument<'_>)],
        others: &[&str],
    ) -> Result<StatementParameters, Vec<WrongParameter>> {
        let mut wrong = Vec::new();
        for (name, argument) in given {
            if !self.parameters().iter().any(|parameter| parameter.name == *name) && !others.contains(name) {
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
    /// The value that the statement gets.
    fn argument(&self, argument: Option<&Argument<'_>>) -> Result<ParameterValue, String> {
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
