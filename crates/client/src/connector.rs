//! Opens connections: plain, or with TLS if the crate is built with the feature `tls`.

use std::time::Duration;

use hyper_util::client::legacy::connect::HttpConnector;

use crate::base_url::BaseUrl;
use crate::{Error, Result};

/// The connector of the pool.
#[cfg(feature = "tls")]
pub(crate) type Connector = hyper_rustls::HttpsConnector<HttpConnector>;
/// The connector of the pool.
#[cfg(not(feature = "tls"))]
pub(crate) type Connector = HttpConnector;

/// The certificate authorities of a server's certificate.
#[derive(Clone, Debug, Default)]
pub(crate) enum Authorities {
    /// Those that the machine trusts.
    #[default]
    Machine,
    /// Only those of this text, in PEM.
    #[cfg_attr(not(feature = "tls"), expect(dead_code, reason = "without TLS they are refused unread"))]
    Pem(Vec<u8>),
}

fn plain(connect_timeout: Duration) -> HttpConnector {
    let mut connector = HttpConnector::new();
    connector.set_nodelay(true);
    connector.set_connect_timeout(Some(connect_timeout));
    connector
}

#[cfg(not(feature = "tls"))]
pub(crate) fn connector(
    _base_url: &BaseUrl,
    connect_timeout: Duration,
    authorities: &Authorities,
) -> Result<Connector> {
    match authorities {
        Authorities::Machine => Ok(plain(connect_timeout)),
        Authorities::Pem(_) => Err(Error::invalid_input("this client is built without the feature `tls`")),
    }
}

#[cfg(feature = "tls")]
pub(crate) fn connector(
    base_url: &BaseUrl,
    connect_timeout: Duration,
    authorities: &Authorities,
) -> Result<Connector> {
    let mut plain = plain(connect_timeout);
    // It also connects to https addresses.
    plain.enforce_http(false);
    Ok(hyper_rustls::HttpsConnectorBuilder::new()
        .with_tls_config(tls_config(base_url, authorities)?)
        .https_or_http()
        .enable_http1()
        .wrap_connector(plain))
}

#[cfg(feature = "tls")]
fn tls_config(base_url: &BaseUrl, authorities: &Authorities) -> Result<rustls::ClientConfig> {
    use std::sync::Arc;

    use hyper_rustls::ConfigBuilderExt as _;
    use rustls::pki_types::CertificateDer;
    use rustls::pki_types::pem::PemObject as _;

    let builder =
        rustls::ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|error| Error::invalid_input("TLS cannot be used").with_source(error))?;
    let roots = match authorities {
        Authorities::Machine if base_url.is_https() => {
            let refuse = "no certificate authorities of this machine were found; name a file of them";
            return Ok(builder
                .with_native_roots()
                .map_err(|error| Error::invalid_input(refuse).with_source(error))?
                .with_no_client_auth());
        }
        // Never used: the address is plain.
        Authorities::Machine => rustls::RootCertStore::empty(),
        Authorities::Pem(text) => {
            let mut roots = rustls::RootCertStore::empty();
            for certificate in CertificateDer::pem_slice_iter(text) {
                let added = certificate
                    .map_err(|error| error.to_string())
                    .and_then(|certificate| roots.add(certificate).map_err(|error| error.to_string()));
                added.map_err(|error| {
                    Error::invalid_input(format!("a certificate authority cannot be used: {error}"))
                })?;
            }
            if roots.is_empty() {
                return Err(Error::invalid_input("there is no certificate in the certificate authorities"));
            }
            roots
        }
    };
    Ok(builder.with_root_certificates(roots).with_no_client_auth())
}
