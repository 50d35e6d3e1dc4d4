//! The nearest known name to a misspelt one, for the "did you mean" of messages.

/// Names longer than this are not compared: nobody types one by accident, and the comparison is quadratic.
const COMPARED_LENGTH_CHARACTERS: usize = 128;

/// The candidate with the fewest edits to `name`, letter case aside; `None` when none is within a third of its
/// length (one edit at least is forgiven).
pub(crate) fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = folded(name)?;
    candidates
        .into_iter()
        .filter_map(|candidate| {
            let folded = folded(candidate)?;
            let forgiven = (folded.len().max(name.len()) / 3).max(1);
            let edits =
                (folded.len().abs_diff(name.len()) <= forgiven).then(|| edit_distance(&name, &folded))?;
            (edits <= forgiven).then_some((edits, candidate))
        })
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, candidate)| candidate)
}

/// `; did you mean X?`, or nothing.
pub(crate) fn did_you_mean<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    nearest(name, candidates).map(|nearest| format!("; did you mean `{nearest}`?")).unwrap_or_default()
}

fn folded(name: &str) -> Option<Vec<char>> {
    let folded: Vec<char> =
        name.trim().chars().take(COMPARED_LENGTH_CHARACTERS + 1).flat_map(char::to_lowercase).collect();
    (!folded.is_empty() && folded.len() <= COMPARED_LENGTH_CHARACTERS).then_some(folded)
}

/// Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment).
pub(crate) fn edit_distance(left: &[char], right: &[char]) -> usize {
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=right.len()).collect();
    for i in 0..left.len() {
        let mut current = vec![i + 1];
        for j in 0..right.len() {
            let substituted = last[j] + usize::from(left[i] != right[j]);
            let mut fewest = substituted.min(last[j + 1] + 1).min(current[j] + 1);
            if i > 0 && j > 0 && left[i] == right[j - 1] && left[i - 1] == right[j] {
                fewest = fewest.min(before_last[j - 1] + 1);
            }
            current.push(fewest);
        }
        before_last = std::mem::replace(&mut last, current);
    }
    last[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edit_distances() {
        let check = |left: &str, right: &str, expected| {
            let characters = |text: &str| text.chars().collect::<Vec<_>>();
            assert_eq!(edit_distance(&characters(left), &characters(right)), expected, "{left} {right}");
            assert_eq!(edit_distance(&characters(right), &characters(left)), expected, "{right} {left}");
        };
        check("", "", 0);
        check("", "abc", 3);
        check("kitten", "sitting", 3);
        check("regoin", "region", 1);
        check("ab", "cd", 2);
    }

    #[test]
    fn nearest_names() {
        let check = |name: &str, expected: Option<&str>| {
            assert_eq!(nearest(name, ["orderkey", "region", "qty"]), expected, "{name}");
        };
        check("order_key", Some("orderkey"));
        check("REGOIN", Some("region"));
        check(" region ", Some("region"));
        check("qt", Some("qty"));
        check("q", None);
        check("price", None);
        check("", None);
        check(&"region".repeat(1000), None);
    }
}
