//! IP addresses as hosts, parsed like Java's `URI`.

use super::address::Malformed;

/// Checks an IPv6 address with an optional zone.
pub(super) fn check_bracketed(text: &[char]) -> Result<(), Malformed> {
    let zone = text.iter().position(|character| *character == '%');
    let address = &text[..zone.unwrap_or(text.len())];
    if let Some(zone) = zone {
        let zone = &text[zone + 1..];
        let is_of_zone = |character: &char| character.is_ascii_alphanumeric() || "_.".contains(*character);
        if zone.is_empty() || !zone.iter().all(is_of_zone) {
            return Err(Malformed);
        }
    }
    if address.is_empty() {
        return Err(Malformed);
    }
    let text: String = address.iter().collect();
    let count = match text.split_once("::") {
        None => bytes_of(&text, false)?,
        Some((before, after)) => {
            let count = if before.is_empty() { 0 } else { bytes_of(before, true)? }
                + if after.is_empty() { 0 } else { bytes_of(after, false)? };
            // `::` stands for at least one group of zeros.
            return if count < 16 { Ok(()) } else { Err(Malformed) };
        }
    };
    if count == 16 { Ok(()) } else { Err(Malformed) }
}

/// The number of bytes in numbers that are separated by colons. An IPv4 address may be the last one, unless more
/// numbers follow.
fn bytes_of(text: &str, goes_on: bool) -> Result<usize, Malformed> {
    let numbers: Vec<&str> = text.split(':').collect();
    let mut count = 0;
    for (place, number) in numbers.iter().enumerate() {
        let is_hexadecimal =
            (1..=4).contains(&number.len()) && number.chars().all(|digit| digit.is_ascii_hexdigit());
        count += if is_hexadecimal {
            2
        } else {
            let characters: Vec<char> = number.chars().collect();
            let is_last = place + 1 == numbers.len() && !goes_on;
            if !is_last || ipv4_length(&characters) != Some(characters.len()) {
                return Err(Malformed);
            }
            4
        };
    }
    Ok(count)
}

/// The length of the IPv4 address at the beginning of a text: four numbers up to 255, not followed by further digits
/// and points.
pub(super) fn ipv4_length(text: &[char]) -> Option<usize> {
    let length = text.iter().take_while(|character| character.is_ascii_digit() || **character == '.').count();
    let text: String = text[..length].iter().collect();
    let numbers: Vec<&str> = text.split('.').collect();
    let is_byte =
        |number: &&str| !number.is_empty() && number.parse::<i32>().is_ok_and(|number| number <= 255);
    (numbers.len() == 4 && numbers.iter().all(is_byte)).then_some(length)
}
