//! The required-filter comment: whatever parses can be printed and parsed to the same entries, and no request without
//! filters meets it.
//!
//! Run with `cargo +nightly fuzz run required_filters` in `crates/filters`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rowhouse_filters::RequiredFilters;

fuzz_target!(|sql: &str| {
    let columns = ["a", "b:c", "D", "d:eq"];
    match RequiredFilters::from_sql(sql) {
        Ok(required) => {
            let entries = required.entries(&columns);
            assert_eq!(required.unmet(&[], &columns).is_none(), required.is_empty());
            if !required.is_empty() && required.check_columns(&columns).is_ok() {
                let quoted: Vec<_> =
                    entries.iter().map(|entry| format!("\"{}\"", entry.replace('"', "\"\""))).collect();
                let printed = format!("-- Service API: required({})", quoted.join(", "));
                let again = RequiredFilters::from_sql(&printed).expect("printed entries are well formed");
                assert_eq!(again.entries(&columns), entries);
                assert_eq!(again.column_positions(&columns), required.column_positions(&columns));
            }
        }
        Err(error) => {
            assert!(error.location().is_some_and(|place| place.line_number > 0 && place.column_number > 0))
        }
    }
});
