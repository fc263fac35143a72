//! That nothing bad happens on any run, where all runs end: they are gone through again.
//!
//! Symbolic execution of the program before passes, location by location; paths that meet at a location
//! in the same round of its loops are merged into one. Every path that is dropped is one whose
//! conditions the solver proves cannot hold together, and a loop is left when that is so of the path
//! that goes round again. Nothing is taken over from the engine that said so but that it is worth trying.

use std::collections::{BTreeMap, HashMap};

use model::{
    Bad, Budget, Composition, LocId, Mode, Program, Rank, Target, next_in_order, weak_order,
};

use crate::Rejected;
use crate::interleaving::Obligations;
use crate::invariant::Invariant;
use crate::state::{Control, State};
use crate::symbolic_execution::{Path, Runner};

/// Checks that a program of one process comes to an end on all runs, and that nothing bad happens
/// on any.
///
/// # Errors
/// Why that is not believed.
pub fn audit_all_runs(program: &Program, bad: &Bad, budget: &Budget) -> Result<(), Rejected> {
    crate::limited(budget, |budget| {
        let nothing = Invariant::of_clauses([]);
        let asked = match bad {
            Bad::State(bad) => vec![*bad],
            _ => Vec::new(),
        };
        let observed = crate::observed_by(program, asked, &nothing);
        let asked = crate::Asked::Never(bad);
        let obligations = Obligations::new(program, asked, &nothing, budget, &observed)?;
        all_runs(program, &obligations, budget)
    })
}

fn all_runs(
    program: &Program,
    obligations: &Obligations<'_>,
    budget: &Budget,
) -> Result<(), Rejected> {
    let [start] = program.start.as_slice() else {
        return Err(Rejected::unsupported("runs of several processes"));
    };
    let process = &program.processes[start.process.index()];
    let interleaved = matches!(program.composition, Composition::Interleaving { .. });
    let mut locations = process.locations.iter();
    if !interleaved || locations.any(|location| location.mode != Mode::Open) {
        return Err(Rejected::unsupported("runs with steps within steps"));
    }
    // States are merged by location, which does not say who has called.
    if !process.procedures.is_empty() {
        return Err(Rejected::unsupported("runs through procedures"));
    }
    let ranks = ranks(process);
    let mut run = obligations.runner();
    let mut waiting: BTreeMap<usize, (LocId, Path)> = BTreeMap::new();
    let first = obligations.first(&mut run)?;
    let mut ends = vec![first];
    loop {
        for path in ends {
            if obligations.is_bad(&mut run, &path)? {
                return Err(Rejected::Violated);
            }
            let Control::At(location) = path.state.instances[0].control else {
                continue;
            };
            let Some(rank) = ranks.get(&(location.index() as u64)) else {
                return Err(Rejected::unsupported("runs that are interrupted"));
            };
            let merged = match waiting.remove(&rank.at) {
                Some((_, other)) => merge(&mut run, &other, &path),
                None => path,
            };
            waiting.insert(rank.at, (location, merged));
        }
        let rank_of = |(location, _): &(LocId, Path)| ranks[&(location.index() as u64)];
        let Some(rank) = next_in_order(&waiting, rank_of) else {
            return Ok(());
        };
        let Some((location, path)) = waiting.remove(&rank) else {
            return Ok(());
        };
        if budget.exhausted(0).is_some() {
            return Err(Rejected::Limit);
        }
        ends = obligations.moves_on(&mut run, &path, location)?;
    }
}

/// The order in which locations are looked at.
fn ranks(process: &model::Process) -> HashMap<u64, Rank> {
    let mut next: HashMap<u64, Vec<u64>> = HashMap::new();
    let code = |location: LocId| location.index() as u64;
    for step in &process.steps {
        let after = next.entry(code(step.from)).or_default();
        match &step.target {
            Target::Goto(to) | Target::Call { then: to, .. } => after.push(code(*to)),
            Target::Return(_) | Target::End => {}
        }
        // A fault may happen anywhere.
        after.extend(process.on_fault.map(code));
    }
    weak_order(code(process.entry), &next)
}

/// What is done on one path or on the other.
fn merge(run: &mut Runner<'_>, one: &Path, other: &Path) -> Path {
    let both = |run: &mut Runner<'_>, path: &Path| {
        let mut all = run.gates.constant(true);
        for &condition in &path.conditions {
            all = run.gates.and(all, condition);
        }
        all
    };
    let (here, there) = (both(run, one), both(run, other));
    let globals = one.state.globals.iter().zip(&other.state.globals);
    let globals = globals.map(|(a, b)| run.gates.choose(here, a, b)).collect();
    let mut instances = one.state.instances.clone();
    for (own, else_) in instances.iter_mut().zip(&other.state.instances) {
        for (a, b) in own.locals.iter_mut().zip(&else_.locals) {
            *a = run.gates.choose(here, a, b);
        }
    }
    let any = run.gates.or(here, there);
    Path {
        conditions: vec![any],
        ..Path::at(State { globals, instances })
    }
}
