//! Text that needs no escape in a JSON string. Whether a whole column qualifies is determined once, when its batch is
//! decoded.

/// Bytes per step of the scan.
pub(crate) const STEP_BYTES: usize = 16;

/// Whether no byte needs an escape in a JSON string.
pub(crate) fn is_plain_json(bytes: &[u8]) -> bool {
    let (steps, rest) = bytes.as_chunks::<STEP_BYTES>();
    let mut flags = [0; STEP_BYTES];
    steps.iter().for_each(|step| add_flags(&mut flags, step));
    flags == [0; STEP_BYTES] && !rest.iter().any(|byte| needs_escape(*byte))
}

/// Whether a byte needs an escape in a JSON string.
#[inline(always)]
pub(crate) const fn needs_escape(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

/// Written so that the compiler vectorizes it.
#[inline(always)]
pub(crate) fn add_flags(flags: &mut [u8; STEP_BYTES], step: &[u8; STEP_BYTES]) {
    for (flag, byte) in flags.iter_mut().zip(step) {
        *flag |= u8::from(needs_escape(*byte));
    }
}
