//! Authentication (D6): the token in `Authorization`, as `Token SECRET` or `Bearer SECRET`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::header::AUTHORIZATION;
use http::{HeaderMap, HeaderName};
use rowhouse_engine::{Accounts, KnownToken, Principal};

use crate::error::{Error, Result};

const EXPECTED: &str = "expected `Authorization: Token <PERSONAL_ACCESS_TOKEN>`";

/// The account that a request's token belongs to; `known` is the last token of its connection.
pub(crate) fn authenticate(
    accounts: &Accounts,
    known: &KnownToken,
    headers: &HeaderMap,
) -> Result<Principal> {
    owner(accounts, known, secret(headers)?)
}

/// The same for reads of endpoints and views, which accept narrowed tokens.
pub(crate) fn authenticate_reader(
    accounts: &Accounts,
    known: &KnownToken,
    headers: &HeaderMap,
) -> Result<Principal> {
    Ok(accounts.authenticate_reader_again(secret(headers)?, known)?)
}

fn owner(accounts: &Accounts, known: &KnownToken, secret: &str) -> Result<Principal> {
    let principal = accounts.authenticate_reader_again(secret, known)?;
    principal.require_whole()?;
    Ok(principal)
}

/// The account of a request of Trino's client protocol: the token is the password of Basic, with any user name, or
/// follows Bearer; on this machine also `X-Trino-Extra-Credential: token=SECRET`, because drivers send no password
/// without TLS.
pub(crate) fn authenticate_client(
    accounts: &Accounts,
    known: &KnownToken,
    headers: &HeaderMap,
    is_local: bool,
) -> Result<Principal> {
    match basic_password(headers).as_deref() {
        // Only a user name.
        Some("") => {}
        Some(password) => return owner(accounts, known, password),
        None if headers.contains_key(AUTHORIZATION) => return authenticate(accounts, known, headers),
        None => {}
    }
    let extra = headers.get_all(EXTRA_CREDENTIAL).iter().filter_map(|value| value.to_str().ok());
    let extra = extra.flat_map(|value| value.split(',')).find_map(|pair| {
        let (name, value) = pair.split_once('=')?;
        (name.trim() == "token")
            .then(|| percent_encoding::percent_decode_str(value.trim()).decode_utf8_lossy())
    });
    match extra {
        Some(token) if is_local => owner(accounts, known, &token),
        Some(_) => Err(Error::Unauthorized(
            "the extra credential `token` is taken from this machine alone; give the token as the password, over TLS"
                .to_owned(),
        )),
        None => Err(Error::Unauthorized(
            "no credentials; give a token as the password of any user, as `Authorization: Bearer <TOKEN>`, or from \
             this machine as the extra credential `token`"
                .to_owned(),
        )),
    }
}

/// Whether `Authorization` contains credentials: a client without a password may send a user's name in it.
pub(crate) fn has_authorization(headers: &HeaderMap) -> bool {
    headers.contains_key(AUTHORIZATION) && basic_password(headers).is_none_or(|password| !password.is_empty())
}

const EXTRA_CREDENTIAL: HeaderName = HeaderName::from_static("x-trino-extra-credential");

/// The password of Basic authentication, if the header has it.
fn basic_password(headers: &HeaderMap) -> Option<String> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let text = values.next().filter(|_| values.next().is_none())?.to_str().ok()?;
    let (scheme, encoded) = text.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("Basic") {
        return None;
    }
    let decoded = String::from_utf8(STANDARD.decode(encoded.trim()).ok()?).ok()?;
    decoded.split_once(':').map(|(_, password)| password.to_owned())
}

/// The secret of the header: the scheme in any letter case, then one or more spaces. Messages never repeat any of it.
fn secret(headers: &HeaderMap) -> Result<&str> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let refused = |what: &str| Error::Unauthorized(format!("{what}; {EXPECTED}"));
    let value = values.next().ok_or_else(|| refused("the Authorization header is missing"))?;
    if values.next().is_some() {
        return Err(refused("the Authorization header is given more than once"));
    }
    let text = value.to_str().map_err(|_| refused("the Authorization header is not ASCII"))?;
    let space = memchr::memchr(b' ', text.as_bytes());
    let space = space.ok_or_else(|| refused("the Authorization header is malformed"))?;
    let (scheme, secret) = (&text[..space], &text[space + 1..]);
    if !scheme.eq_ignore_ascii_case("Token") && !scheme.eq_ignore_ascii_case("Bearer") {
        return Err(refused("the Authorization header has another scheme"));
    }
    let secret = secret.trim();
    if secret.is_empty() || memchr::memchr(b' ', secret.as_bytes()).is_some() {
        return Err(refused("the Authorization header is malformed"));
    }
    Ok(secret)
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn authorization_header_forms() {
        let check = |value: &[u8], expected: Option<&str>| {
            let mut headers = HeaderMap::new();
            headers.insert(AUTHORIZATION, HeaderValue::from_bytes(value).expect("a header value"));
            assert_eq!(secret(&headers).ok(), expected, "{value:?}");
        };
        check(b"Token abc", Some("abc"));
        check(b"Bearer abc", Some("abc"));
        check(b"token  abc ", Some("abc"));
        check(b"abc", None);
        check(b"Token", None);
        check(b"Token ", None);
        check(b"Token a b", None);
        check(b"Basic abc", None);
        check(b"Tokenabc", None);
        check(b"Token \xff", None);
        assert!(secret(&HeaderMap::new()).is_err());
        let mut twice = HeaderMap::new();
        twice.append(AUTHORIZATION, HeaderValue::from_static("Token a"));
        twice.append(AUTHORIZATION, HeaderValue::from_static("Token b"));
        assert!(secret(&twice).is_err());
    }
}
