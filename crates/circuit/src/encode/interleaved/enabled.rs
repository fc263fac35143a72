//! Which moves are enabled: possible ones, less those that siblings, the exclusive holder, a
//! higher class or a higher priority keep back.
//!
//! Whether a move is possible asks whether *some* choices before its guard satisfy it. Choices of
//! few bits are tried out; where many are needed, the move's possibility is not known as a gate,
//! and whatever depends on it is refused. Most moves that choose widely do not let their guard
//! depend on it.

use model::{Expr, Mode};

use super::super::evaluate::{Asked, Store};
use super::super::{Encoding, Unsupported};
use super::candidates::Candidate;
use super::flow::{Flow, Log};
use crate::aig::{Lit, NodeId};

/// More bits of choices than these are not tried out.
const MOST_TRIED: usize = 8;

/// Which moves are enabled in a state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Enabled {
    /// For each candidate, whether nothing else keeps it back.
    pub(crate) free: Vec<Lit>,
    /// For each candidate, whether it is enabled, where that is known.
    pub(crate) enabled: Vec<Option<Lit>>,
    /// Whether the exclusive holder goes on.
    pub(crate) holder_goes_on: Option<Lit>,
}

/// What guards ask of everybody.
#[derive(Clone, Copy, Default)]
pub(super) struct Questions {
    nothing: bool,
    enabled: bool,
}

/// Answers to what guards ask.
#[derive(Clone, Default, Debug)]
pub(super) struct Answers {
    nothing: Option<Lit>,
    enabled: Option<Vec<Lit>>,
}

impl Answers {
    pub(super) fn asked(&self) -> Asked<'_> {
        Asked {
            nothing: self.nothing,
            enabled: self.enabled.as_deref(),
        }
    }
}

impl Encoding<'_> {
    fn questions(&self) -> Questions {
        let exprs = &self.program.exprs;
        let all = (0..exprs.len()).map(model::ExprId::new);
        let mut questions = Questions::default();
        for id in all {
            match exprs.get(id) {
                Expr::NothingEnabled => questions.nothing = true,
                Expr::Enabled(_) => questions.enabled = true,
                _ => {}
            }
        }
        questions
    }

    /// What guards are told that ask who can move.
    pub(super) fn answers(
        &mut self,
        candidates: &[Candidate],
        store: &Store,
    ) -> Result<Answers, Unsupported> {
        self.answers_within(candidates, store, self.questions(), None, false)
    }

    /// The same while `NothingEnabled` is being asked (and then is what is given), or `Enabled`.
    fn answers_within(
        &mut self,
        candidates: &[Candidate],
        store: &Store,
        questions: Questions,
        nothing: Option<Lit>,
        asking: bool,
    ) -> Result<Answers, Unsupported> {
        let known = |possible: Vec<Option<Lit>>| {
            let all: Option<Vec<Lit>> = possible.into_iter().collect();
            all.ok_or_else(|| Unsupported::new("whether somebody can choose something"))
        };
        let mut answers = Answers {
            nothing,
            enabled: None,
        };
        if questions.nothing && nothing.is_none() {
            let told = Some(Lit::FALSE);
            let inner = self.answers_within(candidates, store, questions, told, asking)?;
            let possible = known(self.possible(candidates, store, &inner)?)?;
            answers.nothing = Some(!self.circuit.aig.any(&possible));
        }
        if questions.enabled && asking {
            answers.enabled = Some(vec![Lit::FALSE; store.instances.len()]);
        } else if questions.enabled {
            let inner = self.answers_within(candidates, store, questions, nothing, true)?;
            let possible = known(self.possible(candidates, store, &inner)?)?;
            let can = (0..store.instances.len()).map(|instance| {
                let takes_part = candidates.iter().zip(&possible).filter(|(candidate, _)| {
                    candidate.parts.iter().any(|part| part.instance == instance)
                });
                let its: Vec<Lit> = takes_part.map(|(_, &lit)| lit).collect();
                self.circuit.aig.any(&its)
            });
            answers.enabled = Some(can.collect());
        }
        Ok(answers)
    }

    /// For each candidate whether guards and communication allow it, where that is known.
    fn possible(
        &mut self,
        candidates: &[Candidate],
        store: &Store,
        answers: &Answers,
    ) -> Result<Vec<Option<Lit>>, Unsupported> {
        let mut possible = Vec::new();
        for candidate in candidates {
            self.goes_on()?;
            let (mut flow, mut log) = (Flow::new(store.clone()), Log::default());
            self.prepare(&mut flow, &mut log, candidate, answers.asked())?;
            let allowed = self.circuit.aig.and(candidate.at, !log.pruned);
            let chosen: Vec<NodeId> = self.choice_inputs(allowed);
            possible.push(if chosen.len() <= MOST_TRIED {
                Some(self.circuit.aig.exists(allowed, &chosen))
            } else {
                None
            });
        }
        Ok(possible)
    }

    /// The choices on which a literal depends. What a function without an encoding gives is no
    /// choice: it is some value, and the guard either holds or not.
    fn choice_inputs(&self, lit: Lit) -> Vec<NodeId> {
        if self.row.used == 0 {
            return Vec::new();
        }
        let leaves = self.circuit.aig.leaves(lit).into_iter();
        leaves.filter(|id| self.row.holds(id.lit())).collect()
    }

    /// Which moves are enabled in a state.
    pub(super) fn enabled(
        &mut self,
        candidates: &[Candidate],
        store: &Store,
        answers: &Answers,
    ) -> Result<Enabled, Unsupported> {
        let possible = self.possible(candidates, store, answers)?;
        let mut free = vec![Lit::TRUE; candidates.len()];
        self.keep_urgent_siblings(candidates, &possible, &mut free)?;
        let priorities = self.priorities(store)?;
        let (goes_on, holding) =
            self.holding(candidates, store, &possible, &free, priorities.as_deref())?;
        let held = self.circuit.aig.any(&holding);
        if held != Lit::FALSE {
            for (candidate, free) in candidates.iter().zip(&mut free) {
                let aig = &mut self.circuit.aig;
                let its = aig.or(!held, holding[candidate.parts[0].instance]);
                *free = aig.and(*free, its);
            }
        }
        self.keep_highest_class(candidates, &possible, &mut free)?;
        if let Some(priorities) = priorities {
            self.keep_highest_priority(candidates, &possible, &mut free, &priorities)?;
        }
        let enabled = possible
            .iter()
            .zip(&free)
            .map(|(possible, &free)| Some(self.circuit.aig.and((*possible)?, free)))
            .collect();
        Ok(Enabled {
            free,
            enabled,
            holder_goes_on: goes_on,
        })
    }

    /// Whether a possible move is there and free.
    fn standing(&mut self, possible: Option<Lit>, free: Lit) -> Result<Lit, Unsupported> {
        match possible {
            Some(possible) => Ok(self.circuit.aig.and(possible, free)),
            None => Err(Unsupported::new(
                "a choice of very many values in front of a guard, where other steps wait for it",
            )),
        }
    }

    fn keep_urgent_siblings(
        &mut self,
        candidates: &[Candidate],
        possible: &[Option<Lit>],
        free: &mut [Lit],
    ) -> Result<(), Unsupported> {
        // Greater is more urgent: precedence up, rank down.
        let urgency = |this: &Self, part: &super::candidates::CandidatePart| {
            let step = this.step_of(part)?;
            Some((part.precedence, u16::MAX - step.rank))
        };
        for (index, candidate) in candidates.iter().enumerate() {
            for part in &candidate.parts {
                let Some(own) = urgency(self, part) else {
                    continue;
                };
                let mut others = Vec::new();
                for (other, rival) in candidates.iter().enumerate() {
                    let more_urgent = rival.parts.iter().any(|other| {
                        other.instance == part.instance
                            && urgency(self, other).is_some_and(|urgency| urgency > own)
                    });
                    if more_urgent && self.circuit.aig.and(rival.at, candidate.at) != Lit::FALSE {
                        others.push(self.standing(possible[other], Lit::TRUE)?);
                    }
                }
                let aig = &mut self.circuit.aig;
                let preempted = aig.any(&others);
                free[index] = aig.and(free[index], !preempted);
            }
        }
        Ok(())
    }

    /// Whether the holder goes on alone; and for each instance, whether it is the holder and
    /// everybody else waits.
    fn holding(
        &mut self,
        candidates: &[Candidate],
        store: &Store,
        possible: &[Option<Lit>],
        free: &[Lit],
        priorities: Option<&[crate::Word]>,
    ) -> Result<(Option<Lit>, Vec<Lit>), Unsupported> {
        let mut goes_on = Vec::new();
        let mut holding = Vec::new();
        for instance in 0..store.instances.len() {
            let control = self.controls[instance].clone();
            let process = &self.program.processes[control.process.index()];
            let region = control.codes_of(process, &[Mode::Region]);
            let atomic = control.codes_of(process, &[Mode::Atomic]);
            let in_region = self.is_at_any(store, instance, &region);
            let in_atomic = self.is_at_any(store, instance, &atomic);
            let inside = self.circuit.aig.or(in_region, in_atomic);
            if inside == Lit::FALSE {
                holding.push(Lit::FALSE);
                continue;
            }
            let is_holder = if self.has_holder {
                let number = super::asks::number(instance + 1);
                self.circuit.aig.eq(&store.holder, &number)
            } else {
                in_region
            };
            let mut may_go_on = Lit::FALSE;
            if in_atomic != Lit::FALSE {
                let mut its = Vec::new();
                let mut outranking = Vec::new();
                for (index, candidate) in candidates.iter().enumerate() {
                    let first = candidate.parts[0].instance;
                    if first == instance {
                        its.push(self.standing(possible[index], free[index])?);
                    } else if let Some(priorities) = priorities {
                        let aig = &mut self.circuit.aig;
                        let higher = aig.lt(&priorities[instance], &priorities[first]);
                        if higher != Lit::FALSE {
                            let stands = self.standing(possible[index], free[index])?;
                            outranking.push(self.circuit.aig.and(stands, higher));
                        }
                    }
                }
                let aig = &mut self.circuit.aig;
                let any = aig.any(&its);
                let outranked = aig.any(&outranking);
                may_go_on = aig.all(&[in_atomic, any, !outranked]);
            }
            let aig = &mut self.circuit.aig;
            let alone = aig.or(in_region, may_go_on);
            let holds = aig.and(is_holder, inside);
            goes_on.push(aig.and(holds, may_go_on));
            holding.push(aig.and(holds, alone));
        }
        let any = self.circuit.aig.any(&goes_on);
        Ok((Some(any), holding))
    }

    fn keep_highest_class(
        &mut self,
        candidates: &[Candidate],
        possible: &[Option<Lit>],
        free: &mut [Lit],
    ) -> Result<(), Unsupported> {
        let mut classes: Vec<u8> = candidates.iter().map(|candidate| candidate.class).collect();
        classes.sort_unstable();
        classes.dedup();
        let mut higher = Lit::FALSE;
        for class in classes.into_iter().rev() {
            let of_class = |candidate: &Candidate| candidate.class == class;
            let before = free.to_vec();
            for (candidate, free) in candidates.iter().zip(free.iter_mut()) {
                if of_class(candidate) {
                    *free = self.circuit.aig.and(*free, !higher);
                }
            }
            if class > candidates.iter().map(|c| c.class).min().unwrap_or(0) {
                for (index, candidate) in candidates.iter().enumerate() {
                    if of_class(candidate) {
                        let stands = self.standing(possible[index], before[index])?;
                        higher = self.circuit.aig.or(higher, stands);
                    }
                }
            }
        }
        Ok(())
    }

    /// The priorities of instances, if any process has one.
    fn priorities(&mut self, store: &Store) -> Result<Option<Vec<crate::Word>>, Unsupported> {
        let processes = &self.program.processes;
        let priority =
            |control: &super::control::Control| processes[control.process.index()].priority;
        if self
            .controls
            .iter()
            .all(|control| priority(control).is_none())
        {
            return Ok(None);
        }
        let mut found = Vec::new();
        for instance in 0..self.controls.len() {
            found.push(match priority(&self.controls[instance]) {
                Some(expr) => self.number_of(store, instance, expr)?,
                None => crate::Word::default(),
            });
        }
        Ok(Some(found))
    }

    fn keep_highest_priority(
        &mut self,
        candidates: &[Candidate],
        possible: &[Option<Lit>],
        free: &mut [Lit],
        priorities: &[crate::Word],
    ) -> Result<(), Unsupported> {
        let mut active = vec![Lit::FALSE; priorities.len()];
        for (index, candidate) in candidates.iter().enumerate() {
            let stands = self.standing(possible[index], free[index])?;
            let first = candidate.parts[0].instance;
            active[first] = self.circuit.aig.or(active[first], stands);
        }
        for (candidate, free) in candidates.iter().zip(free) {
            let own = &priorities[candidate.parts[0].instance];
            for (other, &active) in active.iter().enumerate() {
                let aig = &mut self.circuit.aig;
                let higher = aig.lt(own, &priorities[other]);
                let preempted = aig.and(higher, active);
                *free = aig.and(*free, !preempted);
            }
        }
        Ok(())
    }
}
