//! Rows of tokens: the digest of the secret, never the secret. Revoking a token deletes its row, and the rows of the
//! tokens that it created.

use rowhouse_model::{AccountId, SavedSqlId, Timestamp, Token, TokenGrant, TokenId, ViewId};
use rusqlite::{Connection, Transaction, params};
use serde::{Deserialize, Serialize};

use super::json::Json;

/// SHA-256 of a secret.
pub(crate) type Digest = [u8; 32];

/// One endpoint or view that a narrowed token may read, by id: its name may be reused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StoredGrant {
    /// As its owner requested it.
    pub(crate) grant: TokenGrant,
    /// The saved SQL, or the view.
    pub(crate) target: GrantTarget,
}

/// The target of a grant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum GrantTarget {
    Endpoint(SavedSqlId),
    View(ViewId),
}

/// The grants of a narrowed token; none for one that is not narrowed.
pub(crate) type Grants = Option<Vec<StoredGrant>>;

/// Inserts a token, and returns whether it did: the number of an account's unexpired tokens is limited.
pub(crate) fn insert(
    transaction: &Transaction<'_>,
    token: &Token,
    grants: &Grants,
    digest: &Digest,
    most: u64,
) -> rusqlite::Result<bool> {
    let Token { id, name, account_id, created_at, expires_at, parent_id, last_used_at, allow: _ } = token;
    let alive: u64 = transaction
        .prepare_cached(
            "SELECT count(*) FROM tokens WHERE account_id = ?1 AND (expires_at IS NULL OR expires_at > ?2)",
        )?
        .query_row(params![account_id.as_str(), created_at.as_millis()], |row| row.get(0))?;
    if alive >= most {
        return Ok(false);
    }
    transaction.execute(
        "INSERT INTO tokens (id, account_id, name, digest, created_at, expires_at, parent_id, last_used_at, allow)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        params![
            id.as_str(),
            account_id.as_str(),
            name,
            digest,
            created_at.as_millis(),
            expires_at.map(Timestamp::as_millis),
            parent_id.as_ref().map(TokenId::as_str),
            last_used_at.map(Timestamp::as_millis),
            grants.as_ref().map(Json)
        ],
    )?;
    Ok(true)
}

/// Removes a token and all tokens derived from it; with `keeps_made` the derived ones stay, without a parent. Returns
/// the removed ids.
pub(crate) fn delete(
    transaction: &Transaction<'_>,
    id: &TokenId,
    keeps_made: bool,
) -> rusqlite::Result<Vec<TokenId>> {
    if keeps_made {
        transaction.execute("UPDATE tokens SET parent_id = NULL WHERE parent_id = ?1", [id.as_str()])?;
    }
    let gone = transaction
        .prepare_cached(
            "WITH RECURSIVE gone (id) AS (
                 VALUES (?1) UNION SELECT tokens.id FROM tokens JOIN gone ON tokens.parent_id = gone.id)
             SELECT id FROM gone",
        )?
        .query_map([id.as_str()], |row| Ok(TokenId::new(row.get::<_, String>(0)?)))?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    // The youngest first, so that no cascade is deep.
    for id in gone.iter().rev() {
        transaction.prepare_cached("DELETE FROM tokens WHERE id = ?1")?.execute([id.as_str()])?;
    }
    Ok(gone)
}

/// Removes expired tokens and returns their ids. The tokens that they created have expired, too.
pub(crate) fn delete_expired(
    transaction: &Transaction<'_>,
    now: Timestamp,
) -> rusqlite::Result<Vec<TokenId>> {
    transaction
        .prepare_cached("DELETE FROM tokens WHERE expires_at <= ?1 RETURNING id")?
        .query_map([now.as_millis()], |row| Ok(TokenId::new(row.get::<_, String>(0)?)))?
        .collect()
}

/// Stores when tokens were last used.
pub(crate) fn set_last_used(
    transaction: &Transaction<'_>,
    used: &[(TokenId, Timestamp)],
) -> rusqlite::Result<()> {
    let mut set = transaction.prepare_cached("UPDATE tokens SET last_used_at = ?2 WHERE id = ?1")?;
    for (id, at) in used {
        set.execute(params![id.as_str(), at.as_millis()])?;
    }
    Ok(())
}

/// All tokens, oldest first.
pub(crate) fn load(connection: &Connection) -> rusqlite::Result<Vec<(Token, Grants, Digest)>> {
    connection
        .prepare(
            "SELECT id, account_id, name, digest, created_at, expires_at, parent_id, last_used_at, allow
             FROM tokens ORDER BY rowid",
        )?
        .query_map([], |row| {
            // Unreadable grants must not make a token count as not narrowed: they are an error.
            let grants: Grants = row.get::<_, Option<Json<Vec<StoredGrant>>>>(8)?.map(|Json(grants)| grants);
            let token = Token {
                id: TokenId::new(row.get::<_, String>(0)?),
                account_id: AccountId::new(row.get::<_, String>(1)?),
                name: row.get(2)?,
                created_at: Timestamp::from_millis(row.get(4)?),
                expires_at: row.get::<_, Option<i64>>(5)?.map(Timestamp::from_millis),
                parent_id: row.get::<_, Option<String>>(6)?.map(TokenId::new),
                last_used_at: row.get::<_, Option<i64>>(7)?.map(Timestamp::from_millis),
                allow: grants
                    .as_ref()
                    .map(|grants| grants.iter().map(|stored| stored.grant.clone()).collect()),
            };
            Ok((token, grants, row.get(3)?))
        })?
        .collect()
}
