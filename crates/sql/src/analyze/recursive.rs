//! WITH RECURSIVE: the step is planned repeatedly over the rows of the previous step, up to the recursion limit; one
//! further step must have no rows, or it is an error. Steps after the last row cost almost nothing.

use rowhouse_model::{ErrorCode, ErrorLocation};
use sqlparser::ast::{SetQuantifier, TableAliasColumnDef};

use super::alias::rename_named_query;
use super::context::{Analyzer, NamedQuery, NamedSource, Ordering, Relation};
use super::place::{place_of_body, place_of_query};
use super::recursive_shape::Recursive;
use super::scope::Scope;
use crate::error::{Result, not_supported, type_mismatch};
use crate::expr::{ComparisonOperator, Expr, ExprKind, Value};
use crate::functions::{AggregateFunction, ScalarFunction};
use crate::plan::{Aggregate, AggregateCall, Field, Plan, SetOperationKind, SharedId};
use crate::types::{Type, common_super_type};

/// Maximum number of steps of a recursive query: the default of Trino's `max_recursion_depth`.
const MAX_RECURSION_DEPTH: usize = 10;

impl Analyzer<'_> {
    /// The rows of all steps, as a common table expression.
    pub(super) fn recursive(
        &mut self,
        recursive: Recursive<'_>,
        name: &str,
        aliases: &[TableAliasColumnDef],
        parent: Option<&Scope<'_>>,
    ) -> Result<NamedQuery> {
        let Recursive { query, base, step, quantifier } = recursive;
        let place = place_of_query(query);
        let step_place = place_of_body(step);
        let is_all = match quantifier {
            SetQuantifier::All => true,
            SetQuantifier::Distinct | SetQuantifier::None => false,
            _ => return Err(not_supported(place, "BY NAME in a recursive query")),
        };
        let Relation { plan, fields } = self.body(base, &Ordering::default(), parent)?;
        let base = self.exactly(plan, &fields);
        let names = rename_named_query(base.fields(), aliases, place)?;
        let types: Vec<Type> = names.iter().map(|field| field.data_type.clone()).collect();
        let mut steps = vec![self.shared_step(base, &[], is_all, place)?];
        for _ in 0..=MAX_RECURSION_DEPTH {
            self.add_level(names.len(), step_place)?;
            let last = steps.last().copied().unwrap_or(SharedId(0));
            let given = self.shared[last.0].fields();
            let fields: Vec<Field> = given
                .into_iter()
                .zip(&names)
                .map(|(own, named)| Field { id: own.id, ..named.clone() })
                .collect();
            let source = NamedSource::Shared(last);
            self.named_queries.push(NamedQuery { name: name.to_owned(), source, fields });
            let rows = self.nested(step_place, |analyzer| analyzer.body(step, &Ordering::default(), parent));
            self.named_queries.pop();
            let rows = self.step_of_types(rows?, &types, step_place)?;
            steps.push(self.shared_step(rows, &steps, is_all, step_place)?);
        }
        let checked = steps.pop().unwrap_or(SharedId(0));
        let mut inputs: Vec<Plan> = steps.into_iter().map(|id| self.rows_of(id)).collect();
        inputs.push(self.no_rows(checked, &types));
        let fields: Vec<Field> = names.iter().map(|field| self.renewed(field)).collect();
        let plan = Plan::SetOperation { kind: SetOperationKind::UnionAll, inputs, fields: fields.clone() };
        self.shared.push(plan);
        let source = NamedSource::Shared(SharedId(self.shared.len() - 1));
        Ok(NamedQuery { name: name.to_owned(), source, fields })
    }

    /// Shares the rows of a step; without ALL, only distinct rows that no earlier step has returned.
    fn shared_step(
        &mut self,
        rows: Plan,
        earlier: &[SharedId],
        is_all: bool,
        place: Option<ErrorLocation>,
    ) -> Result<SharedId> {
        if !rows.free_columns().is_empty() {
            return Err(not_supported(place, "a recursive query that names columns of a query around it"));
        }
        let plan = if is_all {
            rows
        } else if earlier.is_empty() {
            Plan::Distinct { input: Box::new(rows), on: None }
        } else {
            let inputs: Vec<Plan> = earlier.iter().map(|id| self.rows_of(*id)).collect();
            let before = self.union(inputs);
            let fields = self.new_fields(&rows.fields());
            Plan::SetOperation { kind: SetOperationKind::Except, inputs: vec![rows, before], fields }
        };
        self.shared.push(plan);
        Ok(SharedId(self.shared.len() - 1))
    }

    /// The rows of a shared plan, under new ids.
    fn rows_of(&mut self, id: SharedId) -> Plan {
        let given = self.shared[id.0].fields();
        let columns =
            self.new_fields(&given).into_iter().zip(given).map(|(new, own)| (new, own.id)).collect();
        Plan::Shared { id, columns, row_estimate: None }
    }

    fn union(&mut self, mut inputs: Vec<Plan>) -> Plan {
        if inputs.len() == 1 {
            return inputs.remove(0);
        }
        let fields = inputs.first().map(|input| self.new_fields(&input.fields())).unwrap_or_default();
        Plan::SetOperation { kind: SetOperationKind::UnionAll, inputs, fields }
    }

    fn new_fields(&mut self, fields: &[Field]) -> Vec<Field> {
        fields.iter().map(|field| self.renewed(field)).collect()
    }

    /// Converts the rows to the types of the base query's rows, to which they must coerce.
    fn step_of_types(
        &mut self,
        rows: Relation,
        types: &[Type],
        place: Option<ErrorLocation>,
    ) -> Result<Plan> {
        let Relation { plan, fields } = rows;
        if fields.len() != types.len() {
            let message = format!(
                "base and step relations of recursion have different number of fields: {}, {}",
                types.len(),
                fields.len()
            );
            return Err(type_mismatch(place, message));
        }
        let mut columns = Vec::with_capacity(fields.len());
        for (position, (field, wanted)) in fields.into_iter().zip(types).enumerate() {
            if common_super_type(wanted, &field.data_type).as_ref() != Some(wanted) {
                let message = format!(
                    "recursion step relation output type ({}) is not coercible to recursion base relation output type ({wanted}) at column {}",
                    field.data_type,
                    position + 1
                );
                return Err(type_mismatch(place, message));
            }
            let value = Expr::column(field.id, field.data_type.clone()).cast_to(wanted);
            columns.push((self.new_field(field.name, wanted.clone()), value));
        }
        Ok(Plan::Project { input: Box::new(plan), columns })
    }

    /// Returns no rows, and fails at run time if the shared plan has a row.
    fn no_rows(&mut self, id: SharedId, types: &[Type]) -> Plan {
        let call = AggregateCall {
            output: self.new_field("count", Type::BigInt),
            function: AggregateFunction::Count,
            args: Vec::new(),
            is_distinct: false,
            filter: None,
            order_by: Vec::new(),
        };
        let count = Expr::column(call.output.id, Type::BigInt);
        let input = Box::new(self.rows_of(id));
        let counted = Plan::Aggregate(Aggregate { input, keys: Vec::new(), aggregates: vec![call] });
        let zero = Expr::literal(Value::Integer(0), Type::BigInt);
        let has_rows = Expr::comparison(ComparisonOperator::GreaterThan, count, zero);
        let message = format!("Recursion depth limit exceeded ({MAX_RECURSION_DEPTH})");
        let message = Expr::literal(Value::Varchar(message), Type::VARCHAR);
        let code = Value::Varchar(ErrorCode::NotSupported.as_str().to_owned());
        let args = vec![message, Expr::literal(code, Type::VARCHAR)];
        let failure = ExprKind::Call { function: ScalarFunction::Fail, args };
        let failure = Expr::new(failure, Type::Boolean);
        let kind = ExprKind::Case {
            branches: vec![(has_rows, failure)],
            otherwise: Some(Box::new(Expr::boolean(false))),
        };
        let predicate = Expr::new(kind, Type::Boolean);
        let columns = types
            .iter()
            .map(|data_type| {
                let null = Expr::literal(Value::Null, data_type.clone());
                (self.new_field("none", data_type.clone()), null)
            })
            .collect();
        let input = Box::new(Plan::Filter { input: Box::new(counted), predicate });
        Plan::Project { input, columns }
    }
}
