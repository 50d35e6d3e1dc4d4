//! Parses little-endian numbers.

use super::{Fault, Result};

/// Bytes that are parsed from the beginning.
pub(super) struct Bytes<'b> {
    left: &'b [u8],
    sketch: &'static str,
}

impl<'b> Bytes<'b> {
    /// The bytes of a sketch; messages contain its name.
    pub(super) const fn new(left: &'b [u8], sketch: &'static str) -> Self {
        Self { left, sketch }
    }

    /// The error of invalid bytes.
    pub(super) fn fault(&self) -> Fault {
        Fault(format!("Cannot deserialize {}", self.sketch))
    }

    pub(super) const fn left(&self) -> usize {
        self.left.len()
    }

    pub(super) fn take(&mut self, count: usize) -> Result<&'b [u8]> {
        let (taken, left) = self.left.split_at_checked(count).ok_or_else(|| self.fault())?;
        self.left = left;
        Ok(taken)
    }

    fn array<const COUNT: usize>(&mut self) -> Result<[u8; COUNT]> {
        let taken = self.take(COUNT)?;
        taken.try_into().map_err(|_| self.fault())
    }

    pub(super) fn byte(&mut self) -> Result<u8> {
        self.array::<1>().map(|[byte]| byte)
    }

    pub(super) fn u16(&mut self) -> Result<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub(super) fn u32(&mut self) -> Result<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Result<u64> {
        self.array().map(u64::from_le_bytes)
    }

    pub(super) fn i64(&mut self) -> Result<i64> {
        self.array().map(i64::from_le_bytes)
    }

    pub(super) fn double(&mut self) -> Result<f64> {
        self.array().map(f64::from_le_bytes)
    }

    /// Parses a number of items that have at least `bytes_each` bytes each; more items than the remaining bytes can
    /// contain are an error.
    pub(super) fn count(&mut self, bytes_each: usize) -> Result<usize> {
        let count = self.u32()? as usize;
        if count.saturating_mul(bytes_each) > self.left() { Err(self.fault()) } else { Ok(count) }
    }

    /// Fails unless all bytes are consumed.
    pub(super) fn end(&self) -> Result<()> {
        if self.left.is_empty() { Ok(()) } else { Err(self.fault()) }
    }
}
