//! Signed links to the rows of a result (D42): the holder of a link can read these rows until it expires, without a
//! token. The key is a file of the data directory; without it no link that it signed is valid any more.

use std::fmt;
use std::io::{ErrorKind as IoErrorKind, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use hmac::{Hmac, Mac as _};
use rowhouse_model::{AccountId, QueryId, Timestamp, TokenId, WorkspaceId};
use sha2::Sha256;

use crate::error::{Error, ErrorKind, Result};
use crate::id_source::IdSource;
use crate::workspace_files::FilePath;

/// Name of the key's file in the data directory.
pub(crate) const KEY_FILE: &str = "link-key";
/// Length of the key: that of the hash.
const KEY_BYTES: usize = 32;
/// Prefix of the signed text, so that no other use of the key could be taken for a link.
const PURPOSE: &[u8] = b"rowhouse result link 1";
/// The same for the addresses of a statement.
const STATEMENT_PURPOSE: &[u8] = b"rowhouse statement slug 2";

/// The same for addresses that return an error.
const ERROR_PURPOSE: &[u8] = b"rowhouse statement error 1";

/// The same for links to files of a workspace.
const FILE_PURPOSE: &[u8] = b"rowhouse file link 1";

/// Prefix of such an address.
const ERROR_SLUG: &str = "error.";

/// Signs links and checks them.
pub struct ResultLinks {
    key: [u8; KEY_BYTES],
}

/// A range of a result's rows, for a limited time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultLink {
    /// The workspace of the query.
    pub workspace_id: WorkspaceId,
    /// The query.
    pub query_id: QueryId,
    /// Rows to skip.
    pub offset: u64,
    /// Maximum number of rows.
    pub limit: u64,
    /// Expiry time, in seconds since 1970.
    pub expires_at: u64,
}

/// A statement of Trino's client protocol, as its addresses encode it: its client is recognized by them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatementLink {
    /// The statement.
    pub query_id: QueryId,
    /// The workspace that it runs in.
    pub workspace_id: WorkspaceId,
    /// The submitter of the query.
    pub account_id: AccountId,
    /// The token that submitted it: the addresses are valid no longer than it is.
    pub token_id: TokenId,
    /// Number of characters that precede the client's text on the first line of the text that runs.
    pub prefix: u32,
    /// Whether the client supports times and timestamps of any precision: it says so once.
    pub knows_precisions: bool,
    /// The encoding of segments that it requests, if it accepts segments.
    pub encoding: Option<SegmentEncoding>,
}

/// The encoding of rows in a segment of Trino's spooling protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SegmentEncoding {
    /// A JSON array of rows.
    Json,
    /// The same as a Zstandard frame.
    JsonZstd,
    /// The same as one LZ4 block.
    JsonLz4,
}

impl SegmentEncoding {
    /// `json`, `json+zstd`, `json+lz4`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::JsonZstd => "json+zstd",
            Self::JsonLz4 => "json+lz4",
        }
    }

    /// As it is written in an address.
    const fn tag(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::JsonZstd => "zstd",
            Self::JsonLz4 => "lz4",
        }
    }

    const ALL: [Self; 3] = [Self::Json, Self::JsonZstd, Self::JsonLz4];

    /// The encoding of a name; others are not supported.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|encoding| encoding.name() == name)
    }
}

/// The proof that the address of a statement was valid.
#[derive(Clone, Debug)]
pub struct StatementGrant {
    pub(crate) link: StatementLink,
}

impl StatementGrant {
    /// The content of the address.
    pub fn link(&self) -> &StatementLink {
        &self.link
    }
}

/// A file of a workspace, for a limited time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileLink {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The file.
    pub path: FilePath,
    /// Whether the link is for writing; else for reading.
    pub is_upload: bool,
    /// Expiry time, in seconds since 1970.
    pub expires_at: u64,
}

/// The proof that a link to a file was valid.
#[derive(Clone, Debug)]
pub struct FileGrant {
    pub(crate) workspace_id: WorkspaceId,
    pub(crate) path: FilePath,
}

/// The proof that a link was valid: the right to read its result without a token.
#[derive(Clone, Debug)]
pub struct ResultGrant {
    pub(crate) workspace_id: WorkspaceId,
    pub(crate) query_id: QueryId,
}

impl ResultLinks {
    /// Reads the key, or creates one. Blocking.
    ///
    /// # Errors
    ///
    /// The file cannot be read or written, or does not contain a key.
    pub(crate) fn open(data_dir: &Path, ids: &dyn IdSource) -> Result<Self> {
        let path = data_dir.join(KEY_FILE);
        let key = match std::fs::read(&path) {
            Ok(bytes) => bytes.try_into().map_err(|_| {
                let message = format!(
                    "{} is no key of {KEY_BYTES} bytes; remove it, and a new one is made (links signed before \
                     are then no good)",
                    path.display()
                );
                Error::new(ErrorKind::NotSupported, message)
            })?,
            Err(error) if error.kind() == IoErrorKind::NotFound => {
                let mut key = [0; KEY_BYTES];
                ids.fill(&mut key);
                write(&path, &key).map_err(|error| Error::internal(format!("writing {}", path.display()), error))?;
                key
            }
            Err(error) => return Err(Error::internal(format!("reading {}", path.display()), error)),
        };
        Ok(Self { key })
    }

    /// The signature of a link, in hexadecimal digits.
    pub fn sign(&self, link: &ResultLink) -> String {
        digits(&self.mac(link).finalize().into_bytes())
    }

    /// Checks a link from outside, in constant time.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unauthorized`]: a wrong signature, or a valid one that has expired.
    pub fn check(&self, link: &ResultLink, signature: &str, now: Timestamp) -> Result<ResultGrant> {
        verify(self.mac(link), signature, link.expires_at, now)?;
        Ok(ResultGrant { workspace_id: link.workspace_id.clone(), query_id: link.query_id.clone() })
    }

    /// The signature of a link to a file.
    pub fn sign_file(&self, link: &FileLink) -> String {
        digits(&self.file_mac(link).finalize().into_bytes())
    }

    /// Checks a link to a file from outside.
    ///
    /// # Errors
    ///
    /// As for [`check`](Self::check).
    pub fn check_file(&self, link: &FileLink, signature: &str, now: Timestamp) -> Result<FileGrant> {
        verify(self.file_mac(link), signature, link.expires_at, now)?;
        Ok(FileGrant { workspace_id: link.workspace_id.clone(), path: link.path.clone() })
    }

    /// The unguessable part of a statement's addresses: what is needed to recognize its client, signed.
    pub fn slug(&self, link: &StatementLink) -> String {
        let StatementLink {
            workspace_id,
            account_id,
            token_id,
            prefix,
            knows_precisions,
            encoding,
            query_id: _,
        } = link;
        let signature = digits(&self.statement_mac(link).finalize().into_bytes());
        let precisions = u8::from(*knows_precisions);
        let encoding = encoding.map_or("", SegmentEncoding::tag);
        let (workspace, account, token) = (workspace_id.as_str(), account_id.as_str(), token_id.as_str());
        format!("{workspace}.{account}.{token}.{prefix}.{precisions}.{encoding}.{signature}")
    }

    /// Checks an address from outside.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`]: it was not issued for this statement.
    pub fn check_slug(&self, query_id: &QueryId, slug: &str) -> Result<StatementGrant> {
        let wrong = || Error::new(ErrorKind::NotFound, "Query not found");
        let mut parts = slug.split('.');
        let mut part = || parts.next().ok_or_else(wrong);
        let (workspace_id, account_id) = (WorkspaceId::new(part()?), AccountId::new(part()?));
        let token_id = TokenId::new(part()?);
        let prefix = part()?.parse().map_err(|_| wrong())?;
        let knows_precisions = part()? == "1";
        let encoding = match part()? {
            "" => None,
            tag => {
                let tagged = SegmentEncoding::ALL.into_iter().find(|encoding| encoding.tag() == tag);
                Some(tagged.ok_or_else(wrong)?)
            }
        };
        let signature = bytes_of(part()?).ok_or_else(wrong)?;
        if parts.next().is_some() {
            return Err(wrong());
        }
        let link = StatementLink {
            query_id: query_id.clone(),
            workspace_id,
            account_id,
            token_id,
            prefix,
            knows_precisions,
            encoding,
        };
        self.statement_mac(&link).verify_slice(&signature).map_err(|_| wrong())?;
        Ok(StatementGrant { link })
    }

    /// The same part of the address that returns the error of a statement without a record; it contains the text.
    pub fn error_slug(&self, id: &str, text: &str) -> String {
        let signature = digits(&self.begun(ERROR_PURPOSE, &[id, text]).finalize().into_bytes());
        format!("{ERROR_SLUG}{}.{signature}", digits(text.as_bytes()))
    }

    /// The text of an address that [`error_slug`](Self::error_slug) created; none for any other.
    pub fn check_error_slug(&self, id: &str, slug: &str) -> Option<String> {
        let (text, signature) = slug.strip_prefix(ERROR_SLUG)?.split_once('.')?;
        let text = String::from_utf8(bytes_of(text)?).ok()?;
        self.begun(ERROR_PURPOSE, &[id, &text]).verify_slice(&bytes_of(signature)?).ok()?;
        Some(text)
    }

    fn statement_mac(&self, link: &StatementLink) -> Hmac<Sha256> {
        let StatementLink {
            query_id,
            workspace_id,
            account_id,
            token_id,
            prefix,
            knows_precisions,
            encoding,
        } = link;
        let encoding = encoding.map_or("", SegmentEncoding::tag);
        let texts =
            [query_id.as_str(), workspace_id.as_str(), account_id.as_str(), token_id.as_str(), encoding];
        let mut mac = self.begun(STATEMENT_PURPOSE, &texts);
        mac.update(&prefix.to_le_bytes());
        mac.update(&[u8::from(*knows_precisions)]);
        mac
    }

    fn file_mac(&self, link: &FileLink) -> Hmac<Sha256> {
        let FileLink { workspace_id, path, is_upload, expires_at } = link;
        let mut mac = self.begun(FILE_PURPOSE, &[workspace_id.as_str(), path.as_str()]);
        mac.update(&[u8::from(*is_upload)]);
        mac.update(&expires_at.to_le_bytes());
        mac
    }

    fn mac(&self, link: &ResultLink) -> Hmac<Sha256> {
        let ResultLink { workspace_id, query_id, offset, limit, expires_at } = link;
        let mut mac = self.begun(PURPOSE, &[workspace_id.as_str(), query_id.as_str()]);
        for number in [offset, limit, expires_at] {
            mac.update(&number.to_le_bytes());
        }
        mac
    }

    fn begun(&self, purpose: &[u8], texts: &[&str]) -> Hmac<Sha256> {
        // OK because HMAC takes keys of any length.
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.key).expect("a key of any length will do");
        mac.update(purpose);
        for text in texts {
            // With the lengths, different texts cannot have the same concatenation.
            mac.update(&(text.len() as u64).to_le_bytes());
            mac.update(text.as_bytes());
        }
        mac
    }
}

/// Checks a signature and its expiry time.
fn verify(mac: Hmac<Sha256>, signature: &str, expires_at: u64, now: Timestamp) -> Result<()> {
    let refused = |message: &str| Error::new(ErrorKind::Unauthorized, message);
    let wrong = || refused("the link's signature does not fit the link; take it as it was given");
    let signature = bytes_of(signature).ok_or_else(wrong)?;
    mac.verify_slice(&signature).map_err(|_| wrong())?;
    let now_seconds = u64::try_from(now.as_millis() / 1000).unwrap_or(0);
    if now_seconds >= expires_at {
        return Err(refused("the link has expired; ask for new ones"));
    }
    Ok(())
}

fn digits(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The bytes of lower-case hexadecimal digits.
fn bytes_of(digits: &str) -> Option<Vec<u8>> {
    let is_digits = digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if !is_digits || !digits.len().is_multiple_of(2) {
        return None;
    }
    (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok()).collect()
}

/// Written atomically, readable by the owner only.
fn write(path: &Path, key: &[u8]) -> std::io::Result<()> {
    let partial = path.with_extension("partial");
    match std::fs::remove_file(&partial) {
        Err(error) if error.kind() != IoErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&partial)?;
    file.write_all(key)?;
    file.sync_all()?;
    std::fs::rename(&partial, path)?;
    match path.parent() {
        Some(folder) => std::fs::File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}

impl fmt::Debug for ResultLinks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Never prints the key.
        f.debug_struct("ResultLinks").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::os::unix::fs::PermissionsExt as _;

    use super::*;
    use crate::id_source::RandomIdSource;

    fn link() -> ResultLink {
        ResultLink {
            workspace_id: WorkspaceId::new("w"),
            query_id: QueryId::new("q"),
            offset: 0,
            limit: 10,
            expires_at: 100,
        }
    }

    #[test]
    fn every_part_of_a_link_is_signed() {
        let folder = tempfile::tempdir().unwrap();
        let links = ResultLinks::open(folder.path(), &RandomIdSource).unwrap();
        let signature = links.sign(&link());
        let now = Timestamp::from_millis(99_999);
        assert!(links.check(&link(), &signature, now).is_ok());
        let others = [
            ResultLink { workspace_id: WorkspaceId::new("wq"), query_id: QueryId::new(""), ..link() },
            ResultLink { workspace_id: WorkspaceId::new("v"), ..link() },
            ResultLink { query_id: QueryId::new("r"), ..link() },
            ResultLink { offset: 1, ..link() },
            ResultLink { limit: 11, ..link() },
            ResultLink { expires_at: 101, ..link() },
        ];
        for other in others {
            let refused = links.check(&other, &signature, now).unwrap_err();
            assert_eq!(refused.kind(), ErrorKind::Unauthorized, "{other:?}");
        }
        for wrong in ["", "0", "zz", &signature[2..], &signature.to_uppercase(), &"0".repeat(64), "é"] {
            // A signature of digits alone equals its own upper case.
            assert!(wrong == signature || links.check(&link(), wrong, now).is_err(), "{wrong}");
        }
        let late = links.check(&link(), &signature, Timestamp::from_millis(100_000)).unwrap_err();
        assert!(late.to_string().contains("expired"), "{late}");
    }

    #[test]
    fn an_error_address_is_accepted_only_with_a_valid_signature() {
        let folder = tempfile::tempdir().unwrap();
        let links = ResultLinks::open(folder.path(), &RandomIdSource).unwrap();
        let slug = links.error_slug("id", "what ü");
        assert_eq!(links.check_error_slug("id", &slug).as_deref(), Some("what ü"));
        let other_text = slug.replacen("error.77", "error.78", 1);
        for (id, slug) in [("other", &slug), ("id", &other_text), ("id", &slug.replace("error.", ""))] {
            assert_eq!(links.check_error_slug(id, slug), None, "{slug}");
        }
        assert_eq!(links.check_error_slug("id", "error.00"), None);
    }

    #[test]
    fn a_statement_address_is_valid_only_for_its_statement_and_client() {
        let folder = tempfile::tempdir().unwrap();
        let links = ResultLinks::open(folder.path(), &RandomIdSource).unwrap();
        let link = StatementLink {
            query_id: QueryId::new("q"),
            workspace_id: WorkspaceId::new("w"),
            account_id: AccountId::new("a"),
            token_id: TokenId::new("t"),
            prefix: 19,
            knows_precisions: true,
            encoding: Some(SegmentEncoding::JsonZstd),
        };
        let plain = StatementLink { encoding: None, ..link.clone() };
        let slug_of_plain = links.slug(&plain);
        assert_eq!(links.check_slug(&link.query_id, &slug_of_plain).unwrap().link(), &plain);
        let slug = links.slug(&link);
        assert_eq!(links.check_slug(&link.query_id, &slug).unwrap().link(), &link);
        let others = [
            slug.replacen("w.", "v.", 1),
            slug.replacen(".a.", ".b.", 1),
            slug.replacen(".t.", ".u.", 1),
            slug.replacen(".t.", ".", 1),
            slug.replacen(".19.", ".0.", 1),
            slug.replacen(".1.", ".0.", 1),
            slug.replacen(".1.", ".2.", 1),
            slug.replacen(".zstd.", ".json.", 1),
            slug.replacen(".zstd.", ".lz4.", 1),
            slug.replacen(".zstd.", ".snappy.", 1),
            slug.replacen(".zstd.", "..", 1),
            slug.replacen("w.a.", "wa..", 1),
            format!("{slug}0"),
            format!("{slug}.0"),
            slug.split('.').take(6).collect::<Vec<_>>().join("."),
            String::new(),
            "a.b.c.1.1..d".to_owned(),
        ];
        for other in others {
            assert!(links.check_slug(&link.query_id, &other).is_err(), "{other}");
        }
        assert!(links.check_slug(&QueryId::new("r"), &slug).is_err());
    }

    #[test]
    fn the_signing_key_persists_and_only_its_owner_can_read_it() {
        let folder = tempfile::tempdir().unwrap();
        let signature = ResultLinks::open(folder.path(), &RandomIdSource).unwrap().sign(&link());
        assert_eq!(ResultLinks::open(folder.path(), &RandomIdSource).unwrap().sign(&link()), signature);
        let path = folder.path().join(KEY_FILE);
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        std::fs::write(&path, "short").unwrap();
        assert!(ResultLinks::open(folder.path(), &RandomIdSource).is_err());
        std::fs::remove_file(&path).unwrap();
        assert_ne!(ResultLinks::open(folder.path(), &RandomIdSource).unwrap().sign(&link()), signature);
    }
}
