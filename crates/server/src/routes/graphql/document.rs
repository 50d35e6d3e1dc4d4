//! Parses a GraphQL document as far as it is supported: one operation with one field. Values of variables are substituted
//! separately, once the operation is known. Fragments, directives and subscriptions are refused.

use std::collections::HashSet;

use graphql_parser::query::{
    Definition, Document, OperationDefinition, Selection, SelectionSet, Type, Value as GraphqlValue,
    VariableDefinition, parse_query,
};
use serde_json::{Map, Value};

use super::failure::Failure;
use crate::object::Object;

/// Maximum length of a document: those of the client have less than a kilobyte. The parser itself limits nesting to 50
/// levels.
const MAX_DOCUMENT_BYTES: usize = 16 << 10;

/// The kind of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Query,
    Mutation,
}

impl Kind {
    pub(super) const fn keyword(self) -> &'static str {
        match self {
            Self::Query => "query",
            Self::Mutation => "mutation",
        }
    }
}

/// Maximum length of a name in an answer: every object of a list repeats it.
const MAX_ALIAS_BYTES: usize = 64;
/// A value in memory, without its text.
const VALUE_BYTES: usize = size_of::<Value>();

/// The requested operation, without the values of its arguments.
#[derive(Debug)]
pub(super) struct Operation<'a> {
    pub(super) kind: Kind,
    pub(super) name: String,
    /// Its name in the answer.
    key: String,
    pub(super) selection: Vec<Selected>,
    definitions: Vec<VariableDefinition<'a, &'a str>>,
    arguments: Vec<(&'a str, GraphqlValue<'a, &'a str>)>,
}

/// The field of an operation, with its arguments and its selection.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) name: String,
    /// Its name in the answer.
    pub(super) key: String,
    pub(super) arguments: Map<String, Value>,
    pub(super) selection: Vec<Selected>,
}

/// A selected field of an object.
#[derive(Clone, Debug)]
pub(super) struct Selected {
    pub(super) name: String,
    /// Its name in the answer.
    pub(super) key: String,
    pub(super) has_arguments: bool,
    pub(super) selection: Vec<Selected>,
}

impl Field {
    /// An argument that is an object; null if it is absent.
    pub(super) fn object(&self, name: &str) -> Result<Object, Failure> {
        match self.arguments.get(name) {
            Some(object @ Value::Object(_)) => {
                let bytes = serde_json::to_vec(object)
                    .map_err(|error| Failure::invalid(format!("argument {name}: {error}")))?;
                Ok(Object::parse(&bytes)?)
            }
            _ => Err(Failure::invalid(format!("field {}: argument {name} is missing, an object", self.name))),
        }
    }
}

impl<'a> Operation<'a> {
    /// Parses a document; `name` selects one of its operations.
    pub(super) fn read(text: &'a str, name: Option<&str>) -> Result<Self, Failure> {
        if text.len() > MAX_DOCUMENT_BYTES {
            let message = format!("the document has {} bytes, and may have {MAX_DOCUMENT_BYTES}", text.len());
            return Err(Failure::unreadable(message));
        }
        let document = parse_query::<&str>(text).map_err(|error| {
            let lines = error.to_string();
            let lines: Vec<_> = lines.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
            Failure::unreadable(lines.join("; "))
        })?;
        let (kind, definitions, set) = chosen(document, name)?;
        let [Selection::Field(_)] = set.items.as_slice() else {
            // A fragment is reported as such.
            selected(&set)?;
            return Err(Failure::invalid("an operation has one field here"));
        };
        let mut fields = selected(&set)?;
        let (field, items) = (fields.pop(), set.items.into_iter().next());
        let (Some(field), Some(Selection::Field(parsed))) = (field, items) else {
            return Err(Failure::invalid("an operation has one field here"));
        };
        let Selected { name, key, selection, .. } = field;
        Ok(Self { kind, name, key, selection, definitions, arguments: parsed.arguments })
    }

    /// Substitutes the values of the variables. Each is copied for its uses after the first only as long as these copies
    /// have at most `max_bytes` in memory.
    pub(super) fn with_variables(
        self,
        variables: &Map<String, Value>,
        max_bytes: usize,
    ) -> Result<Field, Failure> {
        let Self { name, key, selection, definitions, arguments, .. } = self;
        let mut reader =
            Reader { definitions, variables, used: HashSet::new(), left_bytes: max_bytes, max_bytes };
        let mut values = Map::new();
        for (name, value) in &arguments {
            values.insert((*name).to_owned(), reader.value(value)?);
        }
        Ok(Field { name, key, arguments: values, selection })
    }
}

/// The fields of a selection.
fn selected<'a>(set: &SelectionSet<'a, &'a str>) -> Result<Vec<Selected>, Failure> {
    let fields = set.items.iter().map(|selection| match selection {
        Selection::Field(field) => {
            check_no_directives(field.directives.is_empty())?;
            if let Some(alias) = field.alias.filter(|alias| alias.len() > MAX_ALIAS_BYTES) {
                let message = format!("an alias has {} bytes, and may have {MAX_ALIAS_BYTES}", alias.len());
                return Err(Failure::invalid(message));
            }
            Ok(Selected {
                name: field.name.to_owned(),
                key: field.alias.unwrap_or(field.name).to_owned(),
                has_arguments: !field.arguments.is_empty(),
                selection: selected(&field.selection_set)?,
            })
        }
        Selection::FragmentSpread(_) | Selection::InlineFragment(_) => {
            Err(Failure::invalid("fragments are not read; name the fields"))
        }
    });
    fields.collect()
}

type Chosen<'a> = (Kind, Vec<VariableDefinition<'a, &'a str>>, SelectionSet<'a, &'a str>);

/// The operation of this name, or the only one.
fn chosen<'a>(document: Document<'a, &'a str>, name: Option<&str>) -> Result<Chosen<'a>, Failure> {
    let mut operations = Vec::new();
    for definition in document.definitions {
        let (own_name, directives, chosen) = match definition {
            Definition::Operation(OperationDefinition::SelectionSet(set)) => {
                (None, Vec::new(), (Kind::Query, Vec::new(), set))
            }
            Definition::Operation(OperationDefinition::Query(query)) => {
                (query.name, query.directives, (Kind::Query, query.variable_definitions, query.selection_set))
            }
            Definition::Operation(OperationDefinition::Mutation(mutation)) => (
                mutation.name,
                mutation.directives,
                (Kind::Mutation, mutation.variable_definitions, mutation.selection_set),
            ),
            Definition::Operation(OperationDefinition::Subscription(_)) => {
                return Err(Failure::invalid("subscriptions are not answered"));
            }
            Definition::Fragment(_) => {
                return Err(Failure::invalid("fragments are not read; name the fields"));
            }
        };
        check_no_directives(directives.is_empty())?;
        operations.push((own_name, chosen));
    }
    match name {
        Some(name) => {
            let found = operations.into_iter().find(|(own_name, _)| *own_name == Some(name));
            let missing = || {
                Failure::invalid(format!("the document has no operation {:?}", rowhouse_model::excerpt(name)))
            };
            found.map(|(_, chosen)| chosen).ok_or_else(missing)
        }
        None if operations.len() == 1 => Ok(operations.remove(0).1),
        None => Err(Failure::invalid("give operationName: the document has several operations, or none")),
    }
}

fn check_no_directives(is_empty: bool) -> Result<(), Failure> {
    if is_empty { Ok(()) } else { Err(Failure::invalid("directives are not read")) }
}

/// Substitutes the values of variables.
struct Reader<'a, 'v> {
    definitions: Vec<VariableDefinition<'a, &'a str>>,
    variables: &'v Map<String, Value>,
    /// Variables whose value was used before.
    used: HashSet<String>,
    /// Bytes that further uses may copy.
    left_bytes: usize,
    max_bytes: usize,
}

impl<'a> Reader<'a, '_> {
    fn value(&mut self, value: &GraphqlValue<'a, &'a str>) -> Result<Value, Failure> {
        match value {
            GraphqlValue::Variable(name) => self.variable(name),
            GraphqlValue::List(values) => values.iter().map(|value| self.value(value)).collect(),
            GraphqlValue::Object(fields) => {
                let mut object = Map::new();
                for (name, value) in fields {
                    object.insert((*name).to_owned(), self.value(value)?);
                }
                Ok(Value::Object(object))
            }
            other => constant(other),
        }
    }

    fn variable(&mut self, name: &str) -> Result<Value, Failure> {
        let definition = self.definitions.iter().find(|definition| definition.name == name);
        let definition =
            definition.ok_or_else(|| Failure::invalid(format!("the operation declares no ${name}")))?;
        let is_required = matches!(definition.var_type, Type::NonNullType(_));
        let default: Value;
        let value = match (self.variables.get(name), &definition.default_value) {
            (Some(value), _) if !value.is_null() || !is_required => value,
            (None, Some(written)) => {
                default = constant(written)?;
                &default
            }
            (None, None) if !is_required => &Value::Null,
            _ => return Err(Failure::invalid(format!("variables: ${name} has no value"))),
        };
        if !self.used.insert(name.to_owned()) {
            let left_bytes = self.left_bytes.checked_sub(memory_bytes(value));
            self.left_bytes = left_bytes.ok_or_else(|| {
                Failure::invalid(format!(
                    "variables: the copies of ${name} and others that are used several times have more than {} bytes",
                    self.max_bytes
                ))
            })?;
        }
        Ok(value.clone())
    }
}

/// A value without variables.
fn constant<'a>(value: &GraphqlValue<'a, &'a str>) -> Result<Value, Failure> {
    Ok(match value {
        GraphqlValue::Variable(name) => {
            return Err(Failure::invalid(format!("${name} stands in a default value")));
        }
        GraphqlValue::Int(number) => number.as_i64().into(),
        GraphqlValue::Float(number) => Value::from(*number),
        GraphqlValue::String(text) => text.as_str().into(),
        GraphqlValue::Boolean(value) => (*value).into(),
        GraphqlValue::Null => Value::Null,
        GraphqlValue::Enum(name) => (*name).into(),
        GraphqlValue::List(values) => values.iter().map(constant).collect::<Result<_, _>>()?,
        GraphqlValue::Object(fields) => {
            let read = |(name, value): (&&str, _)| Ok(((*name).to_owned(), constant(value)?));
            Value::Object(fields.iter().map(read).collect::<Result<_, Failure>>()?)
        }
    })
}

/// What a copy of a value takes in memory.
fn memory_bytes(value: &Value) -> usize {
    VALUE_BYTES
        + match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => 0,
            Value::String(text) => text.len(),
            Value::Array(values) => values.iter().map(memory_bytes).sum(),
            // A key is a text of its own.
            Value::Object(fields) => {
                fields.iter().map(|(key, value)| VALUE_BYTES + key.len() + memory_bytes(value)).sum()
            }
        }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(text: &str, name: Option<&str>, variables: Value) -> String {
        let Value::Object(variables) = variables else { panic!("an object") };
        let read = Operation::read(text, name).and_then(|operation| {
            let kind = operation.kind;
            Ok((kind, operation.with_variables(&variables, 1000)?))
        });
        match read {
            Ok((kind, field)) => {
                let selection: Vec<_> = field.selection.iter().map(|field| field.name.as_str()).collect();
                let arguments = Value::Object(field.arguments);
                format!("{} {}={} {arguments} {selection:?}", kind.keyword(), field.key, field.name)
            }
            Err(Failure::Graphql { code, message }) => format!("{code} {message}"),
            Err(Failure::Request(error)) => error.to_string(),
        }
    }

    #[test]
    fn one_operation_with_one_field() {
        let text = "query q($where: W!) { sqlQuery(where: $where) { id status } }";
        assert_eq!(
            read(text, Some("q"), json!({"where": {"id": "7"}})),
            r#"query sqlQuery=sqlQuery {"where":{"id":"7"}} ["id", "status"]"#
        );
        assert_eq!(
            read("mutation { a: f(x: {y: [1, 2.5, \"t\", true, null, E]}) }", None, json!({})),
            r#"mutation a=f {"x":{"y":[1,2.5,"t",true,null,"E"]}} []"#
        );
        assert_eq!(read("query($n: Int = 5) { f(n: $n) }", None, json!({})), r#"query f=f {"n":5} []"#);
        assert_eq!(read("query($n: Int) { f(n: $n) }", None, json!({})), r#"query f=f {"n":null} []"#);
    }

    #[test]
    fn unsupported_documents_are_refused() {
        let check = |text: &str, variables: Value, expected: &str| {
            let refused = read(text, None, variables);
            assert!(refused.starts_with("GRAPHQL_") && refused.contains(expected), "{text}: {refused}");
        };
        check("query {", json!({}), "PARSE_FAILED");
        check(&format!("{{ f{} }}", " ".repeat(MAX_DOCUMENT_BYTES)), json!({}), "bytes");
        check(&format!("{{{}", "a{".repeat(2000)), json!({}), "PARSE_FAILED");
        check("{ a b }", json!({}), "one field");
        check("{ a } { b }", json!({}), "operationName");
        check("subscription { a }", json!({}), "subscriptions");
        check("{ ...F }", json!({}), "fragments");
        check("fragment F on T { a }", json!({}), "fragments");
        check("{ a @skip(if: true) }", json!({}), "directives");
        check("query($a: T!) { f(a: $a) }", json!({}), "$a has no value");
        check("query($a: T!) { f(a: $a) }", json!({"a": null}), "$a has no value");
        check("{ f(a: $b) }", json!({"b": 1}), "declares no $b");
        check("query($a: T = [$b]) { f(a: $a) }", json!({}), "PARSE_FAILED");
        check(&format!("{{ f {{ {}: id }} }}", "a".repeat(65)), json!({}), "alias has 65 bytes");
        assert!(read("{ a }", Some("q"), json!({})).contains("no operation"));
    }

    /// A document of 16 kB may name a variable eight thousand times, and a variable may have 2 MB: each use was a copy.
    #[test]
    fn copies_of_variables_are_bounded() {
        let text = "query($v: T) { f(a: [$v, $v]) }";
        let long = "x".repeat(10_000);
        // Its first use is its value.
        assert!(read("query($v: T) { f(a: $v) }", None, json!({"v": long})).contains(&long));
        assert!(read(text, None, json!({"v": "x".repeat(900)})).contains("xx\",\"xx"));
        let many = format!("query($v: T) {{ f(a: [{}]) }}", "$v ".repeat(5000));
        let small = "x".repeat(5);
        let nested = json!({"k": [[1, 2, 3], {"a": long}]});
        for (text, value) in [(text, json!(long)), (text, nested), (many.as_str(), json!(small))] {
            let refused = read(text, None, json!({"v": value}));
            let expected = "GRAPHQL_VALIDATION_FAILED variables: the copies of $v and others that are used \
                            several times have more than 1000 bytes";
            assert_eq!(refused, expected);
        }
        let default = format!("query($v: T = \"{}\") {{ f(a: [$v, $v]) }}", "x".repeat(1001));
        assert!(read(&default, None, json!({})).contains("more than 1000 bytes"));
    }
}
