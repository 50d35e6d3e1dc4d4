//! Compares the matcher with a matcher that tries one way after another, the most preferred first.

use std::collections::HashSet;

use polars::prelude::PolarsResult;
use proptest::prelude::*;

use super::{Candidate, ConditionEvaluator, Match, Matcher, NONE, Program, Slot, Slots};
use rowhouse_sql::plan::RowPattern;

const LABELS: usize = 3;
const ROWS: usize = 6;

/// The condition of a label.
#[derive(Clone, Debug)]
enum Condition {
    /// Depends on the row.
    Rows(Vec<bool>),
    /// Depends on the n-th last row with some labels.
    Last(Vec<usize>, usize),
    /// Depends on the n-th row with some labels.
    First(Vec<usize>, u32),
    /// Depends on the label of the n-th last row.
    LastLabel(usize),
    /// Depends on the label of the n-th row with some labels.
    FirstLabel(Vec<usize>, u32),
    /// Depends on all rows with some labels.
    All(Vec<usize>),
}

/// An arbitrary function of all numbers.
fn is_accepted(numbers: &[usize]) -> bool {
    numbers.iter().fold(7_usize, |sum, number| sum * 31 + number) % 3 != 0
}

fn takes(labels: &[usize], label: usize) -> bool {
    labels.is_empty() || labels.contains(&label)
}

impl Condition {
    /// Whether the condition holds for the last row, given the labels of all rows.
    fn holds(&self, labels: &[usize]) -> bool {
        let row = labels.len() - 1;
        let with = |wanted: &[usize]| {
            let rows = labels.iter().enumerate().filter(|(_, label)| takes(wanted, **label));
            rows.map(|(row, _)| row).collect::<Vec<_>>()
        };
        match self {
            Self::Rows(rows) => rows[row],
            Self::Last(wanted, offset) => {
                let found = with(wanted).iter().rev().nth(*offset).copied();
                found.is_none_or(|found| is_accepted(&[row, found]))
            }
            Self::First(wanted, nth) => {
                let found = with(wanted).get(*nth as usize).copied();
                found.is_none_or(|found| is_accepted(&[row, found]))
            }
            Self::LastLabel(offset) => {
                let found = labels.iter().rev().nth(*offset).copied();
                found.is_none_or(|label| is_accepted(&[row, label]))
            }
            Self::FirstLabel(wanted, nth) => {
                let found = with(wanted).get(*nth as usize).map(|row| labels[*row]);
                found.is_none_or(|label| is_accepted(&[row, label]))
            }
            Self::All(wanted) => {
                let found = with(wanted);
                let numbers: Vec<usize> = found.iter().flat_map(|row| [*row, labels[*row]]).collect();
                is_accepted(&numbers)
            }
        }
    }

    fn slot(&self) -> Option<Slot> {
        Some(match self.clone() {
            Self::Rows(_) => return None,
            Self::Last(labels, offset) => Slot::LastRows { labels, depth: offset + 1 },
            Self::First(labels, nth) => Slot::FirstRow { labels, nth },
            Self::LastLabel(offset) => Slot::LastLabels { labels: Vec::new(), depth: offset + 1 },
            Self::FirstLabel(labels, nth) => Slot::FirstLabel { labels, nth },
            Self::All(labels) => Slot::Chain { labels, with_labels: true },
        })
    }
}

struct Conditions<'c> {
    conditions: &'c [Condition],
    slots: &'c Slots,
    places: Vec<usize>,
    evaluated: usize,
}

impl ConditionEvaluator for Conditions<'_> {
    type Memory = ();

    fn holds(&mut self, candidate: &mut Candidate<'_, ()>) -> PolarsResult<bool> {
        self.evaluated += 1;
        let values = |label: usize| self.slots.values(candidate.state, self.places[label]);
        let known = |value: u32| (value != NONE).then_some(value as usize);
        let label = candidate.label;
        let accepted = |found: Option<usize>| found.is_none_or(|found| is_accepted(&[candidate.row, found]));
        Ok(match &self.conditions[label] {
            Condition::Rows(rows) => rows[candidate.row],
            Condition::Last(_, offset) | Condition::LastLabel(offset) => {
                accepted(known(values(label)[*offset]))
            }
            Condition::First(..) | Condition::FirstLabel(..) => accepted(known(values(label)[1])),
            Condition::All(_) => {
                let mut numbers: Vec<usize> = candidate
                    .chains
                    .back(values(label)[0])
                    .flat_map(|(row, label, _)| [label as usize, row as usize])
                    .collect();
                numbers.reverse();
                is_accepted(&numbers)
            }
        })
    }
}

/// Tries all ways.
struct Reference<'r> {
    conditions: &'r [Condition],
    rows: usize,
    is_partition_start: bool,
}

type Way = (Vec<usize>, Vec<usize>);

impl Reference<'_> {
    /// The preferred way that continues `way` through the pattern and that `rest` accepts.
    fn go(&self, pattern: &RowPattern, way: Way, rest: &dyn Fn(Way) -> Option<Way>) -> Option<Way> {
        match pattern {
            RowPattern::Label(label) => {
                let (mut labels, ends) = way;
                if labels.len() == self.rows {
                    return None;
                }
                labels.push(*label);
                if self.conditions[*label].holds(&labels) { rest((labels, ends)) } else { None }
            }
            RowPattern::Empty => rest(way),
            RowPattern::PartitionStart if way.0.is_empty() && self.is_partition_start => rest(way),
            RowPattern::PartitionEnd if way.0.len() == self.rows => rest(way),
            RowPattern::PartitionStart | RowPattern::PartitionEnd => None,
            RowPattern::Exclusion(inner) => {
                let (labels, mut ends) = way;
                ends.push(labels.len());
                self.go(inner, (labels, ends), &|(labels, mut ends)| {
                    ends.push(labels.len());
                    rest((labels, ends))
                })
            }
            RowPattern::Alternation(parts) => parts.iter().find_map(|part| self.go(part, way.clone(), rest)),
            RowPattern::Concatenation(parts) => self.all(&parts.iter().collect::<Vec<_>>(), way, rest),
            // An alternation of all permutations.
            RowPattern::Permutation(parts) => orders(&parts.iter().collect::<Vec<_>>())
                .into_iter()
                .find_map(|order| self.all(&order, way.clone(), rest)),
            RowPattern::Quantified { pattern, at_least, at_most, is_greedy } => {
                self.times(pattern, (*at_least, *at_most), *is_greedy, false, way, rest)
            }
        }
    }

    fn all(&self, parts: &[&RowPattern], way: Way, rest: &dyn Fn(Way) -> Option<Way>) -> Option<Way> {
        match parts {
            [] => rest(way),
            [first, others @ ..] => self.go(first, way, &|way| self.all(others, way, rest)),
        }
    }

    /// `is_again` is whether an unlimited repetition has been decided on before: a further one without a row leads back
    /// to that decision, whose ways are tried already, as in Trino. A first one without a row leads behind the loop.
    fn times(
        &self,
        pattern: &RowPattern,
        (least, most): (u32, Option<u32>),
        is_greedy: bool,
        is_again: bool,
        way: Way,
        rest: &dyn Fn(Way) -> Option<Way>,
    ) -> Option<Way> {
        if most == Some(0) {
            return rest(way);
        }
        let fewer = (least.saturating_sub(1), most.map(|most| most - 1));
        let before = way.0.len();
        let is_decided = most.is_none() && least <= 1;
        let again = |way: Way| {
            self.go(pattern, way, &|way| match way.0.len() == before {
                true if is_decided && is_again => None,
                true if is_decided => rest(way),
                _ => self.times(pattern, fewer, is_greedy, is_decided, way, rest),
            })
        };
        if least > 0 {
            return again(way);
        }
        if is_greedy {
            again(way.clone()).or_else(|| rest(way))
        } else {
            rest(way.clone()).or_else(|| again(way))
        }
    }
}

fn orders<'p>(parts: &[&'p RowPattern]) -> Vec<Vec<&'p RowPattern>> {
    if parts.is_empty() {
        return vec![Vec::new()];
    }
    let mut found = Vec::new();
    for first in 0..parts.len() {
        let mut others = parts.to_vec();
        let part = others.remove(first);
        found.extend(orders(&others).into_iter().map(|order| [vec![part], order].concat()));
    }
    found
}

fn pattern() -> impl Strategy<Value = RowPattern> {
    let leaf = prop_oneof![
        8 => (0..LABELS).prop_map(RowPattern::Label),
        1 => Just(RowPattern::Empty),
        1 => Just(RowPattern::PartitionStart),
        1 => Just(RowPattern::PartitionEnd),
    ];
    leaf.prop_recursive(3, 10, 3, |inner| {
        let several = || prop::collection::vec(inner.clone(), 1..4);
        let bounds = prop_oneof![
            Just((0, None)),
            Just((1, None)),
            Just((2, None)),
            Just((0, Some(1))),
            Just((0, Some(2))),
            Just((1, Some(3))),
            Just((2, Some(2))),
        ];
        prop_oneof![
            several().prop_map(RowPattern::Concatenation),
            several().prop_map(RowPattern::Alternation),
            several().prop_map(RowPattern::Permutation),
            inner
                .clone()
                .prop_map(|inner| without_exclusions(&inner))
                .prop_map(|inner| { RowPattern::Exclusion(Box::new(inner)) }),
            (inner.clone(), bounds, any::<bool>()).prop_map(|(pattern, (at_least, at_most), is_greedy)| {
                RowPattern::Quantified { pattern: Box::new(pattern), at_least, at_most, is_greedy }
            }),
        ]
    })
}

fn without_exclusions(pattern: &RowPattern) -> RowPattern {
    let all = |parts: &[RowPattern]| parts.iter().map(without_exclusions).collect();
    match pattern {
        RowPattern::Exclusion(inner) => without_exclusions(inner),
        RowPattern::Alternation(parts) => RowPattern::Alternation(all(parts)),
        RowPattern::Concatenation(parts) => RowPattern::Concatenation(all(parts)),
        RowPattern::Permutation(parts) => RowPattern::Permutation(all(parts)),
        RowPattern::Quantified { pattern, at_least, at_most, is_greedy } => RowPattern::Quantified {
            pattern: Box::new(without_exclusions(pattern)),
            at_least: *at_least,
            at_most: *at_most,
            is_greedy: *is_greedy,
        },
        other => other.clone(),
    }
}

fn condition() -> impl Strategy<Value = Condition> {
    let labels = || prop::collection::vec(0..LABELS, 0..3);
    prop_oneof![
        4 => prop::collection::vec(prop::bool::weighted(0.7), ROWS).prop_map(Condition::Rows),
        1 => (labels(), 0_usize..3).prop_map(|(labels, offset)| Condition::Last(labels, offset)),
        1 => (labels(), 0_u32..3).prop_map(|(labels, nth)| Condition::First(labels, nth)),
        1 => (0_usize..3).prop_map(Condition::LastLabel),
        1 => (labels(), 0_u32..3).prop_map(|(labels, nth)| Condition::FirstLabel(labels, nth)),
        1 => labels().prop_map(Condition::All),
    ]
}

/// The match, and the number of conditions that were evaluated.
fn matched(
    pattern: &RowPattern,
    conditions: &[Condition],
    rows: usize,
    is_partition_start: bool,
) -> (Option<Match>, usize) {
    let mut slots = Slots::new(conditions.len());
    let mut places = Vec::new();
    for (label, condition) in conditions.iter().enumerate() {
        places.push(condition.slot().map_or(0, |slot| slots.add(slot, label)));
    }
    let program = Program::new(pattern, &slots);
    let mut evaluator = Conditions { conditions, slots: &slots, places, evaluated: 0 };
    let mut matcher = Matcher::new(&program, &slots);
    let found = matcher.run(rows, is_partition_start, &mut evaluator).expect("no condition fails");
    // Tables that are reused for the next match do not change it.
    let again = matcher.run(rows, is_partition_start, &mut evaluator).expect("no condition fails");
    assert_eq!(found, again);
    (found, evaluator.evaluated / 2)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn the_preferred_match_is_found(
        pattern in pattern(),
        conditions in prop::collection::vec(condition(), LABELS),
        rows in 1..=ROWS,
        is_partition_start in any::<bool>(),
    ) {
        let reference = Reference { conditions: &conditions, rows, is_partition_start };
        let expected = reference.go(&pattern, (Vec::new(), Vec::new()), &Some);
        let (found, _) = matched(&pattern, &conditions, rows, is_partition_start);
        let found = found.map(|found| {
            let labels: Vec<usize> = found.labels.iter().map(|label| *label as usize).collect();
            let excluded: Vec<(usize, usize)> =
                found.exclusions.into_iter().filter(|(first, end)| first < end).collect();
            (labels, excluded)
        });
        let expected = expected.map(|(labels, ends)| {
            let pairs = ends.chunks(2).map(|pair| (pair[0], pair[1]));
            (labels, pairs.filter(|(first, end)| first < end).collect::<Vec<_>>())
        });
        prop_assert_eq!(found, expected);
    }
}

/// Trino's answers for `((c | ()) | a)*`: after a row the empty alternative does not end the loop, before the first one
/// it does.
#[test]
fn an_empty_repetition_leads_behind_the_loop_only_before_its_first_row() {
    let either = RowPattern::Alternation(vec![RowPattern::Label(2), RowPattern::Empty]);
    let pattern = repeated(RowPattern::Alternation(vec![either, RowPattern::Label(0)]), 0, None);
    let labels = |c: [bool; 3]| {
        let conditions =
            [Condition::Rows(vec![true; 3]), Condition::Rows(vec![true; 3]), Condition::Rows(c.to_vec())];
        matched(&pattern, &conditions, 3, true).0.map(|found| found.labels)
    };
    assert_eq!(labels([true, true, false]), Some(vec![2, 2, 0]));
    assert_eq!(labels([true, false, true]), Some(vec![2, 0, 2]));
    assert_eq!(labels([false, true, true]), Some(vec![]));
}

fn repeated(pattern: RowPattern, at_least: u32, at_most: Option<u32>) -> RowPattern {
    RowPattern::Quantified { pattern: Box::new(pattern), at_least, at_most, is_greedy: true }
}

/// For `((a | a)* (a | a)*)* b` the number of ways doubles with every row, the number of threads does not.
#[test]
fn the_number_of_threads_is_not_exponential_in_the_rows() {
    let rows = 2_000;
    let either = || RowPattern::Alternation(vec![RowPattern::Label(0), RowPattern::Label(0)]);
    let inner = RowPattern::Concatenation(vec![repeated(either(), 0, None), repeated(either(), 0, None)]);
    let pattern = RowPattern::Concatenation(vec![repeated(inner, 0, None), RowPattern::Label(1)]);
    let conditions = [Condition::Rows(vec![true; rows]), Condition::Rows(vec![false; rows])];
    let (found, evaluated) = matched(&pattern, &conditions, rows, true);
    assert_eq!(found, None);
    assert!(evaluated < 10 * rows, "{evaluated} conditions");
}

/// Threads are distinguished only by facts that conditions refer to.
#[test]
fn threads_are_distinguished_only_by_facts_in_conditions() {
    let rows = 500;
    let either = RowPattern::Alternation(vec![RowPattern::Label(0), RowPattern::Label(1)]);
    let pattern = RowPattern::Concatenation(vec![repeated(either, 0, None), RowPattern::Label(2)]);
    let all = Condition::Rows(vec![true; rows]);
    let conditions = [all.clone(), all, Condition::Last(vec![0], 0)];
    let (found, evaluated) = matched(&pattern, &conditions, rows, true);
    assert!(found.is_some());
    assert!(evaluated < 4 * rows * rows, "{evaluated} conditions");
}

/// Rows have the second label only until the next row refuses it: each of them is a link that is unused afterwards.
struct Refusing {
    /// The addresses of the states of each row's candidates.
    states: Vec<HashSet<*const u32>>,
}

impl ConditionEvaluator for Refusing {
    type Memory = ();

    fn holds(&mut self, candidate: &mut Candidate<'_, ()>) -> PolarsResult<bool> {
        if self.states.len() <= candidate.row {
            self.states.resize(candidate.row + 1, HashSet::new());
        }
        self.states[candidate.row].insert(candidate.state.as_ptr());
        Ok(candidate.label != 1)
    }
}

/// Regression: links of threads that have ended are reused; a search had 50,000 links for the lists of one thread.
#[test]
fn lists_of_threads_that_ended_are_freed() {
    let rows = 50_000;
    let either = RowPattern::Alternation(vec![RowPattern::Label(1), RowPattern::Label(0)]);
    let pattern = RowPattern::Concatenation(vec![repeated(either, 0, None), RowPattern::Label(1)]);
    let mut slots = Slots::new(2);
    slots.add(Slot::Chain { labels: vec![1], with_labels: false }, 1);
    slots.add(Slot::Chain { labels: vec![0], with_labels: true }, 1);
    let program = Program::new(&pattern, &slots);
    let mut matcher = Matcher::new(&program, &slots);
    let found = matcher.run(rows, true, &mut Refusing { states: Vec::new() }).expect("no condition fails");
    assert_eq!(found, None);
    let room = matcher.room_for_links();
    assert!(room < 2 * rows, "room for {room} links where {rows} are in use");
}

/// A thousand threads over the same rows share one state, regardless of its width.
#[test]
fn threads_that_split_share_their_state() {
    let threads = 1_000;
    let pattern = repeated(repeated(RowPattern::Label(0), 0, Some(1)), threads, Some(threads));
    let mut slots = Slots::new(1);
    slots.add(Slot::LastRows { labels: vec![0], depth: 16 }, 0);
    let program = Program::new(&pattern, &slots);
    let mut evaluator = Refusing { states: Vec::new() };
    let found = Matcher::new(&program, &slots).run(20, true, &mut evaluator).expect("no condition fails");
    assert_eq!(found.expect("a match").labels.len(), 20);
    assert!(evaluator.states.iter().all(|states| states.len() == 1), "{:?}", evaluator.states);
}

/// A way of many rows is freed without recursion.
#[test]
fn long_matches_do_not_overflow_the_stack() {
    let rows = 300_000;
    let pattern = repeated(RowPattern::Label(0), 1, None);
    let (found, _) = matched(&pattern, &[Condition::Rows(vec![true; rows])], rows, true);
    assert_eq!(found.expect("a match").labels.len(), rows);
    let pattern = repeated(RowPattern::Label(0), 50_000, Some(50_000));
    let (found, _) = matched(&pattern, &[Condition::Rows(vec![true; rows])], 49_999, true);
    assert_eq!(found, None);
}
