//! Which variables are still to be read, and which states nobody else can notice.

use crate::ast::Word;
use crate::automaton::{Automaton, Condition, Move};
use crate::behaviour::Inlined;
use crate::term::VarId;

/// For each state, whether each variable may be read before it gets a new value.
pub(super) fn live(process: &Inlined, automaton: &Automaton) -> Vec<Vec<bool>> {
    let count = process.variables.len();
    let mut live = vec![vec![false; count]; automaton.states.len()];
    let mut changed = true;
    while changed {
        source::limits::check();
        changed = false;
        for state in (0..automaton.states.len()).rev() {
            let mut now = live[state].clone();
            for next in &automaton.states[state] {
                let mut after = live[next.to].clone();
                accesses(process, next, &mut |var, written| {
                    if written {
                        after[var.index()] = false;
                    }
                });
                accesses(process, next, &mut |var, written| {
                    if !written {
                        after[var.index()] = true;
                    }
                });
                for condition in next.conditions.iter().rev() {
                    match condition {
                        Condition::Holds(test) => {
                            test.test.variables(&mut |var, _| after[var.index()] = true);
                        }
                        Condition::Set(var, value) => {
                            after[var.index()] = false;
                            value.variables(&mut |var, _| after[var.index()] = true);
                        }
                        Condition::Vanishes(var) | Condition::Vanished(var) => {
                            after[var.index()] = true;
                        }
                    }
                }
                for (now, after) in now.iter_mut().zip(after) {
                    *now |= after;
                }
            }
            if now != live[state] {
                live[state] = now;
                changed = true;
            }
        }
    }
    live
}

/// The variables that the action of a move reads and writes.
pub(super) fn accesses(process: &Inlined, next: &Move, each: &mut impl FnMut(VarId, bool)) {
    let atom = &process.atoms[next.atom];
    // What only asks, or says what is wanted, fills nothing.
    let fills = !matches!(
        atom.word,
        Word::NoNote | Word::Subscribe | Word::Unsubscribe
    );
    for arg in &atom.args {
        arg.variables(&mut |var, written| {
            if fills || !written {
                each(var, written);
            }
        });
    }
}

/// For each state, whether the process is about to end: all that can happen from there on is `certain`,
/// which nobody can prevent.
pub(super) fn leaving(automaton: &Automaton, certain: &dyn Fn(usize, &Move) -> bool) -> Vec<bool> {
    let mut leaving: Vec<bool> = automaton.states.iter().map(Vec::is_empty).collect();
    let mut changed = true;
    while changed {
        source::limits::check();
        changed = false;
        for (state, moves) in automaton.states.iter().enumerate().rev() {
            let mut all = moves.iter();
            if !leaving[state] && all.all(|next| leaving[next.to] && certain(state, next)) {
                leaving[state] = true;
                changed = true;
            }
        }
    }
    leaving
}

/// For each state, whether no action of certain kinds can come any more.
pub(super) fn never_again(process: &Inlined, automaton: &Automaton, kinds: &[Word]) -> Vec<bool> {
    let mut never = vec![true; automaton.states.len()];
    let mut changed = true;
    while changed {
        source::limits::check();
        changed = false;
        for (state, moves) in automaton.states.iter().enumerate().rev() {
            let comes =
                |next: &Move| !never[next.to] || kinds.contains(&process.atoms[next.atom].word);
            if never[state] && moves.iter().any(comes) {
                never[state] = false;
                changed = true;
            }
        }
    }
    never
}

/// Whether an action touches only the process's own variables, and nobody sees it.
pub(super) fn is_local(word: Word) -> bool {
    matches!(
        word,
        Word::Assign | Word::Tau | Word::Attach | Word::Detach | Word::PerfStats | Word::ClearStats
    )
}

/// For each state, whether all that can happen there is one step that nobody else can notice or
/// prevent, whatever else happens, and no round of such steps leads back to it. `quiet` says which
/// actions, in which state, are such steps.
///
/// Such a step can be taken before everything else: it commutes with all steps of others and
/// disables none (it is *confluent*: Groote and Sellink, *Confluence for process verification*,
/// Theoretical Computer Science 170, 1996).
pub(super) fn silent(
    process: &Inlined,
    automaton: &Automaton,
    quiet: &dyn Fn(usize, &Move) -> bool,
) -> Vec<bool> {
    let calm: Vec<bool> = automaton
        .states
        .iter()
        .enumerate()
        .map(|(state, moves)| {
            !moves.is_empty()
                && moves.iter().all(|next| {
                    let atom = &process.atoms[next.atom];
                    quiet(state, next)
                        && !atom.delayed
                        && atom.timeout.is_none()
                        && !next.is_of_the_tool()
                })
                && moves
                    .iter()
                    .enumerate()
                    .all(|(at, one)| moves[at + 1..].iter().all(|other| exclude(one, other)))
        })
        .collect();
    (0..automaton.states.len())
        .map(|state| calm[state] && !comes_back(automaton, &calm, state))
        .collect()
}

/// Whether two moves ask the same and want opposite answers.
fn exclude(one: &Move, other: &Move) -> bool {
    one.conditions.iter().any(|a| {
        other.conditions.iter().any(|b| match (a, b) {
            (Condition::Holds(a), Condition::Holds(b)) => a.test == b.test && a.wanted != b.wanted,
            _ => false,
        })
    })
}

/// Whether calm states lead back to a state.
fn comes_back(automaton: &Automaton, calm: &[bool], state: usize) -> bool {
    let mut seen = vec![false; calm.len()];
    let mut waiting = vec![state];
    while let Some(at) = waiting.pop() {
        source::limits::check();
        for next in &automaton.states[at] {
            if next.to == state {
                return true;
            }
            if calm[next.to] && !std::mem::replace(&mut seen[next.to], true) {
                waiting.push(next.to);
            }
        }
    }
    false
}
