//! Notes: a queue and a set of subscriptions for each instance.
//!
//! `snd-note` puts a copy into the queue of everyone who has a subscription that lets it in, the
//! sender included. `rec-note` takes the first note that matches, wherever it stands. So notes that no
//! `rec-note` takes both of can stand in any order: where every one names the word of what it takes,
//! queues are sorted by words.
//!
//! A process that will read no more notes has no queue, since nobody could tell what is in it; but as
//! long as it does not end, notes pile up for it, and each that comes is an event.

use model::{
    AssumptionId, Binary, Event, EventId, Expr, ExprId, GlobalId, Place, Projection, Root, Stmt,
    Type, ValueSet, Visibility,
};
use source::{Diagnostic, Diagnostics, Span};

use super::Lowering;
use super::messages::in_order;
use crate::ast::Word;
use crate::codes::suspicious as code;
use crate::library::Inner;
use crate::load::Dialect;
use crate::term::{self, Pattern, VarId, may_match};

/// The event of a note that nobody will read.
const UNREAD: &str = "(unread)";

/// Where notes are kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Notes {
    pub(super) queues: GlobalId,
    pub(super) subscriptions: GlobalId,
    /// How many notes wait at most.
    most: u8,
    /// That no more wait.
    pub(super) bound: AssumptionId,
    /// Whether queues are sorted by words.
    sorted: bool,
}

impl Notes {
    /// How many wait for a process at most.
    pub(super) fn most(self) -> u8 {
        self.most
    }

    /// Where they are kept.
    pub(super) fn arrays(&self) -> [GlobalId; 2] {
        [self.queues, self.subscriptions]
    }
}

/// An element of an array.
pub(super) fn cell(array: GlobalId, index: ExprId) -> Place {
    Place {
        root: Root::Global(array),
        path: vec![Projection::Index(index)],
    }
}

impl Lowering<'_> {
    pub(super) fn declare_notes(&mut self) {
        if !self.has_word(Word::Subscribe) {
            return;
        }
        let stated = self.bounds.count("queue", 8);
        let most = stated.value.unwrap_or(8);
        let text = format!("no more than {most} notes wait for a process");
        let bound = self.cut(text, "queue");
        let length = u32::try_from(self.slots()).expect("few instances");
        let ty = Type::Array(Box::new(Type::Rich), length);
        let empty = self.empty();
        let none = vec![empty; length as usize];
        let none = self.program.exprs.add(Expr::Tuple(none), ty.clone());
        let mut array = |name: &str, kind: model::VariableKind| {
            let mut variable = model::Variable::new(name, ty.clone());
            variable.init = Some(ValueSet::One(none));
            variable.kind = kind;
            self.program.add_global(variable)
        };
        self.notes = Some(Notes {
            queues: array("notes", model::VariableKind::State),
            subscriptions: array("subscriptions", model::VariableKind::World),
            most,
            bound,
            sorted: !self.plain && self.all_readers_name_words(),
        });
    }

    /// Where notes are kept, if there are any.
    pub(super) fn notes(&self) -> Option<Notes> {
        self.notes
    }

    /// Whether whoever reads notes names the word that they begin with.
    fn all_readers_name_words(&self) -> bool {
        let mut atoms = self.units.iter().flat_map(|unit| &unit.inlined.atoms);
        atoms.all(|atom| match atom.word {
            Word::RecNote | Word::NoNote => matches!(atom.args.as_slice(), [Pattern::Apply(..)]),
            _ => true,
        })
    }

    /// What becomes of the queue of a process that reads no more notes: of one that is `leaving`, too,
    /// nothing is left to be read when it has ended.
    pub(super) fn stop_listening(&mut self, leaving: bool) -> Option<Stmt> {
        let notes = self.notes?;
        let place = self.own_cell(notes.queues);
        let instead = match leaving {
            true => self.undefined(),
            false => self.unread(),
        };
        Some(Stmt::Assign(place, instead))
    }

    /// What stands for a queue that nobody reads.
    fn unread(&mut self) -> ExprId {
        let value = term::unread(&self.program.rich);
        self.rich(value)
    }

    /// Whether a process may wait for ever without reading notes that it has subscribed to.
    fn some_may_be_deaf(&self) -> bool {
        self.units.iter().any(|unit| {
            let mut states = unit.deaf.iter().zip(&unit.leaving);
            let mut atoms = unit.inlined.atoms.iter();
            states.any(|(deaf, leaving)| *deaf && !leaving)
                && atoms.any(|atom| atom.word == Word::Subscribe)
        })
    }

    /// Tells that a note comes to a process that reads none any more, if one does.
    fn piles_up(&mut self, notes: Notes, note: ExprId) -> Option<Stmt> {
        if !self.some_may_be_deaf() {
            return None;
        }
        let unread = self.unread();
        let mut any = Vec::new();
        for instance in self.listeners() {
            let index = self.byte(instance);
            let queue = self.read(&cell(notes.queues, index));
            let subscriptions = self.read(&cell(notes.subscriptions, index));
            let is_unread = self.equal(queue, unread);
            let lets_in = self.apply(Inner::LetsIn, &[subscriptions, note]);
            any.push(self.program.exprs.and(is_unread, lets_in));
        }
        let any = self.any_of(any);
        let known = self.unread_notes();
        let event = known.unwrap_or_else(|| {
            self.program.add_event(Event {
                name: UNREAD.to_owned(),
                parameters: vec![("note".to_owned(), Type::Rich)],
                story: Some("{0} comes to a process that reads no more notes".to_owned()),
                visibility: Visibility::Inner,
            })
        });
        let told = Stmt::Emit {
            event,
            args: vec![note],
            span: Span::NONE,
        };
        Some(Stmt::If(any, vec![told], Vec::new()))
    }

    /// The event of a note that comes to a process that reads none any more.
    pub(super) fn unread_notes(&self) -> Option<EventId> {
        let mut events = self.program.events.iter();
        let known = events.position(|event| event.name == UNREAD);
        known.map(EventId::new)
    }

    fn me(&mut self) -> ExprId {
        self.program.exprs.add(Expr::Me, Type::Instance)
    }

    /// The cell of the instance that moves.
    fn own_cell(&mut self, array: GlobalId) -> Place {
        let me = self.me();
        cell(array, me)
    }

    fn read(&mut self, place: &Place) -> ExprId {
        self.program.exprs.load(place.clone(), Type::Rich)
    }

    /// Whether the queue of some instance has no room for a note that it would get.
    fn no_room(&mut self, notes: Notes, note: ExprId) -> ExprId {
        let most = self.byte(usize::from(notes.most));
        let mut full = Vec::new();
        for instance in self.listeners() {
            let index = self.byte(instance);
            let queue = self.read(&cell(notes.queues, index));
            let subscriptions = self.read(&cell(notes.subscriptions, index));
            let lets_in = self.apply(Inner::LetsIn, &[subscriptions, note]);
            let is_full = self.apply(Inner::IsFull, &[queue, most]);
            let no_room = self.program.exprs.and(is_full, lets_in);
            full.push(no_room);
        }
        self.any_of(full)
    }

    /// Whether some queue is as long as it may be.
    pub(super) fn some_queue_is_full(&mut self) -> Option<ExprId> {
        let notes = self.notes?;
        let most = self.byte(usize::from(notes.most));
        let mut full = Vec::new();
        for instance in self.listeners() {
            let index = self.byte(instance);
            let queue = self.read(&cell(notes.queues, index));
            full.push(self.apply(Inner::IsFull, &[queue, most]));
        }
        Some(self.any_of(full))
    }

    /// The numbers of instances that may subscribe.
    pub(super) fn listeners(&self) -> Vec<usize> {
        let subscribes = |unit: usize| {
            let atoms = &self.units[unit].inlined.atoms;
            atoms.iter().any(|atom| atom.word == Word::Subscribe)
        };
        (0..self.slots())
            .filter(|number| {
                let first = self.started.len();
                !(first..first + self.environments()).contains(number)
            })
            .filter(|&number| match self.started_units().get(number) {
                // One that ends leaves its number to others.
                Some(&unit) => subscribes(unit) || self.units[unit].automaton.ends(),
                None => true,
            })
            .collect()
    }

    /// What sending a note does, and when it can be done.
    pub(super) fn send_note(&mut self, note: ExprId) -> (Option<ExprId>, Vec<Stmt>) {
        let Some(notes) = self.notes else {
            return (None, Vec::new());
        };
        let no_room = self.no_room(notes, note);
        let guard = Some(self.program.exprs.not(no_room));
        let mut body: Vec<Stmt> = self.piles_up(notes, note).into_iter().collect();
        for instance in self.listeners() {
            let index = self.byte(instance);
            let place = cell(notes.queues, index);
            let queue = self.read(&place);
            let subscriptions = self.read(&cell(notes.subscriptions, index));
            let deliver = if notes.sorted {
                Inner::DeliverSorted
            } else {
                Inner::Deliver
            };
            let longer = self.apply(deliver, &[queue, subscriptions, note]);
            body.push(Stmt::Assign(place, longer));
        }
        (guard, body)
    }

    /// What reading a note does, and when it can be done: `None` if no note ever comes.
    pub(super) fn read_note(
        &mut self,
        unit: usize,
        pattern: &Pattern,
    ) -> Option<(ExprId, Vec<Stmt>)> {
        let notes = self.notes?;
        let place = self.own_cell(notes.queues);
        let queue = self.read(&place);
        let wanted = self.value_of_unit(pattern, unit);
        let found = self.apply(Inner::Find, &[queue, wanted]);
        let undefined = self.undefined();
        let nothing = self.equal(found, undefined);
        let mut guard = self.program.exprs.not(nothing);
        let picked = Place::global(self.picked);
        let value = self.read(&picked);
        let mut parts = Vec::new();
        self.gaps(pattern, value, found, &mut parts);
        let mut body = vec![Stmt::Assign(picked, found)];
        let rest = self.apply(Inner::Without, &[queue, value]);
        body.push(Stmt::Assign(place, rest));
        for (at, (var, part, in_guard)) in parts.iter().enumerate() {
            match parts[..at].iter().find(|(before, ..)| before == var) {
                // In the bus in Java one of them counts; in C both have to be the same.
                Some(_) if self.dialect == Dialect::Ng => {}
                Some((_, _, first)) => {
                    let equal = self.equal(*first, *in_guard);
                    guard = self.program.exprs.and(guard, equal);
                }
                None => body.push(Stmt::Assign(Place::own(var.index()), *part)),
            }
        }
        Some((guard, body))
    }

    /// The variables that a pattern fills, with the part of the value: as it is picked, and as the
    /// guard finds it.
    fn gaps(
        &mut self,
        pattern: &Pattern,
        value: ExprId,
        found: ExprId,
        out: &mut Vec<(VarId, ExprId, ExprId)>,
    ) {
        match pattern {
            Pattern::Result(var) => out.push((*var, value, found)),
            Pattern::Apply(..) | Pattern::List(_) => {
                for (at, part) in in_order(pattern) {
                    if !part.is_closed() {
                        let (value, found) = (self.part(value, at), self.part(found, at));
                        self.gaps(part, value, found, out);
                    }
                }
            }
            _ => {}
        }
    }

    /// Whether no such note waits.
    pub(super) fn no_note(&mut self, unit: usize, pattern: &Pattern) -> Option<ExprId> {
        let notes = self.notes?;
        let place = self.own_cell(notes.queues);
        let queue = self.read(&place);
        let wanted = self.value_of_unit(pattern, unit);
        let found = self.apply(Inner::Find, &[queue, wanted]);
        let undefined = self.undefined();
        Some(self.equal(found, undefined))
    }

    pub(super) fn subscribe(&mut self, unit: usize, pattern: &Pattern) -> Vec<Stmt> {
        let Some(notes) = self.notes else {
            return Vec::new();
        };
        let place = self.own_cell(notes.subscriptions);
        let all = self.read(&place);
        let pattern = self.value_of_unit(pattern, unit);
        let more = self.apply(Inner::Insert, &[all, pattern]);
        vec![Stmt::Assign(place, more)]
    }

    pub(super) fn unsubscribe(&mut self, unit: usize, pattern: &Pattern) -> Vec<Stmt> {
        let Some(notes) = self.notes else {
            return Vec::new();
        };
        let place = self.own_cell(notes.subscriptions);
        let all = self.read(&place);
        let pattern = self.value_of_unit(pattern, unit);
        let fewer = self.apply(Inner::Without, &[all, pattern]);
        let mut body = vec![Stmt::Assign(place, fewer)];
        if self.dialect == Dialect::C {
            let place = self.own_cell(notes.queues);
            let queue = self.read(&place);
            let rest = self.apply(Inner::Purge, &[queue, pattern]);
            body.push(Stmt::Assign(place, rest));
        }
        body
    }

    /// What the end of a process leaves behind: nothing.
    pub(super) fn forget_notes(&mut self) -> Vec<Stmt> {
        let Some(notes) = self.notes else {
            return Vec::new();
        };
        let empty = self.empty();
        [notes.queues, notes.subscriptions]
            .into_iter()
            .map(|array| Stmt::Assign(self.own_cell(array), empty))
            .collect()
    }

    /// Whether the instance that moves has no subscription left.
    pub(super) fn is_unsubscribed(&mut self) -> Option<ExprId> {
        let notes = self.notes?;
        let place = self.own_cell(notes.subscriptions);
        let all = self.read(&place);
        let empty = self.empty();
        Some(self.program.exprs.binary(Binary::Eq, all, empty))
    }

    /// Says which notes nobody reads and which nobody sends.
    pub(super) fn pair_notes(&self, diagnostics: &mut Diagnostics) {
        if self.open {
            return;
        }
        let all = |word: Word| {
            let units = self.units.iter();
            units.flat_map(move |unit| {
                let atoms = unit.inlined.atoms.iter();
                atoms
                    .filter(move |atom| atom.word == word)
                    .map(move |atom| (unit, atom))
            })
        };
        let meets = |word: Word, unit: &super::Unit, pattern: &Pattern| {
            all(word).any(|(other, atom)| {
                may_match(
                    pattern,
                    &|var| unit.inlined.variables[var.index()].ty.clone(),
                    &atom.args[0],
                    &|var| other.inlined.variables[var.index()].ty.clone(),
                )
            })
        };
        let cases = [
            (
                Word::SndNote,
                Word::RecNote,
                code::NEVER_READ,
                "no process reads this note",
            ),
            (
                Word::Subscribe,
                Word::RecNote,
                code::NEVER_READ,
                "no process reads the notes that this lets in",
            ),
            (
                Word::RecNote,
                Word::Subscribe,
                code::NEVER_READ,
                "no subscription lets such a note in",
            ),
            (
                Word::RecNote,
                Word::SndNote,
                code::NEVER_SENT,
                "no process sends such a note",
            ),
        ];
        for (word, partner, code, what) in cases {
            for (unit, atom) in all(word) {
                let again = diagnostics
                    .iter()
                    .any(|d| d.span == atom.span && d.message == what);
                if !again && !meets(partner, unit, &atom.args[0]) {
                    diagnostics.push(Diagnostic::warning(code, what).at(atom.span));
                }
            }
        }
    }
}
