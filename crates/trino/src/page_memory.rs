//! Memory of pages and segments while they are fetched and decoded. Those of Trino have 1 to 16 MB, or one row that is
//! larger; how large its rows are is decided by a statement's author, so statements with large ones take turns.

use std::sync::Arc;

use tokio::sync::{OnceCell, OwnedSemaphorePermit, Semaphore};

/// Size above which a page is large.
pub(super) const LARGE_PAGE_BYTES: usize = 32 << 20;
/// Maximum size of a page or segment.
pub(super) const MAX_PAGE_BYTES: usize = 256 << 20;
/// Statements with large pages at a time, at all clusters: each needs up to three times its largest page.
const LARGE_AT_ONCE: usize = 2;

/// The turns of statements with large pages.
#[derive(Clone, Debug)]
pub(super) struct LargePages(Arc<Semaphore>);

/// What one statement's pages may take.
#[derive(Debug)]
pub(super) struct PageMemory {
    max_bytes: usize,
    /// None if no page may be large.
    large: Option<LargePages>,
    /// The statement's turn, from its first large page to its end: pages and segments of one statement wait for each
    /// other, so turns of single pages could be a deadlock.
    turn: OnceCell<OwnedSemaphorePermit>,
}

impl LargePages {
    pub(super) fn new() -> Self {
        Self(Arc::new(Semaphore::new(LARGE_AT_ONCE)))
    }
}

impl PageMemory {
    /// For a statement whose rows are stored.
    pub(super) fn of_statement(large: &LargePages) -> Self {
        Self { max_bytes: MAX_PAGE_BYTES, large: Some(large.clone()), turn: OnceCell::new() }
    }

    /// For an answer that is small.
    pub(super) fn up_to(max_bytes: usize) -> Self {
        debug_assert!(max_bytes <= LARGE_PAGE_BYTES, "large pages take turns");
        Self { max_bytes, large: None, turn: OnceCell::new() }
    }

    pub(super) fn max_bytes(&self) -> usize {
        self.max_bytes
    }

    /// Returns once a page of this many bytes may be in memory; false if it never may.
    pub(super) async fn admit(&self, bytes: usize) -> bool {
        if bytes > self.max_bytes {
            return false;
        }
        match &self.large {
            Some(LargePages(turns)) if bytes > LARGE_PAGE_BYTES => {
                self.turn.get_or_try_init(|| Arc::clone(turns).acquire_owned()).await.is_ok()
            }
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn statements_with_large_pages_take_turns() {
        let large = LargePages::new();
        let statements: Vec<_> =
            (0..=LARGE_AT_ONCE).map(|_| Arc::new(PageMemory::of_statement(&large))).collect();
        let (last, first) = statements.split_last().expect("some");
        for statement in first {
            // Two pages of one statement have one turn.
            assert!(statement.admit(LARGE_PAGE_BYTES + 1).await);
            assert!(statement.admit(MAX_PAGE_BYTES).await);
            assert!(!statement.admit(MAX_PAGE_BYTES + 1).await, "it is too large");
        }
        assert!(last.admit(LARGE_PAGE_BYTES).await, "small pages do not wait");
        let waiting = {
            let last = Arc::clone(last);
            tokio::spawn(async move { last.admit(LARGE_PAGE_BYTES + 1).await })
        };
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        let mut statements = statements;
        drop(statements.remove(0));
        assert!(waiting.await.expect("it ends"));
    }
}
