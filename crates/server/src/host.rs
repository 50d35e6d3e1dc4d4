//! The `Host` of an HTTP/1.1 request (RFC 9112, section 3.2). The server has one site and ignores the name, but a proxy
//! in front of it may not: two readers that see different hosts, or none, can be exploited.

use http::header::HOST;
use http::{HeaderMap, Version};

use crate::error::Error;

/// Why a request has no reliable host, if so.
pub(crate) fn fault(version: Version, headers: &HeaderMap) -> Option<Error> {
    if version > Version::HTTP_11 {
        return None;
    }
    let mut hosts = headers.get_all(HOST).iter();
    let message = match (hosts.next(), hosts.next()) {
        (None, _) if version < Version::HTTP_11 => return None,
        (None, _) => "header Host is missing, which every request in HTTP/1.1 has to have".to_owned(),
        (Some(_), Some(_)) => {
            format!("header Host is given {} times, expected one", headers.get_all(HOST).iter().count())
        }
        (Some(host), None) if host.as_bytes().iter().all(|byte| IN_HOST[usize::from(*byte)]) => return None,
        (Some(_), None) => "header Host has characters that neither a name nor a port can have".to_owned(),
    };
    Some(Error::invalid(message))
}

/// The answer of `is_in_host` for each byte.
const IN_HOST: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < table.len() {
        table[byte] = is_in_host(byte as u8);
        byte += 1;
    }
    table
};

/// Names, addresses and ports (RFC 3986, section 3.2.2). An empty host is valid, too: that of an address without one.
const fn is_in_host(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'%' | b':' | b'[' | b']')
        || matches!(byte, b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b'+' | b',' | b';' | b'=')
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn check(version: Version, hosts: &[&'static str], expected: Option<&str>) {
        let mut headers = HeaderMap::new();
        for host in hosts {
            headers.append(HOST, HeaderValue::from_static(host));
        }
        let found = fault(version, &headers).map(|error| error.to_string());
        assert_eq!(found.as_deref(), expected, "{version:?} {hosts:?}");
    }

    #[test]
    fn a_request_must_have_one_valid_host() {
        for host in ["example.com", "127.0.0.1:8080", "[::1]:80", "", "a_b-c.d", "%41"] {
            check(Version::HTTP_11, &[host], None);
        }
        check(Version::HTTP_10, &[], None);
        check(Version::HTTP_2, &[], None);
        let missing = "header Host is missing, which every request in HTTP/1.1 has to have";
        check(Version::HTTP_11, &[], Some(missing));
        for version in [Version::HTTP_10, Version::HTTP_11] {
            check(version, &["a", "a"], Some("header Host is given 2 times, expected one"));
            let odd = "header Host has characters that neither a name nor a port can have";
            for host in ["user@example.com", "a b", "a/b", "a\"", "a?b", "a#b"] {
                check(version, &[host], Some(odd));
            }
        }
    }
}
