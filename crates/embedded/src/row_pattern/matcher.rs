//! Threads that run a program over rows.

use std::collections::HashSet;
use std::rc::Rc;

use polars::prelude::PolarsResult;

use super::program::{Instruction, Program};
use super::state::{Chains, NONE, Slots, State};
use super::trail::{SAVED, Trail};

/// Threads whose states are kept apart in a table of this size, at least.
const MIN_PASSED: usize = 1024;

/// Decides which rows may have which labels.
pub(crate) trait Judge {
    /// What it keeps of a thread beside its state; it tells no threads apart.
    type Memory: Clone + Default;

    /// Whether the last row of a candidate may have its label.
    fn holds(&mut self, candidate: &mut Candidate<'_, Self::Memory>) -> PolarsResult<bool>;
}

/// A thread that would give one more row a label.
#[derive(Debug)]
pub(crate) struct Candidate<'c, M> {
    /// The label.
    pub(crate) label: usize,
    /// The row, counted from the first of the match.
    pub(crate) row: usize,
    /// The state with it.
    pub(crate) state: &'c [u32],
    /// The lists that states name.
    pub(crate) chains: &'c Chains,
    /// Of the thread.
    pub(crate) memory: &'c mut M,
}

/// A match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Match {
    /// Of each row.
    pub(crate) labels: Vec<u32>,
    /// Rows that are not given, first and last but one.
    pub(crate) exclusions: Vec<(usize, usize)>,
}

struct Thread<M> {
    at: u32,
    way: u32,
    state: State,
    memory: M,
}

/// Runs a program; what it needs for that is kept from match to match.
pub(crate) struct Matcher<'p, M> {
    program: &'p Program,
    slots: &'p Slots,
    trail: Trail,
    chains: Chains,
    /// For each label the step at which it was given last, the state before it and the one with it.
    given: Vec<Option<(u64, State, State)>>,
    /// For each instruction the step at which a thread was there last.
    passed_at: Vec<u64>,
    step: u64,
    /// The same where states tell threads apart.
    passed: HashSet<Vec<u32>>,
    stack: Vec<Thread<M>>,
}

impl<'p, M: Clone + Default> Matcher<'p, M> {
    pub(crate) fn new(program: &'p Program, slots: &'p Slots) -> Self {
        Self {
            program,
            slots,
            trail: Trail::default(),
            chains: Chains::default(),
            given: Vec::new(),
            passed_at: vec![0; program.instructions.len()],
            step: 0,
            passed: HashSet::new(),
            stack: Vec::new(),
        }
    }

    /// Room for links of lists, be they in use or free.
    #[cfg(test)]
    pub(super) fn room_for_links(&self) -> usize {
        self.chains.room()
    }

    /// The preferred match that begins before the first of so many rows.
    pub(crate) fn run<J: Judge<Memory = M>>(
        &mut self,
        rows: usize,
        is_partition_start: bool,
        judge: &mut J,
    ) -> PolarsResult<Option<Match>> {
        self.trail.clear();
        self.chains.clear();
        let (mut current, mut next) = (Vec::new(), Vec::new());
        let first = Thread { at: 0, way: NONE, state: self.slots.start(), memory: M::default() };
        let ends = Ends { rows, is_partition_start };
        self.begin_step();
        self.advance(first, 0, ends, &mut current);
        let mut found = None;
        for row in 0..rows {
            if current.is_empty() {
                break;
            }
            self.begin_step();
            if self.chains.is_full() {
                let states = current.iter().map(|thread: &Thread<M>| &*thread.state);
                self.chains.collect(states.flat_map(|state| self.slots.chains(state)));
            }
            let mut threads = current.drain(..);
            for mut thread in threads.by_ref() {
                match self.program.instructions[thread.at as usize] {
                    Instruction::Label(label) => {
                        let place = u32::try_from(row).unwrap_or(NONE);
                        thread.state = self.advanced(thread.state, label, place);
                        let mut candidate = Candidate {
                            label: label as usize,
                            row,
                            state: &thread.state,
                            chains: &self.chains,
                            memory: &mut thread.memory,
                        };
                        if judge.holds(&mut candidate)? {
                            thread.way = self.trail.push(thread.way, label);
                            thread.at += 1;
                            self.advance(thread, row + 1, ends, &mut next);
                        } else {
                            self.trail.release(thread.way);
                        }
                    }
                    // Those behind it are less preferred.
                    _ => {
                        self.replace(&mut found, thread.way);
                        break;
                    }
                }
            }
            for thread in threads {
                self.trail.release(thread.way);
            }
            std::mem::swap(&mut current, &mut next);
        }
        let is_done =
            |thread: &&Thread<M>| self.program.instructions[thread.at as usize] == Instruction::Done;
        if let Some(thread) = current.iter().find(is_done) {
            self.replace(&mut found, thread.way);
        }
        Ok(found.map(|way| {
            let (labels, exclusions) = self.trail.passed(way);
            Match { labels, exclusions }
        }))
    }

    /// A way through the pattern that is preferred to the one found before. Its rows are looked at once it is the last one.
    fn replace(&mut self, found: &mut Option<u32>, way: u32) {
        if let Some(before) = found.replace(way) {
            self.trail.release(before);
        }
    }

    /// A state with one more row that has a label. Threads that had the same share the new one, too.
    fn advanced(&mut self, state: State, label: u32, row: u32) -> State {
        if !self.slots.takes(label) {
            return state;
        }
        let at = label as usize;
        if self.given.len() <= at {
            self.given.resize(at + 1, None);
        }
        if let Some((step, before, with)) = &self.given[at]
            && *step == self.step
            && Rc::ptr_eq(before, &state)
        {
            return Rc::clone(with);
        }
        let with = self.slots.advanced(&state, label, row, &mut self.chains);
        self.given[at] = Some((self.step, state, Rc::clone(&with)));
        with
    }

    fn begin_step(&mut self) {
        self.step += 1;
        // A table of hashes is cleared in the time of its size, which many threads of one step have made.
        if self.passed.capacity() / 8 > self.passed.len() + MIN_PASSED {
            self.passed = HashSet::new();
        }
        self.passed.clear();
    }

    /// Takes a thread on to where it needs a row, or is done; and those that it splits into, in their order.
    fn advance(&mut self, thread: Thread<M>, row: usize, ends: Ends, next: &mut Vec<Thread<M>>) {
        self.stack.push(thread);
        while let Some(mut thread) = self.stack.pop() {
            if !self.is_first_at(&thread) {
                self.trail.release(thread.way);
                continue;
            }
            match self.program.instructions[thread.at as usize] {
                Instruction::Label(_) | Instruction::Done => {
                    next.push(thread);
                    continue;
                }
                Instruction::Start if row == 0 && ends.is_partition_start => thread.at += 1,
                Instruction::End if row == ends.rows => thread.at += 1,
                Instruction::Start | Instruction::End => {
                    self.trail.release(thread.way);
                    continue;
                }
                Instruction::Jump(target) => thread.at = target,
                Instruction::Split(first, second) => {
                    self.trail.keep(thread.way);
                    let (state, memory) = (Rc::clone(&thread.state), thread.memory.clone());
                    self.stack.push(Thread { at: second, way: thread.way, state, memory });
                    thread.at = first;
                }
                Instruction::Save => {
                    thread.way = self.trail.push(thread.way, SAVED);
                    thread.at += 1;
                }
            }
            self.stack.push(thread);
        }
    }

    /// Whether no thread that cannot come to differ from it has been at its instruction in this step.
    fn is_first_at(&mut self, thread: &Thread<M>) -> bool {
        let at = thread.at as usize;
        let needs = self.program.needs[at];
        if needs == 0 {
            return std::mem::replace(&mut self.passed_at[at], self.step) != self.step;
        }
        let mut key = vec![thread.at];
        self.slots.key(&thread.state, needs, &mut key);
        self.passed.insert(key)
    }
}

#[derive(Clone, Copy)]
struct Ends {
    rows: usize,
    is_partition_start: bool,
}
