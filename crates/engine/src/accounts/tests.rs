#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::Duration;

use rowhouse_model::{AccountId, CreateAccount, CreateToken, QueryId, Role, TokenId, UpdateAccount};

use super::*;
use crate::result_links::{StatementGrant, StatementLink};
use crate::workspaces::fixture::Fixture;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn token(expires_in_days: Option<u32>) -> CreateToken {
    CreateToken { name: "laptop".to_owned(), account_id: None, expires_in_days, allow: None }
}

fn account(username: &str) -> CreateAccount {
    CreateAccount { username: username.to_owned(), is_admin: None }
}

#[tokio::test]
async fn a_token_is_valid_until_it_is_revoked_also_after_a_restart() {
    let fixture = Fixture::new().await;
    let created = fixture.accounts.create_token(&fixture.admin, token(None)).await.unwrap();
    assert!(created.token.starts_with("rh_") && created.token.len() == 46, "256 bits in base 64");

    let fixture = fixture.reopen().await;
    let principal = fixture.accounts.authenticate(&created.token).unwrap();
    assert_eq!(principal.token_id, created.id);
    assert_eq!(principal.account.username, FIRST_ADMIN);

    fixture.accounts.revoke_token(&principal, &created.id, false).await.unwrap();
    let refused = |accounts: &Accounts| accounts.authenticate(&created.token).unwrap_err().kind();
    assert_eq!(refused(&fixture.accounts), ErrorKind::Unauthorized);
    let fixture = fixture.reopen().await;
    assert_eq!(refused(&fixture.accounts), ErrorKind::Unauthorized);
}

#[tokio::test]
async fn invalid_tokens_are_unauthorized() {
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
async fn a_token_expires_at_its_expiry_time() {
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
async fn secrets_are_neither_printed_nor_stored() {
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

    let error = accounts.revoke_token(&ann, &bob.token_id, false).await.unwrap_err();
    let unknown = accounts.revoke_token(&ann, &TokenId::new("unknown"), false).await.unwrap_err();
    assert_eq!((error.kind(), unknown.kind()), (ErrorKind::NotFound, ErrorKind::NotFound));
    accounts.revoke_token(&ann, &ann.token_id, false).await.unwrap();
    accounts.revoke_token(&fixture.admin, &bob.token_id, false).await.unwrap();
    assert_eq!(accounts.tokens(&bob).unwrap().len(), 1);

    let error = accounts.create(&ann, account("carol")).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::PermissionDenied);
}

#[tokio::test]
async fn usernames_are_unique_regardless_of_letter_case() {
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

/// Regression: a token of one day could create one that never expired, and the new one still worked after the first was
/// revoked.
#[tokio::test]
async fn a_token_expires_no_later_than_the_one_that_created_it() {
    let fixture = Fixture::new().await;
    let accounts = &fixture.accounts;
    let first = accounts.create_token(&fixture.admin, token(Some(1))).await.unwrap();
    let made_by = accounts.authenticate(&first.token).unwrap();
    let child = accounts.create_token(&made_by, token(Some(0))).await.unwrap();
    assert_eq!(child.expires_at, first.expires_at);
    let by_child = accounts.authenticate(&child.token).unwrap();
    let grandchild = accounts.create_token(&by_child, token(None)).await.unwrap();
    let listed = accounts.tokens(&fixture.admin).unwrap();
    let parent = |id| listed.iter().find(|token| token.id == id).and_then(|token| token.parent_id.clone());
    assert_eq!(parent(grandchild.id.clone()), Some(child.id.clone()));
    accounts.revoke_token(&fixture.admin, &first.id, false).await.unwrap();
    let fixture = fixture.reopen().await;
    for gone in [&first, &child, &grandchild] {
        assert_eq!(fixture.accounts.authenticate(&gone.token).unwrap_err().kind(), ErrorKind::Unauthorized);
    }
    // The creating token was revoked during the request.
    let orphan = fixture.accounts.create_token(&made_by, token(None)).await.unwrap_err();
    assert_eq!(orphan.kind(), ErrorKind::Unauthorized);
}

#[tokio::test]
async fn an_admin_may_keep_derived_tokens() {
    let fixture = Fixture::new().await;
    let accounts = &fixture.accounts;
    let old = accounts.create_token(&fixture.admin, token(None)).await.unwrap();
    let made_by = accounts.authenticate(&old.token).unwrap();
    let kept = accounts.create_token(&made_by, token(None)).await.unwrap();
    let ann = fixture.person("ann").await;
    let refused = accounts.revoke_token(&ann, &ann.token_id, true).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::PermissionDenied);
    accounts.revoke_token(&made_by, &old.id, true).await.unwrap();
    assert!(accounts.authenticate(&old.token).is_err());
    let fixture = fixture.reopen().await;
    assert!(fixture.accounts.authenticate(&kept.token).is_ok());
}

/// Regression: a consumer could create 2,500 tokens a second without limit, and expired tokens were never removed.
#[tokio::test]
async fn tokens_per_account_are_limited_and_expired_ones_are_removed() {
    let fixture = Fixture::new().await;
    let ann = fixture.person("ann").await;
    let own =
        |expires_in_days| CreateToken { account_id: Some(ann.account.id.clone()), ..token(expires_in_days) };
    for _ in 1..100 {
        fixture.accounts.create_token(&ann, own(Some(1))).await.unwrap();
    }
    for principal in [&ann, &fixture.admin] {
        let refused = fixture.accounts.create_token(principal, own(None)).await.unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::InvalidArguments);
        assert!(refused.message().contains("100 tokens"), "{refused}");
    }
    fixture.clock.advance(DAY);
    fixture.accounts.create_token(&ann, own(Some(1))).await.unwrap();
    assert_eq!(fixture.accounts.tokens(&ann).unwrap().len(), 101);
    fixture.accounts.sweep(fixture.clock.now()).await.unwrap();
    assert_eq!(fixture.accounts.tokens(&ann).unwrap().len(), 101, "listed for a week");
    fixture.clock.advance(DAY * 7);
    fixture.accounts.sweep(fixture.clock.now()).await.unwrap();
    // The first one, of 90 days, and the one that expired a day later.
    assert_eq!(fixture.accounts.tokens(&ann).unwrap().len(), 2);
    let fixture = fixture.reopen().await;
    assert_eq!(fixture.accounts.tokens(&ann).unwrap().len(), 2);
}

#[tokio::test]
async fn the_last_use_of_a_token_is_shown() {
    let fixture = Fixture::new().await;
    let created = fixture.accounts.create_token(&fixture.admin, token(None)).await.unwrap();
    let last_used = |fixture: &Fixture| {
        let tokens = fixture.accounts.tokens(&fixture.admin).unwrap();
        tokens.into_iter().find(|token| token.id == created.id).unwrap().last_used_at
    };
    assert_eq!(last_used(&fixture), None);
    fixture.clock.advance(DAY);
    fixture.accounts.authenticate(&created.token).unwrap();
    let at = fixture.clock.now();
    assert_eq!(last_used(&fixture), Some(at));
    fixture.accounts.sweep(at).await.unwrap();
    let writes = fixture.store.metrics().writes;
    fixture.accounts.sweep(at).await.unwrap();
    assert_eq!(fixture.store.metrics().writes, writes, "nothing was used since");
    assert_eq!(last_used(&fixture.reopen().await), Some(at));
}

#[tokio::test]
async fn accounts_can_be_disabled_and_demoted_except_the_last_admin() {
    let fixture = Fixture::new().await;
    let accounts = &fixture.accounts;
    let ann = fixture.member(&fixture.workspace("sales").await, "ann", Role::Owner).await.principal;
    let secret = accounts.create_token(&ann, token(None)).await.unwrap().token;
    let disabled = |is_disabled| UpdateAccount { is_disabled: Some(is_disabled), ..UpdateAccount::default() };
    let admin = |is_admin| UpdateAccount { is_admin: Some(is_admin), ..UpdateAccount::default() };
    let own = &fixture.admin.account.id;
    for change in [disabled(true), admin(false)] {
        let refused = accounts.update(&fixture.admin, own, change).await.unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::InvalidArguments);
        let refused = accounts.update(&ann, own, change).await.unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::PermissionDenied);
    }
    let changed = accounts.update(&fixture.admin, &ann.account.id, disabled(true)).await.unwrap();
    assert!(changed.is_disabled && !changed.is_admin);
    assert_eq!(accounts.authenticate(&secret).unwrap_err().kind(), ErrorKind::Unauthorized);
    // A disabled admin does not count.
    accounts.update(&fixture.admin, &ann.account.id, admin(true)).await.unwrap();
    assert!(accounts.update(&fixture.admin, own, admin(false)).await.is_err());
    accounts.update(&fixture.admin, &ann.account.id, disabled(false)).await.unwrap();
    assert!(accounts.authenticate(&secret).unwrap().account.is_admin);
    accounts.update(&fixture.admin, own, admin(false)).await.unwrap();
    let fixture = fixture.reopen().await;
    let ann = fixture.accounts.authenticate(&secret).unwrap();
    assert!(ann.account.is_admin);
    let nobody = fixture.accounts.update(&ann, &AccountId::new("nobody"), admin(true)).await.unwrap_err();
    assert_eq!(nobody.kind(), ErrorKind::NotFound);
    assert!(fixture.accounts.update(&ann, &ann.account.id, disabled(true)).await.is_err());
}

#[tokio::test]
async fn a_known_token_is_checked_like_one_that_is_looked_up() {
    let fixture = Fixture::new().await;
    let accounts = &fixture.accounts;
    let ann = fixture.member(&fixture.workspace("sales").await, "ann", Role::Owner).await.principal;
    let created = accounts.create_token(&ann, token(Some(1))).await.unwrap();
    let other = accounts.create_token(&fixture.admin, token(None)).await.unwrap();
    let known = KnownToken::default();
    let is_known = |secret: &str| {
        let again = accounts.authenticate_reader_again(secret, &known);
        let looked_up = accounts.authenticate_reader(secret);
        match (again, looked_up) {
            (Ok(again), Ok(looked_up)) => {
                assert_eq!(again.token_id, looked_up.token_id);
                assert_eq!(*again.account, *looked_up.account);
                true
            }
            (Err(again), Err(looked_up)) => {
                assert_eq!((again.kind(), again.message()), (looked_up.kind(), looked_up.message()));
                false
            }
            (again, looked_up) => panic!("{again:?} and {looked_up:?}"),
        }
    };
    assert!(is_known(&created.token) && is_known(&created.token));
    // Another one on the same connection, also one that only begins like it, and a wrong one, which replaces nothing.
    assert!(is_known(&other.token) && is_known(&created.token));
    assert!(!is_known(&created.token[..45]) && !is_known("") && !is_known(&created.token.to_uppercase()));
    assert!(is_known(&created.token));
    assert!(!format!("{known:?}").contains(&created.token));

    let change = |is_disabled| UpdateAccount { is_disabled, ..UpdateAccount::default() };
    accounts.update(&fixture.admin, &ann.account.id, change(Some(true))).await.unwrap();
    assert!(!is_known(&created.token));
    accounts.update(&fixture.admin, &ann.account.id, change(Some(false))).await.unwrap();
    assert!(is_known(&created.token));
    let promoted = UpdateAccount { is_admin: Some(true), ..UpdateAccount::default() };
    accounts.update(&fixture.admin, &ann.account.id, promoted).await.unwrap();
    assert!(accounts.authenticate_reader_again(&created.token, &known).unwrap().account.is_admin);
    fixture.clock.advance(DAY - Duration::from_millis(1));
    assert!(is_known(&created.token));
    fixture.clock.advance(Duration::from_millis(1));
    assert!(!is_known(&created.token), "it has expired");

    assert!(is_known(&other.token));
    accounts.revoke_token(&fixture.admin, &other.id, false).await.unwrap();
    assert!(!is_known(&other.token), "it was revoked");
}

/// Regression: the addresses of a statement of Trino's protocol never expired.
#[tokio::test]
async fn a_statement_address_is_valid_as_long_as_its_token() {
    let fixture = Fixture::new().await;
    let access = fixture.workspace("sales").await;
    let created = fixture.accounts.create_token(&fixture.admin, token(Some(1))).await.unwrap();
    let grant = StatementGrant {
        link: StatementLink {
            query_id: QueryId::new("q"),
            workspace_id: access.workspace.id.clone(),
            account_id: fixture.admin.account.id.clone(),
            token_id: created.id.clone(),
            prefix: 0,
            knows_precisions: true,
            encoding: None,
        },
    };
    let entered = |caller: Option<&Principal>| {
        let entered = fixture.workspaces.access_by_grant(&grant, caller.cloned());
        entered.map(|access| access.principal.token_id).map_err(|error| error.kind())
    };
    fixture.clock.advance(DAY - Duration::from_millis(1));
    assert_eq!(entered(None), Ok(created.id.clone()));
    fixture.clock.advance(Duration::from_millis(1));
    assert_eq!(entered(None), Err(ErrorKind::Unauthorized));
    assert_eq!(
        entered(Some(&fixture.admin)),
        Ok(fixture.admin.token_id.clone()),
        "another token of the account"
    );
    let ann = fixture.member(&access, "ann", Role::Owner).await.principal;
    assert_eq!(entered(Some(&ann)), Err(ErrorKind::Unauthorized), "another account");
}
