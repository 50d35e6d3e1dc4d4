//! Prometheus' text format, version 0.0.4: families with their help and type, samples with their labels.

use std::fmt::{Display, Write as _};

use rowhouse_engine::HistogramSnapshot;

/// The growing text. Every family is begun once, and its samples follow it.
#[derive(Debug, Default)]
pub(crate) struct Exposition {
    text: String,
    family: &'static str,
}

/// The type of a family.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// Only rises while the server runs.
    Counter,
    /// A present value.
    Gauge,
    /// Counts by upper bound.
    Histogram,
}

impl Exposition {
    /// Begins a family.
    pub(crate) fn family(&mut self, name: &'static str, kind: Kind, help: &str) {
        let kind = match kind {
            Kind::Counter => "counter",
            Kind::Gauge => "gauge",
            Kind::Histogram => "histogram",
        };
        self.family = name;
        // OK to ignore because writing to a String cannot fail.
        let _ = writeln!(self.text, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    /// A sample of the current family.
    pub(crate) fn sample(&mut self, labels: &[(&str, &str)], value: impl Display) {
        self.line("", labels, None, value);
    }

    /// The samples of one histogram of the current family.
    pub(crate) fn histogram(&mut self, labels: &[(&str, &str)], histogram: &HistogramSnapshot) {
        let HistogramSnapshot { buckets, count, sum_seconds } = histogram;
        for (bound, count) in buckets {
            self.line("_bucket", labels, Some(&bound.to_string()), count);
        }
        self.line("_bucket", labels, Some("+Inf"), count);
        self.line("_sum", labels, None, sum_seconds);
        self.line("_count", labels, None, count);
    }

    /// A family of one sample without labels.
    pub(crate) fn single(&mut self, name: &'static str, kind: Kind, help: &str, value: impl Display) {
        self.family(name, kind, help);
        self.sample(&[], value);
    }

    /// The whole text.
    pub(crate) fn into_text(self) -> String {
        self.text
    }

    fn line(&mut self, suffix: &str, labels: &[(&str, &str)], bound: Option<&str>, value: impl Display) {
        self.text.push_str(self.family);
        self.text.push_str(suffix);
        let mut separator = '{';
        for (name, value) in labels.iter().copied().chain(bound.map(|bound| ("le", bound))) {
            self.text.push(separator);
            self.text.push_str(name);
            self.text.push_str("=\"");
            self.push_escaped(value);
            self.text.push('"');
            separator = ',';
        }
        if separator == ',' {
            self.text.push('}');
        }
        // OK to ignore because writing to a String cannot fail.
        let _ = writeln!(self.text, " {value}");
    }

    fn push_escaped(&mut self, value: &str) {
        for char in value.chars() {
            match char {
                '\\' => self.text.push_str("\\\\"),
                '"' => self.text.push_str("\\\""),
                '\n' => self.text.push_str("\\n"),
                char => self.text.push(char),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_samples_and_escapes_are_formatted() {
        let mut exposition = Exposition::default();
        exposition.single("a_bytes", Kind::Gauge, "A.", 1.5);
        exposition.family("b_seconds", Kind::Histogram, "B.");
        let histogram = HistogramSnapshot { buckets: vec![(0.5, 1), (2.0, 3)], count: 4, sum_seconds: 9.25 };
        exposition.histogram(&[("x", "a\"b\\c\nd")], &histogram);
        let expected = r#"# HELP a_bytes A.
# TYPE a_bytes gauge
a_bytes 1.5
# HELP b_seconds B.
# TYPE b_seconds histogram
b_seconds_bucket{x="a\"b\\c\nd",le="0.5"} 1
b_seconds_bucket{x="a\"b\\c\nd",le="2"} 3
b_seconds_bucket{x="a\"b\\c\nd",le="+Inf"} 4
b_seconds_sum{x="a\"b\\c\nd"} 9.25
b_seconds_count{x="a\"b\\c\nd"} 4
"#;
        assert_eq!(exposition.into_text(), expected);
    }
}
