//! Subqueries in expressions. Each is replaced by a column in its expression, and stays [`Pending`] until the plan over
//! which the expression is evaluated exists and can be joined with it.

use rowhouse_model::{ErrorCode, ErrorLocation, QueryError};
use sqlparser::ast::{BinaryOperator, Expr as AstExpr, Query};

use super::comparison::comparison_operator;
use super::context::{Analyzer, Context, Pending, PendingKind, Relation, user_error};
use super::decorrelate::PullError;
use super::place::{place_of, place_of_any, place_of_query};
use crate::error::{Result, located, not_supported, type_mismatch};
use crate::expr::{ComparisonOperator, Expr, ExprKind, Value};
use crate::functions::{AggregateFunction, ScalarFunction};
use crate::plan::{Aggregate, AggregateCall, Field, JoinKey, JoinKind, MarkJoin, Plan, SharedId};
use crate::types::{RowField, Type};

impl Analyzer<'_> {
    /// `value IN (query)`, as the mark column of a join.
    pub(super) fn in_query(&mut self, value: Expr, query: &Query, context: &mut Context<'_>) -> Result<Expr> {
        let place = value.location;
        let relation = self.query(query, Some(context.scope_of_subqueries()))?;
        let predicate_place = self.token_places.in_before(place_of_query(query)).or(place);
        let value_type = value.data_type.clone();
        let value = self.single_field(value, &relation)?;
        if let Type::Row(fields) = &value.data_type
            && fields.len() == relation.fields.len()
            && fields.len() > 1
        {
            let values = self.row_fields(&value)?;
            return located(self.row_in_query(&values, relation, place, context), predicate_place);
        }
        let unfit = |members: &[Field]| unfit_query(&value_type, members, predicate_place);
        let [member] = relation.fields.as_slice() else { return Err(unfit(&relation.fields)) };
        if matches!(value_type, Type::Row(ref fields) if fields.len() != 1) {
            return Err(unfit(&relation.fields));
        }
        let member = Expr::column(member.id, member.data_type.clone());
        let mut operands = [value, member];
        self.drop_padding(&mut operands)?;
        let [value, member] = operands;
        let Some((left, right)) = self.unified(value, member) else { return Err(unfit(&relation.fields)) };
        let mark = self.new_field("in", Type::Boolean);
        let result = Expr::column(mark.id, Type::Boolean).at(place);
        let key = JoinKey { left, right, null_equals_null: false };
        context.pending.push(Pending { kind: PendingKind::In { mark, key }, relation, place });
        Ok(result)
    }

    /// `(a, b) IN (query)`: TRUE if all fields of a row are equal; otherwise NULL if a row could be equal, given its
    /// NULLs; otherwise FALSE.
    fn row_in_query(
        &mut self,
        values: &[Expr],
        relation: Relation,
        place: Option<ErrorLocation>,
        context: &mut Context<'_>,
    ) -> Result<Expr> {
        if context.pattern.is_some() {
            let own = context.scope.fields.iter().map(|field| field.field.id).collect();
            if let Some(outer) = place_of_any(&relation.plan, &own) {
                let message = "Reference to a column from outer scope not allowed in this context";
                return Err(user_error(ErrorCode::NotSupported, outer.or(place), message));
            }
        }
        if let Some(random) = values.iter().find(|value| value.is_random()) {
            return Err(not_supported(random.location.or(place), "a random field of a row before IN"));
        }
        let plan = self.exactly(relation.plan, &relation.fields);
        let fields = plan.fields();
        let mut equal = Vec::with_capacity(values.len());
        let mut possible = Vec::with_capacity(values.len());
        for (value, field) in values.iter().zip(&fields) {
            let member = Expr::column(field.id, field.data_type.clone());
            let is_null = |expr: &Expr| Expr::new(ExprKind::IsNull(Box::new(expr.clone())), Type::Boolean);
            let unknown = [is_null(value), is_null(&member)];
            let value = self.copy(value)?;
            let same = self.compare(ComparisonOperator::Equal, value, member)?;
            possible.push(Expr::or(std::iter::once(same.clone()).chain(unknown)));
            equal.push(same);
        }
        let rows = self.repeatable(plan);
        let mut marks = Vec::with_capacity(2);
        for tests in [equal, possible] {
            self.spend_on_copy(&rows, place)?;
            let (copy, ids) = rows.copied(&mut self.next_column);
            let renamed: std::collections::HashMap<_, _> = fields
                .iter()
                .filter_map(|field| {
                    Some((field.id, Expr::column(*ids.get(&field.id)?, field.data_type.clone())))
                })
                .collect();
            let predicate = Expr::and(tests).substituted(&renamed);
            let plan = Plan::Filter { input: Box::new(copy), predicate };
            let mark = self.new_field("in", Type::Boolean);
            marks.push(Expr::column(mark.id, Type::Boolean));
            if let Some(pattern) = &mut context.pattern {
                pattern.marks_of_rows.insert(mark.id, values.iter().flat_map(Expr::columns).collect());
            }
            let kind = PendingKind::Exists(mark);
            let relation = Relation { plan, fields: Vec::new() };
            context.pending.push(Pending { kind, relation, place });
        }
        let unknown = Expr::literal(Value::Null, Type::Boolean);
        let values = [Expr::boolean(true), unknown];
        let branches = marks.into_iter().zip(values).collect();
        let kind = ExprKind::Case { branches, otherwise: Some(Box::new(Expr::boolean(false))) };
        Ok(Expr::new(kind, Type::Boolean).at(place))
    }

    /// A plan with the same rows that may be copied: the rows of an uncorrelated one are shared, because copies inside of
    /// copies would double with each level.
    pub(super) fn repeatable(&mut self, plan: Plan) -> Plan {
        if !plan.free_columns().is_empty() {
            return plan;
        }
        let columns = plan.fields().into_iter().map(|field| (field.clone(), field.id)).collect();
        self.shared.push(plan);
        Plan::Shared { id: SharedId(self.shared.len() - 1), columns, row_estimate: None }
    }

    /// `value < ANY (query)` and `ALL`, computed from the least and the greatest member and the number of members.
    pub(super) fn quantified(
        &mut self,
        value: &AstExpr,
        ast_operator: &BinaryOperator,
        right: &AstExpr,
        is_all: bool,
        context: &mut Context<'_>,
    ) -> Result<Expr> {
        let place = place_of(value);
        let query = match right {
            AstExpr::Subquery(query) => query,
            _ => return Err(not_supported(place_of(right), "ANY and ALL of anything but a subquery")),
        };
        let Some(operator) = comparison_operator(ast_operator) else {
            return Err(not_supported(place, format!("the operator {ast_operator} before ANY and ALL")));
        };
        let value = self.expression(value, context)?;
        match (operator, is_all) {
            (ComparisonOperator::Equal, false) => return self.in_query(value, query, context),
            (ComparisonOperator::NotEqual, true) => {
                return Ok(self.in_query(value, query, context)?.negated());
            }
            _ => {}
        }
        let query_place = place_of_query(query);
        let relation = self.query(query, Some(context.scope_of_subqueries()))?;
        let predicate_place = self.token_places.comparison_before(ast_operator, query_place).or(place);
        let fits = match &value.data_type {
            Type::Row(fields) => fields.len() == relation.fields.len(),
            _ => relation.fields.len() == 1,
        };
        if !fits {
            return Err(unfit_query(&value.data_type, &relation.fields, predicate_place));
        }
        let value = self.single_field(value, &relation)?;
        let Relation { plan, fields } = self.as_one_column(relation)?;
        let [member] = fields.as_slice() else {
            return Err(not_supported(query_place, "this subquery after ANY and ALL"));
        };
        let member = Expr::column(member.id, member.data_type.clone());
        let call = |analyzer: &mut Self, function: AggregateFunction, args: Vec<Expr>, data_type: Type| {
            AggregateCall {
                output: analyzer.new_field(function.name(), data_type),
                function,
                args,
                is_distinct: false,
                filter: None,
                order_by: Vec::new(),
            }
        };
        let data_type = member.data_type.clone();
        let aggregates = vec![
            call(self, AggregateFunction::Min, vec![member.clone()], data_type.clone()),
            call(self, AggregateFunction::Max, vec![member.clone()], data_type.clone()),
            call(self, AggregateFunction::Count, Vec::new(), Type::BigInt),
            call(self, AggregateFunction::Count, vec![member], Type::BigInt),
        ];
        let fields: Vec<Field> = aggregates.iter().map(|call| call.output.clone()).collect();
        let plan = Plan::Aggregate(Aggregate { input: Box::new(plan), keys: Vec::new(), aggregates });
        let outputs: Vec<Field> = fields.iter().map(|field| self.renewed(field)).collect();
        let mut columns = outputs.iter().map(|field| Expr::column(field.id, field.data_type.clone()));
        let (Some(least), Some(greatest), Some(count), Some(known)) =
            (columns.next(), columns.next(), columns.next(), columns.next())
        else {
            return Err(not_supported(place, "this comparison with a subquery"));
        };
        drop(columns);
        use ComparisonOperator::{
            Equal, GreaterThan, GreaterThanOrEqual, LessThan, LessThanOrEqual, NotEqual,
        };
        let decided = match (operator, is_all) {
            (GreaterThan | GreaterThanOrEqual, true) | (LessThan | LessThanOrEqual, false) => {
                self.compare(operator, value, greatest)?
            }
            (LessThan | LessThanOrEqual, true) | (GreaterThan | GreaterThanOrEqual, false) => {
                self.compare(operator, value, least)?
            }
            // Different members decide the result for any value, even for NULL (D144).
            (Equal, _) => {
                let are_same = self.compare(Equal, least, greatest.clone())?;
                Expr::and([are_same, self.compare(Equal, value, greatest)?])
            }
            (NotEqual, _) => {
                let differ = self.compare(NotEqual, least, greatest.clone())?;
                Expr::or([differ, self.compare(NotEqual, value, greatest)?])
            }
            _ => return Err(not_supported(place, "this comparison with a subquery")),
        };
        context.pending.push(Pending {
            kind: PendingKind::Scalar(outputs),
            relation: Relation { plan, fields },
            place: query_place,
        });
        let zero = Expr::literal(Value::Integer(0), Type::BigInt);
        let is_empty = Expr::comparison(Equal, count.clone(), zero);
        let has_nulls = Expr::comparison(LessThan, known, count);
        // One member refutes ALL or proves ANY, even if others are NULL. The comparison occurs once: values that are
        // quantified comparisons themselves would double with each level.
        let unknown = Expr::literal(Value::Null, Type::Boolean);
        let unless_null = ExprKind::Case {
            branches: vec![(has_nulls, unknown)],
            otherwise: Some(Box::new(Expr::boolean(is_all))),
        };
        let parts = [decided, Expr::new(unless_null, Type::Boolean)];
        let compared = if is_all { Expr::and(parts) } else { Expr::or(parts) };
        let kind = ExprKind::Case {
            branches: vec![(is_empty, Expr::boolean(is_all))],
            otherwise: Some(Box::new(compared)),
        };
        Ok(Expr::new(kind, Type::Boolean).at(place))
    }

    /// A scalar subquery of several columns; its value is a row. Without a row of its own it is a row of NULLs, or NULL if it is
    /// correlated, as in Trino.
    pub(super) fn row_subquery(
        &mut self,
        relation: Relation,
        place: Option<ErrorLocation>,
        context: &mut Context<'_>,
    ) -> Result<Expr> {
        let mut outputs: Vec<Field> = relation.fields.iter().map(|field| self.renewed(field)).collect();
        let row = self.row_of(&outputs)?.at(place);
        if relation.plan.free_columns().is_empty() {
            context.pending.push(Pending { kind: PendingKind::Scalar(outputs), relation, place });
            return Ok(row);
        }
        let Relation { plan, mut fields } = relation;
        let found = self.new_field("found", Type::Boolean);
        let passed = |field: &Field| (field.clone(), Expr::column(field.id, field.data_type.clone()));
        let mut columns: Vec<_> = fields.iter().map(passed).collect();
        columns.push((found.clone(), Expr::boolean(true)));
        fields.push(found.clone());
        let output = self.renewed(&found);
        let is_found = Expr::column(output.id, Type::Boolean);
        outputs.push(output);
        let relation = Relation { plan: Plan::Project { input: Box::new(plan), columns }, fields };
        context.pending.push(Pending { kind: PendingKind::Scalar(outputs), relation, place });
        let data_type = row.data_type.clone();
        let kind = ExprKind::Case { branches: vec![(is_found, row)], otherwise: None };
        Ok(Expr::new(kind, data_type).at(place))
    }

    /// The field of a row that has one, if the relation has one column: `ROW(x) IN (SELECT y)` compares `x` with `y`.
    fn single_field(&mut self, value: Expr, relation: &Relation) -> Result<Expr> {
        let place = value.location;
        match (&value.data_type, relation.fields.as_slice()) {
            (Type::Row(fields), [_]) if fields.len() == 1 => {
                let field = self.row_fields(&value)?.pop();
                Ok(field.map_or(value, |field| field.at(place)))
            }
            _ => Ok(value),
        }
    }

    /// Combines several columns of a relation into one row column.
    fn as_one_column(&mut self, relation: Relation) -> Result<Relation> {
        if relation.fields.len() <= 1 {
            return Ok(relation);
        }
        let row = self.row_of(&relation.fields)?;
        let field = self.new_field("row", row.data_type.clone());
        let columns = vec![(field.clone(), row)];
        Ok(Relation { plan: Plan::Project { input: Box::new(relation.plan), columns }, fields: vec![field] })
    }

    /// A row of columns; its fields have the columns' names.
    fn row_of(&mut self, fields: &[Field]) -> Result<Expr> {
        let values = fields.iter().map(|field| Expr::column(field.id, field.data_type.clone())).collect();
        let mut row = self.scalar_call(ScalarFunction::RowConstructor, values, None)?;
        let named = fields.iter().map(|field| RowField {
            name: (!field.is_anonymous).then(|| field.name.clone()),
            data_type: field.data_type.clone(),
        });
        row.data_type = Type::Row(named.collect());
        Ok(row)
    }

    /// Joins the plan with the subqueries.
    pub(super) fn attach_all(&mut self, plan: Plan, pending: Vec<Pending>) -> Result<Plan> {
        pending.into_iter().try_fold(plan, |plan, pending| self.attach(plan, pending))
    }

    fn attach(&mut self, plan: Plan, mut pending: Pending) -> Result<Plan> {
        let place = pending.place;
        let plan = self.with_drawn_key(plan, &mut pending.kind);
        self.add_level(0, place)?;
        self.spend_on_plan(&plan, place)?;
        self.spend_on_plan(&pending.relation.plan, place)?;
        let free = pending.relation.plan.free_columns();
        if !free.is_empty() {
            // Decorrelation without a domain is cheaper; shapes that it refuses are decorrelated with one.
            let (again, pending_again) = (plan.clone(), pending.clone());
            return match self.attach_correlated(plan, pending, &free) {
                Ok(joined) => Ok(joined),
                Err(PullError::Shape) => self.attach_dependent(again, pending_again, &free),
                Err(PullError::Statement(error)) => Err(error),
            };
        }
        Ok(self.attach_uncorrelated(plan, pending))
    }

    /// The plan with the random value before IN as a column, because a mark join evaluates its key more than once.
    fn with_drawn_key(&mut self, plan: Plan, kind: &mut PendingKind) -> Plan {
        let PendingKind::In { key: JoinKey { left, .. }, .. } = kind else { return plan };
        if !left.is_random() {
            return plan;
        }
        let field = self.new_field("key", left.data_type.clone());
        let column = Expr::column(field.id, left.data_type.clone()).at(left.location);
        let mut columns = plan.passed_on();
        columns.push((field, std::mem::replace(left, column)));
        Plan::Project { input: Box::new(plan), columns }
    }

    /// Joins a subquery that names no column of the plan.
    pub(super) fn attach_uncorrelated(&self, plan: Plan, pending: Pending) -> Plan {
        let Pending { kind, relation, place: _ } = pending;
        let Relation { plan: right, fields } = relation;
        match kind {
            PendingKind::Scalar(outputs) => {
                let right = if right.returns_one_row() {
                    right
                } else {
                    Plan::EnforceSingleRow { input: Box::new(right) }
                };
                let columns = outputs
                    .into_iter()
                    .zip(fields)
                    .map(|(output, field)| (output, Expr::column(field.id, field.data_type)))
                    .collect();
                let right = Plan::Project { input: Box::new(right), columns };
                Plan::join(JoinKind::Inner, plan, right, Vec::new(), None)
            }
            PendingKind::Exists(mark) => Plan::MarkJoin(MarkJoin {
                left: Box::new(plan),
                right: Box::new(right),
                keys: Vec::new(),
                residual: None,
                in_key: None,
                mark,
            }),
            PendingKind::In { mark, key } => Plan::MarkJoin(MarkJoin {
                left: Box::new(plan),
                right: Box::new(right),
                keys: Vec::new(),
                residual: None,
                in_key: Some(key),
                mark,
            }),
        }
    }
}

/// The error if a value cannot be compared with the rows of a query.
fn unfit_query(value: &Type, fields: &[Field], place: Option<ErrorLocation>) -> QueryError {
    let members: Vec<String> = fields.iter().map(|field| field.data_type.to_string()).collect();
    let value = match value {
        Type::Row(_) => value.to_string(),
        single => format!("row({single})"),
    };
    let members = members.join(", ");
    let message = format!(
        "Value expression and result of subquery must be of the same type: {value} vs row({members})"
    );
    type_mismatch(place, message)
}
