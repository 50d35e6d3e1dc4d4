//! SpookyHash V2, after Bob Jenkins' description (burtleburtle.net/bob/hash/spooky.html), with both seeds 0.

const MARK: u64 = 0xdead_beef_dead_beef;

/// Shorter messages are hashed with four words of state, longer ones with twelve.
const LONG_BYTES: usize = 192;

/// Bytes of a block: twelve words.
const BLOCK_BYTES: usize = 96;

const MIX_ROTATIONS: [u32; 12] = [11, 32, 43, 31, 17, 28, 39, 57, 55, 54, 22, 46];

const END_ROTATIONS: [u32; 12] = [44, 15, 34, 21, 38, 33, 10, 13, 38, 53, 42, 54];

const SHORT_MIX_ROTATIONS: [u32; 12] = [50, 52, 30, 41, 54, 48, 38, 37, 62, 34, 5, 36];

const SHORT_END_ROTATIONS: [u32; 11] = [15, 52, 26, 51, 28, 9, 47, 54, 32, 25, 63];

/// The hash of 64 bits. The hash of 32 bits is its lower half.
pub(super) fn hash64(bytes: &[u8]) -> u64 {
    if bytes.len() < LONG_BYTES { short(bytes) } else { long(bytes) }
}

/// The number in the first eight bytes, or in fewer if there are no more, in little-endian order.
fn word(bytes: &[u8]) -> u64 {
    bytes.iter().take(8).rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

fn short(bytes: &[u8]) -> u64 {
    let [mut a, mut b, mut c, mut d] = [0u64, 0, MARK, MARK];
    let mix = |[a, b, c, d]: [&mut u64; 4]| {
        let mut state = [*c, *d, *a, *b];
        for (step, rotation) in SHORT_MIX_ROTATIONS.iter().enumerate() {
            let [own, next, other] = [step % 4, (step + 1) % 4, (step + 2) % 4];
            state[own] = state[own].rotate_left(*rotation).wrapping_add(state[next]);
            state[other] ^= state[own];
        }
        [*c, *d, *a, *b] = state;
    };
    let pieces = bytes.chunks_exact(32);
    let mut rest = pieces.remainder();
    for piece in pieces {
        c = c.wrapping_add(word(piece));
        d = d.wrapping_add(word(&piece[8..]));
        mix([&mut a, &mut b, &mut c, &mut d]);
        a = a.wrapping_add(word(&piece[16..]));
        b = b.wrapping_add(word(&piece[24..]));
    }
    if rest.len() >= 16 {
        c = c.wrapping_add(word(rest));
        d = d.wrapping_add(word(&rest[8..]));
        mix([&mut a, &mut b, &mut c, &mut d]);
        rest = &rest[16..];
    }
    d = d.wrapping_add((bytes.len() as u64) << 56);
    if rest.is_empty() {
        c = c.wrapping_add(MARK);
        d = d.wrapping_add(MARK);
    } else {
        c = c.wrapping_add(word(rest));
        d = d.wrapping_add(word(rest.get(8..).unwrap_or_default()));
    }
    let mut state = [c, d, a, b];
    for (step, rotation) in SHORT_END_ROTATIONS.iter().enumerate() {
        let [own, next] = [step % 4, (step + 1) % 4];
        state[next] ^= state[own];
        state[own] = state[own].rotate_left(*rotation);
        state[next] = state[next].wrapping_add(state[own]);
    }
    state[2]
}

fn long(bytes: &[u8]) -> u64 {
    let mut state: [u64; 12] = std::array::from_fn(|at| if at % 3 == 2 { MARK } else { 0 });
    let blocks = bytes.chunks_exact(BLOCK_BYTES);
    let rest = blocks.remainder();
    for block in blocks {
        for (at, rotation) in MIX_ROTATIONS.iter().enumerate() {
            let [next, second, last, before] = [1, 2, 11, 10].map(|distance| (at + distance) % 12);
            state[at] = state[at].wrapping_add(word(&block[8 * at..]));
            state[second] ^= state[before];
            state[last] ^= state[at];
            state[at] = state[at].rotate_left(*rotation);
            state[last] = state[last].wrapping_add(state[next]);
        }
    }
    let mut last = [0; BLOCK_BYTES];
    last[..rest.len()].copy_from_slice(rest);
    last[BLOCK_BYTES - 1] = u8::try_from(rest.len()).unwrap_or_default();
    for (at, word_of_state) in state.iter_mut().enumerate() {
        *word_of_state = word_of_state.wrapping_add(word(&last[8 * at..]));
    }
    for _ in 0..3 {
        for (at, rotation) in END_ROTATIONS.iter().enumerate() {
            let [own, second, last] = [1, 2, 11].map(|distance| (at + distance) % 12);
            state[last] = state[last].wrapping_add(state[own]);
            state[second] ^= state[last];
            state[own] = state[own].rotate_left(*rotation);
        }
    }
    state[0]
}
