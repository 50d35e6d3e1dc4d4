//! A self-signed certificate for a first try: created once, in the data directory, for this machine's names.

use std::fs;
use std::io::Write as _;
use std::net::SocketAddr;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::Path;

use anyhow::Context as _;
use rcgen::{CertifiedKey, generate_simple_self_signed};

use crate::config::TlsFiles;

/// Creates certificate and key, unless both exist. Blocking.
///
/// # Errors
/// An error of the disk.
pub(crate) fn make(files: &TlsFiles, listen: SocketAddr) -> anyhow::Result<()> {
    let TlsFiles { certificate, key } = files;
    if certificate.is_file() && key.is_file() {
        return Ok(());
    }
    if let Some(folder) = certificate.parent() {
        let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(folder);
        made.with_context(|| format!("making {}", folder.display()))?;
    }
    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed(names(listen)).context("making a certificate")?;
    // The key first: if the certificate exists, its key does.
    write(key, &signing_key.serialize_pem())?;
    write(certificate, &cert.pem())?;
    tracing::info!(certificate = %certificate.display(), "a certificate that signed itself was made; give it to clients");
    Ok(())
}

/// The names and addresses by which clients may call this machine.
fn names(listen: SocketAddr) -> Vec<String> {
    let mut names = vec!["localhost".to_owned(), "127.0.0.1".to_owned(), "::1".to_owned()];
    if !listen.ip().is_unspecified() {
        names.push(listen.ip().to_string());
    }
    // Linux provides it here. A name of another form is not valid in a certificate.
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let host = host.trim();
    if !host.is_empty()
        && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.'))
    {
        names.push(host.to_owned());
    }
    names.sort();
    names.dedup();
    names
}

/// Written atomically, readable by the owner only.
fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    let partial = path.with_extension("partial");
    let write = || -> std::io::Result<()> {
        let mut file =
            fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&partial)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&partial, path)
    };
    write().with_context(|| format!("writing {}", path.display()))
}
