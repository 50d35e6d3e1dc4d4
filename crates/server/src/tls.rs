//! TLS with certificate and key from files. They are reloaded on request and when they change, for example after a
//! renewal; invalid files leave the present ones in use.

mod expiry;
mod handshake;
pub(crate) mod self_signed;

use std::fmt;
use std::fs::Metadata;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use anyhow::Context as _;
use rowhouse_model::Timestamp;
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

pub(crate) use self::expiry::Expiry;
use self::handshake::Handshake;
use crate::config::TlsFiles;

/// How often the files are checked.
pub(crate) const CHECK_PERIOD: Duration = Duration::from_secs(5);
/// First byte of a TLS record that begins a handshake (RFC 8446, section 5.1).
const HANDSHAKE: u8 = 22;
/// The HTTP answer to a client that speaks plain HTTP.
const PLAIN_REFUSED: &[u8] = b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: application/json\r\n\
    Content-Length: 119\r\n\r\n\
    {\"code\":\"INVALID_ARGUMENTS\",\"message\":\"this port speaks TLS, and the request is plain HTTP: use https\",\"requestId\":\"-\"}";

/// The listener's TLS acceptor.
pub(crate) struct Tls {
    current: RwLock<Current>,
    loaded: Mutex<Loaded>,
}

/// The present acceptor.
struct Current {
    config: Arc<ServerConfig>,
    /// The earliest expiry in the certificate chain.
    not_after: Option<Timestamp>,
}

/// The files that were read last.
struct Loaded {
    files: TlsFiles,
    versions: Versions,
}

/// Distinguishes contents of the files without reading them.
type Versions = [Option<(u64, u64, i64, i64)>; 2];

impl Tls {
    /// Reads certificate and key. Blocking.
    ///
    /// # Errors
    /// A file that cannot be read or has no valid content; a key that is not the certificate's.
    pub(crate) fn load(files: &TlsFiles) -> anyhow::Result<Self> {
        let versions = versions(files);
        let current = RwLock::new(read(files)?);
        Ok(Self { current, loaded: Mutex::new(Loaded { files: files.clone(), versions }) })
    }

    /// Reloads the files, which may be other ones. Blocking.
    ///
    /// # Errors
    /// As for [`load`](Self::load); then connections get the previous certificate.
    pub(crate) fn reload(&self, files: &TlsFiles) -> anyhow::Result<()> {
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        // Before reading: a change during it counts as a later change. Also stored if reading fails, so that an error
        // is reported once, and the files are read again when they have changed.
        *loaded = Loaded { versions: versions(files), files: files.clone() };
        let current = read(files)?;
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = current;
        Ok(())
    }

    /// Reloads the files if they have changed; returns whether they had. Blocking.
    ///
    /// # Errors
    /// As for [`reload`](Self::reload).
    pub(crate) fn reload_if_changed(&self) -> anyhow::Result<bool> {
        let files = {
            let loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
            if versions(&loaded.files) == loaded.versions {
                return Ok(false);
            }
            loaded.files.clone()
        };
        self.reload(&files).map(|()| true)
    }

    /// The handshake. A client that speaks plain HTTP gets an error.
    pub(crate) async fn accept(&self, mut stream: TcpStream) -> io::Result<TlsStream<Handshake<TcpStream>>> {
        let mut first = [0];
        if stream.peek(&mut first).await? == 1 && first[0] != HANDSHAKE {
            if first[0].is_ascii_uppercase() {
                stream.write_all(PLAIN_REFUSED).await?;
                stream.shutdown().await?;
                // The client's data is read, or closing would cause a reset that discards the answer.
                let mut rest = tokio::io::AsyncReadExt::take(stream, 64 << 10);
                tokio::io::copy(&mut rest, &mut tokio::io::sink()).await?;
            }
            return Err(io::Error::new(io::ErrorKind::InvalidData, "no TLS handshake"));
        }
        let config = Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner).config);
        let mut stream = TlsAcceptor::from(config).accept(Handshake::begin(stream)).await?;
        stream.get_mut().0.end();
        Ok(stream)
    }

    /// Expiry of the chain; none if a certificate has no readable one.
    pub(crate) fn not_after(&self) -> Option<Timestamp> {
        self.current.read().unwrap_or_else(PoisonError::into_inner).not_after
    }
}

fn read(files: &TlsFiles) -> anyhow::Result<Current> {
    let TlsFiles { certificate, key } = files;
    let chain = CertificateDer::pem_file_iter(certificate)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .with_context(|| format!("tls_certificate {} cannot be used", certificate.display()))?;
    anyhow::ensure!(
        !chain.is_empty(),
        "tls_certificate {} holds no certificate in PEM",
        certificate.display()
    );
    let not_after = chain.iter().filter_map(|certificate| expiry::not_after(certificate)).min();
    let private_key = PrivateKeyDer::from_pem_file(key)
        .with_context(|| format!("tls_key {} cannot be used", key.display()))?;
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(chain, private_key)
        .with_context(|| {
            format!("the key {} does not go with the certificate {}", key.display(), certificate.display())
        })?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    config.ticketer = ring::Ticketer::new()?;
    Ok(Current { config: Arc::new(config), not_after })
}

fn versions(files: &TlsFiles) -> Versions {
    [&files.certificate, &files.key].map(|path| version(path).ok())
}

fn version(path: &Path) -> io::Result<(u64, u64, i64, i64)> {
    let metadata: Metadata = std::fs::metadata(path)?;
    Ok((metadata.ino(), metadata.len(), metadata.mtime(), metadata.mtime_nsec()))
}

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        f.debug_struct("Tls").field("files", &loaded.files).finish_non_exhaustive()
    }
}
