//! Types of map functions that signatures cannot express completely.

use super::scalar::ScalarFunction;
use crate::types::{Type, can_coerce, common_super_type};

/// The types to which the arguments are converted, and the type of the call.
type Typed = (Vec<Type>, Type);

/// Types a call of a map function: `None` for other calls, `Some(None)` if the arguments do not fit.
pub(super) fn resolve_map(function: ScalarFunction, arguments: &[Type]) -> Option<Option<Typed>> {
    use ScalarFunction as F;
    let of_map = matches!(arguments.first(), Some(Type::Map(..)));
    Some(match function {
        F::Map => constructor(arguments),
        F::Subscript | F::ElementAt if of_map => element(arguments),
        F::Cardinality if of_map => Some((arguments.to_vec(), Type::BigInt)),
        F::MapKeys => one_map(arguments, |key, _| Type::array(key.clone())),
        F::MapValues => one_map(arguments, |_, value| Type::array(value.clone())),
        F::MapEntries => one_map(arguments, |key, value| Type::array(Type::entry(key, value))),
        F::MapFromEntries => entries(arguments, |key, value| Type::map(key.clone(), value.clone())),
        F::MultimapFromEntries => {
            entries(arguments, |key, value| Type::map(key.clone(), Type::array(value.clone())))
        }
        F::MapConcat => concat(arguments),
        F::ArrayHistogram => histogram(arguments),
        F::SplitToMap => split(arguments, Type::VARCHAR),
        F::SplitToMultimap => split(arguments, Type::array(Type::VARCHAR)),
        _ => return None,
    })
}

fn element_type(array: &Type) -> Option<Type> {
    match array {
        Type::Array(element) => Some((**element).clone()),
        Type::Unknown => Some(Type::Unknown),
        _ => None,
    }
}

fn constructor(arguments: &[Type]) -> Option<Typed> {
    match arguments {
        [] => Some((Vec::new(), Type::map(Type::Unknown, Type::Unknown))),
        [keys, values] => {
            let (key, value) = (element_type(keys)?, element_type(values)?);
            let arguments = vec![Type::array(key.clone()), Type::array(value.clone())];
            key.is_comparable().then(|| (arguments, Type::map(key, value)))
        }
        _ => None,
    }
}

fn element(arguments: &[Type]) -> Option<Typed> {
    let [Type::Map(key, value), wanted] = arguments else { return None };
    let common = common_super_type(key, wanted)?;
    let map = Type::map(common.clone(), (**value).clone());
    Some((vec![map, common], (**value).clone()))
}

fn one_map(arguments: &[Type], result: impl Fn(&Type, &Type) -> Type) -> Option<Typed> {
    let map = match arguments {
        [map @ Type::Map(..)] => map.clone(),
        [Type::Unknown] => Type::map(Type::Unknown, Type::Unknown),
        _ => return None,
    };
    let Type::Map(key, value) = &map else { return None };
    let result = result(key, value);
    Some((vec![map], result))
}

fn entries(arguments: &[Type], result: impl Fn(&Type, &Type) -> Type) -> Option<Typed> {
    let [array] = arguments else { return None };
    match element_type(array)? {
        Type::Row(fields) => {
            let [key, value] = fields.as_slice() else { return None };
            let result = result(&key.data_type, &value.data_type);
            key.data_type.is_comparable().then(|| (vec![array.clone()], result))
        }
        Type::Unknown => {
            let entry = Type::entry(&Type::Unknown, &Type::Unknown);
            let result = result(&Type::Unknown, &Type::Unknown);
            Some((vec![Type::array(entry)], result))
        }
        _ => None,
    }
}

fn concat(arguments: &[Type]) -> Option<Typed> {
    let common = arguments.iter().try_fold(Type::Unknown, |common, map| common_super_type(&common, map))?;
    let common = match common {
        Type::Unknown if !arguments.is_empty() => Type::map(Type::Unknown, Type::Unknown),
        common => common,
    };
    let is_map = matches!(common, Type::Map(..));
    is_map.then(|| (vec![common.clone(); arguments.len()], common))
}

fn histogram(arguments: &[Type]) -> Option<Typed> {
    let [array] = arguments else { return None };
    let element = element_type(array)?;
    let arguments = vec![Type::array(element.clone())];
    element.is_comparable().then(|| (arguments, Type::map(element, Type::BigInt)))
}

fn split(arguments: &[Type], value: Type) -> Option<Typed> {
    let are_texts = arguments.len() == 3 && arguments.iter().all(|text| can_coerce(text, &Type::VARCHAR));
    let texts = vec![Type::VARCHAR; 3];
    are_texts.then(|| (texts, Type::map(Type::VARCHAR, value)))
}
