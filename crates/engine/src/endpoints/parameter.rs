//! One declared parameter of an endpoint: its type, its allowed values, and its default.

use std::cmp::Ordering;

use rowhouse_filters::{DeclaredValue, ParameterDeclaration};
use rowhouse_model::{ParameterValue, StatementParameter, TypeArgument, TypeSignature};
use rowhouse_sql::{ParameterConstant, ParameterType};

/// A parameter of a call.
#[derive(Clone, Debug)]
pub struct EndpointParameter {
    /// The name in the SQL (`:name`) and in calls; letter case counts.
    pub name: String,
    /// Its type as declared.
    pub type_name: String,
    /// The same type, parsed.
    pub type_signature: TypeSignature,
    /// Whether a call must supply it.
    pub is_required: bool,
    /// Allowed values; of an array, of its elements. Empty: any value of the type.
    pub allowed: Vec<ParameterValue>,
    /// Least and greatest value; of an array, of its elements.
    pub range: Option<(ParameterValue, ParameterValue)>,
    /// Its value if a call supplies none.
    pub default: ParameterValue,
    /// A description for people.
    pub description: Option<String>,
    data_type: ParameterType,
    allowed_constants: Vec<ParameterConstant>,
    range_constants: Option<(ParameterConstant, ParameterConstant)>,
}

impl EndpointParameter {
    /// Checks a declaration.
    ///
    /// # Errors
    ///
    /// The fault.
    pub(super) fn new(declared: ParameterDeclaration) -> Result<Self, String> {
        let ParameterDeclaration {
            name,
            type_name,
            is_required,
            allowed,
            range,
            default,
            description,
            location: _,
        } = declared;
        let unknown =
            |_| format!("unknown type '{}' of the parameter {name}", rowhouse_model::excerpt(&type_name));
        let type_signature = TypeSignature::parse(&type_name).map_err(unknown)?;
        // Not every type is one of parameters.
        let data_type =
            ParameterType::parse(&type_name).map_err(|fault| format!("the parameter {name}: {fault}"))?;
        let mut parameter = Self {
            type_signature,
            data_type,
            is_required,
            allowed: allowed.into_iter().map(value).collect(),
            range: range.map(|(least, greatest)| (value(least), value(greatest))),
            default: default.map_or(ParameterValue::Null, value),
            description,
            allowed_constants: Vec::new(),
            range_constants: None,
            name,
            type_name,
        };
        let placed =
            |what: &str, fault: String| format!("`{what}` of the parameter {}: {fault}", parameter.name);
        let allowed = parameter.allowed.iter().map(|value| parameter.element(value.clone()));
        let allowed = allowed.collect::<Result<_, _>>().map_err(|fault| placed("in", fault))?;
        let range = parameter.range.as_ref().map(|(least, greatest)| {
            let (least, greatest) = (parameter.element(least.clone())?, parameter.element(greatest.clone())?);
            match least.compare(&greatest) {
                None => Err("the type has no order, or a bound is null".to_owned()),
                Some(Ordering::Greater) => Err("the first bound is over the second".to_owned()),
                Some(_) => Ok((least, greatest)),
            }
        });
        let range = range.transpose().map_err(|fault| placed("between", fault))?;
        parameter.allowed_constants = allowed;
        parameter.range_constants = range;
        if parameter.default != ParameterValue::Null {
            parameter
                .check(&parameter.default)
                .map_err(|fault| format!("`default` of the parameter {}: {fault}", parameter.name))?;
        }
        Ok(parameter)
    }

    /// Whether it accepts several values.
    pub fn is_array(&self) -> bool {
        self.type_signature.raw_type.eq_ignore_ascii_case("array")
    }

    /// The type of one value: of an array, that of its elements.
    pub fn value_type(&self) -> &TypeSignature {
        match self.type_signature.arguments.first() {
            Some(TypeArgument::Type(element)) if self.is_array() => element,
            _ => &self.type_signature,
        }
    }

    /// A value with this type.
    pub(super) fn typed(&self, value: ParameterValue) -> StatementParameter {
        StatementParameter { type_name: Some(self.type_name.clone()), value }
    }

    /// The value with which the statement is planned when it is saved.
    pub(super) fn sample(&self) -> ParameterValue {
        let some = match (&self.default, self.allowed.first(), &self.range) {
            (ParameterValue::Null, Some(first), _) => first,
            (ParameterValue::Null, None, Some((least, _))) => least,
            (default, ..) => return default.clone(),
        };
        if self.is_array() { ParameterValue::Array(vec![some.clone()]) } else { some.clone() }
    }

    /// The texts of a query string as a value.
    ///
    /// # Errors
    ///
    /// Several texts for one value.
    pub(super) fn of_texts(&self, texts: &[&str]) -> Result<ParameterValue, String> {
        let is_boolean = self.value_type().raw_type.eq_ignore_ascii_case("boolean");
        let one = |text: &&str| match *text {
            "true" if is_boolean => ParameterValue::Boolean(true),
            "false" if is_boolean => ParameterValue::Boolean(false),
            text => ParameterValue::Text(text.to_owned()),
        };
        match texts {
            texts if self.is_array() => Ok(ParameterValue::Array(texts.iter().map(one).collect())),
            [text] => Ok(one(text)),
            _ => Err("it is given more than once".to_owned()),
        }
    }

    /// Checks a value of a call.
    ///
    /// # Errors
    ///
    /// Why it is not accepted.
    pub(super) fn check(&self, value: &ParameterValue) -> Result<(), String> {
        let constant = self.data_type.constant(value)?;
        if constant.is_null() {
            return if self.is_required { Err("it must not be null".to_owned()) } else { Ok(()) };
        }
        if self.allowed_constants.is_empty() && self.range_constants.is_none() {
            return Ok(());
        }
        for element in constant.elements() {
            let is_equal = |allowed: &ParameterConstant| allowed.compare(&element) == Some(Ordering::Equal);
            if !self.allowed_constants.is_empty() && !self.allowed_constants.iter().any(is_equal) {
                return Err("it is none of the allowed values".to_owned());
            }
            if let Some((least, greatest)) = &self.range_constants {
                let is_within = matches!(least.compare(&element), Some(Ordering::Less | Ordering::Equal))
                    && matches!(element.compare(greatest), Some(Ordering::Less | Ordering::Equal));
                if !is_within {
                    return Err("it is out of range".to_owned());
                }
            }
        }
        Ok(())
    }

    /// The accepted values, in words.
    pub fn expected(&self) -> String {
        let Self { type_name, allowed, range, .. } = self;
        let mut text = match (allowed.as_slice(), range) {
            ([], None) => format!("a value of type {type_name}"),
            ([], Some((least, greatest))) => {
                format!("{type_name} between {} and {}", shown(least), shown(greatest))
            }
            (allowed, _) => {
                let listed: Vec<String> = allowed.iter().map(shown).collect();
                format!("{type_name}, one of {}", listed.join(", "))
            }
        };
        if let (false, Some((least, greatest))) = (allowed.is_empty(), range) {
            text.push_str(&format!(", between {} and {}", shown(least), shown(greatest)));
        }
        text
    }

    /// A value of a list or a bound, as one element.
    fn element(&self, value: ParameterValue) -> Result<ParameterConstant, String> {
        if !self.is_array() {
            return self.data_type.constant(&value);
        }
        let elements = self.data_type.constant(&ParameterValue::Array(vec![value]))?.elements();
        elements.into_iter().next().ok_or_else(|| "there is no value".to_owned())
    }
}

fn value(declared: DeclaredValue) -> ParameterValue {
    match declared {
        DeclaredValue::Null => ParameterValue::Null,
        DeclaredValue::Boolean(value) => ParameterValue::Boolean(value),
        DeclaredValue::Number(text) => ParameterValue::Number(text),
        DeclaredValue::Text(text) => ParameterValue::Text(text),
        DeclaredValue::Array(elements) => ParameterValue::Array(elements.into_iter().map(value).collect()),
    }
}

/// In SQL notation.
pub(super) fn shown(value: &ParameterValue) -> String {
    match value {
        ParameterValue::Null => "NULL".to_owned(),
        ParameterValue::Boolean(value) => value.to_string(),
        ParameterValue::Number(text) => text.clone(),
        ParameterValue::Text(text) => format!("'{}'", text.replace('\'', "''")),
        ParameterValue::Array(elements) => {
            let elements: Vec<String> = elements.iter().map(shown).collect();
            format!("ARRAY[{}]", elements.join(", "))
        }
    }
}
