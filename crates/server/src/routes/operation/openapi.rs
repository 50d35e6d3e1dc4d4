//! `GET /openapi.json`: the OpenAPI document; no token needed.

use crate::response::{Answer, JSON, whole};

const DOCUMENT: &str = include_str!("openapi.json");

pub(crate) fn answer() -> Answer {
    whole(JSON, DOCUMENT)
}

#[cfg(test)]
mod tests;
