//! Cache hits (D19): looked up before a statement is recorded, and again while it waits for a run.

use std::sync::Arc;

use rowhouse_model::{CacheCheck, CacheOutcome, CacheVerdict, Timestamp};
use rowhouse_sql::types::{UTC, local_day};

use super::Submitting;
use crate::cache::{self, Freshness};
use crate::error::Result;
use crate::metrics::CacheLookup;
use crate::queries::{CachePolicy, Shared, conclude, snapshot};
use crate::store::cache_entries::CacheEntry;
use crate::store::query_records::{self, StoredQuery, UsedResult};
use crate::store::saved_sql;

/// An entry that answers a statement.
pub(super) struct Hit {
    pub(super) entry: Arc<CacheEntry>,
    verdict: CacheVerdict,
}

impl Hit {
    /// Whether a run is to renew the entry.
    pub(super) fn is_stale(&self) -> bool {
        self.verdict.outcome == CacheOutcome::Stale
    }

    pub(super) fn lookup(&self) -> CacheLookup {
        if self.is_stale() { CacheLookup::Stale } else { CacheLookup::Hit }
    }
}

impl Submitting {
    /// The cache's answer: a hit, or a verdict why there is none.
    pub(super) async fn look_up(&self) -> Result<Result<Hit, CacheVerdict>> {
        let miss = CacheVerdict::new(CacheOutcome::Miss);
        if self.fresh_seconds.is_none() {
            return Ok(Err(self.bypassed()));
        }
        let StoredQuery { query, fingerprint, .. } = &self.stored;
        let Some(entry) = self.shared.cache.entry(&query.workspace_id, fingerprint).await? else {
            let reason = "no result of this statement is kept".to_owned();
            return Ok(Err(CacheVerdict { reason: Some(reason), ..miss }));
        };
        let Some(policy) = self.policy else { return Ok(Err(self.bypassed())) };
        let zone = self.session.time_zone.as_deref().unwrap_or(UTC);
        let verdict = self.shared.judge(&entry, policy, zone).await;
        match verdict.outcome {
            CacheOutcome::Hit | CacheOutcome::Stale => Ok(Ok(Hit { entry, verdict })),
            CacheOutcome::Miss | CacheOutcome::Joined | CacheOutcome::Bypassed => Ok(Err(verdict)),
        }
    }

    fn bypassed(&self) -> CacheVerdict {
        let reason = match (&self.stored.query.other_workspaces, self.alone) {
            (Some(_), _) => "the statement names other workspaces, whose rows are kept for nobody else",
            (None, CacheLookup::Refreshed) => "cacheRefresh was set",
            (None, _) => "cacheTTL is 0",
        };
        let reason = Some(reason.to_owned());
        CacheVerdict { reason, ..CacheVerdict::new(CacheOutcome::Bypassed) }
    }

    /// Whether an entry answers only while its sources are unchanged.
    pub(super) fn follows_sources(&self) -> bool {
        self.policy.is_some_and(|policy| policy.check == Some(CacheCheck::Sources))
    }

    pub(super) fn hit(&self, Hit { entry, verdict }: &Hit) -> StoredQuery {
        let expires_at = snapshot::later(self.shared.clock.now(), self.shared.config().result_retention);
        let duration = self.shared.clock.monotonic().saturating_sub(self.submitted);
        snapshot::hit(self.stored.clone(), entry, verdict.clone(), expires_at, duration)
    }

    /// Ends the recorded statement with an entry that appeared meanwhile; false if the entry's result was removed.
    pub(super) async fn take_entry(&self, hit: &Hit) -> bool {
        {
            let mut state = self.shared.state();
            match state.live.get_mut(&self.stored.query.id) {
                Some(live) if !live.is_ending => live.is_ending = true,
                // Canceled meanwhile.
                _ => return true,
            }
        }
        let (location, end) = (hit.entry.location.clone(), self.hit(hit));
        let (shared, holder) = (Arc::clone(&self.shared), Arc::clone(&self.shared));
        let taken = self.shared.store.write_then(
            move |transaction| {
                if !holder.has_result(transaction, &location)? {
                    return Ok(None);
                }
                query_records::update(transaction, &end)?;
                if let (Some(id), Some(stats)) = (&end.saved_sql, &end.query.query_stats) {
                    saved_sql::set_last_run(transaction, id, stats)?;
                }
                Ok(Some(end))
            },
            move |end| end.map(|end| conclude::show(&shared, None, &[end])),
        );
        if matches!(taken.await, Ok(Some(()))) {
            self.shared.counters.accepted(hit.lookup());
            self.renew(hit);
            return true;
        }
        if let Some(live) = self.shared.state().live.get_mut(&self.stored.query.id) {
            live.is_ending = false;
        }
        false
    }
}

/// Changes of the sources of a result since it was computed.
enum Changes {
    /// Nothing.
    None,
    /// Unknown.
    Unknown,
    /// It may give other rows every time.
    Volatile(String),
    /// `current_date` has changed.
    Day,
    /// A table has other files, or a view other rows.
    Changed(String),
    /// A table no longer exists.
    Gone(String),
}

impl Changes {
    const fn is_changed(&self) -> Option<bool> {
        match self {
            Self::None => Some(false),
            Self::Unknown => None,
            Self::Volatile(_) | Self::Day | Self::Changed(_) | Self::Gone(_) => Some(true),
        }
    }

    fn reason(&self) -> Option<String> {
        Some(match self {
            Self::None => return None,
            Self::Unknown => "its sources have no versions that are known".to_owned(),
            Self::Volatile(what) => format!("{what} may give other rows every time"),
            Self::Day => "current_date is another day".to_owned(),
            Self::Changed(table) => format!("table {table} changed"),
            Self::Gone(table) => format!("table {table} is gone"),
        })
    }
}

impl Shared {
    /// Judges an entry by a statement's time zone and policy: a hit, a stale one, or none, and why.
    pub(in crate::queries) async fn judge(
        &self,
        entry: &CacheEntry,
        policy: CachePolicy,
        zone: &str,
    ) -> CacheVerdict {
        let CachePolicy { ttl_seconds, refresh: _, check, stale_seconds } = policy;
        let now = self.clock.now();
        let Some(age) = cache::age(entry.created_at, now) else {
            let reason = Some("the clock was set back since the kept result was made".to_owned());
            return CacheVerdict { reason, ..CacheVerdict::new(CacheOutcome::Miss) };
        };
        let changes = self.changes(entry, now, zone).await;
        let (sources_changed, reason) = (changes.is_changed(), changes.reason());
        let result_retention = self.config().result_retention;
        let is_younger = |ttl_seconds| Freshness { ttl_seconds, result_retention }.allows(age);
        let is_fresh = is_younger(ttl_seconds);
        let (outcome, reason) =
            if is_fresh && (check != Some(CacheCheck::Sources) || sources_changed == Some(false)) {
                (CacheOutcome::Hit, reason)
            } else {
                let is_permitted = stale_seconds > 0 && is_younger(ttl_seconds.saturating_add(stale_seconds));
                let reason = match reason {
                    reason if is_fresh => reason,
                    reason => {
                        let old = format!("the kept result is older than {ttl_seconds} s");
                        Some(reason.map_or(old.clone(), |reason| format!("{old}, and {reason}")))
                    }
                };
                (if is_permitted { CacheOutcome::Stale } else { CacheOutcome::Miss }, reason)
            };
        CacheVerdict { outcome, age_seconds: Some(age.as_secs()), sources_changed, reason }
    }

    /// Changes of an entry's sources since it was created.
    async fn changes(&self, entry: &CacheEntry, now: Timestamp, zone: &str) -> Changes {
        let Some(sources) = &entry.sources else { return Changes::Unknown };
        if let Some(volatile) = &sources.volatile {
            return Changes::Volatile(volatile.clone());
        }
        if sources.date.is_some_and(|date| date != local_day(zone, now.as_millis())) {
            return Changes::Day;
        }
        if sources.tables.is_empty() {
            return Changes::None;
        }
        let names: Vec<&str> = sources.tables.iter().map(|table| table.name.as_str()).collect();
        let look = || self.context.versions(&entry.workspace_id, &names);
        let versions = self.source_checks.versions(&entry.workspace_id, &names, look).await;
        let changed = sources.tables.iter().zip(versions.iter()).find_map(|(table, now)| match now {
            None => Some(Changes::Gone(table.name.clone())),
            Some(now) if !table.version.is_same(now) => Some(Changes::Changed(table.name.clone())),
            Some(_) => None,
        });
        changed.unwrap_or(Changes::None)
    }

    /// Whether the result of an entry is stored and not lost, for example after restoring half a backup.
    pub(super) fn has_result(
        &self,
        transaction: &rusqlite::Transaction<'_>,
        location: &str,
    ) -> rusqlite::Result<bool> {
        let changes = transaction.total_changes();
        let known = self.found_results.get(location, changes);
        let Some(used) =
            known.map_or_else(|| query_records::used_result(transaction, location), |used| Ok(Some(used)))?
        else {
            return Ok(false);
        };
        if known.is_none() {
            self.found_results.add(location, used, changes);
        }
        Ok(match used {
            UsedResult::InDatabase => true,
            UsedResult::InFile => self.result_files.path(location).is_file(),
        })
    }
}
