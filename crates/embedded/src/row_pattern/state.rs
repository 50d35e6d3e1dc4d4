//! The state of a thread: the facts about the labels so far that conditions refer to. Only these distinguish threads.

use std::collections::HashMap;
use std::rc::Rc;

/// No row, no label or no chain.
pub(crate) const NONE: u32 = u32::MAX;

/// The values of the slots. Threads that split share them.
pub(super) type State = Rc<[u32]>;

/// Facts about the rows with certain labels, or about all rows if there are no labels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// The last rows, the most recent one first.
    LastRows { labels: Vec<usize>, depth: usize },
    /// The n-th row, counted from 0.
    FirstRow { labels: Vec<usize>, nth: u32 },
    /// The labels of the last rows, the most recent one first.
    LastLabels { labels: Vec<usize>, depth: usize },
    /// The label of the n-th row, counted from 0.
    FirstLabel { labels: Vec<usize>, nth: u32 },
    /// A list of all rows, with or without their labels.
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

/// The slots of a pattern, and the slots that the condition of each label refers to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slots {
    slots: Vec<Slot>,
    offsets: Vec<usize>,
    width: usize,
    of_labels: Vec<u64>,
}

impl Slots {
    /// No slots, for this number of labels.
    pub(crate) fn new(labels: usize) -> Self {
        Self { of_labels: vec![0; labels], ..Self::default() }
    }

    /// Adds a slot that the condition of a label refers to; returns its index.
    pub(crate) fn add(&mut self, slot: Slot, label: usize) -> usize {
        let index = self.slots.iter().position(|known| *known == slot).unwrap_or_else(|| {
            self.offsets.push(self.width);
            self.width += slot.width();
            self.slots.push(slot);
            self.slots.len() - 1
        });
        // If there are more slots than bits, the label needs all slots.
        self.of_labels[label] |= 1_u64.checked_shl(u32::try_from(index).unwrap_or(64)).unwrap_or(u64::MAX);
        index
    }

    pub(super) fn of_label(&self, label: usize) -> u64 {
        let bits = self.of_labels.get(label).copied().unwrap_or(0);
        if self.slots.len() > 64 && bits != 0 { u64::MAX } else { bits }
    }

    /// The state before the first row.
    pub(super) fn start(&self) -> State {
        let mut state = vec![NONE; self.width];
        for (slot, offset) in self.slots.iter().zip(&self.offsets) {
            if matches!(slot, Slot::FirstRow { .. } | Slot::FirstLabel { .. }) {
                state[*offset] = 0;
            }
        }
        state.into()
    }

    /// Whether a row with this label changes a state.
    pub(super) fn takes(&self, label: u32) -> bool {
        self.slots.iter().any(|slot| slot.takes(label as usize))
    }

    /// The lists that a state refers to.
    pub(super) fn chains<'s>(&'s self, state: &'s [u32]) -> impl Iterator<Item = u32> + 's {
        let slots = self.slots.iter().zip(&self.offsets);
        let chains = slots.filter(|(slot, _)| matches!(slot, Slot::Chain { .. }));
        chains.map(|(_, offset)| state[*offset])
    }

    /// The state with one more row and its label.
    pub(super) fn advanced(&self, state: &[u32], label: u32, row: u32, chains: &mut Chains) -> State {
        let mut state: State = state.into();
        let values = Rc::make_mut(&mut state);
        for (slot, offset) in self.slots.iter().zip(&self.offsets) {
            if !slot.takes(label as usize) {
                continue;
            }
            let own = &mut values[*offset..offset + slot.width()];
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

    /// Adds the values that distinguish states if these slots are needed.
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

/// Minimum number of links before free ones are collected.
const MIN_COLLECTED: usize = 1024;

/// Lists of rows; equal lists are shared. Links that no thread's list contains any more are freed once they are as many
/// as the others. Their numbers are not reused before that, because a link of a thread's list may be remembered and
/// searched in the list.
#[derive(Debug, Default)]
pub(crate) struct Chains {
    links: Vec<[u32; 3]>,
    known: HashMap<[u32; 3], u32>,
    free: Vec<u32>,
    /// The number of links in use after the last collection.
    kept: usize,
}

impl Chains {
    pub(super) fn clear(&mut self) {
        // Clearing a hash table takes time in proportion to its capacity, and there is a run for each row.
        if self.known.capacity() / 8 > self.known.len() + MIN_COLLECTED {
            *self = Self::default();
            return;
        }
        self.links.clear();
        self.known.clear();
        self.free.clear();
        self.kept = 0;
    }

    fn push(&mut self, before: u32, row: u32, label: u32) -> u32 {
        let link = [before, row, label];
        *self.known.entry(link).or_insert_with(|| match self.free.pop() {
            Some(at) => {
                self.links[at as usize] = link;
                at
            }
            None => {
                self.links.push(link);
                u32::try_from(self.links.len() - 1).unwrap_or(NONE)
            }
        })
    }

    /// Whether links must be [collected](Self::collect).
    pub(super) fn is_full(&self) -> bool {
        self.known.len() > 2 * self.kept.max(MIN_COLLECTED)
    }

    /// Frees all links except those of these lists.
    pub(super) fn collect(&mut self, lists: impl Iterator<Item = u32>) {
        let mut is_kept = vec![false; self.links.len()];
        for list in lists {
            let mut at = list as usize;
            while let Some(is_kept) = is_kept.get_mut(at)
                && !std::mem::replace(is_kept, true)
            {
                at = self.links[at][0] as usize;
            }
        }
        let free = &mut self.free;
        self.known.retain(|_, at| {
            let is_kept = is_kept[*at as usize];
            if !is_kept {
                free.push(*at);
            }
            is_kept
        });
        self.kept = self.known.len();
    }

    /// The number of links, in use or free.
    #[cfg(test)]
    pub(super) fn room(&self) -> usize {
        self.links.len()
    }

    /// Rows and labels from the last one backwards, each with the chain that ends with it.
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
