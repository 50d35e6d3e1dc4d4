use std::collections::BTreeSet;

use http::Method;
use rowhouse_model::*;
use serde::de::{Deserialize, Deserializer, Error as _, Visitor};
use serde_json::Value;

use super::*;
use crate::error::Error;
use crate::router::route;

const METHODS: [&str; 5] = ["GET", "POST", "PUT", "DELETE", "PATCH"];

fn document() -> Value {
    serde_json::from_str(DOCUMENT).expect("JSON")
}

/// Every path and method of the document is a route, and every method of those routes is in the document.
#[test]
fn the_document_and_the_router_agree() {
    let document = document();
    let paths = document["paths"].as_object().expect("paths");
    for (path, operations) in paths {
        let example = path.replace(['{', '}'], "x");
        for method in METHODS {
            let method: Method = method.parse().expect("a method");
            let is_route = match route(None, &method, &example) {
                Ok(_) => true,
                Err(Error::MethodNotAllowed { .. }) => false,
                Err(error) => panic!("{path}: {error}"),
            };
            let key = method.as_str().to_ascii_lowercase();
            assert_eq!(operations.get(key).is_some(), is_route, "{method} {path}");
        }
    }
    assert_eq!(paths.len(), 42, "a new path belongs in the document");
}

/// Every `$ref` resolves.
#[test]
fn all_references_resolve() {
    let document = document();
    for (at, _) in DOCUMENT.match_indices("\"#/") {
        let pointer = DOCUMENT[at + 2..].split('"').next().unwrap_or_default();
        assert!(document.pointer(pointer).is_some(), "{pointer}");
    }
}

/// Every refusal has the one shape, and every operation that requires a token documents the answer without one.
#[test]
fn every_refusal_is_described() {
    let document = document();
    let responses = document["components"]["responses"].as_object().expect("responses");
    for (name, response) in responses {
        let content = &response["content"]["application/json"];
        assert_eq!(content["schema"]["$ref"], "#/components/schemas/Error", "{name}");
        let example: ErrorBody = serde_json::from_value(content["example"].clone()).expect(name);
        assert!(example.code.parse::<ErrorCode>().is_ok(), "{name}: {}", example.code);
    }
    for (path, operations) in document["paths"].as_object().expect("paths") {
        for (method, operation) in operations.as_object().expect("operations") {
            let statuses = operation["responses"].as_object().expect("responses");
            assert!(statuses.contains_key("200"), "{method} {path}");
            let asks = operation.get("security").is_none();
            assert!(
                !asks || ["400", "401", "500"].iter().all(|status| statuses.contains_key(*status)),
                "{method} {path}"
            );
            let has_body = operation.get("requestBody").is_some();
            assert!(
                !has_body || ["408", "413", "415"].iter().all(|status| statuses.contains_key(*status)),
                "{method} {path}"
            );
        }
    }
    let codes: BTreeSet<&str> = ErrorCode::ALL.iter().map(|code| code.as_str()).collect();
    for place in [
        "/components/schemas/Error/properties/code/enum",
        "/components/schemas/QueryError/properties/errorName/enum",
    ] {
        let described = document.pointer(place).and_then(Value::as_array).expect(place);
        assert_eq!(described.iter().filter_map(Value::as_str).collect::<BTreeSet<_>>(), codes, "{place}");
    }
}

/// The schemas have the fields of the wire types, no more and no fewer.
#[test]
fn schemas_have_the_fields_of_the_model() {
    let document = document();
    let schema = |name: &str| document["components"]["schemas"][name].clone();
    check::<ErrorBody>(&schema("Error"));
    check::<Column>(&schema("Column"));
    check::<TypeSignature>(&schema("TypeSignature"));
    check::<SavedSql>(&schema("SavedSql"));
    check::<SavedSqlStatistics>(&schema("SavedSqlStatistics"));
    check::<StatementStats>(&schema("StatementStats"));
    check::<QueryStats>(&schema("QueryStats"));
    check::<QueryError>(&schema("QueryError"));
    check::<ErrorLocation>(&schema("ErrorLocation"));
    check::<FailureInfo>(&schema("FailureInfo"));
    check::<OutputStage>(&schema("OutputStage"));
    check::<Query>(&schema("Query"));
    check::<QueryList>(&schema("QueryList"));
    check::<QueryResult>(&schema("QueryResult"));
    check::<SignedUrls>(&schema("SignedUrls"));
    check::<SignedUrl>(&schema("SignedUrl"));
    check::<ServiceStatus>(&schema("ServiceStatus"));
    check::<Workspace>(&schema("Workspace"));
    check::<WorkspaceMember>(&schema("WorkspaceMember"));
    check::<Member>(&schema("Member"));
    check::<WorkspaceLimits>(&schema("WorkspaceLimits"));
    check::<LimitSettings>(&schema("LimitSettings"));
    check::<WorkspaceUsage>(&schema("WorkspaceUsage"));
    check::<Account>(&schema("Account"));
    check::<TokenGrant>(&schema("TokenGrant"));
    check::<Token>(&schema("Token"));
    check::<CreatedToken>(&schema("CreatedToken"));
    check::<Catalog>(&schema("Catalog"));
    check::<CatalogSchema>(&schema("CatalogSchema"));
    check::<CatalogTable>(&schema("CatalogTable"));
    check::<CatalogFunction>(&schema("CatalogFunction"));
    check::<Table>(&schema("Table"));
    check::<MaterializedView>(&schema("MaterializedView"));
    check::<ViewGeneration>(&schema("ViewGeneration"));
    check::<SavedSqlVersion>(&schema("SavedSqlVersion"));
    check::<EndpointCalls>(&schema("EndpointCalls"));
    check::<CachedResult>(&schema("CachedResult"));
    check::<CachedResults>(&schema("CachedResults"));
    check::<PurgedCache>(&schema("PurgedCache"));
}

/// The bodies, too.
#[test]
fn bodies_have_the_fields_of_the_model() {
    let document = document();
    let body = |operation: &str| {
        operation_of(&document, operation)["requestBody"]["content"]["application/json"]["schema"].clone()
    };
    check::<SetServiceState>(&body("setService"));
    check::<CreateSavedSql>(&body("createSavedSql"));
    check::<UpdateSavedSql>(&body("updateSavedSql"));
    check::<ExecuteSavedSql>(&body("executeSavedSql"));
    check::<SubmitQuery>(&body("submitQuery"));
    check::<CancelQuery>(&body("cancelQuery"));
    check::<CreateWorkspace>(&body("createWorkspace"));
    check::<SetMember>(&body("setMember"));
    check::<WorkspaceLimits>(&body("setLimits"));
    check::<CreateAccount>(&body("createAccount"));
    check::<UpdateAccount>(&body("updateAccount"));
    check::<CreateToken>(&body("createToken"));
    check::<CreateTable>(&body("createTable"));
    check::<CreateMaterializedView>(&body("createView"));
    check::<UpdateMaterializedView>(&body("updateView"));
    check::<RefreshMaterializedView>(&body("refreshView"));
}

/// The examples deserialize into the types and serialize to the same.
#[test]
fn examples_are_values_of_the_model() {
    fn check<T: serde::de::DeserializeOwned + serde::Serialize>(document: &Value, operation: &str) {
        let example =
            &operation_of(document, operation)["responses"]["200"]["content"]["application/json"]["example"];
        let read: T =
            serde_json::from_value(example.clone()).unwrap_or_else(|error| panic!("{operation}: {error}"));
        assert_eq!(&serde_json::to_value(&read).expect("writes"), example, "{operation}");
    }
    let document = &document();
    check::<ServiceStatus>(document, "getService");
    check::<Vec<SavedSql>>(document, "listSavedSql");
    check::<SavedSqlStatistics>(document, "getSavedSqlStatistics");
    check::<Query>(document, "submitQuery");
    check::<Query>(document, "getQuery");
    check::<Query>(document, "cancelQuery");
    check::<QueryList>(document, "listQueries");
    check::<QueryResult>(document, "getQueryResult");
    check::<SignedUrls>(document, "getSignedUrls");
    check::<Vec<Workspace>>(document, "listWorkspaces");
    check::<Vec<WorkspaceMember>>(document, "listMembers");
    check::<Vec<Account>>(document, "listAccounts");
    check::<Vec<Token>>(document, "listTokens");
    check::<CreatedToken>(document, "createToken");
    check::<Catalog>(document, "getCatalog");
    check::<Vec<Table>>(document, "listTables");
    check::<Vec<MaterializedView>>(document, "listViews");
    check::<CreatedMaterializedView>(document, "createView");
    check::<Vec<ViewGeneration>>(document, "listViewGenerations");
    check::<Vec<SavedSqlVersion>>(document, "listSavedSqlVersions");
    check::<EndpointCalls>(document, "getEndpointCalls");
    check::<CachedResults>(document, "listCache");
    check::<PurgedCache>(document, "purgeCache");
}

fn operation_of<'d>(document: &'d Value, id: &str) -> &'d Value {
    let paths = document["paths"].as_object().expect("paths");
    let operations = paths.values().filter_map(Value::as_object).flat_map(|operations| operations.values());
    operations.into_iter().find(|operation| operation["operationId"] == id).expect(id)
}

/// Checks that an object's schema has the fields that serde reads into a type.
#[track_caller]
fn check<'de, T: Deserialize<'de>>(schema: &Value) {
    let mut fields = Vec::new();
    // It ends with an error: only the names matter.
    let _ = T::deserialize(FieldNames(&mut fields));
    assert!(!fields.is_empty(), "{} is no struct", std::any::type_name::<T>());
    let properties = schema["properties"].as_object().expect("properties");
    let described: BTreeSet<&str> = properties.keys().map(String::as_str).collect();
    assert_eq!(described, fields.into_iter().collect(), "{}", std::any::type_name::<T>());
    for required in schema["required"].as_array().into_iter().flatten() {
        assert!(described.contains(required.as_str().expect("a name")), "{required}");
    }
}

/// Records the names of the fields that a struct requests, without values.
struct FieldNames<'a>(&'a mut Vec<&'static str>);

impl<'de> Deserializer<'de> for FieldNames<'_> {
    type Error = serde::de::value::Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Self::Error> {
        Err(Self::Error::custom("not a struct"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Self::Error> {
        self.0.extend(fields);
        Err(Self::Error::custom("the names were all that was wanted"))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}
