//! Rows of tokens: the digest of the secret, never the secret. A revoked token's row is removed.

use rowhouse_model::{AccountId, Timestamp, Token, TokenId};
use rusqlite::{Connection, Transaction, params};

/// SHA-256 of a secret.
pub(crate) type Digest = [u8; 32];

pub(crate) fn insert(transaction: &Transaction<'_>, token: &Token, digest: &Digest) -> rusqlite::Result<()> {
    let Token { id, name, account_id, created_at, expires_at } = token;
    transaction.execute(
        "INSERT INTO tokens (id, account_id, name, digest, created_at, expires_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        params![
            id.as_str(),
            account_id.as_str(),
            name,
            digest,
            created_at.as_millis(),
            expires_at.map(Timestamp::as_millis)
        ],
    )?;
    Ok(())
}

pub(crate) fn delete(transaction: &Transaction<'_>, id: &TokenId) -> rusqlite::Result<()> {
    transaction.execute("DELETE FROM tokens WHERE id = ?1", [id.as_str()])?;
    Ok(())
}

/// All, oldest first.
pub(crate) fn load(connection: &Connection) -> rusqlite::Result<Vec<(Token, Digest)>> {
    connection
        .prepare("SELECT id, account_id, name, digest, created_at, expires_at FROM tokens ORDER BY rowid")?
        .query_map([], |row| {
            let token = Token {
                id: TokenId::new(row.get::<_, String>(0)?),
                account_id: AccountId::new(row.get::<_, String>(1)?),
                name: row.get(2)?,
                created_at: Timestamp::from_millis(row.get(4)?),
                expires_at: row.get::<_, Option<i64>>(5)?.map(Timestamp::from_millis),
            };
            Ok((token, row.get(3)?))
        })?
        .collect()
}
