//! `files(where: {workspaceId}, recursive)` and `deleteFiles(where: {workspaceId, absolutePaths})`: uploaded files of a
//! workspace, as nested folders.

use std::collections::{BTreeMap, HashMap};

use rowhouse_engine::{FilePath, Principal, WorkspaceFile};
use rowhouse_model::Role;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::{Value, json};

use super::document::{Field, Selected};
use super::failure::Failure;
use super::fields::ObjectType;
use crate::call::Call;
use crate::response::Answer;
use crate::routes::long_answer;

pub(super) const FILE: ObjectType = ObjectType {
    name: "File",
    scalars: &["name", "absolutePath", "size", "isFolder", "lastModified"],
    nested: Some("children"),
};

pub(super) const DELETED_FILE: ObjectType =
    ObjectType { name: "File", scalars: &["name", "absolutePath"], nested: None };

/// Maximum number of paths of one request.
const MAX_PATHS: usize = 1_000;

pub(super) async fn list(call: &Call, principal: &Principal, field: &Field) -> Result<Answer, Failure> {
    let workspace = field.object("where")?.required_text("workspaceId")?;
    let is_recursive = !matches!(field.arguments.get("recursive"), Some(Value::Bool(false)));
    let access = call.access(principal, &workspace, Role::Analyst)?;
    let files = call.app.engine.files().list(&access).await?;
    let listed = Listed { key: field.key.clone(), selection: field.selection.clone(), is_recursive, files };
    Ok(long_answer::answer(call, listed).await?)
}

/// The answer with these files. It is written as it is read, because the paths of nested folders are repeated in each
/// file.
struct Listed {
    key: String,
    selection: Vec<Selected>,
    is_recursive: bool,
    files: Vec<WorkspaceFile>,
}

impl Serialize for Listed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut root = Folder::default();
        for file in &self.files {
            root.put(file);
        }
        let children = Children {
            folder: &root,
            parent: "",
            is_recursive: self.is_recursive,
            selection: &self.selection,
        };
        let data = HashMap::from([(self.key.as_str(), children)]);
        HashMap::from([("data", data)]).serialize(serializer)
    }
}

/// The selected fields of a folder's contents, of which `parent` is the path with a `/`.
#[derive(Clone, Copy)]
struct Children<'a> {
    folder: &'a Folder<'a>,
    parent: &'a str,
    is_recursive: bool,
    selection: &'a [Selected],
}

impl Serialize for Children<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { folder, .. } = *self;
        let mut list = serializer.serialize_seq(Some(folder.folders.len() + folder.files.len()))?;
        for (name, folder) in &folder.folders {
            list.serialize_element(&Child { of: *self, name, file: None, folder: Some(folder) })?;
        }
        for file in &folder.files {
            let name = file.path.rsplit('/').next().unwrap_or_default();
            list.serialize_element(&Child { of: *self, name, file: Some(file), folder: None })?;
        }
        list.end()
    }
}

/// A file or a folder.
struct Child<'a> {
    of: Children<'a>,
    name: &'a str,
    file: Option<&'a WorkspaceFile>,
    folder: Option<&'a Folder<'a>>,
}

impl Serialize for Child<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { of: Children { parent, is_recursive, selection, .. }, name, file, folder } = *self;
        let path = format!("{parent}{name}");
        let mut object = serializer.serialize_map(Some(selection.len()))?;
        for field in selection {
            let key = field.key.as_str();
            match (field.name.as_str(), folder) {
                ("name", _) => object.serialize_entry(key, name)?,
                ("absolutePath", _) => object.serialize_entry(key, &path)?,
                ("isFolder", _) => object.serialize_entry(key, &folder.is_some())?,
                ("size", _) => object.serialize_entry(key, &file.map(|file| file.size))?,
                ("lastModified", _) => object.serialize_entry(key, &file.map(|file| file.modified_at))?,
                ("children", Some(folder)) if is_recursive => {
                    let parent = format!("{path}/");
                    let selection = &field.selection;
                    object.serialize_entry(
                        key,
                        &Children { folder, parent: &parent, is_recursive, selection },
                    )?;
                }
                ("children", Some(_)) => object.serialize_entry(key, &[(); 0])?,
                ("children", None) => object.serialize_entry(key, &())?,
                _ => object.serialize_entry(key, FILE.name)?,
            }
        }
        object.end()
    }
}

pub(super) async fn delete(call: &Call, principal: &Principal, field: &Field) -> Result<Answer, Failure> {
    call.note.action("change");
    let place = field.object("where")?;
    let access = call.access(principal, &place.required_text("workspaceId")?, Role::Analyst)?;
    let paths: Vec<String> = place.optional("absolutePaths", "an array of texts")?.unwrap_or_default();
    if paths.len() > MAX_PATHS {
        return Err(Failure::invalid(format!(
            "absolutePaths: {} are over the most of {MAX_PATHS}",
            paths.len()
        )));
    }
    let paths: Vec<FilePath> = paths.iter().map(|path| FilePath::new(path)).collect::<Result<_, _>>()?;
    let deleted = call.app.engine.files().delete(&access, paths).await?;
    let shown = deleted.iter().map(|path| {
        let name = path.as_str().rsplit('/').next().unwrap_or_default();
        json!({"name": name, "absolutePath": path.as_str()})
    });
    super::answered(field, &DELETED_FILE, shown.collect())
}

/// The contents of a folder, by name.
#[derive(Default)]
struct Folder<'f> {
    folders: BTreeMap<&'f str, Folder<'f>>,
    files: Vec<&'f WorkspaceFile>,
}

impl<'f> Folder<'f> {
    fn put(&mut self, file: &'f WorkspaceFile) {
        let mut folder = self;
        let mut names = file.path.split('/').peekable();
        while let Some(name) = names.next() {
            if names.peek().is_none() {
                folder.files.push(file);
                return;
            }
            folder = folder.folders.entry(name).or_default();
        }
    }
}
