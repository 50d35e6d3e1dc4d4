//! Queries: WITH, set operations, VALUES, ORDER BY and LIMIT around them.

use rowhouse_model::{ErrorCode, ErrorLocation};
use sqlparser::ast::{
    Cte, Expr as AstExpr, Fetch, LimitClause, Offset, OrderBy, OrderByExpr, OrderByKind, OrderByOptions,
    OrderBySort, Query, SetExpr, UnaryOperator, Values, With,
};

use super::alias::rename_named_query;
use super::context::{Analyzer, Context, NamedQuery, NamedSource, Ordering, Relation, refuse_if, user_error};
use super::place::{place_of, place_of_query};
use super::recursive_shape::Recursive;
use super::scope::{Scope, ScopeField};
use crate::error::{Result, located, location_of, not_supported, type_mismatch};
use crate::expr::{Expr, SortKey, Value};
use crate::plan::{Field, Plan, SharedId};
use crate::types::{Type, common_super_type};

impl Analyzer<'_> {
    /// Analyzes a query; `parent` is the enclosing scope of a subquery.
    pub(super) fn query(&mut self, query: &Query, parent: Option<&Scope<'_>>) -> Result<Relation> {
        let place = place_of_query(query);
        located(self.nested(place, |analyzer| analyzer.query_here(query, parent)), place)
    }

    fn query_here(&mut self, query: &Query, parent: Option<&Scope<'_>>) -> Result<Relation> {
        let Query {
            with,
            body,
            order_by,
            limit_clause,
            fetch,
            locks,
            for_clause,
            settings,
            format_clause,
            pipe_operators,
        } = query;
        let place = place_of_query(query);
        refuse_if(!locks.is_empty(), place, "FOR UPDATE and FOR SHARE")?;
        refuse_if(for_clause.is_some(), place, "FOR XML and FOR JSON")?;
        refuse_if(settings.is_some(), place, "SETTINGS")?;
        refuse_if(format_clause.is_some(), place, "FORMAT")?;
        refuse_if(!pipe_operators.is_empty(), place, "a pipe operator")?;
        let outer_names = self.named_queries.len();
        if let Some(with) = with {
            self.with(with, parent)?;
        }
        let ordering = self.ordering(order_by.as_ref(), limit_clause.as_ref(), fetch.as_ref(), place)?;
        let relation = self.body(body, &ordering, parent);
        self.named_queries.truncate(outer_names);
        relation
    }

    fn with(&mut self, with: &With, parent: Option<&Scope<'_>>) -> Result<()> {
        let With { with_token, recursive, cte_tables } = with;
        let with_place = location_of(with_token.0.span.start);
        let first = self.named_queries.len();
        for cte in cte_tables {
            // MATERIALIZED and NOT MATERIALIZED are hints without effect on the rows; sharing depends on the number of
            // uses.
            let Cte { alias, query, from, materialized: _, closing_paren_token: _ } = cte;
            let place = location_of(alias.name.span.start).or(with_place);
            self.add_level(self.named_queries.len(), place)?;
            refuse_if(from.is_some(), place, "FROM after a common table expression")?;
            refuse_if(alias.at.is_some(), place, "AT after a common table expression's name")?;
            let name = alias.name.value.to_lowercase();
            if self.named_queries[first..].iter().any(|known| known.name == name) {
                let message = format!("WITH query name '{name}' specified more than once");
                return Err(user_error(ErrorCode::DuplicateNamedQuery, place, message));
            }
            if *recursive && let Some(recursive) = Recursive::of(query, &alias.name, &self.token_places)? {
                let named = located(self.recursive(recursive, &name, &alias.columns, parent), place)?;
                self.named_queries.push(named);
                continue;
            }
            let Relation { plan, fields } = self.query(query, parent)?;
            // A column that is listed twice gets a new id for each occurrence.
            let plan = self.exactly(plan, &fields);
            let fields = rename_named_query(plan.fields(), &alias.columns, place)?;
            let source = if plan.free_columns().is_empty() {
                self.shared.push(plan);
                NamedSource::Shared(SharedId(self.shared.len() - 1))
            } else {
                NamedSource::Correlated(plan)
            };
            self.named_queries.push(NamedQuery { name, source, fields });
        }
        Ok(())
    }

    fn ordering<'q>(
        &mut self,
        order_by: Option<&'q OrderBy>,
        limit_clause: Option<&LimitClause>,
        fetch: Option<&Fetch>,
        place: Option<ErrorLocation>,
    ) -> Result<Ordering<'q>> {
        let mut ordering = Ordering::default();
        if let Some(OrderBy { kind, interpolate }) = order_by {
            refuse_if(interpolate.is_some(), place, "INTERPOLATE")?;
            match kind {
                OrderByKind::Expressions(keys) => ordering.order_by = keys.iter().collect(),
                OrderByKind::All(_) => return Err(not_supported(place, "ORDER BY ALL")),
            }
        }
        match limit_clause {
            None => {}
            Some(LimitClause::LimitOffset { limit, offset, limit_by }) => {
                refuse_if(!limit_by.is_empty(), place, "LIMIT BY")?;
                if let Some(limit) = limit {
                    ordering.limit = self.row_count(limit, "LIMIT")?;
                }
                if let Some(Offset { value, rows: _ }) = offset {
                    ordering.offset = self.row_count(value, "OFFSET")?.unwrap_or(0);
                }
            }
            Some(LimitClause::OffsetCommaLimit { offset, limit: _ }) => {
                return Err(not_supported(place_of(offset), "LIMIT with a comma"));
            }
        }
        if let Some(Fetch { with_ties, percent, quantity }) = fetch {
            refuse_if(*percent, place, "FETCH PERCENT")?;
            if ordering.limit.is_some() {
                return Err(not_supported(place, "LIMIT together with FETCH"));
            }
            ordering.limit = match quantity {
                Some(quantity) => {
                    let count = self.row_count(quantity, "FETCH FIRST")?;
                    if count == Some(0) {
                        let message = "FETCH FIRST row count must be positive (actual value: 0)";
                        return Err(user_error(
                            ErrorCode::NumericValueOutOfRange,
                            place_of(quantity),
                            message,
                        ));
                    }
                    count
                }
                None => Some(1),
            };
            ordering.with_ties = *with_ties;
            if *with_ties && ordering.order_by.is_empty() {
                let message = "FETCH FIRST WITH TIES clause requires ORDER BY";
                return Err(user_error(ErrorCode::MissingOrderBy, place, message));
            }
        }
        Ok(ordering)
    }

    /// A number of rows; `None` for NULL and ALL.
    fn row_count(&mut self, expr: &AstExpr, clause: &'static str) -> Result<Option<u64>> {
        if let AstExpr::Identifier(ident) = expr
            && ident.quote_style.is_none()
            && ident.value.eq_ignore_ascii_case("all")
        {
            return Ok(None);
        }
        let place = place_of(expr);
        let value = self.constant(expr, clause)?;
        match value.as_literal() {
            Some(Value::Null) => Ok(None),
            Some(Value::Integer(count)) if *count >= 0 => Ok(u64::try_from(*count).ok()),
            _ => {
                let message = format!("{clause} takes a number of rows, 0 or more");
                Err(user_error(ErrorCode::InvalidLimitClause, place, message))
            }
        }
    }

    pub(super) fn body(
        &mut self,
        body: &SetExpr,
        ordering: &Ordering<'_>,
        parent: Option<&Scope<'_>>,
    ) -> Result<Relation> {
        if let SetExpr::Select(select) = body {
            return self.select(select, ordering, parent);
        }
        let relation = match body {
            SetExpr::Query(query) => self.query(query, parent)?,
            SetExpr::SetOperation { .. } => self.set_operation(body, parent)?,
            SetExpr::Values(values) => self.values(values, parent)?,
            SetExpr::Select(_)
            | SetExpr::Insert(_)
            | SetExpr::Update(_)
            | SetExpr::Delete(_)
            | SetExpr::Merge(_)
            | SetExpr::Table(_) => return Err(not_supported(None, "a query of this kind")),
        };
        self.order(relation, ordering, parent)
    }

    /// Applies ORDER BY, over the columns of a result, and LIMIT.
    fn order(
        &mut self,
        relation: Relation,
        ordering: &Ordering<'_>,
        parent: Option<&Scope<'_>>,
    ) -> Result<Relation> {
        let Relation { mut plan, fields } = relation;
        if !ordering.order_by.is_empty() {
            let known = fields.iter().map(|field| ScopeField::new(&[], field.clone())).collect();
            let scope = Scope::new(known, parent);
            let mut keys = Vec::with_capacity(ordering.order_by.len());
            for key in &ordering.order_by {
                let (expr, options) = sort_options(key)?;
                let analyzed = match self.ordinal(expr, fields.len(), "ORDER BY")? {
                    Some(index) => {
                        let Field { id, data_type, .. } = &fields[index];
                        Expr::column(*id, data_type.clone()).at(place_of(expr))
                    }
                    None => {
                        let mut context = Context::new(&scope, "ORDER BY");
                        let analyzed = self.expression(expr, &mut context)?;
                        plan = self.attach_all(plan, context.pending)?;
                        analyzed
                    }
                };
                keys.push(sort_key(analyzed, options)?);
            }
            plan = Plan::Sort { input: Box::new(plan), keys };
        }
        Ok(Relation { plan: self.limited(plan, ordering), fields })
    }

    /// The index of the column, from 0, to which a number in ORDER BY refers.
    pub(super) fn ordinal(&self, expr: &AstExpr, columns: usize, clause: &str) -> Result<Option<usize>> {
        let Some(digits) = integer_literal(expr) else { return Ok(None) };
        let position = digits.parse::<usize>().ok().filter(|position| (1..=columns).contains(position));
        match position {
            Some(position) => Ok(Some(position - 1)),
            None => {
                let message = format!("{clause} position {digits} is not in select list");
                Err(user_error(ErrorCode::InvalidColumnReference, place_of(expr), message))
            }
        }
    }

    fn values(&mut self, values: &Values, parent: Option<&Scope<'_>>) -> Result<Relation> {
        // VALUE instead of VALUES is an equivalent spelling.
        let Values { explicit_row, value_keyword: _, rows } = values;
        let scope = Scope::new(Vec::new(), parent);
        let mut analyzed: Vec<Vec<Expr>> = Vec::with_capacity(rows.len());
        for row in rows {
            let mut cells = Vec::with_capacity(row.content.len());
            for cell in &row.content {
                let mut context = Context::new(&scope, "VALUES");
                let expr = self.expression(cell, &mut context)?;
                refuse_if(!context.pending.is_empty(), place_of(cell), "a subquery in VALUES")?;
                cells.push(expr);
            }
            analyzed.push(cells);
        }
        // An expression of type row is a row of values, and `ROW(x)` is a row of one value, which may be a row. The tree
        // does not tell which of the rows have the word ROW.
        let is_row = |cells: &[Expr]| matches!(cells, [row] if matches!(row.data_type, Type::Row(_)));
        let is_value =
            |cells: &Vec<Expr>| !is_row(cells) && cells.iter().all(|cell| cell.data_type != Type::Unknown);
        let has_value = analyzed.iter().any(is_value);
        let are_rows = !explicit_row || analyzed.iter().any(|cells| cells.len() > 1);
        for (cells, row) in analyzed.iter_mut().zip(rows).filter(|(cells, _)| is_row(cells)) {
            if are_rows || has_value && !row.content.iter().any(is_row_constructor) {
                *cells = self.row_fields(&cells[0])?;
            }
        }
        let mut types: Vec<Type> =
            analyzed.first().into_iter().flatten().map(|cell| cell.data_type.clone()).collect();
        for (cells, row) in analyzed.iter().zip(rows) {
            if cells.len() != types.len() {
                let message =
                    format!("Values rows have mismatched sizes: {} and {}", types.len(), cells.len());
                return Err(type_mismatch(row.content.first().and_then(place_of), message));
            }
            for (known, cell) in types.iter_mut().zip(cells) {
                *known = common_super_type(known, &cell.data_type).ok_or_else(|| {
                    let message =
                        format!("Values rows have mismatched types: {known} and {}", cell.data_type);
                    type_mismatch(cell.location, message)
                })?;
            }
        }
        let fields: Vec<Field> = types
            .iter()
            .enumerate()
            .map(|(index, data_type)| self.anonymous_field(index, data_type.clone()))
            .collect();
        let rows = analyzed
            .into_iter()
            .map(|row| {
                row.into_iter().zip(&types).map(|(cell, data_type)| self.coerced(cell, data_type)).collect()
            })
            .collect();
        Ok(Relation { plan: Plan::Values { fields: fields.clone(), rows }, fields })
    }

    /// Exactly the relation's columns, converted to these types.
    pub(super) fn converted(&mut self, relation: Relation, types: &[Type]) -> Plan {
        let Relation { plan, fields } = relation;
        let same = plan.fields() == fields
            && fields.iter().zip(types).all(|(field, wanted)| field.data_type == *wanted);
        if same {
            return plan;
        }
        let columns = fields
            .iter()
            .zip(types)
            .map(|(field, wanted)| {
                let expr = Expr::column(field.id, field.data_type.clone()).cast_to(wanted);
                (Field { data_type: wanted.clone(), ..self.renewed(field) }, expr)
            })
            .collect();
        Plan::Project { input: Box::new(plan), columns }
    }

    /// Exactly these columns, each under a different id.
    pub(super) fn exactly(&mut self, plan: Plan, fields: &[Field]) -> Plan {
        let mut seen = std::collections::HashSet::new();
        let is_distinct = fields.iter().all(|field| seen.insert(field.id));
        if is_distinct && plan.fields() == fields {
            return plan;
        }
        let columns = fields
            .iter()
            .map(|field| {
                let expr = Expr::column(field.id, field.data_type.clone());
                (self.renewed(field), expr)
            })
            .collect();
        Plan::Project { input: Box::new(plan), columns }
    }
}

/// Whether it is `ROW(…)` or `(…, …)`.
fn is_row_constructor(expr: &AstExpr) -> bool {
    match expr {
        AstExpr::Tuple(_) => true,
        AstExpr::Nested(inner) => is_row_constructor(inner),
        AstExpr::Function(call) => call.name.to_string().eq_ignore_ascii_case("row"),
        _ => false,
    }
}

/// The expression and the options of an ORDER BY item.
pub(super) fn sort_options(key: &OrderByExpr) -> Result<(&AstExpr, &OrderByOptions)> {
    let OrderByExpr { expr, options, with_fill } = key;
    refuse_if(with_fill.is_some(), place_of(expr), "WITH FILL")?;
    Ok((expr, options))
}

/// A sort key; NULLs are last in both directions unless the statement specifies otherwise.
pub(super) fn sort_key(expr: Expr, options: &OrderByOptions) -> Result<SortKey> {
    let OrderByOptions { sort, nulls_first } = options;
    let is_descending = match sort {
        None | Some(OrderBySort::Asc) => false,
        Some(OrderBySort::Desc) => true,
        Some(OrderBySort::Using(_)) => return Err(not_supported(expr.location, "ORDER BY USING")),
    };
    if !expr.data_type.is_orderable() {
        let message = format!("Type {} is not orderable", expr.data_type);
        return Err(type_mismatch(expr.location, message));
    }
    Ok(SortKey { expr, is_descending, nulls_first: nulls_first.unwrap_or(false) })
}

/// The digits, with their sign, of an integer that is written out: in ORDER BY and GROUP BY the number of a column.
/// Other numbers there are constants.
pub(super) fn integer_literal(expr: &AstExpr) -> Option<String> {
    let digits = |expr: &AstExpr| match expr {
        AstExpr::Value(value) => match &value.value {
            // A bound number, as in `ORDER BY ?`, is a constant.
            sqlparser::ast::Value::Number(digits, is_bound) if !is_bound => {
                digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_').then(|| digits.clone())
            }
            _ => None,
        },
        _ => None,
    };
    match expr {
        AstExpr::UnaryOp { op: UnaryOperator::Minus, expr } => {
            digits(expr).map(|digits| format!("-{digits}"))
        }
        AstExpr::Nested(inner) => integer_literal(inner),
        expr => digits(expr),
    }
}
