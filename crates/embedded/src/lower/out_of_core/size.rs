//! Estimates the memory of a plan's rows, rather too high than too low. The estimate decides whether rows are written
//! to disk, which determines their number.

use std::collections::HashMap;

use crate::lower::shared::Shared;
use crate::spill::SpillFile;
use rowhouse_sql::plan::{Field, Join, JoinKind, Plan, SharedId};
use rowhouse_sql::types::Type;

/// Estimated bytes of a text, including its view.
const TEXT_BYTES: u64 = 48;
/// Estimated number of elements of an array.
const ELEMENTS: u64 = 8;

/// The number of rows and their bytes in memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    pub(super) rows: u64,
    pub(super) row_bytes: u64,
}

impl Size {
    pub(super) const fn bytes(self) -> u64 {
        self.rows.saturating_mul(self.row_bytes)
    }

    /// The size of a plan's result.
    pub(super) fn of(plan: &Plan, shared: &HashMap<SharedId, Shared>) -> Self {
        Self { rows: rows(plan, shared), row_bytes: row_bytes(&plan.fields()) }
    }
}

/// The estimated bytes of a row with these fields.
pub(super) fn row_bytes(fields: &[Field]) -> u64 {
    fields.iter().map(|field| value_bytes(&field.data_type)).fold(0, u64::saturating_add)
}

fn value_bytes(data_type: &Type) -> u64 {
    match data_type {
        Type::Unknown | Type::Boolean | Type::TinyInt => 1,
        Type::SmallInt => 2,
        Type::Integer | Type::IntervalYearToMonth | Type::Real | Type::Date => 4,
        Type::BigInt
        | Type::Double
        | Type::Time { .. }
        | Type::TimeWithTimeZone { .. }
        | Type::Timestamp { .. }
        | Type::TimestampWithTimeZone { .. }
        | Type::IntervalDayToSecond => 8,
        Type::Decimal { .. } => 16,
        Type::Char { length } => u64::from(*length),
        Type::Varchar { .. } | Type::Varbinary | Type::Json | Type::Uuid | Type::IpAddress => TEXT_BYTES,
        Type::HyperLogLog | Type::TDigest | Type::QDigest(_) => TEXT_BYTES,
        Type::Array(element) => value_bytes(element).saturating_mul(ELEMENTS),
        Type::Map(key, value) => value_bytes(key).saturating_add(value_bytes(value)).saturating_mul(ELEMENTS),
        Type::Row(fields) => {
            fields.iter().map(|field| value_bytes(&field.data_type)).fold(0, u64::saturating_add)
        }
    }
}

/// The estimated number of rows. Filters and limits are ignored unless the plan has an estimate; a join by keys is
/// assumed to return as many rows as its larger side has.
fn rows(plan: &Plan, shared: &HashMap<SharedId, Shared>) -> u64 {
    let of = |plan: &Plan| rows(plan, shared);
    match plan {
        Plan::Scan(scan) => scan.row_count.unwrap_or(u64::MAX),
        Plan::Values { rows, .. } => rows.len() as u64,
        Plan::Shared { id, row_estimate, .. } => match shared.get(id) {
            Some(shared) if !shared.files.is_empty() => shared.files.iter().map(SpillFile::rows).sum(),
            _ => row_estimate.unwrap_or(u64::MAX),
        },
        Plan::EnforceSingleRow { .. } => 1,
        Plan::Limit { input, limit, .. } => of(input).min(limit.unwrap_or(u64::MAX)),
        Plan::Aggregate(node) if node.keys.is_empty() => 1,
        Plan::Aggregate(node) => of(&node.input),
        Plan::Join(Join { kind: JoinKind::Semi | JoinKind::Anti | JoinKind::Single, left, .. }) => of(left),
        Plan::Join(join) if join.keys.is_empty() => of(&join.left).saturating_mul(of(&join.right)),
        Plan::Join(join) => of(&join.left).max(of(&join.right)),
        Plan::MarkJoin(join) => of(&join.left),
        Plan::MatchRecognize(node) => of(&node.input),
        Plan::Unnest { input, .. } => of(input).saturating_mul(ELEMENTS),
        Plan::SetOperation { inputs, .. } => inputs.iter().map(of).fold(0, u64::saturating_add),
        Plan::Filter { input, .. }
        | Plan::Project { input, .. }
        | Plan::Window { input, .. }
        | Plan::Sort { input, .. }
        | Plan::Distinct { input, .. }
        | Plan::PartialDistinct { input } => of(input),
    }
}
