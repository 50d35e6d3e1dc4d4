//! HTTP clients: to a cluster, with its configured certificates, and to the storage where a cluster spools rows, which
//! may be any object store.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;

/// Time limit of connecting.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// How long an idle connection is kept.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);

/// HTTP/1.1 over TCP or TLS.
pub(super) type HttpClient = Client<HttpsConnector<HttpConnector>, Full<Bytes>>;

/// A client for a cluster: it trusts the certificates of `ca_file` or, without one, the system's.
///
/// # Errors
/// Why the certificates are unusable. A system without certificates is an error only if `is_https`.
pub(super) fn for_cluster(ca_file: Option<&Path>, is_https: bool) -> Result<HttpClient, String> {
    let roots = match ca_file {
        Some(path) => configured_roots(path)?,
        None => system_roots(is_https)?,
    };
    client(roots)
}

/// A client for spooled rows: it trusts the system's certificates and those of `ca_file`.
///
/// # Errors
/// Why the certificates of `ca_file` are unusable.
pub(super) fn for_storage(ca_file: Option<&Path>) -> Result<HttpClient, String> {
    let mut roots = system_roots(false)?;
    if let Some(path) = ca_file {
        roots.roots.extend(configured_roots(path)?.roots);
    }
    client(roots)
}

fn configured_roots(path: &Path) -> Result<RootCertStore, String> {
    let failed = |error: &dyn fmt::Display| format!("{}: {error}", path.display());
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(path).map_err(|error| failed(&error))? {
        let certificate = certificate.map_err(|error| failed(&error))?;
        roots.add(certificate).map_err(|error| failed(&error))?;
    }
    if roots.is_empty() { Err(failed(&"there is no certificate in it")) } else { Ok(roots) }
}

fn system_roots(is_needed: bool) -> Result<RootCertStore, String> {
    let found = rustls_native_certs::load_native_certs();
    let mut roots = RootCertStore::empty();
    // Systems have certificates that are too old to be parsed: they are skipped.
    roots.add_parsable_certificates(found.certs);
    if is_needed && roots.is_empty() {
        let why = found.errors.first().map(|error| format!(": {error}")).unwrap_or_default();
        return Err(format!("the system has no certificates{why}"));
    }
    Ok(roots)
}

fn client(roots: RootCertStore) -> Result<HttpClient, String> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .with_root_certificates(roots)
        .with_no_client_auth();
    let mut connector = HttpConnector::new();
    connector.enforce_http(false);
    connector.set_nodelay(true);
    connector.set_connect_timeout(Some(CONNECT_TIMEOUT));
    let connector = HttpsConnectorBuilder::new()
        .with_tls_config(tls)
        .https_or_http()
        .enable_http1()
        .wrap_connector(connector);
    Ok(Client::builder(TokioExecutor::new())
        .pool_timer(TokioTimer::new())
        .pool_idle_timeout(IDLE_TIMEOUT)
        .build(connector))
}
