//! Certificates: what was shown of a script, with the evidence, so that somebody else can check it
//! again without the search (proof-carrying code; Necula 1997).
//!
//! A [`Certificate`] names the script by its digest, and for each property how far it holds, under
//! which assumptions, and what shows it. It is JSON; its schema is made from these types. Digests say
//! what was changed; a [signature](keys) says who vouches for it. **Neither is a reason to believe
//! anything**: whoever checks a certificate reads the script itself and checks the evidence on that.
//!
//! Invariants are kept in the program's own names ([`formula`]), and read back with errors: a formula
//! that does not fit the program is refused.

pub mod formula;
pub mod keys;
mod names;
mod values;

pub use names::Names;
pub use values::{
    Certificate, Changed, FORMAT, Given, Hashed, Level, Property, Role, Shown, Signature, Stated,
    Strength, Unreadable, schema, sha256,
};
