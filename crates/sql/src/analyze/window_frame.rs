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

/// Checks the kinds of the bounds, and that there is an order in which values precede and follow.
fn check_bounds(
    start: &WindowFrameBound,
    end: Option<&WindowFrameBound>,
    unit: FrameUnit,
    sort_keys: usize,
    place: Option<ErrorLocation>,
) -> Result<()> {
    use WindowFrameBound::{CurrentRow, Following, Preceding};
    let end = end.unwrap_or(&CurrentRow);
    let fault = match (start, end) {
        (Following(None), _) => Some("Window frame start cannot be UNBOUNDED FOLLOWING"),
        (_, Preceding(None)) => Some("Window frame end cannot be UNBOUNDED PRECEDING"),
        (CurrentRow, Preceding(_)) => {
            Some("Window frame starting from CURRENT ROW cannot end with PRECEDING")
        }
        (Following(_), Preceding(_)) => {
            Some("Window frame starting from FOLLOWING cannot end with PRECEDING")
        }
        (Following(_), CurrentRow) => {
            Some("Window frame starting from FOLLOWING cannot end with CURRENT ROW")
        }
        _ => None,
    };
    if let Some(fault) = fault {
        return Err(user_error(ErrorCode::InvalidWindowFrame, place, fault));
    }
    let has_offset =
        [start, end].iter().any(|bound| matches!(bound, Preceding(Some(_)) | Following(Some(_))));
    let name = match unit {
        FrameUnit::Rows => return Ok(()),
        FrameUnit::Range => "RANGE",
        FrameUnit::Groups => "GROUPS",
    };
    if has_offset && sort_keys == 0 {
        let message = format!("Window frame of type {name} PRECEDING or FOLLOWING requires ORDER BY");
        return Err(user_error(ErrorCode::MissingOrderBy, place, message));
    }
    if has_offset && sort_keys > 1 && unit == FrameUnit::Range {
        let message = format!(
            "Window frame of type RANGE PRECEDING or FOLLOWING requires single sort item in ORDER BY (actual: {sort_keys})"
        );
        return Err(user_error(ErrorCode::InvalidOrderBy, place, message));
    }
    Ok(())
}

impl Analyzer<'_> {
    /// Analyzes the frame; converts the sort key to the type in which RANGE offsets are added to it. `before` is the place
    /// of what is written before the frame.
    pub(super) fn frame(
        &mut self,
        frame: Option<&WindowFrame>,
        order_by: &mut [SortKey],
        before: Option<ErrorLocation>,
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
        let place = self.token_places.frame_after(before);
        check_bounds(start_bound, end_bound.as_ref(), unit, order_by.len(), place)?;
        let start = self.bound(start_bound, unit, order_by, "start", context)?;
        let end = match end_bound {
            Some(bound) => self.bound(bound, unit, order_by, "end", context)?,
            None => FrameBound::CurrentRow,
        };
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
            return Err(not_supported(place, "a RANGE bound without a sort key"));
        };
        match of_key_and_offset(&key.expr.data_type, &offset.data_type) {
            Sum::None => {
                let message = format!(
                    "Window frame RANGE value type ({}) not compatible with sort item type ({})",
                    offset.data_type, key.expr.data_type
                );
                Err(type_mismatch(place, message))
            }
            Sum::Inexact(_) => Ok(offset),
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

    /// Converts numeric offsets to the sort key's type, or to the type in which the sum is computed.
    fn in_type_of_key(&mut self, frame: &mut Frame, order_by: &[SortKey]) {
        let [key] = order_by else { return };
        for bound in [&mut frame.start, &mut frame.end] {
            if let FrameBound::Preceding(offset) | FrameBound::Following(offset) = bound
                && offset.data_type.is_numeric()
            {
                let of_sum = match of_key_and_offset(&key.expr.data_type, &offset.data_type) {
                    Sum::Inexact(common) => common,
                    _ => key.expr.data_type.clone(),
                };
                **offset = self.coerced((**offset).clone(), &of_sum);
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
    /// In this type, in which different keys may become equal: the rows keep the order and the peers of their keys.
    Inexact(Type),
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
        return if is_exact { Sum::Of(common) } else { Sum::Inexact(common) };
    }
    let fits = match key {
        Type::Date | Type::Timestamp { .. } | Type::TimestampWithTimeZone { .. } => offset.is_interval(),
        Type::Time { .. } | Type::TimeWithTimeZone { .. } => *offset == Type::IntervalDayToSecond,
        Type::IntervalDayToSecond | Type::IntervalYearToMonth => offset == key,
        _ => false,
    };
    if fits { Sum::OfKey } else { Sum::None }
}
