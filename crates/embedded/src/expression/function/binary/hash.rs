//! Hashes of bytes, as in Trino: a numeric hash is returned as big-endian bytes.

use hmac::{Hmac, Mac as _};
use md5::Md5;
use sha1::Sha1;
use sha2::{Digest as _, Sha256, Sha512};

use super::spooky;
use rowhouse_sql::functions::ScalarFunction;

type Hash = fn(&[u8]) -> Vec<u8>;

/// A hash of bytes with a key.
type KeyedHash = fn(&[u8], &[u8]) -> Vec<u8>;

/// The hash of this function.
pub(super) fn hash(function: ScalarFunction) -> Option<Hash> {
    use ScalarFunction as F;
    Some(match function {
        F::Md5 => |bytes| Md5::digest(bytes).to_vec(),
        F::Sha1 => |bytes| Sha1::digest(bytes).to_vec(),
        F::Sha256 => |bytes| Sha256::digest(bytes).to_vec(),
        F::Sha512 => |bytes| Sha512::digest(bytes).to_vec(),
        F::Xxhash64 => |bytes| twox_hash::XxHash64::oneshot(0, bytes).to_be_bytes().to_vec(),
        // Two numbers of 64 bits, in little-endian order.
        F::Murmur3 => {
            |mut bytes| murmur3::murmur3_x64_128(&mut bytes, 0).unwrap_or_default().to_le_bytes().to_vec()
        }
        F::SpookyHashV2Of32 => |bytes| spooky::hash64(bytes).to_be_bytes()[4..].to_vec(),
        F::SpookyHashV2Of64 => |bytes| spooky::hash64(bytes).to_be_bytes().to_vec(),
        _ => return None,
    })
}

/// The authentication code (HMAC) of this function, over bytes and a key.
pub(super) fn keyed_hash(function: ScalarFunction) -> Option<KeyedHash> {
    use ScalarFunction as F;
    /// HMAC accepts a key of any length, so there is no error to report.
    macro_rules! code_of {
        ($hash:ty) => {
            |bytes, key| {
                let code = Hmac::<$hash>::new_from_slice(key);
                code.map(|code| code.chain_update(bytes).finalize().into_bytes().to_vec()).unwrap_or_default()
            }
        };
    }
    Some(match function {
        F::HmacMd5 => code_of!(Md5),
        F::HmacSha1 => code_of!(Sha1),
        F::HmacSha256 => code_of!(Sha256),
        F::HmacSha512 => code_of!(Sha512),
        _ => return None,
    })
}
