//! Rows of tokens: the digest of the secret, never the secret. A revoked token's row is removed, and with it the rows of the tokens
//! that it has made.

use rowhouse_model::{AccountId, Timestamp, Token, TokenId};
use rusqlite::{Connection, Transaction, params};

/// SHA-256 of a secret.
pub(crate) type Digest = [u8; 32];

/// Whether it was inserted: an account has at most so many that have not expired.
pub(crate) fn insert(
    transaction: &Transaction<'_>,
    token: &Token,
    digest: &Digest,
    most: u64,
) -> rusqlite::Result<bool> {
    let Token { id, name, account_id, created_at, expires_at, parent_id, last_used_at } = token;
    let alive: u64 = transaction
        .prepare_cached(
            "SELECT count(*) FROM tokens WHERE account_id = ?1 AND (expires_at IS NULL OR expires_at > ?2)",
        )?
        .query_row(params![account_id.as_str(), created_at.as_millis()], |row| row.get(0))?;
    if alive >= most {
        return Ok(false);
    }
    transaction.execute(
        "INSERT INTO tokens (id, account_id, name, digest, created_at, expires_at, parent_id, last_used_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        params![
            id.as_str(),
            account_id.as_str(),
            name,
            digest,
            created_at.as_millis(),
            expires_at.map(Timestamp::as_millis),
            parent_id.as_ref().map(TokenId::as_str),
            last_used_at.map(Timestamp::as_millis)
        ],
    )?;
    Ok(true)
}

/// Removes a token and all that come of it; with `keeps_made` those stay that it has made, as if nobody had. The ids of those
/// that are gone.
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

/// Removes what has expired; the ids. What they have made has expired, too.
pub(crate) fn delete_expired(
    transaction: &Transaction<'_>,
    now: Timestamp,
) -> rusqlite::Result<Vec<TokenId>> {
    transaction
        .prepare_cached("DELETE FROM tokens WHERE expires_at <= ?1 RETURNING id")?
        .query_map([now.as_millis()], |row| Ok(TokenId::new(row.get::<_, String>(0)?)))?
        .collect()
}

/// Notes down when tokens were last used.
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

/// All, oldest first.
pub(crate) fn load(connection: &Connection) -> rusqlite::Result<Vec<(Token, Digest)>> {
    connection
        .prepare(
            "SELECT id, account_id, name, digest, created_at, expires_at, parent_id, last_used_at
             FROM tokens ORDER BY rowid",
        )?
        .query_map([], |row| {
            let token = Token {
                id: TokenId::new(row.get::<_, String>(0)?),
                account_id: AccountId::new(row.get::<_, String>(1)?),
                name: row.get(2)?,
                created_at: Timestamp::from_millis(row.get(4)?),
                expires_at: row.get::<_, Option<i64>>(5)?.map(Timestamp::from_millis),
                parent_id: row.get::<_, Option<String>>(6)?.map(TokenId::new),
                last_used_at: row.get::<_, Option<i64>>(7)?.map(Timestamp::from_millis),
            };
            Ok((token, row.get(3)?))
        })?
        .collect()
}
