#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::HashMap;

use proptest::prelude::*;
use rowhouse_model::AccountId;

use super::fixture::Fixture;
use super::*;

fn workspace(sql_name: &str) -> CreateWorkspace {
    CreateWorkspace { title: "A title".to_owned(), sql_name: sql_name.to_owned(), engine: None }
}

#[tokio::test]
async fn only_admins_create_workspaces_and_names_are_unique() {
    let fixture = Fixture::new().await;
    let ann = fixture.person("ann").await;
    let check = async |principal: &Principal, request: CreateWorkspace, expected: ErrorKind| {
        let error = fixture.workspaces.create(principal, request).await.unwrap_err();
        assert_eq!(error.kind(), expected, "{error}");
    };
    fixture.workspaces.create(&fixture.admin, workspace("sales")).await.unwrap();
    check(&ann, workspace("other"), ErrorKind::PermissionDenied).await;
    check(&fixture.admin, workspace("sales"), ErrorKind::AlreadyExists).await;
    check(&fixture.admin, workspace("information_schema"), ErrorKind::AlreadyExists).await;
    check(&fixture.admin, workspace("Sales"), ErrorKind::InvalidArguments).await;
    let untitled = CreateWorkspace { title: " ".to_owned(), ..workspace("other") };
    check(&fixture.admin, untitled, ErrorKind::InvalidArguments).await;
    let on_trino =
        CreateWorkspace { engine: Some(EngineKind::Trino { cluster: None }), ..workspace("other") };
    check(&fixture.admin, on_trino, ErrorKind::NotSupported).await;

    let fixture = fixture.reopen().await;
    let access = fixture.workspaces.access_by_sql_name(&fixture.admin, "sales").unwrap();
    assert_eq!((access.role, access.workspace.title.as_str()), (Role::Owner, "A title"));
}

#[tokio::test]
async fn owners_manage_members() {
    let fixture = Fixture::new().await;
    let admin = fixture.workspace("sales").await;
    let owner = fixture.member(&admin, "owner", Role::Owner).await;
    let analyst = fixture.member(&owner, "analyst", Role::Analyst).await;
    let ann = fixture.person("ann").await;
    let set = |role| SetMember { account_id: ann.account.id.clone(), role };
    let nobody = SetMember { account_id: AccountId::new("nobody"), role: Some(Role::Analyst) };

    // The role is checked before the account is looked up (D6).
    for request in [set(Some(Role::Consumer)), nobody.clone()] {
        let error = fixture.workspaces.set_member(&analyst, request).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::PermissionDenied);
    }
    let error = fixture.workspaces.set_member(&owner, nobody).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);

    let id = &owner.workspace.id;
    for role in [Some(Role::Consumer), Some(Role::Owner), None, None] {
        let member = fixture.workspaces.set_member(&owner, set(role)).await.unwrap();
        assert_eq!((&member.workspace_id, member.role), (id, role));
        assert_eq!(fixture.workspaces.access(&ann, id).map(|access| access.role).ok(), role);
    }
}

#[test]
fn a_role_includes_the_lower_ones() {
    let roles = [Role::Consumer, Role::Analyst, Role::Owner];
    for (have, role) in roles.into_iter().enumerate() {
        for (need, required) in roles.into_iter().enumerate() {
            assert_eq!(role >= required, have >= need);
        }
    }
}

/// Sets one account's membership in one workspace.
#[derive(Clone, Debug)]
struct Step {
    account: usize,
    workspace: usize,
    role: Option<Role>,
}

fn step() -> impl Strategy<Value = Step> {
    let role = prop_oneof![
        Just(None),
        Just(Some(Role::Consumer)),
        Just(Some(Role::Analyst)),
        Just(Some(Role::Owner))
    ];
    (0..3_usize, 0..3_usize, role).prop_map(|(account, workspace, role)| Step { account, workspace, role })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// D6 against a list of memberships, before and after a restart.
    #[test]
    fn access_equals_a_naive_model(steps in prop::collection::vec(step(), 0..24)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let fixture = Fixture::new().await;
            let mut people = vec![];
            let mut places = vec![];
            for number in 0..3 {
                people.push(fixture.person(&format!("person{number}")).await);
                places.push(fixture.workspace(&format!("place{number}")).await);
            }
            let mut model = HashMap::new();
            for Step { account, workspace, role } in &steps {
                let member = SetMember { account_id: people[*account].account.id.clone(), role: *role };
                fixture.workspaces.set_member(&places[*workspace], member).await.unwrap();
                match *role {
                    Some(role) => model.insert((*account, *workspace), role),
                    None => model.remove(&(*account, *workspace)),
                };
            }
            assert_as_modelled(&fixture, &people, &places, &model);
            let fixture = fixture.reopen().await;
            assert_as_modelled(&fixture, &people, &places, &model);
        });
    }
}

fn assert_as_modelled(
    fixture: &Fixture,
    people: &[Principal],
    places: &[Access],
    model: &HashMap<(usize, usize), Role>,
) {
    for (account, principal) in people.iter().enumerate() {
        let mut listed = Vec::new();
        for (place, admin) in places.iter().enumerate() {
            let expected = model.get(&(account, place)).copied().ok_or(ErrorKind::PermissionDenied);
            let record = &admin.workspace;
            let by_id = fixture.workspaces.access(principal, &record.id);
            let by_name = fixture.workspaces.access_by_sql_name(principal, &record.sql_name);
            for access in [by_id, by_name] {
                assert_eq!(access.map(|access| access.role).map_err(|error| error.kind()), expected);
            }
            if let Ok(role) = expected {
                listed.push((record.sql_name.clone(), role));
            }
            let admin = fixture.workspaces.access(&fixture.admin, &record.id).unwrap();
            assert_eq!(admin.role, Role::Owner);
        }
        let seen: Vec<_> =
            fixture.workspaces.list(principal).into_iter().map(|seen| (seen.sql_name, seen.role)).collect();
        assert_eq!(seen, listed);
        let owns_any = listed.iter().any(|(_, role)| *role == Role::Owner);
        assert_eq!(fixture.accounts.list(principal).is_ok(), owns_any);
        let nowhere = fixture.workspaces.access(principal, &WorkspaceId::new("nowhere")).unwrap_err();
        assert_eq!(nowhere.kind(), ErrorKind::NotFound);
    }
    assert_eq!(fixture.workspaces.list(&fixture.admin).len(), places.len());
}

#[tokio::test]
async fn only_admins_set_limits_and_they_survive_a_restart() {
    let fixture = Fixture::new().await;
    let sales = fixture.workspace("sales").await;
    let owner = fixture.member(&sales, "ann", Role::Owner).await;
    let limits = WorkspaceLimits { requests_per_second: Some(1), ..WorkspaceLimits::default() };
    let refused = fixture.workspaces.set_limits(&owner, limits).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::PermissionDenied);
    let settings = fixture.workspaces.set_limits(&sales, limits).await.unwrap();
    assert_eq!((settings.set, settings.in_force), (limits, limits));
    let fixture = fixture.reopen().await;
    let id = &sales.workspace.id;
    assert_eq!(fixture.workspaces.parts.limits.of(id), limits);
    fixture.workspaces.access(&owner.principal, id).unwrap();
    let refused = fixture.workspaces.access(&owner.principal, id).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::TooManyRequests);
    // The role is checked before: a caller without access learns nothing and uses nothing.
    let stranger = fixture.person("bob").await;
    for _ in 0..3 {
        let refused = fixture.workspaces.access(&stranger, id).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::PermissionDenied);
    }
}
