//! Combines several tests of one column: `>=` and `<` are a range. A value passes the combined test exactly if it
//! passes both.

use std::cmp::Ordering;

use super::predicate::{Test, TextEnd, TextRange};

/// Maximum number of pairs of text ranges; beyond it, two lists stay two tests.
const MAX_TEXT_PAIRS: usize = 4096;

impl Test {
    /// Replaces this test by its intersection with another of the same column. False, without a change, if there is no
    /// such test.
    pub(super) fn intersect(&mut self, other: &Self) -> bool {
        match (&mut *self, other) {
            (Self::Narrow(own), Self::Narrow(other)) => *own = common(own, other),
            (Self::Wide(own), Self::Wide(other)) => *own = common(own, other),
            (Self::Text(own), Self::Text(other)) if own.len() * other.len() <= MAX_TEXT_PAIRS => {
                let pairs = own.iter().flat_map(|own| other.iter().map(move |other| (own, other)));
                *own = pairs.filter_map(|(own, other)| common_text(own, other)).collect();
            }
            // A value that passes is not NULL.
            (Self::Narrow(_) | Self::Wide(_) | Self::Text(_) | Self::Like(_), Self::IsNull(false)) => {}
            (Self::IsNull(false), Self::Narrow(_) | Self::Wide(_) | Self::Text(_) | Self::Like(_)) => {
                *self = other.clone();
            }
            _ => return false,
        }
        true
    }
}

/// The intersection of two lists of disjoint ascending ranges, in the same form.
fn common<K: Copy + Ord>(left: &[(K, K)], right: &[(K, K)]) -> Vec<(K, K)> {
    let (mut left, mut right) = (left.iter().peekable(), right.iter().peekable());
    let mut common = Vec::new();
    while let (Some(&&(low, high)), Some(&&(other_low, other_high))) = (left.peek(), right.peek()) {
        let (low, end) = (low.max(other_low), high.min(other_high));
        if low <= end {
            common.push((low, end));
        }
        // The range that ends first intersects no further ones.
        if high <= other_high {
            left.next()
        } else {
            right.next()
        };
    }
    common
}

fn common_text(left: &TextRange, right: &TextRange) -> Option<TextRange> {
    let low = if compare_low(&left.low, &right.low).is_ge() { &left.low } else { &right.low };
    let high = if compare_high(&left.high, &right.high).is_le() { &left.high } else { &right.high };
    let is_empty = match (low, high) {
        (TextEnd::Open, _) | (_, TextEnd::Open) => false,
        (TextEnd::Included(low), TextEnd::Included(high)) => low > high,
        (
            TextEnd::Included(low) | TextEnd::Excluded(low),
            TextEnd::Included(high) | TextEnd::Excluded(high),
        ) => low >= high,
    };
    (!is_empty).then(|| TextRange { low: low.clone(), high: high.clone() })
}

/// Which lower bound is more selective: the greater one.
fn compare_low(left: &TextEnd, right: &TextEnd) -> Ordering {
    match (left, right) {
        (TextEnd::Open, TextEnd::Open) => Ordering::Equal,
        (TextEnd::Open, _) => Ordering::Less,
        (_, TextEnd::Open) => Ordering::Greater,
        (
            TextEnd::Included(left_text) | TextEnd::Excluded(left_text),
            TextEnd::Included(right_text) | TextEnd::Excluded(right_text),
        ) => left_text.cmp(right_text).then_with(|| is_excluded(left).cmp(&is_excluded(right))),
    }
}

/// Which upper bound is more selective: the lesser one.
fn compare_high(left: &TextEnd, right: &TextEnd) -> Ordering {
    match (left, right) {
        (TextEnd::Open, TextEnd::Open) => Ordering::Equal,
        (TextEnd::Open, _) => Ordering::Greater,
        (_, TextEnd::Open) => Ordering::Less,
        (
            TextEnd::Included(left_text) | TextEnd::Excluded(left_text),
            TextEnd::Included(right_text) | TextEnd::Excluded(right_text),
        ) => left_text.cmp(right_text).then_with(|| is_excluded(right).cmp(&is_excluded(left))),
    }
}

fn is_excluded(end: &TextEnd) -> bool {
    matches!(end, TextEnd::Excluded(_))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Disjoint ascending ranges between 0 and 40.
    fn ranges() -> impl Strategy<Value = Vec<(i64, i64)>> {
        prop::collection::btree_set(0_i64..40, 0..8).prop_map(|ends| {
            let ends: Vec<i64> = ends.into_iter().collect();
            ends.chunks_exact(2).map(|ends| (ends[0], ends[1])).collect()
        })
    }

    fn end() -> impl Strategy<Value = TextEnd> {
        let text = || "[ab]{0,2}".prop_map(String::into_bytes);
        prop_oneof![
            Just(TextEnd::Open),
            text().prop_map(TextEnd::Included),
            text().prop_map(TextEnd::Excluded)
        ]
    }

    proptest! {
        #[test]
        fn the_intersection_of_tests_accepts_what_both_accept(left in ranges(), right in ranges(), key in 0_i64..40) {
            let mut test = Test::Narrow(left.clone());
            prop_assert!(test.intersect(&Test::Narrow(right.clone())));
            let Test::Narrow(both) = test else { panic!("still narrow") };
            prop_assert!(both.is_sorted_by(|(_, high), (low, _)| high < low));
            let expected = Test::has_narrow(&left, key) && Test::has_narrow(&right, key);
            prop_assert_eq!(Test::has_narrow(&both, key), expected);
        }

        #[test]
        fn the_intersection_of_text_ranges_accepts_what_both_accept(
            low in end(), high in end(), other_low in end(), other_high in end(), text in "[ab]{0,3}",
        ) {
            let (left, right) = (TextRange { low, high }, TextRange { low: other_low, high: other_high });
            let mut test = Test::Text(vec![left.clone()]);
            prop_assert!(test.intersect(&Test::Text(vec![right.clone()])));
            let Test::Text(both) = test else { panic!("still text") };
            let expected = left.contains(text.as_bytes()) && right.contains(text.as_bytes());
            prop_assert_eq!(Test::has_text(&both, text.as_bytes()), expected);
        }
    }
}
