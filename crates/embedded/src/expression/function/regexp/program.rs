//! Patterns as programs of the backtracking machine, for features that the `regex` crate lacks.

use regex_syntax::hir::ClassUnicode;

use super::syntax::{Assertion, Greed, Node};

/// Maximum number of steps of a program, in which repetitions of groups are unrolled.
const MAX_STEPS: usize = 100_000;

/// Maximum number of ranges in the character classes of the steps.
const MAX_RANGES: usize = 250_000;

/// A step. Numbers of steps are jump targets.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Literal(char),
    Class(ClassUnicode),
    Assertion(Assertion),
    /// Saves the offset in a slot.
    Save(usize),
    Jump(usize),
    /// Continues at the first step and, if that fails, at the second one.
    Split(usize, usize),
    /// A repetition of a class of single characters.
    Run {
        class: ClassUnicode,
        min: u32,
        max: Option<u32>,
        is_lazy: bool,
    },
    /// Leaves a loop if its iteration, which began at the offset in the slot, has taken no character.
    LeaveIfEmpty {
        slot: usize,
        to: usize,
    },
    /// Runs the steps up to `to` separately, without backtracking into them later.
    Atomic {
        to: usize,
    },
    /// Whether the steps up to `to` match here or, if `behind` is set, that many characters before.
    Look {
        behind: Option<u32>,
        is_negative: bool,
        to: usize,
    },
    Backreference {
        group: usize,
        is_case_insensitive: bool,
    },
    /// The end of the pattern, or of steps that are run separately.
    Done,
}

/// The steps of a pattern.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) steps: Vec<Step>,
    /// The number of slots: two for each group, and those of loops.
    pub(super) slots: usize,
    ranges: usize,
}

impl Program {
    /// Compiles a pattern with this number of groups.
    pub(super) fn compile(node: &Node, groups: usize) -> Result<Self, String> {
        let mut program = Self { steps: Vec::new(), slots: 2 * (groups + 1), ranges: 0 };
        program.add(node)?;
        program.push(Step::Done)?;
        Ok(program)
    }

    fn push(&mut self, step: Step) -> Result<usize, String> {
        if let Step::Class(class) | Step::Run { class, .. } = &step {
            self.ranges += class.ranges().len();
        }
        if self.steps.len() >= MAX_STEPS || self.ranges > MAX_RANGES {
            return Err("the pattern is too large when its repetitions are written out".to_owned());
        }
        self.steps.push(step);
        Ok(self.steps.len() - 1)
    }

    fn add(&mut self, node: &Node) -> Result<(), String> {
        match node {
            Node::Empty => {}
            Node::Literal(character) => {
                self.push(Step::Literal(*character))?;
            }
            Node::Class(class) => {
                self.push(Step::Class(class.clone()))?;
            }
            Node::Assertion(assertion) => {
                self.push(Step::Assertion(*assertion))?;
            }
            Node::Concat(nodes) => {
                for node in nodes {
                    self.add(node)?;
                }
            }
            Node::Alternation(nodes) => self.add_alternation(nodes)?,
            Node::Repeat { node, min, max, greed: Greed::Possessive } => {
                let greedy = Node::Repeat { node: node.clone(), min: *min, max: *max, greed: Greed::Greedy };
                self.add_apart(&greedy, |to| Step::Atomic { to })?;
            }
            Node::Repeat { node, min, max, greed } => {
                self.add_repeat(node, *min, *max, *greed == Greed::Lazy)?
            }
            Node::Group { number, node } => {
                self.push(Step::Save(2 * number))?;
                self.add(node)?;
                self.push(Step::Save(2 * number + 1))?;
            }
            Node::Atomic(node) => self.add_apart(node, |to| Step::Atomic { to })?,
            Node::Look { is_behind: false, is_negative, node } => {
                let is_negative = *is_negative;
                self.add_apart(node, |to| Step::Look { behind: None, is_negative, to })?;
            }
            Node::Look { is_behind: true, is_negative, node } => self.add_look_behind(node, *is_negative)?,
            Node::Backreference { group, is_case_insensitive } => {
                self.push(Step::Backreference { group: *group, is_case_insensitive: *is_case_insensitive })?;
            }
        }
        Ok(())
    }

    fn add_alternation(&mut self, nodes: &[Node]) -> Result<(), String> {
        let Some((last, rest)) = nodes.split_last() else { return Ok(()) };
        let mut jumps = Vec::new();
        for node in rest {
            let split = self.push(Step::Split(0, 0))?;
            self.add(node)?;
            jumps.push(self.push(Step::Jump(0))?);
            self.steps[split] = Step::Split(split + 1, self.steps.len());
        }
        self.add(last)?;
        let end = self.steps.len();
        for jump in jumps {
            self.steps[jump] = Step::Jump(end);
        }
        Ok(())
    }

    fn add_repeat(&mut self, node: &Node, min: u32, max: Option<u32>, is_lazy: bool) -> Result<(), String> {
        let single = match node {
            Node::Literal(character) => Some(super::parse::class_of(*character)),
            Node::Class(class) => Some(class.clone()),
            _ => None,
        };
        if let Some(class) = single {
            self.push(Step::Run { class, min, max, is_lazy })?;
            return Ok(());
        }
        for _ in 0..min {
            let before = self.steps.len();
            self.add(node)?;
            // A node without steps needs none, however often it is repeated.
            if self.steps.len() == before {
                break;
            }
        }
        let mut splits = Vec::new();
        let mut leaves = Vec::new();
        let rounds = max.map_or(1, |max| max - min);
        let start = self.steps.len();
        for _ in 0..rounds {
            splits.push(self.push(Step::Split(0, 0))?);
            let slot = self.slots;
            if node.can_be_empty() {
                self.slots += 1;
                self.push(Step::Save(slot))?;
            }
            self.add(node)?;
            if node.can_be_empty() {
                leaves.push(self.push(Step::LeaveIfEmpty { slot, to: 0 })?);
            }
        }
        if max.is_none() {
            self.push(Step::Jump(start))?;
        }
        let end = self.steps.len();
        for split in splits {
            self.steps[split] =
                if is_lazy { Step::Split(end, split + 1) } else { Step::Split(split + 1, end) };
        }
        for leave in leaves {
            if let Step::LeaveIfEmpty { to, .. } = &mut self.steps[leave] {
                *to = end;
            }
        }
        Ok(())
    }

    /// Adds steps that are run separately.
    fn add_apart(&mut self, node: &Node, step: impl Fn(usize) -> Step) -> Result<(), String> {
        let start = self.push(Step::Done)?;
        self.add(node)?;
        self.push(Step::Done)?;
        self.steps[start] = step(self.steps.len());
        Ok(())
    }

    /// Adds a look-behind. Branches may have different lengths, so each one is a look-behind of its own; a negative one
    /// requires that no branch matches.
    fn add_look_behind(&mut self, node: &Node, is_negative: bool) -> Result<(), String> {
        let branches =
            if let Node::Alternation(nodes) = node { nodes.as_slice() } else { std::slice::from_ref(node) };
        let mut jumps = Vec::new();
        for (index, branch) in branches.iter().enumerate() {
            // The parser accepts only branches of a fixed length.
            let behind = Some(branch.length().unwrap_or(0));
            let is_last = index + 1 == branches.len();
            let split = if is_negative || is_last { None } else { Some(self.push(Step::Split(0, 0))?) };
            self.add_apart(branch, |to| Step::Look { behind, is_negative, to })?;
            if let Some(split) = split {
                jumps.push(self.push(Step::Jump(0))?);
                self.steps[split] = Step::Split(split + 1, self.steps.len());
            }
        }
        let end = self.steps.len();
        for jump in jumps {
            self.steps[jump] = Step::Jump(end);
        }
        Ok(())
    }
}
