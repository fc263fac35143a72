//! Keys and signatures: Ed25519 (RFC 8032).
//!
//! A key file is two lines of text: what it is, and 32 bytes in hexadecimal digits. That of a secret
//! key begins with [`SECRET`], that of the public key that goes with it with [`PUBLIC`].

use ed25519_dalek::{Signature as Signed, Signer as _, SigningKey, VerifyingKey};
use thiserror::Error;

use crate::values::{Certificate, Signature};

/// The first line of the file of a secret key.
pub const SECRET: &str = "probity ed25519 secret key";
/// The first line of the file of a public key.
pub const PUBLIC: &str = "probity ed25519 public key";
/// The word for how signatures are made.
const ALGORITHM: &str = "ed25519";

/// A secret key.
pub struct SecretKey(SigningKey);

/// A public key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PublicKey(VerifyingKey);

/// Why a file is no key.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum NoKey {
    /// It begins otherwise.
    #[error("it does not begin with the line `{0}`")]
    Kind(&'static str),
    /// What follows is no key.
    #[error("its second line is no key of 64 hexadecimal digits")]
    Digits,
}

/// Why a signature is not accepted.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NotSigned {
    /// There is none.
    #[error("it is not signed")]
    Unsigned,
    /// It is of another key.
    #[error("it is signed with another key, {0}")]
    OtherKey(String),
    /// It does not match the certificate.
    #[error("its signature is not one of what it says")]
    Wrong,
}

impl SecretKey {
    /// The key of these random bytes.
    #[must_use]
    pub fn from_random(bytes: &[u8; 32]) -> SecretKey {
        SecretKey(SigningKey::from_bytes(bytes))
    }

    /// Reads the file of a secret key.
    ///
    /// # Errors
    /// If it is none.
    pub fn from_text(text: &str) -> Result<SecretKey, NoKey> {
        Ok(SecretKey::from_random(&key_of(text, SECRET)?))
    }

    /// The text of its file.
    #[must_use]
    pub fn to_text(&self) -> String {
        format!("{SECRET}\n{}\n", hexadecimal(self.0.as_bytes()))
    }

    /// The public key that goes with it.
    #[must_use]
    pub fn public(&self) -> PublicKey {
        PublicKey(self.0.verifying_key())
    }

    /// Signs a certificate, in place of an earlier signature.
    pub fn sign(&self, certificate: &mut Certificate) {
        let signed = self.0.sign(&certificate.to_be_signed());
        certificate.signature = Some(Signature {
            algorithm: ALGORITHM.to_owned(),
            key: self.public().digits(),
            signature: hexadecimal(&signed.to_bytes()),
        });
    }
}

impl PublicKey {
    /// Reads the file of a public key.
    ///
    /// # Errors
    /// If it is none.
    pub fn from_text(text: &str) -> Result<PublicKey, NoKey> {
        let bytes = key_of(text, PUBLIC)?;
        let key = VerifyingKey::from_bytes(&bytes);
        key.map(PublicKey).map_err(|_| NoKey::Digits)
    }

    /// The text of its file.
    #[must_use]
    pub fn to_text(&self) -> String {
        format!("{PUBLIC}\n{}\n", self.digits())
    }

    /// The key in hexadecimal digits.
    #[must_use]
    pub fn digits(&self) -> String {
        hexadecimal(self.0.as_bytes())
    }
}

/// The key with which a certificate is signed, if its signature is one of what it says; `by` the key
/// that it is to be.
///
/// # Errors
/// Why the signature is not accepted.
pub fn signer(certificate: &Certificate, by: Option<PublicKey>) -> Result<PublicKey, NotSigned> {
    let Some(signature) = &certificate.signature else {
        return Err(NotSigned::Unsigned);
    };
    if signature.algorithm != ALGORITHM {
        return Err(NotSigned::Wrong);
    }
    let key = bytes(&signature.key).ok_or(NotSigned::Wrong)?;
    let key = PublicKey(VerifyingKey::from_bytes(&key).map_err(|_| NotSigned::Wrong)?);
    if by.is_some_and(|by| by != key) {
        return Err(NotSigned::OtherKey(key.digits()));
    }
    let signed: [u8; 64] = bytes(&signature.signature).ok_or(NotSigned::Wrong)?;
    let signed = Signed::from_bytes(&signed);
    let right = key.0.verify_strict(&certificate.to_be_signed(), &signed);
    right.map(|()| key).map_err(|_| NotSigned::Wrong)
}

fn key_of(text: &str, kind: &'static str) -> Result<[u8; 32], NoKey> {
    let mut lines = text.lines();
    if lines.next() != Some(kind) {
        return Err(NoKey::Kind(kind));
    }
    let digits = lines.next().ok_or(NoKey::Digits)?;
    let rest = lines.next();
    bytes(digits)
        .filter(|_| rest.is_none())
        .ok_or(NoKey::Digits)
}

/// Bytes in hexadecimal digits.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// So many bytes from hexadecimal digits, lower case.
fn bytes<const N: usize>(digits: &str) -> Option<[u8; N]> {
    let lower = |c: u8| matches!(c, b'0'..=b'9' | b'a'..=b'f');
    if digits.len() != 2 * N || !digits.bytes().all(lower) {
        return None;
    }
    let mut bytes = [0; N];
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(digits.get(2 * at..2 * at + 2)?, 16).ok()?;
    }
    Some(bytes)
}
