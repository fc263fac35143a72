//! Is there a fair run for ever, one that an automaton accepts?
//!
//! Short loops are looked for first, where there is no automaton also from where a walk has led.
//! Then two threads: one [counts](Reduction::Counting), with IC3
//! and growing bounds, which proves that there is no such run; the other looks for longer loops
//! for a while, and then lets IC3 decide the [reduction to loops](Reduction::Loops), which proves or
//! refutes but has twice the latches.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use audit::Recheck;
use circuit::{Circuit, Lit, Run};
use logic::Buchi;
use model::{Budget, Progress, Silent, UnknownReason};

use crate::bmc::{Bmc, Found};
use crate::certificate::{Invariant, Rejection, check_invariant};
use crate::ic3::{self, Conclusion, Ic3};
use crate::liveness::{Reduced, Reduction, Watched, watched};
use crate::product::{Often, Product, product};
use crate::semiformal::look_for_loop;
use crate::system::{System, Vocabulary};
use solver::{Limits, MakeSolver, Own};

/// What was found out.
#[derive(Clone, Debug)]
pub enum FairAnswer {
    /// There is no such run. The invariant, of the reduced circuit, has been checked; so can
    /// [`check_fair_invariant`].
    None {
        /// Why.
        invariant: Invariant,
        /// Which circuit it speaks of.
        reduction: Reduction,
    },
    /// There is one: it has a loop, and has been simulated.
    Run {
        /// The run of the circuit.
        run: Run,
        /// Which engine found it.
        by: &'static str,
    },
    /// No answer.
    Unknown {
        /// Why.
        reason: UnknownReason,
        /// There is no such run of at most so many steps, loop included.
        reached: usize,
    },
}

/// Loops of at most so many steps are looked for before anything else.
const FIRST_DEPTH: usize = 8;
/// A loop that takes more conflicts to be found than this is worth a walk first.
const EASY: u64 = 500;
const QUICK: u64 = 20_000;
/// How long loops are looked for before IC3 takes the thread.
const LOOKING: Duration = Duration::from_secs(20);
/// A run that loops on its cone is repeated at most so many steps until all latches loop.
const LONGEST: usize = 100_000;

/// Whether the circuit has a run for ever that is fair (all of its justice and compassion) and that
/// the automaton accepts, if there is one. The automaton's atoms are literals of the circuit; the
/// letter at a position is read from its latches and inputs.
#[must_use]
pub fn check_fair(
    circuit: &Circuit,
    automaton: Option<&Buchi<Lit>>,
    budget: &Budget,
    progress: &dyn Progress,
) -> FairAnswer {
    let part = restricted(circuit, automaton);
    let product = product(&part.circuit, part.automaton.as_ref());
    let job = Job {
        make: Own,
        whole: circuit,
        part: &part,
        product: &product,
        budget,
        progress,
    };
    job.run()
}

/// Checks that an invariant of the reduced circuit shows that there is no such run. The reduction
/// is made anew.
///
/// # Errors
/// If it does not, or if the budget does not suffice to see it.
pub fn check_fair_invariant<M: MakeSolver>(
    circuit: &Circuit,
    automaton: Option<&Buchi<Lit>>,
    reduction: Reduction,
    invariant: &Invariant,
    make: &M,
    budget: &Budget,
) -> Result<(), Rejection> {
    let part = restricted(circuit, automaton);
    let reduced = reduction.of(&product(&part.circuit, part.automaton.as_ref()));
    check_invariant(&reduced.circuit, reduced.bad, invariant, make, budget)
}

/// A question about runs for ever, reduced to one about what is reached.
#[derive(Clone, Debug)]
pub struct ReducedRuns {
    /// The circuit of which an invariant speaks.
    pub circuit: Circuit,
    /// What is not reached if there is no such run.
    pub bad: Lit,
    /// What each of its latches says.
    pub latches: Vec<Watched>,
    /// What has to hold infinitely often; [`Watched::Seen`] and [`Watched::Since`] name positions
    /// here.
    pub often: Vec<Often>,
}

/// What the invariant speaks of that [`check_fair`] found for the same question.
#[must_use]
pub fn reduced_runs(
    circuit: &Circuit,
    automaton: Option<&Buchi<Lit>>,
    reduction: Reduction,
) -> ReducedRuns {
    let part = restricted(circuit, automaton);
    let product = product(&part.circuit, part.automaton.as_ref());
    let mut own: Vec<Watched> = part.latches.iter().map(|&id| Watched::Latch(id)).collect();
    own.extend((0..circuit.compassion.len()).map(Watched::Never));
    let states = part.automaton.iter().flat_map(Buchi::states);
    own.extend(states.map(|state| Watched::State(state.index())));
    let reduced = reduction.of(&product);
    ReducedRuns {
        latches: watched(reduction, &product, own),
        circuit: reduced.circuit,
        bad: reduced.bad,
        often: product.origins,
    }
}

/// The cone of what is asked.
struct Part {
    circuit: Circuit,
    automaton: Option<Buchi<Lit>>,
    latches: Vec<circuit::LatchId>,
    inputs: Vec<circuit::InputId>,
}

fn restricted(circuit: &Circuit, automaton: Option<&Buchi<Lit>>) -> Part {
    let atoms = automaton.map_or(&[][..], |automaton| &automaton.atoms);
    let part = circuit.restricted(atoms, true);
    let automaton = automaton.map(|a| a.clone().map(|atom| part.map.lit(atom)));
    Part {
        automaton,
        latches: part.latches,
        inputs: part.inputs,
        circuit: part.circuit,
    }
}

struct Job<'a> {
    make: Own,
    whole: &'a Circuit,
    part: &'a Part,
    product: &'a Product,
    budget: &'a Budget,
    progress: &'a dyn Progress,
}

impl Job<'_> {
    fn run(&self) -> FairAnswer {
        let reduced = Reduction::Loops.of(self.product);
        let system = System::new(&reduced.circuit, reduced.bad, Vocabulary::default(), true);
        let mut bmc = Bmc::new(&system, &self.make);
        let quick = Limits::new(self.budget).conflicts(QUICK);
        let easy = quick.conflicts(EASY);
        // That there are fair runs at all is mostly so, and easily seen from where some run led.
        let mut may_walk = self.part.automaton.is_none();
        while bmc.done <= FIRST_DEPTH {
            let limits = if may_walk { easy } else { quick };
            match bmc.step(&limits) {
                Ok(Found::Run { initial, inputs }) => {
                    let run = system.widen(&reduced.circuit, &initial, &inputs);
                    return self.found(&reduced, &run, "BMC", bmc.done);
                }
                Ok(Found::None) => {}
                Err(UnknownReason::Bound(_)) if may_walk => {
                    may_walk = false;
                    let walked = reduced
                        .save
                        .and_then(|save| look_for_loop(&system, save, &self.make, &quick));
                    if let Some((initial, inputs)) = walked {
                        let run = system.widen(&reduced.circuit, &initial, &inputs);
                        return self.found(&reduced, &run, "a walk", bmc.done);
                    }
                }
                // No run is long enough to loop; the invariant says so.
                Ok(Found::Exhausted) | Err(_) => break,
            }
        }
        if let Some(reason) = quick.exhausted(0) {
            return FairAnswer::Unknown {
                reason,
                reached: bmc.done,
            };
        }
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let counting = scope.spawn(|| {
                let answer = self.count(&done);
                if answer.is_some() {
                    done.store(true, Ordering::Relaxed);
                }
                answer
            });
            let looping = self.look(&reduced, &system, bmc, &done);
            // Where a limit was met here, counting may still have an answer; a run that turned out
            // to be none is a defect, and stands.
            let limited = match &looping {
                FairAnswer::Unknown { reason, .. } => {
                    !matches!(reason, UnknownReason::NotReplayed(_))
                }
                _ => false,
            };
            if !limited {
                done.store(true, Ordering::Relaxed);
            }
            match counting.join() {
                Ok(Some(answer)) if limited => answer,
                Ok(_) => looping,
                Err(panic) => std::panic::resume_unwind(panic),
            }
        })
    }

    /// Longer loops for a while, then IC3.
    fn look<'s>(
        &self,
        reduced: &Reduced,
        system: &'s System,
        mut bmc: Bmc<'s, Own>,
        done: &'s AtomicBool,
    ) -> FairAnswer {
        let end = Instant::now() + LOOKING;
        let short = Budget {
            deadline: Some(
                self.budget
                    .deadline
                    .map_or(end, |deadline| deadline.min(end)),
            ),
            ..self.budget.clone()
        };
        let limits = Limits {
            cancelled: Some(done),
            ..Limits::new(&short)
        };
        loop {
            match bmc.step(&limits) {
                Ok(Found::Run { initial, inputs }) => {
                    let run = system.widen(&reduced.circuit, &initial, &inputs);
                    return self.found(reduced, &run, "BMC", bmc.done);
                }
                Ok(Found::None) => {}
                Ok(Found::Exhausted) | Err(_) => break,
            }
        }
        let depth = bmc.done;
        drop(bmc);
        let budget = self.budget.clone();
        let limits = Limits {
            cancelled: Some(done),
            ..Limits::new(&budget)
        };
        let conclusion = Ic3::new(system, &self.make, limits).run(self.progress);
        match conclusion {
            Ok(Conclusion::Safe(cubes)) => {
                let invariant = ic3::invariant(system, &cubes);
                self.none(reduced, invariant, Reduction::Loops, depth)
            }
            Ok(Conclusion::Unsafe { initial, inputs }) => {
                let run = system.widen(&reduced.circuit, &initial, &inputs);
                self.found(reduced, &run, "IC3", depth)
            }
            Ok(Conclusion::Refine(_)) => unreachable!("nobody asked for that"),
            Err(reason) => FairAnswer::Unknown {
                reason,
                reached: depth,
            },
        }
    }

    /// Bounds that grow; nothing if that shows nothing.
    fn count(&self, done: &AtomicBool) -> Option<FairAnswer> {
        let mut bound = 0;
        // What is bad for one bound may be reached; then the next is tried.
        loop {
            let reduction = Reduction::Counting(bound);
            let reduced = reduction.of(self.product);
            let system = System::new(&reduced.circuit, reduced.bad, Vocabulary::default(), true);
            let limits = Limits {
                cancelled: Some(done),
                ..Limits::new(self.budget)
            };
            match Ic3::new(&system, &self.make, limits).run(&Silent) {
                Ok(Conclusion::Safe(cubes)) => {
                    let invariant = ic3::invariant(&system, &cubes);
                    let answer = self.none(&reduced, invariant, reduction, 0);
                    return matches!(answer, FairAnswer::None { .. }).then_some(answer);
                }
                Ok(Conclusion::Unsafe { .. }) => bound = 2 * bound + 1,
                Err(_) | Ok(Conclusion::Refine(_)) => return None,
            }
            if bound > 1 << 12 {
                return None;
            }
        }
    }

    fn none(
        &self,
        reduced: &Reduced,
        invariant: Invariant,
        reduction: Reduction,
        reached: usize,
    ) -> FairAnswer {
        match check_invariant(
            &reduced.circuit,
            reduced.bad,
            &invariant,
            &Recheck,
            self.budget,
        ) {
            Ok(()) => FairAnswer::None {
                invariant,
                reduction,
            },
            Err(Rejection::Limit) => FairAnswer::Unknown {
                reason: self.budget.exhausted(0).unwrap_or(UnknownReason::Time),
                reached,
            },
            Err(rejection) => FairAnswer::Unknown {
                reason: UnknownReason::NotReplayed(format!(
                    "the invariant was rejected ({rejection:?})"
                )),
                reached,
            },
        }
    }

    /// The run of the whole circuit behind a run of the reduced one.
    fn found(&self, reduced: &Reduced, run: &Run, by: &'static str, reached: usize) -> FairAnswer {
        match self.whole_run(reduced, run) {
            Some(run) => FairAnswer::Run { run, by },
            None => FairAnswer::Unknown {
                reason: UnknownReason::NotReplayed(format!("the run that {by} found has no loop")),
                reached,
            },
        }
    }

    fn whole_run(&self, reduced: &Reduced, run: &Run) -> Option<Run> {
        // The loop of the product, and what held on it.
        let states = reduced.circuit.states(run).ok()?;
        let saved = |state: &Vec<bool>| reduced.circuit.evaluate(state, &[]).holds(reduced.saved);
        let loop_start = states.iter().position(saved)?.checked_sub(1)?;
        let latches = self.product.circuit.latches.len();
        let inputs = self.product.circuit.inputs.len();
        let product_run = Run {
            initial: run.initial[..latches].to_vec(),
            steps: run.steps.iter().map(|row| row[..inputs].to_vec()).collect(),
            last: Vec::new(),
            loop_start: Some(loop_start),
        };
        if !loops_through(&self.product.circuit, &product_run, &self.product.often) {
            return None;
        }
        // The same in the whole circuit: what is outside is fed with nothing, and the loop is
        // repeated until that repeats as well.
        let mut whole = Run {
            initial: self.whole.reset_state(),
            ..Run::default()
        };
        for (id, value) in self.part.latches.iter().zip(&run.initial) {
            whole.initial[id.index()] = *value;
        }
        let wide: Vec<Vec<bool>> = run
            .steps
            .iter()
            .map(|row| {
                let mut wide = vec![false; self.whole.inputs.len()];
                for (id, value) in self.part.inputs.iter().zip(row) {
                    wide[id.index()] = *value;
                }
                wide
            })
            .collect();
        let mut state = whole.initial.clone();
        let step = |state: &mut Vec<bool>, inputs: &[bool]| {
            *state = self.whole.evaluate(state, inputs).next_state();
        };
        for inputs in &wide[..loop_start] {
            step(&mut state, inputs);
            whole.steps.push(inputs.clone());
        }
        let mut rounds = std::collections::HashMap::new();
        loop {
            if let Some(&start) = rounds.get(&state) {
                whole.loop_start = Some(start);
                break;
            }
            if whole.steps.len() > LONGEST {
                return None;
            }
            rounds.insert(state.clone(), whole.steps.len());
            for inputs in &wide[loop_start..] {
                step(&mut state, inputs);
                whole.steps.push(inputs.clone());
            }
        }
        self.whole.states(&whole).ok()?;
        Some(whole)
    }
}

/// Whether this is a run for ever on whose loop each of `often` holds somewhere.
fn loops_through(circuit: &Circuit, run: &Run, often: &[Lit]) -> bool {
    let (Some(start), Ok(states)) = (run.loop_start, circuit.states(run)) else {
        return false;
    };
    let mut seen = vec![false; often.len()];
    for (state, inputs) in states.iter().zip(&run.steps).skip(start) {
        let values = circuit.evaluate(state, inputs);
        for (seen, &lit) in seen.iter_mut().zip(often) {
            *seen |= values.holds(lit);
        }
    }
    seen.iter().all(|seen| *seen)
}
