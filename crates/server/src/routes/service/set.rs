//! `PUT /service/:service`: owners and admins enable and disable it (D6, D21).

use crate::call::Call;
use crate::error::Result;
use crate::response::{Answer, json};

pub(crate) async fn answer(call: &mut Call, service: &str) -> Result<Answer> {
    let (principal, object) = call.principal_and_object().await?;
    let engine_service = call.app.engine.service();
    // An unknown service is 404 regardless of the body.
    engine_service.status(service)?;
    let is_enabled = object.required_switch("state")?;
    json(&engine_service.set(&principal, service, is_enabled).await?)
}
