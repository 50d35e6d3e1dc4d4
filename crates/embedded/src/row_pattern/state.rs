//! What conditions look at of the labels that a thread has given: only this tells threads apart.

use std::collections::HashMap;

/// No row, no label, no chain.
pub(crate) const NONE: u32 = u32::MAX;

/// Something that is kept of the rows with certain labels; of all rows where there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// The last rows, the last one first.
    LastRows { labels: Vec<usize>, depth: usize },
    /// The row after so many others.
    FirstRow { labels: Vec<usize>, nth: u32 },
    /// The labels of the last rows, the last one first.
    LastLabels { labels: Vec<usize>, depth: usize },
    /// The label of the row after so many others.
    FirstLabel { labels: Vec<usize>, nth: u32 },
    /// All rows, with their labels or without.
    Chain { labels: Vec<usize>, with_labels: bool },
}

impl Slot {
    fn takes(&self, label: usize) -> bool {
        let (Self::LastRows { labels, .. }
        | Self::FirstRow { labels, .. }
        | Self::LastLabels { labels, .. }
        | Self::FirstLabel { labels, .. }
        | Self::Chain { labels, .. }) = self;
        labels.is_empty() || labels.contains(&label)
    }

    const fn width(&self) -> usize {
        match self {
            Self::LastRows { depth, .. } | Self::LastLabels { depth, .. } => *depth,
            Self::FirstRow { .. } | Self::FirstLabel { .. } => 2,
            Self::Chain { .. } => 1,
        }
    }
}

/// The slots of a pattern, and which of them the condition of each label looks at.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slots {
    slots: Vec<Slot>,
    offsets: Vec<usize>,
    width: usize,
    of_labels: Vec<u64>,
}

impl Slots {
    /// None yet.
    pub(crate) fn new(labels: usize) -> Self {
        Self { of_labels: vec![0; labels], ..Self::default() }
    }

    /// The slot, which the condition of a label looks at.
    pub(crate) fn add(&mut self, slot: Slot, label: usize) -> usize {
        let index = self.slots.iter().position(|known| *known == slot).unwrap_or_else(|| {
            self.offsets.push(self.width);
            self.width += slot.width();
            self.slots.push(slot);
            self.slots.len() - 1
        });
        // Beyond the bits there are, each label needs all.
        self.of_labels[label] |= 1_u64.checked_shl(u32::try_from(index).unwrap_or(64)).unwrap_or(u64::MAX);
        index
    }

    pub(super) fn of_label(&self, label: usize) -> u64 {
        let bits = self.of_labels.get(label).copied().unwrap_or(0);
        if self.slots.len() > 64 && bits != 0 { u64::MAX } else { bits }
    }

    /// Of no rows.
    pub(super) fn start(&self) -> Vec<u32> {
        let mut state = vec![NONE; self.width];
        for (slot, offset) in self.slots.iter().zip(&self.offsets) {
            if matches!(slot, Slot::FirstRow { .. } | Slot::FirstLabel { .. }) {
                state[*offset] = 0;
            }
        }
        state
    }

    /// With one more row that has a label.
    pub(super) fn advanced(&self, state: &[u32], label: u32, row: u32, chains: &mut Chains) -> Vec<u32> {
        let mut state = state.to_vec();
        for (slot, offset) in self.slots.iter().zip(&self.offsets) {
            if !slot.takes(label as usize) {
                continue;
            }
            let own = &mut state[*offset..offset + slot.width()];
            match slot {
                Slot::LastRows { .. } => {
                    own.rotate_right(1);
                    own[0] = row;
                }
                Slot::LastLabels { .. } => {
                    own.rotate_right(1);
                    own[0] = label;
                }
                Slot::FirstRow { nth, .. } | Slot::FirstLabel { nth, .. } => {
                    if own[0] == *nth {
                        own[1] = if matches!(slot, Slot::FirstRow { .. }) { row } else { label };
                    }
                    own[0] = own[0].saturating_add(1).min(nth.saturating_add(1));
                }
                Slot::Chain { with_labels, .. } => {
                    own[0] = chains.push(own[0], row, if *with_labels { label } else { NONE });
                }
            }
        }
        state
    }

    /// What tells states apart where these slots are looked at.
    pub(super) fn key(&self, state: &[u32], needs: u64, key: &mut Vec<u32>) {
        for (index, (slot, offset)) in self.slots.iter().zip(&self.offsets).enumerate() {
            if needs == u64::MAX || (index < 64 && needs & (1 << index) != 0) {
                key.extend(&state[*offset..offset + slot.width()]);
            }
        }
    }

    /// The values of a slot.
    pub(crate) fn values<'s>(&self, state: &'s [u32], slot: usize) -> &'s [u32] {
        &state[self.offsets[slot]..self.offsets[slot] + self.slots[slot].width()]
    }
}

/// Lists of rows. Equal ones are one.
#[derive(Debug, Default)]
pub(crate) struct Chains {
    links: Vec<[u32; 3]>,
    known: HashMap<[u32; 3], u32>,
}

impl Chains {
    pub(super) fn clear(&mut self) {
        self.links.clear();
        self.known.clear();
    }

    fn push(&mut self, before: u32, row: u32, label: u32) -> u32 {
        let link = [before, row, label];
        *self.known.entry(link).or_insert_with(|| {
            self.links.push(link);
            u32::try_from(self.links.len() - 1).unwrap_or(NONE)
        })
    }

    /// Rows and labels from the last one back, each with the chain up to it.
    pub(crate) fn back(&self, chain: u32) -> impl Iterator<Item = (u32, u32, u32)> + '_ {
        let mut at = chain;
        std::iter::from_fn(move || {
            let [before, row, label] = *self.links.get(at as usize)?;
            let here = at;
            at = before;
            Some((row, label, here))
        })
    }
}
