//! How many instances of processes there can be at most, where the script says so itself.
//!
//! A process creates on each of its runs at most what the moves of its automaton along the way create,
//! and what those that it creates do. Where a move that creates lies on a cycle, or a process creates
//! itself, that has no bound. The numbers are the least ones that satisfy these inequations; they grow
//! from nothing until they do.

use super::Unit;
use crate::ast::Word;

/// What is larger counts as without bound.
const MOST: u32 = 250;

/// How many instances a run has at most, all that are created counted; `None` if there are too many.
pub(super) fn all_instances(units: &[Unit], started: &[usize]) -> Option<u8> {
    let mut from: Vec<Vec<u32>> = units
        .iter()
        .map(|unit| vec![0; unit.automaton.states.len()])
        .collect();
    let created = |unit: &Unit, atom: usize| -> Option<usize> {
        let index = unit.inlined.atoms[atom].creates?;
        units.iter().position(|unit| unit.inlined.index == index)
    };
    let is_followed = |unit: &Unit| {
        let mut atoms = unit.inlined.atoms.iter().enumerate();
        atoms.all(|(at, atom)| atom.word != Word::Create || created(unit, at).is_some())
    };
    if !units.iter().all(is_followed) {
        return None;
    }
    let mut grows = true;
    while grows {
        source::limits::check();
        grows = false;
        for (number, unit) in units.iter().enumerate() {
            // What follows usually has a larger number.
            for (state, moves) in unit.automaton.states.iter().enumerate().rev() {
                let most = moves.iter().map(|next| {
                    let new = created(unit, next.atom);
                    let new = new.map_or(0, |new| 1 + from[new].first().copied().unwrap_or(0));
                    new + from[number][next.to]
                });
                let most = most.max().unwrap_or(0).min(MOST);
                if most > from[number][state] {
                    from[number][state] = most;
                    grows = true;
                }
            }
        }
    }
    let all = started
        .iter()
        .map(|&unit| 1 + from[unit].first().copied().unwrap_or(0));
    let all: u32 = all.sum();
    (all < MOST).then(|| u8::try_from(all).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use crate::load::{Options, load, to_mcrl2};

    /// Whether it is assumed that there are only so many instances, and how many idle in mCRL2.
    fn instances(text: &str) -> (bool, usize) {
        let program = load("script.tb", text, &Options::default()).program;
        let program = program.expect("it is accepted");
        let mut assumed = program.assumptions.iter();
        let is_assumed = assumed.any(|assumed| assumed.text.contains("processes run at a time"));
        let written = to_mcrl2("script.tb", text, &Options::default()).program;
        let written = written.expect("it has a translation");
        let init = written.rsplit("init ").next().unwrap_or_default();
        (is_assumed, init.matches("Idle(").count())
    }

    const CHILD: &str = "process C is tau\n";

    #[test]
    fn what_a_script_creates_is_counted() {
        let script = |text: &str| instances(&format!("{CHILD}{text}"));
        for (text, idle) in [
            (
                "process P is let T : int in create(C, T?) endlet toolbus(P)",
                1,
            ),
            (
                "process P is let T : int in create(C, T?) . create(C, T?) + create(C, T?) endlet toolbus(P)",
                2,
            ),
            (
                "process P is let T : int in create(C, T?) || create(C, T?) endlet toolbus(P, P)",
                4,
            ),
            (
                "process Q is let T : int in create(C, T?) . create(C, T?) endlet\n\
                 process P is let T : int in create(Q, T?) endlet toolbus(P)",
                3,
            ),
        ] {
            assert_eq!(script(text), (false, idle), "{text}");
        }
    }

    #[test]
    fn rounds_create_any_number() {
        for text in [
            "process P is let T : int in create(C, T?) * delta endlet toolbus(P)",
            "process P is let T : int in tau . create(P, T?) endlet toolbus(P)",
        ] {
            assert_eq!(instances(&format!("{CHILD}{text}")), (true, 4), "{text}");
        }
    }
}
