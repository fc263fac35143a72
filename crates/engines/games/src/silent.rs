//! Tests: formulas that are [said](logic::mu::Mu::is_blind_to_silent_steps) not to see silent steps do
//! not tell states apart that are branching bisimilar with these hidden; nor does it matter to them
//! whether silent steps that decide nothing are there at all.

use std::sync::Arc;

use logic::mu::{Action, Mu, Regular, StateSetId, System};
use model::{Budget, Equivalence, FiniteRuns, StateSet, Vertex};

use crate::graph::Graph;
use crate::oracle::{Formula, Maker, Numbers, Random};
use crate::solve::{Solution, solve};

/// Makes formulas most of which are blind.
fn formula(maker: &mut Maker<'_>, depth: usize) -> Formula {
    if depth == 0 {
        return match maker.random.below(3) {
            0 => Mu::False,
            _ => Mu::True,
        };
    }
    let inner = |maker: &mut Maker<'_>| Arc::new(formula(maker, depth - 1));
    match maker.random.below(10) {
        0 => Mu::Not(inner(maker)),
        1 => Mu::And([formula(maker, depth - 1), formula(maker, depth - 1)].into()),
        2 => Mu::Or([formula(maker, depth - 1), formula(maker, depth - 1)].into()),
        3..=5 => Mu::Box(words(maker), inner(maker)),
        6 | 7 => Mu::Diamond(words(maker), inner(maker)),
        _ => {
            maker.next += 1;
            let id = StateSetId(maker.next);
            let step = Regular::Action(wide(maker));
            let (on, rest) = (Arc::new(Mu::set(id)), formula(maker, depth - 1));
            // What is behind it may be a bare action.
            let rest = match maker.random.below(2) {
                0 => Mu::Diamond(Regular::Action(narrow(maker)), Arc::new(rest)),
                _ => Mu::Box(Regular::Action(narrow(maker)), Arc::new(rest)),
            };
            match maker.random.below(2) {
                0 => Mu::least(id, Arc::new(Mu::Or([Mu::Diamond(step, on), rest].into()))),
                _ => Mu::greatest(id, Arc::new(Mu::And([Mu::Box(step, on), rest].into()))),
            }
        }
    }
}

fn wide(maker: &mut Maker<'_>) -> Action<u8, u8> {
    match maker.random.below(2) {
        0 => Action::Any,
        _ => Action::Not(Arc::new(narrow(maker))),
    }
}

fn narrow(maker: &mut Maker<'_>) -> Action<u8, u8> {
    Action::Happens(maker.random.below(2) as u8, [].into())
}

fn words(maker: &mut Maker<'_>) -> Regular<u8, u8> {
    let mut parts = Vec::new();
    for _ in 0..1 + maker.random.below(2) {
        let star = Regular::Star(Arc::new(Regular::Action(wide(maker))));
        let action = Regular::Action(narrow(maker));
        match maker.random.below(6) {
            0 => parts.push(action),
            1 => parts.push(Regular::Star(Arc::new(Regular::Sequence(
                [star, action].into(),
            )))),
            2 => parts.push(star),
            _ => parts.extend([star, action]),
        }
    }
    Regular::Sequence(parts.into())
}

fn holds(system: &System<usize>, solution: &Solution, vertex: Vertex) -> bool {
    solution.holds(system.root, vertex)
}

#[test]
fn what_cannot_see_silent_steps_does_not() {
    let mut random = Random(fastrand::Rng::with_seed(0x51ab_77d1_0f30_9aa1));
    let (mut blind, mut smaller, mut told_apart, mut seeing, mut unfollowed) = (0, 0, 0, 0, 0);
    for round in 0..30_000 {
        let count = 2 + random.below(6);
        let labels = random.labels();
        let edges: Vec<(Vertex, u32, Vertex)> = (0..random.below(3 * count + 1))
            .map(|_| {
                let label = random.below(labels.len()) as u32;
                let (from, to) = (random.below(count) as u32, random.below(count) as u32);
                (from, label, to)
            })
            .collect();
        let mut maker = Maker::new(&mut random);
        let formula = match round % 4 {
            0 => maker.formula(4),
            _ => formula(&mut maker, 3),
        };
        if !formula.atoms().is_empty() {
            continue;
        }
        let named = formula.events();
        let silent: Vec<bool> = labels
            .iter()
            .map(|label| label.iter().all(|happens| !named.contains(&&happens.event)))
            .collect();
        let numbers: Vec<u32> = (0..).take(labels.len()).collect();
        let plain = model::Graph::new(count, vec![0], numbers, &edges);
        let quotient = plain.reduced(Equivalence::Branching, |label| silent[*label as usize], 100);
        let quotient = quotient.unwrap();
        // The labels of the quotient in the order of the first graph.
        let edges: Vec<(Vertex, u32, Vertex)> = quotient
            .graph
            .all_edges()
            .map(|(from, label, to)| (from, quotient.graph.table()[label as usize], to))
            .collect();
        let no_labels = vec![model::Label::default(); labels.len()];
        let of = |count: usize, edges: &[(Vertex, u32, Vertex)]| {
            model::Graph::new(count, vec![0], no_labels.clone(), edges)
        };
        let large = of(count, &plain.all_edges().collect::<Vec<_>>());
        let small = of(quotient.graph.len(), &edges);
        let Ok(system) = System::of(&formula, &labels, &Numbers) else {
            unfollowed += 1;
            continue;
        };
        let atom = |_: &usize| StateSet::none(0);
        let solved = |graph: &model::Graph| {
            let graph = Graph::new(graph, FiniteRuns::Maximal, None);
            solve(&system, &graph, &atom, &Budget::default()).unwrap()
        };
        let (in_large, in_small) = (solved(&large), solved(&small));
        let same = (0..).zip(&quotient.members).all(|(state, members)| {
            let here = holds(&system, &in_small, state);
            let mut members = members.iter();
            members.all(|member| holds(&system, &in_large, *member) == here)
        });
        if formula.is_blind_to_silent_steps() {
            assert!(same, "{round}: {formula:?} {labels:?} {large:?}");
            blind += 1;
            smaller += usize::from(small.len() < count);
            let mut all = (0..)
                .take(count)
                .map(|state| holds(&system, &in_large, state));
            let first = all.next();
            told_apart += usize::from(all.any(|other| Some(other) != first));
        } else {
            seeing += usize::from(!same);
        }
    }
    assert!(
        blind > 5_000
            && smaller > 2_000
            && told_apart > 1_000
            && seeing > 100
            && unfollowed < 1_000,
        "{blind} {smaller} {told_apart} {seeing} {unfollowed}"
    );
}
