//! Who asks (D6): the token in `Authorization`, as `Token SECRET` or `Bearer SECRET`.

use http::HeaderMap;
use http::header::AUTHORIZATION;
use rowhouse_engine::{Accounts, Principal};

use crate::error::{Error, Result};

const EXPECTED: &str = "expected `Authorization: Token <PERSONAL_ACCESS_TOKEN>`";

/// The account that a request's token belongs to.
pub(crate) fn authenticate(accounts: &Accounts, headers: &HeaderMap) -> Result<Principal> {
    Ok(accounts.authenticate(secret(headers)?)?)
}

/// The secret of the header: the scheme in any letter case, then one space or more. Nothing of it is repeated
/// in a message.
fn secret(headers: &HeaderMap) -> Result<&str> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let refused = |what: &str| Error::Unauthorized(format!("{what}; {EXPECTED}"));
    let value = values.next().ok_or_else(|| refused("the Authorization header is missing"))?;
    if values.next().is_some() {
        return Err(refused("the Authorization header is given more than once"));
    }
    let text = value.to_str().map_err(|_| refused("the Authorization header is not ASCII"))?;
    let (scheme, secret) =
        text.split_once(' ').ok_or_else(|| refused("the Authorization header is malformed"))?;
    if !scheme.eq_ignore_ascii_case("Token") && !scheme.eq_ignore_ascii_case("Bearer") {
        return Err(refused("the Authorization header has another scheme"));
    }
    let secret = secret.trim();
    if secret.is_empty() || secret.contains(' ') {
        return Err(refused("the Authorization header is malformed"));
    }
    Ok(secret)
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn forms_of_the_header() {
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
