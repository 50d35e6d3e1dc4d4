//! `PUT /sql/:id`: absent fields are unchanged; `version` restores a version.

use rowhouse_model::{Role, SavedSqlId, UpdateSavedSql};

use crate::call::{Call, checked_id};
use crate::error::{Error, Result};
use crate::object::Object;
use crate::response::{Answer, json};

pub(crate) async fn answer(call: &mut Call, id: &str) -> Result<Answer> {
    let (access, object) = call.access_by_body(Role::Analyst).await?;
    let id = SavedSqlId::new(checked_id("saved SQL", id)?);
    let saved_sqls = call.app.engine.saved_sql();
    let present = saved_sqls.get(&access, &id).await?;
    let request = UpdateSavedSql {
        workspace_id: access.workspace.id.clone(),
        sql: filled(&object, "sql")?,
        description: object.optional_text("description")?,
        title: filled(&object, "title")?,
        sql_name: object.nullable_text("sqlName")?,
        version: object.optional_count("version")?,
    };
    let is_text_given = request.sql.is_some() || request.title.is_some() || request.description.is_some();
    if request.version.is_some() && is_text_given {
        let message = "field version stands beside sql, title or description, which are those of the version";
        return Err(Error::invalid(message));
    }
    let sql = request.sql.as_ref().unwrap_or(&present.sql);
    let description = request.description.as_ref().or(present.description.as_ref());
    call.reserve_answer([Some(&**sql), request.title.as_deref(), description.map(String::as_str)])?;
    json(&saved_sqls.update(&access, &id, request).await?)
}

/// A text that may be absent but not empty.
pub(crate) fn filled(object: &Object, name: &str) -> Result<Option<String>> {
    match object.optional_text(name)? {
        Some(text) if text.is_empty() => Err(Error::invalid(format!("field {name} is empty"))),
        text => Ok(text),
    }
}
