//! From a parsed statement to a typed plan: names are resolved in scopes, types are checked and implicit
//! conversions made explicit, subqueries become joins. Every node of the parser's tree is taken apart field by
//! field, so that nothing that a statement says can be passed over: what is not understood is refused.

use std::collections::HashMap;

use rowhouse_model::{ErrorCode, ErrorLocation};
use sqlparser::ast::{Expr as AstExpr, Ident, Statement};

use super::deep_stack::on_deep_stack;
use super::effort::Abandonment;
use super::error::{Result, error, located, location_of, not_supported};
use super::explain::Explain;
use super::expr::Expr;
use super::parameters;
use super::parse::{Body, Parsed, parse};
use super::passes::{PassSet, run_passes};
use super::plan::{ColumnId, Field, Plan};
use super::statement::{Analyzed, Session, TableRef, TableSchema, TableSchemas};
use super::tokens::tokenize;
use super::types::Type;
use rowhouse_executor::catalog::CatalogSnapshot;

mod access;
mod aggregate_call;
mod arithmetic;
mod call;
mod coerce;
mod comparison;
mod data_type;
mod decorrelate;
mod explain;
mod expression;
mod grouping;
mod interval;
mod joining;
pub(super) mod literal;
mod metadata;
mod place;
mod query;
mod recursive;
mod relation;
mod scope;
mod select;
mod special_forms;
mod subquery;
mod table_names;
mod unnest;
mod window_call;
mod work;

use expression::Context;
use query::Relation;
use scope::Scope;
use work::{STEPS_OF_NODE, Work};

/// Parts of one expression. Some forms stand for several copies of a part (`x BETWEEN a AND b`), which nested in
/// each other would double it without end.
const MAX_EXPRESSION_NODES: usize = 500_000;
/// Depth to which expressions and queries may be nested in each other.
const MAX_DEPTH: usize = 1_000;

/// Plans a statement.
///
/// # Errors
/// Everything that is wrong with the statement, with its place and Trino's error name (D5).
pub fn analyze(
    text: &str,
    catalog: &CatalogSnapshot,
    schemas: &mut (dyn TableSchemas + Send),
    session: &Session,
    passes: &PassSet,
) -> Result<Analyzed> {
    on_deep_stack(|| analyze_here(text, catalog, schemas, session, passes))
}

/// As [`analyze`], on the caller's stack, which must be a deep one.
fn analyze_here(
    text: &str,
    catalog: &CatalogSnapshot,
    schemas: &mut dyn TableSchemas,
    session: &Session,
    passes: &PassSet,
) -> Result<Analyzed> {
    let tokens = tokenize(text)?;
    let start = tokens.first().and_then(|token| location_of(token.span.start));
    let parameters = parameters::bind(&tokens, &session.parameters)?;
    let Parsed { explain, body } = parse(text, tokens, Abandonment::default())?;
    let mut analyzer = Analyzer {
        catalog,
        schemas,
        session,
        parameters,
        tables: Vec::new(),
        table_schemas: HashMap::new(),
        shared: Vec::new(),
        named_queries: Vec::new(),
        next_column: 0,
        depth: 0,
        work: Work::default(),
    };
    let relation = located(analyzer.statement(&body), start)?;
    let Relation { plan, fields } = relation;
    let mut analyzed = Analyzed {
        plan,
        output: fields,
        shared: analyzer.shared,
        tables: analyzer.tables,
        is_explain_analyze: explain == Some(Explain::Analyze),
    };
    run_passes(&mut analyzed, passes, &mut analyzer.next_column);
    // What a subquery names of the queries around it must have become a join: grouping sets below a set operation
    // are not followed.
    let is_open = |plan: &Plan| !plan.free_columns().is_empty();
    if analyzed.shared.iter().any(is_open) || is_open(&analyzed.plan) {
        return Err(not_supported(start, "a correlated subquery of this shape"));
    }
    Ok(match explain {
        None | Some(Explain::Analyze) => analyzed,
        Some(Explain::Validate) => explain::valid(),
        Some(Explain::Plan(format)) => explain::plan(&analyzed, format),
        Some(Explain::InputOutput) => explain::inputs(&analyzed, catalog, &analyzer.table_schemas),
    })
}

/// A statement's analysis.
struct Analyzer<'a> {
    catalog: &'a CatalogSnapshot,
    schemas: &'a mut dyn TableSchemas,
    session: &'a Session,
    /// Constants by the names of the parameters that stand for them.
    parameters: HashMap<String, Expr>,
    tables: Vec<TableRef>,
    table_schemas: HashMap<TableRef, TableSchema>,
    /// Plans of common table expressions.
    shared: Vec<Plan>,
    /// Those that can be named here, the innermost last.
    named_queries: Vec<query::NamedQuery>,
    next_column: u32,
    depth: usize,
    work: Work,
}

impl Analyzer<'_> {
    fn statement(&mut self, body: &Body) -> Result<Relation> {
        match body {
            Body::Statement(Statement::Query(query)) => self.query(query, None),
            Body::Show(show) => self.show(show),
            Body::Statement(other) => {
                let text = other.to_string();
                let verb = text.split_whitespace().next().unwrap_or("this statement").to_uppercase();
                let start = ErrorLocation { line_number: 1, column_number: 1 };
                let message = format!("{verb} is not supported: statements here only read");
                Err(user_error(ErrorCode::NotSupported, Some(start), message))
            }
        }
    }

    /// A new column.
    fn new_field(&mut self, name: impl Into<String>, data_type: Type) -> Field {
        let id = ColumnId(self.next_column);
        self.next_column += 1;
        Field { id, name: name.into(), data_type }
    }

    /// Runs `work` one level deeper.
    fn nested<T>(
        &mut self,
        place: Option<ErrorLocation>,
        work: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        if self.depth >= MAX_DEPTH {
            return Err(not_supported(place, format!("an expression of more than {MAX_DEPTH} levels")));
        }
        self.spend(STEPS_OF_NODE, place)?;
        self.depth += 1;
        let outcome = work(self);
        self.depth -= 1;
        outcome
    }

    /// The expression, if it is not too large.
    fn of_bounded_size(&self, expr: Expr) -> Result<Expr> {
        if expr.node_count() > MAX_EXPRESSION_NODES {
            let what = format!("an expression of more than {MAX_EXPRESSION_NODES} parts");
            return Err(not_supported(expr.location, what));
        }
        Ok(expr)
    }

    /// An expression that names no column and has no subquery, as in LIMIT and VALUES of functions.
    fn constant(&mut self, expr: &AstExpr, clause: &'static str) -> Result<Expr> {
        let scope = Scope::default();
        let mut context = Context::new(&scope, clause);
        let analyzed = self.expression(expr, &mut context)?;
        if context.pending.is_empty() {
            Ok(analyzed)
        } else {
            Err(not_supported(place::place_of(expr), format!("a subquery in {clause}")))
        }
    }
}

/// A part of a name that a statement gives to something, as it is shown.
fn shown_name(ident: &Ident) -> String {
    ident.value.clone()
}

/// Refuses `what` where a field of the parser's tree that must be empty is not.
fn refuse_if(is_there: bool, place: Option<ErrorLocation>, what: &str) -> Result<()> {
    if is_there { Err(not_supported(place, what)) } else { Ok(()) }
}

/// The statement names something that does not exist or cannot be so.
fn user_error(
    code: ErrorCode,
    place: Option<ErrorLocation>,
    message: impl AsRef<str>,
) -> rowhouse_model::QueryError {
    error(code, place, message)
}

#[cfg(test)]
mod tests;
