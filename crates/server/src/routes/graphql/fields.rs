//! The fields of the objects in answers, and their selection.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::document::Selected;
use super::failure::Failure;

/// An object of an answer.
#[derive(Debug)]
pub(super) struct ObjectType {
    pub(super) name: &'static str,
    /// Fields without a selection.
    pub(super) scalars: &'static [&'static str],
    /// A field that is a list of the same objects.
    pub(super) nested: Option<&'static str>,
}

/// The field with the type's name of every object.
const TYPE_NAME: &str = "__typename";
/// How often a field without a selection may be selected of an object: once, and once more by another name. An answer is
/// then a small multiple of what its objects are.
const MAX_TIMES: usize = 2;

impl ObjectType {
    /// Checks that every selected field exists, and is selected at most [`MAX_TIMES`], one with a selection once.
    pub(super) fn check(&self, selection: &[Selected]) -> Result<(), Failure> {
        if selection.is_empty() {
            return Err(Failure::invalid(format!("fields of {} have to be selected", self.name)));
        }
        let mut times: BTreeMap<&str, usize> = BTreeMap::new();
        for field in selection {
            if field.has_arguments {
                let message = format!("field {} of {} has no arguments", field.name, self.name);
                return Err(Failure::invalid(message));
            }
            let is_nested = self.nested == Some(field.name.as_str());
            let count = times.entry(&field.name).or_default();
            *count += 1;
            let most = if is_nested { 1 } else { MAX_TIMES };
            if *count > most {
                let name = rowhouse_model::excerpt(&field.name);
                let message = format!(
                    "field {name} of {} is selected more than {most} times, by whatever alias",
                    self.name
                );
                return Err(Failure::invalid(message));
            }
            if is_nested {
                self.check(&field.selection)?;
                continue;
            }
            if !self.scalars.contains(&field.name.as_str()) && field.name != TYPE_NAME {
                let name = rowhouse_model::excerpt(&field.name);
                let known = self.scalars.join(", ");
                let message = format!("Cannot query field {name:?} on type {}; it has {known}", self.name);
                return Err(Failure::invalid(message));
            }
            if !field.selection.is_empty() {
                return Err(Failure::invalid(format!("field {} of {} has no fields", field.name, self.name)));
            }
        }
        Ok(())
    }

    /// The selected fields of an object, or of each object of a list.
    pub(super) fn selected(&self, selection: &[Selected], value: Value) -> Value {
        match value {
            Value::Array(values) => values.into_iter().map(|value| self.selected(selection, value)).collect(),
            Value::Object(object) => {
                let mut selected = Map::new();
                for field in selection {
                    let value = match object.get(&field.name) {
                        _ if field.name == TYPE_NAME => self.name.into(),
                        Some(value) if self.nested == Some(field.name.as_str()) => {
                            self.selected(&field.selection, value.clone())
                        }
                        value => value.cloned().unwrap_or_default(),
                    };
                    selected.insert(field.key.clone(), value);
                }
                Value::Object(selected)
            }
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::document::Operation;
    use super::*;

    const NODE: ObjectType = ObjectType { name: "Node", scalars: &["id", "any"], nested: Some("children") };

    fn check(selection: &str, expected: &str) {
        let text = format!("{{ f {selection} }}");
        let selection = Operation::read(&text, None).expect("a document").selection;
        let found = match NODE.check(&selection) {
            Ok(()) => {
                let node = json!([{"id": 1, "any": {"x": 1}, "children": [{"id": 2, "children": null}]}]);
                NODE.selected(&selection, node).to_string()
            }
            Err(Failure::Graphql { message, .. }) => message,
            Err(Failure::Request(error)) => error.to_string(),
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn only_selected_fields_are_returned() {
        check("{ id }", r#"[{"id":1}]"#);
        check("{ n: id __typename }", r#"[{"n":1,"__typename":"Node"}]"#);
        check(
            "{ any children { id children { id } } }",
            r#"[{"any":{"x":1},"children":[{"id":2,"children":null}]}]"#,
        );
        check("", "fields of Node have to be selected");
        check("{ children }", "fields of Node have to be selected");
        check("{ id { x } }", "field id of Node has no fields");
        check("{ id(a: 1) }", "field id of Node has no arguments");
        check("{ a: id b: id }", r#"[{"a":1,"b":1}]"#);
        check("{ a: id b: id c: id }", "field id of Node is selected more than 2 times, by whatever alias");
        check(
            "{ a: __typename b: __typename __typename }",
            "field __typename of Node is selected more than 2 times, by whatever alias",
        );
        let twice = "field children of Node is selected more than 1 times, by whatever alias";
        check("{ a: children { id } b: children { id } }", twice);
        check("{ children { id a: children { id } b: children { id } } }", twice);
        check("{ what }", "Cannot query field \"what\" on type Node; it has id, any");
    }
}
