//! Compiles row patterns to instructions.

use rowhouse_sql::plan::RowPattern;

use super::state::Slots;

/// An instruction. Unless stated otherwise, the next instruction follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Instruction {
    /// Assigns this label to the next row; otherwise the thread ends.
    Label(u32),
    /// Requires that the match begins with the partition and has no rows yet.
    Start,
    /// Requires that no row is left.
    End,
    Jump(u32),
    /// Continues at the first instruction, and as another, less preferred thread at the second one.
    Split(u32, u32),
    /// Begins or ends an exclusion.
    Save,
    Done,
}

/// The instructions of a pattern.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(super) instructions: Vec<Instruction>,
    /// For each instruction, the slots that conditions after it refer to, as bits.
    pub(super) needs: Vec<u64>,
}

impl Program {
    /// Compiles a pattern; `slots` are the slots that the conditions of its labels refer to.
    pub(crate) fn new(pattern: &RowPattern, slots: &Slots) -> Self {
        let mut instructions = Vec::new();
        write(pattern, &mut instructions);
        instructions.push(Instruction::Done);
        let needs = needs(&instructions, slots);
        Self { instructions, needs }
    }
}

/// Placeholder for an instruction that is set later.
const OPEN: Instruction = Instruction::Done;

fn write(pattern: &RowPattern, program: &mut Vec<Instruction>) {
    match pattern {
        RowPattern::Label(label) => program.push(Instruction::Label(number(*label))),
        RowPattern::Empty => {}
        RowPattern::PartitionStart => program.push(Instruction::Start),
        RowPattern::PartitionEnd => program.push(Instruction::End),
        RowPattern::Exclusion(inner) => {
            program.push(Instruction::Save);
            write(inner, program);
            program.push(Instruction::Save);
        }
        RowPattern::Concatenation(parts) => parts.iter().for_each(|part| write(part, program)),
        RowPattern::Alternation(parts) => {
            let parts: Vec<Vec<&RowPattern>> = parts.iter().map(|part| vec![part]).collect();
            alternation(&parts, program);
        }
        RowPattern::Permutation(parts) => alternation(&orders(parts), program),
        RowPattern::Quantified { pattern, at_least, at_most, is_greedy } => match at_most {
            Some(at_most) => range(pattern, (*at_least, *at_most), *is_greedy, program),
            None => repeated(pattern, *at_least, *is_greedy, program),
        },
    }
}

fn alternation(parts: &[Vec<&RowPattern>], program: &mut Vec<Instruction>) {
    let mut jumps = Vec::with_capacity(parts.len());
    for (index, part) in parts.iter().enumerate() {
        let split = program.len();
        let is_last = index + 1 == parts.len();
        if !is_last {
            program.push(OPEN);
        }
        part.iter().for_each(|part| write(part, program));
        if !is_last {
            jumps.push(program.len());
            program.push(OPEN);
            program[split] = Instruction::Split(number(split + 1), number(program.len()));
        }
    }
    let end = number(program.len());
    jumps.into_iter().for_each(|jump| program[jump] = Instruction::Jump(end));
}

/// All permutations of the parts, in lexicographic order.
fn orders(parts: &[RowPattern]) -> Vec<Vec<&RowPattern>> {
    let mut orders: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in parts {
        orders = orders
            .into_iter()
            .flat_map(|order| {
                let next = (0..parts.len()).filter(|part| !order.contains(part)).collect::<Vec<_>>();
                next.into_iter().map(move |part| order.iter().copied().chain([part]).collect())
            })
            .collect();
    }
    orders.into_iter().map(|order| order.into_iter().map(|part| &parts[part]).collect()).collect()
}

fn split(preferred: usize, other: usize, is_greedy: bool) -> Instruction {
    if is_greedy {
        Instruction::Split(number(preferred), number(other))
    } else {
        Instruction::Split(number(other), number(preferred))
    }
}

fn repeated(pattern: &RowPattern, at_least: u32, is_greedy: bool, program: &mut Vec<Instruction>) {
    let start = program.len();
    if at_least == 0 {
        program.push(OPEN);
    }
    let mut again = program.len();
    for _ in 0..at_least.max(1) {
        again = program.len();
        write(pattern, program);
    }
    let end = program.len() + 1;
    program.push(split(again, end, is_greedy));
    if at_least == 0 {
        program[start] = split(start + 1, end, is_greedy);
    }
}

fn range(pattern: &RowPattern, (least, most): (u32, u32), is_greedy: bool, program: &mut Vec<Instruction>) {
    for _ in 0..least {
        write(pattern, program);
    }
    let mut splits = Vec::new();
    for _ in least..most {
        splits.push(program.len());
        program.push(OPEN);
        write(pattern, program);
    }
    let end = program.len();
    splits.into_iter().for_each(|at| program[at] = split(at + 1, end, is_greedy));
}

fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// Propagates backwards until nothing changes, because loops jump back.
fn needs(instructions: &[Instruction], slots: &Slots) -> Vec<u64> {
    let mut needs = vec![0_u64; instructions.len()];
    loop {
        let mut is_new = false;
        for at in (0..instructions.len()).rev() {
            let of = |target: u32| needs.get(target as usize).copied().unwrap_or(0);
            let next = needs.get(at + 1).copied().unwrap_or(0);
            let found = match instructions[at] {
                Instruction::Label(label) => next | slots.of_label(label as usize),
                Instruction::Jump(target) => of(target),
                Instruction::Split(first, second) => of(first) | of(second),
                Instruction::Start | Instruction::End | Instruction::Save => next,
                Instruction::Done => 0,
            };
            is_new |= found != needs[at];
            needs[at] = found;
        }
        if !is_new {
            return needs;
        }
    }
}
