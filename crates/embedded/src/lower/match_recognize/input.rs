//! Expressions over rows of matches, and their inputs from a match.

use super::body::Body;
use rowhouse_sql::functions::AggregateFunction;
use rowhouse_sql::plan::Navigation;
use rowhouse_sql::types::Type;

/// An expression over rows of a match.
pub(super) struct Computed {
    pub(super) body: Body,
    /// One input for each parameter of the body.
    pub(super) inputs: Vec<Input>,
}

/// An input of an expression.
pub(super) enum Input {
    /// A value, by its index among the columns of values.
    Value(usize, Navigation),
    Classifier(Navigation),
    Number,
    Aggregate(Aggregate),
}

/// An aggregate over rows of a match.
pub(super) struct Aggregate {
    pub(super) function: AggregateFunction,
    pub(super) output: Type,
    pub(super) labels: Vec<usize>,
    pub(super) is_final: bool,
    pub(super) args: Vec<Argument>,
    pub(super) types: Vec<Type>,
}

/// An argument of an aggregate.
pub(super) enum Argument {
    /// A value, by its index among the columns of values.
    Value(usize),
    /// The label of the row.
    Label,
    /// The number of the match.
    Number,
    /// Any other expression over these and the columns of the row.
    Computed(Box<Body>),
}

impl Aggregate {
    /// Whether the aggregate includes a row with this label.
    pub(super) fn takes(&self, label: u32) -> bool {
        self.labels.is_empty() || self.labels.contains(&(label as usize))
    }

    /// Whether arguments depend on labels, which may differ from row to row.
    pub(super) fn uses_labels(&self) -> bool {
        let uses_label = |arg: &Argument| match arg {
            Argument::Label => true,
            Argument::Computed(body) => {
                let label = body.parameters.first().map(|(id, _)| *id);
                body.expression.columns().into_iter().any(|id| Some(id) == label)
            }
            Argument::Value(_) | Argument::Number => false,
        };
        self.labels.len() != 1 && self.args.iter().any(uses_label)
    }
}
