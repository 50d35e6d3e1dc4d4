//! Identity of statements (D20, D41): a SHA-256 over a canonical form of their tokens and parameters, defined only
//! here. The hashes are cache keys in the database, so the form must not depend on that of a library.

use rowhouse_model::{ParameterValue, StatementParameter, StatementParameters};
use sha2::{Digest, Sha256};
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::keywords::is_reserved;

/// Changes with the form, so that keys of different forms never collide.
const FORM: &[u8] = b"rowhouse statement 1";

/// A hash of the tokens and of the parameters' values: 64 hexadecimal digits.
pub(super) fn fingerprint(tokens: &[TokenWithSpan], parameters: &StatementParameters) -> String {
    Form::of(tokens).fingerprint(parameters)
}

/// A sequence of parts. Each is preceded by its kind and its length, so that different lists of parts have different
/// bytes.
#[derive(Clone, Debug)]
pub(super) struct Form(Sha256);

impl Form {
    /// The form of tokens, without parameters.
    pub(super) fn of(tokens: &[TokenWithSpan]) -> Self {
        let mut form = Self(Sha256::new());
        form.part(b'f', FORM);
        for TokenWithSpan { token, span: _ } in tokens {
            form.token(token);
        }
        form
    }

    /// The fingerprint of the tokens with these parameters.
    pub(super) fn fingerprint(mut self, parameters: &StatementParameters) -> String {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        for (name, parameter) in parameters.iter() {
            self.parameter(name, parameter);
        }
        let hash = self.0.finalize();
        let digits = hash.iter().flat_map(|byte| [byte >> 4, byte & 0xf]);
        digits.map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
    }

    fn part(&mut self, kind: u8, text: &[u8]) {
        self.0.update([kind]);
        self.0.update((text.len() as u64).to_le_bytes());
        self.0.update(text);
    }

    fn token(&mut self, token: &Token) {
        match token {
            Token::Word(word) if word.quote_style.is_some() => self.part(b'q', word.value.as_bytes()),
            Token::Word(word) => {
                let upper = word.value.to_ascii_uppercase();
                let text = if is_reserved(&upper) { &upper } else { &word.value };
                self.part(b'w', text.as_bytes());
            }
            Token::Number(digits, _) => self.part(b'n', digits.as_bytes()),
            Token::SingleQuotedString(text) | Token::UnicodeStringLiteral(text) => {
                self.part(b's', text.as_bytes());
            }
            Token::HexStringLiteral(digits) => self.part(b'x', digits.as_bytes()),
            Token::Placeholder(name) => self.part(b'p', name.as_bytes()),
            // Operators and punctuation, in their SQL spelling.
            other => self.part(b'o', other.to_string().as_bytes()),
        }
    }

    fn parameter(&mut self, name: &str, parameter: &StatementParameter) {
        self.part(b'N', name.as_bytes());
        if let Some(type_name) = &parameter.type_name {
            self.part(b'T', type_name.as_bytes());
        }
        self.value(&parameter.value);
    }

    fn value(&mut self, value: &ParameterValue) {
        match value {
            ParameterValue::Null => self.part(b'0', b""),
            ParameterValue::Boolean(value) => self.part(b'B', &[u8::from(*value)]),
            ParameterValue::Number(digits) => self.part(b'D', digits.as_bytes()),
            ParameterValue::Text(text) => self.part(b'S', text.as_bytes()),
            ParameterValue::Array(elements) => {
                self.part(b'A', &(elements.len() as u64).to_le_bytes());
                for element in elements {
                    self.value(element);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::tokenize;

    /// A statement with every kind of token; the parameters have every kind of value.
    const STATEMENT: &str =
        "SELECT a, \"B\", 'it''s', U&'\\00e9', X'0aFF', 1e3 <> -.5, a || :p, ? FROM t[1] WHERE x -> y = 0x1F";
    const PARAMETERS: &str =
        r#"{"p": [null, true, 1.50, "x", [2]], "q": {"type": "date", "value": "2026-01-01"}}"#;

    fn of(text: &str, parameters: &str) -> String {
        let parameters = serde_json::from_str(parameters).expect("parameters");
        fingerprint(&tokenize(text).expect("tokens"), &parameters)
    }

    /// The keys that existing databases have. A change of the form must also change [`FORM`], and the changelog must
    /// state that the cache is empty after the upgrade.
    #[test]
    fn existing_fingerprints_are_unchanged() {
        assert_eq!(
            of(STATEMENT, PARAMETERS),
            "bbefc3e12c6922d45b4af74041537d9bcb84d35963f88898da3ef2c855c745c7"
        );
        assert_eq!(of("select 1", "{}"), "82434dce270fbfc678f25ad05fbbb98ef5bc336822405f84a65e874d72dd7398");
    }

    #[test]
    fn equivalent_spellings_have_equal_fingerprints() {
        assert_eq!(of("SELECT 1 -- one\n;", "{}"), of("select /* two */\n1", "{}"));
        assert_eq!(of("SELECT 1 <> 2", "{}"), of("SELECT 1 != 2", "{}"));
    }

    #[test]
    fn different_statements_have_different_fingerprints() {
        let statements = [
            ("SELECT a", "{}"),
            ("SELECT \"a\"", "{}"),
            ("SELECT 'a'", "{}"),
            ("SELECT X'a0'", "{}"),
            ("SELECT 'a0'", "{}"),
            ("SELECT a b", "{}"),
            ("SELECT ab", "{}"),
            ("SELECT 1", "{}"),
            ("SELECT 1.0", "{}"),
            ("SELECT :a", r#"{"a": 1}"#),
            ("SELECT :a", r#"{"a": "1"}"#),
            ("SELECT :a", r#"{"a": 1.0}"#),
            ("SELECT :a", r#"{"a": [1]}"#),
            ("SELECT :a", r#"{"a": [[1]]}"#),
            ("SELECT :a", r#"{"a": null}"#),
            ("SELECT :a", r#"{"a": [null]}"#),
            ("SELECT :a", r#"{"a": false}"#),
            ("SELECT :a", r#"{"a": {"type": "bigint", "value": 1}}"#),
            ("SELECT :a", r#"{"a": {"type": "integer", "value": 1}}"#),
        ];
        let keys: std::collections::BTreeMap<_, _> =
            statements.iter().map(|(text, parameters)| (of(text, parameters), text)).collect();
        assert_eq!(keys.len(), statements.len(), "{keys:?}");
    }
}
