use super::check_error;

#[test]
fn names_that_mean_nothing() {
    check_error(
        "SELECT aa FROM t",
        "COLUMN_NOT_FOUND line 1:8: Column 'aa' cannot be resolved. Did you mean 'a'?",
    );
}
