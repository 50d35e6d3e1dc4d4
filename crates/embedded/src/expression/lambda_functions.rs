//! The functions that apply a lambda expression, for exhaustive matches over all functions.

/// A pattern of the functions that apply a lambda expression and fail only if that does.
macro_rules! of_lambda {
    () => {
        rowhouse_sql::functions::ScalarFunction::Transform
            | rowhouse_sql::functions::ScalarFunction::Filter
            | rowhouse_sql::functions::ScalarFunction::Reduce
            | rowhouse_sql::functions::ScalarFunction::AnyMatch
            | rowhouse_sql::functions::ScalarFunction::AllMatch
            | rowhouse_sql::functions::ScalarFunction::NoneMatch
            | rowhouse_sql::functions::ScalarFunction::ZipWith
            | rowhouse_sql::functions::ScalarFunction::MapFilter
            | rowhouse_sql::functions::ScalarFunction::TransformValues
            | rowhouse_sql::functions::ScalarFunction::MapZipWith
    };
}
pub(super) use of_lambda;
