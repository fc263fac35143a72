//! What each library function is to a script: exactly one of five classes.
//!
//! The table is `tables/functions.tsv`, one line a function; `docs/lsl-library.md` is made from it.
//! The lowering asks here what a call does, and does the same for all functions of a class:
//!
//! * *exact*: the value is computed from the arguments ([`crate::library::pure`]);
//! * *reads* a fact about the world, which others may change when the lifetime says;
//! * *causes*: it sets a fact, leads to events, or both;
//! * *fresh*: a new value at each call;
//! * *none*: no effect that a script can see, for the reason that the note gives.
//!
//! The facts are those of the public LSL wiki; what scripts cannot see is left out.

use std::collections::HashMap;
use std::sync::OnceLock;

use model::Lifetime;

/// What a function is to a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Role {
    /// The function's name.
    pub name: &'static str,
    /// Its class, with what belongs to that.
    pub class: Class,
    /// How long what it gives stays what it is; `None` for a clock, and where nothing is read.
    pub lifetime: Option<Lifetime>,
    /// Who else may change it and when, how it may fail, or why there is no effect.
    pub note: &'static str,
}

/// The classes of functions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Class {
    /// Computed from the arguments.
    Exact,
    /// Reads a fact.
    Reads {
        /// Which.
        fact: &'static str,
        /// Whether its value is somebody's key.
        somebody: bool,
    },
    /// Changes something, or leads to events.
    Causes(Vec<Effect>),
    /// A new value at each call: what it is.
    Fresh(&'static str),
    /// No effect that a script can see.
    Nothing,
}

/// One thing that a call causes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// The key that it gives is that of a request, which this event answers.
    Answer(&'static str),
    /// This event may come.
    Event(&'static str),
    /// Events of this kind may come from now on.
    On(&'static str),
    /// They do not come any more.
    Off(&'static str),
    /// The fact is now what this argument says.
    Sets(&'static str, usize),
    /// The fact of the name that is argument 0 is now what argument 1 says.
    Writes(&'static str),
    /// The fact may be another now.
    Changes(&'static str),
    /// The clock starts again.
    Clears(&'static str),
    /// The handler ends here.
    Ends,
    /// A rule of its own: payments, the timer, listens.
    Rule(&'static str),
    /// What it gives is decided by the world: a result, a key, somebody's key.
    Gives(&'static str),
}

/// The role of the function with this name.
#[must_use]
pub fn role(name: &str) -> Option<&'static Role> {
    let (roles, index) = table();
    Some(&roles[*index.get(name)?])
}

/// All roles, by name of the function.
#[must_use]
pub fn roles() -> &'static [Role] {
    &table().0
}

impl Role {
    /// What the call causes.
    #[must_use]
    pub fn effects(&self) -> &[Effect] {
        match &self.class {
            Class::Causes(effects) => effects,
            _ => &[],
        }
    }

    /// The fact that it reads.
    #[must_use]
    pub fn fact(&self) -> Option<&'static str> {
        match self.class {
            Class::Reads { fact, .. } => Some(fact),
            _ => None,
        }
    }

    /// The event that answers the request that it makes.
    #[must_use]
    pub fn answer(&self) -> Option<&'static str> {
        self.effects().iter().find_map(|effect| match effect {
            Effect::Answer(event) => Some(*event),
            _ => None,
        })
    }

    /// Whether what it gives is the key of somebody.
    #[must_use]
    pub fn gives_somebody(&self) -> bool {
        matches!(self.class, Class::Reads { somebody: true, .. })
            || self.effects().contains(&Effect::Gives("somebody"))
    }

    /// The word for its class, as the table has it.
    #[must_use]
    pub fn class_name(&self) -> &'static str {
        match self.class {
            Class::Exact => "exact",
            Class::Reads { .. } => "reads",
            Class::Causes(_) => "causes",
            Class::Fresh(_) => "fresh",
            Class::Nothing => "none",
        }
    }
}

type Table = (Vec<Role>, HashMap<&'static str, usize>);

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let roles: Vec<Role> = include_str!("../../tables/functions.tsv")
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| row(&line.split('\t').collect::<Vec<_>>()))
            .collect();
        let index = roles.iter().map(|role| role.name).zip(0..).collect();
        (roles, index)
    })
}

const WELL_FORMED: &str = "the table is part of the program and tested as a whole";

fn row(row: &[&'static str]) -> Role {
    let &[name, class, what, lifetime, note] = row else {
        panic!("{row:?}: {WELL_FORMED}");
    };
    let class = match class {
        "exact" => Class::Exact,
        "reads" => {
            let bare = what.strip_suffix(" somebody");
            Class::Reads {
                fact: bare.unwrap_or(what),
                somebody: bare.is_some(),
            }
        }
        "causes" => Class::Causes(what.split(", ").map(effect).collect()),
        "fresh" => Class::Fresh(what),
        "none" => Class::Nothing,
        other => panic!("{other}: {WELL_FORMED}"),
    };
    let lifetime = match lifetime {
        "run" => Some(Lifetime::Run),
        "event" => Some(Lifetime::Event),
        "step" => Some(Lifetime::Step),
        "reading" => Some(Lifetime::Reading),
        "clock" | "-" => None,
        other => panic!("{other}: {WELL_FORMED}"),
    };
    Role {
        name,
        class,
        lifetime,
        note,
    }
}

fn effect(text: &'static str) -> Effect {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    match word {
        "answer" => Effect::Answer(rest),
        "event" => Effect::Event(rest),
        "on" => Effect::On(rest),
        "off" => Effect::Off(rest),
        "sets" => {
            let (fact, argument) = rest.rsplit_once(' ').expect(WELL_FORMED);
            Effect::Sets(fact, argument.parse().expect(WELL_FORMED))
        }
        "writes" => Effect::Writes(rest),
        "changes" => Effect::Changes(rest),
        "clears" => Effect::Clears(rest),
        "ends" => Effect::Ends,
        "gives" => Effect::Gives(rest),
        "pays" | "timer" | "listen" => Effect::Rule(word),
        other => panic!("{other}: {WELL_FORMED}"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::{facts, library};

    #[test]
    fn each_function_stands_in_exactly_one_class() {
        let names: Vec<&str> = facts::functions().iter().map(|f| f.name).collect();
        let classed: Vec<&str> = roles().iter().map(|role| role.name).collect();
        assert_eq!(names, classed);
    }

    #[test]
    fn exact_is_what_can_be_computed() {
        let exact: BTreeSet<&str> = roles()
            .iter()
            .filter(|role| role.class == Class::Exact)
            .map(|role| role.name)
            .collect();
        assert_eq!(exact, library::names().collect());
    }

    #[test]
    fn everything_has_its_reason_and_names_what_there_is() {
        let facts: BTreeSet<&str> = roles().iter().filter_map(Role::fact).collect();
        for role in roles() {
            assert!(role.note.len() > 6, "{}: no reason", role.name);
            let function = facts::function(role.name).expect("functions have roles");
            if role.class == Class::Nothing {
                assert_eq!(function.result, None, "{} gives something", role.name);
            }
            for effect in role.effects() {
                match *effect {
                    Effect::Answer(event) | Effect::Event(event) => {
                        assert!(facts::event(event).is_some(), "{}: {event}", role.name);
                    }
                    Effect::Sets(fact, argument) => {
                        assert!(facts.contains(fact), "{}: {fact}", role.name);
                        assert!(argument < function.parameters.len(), "{}", role.name);
                    }
                    Effect::Writes(fact) | Effect::Changes(fact) | Effect::Clears(fact) => {
                        assert!(facts.contains(fact), "{}: {fact}", role.name);
                    }
                    _ => {}
                }
            }
        }
    }
}
