//! Preparation of a statement in the server before it runs: checks that it is well-formed, and computes its
//! fingerprint.

use std::collections::HashSet;

use rowhouse_model::StatementParameters;
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::deep_stack::on_deep_stack;
use super::effort::Abandonment;
use super::error::Result;
use super::execute::Runnable;
use super::fingerprint::Form;
use super::parameters::bind;
use super::parse::parse;
use super::with_session::StatementProperty;

/// A well-formed statement.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The fingerprint: equal for statements with equal tokens and parameters (D20, D41). 64 hexadecimal digits.
    pub fingerprint: String,
    /// Session properties that the statement sets for itself.
    pub properties: Vec<StatementProperty>,
    /// What need not be read again when the same text comes with other values; none if it sets properties or has more
    /// than 32 parameters.
    pub text: Option<PreparedText>,
}

/// A well-formed text, whose parameters may have any values.
#[derive(Clone, Debug)]
pub struct PreparedText {
    /// None if the text contains another statement (`EXECUTE IMMEDIATE`).
    form: Option<Form>,
    /// The first occurrence of each parameter.
    placeholders: Vec<TokenWithSpan>,
    /// The fingerprint of a text without parameters.
    fingerprint: Option<String>,
}

/// Maximum number of parameters of a [`PreparedText`], which bounds its memory.
const MAX_PLACEHOLDERS: usize = 32;

impl PreparedText {
    fn of(runnable: &Runnable<'_>) -> Option<Self> {
        let mut names = HashSet::new();
        let mut placeholders = Vec::new();
        for token in &runnable.tokens {
            if let Token::Placeholder(name) = &token.token
                && names.insert(name)
            {
                placeholders.push(token.clone());
            }
        }
        let fingerprint =
            placeholders.is_empty().then(|| runnable.fingerprint(&StatementParameters::default()));
        let form = runnable.is_plain().then(|| Form::of(&runnable.tokens));
        (placeholders.len() <= MAX_PLACEHOLDERS).then_some(Self { form, placeholders, fingerprint })
    }

    /// The fingerprint of the text with these parameters, as in [`Prepared`], in time linear in the parameters; none if
    /// it must be parsed again for them.
    ///
    /// # Errors
    /// As for [`prepare`], those of unsuitable parameters.
    pub fn fingerprint(&self, parameters: &StatementParameters) -> Option<Result<String>> {
        if parameters.is_empty()
            && let Some(fingerprint) = &self.fingerprint
        {
            return Some(Ok(fingerprint.clone()));
        }
        let form = self.form.clone()?;
        Some(bind(&self.placeholders, parameters).map(|_| form.fingerprint(parameters)))
    }
}

/// Parses a statement without resolving names, in time linear in the text. Safe for any text.
///
/// # Errors
/// `SYNTAX_ERROR` if the text is not one statement, `NOT_SUPPORTED` if the nesting or a chain of operators is too deep,
/// `INVALID_PARAMETER_USAGE` and others for unsuitable parameters; all with a location (D5).
pub fn prepare(text: &str, parameters: &StatementParameters) -> Result<Prepared> {
    on_deep_stack(|| prepare_here(text, parameters, &Abandonment::default()))
}

/// As [`prepare`], on the caller's stack, which must be large. Ends soon after it is abandoned.
pub fn prepare_here(
    text: &str,
    parameters: &StatementParameters,
    abandonment: &Abandonment,
) -> Result<Prepared> {
    let mut runnable = Runnable::of(text, abandonment)?;
    let fingerprint = runnable.fingerprint(parameters);
    let of_text = PreparedText::of(&runnable);
    let tokens = std::mem::take(&mut runnable.tokens);
    let read = bind(&tokens, parameters).and_then(|_| parse(&runnable.text, tokens, abandonment.clone()));
    let read = read.and_then(|parsed| runnable.mismatch.take().map_or(Ok(parsed.properties), Err));
    let properties = read.map_err(|error| runnable.placed(error))?;
    let of_text = of_text.filter(|_| properties.is_empty());
    Ok(Prepared { fingerprint, properties, text: of_text })
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod time_tests;
