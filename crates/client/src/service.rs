//! The SQL engine as a service: status, enable, disable (D21); and whether the server is ready.

use rowhouse_model::{SQL_ENGINE, ServiceStatus, SetServiceState, path};

use crate::request::Request;
use crate::{Client, Result};

impl Client {
    /// `GET /service/SQL_ENGINE`.
    ///
    /// # Errors
    ///
    /// Any failure of a request.
    pub async fn service_status(&self) -> Result<ServiceStatus> {
        self.transport.json(&Request::get(path::service(SQL_ENGINE))).await
    }

    /// `PUT /service/SQL_ENGINE` with `true`: enables and wakes.
    ///
    /// # Errors
    ///
    /// `PERMISSION_DENIED`, or any other failure of a request.
    pub async fn enable_service(&self) -> Result<ServiceStatus> {
        self.set_service_state(true).await
    }

    /// `PUT /service/SQL_ENGINE` with `false`: running statements finish, new ones are refused.
    ///
    /// # Errors
    ///
    /// `PERMISSION_DENIED`, or any other failure of a request.
    pub async fn disable_service(&self) -> Result<ServiceStatus> {
        self.set_service_state(false).await
    }

    /// `GET /readyz`: `Ok` if the server accepts requests. Needs no token.
    ///
    /// # Errors
    ///
    /// It does not, or cannot be reached.
    pub async fn ready(&self) -> Result<()> {
        self.transport.whole(&Request::get("/readyz")).await.map(|_| ())
    }

    async fn set_service_state(&self, state: bool) -> Result<ServiceStatus> {
        self.transport.json(&Request::put(path::service(SQL_ENGINE), &SetServiceState { state })?).await
    }
}
