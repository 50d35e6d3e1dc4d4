//! Statistical distributions and confidence intervals.

use super::super::{RowFunction, invalid};
use crate::datum::Datum;
use polars::prelude::PolarsResult;
use rowhouse_sql::functions::ScalarFunction;

/// Degrees of freedom above which Student's distribution is computed from the normal one.
const MANY_DEGREES: f64 = 1e6;

/// Replaces zero as a divisor.
const TINY: f64 = 1e-300;

/// Maximum number of steps of the continued fraction, which takes about the square root of the larger parameter.
const MAX_STEPS: u32 = 20_000;

pub(super) fn function(function: ScalarFunction) -> Option<RowFunction> {
    use ScalarFunction as F;
    let of_three: fn(f64, f64, f64) -> PolarsResult<f64> = match function {
        F::NormalCdf => normal_cdf,
        F::InverseNormalCdf => inverse_normal_cdf,
        F::BetaCdf => beta_cdf,
        F::InverseBetaCdf => inverse_beta_cdf,
        F::TCdf => return Some(of_two(t_cdf)),
        F::TPdf => return Some(of_two(t_pdf)),
        F::WilsonIntervalLower => return Some(of_counts(-1.0)),
        F::WilsonIntervalUpper => return Some(of_counts(1.0)),
        _ => return None,
    };
    Some(Box::new(move |row| of_three(row[0].double(), row[1].double(), row[2].double()).map(Datum::Double)))
}

fn of_two(function: fn(f64, f64) -> PolarsResult<f64>) -> RowFunction {
    Box::new(move |row| function(row[0].double(), row[1].double()).map(Datum::Double))
}

fn of_counts(side: f64) -> RowFunction {
    Box::new(move |row| {
        wilson_interval(row[0].integer(), row[1].integer(), row[2].double(), side).map(Datum::Double)
    })
}

fn check(condition: bool, message: &str) -> PolarsResult<()> {
    if condition { Ok(()) } else { Err(invalid(message)) }
}

fn normal_cdf(mean: f64, deviation: f64, value: f64) -> PolarsResult<f64> {
    check(deviation > 0.0, "standardDeviation must be > 0")?;
    Ok(standard_normal((value - mean) / deviation))
}

/// The cumulative standard normal distribution.
fn standard_normal(value: f64) -> f64 {
    0.5 * libm::erfc(-value / std::f64::consts::SQRT_2)
}

fn inverse_normal_cdf(mean: f64, deviation: f64, probability: f64) -> PolarsResult<f64> {
    check(probability > 0.0 && probability < 1.0, "p must be 0 > p > 1")?;
    check(deviation > 0.0, "sd must be > 0")?;
    // The nearer tail has more significant digits; no probability is beyond 40 deviations.
    let tail = probability.min(1.0 - probability);
    let distance = where_reached(tail, -40.0, 0.0, |value| Ok(standard_normal(value)))?;
    Ok(mean + deviation * if probability < 0.5 { distance } else { -distance })
}

/// The argument between two bounds at which an increasing function reaches a value.
fn where_reached(
    wanted: f64,
    mut low: f64,
    mut high: f64,
    function: impl Fn(f64) -> PolarsResult<f64>,
) -> PolarsResult<f64> {
    loop {
        let middle = 0.5 * (low + high);
        // Each step halves the interval, until there is no number between the bounds.
        if middle <= low || middle >= high {
            return Ok(middle);
        }
        if function(middle)? < wanted { low = middle } else { high = middle }
    }
}

fn beta_cdf(a: f64, b: f64, value: f64) -> PolarsResult<f64> {
    check((0.0..=1.0).contains(&value), "value must be 0 >= v >= 1")?;
    check(a > 0.0 && b > 0.0, "a, b must be > 0")?;
    incomplete_beta(a, b, value)
}

fn inverse_beta_cdf(a: f64, b: f64, probability: f64) -> PolarsResult<f64> {
    check((0.0..=1.0).contains(&probability), "p must be 0 >= p >= 1")?;
    check(a > 0.0 && b > 0.0, "a, b must be > 0")?;
    if probability == 0.0 || probability == 1.0 {
        return Ok(probability);
    }
    where_reached(probability, 0.0, 1.0, |value| incomplete_beta(a, b, value))
}

fn ln_beta(a: f64, b: f64) -> f64 {
    let (less, more) = if a < b { (a, b) } else { (b, a) };
    if more < LARGE {
        return libm::lgamma(a) + libm::lgamma(b) - libm::lgamma(a + b);
    }
    // The logarithms of the gamma functions of large numbers are far larger than their difference, so Stirling's formula
    // is subtracted from itself.
    let sum = less + more;
    let of_more = stirling_rest(more) - stirling_rest(sum) - (more - 0.5) * (less / more).ln_1p();
    if less < LARGE {
        return libm::lgamma(less) + of_more - less * sum.ln() + less;
    }
    let of_less = stirling_rest(less) - less * (more / less).ln_1p() - 0.5 * less.ln();
    of_less + of_more + 0.5 * std::f64::consts::TAU.ln()
}

/// From here on [`stirling_rest`] has all digits.
const LARGE: f64 = 10.0;

/// What Stirling's formula lacks of the logarithm of the gamma function.
fn stirling_rest(x: f64) -> f64 {
    let square = 1.0 / (x * x);
    let terms = [
        1.0 / 12.0,
        -1.0 / 360.0,
        1.0 / 1260.0,
        -1.0 / 1680.0,
        1.0 / 1188.0,
        -691.0 / 360_360.0,
        1.0 / 156.0,
    ];
    terms.into_iter().rev().fold(0.0, |sum, term| sum * square + term) / x
}

/// The regularized incomplete beta function, by its continued fraction (Lentz's method).
fn incomplete_beta(a: f64, b: f64, x: f64) -> PolarsResult<f64> {
    if x == 0.0 || x == 1.0 {
        return Ok(x);
    }
    // The fraction converges fast below the mean.
    if x > (a + 1.0) / (a + b + 2.0) {
        return Ok(1.0 - below_mean(b, a, 1.0 - x)?);
    }
    below_mean(a, b, x)
}

fn below_mean(a: f64, b: f64, x: f64) -> PolarsResult<f64> {
    let factor = (a * x.ln() + b * (-x).ln_1p() - ln_beta(a, b)).exp() / a;
    let not_zero = |number: f64| if number.abs() < TINY { TINY } else { number };
    let mut c = 1.0;
    let mut d = 1.0 / not_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = d;
    for step in 1..=MAX_STEPS {
        let step = f64::from(step);
        let even = step * (b - step) * x / ((a + 2.0 * step - 1.0) * (a + 2.0 * step));
        let odd = -(a + step) * (a + b + step) * x / ((a + 2.0 * step) * (a + 2.0 * step + 1.0));
        for numerator in [even, odd] {
            d = 1.0 / not_zero(1.0 + numerator * d);
            c = not_zero(1.0 + numerator / c);
            fraction *= c * d;
        }
        if (c * d - 1.0).abs() < f64::EPSILON {
            return Ok(factor * fraction);
        }
    }
    Err(invalid("the parameters of the beta function are too large"))
}

/// The cumulative distribution of Student's t.
fn t_cdf(value: f64, freedom: f64) -> PolarsResult<f64> {
    check(freedom.is_nan() || freedom >= 1.0, "degrees of freedom must be greater than or equal to 1")?;
    let share = freedom / (freedom + value * value);
    if share.is_nan() || value == 0.0 {
        return Ok(if share.is_nan() { f64::NAN } else { 0.5 });
    }
    // Beyond any value of weight; its square may be infinite.
    if share == 0.0 {
        return Ok(if value < 0.0 { 0.0 } else { 1.0 });
    }
    // The fraction loses as many digits as there are degrees of freedom; the error of this approximation falls with
    // their square.
    if freedom > MANY_DEGREES {
        let scale = (1.0 - 0.25 / freedom) / (1.0 + 0.5 * value * value / freedom).sqrt();
        return Ok(standard_normal(value * scale));
    }
    let tail = 0.5 * incomplete_beta(0.5 * freedom, 0.5, share)?;
    Ok(if value < 0.0 { tail } else { 1.0 - tail })
}

/// The density of Student's t.
fn t_pdf(value: f64, freedom: f64) -> PolarsResult<f64> {
    check(freedom.is_nan() || freedom >= 1.0, "degrees of freedom must be greater than or equal to 1")?;
    let power = -0.5 * (freedom + 1.0) * (value * value / freedom).ln_1p();
    Ok((power - 0.5 * freedom.ln() - ln_beta(0.5, 0.5 * freedom)).exp())
}

/// The bound of Wilson's score interval on one side (-1 or 1).
fn wilson_interval(successes: i64, trials: i64, z: f64, side: f64) -> PolarsResult<f64> {
    check(successes >= 0, "number of successes must not be negative")?;
    check(trials > 0, "number of trials must be positive")?;
    check(successes <= trials, "number of successes must not be larger than number of trials")?;
    check(z >= 0.0, "z-score must not be negative")?;
    #[expect(clippy::cast_precision_loss, reason = "Trino computes with doubles, too")]
    let (successes, trials) = (successes as f64, trials as f64);
    let share = successes / trials;
    let spread = (share * (1.0 - share) / trials + z * z / (4.0 * trials * trials)).sqrt();
    Ok((share + z * z / (2.0 * trials) + side * z * spread) / (1.0 + z * z / trials))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beta_function_of_large_numbers_agrees_with_the_gamma_functions() {
        for less in [0.5, 1.0, 3.25, 9.5, 10.0, 12.5, 40.0] {
            for more in [10.0, 11.5, 25.0, 60.0] {
                let expected = libm::lgamma(less) + libm::lgamma(more) - libm::lgamma(less + more);
                for found in [ln_beta(less, more), ln_beta(more, less)] {
                    assert!((found - expected).abs() < 1e-13 * expected.abs().max(10.0), "{less} {more}");
                }
            }
        }
    }

    #[test]
    fn students_distribution_is_continuous_where_its_computation_changes() {
        for value in [-4.0, -1.0, 0.3, 2.0] {
            let [below, above] = [MANY_DEGREES, MANY_DEGREES + 1.0]
                .map(|freedom| t_cdf(value, freedom).expect("a probability"));
            assert!((below - above).abs() < 1e-9, "{value}: {below} {above}");
        }
    }

    #[test]
    fn students_distribution_far_out() {
        for freedom in [1.0, 5.0, 2e6, 1e300] {
            for value in [1e200, f64::INFINITY] {
                let found = [-value, value].map(|value| t_cdf(value, freedom).expect("a probability"));
                assert!(found[0] < 1e-100 && found[1] == 1.0, "{freedom} {value}: {found:?}");
            }
        }
    }

    #[test]
    fn students_distribution_of_many_degrees_is_the_normal_one() {
        for value in [-3.0, -0.5, 0.1, 0.765, 2.5] {
            for freedom in [1e9, 1e12, 1e15] {
                let found = t_cdf(value, freedom).expect("a probability");
                assert!((found - standard_normal(value)).abs() < 1e-9, "{value} {freedom}: {found}");
                assert!((0.0..=1.0).contains(&found));
                let density = (-0.5 * value * value).exp() / std::f64::consts::TAU.sqrt();
                let found = t_pdf(value, freedom).expect("a density");
                assert!((found - density).abs() < 1e-9, "{value} {freedom}: {found}");
            }
        }
    }
}
