//! Dead variables: a value that nobody will read becomes the first one.
//!
//! Two states that differ only in values that are overwritten before they are read again behave
//! alike; giving such values a canonical form stores them once (Bozga, Fernandez and Ghirvu 1999;
//! SPIN's dead-variable elimination). Two forms:
//!
//! - a global that is dead at *every* stable location of every process that reads it lives within
//!   macro steps only: it becomes a [step variable](VariableKind::Step), which is not stored;
//! - a variable that one process alone reads is set to its first value by the steps that enter a
//!   stable location where it is dead. If it is a global, that process has one instance; others
//!   may write it (an environment that hands over arguments), which does not make it live.
//!
//! Uses are all reads: guards, `provided` and priorities, observers, indices, remote references of
//! the program (a variable that is read so is never touched), and whatever the properties and the
//! fairness constraints observe. A global that an observed expression reads is never dead; a
//! variable of an instance is dead where the expression cannot [see](crate::views) it.
//!
//! A step that faults does not come to its resets. What is read behind the fault is live before
//! every step that can fault; of the rest, a step behind the fault takes care.
//!
//! Preserves every query but `Explore`: the runs stay the same, and so do the enabled steps.

use std::collections::{BTreeSet, HashSet};

use model::{
    GlobalId, LocId, Mode, Place, Process, ProcessId, Program, Stmt, Target, Value, ValueSet,
    Variable, VariableKind,
};

use crate::access::{Access, Accesses, Frames, Scope, Var, outgoing, singles};
use crate::cone;
use crate::constants::shares_frames;
use crate::faults::Faults;
use crate::liveness::{Bits, Live, Liveness, ObservedAt, writes_of_step};
use crate::observed::Observed;
use crate::rewrite::is_disabled;
use crate::views::Views;

/// The program with dead variables reset; also says which globals no longer have the values that
/// they have in the original.
#[must_use]
pub fn dead(program: &Program, observed: &Observed) -> (Program, HashSet<GlobalId>) {
    let mut touched = HashSet::new();
    let interleaving = matches!(program.composition, model::Composition::Interleaving { .. });
    let Some(frames) = Frames::of(program).filter(|_| interleaving) else {
        return (program.clone(), touched);
    };
    let mut views = Views::new(program, &frames, observed);
    let vars = candidates(program, &frames, observed, &views);
    let mut liveness = Liveness::new(program, &frames, &vars);
    let seen = seen_by_properties(program, &liveness, &mut views, vars.len());
    liveness = liveness.with_observed(seen);
    let lives: Vec<Live> = liveness.of_all();
    let mut result = program.clone();
    let mut faults = Faults::default();

    let written = written_anywhere(program, &frames);
    let mut within_steps = vec![false; vars.len()];
    for (position, &var) in vars.iter().enumerate() {
        let Var::Global(global) = var else { continue };
        let dead_when_stable = program.processes.iter().zip(&lives).all(|(process, live)| {
            stable_locations(process).all(|at| !live.at[at.index()].contains(position))
        });
        if dead_when_stable
            && written.contains(&var)
            && forget_first_value(&mut result, &mut faults, var)
        {
            within_steps[position] = true;
            result.globals[global.index()].kind = VariableKind::Step;
            touched.insert(global);
        }
    }

    let singles = singles(program);
    let readers = counted(lives.iter().map(|live| &live.reads), vars.len());
    let writes = writes(program, &frames, &liveness, vars.len());
    let writers = counted(&writes, vars.len());
    for (index, live) in lives.iter().enumerate() {
        let id = ProcessId::new(index);
        let mut eligible = Bits::new(vars.len());
        for (position, &var) in vars.iter().enumerate() {
            let reads = live.reads.contains(position);
            let read_by_others = readers[position] > usize::from(reads);
            let mine = match var {
                Var::Global(_) => reads && singles[index],
                Var::Own(owner, _) => owner == id,
                _ => false,
            };
            if mine && !read_by_others && !within_steps[position] {
                eligible.insert(position);
            }
        }
        let entry = program.processes[index].entry;
        for position in eligible.ones().collect::<Vec<_>>() {
            if !live.at[entry.index()].contains(position)
                && forget_first_value(&mut result, &mut faults, vars[position])
                && let Var::Global(global) = vars[position]
            {
                touched.insert(global);
            }
        }
        // What nothing writes costs nothing, and resetting it would.
        for position in eligible.ones().collect::<Vec<_>>() {
            if !written.contains(&vars[position]) {
                eligible.remove(position);
            }
        }
        // Whatever others write may have any value at any time.
        let mut changed_by_others = Bits::new(vars.len());
        for (position, &count) in writers.iter().enumerate() {
            if count > usize::from(writes[index].contains(position)) {
                changed_by_others.insert(position);
            }
        }
        let world = (&liveness, &frames, &changed_by_others);
        let resets = resets(program, world, live, id, &vars, &eligible);
        for (step, positions) in resets.into_iter().enumerate() {
            for position in positions.ones() {
                let (place, value) = first_value(&mut result, vars[position]);
                result.processes[index].steps[step]
                    .body
                    .push(Stmt::Assign(place, value));
                if let Var::Global(global) = vars[position] {
                    touched.insert(global);
                }
            }
        }
    }
    (result, touched)
}

/// For each process what its steps write.
fn writes(program: &Program, frames: &Frames, liveness: &Liveness<'_>, count: usize) -> Vec<Bits> {
    let ids = (0..program.processes.len()).map(ProcessId::new);
    ids.map(|id| {
        let mut bits = Bits::new(count);
        for (index, step) in program.processes[id.index()].steps.iter().enumerate() {
            writes_of_step(program, frames.step(program, id, index), step, |var| {
                if let Some(position) = liveness.position(var) {
                    bits.insert(position);
                }
            });
        }
        bits
    })
    .collect()
}

/// For each position in how many of the sets it is.
fn counted<'b>(sets: impl IntoIterator<Item = &'b Bits>, count: usize) -> Vec<usize> {
    let mut counts = vec![0; count];
    for set in sets {
        set.ones().for_each(|position| counts[position] += 1);
    }
    counts
}

/// What the properties see of the variables of each process, location by location.
fn seen_by_properties(
    program: &Program,
    liveness: &Liveness<'_>,
    views: &mut Views<'_>,
    count: usize,
) -> Vec<ObservedAt> {
    let bits = |id: ProcessId, locals: BTreeSet<u32>| {
        let mut bits = Bits::new(count);
        let positions = locals
            .into_iter()
            .filter_map(|local| liveness.position(Var::Own(id, local)));
        positions.for_each(|position| bits.insert(position));
        bits
    };
    (0..program.processes.len())
        .map(ProcessId::new)
        .map(|id| {
            let locations = &program.processes[id.index()].locations;
            let outgoing = outgoing(&program.processes[id.index()]);
            let at = (0..locations.len()).map(LocId::new).map(|at| {
                if locations[at.index()].mode == Mode::Region {
                    Bits::new(count)
                } else {
                    bits(id, views.seen_at(id, at))
                }
            });
            ObservedAt {
                at: at.collect(),
                ended: bits(id, views.seen_ended(id)),
                halted: (0..locations.len())
                    .map(|at| bits(id, views.seen_halted(id, LocId::new(at), &outgoing[at])))
                    .collect(),
            }
        })
        .collect()
}

/// The variables that may be dead at all.
fn candidates(
    program: &Program,
    frames: &Frames,
    observed: &Observed,
    views: &Views<'_>,
) -> Vec<Var> {
    let accesses = &mut Accesses::default();
    let observed = cone::of_observed(program, accesses, observed);
    // What first values are computed from has to keep its own.
    let first = cone::of_first_values(program, accesses);
    let remote = read_remotely(program, frames, accesses);
    let shares = shares_frames(program);
    let globals = program
        .globals
        .iter()
        .enumerate()
        .filter(|(_, variable)| {
            matches!(
                variable.kind,
                VariableKind::State | VariableKind::World | VariableKind::Ghost
            )
        })
        .map(|(index, _)| Var::Global(GlobalId::new(index)));
    let locals = program
        .processes
        .iter()
        .enumerate()
        .filter(|_| !shares)
        .flat_map(|(index, process)| {
            let id = ProcessId::new(index);
            (0u32..)
                .zip(&process.locals)
                .map(move |(i, _)| Var::Own(id, i))
        });
    globals
        .chain(locals)
        .filter(|var| {
            (!observed.vars.contains(var) || views.is_named(*var))
                && !first.vars.contains(var)
                && !remote.contains(var)
        })
        .collect()
}

/// The variables of instances that the program itself reads from outside.
fn read_remotely(program: &Program, frames: &Frames, accesses: &mut Accesses) -> HashSet<Var> {
    let mut all = cone::remote_reads(program, accesses, frames);
    // What holds everywhere is checked in every state, whoever is where.
    let constraints = [
        &program.initial,
        &program.state_constraint,
        &program.relation,
    ];
    for &id in constraints.into_iter().flatten() {
        for &access in accesses.of(program, id).iter() {
            if let Access::Remote(process, local) = access {
                all.insert(Var::Own(process, local));
            }
        }
    }
    all
}

/// Where a stable state may find an instance of the process, the beginning included.
fn stable_locations(process: &Process) -> impl Iterator<Item = LocId> + '_ {
    (0..process.locations.len())
        .map(LocId::new)
        .filter(|&at| process.locations[at.index()].mode != Mode::Region || at == process.entry)
}

fn variable_mut(program: &mut Program, var: Var) -> &mut model::Variable {
    match var {
        Var::Global(global) => &mut program.globals[global.index()],
        Var::Own(process, local) => &mut program.processes[process.index()].locals[local as usize],
        _ => unreachable!("only globals and locals are candidates"),
    }
}

/// The variables that some step writes.
fn written_anywhere(program: &Program, frames: &Frames) -> HashSet<Var> {
    let mut written = HashSet::new();
    for (index, process) in program.processes.iter().enumerate() {
        let id = ProcessId::new(index);
        for (position, step) in process.steps.iter().enumerate() {
            if !is_disabled(program, step) {
                let scope = frames.step(program, id, position);
                writes_of_step(program, scope, step, |var| {
                    written.insert(var);
                });
            }
        }
    }
    written
}

/// Gives a variable a first value that everyone can know. Says whether that is possible.
fn forget_first_value(program: &mut Program, faults: &mut Faults, var: Var) -> bool {
    let variable = variable_mut(program, var).clone();
    match &variable.init {
        None => true,
        Some(ValueSet::One(value)) if program.exprs.constant(*value).is_some() => true,
        Some(set) => {
            let sure = faults.sure_set(program, set, &variable.ty);
            if sure {
                variable_mut(program, var).init = None;
            }
            sure
        }
    }
}

/// Where a variable is, and its canonical value: the first one where that is a constant.
fn first_value(program: &mut Program, var: Var) -> (Place, model::ExprId) {
    let variable = variable_mut(program, var).clone();
    let value = canonical(program, &variable);
    let place = match var {
        Var::Global(global) => Place::global(global),
        Var::Own(_, local) => Place::own(local as usize),
        _ => unreachable!("only globals and locals are candidates"),
    };
    let value = program.exprs.value(value, variable.ty);
    (place, value)
}

/// The value that stands for all that nobody reads: the first one where that is a constant.
pub(crate) fn canonical(program: &Program, variable: &Variable) -> Value {
    let constant = match &variable.init {
        Some(ValueSet::One(value)) => program.exprs.constant(*value).cloned(),
        _ => None,
    };
    match constant {
        Some(Value::Int(n)) => Value::Int(variable.ty.wrap(n)),
        Some(other) => other,
        None => program.zero(&variable.ty),
    }
}

/// Whether the variable surely begins with its canonical value.
fn begins_canonical(program: &Program, var: Var) -> bool {
    let variable = match var {
        Var::Global(global) => &program.globals[global.index()],
        Var::Own(process, local) => {
            let process = &program.processes[process.index()];
            // A parameter begins with its argument.
            if (local as usize) < process.parameters {
                return false;
            }
            &process.locals[local as usize]
        }
        _ => return false,
    };
    match &variable.init {
        None => true,
        Some(ValueSet::One(value)) => program.exprs.constant(*value).is_some(),
        Some(_) => false,
    }
}

/// For each step the variables that it has to reset: dead where it leads, and perhaps not at
/// their first value.
fn resets(
    program: &Program,
    (liveness, frames, changed_by_others): (&Liveness<'_>, &Frames, &Bits),
    live: &Live,
    id: ProcessId,
    vars: &[Var],
    eligible: &Bits,
) -> Vec<Bits> {
    let process = &program.processes[id.index()];
    let outgoing = outgoing(process);
    let position_of = |var: Var| liveness.position(var);
    let written: Vec<Bits> = process
        .steps
        .iter()
        .enumerate()
        .map(|(index, step)| {
            let mut bits = changed_by_others.clone();
            let scope: Scope = frames.step(program, id, index);
            writes_of_step(program, scope, step, |var| {
                if let Some(position) = position_of(var) {
                    bits.insert(position);
                }
            });
            bits
        })
        .collect();
    let mut dirty = vec![Bits::new(vars.len()); process.locations.len()];
    for (position, &var) in vars.iter().enumerate() {
        if !begins_canonical(program, var) {
            dirty[process.entry.index()].insert(position);
        }
    }
    let mut resets = vec![Bits::new(vars.len()); process.steps.len()];
    let mut waiting: Vec<usize> = (0..process.locations.len()).rev().collect();
    let mut is_waiting = vec![true; process.locations.len()];
    while let Some(at) = waiting.pop() {
        source::limits::check();
        is_waiting[at] = false;
        let mut join = |dirty: &mut Vec<Bits>, to: LocId, after: &Bits| {
            if dirty[to.index()].join(after)
                && !std::mem::replace(&mut is_waiting[to.index()], true)
            {
                waiting.push(to.index());
            }
        };
        for &step in &outgoing[at] {
            if is_disabled(program, &process.steps[step]) {
                continue;
            }
            let mut after = dirty[at].clone();
            after.join(&written[step]);
            if let Some(fault) = process.on_fault {
                join(&mut dirty, fault, &after);
            }
            let next = liveness.leads_to(id, step);
            let is_stable = |to: &LocId| process.locations[to.index()].mode != Mode::Region;
            // What a call or a return passes on is read after the body.
            let is_jump = matches!(process.steps[step].target, Target::Goto(_));
            if is_jump && next.iter().any(is_stable) {
                for position in eligible.ones() {
                    let dead = next
                        .iter()
                        .all(|to| !live.at[to.index()].contains(position));
                    if dead && after.contains(position) {
                        resets[step].insert(position);
                        after.remove(position);
                    }
                }
            }
            if let Target::Call {
                result: Some(place),
                ..
            } = &process.steps[step].target
                && let Some(position) =
                    crate::access::written(frames.step(program, id, step), place)
                        .and_then(position_of)
            {
                // The result is stored when the call returns.
                after.insert(position);
            }
            for to in next {
                join(&mut dirty, to, &after);
            }
        }
    }
    resets
}
