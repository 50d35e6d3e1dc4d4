//! The types that the files of the analyzer share: the analysis itself, the context of an expression, and the
//! intermediate forms of queries, relations and subqueries.

use std::collections::HashMap;
use std::rc::Rc;

use rowhouse_executor::catalog::CatalogSnapshot;
use rowhouse_model::{ErrorCode, ErrorLocation};
use sqlparser::ast::{Ident, NamedWindowDefinition, OrderByExpr};

use super::known_routine::KnownRoutine;
use super::pattern_scope::PatternScope;
use super::scope::{Scope, ScopeField};
use super::token_places::TokenPlaces;
use crate::error::{Result, error, not_supported};
use crate::expr::Expr;
use crate::match_recognize::MatchRecognize;
use crate::plan::{AggregateCall, ColumnId, Field, JoinKey, Plan, SharedId, WindowCall};
use crate::statement::{Inputs, Session, TableRef, TableSchema, TableSchemas};
use crate::types::Type;

/// A statement's analysis.
pub(super) struct Analyzer<'a> {
    pub(super) catalog: &'a CatalogSnapshot,
    pub(super) schemas: &'a mut dyn TableSchemas,
    pub(super) session: &'a Session,
    /// Constants by the names of the parameters that stand for them.
    pub(super) parameters: HashMap<String, Expr>,
    pub(super) tables: Vec<TableRef>,
    pub(super) table_schemas: HashMap<TableRef, TableSchema>,
    /// Plans of common table expressions.
    pub(super) shared: Vec<Plan>,
    /// Those that can be named here, the innermost last.
    pub(super) named_queries: Vec<NamedQuery>,
    pub(super) next_column: u32,
    /// Parameters of lambda expressions by how deep these stand in others, name in lower case and type: equal expressions
    /// are told by equal parts.
    pub(super) lambda_parameters: HashMap<(usize, String, Type), ColumnId>,
    /// What it says of row patterns.
    pub(super) matches: Vec<Rc<MatchRecognize>>,
    /// Functions that the statement brings along.
    pub(super) routines: Vec<KnownRoutine>,
    /// The one whose body is analyzed.
    pub(super) routine_in_work: Option<String>,
    pub(super) depth: usize,
    pub(super) inputs: Inputs,
    pub(super) work: Work,
    /// For errors.
    pub(super) token_places: TokenPlaces,
}

impl Analyzer<'_> {
    /// A new column.
    pub(super) fn new_field(&mut self, name: impl Into<String>, data_type: Type) -> Field {
        let id = ColumnId(self.next_column);
        self.next_column += 1;
        Field::new(id, name, data_type)
    }

    /// A new column without a name, at a place from 0.
    pub(super) fn anonymous_field(&mut self, place: usize, data_type: Type) -> Field {
        Field { is_anonymous: true, ..self.new_field(format!("_col{place}"), data_type) }
    }

    /// A new column that is called as another one, and of its type.
    pub(super) fn renewed(&mut self, field: &Field) -> Field {
        let Field { name, data_type, is_anonymous, id: _ } = field.clone();
        Field { is_anonymous, ..self.new_field(name, data_type) }
    }

    /// The rows depend on a value of the session, as `session_value` names it.
    pub(super) fn note_session_value(&mut self, name: &str) {
        match name {
            "current_date" => self.inputs.date = true,
            "now" | "current_timestamp" | "current_time" | "localtimestamp" | "localtime" => {
                self.inputs.volatile = Some("current_timestamp");
            }
            _ => {}
        }
    }
}

/// What a statement has taken so far.
#[derive(Debug, Default)]
pub(super) struct Work {
    pub(super) steps: usize,
    pub(super) levels: usize,
}

impl Work {
    /// Levels so far.
    pub(super) const fn levels(&self) -> usize {
        self.levels
    }
}

/// Where an expression stands, and what it needs of the plan below it.
#[derive(Debug)]
pub(super) struct Context<'s> {
    /// What names mean.
    pub(super) scope: &'s Scope<'s>,
    /// For messages.
    pub(super) clause: &'static str,
    /// Columns of the select list, which names may mean too: before those of the scope (ORDER BY).
    pub(super) aliases_first: Aliases,
    /// The same, after those of the scope (GROUP BY, HAVING, QUALIFY).
    pub(super) aliases_last: Aliases,
    /// Aggregates found; none where they are not allowed.
    pub(super) aggregates: Option<Vec<AggregateCall>>,
    /// Subqueries in arguments of aggregates: they are joined below the aggregation.
    pub(super) pending_below: Vec<Pending>,
    /// Window functions found; none where they are not allowed.
    pub(super) windows: Option<Vec<WindowCall>>,
    /// WINDOW clause.
    pub(super) named_windows: &'s [NamedWindowDefinition],
    /// Arguments of GROUPING(…), each with the column that will hold the result.
    pub(super) groupings: Option<Vec<(Vec<Expr>, Field)>>,
    /// Subqueries to be joined to the plan that the expression is evaluated over.
    pub(super) pending: Vec<Pending>,
    /// Whether this is inside an aggregate's arguments.
    pub(super) is_in_aggregate: bool,
    /// The parameters of the lambda expressions around, the innermost last.
    pub(super) lambdas: Vec<Vec<Field>>,
    /// What names mean in a measure or a definition of a row pattern.
    pub(super) pattern: Option<PatternScope>,
}

/// Columns of the select list by their names.
#[derive(Clone, Debug, Default)]
pub(super) struct Aliases {
    /// By names in lower case.
    by_name: Rc<HashMap<String, Vec<Expr>>>,
}

impl Aliases {
    pub(super) fn new(columns: impl Iterator<Item = (String, Expr)>) -> Self {
        let mut by_name: HashMap<String, Vec<Expr>> = HashMap::new();
        for (name, expr) in columns {
            by_name.entry(name.to_lowercase()).or_default().push(expr);
        }
        Self { by_name: Rc::new(by_name) }
    }

    /// The columns of a name, in their order.
    pub(super) fn find(&self, name: &str) -> &[Expr] {
        if self.by_name.is_empty() {
            return &[];
        }
        self.by_name.get(&name.to_lowercase()).map_or(&[], Vec::as_slice)
    }
}

impl<'s> Context<'s> {
    /// Neither aggregates nor windows.
    pub(super) fn new(scope: &'s Scope<'s>, clause: &'static str) -> Self {
        Self {
            scope,
            clause,
            aliases_first: Aliases::default(),
            aliases_last: Aliases::default(),
            aggregates: None,
            pending_below: Vec::new(),
            windows: None,
            named_windows: &[],
            groupings: None,
            pending: Vec::new(),
            is_in_aggregate: false,
            lambdas: Vec::new(),
            pattern: None,
        }
    }
}

/// A plan and the columns of it that are meant, in order; the plan may give more.
#[derive(Clone, Debug)]
pub(super) struct Relation {
    /// The rows.
    pub(super) plan: Plan,
    /// The columns.
    pub(super) fields: Vec<Field>,
}

/// A common table expression that can be named.
#[derive(Clone, Debug)]
pub(super) struct NamedQuery {
    pub(super) name: String,
    pub(super) source: NamedSource,
    /// The plan's columns, under the names given by the WITH clause.
    pub(super) fields: Vec<Field>,
}

/// Where the rows of a common table expression come from.
#[expect(clippy::large_enum_variant, reason = "a statement has a handful of them")]
#[derive(Clone, Debug)]
pub(super) enum NamedSource {
    /// Computed once.
    Shared(SharedId),
    /// It names columns of an enclosing query, so it is a part of every query that names it.
    Correlated(Plan),
}

/// ORDER BY, OFFSET and LIMIT of a query.
#[derive(Debug, Default)]
pub(super) struct Ordering<'q> {
    pub(super) order_by: Vec<&'q OrderByExpr>,
    pub(super) offset: u64,
    pub(super) limit: Option<u64>,
    /// Rows that are equal to the last one in order are given, too.
    pub(super) with_ties: bool,
}

/// Rows with the columns that can be named.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) plan: Plan,
    pub(super) fields: Vec<ScopeField>,
}

/// A subquery that is still to be joined.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    pub(super) kind: PendingKind,
    pub(super) relation: Relation,
    pub(super) place: Option<ErrorLocation>,
}

/// What is wanted of a subquery.
#[expect(clippy::large_enum_variant, reason = "a statement has a handful of them, each looked at once")]
#[derive(Clone, Debug)]
pub(super) enum PendingKind {
    /// The values of its one row, under these ids.
    Scalar(Vec<Field>),
    /// Whether it has a row.
    Exists(Field),
    /// Whether it has this value.
    In { mark: Field, key: JoinKey },
}

impl Pending {
    pub(super) fn scalar(relation: Relation, output: Field, place: Option<ErrorLocation>) -> Self {
        Self { kind: PendingKind::Scalar(vec![output]), relation, place }
    }

    pub(super) fn exists(relation: Relation, mark: Field, place: Option<ErrorLocation>) -> Self {
        Self { kind: PendingKind::Exists(mark), relation, place }
    }
}

/// An item of the select list.
#[derive(Clone, Debug)]
pub(super) struct Item {
    /// The column's name in the result.
    pub(super) name: String,
    /// Whether the name can be used in ORDER BY and the like: it was given, or is a column's own.
    pub(super) is_named: bool,
    /// As of the column that it becomes.
    pub(super) is_anonymous: bool,
    pub(super) expr: Expr,
}

/// A part of a name that a statement gives to something, as it is shown.
pub(super) fn shown_name(ident: &Ident) -> String {
    ident.value.clone()
}

/// Refuses `what` where a field of the parser's tree that must be empty is not.
pub(super) fn refuse_if(is_there: bool, place: Option<ErrorLocation>, what: &str) -> Result<()> {
    if is_there { Err(not_supported(place, what)) } else { Ok(()) }
}

/// The statement names something that does not exist or cannot be so.
pub(super) fn user_error(
    code: ErrorCode,
    place: Option<ErrorLocation>,
    message: impl AsRef<str>,
) -> rowhouse_model::QueryError {
    error(code, place, message)
}
