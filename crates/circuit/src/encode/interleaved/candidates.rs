//! The moves that there may be: every step of every instance alone, every send with every receive
//! of another instance where they may meet, and every instance's going away.

use model::{Comm, Composition, IdPolicy, StepId, Value};

use super::super::{Encoding, Unsupported};
use crate::aig::Lit;

/// A part of a move.
#[derive(Clone, Debug)]
pub(crate) struct CandidatePart {
    pub(crate) instance: usize,
    /// The step; `None`: it goes away.
    pub(crate) step: Option<StepId>,
    pub(crate) precedence: u16,
    /// Where it is offered.
    pub(crate) at: Lit,
}

/// A move that there may be.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) parts: Vec<CandidatePart>,
    pub(crate) class: u8,
    /// Where it is offered to all of its parts.
    pub(crate) at: Lit,
}

/// What a channel that is known keeps.
#[derive(Clone, Copy, PartialEq)]
enum Meeting {
    /// Nothing: sender and receiver meet.
    Only,
    /// Messages.
    Never,
    /// It is not known which channel it is.
    Perhaps,
}

impl<'p> Encoding<'p> {
    pub(super) fn candidates(&mut self) -> Result<Vec<Candidate>, Unsupported> {
        let program = self.program;
        let mut offers = Vec::new();
        for instance in 0..self.controls.len() {
            let control = self.controls[instance].clone();
            let process = &program.processes[control.process.index()];
            for &step in &control.steps {
                let mut earlier = Vec::new();
                for escape in process.escapes.iter().filter(|e| e.steps.contains(&step)) {
                    let covered: Vec<Lit> = escape
                        .covers
                        .iter()
                        .filter(|location| !earlier.contains(*location))
                        .filter_map(|location| control.code(*location))
                        .map(|code| self.is_at(instance, code))
                        .collect();
                    earlier.extend(escape.covers.iter().copied());
                    let at = self.circuit.aig.any(&covered);
                    offers.push(CandidatePart {
                        instance,
                        step: Some(step),
                        precedence: escape.precedence,
                        at,
                    });
                }
                let from = process.steps[step.index()].from;
                if earlier.is_empty()
                    && !control.through.contains(&from)
                    && let Some(code) = control.code(from)
                {
                    let at = self.is_at(instance, code);
                    offers.push(CandidatePart {
                        instance,
                        step: Some(step),
                        precedence: 0,
                        at,
                    });
                }
            }
        }
        let mut candidates = Vec::new();
        for offer in &offers {
            let comm = self.comm_of(offer);
            let meeting = comm.map(|comm| self.meeting(comm));
            match comm {
                Some(Comm::Barrier(_)) => return Err(Unsupported::new("barriers")),
                Some(Comm::Send { channel, .. }) => {
                    for other in &offers {
                        if other.instance == offer.instance {
                            continue;
                        }
                        let Some(Comm::Receive {
                            channel: receiving, ..
                        }) = self.comm_of(other)
                        else {
                            continue;
                        };
                        let exprs = &program.exprs;
                        let known = (exprs.constant(*channel), exprs.constant(*receiving));
                        let apart = matches!(known, (Some(a), Some(b)) if a != b);
                        if meeting != Some(Meeting::Never) && !apart {
                            candidates.push(self.candidate(vec![offer.clone(), other.clone()]));
                        }
                    }
                    if meeting == Some(Meeting::Only) {
                        continue;
                    }
                }
                Some(Comm::Receive { .. }) if meeting == Some(Meeting::Only) => continue,
                _ => {}
            }
            candidates.push(self.candidate(vec![offer.clone()]));
        }
        if program.composition
            == (Composition::Interleaving {
                ids: IdPolicy::Stack,
            })
        {
            self.leaving(&mut candidates);
        }
        candidates.retain(|candidate| candidate.at != Lit::FALSE);
        Ok(candidates)
    }

    fn candidate(&mut self, parts: Vec<CandidatePart>) -> Candidate {
        let classes = parts
            .iter()
            .map(|part| self.step_of(part).map_or(1, |step| step.class));
        let class = classes.max().unwrap_or(1);
        let at: Vec<Lit> = parts.iter().map(|part| part.at).collect();
        let at = self.circuit.aig.all(&at);
        Candidate { parts, class, at }
    }

    /// The youngest instance goes away once it has ended.
    fn leaving(&mut self, candidates: &mut Vec<Candidate>) {
        let mut younger_gone = Lit::TRUE;
        for instance in (0..self.controls.len()).rev() {
            let ended = self.is_at(instance, self.controls[instance].ended());
            let gone = self.is_at(instance, self.controls[instance].gone());
            let aig = &mut self.circuit.aig;
            let at = aig.and(younger_gone, ended);
            younger_gone = aig.and(younger_gone, gone);
            let part = CandidatePart {
                instance,
                step: None,
                precedence: 0,
                at,
            };
            candidates.push(self.candidate(vec![part]));
        }
    }

    /// The step of a part.
    pub(super) fn step_of(&self, part: &CandidatePart) -> Option<&'p model::Step> {
        let process = self.controls[part.instance].process;
        let step = part.step?;
        Some(&self.program.processes[process.index()].steps[step.index()])
    }

    fn comm_of(&self, part: &CandidatePart) -> Option<&'p Comm> {
        self.step_of(part)?.comm.as_ref()
    }

    fn meeting(&self, comm: &Comm) -> Meeting {
        let (Comm::Send { channel, .. } | Comm::Receive { channel, .. }) = comm else {
            return Meeting::Never;
        };
        let Some(Value::Int(reference)) = self.program.exprs.constant(*channel) else {
            return Meeting::Perhaps;
        };
        let place = usize::try_from(reference - 1).unwrap_or(usize::MAX);
        match self.references.get(place) {
            Some(id) if self.program.channels[id.index()].capacity == Some(0) => Meeting::Only,
            _ => Meeting::Never,
        }
    }
}
