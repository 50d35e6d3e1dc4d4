//! Which comments are declarations: those that begin with one of five labels and a colon, and near misses.

use super::cursor::Fault;
use super::declaration::Declaration;
use super::label::{Label, letters};
use crate::nearest::edit_distance;

/// The meaning of a comment.
pub(super) enum Meaning {
    /// Prose.
    Nothing,
    /// A declaration; its text begins at this byte of the comment.
    Declares(Label, usize),
    /// A near miss of a declaration.
    NearMiss(Fault),
}

/// Maximum number of letters of a label that is compared with the known ones.
const MAX_LABEL_LETTERS: usize = 12;

/// The meaning of a line comment.
pub(super) fn meaning(comment: &str) -> Meaning {
    let start = comment.len() - comment.trim_start_matches('-').len();
    let body = &comment[start..];
    let Some((label, _)) = body.split_once(':') else { return without_colon(comment, start) };
    let written = letters(label);
    let is_label =
        label.chars().all(|c| c.is_alphanumeric() || c == ' ' || c == '\t' || c == '_' || c == '-');
    if written.is_empty() || !is_label || written.chars().count() > MAX_LABEL_LETTERS {
        return Meaning::Nothing;
    }
    let colon = start + label.len();
    for known in Label::ALL {
        if known.letters() == written {
            return Meaning::Declares(known, colon + 1);
        }
    }
    let written: Vec<char> = written.chars().collect();
    for known in Label::ALL {
        let letters: Vec<char> = known.letters().chars().collect();
        let most = if letters.len() > 6 { 2 } else { 1 };
        if edit_distance(&written, &letters) <= most {
            let message = format!("`{}` is no label; did you mean `-- {}: …`?", label.trim(), known.name());
            return Meaning::NearMiss(Fault::at(start, message));
        }
    }
    Meaning::Nothing
}

/// `-- Cache 60s`: a comment that would be a declaration if it had a colon is a near miss.
fn without_colon(comment: &str, start: usize) -> Meaning {
    let body = comment[start..].trim_start();
    for known in Label::ALL {
        let name = known.name();
        let is_begun = body.get(..name.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(name))
            && body[name.len()..].starts_with([' ', '\t']);
        let end = comment.len() - body.len() + name.len();
        if is_begun && Declaration::parse(known, comment, end).is_ok() {
            return Meaning::NearMiss(Fault::at(end, format!("expected `:` after `{name}`")));
        }
    }
    Meaning::Nothing
}
