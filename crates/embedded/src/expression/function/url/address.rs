//! Parses URLs like Java's `URI`: RFC 2396 with RFC 2732's IPv6 addresses, letters of all scripts, empty paths and
//! authorities. An authority that is not a server is a registry name and has no host.

use super::ip_address;

/// The parts of a URL as they are written.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Address {
    pub(super) scheme: Option<String>,
    pub(super) host: Option<String>,
    pub(super) port: Option<i32>,
    pub(super) path: Option<String>,
    pub(super) query: Option<String>,
    pub(super) fragment: Option<String>,
}

/// The text is not a valid URL.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Malformed;

impl Address {
    /// Parses a URL; `None` if it is invalid.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let characters: Vec<char> = text.chars().collect();
        let mut address = Self::default();
        address.read(&characters).ok()?;
        Some(address)
    }

    fn read(&mut self, text: &[char]) -> Result<(), Malformed> {
        let end_of_scheme = text.iter().position(|character| matches!(character, '/' | '?' | '#' | ':'));
        let mut rest = text;
        let mut is_opaque = false;
        if let Some(end) = end_of_scheme.filter(|end| text[*end] == ':') {
            let (scheme, behind) = (&text[..end], &text[end + 1..]);
            if !scheme.first().is_some_and(char::is_ascii_alphabetic) {
                return Err(Malformed);
            }
            only(scheme, |character| character.is_ascii_alphanumeric() || "+-.".contains(character))?;
            self.scheme = Some(text_of(scheme));
            rest = behind;
            is_opaque = behind.first() != Some(&'/');
        }
        let (mut whole, fragment) = cut(rest, '#');
        if is_opaque {
            if whole.is_empty() {
                return Err(Malformed);
            }
            escaped(whole, is_of_address)?;
        } else {
            if let ['/', '/', behind @ ..] = whole {
                let end = behind.iter().position(|character| matches!(character, '/' | '?'));
                let (authority, path) = behind.split_at(end.unwrap_or(behind.len()));
                if authority.is_empty() && path.is_empty() && fragment.is_none() {
                    return Err(Malformed);
                }
                if !authority.is_empty() {
                    self.read_authority(authority)?;
                }
                whole = path;
            }
            let (path, query) = cut(whole, '?');
            escaped(path, is_of_path)?;
            self.path = Some(text_of(path));
            if let Some(query) = query {
                escaped(query, is_of_address)?;
                self.query = Some(text_of(query));
            }
        }
        if let Some(fragment) = fragment {
            escaped(fragment, is_of_address)?;
            self.fragment = Some(text_of(fragment));
        }
        Ok(())
    }

    /// Parses a server, or else a registry name.
    fn read_authority(&mut self, authority: &[char]) -> Result<(), Malformed> {
        let may_be_server =
            scan(authority, |character| character == '%' || is_of_server(character))? == authority.len();
        let may_be_name = scan(authority, is_of_name)? == authority.len();
        if may_be_server && self.read_server(authority).is_ok() {
            return Ok(());
        }
        (self.host, self.port) = (None, None);
        if may_be_name { Ok(()) } else { Err(Malformed) }
    }

    fn read_server(&mut self, server: &[char]) -> Result<(), Malformed> {
        let mut rest = server;
        if let Some(at) = server.iter().position(|character| *character == '@') {
            escaped(&server[..at], is_of_user)?;
            rest = &server[at + 1..];
        }
        let length = if rest.first() == Some(&'[') {
            let end = rest.iter().position(|character| *character == ']').ok_or(Malformed)?;
            ip_address::check_bracketed(&rest[1..end])?;
            end + 1
        } else {
            match ip_address::ipv4_length(rest) {
                Some(length) if rest.get(length).is_none_or(|next| *next == ':') => length,
                _ => name_length(rest)?,
            }
        };
        let (host, behind) = rest.split_at(length);
        self.host = Some(text_of(host));
        match behind {
            [] | [':'] => Ok(()),
            [':', port @ ..] => {
                only(port, |character| character.is_ascii_digit())?;
                self.port = Some(text_of(port).parse().map_err(|_| Malformed)?);
                Ok(())
            }
            _ => Err(Malformed),
        }
    }
}

/// The length of a host name: labels separated by points, the last of which begins with a letter. A single label may
/// begin with a digit.
fn name_length(text: &[char]) -> Result<usize, Malformed> {
    let (mut at, mut last) = (0, None);
    while text.get(at).is_some_and(char::is_ascii_alphanumeric) {
        last = Some(at);
        let label =
            text[at..].iter().take_while(|next| next.is_ascii_alphanumeric() || **next == '-').count();
        at += label;
        if text[at - 1] == '-' {
            return Err(Malformed);
        }
        if text.get(at) != Some(&'.') {
            break;
        }
        at += 1;
    }
    let last = last.ok_or(Malformed)?;
    let is_top_level = last == 0 || text[last].is_ascii_alphabetic();
    let ends_well = text.get(at).is_none_or(|next| *next == ':');
    if is_top_level && ends_well { Ok(at) } else { Err(Malformed) }
}

/// Splits a text at the first occurrence of a character.
fn cut(text: &[char], at: char) -> (&[char], Option<&[char]>) {
    match text.iter().position(|character| *character == at) {
        Some(place) => (&text[..place], Some(&text[place + 1..])),
        None => (text, None),
    }
}

fn text_of(characters: &[char]) -> String {
    characters.iter().collect()
}

fn only(text: &[char], is_allowed: impl Fn(char) -> bool) -> Result<(), Malformed> {
    if text.iter().all(|character| is_allowed(*character)) { Ok(()) } else { Err(Malformed) }
}

fn escaped(text: &[char], is_allowed: impl Fn(char) -> bool) -> Result<(), Malformed> {
    if scan(text, is_allowed)? == text.len() { Ok(()) } else { Err(Malformed) }
}

/// The number of characters that are allowed, escaped, or visible and not ASCII. An incomplete escape is an error.
fn scan(text: &[char], is_allowed: impl Fn(char) -> bool) -> Result<usize, Malformed> {
    let mut at = 0;
    while let Some(&character) = text.get(at) {
        at += match character {
            character if is_allowed(character) => 1,
            '%' => match text.get(at + 1..at + 3) {
                Some(digits) if digits.iter().all(char::is_ascii_hexdigit) => 3,
                _ => return Err(Malformed),
            },
            character if !character.is_ascii() && !character.is_control() && !is_space(character) => 1,
            _ => break,
        };
    }
    Ok(at)
}

/// Whether a character is one of Unicode's separators.
const fn is_space(character: char) -> bool {
    matches!(
        character,
        '\u{a0}' | '\u{1680}' | '\u{2000}'
            ..='\u{200a}' | '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
    )
}

fn is_unreserved(character: char) -> bool {
    character.is_ascii_alphanumeric() || "_-!.~'()*".contains(character)
}

fn is_of_address(character: char) -> bool {
    is_unreserved(character) || ";/?:@&=+$,[]".contains(character)
}

fn is_of_path(character: char) -> bool {
    is_unreserved(character) || ":@&=+$,;/".contains(character)
}

fn is_of_user(character: char) -> bool {
    is_unreserved(character) || ";:&=+$,".contains(character)
}

fn is_of_server(character: char) -> bool {
    is_of_user(character) || ".:@[]".contains(character)
}

fn is_of_name(character: char) -> bool {
    is_unreserved(character) || "$,;:@&=+".contains(character)
}
