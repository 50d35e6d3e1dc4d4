//! `numeric_histogram`: neighboring buckets are merged, the closest first, until the wanted number is left.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use polars::prelude::PolarsResult;

use super::super::invalid;
use super::known;
use crate::datum::Datum;

/// Number of values that are collected before buckets are merged.
const BUFFER: usize = 100;

/// Maximum number of buckets of a histogram.
const MOST_BUCKETS: i64 = 1_000_000;

#[derive(Clone, Copy, Debug)]
struct Bucket {
    value: f64,
    weight: f64,
}

/// The buckets of rows, which have the number of buckets, a value and, unless all weights are 1, a weight. The first
/// row's number of buckets counts.
pub(super) fn numeric(rows: &[Datum<'_>], is_real: bool) -> PolarsResult<Datum<'static>> {
    let arguments: Vec<usize> = (0..rows.first().map_or(0, |row| row.elements().len())).collect();
    let rows = known(rows, &arguments);
    let Some(first) = rows.first() else { return Ok(Datum::Null) };
    let wanted = first[0].integer();
    if wanted < 2 {
        return Err(invalid("numeric_histogram bucket count must be greater than one"));
    }
    if wanted > MOST_BUCKETS {
        return Err(invalid(format!("numeric_histogram takes at most {MOST_BUCKETS} buckets")));
    }
    let wanted = usize::try_from(wanted).unwrap_or(usize::MAX);
    let mut buckets: Vec<Bucket> = Vec::new();
    for row in rows {
        if buckets.len() == wanted + BUFFER {
            buckets = compact(buckets, wanted);
        }
        buckets.push(Bucket { value: row[1].double(), weight: row.get(2).map_or(1.0, Datum::double) });
    }
    #[expect(clippy::cast_possible_truncation, reason = "values of the type real have 32 bits")]
    let narrowed = |number: f64| Datum::Double(if is_real { f64::from(number as f32) } else { number });
    let entry = |bucket: &Bucket| Datum::Row(vec![narrowed(bucket.value), narrowed(bucket.weight)]);
    Ok(Datum::Array(compact(buckets, wanted).iter().map(entry).collect()))
}

/// Merges the buckets until at most `wanted` are left, in the order of their values.
fn compact(mut buckets: Vec<Bucket>, wanted: usize) -> Vec<Bucket> {
    buckets.sort_by(|left, right| java_order(left.value, right.value));
    let mut merged: Vec<Bucket> = Vec::with_capacity(buckets.len());
    for bucket in buckets {
        match merged.last_mut() {
            #[expect(clippy::float_cmp, reason = "values are the same or are not")]
            Some(last) if last.value == bucket.value => last.weight += bucket.weight,
            _ => merged.push(bucket),
        }
    }
    if merged.len() > wanted { merge_nearest(&merged, wanted) } else { merged }
}

/// The order of Java's `Double.compare`: −0 is below 0, NaN above all.
fn java_order(left: f64, right: f64) -> Ordering {
    match (left.is_nan(), right.is_nan()) {
        (false, false) => left.total_cmp(&right),
        (left, right) => left.cmp(&right),
    }
}

/// A bucket and the loss of merging it with the next one. The greatest element of the heap is merged first.
#[derive(Debug)]
struct Candidate {
    penalty: f64,
    place: usize,
    /// The number of changes of the bucket; candidates of earlier versions are obsolete.
    version: usize,
}

impl Candidate {
    fn key(&self, other: &Self) -> Ordering {
        java_order(self.penalty, other.penalty).then(self.place.cmp(&other.place))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.key(other).is_eq()
    }
}

impl Eq for Candidate {}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key(other).reverse()
    }
}

fn penalty(left: Bucket, right: Bucket) -> f64 {
    let weight = left.weight + right.weight;
    let distance = left.value - right.value;
    let shares = (left.weight * right.weight) / (weight * weight);
    weight * (distance * distance) * shares
}

fn merge_nearest(buckets: &[Bucket], wanted: usize) -> Vec<Bucket> {
    let count = buckets.len();
    let mut slots: Vec<Option<Bucket>> = buckets.iter().copied().map(Some).collect();
    let mut versions = vec![0; count];
    let mut next: Vec<usize> = (1..=count).collect();
    let mut previous: Vec<Option<usize>> = (0..count).map(|place| place.checked_sub(1)).collect();
    let mut heap: BinaryHeap<Candidate> = buckets
        .windows(2)
        .enumerate()
        .map(|(place, pair)| Candidate { penalty: penalty(pair[0], pair[1]), place, version: 0 })
        .collect();
    let mut left_over = count;
    while left_over > wanted {
        let Some(candidate) = heap.pop() else { break };
        let place = candidate.place;
        if versions[place] != candidate.version {
            continue;
        }
        let right = next[place];
        let (Some(this), Some(that)) = (slots[place], slots.get(right).copied().flatten()) else { continue };
        let weight = this.weight + that.weight;
        let value = (this.value * this.weight + that.value * that.weight) / weight;
        let merged = Bucket { value, weight };
        (slots[place], slots[right]) = (Some(merged), None);
        versions[right] += 1;
        next[place] = next[right];
        if let Some(after) = previous.get_mut(next[place]) {
            *after = Some(place);
        }
        left_over -= 1;
        let changed = [previous[place], Some(place)];
        for place in changed.into_iter().flatten() {
            versions[place] += 1;
            let right = slots.get(next[place]).copied().flatten();
            if let (Some(this), Some(right)) = (slots[place], right) {
                let (penalty, version) = (penalty(this, right), versions[place]);
                heap.push(Candidate { penalty, place, version });
            }
        }
    }
    slots.into_iter().flatten().collect()
}
