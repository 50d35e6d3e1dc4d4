//! The token of a connection's last request. Clients keep their connections and send the same token again: it is compared
//! with the last one in constant time instead of being hashed and looked up.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use subtle::ConstantTimeEq;

use super::{Accounts, HeldToken, Principal, unauthorized};
use crate::error::Result;

/// The last token of one connection to one server. A token's expiry, its revocation and a change of its account apply to
/// the next request, as if it were looked up.
#[derive(Default)]
pub struct KnownToken(Mutex<Option<Known>>);

struct Known {
    secret: Box<str>,
    held: Arc<HeldToken>,
}

impl Accounts {
    /// As [`authenticate_reader`](Self::authenticate_reader), for a request of the connection whose last token is `known`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unauthorized`](crate::ErrorKind::Unauthorized): unknown, revoked or expired.
    pub fn authenticate_reader_again(&self, secret: &str, known: &KnownToken) -> Result<Principal> {
        let mut last = known.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = &*last
            && is_same(known.secret.as_bytes(), secret.as_bytes())
        {
            return known.held.principal(self.clock.now()).ok_or_else(unauthorized);
        }
        let held = self.look_up(secret)?;
        let principal = held.principal(self.clock.now()).ok_or_else(unauthorized)?;
        *last = Some(Known { secret: secret.into(), held });
        Ok(principal)
    }
}

/// Whether two secrets are the same, in a time that depends on their lengths alone. Eight bytes at a time: a secret has some
/// fifty.
fn is_same(known: &[u8], given: &[u8]) -> bool {
    let ((known_words, known_rest), (given_words, given_rest)) =
        (known.as_chunks::<8>(), given.as_chunks::<8>());
    if known.len() != given.len() {
        return false;
    }
    let words = known_words.iter().zip(given_words);
    let in_words = words.fold(0, |differing, (known, given)| {
        differing | (u64::from_ne_bytes(*known) ^ u64::from_ne_bytes(*given))
    });
    let rest = known_rest.iter().zip(given_rest);
    let differing = rest.fold(in_words, |differing, (known, given)| differing | u64::from(known ^ given));
    differing.ct_eq(&0).into()
}

impl fmt::Debug for KnownToken {
    /// Does not print the secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KnownToken").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_the_same_if_all_their_bytes_are() {
        for length in 0..40 {
            let known: Vec<u8> = (0..length).map(|place| place as u8).collect();
            assert!(is_same(&known, &known));
            for place in 0..length {
                let mut given = known.clone();
                given[place] ^= 0x80;
                assert!(!is_same(&known, &given), "{place} of {length}");
                assert!(!is_same(&known, &known[..place]) && !is_same(&known[..place], &known));
            }
        }
    }
}
