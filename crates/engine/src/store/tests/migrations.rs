//! Schemas of every older version are migrated; a newer one is refused.

use rusqlite::Connection;

use super::super::schema::{self, MIGRATIONS};
use super::*;

/// The statements of the schema, sorted: the shape of a database, independent of its history.
fn shape(connection: &Connection) -> Vec<String> {
    let mut statement =
        connection.prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY sql").unwrap();
    statement.query_map([], |row| row.get(0)).unwrap().collect::<rusqlite::Result<_>>().unwrap()
}

fn user_version(connection: &Connection) -> usize {
    connection.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap()
}

#[test]
fn every_older_version_migrates_to_the_same_schema() {
    let fresh = tempfile::tempdir().unwrap();
    let expected = open(fresh.path()).read(|connection| Ok(shape(connection))).unwrap();
    for version in 0..=MIGRATIONS.len() {
        let folder = tempfile::tempdir().unwrap();
        let mut connection = Connection::open(folder.path().join(DATABASE_FILE)).unwrap();
        for (index, migration) in MIGRATIONS[..version].iter().enumerate() {
            schema::run(&mut connection, migration, index + 1).unwrap();
        }
        drop(connection);
        let store = open(folder.path());
        let (found, number) =
            store.read(|connection| Ok((shape(connection), user_version(connection)))).unwrap();
        assert_eq!(number, MIGRATIONS.len(), "from version {version}");
        assert_eq!(found, expected, "from version {version}");
    }
}

/// Results that an earlier version kept until their files were synced.
#[test]
fn small_results_of_an_earlier_version_are_preserved() {
    let folder = tempfile::tempdir().unwrap();
    let mut connection = Connection::open(folder.path().join(DATABASE_FILE)).unwrap();
    for (index, migration) in MIGRATIONS[..12].iter().enumerate() {
        schema::run(&mut connection, migration, index + 1).unwrap();
    }
    connection
        .execute("INSERT INTO small_results (location, file) VALUES ('results/w/q.arrow', x'0102')", [])
        .unwrap();
    drop(connection);
    let store = open(folder.path());
    let location = "results/w/q.arrow";
    assert_eq!(store.read(small_results::sizes).unwrap(), [(location.to_owned(), 2)]);
    assert_eq!(store.read(|connection| small_results::get(connection, location)).unwrap(), Some(vec![1, 2]));
}

#[test]
fn a_failed_migration_leaves_the_previous_version() {
    let mut connection = Connection::open_in_memory().unwrap();
    schema::run(&mut connection, MIGRATIONS[0], 1).unwrap();
    let before = shape(&connection);
    schema::run(&mut connection, "CREATE TABLE half (id TEXT); nonsense;", 2).unwrap_err();
    assert_eq!((shape(&connection), user_version(&connection)), (before, 1));
}

#[test]
fn a_newer_version_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    drop(open(folder.path()));
    let path = folder.path().join(DATABASE_FILE);
    let connection = Connection::open(&path).unwrap();
    let newer = MIGRATIONS.len() + 1;
    connection.pragma_update(None, "user_version", newer).unwrap();
    let error = Store::open(&path).unwrap_err();
    assert!(error.to_string().contains("was written by a newer version of Rowhouse (schema"), "{error}");
    assert_eq!(user_version(&connection), newer);
}

#[test]
fn a_database_of_another_program_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(DATABASE_FILE);
    let connection = Connection::open(&path).unwrap();
    connection.execute_batch("CREATE TABLE theirs (id TEXT)").unwrap();
    let error = Store::open(&path).unwrap_err();
    assert!(error.to_string().ends_with("is not a database of Rowhouse"), "{error}");
    assert_eq!(shape(&connection), ["CREATE TABLE theirs (id TEXT)"]);
}
