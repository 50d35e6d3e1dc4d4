//! The text of a token. It leaves this program once, in the answer that creates it; kept is its SHA-256.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};

use crate::id_source::IdSource;
use crate::store::tokens::Digest;

/// What every token begins with, so that secret scanners and people know one when they see it.
const PREFIX: &str = "rh_";
/// Random bytes of a token.
const SECRET_BYTES: usize = 32;
/// Bytes of a header's text that are worth hashing.
const MAX_SECRET: usize = 256;

/// A new secret: `rh_` and 256 random bits in 43 characters that are safe in headers and URLs.
pub(super) fn generate(ids: &dyn IdSource) -> String {
    let mut bytes = [0; SECRET_BYTES];
    ids.fill(&mut bytes);
    format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(bytes))
}

/// What the secret is looked up by; `None` for text that is longer than any token.
pub(super) fn digest(secret: &str) -> Option<Digest> {
    (secret.len() <= MAX_SECRET).then(|| Sha256::digest(secret.as_bytes()).into())
}
