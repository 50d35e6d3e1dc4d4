//! Parses a GraphQL document as far as it is supported: one operation with one field, with its variables substituted.
//! Fragments, directives and subscriptions are refused.

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

/// The requested operation.
#[derive(Debug)]
pub(super) struct Operation {
    pub(super) kind: Kind,
    pub(super) field: Field,
}

/// A field with its selection.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Field {
    pub(super) name: String,
    /// Its name in the answer.
    pub(super) key: String,
    pub(super) arguments: Map<String, Value>,
    pub(super) selection: Vec<Field>,
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

impl Operation {
    /// Parses a document; `name` selects one of its operations.
    pub(super) fn read(
        text: &str,
        name: Option<&str>,
        variables: &Map<String, Value>,
    ) -> Result<Self, Failure> {
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
        let reader = Reader { definitions, variables };
        let mut fields = reader.fields(&set)?;
        let field = fields.pop().filter(|_| fields.is_empty());
        let field = field.ok_or_else(|| Failure::invalid("an operation has one field here"))?;
        Ok(Self { kind, field })
    }
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
}

impl<'a> Reader<'a, '_> {
    fn fields(&self, set: &SelectionSet<'a, &'a str>) -> Result<Vec<Field>, Failure> {
        let fields = set.items.iter().map(|selection| match selection {
            Selection::Field(field) => {
                check_no_directives(field.directives.is_empty())?;
                let mut arguments = Map::new();
                for (name, value) in &field.arguments {
                    arguments.insert((*name).to_owned(), self.value(value)?);
                }
                Ok(Field {
                    name: field.name.to_owned(),
                    key: field.alias.unwrap_or(field.name).to_owned(),
                    arguments,
                    selection: self.fields(&field.selection_set)?,
                })
            }
            Selection::FragmentSpread(_) | Selection::InlineFragment(_) => {
                Err(Failure::invalid("fragments are not read; name the fields"))
            }
        });
        fields.collect()
    }

    fn value(&self, value: &GraphqlValue<'a, &'a str>) -> Result<Value, Failure> {
        Ok(match value {
            GraphqlValue::Variable(name) => self.variable(name)?,
            GraphqlValue::Int(number) => number.as_i64().into(),
            GraphqlValue::Float(number) => Value::from(*number),
            GraphqlValue::String(text) => text.as_str().into(),
            GraphqlValue::Boolean(value) => (*value).into(),
            GraphqlValue::Null => Value::Null,
            GraphqlValue::Enum(name) => (*name).into(),
            GraphqlValue::List(values) => {
                values.iter().map(|value| self.value(value)).collect::<Result<_, _>>()?
            }
            GraphqlValue::Object(fields) => {
                let read = |(name, value): (&&str, _)| Ok(((*name).to_owned(), self.value(value)?));
                Value::Object(fields.iter().map(read).collect::<Result<_, Failure>>()?)
            }
        })
    }

    fn variable(&self, name: &str) -> Result<Value, Failure> {
        let definition = self.definitions.iter().find(|definition| definition.name == name);
        let definition =
            definition.ok_or_else(|| Failure::invalid(format!("the operation declares no ${name}")))?;
        let is_required = matches!(definition.var_type, Type::NonNullType(_));
        match (self.variables.get(name), &definition.default_value) {
            (Some(value), _) if !value.is_null() || !is_required => Ok(value.clone()),
            (None, Some(default)) => self.value(default),
            (None, None) if !is_required => Ok(Value::Null),
            _ => Err(Failure::invalid(format!("variables: ${name} has no value"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(text: &str, name: Option<&str>, variables: Value) -> String {
        let Value::Object(variables) = variables else { panic!("an object") };
        match Operation::read(text, name, &variables) {
            Ok(Operation { kind, field }) => {
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
        assert!(read("{ a }", Some("q"), json!({})).contains("no operation"));
    }
}
