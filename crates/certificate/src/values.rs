//! The certificate, its JSON, and the digests in it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use thiserror::Error;

use crate::formula::{Atom, Formula, Often, Reduction, RunAtom};

/// The version of the format.
pub const FORMAT: u32 = 1;

/// What was shown of a script, and what shows it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// The version of this format: 1.
    pub format: u32,
    /// The version of Probity that made it.
    pub probity: String,
    /// The language of the script.
    pub language: String,
    /// The script, what it includes, and the files that options name.
    pub files: Vec<Hashed>,
    /// The options under which the script is read, in order: they change what it means.
    pub options: Vec<Given>,
    /// The weakest level of its properties.
    pub level: Level,
    /// What was shown.
    pub properties: Vec<Property>,
    /// The names of properties that the script states and that this certificate says nothing of.
    pub uncertified: Vec<String>,
    /// SHA-256 of the certificate in JSON without spaces, this digest empty and the signature left out;
    /// in hexadecimal digits.
    pub digest: String,
    /// Who vouches for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<Signature>,
}

/// A file, by its contents.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Hashed {
    /// Its name; of the script without its folder.
    pub name: String,
    /// What it is to the script.
    pub role: Role,
    /// SHA-256 of its bytes (of an included file, of its text as it was read), in hexadecimal digits.
    pub sha256: String,
}

/// What a file is to the script.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// The script itself.
    Script,
    /// It is included.
    Included,
    /// An option names it.
    Option,
}

/// An option that was given.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Given {
    /// Its name, without dashes.
    pub name: String,
    /// Its value; empty for a switch.
    pub value: String,
}

/// How much has to be trusted to believe that a property holds, from the most to the least.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// All states are gone through again by an engine: the engine is trusted, and the passes that make
    /// programs smaller, and the reading of the script.
    Explored,
    /// All states are gone through again on the reference interpreter: it is trusted, and the passes,
    /// and the reading of the script.
    Interpreted,
    /// A proof that is in the certificate is checked on the program before passes: only the check is
    /// trusted, and the reading of the script.
    Proof,
}

impl Level {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Level::Explored => "explored",
            Level::Interpreted => "interpreted",
            Level::Proof => "proof",
        }
    }
}

/// A property that holds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// Its text, as written.
    pub text: String,
    /// Where it is stated.
    pub stated: Stated,
    /// How far it holds.
    pub strength: Strength,
    /// Sentences that complete "assuming that".
    pub assumptions: Vec<String>,
    /// How much has to be trusted.
    pub level: Level,
    /// Which program it was shown of: 0 is the script's own, 1 one with all of its runs and perhaps
    /// more, and so on.
    pub coarser: u32,
    /// What shows it.
    pub shown: Shown,
    /// SHA-256 of this property in JSON without spaces, this digest empty; in hexadecimal digits.
    pub digest: String,
}

/// Where a property is stated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Stated {
    /// At this line of the script, counted from 1.
    Line(u64),
    /// By the language: it is asked of every script.
    Language,
    /// By whoever asked for the certificate.
    Asked,
}

/// How far a property holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Strength {
    /// For all behaviours.
    Proved,
    /// For all behaviours within the bounds that are among the assumptions.
    Exhausted,
}

/// What shows that a property holds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "by", deny_unknown_fields)]
pub enum Shown {
    /// An inductive invariant: it holds at first, every move keeps it, and it rules out what the
    /// property forbids.
    Invariant {
        /// The invariant.
        invariant: Formula<Atom>,
    },
    /// An invariant of the program while it is watched, which rules out runs for ever that the
    /// property forbids.
    InvariantOfRuns {
        /// What is watched for.
        often: Vec<Often>,
        /// How.
        reduction: Reduction,
        /// The invariant.
        invariant: Formula<RunAtom>,
    },
    /// All runs end; they are gone through again.
    AllRuns {},
    /// All states, on the reference interpreter.
    Interpretation {
        /// How many there are.
        states: u64,
    },
    /// All states, by an engine.
    Exploration {
        /// The engine.
        engine: String,
        /// How many there are.
        states: u64,
    },
}

impl Shown {
    /// How much has to be trusted where this shows a property.
    #[must_use]
    pub fn level(&self) -> Level {
        match self {
            Shown::Invariant { .. } | Shown::InvariantOfRuns { .. } | Shown::AllRuns {} => {
                Level::Proof
            }
            Shown::Interpretation { .. } => Level::Interpreted,
            Shown::Exploration { .. } => Level::Explored,
        }
    }
}

/// A signature.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Signature {
    /// How it was made: `ed25519`.
    pub algorithm: String,
    /// The public key, in hexadecimal digits.
    pub key: String,
    /// The signature, in hexadecimal digits.
    pub signature: String,
}

/// Why a text is no certificate.
#[derive(Debug, Error)]
pub enum Unreadable {
    /// It is no JSON, or not of this shape.
    #[error("it is no certificate: {0}")]
    NoCertificate(#[from] serde_json::Error),
    /// Another version.
    #[error("it has format {0}, and this version of Probity reads format {FORMAT}")]
    Format(u32),
}

/// What is not as it was certified.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Changed {
    /// A property, or what shows it.
    #[error("what it says of `{0}` is not what was certified")]
    Property(String),
    /// Something else.
    #[error("it is not as it was made: its digest is another")]
    Rest,
}

impl Certificate {
    /// Reads a certificate. Nothing that it says has been checked then.
    ///
    /// # Errors
    /// If it is none.
    pub fn from_json(text: &[u8]) -> Result<Certificate, Unreadable> {
        let certificate: Certificate = serde_json::from_slice(text)?;
        match certificate.format {
            FORMAT => Ok(certificate),
            other => Err(Unreadable::Format(other)),
        }
    }

    /// The certificate as JSON, with a line for each property and a final line break.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("it holds only what JSON can say");
        text.push('\n');
        text
    }

    /// Puts the digests in.
    pub fn seal(&mut self) {
        for property in &mut self.properties {
            property.digest = property.digest_of();
        }
        self.digest = self.digest_of();
    }

    /// Whether it is as it was when it was sealed.
    ///
    /// # Errors
    /// What is not.
    pub fn unchanged(&self) -> Result<(), Changed> {
        let changed = |one: &&Property| one.digest != one.digest_of();
        if let Some(property) = self.properties.iter().find(changed) {
            return Err(Changed::Property(property.name.clone()));
        }
        if self.digest != self.digest_of() {
            return Err(Changed::Rest);
        }
        Ok(())
    }

    fn digest_of(&self) -> String {
        let bare = Certificate {
            digest: String::new(),
            signature: None,
            ..self.clone()
        };
        sha256(&compact(&bare))
    }

    /// The bytes that are signed: all but the signature.
    #[must_use]
    pub fn to_be_signed(&self) -> Vec<u8> {
        let unsigned = Certificate {
            signature: None,
            ..self.clone()
        };
        let mut bytes = b"Probity certificate\n".to_vec();
        bytes.extend(compact(&unsigned));
        bytes
    }
}

impl Property {
    fn digest_of(&self) -> String {
        let bare = Property {
            digest: String::new(),
            ..self.clone()
        };
        sha256(&compact(&bare))
    }
}

fn compact(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("it holds only what JSON can say")
}

/// SHA-256 in hexadecimal digits.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    crate::keys::hexadecimal(&Sha256::digest(bytes))
}

/// The JSON Schema of [`Certificate`], indented.
#[must_use]
pub fn schema() -> String {
    let schema = schemars::schema_for!(Certificate);
    let mut text = serde_json::to_string_pretty(schema.as_value()).expect("a schema is JSON");
    text.push('\n');
    text
}
