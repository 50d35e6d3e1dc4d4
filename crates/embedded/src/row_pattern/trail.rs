//! The ways of threads through the pattern: labels of rows, and ends of exclusions. Threads share common prefixes, and
//! nodes of ended threads are reused.

use super::state::NONE;

/// Represents the begin or end of an exclusion in place of a label.
pub(super) const SAVED: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Node {
    before: u32,
    passed: u32,
    uses: u32,
}

/// The ways of all threads as a tree; the last node identifies a way.
#[derive(Debug, Default)]
pub(super) struct Trail {
    nodes: Vec<Node>,
    free: Vec<u32>,
}

impl Trail {
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.free.clear();
    }

    /// Appends a step to a way. The reference to the way becomes one to the new way.
    pub(super) fn push(&mut self, before: u32, passed: u32) -> u32 {
        let node = Node { before, passed, uses: 1 };
        match self.free.pop() {
            Some(at) => {
                self.nodes[at as usize] = node;
                at
            }
            None => {
                self.nodes.push(node);
                u32::try_from(self.nodes.len() - 1).unwrap_or(NONE)
            }
        }
    }

    /// Adds a reference to a way.
    pub(super) fn retain(&mut self, way: u32) {
        if let Some(node) = self.nodes.get_mut(way as usize) {
            node.uses += 1;
        }
    }

    /// Removes a reference to a way.
    pub(super) fn release(&mut self, way: u32) {
        let mut way = way;
        while let Some(node) = self.nodes.get_mut(way as usize) {
            node.uses -= 1;
            if node.uses > 0 {
                return;
            }
            let before = node.before;
            self.free.push(way);
            way = before;
        }
    }

    /// The labels of the rows, and the begins and ends of exclusions.
    pub(super) fn passed(&self, way: u32) -> (Vec<u32>, Vec<(usize, usize)>) {
        let mut steps = Vec::new();
        let mut way = way;
        while let Some(node) = self.nodes.get(way as usize) {
            steps.push(node.passed);
            way = node.before;
        }
        let (mut labels, mut ends) = (Vec::with_capacity(steps.len()), Vec::new());
        for step in steps.into_iter().rev() {
            if step == SAVED {
                ends.push(labels.len());
            } else {
                labels.push(step);
            }
        }
        let exclusions = ends.chunks_exact(2).map(|ends| (ends[0], ends[1])).collect();
        (labels, exclusions)
    }
}
