#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use bytes::Bytes;

use super::*;
use crate::id_source::RandomIdSource;

fn grant(path: &str) -> FileGrant {
    FileGrant { workspace_id: WorkspaceId::new("w"), path: FilePath::new(path).unwrap() }
}

async fn put(files: &WorkspaceFiles, path: &str, content: &'static str) -> Result<()> {
    let mut upload = files.begin(&grant(path), 0).await?;
    for byte in content.as_bytes().chunks(1) {
        upload.write(Bytes::from_static(byte)).await?;
    }
    upload.finish().await
}

fn read(files: &WorkspaceFiles, path: &str) -> Result<String> {
    let mut source = files.read(&grant(path))?;
    let mut text = Vec::new();
    while let Some(chunk) = source.next_chunk().unwrap() {
        text.extend_from_slice(&chunk);
    }
    Ok(String::from_utf8(text).unwrap())
}

fn used(files: &WorkspaceFiles) -> (u64, u64) {
    let counted = files.shared.usage()[&WorkspaceId::new("w")];
    let walked = files.shared.walk(&WorkspaceId::new("w")).unwrap();
    let bytes = walked.iter().map(|file| file.size).sum::<u64>();
    assert_eq!(
        (counted.files, counted.bytes),
        (walked.len() as u64, bytes),
        "what is counted is what is there"
    );
    (counted.files, counted.bytes)
}

#[tokio::test]
async fn files_are_written_replaced_counted_and_removed() {
    let folder = tempfile::tempdir().unwrap();
    let files = WorkspaceFiles::open(folder.path(), 10, Arc::new(RandomIdSource)).unwrap();
    put(&files, "a/b.csv", "12345").await.unwrap();
    put(&files, "/c", "678").await.unwrap();
    assert_eq!(read(&files, "a/b.csv").unwrap(), "12345");
    assert_eq!(used(&files), (2, 8));
    // While it is being replaced, both count.
    assert_eq!(put(&files, "a/b.csv", "123").await.unwrap_err().kind(), ErrorKind::InvalidArguments);
    assert_eq!((used(&files), read(&files, "a/b.csv").unwrap()), ((2, 8), "12345".to_owned()));
    put(&files, "a/b.csv", "12").await.unwrap();
    assert_eq!(used(&files), (2, 5));
    for (path, expected) in [("c/d", "a file is where"), ("a", "a folder is in its place")] {
        let refused = put(&files, path, "").await.unwrap_err();
        assert!(refused.to_string().contains(expected), "{refused}");
    }
    assert!(files.begin(&grant("x"), 6).await.is_err(), "more than there is room for");
    drop(files.begin(&grant("x"), 5).await.unwrap());
    assert_eq!(used(&files), (2, 5));
    for path in ["x", "a", "c/d"] {
        assert_eq!(read(&files, path).unwrap_err().kind(), ErrorKind::NotFound, "{path}");
    }
    let workspace = WorkspaceId::new("w");
    assert!(files.shared.remove(&workspace, &FilePath::new("a/b.csv").unwrap()).unwrap());
    assert!(!files.shared.remove(&workspace, &FilePath::new("a").unwrap()).unwrap());
    assert_eq!(used(&files), (1, 3));
    assert!(!folder.path().join("files/w/a").exists(), "a folder goes with its last file");
    assert_eq!(fs::read_dir(folder.path().join("files/.partial")).unwrap().count(), 0);
    // Counted again after a start.
    let files = WorkspaceFiles::open(folder.path(), 10, Arc::new(RandomIdSource)).unwrap();
    put(&files, "e", "1").await.unwrap();
    assert_eq!(used(&files), (2, 4));
}

#[test]
fn paths_cannot_leave_the_workspace() {
    for good in ["a", "/a", "a/b.c", ".hidden", "a b/é*?", "x".repeat(255).as_str()] {
        assert!(FilePath::new(good).is_ok(), "{good}");
    }
    let long = "a/".repeat(600) + "a";
    let deep = "a/".repeat(16) + "a";
    let name = "x".repeat(256);
    for bad in ["", "/", "//a", "a//b", "a/", ".", "..", "../a", "a/../b", "a\0", "a\nb", &long, &deep, &name]
    {
        assert_eq!(FilePath::new(bad).unwrap_err().kind(), ErrorKind::InvalidArguments, "{bad:?}");
    }
}

#[test]
fn paths_of_files_are_shown_as_their_locations() {
    let check = |text: &str, expected: &str| {
        assert_eq!(super::with_locations(text, Path::new("/srv/data/files")), expected);
    };
    check(
        "cannot read Parquet file /srv/data/files/w1a/d/p.parquet: no",
        "cannot read Parquet file files:/d/p.parquet: no",
    );
    check("/srv/data/files/w1/a … /srv/data/files/w1/b: no", "files:/a … files:/b: no");
    check(
        "no files at '/srv/data/files/w1' and '/srv/data/files/w1/'",
        "no files at 'files:/' and 'files:/'",
    );
    check("cannot read '/mnt/p.parquet'", "cannot read '/mnt/p.parquet'");
}

/// Regression: an upload to a full disk was an internal error.
#[test]
fn a_full_disk_is_reported_as_one() {
    for (number, kind) in
        [(28, ErrorKind::StorageFull), (122, ErrorKind::StorageFull), (5, ErrorKind::Internal)]
    {
        let error = fault("writing", Path::new("a"), io::Error::from_raw_os_error(number));
        assert_eq!(error.kind(), kind, "{number}");
    }
}
