//! Values that take megabytes, several times as much as their JSON: few of them exist at a time (D188), whatever the
//! number of requests that want one.

use std::ops::Deref;
use std::time::Duration;

use rowhouse_model::WorkspaceId;
use serde::{Serialize, Serializer};
use tokio::time::timeout;

use crate::error::{Error, ErrorKind, Result};
use crate::fair_semaphore::{FairPermit, FairSemaphore};

/// Values that requests hold at a time: with some ten megabytes each, which are counted nowhere else.
const AT_A_TIME: usize = 8;
/// Maximum wait for another one to be released.
const WAITING_TIMEOUT: Duration = Duration::from_secs(10);

/// The values of one kind that are held.
#[derive(Debug)]
pub(crate) struct FewAtATime {
    /// What they are, for messages.
    what: &'static str,
    permits: FairSemaphore,
    waiting_timeout: Duration,
}

impl FewAtATime {
    pub(crate) fn of(what: &'static str) -> Self {
        Self { what, permits: FairSemaphore::new(AT_A_TIME), waiting_timeout: WAITING_TIMEOUT }
    }

    /// The right to hold one, in the workspace's turn.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Overloaded`]: none was released for too long.
    pub(crate) async fn one(&self, workspace_id: &WorkspaceId) -> Result<FairPermit> {
        let permit = timeout(self.waiting_timeout, self.permits.acquire(workspace_id, AT_A_TIME)).await;
        permit.map_err(|_| {
            let message = format!(
                "{AT_A_TIME} {} are being answered, which is the most at a time; try again later",
                self.what
            );
            Error::new(ErrorKind::Overloaded, message)
        })
    }
}

/// A value and its permit, if it needs one.
#[derive(Debug)]
pub struct Held<T> {
    value: T,
    _permit: Option<FairPermit>,
}

impl<T> Held<T> {
    pub(crate) fn new(value: T, permit: Option<FairPermit>) -> Self {
        Self { value, _permit: permit }
    }
}

impl<T: Serialize> Serialize for Held<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        self.value.serialize(serializer)
    }
}

impl<T> Deref for Held<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn another_one_waits_until_one_is_released() {
        let workspace = WorkspaceId::from("one");
        let records = FewAtATime { waiting_timeout: Duration::from_millis(10), ..FewAtATime::of("records") };
        let mut held = Vec::new();
        for _ in 0..AT_A_TIME {
            held.push(records.one(&workspace).await.expect("there is room"));
        }
        let refused = records.one(&workspace).await.expect_err("there is none");
        assert_eq!(refused.kind(), ErrorKind::Overloaded);
        assert!(refused.to_string().contains("8 records"), "{refused}");
        drop(held.pop());
        records.one(&workspace).await.expect("one was released");
    }
}
