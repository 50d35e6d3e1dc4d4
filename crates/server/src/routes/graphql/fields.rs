//! The fields of the objects in answers, and their selection.

use serde_json::{Map, Value};

use super::document::Field;
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

impl ObjectType {
    /// Checks that every selected field exists.
    pub(super) fn check(&self, selection: &[Field]) -> Result<(), Failure> {
        if selection.is_empty() {
            return Err(Failure::invalid(format!("fields of {} have to be selected", self.name)));
        }
        for field in selection {
            if !field.arguments.is_empty() {
                let message = format!("field {} of {} has no arguments", field.name, self.name);
                return Err(Failure::invalid(message));
            }
            if self.nested == Some(field.name.as_str()) {
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
    pub(super) fn selected(&self, selection: &[Field], value: Value) -> Value {
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
        let operation = Operation::read(&format!("{{ f {selection} }}"), None, &Map::new());
        let selection = operation.expect("a document").field.selection;
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
        check("{ what }", "Cannot query field \"what\" on type Node; it has id, any");
    }
}
