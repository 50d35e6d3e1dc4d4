//! A filter's text: whatever parses can be printed and parsed to the same filter. The first line of the input lists the
//! columns, separated by `|`.
//!
//! Run with `cargo +nightly fuzz run filter` in `crates/filters`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rowhouse_filters::{ColumnClass, Filter, resolve_column};

fuzz_target!(|input: &str| {
    let (columns, text) = input.split_once('\n').unwrap_or(("a|b:c", input));
    let columns: Vec<&str> = columns.split('|').collect();
    if let Ok(filter) = Filter::parse(text, &columns) {
        assert_eq!(Filter::parse(&filter.to_string(), &columns).as_ref(), Ok(&filter));
        if let Ok(position) = resolve_column(&columns, filter.column()) {
            assert!(position < columns.len());
        }
        let is_known_by = |class| filter.check(class).is_ok();
        assert!(!is_known_by(ColumnClass::Opaque) || is_known_by(ColumnClass::Boolean));
        assert!(!is_known_by(ColumnClass::Opaque) || is_known_by(ColumnClass::Ordered));
        assert!(!is_known_by(ColumnClass::Ordered) || is_known_by(ColumnClass::Text));
    }
});
