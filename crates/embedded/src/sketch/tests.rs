//! Sketches compared with Trino's bytes; the answers of whole statements are in
//! `tests/data/trino_answers/sketches.jsonl`.

use super::*;

fn set_of(numbers: std::ops::Range<i64>) -> HyperLogLog {
    let mut set = HyperLogLog::new();
    for number in numbers {
        set.add(&number.to_le_bytes());
    }
    set
}

fn digest_of(numbers: impl IntoIterator<Item = i64>) -> QuantileDigest {
    let mut digest = QuantileDigest::new(0.01);
    for number in numbers {
        digest.add(number, 1.0);
    }
    digest
}

/// Sets that are sparse, dense, and dense without empty buckets.
#[test]
fn sketches_round_trip() {
    for most in [0, 1, 500, 511, 512, 600, 20_000, 100_000] {
        let set = set_of(0..most);
        assert_eq!(HyperLogLog::from_bytes(&set.serialized()), Ok(set.clone()), "{most}");
        let found = set.cardinality().expect("a set of this project's size");
        assert!((found - most).abs() * 20 <= most, "{found} of {most}");
    }
}

#[test]
fn merged_sets_equal_the_set_of_all_values() {
    for (most, is_sparse) in [(400, true), (516, true), (517, false), (3000, false), (50_000, false)] {
        let (mut left, right) = (set_of(0..most / 2), set_of(most / 3..most));
        left.merge(right).expect("sets of one size");
        assert_eq!(left.serialized()[0] == 2, is_sparse, "{most}");
        if !is_sparse && most > 520 {
            assert_eq!(left, set_of(0..most), "{most}");
        }
    }
}

#[test]
fn quantile_errors_are_within_the_accuracy() {
    let count = 50_000_i64;
    // The order has no runs.
    let mut digest = digest_of((0..count).map(|number| number * 7919 % count));
    // A leaf that once had children loses a level in the stored format, as in Trino.
    let mut read = QuantileDigest::from_bytes(&digest.serialized()).expect("a digest");
    assert_eq!(read.serialized().len(), digest.serialized().len());
    let mut halves = digest_of(0..count / 2);
    halves.merge(&digest_of(count / 2..count));
    for percent in 0..=100 {
        let wanted = count * percent / 100;
        for digest in [&digest, &halves] {
            #[expect(clippy::cast_precision_loss, reason = "a percentage")]
            let found = digest.quantile(percent as f64 / 100.0).expect("a fraction");
            assert!((found - wanted).abs() <= count / 50, "{found} for {wanted}");
        }
    }
    assert!(digest.quantile(1.5).is_err() && digest.quantile(f64::NAN).is_err());
}

#[test]
fn t_digests_are_small_and_accurate() {
    let mut digest = TDigest::new();
    let mut other = TDigest::new();
    for number in 0..100_000_u32 {
        let to = if number % 3 == 0 { &mut other } else { &mut digest };
        to.add(f64::from(number), 1.0).expect("a number");
    }
    digest.merge(other);
    let bytes = digest.serialized();
    assert!(bytes.len() < 4096, "{}", bytes.len());
    let read = TDigest::from_bytes(&bytes).expect("a digest");
    for percent in 0..=100_u32 {
        let found = read.quantile(f64::from(percent) / 100.0).expect("a fraction");
        assert!((found - f64::from(percent) * 1000.0).abs() < 1000.0, "{found} for {percent} %");
    }
    assert!(digest.add(f64::NAN, 1.0).is_err() && digest.add(f64::INFINITY, 1.0).is_err());
}

/// Truncated, extended or changed bytes are refused or parsed, without panics.
#[test]
fn damaged_bytes_are_refused() {
    let mut t_digest = TDigest::new();
    for number in 0..300_u32 {
        t_digest.add(f64::from(number), 2.0).expect("a number");
    }
    let mut digest = digest_of((0..600).map(|number| number * 7919 % 601));
    let full = set_of(0..9000);
    for bytes in [set_of(0..100).serialized(), full.serialized(), digest.serialized(), t_digest.serialized()]
    {
        for length in 0..bytes.len() {
            let cut = &bytes[..length];
            assert!(HyperLogLog::from_bytes(cut).is_err(), "{length}");
            assert!(QuantileDigest::from_bytes(cut).is_err(), "{length}");
            assert!(TDigest::from_bytes(cut).is_err(), "{length}");
        }
        for place in 0..bytes.len() {
            for change in [1, 0x10, 0x80, 0xff] {
                let mut changed = bytes.clone();
                changed[place] ^= change;
                if let Ok(set) = HyperLogLog::from_bytes(&changed) {
                    let _ = set.cardinality();
                    let _ = full.clone().merge(set);
                }
                if let Ok(mut digest) = QuantileDigest::from_bytes(&changed) {
                    let _ = (digest.quantile(0.5), digest.fraction_before(7));
                    digest_of(0..10).merge(&digest);
                    digest.serialized();
                }
                if let Ok(mut digest) = TDigest::from_bytes(&changed) {
                    let _ = digest.quantile(0.5);
                    digest.serialized();
                }
            }
        }
    }
}
