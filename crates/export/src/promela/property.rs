//! Properties: safety as `ltl` formulas, the rest as never claims.
//!
//! What a claim looks at are *published* bits, computed when a macro step ends, all in one
//! indivisible step. SPIN moves its claim along with every step of the model; so a state where
//! something is under way (`inside` is not 0) is passed over, and each state at rest is one
//! letter. That makes the claim exact, `X` included, and a run that stays inside for ever, or that
//! an assumption took out of the model, is accepted by none. The automata are those of our own
//! translation: SPIN's takes minutes as soon as a formula has a few fairness premises.

use std::fmt::Write as _;

use logic::{Buchi, Ltl};
use model::{
    Claim, ExprId, FairnessKind, GlobalId, Place, ProcessId, Program, PropertyId, StepId, Stmt,
    Type, Variable, VariableKind,
};

use super::layout::plain;
use crate::TWO_CLAIMS;

/// What the end of a macro step publishes.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Bit {
    /// Whether an expression holds.
    Holds(ExprId),
    /// Whether it does not.
    Violates(ExprId),
    /// Whether one of some steps was taken in the macro step that ended.
    Taken(Vec<(ProcessId, StepId)>),
    /// Whether one of some steps can be taken now.
    Enabled(Vec<(ProcessId, StepId)>),
}

/// What is written for a property.
pub(super) struct Planned {
    pub(super) property: PropertyId,
    /// The name of the `ltl` block.
    pub(super) name: String,
    /// How it is stated, or why it is not.
    pub(super) stated: Result<Stated, String>,
}

/// A property in the model's words.
pub(super) enum Stated {
    /// A formula that SPIN makes a claim of.
    Formula(String),
    /// The formula that is claimed, and the automaton of the runs that violate it.
    Claim(String, Box<Buchi<String>>),
}

impl Planned {
    /// Whether it looks at a bit.
    pub(super) fn looks_at(&self, name: &str) -> bool {
        match &self.stated {
            Ok(Stated::Formula(text)) => text
                .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
                .any(|word| word == name),
            Ok(Stated::Claim(_, automaton)) => automaton.atoms.iter().any(|atom| atom == name),
            Err(_) => false,
        }
    }

    /// The text that states it.
    pub(super) fn text(&self) -> String {
        match &self.stated {
            Ok(Stated::Formula(formula)) => format!("ltl {} {{ {formula} }}\n", self.name),
            Ok(Stated::Claim(formula, automaton)) => {
                format!("/* {formula} */\n{}", never(&self.name, automaton))
            }
            Err(why) => format!("/* not stated here: {} */\n", super::words::comment(why)),
        }
    }
}

/// An automaton as a never claim that reads one letter at each state at rest. Acceptance stands on
/// edges there and on states here: a state has a second, accepting copy if an accepting edge leads
/// to it.
fn never(name: &str, automaton: &Buchi<String>) -> String {
    let mut text = format!("never {name}\n{{\n");
    let accepted = |state: logic::BuchiState| {
        automaton.states().any(|from| {
            automaton
                .edges_from(from)
                .iter()
                .any(|edge| edge.accepting && edge.target == state)
        })
    };
    let mut states: Vec<logic::BuchiState> = automaton.states().collect();
    states.sort_by_key(|state| (*state != automaton.initial, state.0));
    for state in states {
        let mut copies = vec!["at"];
        if accepted(state) {
            copies.push("accept");
        }
        for copy in copies {
            let _ = writeln!(text, "{copy}_{state}:\n  if");
            let _ = writeln!(text, "  :: (inside != 0) -> goto at_{state}");
            for edge in automaton.edges_from(state) {
                let literals = automaton
                    .atoms
                    .iter()
                    .enumerate()
                    .filter_map(|(index, atom)| {
                        if edge.label.pos >> index & 1 == 1 {
                            Some(atom.clone())
                        } else if edge.label.neg >> index & 1 == 1 {
                            Some(format!("!{atom}"))
                        } else {
                            None
                        }
                    });
                let letter: Vec<String> = std::iter::once("(inside == 0)".to_owned())
                    .chain(literals)
                    .collect();
                let to = if edge.accepting { "accept" } else { "at" };
                let _ = writeln!(
                    text,
                    "  :: ({}) -> goto {to}_{}",
                    letter.join(" && "),
                    edge.target
                );
            }
            text.push_str("  fi;\n");
        }
    }
    text.push_str("}\n");
    text
}

/// Names of properties that every model has when it is read.
const UNASKED: [&str; 5] = ["acceptance", "assertions", "deadlock", "faults", "progress"];

/// The bits of all properties, and their formulas.
#[derive(Default)]
pub(super) struct Plan {
    pub(super) bits: Vec<Bit>,
    pub(super) properties: Vec<Planned>,
    /// Checks with flags of their own, and the flags.
    pub(super) checks: Vec<(model::CheckId, String)>,
    pub(super) faults: Vec<(model::FaultId, String)>,
    /// Whether the end of all runs is published as `stuck`.
    pub(super) stuck: bool,
}

pub(super) fn bit_name(index: usize) -> String {
    format!("p_{index}")
}

impl Plan {
    fn bit(&mut self, bit: Bit) -> String {
        let index = match self.bits.iter().position(|known| *known == bit) {
            Some(index) => index,
            None => {
                self.bits.push(bit);
                self.bits.len() - 1
            }
        };
        bit_name(index)
    }

    /// Plans the properties. `inside`: whether a macro step can have inner states.
    pub(super) fn of(program: &Program, properties: &[PropertyId], inside: bool) -> Plan {
        let mut plan = Plan::default();
        let mut taken = std::collections::HashSet::new();
        for &id in properties {
            let property = &program.properties[id.index()];
            let mut name = plain(&property.name);
            if name.starts_with(|c: char| !c.is_ascii_lowercase())
                || is_keyword(&name)
                || UNASKED.contains(&name.as_str())
            {
                name = format!("prop_{name}");
            }
            while !taken.insert(name.clone()) {
                name.push('_');
            }
            let stated = plan.state(program, id, &name, inside);
            plan.properties.push(Planned {
                property: id,
                name,
                stated,
            });
        }
        plan
    }

    /// Whether there are never claims.
    pub(super) fn has_claims(&self) -> bool {
        let mut all = self.properties.iter();
        all.any(|planned| matches!(planned.stated, Ok(Stated::Claim(..))))
    }

    fn state(
        &mut self,
        program: &Program,
        id: PropertyId,
        name: &str,
        inside: bool,
    ) -> Result<Stated, String> {
        if program.alternatives.contains_key(&id) {
            return Err(TWO_CLAIMS.to_owned());
        }
        let property = &program.properties[id.index()];
        let formula = match &property.claim {
            Claim::Check(check) => {
                let flag = match self.checks.iter().find(|(known, _)| known == check) {
                    Some((_, flag)) => flag.clone(),
                    None => {
                        let flag = format!("bad_{name}");
                        self.checks.push((*check, flag.clone()));
                        flag
                    }
                };
                format!("[] !{flag}")
            }
            Claim::Always(invariant) => {
                let bit = self.bit(Bit::Violates(*invariant));
                format!("[] !{bit}")
            }
            Claim::NoFault(faults) => {
                let mut flags = Vec::new();
                for fault in faults {
                    let known = self.faults.iter().find(|(known, _)| known == fault);
                    let flag = match known {
                        Some((_, flag)) => flag.clone(),
                        None => {
                            let declared = &program.faults[fault.index()].name;
                            let flag = format!("fault_{}_{}", fault.0, plain(declared));
                            self.faults.push((*fault, flag.clone()));
                            flag
                        }
                    };
                    flags.push(flag);
                }
                if flags.is_empty() {
                    flags.push("false".into());
                }
                format!("[] !({})", flags.join(" || "))
            }
            Claim::NoDeadlock => {
                self.stuck = true;
                "[] !stuck".into()
            }
            Claim::Returns if inside => {
                format!("[] <> ((inside == 0) || (inside == {}))", super::body::CUT)
            }
            Claim::Returns => "[] true".into(),
            Claim::Ltl(formula) => return self.claim(program, id, formula),
            Claim::Ctl(_) | Claim::Mu(_) => return Err("a formula of branching time".into()),
            Claim::Bounded(_) => return Err("a question about growth".into()),
            Claim::Silent(_) | Claim::Configurations(_) => {
                return Err("a message about logical structures".into());
            }
            Claim::Open(what) => return Err(what.clone()),
            Claim::Distance { .. } => return Err("a question for a number".into()),
            Claim::Never(automaton) => {
                if !self.premises(program, id)?.is_empty() {
                    return Err("a claim beside fairness assumptions".into());
                }
                stutters(program)?;
                let automaton = automaton.clone().map(|atom| self.bit(Bit::Holds(atom)));
                return Ok(Stated::Claim(
                    "no run does this".into(),
                    Box::new(automaton),
                ));
            }
        };
        Ok(Stated::Formula(formula))
    }

    /// A formula, under the fairness that the property assumes.
    fn claim(
        &mut self,
        program: &Program,
        id: PropertyId,
        formula: &Ltl<ExprId>,
    ) -> Result<Stated, String> {
        stutters(program)?;
        let body = self.with_bits(formula);
        let premises = self.premises(program, id)?;
        let claimed = if premises.is_empty() {
            body
        } else {
            Ltl::implies(Ltl::all(premises), body)
        };
        let text = claimed.to_string();
        let automaton = logic::translate(&Ltl::not(claimed)).map_err(|error| error.to_string())?;
        Ok(Stated::Claim(text, Box::new(automaton)))
    }

    fn premises(&mut self, program: &Program, id: PropertyId) -> Result<Vec<Ltl<String>>, String> {
        let property = &program.properties[id.index()];
        let mut premises = Vec::new();
        for fairness in &program.fairness {
            let named = fairness
                .assumption
                .is_none_or(|id| property.assumptions.contains(&id));
            if named {
                premises.push(self.fairness(&fairness.kind)?);
            }
        }
        Ok(premises)
    }

    fn fairness(&mut self, kind: &FairnessKind) -> Result<Ltl<String>, String> {
        let again = |p: Ltl<String>| Ltl::always(Ltl::eventually(p));
        let mut bit = |bit| Ltl::atom(self.bit(bit));
        Ok(match kind {
            FairnessKind::Justice(condition) => again(bit(Bit::Holds(*condition))),
            FairnessKind::Compassion(premise, conclusion) => Ltl::implies(
                again(bit(Bit::Holds(*premise))),
                again(bit(Bit::Holds(*conclusion))),
            ),
            FairnessKind::Weak(steps) => {
                let taken = bit(Bit::Taken(steps.clone()));
                let enabled = bit(Bit::Enabled(steps.clone()));
                again(Ltl::or(taken, Ltl::not(enabled)))
            }
            FairnessKind::Strong(steps) => Ltl::implies(
                again(bit(Bit::Enabled(steps.clone()))),
                again(bit(Bit::Taken(steps.clone()))),
            ),
            FairnessKind::WeakInstances => {
                return Err("fairness of each process is no part of a formula".to_owned());
            }
        })
    }

    /// The formula over bits in place of expressions.
    fn with_bits(&mut self, formula: &Ltl<ExprId>) -> Ltl<String> {
        let mut bits = |p: &Ltl<ExprId>| self.with_bits(p);
        match formula {
            Ltl::True => Ltl::True,
            Ltl::False => Ltl::False,
            Ltl::Atom(atom) => Ltl::atom(self.bit(Bit::Holds(*atom))),
            Ltl::Not(p) => Ltl::not(bits(p)),
            Ltl::And(ps) => Ltl::And(ps.iter().map(bits).collect()),
            Ltl::Or(ps) => Ltl::Or(ps.iter().map(bits).collect()),
            Ltl::Implies(p, q) => Ltl::implies(bits(p), bits(q)),
            Ltl::Iff(p, q) => Ltl::Iff(bits(p).into(), bits(q).into()),
            Ltl::Next(p) => Ltl::Next(bits(p).into()),
            Ltl::Eventually(p) => Ltl::eventually(bits(p)),
            Ltl::Always(p) => Ltl::always(bits(p)),
            Ltl::Until(p, q) => Ltl::Until(bits(p).into(), bits(q).into()),
            Ltl::Release(p, q) => Ltl::Release(bits(p).into(), bits(q).into()),
            Ltl::WeakUntil(p, q) => Ltl::WeakUntil(bits(p).into(), bits(q).into()),
        }
    }
}

fn stutters(program: &Program) -> Result<(), String> {
    if program.finite_runs == model::FiniteRuns::Stutter {
        Ok(())
    } else {
        Err("runs that end are no runs in this language".into())
    }
}

fn is_keyword(name: &str) -> bool {
    const WORDS: &[&str] = &[
        "active",
        "always",
        "assert",
        "atomic",
        "bit",
        "bool",
        "break",
        "byte",
        "chan",
        "do",
        "else",
        "empty",
        "enabled",
        "equivalent",
        "eval",
        "eventually",
        "false",
        "fi",
        "for",
        "full",
        "goto",
        "hidden",
        "if",
        "implies",
        "in",
        "init",
        "inline",
        "int",
        "len",
        "local",
        "ltl",
        "mtype",
        "never",
        "next",
        "nfull",
        "nempty",
        "np_",
        "od",
        "of",
        "pc_value",
        "pid",
        "printf",
        "priority",
        "proctype",
        "provided",
        "release",
        "return",
        "run",
        "select",
        "short",
        "show",
        "skip",
        "stronguntil",
        "timeout",
        "trace",
        "true",
        "typedef",
        "unless",
        "unsigned",
        "until",
        "weakuntil",
        "xr",
        "xs",
        "inside",
        "stuck",
        "program",
        "publish",
    ];
    WORDS.contains(&name)
}

/// Assumptions that some properties make and others do not: in a model for all of them each
/// becomes a ghost that says that the assumption has failed, and the properties that make it ask
/// only of runs where it has not. (What all make simply takes a run out of the model.)
pub(super) fn separate_assumptions(program: &mut Program, properties: &[PropertyId]) {
    for index in 0..program.observers.len() {
        let observer = model::ObserverId::new(index);
        let makes = |id: &PropertyId| program.properties[id.index()].observers.contains(&observer);
        let makers: Vec<PropertyId> = properties.iter().copied().filter(makes).collect();
        let shared = makers.is_empty() || makers.len() == properties.len();
        if shared || !has_assumption(&program.observers[index].body) {
            continue;
        }
        let name = format!("waived_{}", program.observers[index].name);
        let mut ghost = Variable::new(name, Type::Bool);
        ghost.kind = VariableKind::Ghost;
        let ghost = program.add_global(ghost);
        let body = std::mem::take(&mut program.observers[index].body);
        program.observers[index].body = waive(program, ghost, body);
        let waived = program.exprs.load(Place::global(ghost), Type::Bool);
        for maker in makers {
            excuse(program, maker, waived);
        }
    }
}

/// Asks a property only of runs where something has not happened.
fn excuse(program: &mut Program, property: PropertyId, waived: ExprId) {
    match program.properties[property.index()].claim.clone() {
        Claim::Ltl(formula) => {
            program.properties[property.index()].claim =
                Claim::Ltl(Ltl::or(Ltl::eventually(Ltl::atom(waived)), formula));
        }
        Claim::Always(invariant) => {
            let weaker = program.exprs.or(waived, invariant);
            program.properties[property.index()].claim = Claim::Always(weaker);
        }
        Claim::Check(check) => {
            for index in 0..program.observers.len() {
                let body = std::mem::take(&mut program.observers[index].body);
                program.observers[index].body = weaken(program, waived, check, body);
            }
            for process in 0..program.processes.len() {
                for step in 0..program.processes[process].steps.len() {
                    let body = std::mem::take(&mut program.processes[process].steps[step].body);
                    program.processes[process].steps[step].body =
                        weaken(program, waived, check, body);
                }
            }
        }
        Claim::Ctl(_)
        | Claim::Mu(_)
        | Claim::Never(_)
        | Claim::NoDeadlock
        | Claim::NoFault(_)
        | Claim::Returns
        | Claim::Distance { .. }
        | Claim::Bounded(_)
        | Claim::Silent(_)
        | Claim::Configurations(_)
        | Claim::Open(_) => {}
    }
}

fn has_assumption(body: &[Stmt]) -> bool {
    body.iter().any(|stmt| match stmt {
        Stmt::Assume(_) => true,
        Stmt::If(_, then, otherwise) => has_assumption(then) || has_assumption(otherwise),
        _ => false,
    })
}

fn waive(program: &mut Program, ghost: GlobalId, body: Vec<Stmt>) -> Vec<Stmt> {
    body.into_iter()
        .map(|stmt| match stmt {
            Stmt::Assume(condition) => {
                let yes = program.exprs.bool(true);
                let failed = program.exprs.not(condition);
                let set = Stmt::Assign(Place::global(ghost), yes);
                Stmt::If(failed, vec![set], Vec::new())
            }
            Stmt::If(condition, then, otherwise) => Stmt::If(
                condition,
                waive(program, ghost, then),
                waive(program, ghost, otherwise),
            ),
            other => other,
        })
        .collect()
}

fn weaken(program: &mut Program, waived: ExprId, of: model::CheckId, body: Vec<Stmt>) -> Vec<Stmt> {
    body.into_iter()
        .map(|stmt| match stmt {
            Stmt::Assert { cond, check, span } if check == of => Stmt::Assert {
                cond: program.exprs.or(waived, cond),
                check,
                span,
            },
            Stmt::If(condition, then, otherwise) => Stmt::If(
                condition,
                weaken(program, waived, of, then),
                weaken(program, waived, of, otherwise),
            ),
            other => other,
        })
        .collect()
}
