//! Who knows the secret: HMAC (RFC 2104) with SHA-256, over what both sides have chosen at random.

use sha2::{Digest as _, Sha256};

/// Bytes of a code.
pub(crate) const CODE: usize = 32;
/// Bytes that SHA-256 works on at once.
const BLOCK: usize = 64;

/// What those who may take part know.
#[derive(Clone)]
pub(crate) struct Secret(Vec<u8>);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret")
    }
}

impl Secret {
    pub(crate) fn new(secret: &[u8]) -> Secret {
        Secret(secret.to_vec())
    }

    /// The code of a message in parts, which only those can make who know the secret.
    pub(crate) fn code(&self, parts: &[&[u8]]) -> [u8; CODE] {
        let mut key = [0; BLOCK];
        if self.0.len() > BLOCK {
            key[..CODE].copy_from_slice(&Sha256::digest(&self.0));
        } else {
            key[..self.0.len()].copy_from_slice(&self.0);
        }
        let mut inner = Sha256::new_with_prefix(key.map(|byte| byte ^ 0x36));
        for part in parts {
            inner.update(part);
        }
        let mut outer = Sha256::new_with_prefix(key.map(|byte| byte ^ 0x5c));
        outer.update(inner.finalize());
        outer.finalize().into()
    }
}

/// Whether two codes are the same; how long that takes does not tell where they differ.
pub(crate) fn same(a: &[u8; CODE], b: &[u8; CODE]) -> bool {
    a.iter().zip(b).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(code: &[u8]) -> String {
        code.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn codes_are_those_of_the_standard() {
        // RFC 4231, test cases 2 and 6.
        let code = Secret::new(b"Jefe").code(&[b"what do ya want ", b"for nothing?"]);
        assert_eq!(
            hex(&code),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
        let long = Secret::new(&[0xaa; 131]);
        let code = long.code(&[b"Test Using Larger Than Block-Size Key - Hash Key First"]);
        assert_eq!(
            hex(&code),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        );
        let mut other = code;
        assert!(same(&code, &other));
        other[31] ^= 1;
        assert!(!same(&code, &other));
    }
}
