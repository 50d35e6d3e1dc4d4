//! MATCH_RECOGNIZE as parsed. In the parser's tree a placeholder represents it: a name that no text can contain, with
//! its index.

use sqlparser::ast::{Expr, Ident, OrderByExpr, TableFactor};
use sqlparser::tokenizer::{Location, Span};

use super::plan::RowsPerMatch;
use super::spelling::INNER_QUOTE;

/// MATCH_RECOGNIZE with its table.
#[derive(Debug)]
pub(super) struct MatchRecognize {
    pub(super) table: TableFactor,
    /// The place where the table begins.
    pub(super) place: Location,
    pub(super) partition_by: Vec<Expr>,
    pub(super) order_by: Vec<OrderByExpr>,
    pub(super) measures: Vec<(Expr, Ident)>,
    pub(super) rows_per_match: RowsPerMatch,
    pub(super) skip_to: Skip,
    /// INITIAL or SEEK, which only windows support.
    pub(super) search_mode: Option<(Location, &'static str)>,
    pub(super) pattern: Pattern,
    pub(super) subsets: Vec<(Ident, Vec<Ident>)>,
    pub(super) definitions: Vec<(Ident, Expr)>,
    /// The place of the first nested row pattern recognition in a measure or a definition.
    pub(super) nested: Option<Location>,
}

/// AFTER MATCH SKIP.
#[derive(Debug)]
pub(super) enum Skip {
    PastLastRow,
    ToNextRow,
    ToFirst(Ident),
    ToLast(Ident),
}

/// PATTERN.
#[derive(Debug)]
pub(super) enum Pattern {
    Variable(Ident),
    Empty,
    Start,
    End,
    Excluded(Location, Box<Self>),
    Alternation(Vec<Self>),
    Concatenation(Vec<Self>),
    Permutation(Vec<Self>),
    Quantified(Box<Self>, Quantifier),
}

/// A quantifier's bounds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quantifier {
    pub(super) at_least: Option<i64>,
    pub(super) at_most: Option<i64>,
    /// The place of a quantifier in braces, whose numbers must be checked.
    pub(super) braces: Option<Location>,
    pub(super) is_greedy: bool,
}

/// The placeholder for the MATCH_RECOGNIZE with an index.
pub(super) fn placeholder(index: usize, place: Location) -> Expr {
    let span = Span::new(place, place);
    Expr::Identifier(Ident { value: index.to_string(), quote_style: Some(INNER_QUOTE), span })
}

/// The index of the MATCH_RECOGNIZE for which an expression is the placeholder.
pub(super) fn index_of(expr: &Expr) -> Option<usize> {
    match expr {
        Expr::Identifier(name) if name.quote_style == Some(INNER_QUOTE) => name.value.parse().ok(),
        _ => None,
    }
}
