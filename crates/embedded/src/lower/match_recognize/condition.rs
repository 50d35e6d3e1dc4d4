//! Conditions of labels. A condition on the current row and its neighbours is evaluated for all rows at once; any other
//! is evaluated for each candidate, with the rows and labels that it refers to.

use std::rc::Rc;

use polars::prelude::{Column, IdxCa, IdxSize, IntoColumn, NamedFrom, NewChunkedArray, PolarsResult, Series};

use super::aggregate::{Source, built};
use super::body::Outcome;
use super::input::{Aggregate, Computed, Input};
use super::interpreter::Interpreted;
use crate::column::{as_index, column_name};
use crate::datum::Datum;
use crate::lower::accumulator::AggregateRows;
use crate::row_pattern::{Candidate, ConditionEvaluator, NONE, Slot, Slots};
use rowhouse_sql::plan::Navigation;

/// Maximum number of last rows in a slot of the state; earlier rows are found in a list of all of them.
const MAX_DEPTH: usize = 16;

/// The condition of a label.
pub(super) struct Condition {
    pub(super) computed: Computed,
    /// Whether it refers only to the current row and its neighbours.
    pub(super) is_local: bool,
    places: Vec<Place>,
    /// The interpreted form of a simple condition.
    interpreted: Option<Interpreted>,
}

/// The position of an input in a candidate.
enum Place {
    /// The current row is the origin of the navigation.
    Current,
    /// The row is counted among all rows.
    Counted,
    /// The row is the `offset`-th of the last rows in this slot.
    Last(usize),
    /// As `Last`, in a list of all of them.
    Linked(usize),
    /// The row is the first row in this slot.
    First(usize),
    /// The label of the current row.
    OwnLabel,
    /// The label is in a slot of the last labels.
    LastLabel(usize),
    /// As `LastLabel`, in a list of all of them.
    LinkedLabel(usize),
    FirstLabel(usize),
    /// The label of a row at another position, in a list of all labels.
    LabelOf(Box<Self>, usize),
    Number,
    /// All rows, in order.
    AllRows,
    /// A list of the rows.
    List(usize),
}

impl Condition {
    pub(super) fn new(computed: Computed, label: usize, slots: &mut Slots) -> Self {
        let places: Vec<Place> = computed.inputs.iter().map(|input| Place::of(input, label, slots)).collect();
        let is_local = places.iter().all(|place| matches!(place, Place::Current | Place::OwnLabel));
        let interpreted = Interpreted::of(&computed.body.expression, &computed.body.parameters);
        Self { computed, is_local, places, interpreted }
    }

    /// The outcomes of a local condition in all rows. `partition_of` returns the partition of a row.
    fn outcomes(
        &self,
        label: usize,
        source: &Source<'_>,
        partition_of: impl Fn(usize) -> (usize, usize),
    ) -> PolarsResult<Vec<Outcome>> {
        let count = source.frame.height();
        let mut columns = Vec::with_capacity(self.places.len());
        for (input, (id, _)) in self.computed.inputs.iter().zip(&self.computed.body.parameters) {
            let name = column_name(*id);
            columns.push(match input {
                Input::Value(column, navigation) if navigation.rows == 0 => {
                    source.series[*column].clone().with_name(name).into_column()
                }
                Input::Value(column, navigation) => {
                    let places = (0..count).map(|row| moved(row, navigation.rows, partition_of(row)));
                    taken(&source.series[*column], places)?.with_name(name).into_column()
                }
                _ => {
                    let own = source.labels[label].as_str();
                    Series::new(name, vec![own; count]).into_column()
                }
            });
        }
        self.computed.body.outcomes(&columns, count)
    }
}

impl Place {
    fn of(input: &Input, label: usize, slots: &mut Slots) -> Self {
        match input {
            Input::Value(_, navigation) => Self::of_row(navigation, label, slots),
            Input::Classifier(navigation) => Self::of_label(navigation, label, slots),
            Input::Number => Self::Number,
            Input::Aggregate(aggregate) => {
                let with_labels = aggregate.uses_labels();
                if aggregate.labels.is_empty() && !with_labels {
                    return Self::AllRows;
                }
                Self::List(slots.add(Slot::Chain { labels: aggregate.labels.clone(), with_labels }, label))
            }
        }
    }

    fn of_row(navigation: &Navigation, label: usize, slots: &mut Slots) -> Self {
        let Navigation { labels, is_last, is_final: _, offset, rows: _ } = navigation;
        let is_own = labels.is_empty() || labels.contains(&label);
        if is_own && *is_last && *offset == 0 {
            return Self::Current;
        }
        if labels.is_empty() {
            return Self::Counted;
        }
        let labels = labels.clone();
        let depth = *offset as usize + 1;
        if !is_last {
            return Self::First(slots.add(Slot::FirstRow { labels, nth: *offset }, label));
        }
        if depth <= MAX_DEPTH {
            return Self::Last(slots.add(Slot::LastRows { labels, depth }, label));
        }
        Self::Linked(slots.add(Slot::Chain { labels, with_labels: false }, label))
    }

    fn of_label(navigation: &Navigation, label: usize, slots: &mut Slots) -> Self {
        let Navigation { labels, is_last, is_final: _, offset, rows } = navigation;
        let is_own = labels.is_empty() || labels.contains(&label);
        if is_own && *is_last && *offset == 0 && *rows == 0 {
            return Self::OwnLabel;
        }
        if *rows == 0 && *is_last {
            let (labels, depth) = (labels.clone(), *offset as usize + 1);
            return if depth <= MAX_DEPTH {
                Self::LastLabel(slots.add(Slot::LastLabels { labels, depth }, label))
            } else {
                Self::LinkedLabel(slots.add(Slot::Chain { labels, with_labels: true }, label))
            };
        }
        if *rows == 0 {
            let slot = Slot::FirstLabel { labels: labels.clone(), nth: *offset };
            return Self::FirstLabel(slots.add(slot, label));
        }
        // References to the previous row and to rows shortly before it are frequent.
        if labels.is_empty()
            && *is_last
            && let Ok(distance) = usize::try_from(i64::from(*offset) - rows)
            && (1..MAX_DEPTH).contains(&distance)
        {
            let slot = Slot::LastLabels { labels: Vec::new(), depth: distance + 1 };
            return Self::LabelOf(Box::new(Self::LastLabel(slots.add(slot, label))), usize::MAX);
        }
        let place = Box::new(Self::of_row(navigation, label, slots));
        Self::LabelOf(place, slots.add(Slot::Chain { labels: Vec::new(), with_labels: true }, label))
    }
}

/// The row at a distance of `rows`, if it is in the partition.
pub(super) fn moved(row: usize, rows: i64, (start, end): (usize, usize)) -> Option<usize> {
    let moved = i64::try_from(row).ok()?.checked_add(rows)?;
    usize::try_from(moved).ok().filter(|row| (start..end).contains(row))
}

/// Values of rows; NULL for `None`.
pub(super) fn taken(series: &Series, rows: impl Iterator<Item = Option<usize>>) -> PolarsResult<Series> {
    let places: Vec<Option<IdxSize>> = rows.map(|row| row.map(as_index)).collect();
    series.take(&IdxCa::from_slice_options("".into(), &places))
}

/// The state of an aggregate, and the number of the thread's rows that it includes.
#[derive(Clone)]
pub(super) struct Progress {
    aggregate: AggregateRows,
    /// The last link of the list that it includes, or the number of rows.
    until: u32,
}

/// Evaluates the conditions of the match that is being searched.
pub(super) struct Conditions<'c> {
    pub(super) source: &'c Source<'c>,
    conditions: &'c [Option<Condition>],
    slots: &'c Slots,
    /// The outcomes of local conditions, for all rows.
    outcomes: Vec<Option<Vec<Outcome>>>,
    /// The first row of the match.
    pub(super) start: usize,
    pub(super) partition: (usize, usize),
    pub(super) number: i64,
}

impl<'c> Conditions<'c> {
    pub(super) fn new(
        source: &'c Source<'c>,
        conditions: &'c [Option<Condition>],
        slots: &'c Slots,
        partition_of: impl Fn(usize) -> (usize, usize),
    ) -> PolarsResult<Self> {
        let mut outcomes = Vec::with_capacity(conditions.len());
        for (label, condition) in conditions.iter().enumerate() {
            outcomes.push(match condition {
                Some(condition) if condition.is_local => {
                    Some(condition.outcomes(label, source, &partition_of)?)
                }
                _ => None,
            });
        }
        Ok(Self { source, conditions, slots, outcomes, start: 0, partition: (0, 0), number: 1 })
    }

    /// The row of an input, counted from the first row of the match.
    fn row(
        &self,
        place: &Place,
        navigation: &Navigation,
        candidate: &Candidate<'_, Memory>,
    ) -> Option<usize> {
        let offset = navigation.offset as usize;
        let state = |slot: &usize| self.slots.values(candidate.state, *slot);
        let known = |row: u32| (row != NONE).then_some(row as usize);
        match place {
            Place::Current => Some(candidate.row),
            Place::Counted if navigation.is_last => candidate.row.checked_sub(offset),
            Place::Counted => (offset <= candidate.row).then_some(offset),
            Place::Last(slot) => known(state(slot)[offset]),
            Place::First(slot) => known(state(slot)[1]),
            Place::Linked(slot) => {
                candidate.chains.back(state(slot)[0]).nth(offset).map(|(row, ..)| row as usize)
            }
            _ => None,
        }
    }

    /// The label of an input.
    fn label(
        &self,
        place: &Place,
        navigation: &Navigation,
        candidate: &Candidate<'_, Memory>,
    ) -> Option<u32> {
        let offset = navigation.offset as usize;
        let state = |slot: &usize| self.slots.values(candidate.state, *slot);
        let own = u32::try_from(candidate.label).ok();
        let label = match place {
            Place::OwnLabel => own?,
            Place::LastLabel(slot) => state(slot)[offset],
            Place::LinkedLabel(slot) => candidate.chains.back(state(slot)[0]).nth(offset)?.1,
            Place::FirstLabel(slot) => state(slot)[1],
            Place::LabelOf(place, list) => match &**place {
                Place::LastLabel(slot) => {
                    let distance = usize::try_from(i64::from(navigation.offset) - navigation.rows).ok()?;
                    candidate.row.checked_sub(offset)?;
                    *state(slot).get(distance)?
                }
                place => {
                    let row = self.row(place, navigation, candidate)?;
                    let row = i64::try_from(row).ok()?.checked_add(navigation.rows)?;
                    let back = candidate.row.checked_sub(usize::try_from(row).ok()?)?;
                    candidate.chains.back(state(list)[0]).nth(back)?.1
                }
            },
            _ => return None,
        };
        (label != NONE).then_some(label)
    }

    fn aggregated(
        &self,
        aggregate: &Aggregate,
        place: &Place,
        index: usize,
        candidate: &mut Candidate<'_, Memory>,
    ) -> PolarsResult<Datum<'static>> {
        // The state is removed from the memory, so that it is not copied if no other thread shares it.
        let memory = Rc::make_mut(&mut candidate.memory.0);
        let known = memory.iter().position(|(at, _)| *at == (candidate.label, index));
        let mut progress = match known {
            Some(known) => memory.swap_remove(known).1,
            None => {
                let until = if matches!(place, Place::AllRows) { 0 } else { NONE };
                Rc::new(Progress { aggregate: aggregate.start(), until })
            }
        };
        let mut rows: Vec<(usize, u32)> = Vec::new();
        let until = match place {
            Place::List(slot) => {
                let list = self.slots.values(candidate.state, *slot)[0];
                // The aggregate's only label, if the list has no labels.
                let only = aggregate.labels.first().and_then(|label| u32::try_from(*label).ok());
                let new = candidate.chains.back(list).take_while(|(_, _, link)| *link != progress.until);
                rows.extend(new.map(|(row, label, _)| {
                    let label = if label == NONE { only.unwrap_or(NONE) } else { label };
                    (self.start + row as usize, label)
                }));
                rows.reverse();
                list
            }
            _ => {
                rows.extend((progress.until as usize..=candidate.row).map(|row| (self.start + row, NONE)));
                u32::try_from(candidate.row + 1).unwrap_or(NONE)
            }
        };
        let own = Rc::make_mut(&mut progress);
        own.until = until;
        aggregate.add(self.source, &rows, self.number, &mut own.aggregate, |_| Ok(()))?;
        let value = own.aggregate.value()?;
        Rc::make_mut(&mut candidate.memory.0).push(((candidate.label, index), progress));
        Ok(value)
    }

    fn evaluate(&self, condition: &Condition, candidate: &mut Candidate<'_, Memory>) -> PolarsResult<bool> {
        let mut values = Vec::with_capacity(condition.places.len());
        for (index, (input, place)) in condition.computed.inputs.iter().zip(&condition.places).enumerate() {
            values.push(match input {
                Input::Value(column, navigation) => {
                    let row = self.row(place, navigation, candidate).map(|row| self.start + row);
                    let row = row.and_then(|row| moved(row, navigation.rows, self.partition));
                    row.map_or(Datum::Null, |row| self.source.readers[*column].get(row))
                }
                Input::Classifier(navigation) => match self.label(place, navigation, candidate) {
                    Some(label) => Datum::from_text(self.source.name(label)),
                    None => Datum::Null,
                },
                Input::Number => Datum::Integer(self.number),
                Input::Aggregate(aggregate) => self.aggregated(aggregate, place, index, candidate)?,
            });
        }
        if let Some(interpreted) = &condition.interpreted
            && let Ok(value) = interpreted.value(&values)
        {
            return Ok(value == Datum::Boolean(true));
        }
        let body = &condition.computed.body;
        let columns = values
            .into_iter()
            .zip(&body.parameters)
            .map(|(value, (id, data_type))| built(column_name(*id), vec![value], data_type));
        let columns = columns.collect::<PolarsResult<Vec<Column>>>()?;
        Ok(body.evaluate(columns, 1)?.bool()?.get(0) == Some(true))
    }
}

/// The aggregates of a thread, by label and input; threads that split share them.
#[derive(Clone, Default)]
pub(super) struct Memory(Rc<Vec<MemoryEntry>>);

type MemoryEntry = ((usize, usize), Rc<Progress>);

impl ConditionEvaluator for Conditions<'_> {
    type Memory = Memory;

    fn holds(&mut self, candidate: &mut Candidate<'_, Memory>) -> PolarsResult<bool> {
        let Some(condition) = &self.conditions[candidate.label] else { return Ok(true) };
        match &self.outcomes[candidate.label] {
            Some(outcomes) => match outcomes[self.start + candidate.row] {
                Outcome::Holds => Ok(true),
                Outcome::HoldsNot => Ok(false),
                // The evaluation reports the error, if there is one.
                Outcome::Undecided => self.evaluate(condition, candidate),
            },
            None => self.evaluate(condition, candidate),
        }
    }
}
