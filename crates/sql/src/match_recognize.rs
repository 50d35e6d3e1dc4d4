//! MATCH_RECOGNIZE as it is written. It stands in the parser's tree as a name that no text has, which tells its index.

use sqlparser::ast::{Expr, Ident, OrderByExpr, TableFactor};
use sqlparser::tokenizer::{Location, Span};

use super::plan::RowsPerMatch;
use super::spelling::INNER_QUOTE;

/// MATCH_RECOGNIZE with its table.
#[derive(Debug)]
pub(super) struct MatchRecognize {
    pub(super) table: TableFactor,
    /// Where the table begins.
    pub(super) place: Location,
    pub(super) partition_by: Vec<Expr>,
    pub(super) order_by: Vec<OrderByExpr>,
    pub(super) measures: Vec<(Expr, Ident)>,
    pub(super) rows_per_match: RowsPerMatch,
    pub(super) skip_to: Skip,
    /// INITIAL or SEEK, which a window alone takes.
    pub(super) search_mode: Option<(Location, &'static str)>,
    pub(super) pattern: Pattern,
    pub(super) subsets: Vec<(Ident, Vec<Ident>)>,
    pub(super) definitions: Vec<(Ident, Expr)>,
    /// Where the first row pattern recognition in a measure or a definition begins.
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

/// How often.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quantifier {
    pub(super) at_least: Option<i64>,
    pub(super) at_most: Option<i64>,
    /// Of one in braces, whose numbers are checked.
    pub(super) braces: Option<Location>,
    pub(super) is_greedy: bool,
}

/// What stands for the MATCH_RECOGNIZE of an index.
pub(super) fn stand_in(index: usize, place: Location) -> Expr {
    let span = Span::new(place, place);
    Expr::Identifier(Ident { value: index.to_string(), quote_style: Some(INNER_QUOTE), span })
}

/// The index of the MATCH_RECOGNIZE that an expression stands for.
pub(super) fn index_of(expr: &Expr) -> Option<usize> {
    match expr {
        Expr::Identifier(name) if name.quote_style == Some(INNER_QUOTE) => name.value.parse().ok(),
        _ => None,
    }
}
