//! Processes whose tool has vanished.
//!
//! A process that [holds](super::held) a tool which has vanished can do nothing with it any more but
//! hear of its end: no event comes from it, nothing can be sent to it but, in the bus in Java, what
//! nobody waits for. So it has less to do than
//! before; often it reads no more notes, and the values of its variables do not matter. To have that
//! known, its automaton is doubled: beside each state where it holds a tool there is one in which the
//! tool has vanished, without what has become impossible, and a tool vanishes by a step of its
//! holder's that leads there. (That the holder can make that step makes no difference to whether it
//! waits for ever: if it does, it also does when the tool has vanished.) States in which the same can
//! be done are then one.

use std::collections::{BTreeSet, HashMap};

use source::Span;

use super::Unit;
use super::coalesce::merged;
use crate::ast::Word;
use crate::automaton::{Biased, Condition, Move};
use crate::behaviour::Atom;
use crate::term::{Pattern, VarId};

/// A state, and the variables whose tools have vanished.
type Place = (usize, BTreeSet<VarId>);

/// Doubles the automaton of a unit. `held` says which variables hold a tool that may vanish in a
/// state; `ng` whether the bus is the one in Java.
pub(super) fn add_orphans(unit: &mut Unit, held: &dyn Fn(usize, VarId) -> bool, ng: bool) {
    let variables: Vec<VarId> = (0..unit.inlined.variables.len())
        .map(|index| VarId(u32::try_from(index).expect("few variables")))
        .collect();
    let plain = unit.automaton.states.len();
    let notice = unit.inlined.atoms.len();
    let mut places: Vec<Place> = (0..plain).map(|state| (state, BTreeSet::new())).collect();
    let mut numbers: HashMap<Place, usize> = places.iter().cloned().zip(0..).collect();
    let mut states: Vec<Vec<Move>> = Vec::new();
    let mut used = false;
    while states.len() < places.len() {
        source::limits::check();
        let (state, gone) = places[states.len()].clone();
        let mut number = |place: Place| {
            *numbers.entry(place).or_insert_with_key(|place| {
                places.push(place.clone());
                places.len() - 1
            })
        };
        let mut moves = Vec::new();
        for next in &unit.automaton.states[state] {
            let atom = &unit.inlined.atoms[next.atom];
            if gone.iter().any(|var| needs(atom, *var, ng)) {
                continue;
            }
            let still = gone
                .iter()
                .copied()
                .filter(|&var| held(next.to, var) && !is_written(atom, next, var));
            let to = number((next.to, still.collect()));
            moves.push(Move { to, ..next.clone() });
        }
        if !unit.silent[state] && !unit.automaton.is_end(state) {
            for &var in &variables {
                if held(state, var) && !gone.contains(&var) {
                    let mut more = gone.clone();
                    more.insert(var);
                    used = true;
                    let to = number((state, more));
                    let mut happens = |condition: Condition| {
                        moves.push(Move {
                            conditions: vec![condition],
                            atom: notice,
                            to,
                            choice: Biased::default(),
                            begins: false,
                        });
                    };
                    happens(Condition::Vanishes(var));
                    if state == 0 {
                        // It may have been given one that has vanished.
                        happens(Condition::Vanished(var));
                    }
                }
            }
        }
        if moves.is_empty() && !unit.automaton.is_end(state) {
            // It waits for ever, which is not the same as having ended.
            let gone = gone.iter().next();
            let waits = gone.map(|&var| Condition::Vanishes(var));
            moves.push(Move {
                conditions: waits.into_iter().collect(),
                atom: notice,
                to: states.len(),
                choice: Biased::default(),
                begins: false,
            });
        }
        states.push(moves);
        if places.len() > 4 * plain + 1000 {
            return;
        }
    }
    if !used {
        return;
    }
    unit.inlined.atoms.push(Atom {
        word: Word::Tau,
        args: Vec::new(),
        creates: None,
        delayed: false,
        delay: None,
        timeout: None,
        span: Span::NONE,
    });
    let (automaton, class) = merged(&unit.inlined.atoms, states, plain);
    unit.gone = vec![BTreeSet::new(); automaton.states.len()];
    for ((_, gone), class) in places.into_iter().zip(class) {
        unit.gone[class] = gone;
    }
    unit.automaton = automaton;
}

/// Whether an action can be done only while the tool of a variable is connected.
fn needs(atom: &Atom, var: VarId, ng: bool) -> bool {
    let wants = match atom.word {
        Word::SndDo | Word::SndEval | Word::RecValue | Word::RecEvent => true,
        Word::SndAckEvent | Word::SndTerminate | Word::SndKill => !ng,
        _ => false,
    };
    wants && atom.args.first() == Some(&Pattern::Var(var))
}

fn is_written(atom: &Atom, next: &Move, var: VarId) -> bool {
    let mut written = false;
    for arg in &atom.args {
        arg.variables(&mut |other, writes| written |= writes && other == var);
    }
    let conditions = next.conditions.iter();
    written
        | conditions
            .into_iter()
            .any(|condition| matches!(condition, Condition::Set(other, _) if *other == var))
}
