//! Arithmetic over columns in 64 bits, block by block, if the values of a block permit it: almost always, although the
//! types of products soon have 38 digits. Inputs and outputs stay in the first-level cache.

use polars::prelude::{PlSmallStr, PolarsResult};
use polars_arrow::array::PrimitiveArray;

use super::decimal::{DecimalTypes, add, bits_of, multiply};
use super::{Pair, power_of_ten};
use rowhouse_sql::expr::ArithmeticOperator;

/// Bits of magnitudes that fit 64 bits with their sign, even if a magnitude equals the power of two.
pub(crate) const MAX_NARROW_BITS: u32 = 62;

/// A number for each row: an integer, or an unscaled decimal.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Number {
    /// The value of a column.
    Column(PlSmallStr),
    /// The same value for all rows.
    Constant(i128),
    /// A sum, a difference or a product of decimals.
    Arithmetic { operator: ArithmeticOperator, operands: Box<[Self; 2]>, types: DecimalTypes },
}

/// Columns of a block.
pub(crate) trait Columns {
    /// The values of a column in 64 bits.
    fn narrow(&self, name: &PlSmallStr) -> &[i64];

    /// The number of bits such that no magnitude in a column exceeds 2 to that power.
    fn bits(&self, name: &PlSmallStr) -> u32;

    /// The values of a column.
    fn wide(&self, name: &PlSmallStr) -> PrimitiveArray<i128>;
}

impl Number {
    /// Arithmetic of decimals; `None` for operations that lose digits and for other operators.
    pub(crate) fn arithmetic(
        operator: ArithmeticOperator,
        left: Self,
        right: Self,
        types: DecimalTypes,
    ) -> Option<Self> {
        let is_exact = match operator {
            ArithmeticOperator::Add | ArithmeticOperator::Subtract => true,
            ArithmeticOperator::Multiply => types.left.1 + types.right.1 == types.output.1,
            ArithmeticOperator::Divide | ArithmeticOperator::Modulus => false,
        };
        is_exact.then(|| Self::Arithmetic { operator, operands: Box::new([left, right]), types })
    }

    /// A decimal with more fractional digits, within the precision of its type.
    pub(crate) fn widened(self, from: (u8, u8), to: (u8, u8)) -> Option<Self> {
        let digits = to.1 - from.1;
        if digits == 0 {
            return Some(self);
        }
        let types = DecimalTypes { left: from, right: (digits + 1, digits), output: to };
        Self::arithmetic(ArithmeticOperator::Multiply, self, Self::Constant(power_of_ten(digits)), types)
    }

    /// The columns that it names, without duplicates.
    pub(crate) fn columns(&self) -> Vec<PlSmallStr> {
        let mut columns = Vec::new();
        self.add_columns(&mut columns);
        columns
    }

    fn add_columns(&self, columns: &mut Vec<PlSmallStr>) {
        match self {
            Self::Column(name) if columns.contains(name) => {}
            Self::Column(name) => columns.push(name.clone()),
            Self::Constant(_) => {}
            Self::Arithmetic { operands, .. } => {
                operands.iter().for_each(|operand| operand.add_columns(columns))
            }
        }
    }

    /// The number of bits such that no magnitude of this number or of a part of it exceeds 2 to that power.
    pub(crate) fn bits(&self, block: &impl Columns) -> u32 {
        match self {
            Self::Column(name) => block.bits(name),
            Self::Constant(value) => bits_of(value.unsigned_abs()),
            Self::Arithmetic { operator: ArithmeticOperator::Multiply, operands, .. } => {
                operands[0].bits(block) + operands[1].bits(block)
            }
            Self::Arithmetic { operands, types, .. } => {
                let (left, right) = types.factors();
                let bits =
                    |operand: &Self, factor: i128| operand.bits(block) + bits_of(factor.unsigned_abs());
                bits(&operands[0], left).max(bits(&operands[1], right)) + 1
            }
        }
    }

    /// Adds the values in 64 bits, which requires that [`Self::bits`] is at most [`MAX_NARROW_BITS`]. Values of NULLs
    /// are arbitrary.
    pub(crate) fn narrow(&self, block: &impl Columns, values: &mut Vec<i64>) {
        match self {
            Self::Column(name) => values.extend_from_slice(block.narrow(name)),
            Self::Constant(value) => values.push(narrow(*value)),
            Self::Arithmetic { operator, operands, types } => {
                let [left, right] = operands.each_ref().map(|operand| Operand::of(operand, block));
                let (left_factor, right_factor) = types.factors();
                let (left_factor, right_factor) = (narrow(left_factor), narrow(right_factor));
                match operator {
                    ArithmeticOperator::Multiply => {
                        combine(&left, &right, values, |left, right| left * right)
                    }
                    ArithmeticOperator::Subtract => combine(&left, &right, values, |left, right| {
                        left * left_factor - right * right_factor
                    }),
                    _ => combine(&left, &right, values, |left, right| {
                        left * left_factor + right * right_factor
                    }),
                }
            }
        }
    }

    /// The values; NULL if an operand is NULL.
    ///
    /// # Errors
    ///
    /// A value has more digits than its type.
    pub(crate) fn wide(&self, block: &impl Columns) -> PolarsResult<PrimitiveArray<i128>> {
        Ok(match self {
            Self::Column(name) => block.wide(name),
            Self::Constant(value) => PrimitiveArray::from_slice([*value]),
            Self::Arithmetic { operator, operands, types } => {
                let pair = Pair::new(operands[0].wide(block)?, operands[1].wide(block)?);
                match operator {
                    ArithmeticOperator::Multiply => multiply(pair, *types)?,
                    ArithmeticOperator::Subtract => add(pair, *types, -1)?,
                    _ => add(pair, *types, 1)?,
                }
            }
        })
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the caller has looked at its bits")]
const fn narrow(value: i128) -> i64 {
    value as i64
}

/// An operand of an operation.
enum Operand<'a> {
    Column(&'a [i64]),
    Constant(i64),
    Computed(Vec<i64>),
}

impl<'a> Operand<'a> {
    fn of(number: &Number, block: &'a impl Columns) -> Self {
        match number {
            Number::Column(name) => Self::Column(block.narrow(name)),
            Number::Constant(value) => Self::Constant(narrow(*value)),
            Number::Arithmetic { .. } => {
                let mut values = Vec::new();
                number.narrow(block, &mut values);
                Self::Computed(values)
            }
        }
    }

    /// The values; a single value applies to all rows.
    fn values(&self) -> &[i64] {
        match self {
            Self::Column(values) => values,
            Self::Constant(value) => std::slice::from_ref(value),
            Self::Computed(values) => values,
        }
    }
}

fn combine(
    left: &Operand<'_>,
    right: &Operand<'_>,
    values: &mut Vec<i64>,
    function: impl Fn(i64, i64) -> i64,
) {
    match (left.values(), right.values()) {
        ([left], right) => values.extend(right.iter().map(|right| function(*left, *right))),
        (left, [right]) => values.extend(left.iter().map(|left| function(*left, *right))),
        (left, right) => values.extend(left.iter().zip(right).map(|(left, right)| function(*left, *right))),
    }
}
