//! OFFSET, LIMIT and FETCH FIRST above a plan, including WITH TIES.

use super::context::{Analyzer, Ordering};
use crate::expr::{ComparisonOperator, Expr, Value};
use crate::functions::RankingFunction;
use crate::plan::{Plan, WindowCall};
use crate::types::Type;

impl Analyzer<'_> {
    pub(super) fn limited(&mut self, plan: Plan, ordering: &Ordering<'_>) -> Plan {
        let &Ordering { offset, limit, with_ties, .. } = ordering;
        match (plan, limit) {
            (Plan::Sort { input, keys }, Some(limit)) if with_ties => {
                let sorted = Plan::Sort { input, keys: keys.clone() };
                let rest = if offset == 0 {
                    sorted
                } else {
                    Plan::Limit { input: Box::new(sorted), offset, limit: None }
                };
                let rank = self.new_field("rank", Type::BigInt);
                let value = Expr::column(rank.id, Type::BigInt);
                let call =
                    WindowCall { order_by: keys.clone(), ..WindowCall::ranking(rank, RankingFunction::Rank) };
                let ranked = Plan::Window { input: Box::new(rest), functions: vec![call] };
                let last = i64::try_from(limit).unwrap_or(i64::MAX);
                let last = Expr::literal(Value::Integer(last), Type::BigInt);
                let predicate = Expr::comparison(ComparisonOperator::LessThanOrEqual, value, last);
                let filtered = Plan::Filter { input: Box::new(ranked), predicate };
                Plan::Sort { input: Box::new(filtered), keys }
            }
            (plan, None) if offset == 0 => plan,
            (plan, limit) => Plan::Limit { input: Box::new(plan), offset, limit },
        }
    }
}
