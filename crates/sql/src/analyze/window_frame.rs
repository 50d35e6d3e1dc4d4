//! Window frames: their unit, and bounds that are expressions, one value per row.

use rowhouse_model::{ErrorCode, ErrorLocation};
use sqlparser::ast::{Expr as AstExpr, WindowFrame, WindowFrameBound, WindowFrameUnits};

use super::context::{Analyzer, Context, user_error};
use super::place::place_of;
use super::session_zone::SessionZone;
use crate::error::{Result, not_supported, type_mismatch};
use crate::expr::{Expr, SortKey, Value};
use crate::functions::ScalarFunction;
use crate::plan::{Frame, FrameBound, FrameUnit};
use crate::types::{Type, Zones, common_super_type};

impl Analyzer<'_> {
    /// Analyzes the frame; converts the sort key to the type in which RANGE offsets are added to it.
    pub(super) fn frame(
        &mut self,
        frame: Option<&WindowFrame>,
        order_by: &mut [SortKey],
        context: &mut Context<'_>,
    ) -> Result<Frame> {
        let Some(WindowFrame { units, start_bound, end_bound }) = frame else {
            return Ok(Frame {
                unit: FrameUnit::Range,
                start: FrameBound::UnboundedPreceding,
                end: FrameBound::CurrentRow,
            });
        };
        let unit = match units {
            WindowFrameUnits::Rows => FrameUnit::Rows,
            WindowFrameUnits::Range => FrameUnit::Range,
            WindowFrameUnits::Groups => FrameUnit::Groups,
        };
        let start = self.bound(start_bound, unit, order_by, "start", context)?;
        let end = match end_bound {
            Some(bound) => self.bound(bound, unit, order_by, "end", context)?,
            None => FrameBound::CurrentRow,
        };
        let rank = |bound: &FrameBound| match bound {
            FrameBound::UnboundedPreceding => 0,
            FrameBound::Preceding(_) => 1,
            FrameBound::CurrentRow => 2,
            FrameBound::Following(_) => 3,
            FrameBound::UnboundedFollowing => 4,
        };
        if rank(&start) > rank(&end) || rank(&start) == 4 || rank(&end) == 0 {
            return Err(user_error(ErrorCode::InvalidWindowFrame, None, "Window frame starts after it ends"));
        }
        let mut frame = Frame { unit, start, end };
        if unit == FrameUnit::Range {
            self.in_type_of_key(&mut frame, order_by);
        }
        Ok(frame)
    }

    fn bound(
        &mut self,
        bound: &WindowFrameBound,
        unit: FrameUnit,
        order_by: &mut [SortKey],
        which: &str,
        context: &mut Context<'_>,
    ) -> Result<FrameBound> {
        let (expr, is_preceding) = match bound {
            WindowFrameBound::CurrentRow => return Ok(FrameBound::CurrentRow),
            WindowFrameBound::Preceding(None) => return Ok(FrameBound::UnboundedPreceding),
            WindowFrameBound::Following(None) => return Ok(FrameBound::UnboundedFollowing),
            WindowFrameBound::Preceding(Some(expr)) => (expr, true),
            WindowFrameBound::Following(Some(expr)) => (expr, false),
        };
        let offset = self.offset(expr, unit, order_by, which, context)?;
        Ok(if is_preceding {
            FrameBound::Preceding(Box::new(offset))
        } else {
            FrameBound::Following(Box::new(offset))
        })
    }

    /// An offset: a number of rows or groups as bigint, or for RANGE a value that is added to the sort key, of its own
    /// type.
    fn offset(
        &mut self,
        expr: &AstExpr,
        unit: FrameUnit,
        order_by: &mut [SortKey],
        which: &str,
        context: &mut Context<'_>,
    ) -> Result<Expr> {
        let place = place_of(expr);
        let offset = self.expression(expr, context)?;
        if unit != FrameUnit::Range {
            let name = if unit == FrameUnit::Rows { "ROWS" } else { "GROUPS" };
            return match &offset.data_type {
                data_type if data_type.is_integer() => Ok(self.coerced(offset, &Type::BigInt)),
                Type::Decimal { scale: 0, .. } => self.count_of_decimal(offset),
                other => {
                    let message = format!(
                        "Window frame {name} {which} value type must be exact numeric type with scale 0 \
                         (actual {other})"
                    );
                    Err(type_mismatch(place, message))
                }
            };
        }
        let [key] = order_by else {
            let message =
                "Window frame of type RANGE PRECEDING or FOLLOWING requires single sort item in ORDER BY";
            return Err(user_error(ErrorCode::InvalidArguments, place, message));
        };
        match of_key_and_offset(&key.expr.data_type, &offset.data_type) {
            Sum::None => {
                let message = format!(
                    "Window frame RANGE value type ({}) not compatible with sort item type ({})",
                    offset.data_type, key.expr.data_type
                );
                Err(type_mismatch(place, message))
            }
            Sum::Inexact => Err(not_supported(place, "a RANGE bound of a wider type than the sort key")),
            Sum::OfKey => {
                // Months are added in local time.
                let zones = SessionZone::of(self.session).zones_of(&key.expr.data_type);
                if offset.data_type == Type::IntervalYearToMonth && zones.has(Zones::SEVERAL) {
                    let what = "a RANGE bound in months of values of several time zones (AT TIME ZONE gives them one)";
                    return Err(not_supported(place, what));
                }
                self.asks_local_times_of_texts |=
                    offset.data_type == Type::IntervalYearToMonth && zones.has(Zones::OF_TEXTS);
                Ok(offset)
            }
            Sum::Of(wide) => {
                key.expr = self.coerced(key.expr.clone(), &wide);
                Ok(offset)
            }
        }
    }

    /// A decimal number of rows, limited to the greatest bigint.
    fn count_of_decimal(&mut self, offset: Expr) -> Result<Expr> {
        let place: Option<ErrorLocation> = offset.location;
        let most = self.coerced(Expr::literal(Value::Integer(i64::MAX), Type::BigInt), &offset_type());
        let wide = offset.cast_to(&offset_type());
        let count = self.scalar_call(ScalarFunction::Least, vec![wide, most], place)?;
        Ok(count.cast_to(&Type::BigInt).at(place))
    }

    /// Converts numeric offsets to the sort key's type.
    fn in_type_of_key(&mut self, frame: &mut Frame, order_by: &[SortKey]) {
        let [key] = order_by else { return };
        for bound in [&mut frame.start, &mut frame.end] {
            if let FrameBound::Preceding(offset) | FrameBound::Following(offset) = bound
                && offset.data_type.is_numeric()
            {
                **offset = self.coerced((**offset).clone(), &key.expr.data_type);
            }
        }
    }
}

const fn offset_type() -> Type {
    Type::Decimal { precision: 38, scale: 0 }
}

/// The way in which an offset is added to a sort key.
enum Sum {
    /// The types are incompatible.
    None,
    /// In a type in which different keys may become equal.
    Inexact,
    /// As a value of the key's type plus an interval.
    OfKey,
    /// As two values of this type.
    Of(Type),
}

fn of_key_and_offset(key: &Type, offset: &Type) -> Sum {
    if key.is_numeric() && offset.is_numeric() {
        let Some(common) = common_super_type(key, offset) else { return Sum::None };
        let is_exact = match (key, &common) {
            (from, to) if from == to => true,
            (Type::TinyInt | Type::SmallInt | Type::Integer | Type::Real, Type::Double) => true,
            (Type::TinyInt | Type::SmallInt, Type::Real) => true,
            (_, Type::Real | Type::Double) => false,
            _ => true,
        };
        return if is_exact { Sum::Of(common) } else { Sum::Inexact };
    }
    let takes_intervals =
        matches!(key, Type::Date | Type::Timestamp { .. } | Type::TimestampWithTimeZone { .. });
    if takes_intervals && offset.is_interval() { Sum::OfKey } else { Sum::None }
}
