//! Before: ROLLUP, CUBE or grouping sets, a union of aggregations over one shared plan, of which one groups by all keys that
//! any of the others does.
//! After: that one is shared in its place, with sums and counts for averages, and the others are made of its groups.
//! Why: the rows are grouped once, not once for every set, and need not be kept until the last of them has been.

use std::collections::HashMap;

use super::renumber;
use crate::expr::{ArithmeticOperator, ComparisonOperator, Expr, ExprKind, Value};
use crate::functions::{AggregateFunction, ScalarFunction};
use crate::plan::{Aggregate, AggregateCall, ColumnId, Field, Plan, SetOperationKind, SharedId};
use crate::statement::Analyzed;
use crate::types::Type;

/// Digits of a decimal of which 2^63 added up have no more than 38.
const MAX_AVERAGED_PRECISION: u8 = 19;

pub(super) fn run(analyzed: &mut Analyzed, next_column: &mut u32) {
    let mut roll_up = RollUp { shared: Vec::with_capacity(analyzed.shared.len()), next_column };
    // What a shared plan names is shared before it.
    let mut numbers: Vec<SharedId> = Vec::with_capacity(analyzed.shared.len());
    for mut plan in std::mem::take(&mut analyzed.shared) {
        renumber(&mut plan, &|id| numbers[id.0]);
        roll_up.walk(&mut plan);
        numbers.push(roll_up.share(plan));
    }
    renumber(&mut analyzed.plan, &|id| numbers[id.0]);
    roll_up.walk(&mut analyzed.plan);
    analyzed.shared = roll_up.shared;
}

struct RollUp<'a> {
    shared: Vec<Plan>,
    next_column: &'a mut u32,
}

/// An aggregate over the groups of the finest set, from what these hold.
enum Combined {
    /// The one partial result at this place, combined.
    Of(usize),
    /// The count at this place, 0 over no groups.
    Count(usize),
    /// The quotient of a sum and a count.
    Average { sum: usize, count: usize, data_type: Type },
}

impl RollUp<'_> {
    fn share(&mut self, plan: Plan) -> SharedId {
        self.shared.push(plan);
        SharedId(self.shared.len() - 1)
    }

    fn walk(&mut self, plan: &mut Plan) {
        for input in plan.inputs_mut() {
            self.walk(input);
        }
        if let Plan::SetOperation { kind: SetOperationKind::UnionAll, inputs, .. } = plan
            && let Some(finest) = finest_set(inputs)
        {
            self.roll_up(inputs, finest);
        }
    }

    fn roll_up(&mut self, branches: &mut [Plan], finest: usize) {
        let Some((_, Aggregate { input, keys, aggregates })) = grouping_set(&branches[finest]) else {
            return;
        };
        let mut partials = Vec::with_capacity(aggregates.len());
        let combined = aggregates.iter().map(|call| self.decomposed(call, &mut partials));
        let Some(combined) = combined.collect::<Option<Vec<Combined>>>() else { return };
        let keys = keys.clone();
        let groups = Plan::Aggregate(Aggregate {
            input: input.clone(),
            keys: keys.clone(),
            aggregates: partials.clone(),
        });
        let fields = groups.fields();
        let id = self.share(groups);
        for branch in branches {
            let Some((_, Aggregate { keys: own, aggregates: calls, .. })) = grouping_set(branch) else {
                continue;
            };
            let (own, outputs) = (own.clone(), calls.iter().map(|call| call.output.id).collect::<Vec<_>>());
            let columns = fields.iter().map(|field| (field.clone(), field.id)).collect();
            let groups = Plan::Shared { id, columns, row_estimate: None };
            let is_finest = own.len() == keys.len();
            let (input, results) = if is_finest {
                let results = partials.iter().map(|call| call.output.clone()).collect();
                (groups, results)
            } else {
                self.coarser(groups, own.clone(), &partials)
            };
            let definitions: HashMap<ColumnId, Expr> = outputs
                .into_iter()
                .zip(combined.iter().map(|combined| combined.value(&results, &own)))
                .collect();
            if let Plan::Project { input: before, columns } = branch {
                **before = input;
                for (_, expr) in columns {
                    *expr = expr.clone().substituted(&definitions);
                }
            }
        }
    }

    /// What the finest set's groups hold for a call; none, if its result cannot be had from them.
    fn decomposed(&mut self, call: &AggregateCall, partials: &mut Vec<AggregateCall>) -> Option<Combined> {
        use AggregateFunction as F;
        if call.is_distinct || !call.order_by.is_empty() || call.filter.as_ref().is_some_and(Expr::is_random)
        {
            return None;
        }
        let argument = call.args.first().map(|argument| &argument.data_type);
        if call.args.iter().any(Expr::is_random) {
            return None;
        }
        match (call.function, argument) {
            (F::Count | F::CountIf, _) => {
                Some(Combined::Count(self.partial(call, call.function, Type::BigInt, partials)))
            }
            (F::Sum, Some(Type::BigInt | Type::Decimal { .. } | Type::Double))
            | (F::Min | F::Max | F::BoolAnd | F::BoolOr, Some(_)) => {
                let data_type = call.output.data_type.clone();
                Some(Combined::Of(self.partial(call, call.function, data_type, partials)))
            }
            (F::Avg, Some(argument)) => {
                let sum_type = match argument {
                    Type::Double => Type::Double,
                    Type::Decimal { precision, scale } if *precision <= MAX_AVERAGED_PRECISION => {
                        Type::decimal(crate::types::MAX_DECIMAL_PRECISION, *scale)
                    }
                    _ => return None,
                };
                let sum = self.partial(call, F::Sum, sum_type, partials);
                let count = self.partial(call, F::Count, Type::BigInt, partials);
                Some(Combined::Average { sum, count, data_type: call.output.data_type.clone() })
            }
            _ => None,
        }
    }

    /// The place of a function of a call's rows among the partial results.
    fn partial(
        &mut self,
        call: &AggregateCall,
        function: AggregateFunction,
        data_type: Type,
        partials: &mut Vec<AggregateCall>,
    ) -> usize {
        let is_known = |known: &AggregateCall| {
            known.function == function && known.args == call.args && known.filter == call.filter
        };
        if let Some(place) = partials.iter().position(is_known) {
            return place;
        }
        let output = self.field(data_type);
        partials.push(AggregateCall { output, function, ..call.clone() });
        partials.len() - 1
    }

    /// The groups by fewer keys, and the columns of their partial results.
    fn coarser(
        &mut self,
        groups: Plan,
        keys: Vec<ColumnId>,
        partials: &[AggregateCall],
    ) -> (Plan, Vec<Field>) {
        let aggregates: Vec<AggregateCall> = partials
            .iter()
            .map(|partial| {
                use AggregateFunction as F;
                let Field { id, data_type, .. } = &partial.output;
                AggregateCall {
                    output: self.field(data_type.clone()),
                    function: match partial.function {
                        F::Count | F::CountIf => F::Sum,
                        other => other,
                    },
                    args: vec![Expr::column(*id, data_type.clone())],
                    is_distinct: false,
                    filter: None,
                    order_by: Vec::new(),
                }
            })
            .collect();
        let results = aggregates.iter().map(|call| call.output.clone()).collect();
        (Plan::Aggregate(Aggregate { input: Box::new(groups), keys, aggregates }), results)
    }

    fn field(&mut self, data_type: Type) -> Field {
        let id = ColumnId(*self.next_column);
        *self.next_column += 1;
        Field { id, name: String::new(), data_type }
    }
}

impl Combined {
    /// The aggregate's value, from the columns of the partial results of groups by these keys.
    fn value(&self, results: &[Field], keys: &[ColumnId]) -> Expr {
        let column = |place: usize| Expr::column(results[place].id, results[place].data_type.clone());
        let integer = |value: i64| Expr::literal(Value::Integer(value), Type::BigInt);
        match self {
            Self::Of(place) => column(*place),
            // Every group has rows, only the one of all rows may have none.
            Self::Count(place) if !keys.is_empty() => column(*place),
            Self::Count(place) => {
                let args = vec![column(*place), integer(0)];
                Expr::new(ExprKind::Call { function: ScalarFunction::Coalesce, args }, Type::BigInt)
            }
            Self::Average { sum, count, data_type } => {
                let (sum, count) = (column(*sum), column(*count));
                let is_any = Expr::comparison(ComparisonOperator::GreaterThan, count.clone(), integer(0));
                let divisor = if sum.data_type == Type::Double { Type::Double } else { Type::decimal(19, 0) };
                let quotient_type = sum.data_type.clone();
                let quotient = ExprKind::Arithmetic {
                    operator: ArithmeticOperator::Divide,
                    left: Box::new(sum),
                    right: Box::new(count.cast_to(&divisor)),
                };
                let average = Expr::new(quotient, quotient_type).cast_to(data_type);
                let branches = vec![(is_any, average)];
                Expr::new(ExprKind::Case { branches, otherwise: None }, data_type.clone())
            }
        }
    }
}

/// The set that groups by all keys of the others, where the branches of a union are grouping sets.
fn finest_set(branches: &[Plan]) -> Option<usize> {
    let sets: Vec<(SharedId, &Aggregate)> = branches.iter().map(grouping_set).collect::<Option<_>>()?;
    let (finest, (shared, first)) = sets.iter().enumerate().max_by_key(|(_, (_, set))| set.keys.len())?;
    let are_of_one = sets.iter().all(|(id, set)| {
        id == shared
            && set.input == first.input
            && set.keys.iter().all(|key| first.keys.contains(key))
            && set.aggregates.len() == first.aggregates.len()
            && set.aggregates.iter().zip(&first.aggregates).all(|(one, other)| {
                let same_output = AggregateCall { output: other.output.clone(), ..one.clone() };
                same_output == *other
            })
    });
    (are_of_one && sets.len() > 1).then_some(finest)
}

/// A branch of a union that is an aggregation of a shared plan's rows under a projection.
fn grouping_set(branch: &Plan) -> Option<(SharedId, &Aggregate)> {
    let Plan::Project { input, .. } = branch else { return None };
    let Plan::Aggregate(aggregate) = &**input else { return None };
    let Plan::Shared { id, .. } = &*aggregate.input else { return None };
    Some((*id, aggregate))
}
