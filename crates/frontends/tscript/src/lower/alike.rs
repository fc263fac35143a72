//! Tools of one kind, and the processes that are created for them, that could as well have each other's
//! numbers.
//!
//! The environment numbers tools as they come, and so are processes numbered that are created. Nobody can
//! tell which number is whose if
//! - tools come by themselves and once only, so that of those that may still come none has been seen;
//! - no tool is named in the script, or stands in what is kept in order or compared by more than equality:
//!   notes, subscriptions, events, and what functions compute;
//! - nobody reads the number of a process, and those that are created send no notes, whose ages would
//!   say by whom.

use model::{Alike, Names, Place, ProcessId, Stmt, Target};

use super::Lowering;
use super::expression::PROCESS_ID;
use crate::ast::Word;
use crate::automaton::Condition;
use crate::behaviour::Inlined;
use crate::term::Pattern;
use crate::types::Type;

impl Lowering<'_> {
    /// Declares what is alike.
    pub(super) fn declare_alike(&mut self) {
        if self.plain || self.ticks || self.looked_on || self.numbers_are_read() {
            return;
        }
        let ages = self.ages_of_notes();
        let names: Vec<Names> = (0..self.tools.kinds.len())
            .filter(|&kind| self.is_anonymous(kind))
            .map(|kind| {
                let (first, count) = (self.tools.kinds[kind].first, self.tools.kinds[kind].count);
                let values = (0..count).map(|number| self.tool_as_value(kind, number));
                let first = u32::try_from(first).expect("few tools");
                Names {
                    values: values.collect(),
                    arrays: self.tools.arrays().map(|array| (array, first)).collect(),
                }
            })
            .collect();
        // Processes of one template only: else those of several would share numbers.
        let mut created: Vec<usize> = (0..self.units.len())
            .filter(|unit| !self.started.contains(unit))
            .collect();
        let instances = match (created.pop(), created.is_empty()) {
            (Some(unit), true) if !self.does(unit, Word::SndNote) => {
                let notes = self.notes().map(|notes| notes.arrays().to_vec());
                let arrays = notes.unwrap_or_default().into_iter().chain(ages);
                Some((ProcessId::new(unit), arrays.collect()))
            }
            _ => None,
        };
        if let Some((process, _)) = &instances
            && !names.is_empty()
        {
            self.forget_parameters(*process);
        }
        if !names.is_empty() || instances.is_some() {
            self.program.alike = Some(Alike { names, instances });
        }
    }

    /// Whoever ends forgets for whom it was created: what is never written would not be kept beside the
    /// rest of its state, where names can be exchanged.
    fn forget_parameters(&mut self, process: ProcessId) {
        let undefined = self.undefined();
        let process = &mut self.program.processes[process.index()];
        let parameters = process.parameters;
        for step in process
            .steps
            .iter_mut()
            .filter(|step| step.target == Target::End)
        {
            let forget = (0..parameters).map(|var| Stmt::Assign(Place::own(var), undefined));
            step.body.extend(forget);
        }
    }

    fn does(&self, unit: usize, word: Word) -> bool {
        let mut atoms = self.units[unit].inlined.atoms.iter();
        atoms.any(|atom| atom.word == word)
    }

    /// Whether anybody keeps the number of a process, or asks for his own.
    fn numbers_are_read(&self) -> bool {
        let asks = |inlined: &Inlined| {
            let mut terms = inlined.atoms.iter().flat_map(|atom| &atom.args);
            terms.any(|term| names(term, PROCESS_ID))
        };
        let mut tests = self
            .units
            .iter()
            .flat_map(|unit| unit.automaton.states.iter().flatten());
        self.program
            .globals
            .iter()
            .any(|global| global.name == "(new)")
            || self.units.iter().any(|unit| asks(&unit.inlined))
            || tests.any(|next| {
                next.conditions.iter().any(|condition| match condition {
                    Condition::Holds(test) => names(&test.test, PROCESS_ID),
                    Condition::Set(_, value) => names(value, PROCESS_ID),
                    Condition::Vanishes(_) | Condition::Vanished(_) => false,
                })
            })
    }

    /// Whether it makes no difference which of several tools of a kind is which.
    fn is_anonymous(&self, kind: usize) -> bool {
        let kind = &self.tools.kinds[kind];
        kind.count > 1
            && kind.comes_once(self.tools.connections())
            && self.units.iter().all(|unit| {
                let inlined = &unit.inlined;
                let tests = unit.automaton.states.iter().flatten();
                let mut conditions = tests.flat_map(|next| &next.conditions);
                let atoms = inlined.atoms.iter();
                let mut named = atoms.map(|atom| {
                    let ordered: &[Pattern] = match atom.word {
                        Word::SndNote
                        | Word::RecNote
                        | Word::NoNote
                        | Word::Subscribe
                        | Word::Unsubscribe
                        | Word::Printf => &atom.args,
                        Word::RecEvent | Word::SndAckEvent | Word::RecValue => &atom.args[1..],
                        _ => &[],
                    };
                    ordered.iter().any(|term| may_hold(inlined, term, &kind.name))
                        || atom.word == Word::Execute
                            && matches!(atom.args.first(), Some(Pattern::Apply(word, _)) if **word == *kind.name)
                        || atom.word != Word::Execute
                            && atom.args.iter().any(|term| names(term, &kind.name))
                        || atom.word == Word::Assign
                            && atom.args[1..].iter().any(|term| computes(inlined, term, &kind.name))
                });
                !named.any(|named| named)
                    && !conditions.any(|condition| match condition {
                        Condition::Holds(test) => computes(inlined, &test.test, &kind.name),
                        Condition::Set(_, value) => computes(inlined, value, &kind.name),
                        Condition::Vanishes(_) | Condition::Vanished(_) => false,
                    })
            })
    }
}

/// Whether a term names a tool of a kind itself.
fn names(term: &Pattern, kind: &str) -> bool {
    match term {
        Pattern::Apply(word, args) => **word == *kind || args.iter().any(|arg| names(arg, kind)),
        Pattern::List(items) => items.iter().any(|item| names(item, kind)),
        _ => false,
    }
}

/// Whether a term may have a tool of a kind in it.
fn may_hold(inlined: &Inlined, term: &Pattern, kind: &str) -> bool {
    match term {
        Pattern::Var(var) | Pattern::Result(var) => holds_tools(&inlined.variables[var.index()].ty),
        Pattern::Placeholder(ty) => holds_tools(ty),
        Pattern::Apply(word, args) => {
            **word == *kind || args.iter().any(|arg| may_hold(inlined, arg, kind))
        }
        Pattern::List(items) => items.iter().any(|item| may_hold(inlined, item, kind)),
        _ => false,
    }
}

/// Whether values of a type may have tools in them.
fn holds_tools(ty: &Type) -> bool {
    match ty {
        Type::Bool | Type::Int | Type::Real | Type::Str | Type::Bstr => false,
        Type::List(item) => item.as_ref().is_none_or(|item| holds_tools(item)),
        Type::Tuple(items) => items.iter().any(holds_tools),
        Type::Term | Type::Apply(..) => true,
    }
}

/// Whether something is computed from a term that may have a tool in it; whether two are the same may
/// be asked.
fn computes(inlined: &Inlined, term: &Pattern, kind: &str) -> bool {
    match term {
        Pattern::Apply(word, args)
            if matches!(&**word, "equal" | "not-equal" | "not" | "and" | "or") =>
        {
            args.iter().any(|arg| computes(inlined, arg, kind))
        }
        Pattern::Apply(..) | Pattern::List(_) => may_hold(inlined, term, kind),
        _ => false,
    }
}
