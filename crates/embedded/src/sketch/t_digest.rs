//! t-digest in the format of Trino's `tdigest_agg`: centroids of neighboring values, small ones at both ends.

use super::bytes::Bytes;
use super::{Result, fault};

/// The approximate number of centroids.
const COMPRESSION: f64 = 100.0;

/// The factor of the compression while values are added, relative to the stored digest.
const INTERNAL: f64 = 2.0;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Centroid {
    mean: f64,
    weight: f64,
}

/// A digest of doubles.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TDigest {
    min: f64,
    max: f64,
    compression: f64,
    weight: f64,
    centroids: Vec<Centroid>,
    /// Maximum number of centroids before they are merged.
    room: usize,
    /// Whether the next merge runs from the greatest to the least centroid.
    is_backwards: bool,
}

impl TDigest {
    /// An empty digest.
    pub(crate) const fn new() -> Self {
        Self {
            min: f64::INFINITY,
            max: f64::NEG_INFINITY,
            compression: COMPRESSION,
            weight: 0.0,
            centroids: Vec::new(),
            room: 1,
            is_backwards: false,
        }
    }

    /// The upper limit of `room`.
    fn most_room(&self) -> usize {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small number")]
        let most = (6.0 * (INTERNAL * self.compression + 10.0)) as usize;
        most
    }

    /// Adds a value with a weight of at least 1.
    pub(crate) fn add(&mut self, value: f64, weight: f64) -> Result<()> {
        if !value.is_finite() {
            return fault(if value.is_nan() { "value is NaN" } else { "value must be finite" });
        }
        if self.centroids.len() == self.room {
            if self.room < self.most_room() {
                self.room = (self.room * 2).clamp(1, self.most_room());
            } else {
                self.shrink(INTERNAL * self.compression);
            }
        }
        self.centroids.push(Centroid { mean: value, weight });
        self.weight += weight;
        self.min = self.min.min(value);
        self.max = self.max.max(value);
        Ok(())
    }

    /// Adds the values of another digest.
    pub(crate) fn merge(&mut self, mut other: Self) {
        if self.centroids.len() + other.centroids.len() > self.room {
            self.shrink(INTERNAL * self.compression);
            other.shrink(INTERNAL * other.compression);
            self.room = self.room.max(self.centroids.len() + other.centroids.len());
        }
        self.centroids.extend(other.centroids);
        self.weight += other.weight;
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
    }

    /// Merges neighboring centroids whose combined weight is within the limit at their position.
    fn shrink(&mut self, compression: f64) {
        self.centroids.sort_by(|left, right| left.mean.total_cmp(&right.mean));
        if self.is_backwards {
            self.centroids.reverse();
        }
        let total = self.weight;
        let normalizer = compression / (4.0 * (total / compression).ln() + 24.0);
        let most = |fraction: f64| fraction * (1.0 - fraction) / normalizer;
        let mut merged: Vec<Centroid> = Vec::new();
        let (mut before, mut most_here) = (0.0, most(0.0));
        for next in &self.centroids {
            let Some(last) = merged.last_mut() else {
                merged.push(*next);
                continue;
            };
            let both = last.weight + next.weight;
            let fraction = ((before + both) / total).min(1.0);
            if both <= total * most_here.min(most(fraction)) {
                last.mean += (next.mean - last.mean) * next.weight / both;
                last.weight = both;
            } else {
                before += last.weight;
                most_here = most(before / total);
                merged.push(*next);
            }
        }
        if self.is_backwards {
            merged.reverse();
        }
        self.is_backwards = !self.is_backwards;
        self.centroids = merged;
    }

    /// The value at a fraction of the weight, from 0 to 1; NaN for an empty digest.
    pub(crate) fn quantile(&self, fraction: f64) -> Result<f64> {
        if !(0.0..=1.0).contains(&fraction) && !fraction.is_nan() {
            return fault("quantiles should be in [0, 1] range");
        }
        let (Some(first), Some(last)) = (self.centroids.first(), self.centroids.last()) else {
            return Ok(f64::NAN);
        };
        if self.centroids.len() == 1 {
            return Ok(first.mean);
        }
        let (place, total) = (fraction * self.weight, self.weight);
        let of_end =
            || self.max + interpolated(total - place, (1.0, self.max), (last.weight / 2.0, last.mean));
        if place < 1.0 {
            return Ok(self.min);
        }
        if place < first.weight / 2.0 {
            return Ok(self.min + interpolated(place, (1.0, self.min), (first.weight / 2.0, first.mean)));
        }
        if place <= total - 1.0 && total - place <= last.weight / 2.0 && last.weight / 2.0 > 1.0 {
            return Ok(of_end());
        }
        if place >= total - 1.0 {
            return Ok(self.max);
        }
        let mut center = first.weight / 2.0;
        for pair in self.centroids.windows(2) {
            let (left, right) = (pair[0], pair[1]);
            let distance = (left.weight + right.weight) / 2.0;
            if center + distance <= place {
                center += distance;
                continue;
            }
            return Ok(between(left, right, place - center, distance));
        }
        Ok(if place <= total - 1.0 && last.weight / 2.0 > 1.0 { of_end() } else { self.max })
    }

    /// The digest in Trino's format.
    pub(crate) fn serialized(&mut self) -> Vec<u8> {
        self.shrink(self.compression);
        let mut bytes = vec![0];
        for number in [self.min, self.max, self.compression, self.weight] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(u32::try_from(self.centroids.len()).unwrap_or(u32::MAX).to_le_bytes());
        bytes.extend(self.centroids.iter().flat_map(|centroid| centroid.mean.to_le_bytes()));
        bytes.extend(self.centroids.iter().flat_map(|centroid| centroid.weight.to_le_bytes()));
        bytes
    }

    /// Parses a digest in Trino's format.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut bytes = Bytes::new(bytes, "tdigest");
        let format = bytes.byte()?;
        let (min, max) = (bytes.double()?, bytes.double()?);
        let (compression, weight) = (bytes.double()?, bytes.double()?);
        let count = bytes.count(2 * size_of::<f64>())?;
        let means: Vec<f64> = (0..count).map(|_| bytes.double()).collect::<Result<_>>()?;
        let weights: Vec<f64> = (0..count).map(|_| bytes.double()).collect::<Result<_>>()?;
        bytes.end()?;
        let is_known = format == 0
            && (10.0..=1_000_000.0).contains(&compression)
            && weight.is_finite()
            && means.iter().all(|mean| mean.is_finite())
            && weights.iter().all(|weight| weight.is_finite() && *weight > 0.0);
        if !is_known {
            return Err(bytes.fault());
        }
        let centroids = means.into_iter().zip(weights).map(|(mean, weight)| Centroid { mean, weight });
        let centroids = centroids.collect();
        Ok(Self { min, max, compression, weight, centroids, room: count, is_backwards: false })
    }
}

/// The value at a distance after a centroid. A centroid of weight 1 is a single value and is not interpolated.
fn between(left: Centroid, right: Centroid, offset: f64, distance: f64) -> f64 {
    #[expect(clippy::float_cmp, reason = "as Trino asks whether it is one value")]
    let (is_left_one, is_right_one) = (left.weight == 1.0, right.weight == 1.0);
    if is_left_one && offset < left.weight / 2.0 {
        return left.mean;
    }
    if is_right_one && offset >= left.weight / 2.0 {
        return right.mean;
    }
    let (offset, distance) = if is_left_one {
        (offset - left.weight / 2.0, right.weight / 2.0)
    } else if is_right_one {
        (offset, left.weight / 2.0)
    } else {
        (offset, distance)
    };
    left.mean + interpolated(offset, (0.0, left.mean), (distance, right.mean))
}

/// The increase of the line between two points, from the first one to a position.
fn interpolated(place: f64, (x0, y0): (f64, f64), (x1, y1): (f64, f64)) -> f64 {
    (place - x0) / (x1 - x0) * (y1 - y0)
}
