//! One question, several engines: short runs first, then induction, then IC3 and longer runs side
//! by side.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use audit::Recheck;
use circuit::{Circuit, Lit, Run};
use model::{Budget, Progress, Statistics, UnknownReason};

use crate::bmc::{Bmc, Found};
use crate::certificate::{Invariant, check_first_clauses, check_invariant, trim};
use crate::ic3::{self, Conclusion, Ic3};
use crate::induction::Induction;
use crate::predicates::{Number, Predicate};
use crate::relations::Relations;
use crate::signal_correspondence;
use crate::system::{System, Vocabulary};
use crate::trace::reaches;
use crate::tuning::{Technique, Tuning};
use crate::unwinding::{Control, Laid, Unwinding};
use crate::weakest::add_preconditions;
use solver::{Limits, MakeSolver, Own};

/// How to look for an answer.
#[derive(Clone, Debug)]
pub struct Options {
    /// Facts over latches in which an invariant may be said: gates of the circuit that compare
    /// words, for instance. None is lost and none is believed: they only shape the search.
    pub predicates: Vec<Lit>,
    /// Latches that are bits of numbers: an invariant speaks of them only where predicates and
    /// other latches do not suffice.
    pub data: Vec<Lit>,
    /// Numbers that states hold. Where predicates do not suffice, relations between these are looked
    /// for that do.
    pub numbers: Vec<Number>,
    /// Where control is and which move is made, if that is known: runs are laid out along it.
    pub control: Option<Control>,
    /// Look for runs of at most so many steps before anything else.
    pub first_depth: usize,
    /// Try induction up to this depth.
    pub induction_depth: usize,
    /// Run IC3.
    pub ic3: bool,
    /// The caller checks the invariant: one over single states is not checked here.
    pub audited_later: bool,
    /// What to do without, for measurements and tests.
    pub tuning: Tuning,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            predicates: Vec::new(),
            data: Vec::new(),
            numbers: Vec::new(),
            control: None,
            first_depth: 8,
            induction_depth: 4,
            ic3: true,
            audited_later: false,
            tuning: Tuning::usual(),
        }
    }
}

/// What was found out.
#[derive(Clone, Debug)]
pub enum Answer {
    /// Nothing bad is ever reached. The invariant has been checked, or
    /// [is to be](Options::audited_later).
    Proved {
        /// Why.
        invariant: Invariant,
        /// Which engine found it.
        by: &'static str,
        /// Predicates that were found on the way; the invariant's graph has their gates.
        mined: Vec<Predicate>,
    },
    /// All runs end and have been laid out, and none reaches anything bad. There is no invariant
    /// that says why; the solver's proof has been checked.
    AllRuns {
        /// Which engine laid them out.
        by: &'static str,
        /// How many steps the longest has.
        longest: usize,
    },
    /// Something bad is reached. The run has been simulated.
    Refuted {
        /// The run.
        run: Run,
        /// Which engine found it.
        by: &'static str,
    },
    /// No answer.
    Unknown {
        /// Why.
        reason: UnknownReason,
        /// No run of fewer steps reaches anything bad.
        reached: usize,
    },
}

/// How long IC3 may try without facts.
const FIRST_ATTEMPT: Duration = Duration::from_millis(1500);
/// Conflicts that one question of the first quick looks may take.
const QUICK: u64 = 20_000;
/// The same for each length of runs: longer ones are looked for beside IC3, too.
const QUICK_RUNS: u64 = 2_000;

/// Visits of places that are laid out before other engines begin,
const FIRST_VISITS: usize = 300;
/// and how long that may take.
const FIRST_TIME: Duration = Duration::from_millis(500);

/// How often the search begins anew with more predicates.
const ROUNDS: usize = 6;

/// Whether `bad` is reachable.
#[must_use]
pub fn check(
    circuit: &Circuit,
    bad: Lit,
    options: &Options,
    budget: &Budget,
    progress: &dyn Progress,
) -> Answer {
    check_with(&Own, circuit, bad, options, budget, progress)
}

/// [`check`], with solvers of the caller's choice.
pub fn check_with<M: MakeSolver + Sync>(
    make: &M,
    circuit: &Circuit,
    bad: Lit,
    options: &Options,
    budget: &Budget,
    progress: &dyn Progress,
) -> Answer {
    let vocabulary = Vocabulary {
        predicates: &options.predicates,
        data: &options.data,
    };
    let run = |trusting: bool| {
        let system = System::new(circuit, bad, vocabulary, trusting);
        let job = Job {
            make,
            circuit,
            bad,
            options,
            budget,
            progress,
            system: &system,
        };
        (job.run(), !system.known.is_empty())
    };
    match run(true) {
        // What the circuit says of its reachable states may be right, but need facts from
        // outside of the cone to be shown.
        (
            Answer::Unknown {
                reason: UnknownReason::NotReplayed(_),
                ..
            },
            true,
        ) => run(false).0,
        (answer, _) => answer,
    }
}

struct Job<'a, M> {
    make: &'a M,
    circuit: &'a Circuit,
    bad: Lit,
    options: &'a Options,
    budget: &'a Budget,
    progress: &'a dyn Progress,
    system: &'a System,
}

impl<M: MakeSolver + Sync> Job<'_, M> {
    /// Tells that all runs of fewer steps have been looked at.
    fn tell_runs(&self, steps: usize) {
        let statistics = Statistics {
            depth: steps as u64,
            ..Statistics::default()
        };
        self.progress.report(&statistics, 0);
    }

    fn run(&self) -> Answer {
        let quick = Limits::new(self.budget).conflicts(QUICK);
        let quick_runs = Limits::new(self.budget).conflicts(QUICK_RUNS);
        let mut bmc = Bmc::new(self.system, self.make);
        let mut induction = Induction::new(self.system, self.make);
        let mut inductive = true;
        let mut reason = None;
        let mut unwinding = self.unwinding();
        let first_depth = match unwinding {
            Some(_) => 0,
            None => self.options.first_depth,
        };
        while bmc.done <= first_depth {
            match bmc.step(&quick_runs) {
                Ok(Found::Run { initial, inputs }) => {
                    return self.refuted(&initial, &inputs, "BMC", bmc.done);
                }
                Ok(Found::None) => self.tell_runs(bmc.done),
                Ok(Found::Exhausted) => break,
                Err(why) => {
                    reason = Some(why);
                    break;
                }
            }
            // The runs of fewer than `done` steps are fine: enough for that depth.
            if inductive && induction.depth < bmc.done.min(self.options.induction_depth + 1) {
                match induction.step(&quick) {
                    Ok(true) => {
                        return self.proved_by_induction(self.system, induction.depth, bmc.done);
                    }
                    Ok(false) => {}
                    Err(_) => inductive = false,
                }
            }
        }
        if let Some(why) = Limits::new(self.budget).exhausted(bmc.memory()) {
            return Answer::Unknown {
                reason: why,
                reached: bmc.done,
            };
        }
        if let Some(unwinding) = &mut unwinding {
            let began = Instant::now();
            let (mut is_open, mut visits) = (true, 0);
            while is_open && visits < FIRST_VISITS && began.elapsed() < FIRST_TIME {
                visits += 1;
                let laid = unwinding.go_on(1, &quick);
                is_open = matches!(laid, Ok(Laid::Open));
                if let Some(answer) = self.laid(laid, unwinding.depth()) {
                    return answer;
                }
            }
        }
        if !self.options.ic3 {
            return Answer::Unknown {
                reason: reason.unwrap_or(UnknownReason::Bound(bmc.done as u32)),
                reached: bmc.done,
            };
        }
        if let Some(answer) = self.first_attempt(bmc.done) {
            return answer;
        }
        let mut informed = self.system.clone();
        if self.options.tuning.has(Technique::SignalCorrespondence) {
            if let Err(reason) = signal_correspondence::find(&mut informed, self.make, &quick) {
                return Answer::Unknown {
                    reason,
                    reached: bmc.done,
                };
            }
            if !informed.facts.is_empty() {
                let mut induction = Induction::new(&informed, self.make);
                while induction.depth < bmc.done.min(self.options.induction_depth + 1) {
                    match induction.step(&quick) {
                        Ok(true) => {
                            let depth = induction.depth;
                            return self.proved_by_induction(&informed, depth, bmc.done);
                        }
                        Ok(false) => {}
                        Err(_) => break,
                    }
                }
            }
        }
        self.side_by_side(&informed, bmc, unwinding)
    }

    /// IC3 without any facts, for a while: to find them in a large circuit takes longer than many
    /// proofs do.
    fn first_attempt(&self, reached: usize) -> Option<Answer> {
        let large = self.options.tuning.number(Technique::Ic3First);
        if large == 0 || (self.system.circuit.aig.gate_count() as u64) < large {
            return None;
        }
        let until = Instant::now() + FIRST_ATTEMPT;
        let deadline = self.budget.deadline;
        let budget = Budget {
            deadline: Some(deadline.map_or(until, |deadline| deadline.min(until))),
            ..self.budget.clone()
        };
        let limits = Limits::new(&budget);
        match self.ic3(self.system, limits, &AtomicBool::new(false), reached) {
            Answer::Unknown { .. } => None,
            answer => Some(answer),
        }
    }

    /// Runs laid out along what is known of control, if it is.
    fn unwinding(&self) -> Option<Unwinding<'_, M>> {
        let control = self.options.control.as_ref()?;
        if !self.options.tuning.has(Technique::Unwinding) {
            return None;
        }
        Unwinding::new(self.system, control, self.make, self.budget)
    }

    /// The answer that runs which have been laid out give.
    fn laid(&self, laid: Result<Laid, UnknownReason>, depth: usize) -> Option<Answer> {
        match laid {
            Ok(Laid::All) => Some(Answer::AllRuns {
                by: "unwinding",
                longest: depth,
            }),
            Ok(Laid::Run { initial, inputs }) => {
                let found = self.refuted(&initial, &inputs, "unwinding", depth);
                matches!(found, Answer::Refuted { .. }).then_some(found)
            }
            Ok(Laid::Open) | Err(_) => None,
        }
    }

    /// IC3 here, longer runs in another thread, until one has the answer.
    fn side_by_side(
        &self,
        informed: &System,
        mut bmc: Bmc<'_, M>,
        mut unwinding: Option<Unwinding<'_, M>>,
    ) -> Answer {
        if !self.options.tuning.has(Technique::BmcBesideIc3) {
            let limits = Limits::new(self.budget);
            return self.ic3(informed, limits, &AtomicBool::new(false), bmc.done);
        }
        let done = AtomicBool::new(false);
        let found_run = AtomicBool::new(false);
        let reached = std::sync::atomic::AtomicUsize::new(bmc.done);
        std::thread::scope(|scope| {
            let runs = scope.spawn(|| {
                let limits = Limits {
                    cancelled: Some(&done),
                    ..Limits::new(self.budget)
                };
                if let Some(unwinding) = &mut unwinding {
                    loop {
                        let laid = unwinding.go_on(1, &limits);
                        let is_over = !matches!(laid, Ok(Laid::Open));
                        if let Some(answer) = self.laid(laid, unwinding.depth()) {
                            found_run.store(true, Ordering::Relaxed);
                            return Some(answer);
                        }
                        // The proof has the better claim to the memory.
                        let half = unwinding.memory().saturating_mul(2);
                        if is_over || limits.exhausted(half).is_some() {
                            break;
                        }
                    }
                }
                loop {
                    match bmc.step(&limits) {
                        Ok(Found::Run { initial, inputs }) => {
                            found_run.store(true, Ordering::Relaxed);
                            return Some(self.refuted(&initial, &inputs, "BMC", bmc.done));
                        }
                        Ok(Found::None) => reached.store(bmc.done, Ordering::Relaxed),
                        Ok(Found::Exhausted) | Err(_) => return None,
                    }
                    // The proof has the better claim to the memory.
                    let half = bmc.memory().saturating_mul(2);
                    if limits.exhausted(half).is_some() {
                        return None;
                    }
                }
            });
            let limits = Limits {
                cancelled: Some(&found_run),
                ..Limits::new(self.budget)
            };
            let answer = self.ic3(informed, limits, &done, reached.load(Ordering::Relaxed));
            done.store(true, Ordering::Relaxed);
            match (runs.join(), answer) {
                (
                    _,
                    answer @ (Answer::Proved { .. }
                    | Answer::AllRuns { .. }
                    | Answer::Refuted { .. }),
                ) => answer,
                (Ok(Some(answer)), _) => answer,
                (Err(panic), _) => std::panic::resume_unwind(panic),
                (
                    Ok(None),
                    Answer::Unknown {
                        reason,
                        reached: by_ic3,
                    },
                ) => Answer::Unknown {
                    reason,
                    reached: reached.load(Ordering::Relaxed).max(by_ic3),
                },
            }
        })
    }

    fn ic3(
        &self,
        system: &System,
        limits: Limits<'_>,
        done: &AtomicBool,
        reached: usize,
    ) -> Answer {
        let mut system = system.clone();
        let numbers = &self.options.numbers;
        let mut relations = Relations::observed(&system, numbers, self.make, &limits);
        let mut graph = self.circuit.aig.clone();
        let mut mined = Vec::new();
        let mut most = reached;
        let mut is_refining = true;
        for round in 0.. {
            let refining = (is_refining && round < ROUNDS).then_some(&relations);
            let mut ic3 = Ic3::new(&system, self.make, limits).refining(refining);
            let conclusion = ic3.run(self.progress);
            most = most.max(ic3.frames());
            drop(ic3);
            if let Ok(Conclusion::Refine(chosen)) = conclusion {
                let before = mined.len();
                mined.extend(relations.add_to(&mut system, &mut graph, &chosen.relations));
                if let Some(control) = &self.options.control
                    && self.options.tuning.has(Technique::Preconditions)
                {
                    let steps = &chosen.steps;
                    let means = (control, mined.as_slice());
                    let more = add_preconditions(&mut system, &mut graph, means, steps);
                    mined.extend(more);
                }
                is_refining = mined.len() > before;
                continue;
            }
            done.store(true, Ordering::Relaxed);
            return match conclusion {
                Ok(Conclusion::Safe(cubes)) => {
                    let mut invariant = ic3::invariant(&system, &cubes);
                    invariant.graph = (!mined.is_empty()).then_some(graph);
                    self.proved(invariant, mined, "IC3", most)
                }
                Ok(Conclusion::Unsafe { initial, inputs }) => {
                    self.refuted(&initial, &inputs, "IC3", most)
                }
                Ok(Conclusion::Refine(_)) => unreachable!("it begins anew"),
                Err(reason) => Answer::Unknown {
                    reason,
                    reached: most,
                },
            };
        }
        unreachable!("the last round refines nothing")
    }

    fn proved_by_induction(&self, system: &System, depth: usize, reached: usize) -> Answer {
        let invariant = Invariant {
            graph: None,
            clauses: system.background().collect(),
            depth,
        };
        self.proved(invariant, Vec::new(), "k-induction", reached)
    }

    fn proved(
        &self,
        mut invariant: Invariant,
        mined: Vec<Predicate>,
        by: &'static str,
        reached: usize,
    ) -> Answer {
        let (circuit, bad, budget) = (self.circuit, self.bad, self.budget);
        let checked = if self.options.audited_later && invariant.depth == 0 {
            // What is known of the circuit may need facts from outside of the cone.
            let known = self.system.known.len();
            check_first_clauses(circuit, &invariant, known, self.make, budget)
        } else {
            check_invariant(circuit, bad, &invariant, &Recheck, budget)
        };
        match checked {
            Ok(()) => {
                trim(circuit, bad, &mut invariant, self.make, budget);
                Answer::Proved {
                    invariant,
                    by,
                    mined,
                }
            }
            Err(crate::certificate::Rejection::Limit) => Answer::Unknown {
                reason: budget.exhausted(0).unwrap_or(UnknownReason::Time),
                reached,
            },
            Err(rejection) => Answer::Unknown {
                reason: UnknownReason::NotReplayed(format!(
                    "the invariant that {by} found was rejected ({rejection:?})"
                )),
                reached,
            },
        }
    }

    fn refuted(
        &self,
        initial: &[bool],
        inputs: &[Vec<bool>],
        by: &'static str,
        reached: usize,
    ) -> Answer {
        let run = self.system.widen(self.circuit, initial, inputs);
        if reaches(self.circuit, &run, self.bad) {
            Answer::Refuted { run, by }
        } else {
            Answer::Unknown {
                reason: UnknownReason::NotReplayed(format!("the run that {by} found is none")),
                reached,
            }
        }
    }
}
