//! Text that stands in a JSON string as it is. Whether all of a column's does is found once, when its batch is decoded.

/// What one step scans.
pub(crate) const STEP_BYTES: usize = 16;

/// Whether no byte needs an escape in a JSON string.
pub(crate) fn is_plain_json(bytes: &[u8]) -> bool {
    let (steps, rest) = bytes.as_chunks::<STEP_BYTES>();
    let mut flags = [0; STEP_BYTES];
    steps.iter().for_each(|step| add_flags(&mut flags, step));
    flags == [0; STEP_BYTES] && !rest.iter().any(|byte| needs_escape(*byte))
}

/// Whether a byte cannot stand in a JSON string as it is.
#[inline(always)]
pub(crate) const fn needs_escape(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

/// Written so that the compiler makes it a handful of vector instructions.
#[inline(always)]
pub(crate) fn add_flags(flags: &mut [u8; STEP_BYTES], step: &[u8; STEP_BYTES]) {
    for (flag, byte) in flags.iter_mut().zip(step) {
        *flag |= u8::from(needs_escape(*byte));
    }
}
