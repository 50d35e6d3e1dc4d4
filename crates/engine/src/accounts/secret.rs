//! The secret of a token. It leaves this program once, in the answer that creates it; only its SHA-256 is stored.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};

use crate::id_source::IdSource;
use crate::store::tokens::Digest;

/// Prefix of every token, by which secret scanners and people recognize it.
const PREFIX: &str = "rh_";
/// Random bytes of a token.
const SECRET_BYTES: usize = 32;
/// Maximum length of a header's text that is hashed.
const MAX_SECRET: usize = 256;

/// A new secret: `rh_` and 256 random bits in 43 characters that are safe in headers and URLs.
pub(super) fn generate(ids: &dyn IdSource) -> String {
    let mut bytes = [0; SECRET_BYTES];
    ids.fill(&mut bytes);
    format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(bytes))
}

/// The look-up key of a secret; `None` for text that is longer than any token.
pub(super) fn digest(secret: &str) -> Option<Digest> {
    (secret.len() <= MAX_SECRET).then(|| Sha256::digest(secret.as_bytes()).into())
}
