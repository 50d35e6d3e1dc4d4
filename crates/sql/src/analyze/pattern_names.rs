//! Name resolution in measures and definitions of row patterns: names stand for values of a match's rows, which are
//! inputs of the expression.

use std::collections::HashSet;
use std::rc::Rc;

use rowhouse_model::{ErrorCode, ErrorLocation, QueryError};
use sqlparser::ast::Ident;

use super::canonical_name::canonical;
use super::context::{Analyzer, Context, Pending, user_error};
use super::pattern_scope::{PatternScope, Reference};
use super::work::STEPS_OF_COLUMN;
use crate::error::{Result, location_of, suggestion};
use crate::expr::{Expr, ExprKind};
use crate::plan::{ColumnId, Navigation, PatternExpr, PatternInput};
use crate::types::Type;

/// The work of adding an input, per input before it: each column reference is compared with all of them.
const STEPS_OF_INPUT: usize = 10;
/// Maximum number of inputs that are searched for an equal one.
const MAX_SEARCHED: usize = 64;

impl Analyzer<'_> {
    /// The column to which a name resolves.
    pub(super) fn pattern_name(&mut self, path: &[Ident], context: &mut Context<'_>) -> Result<Expr> {
        let place = path.first().and_then(|part| location_of(part.span.start));
        self.spend_on_inputs(context, place)?;
        let Some(pattern) = &context.pattern else { return context.scope.resolve(path) };
        let labels = Rc::clone(&pattern.labels);
        let shown: Vec<&str> = path.iter().map(|part| part.value.as_str()).collect();
        let missing = |message: String| user_error(ErrorCode::ColumnNotFound, place, message);
        let (reference, value) = match path {
            [name] => {
                let Some(value) = context.scope.resolve_here(path, place)? else {
                    if name.quote_style.is_none()
                        && let Some(value) = self.session_value(&name.value.to_lowercase())
                    {
                        self.note_session_value(&name.value.to_lowercase());
                        return Ok(value.at(place));
                    }
                    return Err(unresolved(name, context, place));
                };
                (Reference { labels: None, name: None, place }, value)
            }
            [label, rest @ ..] if labels.find(label).is_some() => {
                let column = rest.iter().map(|part| part.value.as_str()).collect::<Vec<_>>().join(".");
                let unknown = || {
                    missing(format!("Column {column} prefixed with label {} cannot be resolved", label.value))
                };
                let ([_], Some(value)) = (rest, context.scope.resolve_here(rest, place)?) else {
                    return Err(unknown());
                };
                let name = Some(canonical(label));
                let count = labels.find(label).map_or(0, <[usize]>::len);
                self.spend(count.saturating_mul(STEPS_OF_COLUMN), place)?;
                let reference = Reference { labels: labels.find(label).map(<[usize]>::to_vec), name, place };
                (reference, value)
            }
            _ => return Err(missing(format!("Column '{}' cannot be resolved", shown.join(".")))),
        };
        let Some(pattern) = &mut context.pattern else { return Ok(value) };
        pattern.references.push(reference.clone());
        if pattern.of_row.is_some() {
            return Ok(value.at(place));
        }
        let labels = reference.labels.unwrap_or_default();
        let navigation = Navigation { labels, ..pattern.navigation.clone() };
        let data_type = value.data_type.clone();
        Ok(self.pattern_input(PatternInput::Value { value, navigation }, data_type, pattern).at(place))
    }

    /// Accounts for the work of one more input.
    pub(super) fn spend_on_inputs(
        &mut self,
        context: &Context<'_>,
        place: Option<ErrorLocation>,
    ) -> Result<()> {
        let inputs = context.pattern.as_ref().map_or(0, |pattern| pattern.inputs.len());
        self.spend(inputs.saturating_mul(STEPS_OF_INPUT), place)
    }

    /// Makes the marks of subqueries, those from `first` on, values of the row to which the enclosing functions navigate.
    pub(super) fn navigate_marks(&mut self, found: &mut Expr, first: usize, context: &mut Context<'_>) {
        let Context { pattern: Some(pattern), pending, .. } = context else { return };
        let marks: HashSet<ColumnId> =
            pending[first..].iter().flat_map(Pending::outputs).map(|field| field.id).collect();
        found.transform(&mut |part| {
            if part.as_column().is_some_and(|id| marks.contains(&id)) {
                let (place, data_type) = (part.location, part.data_type.clone());
                let input =
                    PatternInput::Value { value: part.clone(), navigation: pattern.navigation.clone() };
                *part = self.pattern_input(input, data_type, pattern).at(place);
            }
        });
    }

    /// The parameter for an input.
    pub(super) fn pattern_input(
        &mut self,
        input: PatternInput,
        data_type: Type,
        pattern: &mut PatternScope,
    ) -> Expr {
        let mut known = pattern.inputs.iter().rev().take(MAX_SEARCHED);
        if let Some((id, data_type, _)) = known.find(|(.., known)| *known == input) {
            return Expr::column(*id, data_type.clone());
        }
        let id = self.new_field("", Type::Unknown).id;
        pattern.inputs.push((id, data_type.clone(), input));
        Expr::column(id, data_type)
    }

    /// The analyzed expression with its inputs. Other columns in it are outputs of subqueries, and become inputs of the
    /// current row.
    pub(super) fn pattern_expr(&mut self, mut value: Expr, mut pattern: PatternScope) -> PatternExpr {
        let mut own: HashSet<ColumnId> = value.columns().into_iter().collect();
        for (id, ..) in &pattern.inputs {
            own.remove(id);
        }
        value.transform(&mut |part| {
            if let ExprKind::Column(id) = part.kind
                && own.contains(&id)
            {
                let navigation = Navigation::CURRENT;
                let column = Expr::column(id, part.data_type.clone());
                let input = PatternInput::Value { value: column, navigation };
                *part = self.pattern_input(input, part.data_type.clone(), &mut pattern).at(part.location);
            }
        });
        let mut parameters = Vec::with_capacity(pattern.inputs.len());
        let mut inputs = Vec::with_capacity(pattern.inputs.len());
        for (id, data_type, input) in pattern.inputs {
            parameters.push((id, data_type));
            inputs.push(input);
        }
        let (data_type, location) = (value.data_type.clone(), value.location);
        let kind = ExprKind::Lambda { parameters, body: Box::new(value) };
        PatternExpr { value: Expr::new(kind, data_type).at(location), inputs }
    }
}

fn unresolved(name: &Ident, context: &Context<'_>, place: Option<ErrorLocation>) -> QueryError {
    if matches!(context.scope.lookup(std::slice::from_ref(name)), Ok(Some(_))) {
        let message =
            format!("Reference to column '{}' from outer scope not allowed in this context", name.value);
        return user_error(ErrorCode::NotSupported, place, message);
    }
    let known = context.scope.fields.iter().map(|known| known.field.name.as_str());
    let message = format!("Column '{}' cannot be resolved{}", name.value, suggestion(&name.value, known));
    user_error(ErrorCode::ColumnNotFound, place, message)
}
