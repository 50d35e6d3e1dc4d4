//! EXPLAIN and its options. They are removed before the statement is parsed: the parser would lose the location of an
//! error in the explained statement.

use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, TokenWithSpan, Word};

use super::error::{Result, location_of, not_supported, syntax_error};
use super::spelling::{is_named, is_word};

/// The kind of EXPLAIN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Explain {
    /// `TYPE LOGICAL` and `TYPE DISTRIBUTED`, which are the same because a plan runs in one process.
    Plan(PlanFormat),
    /// `TYPE IO`: the tables that are read, as JSON.
    InputOutput,
    /// `TYPE VALIDATE`: only checks that the statement can be planned.
    Validate,
    /// `ANALYZE`: runs the statement, and returns the plan with measurements.
    Analyze,
}

/// The output format of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlanFormat {
    Text,
    Json,
    Graphviz,
}

/// Removes EXPLAIN and its options from the start of the tokens.
pub(super) fn take_explain(tokens: &mut Vec<TokenWithSpan>) -> Result<Option<Explain>> {
    if !is_word(tokens.first(), Keyword::EXPLAIN) {
        return Ok(None);
    }
    let (explain, taken) = options(tokens)?;
    tokens.drain(..taken);
    Ok(Some(explain))
}

/// The kind of EXPLAIN, and the number of its tokens.
fn options(tokens: &[TokenWithSpan]) -> Result<(Explain, usize)> {
    let default = Explain::Plan(PlanFormat::Text);
    let Some(next) = tokens.get(1) else { return Ok((default, 1)) };
    let place = location_of(next.span.start);
    if is_named(Some(next), "ANALYZE") {
        // VERBOSE adds no output.
        return Ok((Explain::Analyze, if is_named(tokens.get(2), "VERBOSE") { 3 } else { 2 }));
    }
    let begins_query = |token: Option<&TokenWithSpan>| match token.map(|token| &token.token) {
        Some(Token::LParen) => true,
        Some(Token::Word(Word { keyword, quote_style: None, .. })) => {
            matches!(keyword, Keyword::SELECT | Keyword::WITH | Keyword::VALUES | Keyword::TABLE)
        }
        _ => false,
    };
    if next.token != Token::LParen || begins_query(tokens.get(2)) {
        return Ok((default, 1));
    }
    let (mut kind, mut format) = (None, None);
    let mut at = 2;
    loop {
        // The first of repeated options applies, as in Trino.
        if is_named(tokens.get(at), "TYPE") {
            let found = one_of(tokens, at + 1, &["DISTRIBUTED", "IO", "LOGICAL", "VALIDATE"])?;
            kind.get_or_insert(found);
        } else if is_named(tokens.get(at), "FORMAT") {
            let found = one_of(tokens, at + 1, &["GRAPHVIZ", "JSON", "TEXT"])?;
            format.get_or_insert(found);
        } else {
            return Err(expected(tokens, at, "FORMAT or TYPE"));
        }
        at += 2;
        match tokens.get(at).map(|token| &token.token) {
            Some(Token::Comma) => at += 1,
            Some(Token::RParen) => break,
            _ => return Err(expected(tokens, at, ", or )")),
        }
    }
    let format = match format {
        Some("GRAPHVIZ") => PlanFormat::Graphviz,
        Some("JSON") => PlanFormat::Json,
        _ => PlanFormat::Text,
    };
    let explain = match kind {
        Some("VALIDATE") => Explain::Validate,
        Some("IO") if format == PlanFormat::Graphviz => {
            return Err(not_supported(place, "GRAPHVIZ of EXPLAIN (TYPE IO)"));
        }
        Some("IO") => Explain::InputOutput,
        _ => Explain::Plan(format),
    };
    Ok((explain, at + 1))
}

fn one_of(tokens: &[TokenWithSpan], at: usize, names: &[&'static str]) -> Result<&'static str> {
    let found = names.iter().copied().find(|name| is_named(tokens.get(at), name));
    found.ok_or_else(|| expected(tokens, at, &names.join(", ")))
}

fn expected(tokens: &[TokenWithSpan], at: usize, what: &str) -> rowhouse_model::QueryError {
    let (found, place) = match tokens.get(at) {
        Some(token) => (token.token.to_string(), location_of(token.span.start)),
        None => {
            let end = tokens.last().and_then(|token| location_of(token.span.end));
            ("the end of the statement".to_owned(), end)
        }
    };
    syntax_error(place, format!("expected: {what}, found: {found}"))
}
