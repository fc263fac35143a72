//! Policies: sets of deny rules.
//!
//! The language is that of Fig. 3 of Braghin, Sharygina and Barone-Adesi (*A model checking-based
//! approach for security policy verification of mobile systems*), with the braces and commas that
//! its examples have, and a few extensions (`docs/mobile.md`). What is not denied is allowed; rules
//! add up, and their order does not matter.

use source::Span;

/// A policy.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Policy {
    /// Its rules, in the order of the text.
    pub rules: Vec<Rule>,
    /// What agents may do in which order only, in the order of the text.
    pub orders: Vec<Order>,
    /// The variables that are secret: a global, or a function and its local.
    pub high: Vec<Variable>,
}

/// What an agent must have done, or must not, before it moves into a location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Order {
    /// The location.
    pub enters: String,
    /// What comes before, or must not.
    pub before: Before,
    /// Where it stands.
    pub span: Span,
}

/// What comes before a move, or must not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Before {
    /// The agent has been at this location.
    Visited(String),
    /// It has called none of these functions.
    NotCalled(Vec<String>),
    /// It has read nothing secret.
    NothingRead,
}

/// A variable that a policy names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// The function whose local it is; none for globals.
    pub function: Option<String>,
    /// Its name.
    pub name: String,
    /// Where the policy names it.
    pub span: Span,
}

impl Variable {
    /// As the policy writes it.
    #[must_use]
    pub fn shown(&self) -> String {
        match &self.function {
            Some(function) => format!("{function}::{}", self.name),
            None => self.name.clone(),
        }
    }
}

/// A deny statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// Where the code must be for the rule to be about it; empty: anywhere.
    pub to: Vec<Subject>,
    /// The address of the host that the code came from.
    pub code_base: Option<String>,
    /// The location that sent it.
    pub code_origin: Option<Origin>,
    /// What is denied.
    pub permissions: Vec<Permission>,
    /// Where it stands.
    pub span: Span,
}

/// A location that a rule is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subject {
    /// The location.
    pub location: String,
    /// And all inside of it.
    pub subtree: bool,
}

/// Where code may have come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// Not from the site at which it runs.
    Remote,
    /// From this location: a path, outermost first.
    Path(Vec<String>),
}

/// A call that is denied.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Permission {
    /// The functions.
    pub functions: Vec<String>,
    /// Whether it is about assignments in place of calls: of what the arguments say, to a variable
    /// that is not secret itself.
    pub assignment: bool,
    /// With which arguments.
    pub arguments: Arguments,
    /// Of which argument that is said, from 1; none: of any.
    pub position: Option<usize>,
}

impl Permission {
    /// Whether a call is denied if any of its arguments carries a secret.
    #[must_use]
    pub fn denies_secrets(&self) -> bool {
        self.position.is_none() && matches!(self.arguments, Arguments::High | Arguments::Of(_))
    }
}

impl Arguments {
    /// The texts that arguments are compared with, and whether only their beginnings are.
    #[must_use]
    pub fn texts(&self) -> Vec<(&str, bool)> {
        match self {
            Arguments::Text(text) => vec![(text, false)],
            Arguments::Prefix(text) => vec![(text, true)],
            Arguments::Except(all) => all
                .iter()
                .map(|(text, prefix)| (&**text, *prefix))
                .collect(),
            Arguments::Any | Arguments::High | Arguments::Of(_) => Vec::new(),
        }
    }
}

/// With which arguments a call is denied.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Arguments {
    /// With any.
    Any,
    /// If one of them is this text.
    Text(String),
    /// If one of them begins with this text.
    Prefix(String),
    /// Unless one of them is one of these texts, or begins with one of them.
    Except(Vec<(String, bool)>),
    /// If one of them carries what is secret.
    High,
    /// If one of them carries what one of these variables holds.
    Of(Vec<Variable>),
}
