//! The escapes of `U&'…'`: `\0041`, `\+01F600`, `\\`, or another escape character instead of the backslash.

/// The text with its escapes replaced, or an error message.
pub(super) fn decoded(text: &str, escape: Option<&str>) -> Result<String, String> {
    let escape = escape.map_or(Ok('\\'), escape_character)?;
    let mut decoded = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character != escape {
            decoded.push(character);
            continue;
        }
        let (mut digits, wanted) = match characters.next() {
            Some(character) if character == escape => {
                decoded.push(escape);
                continue;
            }
            Some('+') => (String::new(), 6),
            Some(digit) if digit.is_ascii_hexdigit() => (digit.to_string(), 4),
            Some(other) => return Err(format!("Invalid hexadecimal digit: {other}")),
            None => return Err("Incomplete escape sequence: ".to_owned()),
        };
        while digits.len() < wanted {
            match characters.next() {
                Some(digit) if digit.is_ascii_hexdigit() => digits.push(digit),
                _ => return Err(format!("Incomplete escape sequence: {digits}")),
            }
        }
        decoded.push(code_point(&digits)?);
    }
    Ok(decoded)
}

fn escape_character(text: &str) -> Result<char, String> {
    let mut characters = text.chars();
    match (characters.next(), characters.next()) {
        (None, _) => Err("Empty Unicode escape character".to_owned()),
        (Some(escape), None)
            if escape.is_ascii_graphic()
                && !escape.is_ascii_hexdigit()
                && !matches!(escape, '"' | '\'' | '+') =>
        {
            Ok(escape)
        }
        _ => Err(format!("Invalid Unicode escape character: {text}")),
    }
}

fn code_point(digits: &str) -> Result<char, String> {
    let number = u32::from_str_radix(digits, 16).unwrap_or(u32::MAX);
    char::from_u32(number).ok_or_else(|| {
        if (0xD800..=0xDFFF).contains(&number) {
            format!(
                "Invalid escaped character: {digits}. Escaped character is a surrogate. Use '\\+123456' instead."
            )
        } else {
            format!("Invalid escaped character: {digits}")
        }
    })
}
