//! Case folding for `(?i)`. Unicode folds some letters to several: `ß` is `ss` and `ﬁ` is `fi`, in patterns and in
//! texts.

use std::sync::LazyLock;

use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

use super::syntax::Node;

/// The capital sharp s, which Unicode's table of single letters folds to `ß` but Trino does not.
const CAPITAL_SHARP_S: char = 'ẞ';

/// Maximum length of a run of letters in which single letters may stand for several. Longer runs are matched letter by
/// letter, because the number of readings grows with each letter.
const MAX_CLUSTER: usize = 8;

/// Letters with the several letters that they fold to.
static LONG_FOLDS: LazyLock<Vec<(char, Vec<char>)>> = LazyLock::new(|| {
    let candidates =
        ['ß', 'ŉ', 'ǰ', 'ΐ', 'ΰ', 'և', 'İ'].into_iter().chain('ẖ'..='ẚ').chain('ὐ'..='ῼ').chain('ﬀ'..='ﬗ');
    candidates.filter_map(|letter| Some((letter, long_fold(letter)?))).collect()
});

/// The lower-case forms of a letter's upper-case form, if that has several letters.
fn long_fold(letter: char) -> Option<Vec<char>> {
    if letter == 'İ' {
        return Some(letter.to_lowercase().collect());
    }
    let upper: Vec<char> = letter.to_uppercase().collect();
    (upper.len() > 1).then(|| upper.into_iter().flat_map(char::to_lowercase).collect())
}

/// A class with the other cases of its letters.
pub(super) fn folded_class(class: &ClassUnicode) -> ClassUnicode {
    let single = |letter: char| ClassUnicode::new([ClassUnicodeRange::new(letter, letter)]);
    let mut capital = single(CAPITAL_SHARP_S);
    let mut folded = class.clone();
    capital.intersect(class);
    folded.difference(&capital);
    folded.case_fold_simple();
    folded.difference(&single(CAPITAL_SHARP_S));
    folded.union(&capital);
    folded
}

/// A node for a letter in any case.
pub(super) fn folded_letter(letter: char) -> Node {
    let class = folded_class(&ClassUnicode::new([ClassUnicodeRange::new(letter, letter)]));
    match class.ranges() {
        [only] if only.start() == only.end() => Node::Literal(letter),
        _ => Node::Class(class),
    }
}

/// A node for a bracketed class in any case: its letters that fold to several also match these.
pub(super) fn folded_set(class: &ClassUnicode) -> Node {
    let folded = folded_class(class);
    let has =
        |letter: char| folded.ranges().iter().any(|range| range.start() <= letter && letter <= range.end());
    let several = LONG_FOLDS.iter().filter(|(letter, _)| has(*letter));
    let mut nodes: Vec<Node> = several.map(|(_, letters)| letter_by_letter(letters)).collect();
    if nodes.is_empty() || nodes.len() > MAX_CLUSTER {
        return Node::Class(folded);
    }
    nodes.dedup();
    nodes.insert(0, Node::Class(folded));
    Node::Alternation(nodes)
}

/// A node for a run of letters in any case.
pub(super) fn folded_run(letters: &[char]) -> Node {
    let folded: Vec<char> = letters.iter().flat_map(|letter| folds(*letter)).collect();
    let mut nodes = Vec::new();
    let mut at = 0;
    while at < folded.len() {
        let end = cluster_end(&folded, at);
        if end - at == 1 || end - at > MAX_CLUSTER {
            nodes.push(folded_letter(folded[at]));
            at += 1;
        } else {
            nodes.push(readings(&folded[at..end]));
            at = end;
        }
    }
    match nodes.len() {
        1 => nodes.swap_remove(0),
        _ => Node::Concat(nodes),
    }
}

/// The end of the letters that must be matched together, because one letter may stand for several of them.
fn cluster_end(letters: &[char], start: usize) -> usize {
    let mut end = start + 1;
    let mut at = start;
    while at < end && end - start <= MAX_CLUSTER {
        let longest = sequences(&letters[at..]).map(|(_, length)| at + length).max();
        end = end.max(longest.unwrap_or(0));
        at += 1;
    }
    end
}

/// The letters that a letter folds to, if there are several; otherwise the letter.
fn folds(letter: char) -> Vec<char> {
    let several = LONG_FOLDS.iter().find(|(other, _)| *other == letter);
    several.map_or_else(|| vec![letter], |(_, letters)| letters.clone())
}

/// The letters that stand for a prefix of these letters, with the length of the prefix.
fn sequences(letters: &[char]) -> impl Iterator<Item = (char, usize)> {
    let is_start = move |sequence: &[char]| {
        sequence.len() <= letters.len()
            && sequence.iter().zip(letters).all(|(wanted, letter)| is_same_letter(*wanted, *letter))
    };
    LONG_FOLDS
        .iter()
        .filter(move |(_, sequence)| is_start(sequence))
        .map(|(letter, sequence)| (*letter, sequence.len()))
}

fn is_same_letter(one: char, other: char) -> bool {
    one == other || one.to_lowercase().eq(other.to_lowercase())
}

/// All ways to write a few letters, where one letter may stand for several.
fn readings(letters: &[char]) -> Node {
    fn extend(letters: &[char], before: &[Node], found: &mut Vec<Node>) {
        let Some((first, rest)) = letters.split_first() else {
            found.push(Node::Concat(before.to_vec()));
            return;
        };
        let with = |node: Node| before.iter().cloned().chain([node]).collect::<Vec<_>>();
        extend(rest, &with(folded_letter(*first)), found);
        for (letter, length) in sequences(letters) {
            extend(&letters[length..], &with(Node::Literal(letter)), found);
        }
    }
    let mut found = Vec::new();
    extend(letters, &[], &mut found);
    Node::Alternation(found)
}

fn letter_by_letter(letters: &[char]) -> Node {
    Node::Concat(letters.iter().map(|letter| folded_letter(*letter)).collect())
}
