//! Preparation of a statement in the server before anything runs: is it well-formed, and what is its fingerprint.

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
    /// Equal for statements of equal tokens with equal parameters (D20, D41): 64 hexadecimal digits.
    pub fingerprint: String,
    /// Properties of the session that it sets for itself.
    pub properties: Vec<StatementProperty>,
}

/// Reads a statement without looking at names. Linear in the text, safe on any text.
///
/// # Errors
/// `SYNTAX_ERROR` for what is not one statement, `NOT_SUPPORTED` for one that is nested or chained too deep,
/// `INVALID_PARAMETER_USAGE` and others for parameters that do not fit; all with a place (D5).
pub fn prepare(text: &str, parameters: &StatementParameters) -> Result<Prepared> {
    on_deep_stack(|| prepare_here(text, parameters, &Abandonment::default()))
}

/// As [`prepare`], on the caller's stack, which must be a deep one. It ends soon after it is abandoned.
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
