//! What is said beside verdicts: each note of the net that a claim depends on becomes an assumption.
//!
//! Where something is taken to be anything because it is not followed, more can happen than in the engine:
//! what holds of all that can happen holds, and what is possible here may be impossible there. So
//! claims that something *can* happen are never said to hold on such grounds.

use std::collections::HashMap;

use logic::Quantifier;
use model::{Assumption, AssumptionId, Cut, CutBy, Origin, Program, PropertyId};
use source::Span;

use crate::claim::{Claimed, What};
use crate::lower::Atom;
use crate::lower::turns::{open_loop, round};
use crate::net::cone::Cone;
use crate::net::{MachineId, Net, NoteKind, Var, VarId};

/// The assumptions that notes have become.
pub(crate) struct Noted {
    by_text: HashMap<String, AssumptionId>,
    /// Where a loop that takes no time may or may not go round once more.
    open_loop: Option<MachineId>,
    round: Option<Round>,
}

/// A loop that takes no time, in what is looked at or beside it.
pub(crate) struct Round {
    through: String,
    span: Span,
    /// It goes round for ever once a signal is in it.
    certain: bool,
}

impl Round {
    /// One of the loops of a net in which signals take no time, if there are any.
    pub(crate) fn of(net: &Net) -> Option<Round> {
        let (id, certain) = round(net)?;
        let machine = net.machine(id);
        Some(Round {
            through: machine.name.clone(),
            span: machine.span,
            certain,
        })
    }
}

impl Noted {
    /// `round` is of the whole net, before the part that matters was cut out of it.
    pub(crate) fn new(net: &Net, round: Option<Round>) -> Noted {
        Noted {
            by_text: HashMap::new(),
            open_loop: open_loop(net),
            round,
        }
    }

    /// The assumptions beside the next property of the program.
    pub(crate) fn beside(
        &mut self,
        program: &mut Program,
        net: &Net,
        cone: &Cone,
        claim: &Claimed,
    ) -> Vec<AssumptionId> {
        let mut asked = Vec::new();
        let mut loose = false;
        for note in &net.notes {
            let matters = note.machine.is_none_or(|id| cone.has(net, id));
            let matters = match note.what {
                NoteKind::Range(var) => cone.vars.contains(&var),
                _ => matters,
            };
            if !matters {
                continue;
            }
            loose |= note.what == NoteKind::NotFollowed;
            let id = self.assumption(program, &note.text, note.what, note.span);
            if !asked.contains(&id) {
                asked.push(id);
            }
        }
        for var in followed_in_part(net, claim) {
            loose = true;
            let Var {
                name, values, span, ..
            } = net.var(var);
            // One stands for all that are not followed.
            let text = match values.len() - 1 {
                0 => format!("no value of `{name}` is followed"),
                1 => format!("only one value of `{name}` is followed"),
                some => format!("only {some} values of `{name}` are followed"),
            };
            asked.push(self.assumption(program, &text, NoteKind::Cut, *span));
        }
        if let Some(waits) = waits(net, cone) {
            loose = true;
            asked.push(self.assumption(program, &waits, NoteKind::Meaning, Span::NONE));
        }
        if loose && may_be_possible(&claim.what) {
            let text = "what can happen where something is not followed may be impossible";
            asked.push(self.assumption(program, text, NoteKind::Cut, Span::NONE));
        }
        if let Some((text, kind, span)) = self.loops(net, cone, &claim.what) {
            asked.push(self.assumption(program, &text, kind, span));
        }
        asked
    }

    /// What is said of loops that take no time. Nothing but the claim that signals come to rest speaks of a wave
    /// that never does: a run ends there, so what should come at last never does, and is not missed. All loops
    /// matter then, wherever they are: a wave comes to rest as a whole.
    fn loops(&self, net: &Net, cone: &Cone, what: &What) -> Option<(String, NoteKind, Span)> {
        let through = |name: &str| {
            format!(
                "each loop that takes no time, such as the one through `{name}`, goes round no more some time"
            )
        };
        if *what == What::Returns {
            let machine = net.machine(self.open_loop.filter(|id| cone.has(net, *id))?);
            let text = format!(
                "how often a loop that takes no time goes round is not followed, such as the one through `{}`",
                machine.name
            );
            return Some((text, NoteKind::Cut, machine.span));
        }
        let round = self.round.as_ref()?;
        let name = &round.through;
        let (text, kind) = match what {
            What::Linear(_) | What::Branching(_) if round.certain => {
                let text = format!(
                    "a loop that takes no time, through `{name}`, never ends: what comes later is left out"
                );
                (text, NoteKind::Cut)
            }
            What::Linear(_) | What::Branching(_) => (through(name), NoteKind::Assumed),
            _ if net.ends_loops => {
                let text = format!(
                    "the engine does not give up a script in a loop that takes no time, through `{name}`"
                );
                (text, NoteKind::Assumed)
            }
            _ => return None,
        };
        Some((text, kind, round.span))
    }

    fn assumption(
        &mut self,
        program: &mut Program,
        text: &str,
        what: NoteKind,
        span: Span,
    ) -> AssumptionId {
        if let Some(&id) = self.by_text.get(text) {
            return id;
        }
        let properties: Option<Vec<PropertyId>> = Some(Vec::new());
        let text = text.to_owned();
        let id = match what {
            NoteKind::Assumed | NoteKind::Meaning | NoteKind::NotFollowed => {
                let id = AssumptionId::new(program.assumptions.len());
                program.assumptions.push(Assumption {
                    text: text.clone(),
                    origin: match what {
                        NoteKind::Assumed => Origin::Stated,
                        _ => Origin::Semantics,
                    },
                    properties,
                    span,
                });
                id
            }
            NoteKind::Stated | NoteKind::Range(_) | NoteKind::Cut => program.cut(Cut {
                text: text.clone(),
                by: match what {
                    NoteKind::Cut => CutBy::Default,
                    _ => CutBy::Stated,
                },
                span,
                properties,
            }),
        };
        self.by_text.insert(text, id);
        id
    }
}

/// The variables that a claim speaks of and of which not all values are followed.
fn followed_in_part(net: &Net, claim: &Claimed) -> Vec<VarId> {
    let mut found: Vec<VarId> = Vec::new();
    let mut spoken_of = |id: VarId| {
        if net.var(id).anything().is_some() && !found.contains(&id) {
            found.push(id);
        }
    };
    for atom in claim.what.atoms() {
        if let Atom::Test(test) = atom {
            test.vars(&mut spoken_of);
        }
    }
    if let What::Never(_, Some(var)) = claim.what {
        spoken_of(var);
    }
    found
}

/// That waits end in any order, if several of them matter of which the file says how long they take.
fn waits(net: &Net, cone: &Cone) -> Option<String> {
    let waiting = net.ids().filter(|(id, _)| cone.own.contains(id));
    let several = waiting.filter(|(_, machine)| machine.timed).count() > 1;
    several
        .then(|| "waits end in any order: how long each of them takes is not followed".to_owned())
}

/// Whether a claim says that something can happen.
fn may_be_possible(what: &What) -> bool {
    match what {
        What::Branching(formula) => formula.says_of(Quantifier::Some),
        _ => false,
    }
}
