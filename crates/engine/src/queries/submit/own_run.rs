//! The run that a statement expects: one of its own, or that of identical statements.

use rowhouse_model::StatementId;

use super::Submitting;
use crate::queries::state::FlightKey;
use crate::store::query_records::StoredQuery;

impl Submitting {
    /// The id of a run of its own.
    pub(super) fn statement_id(&self) -> &StatementId {
        self.statement_id.get_or_init(|| self.shared.statement_ids.next(self.submitted_at))
    }

    pub(super) fn expected_run(&self) -> StatementId {
        let flight = self.flight();
        let state = self.shared.state();
        flight
            .and_then(|flight| state.flights.get(&flight).cloned())
            .unwrap_or_else(|| self.statement_id().clone())
    }

    /// The key of the run that identical statements share, if the cache is enabled.
    pub(super) fn flight(&self) -> Option<FlightKey> {
        let StoredQuery { query, fingerprint, .. } = &self.stored;
        self.fresh_seconds.map(|_| (query.workspace_id.clone(), fingerprint.clone()))
    }
}
