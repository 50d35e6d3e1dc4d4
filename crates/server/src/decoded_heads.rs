//! Heads over HTTP/2 that are complete: their fields, and their memory until their requests are answered (D190).

use http::header::COOKIE;
use http::request::Parts;
use http::{Request, Version};

use crate::connection::InFlight;
use crate::error::Error;
use crate::head_memory::HeldHead;

/// Fields of a head; in HTTP/1.1 hyper accepts no more either.
const MAX_FIELDS: usize = 100;
/// What a field has beside its texts, as the protocol counts it (RFC 9113, section 6.5.2).
const FIELD_BYTES: usize = 32;

/// The number of fields of a head that has lost them.
#[derive(Clone, Copy, Debug)]
struct TooManyFields(usize);

/// Drops the fields of a head with too many of them as soon as it is decoded: its request is refused, but not before all heads
/// that have arrived with it are decoded. Cookies, each of which may be a field, do not count: nobody reads them.
pub(crate) fn shorten<B>(request: &mut Request<B>) {
    if request.version() != Version::HTTP_2 || request.headers().len() <= MAX_FIELDS {
        return;
    }
    let headers = request.headers_mut();
    headers.remove(COOKIE);
    let count = headers.len();
    if count <= MAX_FIELDS {
        // A copy: the map itself keeps the room of those that are gone.
        *headers = headers.clone();
        return;
    }
    drop(std::mem::take(headers));
    request.extensions_mut().insert(TooManyFields(count));
}

/// Memory for a complete head until its request is answered, or why the request is refused: a hundred heads are one
/// connection, and their clients need no token. Neither in HTTP/1.1, where a connection has one.
pub(crate) fn hold(in_flight: &InFlight, head: &Parts) -> (Option<Error>, Option<HeldHead>) {
    if head.version != Version::HTTP_2 {
        return (None, None);
    }
    if let Some(TooManyFields(count)) = head.extensions.get() {
        let message = format!("the request has {count} headers, at most {MAX_FIELDS} are accepted");
        return (Some(Error::invalid(message)), None);
    }
    let fields = head.headers.iter();
    let bytes = fields.map(|(name, value)| name.as_str().len() + value.len() + FIELD_BYTES).sum::<usize>()
        + head.uri.path_and_query().map_or(0, |target| target.as_str().len());
    let held = in_flight.head_memory();
    if held.grow_to(bytes) { (None, Some(held)) } else { (Some(Error::OutOfHeadMemory), None) }
}

#[cfg(test)]
mod tests {
    use http::HeaderMap;

    use super::*;

    /// The fields that are left of so many cookies and others, and whether the request is refused.
    fn shortened(version: Version, cookies: usize, others: usize) -> (usize, bool) {
        let mut headers = HeaderMap::new();
        for number in 0..cookies {
            headers.append(COOKIE, number.into());
        }
        for number in 0..others {
            headers.append("x", number.into());
        }
        let mut request = Request::new(());
        *request.version_mut() = version;
        *request.headers_mut() = headers;
        shorten(&mut request);
        (request.headers().len(), request.extensions().get::<TooManyFields>().is_some())
    }

    #[test]
    fn fields_are_limited_and_cookies_are_left_out() {
        assert_eq!(shortened(Version::HTTP_2, 50, 50), (100, false));
        assert_eq!(shortened(Version::HTTP_2, 3000, 100), (100, false));
        assert_eq!(shortened(Version::HTTP_2, 3000, 0), (0, false));
        assert_eq!(shortened(Version::HTTP_2, 1, 101), (0, true));
        assert_eq!(shortened(Version::HTTP_11, 90, 101), (191, false));
    }
}
