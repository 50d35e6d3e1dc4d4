//! The schema of NDJSON files, in linear time: Polars infers it from the lines that can change it, since its own time
//! grows with the number of different lines times the number of keys, and with the square of the nesting depth.

use std::fs::File;
use std::io::{BufRead, BufReader, Cursor};
use std::path::{Path, PathBuf};

use polars::io::ndjson::infer_schema;
use polars::io::utils::compression::CompressedReader;
use polars::prelude::{PolarsError, PolarsResult, Schema, polars_err};
use polars_buffer::Buffer;
use polars_utils::mmap::MMapSemaphore;
use rowhouse_sql::types::MAX_STORED_LEVELS;

use self::line::{LineFault, Shapes};

mod line;

/// Maximum number of different keys of a table's lines, where a key counts once for each of its types.
const MAX_KEYS: usize = 20_000;

/// Maximum work of inference: the sum, over the lines with new keys, of the keys known by then, and of those of objects that
/// are merged one after the other within an array.
const MAX_MERGED_KEYS: usize = 25_000_000;

/// The schema of the first file, in which all files are read.
///
/// # Errors
///
/// A line is nested too deep (D163) or not JSON, or the first file has too many keys.
pub(super) fn schema(files: &[PathBuf]) -> PolarsResult<Schema> {
    let Some((first, others)) = files.split_first() else { return Ok(Schema::default()) };
    let schema = schema_of(first, opened(first)?)?;
    for file in others {
        for_each_line(file, opened(file)?, |_, line| line::check_depth(line))?;
    }
    Ok(schema)
}

/// The schema of a text that is read from `path`.
fn schema_of(path: &Path, text: impl BufRead) -> PolarsResult<Schema> {
    let mut informative = Vec::new();
    let mut shapes = Shapes::default();
    let mut merged_keys = 0;
    let mut invalid_line = None;
    for_each_line(path, text, |number, line| {
        if invalid_line.is_some() {
            return line::check_depth(line);
        }
        match shapes.add(line) {
            Ok(false) => return Ok(()),
            Ok(true) => {}
            Err(LineFault::Invalid) => invalid_line = Some(number),
            Err(fault) => return Err(fault),
        }
        merged_keys += shapes.work_of_line();
        if shapes.keys() > MAX_KEYS || merged_keys > MAX_MERGED_KEYS {
            return Err(LineFault::TooManyKeys);
        }
        informative.extend_from_slice(line);
        Ok(())
    })?;
    // The error of Polars says more about an invalid line, which is the last.
    let schema = infer_schema(&mut Cursor::new(informative), None)?;
    match invalid_line {
        Some(number) => Err(refusal(path, number, LineFault::Invalid)),
        None => Ok(schema),
    }
}

/// Calls `look` with each line that is not blank, and with its number.
fn for_each_line(
    path: &Path,
    mut reader: impl BufRead,
    mut look: impl FnMut(u64, &[u8]) -> Result<(), LineFault>,
) -> PolarsResult<()> {
    let mut line = Vec::new();
    let mut number = 0_u64;
    loop {
        line.clear();
        number += 1;
        let read = reader.read_until(b'\n', &mut line);
        if read.map_err(|error| PolarsError::from(error).context(in_line(path, number).into()))? == 0 {
            return Ok(());
        }
        if !line.trim_ascii().is_empty() {
            line::check_escapes(&line)
                .and_then(|()| look(number, &line))
                .map_err(|fault| refusal(path, number, fault))?;
        }
    }
}

/// The text of a file, which may be compressed.
fn opened(path: &Path) -> PolarsResult<impl BufRead> {
    let file = File::open(path)?;
    let bytes = if file.metadata()?.len() == 0 {
        Buffer::default()
    } else {
        Buffer::from_owner(MMapSemaphore::new_from_file(&file)?)
    };
    Ok(BufReader::new(CompressedReader::try_new(bytes)?))
}

fn in_line(path: &Path, number: u64) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    format!("line {number} of '{}'", rowhouse_model::excerpt(&name))
}

fn refusal(path: &Path, number: u64, fault: LineFault) -> PolarsError {
    let place = in_line(path, number);
    match fault {
        LineFault::TooDeep => polars_err!(
            ComputeError: "{place} has a column nested more than {MAX_STORED_LEVELS} levels deep; write deeper values \
                           as text, which json_parse reads"
        ),
        LineFault::TooManyKeys => polars_err!(
            ComputeError: "{place} is the first after too many lines with other keys, or with other types of their \
                           values; write objects whose keys are data as text, which json_parse reads, or as arrays of \
                           objects with a key and a value"
        ),
        LineFault::HalfPair => polars_err!(
            ComputeError: "{place} has an escape \\uD800 to \\uDFFF that is not half of a pair, and no character"
        ),
        LineFault::Invalid => polars_err!(ComputeError: "{place} is not JSON"),
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::fmt::Write as _;
    use std::fs;

    use super::*;

    fn inferred(text: &str) -> Result<Schema, String> {
        schema_of(Path::new("a.ndjson"), text.as_bytes()).map_err(|error| error.to_string())
    }

    fn by_polars(text: &str) -> Result<Schema, String> {
        infer_schema(&mut Cursor::new(text.as_bytes()), None).map_err(|error| error.to_string())
    }

    /// The schema is the one that Polars infers from all lines, with the order of columns and fields.
    #[test]
    fn the_lines_left_out_do_not_change_the_schema() {
        for text in [
            "{\"a\":1}\n{\"a\":2}\n\n{\"b\":1.5,\"a\":null,\"c\":[]}\n{\"a\":true}\n{\"c\":[{\"x\":1}]}",
            "{\"a\":1}\n{\"b\":{\"x\":1}}\n{\"b\":{\"z\":1,\"y\":2},\"c\":3,\"a\":1}\n{\"a\":2}",
            "{\"a\":[1,true,1.5]}\n{\"a\":[true,1.5,1]}\n{\"a\":[1]}",
            "{\"a\":[[1,true,1.5]]}\n{\"a\":[[1],[true,1.5]]}",
            "{\"a\":[{\"t\":true}]}\n{\"a\":[{\"t\":1.5}]}\n{\"a\":[{\"t\":true},{\"t\":1.5}]}",
            "{\"a\":9223372036854775807}\n{\"a\":9223372036854775808}\n{\"a\":-0}\n{\"a\":1e400}",
            "{\"a\":\"x\"}\n{\"a\":{\"b\":1}}",
            "{\"a\":1}\n{\"a\":[1]}\n{\"a\":\"\\\"\\u0041\"}",
            "{\"a\":1}\n{\"a\":2\n{\"b\":1}",
            "{\"a\":1}\n{\"a\":1} {}\n",
            "{\"a\":1}\nnull\n",
            "1\n2\n",
            "{}\n{}\n",
            "",
            "{\"a\":1,}\n",
            "{\"a\":01}\n",
            "{\"a\":tru}\n",
        ] {
            assert_eq!(inferred(text), by_polars(text), "{text}");
        }
    }

    #[test]
    fn random_lines_give_the_schema_of_polars() {
        let mut seed = 7_u64;
        let mut next = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        fn value(next: &mut impl FnMut(u64) -> u64, depth: u64) -> String {
            match next(if depth == 0 { 4 } else { 6 }) {
                0 => "1".to_owned(),
                1 => "\"x\"".to_owned(),
                2 => "null".to_owned(),
                3 => "2.5".to_owned(),
                // Elements of one type: Polars merges others in a random order.
                4 => {
                    let element = value(next, depth - 1);
                    let elements = vec![element; usize::try_from(next(3)).unwrap()];
                    format!("[{}]", elements.join(","))
                }
                _ => object(next, depth - 1),
            }
        }
        fn object(next: &mut impl FnMut(u64) -> u64, depth: u64) -> String {
            let first = next(4);
            let fields: Vec<String> =
                (first..first + next(4)).map(|key| format!("\"k{key}\":{}", value(next, depth))).collect();
            format!("{{{}}}", fields.join(","))
        }
        let mut schemas = 0;
        for _ in 0..300 {
            let lines: Vec<String> = (0..next(12)).map(|_| object(&mut next, 3)).collect();
            let text = lines.join("\n");
            let expected = by_polars(&text);
            schemas += usize::from(expected.is_ok());
            assert_eq!(inferred(&text), expected, "{text}");
        }
        assert!(schemas > 50, "{schemas}");
    }

    /// Regression: 1,000,000 brackets overflowed the worker's stack, and 20,000 took 11 s.
    #[test]
    fn lines_nested_too_deep_are_refused_by_their_number() {
        let nested =
            |levels: usize| format!("{{\"b\":1}}\n{{\"a\":{}1{}}}\n", "[".repeat(levels), "]".repeat(levels));
        assert_eq!(inferred(&nested(MAX_STORED_LEVELS)), by_polars(&nested(MAX_STORED_LEVELS)));
        for levels in [MAX_STORED_LEVELS + 1, 1_000_000] {
            let refused = inferred(&nested(levels)).unwrap_err();
            assert!(
                refused.contains("line 2 of 'a.ndjson' has a column nested more than 20 levels"),
                "{refused}"
            );
            assert!(refused.contains("write deeper values as text"), "{refused}");
        }
        // The schema is that of the first file, but the lines of all are parsed.
        let folder = tempfile::tempdir().unwrap();
        let files = [folder.path().join("a.ndjson"), folder.path().join("b.ndjson")];
        fs::write(&files[0], "{\"a\":1}\n").unwrap();
        fs::write(&files[1], format!("{{\"s\":\"[[[\\\"[[\"}}\n{}", nested(30))).unwrap();
        let refused = schema(&files).unwrap_err().to_string();
        assert!(refused.contains("line 3 of 'b.ndjson'"), "{refused}");
    }

    /// Regression: Polars reads half a pair as U+0000.
    #[test]
    fn half_a_surrogate_pair_is_refused_by_its_line() {
        let good = r#"{"a":"\ud83d\ude00 \\ud800 \n\u00e9"}"#;
        assert!(inferred(good).is_ok(), "{good}");
        for bad in [r"\ud800x", r"\ud83d)ude00", r"\ude00", r"\\\uD800", r"\ud83d\ud83d\ude00", r"\udbff"] {
            let refused = inferred(&format!("{{\"a\":\"é\"}}\n{{\"a\":\"{bad}\"}}\n")).unwrap_err();
            assert!(
                refused.contains("line 2 of") && refused.contains("is not half of a pair"),
                "{bad}: {refused}"
            );
        }
    }

    /// Regression: 200,000 lines, each with a key of its own, took minutes.
    #[test]
    fn lines_with_ever_new_keys_are_refused() {
        let mut text = String::new();
        for line in 0..200_000 {
            writeln!(text, "{{\"k{line}\":1}}").unwrap();
        }
        let refused = inferred(&text).unwrap_err();
        assert!(refused.contains("line 7070 of 'a.ndjson' is the first after too many lines"), "{refused}");
        let wide: Vec<String> = (0..MAX_KEYS + 1).map(|key| format!("\"k{key}\":1")).collect();
        assert!(inferred(&format!("{{{}}}", wide.join(","))).unwrap_err().contains("line 1 of"));
    }

    /// Objects in an array with other elements are merged one by one.
    #[test]
    fn an_array_of_null_and_ever_new_keys_is_refused() {
        let array = |objects: usize| {
            let objects: Vec<String> = (0..objects).map(|key| format!("{{\"k{key}\":1}}")).collect();
            format!("{{\"a\":[null,{}]}}", objects.join(","))
        };
        assert_eq!(inferred(&array(100)), by_polars(&array(100)));
        assert!(inferred(&array(9000)).unwrap_err().contains("line 1 of"));
    }

    /// Lines with the same keys in ever new combinations are one line each time for Polars.
    #[test]
    fn combinations_of_known_keys_are_left_out() {
        let mut text = String::new();
        let all: Vec<String> = (0..1000).map(|key| format!("\"k{key}\":1")).collect();
        writeln!(text, "{{{}}}", all.join(",")).unwrap();
        for line in 0..100_000 {
            writeln!(text, "{{\"k{}\":1,\"k{}\":2}}", line / 400, 400 + line % 400).unwrap();
        }
        assert_eq!(inferred(&text).unwrap().len(), 1000);
    }
}
