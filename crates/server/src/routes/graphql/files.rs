//! `files(where: {workspaceId}, recursive)` and `deleteFiles(where: {workspaceId, absolutePaths})`: uploaded files of a
//! workspace, as nested folders.

use std::collections::BTreeMap;

use rowhouse_engine::{FilePath, Principal, WorkspaceFile};
use rowhouse_model::{Role, Timestamp};
use serde_json::{Value, json};

use super::document::Field;
use super::failure::Failure;
use super::fields::ObjectType;
use crate::call::Call;
use crate::response::Answer;

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
    let mut root = Folder::default();
    for file in call.app.engine.files().list(&access).await? {
        root.put(&file);
    }
    super::answered(field, &FILE, root.shown("", is_recursive))
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
struct Folder {
    folders: BTreeMap<String, Folder>,
    files: Vec<(String, u64, Timestamp)>,
}

impl Folder {
    fn put(&mut self, file: &WorkspaceFile) {
        let mut folder = self;
        let mut names = file.path.split('/').peekable();
        while let Some(name) = names.next() {
            if names.peek().is_none() {
                folder.files.push((name.to_owned(), file.size, file.modified_at));
                return;
            }
            folder = folder.folders.entry(name.to_owned()).or_default();
        }
    }

    fn shown(&self, parent: &str, is_recursive: bool) -> Value {
        let folders = self.folders.iter().map(|(name, folder)| {
            let path = format!("{parent}{name}");
            let children = if is_recursive { folder.shown(&format!("{path}/"), true) } else { json!([]) };
            json!({
                "name": name, "absolutePath": path, "size": null, "isFolder": true, "lastModified": null,
                "children": children,
            })
        });
        let files = self.files.iter().map(|(name, size, modified_at)| {
            let path = format!("{parent}{name}");
            json!({
                "name": name, "absolutePath": path, "size": size, "isFolder": false, "lastModified": modified_at,
                "children": null,
            })
        });
        folders.chain(files).collect()
    }
}
