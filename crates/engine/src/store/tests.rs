//! The store: group commit, savepoints, the lock, schema versions.
