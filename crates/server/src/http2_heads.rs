//! Heads over HTTP/2 that have begun and not ended. A head that does not fit into its HEADERS frame goes on in CONTINUATION
//! frames; what has arrived is decoded meanwhile, and a byte of it may stand for a field of a hundred. So such a head counts
//! as the longest one (D166), and has to end in time, whatever else its connection does. A head within one frame is not
//! decoded before the frame is complete, and takes no more than the buffer of any connection.

use std::time::Duration;

use tokio::time::Instant;

use crate::head_memory::HeldHead;

/// What an HTTP/2 client sends first.
const PREFACE: &[u8; 24] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/// Length, type, flags and stream of a frame.
const FRAME_HEAD_BYTES: usize = 9;
const HEADERS: u8 = 1;
const CONTINUATION: u8 = 9;
const END_HEADERS: u8 = 4;
/// Memory of the longest decoded head, whose fields are as short as they can be: three times the limit of the list.
pub(crate) const LONGEST_BYTES: usize = 216 << 10;

/// The head of one connection that has not ended, if there is one.
#[derive(Debug)]
pub(crate) struct OpenHead {
    frames: Frames,
    since: Option<Instant>,
    memory: HeldHead,
}

impl OpenHead {
    /// None yet.
    pub(crate) fn new(memory: HeldHead) -> Self {
        Self { frames: Frames::Preface(0), since: None, memory }
    }

    /// Follows the connection's next bytes; false if a head has begun for which there is no memory.
    pub(crate) fn follow(&mut self, bytes: &[u8]) -> bool {
        if matches!(self.frames, Frames::None) {
            return true;
        }
        if self.frames.take(bytes) {
            // Another one may have begun since.
            self.since = None;
        }
        if self.frames.has_open_head() {
            self.since.get_or_insert_with(Instant::now);
            return self.memory.grow_to_counted(LONGEST_BYTES);
        }
        self.memory.release();
        true
    }

    /// When it has to have ended.
    pub(crate) fn deadline(&self, limit: Duration) -> Option<Instant> {
        self.since.map(|since| since + limit)
    }
}

/// Where in its frames a connection is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Frames {
    /// So much of the preface has arrived.
    Preface(usize),
    /// The connection has another protocol.
    None,
    /// So many bytes of a frame's head have arrived.
    Head { bytes: [u8; FRAME_HEAD_BYTES], arrived: usize, is_open: bool },
    /// So many bytes of a frame's payload have not.
    Payload { missing: usize, is_open: bool, is_open_after: bool },
}

impl Frames {
    const fn next_frame(is_open: bool) -> Self {
        Self::Head { bytes: [0; FRAME_HEAD_BYTES], arrived: 0, is_open }
    }

    /// Whether a head has begun, and has not ended.
    const fn has_open_head(self) -> bool {
        match self {
            Self::Preface(_) | Self::None => false,
            Self::Head { is_open, .. } | Self::Payload { is_open, .. } => is_open,
        }
    }

    /// Follows the next bytes; returns whether a head that was open has ended in them.
    fn take(&mut self, mut rest: &[u8]) -> bool {
        let mut has_ended = false;
        while !rest.is_empty() {
            let was_open = self.has_open_head();
            let taken = match *self {
                Self::None => return has_ended,
                Self::Preface(arrived) => {
                    let expected = &PREFACE[arrived..];
                    let length = rest.len().min(expected.len());
                    *self = match (rest[..length] == expected[..length], length == expected.len()) {
                        (false, _) => Self::None,
                        (true, false) => Self::Preface(arrived + length),
                        (true, true) => Self::next_frame(false),
                    };
                    length
                }
                Self::Head { mut bytes, arrived, is_open } => {
                    let length = rest.len().min(FRAME_HEAD_BYTES - arrived);
                    bytes[arrived..arrived + length].copy_from_slice(&rest[..length]);
                    let arrived = arrived + length;
                    *self = if arrived < FRAME_HEAD_BYTES {
                        Self::Head { bytes, arrived, is_open }
                    } else {
                        Self::payload(bytes, is_open)
                    };
                    length
                }
                Self::Payload { missing, is_open, is_open_after } => {
                    let length = rest.len().min(missing);
                    *self = if length < missing {
                        Self::Payload { missing: missing - length, is_open, is_open_after }
                    } else {
                        Self::next_frame(is_open_after)
                    };
                    length
                }
            };
            has_ended |= was_open && !self.has_open_head();
            rest = &rest[taken..];
        }
        has_ended
    }

    fn payload(head: [u8; FRAME_HEAD_BYTES], is_open: bool) -> Self {
        let [high, middle, low, kind, flags, ..] = head;
        let missing = usize::from(high) << 16 | usize::from(middle) << 8 | usize::from(low);
        let is_open_after = match kind {
            HEADERS | CONTINUATION => flags & END_HEADERS == 0,
            // No other frame may stand within a head: the connection is about to be closed.
            _ => is_open,
        };
        if missing == 0 {
            return Self::next_frame(is_open_after);
        }
        Self::Payload { missing, is_open, is_open_after }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::head_memory::HeadMemory;

    const DATA: u8 = 0;

    fn frame(kind: u8, flags: u8, payload_bytes: usize) -> Vec<u8> {
        let length = u32::try_from(payload_bytes).expect("a short frame").to_be_bytes();
        let mut frame = vec![length[1], length[2], length[3], kind, flags, 0, 0, 0, 1];
        frame.resize(FRAME_HEAD_BYTES + payload_bytes, 0xff);
        frame
    }

    #[test]
    fn a_head_is_open_from_its_first_frame_to_its_last() {
        let memory = HeadMemory::new(1 << 20);
        let mut head = OpenHead::new(memory.of_connection());
        let limit = Duration::from_secs(10);
        assert!(head.follow(PREFACE) && head.follow(&frame(HEADERS, END_HEADERS, 100)));
        assert!(head.follow(&frame(HEADERS, 0, 100)[..50]));
        assert_eq!((memory.used_bytes(), head.deadline(limit)), (0, None), "its frame is not complete");
        assert!(head.follow(&frame(HEADERS, 0, 100)[50..]));
        assert_eq!((memory.used_bytes(), head.deadline(limit).is_some()), (LONGEST_BYTES, true));
        assert!(head.follow(&frame(CONTINUATION, 0, 0)) && memory.used_bytes() == LONGEST_BYTES);
        assert!(head.follow(&frame(CONTINUATION, END_HEADERS, 7)));
        assert_eq!((memory.used_bytes(), head.deadline(limit)), (0, None));
        assert!(head.follow(&frame(HEADERS, 0, 1)));
        drop(head);
        assert_eq!(memory.used_bytes(), 0);
    }

    #[tokio::test]
    async fn each_head_has_a_time_of_its_own() {
        let mut head = OpenHead::new(HeadMemory::new(1 << 20).of_connection());
        let begun = [PREFACE, &frame(HEADERS, 0, 3)[..]].concat();
        let ended_and_begun = [frame(CONTINUATION, END_HEADERS, 3), frame(HEADERS, 0, 3)].concat();
        let mut deadlines = Vec::new();
        for bytes in [&begun, &frame(CONTINUATION, 0, 3), &ended_and_begun] {
            assert!(head.follow(bytes));
            deadlines.push(head.deadline(Duration::ZERO));
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        assert!(deadlines[0] == deadlines[1] && deadlines[1] < deadlines[2], "{deadlines:?}");
    }

    #[test]
    fn there_is_room_for_some_open_heads() {
        let memory = HeadMemory::new(4 * LONGEST_BYTES);
        let mut heads: Vec<_> = (0..4).map(|_| OpenHead::new(memory.of_connection())).collect();
        let begun = [PREFACE, &frame(HEADERS, 0, 3)[..]].concat();
        let room: Vec<_> = heads.iter_mut().map(|head| head.follow(&begun)).collect();
        // None gets more than what is left to others.
        assert_eq!((room, memory.refused()), (vec![true, true, true, false], 1));
    }

    #[test]
    fn other_protocols_have_no_frames() {
        let memory = HeadMemory::new(1);
        for beginning in [&b"GET / HTTP/1.1\r\n\r\n"[..], b"PRIX", b"P", b"\x16\x03\x01"] {
            let mut head = OpenHead::new(memory.of_connection());
            assert!(head.follow(beginning) && head.follow(&frame(HEADERS, 0, 3)));
            assert_eq!(memory.used_bytes(), 0);
        }
    }

    proptest! {
        #[test]
        fn how_the_bytes_are_split_makes_no_difference(
            frames in proptest::collection::vec((0_u8..12, any::<u8>(), 0_usize..40), 0..20),
            cuts in proptest::collection::vec(1_usize..30, 1..60),
        ) {
            let frames: Vec<_> = frames.into_iter().map(|(kind, flags, length)| frame(kind, flags, length)).collect();
            let all = [PREFACE.to_vec(), frames.concat()].concat();
            let mut at_once = Frames::Preface(0);
            at_once.take(&all);
            let mut in_pieces = Frames::Preface(0);
            let mut rest = &all[..];
            for cut in cuts.into_iter().cycle() {
                let (piece, after) = rest.split_at(cut.min(rest.len()));
                in_pieces.take(piece);
                rest = after;
                if rest.is_empty() {
                    break;
                }
            }
            prop_assert_eq!(at_once, in_pieces);
            let last = frames.iter().rfind(|frame| frame[3] == HEADERS || frame[3] == CONTINUATION);
            prop_assert_eq!(at_once.has_open_head(), last.is_some_and(|frame| frame[4] & END_HEADERS == 0));
            let mut with_data = at_once;
            with_data.take(&frame(DATA, 0, 3));
            prop_assert_eq!(with_data.has_open_head(), at_once.has_open_head());
        }
    }
}
