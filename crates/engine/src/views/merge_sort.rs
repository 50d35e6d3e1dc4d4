//! A merge sort that can pause between any two comparisons: sorting a million rows takes seconds if each comparison
//! reads two texts, and no read may occupy a thread that long.

use std::cmp::Ordering;

use rowhouse_rows::{Budget, Progress};

/// Values sorted in one call.
const RUN: usize = 32;
/// Cost of a comparison and a move, in steps, without the cost that the comparison counts itself.
const STEPS: u64 = 4;

/// Values being sorted, no two of which are equal.
#[derive(Debug)]
pub(super) struct MergeSort<T> {
    values: Vec<T>,
    /// The output of the present merge, in runs of the next width.
    merged: Vec<T>,
    /// Length of the sorted runs in `values`; the first runs are still being sorted while it is [`RUN`] and `start` is
    /// not at the end.
    width: usize,
    /// Where the two runs being merged begin in `values`, and the next positions in both.
    start: usize,
    left: usize,
    right: usize,
    are_runs_made: bool,
}

impl<T: Copy> MergeSort<T> {
    pub(super) fn new(values: Vec<T>) -> Self {
        Self { values, merged: Vec::new(), width: RUN, start: 0, left: 0, right: 0, are_runs_made: false }
    }

    /// Continues until the budget is spent. `compare` counts its cost beyond a few steps.
    pub(super) fn advance(
        &mut self,
        budget: &mut Budget,
        mut compare: impl FnMut(&T, &T, &mut Budget) -> Ordering,
    ) -> Progress<()> {
        while !self.are_runs_made {
            let end = self.values.len().min(self.start + RUN);
            let run = &mut self.values[self.start..end];
            budget.spend(run.len() as u64 * STEPS * u64::from(RUN.ilog2()));
            run.sort_unstable_by(|left, right| compare(left, right, budget));
            self.start = end;
            self.are_runs_made = end == self.values.len();
            if budget.is_spent() && !self.are_runs_made {
                return Progress::Paused;
            }
        }
        while self.width < self.values.len() {
            if self.merged.is_empty() {
                self.merged.reserve_exact(self.values.len());
                self.begin_pair(0);
            }
            while self.merged.len() < self.values.len() {
                self.merge_pair(budget, &mut compare);
                if budget.is_spent() {
                    return Progress::Paused;
                }
            }
            std::mem::swap(&mut self.values, &mut self.merged);
            self.merged.clear();
            self.width *= 2;
        }
        Progress::Done(())
    }

    /// The sorted values, when it is done.
    pub(super) fn into_values(self) -> Vec<T> {
        self.values
    }

    fn begin_pair(&mut self, start: usize) {
        (self.start, self.left) = (start, start);
        self.right = self.values.len().min(start + self.width);
    }

    /// Merges two neighbouring runs, or as much of them as the budget permits.
    fn merge_pair(&mut self, budget: &mut Budget, compare: &mut impl FnMut(&T, &T, &mut Budget) -> Ordering) {
        let middle = self.values.len().min(self.start + self.width);
        let end = self.values.len().min(middle + self.width);
        while self.left < middle && self.right < end {
            let (left, right) = (self.values[self.left], self.values[self.right]);
            budget.spend(STEPS);
            if compare(&left, &right, budget).is_le() {
                self.merged.push(left);
                self.left += 1;
            } else {
                self.merged.push(right);
                self.right += 1;
            }
            if budget.is_spent() {
                return;
            }
        }
        self.merged.extend_from_slice(&self.values[self.left..middle]);
        self.merged.extend_from_slice(&self.values[self.right..end]);
        self.begin_pair(end);
    }
}

/// Merges another sorted list into a sorted list, from the end and in place, value by value.
#[derive(Debug)]
pub(super) struct MergeInto<T> {
    /// The rest of the other list.
    other: Vec<T>,
    /// Number of values of the list that were not moved yet.
    left: usize,
}

impl<T: Copy> MergeInto<T> {
    /// Makes room in the list; its values are unordered until the work is done.
    pub(super) fn new(list: &mut Vec<T>, other: Vec<T>) -> Self {
        let left = list.len();
        list.reserve_exact(other.len());
        // These values are overwritten.
        list.extend_from_slice(&other);
        Self { other, left }
    }

    /// Continues until the budget is spent.
    pub(super) fn advance(
        &mut self,
        list: &mut [T],
        budget: &mut Budget,
        mut compare: impl FnMut(&T, &T, &mut Budget) -> Ordering,
    ) -> Progress<()> {
        while let Some(last) = self.other.last() {
            let place = self.left + self.other.len() - 1;
            budget.spend(STEPS);
            match self.left.checked_sub(1).map(|left| list[left]) {
                Some(left) if compare(&left, last, budget).is_gt() => {
                    list[place] = left;
                    self.left -= 1;
                }
                _ => {
                    list[place] = *last;
                    self.other.pop();
                }
            }
            if budget.is_spent() && !self.other.is_empty() {
                return Progress::Paused;
            }
        }
        Progress::Done(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn compare(left: &u32, right: &u32, budget: &mut Budget) -> Ordering {
        budget.spend(1);
        left.cmp(right)
    }

    proptest! {
        #[test]
        fn sorting_in_turns_equals_sorting_at_once(
            mut values: Vec<u32>, other: Vec<u32>, seed: u64, steps in 1_u64..2000,
        ) {
            // Longer than a run, with repeated values.
            let more = (0..seed % 3000).map(|place| (seed.wrapping_mul(place | 1) >> 50) as u32);
            values.extend(more);
            let mut expected = values.clone();
            expected.sort_unstable();
            let mut sort = MergeSort::new(values);
            let mut turns = 0_u64;
            while sort.advance(&mut Budget::new(steps), compare) == Progress::Paused {
                turns += 1;
            }
            let mut sorted = sort.into_values();
            prop_assert_eq!(&sorted, &expected);
            // Each turn but the last one has spent its budget.
            let count = expected.len() as u64;
            let most = 8 * count * u64::from((count + 1).ilog2() + 6) + 16;
            prop_assert!(turns * steps <= most, "{} turns of {} steps for {} values", turns, steps, count);

            let mut other = other;
            other.sort_unstable();
            expected.extend(&other);
            expected.sort_unstable();
            let mut merge = MergeInto::new(&mut sorted, other);
            while merge.advance(&mut sorted, &mut Budget::new(steps), compare) == Progress::Paused {}
            prop_assert_eq!(sorted, expected);
        }
    }
}
