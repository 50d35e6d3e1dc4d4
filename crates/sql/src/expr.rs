//! Typed expressions. Every node has its type; implicit conversions of SQL are explicit casts, so that the executor
//! never guesses. Subqueries are gone: the analyzer converts them to joins.

use std::fmt;

use rowhouse_model::ErrorLocation;

use super::functions::ScalarFunction;
use super::types::Type;

mod display;
mod hash;
mod range;
mod walk;

/// A column of a statement; every place that makes a column makes a new id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ColumnId(pub u32);

impl fmt::Display for ColumnId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "c{}", self.0)
    }
}

/// An expression over the columns of one row. Equality does not look at places.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// The type of its value.
    pub data_type: Type,
    /// Where it stands in the statement, for errors at run time.
    pub location: Option<ErrorLocation>,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A column of the input.
    Column(ColumnId),
    /// A constant.
    Literal(Value),
    /// CAST to the node's type; an error where a value does not convert, or NULL with `is_try`.
    Cast {
        /// The value.
        input: Box<Expr>,
        /// TRY_CAST.
        is_try: bool,
    },
    /// A scalar function; the arguments have the types that the function takes.
    Call {
        /// Which.
        function: ScalarFunction,
        /// Arguments.
        args: Vec<Expr>,
    },
    /// `+ - * / %`. Integers, real and double: all three types are equal (`/` truncates; overflow and division
    /// by zero are errors). Decimals: the operands keep their own precision and scale, the node's type is
    /// Trino's result type. Else date, time, timestamp or interval arithmetic by the operands' types.
    Arithmetic {
        /// Which.
        operator: ArithmeticOperator,
        /// Left operand.
        left: Box<Expr>,
        /// Right operand.
        right: Box<Expr>,
    },
    /// `-x`.
    Negate(Box<Expr>),
    /// The first branch whose condition is TRUE, else `otherwise`, else NULL; later branches are not evaluated
    /// for a row (a division by zero there is no error).
    Case {
        /// Condition and value.
        branches: Vec<(Expr, Expr)>,
        /// ELSE.
        otherwise: Option<Box<Expr>>,
    },
    /// Three-valued AND of two or more.
    And(Vec<Expr>),
    /// Three-valued OR of two or more.
    Or(Vec<Expr>),
    /// Three-valued NOT.
    Not(Box<Expr>),
    /// A comparison of operands of the same type.
    Comparison {
        /// Which.
        operator: ComparisonOperator,
        /// Left operand.
        left: Box<Expr>,
        /// Right operand.
        right: Box<Expr>,
    },
    /// IS NULL; never NULL itself.
    IsNull(Box<Expr>),
    /// IN a list; all members have the value's type. NULL where no member is equal and the value or one is NULL.
    InList {
        /// The value.
        value: Box<Expr>,
        /// One or more.
        list: Vec<Expr>,
    },
    /// LIKE: `%` any text, `_` any one character.
    Like {
        /// The text.
        value: Box<Expr>,
        /// The pattern.
        pattern: Box<Expr>,
        /// The escape character; none: there is no escape.
        escape: Option<char>,
        /// ILIKE.
        is_case_insensitive: bool,
    },
    /// A field of a row, by position from 0.
    RowField {
        /// The row.
        input: Box<Expr>,
        /// Which field.
        index: usize,
    },
    /// A lambda expression, an argument of a function that applies it; the node has the type of the body's value.
    Lambda {
        /// Columns that only the body names, with their types. Those of two lambda expressions may be the same.
        parameters: Vec<(ColumnId, Type)>,
        /// Over the parameters and the columns of the row.
        body: Box<Expr>,
    },
}

/// `+ - * / %`.
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

/// Comparisons.
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

/// A constant of its node's type. Doubles are equal if their bits are: functions tell 0.0 from -0.0, and NaN is itself.
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
    /// `timestamp(p)`: in the type's own unit (ms, us or ns) since 1970-01-01T00:00:00 of no zone; with time
    /// zone: since the epoch in UTC.
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
    /// An expression without a place in the text.
    pub const fn new(kind: ExprKind, data_type: Type) -> Self {
        Self { kind, data_type, location: None }
    }

    /// The same at a place.
    #[must_use]
    pub const fn at(mut self, location: Option<ErrorLocation>) -> Self {
        self.location = location;
        self
    }

    /// A column.
    pub const fn column(id: ColumnId, data_type: Type) -> Self {
        Self::new(ExprKind::Column(id), data_type)
    }

    /// A constant.
    pub const fn literal(value: Value, data_type: Type) -> Self {
        Self::new(ExprKind::Literal(value), data_type)
    }

    /// TRUE or FALSE.
    pub const fn boolean(value: bool) -> Self {
        Self::literal(Value::Boolean(value), Type::Boolean)
    }

    /// A comparison.
    pub fn comparison(operator: ComparisonOperator, left: Self, right: Self) -> Self {
        let location = left.location;
        Self::new(
            ExprKind::Comparison { operator, left: Box::new(left), right: Box::new(right) },
            Type::Boolean,
        )
        .at(location)
    }

    /// AND of any number: none is TRUE, one is itself; nested ANDs are made flat.
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

    /// OR of any number: none is FALSE, one is itself; nested ORs are made flat.
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

    /// NOT; of a NOT, what is inside.
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

    /// CAST to a type; itself where it has the type already.
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

    /// The column, where the expression is one.
    pub const fn as_column(&self) -> Option<ColumnId> {
        match self.kind {
            ExprKind::Column(id) => Some(id),
            _ => None,
        }
    }

    /// The constant, where the expression is one.
    pub const fn as_literal(&self) -> Option<&Value> {
        match &self.kind {
            ExprKind::Literal(value) => Some(value),
            _ => None,
        }
    }
}

impl ArithmeticOperator {
    /// As SQL writes it.
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
    /// As SQL writes it.
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

    /// The operator that says the same with the operands swapped.
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
