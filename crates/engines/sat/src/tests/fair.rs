//! Fair runs against a search through the graph of all states and steps.

use circuit::{Circuit, Lit};
use logic::{Buchi, BuchiState, Cube, Edge};
use model::{Budget, Silent};

use super::{bits, random_circuit};
use crate::testing::Dice;
use crate::{FairAnswer, Reduction, check_fair, check_fair_invariant};

fn random_automaton(dice: &mut Dice, atoms: Vec<Lit>) -> Buchi<Lit> {
    let count = 1 + dice.below(3);
    let edges = (0..count)
        .map(|_| {
            (0..1 + dice.below(3))
                .map(|_| {
                    let mut label = Cube::TRUE;
                    for atom in 0..atoms.len() {
                        if dice.below(3) == 0 {
                            label = label.and(Cube::literal(atom, dice.below(2) == 0));
                        }
                    }
                    Edge {
                        label,
                        target: BuchiState(dice.below(count) as u32),
                        accepting: dice.below(2) == 0,
                    }
                })
                .collect()
        })
        .collect();
    Buchi {
        atoms,
        initial: BuchiState(0),
        edges,
    }
}

/// A step of the product: from, to, and which of the literals hold on it.
#[derive(Clone)]
struct Arc {
    from: usize,
    to: usize,
    justice: Vec<bool>,
    compassion: Vec<(bool, bool)>,
}

/// All steps that can be reached.
fn arcs(circuit: &Circuit, automaton: &Buchi<Lit>) -> Vec<Arc> {
    let width = circuit.latches.len();
    let states = 1usize << width;
    let mut reached = vec![false; states * automaton.state_count()];
    let mut open = Vec::new();
    for (number, reached) in reached.iter_mut().enumerate().take(states) {
        if circuit.evaluate(&bits(number, width), &[]).is_initial() {
            *reached = true;
            open.push((number, automaton.initial));
        }
    }
    let mut arcs = Vec::new();
    while let Some((number, location)) = open.pop() {
        for choice in 0..1usize << circuit.inputs.len() {
            let inputs = bits(choice, circuit.inputs.len());
            let state = bits(number, width);
            let values = circuit.evaluate(&state, &inputs);
            let next = values.next_state();
            let next_values = circuit.evaluate(&next, &[]);
            if !values.is_step() || !values.is_state() || !next_values.is_state() {
                continue;
            }
            let to = (0..width)
                .filter(|&bit| next[bit])
                .fold(0, |n, bit| n | 1 << bit);
            let mut letter = 0;
            for (bit, &atom) in automaton.atoms.iter().enumerate() {
                letter |= u64::from(values.holds(atom)) << bit;
            }
            for edge in automaton.edges_from(location) {
                if !edge.label.matches(letter) {
                    continue;
                }
                let target = edge.target.index() * states + to;
                let mut justice: Vec<bool> =
                    circuit.justice.iter().map(|&l| values.holds(l)).collect();
                justice.push(edge.accepting);
                let pairs = circuit.compassion.iter();
                arcs.push(Arc {
                    from: location.index() * states + number,
                    to: target,
                    justice,
                    compassion: pairs
                        .map(|&(p, q)| (values.holds(p), values.holds(q)))
                        .collect(),
                });
                if !std::mem::replace(&mut reached[target], true) {
                    open.push((to, edge.target));
                }
            }
        }
    }
    arcs
}

/// Whether some cycle of these steps is fair: Emerson and Lei's way, by removing steps.
fn has_fair_cycle(arcs: &[Arc]) -> bool {
    // Which steps lie on a common cycle: reachability both ways.
    let reach = |from: usize, forward: bool| {
        let mut seen = std::collections::HashSet::from([from]);
        let mut open = vec![from];
        while let Some(state) = open.pop() {
            for arc in arcs {
                let (here, there) = if forward {
                    (arc.from, arc.to)
                } else {
                    (arc.to, arc.from)
                };
                if here == state && seen.insert(there) {
                    open.push(there);
                }
            }
        }
        seen
    };
    let mut done = std::collections::HashSet::new();
    for arc in arcs {
        if !done.insert(arc.from) {
            continue;
        }
        let (after, before) = (reach(arc.from, true), reach(arc.from, false));
        let common = |state: usize| after.contains(&state) && before.contains(&state);
        let component: Vec<Arc> = arcs
            .iter()
            .filter(|a| common(a.from) && common(a.to))
            .cloned()
            .collect();
        done.extend(component.iter().map(|arc| arc.from));
        let Some(first) = component.first() else {
            continue;
        };
        let just = (0..first.justice.len()).all(|j| component.iter().any(|a| a.justice[j]));
        if !just {
            continue;
        }
        let offended: Vec<usize> = (0..first.compassion.len())
            .filter(|&c| component.iter().any(|a| a.compassion[c].0))
            .filter(|&c| !component.iter().any(|a| a.compassion[c].1))
            .collect();
        if offended.is_empty() {
            return true;
        }
        let mut rest = component;
        rest.retain(|a| offended.iter().all(|&c| !a.compassion[c].0));
        if has_fair_cycle(&rest) {
            return true;
        }
    }
    false
}

#[test]
fn fair_runs_are_found_or_excluded() {
    let budget = Budget::default();
    let mut dice = Dice::new(21);
    let (mut runs, mut counted, mut with_both) = (0, 0, 0);
    for round in 0..300 {
        let (mut circuit, predicates) = random_circuit(&mut dice);
        let mut pool = predicates;
        pool.push(circuit.bads[0].lit);
        pool.extend(circuit.latches.iter().map(|latch| latch.next));
        let pick = |dice: &mut Dice| pool[dice.below(pool.len())].invert_if(dice.below(2) == 0);
        for _ in 0..dice.below(3) {
            let lit = pick(&mut dice);
            circuit.justice.push(lit);
        }
        for _ in 0..dice.below(2) {
            let pair = (pick(&mut dice), pick(&mut dice));
            circuit.compassion.push(pair);
        }
        let atoms = vec![pick(&mut dice), pick(&mut dice)];
        let (automaton, graph) = if dice.below(4) == 0 {
            (None, arcs(&circuit, &Buchi::universal()))
        } else {
            let automaton = random_automaton(&mut dice, atoms);
            let graph = arcs(&circuit, &automaton);
            (Some(automaton), graph)
        };
        let expected = has_fair_cycle(&graph);
        with_both += u32::from(!circuit.compassion.is_empty() && !circuit.justice.is_empty());
        match check_fair(&circuit, automaton.as_ref(), &budget, &Silent) {
            FairAnswer::Run { run, .. } if expected => {
                assert!(circuit.states(&run).is_ok() && run.loop_start.is_some());
                runs += 1;
            }
            FairAnswer::None {
                invariant,
                reduction,
            } if !expected => {
                let check = |invariant| {
                    let own = audit::Recheck;
                    let automaton = automaton.as_ref();
                    check_fair_invariant(&circuit, automaton, reduction, invariant, &own, &budget)
                };
                assert_eq!(check(&invariant), Ok(()));
                counted += u32::from(matches!(reduction, Reduction::Counting(_)));
            }
            answer => panic!("round {round}: {expected}, but {answer:?}"),
        }
    }
    let counts = (runs, counted, with_both);
    assert!(runs > 80 && counted > 30 && with_both > 50, "{counts:?}");
}

#[test]
fn whoever_is_told_to_stop_stops() {
    let budget = Budget::default();
    budget
        .stop
        .store(true, std::sync::atomic::Ordering::Relaxed);
    let mut dice = Dice::new(2);
    for _ in 0..50 {
        let (circuit, _) = random_circuit(&mut dice);
        let answer = check_fair(&circuit, None, &budget, &Silent);
        let interrupted = model::UnknownReason::Interrupted;
        assert!(
            matches!(answer, FairAnswer::Unknown { ref reason, .. } if *reason == interrupted),
            "{answer:?}"
        );
        let options = crate::Options::default();
        let answer = crate::check(&circuit, circuit.bads[0].lit, &options, &budget, &Silent);
        assert!(
            matches!(answer, crate::Answer::Unknown { ref reason, .. } if *reason == interrupted),
            "{answer:?}"
        );
    }
}
