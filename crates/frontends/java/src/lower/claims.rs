//! What must not happen: null is dereferenced, two threads access a field at once, an assertion fails,
//! threads are blocked for ever.

use model::MessageId;
use model::predicates::{Formula, PredicateAction, Var};
use source::Span;

use super::Lowering;
use super::action::{BOUND, Draft, MOVER, OTHER};
use crate::code::{Edge, FieldId, Label, Op, Place, Raise, Ref};

/// The messages that steps give.
#[derive(Default)]
pub(super) struct Messages {
    pub(super) null: Option<MessageId>,
    pub(super) monitor: Option<MessageId>,
    pub(super) thread: Option<MessageId>,
    pub(super) assertions: Vec<(Span, MessageId)>,
    races: Vec<(FieldId, MessageId)>,
}

impl Lowering<'_> {
    /// What is asked of the steps.
    pub(super) fn messages(&mut self) -> Messages {
        let mut messages = Messages::default();
        let code = self.code;
        let first = |fits: &dyn Fn(&Edge) -> bool| {
            code.edges
                .iter()
                .find(|edge| fits(edge))
                .map(|edge| edge.span)
        };
        let derefs = |edge: &Edge| {
            edge.raise != Raise::Never
                && edge
                    .op
                    .base()
                    .is_some_and(|base| !matches!(base, Ref::Me | Ref::Class(_)))
        };
        if let Some(span) = first(&derefs) {
            let name = "null-dereference".to_owned();
            messages.null = Some(self.property(name, "null is dereferenced", span));
        }
        let notifies =
            |edge: &Edge| matches!(edge.op, Op::Wait(_) | Op::Notify(_) | Op::NotifyAll(_));
        if let Some(span) = first(&notifies) {
            let text = "a thread waits or notifies without the monitor";
            messages.monitor = Some(self.property("monitor-state".to_owned(), text, span));
        }
        if let Some(span) = first(&|edge| matches!(edge.op, Op::Start(_))) {
            let text = "a thread is started twice";
            messages.thread = Some(self.property("thread-state".to_owned(), text, span));
        }
        for edge in &code.edges {
            if let Op::Assert(span, _) = edge.op
                && messages.assertions.iter().all(|(known, _)| *known != span)
            {
                let name = self.unused(&format!("assert-{}", self.line(span)));
                let id = self.property(name, "the assertion fails", span);
                messages.assertions.push((span, id));
            }
        }
        for (number, field) in code.fields.iter().enumerate() {
            let id = FieldId(number);
            if !field.ordered && self.may_race(id) {
                let text = format!(
                    "two threads access `{}` at once, one of them writes",
                    field.name
                );
                let message = self.property(format!("race-{}", field.name), &text, field.span);
                messages.races.push((id, message));
            }
        }
        messages
    }

    fn unused(&self, name: &str) -> String {
        let taken = |name: &str| self.properties.iter().any(|one| one.name == name);
        let mut own = name.to_owned();
        let mut number = 2;
        while taken(&own) {
            own = format!("{name}-{number}");
            number += 1;
        }
        own
    }

    pub(super) fn line(&self, span: Span) -> usize {
        let before = self.text.get(..span.start as usize).unwrap_or_default();
        before.matches('\n').count() + 1
    }

    /// The steps that access a field: where, of which object, whether they write.
    fn accesses(&self, field: FieldId) -> Vec<(Label, Place, bool)> {
        let all = self.code.edges.iter().filter_map(|edge| {
            let (place, writes) = edge.op.access()?;
            (place.field() == field).then_some((edge.from, place, writes))
        });
        all.collect()
    }

    /// Whether two threads may access a field, one writing, as far as their code tells.
    fn may_race(&self, field: FieldId) -> bool {
        let all = self.accesses(field);
        let of_main = self.of_main();
        all.iter().any(|(from, _, writes)| {
            *writes
                && all
                    .iter()
                    .any(|(other, ..)| !(of_main[from.0] && of_main[other.0]))
        })
    }

    /// Which labels are in the code of the main thread.
    fn of_main(&self) -> Vec<bool> {
        let mut found = vec![false; self.code.labels.len()];
        let mut open: Vec<Label> = self.code.main.into_iter().collect();
        while let Some(label) = open.pop() {
            if !std::mem::replace(&mut found[label.0], true) {
                let edges = self.code.edges.iter().filter(|edge| edge.from == label);
                open.extend(edges.flat_map(crate::contract::next));
            }
        }
        found
    }

    /// A step that writes a field reports if another thread is about to access it: of two accesses at
    /// once, one is such a step.
    pub(super) fn races(
        &self,
        edge: &Edge,
        object: Option<Var>,
        messages: &Messages,
        draft: &mut Draft,
    ) {
        let Some((place, true)) = edge.op.access() else {
            return;
        };
        let mut races = messages.races.iter();
        let Some((_, message)) = races.find(|(field, _)| *field == place.field()) else {
            return;
        };
        let others = self.accesses(place.field()).into_iter().map(|(at, of, _)| {
            let there = self.vocabulary.is_at(at, BOUND);
            match (of, object) {
                (Place::Of(base, _), Some(object)) => {
                    let same = self.vocabulary.points(base, BOUND, object);
                    Formula::And(vec![there, same])
                }
                _ => there,
            }
        });
        let another = Formula::And(vec![
            Formula::not(Formula::Equal(BOUND, MOVER)),
            Formula::Or(others.collect()),
        ]);
        draft
            .reports
            .push((*message, Formula::Exists(BOUND, Box::new(another))));
    }

    /// That threads are blocked for ever, as claims of all configurations.
    pub(super) fn deadlocks(&mut self) {
        let blocks = |edge: &&Edge| matches!(edge.op, Op::Lock(_) | Op::Wait(_) | Op::Join(_));
        let Some(span) = self.code.edges.iter().find(blocks).map(|edge| edge.span) else {
            return;
        };
        // Variables: a thread, an object, another thread.
        let (thread, object, other) = (0, 1, 2);
        let alive = |one| Formula::Holds(self.vocabulary.alive, vec![one]);
        let waiting = self.waiting(thread);
        let blocked = Formula::Or(vec![waiting.clone(), self.blocked(thread, object, other)]);
        let all = Formula::Or(vec![Formula::not(alive(thread)), blocked]);
        let some = |inner| Formula::Exists(thread, Box::new(inner));
        let stuck = vec![some(alive(thread)), Formula::Forall(thread, Box::new(all))];
        let some_waits = some(waiting);
        let mut lost = stuck.clone();
        lost.push(some_waits.clone());
        let mut dead = stuck;
        dead.push(Formula::not(some_waits));
        let mut dead = vec![Formula::And(dead)];
        dead.extend(self.circle());
        let text = "threads wait for each other for ever";
        self.claim("deadlock", text, span, Formula::Or(dead));
        let waits = self
            .code
            .edges
            .iter()
            .find(|edge| matches!(edge.op, Op::Wait(_)));
        if let Some(span) = waits.map(|edge| edge.span) {
            let text = "nobody is left who could notify a thread that waits";
            self.claim("lost-notify", text, span, Formula::And(lost));
        }
    }

    /// Whether a thread waits for a notification, without a limit.
    fn waiting(&self, thread: Var) -> Formula {
        let labels = self.code.labels.iter().enumerate();
        let waits = labels.filter(|(_, info)| info.waits == Some(false));
        let at = waits.map(|(label, _)| self.vocabulary.is_at(Label(label), thread));
        Formula::Or(at.collect())
    }

    /// Whether a thread waits for a monitor, or for the end of another thread.
    fn blocked(&self, thread: Var, object: Var, other: Var) -> Formula {
        let mut all = Vec::new();
        for edge in &self.code.edges {
            let at = self.vocabulary.is_at(edge.from, thread);
            let (reference, blocking) = match edge.op {
                Op::Lock(reference) | Op::Reacquire(reference) => {
                    let Some((held, _)) = self.vocabulary.held else {
                        continue;
                    };
                    let taken = Formula::And(vec![
                        Formula::not(Formula::Equal(other, thread)),
                        Formula::Holds(held, vec![object, other]),
                    ]);
                    (reference, Formula::Exists(other, Box::new(taken)))
                }
                Op::Join(reference) => {
                    let alive = Formula::Holds(self.vocabulary.alive, vec![object]);
                    (reference, alive)
                }
                _ => continue,
            };
            let points = self.vocabulary.points(reference, thread, object);
            let it = Formula::Exists(object, Box::new(Formula::And(vec![points, blocking])));
            all.push(Formula::And(vec![at, it]));
        }
        Formula::Or(all)
    }

    /// That threads wait in a circle, each for a monitor that the next one holds or for its end.
    fn circle(&self) -> Option<Formula> {
        let (from, to, object) = (3, 4, 5);
        let edges = || self.code.edges.iter();
        let has_joins = edges().any(|edge| matches!(edge.op, Op::Join(_)));
        let mut steps = Vec::new();
        for edge in edges() {
            let it = match (&edge.op, self.vocabulary.held) {
                (Op::Lock(reference) | Op::Reacquire(reference), Some((held, _))) => {
                    // Who holds nothing is waited for by nobody but who joins it.
                    if !has_joins && self.code.labels[edge.from.0].monitors.is_empty() {
                        continue;
                    }
                    let points = self.vocabulary.points(*reference, from, object);
                    let owner = Formula::Holds(held, vec![object, to]);
                    let another = Formula::not(Formula::Equal(from, to));
                    let all = Formula::And(vec![points, owner, another]);
                    Formula::Exists(object, Box::new(all))
                }
                // A thread may wait for its own end.
                (Op::Join(reference), _) => {
                    let points = self.vocabulary.points(*reference, from, to);
                    let alive = Formula::Holds(self.vocabulary.alive, vec![to]);
                    Formula::And(vec![points, alive])
                }
                _ => continue,
            };
            let at = self.vocabulary.is_at(edge.from, from);
            steps.push(Formula::And(vec![at, it]));
        }
        if steps.is_empty() {
            return None;
        }
        let circle = Formula::Closure {
            ends: [0, 0],
            step: [from, to],
            edge: Box::new(Formula::Or(steps)),
        };
        Some(Formula::Exists(0, Box::new(circle)))
    }

    /// A property that is asked of every configuration.
    pub(super) fn claim(&mut self, name: &str, text: &str, span: Span, condition: Formula) {
        let message = self.property(name.to_owned(), text, span);
        let variables = (0..=OTHER).map(|number| format!("v{number}")).collect();
        self.program.actions.push(PredicateAction {
            name: name.to_owned(),
            span,
            variables,
            free: 0,
            scheduled: None,
            focus: Vec::new(),
            precondition: Formula::And(Vec::new()),
            opens_turn: false,
            reports: vec![(message, condition)],
            creates: Vec::new(),
            updates: Vec::new(),
            retains: None,
            reports_after: Vec::new(),
        });
    }

    /// A step, for people.
    pub(super) fn told(&self, edge: &Edge) -> String {
        let text = self
            .text
            .get(edge.span.start as usize..edge.span.end as usize);
        let text = text.unwrap_or_default();
        let mut line: String = text.lines().next().unwrap_or_default().trim().to_owned();
        if let Some((at, _)) = line.char_indices().nth(48) {
            line.truncate(at);
            line.push_str("...");
        }
        match &edge.op {
            Op::Test(_, true) => format!("{line} holds"),
            Op::Test(_, false) => format!("{line} does not hold"),
            Op::Lock(_) => format!("takes the monitor {line}"),
            Op::Unlock => format!("gives the monitor back {line}"),
            Op::Wake => format!("wakes from {line}"),
            Op::Reacquire(_) => format!("takes the monitor again after {line}"),
            Op::NotifyNobody(_) => format!("{line}, and nobody waits"),
            Op::Rouse => format!("{line} wakes a thread"),
            Op::Load(_, place) | Op::Touch(place, false) => {
                format!("reads {}", self.code.fields[place.field().0].name)
            }
            Op::Store(place, _) | Op::Touch(place, true) => {
                format!("writes {}", self.code.fields[place.field().0].name)
            }
            Op::Skip if edge.to.is_none() => "ends".to_owned(),
            Op::Assert(_, true) => format!("{line} holds"),
            Op::Assert(_, false) => format!("{line} fails"),
            _ => line,
        }
    }
}
