//! Subqueries that a SELECT contains twice. With GROUP BY, those of keys are joined below the aggregation, the others above
//! it; one above that is the same as a key's is the key's. With DISTINCT, one in ORDER BY may be one of the select list.

use std::collections::{HashMap, HashSet};
use std::mem::{Discriminant, discriminant};

use super::context::{Analyzer, Pending, PendingKind, Relation};
use crate::error::Result;
use crate::expr::{Expr, SortKey};
use crate::plan::{ColumnId, Plan};

/// The first id of the columns in a [`Form`]; a statement has fewer columns.
const FIRST_OF_FORM: u32 = 1 << 31;

/// A subquery whose columns are numbered in the order of their definition: the same for each place where it is written.
#[derive(Debug, PartialEq)]
struct Form {
    kind: Discriminant<PendingKind>,
    plan: Plan,
    outputs: Vec<ColumnId>,
    /// The sides of IN.
    key: Option<(Expr, Expr)>,
}

impl Form {
    /// The form of a subquery; `same` are the outputs to be compared instead of those that the left side of IN names.
    fn new(pending: &Pending, same: &HashMap<ColumnId, ColumnId>) -> Self {
        let Pending { kind, relation: Relation { plan, fields }, place: _ } = pending;
        let (plan, ids) = plan.copied(&mut FIRST_OF_FORM.clone());
        let outputs = fields.iter().map(|field| *ids.get(&field.id).unwrap_or(&field.id)).collect();
        let key = match kind {
            PendingKind::In { key, .. } => {
                let (mut left, mut right) = (key.left.clone(), key.right.clone());
                left.rename(same);
                right.rename(&ids);
                Some((left, right))
            }
            PendingKind::Scalar(_) | PendingKind::Exists(_) => None,
        };
        Self { kind: discriminant(kind), plan, outputs, key }
    }
}

/// Distinct subqueries over the same rows.
#[derive(Debug, Default)]
pub(super) struct DistinctSubqueries {
    pending: Vec<Pending>,
    /// `None` for a random one, which is the same as no other one.
    forms: Vec<Option<Form>>,
    /// For outputs of the select list's subqueries that keys have copies of: the copies.
    copies: HashMap<ColumnId, ColumnId>,
}

impl DistinctSubqueries {
    /// The subqueries to be joined.
    pub(super) fn into_pending(self) -> Vec<Pending> {
        self.pending
    }

    /// Enters the outputs of a subquery into `same` if it is the same as a known one; whether it is.
    fn enter(&self, form: &Form, pending: &Pending, same: &mut HashMap<ColumnId, ColumnId>) -> bool {
        let Some(place) = self.forms.iter().position(|known| known.as_ref() == Some(form)) else {
            return false;
        };
        let known = self.pending[place].outputs().iter().map(|field| field.id);
        same.extend(pending.outputs().iter().map(|field| field.id).zip(known));
        true
    }
}

impl Analyzer<'_> {
    /// For subqueries, in the order in which they were found, that are the same as known ones: the known one's output for each
    /// of their outputs.
    pub(super) fn same_subqueries(
        &mut self,
        pending: &[Pending],
        known: &DistinctSubqueries,
    ) -> Result<HashMap<ColumnId, ColumnId>> {
        let mut same = known.copies.clone();
        if !known.forms.is_empty() {
            for pending in pending {
                if !same.contains_key(&pending.outputs()[0].id)
                    && let Some(form) = self.form(pending, &same)?
                {
                    known.enter(&form, pending, &mut same);
                }
            }
        }
        Ok(same)
    }

    /// Adds subqueries that are not the same as known ones; returns the same as [`same_subqueries`](Self::same_subqueries).
    fn add_distinct(
        &mut self,
        pending: Vec<Pending>,
        known: &mut DistinctSubqueries,
    ) -> Result<HashMap<ColumnId, ColumnId>> {
        let mut same = HashMap::new();
        for mut pending in pending {
            let form = self.form(&pending, &same)?;
            if !form.as_ref().is_some_and(|form| known.enter(form, &pending, &mut same)) {
                if let PendingKind::In { key, .. } = &mut pending.kind {
                    key.left.rename(&same);
                }
                known.pending.push(pending);
                known.forms.push(form);
            }
        }
        Ok(same)
    }

    /// `None` for a random subquery.
    fn form(&mut self, pending: &Pending, same: &HashMap<ColumnId, ColumnId>) -> Result<Option<Form>> {
        self.spend_on_plan(&pending.relation.plan, pending.place)?;
        let mut is_random = matches!(&pending.kind, PendingKind::In { key, .. } if key.left.is_random() || key.right.is_random());
        pending.relation.plan.visit(&mut |node| {
            is_random |= node.expressions().into_iter().any(Expr::is_random);
        });
        Ok((!is_random).then(|| Form::new(pending, same)))
    }

    /// A key with its own subqueries, and with copies of those that it shares with items of the select list.
    pub(super) fn key_with_subqueries(
        &mut self,
        mut key: Expr,
        own: Vec<Pending>,
        of_items: &[Pending],
        of_keys: &mut DistinctSubqueries,
    ) -> Result<Expr> {
        let needed = needed_by(key.columns(), of_items);
        let mut copies = of_keys.copies.clone();
        let mut pending = Vec::new();
        for (original, is_needed) in of_items.iter().zip(needed) {
            if is_needed && !copies.contains_key(&original.outputs()[0].id) {
                self.spend_on_plan(&original.relation.plan, original.place)?;
                pending.push(self.copied_subquery(original, &mut copies));
            }
        }
        pending.extend(own);
        let same = self.add_distinct(pending, of_keys)?;
        for copy in copies.values_mut() {
            *copy = *same.get(copy).unwrap_or(copy);
        }
        key.rename(&copies);
        key.rename(&same);
        of_keys.copies = copies;
        Ok(key)
    }

    /// Makes the sort keys of a SELECT DISTINCT name the outputs of earlier subqueries that are the same as theirs; these are
    /// the ones from `first_of_keys`.
    pub(super) fn name_selected(
        &mut self,
        sort_keys: &mut [SortKey],
        pending: &mut Vec<Pending>,
        first_of_keys: usize,
    ) -> Result<()> {
        let (selected, of_keys) = pending.split_at(first_of_keys);
        if of_keys.is_empty() {
            return Ok(());
        }
        let mut known = DistinctSubqueries::default();
        self.add_distinct(selected.to_vec(), &mut known)?;
        let same = self.same_subqueries(of_keys, &known)?;
        let mut of_keys = pending.split_off(first_of_keys);
        for key in sort_keys.iter_mut() {
            key.expr.rename(&same);
        }
        for pending in &mut of_keys {
            if let PendingKind::In { key, .. } = &mut pending.kind {
                key.left.rename(&same);
            }
        }
        remove_same(&mut of_keys, &same, sort_keys.iter().flat_map(|key| key.expr.columns()));
        pending.append(&mut of_keys);
        Ok(())
    }

    /// A copy of a subquery; `copies` is the new column for each output of the subqueries copied so far.
    fn copied_subquery(&mut self, original: &Pending, copies: &mut HashMap<ColumnId, ColumnId>) -> Pending {
        let Pending { kind, relation, place } = original;
        let (plan, ids) = relation.plan.copied(&mut self.next_column);
        let mut relation = Relation { plan, fields: relation.fields.clone() };
        for field in &mut relation.fields {
            field.id = *ids.get(&field.id).unwrap_or(&field.id);
        }
        let mut kind = kind.clone();
        if let PendingKind::In { key, .. } = &mut kind {
            key.left.rename(copies);
            key.right.rename(&ids);
        }
        let mut copy = Pending { kind, relation, place: *place };
        for output in copy.outputs_mut() {
            let renewed = self.renewed(output);
            copies.insert(output.id, renewed.id);
            *output = renewed;
        }
        copy
    }
}

/// Removes subqueries that are the same as others, unless an output is used all the same. The outputs used are those in
/// `used`, and those that a remaining IN compares.
pub(super) fn remove_same(
    pending: &mut Vec<Pending>,
    same: &HashMap<ColumnId, ColumnId>,
    used: impl IntoIterator<Item = ColumnId>,
) {
    let mut needed = needed_by(used, pending).into_iter();
    pending.retain(|pending| {
        needed.next() == Some(true) || !pending.outputs().iter().all(|field| same.contains_key(&field.id))
    });
}

/// Which of the subqueries are needed for columns, directly or as a value that another one looks for.
fn needed_by(columns: impl IntoIterator<Item = ColumnId>, pending: &[Pending]) -> Vec<bool> {
    let mut needed: HashSet<ColumnId> = columns.into_iter().collect();
    let mut of_pending = vec![false; pending.len()];
    // The left side of an IN may name subqueries that were found before it.
    for (place, pending) in pending.iter().enumerate().rev() {
        if pending.outputs().iter().any(|field| needed.contains(&field.id)) {
            of_pending[place] = true;
            if let PendingKind::In { key, .. } = &pending.kind {
                needed.extend(key.left.columns());
            }
        }
    }
    of_pending
}
