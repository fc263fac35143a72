//! What is checked without a formula.
//!
//! - *deadlock*: nothing can happen any more, though not all is done;
//! - *wedge-P*: process `P` waits for ever, whatever the others do (`AG EF` it can move);
//! - *queues*: no queue of notes grows without bound;
//! - *unsubscribed*: a process ends with a subscription left (dialect ng: its queue grows for ever);
//! - *expressions*: all expressions have values;
//! - what [tools may expect](super::answers), [notes that come too early](super::early) and
//!   [too late](super::stale).
//!
//! Where the environment could go on but for a bound, nobody waits for ever.

use std::sync::Arc;

use logic::{Ctl, Quantifier};
use model::{
    AssumptionId, Binary, Check, CheckId, Claim, EventId, Expr, ExprId, Growth, LocId, Origin,
    ProcessId, Property, PropertyId, Type,
};
use source::{Diagnostics, SourceMap, Span};

use super::Lowering;
use crate::library::{BAD_EXPRESSION, BYTE};
use crate::term::Pattern;

/// The name of the check for subscriptions.
const UNSUBSCRIBED: &str = "unsubscribed";

impl Lowering<'_> {
    /// The units that are started, by their numbers.
    pub(super) fn started_units(&self) -> &[usize] {
        &self.started
    }

    pub(super) fn started_often(&self, unit: usize) -> bool {
        self.started.iter().filter(|&&other| other == unit).count() > 1
    }

    pub(super) fn unsubscribed_check(&mut self) -> CheckId {
        let known = self
            .program
            .checks
            .iter()
            .position(|check| check.name == UNSUBSCRIBED);
        match known {
            Some(known) => CheckId::new(known),
            None => self.program.add_check(Check {
                name: UNSUBSCRIBED.to_owned(),
                failure: "the process ends without `unsubscribe`: notes go on piling up for it"
                    .to_owned(),
                span: Span::NONE,
            }),
        }
    }

    pub(super) fn property(&mut self, name: String, text: &str, span: Span, claim: Claim) {
        // What nobody stated may be too little: what holds within it is not known to hold.
        let samples = (0..self.program.assumptions.len())
            .filter(|&at| self.program.assumptions[at].origin == Origin::Narrowed)
            .map(AssumptionId::new)
            .collect();
        self.program.add_property(Property {
            name,
            text: text.to_owned(),
            span,
            claim,
            trigger: None,
            observers: Vec::new(),
            assumptions: samples,
        });
    }

    pub(super) fn checks(
        &mut self,
        started: &[(usize, Vec<Pattern>, Span)],
        _sources: &SourceMap,
        _diagnostics: &mut Diagnostics,
    ) {
        let mut excuses = Vec::new();
        for (condition, places) in self.held_back.clone() {
            let there = self.any_at(places);
            excuses.push(self.program.exprs.and(there, condition));
        }
        if let Some(down) = self.down {
            let down = self
                .program
                .exprs
                .load(model::Place::global(down), Type::Bool);
            excuses.push(down);
        }
        let excused = self.any_of(excuses);
        self.deadlock(excused);
        for (number, &(unit, _, span)) in started.iter().enumerate() {
            let others = started[..number].iter().filter(|s| s.0 == unit).count();
            let name = match others {
                0 => format!("wedge-{}", self.units[unit].inlined.name),
                more => format!("wedge-{}-{}", self.units[unit].inlined.name, more + 1),
            };
            // It may also be created, and asked for as such.
            let own = &self.units[unit].inlined;
            let mut units = self.units.iter().enumerate();
            let again = units.any(|(other, one)| other != unit && one.inlined.name == own.name);
            let name = if again {
                format!("{name}-called")
            } else {
                name
            };
            let formula = self.goes_on(unit, number, excused);
            let text = "the process never waits for ever";
            self.ends_waiting(&name, Some(unit));
            self.property(name, text, span, Claim::Ctl(formula));
        }
        for unit in 0..self.units.len() {
            if started.iter().any(|s| s.0 == unit) {
                continue;
            }
            let numbers = self.numbers_of(unit).into_iter().take(started.len() + 16);
            let formulas: Vec<Ctl<ExprId>> = numbers
                .map(|number| self.goes_on(unit, number, excused))
                .collect();
            if !formulas.is_empty() {
                let formula = Ctl::And(formulas.into());
                let name = format!("wedge-{}", self.units[unit].inlined.name);
                let span = self.units[unit].inlined.span;
                let text = "no such process waits for ever";
                self.ends_waiting(&name, Some(unit));
                self.property(name, text, span, Claim::Ctl(formula));
            }
        }
        self.answers(excused);
        self.early_notes();
        self.stale_checks();
        self.growth();
        let check = self
            .program
            .checks
            .iter()
            .position(|c| c.name == UNSUBSCRIBED);
        if let Some(check) = check {
            let text = "no process ends with a subscription left";
            let claim = Claim::Check(CheckId::new(check));
            self.property(UNSUBSCRIBED.to_owned(), text, Span::NONE, claim);
        }
        let faults = self.program.functions.iter().any(|f| f.can_fault);
        if faults {
            let text = "every expression has a value";
            let claim = Claim::NoFault(vec![BAD_EXPRESSION]);
            self.property("expressions".to_owned(), text, Span::NONE, claim);
        }
    }

    /// The numbers that instances of a unit may have. One that ends leaves its number to others.
    pub(super) fn numbers_of(&self, unit: usize) -> Vec<usize> {
        let started = self.started.len();
        let first = started + self.environments();
        let created = self.is_created(unit);
        (0..started)
            .filter(|&number| created || self.started[number] == unit)
            .chain((first..self.slots()).filter(|_| created))
            .collect()
    }

    /// How many numbers instances may have.
    pub(super) fn slots(&self) -> usize {
        usize::from(self.most_instances) + self.environments()
    }

    /// That queues do not grow without bound.
    fn growth(&mut self) {
        let (Some(notes), Some(full)) = (self.notes(), self.some_queue_is_full()) else {
            return;
        };
        let events = self.program.events.iter().enumerate();
        let asks = events.filter(|(_, event)| event.name == "no-note");
        let asks = asks.map(|(at, _)| EventId::new(at)).collect();
        let claim = Claim::Bounded(Growth {
            lists: notes.queues,
            full,
            asks,
            unread: self.unread_notes(),
        });
        let text = "no queue of notes grows without bound";
        self.property("queues".to_owned(), text, Span::NONE, claim);
        // Where it holds, no queue comes to be so long.
        let property = self.program.properties.last_mut().expect("one was added");
        property.assumptions.retain(|id| *id != notes.bound);
    }

    /// Whether queues grow does not depend on how long they may be: of the other properties, all do.
    pub(super) fn exempt_growth(&mut self) {
        let Some(notes) = self.notes() else {
            return;
        };
        let properties = self.program.properties.iter().enumerate();
        let others =
            properties.filter(|(_, property)| !matches!(property.claim, Claim::Bounded(_)));
        let others = others.map(|(at, _)| PropertyId::new(at)).collect();
        self.program.assumptions[notes.bound.index()].properties = Some(others);
    }

    fn deadlock(&mut self, excused: ExprId) {
        let nothing = self.program.exprs.add(Expr::NothingEnabled, Type::Bool);
        let environment = self.byte(self.environments());
        let count = self.program.exprs.add(Expr::InstanceCount, BYTE);
        let all_done = self.program.exprs.binary(Binary::Le, count, environment);
        let goes_on = self.program.exprs.not(nothing);
        let good = self.any_of([goes_on, excused, all_done]);
        let text = "something can happen until all is done";
        self.ends_waiting("deadlock", None);
        self.property("deadlock".to_owned(), text, Span::NONE, Claim::Always(good));
    }

    /// Failing runs of a property end where the instances of a unit wait, or where all wait.
    fn ends_waiting(&mut self, property: &str, unit: Option<usize>) {
        let whose = unit.map(ProcessId::new);
        let waits = &mut self.program.display.waits;
        waits.insert(property.to_owned(), whose);
    }

    /// An instance of a unit can always come to move again, unless it has ended.
    fn goes_on(&mut self, unit: usize, number: usize, excused: ExprId) -> Ctl<ExprId> {
        let instance = {
            let number = i128::try_from(number).unwrap_or(0);
            self.program.exprs.int(number, Type::Instance)
        };
        let enabled = self.program.exprs.add(Expr::Enabled(instance), Type::Bool);
        let process = ProcessId::new(unit);
        let places: Vec<ExprId> = (0..self.units[unit].automaton.states.len())
            .filter(|&state| !self.units[unit].automaton.is_end(state))
            .map(|state| {
                self.program.exprs.add(
                    Expr::At {
                        instance,
                        process,
                        location: LocId::new(state),
                    },
                    Type::Bool,
                )
            })
            .collect();
        let is_there = self.any_of(places);
        let is_gone = self.program.exprs.not(is_there);
        // What is looked at in every state is looked at once for all that ask for it, and where
        // somebody is costs less than whether it can move.
        let good = self.any_of([is_gone, enabled]);
        let good = Ctl::Or([Ctl::Atom(good), Ctl::Atom(excused)].into());
        let some_time = Ctl::Eventually(Quantifier::Some, Arc::new(good));
        Ctl::Always(Quantifier::All, Arc::new(some_time))
    }
}
