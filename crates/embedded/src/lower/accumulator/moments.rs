//! Central moments of numbers and of pairs of numbers, which stay accurate if values are large and close together.
//! Partial results are combined by the formulas of Pébay (2008).

/// The mean, and the sums of powers of the differences from it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Moments {
    count: f64,
    mean: f64,
    second: f64,
    third: f64,
    fourth: f64,
}

impl Moments {
    pub(super) fn add(&mut self, value: f64) {
        let spread = own_spread(value);
        self.merge(&Self { count: 1.0, mean: value, second: spread, third: spread, fourth: spread });
    }

    /// Adds the values of another state.
    pub(super) fn merge(&mut self, other: &Self) {
        if other.count == 0.0 {
            return;
        }
        if self.count == 0.0 {
            *self = *other;
            return;
        }
        let (own, others) = (self.count, other.count);
        let count = own + others;
        let delta = other.mean - self.mean;
        let (own_share, other_share) = (own / count, others / count);
        let square = delta * delta;
        let fourth = square
            * square
            * own
            * other_share
            * (own_share * own_share - own_share * other_share + other_share * other_share)
            + 6.0 * square * (own_share * own_share * other.second + other_share * other_share * self.second)
            + 4.0 * delta * (own_share * other.third - other_share * self.third);
        let third = square * delta * own * other_share * (own_share - other_share)
            + 3.0 * delta * (own_share * other.second - other_share * self.second);
        self.fourth += other.fourth + fourth;
        self.third += other.third + third;
        self.second += other.second + square * own * other_share;
        self.mean += delta * other_share;
        self.count = count;
    }

    /// `None` unless there are more values than `lost` degrees of freedom.
    pub(super) fn variance(&self, lost: u8) -> Option<f64> {
        let degrees = self.count - f64::from(lost);
        (degrees > 0.0).then(|| self.second / degrees)
    }

    /// The skewness of a population; `None` for fewer than three values.
    pub(super) fn skewness(&self) -> Option<f64> {
        (self.count >= 3.0).then(|| self.count.sqrt() * self.third / self.second.powf(1.5))
    }

    /// The excess kurtosis of a sample; `None` for fewer than four values.
    pub(super) fn kurtosis(&self) -> Option<f64> {
        let n = self.count;
        (n >= 4.0).then(|| sample_kurtosis(n, n * self.fourth / (self.second * self.second)))
    }
}

/// The excess kurtosis of a sample of `n` values, from the fourth standardized moment of the values as a population.
fn sample_kurtosis(n: f64, standardized: f64) -> f64 {
    (n - 1.0) / ((n - 2.0) * (n - 3.0)) * ((n + 1.0) * standardized - 3.0 * (n - 1.0))
}

/// The means, and the sums of products of the differences from them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PairMoments {
    count: f64,
    mean_x: f64,
    mean_y: f64,
    xx: f64,
    yy: f64,
    xy: f64,
}

impl PairMoments {
    pub(super) fn add(&mut self, x: f64, y: f64) {
        let (of_x, of_y) = (own_spread(x), own_spread(y));
        self.merge(&Self { count: 1.0, mean_x: x, mean_y: y, xx: of_x, yy: of_y, xy: of_x + of_y });
    }

    /// Adds the pairs of another state.
    pub(super) fn merge(&mut self, other: &Self) {
        if other.count == 0.0 {
            return;
        }
        if self.count == 0.0 {
            *self = *other;
            return;
        }
        let count = self.count + other.count;
        let (x, y) = (other.mean_x - self.mean_x, other.mean_y - self.mean_y);
        let other_share = other.count / count;
        let weight = self.count * other_share;
        self.xx += other.xx + x * x * weight;
        self.yy += other.yy + y * y * weight;
        self.xy += other.xy + x * y * weight;
        self.mean_x += x * other_share;
        self.mean_y += y * other_share;
        self.count = count;
    }

    /// `None` unless there are more pairs than `lost` degrees of freedom.
    pub(super) fn covariance(&self, lost: u8) -> Option<f64> {
        let degrees = self.count - f64::from(lost);
        (degrees > 0.0).then(|| self.xy / degrees)
    }

    /// `None` if one of the variables is constant.
    pub(super) fn correlation(&self) -> Option<f64> {
        finite(self.xy / (self.xx.sqrt() * self.yy.sqrt()))
    }

    /// The slope of the regression line of y over x; `None` if x is constant.
    pub(super) fn slope(&self) -> Option<f64> {
        finite(self.xy / self.xx)
    }

    pub(super) fn intercept(&self) -> Option<f64> {
        finite(self.mean_y - self.xy / self.xx * self.mean_x)
    }
}

/// The difference of a value from itself: NaN for an infinity and for NaN.
const fn own_spread(value: f64) -> f64 {
    if value.is_finite() { 0.0 } else { f64::NAN }
}

fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn near(found: Option<f64>, expected: f64) {
        let found = found.expect("a value");
        assert!((found - expected).abs() <= 1e-7 * expected.abs().max(1.0), "{found} is not {expected}");
    }

    /// Sums of powers would lose all digits for values around a billion.
    #[test]
    fn moments_are_stable_under_offsets_and_merging() {
        let values = [1.0, 2.0, 4.0, 9.0, 9.0, -3.0, 0.5];
        for offset in [0.0, 1e9, -1e9] {
            for parts in 1..4 {
                let mut moments = Moments::default();
                for part in values.chunks(values.len().div_ceil(parts)) {
                    let mut own = Moments::default();
                    part.iter().for_each(|value| own.add(value + offset));
                    moments.merge(&own);
                }
                // Results of the two-pass formulas in exact fractions.
                near(moments.variance(0), 17.132_653_061_224_49);
                near(moments.variance(1), 19.988_095_238_095_237);
                near(moments.skewness(), 0.232_087_702_161_043_35);
                near(moments.kurtosis(), -0.945_901_035_139_254_8);
            }
        }
    }

    /// Regression: `stddev` of an infinity was an infinity over windows, and NaN over groups as in Trino.
    #[test]
    fn variance_of_infinity_and_nan_is_nan() {
        for values in [vec![f64::INFINITY], vec![f64::NAN], vec![1.0, f64::INFINITY], vec![f64::NAN, 1.0]] {
            let mut moments = Moments::default();
            values.iter().for_each(|value| moments.add(*value));
            assert!(moments.variance(0).is_some_and(f64::is_nan), "{values:?}");
        }
    }

    #[test]
    fn pair_moments_are_stable_under_offsets_and_merging() {
        let pairs = [(1.0, 2.0), (2.0, 4.0), (3.0, 5.0)];
        for offset in [0.0, 1e9] {
            let (mut all, mut rest) = (PairMoments::default(), PairMoments::default());
            for (place, (x, y)) in pairs.into_iter().enumerate() {
                if place == 0 { &mut all } else { &mut rest }.add(x + offset, y + offset);
            }
            all.merge(&rest);
            near(all.covariance(0), 1.0);
            near(all.covariance(1), 1.5);
            near(all.correlation(), 0.981_980_506_061_965_6);
            near(all.slope(), 1.5);
        }
    }

    #[test]
    fn constant_values_have_no_correlation() {
        let mut pairs = PairMoments::default();
        [1.0, 2.0, 7.0].into_iter().for_each(|y| pairs.add(0.1, y));
        assert_eq!((pairs.correlation(), pairs.slope(), pairs.intercept()), (None, None, None));
        assert_eq!(pairs.covariance(1), Some(0.0));
        let mut moments = Moments::default();
        (0..4).for_each(|_| moments.add(0.1));
        assert_eq!(moments.variance(1), Some(0.0));
        assert!(moments.skewness().is_some_and(f64::is_nan) && moments.kurtosis().is_some_and(f64::is_nan));
    }
}
