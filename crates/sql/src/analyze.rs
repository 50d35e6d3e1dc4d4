//! Analyzes a parsed statement into a typed plan: names are resolved in scopes, types are checked and implicit
//! conversions made explicit, subqueries become joins. Every node of the parser's tree is destructured field by field,
//! so that no part of a statement can be ignored: unknown parts are refused.

use std::collections::HashMap;
use std::rc::Rc;

use rowhouse_model::{ErrorCode, ErrorLocation};
use sqlparser::ast::{Expr as AstExpr, Statement};

use super::deep_stack::on_deep_stack;
use super::effort::Abandonment;
use super::error::{Result, located, location_of, not_supported};
use super::execute::{Description, Runnable};
use super::explain::Explain;
use super::expr::Expr;
use super::parameters;
use super::parse::{Body, Parsed, parse};
use super::passes::{PassSet, run_passes};
use super::plan::Plan;
use super::statement::{Analyzed, Inputs, Session, TableSchemas};
use super::with_session;
use rowhouse_executor::catalog::CatalogSnapshot;

mod access;
mod aggregate_call;
mod alias;
mod arithmetic;
mod at_time_zone;
mod call;
mod call_sites;
mod canonical_name;
mod case;
mod coerce;
mod comparison;
mod context;
mod converted_call;
mod data_type;
mod decorrelate;
mod describe;
mod explain;
mod expression;
mod group_array;
mod grouping;
mod interval;
mod joining;
mod json_table;
mod json_table_columns;
mod json_table_plan;
mod known_routine;
mod lambda;
mod limit;
pub(super) mod literal;
mod local_columns;
mod map_aggregate;
mod match_recognize;
mod metadata;
mod named_window;
mod over_groups;
mod pattern_call;
mod pattern_labels;
mod pattern_names;
mod pattern_scope;
mod place;
mod query;
mod recursive;
mod recursive_shape;
mod relation;
mod requested_statistics;
mod routine;
mod routine_call;
mod same_subqueries;
mod sample;
mod scope;
mod select;
mod select_order;
mod session_zone;
mod set_operation;
mod special_forms;
mod sql_json;
mod star;
mod subquery;
mod table_function;
mod table_names;
mod token_places;
mod uncertain_zone;
mod unnest;
mod unwrapped_cast;
mod window_call;
mod window_definition;
mod window_frame;
mod work;
mod zone_of_row;

use context::{Analyzer, Context, Relation, Work, user_error};
use scope::Scope;
use session_zone::SessionZone;
use token_places::TokenPlaces;

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

/// As [`analyze`], on the caller's stack, which must be large enough for the deepest statement.
fn analyze_here(
    text: &str,
    catalog: &CatalogSnapshot,
    schemas: &mut dyn TableSchemas,
    session: &Session,
    passes: &PassSet,
) -> Result<Analyzed> {
    let runnable = Runnable::of(text, &Abandonment::default())?;
    analyze_runnable(&runnable, catalog, schemas, session, passes).map_err(|error| runnable.placed(error))
}

pub(super) fn analyze_runnable(
    runnable: &Runnable<'_>,
    catalog: &CatalogSnapshot,
    schemas: &mut dyn TableSchemas,
    session: &Session,
    passes: &PassSet,
) -> Result<Analyzed> {
    let Runnable { text, tokens, description, mismatch, .. } = runnable;
    let start = tokens.first().and_then(|token| location_of(token.span.start));
    let parameters = parameters::bind(tokens, &session.parameters)?;
    let Parsed { explain, properties, routines, matches, body } =
        parse(text, tokens.clone(), Abandonment::default())?;
    if let Some(mismatch) = mismatch {
        return Err(mismatch.clone());
    }
    let own = with_session::time_zone(&properties)?;
    let own = own.map(|time_zone| Session { time_zone, ..session.clone() });
    let session = own.as_ref().unwrap_or(session);
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
        lambda_parameters: HashMap::new(),
        matches: matches.into_iter().map(Rc::new).collect(),
        routines: Vec::new(),
        routines_in_zones: Vec::new(),
        routine_in_work: None,
        depth: 0,
        inputs: Inputs::default(),
        asks_local_times_of_texts: false,
        work: Work::default(),
        token_places: TokenPlaces::of(tokens),
    };
    analyzer.define_routines(routines)?;
    let relation = located(analyzer.statement(&body), start)?;
    let Relation { plan, fields } = relation;
    if let Some(fault) = fields.iter().find_map(|field| field.data_type.storage_fault()) {
        return Err(not_supported(start, fault));
    }
    let mut analyzed = Analyzed {
        plan,
        output: fields,
        shared: std::mem::take(&mut analyzer.shared),
        tables: std::mem::take(&mut analyzer.tables),
        statistics: Vec::new(),
        is_explain_analyze: explain == Some(Explain::Analyze),
        inputs: std::mem::take(&mut analyzer.inputs),
    };
    match description {
        None => {}
        Some(Description::Output) => {
            return Ok(describe::output(&analyzed, &describe::aliased_columns(&body), catalog));
        }
        Some(Description::Input { places }) => return Ok(describe::input(&analyzed, places)),
    }
    zone_of_row::check(&analyzed)?;
    analyzer.add_local_columns(&mut analyzed)?;
    let asks_texts = analyzer.asks_local_times_of_texts;
    uncertain_zone::check(&mut analyzed, SessionZone::of(session), asks_texts)?;
    session_zone::apply(&mut analyzed, SessionZone::of(session));
    requested_statistics::collect(&mut analyzed, analyzer.schemas, explain.is_some());
    run_passes(&mut analyzed, passes, &mut analyzer.next_column);
    // Decorrelation must have turned every outer reference into a part of a join. It does not reach grouping sets below
    // a set operation, so those are refused.
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

    /// Analyzes an expression without columns and subqueries, as in LIMIT and in VALUES of functions.
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

#[cfg(test)]
mod tests;
