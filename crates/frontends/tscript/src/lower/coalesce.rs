//! Calls of one process, told apart no more than necessary.
//!
//! A process that is called in several places is inlined in each, with variables of its own; but where
//! it goes on in the same way afterwards, being in one copy or in the other is the same. So variables
//! of copies that are never in use at the same time become one (as a compiler shares registers:
//! Chaitin, *Register allocation and spilling via graph coloring*, 1982), and states in which the same
//! can be done become one. In use is a variable where it will be read before it gets a new value.

use std::collections::HashMap;

use super::live;
use crate::automaton::{Automaton, Condition, Move};
use crate::behaviour::{Atom, Inlined};
use crate::term::{Pattern, VarId};

/// Puts together variables and states of a process.
pub(super) fn coalesce(process: &mut Inlined, automaton: &mut Automaton) {
    let with = representatives(process, automaton);
    for atom in &mut process.atoms {
        for arg in &mut atom.args {
            rename(arg, &with);
        }
    }
    for condition in automaton
        .states
        .iter_mut()
        .flatten()
        .flat_map(|next| &mut next.conditions)
    {
        match condition {
            Condition::Holds(test) => rename(&mut test.test, &with),
            Condition::Set(var, value) => {
                *var = with[var.index()];
                rename(value, &with);
            }
            Condition::Vanishes(var) | Condition::Vanished(var) => *var = with[var.index()],
        }
    }
    let states = std::mem::take(&mut automaton.states);
    *automaton = merged(&process.atoms, states, 0).0;
}

/// For each variable the one that it becomes.
fn representatives(process: &Inlined, automaton: &Automaton) -> Vec<VarId> {
    let live = live::live(process, automaton);
    let count = process.variables.len();
    let id = |index: usize| VarId(u32::try_from(index).expect("few variables"));
    let mut with: Vec<VarId> = (0..count).map(id).collect();
    // The variables that have become one, for each that others have become.
    let mut members: HashMap<usize, Vec<usize>> = HashMap::new();
    for index in process.parameters..count {
        let variable = &process.variables[index];
        let alike = (process.parameters..index).find(|&other| {
            let first = &process.variables[other];
            (&first.name, &first.ty, first.span) == (&variable.name, &variable.ty, variable.span)
                && with[other] == id(other)
                // One that is read before it is written has no value there, not an old one.
                && !live[0][other]
                && !live[0][index]
                && members.get(&other).into_iter().flatten().chain([&other]).all(|&member| {
                    !interfere(process, automaton, &live, (member, index))
                })
        });
        if let Some(other) = alike {
            with[index] = id(other);
            members.entry(other).or_default().push(index);
        }
    }
    with
}

/// Whether two variables are in use at the same time. None is at first, so that if they ever are, one
/// of them is written where the other is.
fn interfere(
    process: &Inlined,
    automaton: &Automaton,
    live: &[Vec<bool>],
    (a, b): (usize, usize),
) -> bool {
    automaton.states.iter().flatten().any(|next| {
        let mut named = [false; 2];
        let mut written = [false; 2];
        let mut each = |var: VarId, writes: bool| {
            for (place, variable) in [a, b].into_iter().enumerate() {
                if var.index() == variable {
                    named[place] = true;
                    written[place] |= writes;
                }
            }
        };
        live::accesses(process, next, &mut each);
        for condition in &next.conditions {
            match condition {
                Condition::Holds(test) => test.test.variables(&mut each),
                Condition::Set(var, value) => {
                    each(*var, true);
                    value.variables(&mut each);
                }
                Condition::Vanishes(var) | Condition::Vanished(var) => each(*var, false),
            }
        }
        let there = &live[next.to];
        named == [true; 2] || written[0] && there[b] || written[1] && there[a]
    })
}

fn rename(pattern: &mut Pattern, with: &[VarId]) {
    match pattern {
        Pattern::Var(var) | Pattern::Result(var) => *var = with[var.index()],
        Pattern::Apply(_, parts) | Pattern::List(parts) => {
            parts.iter_mut().for_each(|part| rename(part, with));
        }
        _ => {}
    }
}

/// The automaton in which states behind the first `plain` ones are one if the same can be done there,
/// whatever comes afterwards (strong bisimilarity, by refinement); and what each state has become.
pub(super) fn merged(
    atoms: &[Atom],
    states: Vec<Vec<Move>>,
    plain: usize,
) -> (Automaton, Vec<usize>) {
    let same = |a: &Atom, b: &Atom| {
        (a.word, a.creates, a.span) == (b.word, b.creates, b.span)
            && (a.delayed, a.delay, a.timeout) == (b.delayed, b.delay, b.timeout)
            && a.args == b.args
    };
    // The first action that is like each.
    let mut by_span: HashMap<_, Vec<usize>> = HashMap::new();
    let like: Vec<usize> = atoms
        .iter()
        .enumerate()
        .map(|(index, atom)| {
            let known = by_span.entry(atom.span).or_default();
            match known.iter().find(|other| same(&atoms[**other], atom)) {
                Some(&other) => other,
                None => {
                    known.push(index);
                    index
                }
            }
        })
        .collect();
    let mut class: Vec<usize> = (0..states.len()).map(|state| state.min(plain)).collect();
    loop {
        source::limits::check();
        let mut numbers = HashMap::new();
        let finer: Vec<usize> = states
            .iter()
            .enumerate()
            .map(|(state, moves)| {
                if state < plain {
                    return state;
                }
                let moves: Vec<_> = moves
                    .iter()
                    .map(|m| {
                        let how = (m.choice.clone(), m.begins);
                        (m.conditions.clone(), like[m.atom], class[m.to], how)
                    })
                    .collect();
                let fresh = plain + numbers.len();
                *numbers.entry((class[state], moves)).or_insert(fresh)
            })
            .collect();
        let stable = finer == class;
        class = finer;
        if stable {
            break;
        }
    }
    let count = class.iter().max().map_or(0, |most| most + 1);
    let mut kept: Vec<Option<Vec<Move>>> = vec![None; count];
    for (state, moves) in states.into_iter().enumerate() {
        let kept = &mut kept[class[state]];
        if kept.is_none() {
            let moves = moves.into_iter().map(|next| Move {
                to: class[next.to],
                ..next
            });
            *kept = Some(moves.collect());
        }
    }
    let states = kept.into_iter().flatten().collect();
    (Automaton { states }, class)
}
