//! Threads that run a program over rows.

use std::collections::HashSet;
use std::rc::Rc;

use polars::prelude::PolarsResult;

use super::program::{Instruction, Program};
use super::state::{Chains, NONE, Slots, State};
use super::trail::{SAVED, Trail};

/// Minimum capacity of the table of threads with distinct states.
const MIN_PASSED: usize = 1024;

/// Evaluates the conditions of labels.
pub(crate) trait ConditionEvaluator {
    /// Data of a thread besides its state; it does not distinguish threads.
    type Memory: Clone + Default;

    /// Whether the condition of the candidate's label holds for its row.
    fn holds(&mut self, candidate: &mut Candidate<'_, Self::Memory>) -> PolarsResult<bool>;
}

/// A thread that assigns a label to one more row.
#[derive(Debug)]
pub(crate) struct Candidate<'c, M> {
    /// The label of the row.
    pub(crate) label: usize,
    /// The row, counted from the first row of the match.
    pub(crate) row: usize,
    /// The state with this row.
    pub(crate) state: &'c [u32],
    /// The lists that states refer to.
    pub(crate) chains: &'c Chains,
    /// The data of the thread.
    pub(crate) memory: &'c mut M,
}

/// A match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Match {
    /// The label of each row.
    pub(crate) labels: Vec<u32>,
    /// Ranges of excluded rows: the first row, and the row after the last one.
    pub(crate) exclusions: Vec<(usize, usize)>,
}

struct Thread<M> {
    at: u32,
    way: u32,
    state: State,
    memory: M,
}

/// Runs a program. Its tables are reused for the next match.
pub(crate) struct Matcher<'p, M> {
    program: &'p Program,
    slots: &'p Slots,
    trail: Trail,
    chains: Chains,
    /// For each label, the step of its last assignment, the state before it and the state with it.
    given: Vec<Option<(u64, State, State)>>,
    /// For each instruction, the last step in which a thread reached it.
    passed_at: Vec<u64>,
    step: u64,
    /// The instructions and states that threads reached in this step, where states distinguish threads.
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

    /// The number of links of lists, in use or free.
    #[cfg(test)]
    pub(super) fn room_for_links(&self) -> usize {
        self.chains.room()
    }

    /// The preferred match that begins at the first of `rows` rows; `None` if there is none.
    pub(crate) fn run<J: ConditionEvaluator<Memory = M>>(
        &mut self,
        rows: usize,
        is_partition_start: bool,
        evaluator: &mut J,
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
                        if evaluator.holds(&mut candidate)? {
                            thread.way = self.trail.push(thread.way, label);
                            thread.at += 1;
                            self.advance(thread, row + 1, ends, &mut next);
                        } else {
                            self.trail.release(thread.way);
                        }
                    }
                    // The threads after it are less preferred.
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

    /// Replaces the match by that of a more preferred thread. Its rows are determined at the end.
    fn replace(&mut self, found: &mut Option<u32>, way: u32) {
        if let Some(before) = found.replace(way) {
            self.trail.release(before);
        }
    }

    /// The state with one more row. Threads that share a state share the new one, too.
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
        // Clearing a hash table takes time in proportion to its capacity, which a step with many threads may have
        // enlarged.
        if self.passed.capacity() / 8 > self.passed.len() + MIN_PASSED {
            self.passed = HashSet::new();
        }
        self.passed.clear();
    }

    /// Advances a thread to the next instruction that needs a row, or to the end, and likewise the threads that it
    /// splits into, in order.
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
                    self.trail.retain(thread.way);
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

    /// Whether no thread with the same future has been at its instruction in this step.
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
