//! The nearest known name to a misspelled one, for the "did you mean" of messages.

/// Longer names are not compared: nobody types one by accident, and the comparison is quadratic.
const COMPARED_LENGTH_CHARACTERS: usize = 128;

/// Maximum steps of comparing a name with all candidates, some ten milliseconds; later candidates are not compared.
const COMPARED_STEPS: usize = 1 << 22;

/// The candidate with the fewest edits to `name`, ignoring letter case, and the first in alphabetical order of several.
/// None if all candidates are further away than a third of the length of `name` (at least one edit is allowed). For the
/// "did you mean" of a message.
///
/// ```
/// assert_eq!(rowhouse_filters::nearest("regoin", ["region", "price"]), Some("region"));
/// assert_eq!(rowhouse_filters::nearest("quantity", ["region", "price"]), None);
/// ```
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = folded(name)?;
    let mut steps = 0;
    candidates
        .into_iter()
        .take_while(|candidate| {
            // Of a candidate of any length no more is compared.
            steps += candidate.len().min(COMPARED_LENGTH_CHARACTERS) * name.len();
            steps <= COMPARED_STEPS
        })
        .filter_map(|candidate| {
            let folded = folded(candidate)?;
            let forgiven = (folded.len().max(name.len()) / 3).max(1);
            let edits =
                (folded.len().abs_diff(name.len()) <= forgiven).then(|| edit_distance(&name, &folded))?;
            (edits <= forgiven).then_some((edits, candidate))
        })
        .min()
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
    }

    /// Comparing two names of 400 KB kept a worker busy for a minute.
    #[test]
    fn long_names_are_not_compared() {
        let longest = "a".repeat(COMPARED_LENGTH_CHARACTERS);
        let near = format!("{}b", &longest[1..]);
        assert_eq!(nearest(&longest, [near.as_str()]), Some(near.as_str()));
        let longer = format!("{longest}a");
        assert_eq!(nearest(&longer, [longest.as_str()]), None);
        assert_eq!(nearest(&longest, [longer.as_str()]), None);
    }

    #[test]
    fn equally_near_names_are_chosen_alphabetically() {
        assert_eq!(nearest("b", ["d", "c"]), Some("c"));
    }
}
