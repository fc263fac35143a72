//! Slice: the cone of influence.
//!
//! What a property observes depends on some variables, these on others, and all of them on the
//! control that decides whether they are written; the rest is cut away (Weiser 1984; for models,
//! Millett and Teitelbaum 2000). The cone is a least fixed point: strip the program of what lies
//! outside the cone so far, collapse the control that no longer decides anything, and add to the
//! cone what the remainder reads; until it reads nothing new.
//!
//! Never cut, whatever is observed: guards at stable locations of processes that stay (with
//! ranks, classes and `provided`, which look at them), communications, faults and what decides
//! whether they are raised, assumptions, loops that may not end, and what fairness constraints
//! name. Choices of values that nobody reads vanish: this is what makes a thousand combinations
//! of arguments of an event one.
//!
//! Preserves, for the observed properties: reachability of states, failures, faults and
//! divergence; deadlock; linear time with and without `X`; each only if [`Observed`] says that it
//! is asked for, for the less is asked, the more is cut. A *fails* must be confirmed on the whole
//! program ([`Reduced::lift`](crate::Reduced::lift)): a process that is cut away may stutter
//! longer than it could run.
//! `Explore` is not preserved. Synchronous programs are left as they are.

use std::collections::HashSet;

use model::{Composition, GlobalId, Program};

use crate::access::{Accesses, Frames, Var};
use crate::collapse::{Limits, collapse, stutter_shows};
use crate::cone::{self, Cone};
use crate::observed::Observed;
use crate::strip::Stripper;
use crate::value_flow::Sources;

/// The program without what the observed properties do not depend on, and the globals that lie
/// outside the cone.
#[must_use]
pub fn slice(program: &Program, observed: &Observed) -> (Program, HashSet<GlobalId>) {
    reduce(program, observed, true)
}

/// The program without its write-only variables: those that nothing reads, other than to compute
/// the next value of such a variable. A right side that can fault stays. Control is untouched,
/// so every query but `Explore` is preserved. Also gives these variables, the globals among them.
#[must_use]
pub fn write_only(program: &Program, observed: &Observed) -> (Program, HashSet<GlobalId>) {
    reduce(program, observed, false)
}

fn reduce(program: &Program, observed: &Observed, control: bool) -> (Program, HashSet<GlobalId>) {
    let is_interleaving = matches!(program.composition, Composition::Interleaving { .. });
    let Some(frames) = Frames::of(program).filter(|_| is_interleaving) else {
        return (program.clone(), HashSet::new());
    };
    let mut accesses = Accesses::default();
    let mut cone: Cone = cone::of_observed(program, &mut accesses, observed);
    let sees_steps = stutter_shows(program, &mut accesses, observed);
    let mut sources = Sources::of(program, &frames);
    let mut stripper = Stripper::new(program, &frames);
    loop {
        source::limits::check();
        sources.follow(program, &mut accesses, &mut cone.vars);
        stripper.strip(&cone);
        if control {
            let limits = Limits {
                original: program,
                observed,
                cone: &cone,
                sees_steps,
            };
            collapse(&mut stripper.program, &mut stripper.faults, &limits);
        }
        let read = cone::of_program(&stripper.program, &mut accesses, &frames);
        if cone.covers(&read) {
            let cut = (0..program.globals.len())
                .map(GlobalId::new)
                .filter(|&id| !cone.vars.contains(&Var::Global(id)))
                .collect();
            return (stripper.program, cut);
        }
        cone.join(read);
    }
}
