//! `GET /catalog`: the names that a statement may use, for completion in editors.

use rowhouse_engine::CatalogPlace;
use rowhouse_model::Role;

use crate::call::Call;
use crate::error::{Error, Result};
use crate::response::Answer;
use crate::routes::long_answer;

pub(crate) async fn answer(call: &Call) -> Result<Answer> {
    let access = call.access_by_query(Role::Analyst)?;
    let parameter = |name: &str| Ok::<_, Error>(call.parameters.optional(name)?.map(str::to_owned));
    let place = match (parameter("catalog")?, parameter("schema")?) {
        (None, None) => CatalogPlace::Root,
        (Some(catalog), None) => CatalogPlace::Catalog { catalog },
        (catalog, Some(schema)) => CatalogPlace::Schema { catalog, schema },
    };
    let catalog = call.app.engine.tables().catalog(&access, place).await?;
    long_answer::answer(call, catalog).await
}
