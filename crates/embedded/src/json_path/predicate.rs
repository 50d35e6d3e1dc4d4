//! Filter conditions with three-valued logic: true, false and unknown.

use std::cmp::Ordering;

use rowhouse_sql::expr::ComparisonOperator;
use rowhouse_sql::json_path::{Path, Predicate};
use rowhouse_sql::types::{Type, common_super_type};

use super::{Context, Evaluator, Fault, Item, Node, Result, number};
use crate::conversion::convert;
use crate::datum::{Datum, equal, partial_compare};
use crate::json::text_steps;

/// Copies of a text that count as one step of a retained copy: they are freed at once, so they only cost time.
const COPIES_OF_A_STEP: usize = 16;

impl<'j> Evaluator<'j, '_> {
    pub(super) fn predicate(&mut self, predicate: &Predicate, here: Context<'_, 'j>) -> Result<Option<bool>> {
        self.step(1)?;
        match predicate {
            Predicate::Comparison(left, operator, right) => self.comparison(left, *operator, right, here),
            Predicate::Exists(path) => {
                Ok(self.sequence_or_unknown(path, here)?.map(|found| !found.is_empty()))
            }
            Predicate::Not(inner) => Ok(self.predicate(inner, here)?.map(|value| !value)),
            Predicate::IsUnknown(inner) => Ok(Some(self.predicate(inner, here)?.is_none())),
            Predicate::StartsWith(value, prefix) => self.starts_with(value, prefix, here),
            Predicate::And(parts) => self.connected(parts, false, here),
            Predicate::Or(parts) => self.connected(parts, true, here),
        }
    }

    /// Evaluates AND or OR up to the first part that decides; the result is unknown if none does and a part is unknown.
    fn connected(
        &mut self,
        parts: &[Predicate],
        decisive: bool,
        here: Context<'_, 'j>,
    ) -> Result<Option<bool>> {
        let mut is_known = true;
        for part in parts {
            match self.predicate(part, here)? {
                Some(value) if value == decisive => return Ok(Some(decisive)),
                Some(_) => {}
                None => is_known = false,
            }
        }
        Ok(is_known.then_some(!decisive))
    }

    /// The items of a path; `None` if it fails.
    fn sequence_or_unknown(&mut self, path: &Path, here: Context<'_, 'j>) -> Result<Option<Vec<Node<'j>>>> {
        match self.path(path, here) {
            Ok(sequence) => Ok(Some(sequence)),
            Err(Fault::Path(_)) => Ok(None),
            Err(Fault::TooLong) => Err(Fault::TooLong),
        }
    }

    /// Compares each item of the left side with each item of the right side.
    fn comparison(
        &mut self,
        left: &Path,
        operator: ComparisonOperator,
        right: &Path,
        here: Context<'_, 'j>,
    ) -> Result<Option<bool>> {
        let Some(left) = self.sequence_or_unknown(left, here)? else { return Ok(None) };
        let Some(right) = self.sequence_or_unknown(right, here)? else { return Ok(None) };
        let (left, right) = (self.unwrapped(left)?, self.unwrapped(right)?);
        if left.is_empty() || right.is_empty() {
            return Ok(Some(false));
        }
        let (kinds, others) = (Kinds::of(&left), Kinds::of(&right));
        if kinds.has_container && (others.has_container || others.has_scalar)
            || kinds.has_scalar && others.has_container
        {
            return Ok(None);
        }
        let mut found = match operator {
            ComparisonOperator::Equal | ComparisonOperator::IsNotDistinctFrom => {
                kinds.has_null && others.has_null
            }
            ComparisonOperator::NotEqual | ComparisonOperator::IsDistinctFrom => {
                kinds.has_null && (others.has_scalar || others.has_container)
                    || others.has_null && (kinds.has_scalar || kinds.has_container)
            }
            _ => false,
        };
        if found && self.is_lax || !kinds.has_scalar || !others.has_scalar {
            return Ok(Some(found));
        }
        let (Some(left), Some(right)) = (scalars(&left), scalars(&right)) else { return Ok(None) };
        let (texts, others) = (steps_of_texts(&left), steps_of_texts(&right));
        let copies = texts.saturating_mul(right.len()).saturating_add(others.saturating_mul(left.len()));
        self.step(left.len().saturating_mul(right.len()).saturating_add(copies))?;
        for left in &left {
            for right in &right {
                match compared(left, operator, right) {
                    None => return Ok(None),
                    Some(true) if self.is_lax => return Ok(Some(true)),
                    Some(is_so) => found |= is_so,
                }
            }
        }
        Ok(Some(found))
    }

    fn starts_with(&mut self, value: &Path, prefix: &Path, here: Context<'_, 'j>) -> Result<Option<bool>> {
        let Some(values) = self.sequence_or_unknown(value, here)? else { return Ok(None) };
        let Some(prefix) = self.sequence_or_unknown(prefix, here)? else { return Ok(None) };
        let [prefix] = prefix.as_slice() else { return Ok(None) };
        let Some(prefix) = text_of(prefix) else { return Ok(None) };
        let mut found = false;
        for value in self.unwrapped(values)? {
            match text_of(&value) {
                None => return Ok(None),
                Some(text) if text.starts_with(prefix) => {
                    found = true;
                    if self.is_lax {
                        break;
                    }
                }
                Some(_) => {}
            }
        }
        Ok(Some(found))
    }
}

/// The kinds of items in a sequence.
#[derive(Default)]
struct Kinds {
    has_null: bool,
    has_scalar: bool,
    has_container: bool,
}

impl Kinds {
    fn of(sequence: &[Node<'_>]) -> Self {
        let mut kinds = Self::default();
        for node in sequence {
            match node.item() {
                Some(Item::Null) => kinds.has_null = true,
                Some(Item::Array(_) | Item::Object(_)) => kinds.has_container = true,
                _ => kinds.has_scalar = true,
            }
        }
        kinds
    }
}

/// The scalars of a sequence as SQL values; `None` if a number is too large.
fn scalars<'n>(sequence: &'n [Node<'_>]) -> Option<Vec<(Datum<'n>, Type)>> {
    let is_scalar = |node: &&Node<'_>| !matches!(node.item(), Some(Item::Null));
    sequence.iter().filter(is_scalar).map(number::sql_value).collect()
}

/// The number of steps for texts that are copied into a common type.
fn steps_of_texts(values: &[(Datum<'_>, Type)]) -> usize {
    let of = |(value, _): &(Datum<'_>, Type)| match value {
        Datum::Text(text) => text_steps(text.len()) / COPIES_OF_A_STEP,
        _ => 0,
    };
    values.iter().map(of).sum()
}

fn compared(
    (left, left_type): &(Datum<'_>, Type),
    operator: ComparisonOperator,
    (right, right_type): &(Datum<'_>, Type),
) -> Option<bool> {
    let common = common_super_type(left_type, right_type)?;
    let left = convert(left, left_type, &common).ok()?;
    let right = convert(right, right_type, &common).ok()?;
    let ordered = |test: fn(Ordering) -> bool| Some(partial_compare(&left, &right).is_some_and(test));
    match operator {
        // Paths have no DISTINCT FROM, and their items are not NULL.
        ComparisonOperator::Equal | ComparisonOperator::IsNotDistinctFrom => equal(&left, &right),
        ComparisonOperator::NotEqual | ComparisonOperator::IsDistinctFrom => {
            equal(&left, &right).map(|is_equal| !is_equal)
        }
        ComparisonOperator::LessThan => ordered(Ordering::is_lt),
        ComparisonOperator::LessThanOrEqual => ordered(Ordering::is_le),
        ComparisonOperator::GreaterThan => ordered(Ordering::is_gt),
        ComparisonOperator::GreaterThanOrEqual => ordered(Ordering::is_ge),
    }
}

fn text_of<'n>(node: &'n Node<'_>) -> Option<&'n str> {
    match node {
        Node::Json(Item::Text(text)) => Some(text),
        Node::Made(Item::Text(text)) => Some(text),
        Node::Sql(Datum::Text(text), Type::Varchar { .. }) => Some(text),
        _ => None,
    }
}
