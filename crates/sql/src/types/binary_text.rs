//! Text forms of the types with 16-byte values: `uuid` and `ipaddress`, as in Trino.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The size of a value of either type in bytes.
pub const VALUE_BYTES: usize = 16;

/// The first 12 bytes of an IPv4-mapped address.
const MAPPED: [u8; 12] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];

/// The positions of the dashes in a UUID.
const DASHES: [usize; 4] = [8, 13, 18, 23];

/// Parses a UUID of 36 characters, in upper or lower case.
pub fn parse_uuid(text: &str) -> Option<[u8; VALUE_BYTES]> {
    let characters = text.as_bytes();
    if characters.len() != 36 || DASHES.iter().any(|at| characters[*at] != b'-') {
        return None;
    }
    let mut digits = characters.iter().enumerate().filter(|(at, _)| !DASHES.contains(at));
    let mut digit = || u8::try_from(char::from(*digits.next()?.1).to_digit(16)?).ok();
    let mut bytes = [0; VALUE_BYTES];
    for byte in &mut bytes {
        *byte = digit()? << 4 | digit()?;
    }
    Some(bytes)
}

/// Formats a UUID in lower case.
pub fn uuid_text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(36);
    for (index, byte) in bytes.iter().enumerate() {
        if matches!(index, 4 | 6 | 8 | 10) {
            text.push('-');
        }
        text += &format!("{byte:02x}");
    }
    text
}

/// Parses an IPv4 or IPv6 address. A zone after an IPv6 address is ignored.
pub fn parse_ip_address(text: &str) -> Option<[u8; VALUE_BYTES]> {
    let address = match text.split_once('%') {
        Some((address, zone)) if address.contains(':') && !zone.is_empty() => address,
        Some(_) => return None,
        None => text,
    };
    Some(match address.parse().ok()? {
        IpAddr::V4(address) => mapped(address.octets()),
        IpAddr::V6(address) => address.octets(),
    })
}

/// The value of an IPv4 address.
pub fn mapped(octets: [u8; 4]) -> [u8; VALUE_BYTES] {
    let mut bytes = [0; VALUE_BYTES];
    bytes[..12].copy_from_slice(&MAPPED);
    bytes[12..].copy_from_slice(&octets);
    bytes
}

/// Formats an address; an IPv4-mapped address in IPv4 notation.
pub fn ip_address_text(bytes: &[u8]) -> String {
    match <[u8; VALUE_BYTES]>::try_from(bytes) {
        Ok([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, a, b, c, d]) => Ipv4Addr::new(a, b, c, d).to_string(),
        Ok(octets) => Ipv6Addr::from(octets).to_string(),
        Err(_) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uuids_round_trip() {
        let text = "12151fd2-7586-11e9-8f9e-2a86e4085a59";
        let bytes = parse_uuid(&text.to_uppercase()).expect("a UUID");
        assert_eq!((bytes[0], bytes[15], uuid_text(&bytes).as_str()), (0x12, 0x59, text));
        for wrong in
            ["", "12151fd2758611e98f9e2a86e4085a59", &text[1..], "g2151fd2-7586-11e9-8f9e-2a86e4085a59"]
        {
            assert_eq!(parse_uuid(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn addresses_round_trip() {
        for (text, expected) in [
            ("10.0.0.1", Some("10.0.0.1")),
            ("::ffff:1.2.3.4", Some("1.2.3.4")),
            ("2001:db8:0:0:1:0:0:1", Some("2001:db8::1:0:0:1")),
            ("::1.2.3.4", Some("::102:304")),
            ("fe80::1%eth0", Some("fe80::1")),
            ("::", Some("::")),
            ("1::", Some("1::")),
            ("1.2.3", None),
            ("01.2.3.4", None),
            ("1.2.3.4%eth0", None),
            ("x", None),
        ] {
            let found = parse_ip_address(text).map(|bytes| ip_address_text(&bytes));
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }
}
