//! The engines there are to choose from.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// An engine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Engine {
    /// Looks at states one by one, breadth-first where states are what is looked for.
    Explicit,
    /// The same depth-first, for what lies deep.
    Dfs,
    /// Answers branching time on a graph of explored states.
    Games,
    /// Sets of states as decision diagrams.
    Symbolic,
    /// Satisfiability: bounded model checking, induction, IC3.
    Sat,
    /// Three-valued structures.
    Shape,
}

impl Engine {
    /// All engines.
    pub const ALL: [Engine; 6] = [
        Engine::Explicit,
        Engine::Dfs,
        Engine::Games,
        Engine::Symbolic,
        Engine::Sat,
        Engine::Shape,
    ];

    /// Its name in reports and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Engine::Explicit => "explicit",
            Engine::Dfs => "dfs",
            Engine::Games => "games",
            Engine::Symbolic => "symbolic",
            Engine::Sat => "sat",
            Engine::Shape => "shape",
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A word that names no engine.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("know an engine named `{0}`; there are explicit, dfs, games, symbolic, sat, shape")]
pub struct UnknownEngine(pub String);

impl FromStr for Engine {
    type Err = UnknownEngine;

    fn from_str(name: &str) -> Result<Self, UnknownEngine> {
        Engine::ALL
            .into_iter()
            .find(|engine| engine.name() == name)
            .ok_or_else(|| UnknownEngine(name.to_owned()))
    }
}
