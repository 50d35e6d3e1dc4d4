//! What is retried, how often, and after which pause.

use std::time::Duration;

use http::Method;

/// The retry policy.
///
/// Only requests that cannot have had an effect are retried: a connection that was never established, an answer of 429
/// or 503 with `Retry-After` (the server refused before doing anything), and a GET whose answer was lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetryPolicy {
    /// Maximum number of attempts; 1 means no retry.
    pub max_attempts: u32,
    /// The pause after the first attempt; it doubles after each further one.
    pub first_pause: Duration,
    /// Maximum of the client's own pauses.
    pub longest_pause: Duration,
    /// If a server asks for a longer pause, the request is not retried.
    pub longest_retry_after: Duration,
}

impl Default for RetryPolicy {
    /// Four attempts, pauses of 100 ms, 200 ms and 400 ms; up to 30 s if the server asks for it.
    fn default() -> Self {
        Self {
            max_attempts: 4,
            first_pause: Duration::from_millis(100),
            longest_pause: Duration::from_secs(5),
            longest_retry_after: Duration::from_secs(30),
        }
    }
}

/// How far a failed attempt may have got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reached {
    /// Nothing was sent.
    Nothing,
    /// The server refused before doing anything, and asked for this pause.
    Refusal {
        /// The pause of `Retry-After`.
        retry_after: Duration,
    },
    /// The request was sent and the answer lost.
    Unknown,
    /// The server answered, or a retry cannot help.
    Answer,
}

impl RetryPolicy {
    /// No request is retried.
    pub fn never() -> Self {
        Self { max_attempts: 1, ..Self::default() }
    }

    /// The pause before the next attempt, or `None` if there is none.
    ///
    /// `jitter`, 0 to 1, spreads clients that failed together: it shortens the pause by up to a half.
    pub(crate) fn pause(
        &self,
        method: &Method,
        reached: Reached,
        attempts: u32,
        jitter: f64,
    ) -> Option<Duration> {
        if attempts >= self.max_attempts {
            return None;
        }
        let own_pause = || {
            let doubled = self.first_pause.saturating_mul(1 << attempts.saturating_sub(1).min(16));
            doubled.min(self.longest_pause).mul_f64(1.0 - jitter.clamp(0.0, 1.0) / 2.0)
        };
        match reached {
            Reached::Nothing => Some(own_pause()),
            Reached::Refusal { retry_after } if retry_after <= self.longest_retry_after => {
                Some(retry_after.max(own_pause()))
            }
            Reached::Unknown if matches!(*method, Method::GET | Method::HEAD) => Some(own_pause()),
            Reached::Refusal { .. } | Reached::Unknown | Reached::Answer => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use http::Method;

    use super::{Reached, RetryPolicy};

    fn check(method: Method, reached: Reached, attempts: u32, millis: Option<u64>) {
        let pause = RetryPolicy::default().pause(&method, reached, attempts, 0.0);
        assert_eq!(pause, millis.map(Duration::from_millis), "{method} {reached:?} after {attempts}");
    }

    fn refusal(seconds: u64) -> Reached {
        Reached::Refusal { retry_after: Duration::from_secs(seconds) }
    }

    #[test]
    fn pauses_double_and_attempts_are_limited() {
        for (attempts, millis) in [(1, Some(100)), (2, Some(200)), (3, Some(400)), (4, None)] {
            check(Method::POST, Reached::Nothing, attempts, millis);
            check(Method::GET, Reached::Unknown, attempts, millis);
        }
    }

    #[test]
    fn requests_that_may_have_had_an_effect_are_not_retried() {
        for method in [Method::POST, Method::PUT, Method::DELETE] {
            check(method.clone(), Reached::Unknown, 1, None);
            check(method, Reached::Answer, 1, None);
        }
        check(Method::GET, Reached::Answer, 1, None);
    }

    #[test]
    fn retry_after_is_respected_up_to_the_limit() {
        check(Method::POST, refusal(2), 1, Some(2000));
        check(Method::GET, refusal(0), 2, Some(200));
        check(Method::GET, refusal(30), 1, Some(30_000));
        check(Method::GET, refusal(31), 1, None);
    }

    #[test]
    fn pauses_are_capped_and_have_jitter() {
        let policy = RetryPolicy { max_attempts: 100, ..RetryPolicy::default() };
        let pause = |attempts, jitter| policy.pause(&Method::GET, Reached::Nothing, attempts, jitter);
        assert_eq!(pause(50, 0.0), Some(Duration::from_secs(5)));
        assert_eq!(pause(50, 1.0), Some(Duration::from_millis(2500)));
        assert_eq!(RetryPolicy::never().pause(&Method::GET, Reached::Nothing, 1, 0.0), None);
    }
}
