//! Notes of earlier rounds: `stale-W`, no note `W` of an earlier round is read by who knows of a later
//! one; `outdated-M`, no message `M` is taken from who has yet to read a note of an earlier round of
//! the taker's (it speaks of what is no longer so: a bid for an item that has been sold).
//!
//! A process that sends notes from within a loop, each followed there by another note or a message, begins a
//! *round* each time it comes back to the outermost `*` around; that is the event `round`. Observers of what is done keep the [ages](crate::ages)
//! of the notes that wait, in ghost variables: only these properties see them.

use model::{
    Check, CheckId, Claim, Event, EventId, ExprId, GlobalId, Observer, ObserverId, Place, Root,
    Stmt, Type, ValueSet, VariableKind, Visibility,
};
use source::Span;

use super::Lowering;
use super::notes::cell;
use crate::ast::Word;
use crate::automaton::Move;
use crate::library::{BYTE, Inner};
use crate::load::Dialect;
use crate::term::{Pattern, may_match};

/// The event of a new round.
pub(super) const ROUND: &str = "round";

/// The event of a process that sends a message,
const SIGNED: &str = "(signs)";
/// of one that reads no more notes,
const DEAF: &str = "(stops reading)";
/// and of one that sends no more messages either.
const MUTE: &str = "(falls silent)";

/// The number of no instance.
const NOBODY: usize = 255;

/// What the check keeps.
#[derive(Debug)]
pub(super) struct Stale {
    /// The words of notes that may be read late.
    words: Vec<String>,
    /// The words of messages to those who send notes.
    messages: Vec<String>,
    ages: GlobalId,
    /// Who has sent the message that is being received, and the ages of the notes that waited for it
    /// then: the step may be its last.
    from: GlobalId,
    theirs: GlobalId,
}

impl Lowering<'_> {
    /// Where the ages of notes are kept, if anybody asks.
    pub(super) fn ages_of_notes(&self) -> Option<GlobalId> {
        self.stale.as_ref().map(|stale| stale.ages)
    }

    /// Finds out which notes can be stale, before processes are made.
    pub(super) fn declare_stale(&mut self) {
        if self.notes().is_none() {
            return;
        }
        let mut words: Vec<String> = Vec::new();
        for unit in self.units.iter().filter(|unit| unit.has_rounds()) {
            for atom in &unit.inlined.atoms {
                if atom.word != Word::SndNote {
                    continue;
                }
                let ty = |var: crate::term::VarId| unit.inlined.variables[var.index()].ty.clone();
                let is_read = self.units.iter().any(|reader| {
                    let own =
                        |var: crate::term::VarId| reader.inlined.variables[var.index()].ty.clone();
                    let mut atoms = reader.inlined.atoms.iter();
                    atoms.any(|other| {
                        other.word == Word::RecNote
                            && may_match(&atom.args[0], &ty, &other.args[0], &own)
                    })
                });
                if let Some(word) = atom.args[0].word().filter(|_| is_read) {
                    words.push(word.to_owned());
                }
            }
        }
        words.sort();
        words.dedup();
        if words.is_empty() {
            return;
        }
        let length = u32::try_from(self.slots()).expect("few instances");
        let ty = Type::Array(Box::new(Type::Rich), length);
        let empty = self.empty();
        let none = vec![empty; length as usize];
        let none = self.program.exprs.add(model::Expr::Tuple(none), ty.clone());
        let mut ages = model::Variable::new("(ages of notes)", ty);
        ages.init = Some(ValueSet::One(none));
        ages.kind = VariableKind::Ghost;
        let mut from = model::Variable::new("(sender)", BYTE);
        from.kind = VariableKind::Step;
        from.init = Some(ValueSet::One(self.byte(NOBODY)));
        let mut theirs = model::Variable::new("(ages of the sender's notes)", Type::Rich);
        theirs.kind = VariableKind::Step;
        theirs.init = Some(ValueSet::One(self.undefined()));
        self.stale = Some(Stale {
            words,
            messages: Vec::new(),
            ages: self.program.add_global(ages),
            from: self.program.add_global(from),
            theirs: self.program.add_global(theirs),
        });
    }

    /// Tells that a process begins another round.
    pub(super) fn new_round(&mut self, unit: usize, span: Span) -> Option<Stmt> {
        if self.stale.is_none() || !self.units[unit].sends_notes() {
            return None;
        }
        let name = self.units[unit].inlined.name.clone();
        Some(self.tell(ROUND, &[&name], Vec::new(), span))
    }

    /// Tells that a process reads no more notes, and, if it is `mute`, sends no more messages either.
    pub(super) fn reads_no_more(&mut self, mute: bool) -> Option<Stmt> {
        self.tell_observers(if mute { MUTE } else { DEAF })
    }

    /// Tells that a process sends a message, before anything else happens in that step.
    pub(super) fn signs_message(&mut self) -> Option<Stmt> {
        self.tell_observers(SIGNED)
    }

    /// Tells what nobody but those who keep ages wants to know.
    fn tell_observers(&mut self, name: &str) -> Option<Stmt> {
        self.stale.as_ref()?;
        let known = self.program.events.iter().position(|e| e.name == name);
        let event = match known {
            Some(known) => EventId::new(known),
            None => self.program.add_event(Event {
                name: name.to_owned(),
                parameters: Vec::new(),
                story: None,
                visibility: Visibility::Inner,
            }),
        };
        Some(Stmt::Emit {
            event,
            args: Vec::new(),
            span: Span::NONE,
        })
    }

    /// The words of messages from readers of notes to those who send them from within a loop.
    fn messages_to_senders(&self) -> Vec<String> {
        let mut words: Vec<String> = Vec::new();
        for pair in &self.pairs {
            let (sender, receiver) = (&self.units[pair.sender.0], &self.units[pair.receiver.0]);
            let mut atoms = sender.inlined.atoms.iter();
            if receiver.has_rounds()
                && receiver.sends_notes()
                && atoms.any(|atom| atom.word == Word::RecNote)
            {
                let message = &sender.inlined.atoms[pair.sender.1];
                let word = message.args.iter().find_map(Pattern::word);
                words.extend(word.map(str::to_owned));
            }
        }
        words.sort();
        words.dedup();
        words
    }

    /// Adds the observers and the properties, when all events are known.
    pub(super) fn stale_checks(&mut self) {
        let Some(mut stale) = self.stale.take() else {
            return;
        };
        stale.messages = self.messages_to_senders();
        let mut checks_of = |words: &[String], name: &str, failure: &dyn Fn(&str) -> String| {
            let check = |word: &String| {
                self.program.add_check(Check {
                    name: format!("{name}-{word}"),
                    failure: failure(word),
                    span: Span::NONE,
                })
            };
            words.iter().map(check).collect::<Vec<CheckId>>()
        };
        let outdated = checks_of(&stale.messages, "outdated", &|word| {
            format!("`{word}` is taken from who has yet to read a note of an earlier round")
        });
        let checks = checks_of(&stale.words, "stale", &|word| {
            format!("the note `{word}` is read by who has heard of a later round of its sender")
        });
        let mut observers = Vec::new();
        let events: Vec<(EventId, Event)> = (0..self.program.events.len())
            .map(|at| (EventId::new(at), self.program.events[at].clone()))
            .collect();
        for (event, declared) in events {
            let body = match declared.name.as_str() {
                "snd-note" => self.when_sent(&stale),
                "rec-note" => self.when_read(&stale, &checks),
                "msg" => self.when_met(&stale, &declared, &outdated),
                "unsubscribe" if self.dialect == Dialect::C => self.when_purged(&stale),
                ROUND => self.for_all_listeners(&stale, Inner::AgesRound),
                "ends" => self.when_ended(&stale),
                SIGNED => self.when_signed(&stale),
                DEAF => self.when_deaf(&stale),
                MUTE => self.when_mute(&stale),
                _ => continue,
            };
            observers.push(self.program.add_observer(Observer {
                name: "ages of notes".to_owned(),
                event,
                body,
            }));
        }
        for (word, check) in stale.words.iter().zip(checks) {
            let text = format!("no note `{word}` is read when its sender's next round is known");
            self.observed_property(format!("stale-{word}"), &text, check, observers.clone());
        }
        for (word, check) in stale.messages.iter().zip(outdated) {
            let text = format!(
                "no message `{word}` is taken from who has yet to read of an earlier round"
            );
            self.observed_property(format!("outdated-{word}"), &text, check, observers.clone());
        }
    }

    fn observed_property(
        &mut self,
        name: String,
        text: &str,
        check: CheckId,
        observers: Vec<ObserverId>,
    ) {
        self.property(name, text, Span::NONE, Claim::Check(check));
        let property = self.program.properties.last_mut().expect("one was added");
        property.observers = observers;
    }

    fn argument(&mut self, position: u32) -> ExprId {
        let place = Place::from(Root::Argument(position));
        self.program.exprs.load(place, Type::Rich)
    }

    fn my_number(&mut self) -> ExprId {
        let me = self.program.exprs.add(model::Expr::Me, Type::Instance);
        self.program.exprs.add(model::Expr::Convert(me), BYTE)
    }

    fn me_as_term(&mut self) -> ExprId {
        let me = self.my_number();
        self.apply(Inner::FromNumber, &[me])
    }

    fn when_sent(&mut self, stale: &Stale) -> Vec<Stmt> {
        let Some(subscriptions) = self.notes().map(|notes| notes.subscriptions) else {
            return Vec::new();
        };
        let note = self.argument(0);
        let me = self.me_as_term();
        let mut body = Vec::new();
        for instance in self.listeners() {
            let index = self.byte(instance);
            let place = cell(stale.ages, index);
            let ages = self.program.exprs.load(place.clone(), Type::Rich);
            let all = self
                .program
                .exprs
                .load(cell(subscriptions, index), Type::Rich);
            let lets_in = self.apply(Inner::LetsIn, &[all, note]);
            let more = self.apply(Inner::AgesSent, &[ages, note, me]);
            body.push(Stmt::If(
                lets_in,
                vec![Stmt::Assign(place, more)],
                Vec::new(),
            ));
        }
        body
    }

    fn for_all_listeners(&mut self, stale: &Stale, what: Inner) -> Vec<Stmt> {
        let me = self.me_as_term();
        let mut body = Vec::new();
        for instance in self.listeners() {
            let index = self.byte(instance);
            let place = cell(stale.ages, index);
            let ages = self.program.exprs.load(place.clone(), Type::Rich);
            let older = self.apply(what, &[ages, me]);
            body.push(Stmt::Assign(place, older));
        }
        body
    }

    /// The ages of the notes that wait for whoever moves.
    fn my_ages(&mut self, stale: &Stale) -> (Place, ExprId) {
        let me = self.program.exprs.add(model::Expr::Me, Type::Instance);
        let place = cell(stale.ages, me);
        let ages = self.program.exprs.load(place.clone(), Type::Rich);
        (place, ages)
    }

    fn when_read(&mut self, stale: &Stale, checks: &[CheckId]) -> Vec<Stmt> {
        let note = self.argument(0);
        let (place, ages) = self.my_ages(stale);
        let mut body = Vec::new();
        for (word, &check) in stale.words.iter().zip(checks) {
            let word = self.text(word);
            let is_stale = self.apply(Inner::AgesIsStale, &[ages, note, word]);
            let cond = self.program.exprs.not(is_stale);
            let span = Span::NONE;
            body.push(Stmt::Assert { cond, check, span });
        }
        let rest = self.apply(Inner::AgesRead, &[ages, note]);
        body.push(Stmt::Assign(place, rest));
        body
    }

    fn when_signed(&mut self, stale: &Stale) -> Vec<Stmt> {
        let me = self.my_number();
        let (_, ages) = self.my_ages(stale);
        vec![
            Stmt::Assign(Place::global(stale.from), me),
            Stmt::Assign(Place::global(stale.theirs), ages),
        ]
    }

    fn when_met(&mut self, stale: &Stale, event: &Event, outdated: &[CheckId]) -> Vec<Stmt> {
        let sender = self.program.exprs.load(Place::global(stale.from), BYTE);
        let theirs = self
            .program
            .exprs
            .load(Place::global(stale.theirs), Type::Rich);
        let me = self.me_as_term();
        let has_old = self.apply(Inner::AgesHasOld, &[theirs, me]);
        // Who they are comes behind the terms.
        let terms = event.parameters.len().saturating_sub(2);
        let terms = u32::try_from(terms).expect("few arguments");
        let terms: Vec<ExprId> = (0..terms).map(|at| self.argument(at)).collect();
        let message = self.list_of(terms);
        let mut body = Vec::new();
        for (word, &check) in stale.messages.iter().zip(outdated) {
            let word = self.text(word);
            let has_word = self.apply(Inner::HasWord, &[message, word]);
            let bad = self.program.exprs.and(has_old, has_word);
            let cond = self.program.exprs.not(bad);
            let span = Span::NONE;
            body.push(Stmt::Assert { cond, check, span });
        }
        let from = self.apply(Inner::FromNumber, &[sender]);
        let (place, ages) = self.my_ages(stale);
        let older = self.apply(Inner::AgesHeard, &[ages, from]);
        body.push(Stmt::Assign(place, older));
        // Nothing of who it was is left between steps.
        let nobody = self.byte(NOBODY);
        body.push(Stmt::Assign(Place::global(stale.from), nobody));
        let nothing = self.undefined();
        body.push(Stmt::Assign(Place::global(stale.theirs), nothing));
        body
    }

    fn when_purged(&mut self, stale: &Stale) -> Vec<Stmt> {
        let pattern = self.argument(0);
        let (place, ages) = self.my_ages(stale);
        let rest = self.apply(Inner::AgesPurged, &[ages, pattern]);
        vec![Stmt::Assign(place, rest)]
    }

    /// Of who reads no more notes nobody asks how old each of them is.
    fn when_deaf(&mut self, stale: &Stale) -> Vec<Stmt> {
        let (place, ages) = self.my_ages(stale);
        let rest = self.apply(Inner::AgesUnread, &[ages]);
        vec![Stmt::Assign(place, rest)]
    }

    /// Nobody asks how old the notes are of who neither reads them nor sends messages any more.
    fn when_mute(&mut self, stale: &Stale) -> Vec<Stmt> {
        let (place, _) = self.my_ages(stale);
        let nothing = self.undefined();
        vec![Stmt::Assign(place, nothing)]
    }

    fn when_ended(&mut self, stale: &Stale) -> Vec<Stmt> {
        let mut body = self.for_all_listeners(stale, Inner::AgesEnded);
        let (place, _) = self.my_ages(stale);
        let empty = self.empty();
        body.push(Stmt::Assign(place, empty));
        body
    }
}

impl super::Unit {
    /// Whether it comes back to a loop in which a note is followed by something else that it tells others, or
    /// hears from them. Who answers one event after the other, each with a note at most, has no rounds: what
    /// it sends next has nothing to do with what it has sent before.
    fn has_rounds(&self) -> bool {
        let states = &self.automaton.states;
        let word = |next: &Move| self.inlined.atoms[next.atom].word;
        if !states.iter().flatten().any(|next| next.begins) {
            return false;
        }
        let noted = states.iter().flatten();
        let mut waiting: Vec<usize> = noted
            .filter(|next| word(next) == Word::SndNote)
            .map(|next| next.to)
            .collect();
        let mut seen = vec![false; states.len()];
        while let Some(state) = waiting.pop() {
            if std::mem::replace(&mut seen[state], true) {
                continue;
            }
            for next in states[state].iter().filter(|next| !next.begins) {
                if matches!(word(next), Word::SndNote | Word::SndMsg | Word::RecMsg) {
                    return true;
                }
                waiting.push(next.to);
            }
        }
        false
    }

    fn sends_notes(&self) -> bool {
        self.inlined
            .atoms
            .iter()
            .any(|atom| atom.word == Word::SndNote)
    }
}
