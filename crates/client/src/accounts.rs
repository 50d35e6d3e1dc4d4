//! Accounts and their tokens (D6, D27).

use rowhouse_model::{
    Account, AccountId, CreateAccount, CreateToken, CreatedToken, Token, TokenId, UpdateAccount, path,
};

use crate::request::{Request, segment};
use crate::{Client, Result};

impl Client {
    /// `GET /accounts`, for admins and owners.
    ///
    /// # Errors
    ///
    /// `PERMISSION_DENIED`, or any other failure of a request.
    pub async fn accounts(&self) -> Result<Vec<Account>> {
        self.transport.json(&Request::get(path::ACCOUNTS)).await
    }

    /// `POST /account`, for admins.
    ///
    /// # Errors
    ///
    /// The name is taken, `PERMISSION_DENIED`, or any other failure of a request.
    pub async fn create_account(&self, account: &CreateAccount) -> Result<Account> {
        self.transport.json(&Request::post(path::CREATE_ACCOUNT, account)?).await
    }

    /// `PUT /account/:id`, for admins: grants or removes the admin right, disables or enables the account.
    ///
    /// # Errors
    ///
    /// `NOT_FOUND`, `INVALID_ARGUMENTS` for the last admin, `PERMISSION_DENIED`, or any other failure of a request.
    pub async fn update_account(&self, id: &AccountId, change: &UpdateAccount) -> Result<Account> {
        let path = path::account(&segment("the account's id", id.as_str())?);
        self.transport.json(&Request::put(path, change)?).await
    }

    /// `GET /tokens`: without their secrets.
    ///
    /// # Errors
    ///
    /// Any failure of a request.
    pub async fn tokens(&self) -> Result<Vec<Token>> {
        self.transport.json(&Request::get(path::TOKENS)).await
    }

    /// `POST /token`: only this answer contains the secret.
    ///
    /// # Errors
    ///
    /// `PERMISSION_DENIED` for a token of another account without being an admin, or any other failure of a request.
    pub async fn create_token(&self, token: &CreateToken) -> Result<CreatedToken> {
        self.transport.json(&Request::post(path::CREATE_TOKEN, token)?).await
    }

    /// `DELETE /token/:id`: revokes it and the tokens that it created.
    ///
    /// # Errors
    ///
    /// `NOT_FOUND`, or any other failure of a request.
    pub async fn revoke_token(&self, id: &TokenId) -> Result<()> {
        let request = Request::delete(path::token(&segment("the token's id", id.as_str())?));
        self.transport.whole(&request).await.map(|_| ())
    }

    /// `DELETE /token/:id?keepMade=true`, for admins: revokes only this token; the tokens that it created stay valid.
    ///
    /// # Errors
    ///
    /// `NOT_FOUND`, `PERMISSION_DENIED`, or any other failure of a request.
    pub async fn revoke_token_alone(&self, id: &TokenId) -> Result<()> {
        let request = Request::delete(path::token(&segment("the token's id", id.as_str())?));
        self.transport.whole(&request.query("keepMade", true)).await.map(|_| ())
    }
}
