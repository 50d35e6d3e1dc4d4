//! Statements that are expensive to parse or to plan.

/// A statement of a form that used to take exponential or quadratic time to parse or to plan; every tenth has the
/// maximum length. All are different, so that no cached analysis of another statement helps.
pub fn hostile_text(number: usize) -> String {
    let repeated = |opening: &str, inner: &str, closing: &str, times: usize| {
        format!("{}{inner}{}", opening.repeat(times), closing.repeat(times))
    };
    let longer = if number.is_multiple_of(10) { 500 } else { 1 };
    let body = match number % 6 {
        0 => repeated("(x) -> ", "1", "", 35 * longer),
        1 => repeated("POSITION(", "1", " IN 1)", 28 * longer),
        2 => repeated("(1,", "1", ")", 12),
        3 => format!("* FROM {}", repeated("(VALUES a", "(1)", ")", 25 * longer)),
        4 => repeated("CASE WHEN ", "true", " THEN 1 END", 12 * longer),
        _ => format!("\"{}\" FROM \"{}\"", "n".repeat(120 * longer), "m".repeat(120 * longer)),
    };
    format!("SELECT {number}, {body}")
}
