#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::Duration;

use rowhouse_model::{AccountId, CreateAccount, CreateToken, Role, TokenId};

use super::*;
use crate::workspaces::fixture::Fixture;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn token(expires_in_days: Option<u32>) -> CreateToken {
    CreateToken { name: "laptop".to_owned(), account_id: None, expires_in_days }
}

fn account(username: &str) -> CreateAccount {
    CreateAccount { username: username.to_owned(), is_admin: None }
}

#[tokio::test]
async fn a_secret_is_known_until_it_is_revoked_and_after_a_restart() {
    let fixture = Fixture::new().await;
    let created = fixture.accounts.create_token(&fixture.admin, token(None)).await.unwrap();
    assert!(created.token.starts_with("rh_") && created.token.len() == 46, "256 bits in base 64");

    let fixture = fixture.reopen().await;
    let principal = fixture.accounts.authenticate(&created.token).unwrap();
    assert_eq!(principal.token_id, created.id);
    assert_eq!(principal.account.username, FIRST_ADMIN);

    fixture.accounts.revoke_token(&principal, &created.id).await.unwrap();
    let refused = |accounts: &Accounts| accounts.authenticate(&created.token).unwrap_err().kind();
    assert_eq!(refused(&fixture.accounts), ErrorKind::Unauthorized);
    let fixture = fixture.reopen().await;
    assert_eq!(refused(&fixture.accounts), ErrorKind::Unauthorized);
}

#[tokio::test]
async fn what_is_no_token_is_unauthorized() {
    let fixture = Fixture::new().await;
    let created = fixture.accounts.create_token(&fixture.admin, token(None)).await.unwrap().token;
    let cut = created[..created.len() - 1].to_owned();
    let longer = format!("{created}A");
    for secret in ["", "rh_", &cut, &longer, &created.to_uppercase(), &"x".repeat(1 << 20), "\u{0}"] {
        let error = fixture.accounts.authenticate(secret).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unauthorized);
    }
}

#[tokio::test]
async fn a_token_ends_at_its_moment() {
    let fixture = Fixture::new().await;
    let check = async |days: Option<u32>, lives_for: Option<u32>| {
        let fixture = Fixture::new().await;
        let created = fixture.accounts.create_token(&fixture.admin, token(days)).await.unwrap();
        let Some(lives_for) = lives_for else {
            assert_eq!(created.expires_at, None);
            fixture.clock.advance(DAY * 100_000);
            assert!(fixture.accounts.authenticate(&created.token).is_ok());
            return;
        };
        fixture.clock.advance(DAY * lives_for - Duration::from_millis(1));
        assert!(fixture.accounts.authenticate(&created.token).is_ok());
        fixture.clock.advance(Duration::from_millis(1));
        assert!(fixture.accounts.authenticate(&created.token).is_err());
    };
    check(None, Some(90)).await;
    check(Some(1), Some(1)).await;
    check(Some(3650), Some(3650)).await;
    check(Some(0), None).await;

    let error = fixture.accounts.create_token(&fixture.admin, token(Some(3651))).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArguments);
    assert!(error.message().contains("'expiresInDays' must be 1 to 3650"), "{error}");
}

#[tokio::test]
async fn nothing_shows_a_secret() {
    let fixture = Fixture::new().await;
    let created = fixture.accounts.create_token(&fixture.admin, token(None)).await.unwrap();
    let secret = created.token.trim_start_matches("rh_");
    let principal = fixture.accounts.authenticate(&created.token).unwrap();
    let shown = format!("{created:?} {principal:?} {:?} {:?}", fixture.accounts, fixture.store);
    assert!(!shown.contains(secret), "{shown}");
    fixture.store.close();
    for file in std::fs::read_dir(fixture.folder.path()).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        assert!(!bytes.windows(secret.len()).any(|window| window == secret.as_bytes()));
    }
}

#[tokio::test]
async fn only_admins_act_for_others() {
    let fixture = Fixture::new().await;
    let (ann, bob) = (fixture.person("ann").await, fixture.person("bob").await);
    let accounts = &fixture.accounts;

    let for_bob = CreateToken { account_id: Some(bob.account.id.clone()), ..token(None) };
    let error = accounts.create_token(&ann, for_bob.clone()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::PermissionDenied);
    let for_ann = CreateToken { account_id: Some(ann.account.id.clone()), ..token(None) };
    assert!(accounts.create_token(&ann, for_ann).await.is_ok());
    assert!(accounts.create_token(&fixture.admin, for_bob).await.is_ok());
    let for_nobody = CreateToken { account_id: Some(AccountId::new("nobody")), ..token(None) };
    let error = accounts.create_token(&fixture.admin, for_nobody).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);

    assert_eq!(accounts.tokens(&ann).unwrap().len(), 2);
    assert_eq!(accounts.tokens(&fixture.admin).unwrap().len(), 5);

    let error = accounts.revoke_token(&ann, &bob.token_id).await.unwrap_err();
    let unknown = accounts.revoke_token(&ann, &TokenId::new("unknown")).await.unwrap_err();
    assert_eq!((error.kind(), unknown.kind()), (ErrorKind::NotFound, ErrorKind::NotFound));
    accounts.revoke_token(&ann, &ann.token_id).await.unwrap();
    accounts.revoke_token(&fixture.admin, &bob.token_id).await.unwrap();
    assert_eq!(accounts.tokens(&bob).unwrap().len(), 1);

    let error = accounts.create(&ann, account("carol")).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::PermissionDenied);
}

#[tokio::test]
async fn usernames_are_unique_whatever_their_letter_case() {
    let fixture = Fixture::new().await;
    fixture.person("ann").await;
    for (name, expected) in [
        ("ann", ErrorKind::AlreadyExists),
        ("Ann", ErrorKind::AlreadyExists),
        ("", ErrorKind::InvalidArguments),
        ("a b", ErrorKind::InvalidArguments),
    ] {
        let error = fixture.accounts.create(&fixture.admin, account(name)).await.unwrap_err();
        assert_eq!(error.kind(), expected, "{name}");
    }
    let both = tokio::join!(
        fixture.accounts.create(&fixture.admin, account("bob")),
        fixture.accounts.create(&fixture.admin, account("bob")),
    );
    assert!(both.0.is_ok() != both.1.is_ok(), "one of two at a time");
}

#[tokio::test]
async fn accounts_are_listed_for_admins_and_owners() {
    let fixture = Fixture::new().await;
    let access = fixture.workspace("sales").await;
    for (name, role, is_allowed) in [
        ("consumer", Some(Role::Consumer), false),
        ("analyst", Some(Role::Analyst), false),
        ("owner", Some(Role::Owner), true),
        ("stranger", None, false),
    ] {
        let principal = match role {
            Some(role) => fixture.member(&access, name, role).await.principal,
            None => fixture.person(name).await,
        };
        let listed = fixture.accounts.list(&principal);
        match listed {
            Ok(_) => assert!(is_allowed, "{name}"),
            Err(error) => assert!(!is_allowed && error.kind() == ErrorKind::PermissionDenied, "{name}"),
        }
    }
    let names: Vec<_> =
        fixture.accounts.list(&fixture.admin).unwrap().into_iter().map(|account| account.username).collect();
    assert_eq!(names, ["admin", "analyst", "consumer", "owner", "stranger"]);
}
