//! Typed expressions. Every node has its type. Implicit conversions of SQL are explicit casts, so that the executor
//! need not infer any. There are no subqueries: the analyzer converts them to joins.

use std::fmt;

use rowhouse_model::ErrorLocation;

use super::functions::ScalarFunction;
use super::types::Type;

mod display;
pub mod fallible;
mod hash;
mod range;
mod walk;

/// A column of a statement; every node that defines a column uses a new id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ColumnId(pub u32);

impl fmt::Display for ColumnId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "c{}", self.0)
    }
}

/// An expression over the columns of one row. Equality ignores locations.
#[derive(Clone, Debug)]
pub struct Expr {
    /// The operation.
    pub kind: ExprKind,
    /// The type of its value.
    pub data_type: Type,
    /// The place in the statement, for errors at run time.
    pub location: Option<ErrorLocation>,
}

/// The operation of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A column of the input.
    Column(ColumnId),
    /// A constant.
    Literal(Value),
    /// CAST to the node's type. A value that cannot be converted is an error, or NULL with `is_try`.
    Cast {
        /// The value.
        input: Box<Expr>,
        /// TRY_CAST.
        is_try: bool,
    },
    /// A call of a scalar function; the arguments have the types that the function takes.
    Call {
        /// The function.
        function: ScalarFunction,
        /// Arguments.
        args: Vec<Expr>,
    },
    /// `+ - * / %`. For integers, real and double all three types are equal (`/` truncates; overflow and division by
    /// zero are errors). Operands that are decimals keep their own precision and scale, and the node has Trino's result
    /// type. Otherwise it is date, time, timestamp or interval arithmetic according to the operands' types.
    Arithmetic {
        /// The operator.
        operator: ArithmeticOperator,
        /// Left operand.
        left: Box<Expr>,
        /// Right operand.
        right: Box<Expr>,
    },
    /// `-x`.
    Negate(Box<Expr>),
    /// The value of the first branch whose condition is TRUE, otherwise `otherwise`, otherwise NULL. Later branches are
    /// not evaluated for a row (a division by zero in them is not an error).
    Case {
        /// Condition and value.
        branches: Vec<(Expr, Expr)>,
        /// ELSE.
        otherwise: Option<Box<Expr>>,
    },
    /// Three-valued AND of two or more operands.
    And(Vec<Expr>),
    /// Three-valued OR of two or more operands.
    Or(Vec<Expr>),
    /// Three-valued NOT.
    Not(Box<Expr>),
    /// A comparison of operands of the same type.
    Comparison {
        /// The operator.
        operator: ComparisonOperator,
        /// Left operand.
        left: Box<Expr>,
        /// Right operand.
        right: Box<Expr>,
    },
    /// IS NULL; never NULL itself.
    IsNull(Box<Expr>),
    /// IN a list; all members have the value's type. NULL if no member is equal, and the value or a member is NULL.
    InList {
        /// The value.
        value: Box<Expr>,
        /// One or more members.
        list: Vec<Expr>,
    },
    /// LIKE: `%` matches any text, `_` any single character.
    Like {
        /// The text.
        value: Box<Expr>,
        /// The pattern.
        pattern: Box<Expr>,
        /// The escape character, if there is one.
        escape: Option<char>,
        /// Whether it is ILIKE.
        is_case_insensitive: bool,
    },
    /// A field of a row, by position from 0.
    RowField {
        /// The row.
        input: Box<Expr>,
        /// The position of the field.
        index: usize,
    },
    /// A lambda expression, as an argument of a function that applies it. The node has the type of the body.
    Lambda {
        /// Columns to which only the body refers, with their types. Two lambda expressions may have the same
        /// parameters.
        parameters: Vec<(ColumnId, Type)>,
        /// The body, over the parameters and the columns of the row.
        body: Box<Expr>,
    },
}

/// Arithmetic operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArithmeticOperator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Modulus,
}

/// Comparison operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ComparisonOperator {
    /// `=`
    Equal,
    /// `<>`
    NotEqual,
    /// `<`
    LessThan,
    /// `<=`
    LessThanOrEqual,
    /// `>`
    GreaterThan,
    /// `>=`
    GreaterThanOrEqual,
    /// IS DISTINCT FROM; never NULL.
    IsDistinctFrom,
    /// IS NOT DISTINCT FROM; never NULL.
    IsNotDistinctFrom,
}

/// A constant of its node's type. Doubles are equal if their bits are: functions distinguish 0.0 from -0.0, and NaN
/// equals itself.
#[derive(Clone, Debug)]
pub enum Value {
    /// NULL of any type.
    Null,
    /// `boolean`.
    Boolean(bool),
    /// `tinyint` to `bigint`.
    Integer(i64),
    /// `decimal(p,s)`: the value times 10^s.
    Decimal(i128),
    /// `real` and `double`.
    Double(f64),
    /// `varchar`.
    Varchar(String),
    /// `varbinary`.
    Varbinary(Vec<u8>),
    /// `date`: days since 1970-01-01.
    Date(i32),
    /// `time(p)`: nanoseconds since midnight.
    Time(i64),
    /// `timestamp(p)`: units (ms, us or ns, by precision) since 1970-01-01T00:00:00 in local time; with time zone:
    /// since the epoch in UTC.
    Timestamp(i64),
    /// `interval day to second`: milliseconds.
    IntervalDayToSecond(i64),
    /// `interval year to month`: months.
    IntervalYearToMonth(i64),
}

/// One key of an ORDER BY.
#[derive(Clone, Debug, PartialEq)]
pub struct SortKey {
    /// The key.
    pub expr: Expr,
    /// DESC.
    pub is_descending: bool,
    /// NULLS FIRST; last is the default in both directions.
    pub nulls_first: bool,
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Boolean(one), Self::Boolean(other)) => one == other,
            (Self::Integer(one), Self::Integer(other))
            | (Self::Time(one), Self::Time(other))
            | (Self::Timestamp(one), Self::Timestamp(other))
            | (Self::IntervalDayToSecond(one), Self::IntervalDayToSecond(other))
            | (Self::IntervalYearToMonth(one), Self::IntervalYearToMonth(other)) => one == other,
            (Self::Decimal(one), Self::Decimal(other)) => one == other,
            (Self::Double(one), Self::Double(other)) => one.to_bits() == other.to_bits(),
            (Self::Varchar(one), Self::Varchar(other)) => one == other,
            (Self::Varbinary(one), Self::Varbinary(other)) => one == other,
            (Self::Date(one), Self::Date(other)) => one == other,
            _ => false,
        }
    }
}

impl PartialEq for Expr {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind && self.data_type == other.data_type
    }
}

impl Expr {
    /// An expression without a location.
    pub const fn new(kind: ExprKind, data_type: Type) -> Self {
        Self { kind, data_type, location: None }
    }

    /// The expression with a location.
    #[must_use]
    pub const fn at(mut self, location: Option<ErrorLocation>) -> Self {
        self.location = location;
        self
    }

    /// A column reference.
    pub const fn column(id: ColumnId, data_type: Type) -> Self {
        Self::new(ExprKind::Column(id), data_type)
    }

    /// A literal.
    pub const fn literal(value: Value, data_type: Type) -> Self {
        Self::new(ExprKind::Literal(value), data_type)
    }

    /// TRUE or FALSE.
    pub const fn boolean(value: bool) -> Self {
        Self::literal(Value::Boolean(value), Type::Boolean)
    }

    /// A comparison with the location of its left side.
    pub fn comparison(operator: ComparisonOperator, left: Self, right: Self) -> Self {
        let location = left.location;
        Self::new(
            ExprKind::Comparison { operator, left: Box::new(left), right: Box::new(right) },
            Type::Boolean,
        )
        .at(location)
    }

    /// AND of any number of operands: TRUE for none, the operand itself for one. Nested ANDs are flattened.
    pub fn and(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut flat = Vec::new();
        for part in parts {
            match part.kind {
                ExprKind::And(inner) => flat.extend(inner),
                ExprKind::Literal(Value::Boolean(true)) => {}
                _ => flat.push(part),
            }
        }
        match flat.len() {
            0 => Self::boolean(true),
            1 => flat.remove(0),
            _ => Self::new(ExprKind::And(flat), Type::Boolean),
        }
    }

    /// OR of any number of operands: FALSE for none, the operand itself for one. Nested ORs are flattened.
    pub fn or(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut flat = Vec::new();
        for part in parts {
            match part.kind {
                ExprKind::Or(inner) => flat.extend(inner),
                _ => flat.push(part),
            }
        }
        match flat.len() {
            0 => Self::boolean(false),
            1 => flat.remove(0),
            _ => Self::new(ExprKind::Or(flat), Type::Boolean),
        }
    }

    /// The negation; the operand of a NOT.
    #[must_use]
    pub fn negated(self) -> Self {
        match self.kind {
            ExprKind::Not(inner) => *inner,
            _ => {
                let location = self.location;
                Self::new(ExprKind::Not(Box::new(self)), Type::Boolean).at(location)
            }
        }
    }

    /// CAST to a type, unless the expression already has it.
    #[must_use]
    pub fn cast_to(self, data_type: &Type) -> Self {
        if self.data_type == *data_type {
            return self;
        }
        let location = self.location;
        if matches!(self.kind, ExprKind::Literal(Value::Null)) {
            return Self::literal(Value::Null, data_type.clone()).at(location);
        }
        Self::new(ExprKind::Cast { input: Box::new(self), is_try: false }, data_type.clone()).at(location)
    }

    /// The column id, if the expression is a column reference.
    pub const fn as_column(&self) -> Option<ColumnId> {
        match self.kind {
            ExprKind::Column(id) => Some(id),
            _ => None,
        }
    }

    /// The value, if the expression is a literal.
    pub const fn as_literal(&self) -> Option<&Value> {
        match &self.kind {
            ExprKind::Literal(value) => Some(value),
            _ => None,
        }
    }
}

impl ArithmeticOperator {
    /// The operator in SQL.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Modulus => "%",
        }
    }
}

impl ComparisonOperator {
    /// The operator in SQL.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::NotEqual => "<>",
            Self::LessThan => "<",
            Self::LessThanOrEqual => "<=",
            Self::GreaterThan => ">",
            Self::GreaterThanOrEqual => ">=",
            Self::IsDistinctFrom => "IS DISTINCT FROM",
            Self::IsNotDistinctFrom => "IS NOT DISTINCT FROM",
        }
    }

    /// Whether a comparison with NULL has a value.
    pub const fn sees_null(self) -> bool {
        matches!(self, Self::IsDistinctFrom | Self::IsNotDistinctFrom)
    }

    /// The equivalent operator for swapped operands.
    #[must_use]
    pub const fn swapped(self) -> Self {
        match self {
            Self::LessThan => Self::GreaterThan,
            Self::LessThanOrEqual => Self::GreaterThanOrEqual,
            Self::GreaterThan => Self::LessThan,
            Self::GreaterThanOrEqual => Self::LessThanOrEqual,
            symmetric => symmetric,
        }
    }
}
