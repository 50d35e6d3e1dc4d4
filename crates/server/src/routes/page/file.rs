//! `GET /web/assets/:name`: a file of the page's bundle. Its name has a hash of its contents, so a browser may cache
//! it.

use http::HeaderValue;
use http::header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, VARY};

use super::bundle::FILES;
use crate::call::Call;
use crate::compress::Coding;
use crate::error::{Error, Result};
use crate::response::{Answer, whole};

const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

pub(crate) fn answer(call: &Call, name: &str) -> Result<Answer> {
    let Some(file) = FILES.iter().find(|file| file.name == name) else {
        return Err(Error::UnknownRoute {
            path: format!("/assets/{}", name.chars().take(200).collect::<String>()),
        });
    };
    let packed = file.gzip.filter(|_| Coding::Gzip.is_accepted(&call.headers));
    let (bytes, coding) = packed.map_or((file.identity, Coding::Identity), |bytes| (bytes, Coding::Gzip));
    let mut answer = whole(HeaderValue::from_static(file.content_type), bytes);
    let headers = answer.headers_mut();
    headers.extend(coding.name().map(|name| (CONTENT_ENCODING, HeaderValue::from_static(name))));
    headers.insert(VARY, HeaderValue::from_name(ACCEPT_ENCODING));
    headers.insert(CACHE_CONTROL, FOR_EVER);
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::super::document::{PAGE, REFERENCE};
    use super::*;

    #[test]
    fn compressed_files_have_the_same_contents() {
        for file in FILES {
            let Some(gzip) = file.gzip else { continue };
            let mut unpacked = Vec::new();
            flate2::read::GzDecoder::new(gzip).read_to_end(&mut unpacked).expect(file.name);
            assert!(unpacked == file.identity, "{} differs", file.name);
        }
    }

    /// The files that a browser fetches before the page can be used: all except those loaded with the first chart.
    #[test]
    fn the_first_load_is_small() {
        for (document, limit) in [(PAGE, 300_000), (REFERENCE, 30_000)] {
            let first = FILES.iter().filter(|file| document.contains(file.name));
            let bytes: usize = first.map(|file| file.gzip.unwrap_or(file.identity).len()).sum();
            assert!(bytes > 0 && bytes < limit, "{bytes} bytes");
        }
    }
}
