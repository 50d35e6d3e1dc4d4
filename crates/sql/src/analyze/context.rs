//! The types that the files of the analyzer share: the analysis itself, the context of an expression, and the
//! intermediate forms of queries, relations and subqueries.

use std::collections::HashMap;
use std::rc::Rc;

use rowhouse_executor::catalog::CatalogSnapshot;
use rowhouse_model::{ErrorCode, ErrorLocation};
use sqlparser::ast::{Ident, OrderByExpr};

use super::known_routine::KnownRoutine;
use super::pattern_scope::PatternScope;
use super::scope::{Scope, ScopeField};
use super::token_places::TokenPlaces;
use super::window_definition::NamedWindow;
use crate::error::{Result, error, not_supported};
use crate::expr::Expr;
use crate::match_recognize::MatchRecognize;
use crate::plan::{AggregateCall, ColumnId, Field, JoinKey, Plan, SharedId, WindowCall};
use crate::statement::{Inputs, Session, TableRef, TableSchema, TableSchemas};
use crate::types::Type;

/// The state of the analysis of one statement.
pub(super) struct Analyzer<'a> {
    pub(super) catalog: &'a CatalogSnapshot,
    pub(super) schemas: &'a mut dyn TableSchemas,
    pub(super) session: &'a Session,
    /// Constants by the names of the placeholders that stand for them.
    pub(super) parameters: HashMap<String, Expr>,
    pub(super) tables: Vec<TableRef>,
    pub(super) table_schemas: HashMap<TableRef, TableSchema>,
    /// Plans of common table expressions.
    pub(super) shared: Vec<Plan>,
    /// The common table expressions in scope, the innermost last.
    pub(super) named_queries: Vec<NamedQuery>,
    pub(super) next_column: u32,
    /// Parameters of lambda expressions by nesting depth, name in lower case, and type. Equal lambda expressions thus
    /// get equal parameters, so that equal expressions are recognized.
    pub(super) lambda_parameters: HashMap<(usize, String, Type), ColumnId>,
    /// The MATCH_RECOGNIZE clauses of the statement.
    pub(super) matches: Vec<Rc<MatchRecognize>>,
    /// Functions that the statement defines.
    pub(super) routines: Vec<Rc<KnownRoutine>>,
    /// Those of them that were called with arguments of other zones, by index and the types of their parameters.
    pub(super) routines_in_zones: Vec<(usize, Vec<Type>, Rc<KnownRoutine>)>,
    /// The name of the function whose body is being analyzed.
    pub(super) routine_in_work: Option<String>,
    pub(super) depth: usize,
    pub(super) inputs: Inputs,
    /// Whether a frame of a window adds months to values of texts with zones (D159).
    pub(super) asks_local_times_of_texts: bool,
    pub(super) work: Work,
    /// Places of tokens, for errors.
    pub(super) token_places: TokenPlaces,
}

impl Analyzer<'_> {
    /// A new column with a new id.
    pub(super) fn new_field(&mut self, name: impl Into<String>, data_type: Type) -> Field {
        let id = ColumnId(self.next_column);
        self.next_column += 1;
        Field::new(id, name, data_type)
    }

    /// A new column without a name, at an index from 0.
    pub(super) fn anonymous_field(&mut self, place: usize, data_type: Type) -> Field {
        Field { is_anonymous: true, ..self.new_field(format!("_col{place}"), data_type) }
    }

    /// A new column with the name and type of another one.
    pub(super) fn renewed(&mut self, field: &Field) -> Field {
        let Field { name, data_type, is_anonymous, id: _ } = field.clone();
        Field { is_anonymous, ..self.new_field(name, data_type) }
    }

    /// Records that the rows depend on a session value, by its name in `session_value`.
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

/// The work of the analysis so far.
#[derive(Debug, Default)]
pub(super) struct Work {
    pub(super) steps: usize,
    pub(super) levels: usize,
}

impl Work {
    /// The number of levels so far.
    pub(super) const fn levels(&self) -> usize {
        self.levels
    }
}

/// The clause and scope of an expression, and its requirements on the plan below it.
#[derive(Debug)]
pub(super) struct Context<'s> {
    /// The scope in which names are resolved.
    pub(super) scope: &'s Scope<'s>,
    /// The scope around subqueries, if it is another one: in ORDER BY, the columns of the select list come first.
    pub(super) outputs: Option<&'s Scope<'s>>,
    /// The clause, for messages.
    pub(super) clause: &'static str,
    /// Columns of the select list that take precedence over those of the scope (ORDER BY).
    pub(super) aliases_first: Aliases,
    /// Columns of the select list that names refer to after those of the scope (GROUP BY, HAVING, QUALIFY).
    pub(super) aliases_last: Aliases,
    /// The aggregates found; `None` where they are not allowed.
    pub(super) aggregates: Option<Vec<AggregateCall>>,
    /// Subqueries in arguments of aggregates: they are joined below the aggregation.
    pub(super) pending_below: Vec<Pending>,
    /// The window functions found; `None` where they are not allowed.
    pub(super) windows: Option<Vec<WindowCall>>,
    /// The definitions of the WINDOW clause.
    pub(super) named_windows: Rc<[NamedWindow]>,
    /// Arguments of GROUPING(…), each with the column that will hold the result.
    pub(super) groupings: Option<Vec<(Vec<Expr>, Field)>>,
    /// Subqueries to be joined to the plan over which the expression is evaluated.
    pub(super) pending: Vec<Pending>,
    /// Whether this is inside an aggregate's arguments.
    pub(super) is_in_aggregate: bool,
    /// The parameters of the enclosing lambda expressions, the innermost last.
    pub(super) lambdas: Vec<Vec<Field>>,
    /// The scope of names in a measure or a definition of a row pattern.
    pub(super) pattern: Option<PatternScope>,
}

/// Columns of the select list by their names.
#[derive(Clone, Debug, Default)]
pub(super) struct Aliases {
    /// The columns by their names in lower case.
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

    /// The columns with a name, in their order.
    pub(super) fn find(&self, name: &str) -> &[Expr] {
        if self.by_name.is_empty() {
            return &[];
        }
        self.by_name.get(&name.to_lowercase()).map_or(&[], Vec::as_slice)
    }
}

impl<'s> Context<'s> {
    /// A context in which neither aggregates nor window functions are allowed.
    pub(super) fn new(scope: &'s Scope<'s>, clause: &'static str) -> Self {
        Self {
            scope,
            outputs: None,
            clause,
            aliases_first: Aliases::default(),
            aliases_last: Aliases::default(),
            aggregates: None,
            pending_below: Vec::new(),
            windows: None,
            named_windows: Rc::default(),
            groupings: None,
            pending: Vec::new(),
            is_in_aggregate: false,
            lambdas: Vec::new(),
            pattern: None,
        }
    }

    /// The scope around subqueries.
    pub(super) fn scope_of_subqueries(&self) -> &'s Scope<'s> {
        self.outputs.unwrap_or(self.scope)
    }
}

/// A plan and its output columns in order; the plan may have further columns.
#[derive(Clone, Debug)]
pub(super) struct Relation {
    /// The plan of the rows.
    pub(super) plan: Plan,
    /// The output columns.
    pub(super) fields: Vec<Field>,
}

/// A common table expression in scope.
#[derive(Clone, Debug)]
pub(super) struct NamedQuery {
    pub(super) name: String,
    pub(super) source: NamedSource,
    /// The plan's columns, under the names given by the WITH clause.
    pub(super) fields: Vec<Field>,
}

/// The source of a common table expression's rows.
#[expect(clippy::large_enum_variant, reason = "a statement has a handful of them")]
#[derive(Clone, Debug)]
pub(super) enum NamedSource {
    /// A shared plan, computed once.
    Shared(SharedId),
    /// A plan that names columns of an enclosing query, so each query that names the expression gets a copy.
    Correlated(Plan),
}

/// ORDER BY, OFFSET and LIMIT of a query.
#[derive(Debug, Default)]
pub(super) struct Ordering<'q> {
    pub(super) order_by: Vec<&'q OrderByExpr>,
    pub(super) offset: u64,
    pub(super) limit: Option<u64>,
    /// WITH TIES: rows with the same sort keys as the last one are included.
    pub(super) with_ties: bool,
}

/// A plan and the columns that names can refer to.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) plan: Plan,
    pub(super) fields: Vec<ScopeField>,
}

impl Source {
    /// The source of a SELECT without FROM.
    pub(super) fn one_row() -> Self {
        Self { plan: Plan::one_row(), fields: Vec::new() }
    }
}

/// A subquery that has not been joined yet.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    pub(super) kind: PendingKind,
    pub(super) relation: Relation,
    pub(super) place: Option<ErrorLocation>,
}

/// The result that an expression needs from a subquery.
#[expect(clippy::large_enum_variant, reason = "a statement has a handful of them, each looked at once")]
#[derive(Clone, Debug)]
pub(super) enum PendingKind {
    /// The values of its single row, as these columns.
    Scalar(Vec<Field>),
    /// Whether it has a row, as this column.
    Exists(Field),
    /// Whether one of its rows equals the key, as the column `mark`.
    In { mark: Field, key: JoinKey },
}

impl Pending {
    pub(super) fn scalar(relation: Relation, output: Field, place: Option<ErrorLocation>) -> Self {
        Self { kind: PendingKind::Scalar(vec![output]), relation, place }
    }

    pub(super) fn exists(relation: Relation, mark: Field, place: Option<ErrorLocation>) -> Self {
        Self { kind: PendingKind::Exists(mark), relation, place }
    }

    /// As [`outputs`](Self::outputs), to be changed.
    pub(super) fn outputs_mut(&mut self) -> &mut [Field] {
        match &mut self.kind {
            PendingKind::Scalar(outputs) => outputs,
            PendingKind::Exists(mark) | PendingKind::In { mark, .. } => std::slice::from_mut(mark),
        }
    }

    /// The columns of its result.
    pub(super) fn outputs(&self) -> &[Field] {
        match &self.kind {
            PendingKind::Scalar(outputs) => outputs,
            PendingKind::Exists(mark) | PendingKind::In { mark, .. } => std::slice::from_ref(mark),
        }
    }
}

/// An item of the select list.
#[derive(Clone, Debug)]
pub(super) struct Item {
    /// The column's name in the result.
    pub(super) name: String,
    /// Whether ORDER BY and other clauses can use the name: it is an alias, or a column's own name.
    pub(super) is_named: bool,
    /// Whether the resulting column has no name.
    pub(super) is_anonymous: bool,
    pub(super) expr: Expr,
}

/// A part of a name that a statement defines, as it is shown.
pub(super) fn shown_name(ident: &Ident) -> String {
    ident.value.clone()
}

/// Refuses `what` if a field of the parser's tree that must be empty is not.
pub(super) fn refuse_if(is_there: bool, place: Option<ErrorLocation>, what: &str) -> Result<()> {
    if is_there { Err(not_supported(place, what)) } else { Ok(()) }
}

/// The error of a statement that is wrong: an unknown name, a wrong type and the like.
pub(super) fn user_error(
    code: ErrorCode,
    place: Option<ErrorLocation>,
    message: impl AsRef<str>,
) -> rowhouse_model::QueryError {
    error(code, place, message)
}
