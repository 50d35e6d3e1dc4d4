//! The query string: its parameters, and the forms that several endpoints share. A duplicate single parameter, or one
//! that is present and empty, is refused; unknown ones are ignored (D2).

use std::borrow::Cow;
use std::collections::HashMap;

use memchr::{memchr, memchr2};
use percent_encoding::percent_decode;

use crate::error::{Error, Result};

/// The parameters of one request.
#[derive(Debug, Default)]
pub(crate) struct Parameters {
    /// All names and values, decoded, one after the other.
    text: String,
    pairs: Vec<Pair>,
}

/// Where a parameter is in the text.
#[derive(Clone, Copy, Debug)]
struct Pair {
    start: usize,
    name_end: usize,
    end: usize,
    /// Whether its value is UTF-8; otherwise it has none in the text.
    is_text: bool,
}

impl Parameters {
    /// Parses a query string: `&` separates, the first `=` splits, `+` is a space, `%XX` a byte, and a `%` that starts
    /// no such pair is literal.
    pub(crate) fn new(query: Option<&str>) -> Self {
        let Some(query) = query.filter(|query| !query.is_empty()) else { return Self::default() };
        let is_encoded = memchr2(b'%', b'+', query.as_bytes()).is_some();
        let mut parameters = Self { text: String::with_capacity(query.len()), pairs: Vec::with_capacity(4) };
        let mut rest = query;
        while !rest.is_empty() {
            let end = memchr(b'&', rest.as_bytes()).unwrap_or(rest.len());
            let pair = &rest[..end];
            rest = rest.get(end + 1..).unwrap_or_default();
            if pair.is_empty() {
                continue;
            }
            let (name, value) = match memchr(b'=', pair.as_bytes()) {
                Some(equals) => (&pair[..equals], &pair[equals + 1..]),
                None => (pair, ""),
            };
            if is_encoded {
                parameters.add(&String::from_utf8_lossy(&decode(name)), str::from_utf8(&decode(value)).ok());
            } else {
                parameters.add(name, Some(value));
            }
        }
        parameters
    }

    fn add(&mut self, name: &str, value: Option<&str>) {
        let start = self.text.len();
        self.text.push_str(name);
        let name_end = self.text.len();
        self.text.push_str(value.unwrap_or_default());
        self.pairs.push(Pair { start, name_end, end: self.text.len(), is_text: value.is_some() });
    }

    fn name(&self, pair: Pair) -> &str {
        &self.text[pair.start..pair.name_end]
    }

    fn value(&self, pair: Pair) -> Result<&str> {
        if pair.is_text { Ok(&self.text[pair.name_end..pair.end]) } else { Err(not_utf8(self.name(pair))) }
    }

    /// An optional single parameter.
    pub(crate) fn optional(&self, name: &str) -> Result<Option<&str>> {
        let mut values = self.values(name);
        let Some(value) = values.next() else { return Ok(None) };
        if values.next().is_some() {
            return Err(Error::invalid(format!("parameter {name} is given more than once")));
        }
        value.map(Some)
    }

    /// A required single parameter.
    pub(crate) fn required(&self, name: &str) -> Result<&str> {
        self.optional(name)?.ok_or_else(|| Error::invalid(format!("parameter {name} is missing")))
    }

    /// The values of a parameter that may be repeated, in the order of the query string.
    pub(crate) fn each(&self, name: &str) -> impl Iterator<Item = Result<&str>> + Clone {
        self.values(name)
    }

    /// `limit` or `offset` (D7): decimal digits up to 2^63−1.
    pub(crate) fn count(&self, name: &str) -> Result<Option<u64>> {
        self.optional(name)?.map(|text| parse_count(name, text)).transpose()
    }

    /// One of the given words.
    pub(crate) fn choice<T: Copy>(&self, name: &str, choices: &[(&str, T)]) -> Result<Option<T>> {
        let Some(text) = self.optional(name)? else { return Ok(None) };
        match choices.iter().find(|(word, _)| *word == text) {
            Some(&(_, choice)) => Ok(Some(choice)),
            None => {
                let words: Vec<&str> = choices.iter().map(|&(word, _)| word).collect();
                let words = words.join(", ");
                Err(Error::invalid(format!("parameter {name}: {} is none of {words}", shown(text))))
            }
        }
    }

    /// All parameters by name, each name once, in the order of the query string. A value may be empty.
    pub(crate) fn by_name(&self) -> Result<Vec<(&str, Vec<&str>)>> {
        let mut by_name: Vec<(&str, Vec<&str>)> = Vec::new();
        let mut places: HashMap<&str, usize> = HashMap::new();
        for pair in &self.pairs {
            let (name, value) = (self.name(*pair), self.value(*pair)?);
            let place = *places.entry(name).or_insert(by_name.len());
            match by_name.get_mut(place) {
                Some((_, values)) => values.push(value),
                None => by_name.push((name, vec![value])),
            }
        }
        Ok(by_name)
    }

    fn values(&self, name: &str) -> impl Iterator<Item = Result<&str>> + Clone {
        let named = self.pairs.iter().filter(move |pair| {
            pair.name_end - pair.start == name.len() && self.text[pair.start..pair.name_end] == *name
        });
        named.map(|pair| match self.value(*pair) {
            Ok("") => Err(Error::invalid(format!("parameter {} is empty", self.name(*pair)))),
            value => value,
        })
    }
}

fn not_utf8(name: &str) -> Error {
    Error::invalid(format!("parameter {name} is not UTF-8 once its %XX are decoded"))
}

fn decode(text: &str) -> Cow<'_, [u8]> {
    if text.contains('+') {
        Cow::Owned(percent_decode(text.replace('+', " ").as_bytes()).collect())
    } else {
        percent_decode(text.as_bytes()).into()
    }
}

/// Decimal digits up to 2^63−1.
pub(crate) fn parse_count(name: &str, text: &str) -> Result<u64> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let count = text.parse().ok().filter(|&count: &u64| digits && count <= i64::MAX as u64);
    count.ok_or_else(|| {
        Error::invalid(format!("parameter {name}: {} is no whole number from 0 to {}", shown(text), i64::MAX))
    })
}

/// A value as messages show it: quoted, control characters escaped, truncated if long.
pub(crate) fn shown(text: &str) -> String {
    const MAX_CHARACTERS: usize = 80;
    if text.chars().count() <= MAX_CHARACTERS {
        return format!("{text:?}");
    }
    let cut: String = text.chars().take(MAX_CHARACTERS).collect();
    format!("{cut:?}…")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn text<T: std::fmt::Debug>(result: Result<T>) -> String {
        match result {
            Ok(value) => format!("{value:?}"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn a_single_parameter_may_occur_once() {
        let check = |query, expected: &str| {
            assert_eq!(text(Parameters::new(query).optional("a")), expected, "{query:?}")
        };
        check(None, "None");
        check(Some(""), "None");
        check(Some("b=1"), "None");
        check(Some("a=1"), "Some(\"1\")");
        check(Some("&&a=1&"), "Some(\"1\")");
        check(Some("a=x+y%2Bz%20="), "Some(\"x y+z =\")");
        check(Some("%61=1"), "Some(\"1\")");
        check(Some("a=50%"), "Some(\"50%\")");
        check(Some("a=%zz"), "Some(\"%zz\")");
        check(Some("a=%C3%A9"), "Some(\"é\")");
        check(Some("a=1;b=2"), "Some(\"1;b=2\")");
        check(Some("a"), "parameter a is empty");
        check(Some("a="), "parameter a is empty");
        check(Some("a=1&a=1"), "parameter a is given more than once");
        check(Some("a=%ff"), "parameter a is not UTF-8 once its %XX are decoded");
        assert_eq!(text(Parameters::new(None).required("a")), "parameter a is missing");
    }

    #[test]
    fn counts() {
        let check = |value: &str, expected: &str| {
            let query = format!("limit={value}");
            assert_eq!(text(Parameters::new(Some(&query)).count("limit")), expected, "{value}");
        };
        check("0", "Some(0)");
        check("00042", "Some(42)");
        check("00000000000000000000000000001", "Some(1)");
        check("9223372036854775807", "Some(9223372036854775807)");
        for wrong in
            ["9223372036854775808", "-1", "%2B1", "1.0", "1e3", "ten", "0x10", "1_000", "%D9%A1", "+1", "1+"]
        {
            let query = format!("limit={wrong}");
            let message = text(Parameters::new(Some(&query)).count("limit"));
            assert!(message.starts_with("parameter limit: "), "{wrong}: {message}");
        }
    }

    #[test]
    fn repeated_parameters_keep_their_order() {
        let parameters = Parameters::new(Some("f=b&x=1&f=a&f=b"));
        assert_eq!(text(parameters.each("f").collect::<Result<Vec<_>>>()), "[\"b\", \"a\", \"b\"]");
        assert_eq!(
            text(Parameters::new(Some("f=b&f=")).each("f").collect::<Result<Vec<_>>>()),
            "parameter f is empty"
        );
    }

    #[test]
    fn long_values_are_truncated_in_messages() {
        assert!(shown(&"é".repeat(10_000)).len() < 300);
    }

    proptest! {
        #[test]
        fn any_query_string_is_read_without_a_panic(query in "[ -~é]{0,60}") {
            let parameters = Parameters::new(Some(&query));
            let _ = (parameters.optional("a"), parameters.each("a").count(), parameters.count("a"));
        }

        #[test]
        fn encoded_values_are_decoded_unchanged(value in "\\PC{1,40}") {
            let query = form_urlencoded::Serializer::new(String::new()).append_pair("a", &value).finish();
            let parameters = Parameters::new(Some(&query));
            prop_assert_eq!(parameters.optional("a").unwrap_or_default(), Some(value.as_str()));
        }

        #[test]
        fn every_count_in_range_is_read(count in 0..=i64::MAX as u64) {
            let query = format!("limit={count}");
            prop_assert_eq!(Parameters::new(Some(&query)).count("limit").unwrap_or_default(), Some(count));
        }
    }
}
