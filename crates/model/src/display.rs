//! How a program is shown to people. Nothing here is part of what a program means: passes may drop
//! it, engines never look at it.

use std::collections::HashMap;

use source::Span;

use crate::ids::{ChannelId, EnumId, EventId, GlobalId, ProcessId, RecordId, StepId};
use crate::picture::Picture;

/// What a story about a program's runs should look like, and names for numbers: a variable whose
/// type is a machine integer may still hold constants that have names (Promela's `mtype`). The
/// members of the enumeration are the names of the numbers from 0 on.
#[derive(Clone, Default, Debug)]
pub struct Display {
    /// Every step is told, by process and statement; otherwise events are.
    pub steps: bool,
    /// Properties, by name, whose failing runs end where processes wait, and which processes those
    /// are: all, or the instances of one.
    pub waits: HashMap<String, Option<ProcessId>>,
    /// Names for the values of global variables.
    pub globals: HashMap<GlobalId, EnumId>,
    /// What the elements of an array in a global variable are called, by their position; others have
    /// their numbers.
    pub elements: HashMap<GlobalId, Vec<String>>,
    /// Names for the values of parameters and locals, by their position.
    pub locals: HashMap<(ProcessId, usize), EnumId>,
    /// Names for the values of record fields, by their position.
    pub record_fields: HashMap<(RecordId, usize), EnumId>,
    /// Names for the values of the fields of messages, by their position.
    pub message_fields: HashMap<(ChannelId, usize), EnumId>,
    /// Names for the arguments of events, by their position.
    pub arguments: HashMap<(EventId, usize), EnumId>,
    /// The calls that steps are in, if the text of a step may be used in several places: the innermost
    /// first.
    pub calls: HashMap<(ProcessId, StepId), Vec<Span>>,
    /// Numbers that are held in several variables, since no type is wide enough.
    pub numbers: Vec<Number>,
    /// Constants of the language, by what a story calls them, as in `{0:PERMISSION}`.
    pub constants: HashMap<String, Constants>,
    /// Global variables whose values are such constants.
    pub constant_globals: HashMap<GlobalId, String>,
    /// Properties that the author of a script without any might want to state, as they would stand
    /// in it.
    pub proposals: Vec<String>,
    /// The script as its author drew it.
    pub picture: Option<Picture>,
}

/// A number in several variables.
#[derive(Clone, Debug)]
pub struct Number {
    /// What it is called.
    pub name: String,
    /// Whether its most significant bit is a sign.
    pub signed: bool,
    /// The global variables of its digits, the lowest first. Each is an unsigned machine integer of 32
    /// bits; only the last may have fewer.
    pub digits: Vec<GlobalId>,
}

/// Numbers that have names in a language.
#[derive(Clone, Default, Debug)]
pub struct Constants {
    /// Numbers and their names.
    pub names: Vec<(i128, String)>,
    /// Whether other numbers are sums of these, each a power of two.
    pub flags: bool,
}

impl Constants {
    /// The name of a number, or the names of what it is the sum of; `None` if it has none.
    #[must_use]
    pub fn name(&self, number: i128) -> Option<String> {
        if let Some((_, name)) = self.names.iter().find(|(value, _)| *value == number) {
            return Some(name.clone());
        }
        if !self.flags || number <= 0 {
            return None;
        }
        let mut rest = number;
        let mut parts: Vec<&str> = Vec::new();
        for (value, name) in &self.names {
            if *value > 0 && value & (value - 1) == 0 && rest & value != 0 {
                rest &= !value;
                parts.push(name);
            }
        }
        (rest == 0).then(|| parts.join(" | "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_names_alone_and_as_sums() {
        let name = |value, name: &str| (value, name.to_owned());
        let mut constants = Constants {
            names: vec![
                name(-1, "SET"),
                name(2, "DEBIT"),
                name(4, "CONTROLS"),
                name(6, "BOTH"),
            ],
            flags: true,
        };
        let named = |constants: &Constants| [-1, 2, 6, 8, 0].map(|n| constants.name(n));
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(
            named(&constants),
            [some("SET"), some("DEBIT"), some("BOTH"), None, None]
        );
        constants.names.pop();
        assert_eq!(constants.name(6), some("DEBIT | CONTROLS"));
        constants.flags = false;
        assert_eq!(constants.name(6), None);
    }
}
