//! A strict parser of Prometheus' text format 0.0.4, with the rules of `promtool check metrics`: it fails on input that
//! a scraper would forgive.

use std::collections::{BTreeMap, BTreeSet};

/// One sample.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The name, including `_bucket`, `_sum` and `_count` of histograms.
    pub name: String,
    /// Values of labels by name.
    pub labels: BTreeMap<String, String>,
    /// Its value.
    pub value: f64,
}

/// A parsed text.
#[derive(Debug)]
pub struct Exposition {
    /// All samples, in their order.
    pub samples: Vec<Sample>,
    /// Kind by family.
    pub kinds: BTreeMap<String, String>,
}

impl Exposition {
    /// Parses a text.
    ///
    /// # Panics
    /// At the first violation of the format.
    pub fn parse(text: &str) -> Self {
        assert!(text.ends_with('\n'), "the last line has an end");
        let mut this = Self { samples: Vec::new(), kinds: BTreeMap::new() };
        let mut lines = text.lines().peekable();
        let mut seen = BTreeSet::new();
        while let Some(line) = lines.next() {
            let (family, help) = line
                .strip_prefix("# HELP ")
                .and_then(|rest| rest.split_once(' '))
                .unwrap_or_else(|| panic!("a family begins with its help: {line}"));
            assert!(!help.trim().is_empty(), "{line}");
            let kind = lines.next().and_then(|line| line.strip_prefix(&format!("# TYPE {family} ")));
            let kind = kind.unwrap_or_else(|| panic!("the type of {family} follows its help"));
            assert!(["counter", "gauge", "histogram"].contains(&kind), "{family} {kind}");
            let is_first = this.kinds.insert(family.to_owned(), kind.to_owned()).is_none();
            assert!(is_first, "{family} stands twice");
            lint_name(family, kind);
            let first = this.samples.len();
            while let Some(line) = lines.next_if(|line| !line.starts_with('#')) {
                let sample = parse_sample(line);
                let suffix = sample.name.strip_prefix(family).unwrap_or_else(|| panic!("{line} in {family}"));
                let allowed: &[&str] =
                    if kind == "histogram" { &["_bucket", "_sum", "_count"] } else { &[""] };
                assert!(allowed.contains(&suffix), "{line} in {family}");
                assert!(seen.insert((sample.name.clone(), sample.labels.clone())), "{line} stands twice");
                assert!(kind == "gauge" || sample.value >= 0.0, "{line}");
                this.samples.push(sample);
            }
            if kind == "histogram" {
                check_histogram(family, &this.samples[first..]);
            }
        }
        this
    }

    /// The value of the sample with this name and these labels; none if there is none.
    pub fn get<const N: usize>(&self, name: &str, labels: [(&str, &str); N]) -> Option<f64> {
        let labels: BTreeMap<String, String> =
            labels.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let found = self.samples.iter().find(|sample| sample.name == name && sample.labels == labels);
        found.map(|sample| sample.value)
    }

    /// Every sample of a name.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Sample> {
        self.samples.iter().filter(move |sample| sample.name == name)
    }
}

/// The rules of promtool's linter.
fn lint_name(name: &str, kind: &str) {
    assert!(
        name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_'),
        "{name}"
    );
    assert!(name.starts_with(|first: char| first.is_ascii_lowercase()), "{name}");
    assert_eq!(name.ends_with("_total"), kind == "counter", "{name}: counters alone end in _total");
    for reserved in ["_bucket", "_sum", "_count"] {
        assert!(!name.ends_with(reserved), "{name}");
    }
    for word in name.split('_') {
        let is_kind = ["counter", "gauge", "histogram", "summary"].contains(&word);
        let is_short = ["s", "ms", "us", "ns", "sec", "b", "kb", "mb", "gb"].contains(&word);
        let is_scaled =
            ["milliseconds", "microseconds", "minutes", "hours", "days", "kilobytes", "megabytes"];
        assert!(!is_kind && !is_short && !is_scaled.contains(&word), "{name}: {word}");
    }
}

fn parse_sample(line: &str) -> Sample {
    let end = line.find(|char: char| !(char.is_ascii_alphanumeric() || char == '_')).expect("a value");
    let (name, mut rest) = line.split_at(end);
    let mut labels = BTreeMap::new();
    if let Some(inner) = rest.strip_prefix('{') {
        rest = inner;
        loop {
            let (label, after) = rest.split_once("=\"").unwrap_or_else(|| panic!("{line}"));
            assert!(label.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{line}");
            assert!(!label.is_empty() && !label.starts_with("__"), "{line}");
            let (value, after) = parse_label_value(after, line);
            assert!(labels.insert(label.to_owned(), value).is_none(), "{line}");
            match after.strip_prefix(',') {
                Some(next) => rest = next,
                None => {
                    rest = after.strip_prefix('}').unwrap_or_else(|| panic!("{line}"));
                    break;
                }
            }
        }
    }
    let value = rest.strip_prefix(' ').unwrap_or_else(|| panic!("{line}"));
    assert!(!value.contains(' '), "{line}: no time stamps");
    let value: f64 = value.parse().unwrap_or_else(|error| panic!("{line}: {error}"));
    assert!(value.is_finite(), "{line}");
    Sample { name: name.to_owned(), labels, value }
}

fn parse_label_value<'a>(text: &'a str, line: &str) -> (String, &'a str) {
    let mut value = String::new();
    let mut chars = text.char_indices();
    while let Some((at, char)) = chars.next() {
        match char {
            '"' => return (value, &text[at + 1..]),
            '\\' => match chars.next() {
                Some((_, 'n')) => value.push('\n'),
                Some((_, escaped @ ('\\' | '"'))) => value.push(escaped),
                other => panic!("{line}: \\{other:?}"),
            },
            char => value.push(char),
        }
    }
    panic!("{line}: a label's value has no end")
}

/// For each set of labels: bounds ascend, counts do not fall, the last is `+Inf` and equals `_count`.
fn check_histogram(family: &str, samples: &[Sample]) {
    let mut by_labels: BTreeMap<BTreeMap<String, String>, Vec<&Sample>> = BTreeMap::new();
    for sample in samples {
        let mut labels = sample.labels.clone();
        labels.remove("le");
        by_labels.entry(labels).or_default().push(sample);
    }
    for (labels, samples) in by_labels {
        let of = |suffix: &str| -> Vec<&Sample> {
            let name = format!("{family}{suffix}");
            samples.iter().copied().filter(|sample| sample.name == name).collect()
        };
        let (buckets, sums, counts) = (of("_bucket"), of("_sum"), of("_count"));
        assert_eq!((sums.len(), counts.len()), (1, 1), "{family} {labels:?}");
        let bounds: Vec<f64> = buckets
            .iter()
            .map(|bucket| match bucket.labels.get("le").map(String::as_str) {
                Some("+Inf") => f64::INFINITY,
                Some(bound) => bound.parse().unwrap_or_else(|error| panic!("{family} {bound}: {error}")),
                None => panic!("{family} {labels:?}: a bucket without a bound"),
            })
            .collect();
        assert!(bounds.is_sorted_by(|left, right| left < right), "{family} {labels:?} {bounds:?}");
        assert_eq!(bounds.last(), Some(&f64::INFINITY), "{family} {labels:?}");
        let values: Vec<f64> = buckets.iter().map(|bucket| bucket.value).collect();
        assert!(values.is_sorted(), "{family} {labels:?} {values:?}");
        assert_eq!(values.last(), Some(&counts[0].value), "{family} {labels:?}");
        assert!(
            samples
                .iter()
                .all(|sample| sample.name.ends_with("_bucket") || !sample.labels.contains_key("le"))
        );
    }
}
