//! Runs in which all variables move at once, told apart by their states.

use model::interp::{Interp, Replay};
use model::{
    Binary, Claim, Composition, Expr, ExprId, GlobalId, Place, Program, PropertyId, SyncAssign,
    Trace, Type, ValueSet, Variable, VariableKind,
};

use super::{Apart, MOST, Same, of_others};

/// The program in which a known run does not violate the property.
pub(super) fn without(
    mut program: Program,
    base: &Program,
    property: PropertyId,
    trace: &Trace,
    degree: Apart,
) -> Option<Program> {
    let replay = Interp::new(base).replay(trace).ok()?;
    let count = trace.steps.len();
    if (count + 1).saturating_mul(base.globals.len()) > MOST {
        return None;
    }
    let claim = program.properties[property.index()].claim.clone();
    match (degree, &claim) {
        (Apart::Ending, Claim::Always(invariant)) => {
            let last = is_state(&mut program, base, &replay, count, false);
            always_or(&mut program, property, *invariant, last);
        }
        (Apart::Ending, _) => {
            let start = trace.loop_start?;
            let again: Vec<ExprId> = (start..count.max(start + 1))
                .map(|at| is_state(&mut program, base, &replay, at, false))
                .collect();
            let again = program.exprs.any(&again);
            of_others(&mut program, property, Same::InTheEnd(again))?;
        }
        (Apart::Way, _) => {
            let along = along(&mut program, base, &replay, trace)?;
            let so_far = program.exprs.any(&along);
            match &claim {
                Claim::Always(invariant) => {
                    always_or(&mut program, property, *invariant, so_far);
                }
                _ => {
                    let same = match trace.loop_start {
                        Some(_) => Same::ForEver(so_far),
                        None => Same::ToTheEnd(so_far_to_the_end(&mut program, &along)?),
                    };
                    of_others(&mut program, property, same)?;
                }
            }
        }
    }
    Some(program)
}

/// That a run is at the end of a known one, or has been.
fn so_far_to_the_end(program: &mut Program, along: &[ExprId]) -> Option<ExprId> {
    let [.., last, done] = along else { return None };
    Some(program.exprs.or(*last, *done))
}

fn always_or(program: &mut Program, property: PropertyId, invariant: ExprId, same: ExprId) {
    let weaker = program.exprs.or(invariant, same);
    program.properties[property.index()].claim = Claim::Always(weaker);
}

/// Adds a ghost that counts the states along a known run; for each of its positions, that a run has come
/// to it and was never elsewhere, and, behind these, that it has come to the end before.
fn along(
    program: &mut Program,
    base: &Program,
    replay: &Replay,
    trace: &Trace,
) -> Option<Vec<ExprId>> {
    let steps = trace.steps.len();
    // The state behind the last step of a loop is the one where it begins.
    let positions = match trace.loop_start {
        Some(start) if start < steps => steps,
        _ => steps + 1,
    };
    let bits = usize::BITS - (positions + 1).leading_zeros();
    let ty = Type::Int {
        bits: u8::try_from(bits).ok()?,
        signed: false,
    };
    let global = program.add_global(Variable {
        kind: VariableKind::Ghost,
        ..Variable::new("along a known run", ty.clone())
    });
    let now = program.exprs.load(Place::global(global), ty.clone());
    let number = |program: &mut Program, at: usize| {
        let at = i128::try_from(at).expect("a run has not so many states");
        program.exprs.int(at, ty.clone())
    };
    // What a run that ends does further makes no other run of it.
    let (done, off) = (number(program, positions), number(program, positions + 1));
    let is_done = program.exprs.binary(Binary::Eq, now, done);
    let mut next = program.exprs.add(Expr::Ite(is_done, done, off), ty.clone());
    let mut all = vec![is_done];
    for at in (0..positions).rev() {
        let here = number(program, at);
        let here = program.exprs.binary(Binary::Eq, now, here);
        let state = is_state(program, base, replay, at, true);
        let here = program.exprs.and(here, state);
        all.push(here);
        let follows = match trace.loop_start {
            Some(start) if at + 1 == positions => start,
            _ => at + 1,
        };
        let follows = number(program, follows);
        next = program
            .exprs
            .add(Expr::Ite(here, follows, next), ty.clone());
    }
    all.reverse();
    let Composition::Synchronous(assigns) = &mut program.composition else {
        return None;
    };
    assigns.push(SyncAssign {
        global,
        next: ValueSet::One(next),
    });
    Some(all)
}

/// That the variables have the values of a state of a run; `inputs`, too.
fn is_state(
    program: &mut Program,
    base: &Program,
    replay: &Replay,
    at: usize,
    inputs: bool,
) -> ExprId {
    let mut all = Vec::new();
    for (global, variable) in base.globals.iter().enumerate() {
        let is_left_out = match variable.kind {
            VariableKind::Step => true,
            VariableKind::Input => !inputs,
            _ => false,
        };
        if is_left_out {
            continue;
        }
        let exprs = &mut program.exprs;
        let held = exprs.load(Place::global(GlobalId::new(global)), variable.ty.clone());
        let value = replay.state(at).globals[global].clone();
        let value = exprs.value(value, variable.ty.clone());
        all.push(exprs.binary(Binary::Ne, held, value));
    }
    let differs = program.exprs.any(&all);
    program.exprs.not(differs)
}

/// A run without the choices of what was added: `assigned` variables of the program itself come before
/// those, and the others after them.
pub(super) fn of_base(base: &Program, assigned: usize, trace: &Trace) -> Trace {
    let own = |step: &model::MacroStep| step.moves.iter().map(|made| made.choices.len()).max();
    let most = trace.steps.iter().filter_map(own).max().unwrap_or(0);
    let mut of_all = vec![false; base.globals.len()];
    if let Composition::Synchronous(assigns) = &base.composition {
        assigns
            .iter()
            .for_each(|assign| of_all[assign.global.index()] = true);
    }
    let free = base.globals.iter().zip(&of_all);
    let free = free
        .filter(|(variable, is_assigned)| !**is_assigned && variable.kind != VariableKind::Frozen)
        .count();
    let added = most.saturating_sub(assigned + free);
    let mut trace = trace.clone();
    for made in trace.steps.iter_mut().flat_map(|step| &mut step.moves) {
        made.choices.drain(assigned..assigned + added);
    }
    trace
}
