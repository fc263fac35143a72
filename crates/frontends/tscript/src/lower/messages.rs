//! Messages: which `snd-msg` and `rec-msg` may meet, and what flows between them.
//!
//! Matching works both ways: a value in one term fills a variable in the other. What can be decided
//! from the two terms alone is; the rest becomes guards of the two steps, fields that are sent and
//! compared or stored, and values that are handed back.

use std::collections::HashSet;

use model::{Channel, ChannelId, ExprId, GlobalId, Place, Stmt, Type, Value, VariableKind};
use source::{Diagnostic, Diagnostics};

use super::Lowering;
use super::process::Way;
use crate::ast::Word;
use crate::behaviour::Atom;
use crate::codes::suspicious as code;
use crate::library::Inner;
use crate::load::Dialect;
use crate::term::{Pattern, VarId, some_differ};
use crate::types::{self, Fit};

/// What the receiver does with a field.
#[derive(Clone, Copy, Debug)]
pub(super) enum Taken {
    Stored(VarId),
    Compared(ExprId),
}

/// Two actions that may meet.
#[derive(Debug)]
pub(super) struct Pair {
    /// The unit and the action that sends.
    pub(super) sender: (usize, usize),
    pub(super) receiver: (usize, usize),
    pub(super) channel: ChannelId,
    pub(super) plan: Plan,
    /// The message, as the receiver has it.
    pub(super) told: Vec<ExprId>,
}

/// How two terms match.
#[derive(Default, Debug)]
pub(super) struct Plan {
    /// What is sent, in terms of the sender's variables, and what becomes of it.
    pub(super) fields: Vec<(ExprId, Taken)>,
    pub(super) sender_guards: Vec<ExprId>,
    pub(super) receiver_guards: Vec<ExprId>,
    /// The sender's variables that the receiver fills, through a variable of the program.
    pub(super) back: Vec<(VarId, GlobalId, ExprId)>,
    /// The receiver's variables that are filled, and what with.
    stored: Vec<(VarId, ExprId)>,
}

/// One side of a match.
#[derive(Clone)]
enum Side<'p> {
    Term(&'p Pattern),
    /// A part of a value, and what is known of its type.
    Part(ExprId),
}

impl Side<'_> {
    fn is_closed(&self) -> bool {
        match self {
            Side::Term(pattern) => pattern.is_closed(),
            Side::Part(_) => true,
        }
    }
}

impl Lowering<'_> {
    /// Finds all pairs; says which actions meet none.
    pub(super) fn pair_messages(&mut self, diagnostics: &mut Diagnostics) {
        let atoms = |word: Word, lowering: &Self| -> Vec<(usize, usize)> {
            let units = lowering.units.iter().enumerate();
            units
                .flat_map(|(unit, process)| {
                    let atoms = process.inlined.atoms.iter().enumerate();
                    atoms
                        .filter(|(_, atom)| atom.word == word)
                        .map(move |(atom, _)| (unit, atom))
                        .collect::<Vec<_>>()
                })
                .collect()
        };
        let senders = atoms(Word::SndMsg, self);
        let receivers = atoms(Word::RecMsg, self);
        for &sender in &senders {
            for &receiver in &receivers {
                if sender.0 != receiver.0 || self.are_several(sender.0) {
                    self.pair(sender, receiver);
                }
            }
        }
        if self.open {
            return;
        }
        let pairs = self.pairs.iter();
        let paired: HashSet<(usize, usize)> = pairs
            .flat_map(|pair| [pair.sender, pair.receiver])
            .chain(self.meeting_themselves())
            .collect();
        for (all, what) in [
            (&senders, "no process can receive this message"),
            (&receivers, "no process sends such a message"),
        ] {
            for &(unit, atom) in all {
                if paired.contains(&(unit, atom)) {
                    continue;
                }
                let span = self.units[unit].inlined.atoms[atom].span;
                // Inlined several times, some of them may be paired.
                let again = diagnostics.iter().any(|d| d.span == span);
                if !again {
                    diagnostics.push(
                        Diagnostic::warning(code::NEVER_RECEIVED, what)
                            .at(span)
                            .help("the process waits here for ever; if another script takes part, say `--open`"),
                    );
                }
            }
        }
    }

    /// The actions of processes that meet others of the same process.
    fn meeting_themselves(&self) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        for (unit, this) in self.units.iter().enumerate() {
            for meeting in this
                .inlined
                .atoms
                .iter()
                .filter(|atom| atom.word == Word::Meet)
            {
                let (sent, wanted) = meeting.args.split_at(meeting.args.len() / 2);
                let ends = this.inlined.atoms.iter().enumerate().filter(|(_, atom)| {
                    atom.word == Word::SndMsg && atom.args == sent
                        || atom.word == Word::RecMsg && atom.args == wanted
                });
                found.extend(ends.map(|(atom, _)| (unit, atom)));
            }
        }
        found
    }

    /// Whether there may be two instances of a unit.
    fn are_several(&self, unit: usize) -> bool {
        self.is_created(unit) || self.started_often(unit)
    }

    fn pair(&mut self, sender: (usize, usize), receiver: (usize, usize)) {
        let args = |(unit, atom): (usize, usize)| &self.units[unit].inlined.atoms[atom].args;
        let (sent, wanted) = (args(sender), args(receiver));
        // Of many pairs, few are left to look at closely.
        if some_differ(sent, wanted) {
            return;
        }
        let (sent, wanted) = (sent.clone(), wanted.clone());
        let mut plan = Plan::default();
        if !self.unify_lists((sender.0, receiver.0), &sent, &wanted, &mut plan) {
            return;
        }
        let joint: Vec<Pattern> = sent.iter().zip(&wanted).map(|(a, b)| joint(a, b)).collect();
        let told = joint.iter().map(|term| self.value(term)).collect();
        let number = self.pairs.len() + 1;
        let channel = self.program.add_channel(Channel {
            name: format!("message {number}"),
            capacity: Some(0),
            fields: vec![Type::Rich; plan.fields.len().max(1)],
            from_start: true,
            owner: None,
        });
        self.pairs.push(Pair {
            sender,
            receiver,
            channel,
            plan,
            told,
        });
    }

    /// A message between two parts of one process: all in one step.
    pub(super) fn meets_itself(&mut self, unit: usize, atom: &Atom) -> Option<Way> {
        let (sent, wanted) = atom.args.split_at(atom.args.len() / 2);
        let mut plan = Plan::default();
        if !self.unify_lists((unit, unit), sent, wanted, &mut plan) {
            return None;
        }
        let mut guards = plan.sender_guards;
        guards.extend(plan.receiver_guards);
        // All values are taken before any variable gets one.
        let (mut taken, mut filled) = (Vec::new(), Vec::new());
        let mut fill = |lowering: &mut Self, var: VarId, through: GlobalId, value: ExprId| {
            taken.push(Stmt::Assign(Place::global(through), value));
            let value = lowering
                .program
                .exprs
                .load(Place::global(through), Type::Rich);
            filled.push(Stmt::Assign(Place::own(var.index()), value));
        };
        let handed = plan.back.len();
        for (var, through, value) in plan.back {
            fill(self, var, through, value);
        }
        for (at, (value, how)) in plan.fields.into_iter().enumerate() {
            match how {
                Taken::Compared(with) => {
                    let equal = self.equal(value, with);
                    guards.push(equal);
                }
                Taken::Stored(var) => {
                    let through = self.handed_back(handed + at);
                    fill(self, var, through, value);
                }
            }
        }
        let mut told = Vec::new();
        for (a, b) in sent.iter().zip(wanted) {
            told.push(self.value(&joint(a, b).filled()));
        }
        let name = self.units[unit].inlined.name.clone();
        let mut body = taken;
        body.extend(filled);
        body.push(self.tell("msg", &[&name, &name], told, atom.span));
        let mut way = Way::doing(body);
        way.guards = guards;
        Some(way)
    }

    /// Adds to a plan what it takes for two terms to match; false if they never do.
    fn unify(
        &mut self,
        units: (usize, usize),
        sides: &(Side<'_>, Side<'_>),
        plan: &mut Plan,
    ) -> bool {
        match sides {
            (Side::Term(Pattern::Apply(f, sent)), Side::Term(Pattern::Apply(g, wanted))) => {
                f == g && self.unify_all(units, sent, wanted, plan)
            }
            (Side::Term(Pattern::List(sent)), Side::Term(Pattern::List(wanted))) => {
                self.unify_lists(units, sent, wanted, plan)
            }
            (a, b) if a.is_closed() && b.is_closed() => self.compare(units, a, b, plan),
            (a, Side::Term(pattern)) if a.is_closed() => self.fill(units, a, pattern, plan),
            (Side::Term(pattern), b) if b.is_closed() => self.fill_back(units, pattern, b, plan),
            // Nothing flows between two gaps, which the bus in Java does not let meet.
            (
                Side::Term(Pattern::Result(_) | Pattern::Placeholder(_)),
                Side::Term(Pattern::Result(_) | Pattern::Placeholder(_)),
            ) => self.dialect == Dialect::C,
            _ => false,
        }
    }

    /// The arguments of a term, one after the other.
    fn unify_all(
        &mut self,
        units: (usize, usize),
        sent: &[Pattern],
        wanted: &[Pattern],
        plan: &mut Plan,
    ) -> bool {
        let mut pairs = sent.iter().zip(wanted);
        sent.len() == wanted.len() && pairs.all(|pair| self.unify_pair(units, pair, plan))
    }

    /// The items of a list, from behind: of a variable that is filled more than once the bus in Java keeps
    /// what stands last in a list, and what stands first in a term.
    fn unify_lists(
        &mut self,
        units: (usize, usize),
        sent: &[Pattern],
        wanted: &[Pattern],
        plan: &mut Plan,
    ) -> bool {
        let mut pairs = sent.iter().zip(wanted).rev();
        sent.len() == wanted.len() && pairs.all(|pair| self.unify_pair(units, pair, plan))
    }

    fn unify_pair(
        &mut self,
        units: (usize, usize),
        (sent, wanted): (&Pattern, &Pattern),
        plan: &mut Plan,
    ) -> bool {
        self.unify(units, &(Side::Term(sent), Side::Term(wanted)), plan)
    }

    fn side_value(&mut self, side: &Side<'_>) -> ExprId {
        match side {
            Side::Term(pattern) => self.value(pattern),
            Side::Part(value) => *value,
        }
    }

    fn side_type(&self, unit: usize, side: &Side<'_>) -> types::Type {
        match side {
            Side::Term(pattern) => {
                let variables = &self.units[unit].inlined.variables;
                pattern.ty(&|var| variables[var.index()].ty.clone())
            }
            Side::Part(_) => types::Type::Term,
        }
    }

    /// Two values.
    fn compare(
        &mut self,
        units: (usize, usize),
        a: &Side<'_>,
        b: &Side<'_>,
        plan: &mut Plan,
    ) -> bool {
        let (a_type, b_type) = (self.side_type(units.0, a), self.side_type(units.1, b));
        if a_type.fits(&b_type) == Fit::Never && b_type.fits(&a_type) == Fit::Never {
            return false;
        }
        let (a, b) = (self.side_value(a), self.side_value(b));
        let exprs = &self.program.exprs;
        match (exprs.constant(a).is_some(), exprs.constant(b).is_some()) {
            (true, true) => a == b,
            (true, false) => {
                let equal = self.equal(b, a);
                plan.receiver_guards.push(equal);
                true
            }
            (false, true) => {
                let equal = self.equal(a, b);
                plan.sender_guards.push(equal);
                true
            }
            (false, false) => {
                plan.fields.push((a, Taken::Compared(b)));
                true
            }
        }
    }

    /// Whether a value has a type: `None` if never, else a guard if that depends.
    fn typed(
        &mut self,
        own: &types::Type,
        value: ExprId,
        wanted: &types::Type,
    ) -> Option<Option<ExprId>> {
        match own.fits(wanted) {
            Fit::Never => None,
            Fit::Always => Some(None),
            Fit::Sometimes => {
                let ty = self.type_constant(wanted);
                Some(Some(self.apply(Inner::HasType, &[value, ty])))
            }
        }
    }

    /// A value of the sender's meets something of the receiver's that has gaps.
    fn fill(
        &mut self,
        units: (usize, usize),
        sent: &Side<'_>,
        pattern: &Pattern,
        plan: &mut Plan,
    ) -> bool {
        let own = self.side_type(units.0, sent);
        let value = self.side_value(sent);
        match pattern {
            Pattern::Result(var) => {
                let wanted = self.units[units.1].inlined.variables[var.index()]
                    .ty
                    .clone();
                let Some(guard) = self.typed(&own, value, &wanted) else {
                    return false;
                };
                plan.sender_guards.extend(guard);
                if let Some((_, before)) = plan.stored.iter().find(|(known, _)| known == var) {
                    // In the bus in Java one value counts, whatever the others are.
                    let before = *before;
                    if self.dialect == Dialect::C {
                        let equal = self.equal(before, value);
                        plan.sender_guards.push(equal);
                    }
                } else {
                    plan.stored.push((*var, value));
                    plan.fields.push((value, Taken::Stored(*var)));
                }
                true
            }
            Pattern::Placeholder(wanted) => {
                let Some(guard) = self.typed(&own, value, wanted) else {
                    return false;
                };
                plan.sender_guards.extend(guard);
                true
            }
            Pattern::Apply(..) | Pattern::List(_) => {
                let Some(guard) = self.has_shape(&own, value, pattern) else {
                    return false;
                };
                plan.sender_guards.push(guard);
                in_order(pattern).into_iter().all(|(at, part)| {
                    let side = Side::Part(self.part(value, at));
                    self.unify(units, &(side, Side::Term(part)), plan)
                })
            }
            _ => false,
        }
    }

    /// The same the other way round.
    fn fill_back(
        &mut self,
        units: (usize, usize),
        pattern: &Pattern,
        wanted: &Side<'_>,
        plan: &mut Plan,
    ) -> bool {
        let own = self.side_type(units.1, wanted);
        let value = self.side_value(wanted);
        match pattern {
            Pattern::Result(var) => {
                let ty = self.units[units.0].inlined.variables[var.index()]
                    .ty
                    .clone();
                let Some(guard) = self.typed(&own, value, &ty) else {
                    return false;
                };
                plan.receiver_guards.extend(guard);
                if let Some((_, _, before)) = plan.back.iter().find(|(known, ..)| known == var) {
                    let before = *before;
                    if self.dialect == Dialect::C {
                        let equal = self.equal(before, value);
                        plan.receiver_guards.push(equal);
                    }
                } else {
                    let through = self.handed_back(plan.back.len());
                    plan.back.push((*var, through, value));
                }
                true
            }
            Pattern::Placeholder(ty) => {
                let Some(guard) = self.typed(&own, value, ty) else {
                    return false;
                };
                plan.receiver_guards.extend(guard);
                true
            }
            Pattern::Apply(..) | Pattern::List(_) => {
                let Some(guard) = self.has_shape(&own, value, pattern) else {
                    return false;
                };
                plan.receiver_guards.push(guard);
                in_order(pattern).into_iter().all(|(at, part)| {
                    let side = Side::Part(self.part(value, at));
                    self.unify(units, &(Side::Term(part), side), plan)
                })
            }
            _ => false,
        }
    }

    /// Whether a value is made like a pattern; `None` if its type says that it is not.
    fn has_shape(&mut self, own: &types::Type, value: ExprId, pattern: &Pattern) -> Option<ExprId> {
        match pattern {
            Pattern::Apply(name, args) => {
                let wanted = types::Type::Apply(name.to_string(), None);
                if own.fits(&wanted) == Fit::Never {
                    return None;
                }
                let name = self.text(name);
                let count = self.byte(args.len());
                Some(self.apply(Inner::IsApply, &[value, name, count]))
            }
            Pattern::List(items) => {
                if own.fits(&types::Type::List(None)) == Fit::Never {
                    return None;
                }
                let count = self.byte(items.len());
                Some(self.apply(Inner::IsList, &[value, count]))
            }
            _ => None,
        }
    }

    /// The variable through which the receiver hands a value back.
    fn handed_back(&mut self, position: usize) -> GlobalId {
        self.step_variable(format!("(handed back {position})"))
    }

    /// A variable that is used within a step only.
    pub(super) fn step_variable(&mut self, name: String) -> GlobalId {
        let known = self.program.globals.iter().position(|g| g.name == name);
        if let Some(known) = known {
            return GlobalId::new(known);
        }
        let mut variable = model::Variable::new(name, Type::Rich);
        variable.kind = VariableKind::Step;
        let undefined = self.undefined();
        variable.init = Some(model::ValueSet::One(undefined));
        self.program.add_global(variable)
    }

    /// A channel as a constant.
    pub(super) fn channel(&mut self, channel: ChannelId) -> ExprId {
        let place = i128::from(channel.0) + 1;
        self.program.exprs.value(Value::Int(place), Type::Channel)
    }
}

/// The parts of a term with their positions, in the order in which the first that fills a variable counts
/// in the bus in Java: those of lists from behind.
pub(super) fn in_order(pattern: &Pattern) -> Vec<(usize, &Pattern)> {
    match pattern {
        Pattern::Apply(_, parts) => parts.iter().enumerate().collect(),
        Pattern::List(parts) => parts.iter().enumerate().rev().collect(),
        _ => Vec::new(),
    }
}

/// What two terms that match are, as far as the receiver knows.
fn joint(sent: &Pattern, wanted: &Pattern) -> Pattern {
    match (sent, wanted) {
        (constant, _) if constant.is_constant() => constant.clone(),
        (Pattern::Apply(name, sent), Pattern::Apply(_, wanted)) => {
            let all = sent.iter().zip(wanted);
            Pattern::Apply(name.clone(), all.map(|(a, b)| joint(a, b)).collect())
        }
        (Pattern::List(sent), Pattern::List(wanted)) => {
            let all = sent.iter().zip(wanted);
            Pattern::List(all.map(|(a, b)| joint(a, b)).collect())
        }
        (_, wanted) => wanted.filled(),
    }
}
