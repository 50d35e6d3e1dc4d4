//! Types of sketch functions, which signatures cannot express.

use super::scalar::ScalarFunction;
use crate::types::{Type, can_coerce};

/// Types a call of a sketch function: `None` for other calls, `Some(None)` if the arguments do not fit.
pub(super) fn resolve_sketch(
    function: ScalarFunction,
    arguments: &[Type],
) -> Option<Option<(Vec<Type>, Type)>> {
    use ScalarFunction as F;
    let is_digest = |data_type: &Type| matches!(data_type, Type::TDigest | Type::QDigest(_));
    Some(match (function, arguments) {
        (F::ValueAtQuantile, [digest, fraction]) if is_digest(digest) => {
            let fits = can_coerce(fraction, &Type::Double);
            fits.then(|| (vec![digest.clone(), Type::Double], values_of(digest)))
        }
        (F::ValuesAtQuantiles, [digest, fractions]) if is_digest(digest) => {
            let wanted = Type::array(Type::Double);
            let fits = can_coerce(fractions, &wanted);
            fits.then(|| (vec![digest.clone(), wanted], Type::array(values_of(digest))))
        }
        (F::QuantileAtValue, [digest @ Type::QDigest(element), value]) => {
            let fits = can_coerce(value, element);
            fits.then(|| (vec![digest.clone(), (**element).clone()], Type::Double))
        }
        // The result is NULL for any type of the digest.
        (F::QuantileAtValue, [Type::Unknown, value]) if value.is_numeric() => {
            Some((arguments.to_vec(), Type::Double))
        }
        (F::ValueAtQuantile | F::ValuesAtQuantiles | F::QuantileAtValue, _) => None,
        _ => return None,
    })
}

/// The type of a digest's values.
fn values_of(digest: &Type) -> Type {
    match digest {
        Type::QDigest(element) => (**element).clone(),
        _ => Type::Double,
    }
}
