//! Journal of the statements running at clusters, one small file each, so that a killed server can cancel them at its
//! next start. Nothing is resumed: the rows so far are in an incomplete file, and Trino returns none twice.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Folder of the journal inside the data directory.
const FOLDER: &str = "trino";

/// The folder of all entries.
#[derive(Clone, Debug)]
pub(super) struct Journal {
    folder: PathBuf,
}

/// A running statement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Note {
    /// Its id at Trino.
    pub(super) id: String,
    /// `trino` or `trino:NAME`.
    pub(super) cluster: String,
    /// The last known address for canceling it.
    pub(super) next_uri: String,
}

impl Journal {
    pub(super) fn new(data_dir: &Path) -> Self {
        Self { folder: data_dir.join(FOLDER) }
    }

    /// Writes the entry of a statement, or its new address. A failure is logged: the statement runs anyway.
    pub(super) async fn write(&self, note: &Note) {
        let outcome = async {
            tokio::fs::create_dir_all(&self.folder).await?;
            tokio::fs::write(self.path(&note.id), serde_json::to_vec(note)?).await
        };
        if let Err(error) = outcome.await {
            tracing::warn!(%error, statement = note.id, "a running statement was not recorded");
        }
    }

    /// Removes the entry of an ended statement.
    pub(super) async fn strike(&self, id: &str) {
        if let Err(error) = tokio::fs::remove_file(self.path(id)).await
            && error.kind() != io::ErrorKind::NotFound
        {
            tracing::warn!(%error, statement = id, "the note of a statement was not removed");
        }
    }

    /// The entries that the last server left. A truncated entry is removed. Blocking.
    pub(super) fn left(&self) -> Vec<Note> {
        let Ok(entries) = std::fs::read_dir(&self.folder) else { return Vec::new() };
        let mut notes = Vec::new();
        for path in entries.flatten().map(|entry| entry.path()) {
            match std::fs::read(&path).ok().and_then(|text| serde_json::from_slice(&text).ok()) {
                Some(note) => notes.push(note),
                None => {
                    // OK to ignore: it is read again at the next start.
                    let _ = std::fs::remove_file(&path);
                }
            }
        }
        notes
    }

    /// Ids come from another server: only letters, digits and `_` are used in a name.
    fn path(&self, id: &str) -> PathBuf {
        let name: String = id.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').take(100).collect();
        self.folder.join(format!("{name}.json"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn journal_entries_are_found_by_the_next_server_until_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let journal = Journal::new(folder.path());
        let note = |id: &str, token: u32| Note {
            id: id.to_owned(),
            cluster: "trino".to_owned(),
            next_uri: format!("http://127.0.0.1:1/v1/statement/queued/{id}/x/{token}"),
        };
        journal.write(&note("20260101_000000_00001_aaaaa", 1)).await;
        journal.write(&note("20260101_000000_00001_aaaaa", 2)).await;
        journal.write(&note("../../evil", 1)).await;
        std::fs::write(folder.path().join("trino/torn.json"), b"{\"id\":").expect("a file");
        let mut left = Journal::new(folder.path()).left();
        left.sort_by(|a, b| a.id.cmp(&b.id));
        assert_eq!(left, [note("../../evil", 1), note("20260101_000000_00001_aaaaa", 2)]);
        assert!(!folder.path().join("trino/torn.json").exists());
        for note in left {
            journal.strike(&note.id).await;
        }
        assert_eq!(journal.left(), []);
    }
}
