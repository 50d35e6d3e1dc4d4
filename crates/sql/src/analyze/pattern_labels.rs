//! The variables of a row pattern, and the pattern in terms of them.

use std::collections::HashMap;

use rowhouse_model::{ErrorCode, ErrorLocation};
use sqlparser::ast::Ident;

use super::canonical_name::canonical;
use crate::error::{Result, error, location_of, not_supported};
use crate::match_recognize::{MatchRecognize, Pattern, Quantifier, Skip};
use crate::plan::{MAX_PATTERN_INSTRUCTIONS, RowPattern, RowsPerMatch, SkipTo};

/// The primary and union variables of a row pattern.
#[derive(Debug, Default)]
pub(super) struct Labels {
    /// The names of the primary variables.
    pub(super) primary: Vec<String>,
    /// The primary variables that each name stands for, in order.
    by_name: HashMap<String, Vec<usize>>,
}

impl Labels {
    /// Collects the variables of PATTERN and SUBSET.
    pub(super) fn of(parsed: &MatchRecognize) -> Result<Self> {
        let mut labels = Self::default();
        labels.collect(&parsed.pattern);
        let primary = labels.by_name.clone();
        for (union, members) in &parsed.subsets {
            let name = canonical(union);
            if primary.contains_key(&name) {
                let message = format!(
                    "union pattern variable name: {} is a duplicate of primary pattern variable name",
                    union.value
                );
                return Err(invalid(union, message));
            }
            let mut found = Vec::with_capacity(members.len());
            if labels.by_name.contains_key(&name) {
                let message = format!("union pattern variable name: {} is declared twice", union.value);
                return Err(invalid(union, message));
            }
            for member in members {
                let Some(own) = primary.get(&canonical(member)) else {
                    let message =
                        format!("subset element: {} is not a primary pattern variable", member.value);
                    return Err(invalid(member, message));
                };
                found.extend(own);
            }
            found.sort_unstable();
            found.dedup();
            labels.by_name.insert(name, found);
        }
        Ok(labels)
    }

    fn collect(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Variable(name) => {
                let name = canonical(name);
                if !self.by_name.contains_key(&name) {
                    self.by_name.insert(name.clone(), vec![self.primary.len()]);
                    self.primary.push(name);
                }
            }
            Pattern::Empty | Pattern::Start | Pattern::End => {}
            Pattern::Excluded(_, inner) | Pattern::Quantified(inner, _) => self.collect(inner),
            Pattern::Alternation(parts) | Pattern::Concatenation(parts) | Pattern::Permutation(parts) => {
                parts.iter().for_each(|part| self.collect(part));
            }
        }
    }

    /// The primary variables that a name stands for.
    pub(super) fn find(&self, name: &Ident) -> Option<&[usize]> {
        self.by_name.get(&canonical(name)).map(Vec::as_slice)
    }

    /// The primary variable that DEFINE names.
    pub(super) fn defined(&self, name: &Ident) -> Result<usize> {
        let canonical = canonical(name);
        let label = self.by_name.get(&canonical).and_then(|labels| labels.first().copied());
        // The name of a union variable differs from that of its first member.
        label.filter(|label| self.primary[*label] == canonical).ok_or_else(|| {
            let message = format!("defined variable: {} is not a primary pattern variable", name.value);
            invalid(name, message)
        })
    }

    /// Converts the pattern; refuses a pattern that is too large.
    pub(super) fn pattern(&self, pattern: &Pattern, place: Option<ErrorLocation>) -> Result<RowPattern> {
        check_quantifiers(pattern)?;
        let flat = self.row_pattern(pattern, false);
        if flat.instructions() > MAX_PATTERN_INSTRUCTIONS {
            let what = format!("a row pattern of more than {MAX_PATTERN_INSTRUCTIONS} instructions");
            return Err(not_supported(place, what));
        }
        Ok(flat)
    }

    /// Converts a pattern; nested exclusions are dropped, because they exclude nothing more.
    fn row_pattern(&self, pattern: &Pattern, is_excluded: bool) -> RowPattern {
        let all = |parts: &[Pattern]| {
            parts.iter().map(|part| self.row_pattern(part, is_excluded)).collect::<Vec<_>>()
        };
        match pattern {
            Pattern::Variable(name) => match self.find(name) {
                Some([label, ..]) => RowPattern::Label(*label),
                _ => RowPattern::Empty,
            },
            Pattern::Empty => RowPattern::Empty,
            Pattern::Start => RowPattern::PartitionStart,
            Pattern::End => RowPattern::PartitionEnd,
            Pattern::Excluded(_, inner) if is_excluded => self.row_pattern(inner, true),
            Pattern::Excluded(_, inner) => RowPattern::Exclusion(Box::new(self.row_pattern(inner, true))),
            Pattern::Alternation(parts) => RowPattern::Alternation(all(parts)),
            Pattern::Concatenation(parts) => RowPattern::Concatenation(all(parts)),
            Pattern::Permutation(parts) => {
                let mut parts = all(parts);
                parts.retain(|part| *part != RowPattern::Empty);
                RowPattern::Permutation(parts)
            }
            Pattern::Quantified(inner, quantifier) => {
                let bound = |bound: i64| u32::try_from(bound).unwrap_or(u32::MAX);
                RowPattern::Quantified {
                    pattern: Box::new(self.row_pattern(inner, is_excluded)),
                    at_least: quantifier.at_least.map_or(0, bound),
                    at_most: quantifier.at_most.map(bound),
                    is_greedy: quantifier.is_greedy,
                }
            }
        }
    }

    /// AFTER MATCH SKIP.
    pub(super) fn skip_to(&self, skip: &Skip) -> Result<SkipTo> {
        let labels = |name: &Ident| match self.find(name) {
            Some(labels) => Ok(labels.to_vec()),
            None => {
                let message = format!("{} is not a primary or union pattern variable", name.value);
                Err(invalid(name, message))
            }
        };
        Ok(match skip {
            Skip::PastLastRow => SkipTo::PastLastRow,
            Skip::ToNextRow => SkipTo::NextRow,
            Skip::ToFirst(name) => SkipTo::First(labels(name)?),
            Skip::ToLast(name) => SkipTo::Last(labels(name)?),
        })
    }
}

fn invalid(name: &Ident, message: String) -> rowhouse_model::QueryError {
    error(ErrorCode::InvalidLabel, location_of(name.span.start), message)
}

fn check_quantifiers(pattern: &Pattern) -> Result<()> {
    match pattern {
        Pattern::Variable(_) | Pattern::Empty | Pattern::Start | Pattern::End => Ok(()),
        Pattern::Excluded(_, inner) => check_quantifiers(inner),
        Pattern::Alternation(parts) | Pattern::Concatenation(parts) | Pattern::Permutation(parts) => {
            parts.iter().try_for_each(check_quantifiers)
        }
        Pattern::Quantified(inner, quantifier) => {
            check_bounds(quantifier)?;
            check_quantifiers(inner)
        }
    }
}

fn check_bounds(quantifier: &Quantifier) -> Result<()> {
    let Some(braces) = quantifier.braces else { return Ok(()) };
    let (place, most) = (location_of(braces), i64::from(i32::MAX));
    let out_of_range = |message: String| error(ErrorCode::NumericValueOutOfRange, place, message);
    if quantifier.at_least.is_some_and(|bound| bound > most) {
        return Err(out_of_range(format!("Pattern quantifier lower bound must not exceed {most}")));
    }
    if quantifier.at_most.is_some_and(|bound| bound < 1) {
        let message = "Pattern quantifier upper bound must be greater than or equal to 1";
        return Err(out_of_range(message.to_owned()));
    }
    if quantifier.at_most.is_some_and(|bound| bound > most) {
        return Err(out_of_range(format!("Pattern quantifier upper bound must not exceed {most}")));
    }
    match (quantifier.at_least, quantifier.at_most) {
        (Some(least), Some(most)) if least > most => {
            let message = "Pattern quantifier lower bound must not exceed upper bound";
            Err(error(ErrorCode::InvalidRange, place, message))
        }
        _ => Ok(()),
    }
}

/// Refuses INITIAL and SEEK, and exclusions in combination with ALL ROWS PER MATCH WITH UNMATCHED ROWS.
pub(super) fn check_modes(parsed: &MatchRecognize) -> Result<()> {
    if let Some((place, mode)) = parsed.search_mode {
        let message = format!("Pattern search modifier: {mode} is not allowed in MATCH_RECOGNIZE clause");
        return Err(error(ErrorCode::NotSupported, location_of(place), message));
    }
    match first_exclusion(&parsed.pattern) {
        Some(place) if parsed.rows_per_match == RowsPerMatch::WithUnmatched => {
            let message = "Pattern exclusion syntax is not allowed when ALL ROWS PER MATCH WITH UNMATCHED ROWS is specified";
            Err(error(ErrorCode::InvalidRowPattern, location_of(place), message))
        }
        _ => Ok(()),
    }
}

fn first_exclusion(pattern: &Pattern) -> Option<sqlparser::tokenizer::Location> {
    match pattern {
        Pattern::Excluded(place, _) => Some(*place),
        Pattern::Variable(_) | Pattern::Empty | Pattern::Start | Pattern::End => None,
        Pattern::Quantified(inner, _) => first_exclusion(inner),
        Pattern::Alternation(parts) | Pattern::Concatenation(parts) | Pattern::Permutation(parts) => {
            parts.iter().find_map(first_exclusion)
        }
    }
}
