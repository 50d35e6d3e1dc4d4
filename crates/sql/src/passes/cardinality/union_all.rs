//! UNION ALL. The input columns of an output column are assumed to be the same attribute of several tables, such as
//! foreign keys that reference one table: the values of each input are among those of the input with the most values.

use super::{ColumnEstimate, Estimate};
use crate::plan::{ColumnId, Field, Plan};

/// The estimate of a union of inputs; `fields` are its output columns.
pub(super) fn of_all(inputs: &[Plan], fields: &[Field], estimate: impl Fn(&Plan) -> Estimate) -> Estimate {
    let parts: Vec<(Estimate, Vec<ColumnId>)> =
        inputs.iter().map(|input| (estimate(input), input.column_ids())).collect();
    let rows: f64 = parts.iter().map(|(part, _)| part.rows).sum();
    let first = fields.first().map(|field| field.id);
    let columns = fields.iter().enumerate().map(|(place, field)| {
        let of_part = |(part, ids): &(Estimate, Vec<ColumnId>)| {
            let column = ids.get(place).map(|id| part.column(*id));
            (part.rows, column.unwrap_or_else(|| ColumnEstimate::unknown(part.rows)))
        };
        (field.id, combined(parts.iter().map(of_part), first))
    });
    Estimate { rows, columns: columns.collect() }
}

/// Combines the estimates of one column in several inputs, each with its number of rows.
fn combined(parts: impl Iterator<Item = (f64, ColumnEstimate)>, first: Option<ColumnId>) -> ColumnEstimate {
    let (mut all, mut rows, mut nulls, mut table_rows) = (None::<ColumnEstimate>, 0.0, 0.0, Some(0.0));
    for (part_rows, part) in parts {
        rows += part_rows;
        nulls += part_rows * part.null_part;
        table_rows = table_rows.zip(part.origin).map(|(before, (_, own))| before + own);
        all = Some(match all {
            None => part,
            Some(before) => ColumnEstimate {
                domain: before.domain.max(part.domain),
                distinct: before.distinct.max(part.distinct),
                is_known: before.is_known && part.is_known,
                is_bound: before.is_bound || part.is_bound,
                range: hull(before.range, part.range),
                domain_range: hull(before.domain_range, part.domain_range),
                ..before
            },
        });
    }
    let origin = first.zip(table_rows);
    let null_part = nulls / rows.max(1.0);
    all.map_or_else(|| ColumnEstimate::of(1.0), |all| ColumnEstimate { null_part, origin, ..all })
}

fn hull(one: Option<(f64, f64)>, other: Option<(f64, f64)>) -> Option<(f64, f64)> {
    let ((low, high), (other_low, other_high)) = one.zip(other)?;
    Some((low.min(other_low), high.max(other_high)))
}
