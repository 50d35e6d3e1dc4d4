//! Preparation of a statement in the server before it runs: checks that it is well-formed, and computes its
//! fingerprint.

use rowhouse_model::StatementParameters;

use super::deep_stack::on_deep_stack;
use super::effort::Abandonment;
use super::error::Result;
use super::execute::Runnable;
use super::parameters::bind;
use super::parse::parse;
use super::statement_session::StatementProperty;

/// A well-formed statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prepared {
    /// The fingerprint: equal for statements with equal tokens and parameters (D20, D41). 64 hexadecimal digits.
    pub fingerprint: String,
    /// Session properties that the statement sets for itself.
    pub properties: Vec<StatementProperty>,
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
    let tokens = std::mem::take(&mut runnable.tokens);
    let read = bind(&tokens, parameters).and_then(|_| parse(&runnable.text, tokens, abandonment.clone()));
    let read = read.and_then(|parsed| runnable.mismatch.take().map_or(Ok(parsed.properties), Err));
    let properties = read.map_err(|error| runnable.placed(error))?;
    Ok(Prepared { fingerprint, properties })
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod time_tests;
