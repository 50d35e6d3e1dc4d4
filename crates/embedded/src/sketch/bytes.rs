//! Little-endian numbers.

use super::{Fault, Result};

/// Bytes that are read from their beginning.
pub(super) struct Bytes<'b> {
    left: &'b [u8],
    sketch: &'static str,
}

impl<'b> Bytes<'b> {
    /// Of a sketch that messages name.
    pub(super) const fn new(left: &'b [u8], sketch: &'static str) -> Self {
        Self { left, sketch }
    }

    /// Why the bytes are refused.
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

    /// A number of items of at least so many bytes each: no more than there are bytes for.
    pub(super) fn count(&mut self, bytes_each: usize) -> Result<usize> {
        let count = self.u32()? as usize;
        if count.saturating_mul(bytes_each) > self.left() { Err(self.fault()) } else { Ok(count) }
    }

    /// Nothing is left.
    pub(super) fn end(&self) -> Result<()> {
        if self.left.is_empty() { Ok(()) } else { Err(self.fault()) }
    }
}
