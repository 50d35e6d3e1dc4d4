//! Ids as newtypes over text: an id of one kind cannot be used as another.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        ///
        /// Copies share their text.
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Arc<str>);

        impl $name {
            /// Accepts any text; the server's look-up decides whether it exists.
            pub fn new(text: impl Into<Arc<str>>) -> Self {
                Self(text.into())
            }

            /// The id as it stands in URLs and bodies.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl std::borrow::Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.into())
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer).map(Self::new)
            }
        }
    };
}

id! {
    /// Id of a query record.
    QueryId
}
id! {
    /// Id of a saved SQL.
    SavedSqlId
}
id! {
    /// Id of a workspace: the last path segment of its page's address.
    WorkspaceId
}
id! {
    /// Id of an account.
    AccountId
}
id! {
    /// Id of a personal access token; not the token itself.
    TokenId
}
id! {
    /// Id of a materialized view.
    ViewId
}
id! {
    /// The executor's own id of a run, `YYYYMMDD_HHMMSS_NNNNN_xxxxx` (D14).
    StatementId
}
