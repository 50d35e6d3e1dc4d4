//! The address of a server, as copied from a browser.

use http::Uri;
use http::uri::Scheme;

use crate::{Error, Result};

/// Scheme, authority and base path, without a trailing slash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BaseUrl(String);

impl BaseUrl {
    /// In standalone mode the page's address is cut after its `/web` segment; in cluster mode, without such a segment,
    /// the address is unchanged (interface.md, Interface A).
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let refuse = |why: &str| Error::invalid_input(format!("'{text}' is not a server's address: {why}"));
        let without_fragment = text.split('#').next().unwrap_or_default();
        let uri: Uri = without_fragment.parse().map_err(|error| refuse("no URL").with_source(error))?;
        let scheme = match uri.scheme() {
            Some(scheme) if *scheme == Scheme::HTTP => "http",
            Some(scheme) if *scheme == Scheme::HTTPS && cfg!(feature = "tls") => "https",
            Some(scheme) if *scheme == Scheme::HTTPS => {
                return Err(refuse("https needs this client built with its feature `tls`"));
            }
            Some(_) => return Err(refuse("the scheme must be http or https")),
            None => return Err(refuse("it must begin with http:// or https://")),
        };
        let authority = uri.authority().ok_or_else(|| refuse("there is no host"))?;
        if authority.as_str().contains('@') {
            return Err(refuse("a user and a password cannot stand in it; give a token to the client"));
        }
        let mut base = format!("{scheme}://{authority}");
        for segment in uri.path().split('/').filter(|segment| !segment.is_empty()) {
            base.push('/');
            base.push_str(segment);
            if segment == "web" {
                break;
            }
        }
        Ok(Self(base))
    }

    /// The full address of a path that begins with a slash.
    pub(crate) fn join(&self, target: &str) -> Result<Uri> {
        let Self(base) = self;
        format!("{base}{target}").parse().map_err(|error: http::uri::InvalidUri| {
            Error::invalid_input(format!("'{target}' is too long or malformed for a URL")).with_source(error)
        })
    }

    #[cfg(feature = "tls")]
    pub(crate) fn is_https(&self) -> bool {
        self.0.starts_with("https:")
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::BaseUrl;

    fn check(text: &str, base: &str) {
        assert_eq!(BaseUrl::parse(text).expect("an address").as_str(), base);
    }

    #[test]
    fn standalone_addresses_are_cut_after_web() {
        check("http://127.0.0.1:8080/web", "http://127.0.0.1:8080/web");
        check("http://127.0.0.1:8080/web/workspace/8f2c?tab=sql#top", "http://127.0.0.1:8080/web");
        check("http://host/sql/web/x/web/y", "http://host/sql/web");
    }

    #[test]
    fn other_addresses_are_unchanged() {
        check("http://127.0.0.1:8080", "http://127.0.0.1:8080");
        check("http://[::1]:8080/", "http://[::1]:8080");
        check("http://host/sql/", "http://host/sql");
        check("http://host/website", "http://host/website");
        check("HTTP://host", "http://host");
    }

    #[test]
    fn https_needs_the_feature() {
        if cfg!(feature = "tls") {
            check("https://host:8443/web/x", "https://host:8443/web");
        } else {
            let error = BaseUrl::parse("https://host").expect_err("no TLS").to_string();
            assert!(error.contains("feature `tls`"), "{error}");
        }
    }

    #[test]
    fn invalid_addresses_are_refused_with_a_reason() {
        for (text, why) in [
            ("localhost:8080", "it must begin with http://"),
            ("/web", "it must begin with http://"),
            ("", "no URL"),
            ("ftp://host", "the scheme must be http or https"),
            ("http://user:secret@host", "give a token to the client"),
        ] {
            let error = BaseUrl::parse(text).expect_err(text).to_string();
            assert!(error.contains(why), "{error}");
        }
    }
}
