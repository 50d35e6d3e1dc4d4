//! Number of values in the dictionary of a column chunk. Parquet writers store it in the header of the dictionary page,
//! of which nothing else is read: some bytes of Thrift's compact protocol.

use std::fs::File;
use std::os::unix::fs::FileExt;

/// Bytes of a page header that are read. The header of a dictionary page without statistics has fewer than 30.
const MAX_HEADER_BYTES: usize = 128;
/// `PageType::DICTIONARY_PAGE`.
const DICTIONARY_PAGE: i64 = 2;
/// Maximum depth of Thrift structures in a valid header.
const MAX_DEPTH: usize = 4;

/// The contents of the header of a dictionary page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dictionary {
    /// The number of values.
    pub(super) values: u64,
    /// The uncompressed size of the page in bytes.
    pub(super) bytes: u64,
}

/// The dictionary whose page begins at `offset` bytes; `None` if there is no such page.
pub(super) fn dictionary_at(file: &File, offset: u64) -> Option<Dictionary> {
    let mut bytes = [0; MAX_HEADER_BYTES];
    let mut filled = 0;
    while filled < bytes.len() {
        let at = offset.checked_add(u64::try_from(filled).ok()?)?;
        match file.read_at(&mut bytes[filled..], at).ok()? {
            0 => break,
            count => filled += count,
        }
    }
    in_header(&bytes[..filled])
}

fn in_header(bytes: &[u8]) -> Option<Dictionary> {
    let mut header = Compact { bytes };
    let (mut field, mut is_dictionary, mut bytes) = (0, false, 0);
    while let Some((id, kind)) = header.field(field)? {
        field = id;
        match (id, kind) {
            (1, Kind::Integer) => is_dictionary = header.integer()? == DICTIONARY_PAGE,
            // `uncompressed_page_size`
            (2, Kind::Integer) => bytes = u64::try_from(header.integer()?).ok()?,
            // `dictionary_page_header`, whose first field is `num_values`.
            (7, Kind::Struct) if is_dictionary => {
                let Some((1, Kind::Integer)) = header.field(0)? else { return None };
                let values = u64::try_from(header.integer()?).ok()?;
                return Some(Dictionary { values, bytes });
            }
            (_, kind) => header.skip(kind, 0)?,
        }
    }
    None
}

/// The rest of a structure.
struct Compact<'a> {
    bytes: &'a [u8],
}

#[derive(Clone, Copy)]
enum Kind {
    Boolean,
    Byte,
    Integer,
    Double,
    Binary,
    Struct,
}

impl Compact<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(*first)
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0_u64;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    /// An integer in zigzag encoding.
    fn integer(&mut self) -> Option<i64> {
        let value = self.varint()?;
        Some((value >> 1).cast_signed() ^ -((value & 1).cast_signed()))
    }

    /// The next field's number and kind; `Some(None)` at the end of the structure.
    #[expect(clippy::option_option, reason = "a fault, the end, or a field")]
    fn field(&mut self, last: i64) -> Option<Option<(i64, Kind)>> {
        let head = self.byte()?;
        if head == 0 {
            return Some(None);
        }
        let kind = match head & 0x0F {
            1 | 2 => Kind::Boolean,
            3 => Kind::Byte,
            4..=6 => Kind::Integer,
            7 => Kind::Double,
            8 => Kind::Binary,
            12 => Kind::Struct,
            _ => return None,
        };
        let id = match head >> 4 {
            0 => self.integer()?,
            step => last.checked_add(i64::from(step))?,
        };
        Some(Some((id, kind)))
    }

    fn skip(&mut self, kind: Kind, depth: usize) -> Option<()> {
        match kind {
            Kind::Boolean => Some(()),
            Kind::Byte => self.byte().map(|_| ()),
            Kind::Integer => self.varint().map(|_| ()),
            Kind::Double => self.skip_bytes(8),
            Kind::Binary => {
                let length = usize::try_from(self.varint()?).ok()?;
                self.skip_bytes(length)
            }
            Kind::Struct if depth < MAX_DEPTH => {
                let mut last = 0;
                while let Some((id, kind)) = self.field(last)? {
                    last = id;
                    self.skip(kind, depth + 1)?;
                }
                Some(())
            }
            Kind::Struct => None,
        }
    }

    fn skip_bytes(&mut self, count: usize) -> Option<()> {
        self.bytes = self.bytes.get(count..)?;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fields 1 (type), 2, 3 (sizes), 4 (checksum), 7 (of the dictionary: 300 values, plain), as writers encode them.
    const HEADER: [u8; 18] = [
        0x15, 0x04, 0x15, 0xA0, 0x01, 0x15, 0x80, 0x02, 0x15, 0x09, 0x3C, 0x15, 0xD8, 0x04, 0x15, 0x00, 0x00,
        0x00,
    ];

    #[test]
    fn the_number_of_dictionary_values_is_read() {
        assert_eq!(in_header(&HEADER).map(|found| found.values), Some(300));
    }

    #[test]
    fn invalid_dictionary_headers_are_ignored() {
        let mut data_page = HEADER;
        data_page[1] = 0x00;
        assert_eq!(in_header(&data_page), None);
        for length in 0..14 {
            assert_eq!(in_header(&HEADER[..length]), None, "{length}");
        }
        assert_eq!(in_header(&[0xFF; 64]), None);
        assert_eq!(in_header(&[0x1C; 128]), None);
    }
}
