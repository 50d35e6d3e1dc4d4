//! The line of a statement with an error, and a caret under its column.

use rowhouse_model::ErrorLocation;

/// Characters of a line that are shown on each side of the location: a statement may be one line of a mebibyte.
const CONTEXT: usize = 60;

/// `3 | FROM nationn` and a caret below; `None` if the text has no such location.
pub(super) fn point_at(sql: &str, location: ErrorLocation) -> Option<String> {
    let line = sql.split('\n').nth(location.line_number.checked_sub(1)? as usize)?;
    let line: Vec<char> = line.trim_end_matches('\r').chars().collect();
    let place = location.column_number.checked_sub(1)? as usize;
    if place > line.len() {
        return None;
    }
    let start = place.saturating_sub(CONTEXT);
    let end = line.len().min(place + CONTEXT);
    let mut shown = String::new();
    let mut below = String::new();
    if start > 0 {
        shown.push('…');
        below.push(' ');
    }
    for (at, &character) in line.iter().enumerate().take(end).skip(start) {
        // A tab stays a tab in both lines: the caret is then under the same column, however wide it is.
        shown.push(if character.is_control() && character != '\t' { '\u{fffd}' } else { character });
        if at < place {
            below.push(if character == '\t' { '\t' } else { ' ' });
        }
    }
    if end < line.len() {
        shown.push('…');
    }
    let number = location.line_number.to_string();
    let margin = " ".repeat(number.len());
    Some(format!("{number} | {shown}\n{margin} | {below}^"))
}

#[cfg(test)]
mod tests {
    use rowhouse_model::ErrorLocation;

    use super::point_at;

    fn check(sql: &str, line_number: u32, column_number: u32, expected: Option<&str>) {
        let place = point_at(sql, ErrorLocation { line_number, column_number });
        assert_eq!(place.as_deref(), expected, "{sql} at {line_number}:{column_number}");
    }

    #[test]
    fn the_caret_is_under_the_column() {
        check("SELECT x", 1, 8, Some("1 | SELECT x\n  |        ^"));
        check("SELECT 'ü', x\r\nFROM t", 1, 13, Some("1 | SELECT 'ü', x\n  |             ^"));
        check("SELECT 1\nFROM\tt", 2, 6, Some("2 | FROM\tt\n  |     \t^"));
        check("SELECT", 1, 7, Some("1 | SELECT\n  |       ^"));
    }

    #[test]
    fn a_location_outside_the_text_is_not_shown() {
        check("SELECT", 0, 1, None);
        check("SELECT", 1, 0, None);
        check("SELECT", 2, 1, None);
        check("SELECT", 1, 8, None);
    }

    #[test]
    fn a_long_line_is_truncated_on_both_sides() {
        let sql = format!("{}x{}", "a".repeat(1000), "b".repeat(1000));
        let (a, b) = ("a".repeat(60), "b".repeat(59));
        check(&sql, 1, 1001, Some(&format!("1 | …{a}x{b}…\n  | {}^", " ".repeat(61))));
    }
}
