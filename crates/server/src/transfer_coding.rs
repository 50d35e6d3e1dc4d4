//! The `Transfer-Encoding` of an HTTP/1.1 request (RFC 9112, section 6.1). hyper reads a body as chunks if `chunked` is the last
//! coding, and ignores the others: a proxy in front may read another body, or pass on one that nobody has decoded.

use http::header::TRANSFER_ENCODING;
use http::{HeaderMap, Version};

use crate::error::Error;

/// Why a request's body cannot be read, if so.
pub(crate) fn fault(version: Version, headers: &HeaderMap) -> Option<Error> {
    if version > Version::HTTP_11 || !headers.contains_key(TRANSFER_ENCODING) {
        return None;
    }
    let values = headers.get_all(TRANSFER_ENCODING).iter();
    let values: Vec<_> = values.map(|value| String::from_utf8_lossy(value.as_bytes())).collect();
    let mut codings = values.iter().flat_map(|value| value.split(',')).map(str::trim);
    let other = codings.clone().find(|coding| !coding.eq_ignore_ascii_case("chunked"));
    match other {
        Some(other) => Some(Error::UnsupportedTransferCoding(rowhouse_model::excerpt(other))),
        None if codings.nth(1).is_some() => {
            Some(Error::invalid("header Transfer-Encoding names chunked several times, expected once"))
        }
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn only_chunked_is_read_and_only_once() {
        let check = |values: &[&'static str], expected: Option<(u16, &str)>| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(TRANSFER_ENCODING, HeaderValue::from_static(value));
            }
            let found = fault(Version::HTTP_11, &headers);
            let found = found.map(|error| (error.status().as_u16(), error.to_string()));
            let expected = expected.map(|(status, message)| (status, message.to_owned()));
            assert_eq!(found, expected, "{values:?}");
        };
        check(&[], None);
        check(&["chunked"], None);
        check(&[" Chunked "], None);
        let twice = Some((400, "header Transfer-Encoding names chunked several times, expected once"));
        check(&["chunked, chunked"], twice);
        check(&["chunked", "chunked"], twice);
        let gzip = Some((501, "the transfer coding \"gzip\" is not read here, expected chunked alone"));
        check(&["gzip, chunked"], gzip);
        check(&["gzip", "chunked"], gzip);
        check(
            &[", chunked"],
            Some((501, "the transfer coding \"\" is not read here, expected chunked alone")),
        );
    }
}
