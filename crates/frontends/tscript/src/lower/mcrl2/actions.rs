//! The actions of a model: which are declared, which meet to become which, and which may happen.
//!
//! Actions that meet have the same arguments. Some happen together with another one: that a process
//! ends with what it does last (`ends`), and that no note waits which would go before (`none`). A
//! multi-action of two that have nothing to do with each other is none that may happen. A silent step is an
//! action, too, which is hidden in the end: `tau` is part of every multi-action, and would happen together
//! with what others do.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// What nobody can see; hidden.
pub(super) const SILENT: &str = "silent";

/// What happens together with an action.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(super) struct Beside {
    /// A process ends.
    pub(super) ends: bool,
    /// No such note waits.
    pub(super) none: bool,
}

/// All actions.
#[derive(Default)]
pub(super) struct Actions {
    declared: BTreeMap<String, String>,
    /// The actions that meet, and what they become.
    meetings: BTreeMap<Vec<String>, String>,
    /// For each action that may happen, what may beside it, on each side that takes part.
    allowed: BTreeMap<String, Vec<BTreeSet<Beside>>>,
}

impl Actions {
    /// Declares an action with arguments of these sorts.
    pub(super) fn declare(&mut self, name: &str, sorts: &str) {
        self.declared.insert(name.to_owned(), sorts.to_owned());
    }

    /// Declares one with so many terms.
    pub(super) fn of_terms(&mut self, name: &str, count: usize) {
        self.declare(name, &vec!["Term"; count].join(" # "));
    }

    /// These actions become this one.
    pub(super) fn meet(&mut self, parts: &[&str], result: &str) {
        let mut parts: Vec<String> = parts.iter().map(|&part| part.to_owned()).collect();
        parts.sort();
        self.meetings.insert(parts, result.to_owned());
    }

    /// An action may happen, with this beside it on one of its sides.
    pub(super) fn allow(&mut self, name: &str, side: usize, beside: Beside) {
        let sides = self.allowed.entry(name.to_owned()).or_default();
        while sides.len() <= side {
            sides.push(BTreeSet::new());
        }
        sides[side].insert(beside);
    }

    /// The declarations of all actions.
    pub(super) fn declarations(&self) -> String {
        if self.declared.is_empty() {
            return String::new();
        }
        let mut text = String::from("act\n");
        for (name, sorts) in &self.declared {
            let colon = if sorts.is_empty() { "" } else { ": " };
            let _ = writeln!(text, "    {name}{colon}{sorts};");
        }
        text
    }

    /// What stands around the processes of a model.
    pub(super) fn closed(&self, processes: &[String]) -> String {
        let meetings: Vec<String> = self
            .meetings
            .iter()
            .map(|(parts, result)| format!("{} -> {result}", parts.join("|")))
            .collect();
        let mut allowed = BTreeSet::new();
        for (name, sides) in &self.allowed {
            let mut ways = BTreeSet::from([(0, 0)]);
            for side in sides {
                ways = ways
                    .iter()
                    .flat_map(|&(ends, none)| {
                        side.iter().map(move |beside| {
                            (
                                ends + usize::from(beside.ends),
                                none + usize::from(beside.none),
                            )
                        })
                    })
                    .collect();
            }
            for (ends, none) in ways {
                let beside = vec!["|ends"; ends].concat() + &vec!["|none"; none].concat();
                allowed.insert(format!("{name}{beside}"));
            }
        }
        let list = |items: Vec<String>| items.join(",\n        ");
        let processes = processes.join("\n      || ");
        let mut inner = format!("\n      {processes}\n    ");
        if !meetings.is_empty() {
            inner = format!("\n    comm({{\n        {}}},{inner})", list(meetings));
        }
        let allowed = list(allowed.into_iter().collect());
        let mut text = format!("allow({{\n        {allowed}}},{inner})");
        let hidden = ["none", SILENT].into_iter();
        let hidden: Vec<&str> = hidden
            .filter(|&name| self.declared.contains_key(name))
            .collect();
        if !hidden.is_empty() {
            text = format!("hide({{{}}},\n    {text})", hidden.join(", "));
        }
        format!("init {text};\n")
    }
}
