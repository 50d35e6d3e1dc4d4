//! Determines which operators hold rows in memory, which rows those are, and how the rows can be partitioned so that
//! the parts can be computed separately.

use rowhouse_sql::expr::Expr;
use rowhouse_sql::plan::{
    Aggregate, ColumnId, Field, Join, JoinKey, JoinKind, MarkJoin, Plan, SetOperationKind,
};

/// An operator that combines only rows with equal keys.
pub(super) struct Keyed {
    /// The keys of each input, in corresponding order.
    pub(super) keys: Vec<Vec<Expr>>,
    pub(super) held: Held,
}

/// The inputs whose rows are held, in any form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    /// One input, by index.
    One(usize),
    /// The input with fewer rows.
    Smaller,
    /// All inputs.
    All,
}

impl Keyed {
    /// The keys of an operator, if it has any.
    pub(super) fn of(plan: &Plan) -> Option<Self> {
        let keyed = |keys: Vec<Vec<Expr>>, held| Self { keys, held };
        let found = match plan {
            Plan::Aggregate(Aggregate { input, keys, .. }) => {
                keyed(vec![columns(&input.fields(), keys)], Held::One(0))
            }
            Plan::Distinct { input, on } => {
                let fields = input.fields();
                let keys = on.as_ref().map_or_else(|| all(&fields), |on| columns(&fields, on));
                keyed(vec![keys], Held::One(0))
            }
            Plan::Window { functions, .. } => {
                let (first, others) = functions.split_first()?;
                let is_same = others.iter().all(|other| other.partition_by == first.partition_by);
                is_same.then(|| keyed(vec![first.partition_by.clone()], Held::One(0)))?
            }
            Plan::MatchRecognize(node) => keyed(vec![node.partition_by.clone()], Held::One(0)),
            Plan::Join(Join { kind, keys, residual, .. }) => {
                keyed(sides(keys), Held::by(*kind, residual.is_some()))
            }
            // An uncorrelated IN compares with all rows: a single NULL affects every left row.
            Plan::MarkJoin(MarkJoin { keys, residual, .. }) => {
                keyed(sides(keys), if residual.is_some() { Held::All } else { Held::One(1) })
            }
            Plan::SetOperation { kind, inputs, .. } if *kind != SetOperationKind::UnionAll => {
                keyed(inputs.iter().map(|input| all(&input.fields())).collect(), Held::All)
            }
            _ => return None,
        };
        // A random key would have another value when the part is computed.
        let are_keys = |keys: &Vec<Expr>| !keys.is_empty() && !keys.iter().any(Expr::is_random);
        found.keys.iter().all(are_keys).then_some(found)
    }
}

impl Held {
    /// The held inputs of a join. A join with a residual numbers its rows and holds them until their matches are known.
    const fn by(kind: JoinKind, has_residual: bool) -> Self {
        match kind {
            JoinKind::Inner => Self::Smaller,
            _ if has_residual => Self::All,
            JoinKind::Left | JoinKind::Right | JoinKind::Full => Self::Smaller,
            JoinKind::Single | JoinKind::Semi | JoinKind::Anti => Self::One(1),
        }
    }
}

fn sides(keys: &[JoinKey]) -> Vec<Vec<Expr>> {
    vec![
        keys.iter().map(|key| key.left.clone()).collect(),
        keys.iter().map(|key| key.right.clone()).collect(),
    ]
}

fn all(fields: &[Field]) -> Vec<Expr> {
    fields.iter().map(|field| Expr::column(field.id, field.data_type.clone())).collect()
}

fn columns(fields: &[Field], ids: &[ColumnId]) -> Vec<Expr> {
    let wanted = ids.iter().filter_map(|id| fields.iter().find(|field| field.id == *id));
    wanted.map(|field| Expr::column(field.id, field.data_type.clone())).collect()
}
