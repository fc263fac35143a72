//! Macro steps: from a stable state through inner states to the stable states that follow.
//!
//! Inner states are explored breadth-first, so that a macro step is found with the fewest moves; or
//! depth-first, where any macro step of some sort will do.
//! An inner state from which no stable state can be reached, although no assumption removed a run
//! there, is one from which the macro step never returns.

use std::collections::{HashMap, HashSet, VecDeque};

use logic::mu::Happening;

use super::oracle::{Enumerate, Halt};
use super::state::State;
use super::{Interp, Occurrence, Parts, Stop, Successor, Violation};
use crate::graph::Label;
use crate::program::Composition;
use crate::trace::{MacroStep, Move};

/// All that can happen in one macro step.
#[derive(Clone, Default, Debug)]
pub struct Expansion {
    /// The macro steps that end, each with the state at its end, without repetition: one for each
    /// first move's parts and each end, since fairness asks who has moved.
    pub successors: Vec<Successor>,
    /// Failed checks and faults on the way, each with the moves up to it.
    pub violations: Vec<(Violation, MacroStep)>,
    /// Moves to an inner state from which the macro step never returns, if there is one.
    pub diverges: Option<MacroStep>,
    /// Whether a sample stood for a wide choice.
    pub sampled: bool,
    /// Whether there are more inner states than are looked at: what those lead to is missing. Ends are
    /// found in the order of moves it takes to come there, so what is missing takes more.
    pub gave_up: bool,
}

/// An inner state on the way.
struct Inner {
    state: State,
    /// Who made the first move of the macro step.
    first: Parts,
    /// The inner state before it and the move between.
    reached_by: Option<(usize, Move)>,
    /// Inner states that follow.
    next: Vec<usize>,
    /// Whether a stable state follows, or an assumption removed a run here.
    ends: bool,
    /// What has happened, if that is asked for.
    label: Label,
}

/// In which order inner states are explored.
enum Order<'o> {
    BreadthFirst,
    /// The last found first, until what has been found is enough.
    DepthFirst(&'o mut dyn FnMut(&Expansion) -> bool),
}

impl Order<'_> {
    fn next(&self, waiting: &mut VecDeque<usize>) -> Option<usize> {
        match self {
            Order::BreadthFirst => waiting.pop_front(),
            Order::DepthFirst(_) => waiting.pop_back(),
        }
    }
}

impl Interp<'_> {
    /// Everything that can happen from a stable state.
    ///
    /// # Errors
    /// If a mathematical integer leaves 128 bits, or the macro step has more inner states than
    /// the budget allows.
    pub fn expand(&self, from: &State) -> Result<Expansion, Stop> {
        match self.expand_some(from)? {
            expansion if expansion.gave_up => Err(Stop::StepBudget),
            expansion => Ok(expansion),
        }
    }

    /// What can happen from a stable state, with at least as many inner states as the budget allows.
    ///
    /// # Errors
    /// If a mathematical integer leaves 128 bits.
    pub fn expand_some(&self, from: &State) -> Result<Expansion, Stop> {
        if let Composition::Synchronous(assigns) = &self.program.composition {
            return self.expand_synchronous(from, assigns);
        }
        let from = self.stored(from);
        let (mut expansion, mut inner) = self.explore_inner(from, Order::BreadthFirst)?;
        inner[0].ends = true;
        expansion.diverges = first_without_end(&mut inner).map(|at| path_to(&inner, at, None));
        Ok(expansion)
    }

    /// What is found from a stable state, depth-first, until that is enough: asked whenever an end or
    /// violations have been added, which are the last ones. It may never be enough, with as many inner
    /// states as the budget allows. Divergence is not looked for.
    ///
    /// # Errors
    /// If a mathematical integer leaves 128 bits.
    pub fn expand_until(
        &self,
        from: &State,
        enough: &mut dyn FnMut(&Expansion) -> bool,
    ) -> Result<Expansion, Stop> {
        if let Composition::Synchronous(assigns) = &self.program.composition {
            return self.expand_synchronous(from, assigns);
        }
        let order = Order::DepthFirst(enough);
        Ok(self.explore_inner(self.stored(from), order)?.0)
    }

    /// Everything that can happen from a stable state, if from there to the end of the macro step
    /// each move is the only one, with only one outcome: then no inner state has to be kept. `None`
    /// if there is more to it, or an error.
    #[must_use]
    pub fn expand_straight(&self, from: &State) -> Option<Expansion> {
        if matches!(self.program.composition, Composition::Synchronous(_)) {
            return None;
        }
        let mut state = self.stored(from);
        let mut expansion = Expansion::default();
        let mut step = MacroStep { moves: Vec::new() };
        let mut label = Label::default();
        for _ in 0..self.micro_steps {
            let [parts] = &self.moves(&state)[..] else {
                return None;
            };
            let mut oracle = Enumerate::default();
            let outcome = self.perform(&state, parts, &mut oracle).ok()?;
            if oracle.advance() || oracle.sampled {
                return None;
            }
            step.moves.push(Move {
                parts: parts.clone(),
                choices: outcome.choices,
            });
            label = self.label(&label, &outcome.occurrences);
            let violations = outcome.occurrences.iter();
            let violations = violations.filter_map(Occurrence::violation);
            for violation in violations {
                expansion.violations.push((violation, step.clone()));
            }
            state = outcome.state;
            if self.stabilise(&mut state) {
                if !self.meets_constraints(&state).ok()? {
                    return None;
                }
                expansion.successors.push(Successor { step, state, label });
                return Some(expansion);
            }
        }
        None
    }

    /// Whether the macro step that is under way in an inner state can no longer end.
    ///
    /// # Errors
    /// As [`expand`](Self::expand).
    pub fn never_returns(&self, inner: &State) -> Result<bool, Stop> {
        let (expansion, mut inner) = self.explore_inner(inner.clone(), Order::BreadthFirst)?;
        if expansion.gave_up {
            return Err(Stop::StepBudget);
        }
        first_without_end(&mut inner);
        Ok(!inner[0].ends)
    }

    fn explore_inner(
        &self,
        from: State,
        mut order: Order<'_>,
    ) -> Result<(Expansion, Vec<Inner>), Stop> {
        let mut expansion = Expansion::default();
        let mut inner = vec![Inner {
            state: from,
            first: Parts::new(),
            reached_by: None,
            next: Vec::new(),
            ends: false,
            label: Label::default(),
        }];
        let mut known: HashMap<(Parts, Label, State), usize> = HashMap::new();
        let mut ends: HashSet<(Parts, Label, State)> = HashSet::new();
        let mut waiting = VecDeque::from([0]);
        'all: while let Some(current) = order.next(&mut waiting) {
            if inner.len() as u64 > self.micro_steps {
                // Where the others end is not known.
                expansion.gave_up = true;
                for left in waiting.drain(..).chain([current]) {
                    inner[left].ends = true;
                }
                break;
            }
            let state = inner[current].state.clone();
            for parts in self.moves(&state) {
                let first = match &inner[current].first {
                    first if first.is_empty() => parts.clone(),
                    first => first.clone(),
                };
                let mut oracle = Enumerate::default();
                let mut tries = 0;
                loop {
                    self.in_time(&mut tries)?;
                    let found = |expansion: &Expansion| {
                        (expansion.successors.len(), expansion.violations.len())
                    };
                    let found_before = found(&expansion);
                    match self.perform(&state, &parts, &mut oracle) {
                        Ok(outcome) => {
                            let made = Move {
                                parts: parts.clone(),
                                choices: outcome.choices,
                            };
                            let label = self.label(&inner[current].label, &outcome.occurrences);
                            let mut next = outcome.state;
                            let stable = self.stabilise(&mut next);
                            let exists = !stable || self.meets_constraints(&next)?;
                            let violations = outcome.occurrences.iter();
                            for violation in violations.filter_map(Occurrence::violation) {
                                if exists {
                                    let path = path_to(&inner, current, Some(made.clone()));
                                    expansion.violations.push((violation, path));
                                }
                            }
                            let key = (first.clone(), label.clone(), next.clone());
                            if stable {
                                inner[current].ends = true;
                                if exists && ends.insert(key) {
                                    expansion.successors.push(Successor {
                                        step: path_to(&inner, current, Some(made)),
                                        state: next,
                                        label,
                                    });
                                }
                            } else if let Some(&place) = known.get(&key) {
                                inner[current].next.push(place);
                            } else {
                                let place = inner.len();
                                known.insert(key, place);
                                inner[current].next.push(place);
                                inner.push(Inner {
                                    state: next,
                                    first: first.clone(),
                                    reached_by: Some((current, made)),
                                    next: Vec::new(),
                                    ends: false,
                                    label,
                                });
                                waiting.push_back(place);
                            }
                        }
                        Err(Halt::Pruned { assumed }) => inner[current].ends |= assumed,
                        Err(Halt::Overflow) => return Err(Stop::Overflow),
                        Err(Halt::TooWide) => return Err(Stop::TooWide),
                        Err(Halt::Refused(_)) => unreachable!("nothing is given"),
                    }
                    if let Order::DepthFirst(enough) = &mut order
                        && found(&expansion) != found_before
                        && enough(&expansion)
                    {
                        expansion.sampled |= oracle.sampled;
                        break 'all;
                    }
                    if !oracle.advance() {
                        break;
                    }
                }
                expansion.sampled |= oracle.sampled;
            }
        }
        Ok((expansion, inner))
    }

    /// What has happened, with these occurrences at its end; nothing unless it is asked for.
    fn label(&self, before: &Label, occurrences: &[Occurrence]) -> Label {
        if !self.labelled {
            return Label::default();
        }
        let events = occurrences
            .iter()
            .filter_map(|occurrence| match occurrence {
                Occurrence::Event { event, args, .. } => Some(Happening {
                    event: *event,
                    args: args.clone().into(),
                }),
                _ => None,
            });
        before.iter().cloned().chain(events).collect()
    }

    /// Whether the state constraint holds.
    pub(crate) fn meets_constraints(&self, state: &State) -> Result<bool, Stop> {
        for &constraint in &self.program.state_constraint {
            if !self.holds(state, constraint)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The first inner state, in order of discovery, from which no end can be reached.
fn first_without_end(inner: &mut [Inner]) -> Option<usize> {
    loop {
        let mut changed = false;
        for place in (0..inner.len()).rev() {
            if !inner[place].ends && inner[place].next.iter().any(|&next| inner[next].ends) {
                inner[place].ends = true;
                changed = true;
            }
        }
        if !changed {
            return inner.iter().position(|inner| !inner.ends);
        }
    }
}

/// The moves that lead to an inner state, and one more.
fn path_to(inner: &[Inner], mut at: usize, last: Option<Move>) -> MacroStep {
    let mut moves: Vec<Move> = last.into_iter().collect();
    while let Some((before, made)) = &inner[at].reached_by {
        moves.push(made.clone());
        at = *before;
    }
    moves.reverse();
    MacroStep { moves }
}

impl Occurrence {
    /// What went wrong, if something did.
    #[must_use]
    pub fn violation(&self) -> Option<Violation> {
        match self {
            Occurrence::Failed { check, .. } => Some(Violation::Check(*check)),
            Occurrence::Fault { fault, .. } => Some(Violation::Fault(*fault)),
            Occurrence::Event { .. } | Occurrence::Step { .. } | Occurrence::Chosen { .. } => None,
        }
    }
}
