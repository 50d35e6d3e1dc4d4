//! Statements that were parsed recently and are well-formed, by their text. Dashboards and endpoints send the same texts
//! repeatedly, and parsing takes a thread with a deep stack, which costs more than the rest of a cache hit.

use std::sync::Arc;

use rowhouse_model::{QueryError, StatementParameters};
use rowhouse_sql::PreparedText;

use super::known_texts::KnownTexts;

/// Larger values of parameters are read on a thread that may be busy with them.
const MAX_PARAMETER_BYTES: usize = 4 << 10;

/// Prepared texts.
#[derive(Debug, Default)]
pub(super) struct KnownStatements {
    texts: KnownTexts<Arc<PreparedText>>,
}

impl KnownStatements {
    /// The fingerprint of a text that was parsed before, with these parameters, or the error of unsuitable ones.
    pub(super) fn fingerprint(
        &self,
        text: &str,
        parameters: &StatementParameters,
    ) -> Option<Result<String, QueryError>> {
        if parameters.size_bytes() > MAX_PARAMETER_BYTES {
            return None;
        }
        self.texts.get(text)?.fingerprint(parameters)
    }

    /// Stores a well-formed text.
    pub(super) fn remember(&self, text: &str, prepared: PreparedText) {
        self.texts.remember(text, Arc::new(prepared));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prepared(text: &str, parameters: &StatementParameters) -> (String, PreparedText) {
        let prepared = rowhouse_sql::prepare(text, parameters).expect(text);
        (prepared.fingerprint, prepared.text.expect(text))
    }

    fn parameters(json: &str) -> StatementParameters {
        serde_json::from_str(json).expect("parameters")
    }

    #[test]
    fn other_values_give_the_fingerprint_or_the_error_of_parsing() {
        let known = KnownStatements::default();
        let text = "SELECT :a, b FROM t WHERE c = :b OR d = :a";
        known.remember(text, prepared(text, &parameters(r#"{"a": 1, "b": null}"#)).1);
        for other in [
            r#"{"a": 1, "b": null}"#,
            r#"{"a": 2, "b": [1, "x"]}"#,
            r#"{"b": {"type": "date", "value": "2026-01-01"}, "a": 2.50}"#,
            r#"{"b": {"type": "date", "value": "2026-13-01"}, "a": 2}"#,
            r#"{"b": {"type": "dat", "value": "2026-01-01"}, "a": 2}"#,
            r#"{"a": 1}"#,
            r#"{"a": 1, "b": 2, "c": 3}"#,
            "{}",
        ] {
            let other = parameters(other);
            let parsed = rowhouse_sql::prepare(text, &other).map(|prepared| prepared.fingerprint);
            assert_eq!(known.fingerprint(text, &other), Some(parsed), "{other:?}");
        }
        let large = parameters(&format!(r#"{{"a": "{}", "b": 1}}"#, "x".repeat(MAX_PARAMETER_BYTES)));
        assert_eq!(known.fingerprint(text, &large), None);
    }

    #[test]
    fn what_depends_on_more_than_values_is_parsed_each_time() {
        let (known, none) = (KnownStatements::default(), StatementParameters::default());
        for text in ["EXECUTE IMMEDIATE 'SELECT ?' USING 1", "DESCRIBE OUTPUT IMMEDIATE 'SELECT 1'"] {
            let (fingerprint, prepared) = prepared(text, &none);
            known.remember(text, prepared);
            assert_eq!(known.fingerprint(text, &none), Some(Ok(fingerprint)), "{text}");
            assert_eq!(known.fingerprint(text, &parameters(r#"{"a": 1}"#)), None, "{text}");
        }
        let sets = rowhouse_sql::prepare("WITH SESSION query_max_run_time = '1h' SELECT 1", &none)
            .expect("well-formed");
        assert!(sets.text.is_none());
        let many: Vec<String> = (0..33).map(|number| format!(":p{number}")).collect();
        let values: Vec<String> = (0..33).map(|number| format!(r#""p{number}": 1"#)).collect();
        let values = parameters(&format!("{{{}}}", values.join(", ")));
        let prepared =
            rowhouse_sql::prepare(&format!("SELECT {}", many.join(", ")), &values).expect("well-formed");
        assert!(prepared.text.is_none());
    }
}
