//! Runs a program over a text with backtracking. The cost of a pattern is limited in proportion to the text's length.

use regex_syntax::hir::ClassUnicode;

use super::program::{Program, Step};
use super::syntax::Assertion;

/// Number of steps for any text, and additional steps for each of its bytes.
const STEPS_OF_A_TEXT: usize = 5_000_000;
const STEPS_OF_A_BYTE: usize = 200;

/// Maximum number of branches to return to, and of saved slots to restore.
const MAX_SAVED: usize = 2_000_000;

const NOWHERE: usize = usize::MAX;

/// The error of a text that takes too many steps.
#[derive(Debug)]
pub(super) struct TooManySteps;

/// A branch to return to; slots that were changed since are restored.
struct Branch {
    step: usize,
    saved: usize,
    rest: Rest,
}

enum Rest {
    At(usize),
    /// A greedy run that took characters up to `at` may give them back down to `least`.
    Shorter {
        at: usize,
        least: usize,
    },
    /// A lazy run may take one more character at `at`, and `most` in all.
    Longer {
        at: usize,
        run: usize,
        left: u32,
    },
}

/// A program and the text that it is matched with.
pub(super) struct Machine<'m> {
    program: &'m Program,
    text: &'m str,
    steps_left: usize,
    search_start: usize,
    slots: Vec<usize>,
    branches: Vec<Branch>,
    /// Slots with their previous values.
    saved: Vec<(usize, usize)>,
}

impl<'m> Machine<'m> {
    pub(super) fn new(program: &'m Program, text: &'m str) -> Self {
        Self {
            program,
            text,
            steps_left: STEPS_OF_A_TEXT.saturating_add(text.len().saturating_mul(STEPS_OF_A_BYTE)),
            search_start: 0,
            slots: vec![NOWHERE; program.slots],
            branches: Vec::new(),
            saved: Vec::new(),
        }
    }

    /// The first match that begins at or after an offset.
    pub(super) fn find_at(&mut self, start: usize) -> Result<Option<(usize, usize)>, TooManySteps> {
        self.search_start = start;
        let mut at = start;
        loop {
            self.spend(self.slots.len())?;
            self.slots.fill(NOWHERE);
            self.branches.clear();
            self.saved.clear();
            if let Some(end) = self.run(0, at)? {
                return Ok(Some((at, end)));
            }
            match self.character(at) {
                Some(character) => at += character.len_utf8(),
                None => return Ok(None),
            }
        }
    }

    /// The text range that a group has matched.
    pub(super) fn group(&self, number: usize) -> Option<(usize, usize)> {
        let (start, end) = (self.slots[2 * number], self.slots[2 * number + 1]);
        (start != NOWHERE && end != NOWHERE).then_some((start, end))
    }

    fn spend(&mut self, steps: usize) -> Result<(), TooManySteps> {
        self.steps_left = self.steps_left.checked_sub(steps).ok_or(TooManySteps)?;
        Ok(())
    }

    fn character(&self, at: usize) -> Option<char> {
        self.text.get(at..).and_then(|rest| rest.chars().next())
    }

    fn before(&self, at: usize) -> Option<char> {
        self.text.get(..at).and_then(|text| text.chars().next_back())
    }

    fn push_branch(&mut self, branch: Branch) -> Result<(), TooManySteps> {
        if self.branches.len() >= MAX_SAVED {
            return Err(TooManySteps);
        }
        self.branches.push(branch);
        Ok(())
    }

    fn save(&mut self, slot: usize, place: usize) -> Result<(), TooManySteps> {
        if self.saved.len() >= MAX_SAVED {
            return Err(TooManySteps);
        }
        self.saved.push((slot, std::mem::replace(&mut self.slots[slot], place)));
        Ok(())
    }

    fn restore(&mut self, saved: usize) {
        while self.saved.len() > saved {
            if let Some((slot, before)) = self.saved.pop() {
                self.slots[slot] = before;
            }
        }
    }

    /// Runs to the next `Done`. Returns the offset in the text, or `None`; branches of this run are dropped.
    fn run(&mut self, step: usize, at: usize) -> Result<Option<usize>, TooManySteps> {
        let floor = self.branches.len();
        let (mut step, mut at) = (step, at);
        loop {
            self.spend(1)?;
            let next = match &self.program.steps[step] {
                Step::Done => {
                    self.branches.truncate(floor);
                    return Ok(Some(at));
                }
                _ => self.step(step, at)?,
            };
            match next {
                Some(next) => (step, at) = next,
                None => match self.go_back(floor)? {
                    Some(next) => (step, at) = next,
                    None => return Ok(None),
                },
            }
        }
    }

    /// The step and offset after a step; `None` if the step does not match.
    fn step(&mut self, step: usize, at: usize) -> Result<Option<(usize, usize)>, TooManySteps> {
        let program = self.program;
        let next = step + 1;
        Ok(match &program.steps[step] {
            Step::Literal(wanted) => {
                (self.character(at) == Some(*wanted)).then(|| (next, at + wanted.len_utf8()))
            }
            Step::Class(class) => self
                .character(at)
                .filter(|character| contains(class, *character))
                .map(|character| (next, at + character.len_utf8())),
            Step::Assertion(assertion) => self.holds(*assertion, at).then_some((next, at)),
            Step::Save(slot) => {
                self.save(*slot, at)?;
                Some((next, at))
            }
            Step::Jump(to) => Some((*to, at)),
            Step::Split(first, second) => {
                self.push_branch(Branch { step: *second, saved: self.saved.len(), rest: Rest::At(at) })?;
                Some((*first, at))
            }
            Step::Run { class, min, max, is_lazy } => {
                self.start_run(step, at, class, (*min, *max), *is_lazy)?
            }
            Step::LeaveIfEmpty { slot, to } => {
                Some(if self.slots[*slot] == at { (*to, at) } else { (next, at) })
            }
            Step::Atomic { to } => self.run(next, at)?.map(|end| (*to, end)),
            Step::Look { behind, is_negative, to } => {
                let saved = self.saved.len();
                let start = match behind {
                    None => Some(at),
                    Some(count) => {
                        self.spend(*count as usize)?;
                        self.back(at, *count)
                    }
                };
                let is_match = match start {
                    Some(start) => self.run(next, start)?.is_some(),
                    None => false,
                };
                if *is_negative {
                    self.restore(saved);
                }
                (is_match != *is_negative).then_some((*to, at))
            }
            Step::Backreference { group, is_case_insensitive } => {
                let matched = self.group(*group).map(|(start, end)| &self.text[start..end]);
                self.spend(matched.map_or(0, str::len))?;
                matched
                    .and_then(|wanted| same_text(&self.text[at..], wanted, *is_case_insensitive))
                    .map(|length| (next, at + length))
            }
            Step::Done => None,
        })
    }

    /// Takes as many characters as possible, or, if lazy, as few as necessary.
    fn start_run(
        &mut self,
        step: usize,
        at: usize,
        class: &ClassUnicode,
        (min, max): (u32, Option<u32>),
        is_lazy: bool,
    ) -> Result<Option<(usize, usize)>, TooManySteps> {
        let wanted = if is_lazy { Some(min) } else { max };
        let (mut end, mut least, mut count) = (at, at, 0_u32);
        while wanted.is_none_or(|wanted| count < wanted) {
            let Some(character) = self.character(end).filter(|character| contains(class, *character)) else {
                break;
            };
            self.spend(1)?;
            end += character.len_utf8();
            count += 1;
            if count <= min {
                least = end;
            }
        }
        if count < min {
            return Ok(None);
        }
        let saved = self.saved.len();
        if is_lazy {
            let left = max.map_or(u32::MAX, |max| max - min);
            self.push_branch(Branch {
                step: step + 1,
                saved,
                rest: Rest::Longer { at: end, run: step, left },
            })?;
        } else if end > least {
            self.push_branch(Branch { step: step + 1, saved, rest: Rest::Shorter { at: end, least } })?;
        }
        Ok(Some((step + 1, end)))
    }

    /// Returns to the last branch after a failure.
    fn go_back(&mut self, floor: usize) -> Result<Option<(usize, usize)>, TooManySteps> {
        while self.branches.len() > floor {
            let Some(branch) = self.branches.pop() else { break };
            let Branch { step, saved, rest } = branch;
            self.restore(saved);
            match rest {
                Rest::At(at) => return Ok(Some((step, at))),
                Rest::Shorter { at, least } => {
                    let at = at - self.before(at).map_or(0, char::len_utf8);
                    if at > least {
                        self.push_branch(Branch { step, saved, rest: Rest::Shorter { at, least } })?;
                    }
                    return Ok(Some((step, at)));
                }
                Rest::Longer { at, run, left } => {
                    let Step::Run { class, .. } = &self.program.steps[run] else { continue };
                    let Some(character) = self.character(at).filter(|character| contains(class, *character))
                    else {
                        continue;
                    };
                    if left == 0 {
                        continue;
                    }
                    let at = at + character.len_utf8();
                    self.push_branch(Branch { step, saved, rest: Rest::Longer { at, run, left: left - 1 } })?;
                    return Ok(Some((step, at)));
                }
            }
        }
        Ok(None)
    }

    fn back(&self, at: usize, count: u32) -> Option<usize> {
        (0..count).try_fold(at, |at, _| Some(at - self.before(at)?.len_utf8()))
    }

    fn holds(&self, assertion: Assertion, at: usize) -> bool {
        let length = self.text.len();
        // Unlike `\w`, word boundaries consider the letters of all scripts.
        let is_word = |character: Option<char>| character.is_some_and(regex_syntax::is_word_character);
        let is_boundary = || is_word(self.before(at)) != is_word(self.character(at));
        match assertion {
            Assertion::Start => at == 0,
            Assertion::End => at == length,
            Assertion::EndOrLastNewline => at == length || &self.text[at..] == "\n",
            Assertion::LineStart => at == 0 || at < length && self.before(at) == Some('\n'),
            Assertion::LineEnd => at == length || self.character(at) == Some('\n'),
            Assertion::WordBoundary => is_boundary(),
            Assertion::NotWordBoundary => !is_boundary(),
            Assertion::SearchStart => at == self.search_start,
        }
    }
}

fn contains(class: &ClassUnicode, character: char) -> bool {
    let ranges = class.ranges();
    let after = ranges.partition_point(|range| range.end() < character);
    ranges.get(after).is_some_and(|range| range.start() <= character)
}

/// The number of bytes at the beginning of `text` that equal `wanted`.
fn same_text(text: &str, wanted: &str, is_case_insensitive: bool) -> Option<usize> {
    if !is_case_insensitive {
        return text.starts_with(wanted).then_some(wanted.len());
    }
    let mut rest = text.chars();
    for wanted in wanted.chars() {
        let found = rest.next()?;
        if found != wanted && !found.to_lowercase().eq(wanted.to_lowercase()) {
            return None;
        }
    }
    Some(text.len() - rest.as_str().len())
}
