//! The proviso on cycles: nobody may be put off for ever.
//!
//! Whatever moves around a cycle of states goes around a cycle of some control-flow graph. If on
//! each of these some location is *held*, so that no reduced set moves away from it, then each
//! cycle of states has one in which every move is explored (Kurshan, Levin, Minea, Peled and
//! Yenigün 1998). Good locations to hold are those that could not be reduced anyway; where a cycle
//! has none, it is one where many ways meet. An instance that ends and is started again goes around
//! no cycle of its own, so steps that may start their own starters are held as well.

use std::collections::HashSet;

use logic::scc::components;
use model::{Mode, ProcessId, Program};

use super::actors::Actor;
use super::reachable_actions::{ActionTable, ReachableActions};
use crate::ir::compile::View;

/// For each instance the locations that no reduced set moves away from.
pub(super) fn held(
    program: &Program,
    actors: &[Actor],
    futures: &ActionTable,
    view: View,
) -> Vec<Vec<bool>> {
    let again = started_again(program, actors, futures);
    let all = actors.iter().zip(&futures.actors).map(|(actor, future)| {
        if !view.opens_cycles() {
            // It is enough that reduced expansions lead on, if even that is asked for.
            return vec![false; future.now.len()];
        }
        let process = &program.processes[actor.process.index()];
        let modes: Vec<Mode> = process.locations.iter().map(|l| l.mode).collect();
        let cut = cut(
            &modes,
            future,
            &hopeless(actor, actors, future, futures, view),
        );
        let passes = |at: usize| future.now[at].passes.iter().any(|to| cut[to.index()]);
        (0..modes.len())
            .map(|at| {
                let now = &future.now[at];
                cut[at]
                    || passes(at)
                    || view == View::Runs && now.visible
                    || now.spawns.iter().any(|process| again.contains(process))
            })
            .collect()
    });
    all.collect()
}

/// Locations where a reduction is out of the question, or almost.
fn hopeless(
    actor: &Actor,
    actors: &[Actor],
    future: &ReachableActions,
    futures: &ActionTable,
    view: View,
) -> Vec<bool> {
    let others: Vec<usize> = (0..actors.len())
        .filter(|&other| actors[other].number != actor.number)
        .collect();
    let hopeless = future.now.iter().map(|now| {
        let mut against = now.against.clone();
        for attempt in &now.attempts {
            against.add(&attempt.against);
        }
        let conflicts = |&other: &usize| {
            let entry = futures.actors[other].later.iter();
            entry.clone().any(|later| later.meets(&against))
        };
        view == View::Runs && now.visible || !others.is_empty() && others.iter().all(conflicts)
    });
    hopeless.collect()
}

/// Locations without which there is no cycle of stable locations.
fn cut(modes: &[Mode], future: &ReachableActions, hopeless: &[bool]) -> Vec<bool> {
    let mut cut: Vec<bool> = (0..modes.len())
        .map(|at| hopeless[at] && modes[at] == Mode::Open)
        .collect();
    loop {
        let rest = |at: usize| -> Vec<u32> {
            let to = future.edges[at].iter().copied();
            let to = to.filter(|&to| !cut[at] && !cut[to]);
            to.map(|to| to as u32).collect()
        };
        let rest: Vec<Vec<u32>> = (0..modes.len()).map(rest).collect();
        let found = components(&rest);
        // Degrees within the components that have cycles.
        let mut into = vec![0usize; modes.len()];
        let mut out = vec![0usize; modes.len()];
        for (at, leading) in out.iter_mut().enumerate() {
            for to in rest[at].iter().map(|&to| to as usize) {
                if found.join(to, at) {
                    into[to] += 1;
                    *leading += 1;
                }
            }
        }
        let mut best: Vec<Option<(bool, usize, usize)>> = vec![None; found.count];
        for at in 0..modes.len() {
            // A cycle of regions lies within one move.
            if into[at] * out[at] > 0 && modes[at] != Mode::Region {
                let open = modes[at] == Mode::Open;
                let worth = (open, into[at] * out[at], modes.len() - at);
                let best = &mut best[found.of[at] as usize];
                *best = (*best).max(Some(worth));
            }
        }
        if best.iter().all(Option::is_none) {
            return cut;
        }
        for (_, _, from_end) in best.into_iter().flatten() {
            cut[modes.len() - from_end] = true;
        }
    }
}

/// Templates whose instances may, by way of others, start instances of themselves.
fn started_again(program: &Program, actors: &[Actor], futures: &ActionTable) -> HashSet<ProcessId> {
    let mut starts: Vec<HashSet<usize>> = vec![HashSet::new(); program.processes.len()];
    for (actor, future) in actors.iter().zip(&futures.actors) {
        let spawns = future.now.iter().flat_map(|now| &now.spawns);
        starts[actor.process.index()].extend(spawns.map(|process| process.index()));
    }
    let lists = starts.iter().map(|to| to.iter().map(|&to| to as u32));
    let found = components(&lists.map(Iterator::collect).collect::<Vec<_>>());
    (0..starts.len())
        .filter(|&at| {
            starts
                .iter()
                .enumerate()
                .any(|(from, started)| started.contains(&at) && found.join(from, at))
        })
        .map(ProcessId::new)
        .collect()
}
