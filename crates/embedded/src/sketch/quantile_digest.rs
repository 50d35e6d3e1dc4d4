//! Quantile digest in the format of Trino's `qdigest_agg`: a binary tree over the bits of values, with a weight at each
//! node. Nodes of little weight are merged into their parents, so the error of a quantile is bounded by a fraction of
//! the total weight.

use super::bytes::Bytes;
use super::{Result, fault};

/// Bits of a value.
const BITS: u32 = u64::BITS;

/// Weights below this are zero.
const NO_WEIGHT: f64 = 1e-5;

/// Bytes of a node: its structure, its weight and its value.
const NODE_BYTES: usize = 17;

const HAS_LEFT: u8 = 1;
const HAS_RIGHT: u8 = 2;

type Place = usize;

/// A digest of 64-bit integers.
#[derive(Clone, Debug)]
pub(crate) struct QuantileDigest {
    max_error: f64,
    weight: f64,
    min: i64,
    max: i64,
    root: Option<Place>,
    nodes: Vec<Node>,
    free: Vec<Place>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    /// The value; its order is that of unsigned numbers.
    value: u64,
    /// The number of low bits in which values below the node differ; 0 for a leaf.
    level: u32,
    weight: f64,
    left: Option<Place>,
    right: Option<Place>,
}

impl Node {
    /// The bits in which values below the node differ.
    const fn mask(&self) -> u64 {
        if self.level == 0 { 0 } else { u64::MAX >> (BITS - self.level) }
    }

    /// The greatest value below the node.
    const fn upper(&self) -> i64 {
        from_bits(self.value | self.mask())
    }

    /// The least value below the node.
    const fn lower(&self) -> i64 {
        from_bits(self.value & !self.mask())
    }

    /// Whether a value below the node is below its right child.
    const fn is_right(&self, value: u64) -> bool {
        value & (1 << (self.level - 1)) != 0
    }
}

/// An integer as an unsigned number with the same order.
const fn to_bits(value: i64) -> u64 {
    value.cast_unsigned() ^ (1 << (BITS - 1))
}

const fn from_bits(bits: u64) -> i64 {
    (bits ^ (1 << (BITS - 1))).cast_signed()
}

const fn are_together(left: u64, right: u64, level: u32) -> bool {
    level >= BITS || left >> level == right >> level
}

impl QuantileDigest {
    /// An empty digest whose quantiles have at most this error, a fraction between 0 and 1.
    pub(crate) const fn new(max_error: f64) -> Self {
        Self {
            max_error,
            weight: 0.0,
            min: i64::MAX,
            max: i64::MIN,
            root: None,
            nodes: Vec::new(),
            free: Vec::new(),
        }
    }

    /// Adds a value with a weight, which must exceed 0.
    pub(crate) fn add(&mut self, value: i64, weight: f64) {
        self.min = self.min.min(value);
        self.max = self.max.max(value);
        let before = self.weight;
        self.insert(to_bits(value), weight);
        // If the weight passes a multiple of the factor, other nodes than before can be merged.
        let factor = self.factor();
        if (before / factor).floor() < (self.weight / factor).floor() {
            self.compress();
        }
    }

    fn factor(&self) -> f64 {
        let Some(root) = self.root else { return 1.0 };
        (f64::from(self.nodes[root].level + 1) / self.max_error).min(f64::from(i32::MAX)).floor().max(1.0)
    }

    fn insert(&mut self, value: u64, weight: f64) {
        if weight < NO_WEIGHT {
            return;
        }
        let mut parent: Option<(Place, bool)> = None;
        let mut next = self.root;
        loop {
            let Some(current) = next else {
                let leaf = self.node(value, 0, weight);
                return self.set_child(parent, leaf);
            };
            let node = self.nodes[current];
            if !are_together(value, node.value, node.level) {
                let leaf = self.node(value, 0, weight);
                let both = self.siblings(current, leaf);
                return self.set_child(parent, both);
            }
            if node.level == 0 {
                self.nodes[current].weight += weight;
                self.weight += weight;
                return;
            }
            let is_right = node.is_right(value);
            parent = Some((current, is_right));
            next = if is_right { node.right } else { node.left };
        }
    }

    fn set_child(&mut self, parent: Option<(Place, bool)>, child: Place) {
        match parent {
            None => self.root = Some(child),
            Some((parent, true)) => self.nodes[parent].right = Some(child),
            Some((parent, false)) => self.nodes[parent].left = Some(child),
        }
    }

    fn node(&mut self, value: u64, level: u32, weight: f64) -> Place {
        self.weight += weight;
        let node = Node { value, level, weight, left: None, right: None };
        match self.free.pop() {
            Some(place) => {
                self.nodes[place] = node;
                place
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() - 1
            }
        }
    }

    /// Creates the parent of two nodes, neither of which is above the other.
    fn siblings(&mut self, first: Place, second: Place) -> Place {
        let (one, other) = (self.nodes[first].value, self.nodes[second].value);
        let parent = self.node(one, BITS - (one ^ other).leading_zeros(), 0.0);
        let (left, right) = if self.nodes[parent].is_right(one) { (second, first) } else { (first, second) };
        (self.nodes[parent].left, self.nodes[parent].right) = (Some(left), Some(right));
        parent
    }

    /// Adds the values of another digest.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.root = self.merged(self.root, other, other.root);
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
        self.compress();
    }

    /// Merges the nodes of another digest into a node. The recursion is at most as deep as a value has bits, because
    /// levels decrease.
    fn merged(&mut self, place: Option<Place>, other: &Self, of_other: Option<Place>) -> Option<Place> {
        let Some(of_other) = of_other else { return place };
        let Some(place) = place else { return self.copied(other, Some(of_other)) };
        let (node, added) = (self.nodes[place], other.nodes[of_other]);
        if !are_together(node.value, added.value, node.level.max(added.level)) {
            let copy = self.copied(other, Some(of_other))?;
            return Some(self.siblings(place, copy));
        }
        if node.level > added.level {
            if node.is_right(added.value) {
                self.nodes[place].right = self.merged(node.right, other, Some(of_other));
            } else {
                self.nodes[place].left = self.merged(node.left, other, Some(of_other));
            }
            return Some(place);
        }
        if node.level < added.level {
            let (left, right) = if added.is_right(node.value) {
                (self.copied(other, added.left), self.merged(Some(place), other, added.right))
            } else {
                (self.merged(Some(place), other, added.left), self.copied(other, added.right))
            };
            let above = self.node(added.value, added.level, added.weight);
            (self.nodes[above].left, self.nodes[above].right) = (left, right);
            return Some(above);
        }
        self.weight += added.weight;
        self.nodes[place].weight += added.weight;
        self.nodes[place].left = self.merged(node.left, other, added.left);
        self.nodes[place].right = self.merged(node.right, other, added.right);
        Some(place)
    }

    fn copied(&mut self, other: &Self, of_other: Option<Place>) -> Option<Place> {
        let node = other.nodes[of_other?];
        let place = self.node(node.value, node.level, node.weight);
        self.nodes[place].left = self.copied(other, node.left);
        self.nodes[place].right = self.copied(other, node.right);
        Some(place)
    }

    /// The nodes in post-order: children before their parents, left before right unless reversed.
    fn in_order(&self, is_reversed: bool) -> Vec<Place> {
        // The order is computed with parents first and then reversed, so no stack is deep.
        let mut order = Vec::with_capacity(self.nodes.len() - self.free.len());
        let mut stack: Vec<Place> = self.root.into_iter().collect();
        while let Some(place) = stack.pop() {
            order.push(place);
            let Node { left, right, .. } = self.nodes[place];
            let (first, second) = if is_reversed { (right, left) } else { (left, right) };
            stack.extend(first);
            stack.extend(second);
        }
        order.reverse();
        order
    }

    fn compress(&mut self) {
        let bound = (self.weight / self.factor()).floor();
        for place in self.in_order(false) {
            let Node { left, right, weight, .. } = self.nodes[place];
            if left.is_none() && right.is_none() {
                continue;
            }
            let weight_of = |child: Option<Place>| child.map_or(0.0, |child| self.nodes[child].weight);
            let (of_left, of_right) = (weight_of(left), weight_of(right));
            let is_light = weight + of_left + of_right < bound;
            if let Some(left) = left.filter(|_| is_light || of_left < NO_WEIGHT) {
                self.nodes[place].left = self.without(left);
                self.nodes[place].weight += of_left;
            }
            if let Some(right) = right.filter(|_| is_light || of_right < NO_WEIGHT) {
                self.nodes[place].right = self.without(right);
                self.nodes[place].weight += of_right;
            }
        }
        if let Some(root) = self.root
            && self.nodes[root].weight < NO_WEIGHT
        {
            self.root = self.without(root);
        }
    }

    /// The replacement of a node whose weight is zero: the node itself if it has two children.
    fn without(&mut self, place: Place) -> Option<Place> {
        let Node { left, right, .. } = self.nodes[place];
        if left.is_some() && right.is_some() {
            self.nodes[place].weight = 0.0;
            return Some(place);
        }
        self.free.push(place);
        left.or(right)
    }

    /// The value at a fraction of the weight, from 0 to 1.
    pub(crate) fn quantile(&self, fraction: f64) -> Result<i64> {
        if !(0.0..=1.0).contains(&fraction) {
            return fault("quantile must be between [0,1]");
        }
        let mut sum = 0.0;
        for place in self.in_order(false) {
            let node = &self.nodes[place];
            sum += node.weight;
            if sum > fraction * self.weight {
                return Ok(node.upper().min(self.max));
            }
        }
        Ok(self.max)
    }

    /// The fraction of the weight before a value; `None` if the value is outside of the range of all values.
    pub(crate) fn fraction_before(&self, value: i64) -> Option<f64> {
        let has_weight = |place: &Place| self.nodes[*place].weight >= NO_WEIGHT;
        let order = self.in_order(false);
        let least = order.iter().find(|place| has_weight(place));
        let least = least.map_or(self.min, |place| self.nodes[*place].lower()).max(self.min);
        let order_down = self.in_order(true);
        let most = order_down.iter().find(|place| has_weight(place));
        let most = most.map_or(self.max, |place| self.nodes[*place].upper()).min(self.max);
        if self.weight == 0.0 || value > most || value < least {
            return None;
        }
        let before = order.iter().map(|place| &self.nodes[*place]).take_while(|node| value > node.upper());
        // An empty sum of doubles is -0.
        Some(before.fold(0.0, |sum, node| sum + node.weight) / self.weight)
    }

    /// The digest in Trino's format.
    pub(crate) fn serialized(&mut self) -> Vec<u8> {
        self.compress();
        let order = self.in_order(false);
        let mut bytes = vec![0];
        bytes.extend(self.max_error.to_le_bytes());
        // Weights do not decay, so the start of the decay is 0.
        bytes.extend([0; 16]);
        bytes.extend(self.min.to_le_bytes());
        bytes.extend(self.max.to_le_bytes());
        bytes.extend(u32::try_from(order.len()).unwrap_or(u32::MAX).to_le_bytes());
        for place in order {
            let Node { value, level, weight, left, right } = self.nodes[place];
            let level = u8::try_from(level.saturating_sub(1)).unwrap_or(0);
            let mut structure = level << 2;
            structure |= if left.is_some() { HAS_LEFT } else { 0 };
            structure |= if right.is_some() { HAS_RIGHT } else { 0 };
            bytes.push(structure);
            bytes.extend(weight.to_le_bytes());
            bytes.extend(value.to_le_bytes());
        }
        bytes
    }

    /// Parses a digest in Trino's format.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut bytes = Bytes::new(bytes, "qdigest");
        let format = bytes.byte()?;
        let mut digest = Self::new(bytes.double()?);
        let (fading, since) = (bytes.double()?, bytes.i64()?);
        (digest.min, digest.max) = (bytes.i64()?, bytes.i64()?);
        let is_known = format == 0 && fading == 0.0 && since == 0 && (0.0..=1.0).contains(&digest.max_error);
        let count = bytes.count(NODE_BYTES)?;
        if !is_known {
            return Err(bytes.fault());
        }
        let mut stack: Vec<Place> = Vec::new();
        for _ in 0..count {
            let structure = bytes.byte()?;
            let (has_left, has_right) = (structure & HAS_LEFT != 0, structure & HAS_RIGHT != 0);
            let level = u32::from(structure >> 2) + u32::from(has_left || has_right);
            let (weight, value) = (bytes.double()?, bytes.u64()?);
            let place = digest.node(value, level, weight);
            let is_weight = weight.is_finite() && weight >= 0.0;
            let mut is_tree = is_weight && (level > 0 || !(has_left || has_right));
            for is_right in [true, false] {
                if (is_right && !has_right) || (!is_right && !has_left) {
                    continue;
                }
                let Some(child) = stack.pop() else { return Err(bytes.fault()) };
                let below = digest.nodes[child];
                is_tree &= below.level < level
                    && are_together(below.value, value, level)
                    && digest.nodes[place].is_right(below.value) == is_right;
                digest.set_child(Some((place, is_right)), child);
            }
            if !is_tree {
                return Err(bytes.fault());
            }
            stack.push(place);
        }
        digest.root = stack.pop();
        bytes.end()?;
        if stack.is_empty() { Ok(digest) } else { Err(bytes.fault()) }
    }
}
