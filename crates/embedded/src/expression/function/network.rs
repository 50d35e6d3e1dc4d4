//! IP address functions, and random UUIDs.

use polars::prelude::PolarsResult;
use rowhouse_sql::types::{VALUE_BYTES, parse_ip_address};

use super::{RowFunction, invalid};
use crate::datum::{Datum, Nulls};

/// Implements `contains(network, address)`.
pub(super) fn contains() -> (Nulls, RowFunction) {
    let apply: RowFunction = Box::new(|row| {
        let Datum::Binary(address) = &row[1] else { return Ok(Datum::Null) };
        let (network, bits) = network(row[0].text())?;
        let is_same = |bit: usize| {
            let mask = 0x80_u8 >> (bit % 8);
            network[bit / 8] & mask == address[bit / 8] & mask
        };
        Ok(Datum::Boolean((0..bits).all(is_same)))
    });
    (Nulls::Propagate, apply)
}

/// Parses `10.0.0.0/8` into the bytes of the address and the number of bits of the prefix. As in Trino, an IPv4 address
/// must have no bits after the prefix, whereas an IPv6 address may.
fn network(text: &str) -> PolarsResult<([u8; VALUE_BYTES], usize)> {
    let parsed = || {
        let (address, length) = text.split_once('/')?;
        let length = usize::try_from(length.parse::<i32>().ok()?).ok()?;
        let bytes = parse_ip_address(address).filter(|_| !address.contains('%'))?;
        let is_version_6 = address.contains(':');
        let (most, before) = if is_version_6 { (128, 0) } else { (32, 96) };
        let prefix = before + length;
        let is_set = |bit: usize| bytes[bit / 8] & 0x80_u8 >> (bit % 8) != 0;
        (length <= most && (is_version_6 || !(prefix..128).any(is_set))).then_some((bytes, prefix))
    };
    parsed().ok_or_else(|| invalid("Invalid CIDR"))
}
